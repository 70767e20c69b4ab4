// What an order or a refund adds to the sums of a session: its total, its taxes by rate, and its goods.

import { type Exact, plus } from '../../core/exact.ts'
import { leavesLinesOpen, withLineTaxes } from '../sales/amounts/order-readings.ts'
import { amountOf, isZero, minus, one, zero } from '../sold-items/decimals.ts'
import {
  amountIn,
  linesOf,
  listOf,
  rateOf,
  type SummedItem,
  type SummedLine,
  sumOf,
  taxOf,
} from '../sold-items/lines.ts'
import { itemsOfOrder, soldIn } from '../sold-items/order-items.ts'
import { itemsOfRefund, linesOfRefund, paidBackIn, roundingOfRefund, sizeIn } from '../sold-items/refund-items.ts'

/** What sums are grouped by. */
export interface SumGroup {
  readonly kind: 'total' | 'employee' | 'tax' | 'category' | 'product'
  /** Employee, rate, category or product; undefined for records that name none. */
  readonly key: string | undefined
  readonly name: string | undefined
}

/** What a record adds to a sum. */
export interface Part {
  readonly kind: SumGroup['kind']
  readonly key?: string | undefined
  readonly name?: string | undefined
  /** Records, or units. */
  readonly count: Exact
  /** Of a total: `summary.total`, discounts, taxes, tips, delivery and what cash was rounded by; of others the amount, and of a rate its net. */
  readonly amounts: readonly [Exact, ...Exact[]]
}

/** The parts of a record, its total first. */
type RecordParts = [total: Part, ...others: Part[]]

const everyLine = Number.POSITIVE_INFINITY
const allOf = (list: unknown): any[] => listOf(list, everyLine)

/** What later payments added to the cash rounding and to the tip of their orders. */
export interface AddedLater {
  readonly rounding: Exact
  readonly tip: Exact
}

/** The total of records, of which later payments have these parts. */
export const addedPart = ({ rounding, tip }: AddedLater): Part => ({
  kind: 'total',
  count: zero,
  amounts: [tip, zero, zero, tip, zero, rounding],
})

/**
 * The parts of an order in a currency. If its lines leave something open, it is read as its refunds read it. What later payments added
 * counts in their sessions.
 */
export function* partsOfOrder(stored: any, later: AddedLater): Generator<undefined, RecordParts> {
  const order = leavesLinesOpen(stored) ? yield* withLineTaxes(stored) : stored
  const { summary = {} } = order
  const lines = linesOf(order, everyLine)
  const ofSummary = taxOf({ totalTax: summary.totalTaxes, taxes: summary.taxes })
  const tax = isZero(ofSummary) ? sumOf(lines.map(({ tax }) => tax)) : ofSummary
  const { items, isInclusive } = itemsOfOrder(order, everyLine)
  const { total: whole = soldIn(items), discountTotal, shippingTotal, cashRounding } = amountsIn(summary)
  const total = minus(whole, later.tip)
  const tip = minus(amountIn(summary.tip), later.tip)
  return [
    { kind: 'total', count: one, amounts: [total, discountTotal, tax, tip, shippingTotal, minus(cashRounding, later.rounding)] }, // biome-ignore format: one thought
    ...withTaxesOfSummary(taxesOf(lines, isInclusive), items, summary),
    ...goodsOf(lines),
  ]
}

/** The parts of a refund, as it pays back. */
export function partsOfRefund(refund: any): RecordParts {
  const { summary = {} } = refund
  const { paidBack } = linesOfRefund(refund, everyLine)
  const sized = (amount: Exact) => sizeIn(refund, amount)
  const items = itemsOfRefund(refund, everyLine)
  const { total = paidBackIn(items), shippingTotal } = amountsIn(summary)
  const rounding = roundingOfRefund(refund, total)
  return [
    { kind: 'total', count: one, amounts: [sized(total), zero, zero, sized(amountIn(summary.tip)), sized(shippingTotal), rounding] }, // biome-ignore format: one thought
    ...withTaxesOfSummary(taxesOf(paidBack, summary.isTaxInclusive === true), items, summary),
    ...goodsOf(paidBack),
  ]
}

const amountsIn = (summary: any) => ({
  total: amountOf(summary.total),
  discountTotal: amountOf(summary.discountTotal) ?? zero,
  shippingTotal: amountOf(summary.shippingTotal) ?? zero,
  cashRounding: amountOf(summary.cashRounding) ?? zero,
})

const goodsOf = (lines: readonly SummedLine[]): Part[] =>
  lines.map(({ keys, quantity, paid }) => ({
    kind: 'product',
    key: keys.product || undefined,
    count: quantity,
    amounts: [paid],
  }))

const taxPart = (tax: any, amount: Exact, net: Exact): Part => ({
  kind: 'tax',
  key: rateOf(tax?.percentage) || undefined,
  name: tax?.name ?? undefined,
  count: zero,
  amounts: [amount, net],
})

/** The taxes of lines, each with the net of its line. */
const taxesOf = (lines: readonly SummedLine[], isInclusive: boolean): Part[] =>
  lines.flatMap(({ taxes, paid }) => {
    const net = isInclusive ? minus(paid, sumOf(allOf(taxes).map(amountIn))) : paid
    return allOf(taxes).map((tax) => taxPart(tax, amountIn(tax), net))
  })

/**
 * The taxes of lines, and what only the summary has at each rate, such as the tax on delivery, as reports read it. It has the name of the
 * lines' tax of that rate, so that it counts there; rates that no line has are listed as the summary names them.
 */
function withTaxesOfSummary(ofLines: readonly Part[], items: readonly SummedItem[], { taxes }: any): Part[] {
  const beyond = items.flatMap(({ keys: { rate }, sums: { tax, refund_tax = tax } }): Part[] => {
    if (rate === undefined || refund_tax === undefined) return []
    const named = allOf(taxes).filter((tax) => rateOf(tax?.percentage) === rate)
    const sum = sumOf(named.map(amountIn))
    const known = ofLines.find(({ key = '' }) => key === rate)
    const isNegated = isZero(plus(sum, refund_tax))
    if (known === undefined && (isNegated || isZero(minus(sum, refund_tax))))
      return named.map((tax) => taxPart(tax, isNegated ? minus(zero, amountIn(tax)) : amountIn(tax), zero))
    const name = known?.name ?? named.find((tax) => tax?.name !== undefined)?.name
    return [taxPart({ percentage: rate, name }, refund_tax, zero)]
  })
  return [...ofLines, ...beyond]
}
