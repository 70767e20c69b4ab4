// Writes groups of sales as JSON or CSV: each sum as an exact text.
import { mapInSlices } from '../../concurrency/time-slices.ts'
import { csvLine } from '../../core/csv-line.ts'
import { currencyDigits } from '../../core/currency.ts'
import { unavailable } from '../../core/problem.ts'
import type { Snapshot } from './answer.ts'
import type { Dimension, Grouping } from './dimensions.ts'
import { groupColumns } from './group-names.ts'
import { beforePrefix, type Group, type GroupedSales, groupedSales } from './groups.ts'
import { dateOf } from './local-days.ts'
import { add, average, type Decimal, negated, rawNumber, textOf } from './sums/decimals.ts'

/** The sums of a group by their names, in order; undefined for those that it does not have. Amounts are texts. */
type GroupSums = Readonly<Record<string, string | object | undefined>>
const noCosts: GroupSums = { cost: undefined, margin: undefined, refundedCost: undefined, grossProfit: undefined }

/** Makes the function that returns the sums of a group in one of the two periods; `number` makes what is no amount from its text. */
function sumsOf(
  { sum }: GroupedSales,
  { unit }: Grouping,
  { own, number }: { readonly own: string | undefined; readonly number: (text: string) => string | object },
) {
  return (group: Group, prefix: string): GroupSums => {
    const decimals = currencyDigits(group.currency || undefined)
    const of = (name: string) => sum(prefix + name, group)
    const amount = (name: string) => textOf(of(name), decimals)
    const counted = of(unit === 'whole' ? 'orders' : 'count')
    const count = number(textOf(counted, 0))
    if (unit === 'payment') {
      const paid = of('gross')
      return { paid: amount('gross'), refunded: amount('refund'), count, average: average(paid, counted, decimals) }
    }
    const total = (...names: string[]) => names.map(of).reduce(add)
    const difference = (name: string, other: Decimal) => textOf(add(of(name), negated(other)), decimals)
    const isCosted = group.currency === own && of('priced') !== 0
    return {
      grossSales: amount('gross'),
      discounts: amount('discount'),
      netSales: amount('net'),
      tax: amount('tax'),
      tips: amount('tip'),
      shipping: amount('shipping'),
      fees: amount('fee'),
      totalSales: textOf(total('net', 'tax', 'tip', 'shipping', 'fee'), decimals),
      cashRounding: amount('rounding'),
      refunded: amount('refund'),
      refundedNet: difference('refund', total('refund_tax', 'refund_tip', 'refund_shipping', 'refund_fee')),
      refundedTax: amount('refund_tax'),
      refundedTips: amount('refund_tip'),
      refundedShipping: amount('refund_shipping'),
      refundedFees: amount('refund_fee'),
      refundedCashRounding: amount('refund_rounding'),
      quantity: number(textOf(of('quantity'), 0)),
      refundedQuantity: number(textOf(of('refund_quantity'), 0)),
      count,
      average: average(of('net'), counted, decimals),
      ...(unit === 'line' && noCosts),
      ...(isCosted && {
        cost: amount('cost'),
        margin: amount('margin'),
        refundedCost: amount('refund_cost'),
        grossProfit: difference('margin', of('refund_margin')),
      }),
    }
  }
}

const previousName = (name: string) => `previous${name[0]?.toUpperCase()}${name.slice(1)}`

/** The report as JSON or CSV; records of the dimensions `unnamed` are shown by id alone. */
export async function groupedReport(
  snapshot: Snapshot,
  grouping: Grouping,
  { isCsv, unnamed }: { readonly isCsv: boolean; readonly unnamed: readonly Dimension[] },
): Promise<string> {
  const { companyId, currency, zone, period, isComplete } = snapshot
  if (isCsv && !isComplete) throw unavailable(undefined, 'sums_incomplete')
  const sales = await groupedSales(snapshot, grouping)
  const columns = await groupColumns(snapshot, grouping, sales.groups, unnamed)
  const { from, to, firstDay, previous } = period
  const sums = sumsOf(sales, grouping, { own: currency, number: isCsv ? (text) => text : rawNumber })
  if (isCsv) {
    const names = Object.keys(sums({ place: -1, values: [], currency: '' }, ''))
    const titles = [
      ...columns.map(({ name }) => name),
      'currency',
      ...names,
      ...(previous ? names.map(previousName) : []),
    ]
    const lines = await mapInSlices(sales.groups, companyId, (group) => {
      const texts = csvLine([...columns.map(({ of }) => String(of(group) ?? '')), group.currency]).slice(0, -1)
      const before = previous ? Object.values(sums(group, beforePrefix)) : []
      return `${[texts, ...Object.values(sums(group, '')), ...before].join(',')}\n`
    })
    return `${titles.join(',')}\n${lines.join('')}`
  }
  const texts = await mapInSlices(sales.groups, companyId, (group) => {
    const own = columns.map(({ name, of }) => [name, name === 'taxRate' ? rawNumber(of(group)) : of(group)])
    return JSON.stringify({
      ...Object.fromEntries(own),
      currency: group.currency || undefined,
      ...sums(group, ''),
      previous: previous && sums(group, beforePrefix),
    })
  })
  const earlier = previous && { from: dateOf(firstDay - previous.days), to: dateOf(previous.lastDay) }
  const head = JSON.stringify({
    currency,
    timezone: zone.name,
    dayStartHour: zone.dayStartHour,
    from,
    to,
    previous: earlier,
    isComplete,
    groupBy: grouping.by,
  })
  return `${head.slice(0, -1)},"groups":[${texts.join(',')}]}`
}
