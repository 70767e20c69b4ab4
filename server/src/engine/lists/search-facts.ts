// Statistics of a table that decide how a search is best answered. They are read from time to time, and remembered.

import type { Queryable } from '../../database/connect.ts'

/** Milliseconds for which an answer is used. */
const KEPT_MS = 10 * 60_000
/** Rows from which a table is large, and it matters that one company has most of them. */
export const MANY_ROWS = 50_000

/**
 * The part of a table's rows from which the table counts as one company's, and below which it no longer does. With the
 * first, its searches read one row of another company for nine of their own.
 */
const MOST = 0.9
const NO_LONGER_MOST = 0.8

/** How the search index answers a company's searches best. */
export interface SearchFacts {
  /**
   * Whether the database's locale lowers ASCII letters as C does. Turkish does not, and regular expressions then miss
   * trigrams with I.
   */
  readonly lowersPlainly: boolean
  /** Whether the table is large, and nine tenths of its rows are the company's. */
  readonly holdsMost: boolean
  /** Rows of the table, as last estimated. */
  readonly rows: number
}

/** The facts of one table. */
export class TableSearchFacts {
  readonly #table: string
  #askedAt = Number.NEGATIVE_INFINITY
  #lowersPlainly = false
  #rows = 0
  /** The company that has most rows of a large table. */
  #company: string | undefined

  constructor(table: string) {
    this.#table = table
  }

  /** What is known for a company. */
  async of(database: Queryable, companyId: string): Promise<SearchFacts> {
    if (performance.now() - this.#askedAt > KEPT_MS) await this.#ask(database)
    return { lowersPlainly: this.#lowersPlainly, holdsMost: this.#company === companyId, rows: this.#rows }
  }

  /** Reads the statistics of the last ANALYZE. */
  async #ask(database: Queryable): Promise<void> {
    const [row] = await database.query(
      `select lower('I') = 'i', (select reltuples::int from pg_class where oid = $1::text::regclass), (
         select (most_common_vals::text::text[])[1] from pg_stats
         where schemaname = current_schema() and tablename = $1 and attname = 'company_id'
           and most_common_freqs[1] > case when (most_common_vals::text::text[])[1] = $2 then ${NO_LONGER_MOST} else ${MOST} end
           and (select reltuples from pg_class where oid = $1::text::regclass) > ${MANY_ROWS}
       )`,
      [this.#table, this.#company ?? null],
    )
    this.#lowersPlainly = row?.[0] === true
    this.#rows = row?.[1] ?? 0
    this.#company = row?.[2] ?? undefined
    this.#askedAt = performance.now()
  }
}
