// Writes groups of sales as JSON or CSV: each sum as an exact text.
import { mapInSlices } from '../../concurrency/time-slices.ts'
import { csvLine } from '../../core/csv-line.ts'
import { currencyDigits } from '../../core/currency.ts'
import { unavailable } from '../../core/problem.ts'
import type { Snapshot } from './answer.ts'
import type { Grouping } from './dimensions.ts'
import { beforePrefix, type Group, type GroupedSales, groupedSales } from './groups.ts'
import { dateOf } from './local-days.ts'
import { add, average, negated, textOf } from './sums/decimals.ts'

const ofOrders = [
  ...['grossSales', 'discounts', 'netSales', 'tax', 'tips', 'shipping', 'fees', 'totalSales'],
  ...['refunded', 'refundedTips', 'refundedShipping', 'refundedFees', 'quantity', 'count', 'average'],
]
/** The sums of a group in an answer, by unit, in order; those of lines have costs too. */
const shownOf: Readonly<Record<Grouping['unit'], readonly string[]>> = {
  payment: ['paid', 'refunded', 'count', 'average'],
  whole: ofOrders,
  line: [...ofOrders, 'cost', 'margin'],
}
/** The sums of entries that are shown as they are. */
const plain: Readonly<Record<string, string>> = {
  paid: 'gross',
  grossSales: 'gross',
  discounts: 'discount',
  netSales: 'net',
  tax: 'tax',
  tips: 'tip',
  shipping: 'shipping',
  fees: 'fee',
  refunded: 'refund',
  refundedTips: 'refund_tip',
  refundedShipping: 'refund_shipping',
  refundedFees: 'refund_fee',
  quantity: 'quantity',
  count: 'count',
}
/** The sums that make `totalSales`. */
const parts = ['net', 'tax', 'tip', 'shipping', 'fee']

/** Sums that are JSON numbers. */
const numbers = new Set(['quantity', 'count'])

/** The text of a sum of a group in a currency with `decimals` decimals; undefined where the group has none. */
type SumWriter = (group: Group, decimals: number) => string | undefined

/** Makes the function that writes a sum of one of the two periods. */
function writerOf(name: string, prefix: string, { sum }: GroupedSales, { unit }: Grouping, own?: string): SumWriter {
  const of = (sumName: string, group: Group) =>
    sum(prefix + (sumName === 'count' && unit === 'whole' ? 'orders' : sumName), group)
  if (name === 'average') {
    const whole = unit === 'payment' ? 'gross' : 'net'
    return (group, decimals) => average(of(whole, group), of('count', group), decimals)
  }
  if (name === 'cost' || name === 'margin')
    return (group, decimals) => {
      if (group.currency !== own || of('priced', group) === 0) return undefined
      const cost = of('cost', group)
      return textOf(name === 'cost' ? cost : add(of('costed', group), negated(cost)), decimals)
    }
  if (name === 'totalSales')
    return (group, decimals) => textOf(parts.map((part) => of(part, group)).reduce(add), decimals)
  const isNumber = numbers.has(name)
  const column = plain[name] as string
  return (group, decimals) => textOf(of(column, group), isNumber ? 0 : decimals)
}

const previousName = (name: string) => `previous${name[0]?.toUpperCase()}${name.slice(1)}`

/** The report as JSON or CSV. */
export async function groupedReport(snapshot: Snapshot, grouping: Grouping, isCsv: boolean): Promise<string> {
  const { companyId, currency, zone, period, isComplete } = snapshot
  if (isCsv && !isComplete) throw unavailable(undefined, 'sums_incomplete')
  const sales = await groupedSales(snapshot, grouping)
  const { by, unit } = grouping
  const names = shownOf[unit]
  const writers = (prefix: string) => names.map((name) => writerOf(name, prefix, sales, grouping, currency))
  const now = writers('')
  const then = period.previous ? writers(beforePrefix) : []
  if (isCsv) {
    const titles = [...by, 'currency', ...names, ...(period.previous ? names.map(previousName) : [])]
    const lines = await mapInSlices(sales.groups, companyId, (group) => {
      const texts = csvLine([...group.values.map((value) => String(value ?? '')), group.currency]).slice(0, -1)
      const decimals = currencyDigits(group.currency || undefined)
      return `${[texts, ...[...now, ...then].map((writer) => writer(group, decimals))].join(',')}\n`
    })
    return `${titles.join(',')}\n${lines.join('')}`
  }
  const quotes = names.map((name) => (numbers.has(name) ? '' : '"'))
  const begins = names.map((name, n) => `"${name}":${quotes[n]}`)
  const members = (some: readonly SumWriter[], group: Group) => {
    const decimals = currencyDigits(group.currency || undefined)
    const sums = some.map((writer) => writer(group, decimals))
    return sums.flatMap((sum, n) => (sum === undefined ? [] : [begins[n] + sum + quotes[n]])).join(',')
  }
  const texts = await mapInSlices(sales.groups, companyId, (group) => {
    const own = by.map(
      (name, n) => `"${name}":${name === 'taxRate' ? group.values[n] : JSON.stringify(group.values[n])}`,
    )
    const shown = [...own, ...(group.currency ? [`"currency":"${group.currency}"`] : []), members(now, group)]
    return `{${[...shown, ...(period.previous ? [`"previous":{${members(then, group)}}`] : [])]}}`
  })
  const { from, to, firstDay, previous } = period
  const earlier = previous && { from: dateOf(firstDay - previous.days), to: dateOf(previous.lastDay) }
  const head = JSON.stringify({ currency, timezone: zone.name, from, to, previous: earlier, isComplete, groupBy: by })
  return `${head.slice(0, -1)},"groups":[${texts.join(',')}]}`
}
