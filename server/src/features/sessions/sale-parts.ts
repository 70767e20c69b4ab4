// What an order or a refund adds to the sums of a session: its total, its taxes by rate, and its goods.

import { type Exact, times } from '../../core/exact.ts'
import { amountOf, isZero, minus, one, zero } from '../reports/sums/decimals.ts'
import { amountIn, linesOf, listOf, rateOf, type SummedLine, sumOf, taxOf } from '../reports/sums/lines.ts'
import { itemsOfOrder, soldIn } from '../reports/sums/order-items.ts'
import { itemsOfRefund, linesOfRefund, paidBackIn, roundingOfRefund, sizeIn } from '../reports/sums/refund-items.ts'
import { leavesLinesOpen, withLineTaxes } from '../sales/order-readings.ts'

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

const minusOne = minus(zero, one)
const allOf = (list: unknown): any[] => listOf(list, Number.POSITIVE_INFINITY)

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
  const lines = linesOf(order, Number.POSITIVE_INFINITY)
  const ofSummary = taxOf({ totalTax: summary.totalTaxes, taxes: summary.taxes })
  const tax = isZero(ofSummary) ? sumOf(lines.map(({ tax }) => tax)) : ofSummary
  const { items, isInclusive } = itemsOfOrder(order)
  const { total: whole = soldIn(items), discountTotal, shippingTotal, cashRounding } = amountsIn(summary)
  const total = minus(whole, later.tip)
  const tip = minus(amountIn(summary.tip), later.tip)
  return [
    { kind: 'total', count: one, amounts: [total, discountTotal, tax, tip, shippingTotal, minus(cashRounding, later.rounding)] }, // biome-ignore format: one thought
    ...withTaxesOfSummary(taxesOf(lines, isInclusive), namedTaxes(summary, one), ofSummary),
    ...goodsOf(lines),
  ]
}

/** The parts of a refund, as it pays back. */
export function partsOfRefund(refund: any): RecordParts {
  const { summary = {} } = refund
  const { paidBack } = linesOfRefund(refund, Number.POSITIVE_INFINITY)
  const sized = (amount: Exact) => sizeIn(refund, amount)
  const { total = paidBackIn(itemsOfRefund(refund)), shippingTotal } = amountsIn(summary)
  const rounding = roundingOfRefund(refund, total)
  const ofSummary = sized(taxOf({ totalTax: summary.totalTaxes, taxes: summary.taxes }))
  // Where all amounts are negative, those of goods that were given in exchange are positive.
  const areNegated = total.n < 0n && sumOf(allOf(summary.taxes).map(amountIn)).n < 0n
  return [
    { kind: 'total', count: one, amounts: [sized(total), zero, zero, sized(amountIn(summary.tip)), sized(shippingTotal), rounding] }, // biome-ignore format: one thought
    ...withTaxesOfSummary(
      taxesOf(paidBack, summary.isTaxInclusive === true),
      namedTaxes(summary, areNegated ? minusOne : one),
      ofSummary,
    ),
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

const namedTaxes = ({ taxes }: any, sign: Exact): Part[] =>
  allOf(taxes).map((tax) => taxPart(tax, times(sign, amountIn(tax)), zero))

const taxIn = (taxes: readonly Part[]): Exact => sumOf(taxes.map(({ amounts: [amount = zero] }) => amount))

/**
 * The taxes of lines, and what those of the summary have beyond them, such as the tax on delivery, if these add up to its total. Their names
 * are those of lines with the same rate, so that they count there.
 */
function withTaxesOfSummary(ofLines: readonly Part[], named: readonly Part[], total: Exact): readonly Part[] {
  if (ofLines.length === 0) return named
  if (named.length === 0) return ofLines
  if (isZero(minus(taxIn(ofLines), total)) || !isZero(minus(taxIn(named), total))) return ofLines
  const keyOf = ({ key }: Part) => key
  const byRate = Map.groupBy(ofLines, keyOf)
  const namedByRate = Map.groupBy(named, keyOf)
  const beyond = Array.from(new Set([...byRate.keys(), ...namedByRate.keys()]), (key): Part => {
    const own = byRate.get(key) ?? []
    const all = namedByRate.get(key) ?? []
    const amount = minus(taxIn(all), taxIn(own))
    const name = [...own, ...all].find(({ name }) => name !== undefined)?.name
    return { kind: 'tax', key, name, count: zero, amounts: [amount, zero] }
  })
  return [...ofLines, ...beyond.filter((part) => !isZero(taxIn([part])))]
}
