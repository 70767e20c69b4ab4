// What a refund pays back as sums: its lines, and what only its summary has.
import { type Exact, negated, plus } from '../../../core/exact.ts'
import { absolute, amountOf, isLess, isZero, minus, zero } from './decimals.ts'
import { amountIn, linesOf, listOf, noProduct, type SummedItem, sumOf } from './lines.ts'
import { ratesOnlyInSummary } from './order-items.ts'

/** An amount of a refund as it pays back: without its sign if the total is negative. Otherwise a negative tip is a rebate. As on orders. */
export const sizeIn = ({ summary }: any, amount: Exact): Exact =>
  (amountOf(summary?.total) ?? zero).n < 0n ? absolute(amount) : amount

/** The lines of a refund, the first ones, with what they are worth with their taxes, and whether their amounts are negated. */
export function linesOfRefund(refund: any, most?: number) {
  const { total, isTaxInclusive } = refund.summary ?? {}
  const lines = linesOf(refund, most).map((line) => ({
    ...line,
    signed: isTaxInclusive === true ? line.paid : plus(line.paid, line.tax),
  }))
  // Negative lines are goods that the customer gave in exchange, or vouchers, and pay back less. But in a refund that was
  // written as a record, whose lines have no position, all amounts of lines may be negative.
  const isRecord = listOf(refund.lineItems, most).some(({ position }) => position === undefined)
  const isNegated = sumOf(lines.map(({ signed }) => signed)).n < 0n && (isRecord || (amountOf(total) ?? zero).n < 0n)
  return { lines, isRecord, isNegated }
}

/**
 * What each line of a refund pays back, with its tax, and in a line without a product what the refund's total pays back
 * beyond its lines, and how much of that is tip, delivery and fees. Taxes that only the summary has follow, by their rates.
 */
export function itemsOfRefund(refund: any): SummedItem[] {
  const { subTotal, discountTotal, total, totalTaxes, isTaxInclusive, tip, shippingTotal } = refund.summary ?? {}
  const paidBack = amountOf(total)
  const { lines, isRecord, isNegated } = linesOfRefund(refund)
  const items = lines.map(({ signed, paid, tax, taxes, ...line }, n): SummedItem => {
    const sums = isNegated
      ? { refund: minus(zero, signed), refund_tax: minus(zero, tax) }
      : { refund: signed, refund_tax: tax }
    // A custom sale is refunded as a product of this name, and a line without ids under its position.
    const { product, variant } = line.keys
    const isOfNone =
      product === 'custom-sale' || (product === variant && product === `${refund.lineItems?.[n]?.position}`)
    return { ...line, taxes: isNegated ? negatedTaxes(taxes) : taxes, ...(isOfNone && { keys: noProduct }), sums }
  })
  // Tax that no line has, such as that on delivery, is at its own rates.
  const taxed = amountOf(totalTaxes) ?? zero
  const ofLines = sumOf(lines.map(({ tax }) => tax))
  const beyond = isLess(absolute(taxed), absolute(ofLines)) ? zero : minus(absolute(taxed), absolute(ofLines))
  const sign = (amount: Exact) => (taxed.n < 0n ? minus(zero, amount) : amount)
  const rates = paidBack === undefined ? [] : ratesOnlyInSummary(refund, lines, sign(beyond))
  const ofRates = rates.map(([rate, tax]): SummedItem => {
    const refund_tax = sign(tax)
    return { keys: { ...noProduct, rate }, sums: { refund: refund_tax, refund_tax } }
  })
  const ofItems = paidBackIn([...items, ...ofRates])
  const rest = paidBack && minus(absolute(paidBack), ofItems)
  const refund_tip = sizeIn(refund, amountIn(tip))
  const refund_shipping = sizeIn(refund, amountOf(shippingTotal) ?? zero)
  if (rest && ![rest, refund_tip, refund_shipping].every(isZero)) {
    // The tax that prices contain is paid back with them.
    const others = minus(plus(rest, isTaxInclusive === true ? beyond : zero), plus(refund_tip, refund_shipping))
    // Beside lines with amounts, or a subtotal that discounts took whole, what is left are fees. A total below the lines
    // paid back less than they cost.
    const listed = amountOf(subTotal)
    const isFree = !isRecord && listed !== undefined && isZero(minus(listed, amountOf(discountTotal) ?? zero))
    const isFee = others.n > 0n && (isFree || items.some(({ sums }) => !isZero(sums.refund as Exact)))
    items.push({ keys: noProduct, sums: { refund: rest, refund_tip, refund_shipping, refund_fee: isFee ? others : zero } }) // biome-ignore format: a table
  }
  return [...items, ...ofRates]
}

/** What a refund pays back by its items. */
export const paidBackIn = (items: readonly SummedItem[]): Exact => sumOf(items.flatMap(({ sums }) => sums.refund ?? []))

/** Taxes with amounts of the other sign. */
const negatedTaxes = (taxes: unknown): unknown[] =>
  listOf(taxes).map((tax) => ({ ...tax, amount: tax?.amount && negated(String(tax.amount)) }))
