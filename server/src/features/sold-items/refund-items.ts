// What a refund pays back as sums: its lines, and what only its summary has.
import { type Exact, negated, plus, times } from '../../core/exact.ts'
import { absolute, amountOf, isLess, isZero, minus, zero } from './decimals.ts'
import { amountIn, linesOf, listOf, noProduct, type SummedItem, type SummedLine, sumOf } from './lines.ts'
import { ratesOnlyInSummary } from './order-items.ts'

const opposite = (amount: Exact): Exact => minus(zero, amount)

/** An amount of a refund as it pays back: without its sign if the total is negative. Otherwise a negative tip is a rebate. As on orders. */
export const sizeIn = ({ summary }: any, amount: Exact): Exact =>
  (amountOf(summary?.total) ?? zero).n < 0n ? absolute(amount) : amount

/** What rounding of cash added to what a refund of a total paid back. */
export const roundingOfRefund = (refund: any, total: Exact): Exact =>
  minus(sizeIn(refund, plus(total, amountOf(refund.summary?.cashRounding) ?? zero)), sizeIn(refund, total))

/** The lines of a refund, the first ones, as they are written, and as they pay back. */
export function linesOfRefund(refund: any, most?: number) {
  const lines = linesOf(refund, most)
  // Negative lines are goods that the customer gave in exchange, or vouchers, and pay back less. But in a refund that was
  // written as a record, whose lines have no position, all amounts of lines may be negative.
  const isRecord = listOf(refund.lineItems, most).some(({ position }) => position === undefined)
  const isNegated =
    sumOf(lines.map((line) => worthIn(refund, line))).n < 0n &&
    (isRecord || (amountOf(refund.summary?.total) ?? zero).n < 0n)
  return { lines, isRecord, paidBack: isNegated ? negatedLines(lines) : lines }
}

/** What a line of a refund is worth with its tax. */
const worthIn = ({ summary }: any, { paid, tax }: SummedLine): Exact =>
  summary?.isTaxInclusive === true ? paid : plus(paid, tax)

function negatedLines(lines: readonly SummedLine[]): SummedLine[] {
  const areUnits = areUnitsNegative(lines)
  return lines.map((line) => ({
    ...line,
    paid: opposite(line.paid),
    tax: opposite(line.tax),
    taxes: listOf(line.taxes).map((tax) => ({ ...tax, amount: tax?.amount && negated(String(tax.amount)) })),
    quantity: areUnits ? opposite(line.quantity) : line.quantity,
  }))
}

/** Whether lines with negative amounts have negative quantities too, since prices are not. If nothing is worth anything, the sign of all quantities together decides. */
function areUnitsNegative(lines: readonly SummedLine[]): boolean {
  const worth = sumOf(lines.map(({ quantity, paid, gross }) => times(quantity, isZero(paid) ? gross : paid)))
  return isZero(worth) ? sumOf(lines.map(({ quantity }) => quantity)).n < 0n : worth.n > 0n
}

/**
 * What each line of a refund pays back, with its tax, its units and those of them that went back to stock, and in lines without a product what the
 * refund's total pays back beyond its lines, with how much of that is tip, delivery and fees. Taxes that only the summary has follow, by their rates.
 */
export function itemsOfRefund(refund: any, most?: number): SummedItem[] {
  const { subTotal, discountTotal, total, totalTaxes, isTaxInclusive, tip, shippingTotal } = refund.summary ?? {}
  const paidBack = amountOf(total)
  const { lines, isRecord, paidBack: linesBack } = linesOfRefund(refund, most)
  const items = linesBack.map((line, n): SummedItem => {
    const { keys, taxes, tax: refund_tax, quantity: refund_quantity } = line
    const { position, action } = refund.lineItems?.[n] ?? {}
    // A custom sale is refunded as a product of this name, and a line without ids under its position.
    const isOfNone = keys.product === 'custom-sale' || (keys.product === keys.variant && keys.product === `${position}`)
    const restocked = action === 'REFUND_DAMAGE' ? zero : refund_quantity
    const sums = { refund: worthIn(refund, line), refund_tax, refund_quantity, restocked }
    return { keys: isOfNone ? noProduct : keys, taxes, sums }
  })
  // Tax that no line has, such as that on delivery, is at its own rates.
  const taxed = amountOf(totalTaxes) ?? zero
  const ofLines = sumOf(lines.map(({ tax }) => tax))
  const beyond = isLess(absolute(taxed), absolute(ofLines)) ? zero : minus(absolute(taxed), absolute(ofLines))
  const sign = (amount: Exact) => (taxed.n < 0n ? opposite(amount) : amount)
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
    items.push({ keys: noProduct, sums: { refund: rest, refund_tip, refund_shipping, refund_fee: isFee ? others : zero } }) // biome-ignore format: one thought
  }
  const refund_rounding = roundingOfRefund(refund, paidBack ?? ofItems)
  if (!isZero(refund_rounding)) items.push({ keys: noProduct, sums: { refund_rounding } })
  return [...items, ...ofRates]
}

/** What a refund pays back by its items. */
export const paidBackIn = (items: readonly SummedItem[]): Exact => sumOf(items.flatMap(({ sums }) => sums.refund ?? []))
