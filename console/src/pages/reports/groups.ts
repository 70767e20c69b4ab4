// The groups of a report: what they are called, their columns, their order and their sums.

import { referenceOf } from '../../api/resources.ts'
import type { SalesGroup, SalesGroups } from '../../api/sales-report.ts'
import { locale } from '../../language.ts'
import { isZero, sumOf } from '../../parts/decimal.ts'
import { rate } from '../../parts/format.ts'
import { labelOf, wordOf } from '../../texts/members.ts'
import { text } from '../../texts/reports.ts'
import { onDay } from '../overview/DaysPlot.tsx'

export type Sum = keyof typeof text.sums

const ofOrders: readonly Sum[] = [
  'count',
  'quantity',
  'refundedQuantity',
  'grossSales',
  'discounts',
  'netSales',
  'refundedNet',
  'netAfterRefunds',
  'tax',
  'tips',
  'shipping',
  'fees',
  'totalSales',
  'cashRounding',
  'refunded',
  'refundedCashRounding',
  'margin',
  'grossProfit',
]
/** Whether a sum is a number of something, not an amount. */
export const isNumberOf = (sum: Sum): boolean => sum === 'count' || sum === 'quantity' || sum === 'refundedQuantity'

/** Sums that many shops never have: shown only where a group has some. */
const seldom: ReadonlySet<Sum> = new Set([
  'discounts',
  'refundedQuantity',
  'tips',
  'shipping',
  'fees',
  'cashRounding',
  'refundedCashRounding',
  'refundedNet',
])
const ofPayments: readonly Sum[] = ['count', 'paid', 'refunded']

const isOfPayments = ({ groupBy }: SalesGroups): boolean => groupBy.includes('paymentMethod')

/** The sums that a report has: only some groups have a margin. */
export const sumsOf = (report: SalesGroups): readonly Sum[] =>
  (isOfPayments(report) ? ofPayments : ofOrders).filter(
    (sum) =>
      sum === 'count' ||
      report.groups.some((group) => group[sum] !== undefined && !(seldom.has(sum) && isZero(group[sum]))),
  )

/** Sums before refunds that the table leaves out, for want of room: a column beside them has what is left of each. */
const beforeRefunds: ReadonlySet<Sum> = new Set(['netSales', 'margin'])

/** The sum that is compared, and shown in the chart unless another is sorted by. */
export const mainOf = (report: SalesGroups): Sum => (isOfPayments(report) ? 'paid' : 'netAfterRefunds')

/** The sums of the table, the main one next to the names, where a phone shows it too; the CSV has all of them. */
export const shownSumsOf = (report: SalesGroups): readonly Sum[] => {
  const main = mainOf(report)
  const shown = sumsOf(report).filter((sum) => !beforeRefunds.has(sum))
  return shown.toSorted((one, other) => Number(other === main) - Number(one === main))
}

const ofLines: ReadonlySet<string> = new Set(['productId', 'variantId', 'categoryId', 'taxRate'])

/** Whether the API groups by both: payments have no lines. */
export const goTogether = (one: string, other: string): boolean =>
  one !== other && !(one === 'paymentMethod' && ofLines.has(other)) && !(other === 'paymentMethod' && ofLines.has(one))

/** The heading of a sum: what is counted depends on the groups. */
export function sumTitle({ groupBy }: Pick<SalesGroups, 'groupBy'>, sum: Sum): string {
  if (sum !== 'count') return text.sums[sum]
  if (groupBy.includes('paymentMethod')) return text.payments
  return groupBy.some((dimension) => ofLines.has(dimension)) ? text.lines : text.sums.count
}

/** Dimensions whose groups follow one another. */
const ordered: ReadonlySet<string> = new Set(['day', 'week', 'month', 'weekday', 'hour', 'taxRate'])
export const isInOrder = (dimension: string): boolean => ordered.has(dimension)

/** The resource whose records a dimension groups by. */
export const resourceOf = (dimension: string): string | undefined =>
  dimension === 'categoryId' ? 'categories' : referenceOf(dimension)

/** The heading of a dimension. */
export const titleOf = (dimension: string): string =>
  text.dimensions.find(({ value }) => value === dimension)?.label ?? labelOf(dimension)

type Key = string | number | null | undefined
export const keyOf = (group: SalesGroup, dimension: string): Key => group[dimension as 'day']

