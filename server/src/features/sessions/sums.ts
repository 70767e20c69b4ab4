// Adds up the records of a session report or a closing, by a statement for each table.

import { inSlices } from '../../concurrency/time-slices.ts'
import type { Queryable } from '../../database/connect.ts'
import { withLineTaxes } from '../sales/order-readings.ts'
import type { Sale } from '../sales/sale.ts'
import type { Picked } from './records.ts'
import { GROUPS_LISTED, saleSql } from './sale-sql.ts'

/** Of a total: `summary.total`, discounts, taxes, tips, delivery and what cash was rounded by; of others the amount, and of a rate its net. */
type SumAmounts = readonly [string, string, string, string, string, string]

/** A sum of records of one currency: its kind, what it is grouped by, and amounts as exact texts. */
export interface Sum {
  readonly currency: string
  readonly late: boolean
  readonly kind: 'total' | 'employee' | 'tax' | 'category'
  /** Employee, rate or category; undefined for records that name none. */
  readonly key: string | undefined
  readonly name: string | undefined
  /** Records, or units. */
  readonly count: string
  readonly amounts: SumAmounts
}

/** Transactions or cash movements of one method or type. */
export interface MoneySum {
  readonly currency: string
  readonly late: boolean
  readonly method: string
  readonly sales: string
  readonly salesCount: number
  readonly refunds: string
  readonly refundsCount: number
  readonly voids: string
  readonly voidsCount: number
  /** What it changes in what is counted now. */
  readonly inDrawer: string
}

/** The sums of the orders or refunds that were picked. Orders whose lines do not say their taxes are read first, as their refunds read them. */
export async function saleSums(
  database: Queryable,
  picked: Picked,
  table: 'orders' | 'refunds',
  currency: string,
): Promise<Sum[]> {
  const expression = picked.of(table === 'orders' ? 'order' : 'refund')
  const values = [...picked.values, currency]
  const placeholder = `$${values.length}`
  const found = await database.query(saleSql(expression, table, placeholder), values)
  const open = found.flatMap(([, , kind, id]) => (kind === 'open' ? [id as string] : []))
  const rows =
    open.length === 0
      ? found
      : await database.query(saleSql(expression, table, placeholder, `$${values.length + 1}`), [
          ...values,
          await readOrders(database, String(values[0]), open, currency),
        ])
  return rows.map(([currency, late, kind, key, name, count, ...amounts]) => ({
    currency,
    late,
    kind,
    key: key ?? undefined,
    name: name ?? undefined,
    count,
    amounts: amounts as unknown as SumAmounts,
  }))
}

/** Some orders with the taxes of their lines, as JSON by their ids. */
async function readOrders(
  database: Queryable,
  companyId: string,
  ids: readonly string[],
  currency: string,
): Promise<string> {
  const stored = await database.query('select id, body from orders where company_id = $1 and id = any($2)', [
    companyId,
    ids,
  ])
  const read: string[] = []
  for (const [id, body] of stored) {
    const order = await inSlices(withLineTaxes<Sale>(JSON.parse(body), currency), companyId)
    const { lineItems, customSales, cartFees, cartDiscount, summary } = order
    read.push(`${JSON.stringify(id)}:${JSON.stringify({ lineItems, customSales, cartFees, cartDiscount, summary })}`)
  }
  return `{${read.join(',')}}`
}

// The types of transactions, as reports distinguish them.
const isSale = `type in ('', 'sale')`
const isRefund = `type = 'refund'`
const isVoid = `type = 'void'`

/** The sums of the transactions that were picked, by payment method. */
export const paymentSums = (database: Queryable, picked: Picked, currency: string): Promise<MoneySum[]> =>
  moneySums(
    database,
    picked.values,
    currency,
    (placeholder) => `
    with ${picked.of('transaction')}, grouped as (
    select coalesce(nullif(stored.currency, ''), ${placeholder}) as currency, is_late, payment_method as method,
      coalesce(sum(amount) filter (where ${isSale}), 0) as sales, count(*) filter (where ${isSale}) as sales_count,
      coalesce(sum(abs(amount)) filter (where ${isRefund}), 0) as refunds, count(*) filter (where ${isRefund}) as refunds_count,
      coalesce(sum(abs(amount)) filter (where ${isVoid}), 0) as voids, count(*) filter (where ${isVoid}) as voids_count,
      coalesce(sum(case when ${isSale} then amount when ${isRefund} then -abs(amount) end) filter (where is_in_drawer), 0) as in_drawer
    from picked join transactions as stored on stored.company_id = $1 and stored.id = picked.id
    group by 1, 2, 3
    )
    select currency, is_late, case when nth <= ${GROUPS_LISTED} then method else 'other' end as method, sum(sales), sum(sales_count)::bigint,
      sum(refunds), sum(refunds_count)::bigint, sum(voids), sum(voids_count)::bigint, sum(in_drawer)
    from (select *, row_number() over (partition by currency, is_late order by method <> 'cash', sales desc, method) as nth from grouped) as numbered
    group by 1, 2, 3`,
  )

/** The sums of the cash movements that were picked, by type: `sales` holds the amount. */
export const movementSums = (database: Queryable, picked: Picked, currency: string): Promise<MoneySum[]> =>
  moneySums(
    database,
    picked.values,
    currency,
    (placeholder) => `
    with ${picked.of('cash-movement')}
    select coalesce(nullif(stored.currency, ''), ${placeholder}), is_late, type, sum(amount), count(*), 0, 0, 0, 0,
      coalesce(sum(case when type in ('pay-in', 'float') then amount else -amount end) filter (where is_in_drawer), 0)
    from picked join cash_movements as stored on stored.company_id = $1 and stored.id = picked.id
    cross join lateral (select (stored.body ->> 'amount')::numeric as amount offset 0) as of
    group by 1, 2, 3`,
  )

async function moneySums(
  database: Queryable,
  values: readonly unknown[],
  currency: string,
  sql: (placeholder: string) => string,
): Promise<MoneySum[]> {
  const rows = await database.query(sql(`$${values.length + 1}`), [...values, currency])
  return rows.map(
    ([currency, late, method, sales, salesCount, refunds, refundsCount, voids, voidsCount, inDrawer]): MoneySum => ({
      currency,
      late,
      method,
      sales,
      salesCount,
      refunds,
      refundsCount,
      voids,
      voidsCount,
      inDrawer,
    }),
  )
}
