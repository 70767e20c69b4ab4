// Reads the payments or refunds of an order whole, but only as many as fit into memory: a caller can store any number, each with data of any kind.

import { Problem } from '../../core/problem.ts'
import type { Queryable, Row, Statement } from '../../database/connect.ts'

/** Characters of the payments, or of the refunds, of one order: thousands of them, also with what a terminal says of each. */
const ORDER_CHARACTERS = 16 * 1024 * 1024

/** The rows of a statement whose last column is the body of a record. Throws 409 if they are too long together. */
export async function recordsOfOrder(
  transaction: Queryable,
  what: 'transaction' | 'refund',
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const rows = await transaction.query({ ...statement, most: ORDER_CHARACTERS }, values)
  if (rows.at(-1)?.at(-1) !== null) return rows
  throw new Problem(
    'conflict',
    `The ${what}s of the order are longer than ${ORDER_CHARACTERS} characters together. Shorten them with PATCH /v1/${what}/{id}.`,
  )
}
