// A list: a loop over all of its records, page after page, or one page alone.

/** A page of a list. */
export interface Page<T> {
  readonly data: T[]
  /** Where the next page begins; undefined on the last. */
  readonly nextCursor: string | undefined
  /** How many records match, where the service counted them. */
  readonly count: number | undefined
}

/** A page as it was read. Some lists go on later: their last page has a cursor too. */
export type ReadPage<T> = (cursor: string | undefined) => Promise<Page<T> & { readonly resumeAt?: string | undefined }>

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

  /** The records, at most so many. */
  async toArray(most: number = Number.POSITIVE_INFINITY): Promise<T[]> {
    const all: T[] = []
    for await (const page of this.pages()) {
      all.push(...page.data.slice(0, most - all.length))
      if (all.length >= most) break
    }
    return all
  }
}
