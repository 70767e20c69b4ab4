// What reports are summed from: the records of two tables, and what each of three reports takes of them.

import { sizeOf } from '../events/pages.ts'
import { REPORT_LINES } from './limits.ts'

/** The reports that are kept as sums. */
export type ReportName = 'sales' | 'orders' | 'products'

/** Columns of `report_sums` with an array of sums, by the columns of an entry. */
export const sumColumns = {
  amount: 'amounts',
  count: 'counts',
  refund: 'refunds',
  refund_count: 'refund_counts',
} as const

/** A source, in fragments of SQL. */
export interface Source {
  readonly report: ReportName
  readonly resource: 'transaction' | 'order'
  readonly table: 'transactions' | 'orders'
  /** Members that its sums depend on: changes of others are skipped. */
  readonly members: readonly string[]
  /** Columns that are read, and the length of those that may be long. */
  readonly columns: string
  readonly size: string
  /** Records of a chunk: those that are summed in some 10 ms. */
  readonly chunk: number
  /** What it sums, and common table expressions that make `entry` from `record`: sums per chunk, currency and item. */
  readonly sums: readonly (keyof typeof sumColumns)[]
  readonly entries: string
}

const sales: Source = {
  report: 'sales',
  resource: 'transaction',
  table: 'transactions',
  members: ['amount', 'currency', 'paymentMethod', 'type'],
  columns: 'currency, payment_method, type, amount',
  size: '0',
  chunk: 2_000,
  sums: ['amount', 'count', 'refund', 'refund_count'],
  entries: `
    entry as (
      select number, chunk, currency, payment_method as item,
        coalesce(sum(amount) filter (where type <> 'refund'), 0) as amount,
        count(*) filter (where type <> 'refund')::numeric as count,
        coalesce(sum(abs(amount)) filter (where type = 'refund'), 0) as refund,
        count(*) filter (where type = 'refund')::numeric as refund_count
      from record where type in ('', 'sale', 'refund') group by 1, 2, 3, 4
    )`,
}

/** Orders that count: those that are neither pending, parked nor cancelled. */
const counts = `status not in ('pending', 'parked', 'cancelled')`

const orders: Source = {
  report: 'orders',
  resource: 'order',
  table: 'orders',
  members: ['status'],
  columns: 'status',
  size: '0',
  chunk: 2_000,
  sums: ['count'],
  entries: `
    entry as (
      select number, chunk, '' as currency, '' as item, count(*)::numeric as count
      from record where ${counts} group by 1, 2
    )`,
}

const products: Source = {
  report: 'products',
  resource: 'order',
  table: 'orders',
  members: ['status', 'currency', 'lineItems'],
  columns: 'status, currency, body',
  size: sizeOf('body'),
  chunk: 500,
  sums: ['amount', 'count'],
  entries: `
    line as materialized (
      select record.number, chunk, moment, currency, item."productId" as item, name,
        coalesce(quantity, 1) as quantity, coalesce(total, price * coalesce(quantity, 1), 0) as total
      from record cross join lateral (select body -> 'lineItems' as lines offset 0) as of
      cross join lateral rows from (
        json_to_recordset(case json_typeof(lines) when 'array' then lines else '[]' end)
          as ("productId" text, name text, quantity numeric, total numeric, price numeric)
      ) with ordinality as item("productId", name, quantity, total, price, nth_line)
      where ${counts} and "productId" is not null and nth_line <= ${REPORT_LINES}
    ), entry as (
      select number, chunk, currency, item, sum(total) as amount, sum(quantity) as count from line group by 1, 2, 3, 4
    ), called as (
      select distinct on (item) item, name, moment from line where name <> '' order by item, moment desc
    )`,
}

export const sources: readonly Source[] = [sales, orders, products]
export const sourceOf = (report: ReportName): Source => ({ sales, orders, products })[report]
