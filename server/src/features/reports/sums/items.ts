// What the lines of orders and refunds mean as sums: the only place that says which of their members is which amount.
import { currencyDigits } from '../../../core/currency.ts'
import { amountText, decimalText, type Exact, plus, times } from '../../../core/exact.ts'
import { absolute, amountOf, inUnits, isLess, isWithinUnit, isZero, minus, one, zero } from './amounts.ts'
import { scaleOf } from './decimals.ts'
import { REPORT_LINES } from './limits.ts'

/** The keys that distinguish sums: texts by the names of keys. */
type Keys = Readonly<Record<string, string>>
/** Amounts by the names of sums. */
type ItemSums = Readonly<Record<string, Exact>>

/** A line, or the amounts that only the summary of its record has. */
export interface SummedItem {
  readonly keys: Keys
  readonly taxes?: unknown
  readonly sums: ItemSums
}

const noProduct: Keys = { product: '', variant: '' }
const listOf = (value: unknown): any[] => (Array.isArray(value) ? value.slice(0, REPORT_LINES) : [])
const sumOf = (amounts: readonly Exact[]): Exact => amounts.reduce(plus, zero)
/** The sum of amounts; undefined if there is none. */
const sumOfAny = (amounts: readonly (Exact | undefined)[]): Exact | undefined => {
  const known = amounts.filter((amount) => amount !== undefined)
  return known.length === 0 ? undefined : sumOf(known)
}
const amountIn = (object: any): Exact => amountOf(object?.amount) ?? zero
const taxOf = ({ totalTax, taxes }: any): Exact =>
  amountOf(totalTax) ?? sumOfAny((Array.isArray(taxes) ? taxes : []).map((tax: any) => amountOf(tax?.amount))) ?? zero

/** A line: gross is before discounts, paid after them. */
interface SummedLine extends Omit<SummedItem, 'sums'> {
  readonly gross: Exact
  readonly paid: Exact
  readonly tax: Exact
  readonly quantity: Exact
  /** Whether it has an amount. */
  readonly isPriced: boolean
}

function lineOf(line: any, rounding: Rounding): SummedLine {
  const quantity = amountOf(line.quantity) ?? one
  const total = amountOf(line.total)
  const listed = listPrice(line, quantity, total, rounding)
  // Discounts that the line names count only if its other members do not determine them.
  const named = plus(amountIn(line.discount?.itemDiscount), amountIn(line.discount?.cartDiscount))
  const gross = listed ?? (total ? plus(total, named) : zero)
  const paid = total ?? minus(listed ?? zero, named)
  return {
    keys: { product: line.productId ?? '', variant: line.variantId ?? '' },
    taxes: line.taxes,
    gross,
    paid,
    tax: taxOf(line),
    quantity,
    isPriced: (listed ?? total) !== undefined,
  }
}

/**
 * What a line costs before discounts: its subtotal, else its price times its quantity, rounded as its total is; or its total, if that
 * differs only by rounding in either direction, which is not a discount.
 */
function listPrice(
  line: any,
  quantity: Exact,
  total: Exact | undefined,
  { digits, finest }: Rounding,
): Exact | undefined {
  const subTotal = amountOf(line.subTotal)
  const price = amountOf(line.price)
  const listed = subTotal ?? (price && times(price, quantity))
  if (listed === undefined || total === undefined) return listed
  if (isWithinUnit(total, listed, Math.max(finest, scaleOf(total)))) return total
  return subTotal ?? inUnits(listed, Math.max(digits, scaleOf(total)))
}

/** How the amounts of a record's lines are rounded. */
interface Rounding {
  /** Their least number of decimals. */
  readonly digits: number
  /** The decimals up to which a total that differs is rounded, and not discounted. */
  readonly finest: number
}

function roundingOf({ currency, summary }: any): Rounding {
  const total = amountOf(summary?.total)
  const discounts = amountOf(summary?.discountTotal)
  // Those of its currency, or without a currency, of its total.
  const digits = currency || total === undefined ? currencyDigits(currency) : scaleOf(total)
  // If a record says that it has no discount, tills have rounded to whole units where nobody pays with less; the service used to do so for forints and rupees.
  return { digits, finest: discounts && isZero(discounts) ? 0 : digits }
}

