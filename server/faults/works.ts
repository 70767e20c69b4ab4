// The works of tills: single creates in both styles, single updates, bulks of twenty, refunds of sales, each with its own key and mark.
import type { Company } from './company.ts'
import { type Kind, kinds, sale } from './kinds.ts'
import type { Random } from './random.ts'
import type { Reply } from './request.ts'

/** One record of a work: the value that shows whether it was done, and how often. */
export interface WorkItem {
  /** The value of `kind.mark` for a create, of `kind.change` for an update. */
  readonly value: string | number
  /** The record of an update. */
  readonly id?: string
}

/** How a till continues: until it has a response, at two servers at once, or never again after a failure. */
type Habit = 'patient' | 'hasty' | 'forgetful'

/** One request with its key, and its result. */
export interface Work {
  readonly company: Company
  readonly kind: Kind
  readonly isCreate: boolean
  readonly isBulk: boolean
  readonly habit: Habit
  readonly items: readonly WorkItem[]
  readonly method: string
  readonly path: string
  readonly body: string
  readonly key: string
  tries: number
  /** The definite response; unset for a forgetful till without one, or for one that waited in vain. */
  answer?: Reply
  /** The other server's response to a hasty till. */
  otherAnswer?: Reply
}

const bulkItems = 20
/** Records of each kind and company that all tills update again and again, so that updates collide. */
const sought = 8

/** Creates works one after another. `run` distinguishes their marks and keys from those of other runs. */
export function worksOf(run: string, companies: readonly Company[]): (random: Random) => Work {
  let made = 0

  return function next(random) {
    const number = ++made
    const company = random.pick(companies)
    const picked = random.pick(kinds)
    const isCreate = company.known(picked).length < sought + bulkItems || random.chance(0.55)
    const returned = picked.isReturn && isCreate ? company.sold.pop() : undefined
    // Before there is a sale to take back, one is made.
    const kind = picked.isReturn && isCreate && returned === undefined ? sale : picked
    const known = company.known(kind)
    const isBulk = random.chance(0.12) && returned === undefined
    const isStyleA = !isBulk && kind.styleA !== undefined && random.chance(0.5)
    const mark = `${run}-${number}`
    const one = isStyleA ? `/v1/api/${kind.styleA}` : `/v1/${kind.one}`
    const common = {
      company,
      kind,
      isCreate,
      isBulk,
      habit: habitOf(random),
      key: `${mark}-${random.below(2 ** 32).toString(16)}`,
      tries: 0,
    }
    if (isCreate) {
      const items = Array.from({ length: isBulk ? bulkItems : 1 }, (_, n) => ({ value: `${mark}.${n}` }))
      const bodies = items.map(({ value }) => kind.body(value, random))
      const { together } = kind
      const ofReturned = returned === undefined ? '' : `/${returned}/refund`
      const single = together ? `/v1/${together.one}${ofReturned}` : one
      const [path, body] = isBulk ? [`/v1/${(together ?? kind).many}`, bulkOf(bodies)] : [single, bodies[0]]
      return { ...common, items, method: 'POST', path, body: JSON.stringify(body) }
    }
    const ids = new Set<string>()
    while (ids.size < (isBulk ? bulkItems : 1))
      ids.add(known[random.below(random.chance(0.3) ? sought : known.length)] as string)
    const items = [...ids].map((id, n) => ({ id, value: kind.value(`${mark}.${n}`, number * bulkItems + n) }))
    const bodies = items.map(({ id, value }) => ({ ...(isBulk && { id }), [kind.change]: value }))
    const [path, body] = isBulk ? [`/v1/${kind.many}`, bulkOf(bodies)] : [`${one}/${items[0]?.id}`, bodies[0]]
    return { ...common, items, method: isStyleA ? 'PUT' : 'PATCH', path, body: JSON.stringify(body) }
  }
}

const bulkOf = (bodies: readonly object[]) => ({ items: bodies.map((body, n) => ({ ...body, clientRef: `row-${n}` })) })

function habitOf(random: Random): Habit {
  const number = random.number()
  return number < 0.03 ? 'forgetful' : number < 0.06 ? 'hasty' : 'patient'
}

/** The records in a 2xx response, in the order of the work's items; undefined for a refused one. */
export function answered(
  { isBulk, isCreate, kind }: Pick<Work, 'isBulk' | 'isCreate' | 'kind'>,
  { text }: Reply,
): (Record<string, unknown> | undefined)[] {
  const value = JSON.parse(text)
  const all: (Record<string, any> | undefined)[] = isBulk
    ? value.results.map(({ data }: { data?: Record<string, unknown> }) => data)
    : [value]
  return isCreate && kind.together ? all.map((answer) => answer?.[kind.one]) : all
}
