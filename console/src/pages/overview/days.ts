// The days of a report of sales in one currency: each day of the period, also those without sales, and their sums.
import type { SalesGroup, SalesGroups } from '../../api/sales-report.ts'
import { sumOf } from '../../parts/decimal.ts'

/** `count` is the number of orders. */
export type Sums = Required<Pick<SalesGroup, 'netAfterRefunds' | 'grossSales' | 'refunded' | 'count'>>

export interface Day extends Sums {
  readonly date: string
}

const sumsOf = (some: readonly (Partial<SalesGroup> | undefined)[]): Sums => ({
  netAfterRefunds: sumOf(some.map((one) => one?.netAfterRefunds)),
  grossSales: sumOf(some.map((one) => one?.grossSales)),
  refunded: sumOf(some.map((one) => one?.refunded)),
  count: some.reduce((sum, one) => sum + (one?.count ?? 0), 0),
})

/** The groups in the company's currency. */
export const ownGroups = ({ groups, currency: own }: SalesGroups): readonly SalesGroup[] =>
  groups.filter(({ currency }) => currency === own)

/** The sums of each day, from a report by day. */
export function daysOf(report: SalesGroups): Day[] {
  const found = new Map(ownGroups(report).map((group) => [group.day, group]))
  const days: Day[] = []
  for (let at = Date.parse(report.from); at <= Date.parse(report.to); at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10)
    days.push({ date, ...sumsOf([found.get(date)]) })
  }
  return days
}

/** The sums of the whole period, and of the one before. */
export const totalsOf = (report: SalesGroups) => ({
  now: sumsOf(ownGroups(report)),
  before: sumsOf(ownGroups(report).map(({ previous }) => previous)),
})

/** The sums in each of the other currencies. */
export function othersOf({ groups, currency: own }: SalesGroups): (Sums & { readonly currency: string | undefined })[] {
  const others = new Set(groups.map(({ currency }) => currency).filter((currency) => currency !== own))
  return [...others].map((currency) => ({
    currency,
    ...sumsOf(groups.filter((group) => group.currency === currency)),
  }))
}
