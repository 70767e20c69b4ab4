// What the lines of orders and refunds mean as sums: the only place that says which of their members is which amount.
import { currencyDigits } from '../../../core/currency.ts'
import { amountText, decimalText, type Exact, plus, times } from '../../../core/exact.ts'
import { absolute, amountOf, isWithinUnit, isZero, minus, one, zero } from './amounts.ts'
import { scaleOf } from './decimals.ts'
import { REPORT_LINES } from './limits.ts'

/** The keys that distinguish sums: texts by the names of keys. */
export type Keys = Readonly<Record<string, string>>
/** Amounts by the names of sums. */
export type Sums = Readonly<Record<string, Exact>>

/** A line, or the amounts that only the summary of its record has. */
export interface Item {
  readonly keys: Keys
  readonly name?: string
  readonly taxes?: unknown
  readonly sums: Sums
}

const noProduct: Keys = { product: '', variant: '' }
const listOf = (value: unknown): any[] => (Array.isArray(value) ? value.slice(0, REPORT_LINES) : [])
export const sumOf = (amounts: readonly Exact[]): Exact => amounts.reduce(plus, zero)
/** The sum of amounts; undefined if there is none. */
const sumOfAny = (amounts: readonly (Exact | undefined)[]): Exact | undefined => {
  const known = amounts.filter((amount) => amount !== undefined)
  return known.length === 0 ? undefined : sumOf(known)
}
const amountIn = (object: any): Exact => amountOf(object?.amount) ?? zero
const taxOf = ({ totalTax, taxes }: any): Exact =>
  amountOf(totalTax) ?? sumOfAny((Array.isArray(taxes) ? taxes : []).map((tax: any) => amountOf(tax?.amount))) ?? zero

/** A line: gross is before discounts, paid after them. */
interface Line extends Omit<Item, 'sums'> {
  readonly gross: Exact
  readonly paid: Exact
  readonly tax: Exact
  readonly quantity: Exact
  /** Whether it has an amount. */
  readonly isPriced: boolean
}

function lineOf(line: any, decimals: number): Line {
  const quantity = amountOf(line.quantity) ?? one
  const [price, total] = [amountOf(line.price), amountOf(line.total)]
  const listed = listPrice(amountOf(line.subTotal) ?? (price && times(price, quantity)), total, decimals)
  // Discounts that the line names count only if its other members do not determine them.
  const named = plus(amountIn(line.discount?.itemDiscount), amountIn(line.discount?.cartDiscount))
  const [gross, paid] = [listed ?? (total ? plus(total, named) : zero), total ?? minus(listed ?? zero, named)]
  return {
    keys: { product: line.productId ?? '', variant: line.variantId ?? '' },
    name: line.name,
    taxes: line.taxes,
    gross,
    paid,
    tax: taxOf(line),
    quantity,
    isPriced: (listed ?? total) !== undefined,
  }
}

/**
 * What a line costs before discounts; or its total, if that differs only by rounding to `decimals` in either direction,
 * which is not a discount.
 */
function listPrice(listed: Exact | undefined, total: Exact | undefined, decimals: number): Exact | undefined {
  return listed && total && isWithinUnit(total, listed, Math.max(decimals, scaleOf(total))) ? total : listed
}

/**
 * The least number of decimals of a record's amounts: those of its currency, or without a currency, of its total. Zero
 * if the record says that it has no discount: tills round to whole units where nobody pays with less, and the service
 * used to do so for forints and rupees.
 */
function decimalsOf({ currency, summary }: any): number {
  const discounts = amountOf(summary?.discountTotal)
  if (discounts && isZero(discounts)) return 0
  const total = amountOf(summary?.total)
  return currency || total === undefined ? currencyDigits(currency) : scaleOf(total)
}

/** The lines of a record; custom sales are lines without a product. */
function linesOf(record: any): Line[] {
  const sold = listOf(record.customSales).map(({ quantity, price, total, totalTax, taxes }) => ({ quantity, price, total, totalTax, taxes })) // biome-ignore format: one thought
  const decimals = decimalsOf(record)
  return [...listOf(record.lineItems), ...sold].map((line) => lineOf(line, decimals))
}

