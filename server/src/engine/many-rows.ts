// Inserts of many rows whose company is a parameter, as `values (…), (…)`: Citus sends such a statement to the node of the company, and reports a refused row as PostgreSQL does.

import type { Database, Queryable, Row } from '../database/connect.ts'

/** Does the work in the transaction in progress, or in a new one, since it is several statements. */
export const inOne = <T>(database: Queryable, work: (transaction: Queryable) => Promise<T>): Promise<T> =>
  database.inTransaction ? work(database) : (database as Database).transaction(work)

/** Rows of one statement, at most: each has its own parameters and expressions in the text. */
const ROWS_AT_ONCE = 100
/** Rows up to which a statement is prepared, once for each number of rows. */
const ROWS_PREPARED = 4

/** An insert whose first parameters are those of all rows; the parameters of each row follow. */
export interface ManyRows {
  readonly name: string
  /** `insert into table (columns)`. */
  readonly into: string
  /** SQL of a row: `parameter(0)` is the first parameter of its own. */
  readonly row: (parameter: (n: number) => string) => string
  /** What follows the rows. */
  readonly rest?: string
}

/** Inserts rows in their order, each with its own parameters after the `common` ones; returns what the statement returns. */
export async function insertMany(
  transaction: Queryable,
  { name, into, row, rest = '' }: ManyRows,
  common: readonly unknown[],
  rows: readonly (readonly unknown[])[],
): Promise<Row[]> {
  const returned: Row[] = []
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    let first = common.length + 1
    const texts = some.map((own) => {
      const start = first
      first += own.length
      return `(${row((n) => `$${start + n}`)})`
    })
    const statement = {
      ...(some.length <= ROWS_PREPARED && { name: `${name}_${some.length}` }),
      text: `${into} values ${texts.join(', ')} ${rest}`,
    }
    returned.push(...(await transaction.query(statement, [...common, ...some.flat()])))
  }
  return returned
}
