// A list: a loop over all of its records, page after page, or one page alone; by a cursor, or by the number of records to skip.
import type { AnyOptions, Core, Operation } from './request.ts'

/** The records on a page of a bare array where the request does not say. */
const PAGE = 100

/** A page of a list. */
export interface Page<T> {
  readonly data: T[]
  /** Where the next page begins; undefined on the last. */
  readonly nextCursor: string | undefined
  /** How many records match, where the service counted them. */
  readonly count: number | undefined
}

/** A page as it was read. Some lists go on later: their last page has a cursor too. */
type ReadPage<T> = (cursor: string | undefined) => Promise<Page<T> & { readonly resumeAt?: string | undefined }>

/** The records of a list. `for await` reads page after page. */
export class List<T> implements AsyncIterable<T> {
  /**
   * Where the page begins that is being read; undefined at the beginning. After an error, a list with this `cursor` goes on
   * there, with records of that page again.
   */
  cursor: string | undefined
  readonly #start: string | undefined
  readonly #read: ReadPage<T>

  constructor(read: ReadPage<T>, start: string | undefined) {
    this.#read = read
    this.#start = start
    this.cursor = start
  }

  /** The first page, as the options say. */
  page(): Promise<Page<T>> {
    return this.#read(this.#start)
  }

  /** All pages, one after another. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    for (let next: string | undefined = this.#start; ; ) {
      this.cursor = next
      const page = await this.#read(next)
      yield page
      if (page.resumeAt !== undefined) this.cursor = page.resumeAt
      if (page.nextCursor === undefined) return
      next = page.nextCursor
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }

  /** The records, at most `most` of them. */
  async toArray(most: number = Number.POSITIVE_INFINITY): Promise<T[]> {
    const all: T[] = []
    for await (const record of this) if (all.push(record) >= most) break
    return all
  }
}

/** A page as the API returns it. */
interface Wire<T> {
  readonly data: T[]
  readonly meta: { readonly nextCursor?: string; readonly count?: number; readonly hasMore?: boolean }
}

/** The list of an operation: by `cursor`, by `after` (the event feed), or by `skip` (bare arrays). */
export function listOf<T>(
  core: Core,
  operation: Operation,
  paging: 'cursor' | 'after' | 'skip',
  options: object = {},
): List<T> {
  const { [paging]: place, ...others } = options as AnyOptions
  const start = place === undefined || place === null ? undefined : String(place)
  if (paging !== 'skip') {
    const read: ReadPage<T> = async (cursor) => {
      const { skip, ...rest } = others
      const own = cursor === start ? others : rest
      const { data, meta } = await core.call<Wire<T>>(operation, { ...own, [paging]: cursor })
      const nextCursor = meta.hasMore === false ? undefined : meta.nextCursor
      return { data, nextCursor, count: meta.count, resumeAt: meta.nextCursor }
    }
    return new List(read, start)
  }
  const limit = Number(others.limit) || PAGE
  const read: ReadPage<T> = async (cursor) => {
    const { data, headers } = await core.call<T[]>(operation, { ...others, limit, skip: cursor }).withResponse()
    const nextCursor = data.length < limit ? undefined : String(Number(cursor ?? 0) + limit)
    const total = headers.get('x-total-count')
    return { data, nextCursor, count: total === null ? undefined : Number(total) }
  }
  return new List(read, start)
}
