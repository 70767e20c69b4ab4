// The three aggregators of a company's feed: what each takes of an event and of a record, and how it adds that up.
import { REPORT_LINES } from '../../core/limits.ts'
import { BLOCKS, DAY_QUARTERS } from './local-days.ts'

/** The reports that are kept as sums. */
export type ReportName = 'sales' | 'orders' | 'products'

/** An aggregator, in fragments of SQL. What it takes of a record is a *fact*: a row with a sign, 1 or -1. */
export interface Aggregator {
  readonly report: ReportName
  /** The resource that it aggregates, and its table. */
  readonly resource: 'transaction' | 'order'
  readonly table: 'transactions' | 'orders'
  /** Members that its sums depend on: changes of others are skipped. */
  readonly members: readonly string[]
  /** Columns of a fact besides sign, created_at and record_id. */
  readonly columns: readonly string[]
  /** Their values in a record of an event. */
  readonly ofEvent: (member: (name: string) => Member) => readonly string[]
  /** Columns of the table that are read, and the values made of them. The column `body` may be long. */
  readonly reads: readonly string[]
  readonly ofRow: readonly string[]
  /** Whether the sums are by the days of a time zone. */
  readonly isByDay: boolean
  /** Common table expressions that make `summed` from the rows of `fact`: what is to be added to the sums. */
  readonly summing: (zone: ZoneParameters) => string
  /** Further ones that add it; company $1. `isNewer`: the facts are newer than those added before. */
  readonly adding: (isNewer: boolean) => string
  /** The tables of its sums. */
  readonly sums: readonly string[]
}

/** A member of a record, in SQL. */
export interface Member {
  readonly text: string
  readonly json: string
}

/** The parameters with the arrays of a time zone. */
export interface ZoneParameters {
  readonly from: string
  readonly ahead: string
}

/** Unset values, as the tables store them. */
const orEmpty = ({ text }: Member) => `coalesce(${text}, '')`
const quarter = (createdAt: string) => `floor(date_part('epoch', ${createdAt}::timestamptz) / 900)::int`
/** The day of a quarter-hour in a time zone. */
export const dayOfQuarter = (column: string, { from, ahead }: ZoneParameters) =>
  `(${column} + (${ahead}::int[])[width_bucket(${column}, ${from}::int[])]) / ${DAY_QUARTERS}`

const kinds = { sale: `type in ('', 'sale')`, refund: `type = 'refund'` }
const sum = (value: string, kind: string) => `coalesce(sum(sign * ${value}) filter (where ${kind}), 0)`
/** Adds to an existing row. */
const more = (...columns: string[]) =>
  `do update set ${columns.map((column) => `${column} = stored.${column} + excluded.${column}`).join(', ')}`

const sales: Aggregator = {
  report: 'sales',
  resource: 'transaction',
  table: 'transactions',
  members: ['amount', 'currency', 'paymentMethod', 'type'],
  columns: ['currency', 'payment_method', 'type', 'amount'],
  ofEvent: (member) => [
    orEmpty(member('currency')),
    orEmpty(member('paymentMethod')),
    orEmpty(member('type')),
    `(${member('amount').text})::numeric`,
  ],
  reads: ['currency', 'payment_method', 'type', 'amount'],
  ofRow: ['currency', 'payment_method', 'type', 'amount'],
  isByDay: false,
  summing: () => `
    summed as (
      select ${quarter('created_at')} as quarter, currency, payment_method,
        ${sum('amount', kinds.sale)} as sales, ${sum('1', kinds.sale)} as sales_count,
        ${sum('abs(amount)', kinds.refund)} as refunds, ${sum('1', kinds.refund)} as refunds_count
      from fact where ${kinds.sale} or ${kinds.refund} group by 1, 2, 3
    )`,
  adding: () => `
    added as (
      insert into report_sales as stored
        (company_id, quarter, currency, payment_method, sales, sales_count, refunds, refunds_count)
      select $1, summed.* from summed where (sales, sales_count, refunds, refunds_count) <> (0, 0, 0, 0)
      on conflict (company_id, quarter, currency, payment_method)
        ${more('sales', 'sales_count', 'refunds', 'refunds_count')}
    )`,
  sums: ['report_sales'],
}

/** Orders that count: those that are neither pending, parked nor cancelled. */
const counts = (status: string) => `${status} not in ('pending', 'parked', 'cancelled')`

const orders: Aggregator = {
  report: 'orders',
  resource: 'order',
  table: 'orders',
  members: ['status'],
  columns: ['status'],
  ofEvent: (member) => [orEmpty(member('status'))],
  reads: ['status'],
  ofRow: ['status'],
  isByDay: false,
  summing: () => `
    summed as (
      select ${quarter('created_at')} as quarter, sum(sign) as orders
      from fact where ${counts('status')} group by 1 having sum(sign) <> 0
    )`,
  adding: () => `
    added as (
      insert into report_orders as stored (company_id, quarter, orders) select $1, quarter, orders from summed
      on conflict (company_id, quarter) ${more('orders')}
    )`,
  sums: ['report_orders'],
}

const products: Aggregator = {
  report: 'products',
  resource: 'order',
  table: 'orders',
  members: ['status', 'currency', 'lineItems'],
  columns: ['status', 'currency', 'lines'],
  ofEvent: (member) => [orEmpty(member('status')), orEmpty(member('currency')), member('lineItems').json],
  reads: ['status', 'currency', 'body'],
  ofRow: ['status', 'currency', `body -> 'lineItems'`],
  isByDay: true,
  summing: (zone) => `
    line as materialized (
      select sign, ${quarter('fact.created_at')} as quarter, fact.created_at, currency, "productId" as product_id, name,
        coalesce(quantity, 1) as quantity, coalesce(total, price * coalesce(quantity, 1), 0) as total
      from fact cross join lateral rows from (
        json_to_recordset(case json_typeof(lines) when 'array' then lines else '[]' end)
          as ("productId" text, name text, quantity numeric, total numeric, price numeric)
      ) with ordinality as item("productId", name, quantity, total, price, number)
      where ${counts('status')} and "productId" is not null and number <= ${REPORT_LINES}
    ), summed as (
      select ${dayOfQuarter('quarter', zone)} as day, currency, product_id,
        sum(sign * quantity) as quantity, sum(sign * total) as total
      from line group by 1, 2, 3 having (sum(sign * quantity), sum(sign * total)) <> (0, 0)
    ), called as (
      select distinct on (product_id) product_id, name from line
      where sign = 1 and name <> '' order by product_id, created_at desc
    )`,
  adding: (isNewer) => `
    added as (
      insert into report_products as stored (company_id, days, first_day, currency, product_id, quantity, total)
      select $1, days, day - day % days, currency, product_id, sum(quantity), sum(total)
      from summed cross join (values ${BLOCKS.map((days) => `(${days})`).join(', ')}) as block(days)
      group by days, day - day % days, currency, product_id
      -- In reading order, so that they are stored together: otherwise each row of a block is on a page of its own.
      order by days, day - day % days, currency, product_id
      on conflict (company_id, days, first_day, currency, product_id) ${more('quantity', 'total')}
    ), named as (
      insert into report_product_names as stored (company_id, product_id, name)
      select $1, product_id, name from called
      on conflict (company_id, product_id) ${
        isNewer ? 'do update set name = excluded.name where stored.name <> excluded.name' : 'do nothing'
      }
    )`,
  sums: ['report_products', 'report_product_names'],
}

export const aggregators: Readonly<Record<ReportName, Aggregator>> = { sales, orders, products }
