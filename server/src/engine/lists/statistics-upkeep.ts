// Renews PostgreSQL's statistics of a table if they lack a company that lists many records: otherwise each list reads all of its records.

import { withConnection } from '../../database/alone.ts'
import { type Database, hasRow } from '../../database/connect.ts'

/** From this number on, records of a company are many: a list that reads all of them takes some 10 ms. */
const MANY_RECORDS = 5_000
/** Milliseconds for which the companies in the statistics are remembered. */
const KEPT_MS = 60_000

/**
 * SQL: the companies in the statistics of the table $1. Returns no row if few records have changed since the statistics were made, or if they
 * suggest that each other company has at least a tenth of `MANY_RECORDS`.
 */
const companiesOfStatistics = {
  name: 'companies_of_statistics',
  text: `
    select most_common_vals::text::text[] from pg_stats join pg_class as counted on counted.oid = $1::text::regclass
    where schemaname = current_schema() and tablename = $1 and attname = 'company_id'
      and pg_stat_get_mod_since_analyze(counted.oid) >= ${MANY_RECORDS}
      and reltuples * (1 - (select sum(part) from unnest(most_common_freqs) as part)) < ${MANY_RECORDS / 10}
        * greatest(1, case when n_distinct < 0 then -n_distinct * reltuples else n_distinct end - cardinality(most_common_freqs))`,
}

/** The statistics of one table. PostgreSQL itself renews them only after a fiftieth of the table has changed, which may take days. */
export class StatisticsUpkeep {
  readonly #table: string
  #askedAt = Number.NEGATIVE_INFINITY
  /** Companies that are in the statistics or have few records; undefined if no company has to be checked. */
  #known: Set<string> | undefined

  constructor(table: string) {
    this.#table = table
  }

  /** Renews the statistics if they lack a company that has many records. Does not wait for other servers that do so at the same time. */
  async look(database: Database, companyId: string): Promise<void> {
    if (performance.now() - this.#askedAt > KEPT_MS) {
      this.#askedAt = performance.now()
      const [row] = await database.query(companiesOfStatistics, [this.#table])
      this.#known = row && new Set(row[0])
    }
    if (this.#known === undefined || this.#known.has(companyId)) return
    this.#known.add(companyId)
    const many = `select from ${this.#table} where company_id = $1 limit 1 offset ${MANY_RECORDS - 1}`
    if (!(await hasRow(database, many, [companyId]))) return
    this.#known = undefined
    await withConnection(database, (client) => client.query(`analyze (skip_locked) ${this.#table}`))
  }
}
