// What reports must say, added up from the records as they stand, by other means than the service's: one by one, in whole millionths, days by Intl.
import type { Body } from './contract.ts'
import type { TestService } from './service.ts'

/** Exact amounts: millionths. */
const millionths = (decimal: string): bigint => {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  const digits = BigInt(whole + fraction.padEnd(6, '0'))
  return sign === '-' ? -digits : digits
}
/** As reports show them: at least two decimals, and no more than needed. */
const shownAmount = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '').padEnd(2, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -6)}.${fraction}`
}

const clocks = new Map<string, Intl.DateTimeFormat>()
const dates = new Map<string, string>()

/** The local date in a time zone. */
export function dateIn(timezone: string, time: string): string {
  // Clocks change at full minutes.
  const key = `${timezone} ${time.slice(0, 16)}`
  const known = dates.get(key)
  if (known !== undefined) return known
  const clock =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat('en', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
  clocks.set(timezone, clock)
  const parts = clock.formatToParts(new Date(time))
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value
  const date = `${part('year')}-${part('month')}-${part('day')}`
  dates.set(key, date)
  return date
}

export const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60 * 1000)

/** All records of a company in a table. */
async function recordsOf(
  { database }: Pick<TestService, 'database'>,
  companyId: string,
  table: string,
): Promise<Body[]> {
  const rows = await database.query(`select body from ${table} where company_id = $1`, [companyId])
  return rows.map(([body]) => JSON.parse(body))
}

interface Counting {
  readonly currency: string
  readonly timezone: string
  readonly from: string
  readonly to: string
}

const isCounted = ({ status }: Body) => !['pending', 'parked', 'cancelled'].includes(status)

/** What `GET /v1/reports/sales` must answer. */
export async function expectedSales(
  service: Pick<TestService, 'database'>,
  companyId: string,
  { currency, timezone, from, to }: Counting,
): Promise<Body> {
  const dateOf = ({ createdAt, occurredAt = createdAt }: Body) => dateIn(timezone, occurredAt)
  const isInRange = (record: Body) => {
    const date = dateOf(record)
    return date >= from && date <= to
  }
  const transactions = (await recordsOf(service, companyId, 'transactions')).filter(isInRange)
  const orders = (await recordsOf(service, companyId, 'orders')).filter(isInRange).filter(isCounted)
  const own = transactions.filter((transaction) => (transaction.currency ?? currency) === currency)
  const isSale = ({ type = 'sale' }: Body) => type === 'sale'
  const isRefund = ({ type }: Body) => type === 'refund'
  const sum = (some: Body[]) => some.reduce((all, { amount }) => all + millionths(amount), 0n)
  const refunded = (some: Body[]) => sum(some.map(({ amount }) => ({ amount: amount.replace('-', '') })))
  const sums = (some: Body[], ordered: Body[]) => {
    const sales = some.filter(isSale)
    const refunds = some.filter(isRefund)
    return {
      sales: shownAmount(sum(sales)),
      salesCount: sales.length,
      refunds: shownAmount(refunded(refunds)),
      refundsCount: refunds.length,
      net: shownAmount(sum(sales) - refunded(refunds)),
      orders: ordered.length,
    }
  }
  const byDate = (some: Body[]) => Map.groupBy(some, dateOf)
  const ownOn = byDate(own)
  const ordersOn = byDate(orders)
  const days: Body[] = []
  for (let date = from; date <= to; date = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10))
    days.push({ date, ...sums(ownOn.get(date) ?? [], ordersOn.get(date) ?? []) })
  const methods = [...Map.groupBy(own.filter(isSale), ({ paymentMethod }) => paymentMethod as string)]
    .map(([paymentMethod, some]) => ({ paymentMethod, total: sum(some), salesCount: some.length }))
    .sort((a, b) => (a.total === b.total ? (a.paymentMethod < b.paymentMethod ? -1 : 1) : a.total > b.total ? -1 : 1))
  const others = Map.groupBy(
    transactions.filter((one) => !own.includes(one) && (isSale(one) || isRefund(one))),
    (transaction) => transaction.currency as string,
  )
  return {
    currency,
    timezone,
    dayStartHour: 0,
    from,
    to,
    isComplete: true,
    totals: sums(own, orders),
    days,
    paymentMethods: methods.map(({ total, paymentMethod, salesCount }) => ({
      paymentMethod,
      sales: shownAmount(total),
      salesCount,
    })),
    otherCurrencies: [...others]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([other, some]) => ({
        currency: other,
        sales: shownAmount(sum(some.filter(isSale))),
        refunds: shownAmount(refunded(some.filter(isRefund))),
      })),
  }
}

/** What `GET /v1/reports/products` must list, by product; names aside. */
export async function expectedProducts(
  service: Pick<TestService, 'database'>,
  companyId: string,
  { currency, timezone, from, to }: Counting,
): Promise<Map<string, { quantity: number; total: string }>> {
  const sums = new Map<string, { quantity: bigint; total: bigint }>()
  for (const order of await recordsOf(service, companyId, 'orders')) {
    const date = dateIn(timezone, order.occurredAt ?? order.createdAt)
    if (date < from || date > to || !isCounted(order) || (order.currency ?? currency) !== currency) continue
    for (const { productId, quantity = 1, total, price } of order.lineItems ?? []) {
      if (productId === undefined) continue
      const count = millionths(String(quantity))
      const priced = price ? (millionths(price) * count) / 1_000_000n : 0n
      // A line without a total is rounded to cents.
      const half = priced < 0n ? -5_000n : 5_000n
      const taken = total ? millionths(total) : ((priced + half) / 10_000n) * 10_000n
      const before = sums.get(productId) ?? { quantity: 0n, total: 0n }
      sums.set(productId, { quantity: before.quantity + count, total: before.total + taken })
    }
  }
  const sold = [...sums].filter(([, { quantity, total }]) => quantity !== 0n || total !== 0n)
  return new Map(
    sold.map(([id, { quantity, total }]) => [id, { quantity: Number(quantity) / 1e6, total: shownAmount(total) }]),
  )
}

/** Writes records into a table like old ones, which are no longer in the feed. */
export async function writeOld(
  { database }: Pick<TestService, 'database'>,
  companyId: string,
  table: 'transactions' | 'orders',
  records: readonly Body[],
): Promise<void> {
  // In statements that finish within their deadline on a busy machine.
  for (let from = 0; from < records.length; from += 2_000) {
    const some = records.slice(from, from + 2_000)
    await database.query(
      `insert into ${table} (company_id, id, body)
       select $1, body ->> 'id', body from json_array_elements($2::json) as body`,
      [companyId, JSON.stringify(some.map((record) => ({ updatedAt: record.createdAt, companyId, ...record })))],
    )
  }
}
