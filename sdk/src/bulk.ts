// Bulk writes: any number of items in requests of at most 1,000, with one result an item in their order.
import { ApiError, CashwrapError } from './errors.ts'
import type { BulkError, BulkSummary } from './generated/types.ts'
import { type Core, newKey, type Operation, type WriteOptions } from './request.ts'

/** The most items of one request (decisions §5). */
const MOST_ITEMS = 1_000

type ItemResult = { readonly index: number; readonly status: 'success' | 'error' }
interface Answer {
  readonly summary: BulkSummary
  readonly results: readonly ItemResult[]
}

/** Sends a part once, in as many attempts as it takes. */
type Send = (items: readonly unknown[], key: string) => Promise<Answer>

/** Items that are sent together: their positions among all, and the key that each attempt has. */
interface Part {
  readonly at: readonly number[]
  readonly key: string
}

/** The results of a bulk write. */
export class BulkResult<Result extends ItemResult> {
  /** The counts of each request added up; `total`, `succeeded` and `failed` are of the items. */
  get summary(): BulkSummary & Readonly<Record<string, number>> {
    const { length: total } = this.#items
    const succeeded = this.results.filter(({ status }) => status === 'success').length
    return { ...this.#counts, total, succeeded, failed: total - succeeded }
  }

  /** One result for each item, in the order of the items. */
  get results(): Result[] {
    return this.#results.filter((result) => result !== undefined)
  }

  /** The items that were not carried out. `retryFailed()` sends them again. */
  get failed(): BulkError[] {
    return this.results.filter((result): result is Result & BulkError => result.status === 'error')
  }

  /** How many items have no result: they were not sent, or their answer was lost. */
  get unknown(): number {
    return this.#items.length - this.results.length
  }

  readonly #items: readonly unknown[]
  readonly #results: (Result | undefined)[]
  readonly #counts: Record<string, number> = {}
  readonly #send: Send
  /** Whether items with the same `group` must be in one request. */
  readonly #isGrouped: boolean
  /** Parts that have no answer. */
  #open: Part[]

  constructor(items: readonly unknown[], key: string, send: Send, isGrouped = false) {
    this.#items = [...items]
    this.#send = send
    this.#isGrouped = isGrouped
    if (isGrouped) requireTogether(items)
    this.#results = new Array(items.length).fill(undefined)
    this.#open = this.#parts([...items.keys()], key)
  }

  /**
   * Sends the items that failed once more, and those without a result under the keys that they had. Resolves to the
   * same object, with the new results in their places.
   */
  async retryFailed(): Promise<this> {
    // An item whose second attempt has no answer yet has its key already.
    const waiting = new Set(this.#open.flatMap(({ at }) => at))
    this.#open.push(...this.#parts(this.failed.map(({ index }) => index).filter((index) => !waiting.has(index))))
    for (let part = this.#open[0]; part !== undefined; part = this.#open[0]) {
      const { at, key } = part
      const sent = at.map((index) => this.#items[index])
      const answer = await this.#send(sent, key).catch((error) => {
        if (isTooLarge(error) && this.#cut(at, Math.ceil(at.length / 2)) < at.length) return undefined
        if (error instanceof CashwrapError) error.bulk = this
        throw error
      })
      if (answer === undefined) {
        this.#open.splice(0, 1, ...this.#halves(part))
        continue
      }
      const { summary, results } = answer
      for (const result of results) {
        const index = at[result.index] as number
        this.#results[index] = { ...result, index } as Result
      }
      for (const [name, count] of Object.entries(summary)) this.#counts[name] = (this.#counts[name] ?? 0) + count
      this.#open = this.#open.filter((other) => other !== part)
    }
    return this
  }

  /** Positions in parts of a request's size. The first has the key, each further one a key that follows from it. */
  #parts(at: readonly number[], key = newKey()): Part[] {
    const made: Part[] = []
    for (let rest = at; rest.length > 0; ) {
      const end = rest.length <= MOST_ITEMS ? rest.length : this.#cut(rest, MOST_ITEMS)
      made.push({ at: rest.slice(0, end), key: made.length === 0 ? key : `${key}-${made.length}` })
      rest = rest.slice(end)
    }
    return made
  }

  /** A part in two, with keys that follow from its own, so that a program that is run again sends the same. */
  #halves({ at, key }: Part): Part[] {
    const middle = this.#cut(at, Math.ceil(at.length / 2))
    return [
      { at: at.slice(0, middle), key: `${key}-a` },
      { at: at.slice(middle), key: `${key}-b` },
    ]
  }

  /** Where to cut: at `wanted`, or before the group that is there. A group that is longer than that is not cut. */
  #cut(at: readonly number[], wanted: number): number {
    const groupAt = (n: number) => groupOf(this.#items[at[n] as number])
    const isInside = (n: number) => this.#isGrouped && n < at.length && groupAt(n) && groupAt(n) === groupAt(n - 1)
    let end = wanted
    while (end > 0 && isInside(end)) end--
    if (end > 0) return end
    for (end = wanted; isInside(end); ) end++
    return end
  }
}

const groupOf = (item: unknown): unknown => (item as { readonly group?: unknown } | undefined)?.group

/** Throws TypeError if items of a group do not follow each other: the service would see only those that are in one request. */
function requireTogether(items: readonly unknown[]): void {
  const ended = new Set<unknown>()
  for (const [n, item] of items.entries()) {
    const group = groupOf(item)
    const before = groupOf(items[n - 1])
    if (group === before) continue
    ended.add(before)
    if (group && ended.has(group))
      throw new TypeError(`Item ${n} must directly follow the other items of its group, ${group}.`)
  }
}

/** Whether nothing was done since the items are too large together. */
const isTooLarge = (error: unknown): boolean => error instanceof ApiError && error.code === 'payload_too_large'

/** Starts a bulk write. `beside` names the options that are members of the body. */
export function bulk<Result extends ItemResult>(
  core: Core,
  operation: Operation,
  items: readonly unknown[],
  options: object = {},
  beside: readonly string[] = [],
): Promise<BulkResult<Result>> {
  const { idempotencyKey = newKey(), ...rest }: Record<string, unknown> & WriteOptions = { ...options }
  const body = Object.fromEntries(beside.map((name) => [name, rest[name]]))
  for (const name of beside) delete rest[name]
  const send = async (some: readonly unknown[], key: string) => {
    const keyed = { ...rest, idempotencyKey: key }
    const answer = await core.call<Answer>(operation, keyed, { items: some, ...body }).withResponse()
    if (operation.method !== 'DELETE' || !answer.mayBeRepeated) return answer.data
    return { ...answer.data, results: answer.data.results.map((result) => goneIsDeleted(result, some)) }
  }
  return new BulkResult<Result>(items, idempotencyKey, send, operation.isGrouped).retryFailed()
}

/** After an attempt whose answer was lost, records that are not found were deleted by it. */
function goneIsDeleted(result: ItemResult & { readonly error?: BulkError['error'] }, items: readonly unknown[]) {
  const { index, error } = result
  if (error?.code !== 'not_found') return result
  return { index, status: 'success' as const, id: (items[index] as { readonly id: string }).id }
}
