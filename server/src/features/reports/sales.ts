// The report of sales: payments and refunds day by day, and the number of orders.
import { currencyDigits } from '../../core/currency.ts'
import type { Snapshot } from './answer.ts'
import { descending, differencesOf, isZeroAt, textAt } from './decimals.ts'
import { type Entries, firstPlaces, Groups, inCurrencies, labelled } from './entries.ts'
import { REPORT_KEYS, REPORT_METHODS } from './limits.ts'
import { dateOf } from './local-days.ts'
import { daysOf, tooMany } from './period.ts'
import { orderCounts, type Source, sourceOf } from './sources.ts'

/** The place of a group that does not exist: all of its sums are zero. */
const nowhere = -1

/** Groups by currency, or by currency and another key. */
interface Paid {
  readonly groups: readonly { readonly place: number; readonly currency: string; readonly value: string }[]
  /** The place of a group. */
  readonly at: (currency: string, value?: string) => number
  readonly sums: ReturnType<typeof sumsOf>
}

const sumsOf = (groups: Groups) => {
  const [sales, refunds] = [groups.total('gross'), groups.total('refund')]
  const counts = { salesCount: groups.total('count'), refundsCount: groups.total('refund_count') }
  return { sales, refunds, net: differencesOf(sales, refunds, groups.size), ...counts }
}

function paidBy(groups: Groups): Paid {
  const all = Array.from({ length: groups.size }, (_, place) => {
    const [currency = '', value = ''] = groups.valuesAt(place)
    return { place, currency, value }
  })
  const places = new Map(all.map(({ place, currency, value }) => [`${currency} ${value}`, place]))
  return {
    groups: all,
    at: (currency, value = '') => places.get(`${currency} ${value}`) ?? nowhere,
    sums: sumsOf(groups),
  }
}

/** Adds up the payments by currency, by day and by method, and counts the orders by day. */
async function addedUp({ currency, zone, period, readEntries }: Snapshot) {
  const days = daysOf(zone, period)
  const [inAll, byDay, byMethod] = [new Groups(['currency']), new Groups(['currency', 'label']), new Groups(['currency', 'method'])] // biome-ignore format: a table
  const orders = new Groups(['label'])
  const read = async (source: Source, add: (entries: Entries) => void) => {
    for (const facet of source.facets)
      await readEntries(source, facet, days, async (label, entries) => add(labelled(entries, label)))
  }
  await read(sourceOf('payments'), (entries) => {
    const all = inCurrencies(entries, currency)
    for (const groups of [inAll, byDay, byMethod]) {
      groups.add(all)
      if (groups.size > REPORT_KEYS) throw tooMany('payment methods, or days and currencies')
    }
  })
  await read(orderCounts, (entries) => orders.add(entries))
  const counts = orders.total('count')
  const ordersOf = new Map(
    Array.from({ length: orders.size }, (_, place) => [orders.valuesAt(place)[0], Number(textAt(counts, place, 0))]),
  )
  const ordersOn = (day: number) => ordersOf.get(String(day)) ?? 0
  return { inAll: paidBy(inAll), byDay: paidBy(byDay), byMethod, ordersOn }
}

/** The payment methods with the highest sales in a currency. */
async function bestMethods(groups: Groups, currency: string, companyId: string) {
  const { sales, salesCount } = sumsOf(groups)
  const places = await firstPlaces(
    { size: groups.size, limit: REPORT_METHODS, line: companyId },
    (place) => !isZeroAt(salesCount, place) && groups.valuesAt(place)[0] === currency,
    (a, b) => descending(sales, a, b) || (groups.lastValueAt(a) < groups.lastValueAt(b) ? -1 : 1),
  )
  return places.map((place) => ({ paymentMethod: groups.lastValueAt(place), place, sales, salesCount }))
}

/** The report as JSON. */
export async function salesReport(snapshot: Snapshot): Promise<string> {
  const { currency, timezone, period, isComplete } = snapshot
  const { from, to, firstDay, lastDay } = period
  const { inAll, byDay, byMethod, ordersOn } = await addedUp(snapshot)
  const own = currency ?? ''
  const numberAt = (sums: Paid['sums'], name: 'salesCount' | 'refundsCount', place: number) =>
    Number(textAt(sums[name], place, 0))
  const decimals = currencyDigits(currency)
  const shown = ({ sums }: Paid, place: number, orders: number) => ({
    ...{ sales: textAt(sums.sales, place, decimals), salesCount: numberAt(sums, 'salesCount', place) },
    ...{ refunds: textAt(sums.refunds, place, decimals), refundsCount: numberAt(sums, 'refundsCount', place) },
    ...{ net: textAt(sums.net, place, decimals), orders },
  })
  const days = Array.from({ length: lastDay - firstDay + 1 }, (_, n) => firstDay + n)
  const { sales, salesCount, refunds, refundsCount } = inAll.sums
  const methods = await bestMethods(byMethod, own, snapshot.companyId)
  const others = inAll.groups
    .filter(
      ({ place, currency }) => currency !== own && !(isZeroAt(salesCount, place) && isZeroAt(refundsCount, place)),
    )
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
  return JSON.stringify({
    ...{ currency, timezone, from, to, isComplete },
    totals: shown(inAll, inAll.at(own), days.reduce((sum, day) => sum + ordersOn(day), 0)), // biome-ignore format: one thought
    days: days.map((day) => ({ date: dateOf(day), ...shown(byDay, byDay.at(own, String(day)), ordersOn(day)) })),
    paymentMethods: methods.map(({ paymentMethod, place, sales, salesCount }) => ({
      ...{ paymentMethod, sales: textAt(sales, place, decimals), salesCount: Number(textAt(salesCount, place, 0)) },
    })),
    otherCurrencies: others.map(({ place, currency }) => {
      const decimals = currencyDigits(currency)
      return { currency, sales: textAt(sales, place, decimals), refunds: textAt(refunds, place, decimals) }
    }),
  })
}