/** The sums of each line of an order, and of a line without a product for what belongs to none: tip, delivery, fees, and discounts, taxes or amounts that only the summary has. A sum that is missing is zero. */
export function itemsOfOrder(order: any): Item[] {
  const lines = linesOf(order)
  const { subTotal, total, totalTaxes, discountTotal, shippingTotal, tip: tips, isTaxInclusive } = order.summary ?? {}
  const netOf = (paid: Exact, tax: Exact) => (isTaxInclusive === true ? minus(paid, tax) : paid)
  const items = lines.map(({ gross, paid, tax, quantity, isPriced: _, ...line }): Item => {
    const sums = { count: one, gross, discount: minus(gross, paid), net: netOf(paid, tax), tax, quantity }
    return { ...line, sums }
  })
  const [taxes, discounts] = [amountOf(totalTaxes) ?? zero, amountOf(discountTotal)]
  const [tip, shipping] = [amountIn(tips), amountOf(shippingTotal) ?? zero]
  // Fees of lines too: they have no tax, and a refund does not say which line its fees are of.
  const fee = sumOf([order.cartFees, ...listOf(order.lineItems).map((line) => line.fee)].flat().map(amountIn))
  // Lines may name only goods, and the summary what they cost.
  const isBare = lines.every(({ isPriced }) => !isPriced)
  const of = (name: string) => sumOf(items.map(({ sums }) => sums[name] as Exact))
  const discount = isZero(of('discount')) ? (discounts ?? amountIn(order.cartDiscount)) : zero
  const tax = isZero(of('tax')) ? taxes : zero
  const gross = isBare ? (amountOf(subTotal) ?? beforeDiscounts()) : zero
  if (lines.length === 0 || ![gross, discount, tax, tip, shipping, fee].every(isZero)) {
    const sums = { count: lines.length === 0 ? one : zero, gross, discount, net: netOf(minus(gross, discount), tax), tax, tip, shipping, fee } // biome-ignore format: a table
    items.push({ keys: noProduct, sums })
  }
  return items

  function beforeDiscounts(): Exact {
    const paid = amountOf(total)
    if (paid === undefined) return zero
    const added = sumOf([tip, shipping, fee, isTaxInclusive === true ? zero : plus(tax, of('tax'))])
    return minus(sumOf([paid, discount, of('discount')]), added)
  }
}

/**
 * What each line of a refund pays back, with its tax, and in a line without a product what the refund's total pays back
 * beyond its lines, and how much of that is tip, delivery and fees.
 */
export function itemsOfRefund(refund: any): Item[] {
  const { subTotal, discountTotal, total, isTaxInclusive, tip, shippingTotal } = refund.summary ?? {}
  const paidBack = amountOf(total)
  const lines = linesOf(refund).map(({ paid, tax, ...line }) => ({
    ...line,
    paid,
    signed: isTaxInclusive === true ? paid : plus(paid, tax),
  }))
  // Negative lines are goods that the customer gave in exchange, or vouchers, and pay back less. But in a refund that was
  // written as a record, whose lines have no position, all amounts of lines may be negative.
  const isRecord = listOf(refund.lineItems).some(({ position }) => position === undefined)
  const isNegated = sumOf(lines.map(({ paid }) => paid)).n < 0n && (isRecord || (paidBack ?? zero).n < 0n)
  const items = lines.map(({ signed, paid, ...line }, n): Item => {
    const worth = isNegated ? minus(zero, signed) : signed
    // A custom sale is refunded as a product of this name, and a line without ids under its position.
    const { product, variant } = line.keys
    const isOfNone =
      product === 'custom-sale' || (product === variant && product === `${refund.lineItems?.[n]?.position}`)
    return { ...line, ...(isOfNone && { keys: noProduct }), sums: { refund: worth } }
  })
  const rest = paidBack && minus(absolute(paidBack), sumOf(items.map(({ sums }) => sums.refund as Exact)))
  // As on orders and in X and Z (`paidBack`): a tip can be negative, which is a rebate.
  const sized = (amount: Exact) => ((paidBack ?? zero).n < 0n ? absolute(amount) : amount)
  const [refund_tip, refund_shipping] = [sized(amountIn(tip)), sized(amountOf(shippingTotal) ?? zero)]
  if (rest && ![rest, refund_tip, refund_shipping].every(isZero)) {
    const others = minus(rest, plus(refund_tip, refund_shipping))
    // Beside lines with amounts, or a subtotal that discounts took whole, what is left are fees. A total below the lines
    // paid back less than they cost.
    const listed = amountOf(subTotal)
    const isFree = !isRecord && listed !== undefined && isZero(minus(listed, amountOf(discountTotal) ?? zero))
    const isFee = others.n > 0n && (isFree || items.some(({ sums }) => !isZero(sums.refund as Exact)))
    items.push({ keys: noProduct, sums: { refund: rest, refund_tip, refund_shipping, refund_fee: isFee ? others : zero } }) // biome-ignore format: a table
  }
  return items
}

/** An item by its tax rates, as a further key, with its tax at each; a rate is '' if there is none. */
export function byRate({ keys, taxes, sums }: Item): Item[] {
  if (!Array.isArray(taxes) || taxes.length === 0) return [{ keys: { ...keys, rate: '' }, sums }]
  const rates = Map.groupBy(taxes, (tax: any) => rateOf(tax?.percentage))
  return Array.from(rates, ([rate, own]) => {
    const tax = sumOfAny(own.map((one: any) => amountOf(one?.amount)))
    return { keys: { ...keys, rate }, sums: tax === undefined ? sums : { ...sums, tax } }
  })
}

/** A percentage without trailing zeros, as reports show it. */
function rateOf(percentage: unknown): string {
  const amount = amountOf(percentage)
  return amount === undefined ? '' : decimalText(amountText(amount.n, scaleOf(amount)))
}
