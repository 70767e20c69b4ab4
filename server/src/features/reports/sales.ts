// The report of sales: payments and refunds day by day, and the number of orders.
import { currencyDigits } from '../../core/currency.ts'
import type { Snapshot } from './answer.ts'
import { REPORT_KEYS, tooMany } from './period.ts'
import { add, ascending, descending, negated, textOf } from './sums/decimals.ts'
import { Groups } from './sums/entries.ts'
import { timeLabels } from './time-labels.ts'

/** Payment methods that a report lists, those with the most sales: any word is valid, and a company could create a million. */
const REPORT_METHODS = 100

const count = (groups: Groups, name: string, place: number) => Number(textOf(groups.sum(name, place), 0))

/** The payments of a group and what was paid back. */
function paymentsAt(groups: Groups, place: number, currency: string) {
  const decimals = currencyDigits(currency || undefined)
  const sales = groups.sum('gross', place)
  const refunds = groups.sum('refund', place)
  return {
    sales: textOf(sales, decimals),
    salesCount: count(groups, 'count', place),
    refunds: textOf(refunds, decimals),
    refundsCount: count(groups, 'refund_count', place),
    net: textOf(add(sales, negated(refunds)), decimals),
  }
}

/** The report as JSON. */
export async function salesReport({ currency, zone, period, isComplete, readEntries }: Snapshot): Promise<string> {
  const own = currency ?? ''
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
    orders: count(orders, 'orders', orders.at(String(label))),
  }))
  const ofAll = inAll.paths.map(([code = ''], place) => ({ currency: code, ...paymentsAt(inAll, place, code) }))
  const methods = byMethod.paths
    .map(([code, method = ''], place) => ({ code, method, place, sales: byMethod.sum('gross', place) }))
    .filter(({ code, place }) => code === own && byMethod.sum('count', place) !== 0)
    .sort((a, b) => descending(a.sales, b.sales) || ascending(a.method, b.method))
  return JSON.stringify({
    currency,
    timezone: zone.name,
    dayStartHour: zone.dayStartHour,
    from: period.from,
    to: period.to,
    isComplete,
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
