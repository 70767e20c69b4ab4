// Conditions in SQL on what an import wrote: what its undo deletes first, and which orders stay with all that belongs to them.

import type { Queryable } from '../../database/connect.ts'
import type { ImportKey } from './import.ts'

/**
 * Records that the import ($1, $2) created and no write has touched: they are deleted, unless something that stays
 * refers to them.
 */
export const goes = (kind: string, id: string, version: string) => `exists (select from import_changes as other
  where other.company_id = $1 and other.import_id = $2 and other.kind = '${kind}' and other.record_id = ${id}
    and other.was_created and other.version = ${version})`

/** Records that refer to one of these, and are not deleted before it. */
export const remains = (table: string, column: string, id: string) =>
  `exists (select from ${table} as own where own.company_id = $1 and own.${column} = ${id} and not ${goes(table, 'own.id', 'own.version')})`

/**
 * An order of the import that stays: it was touched, or the import created it and something that belongs to it stays.
 */
export const orderStays = (id: string) => `exists (
  select from import_changes as sale join orders as sold on sold.company_id = sale.company_id and sold.id = sale.record_id
  where sale.company_id = $1 and sale.import_id = $2 and sale.kind = 'orders' and sale.record_id = ${id}
    and (sold.version <> sale.version or sale.was_created
      and (${remains('transactions', 'order_id', id)} or ${remains('refunds', 'order_id', id)}
        or exists (select from refunds as refund where refund.company_id = $1 and refund.order_id = ${id}
          and ${remains('transactions', 'refund_id', 'refund.id')}))))`

/** The payments or refunds, among `ids`, whose order stays: without them it would look as if it was not paid. */
export async function ofOrdersThatStay(
  transaction: Queryable,
  { companyId, id }: ImportKey,
  kind: 'transactions' | 'refunds',
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await transaction.query(
    `select part.id from ${kind} as part where part.company_id = $1 and part.id = any ($3) and ${orderStays('part.order_id')}`,
    [companyId, id, ids],
  )
  return new Set(rows.map(([part]) => part))
}
