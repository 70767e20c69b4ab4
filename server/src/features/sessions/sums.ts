// Adds up the records of a session report or a closing, by a statement for each table.

import { inSlices } from '../../concurrency/time-slices.ts'
import type { Queryable } from '../../database/connect.ts'
import { leavesTaxesOpen, withLineTaxes } from '../sales/order-readings.ts'
import type { Sale } from '../sales/sale.ts'
import { type Picked, recordsOf } from './records.ts'
import { GROUPS_LISTED, saleSql } from './sale-sql.ts'

/** Orders that are read at a time. */
const ORDERS_READ = 500

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

/** The sums of the orders or refunds that were picked. Orders whose lines do not say their taxes are read as their refunds read them. */
export async function saleSums(
  database: Queryable,
  picked: Picked,
  table: 'orders' | 'refunds',
  currency: string,
): Promise<Sum[]> {
  const read = table === 'orders' ? [await readOrders(database, picked, currency)] : []
  const expression = picked.of(table === 'orders' ? 'order' : 'refund')
  const values = [...picked.values, currency, ...read]
  const first = picked.values.length + 1
  const rows = await database.query(saleSql(expression, table, `$${first}`, `$${first + 1}`), values)
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

/** Of the orders that were picked, those whose lines do not say their taxes, as they are read: JSON by their ids. */
async function readOrders(database: Queryable, picked: Picked, currency: string): Promise<string> {
  const companyId = String(picked.values[0])
  const ids = await database.query(`with ${picked.of('order')} select id from picked`, picked.values)
  const read: string[] = []
  for (let first = 0; first < ids.length; first += ORDERS_READ) {
    const some = ids.slice(first, first + ORDERS_READ).map(([id]) => id)
    const stored = await database.query('select id, body from orders where company_id = $1 and id = any($2)', [companyId, some]) // biome-ignore format: one thought
    read.push(...(await inSlices(openOrders(stored, currency), companyId)))
  }
  return `{${read.join(',')}}`
}

/** Members of JSON for orders whose lines do not say their taxes, with what is summed. */
function* openOrders(rows: readonly (readonly string[])[], currency: string): Generator<undefined, string[]> {
  const read: string[] = []
  for (const [id, body] of rows) {
    const order: Sale = JSON.parse(body as string)
    if (leavesTaxesOpen(order)) {
      const { lineItems, customSales, cartFees, cartDiscount, summary } = yield* withLineTaxes(order, currency)
      const members = JSON.stringify({ lineItems, customSales, cartFees, cartDiscount, summary })
      // As a text, so that PostgreSQL parses it only once.
      read.push(`${JSON.stringify(id)}:${JSON.stringify(members)}`)
    }
    yield
  }
  return read
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
    from ${recordsOf('transactions')}
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
    from ${recordsOf('cash_movements')}
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
