// The report of sales: payments and refunds day by day, and the number of orders.
import { currencyDigits } from '../../core/currency.ts'
import { type JsonSchema, string } from '../../core/json-schema.ts'
import { ascending, descending, subtract, textOf } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import { timeLabels } from './dimensions.ts'
import { amount, count, countedOrders, currency, date, head, heading, headingOf, object } from './documents.ts'
import { REPORT_KEYS, tooMany } from './period.ts'
import { Groups } from './sums/entries.ts'

/** Payment methods that a report lists, those with the most sales: any word is valid, and a company could create a million. */
const REPORT_METHODS = 100

const sums = {
  sales: amount('The sum of transactions whose type is `sale`, or unset.'),
  salesCount: count('The number of these transactions.'),
  refunds: amount('The sum of transactions whose type is `refund`, without their signs.'),
  refundsCount: count('The number of these transactions.'),
  net: amount('Sales minus refunds.'),
  orders: countedOrders,
}
export const salesSchema: JsonSchema = object(
  'SalesReport',
  {
    ...heading,
    totals: { ...object('SalesTotals', sums), description: 'The sums of all days together.' },
    days: {
      type: 'array',
      items: object('SalesDay', { date: { ...date, description: 'A day in the time zone of the report.' }, ...sums }),
      description: 'One entry for each day, also for days without sales, the oldest first.',
    },
    paymentMethods: {
      type: 'array',
      items: object('SalesPaymentMethod', {
        paymentMethod: string('`paymentMethod` of the transactions.'),
        sales: sums.sales,
        salesCount: sums.salesCount,
      }),
      description: 'Highest sales first, at most 100.',
    },
    otherCurrencies: {
      type: 'array',
      items: object('SalesInOtherCurrency', {
        currency: { ...currency, description: 'ISO 4217 code of the transactions.' },
        sales: sums.sales,
        refunds: sums.refunds,
      }),
      description: 'Payments in other currencies, which none of the sums above include.',
    },
  },
  'currency',
)

export const salesExample = {
  ...head,
  totals: { sales: '1250.50', salesCount: 61, refunds: '12.50', refundsCount: 1, net: '1238.00', orders: 58 },
  days: [
    { date: head.from, sales: '800.00', salesCount: 40, refunds: '0.00', refundsCount: 0, net: '800.00', orders: 38 },
    { date: head.to, sales: '450.50', salesCount: 21, refunds: '12.50', refundsCount: 1, net: '438.00', orders: 20 },
  ],
  paymentMethods: [
    { paymentMethod: 'credit_card', sales: '1000.50', salesCount: 45 },
    { paymentMethod: 'cash', sales: '250.00', salesCount: 16 },
  ],
  otherCurrencies: [{ currency: 'CHF', sales: '30.00', refunds: '0.00' }],
}

const countOf = (groups: Groups, name: string, place: number) => Number(textOf(groups.sum(name, place), 0))

/** The payments of a group and what was paid back. */
function paymentsAt(groups: Groups, place: number, currency: string) {
  const decimals = currencyDigits(currency || undefined)
  const sales = groups.sum('gross', place)
  const refunds = groups.sum('refund', place)
  return {
    sales: textOf(sales, decimals),
    salesCount: countOf(groups, 'count', place),
    refunds: textOf(refunds, decimals),
    refundsCount: countOf(groups, 'refund_count', place),
    net: textOf(subtract(sales, refunds), decimals),
  }
}

/** The report as JSON. */
export async function salesReport(snapshot: Snapshot): Promise<string> {
  const { zone, period, readEntries } = snapshot
  const own = snapshot.currency ?? ''
  const { segments, values } = timeLabels(zone, ['day'], period)
  const inAll = new Groups(['currency'])
  const byDay = new Groups(['currency', 'label'])
  const byMethod = new Groups(['currency', 'method'])
  const orders = new Groups(['label'])
  await readEntries(['payments', 'whole'], segments, (entries) => {
    for (const groups of [inAll, byDay, byMethod]) {
      groups.add(entries)
      if (groups.size > REPORT_KEYS) throw tooMany('payment methods, or days and currencies')
    }
  })
  await readEntries(['orders', 'whole'], segments, (entries) => orders.add(entries))
  const days = values.map(([date], label) => ({
    date,
    ...paymentsAt(byDay, byDay.at(own, String(label)), own),
    orders: countOf(orders, 'orders', orders.at(String(label))),
  }))
  const ofAll = inAll.paths.map(([code = ''], place) => ({ currency: code, ...paymentsAt(inAll, place, code) }))
  const methods = byMethod.paths
    .map(([code, method = ''], place) => ({ code, method, place, sales: byMethod.sum('gross', place) }))
    .filter(({ code, place }) => code === own && byMethod.sum('count', place) !== 0)
    .sort((a, b) => descending(a.sales, b.sales) || ascending(a.method, b.method))
  return JSON.stringify({
    ...headingOf(snapshot),
    totals: {
      ...paymentsAt(inAll, inAll.at(own), own),
      orders: days.reduce((sum, { orders }) => sum + orders, 0),
    },
    days,
    paymentMethods: methods.slice(0, REPORT_METHODS).map(({ place, method }) => {
      const { sales, salesCount } = paymentsAt(byMethod, place, own)
      return { paymentMethod: method, sales, salesCount }
    }),
    otherCurrencies: ofAll
      .filter(({ currency, salesCount, refundsCount }) => currency !== own && salesCount + refundsCount > 0)
      .sort((a, b) => ascending(a.currency, b.currency))
      .map(({ currency, sales, refunds }) => ({ currency, sales, refunds })),
  })
}
