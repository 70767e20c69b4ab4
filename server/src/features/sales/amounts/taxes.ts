// Taxes of a sale: exact parts of what is taxed, compound by priority, then rounded on each line or once for each rate.

import {
  apportion,
  type Exact,
  over,
  percent,
  plus,
  rounded,
  sum,
  sumOfParts,
  times,
  whole,
} from '../../../core/exact.ts'
import { RATE, RATES } from '../../../resources/tax-table.ts'
import type { Tax } from './sale.ts'
import type { Worksheet } from './worksheet.ts'

/** A line or a custom sale: what it costs after all discounts, and its taxes. */
export interface Taxed {
  readonly at: string
  readonly total: bigint
  readonly taxes: readonly Tax[]
}

interface TaxSettings {
  /** Whether the totals contain the taxes. */
  readonly isInclusive: boolean
  /** Whether taxes are rounded once for each rate of the sale, not on each line. */
  readonly isPerReceipt: boolean
}

const one = whole(1n)
const none = whole(0n)

/** Each tax as a fraction of the price without taxes; compounding taxes also apply to the taxes of lower priority. */
function factors(taxes: readonly Tax[]): Exact[] {
  // Without a priority, taxes are computed in the order of the list.
  const ordered = taxes
    .map((tax, at) => ({ tax, at, priority: tax.priority ?? at + 1 }))
    .sort((a, b) => a.priority - b.priority || a.at - b.at)
  const made: Exact[] = []
  let lower = none
  let equal = none
  let level: number | undefined
  for (const { tax, at, priority } of ordered) {
    if (priority !== level) {
      lower = plus(lower, equal)
      equal = none
      level = priority
    }
    const rate = percent(tax.percentage ?? 0)
    const factor = tax.compounding ? times(rate, plus(one, lower)) : rate
    equal = plus(equal, factor)
    made[at] = factor
  }
  return made
}

/** The exact taxes of a line in minor units. A tax without a percentage is the amount that was sent. */
function exactTaxes({ total, taxes }: Taxed, isInclusive: boolean, sheet: Worksheet): Exact[] {
  const amounts = taxes.map((tax) => (tax.percentage === undefined ? sheet.input(tax.amount) : 0n))
  const parts = factors(taxes)
  const base = whole(isInclusive ? total - sum(amounts) : total)
  const net = isInclusive ? over(base, parts.reduce(plus, one)) : base
  return taxes.map(({ percentage }, n) =>
    percentage === undefined ? whole(amounts[n] as bigint) : times(net, parts[n] as Exact),
  )
}

/** Identifies a rate of the sale: taxes of several lines with the same key are one rate. */
export const rateKey = ({ name, percentage }: Tax): string => JSON.stringify([name, percentage])

/** A rate of the sale, and the sum of its taxes. */
interface RateSum {
  readonly tax: Tax
  amount: bigint
}

/** The sums of taxes by rate; `amounts` are those of each line's taxes. */
export function sumsByRate(
  lines: readonly { readonly taxes: readonly Tax[]; readonly amounts: readonly bigint[] }[],
): Map<string, RateSum> {
  const rates = new Map<string, RateSum>()
  for (const { taxes, amounts } of lines)
    for (const [n, tax] of taxes.entries()) {
      const rate = rates.get(rateKey(tax)) ?? { tax, amount: 0n }
      rate.amount += amounts[n] as bigint
      rates.set(rateKey(tax), rate)
    }
  return rates
}

/** The amount of each tax of each line. The lines of a rate add up to the rate's amount, however it is rounded. */
export function taxAmounts(lines: readonly Taxed[], settings: TaxSettings, sheet: Worksheet): bigint[][] {
  for (const { at, taxes } of lines) checkRates(at, taxes, sheet)
  if (sheet.errors.length > 0) return lines.map(({ taxes }) => taxes.map(() => 0n))
  const exactly = lines.map((line) => exactTaxes(line, settings.isInclusive, sheet))
  if (!settings.isPerReceipt) return exactly.map((taxes) => taxes.map((tax) => rounded(tax)))
  const rates = new Map<string, { line: number; tax: number; part: Exact }[]>()
  for (const [line, { taxes }] of lines.entries())
    for (const [tax, entry] of taxes.entries()) {
      const parts = rates.get(rateKey(entry)) ?? []
      parts.push({ line, tax, part: exactly[line]?.[tax] as Exact })
      rates.set(rateKey(entry), parts)
    }
  const amounts: bigint[][] = lines.map(() => [])
  for (const entries of rates.values()) {
    const parts = entries.map(({ part }) => part)
    const divided = apportion(parts, rounded(sumOfParts(parts)))
    for (const [n, { line, tax }] of entries.entries()) (amounts[line] as bigint[])[tax] = divided[n] as bigint
  }
  return amounts
}

function checkRates(at: string, taxes: readonly Tax[], sheet: Worksheet): void {
  if (taxes.length > RATES) sheet.refuse(`${at}/taxes`, 'maxItems', `must not have more than ${RATES} entries`)
  for (const [n, { percentage }] of taxes.entries())
    if (percentage !== undefined) sheet.boundRate(`${at}/taxes/${n}/percentage`, percentage, RATE)
}