/** The lines of a record; custom sales are lines without a product. */
function linesOf(record: any): SummedLine[] {
  const sold = listOf(record.customSales).map(({ quantity, price, total, totalTax, taxes }) => ({
    quantity,
    price,
    total,
    totalTax,
    taxes,
  }))
  const rounding = roundingOf(record)
  return [...listOf(record.lineItems), ...sold].map((line) => lineOf(line, rounding))
}

/**
 * The sums of each line of an order, and of a line without a product for what belongs to none: tip, delivery, fees, and discounts, taxes or
 * amounts that only the summary has. A sum that is missing is zero. An order that does not say whether its prices contain the tax is read
 * as if they do only if it then adds up, and does not otherwise.
 */
export function itemsOfOrder(order: any): SummedItem[] {
  const { isTaxInclusive, total } = order.summary ?? {}
  const added = itemsRead(order, isTaxInclusive === true)
  const paid = amountOf(total)
  if (isTaxInclusive !== undefined || paid === undefined || isZero(minus(paid, soldIn(added)))) return added
  const contained = itemsRead(order, true)
  return isZero(minus(paid, soldIn(contained))) ? contained : added
}

/** What an order comes to by its items. */
const soldIn = (items: readonly SummedItem[]): Exact =>
  sumOf(items.flatMap(({ sums }) => ['net', 'tax', 'tip', 'shipping', 'fee'].flatMap((name) => sums[name] ?? [])))

function itemsRead(order: any, isInclusive: boolean): SummedItem[] {
  const lines = linesOf(order)
  const { subTotal, total, shippingTotal, tip: tips } = order.summary ?? {}
  const netOf = (paid: Exact, tax: Exact) => (isInclusive ? minus(paid, tax) : paid)
  const items = lines.map(({ gross, paid, tax, quantity, isPriced: _, ...line }): SummedItem => {
    const sums = { count: one, gross, discount: minus(gross, paid), net: netOf(paid, tax), tax, quantity }
    return { ...line, sums }
  })
  const tip = amountIn(tips)
  const shipping = amountOf(shippingTotal) ?? zero
  // Fees of lines too: they have no tax, and a refund does not say which line its fees are of.
  const fee = sumOf([order.cartFees, ...listOf(order.lineItems).map((line) => line.fee)].flat().map(amountIn))
  // Lines may name only goods, and the summary what they cost.
  const isBare = lines.every(({ isPriced }) => !isPriced)
  const of = (name: string) => sumOf(items.map(({ sums }) => sums[name] as Exact))
  const paid = isBare ? undefined : amountOf(total)
  const missing = paid && minus(paid, sumOf([of('net'), of('tax'), tip, shipping, fee]))
  const { discount, tax } = onlyInSummary(order, { discount: of('discount'), tax: of('tax') }, isInclusive, missing)
  const gross = isBare ? (amountOf(subTotal) ?? beforeDiscounts()) : zero
  const count = lines.length === 0 ? one : zero
  const ofNone = { count, gross, discount, net: netOf(minus(gross, discount), tax), tip, shipping, fee }
  if (!Object.values(ofNone).every(isZero)) items.push({ keys: noProduct, sums: ofNone })
  const rates = isZero(tax) ? [] : ratesOnlyInSummary(order, lines, tax)
  items.push(...rates.map(([rate, tax]) => ({ keys: { ...noProduct, rate }, sums: { tax } })))
  return items.map((item, n) => (n === 0 ? { ...item, sums: { ...item.sums, orders: one } } : item))

  function beforeDiscounts(): Exact {
    const paid = amountOf(total)
    if (paid === undefined) return zero
    const added = sumOf([tip, shipping, fee, isInclusive ? zero : plus(tax, of('tax'))])
    return minus(sumOf([paid, discount, of('discount')]), added)
  }
}

/** A discount and a tax. */
type SummaryReading = Readonly<Record<'discount' | 'tax', Exact>>

/**
 * The discount and tax that an order's summary names beyond those of its lines, such as the tax on delivery. Tills fill these members
 * in many ways: of the ways to read them, the first one counts that comes nearest to the total, of which all other amounts lack `missing`.
 */
