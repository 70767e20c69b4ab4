// The report of sales: payments and refunds day by day, and the number of orders.
import { currencyDigits } from '../../core/currency.ts'
import type { Snapshot } from './answer.ts'
import { REPORT_KEYS, tooMany } from './period.ts'
import { add, ascending, descending, negated, textOf } from './sums/decimals.ts'
import { type Entries, Groups } from './sums/entries.ts'
import type { SourceName } from './sums/sources.ts'
import { timeLabels } from './time-labels.ts'

/** Payment methods that a report lists, those with the most sales: any word is valid, and a company could create a million. */
const REPORT_METHODS = 100

/** The place of a group without sales: its sums are zero. */
const NONE = -1

/** Adds up the payments by currency, by day and by method, and counts the orders by day. */
async function addedUp({ zone, period, readEntries }: Snapshot) {
  const { segments, values } = timeLabels(zone, ['day'], period)
  const inAll = new Groups(['currency'])
  const byDay = new Groups(['currency', 'label'])
  const byMethod = new Groups(['currency', 'method']) // biome-ignore format: a table
  const orders = new Groups(['label'])
  const read = (source: SourceName, add: (entries: Entries) => void) => readEntries([source, 'whole'], segments, add)
  await read('payments', (entries) => {
    for (const groups of [inAll, byDay, byMethod]) {
      groups.add(entries)
      if (groups.size > REPORT_KEYS) throw tooMany('payment methods, or days and currencies')
    }
  })
  await read('orders', (entries) => orders.add(entries))
  return { days: values.flat(), inAll, byDay, byMethod, orders }
}

/** The payment methods with the highest sales in a currency. */
const bestMethods = (groups: Groups, currency: string): number[] =>
  groups
    .places()
    .filter((place) => groups.sum('count', place) !== 0 && groups.valuesAt(place)[0] === currency)
    .sort(
      (a, b) =>
        descending(groups.sum('gross', a), groups.sum('gross', b)) ||
        ascending(groups.lastValueAt(a), groups.lastValueAt(b)),
    )
    .slice(0, REPORT_METHODS)

/** The report as JSON. */
export async function salesReport(snapshot: Snapshot): Promise<string> {
  const { currency, zone, period, isComplete } = snapshot
  const { from, to } = period
  const { days: dates, inAll, byDay, byMethod, orders } = await addedUp(snapshot)
  const own = currency ?? ''
  const amount = (groups: Groups, name: string, place: number, ofCurrency = currency) =>
    textOf(groups.sum(name, place), currencyDigits(ofCurrency))
  const count = (groups: Groups, name: string, place: number) => Number(textOf(groups.sum(name, place), 0))
  const shown = (groups: Groups, place: number, orders: number) => {
    const net = add(groups.sum('gross', place), negated(groups.sum('refund', place)))
    return {
      sales: amount(groups, 'gross', place),
      salesCount: count(groups, 'count', place),
      refunds: amount(groups, 'refund', place),
      refundsCount: count(groups, 'refund_count', place),
      net: textOf(net, currencyDigits(currency)),
      orders,
    }
  }
  const ofAll = inAll.below()
  const ofDay = byDay.below(own)
  const ofOrders = orders.below()
  const days = dates.map((date, label) => {
    const sold = count(orders, 'orders', ofOrders.get(`${label}`) ?? NONE)
    return { date, ...shown(byDay, ofDay.get(`${label}`) ?? NONE, sold) }
  })
  const methods = bestMethods(byMethod, own)
  const others = [...ofAll].filter(
    ([currency, place]) =>
      currency !== own && !(inAll.sum('count', place) === 0 && inAll.sum('refund_count', place) === 0),
  )
  return JSON.stringify({
    currency,
    timezone: zone.name,
    from,
    to,
    isComplete,
    totals: shown(
      inAll,
      ofAll.get(own) ?? NONE,
      days.reduce((sum, { orders }) => sum + orders, 0),
    ),
    days,
    paymentMethods: methods.map((place) => ({
      paymentMethod: byMethod.lastValueAt(place),
      sales: amount(byMethod, 'gross', place),
      salesCount: count(byMethod, 'count', place),
    })),
    otherCurrencies: others
      .sort(([a], [b]) => ascending(a, b))
      .map(([currency, place]) => ({
        currency,
        sales: amount(inAll, 'gross', place, currency),
        refunds: amount(inAll, 'refund', place, currency),
      })),
  })
}
