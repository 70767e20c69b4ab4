// Bulk writes: any number of items in requests of at most 1,000, with one result an item in their order.
import { CashwrapError } from './errors.ts'
import type { BulkError, BulkSummary } from './generated/types.ts'
import { type AnyOptions, type Core, newKey, type Operation } from './request.ts'

/** The most items of one request (decisions §5). */
const MOST_ITEMS = 1_000

type ItemResult = { readonly index: number; readonly status: 'success' | 'error' }
interface Answer {
  readonly summary: BulkSummary
  readonly results: readonly ItemResult[]
}

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
  readonly #send: (items: readonly unknown[], key: string) => Promise<Answer>
  /** Parts that have no answer. */
  #open: Part[]

  constructor(
    items: readonly unknown[],
    key: string,
    send: (items: readonly unknown[], key: string) => Promise<Answer>,
  ) {
    this.#items = items
    this.#send = send
    this.#results = new Array(items.length).fill(undefined)
    this.#open = parts([...items.keys()], key)
  }

  /** Sends what has no answer, in order. */
  async run(): Promise<this> {
    for (let part = this.#open[0]; part !== undefined; part = this.#open[0]) {
      const { at, key } = part
      const { summary, results } = await this.#send(
        at.map((index) => this.#items[index]),
        key,
      ).catch((error) => {
        if (error instanceof CashwrapError) error.bulk = this
        throw error
      })
      for (const result of results) {
        const index = at[result.index] as number
        this.#results[index] = { ...result, index } as Result
      }
      for (const [name, count] of Object.entries(summary)) this.#counts[name] = (this.#counts[name] ?? 0) + count
      this.#open.shift()
    }
    return this
  }

  /**
   * Sends the items that failed once more, and those without a result under the keys that they had. Resolves to the
   * same object with the new results in their places.
   */
  retryFailed(): Promise<this> {
    this.#open.push(...parts(this.failed.map(({ index }) => index)))
    return this.run()
  }
}

/** Positions in parts of a request's size. The first has the key, each further one a key that follows from it. */
function parts(at: readonly number[], key = newKey()): Part[] {
  return Array.from({ length: Math.ceil(at.length / MOST_ITEMS) }, (_, n) => ({
    at: at.slice(n * MOST_ITEMS, (n + 1) * MOST_ITEMS),
    key: n === 0 ? key : `${key}-${n}`,
  }))
}

/** Starts a bulk write. `beside` names the options that are members of the body. */
export function bulk<Result extends ItemResult>(
  core: Core,
  operation: Operation,
  items: readonly unknown[],
  options: object = {},
  beside: readonly string[] = [],
): Promise<BulkResult<Result>> {
  const { idempotencyKey = newKey(), ...others } = options as AnyOptions
  const isOfBody = ([name]: [string, unknown]) => beside.includes(name)
  const body = Object.fromEntries(Object.entries(others).filter(isOfBody))
  const rest = Object.fromEntries(Object.entries(others).filter((option) => !isOfBody(option)))
  const send = async (some: readonly unknown[], key: string) => {
    const keyed = { ...rest, idempotencyKey: key }
    const { data, attempts } = await core.call<Answer>(operation, keyed, { items: some, ...body }).withResponse()
    return attempts > 1 && operation.method === 'DELETE' ? goneIsDeleted(data, some) : data
  }
  return new BulkResult<Result>(items, idempotencyKey, send).run()
}

/** After an attempt whose answer was lost, records that are not found were deleted by it. */
function goneIsDeleted({ results }: Answer, items: readonly unknown[]): Answer {
  const known = results.map((result) => {
    const { error } = result as Partial<BulkError>
    const { index } = result
    if (error?.code !== 'not_found') return result
    return { index, status: 'success' as const, id: (items[index] as { readonly id: string }).id }
  })
  const succeeded = known.filter(({ status }) => status === 'success').length
  return { summary: { total: known.length, succeeded, failed: known.length - succeeded }, results: known }
}
