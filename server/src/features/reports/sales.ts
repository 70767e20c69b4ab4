// The report of sales: payments and refunds day by day, and the number of orders.
import { currencyDigits } from '../../core/currency.ts'
import type { Snapshot } from './answer.ts'
import { ascending, firstPlaces } from './first-places.ts'
import { REPORT_KEYS, REPORT_METHODS } from './limits.ts'
import { tooMany } from './period.ts'
import { balanceOf, type Decimals, descending, isZeroAt, textAt } from './sums/decimals.ts'
import { type Entries, Groups } from './sums/entries.ts'
import { orderCounts, type Source, sourceOf } from './sums/sources.ts'
import type { Facet } from './sums/summing.ts'
import { timeLabels } from './time-labels.ts'

/** The place of a group without sales: its sums are zero. */
const NONE = -1

const sumsOf = (groups: Groups) => {
  const [sales, refunds] = [groups.total('gross'), groups.total('refund')]
  const counts = { salesCount: groups.total('count'), refundsCount: groups.total('refund_count') }
  return { sales, refunds, net: balanceOf(groups.size, [sales], [refunds]), ...counts }
}

/** Adds up the payments by currency, by day and by method, and counts the orders by day. */
async function addedUp({ zone, period, readEntries }: Snapshot) {
  const { segments, values } = timeLabels(zone, ['day'], period)
  const [inAll, byDay, byMethod] = [new Groups(['currency']), new Groups(['currency', 'label']), new Groups(['currency', 'method'])] // biome-ignore format: a table
  const orders = new Groups(['label'])
  const read = (source: Source, add: (entries: Entries) => void) =>
    readEntries(source, source.facets[0] as Facet, segments, add)
  await read(sourceOf('payments'), (entries) => {
    for (const groups of [inAll, byDay, byMethod]) {
      groups.add(entries)
      if (groups.size > REPORT_KEYS) throw tooMany('payment methods, or days and currencies')
    }
  })
  await read(orderCounts, (entries) => orders.add(entries))
  return { days: values.flat(), inAll, byDay, byMethod, orders }
}

/** The payment methods with the highest sales in a currency. */
async function bestMethods(groups: Groups, currency: string, companyId: string) {
  const { sales, salesCount } = sumsOf(groups)
  const places = await firstPlaces(
    { size: groups.size, limit: REPORT_METHODS, line: companyId },
    (place) => !isZeroAt(salesCount, place) && groups.valuesAt(place)[0] === currency,
    (a, b) => descending(sales, a, b) || ascending(groups.lastValueAt(a), groups.lastValueAt(b)),
  )
  return places.map((place) => ({ paymentMethod: groups.lastValueAt(place), place, sales, salesCount }))
}

/** The report as JSON. */
export async function salesReport(snapshot: Snapshot): Promise<string> {
  const { currency, zone, period, isComplete } = snapshot
  const { from, to } = period
  const { days: dates, inAll, byDay, byMethod, orders } = await addedUp(snapshot)
  const own = currency ?? ''
  const decimals = currencyDigits(currency)
  const countAt = (counts: Decimals, place: number) => Number(textAt(counts, place, 0))
  const counts = orders.total('count')
  const shown = (sums: ReturnType<typeof sumsOf>, place: number, orders: number) => ({
    ...{ sales: textAt(sums.sales, place, decimals), salesCount: countAt(sums.salesCount, place) },
    ...{ refunds: textAt(sums.refunds, place, decimals), refundsCount: countAt(sums.refundsCount, place) },
    ...{ net: textAt(sums.net, place, decimals), orders },
  })
  const [all, daily] = [sumsOf(inAll), sumsOf(byDay)]
  const [ofAll, ofDay, ofOrders] = [inAll.below(), byDay.below(own), orders.below()]
  const days = dates.map((date, label) => {
    const sold = countAt(counts, ofOrders.get(`${label}`) ?? NONE)
    return { date, ...shown(daily, ofDay.get(`${label}`) ?? NONE, sold) }
  })
  const methods = await bestMethods(byMethod, own, snapshot.companyId)
  const others = Array.from({ length: inAll.size }, (_, place) => ({ place, currency: inAll.lastValueAt(place) }))
    .filter(
      ({ place, currency }) =>
        currency !== own && !(isZeroAt(all.salesCount, place) && isZeroAt(all.refundsCount, place)),
    )
    .sort((a, b) => ascending(a.currency, b.currency))
  return JSON.stringify({
    ...{ currency, timezone: zone.name, from, to, isComplete },
    totals: shown(all, ofAll.get(own) ?? NONE, days.reduce((sum, { orders }) => sum + orders, 0)), // biome-ignore format: one thought
    days,
    paymentMethods: methods.map(({ paymentMethod, place, sales, salesCount }) => ({
      ...{ paymentMethod, sales: textAt(sales, place, decimals), salesCount: countAt(salesCount, place) },
    })),
    otherCurrencies: others.map(({ place, currency }) => {
      const decimals = currencyDigits(currency)
      return { currency, sales: textAt(all.sales, place, decimals), refunds: textAt(all.refunds, place, decimals) }
    }),
  })
}
