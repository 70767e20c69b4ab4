// What reports are summed from: the records of three tables, and the sums that are stored of each.
import { sizeOf } from '../../events/pages.ts'
import { absolute, amountOf, one, zero } from '../../sold-items/decimals.ts'
import type { SummedItem } from '../../sold-items/lines.ts'
import { itemsOfStored } from '../../sold-items/order-items.ts'
import { itemsOfRefund } from '../../sold-items/refund-items.ts'

// To which moment a record belongs is decided here and nowhere else.

/** The members that decide it: a change of one moves the record to another bucket. */
export const momentMembers = ['occurredAt', 'createdAt'] as const

/** The moment of a record; `member` is the SQL that reads one of its members as text. */
export const momentOf = (member: (name: (typeof momentMembers)[number]) => string): string =>
  `coalesce(${momentMembers.map(member).join(', ')})`

/** The moment in a table, in the form of the index, where it follows the company. */
export const momentIn = (table: string): string => `coalesce(${table}.occurred_at, ${table}.created_at)`

/** The moment of a source's records in its table. */
export const momentColumn = momentIn('stored')

/** The sources whose sums are kept. */
export type SourceName = 'payments' | 'orders' | 'refunds'

/** A record that is summed, by its columns. */
export type SummedRecord = Readonly<Record<string, string>>

/** The names of facets: columns of `sum_buckets`. */
export const facetNames = ['whole', 'product', 'line', 'rate', 'customer'] as const
/** Entries that a source is summed to, by some keys. */
export interface Facet {
  readonly name: (typeof facetNames)[number]
  readonly keys: readonly string[]
}

/** A source, in fragments of SQL. */
export interface Source {
  readonly source: SourceName
  readonly resource: 'transaction' | 'order' | 'refund'
  readonly table: 'transactions' | 'orders' | 'refunds'
  /** Members that its sums depend on: changes of others are skipped. */
  readonly members: readonly string[]
  /** Members of the order on which the sums of its refunds depend. */
  readonly orderMembers?: readonly string[]
  /** What is read of `stored` by name, with a join if needed, and the length of what may be long. */
  readonly columns: Readonly<Record<string, string>>
  readonly join?: string
  /** Which of the records count. */
  readonly isCounted: string
  /** Only these records, with parameters from $6 on; `key` orders them in place of their moment, as their index does. */
  readonly only?: { readonly name: string; readonly key: string; readonly condition: string }
  readonly size: string
  /** Records of a chunk: those that are summed in some 5 ms, since a report right after a sale sums the newest chunk again. */
  readonly chunk: number
  /** What a record is summed from, with the company's currency, and the names of these sums. One that has to be read first pauses. */
  readonly itemsOf: (
    record: SummedRecord,
    currency: string | undefined,
  ) => SummedItem[] | Generator<undefined, SummedItem[]>
  readonly sums: readonly string[]
  readonly facets: readonly Facet[]
}

/** The order of a payment or refund, and a column of it. */
export const joinOrders = 'left join orders as sold on sold.company_id = $1 and sold.id = stored.order_id'
export const orderColumn = (column: string) => `coalesce(sold.${column}, '')`

const payments: Source = {
  source: 'payments',
  resource: 'transaction',
  table: 'transactions',
  members: ['amount', 'currency', 'paymentMethod', 'type', 'outletId', 'sessionId', 'employee'],
  columns: {
    currency: 'stored.currency',
    outlet: 'stored.outlet_id',
    session: 'stored.session_id',
    employee: 'stored.employee',
    method: 'stored.payment_method',
    type: 'stored.type',
    amount: 'stored.amount',
  },
  isCounted: `coalesce(stored.type, '') in ('', 'sale', 'refund')`,
  size: '0',
  chunk: 500,
  // Payments and what was paid back, without signs.
  itemsOf({ type, amount }) {
    const own = amountOf(amount) ?? zero
    const sums = type === 'refund' ? { refund: absolute(own), refund_count: one } : { gross: own, count: one }
    return [{ keys: {}, sums }]
  },
  sums: ['gross', 'count', 'refund', 'refund_count'],
  facets: [{ name: 'whole', keys: ['currency', 'outlet', 'session', 'employee', 'method'] }],
}

/** Facets of orders and refunds: by till, by product, by tax rate, by customer. A report by products reads fewer entries without outlets. */
const facets: readonly Facet[] = [
  { name: 'whole', keys: ['currency', 'outlet', 'station', 'session', 'employee'] },
  { name: 'product', keys: ['currency', 'product', 'variant'] },
  { name: 'line', keys: ['currency', 'outlet', 'product', 'variant'] },
  { name: 'rate', keys: ['currency', 'outlet', 'rate'] },
  { name: 'customer', keys: ['currency', 'outlet', 'customer'] },
]

/** The body of a record, with its currency: its own, else that of its order or of the company. */
const inCurrency = ({ body = '{}', currency }: SummedRecord, own: string | undefined): any => ({
  ...JSON.parse(body),
  currency: currency || own,
})

/** Whether an order with this status counts, and its refunds. */
export const isCountedStatus = (status: string) => `${status} <> all ('{pending,parked,cancelled}')`

const orders: Source = {
  source: 'orders',
  resource: 'order',
  table: 'orders',
  members: [
    ...['status', 'currency', 'outletId', 'stationId', 'sessionId', 'employee', 'customerId'],
    ...['lineItems', 'customSales', 'summary', 'cartDiscount', 'cartFees'],
  ],
  columns: {
    currency: 'currency',
    outlet: 'outlet_id',
    station: 'station_id',
    session: 'session_id',
    employee: 'employee',
    customer: 'customer_id',
    body: 'body',
  },
  isCounted: isCountedStatus(`coalesce(stored.status, '')`),
  size: sizeOf('body'),
  chunk: 150,
  itemsOf: (record, currency) => itemsOfStored(inCurrency(record, currency)),
  sums: ['orders', 'count', 'gross', 'discount', 'net', 'tax', 'tip', 'shipping', 'fee', 'rounding', 'quantity'],
  facets,
}

const refunds: Source = {
  source: 'refunds',
  resource: 'refund',
  table: 'refunds',
  members: ['currency', 'orderId', 'sessionId', 'refundedBy', 'lineItems', 'summary'],
  orderMembers: ['status', 'currency', 'outletId', 'stationId', 'customerId'],
  columns: {
    currency: `coalesce(nullif(stored.currency, ''), ${orderColumn('currency')})`,
    outlet: orderColumn('outlet_id'),
    station: orderColumn('station_id'),
    customer: orderColumn('customer_id'),
    session: 'stored.session_id',
    employee: 'stored.refunded_by',
    body: 'stored.body',
  },
  join: joinOrders,
  // A refund without an order counts.
  isCounted: isCountedStatus(orderColumn('status')),
  size: sizeOf('stored.body'),
  chunk: 150,
  itemsOf: (record, currency) => itemsOfRefund(inCurrency(record, currency)),
  sums: ['refund', 'refund_tax', 'refund_tip', 'refund_shipping', 'refund_fee', 'refund_rounding', 'refund_quantity', 'restocked'], // biome-ignore format: one thought
  facets,
}

export const sources: readonly Source[] = [payments, orders, refunds]
export const sourceOf = (source: SourceName): Source => ({ payments, orders, refunds })[source]
