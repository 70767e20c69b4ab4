// Reads the payments or the refunds of an order, unless they would fill the memory: callers can store any number of them, with data of any kind.

import { Problem } from '../../core/problem.ts'
import type { Queryable, Row, Statement } from '../../database/connect.ts'
import { unseenCompany } from '../../database/statement.ts'
import type { JsonObject, Key } from '../../engine/record.ts'
import type { PaidPayment } from './amounts/sale.ts'

/** Characters of the payments, or of the refunds, of one order: enough for thousands, each with the data of a card terminal. */
const ORDER_CHARACTERS = 16 * 1024 * 1024

/** SQL: the rows of the order $2 of the company $1. An order has few. */
export const isOfOrder = `company_id = ${unseenCompany} and order_id = $2`

/** The rows of a statement whose last column is the body of a record. Throws 409 if they are too long in total. */
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
    `The ${what}s of the order have more than ${ORDER_CHARACTERS} characters in total. Shorten them with PATCH /v1/${what}/{id}.`,
  )
}

/** The transactions of an order that move money in its currency, the earliest first. */
export async function earlierPayments(
  transaction: Queryable,
  { scope, id }: Key,
  currency: string,
  ownCurrency: string,
): Promise<(PaidPayment & JsonObject)[]> {
  const rows = await recordsOfOrder(
    transaction,
    'transaction',
    {
      name: 'sales_earlier_payments',
      text: `
      select body from transactions where ${isOfOrder} and type in ('', 'sale', 'refund')
        and coalesce(nullif(currency, ''), $3) = $4
      order by created_at, id`,
    },
    [scope.companyId, id, ownCurrency, currency],
  )
  return rows.map(([body]) => JSON.parse(body))
}
