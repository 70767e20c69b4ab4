// Adds up the transactions and cash movements of a session report or a closing, by a statement for each.

import { namedValues, type Queryable } from '../../database/connect.ts'
import { typesIn } from '../../resources/cash-movement.ts'
import { type Picked, pickedRecords } from './records.ts'
import { GROUPS_LISTED } from './sale-sums.ts'

/** Transactions of one payment method. */
export interface PaymentSum {
  readonly currency: string
  readonly late: boolean
  readonly method: string
  readonly sales: string
  readonly salesCount: number
  readonly refunds: string
  readonly refundsCount: number
  readonly voids: string
  readonly voidsCount: number
  /** What they change in what is counted now. */
  readonly inDrawer: string
}

/** Cash movements of one type. */
export interface MovementSum extends Pick<PaymentSum, 'currency' | 'late' | 'inDrawer'> {
  readonly type: string
  readonly amount: string
  readonly count: number
}

// The types of transactions, as reports distinguish them.
const isSale = `type in ('', 'sale')`
const isRefund = `type = 'refund'`
const isVoid = `type = 'void'`

/** The sums of the transactions that were picked, by payment method. */
export const paymentSums = (database: Queryable, picked: Picked, currency: string): Promise<PaymentSum[]> =>
  moneySums(
    database,
    picked.values,
    currency,
    ['currency', 'late', 'method', 'sales', 'salesCount', 'refunds', 'refundsCount', 'voids', 'voidsCount', 'inDrawer'], // biome-ignore format: one thought
    (placeholder) => `
    with ${picked.of('transaction')}, grouped as (
    select coalesce(nullif(stored.currency, ''), ${placeholder}) as currency, is_late, payment_method as method,
      coalesce(sum(amount) filter (where ${isSale}), 0) as sales, count(*) filter (where ${isSale}) as sales_count,
      coalesce(sum(abs(amount)) filter (where ${isRefund}), 0) as refunds, count(*) filter (where ${isRefund}) as refunds_count,
      coalesce(sum(abs(amount)) filter (where ${isVoid}), 0) as voids, count(*) filter (where ${isVoid}) as voids_count,
      coalesce(sum(case when ${isSale} then amount when ${isRefund} then -abs(amount) end) filter (where is_in_drawer), 0) as in_drawer
    from ${pickedRecords('transactions')}
    group by 1, 2, 3
    )
    select currency, is_late, case when nth <= ${GROUPS_LISTED} then method else 'other' end as method, sum(sales), sum(sales_count)::bigint,
      sum(refunds), sum(refunds_count)::bigint, sum(voids), sum(voids_count)::bigint, sum(in_drawer)
    from (select *, row_number() over (partition by currency, is_late order by method <> 'cash', sales desc, method) as nth from grouped) as numbered
    group by 1, 2, 3`,
  )

/** The sums of the cash movements that were picked, by type. */
export const movementSums = (database: Queryable, picked: Picked, currency: string): Promise<MovementSum[]> =>
  moneySums(
    database,
    picked.values,
    currency,
    ['currency', 'late', 'type', 'amount', 'count', 'inDrawer'],
    (placeholder) => `
    with ${picked.of('cash-movement')}
    select coalesce(nullif(stored.currency, ''), ${placeholder}), is_late, type, sum(amount), count(*),
      coalesce(sum(case when type in ${typesIn} then amount else -amount end) filter (where is_in_drawer), 0)
    from ${pickedRecords('cash_movements')}
    cross join lateral (select (stored.body ->> 'amount')::numeric as amount offset 0) as of
    group by 1, 2, 3`,
  )

/** Sums by the statement, with its columns as these members. */
async function moneySums<T extends PaymentSum | MovementSum>(
  database: Queryable,
  values: readonly unknown[],
  currency: string,
  members: readonly (keyof T & string)[],
  sql: (placeholder: string) => string,
): Promise<T[]> {
  const rows = await database.query(sql(`$${values.length + 1}`), [...values, currency])
  return rows.map((row) => namedValues<T>(row, members))
}