function onlyInSummary(
  { summary = {}, cartDiscount }: any,
  ofLines: SummaryReading,
  isInclusive: boolean,
  missing: Exact | undefined,
): SummaryReading {
  const discounted = amountOf(summary.discountTotal)
  const taxed = taxOf({ totalTax: summary.totalTaxes, taxes: summary.taxes })
  const onCart = amountIn(cartDiscount)
  const beyond = (amount: Exact | undefined, lines: Exact) => (amount && !isZero(amount) ? [minus(amount, lines)] : [])
  const discounts = isZero(ofLines.discount) ? [discounted ?? onCart] : [...beyond(discounted, ofLines.discount), onCart, zero] // biome-ignore format: a table
  const taxes = isZero(ofLines.tax) ? [taxed] : [...beyond(taxed, ofLines.tax), zero]
  const readings = discounts.flatMap((discount) => taxes.map((tax) => ({ discount, tax })))
  const distance = ({ discount, tax }: SummaryReading) =>
    absolute(minus(plus(missing ?? zero, discount), isInclusive ? zero : tax))
  return readings.reduce((best, one) => (missing && isLess(distance(one), distance(best)) ? one : best))
}

/** A tax that only the summary names, by the rates that it has beyond the lines; without a rate if these do not add up to it. */
function ratesOnlyInSummary({ summary }: any, lines: readonly SummedLine[], tax: Exact): [rate: string, tax: Exact][] {
  const rates = new Map<string, Exact>()
  const add = (taxes: unknown, sign: Exact) => {
    for (const tax of listOf(taxes)) {
      const rate = rateOf(tax?.percentage)
      rates.set(rate, plus(rates.get(rate) ?? zero, times(sign, amountIn(tax))))
    }
  }
  add(summary.taxes, one)
  for (const { taxes } of lines) add(taxes, minus(zero, one))
  return isZero(minus(sumOf([...rates.values()]), tax)) ? [...rates].filter(([, tax]) => !isZero(tax)) : [['', tax]]
}

/**
 * What each line of a refund pays back, with its tax, and in a line without a product what the refund's total pays back
 * beyond its lines, and how much of that is tip, delivery and fees.
 */
export function itemsOfRefund(refund: any): SummedItem[] {
  const { subTotal, discountTotal, total, totalTaxes, isTaxInclusive, tip, shippingTotal } = refund.summary ?? {}
  const paidBack = amountOf(total)
  const lines = linesOf(refund).map(({ paid, tax, ...line }) => ({
    ...line,
    paid,
    tax,
    signed: isTaxInclusive === true ? paid : plus(paid, tax),
  }))
  // Negative lines are goods that the customer gave in exchange, or vouchers, and pay back less. But in a refund that was
  // written as a record, whose lines have no position, all amounts of lines may be negative.
  const isRecord = listOf(refund.lineItems).some(({ position }) => position === undefined)
  const isNegated = sumOf(lines.map(({ signed }) => signed)).n < 0n && (isRecord || (paidBack ?? zero).n < 0n)
  const items = lines.map(({ signed, paid, tax, ...line }, n): SummedItem => {
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
  const refund_tip = sized(amountIn(tip))
  const refund_shipping = sized(amountOf(shippingTotal) ?? zero)
  if (rest && ![rest, refund_tip, refund_shipping].every(isZero)) {
    // Tax that no line has, such as that on delivery, is no fee.
    const taxed = absolute(amountOf(totalTaxes) ?? zero)
    const ofLines = absolute(sumOf(lines.map(({ tax }) => tax)))
    const tax = isTaxInclusive === true || isLess(taxed, ofLines) ? zero : minus(taxed, ofLines)
    const others = minus(rest, sumOf([refund_tip, refund_shipping, tax]))
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
export function byRate<T extends SummedItem>(item: T): T[] {
  const { keys, taxes, sums } = item
  if (!Array.isArray(taxes) || taxes.length === 0) return [{ ...item, keys: { rate: '', ...keys } }]
  const rates = Map.groupBy(taxes, (tax: any) => rateOf(tax?.percentage))
  return Array.from(rates, ([rate, own]) => {
    const tax = sumOfAny(own.map((one: any) => amountOf(one?.amount)))
    return { ...item, keys: { ...keys, rate }, sums: tax === undefined ? sums : { ...sums, tax } }
  })
}

/** A percentage without trailing zeros, as reports show it. */
function rateOf(percentage: unknown): string {
  const amount = amountOf(percentage)
  return amount === undefined ? '' : decimalText(amountText(amount.n, scaleOf(amount)))
}