/** What the record of a dimension is called; undefined if nobody knows. */
export function recordName(group: SalesGroup, dimension: string): string | undefined {
  const joined = (...parts: (string | false | null | undefined)[]) => parts.filter(Boolean).join(' · ') || undefined
  switch (dimension) {
    case 'outletId':
      return joined(group.outletName)
    case 'stationId':
      return joined(group.stationName, group.outletId === undefined && group.stationName && group.outletName)
    case 'sessionId':
      return joined(group.sessionNumber)
    case 'employee':
      return joined(group.employeeName)
    case 'categoryId':
      return joined(group.categoryName)
    case 'productId':
      return joined(group.productName)
    case 'variantId':
      return joined(group.productId === undefined && group.productName, group.variantName ?? group.sku)
    case 'customerId':
      return joined(group.customerName)
  }
}

/** What a group is called. */
export const nameOf = (dimension: string, group: SalesGroup): string =>
  recordName(group, dimension) ?? valueName(dimension, keyOf(group, dimension))

/** What a value of a dimension is called. */
export function valueName(dimension: string, value: Key): string {
  if (value === null || value === undefined) return text.none
  if (dimension === 'paymentMethod') return wordOf(String(value))
  if (dimension === 'day') return onDay(String(value), { dateStyle: 'medium' })
  if (dimension === 'month') return onDay(`${value}-01`, { month: 'long', year: 'numeric' })
  if (dimension === 'taxRate') return rate(Number(value))
  if (dimension === 'hour') return `${String(value).padStart(2, '0')}:00`
  // 1 January 2024 was a Monday.
  if (dimension === 'weekday')
    return new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(new Date(2024, 0, Number(value)))
  return String(value)
}

/** A sum as a number, to sort and to draw; texts stay exact. */
export const numberOf = (group: Partial<SalesGroup> | undefined, sum: Sum): number => Number(group?.[sum] ?? 0)

/** The share by which a sum grew; undefined if there was nothing before, or less than that. */
export function growthOf(group: SalesGroup, sum: Sum): number | undefined {
  const before = numberOf(group.previous, sum)
  return before <= 0 ? undefined : numberOf(group, sum) / before - 1
}

export interface Sort {
  readonly by: string
  readonly isDescending: boolean
}

/** The order in the address; groups that follow one another do so at first, others begin with the greatest. */
export function sortOf(sort: string | undefined, report: SalesGroups): Sort {
  const [first = 'day'] = report.groupBy
  if (sort !== undefined) return { by: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') }
  return isInOrder(first) ? { by: first, isDescending: false } : { by: mainOf(report), isDescending: true }
}

/** The groups in an order; equal ones stay as they were. */
export function sorted(
  report: SalesGroups,
  { by, isDescending }: Sort,
  nameAt: (dimension: string, group: SalesGroup) => string,
): readonly SalesGroup[] {
  const main = mainOf(report)
  const compare = (one: SalesGroup, other: SalesGroup): number => {
    if (by === 'change') return (growthOf(one, main) ?? -2) - (growthOf(other, main) ?? -2)
    if (!(report.groupBy as readonly string[]).includes(by))
      return numberOf(one, by as Sum) - numberOf(other, by as Sum)
    const left = keyOf(one, by)
    const right = keyOf(other, by)
    if (typeof left === 'number' && typeof right === 'number') return left - right
    if (isInOrder(by)) return String(left).localeCompare(String(right))
    return nameAt(by, one).localeCompare(nameAt(by, other))
  }
  return report.groups.toSorted((one, other) => (isDescending ? compare(other, one) : compare(one, other)))
}

interface Total {
  readonly currency: string | undefined
  readonly now: Readonly<Partial<Record<Sum, string>>>
  readonly before: string | undefined
}

/** Dimensions whose groups overlap: a line with two rates, or the sale to a customer with two tags, is in two groups. */
const overlapping: ReadonlySet<string> = new Set(['taxRate', 'tag'])
export const isOverlapping = (dimension: string): boolean => overlapping.has(dimension)

/** The sums of all groups, for each currency; none where groups overlap, because sales would count several times. */
export function totalsOf(report: SalesGroups): readonly Total[] {
  if (report.groupBy.some(isOverlapping)) return []
  const currencies = [...new Set(report.groups.map(({ currency }) => currency))]
  const main = mainOf(report)
  return currencies.map((currency) => {
    const own = report.groups.filter((group) => group.currency === currency)
    const add = (sum: Sum) => sumOf(own.map((group) => group[sum]))
    return {
      currency,
      now: Object.fromEntries(sumsOf(report).map((sum) => [sum, add(sum)])),
      before: report.previous ? sumOf(own.map(({ previous }) => previous?.[main])) : undefined,
    }
  })
}

/** Whether there is anything to draw. */
export const isEmpty = (groups: readonly SalesGroup[], sum: Sum): boolean =>
  groups.every((group) => isZero(group[sum]) && isZero(group.previous?.[sum]))
