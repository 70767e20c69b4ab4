// What an order sold as sums: its lines, and what only its summary has.
import { currencyDigits } from '../../core/currency.ts'
import { type Exact, plus, times } from '../../core/exact.ts'
import { leavesLinesOpen, withLineTaxes } from '../sales/amounts/order-readings.ts'
import { absolute, amountOf, inUnits, isLess, isZero, minus, one, scaleOf, zero } from './decimals.ts'
import {
  amountIn,
  linesOf,
  listOf,
  noProduct,
  rateOf,
  type SummedItem,
  type SummedLine,
  sumOf,
  taxOf,
} from './lines.ts'

/** The sums of an order as it is stored: where its lines do not say their taxes, as its refunds read them. */
export function* itemsOfStored(order: any): Generator<undefined, SummedItem[]> {
  return itemsOfOrder(leavesLinesOpen(order) ? yield* withLineTaxes(order) : order).items
}

/**
 * The sums of each line of an order, and of a line without a product for what belongs to none: tip, delivery, fees, rounding of cash, and discounts, taxes or
 * amounts that only the summary has. A sum that is missing is zero. An order that does not say whether its prices contain the tax is read
 * as if they do only if it then adds up, and does not otherwise. `most` lines are read.
 */
export function itemsOfOrder(
  order: any,
  most?: number,
): { readonly items: SummedItem[]; readonly isInclusive: boolean } {
  const { isTaxInclusive, total } = order.summary ?? {}
  const isInclusive = isTaxInclusive === true
  const items = itemsRead(order, isInclusive, most)
  const paid = amountOf(total)
  if (isTaxInclusive !== undefined || paid === undefined || isZero(minus(paid, soldIn(items)))) return { items, isInclusive } // biome-ignore format: one thought
  const contained = itemsRead(order, true, most)
  return isZero(minus(paid, soldIn(contained))) ? { items: contained, isInclusive: true } : { items, isInclusive }
}

/** What an order comes to by its items. */
export const soldIn = (items: readonly SummedItem[]): Exact =>
  sumOf(items.flatMap(({ sums }) => ['net', 'tax', 'tip', 'shipping', 'fee'].flatMap((name) => sums[name] ?? [])))

function itemsRead(order: any, isInclusive: boolean, most?: number): SummedItem[] {
  const lines = linesOf(order, most)
  const { subTotal, total, shippingTotal, tip: tips, cashRounding } = order.summary ?? {}
  const netOf = (paid: Exact, tax: Exact) => (isInclusive ? minus(paid, tax) : paid)
  const items = lines.map(({ gross, paid, tax, quantity, isPriced: _, ...line }): SummedItem => {
    const sums = { count: one, gross, discount: minus(gross, paid), net: netOf(paid, tax), tax, quantity }
    return { ...line, sums }
  })
  const tip = amountIn(tips)
  const shipping = amountOf(shippingTotal) ?? zero
  // Fees of lines too: they have no tax, and a refund does not say which line its fees are of.
  const fee = feesOf(order)
  // Lines may name only goods, and the summary what they cost.
  const isBare = lines.every(({ isPriced }) => !isPriced)
  const of = (name: string) => sumOf(items.map(({ sums }) => sums[name] as Exact))
  const paid = isBare ? undefined : amountOf(total)
  const missing = paid && minus(paid, sumOf([of('net'), of('tax'), tip, shipping, fee]))
  const { discount, tax, contained } = onlyInSummary(order, { discount: of('discount'), tax: of('tax') }, isInclusive, missing) // biome-ignore format: one thought
  const gross = isBare ? (amountOf(subTotal) ?? beforeDiscounts()) : contained
  const count = lines.length === 0 ? one : zero
  const ofNone = { count, gross, discount, net: netOf(minus(gross, discount), tax) }
  const rates = ratesOnlyInSummary(order, lines, tax)
  if (!Object.values(ofNone).every(isZero)) items.push({ keys: noProduct, sums: ofNone })
  const extras = { tip, shipping, fee, rounding: amountOf(cashRounding) ?? zero }
  if (!Object.values(extras).every(isZero)) items.push({ keys: noProduct, sums: extras })
  items.push(...rates.map(([rate, tax]) => ({ keys: { ...noProduct, rate }, sums: { tax } })))
  return items.map((item, n) => (n === 0 ? { ...item, sums: { ...item.sums, orders: one } } : item))

  function beforeDiscounts(): Exact {
    const paid = amountOf(total)
    if (paid === undefined) return zero
    const added = sumOf([tip, shipping, fee, isInclusive ? zero : plus(tax, of('tax'))])
    return minus(sumOf([paid, discount, of('discount')]), added)
  }
}

/** The fees of an order. Those of the cart, and those of each line, are added up and rounded once, as a sale does, to the digits of the currency or of the total. */
function feesOf({ currency, cartFees, lineItems, summary }: any): Exact {
  const all = [cartFees, ...listOf(lineItems).map(({ fee }) => fee)].filter((fees) => fees !== undefined)
  if (all.length === 0) return zero
  const digits = Math.max(currencyDigits(currency), scaleOf(amountOf(summary?.total) ?? zero))
  return sumOf(all.map((fees) => inUnits(sumOf([fees].flat().map(amountIn)), digits)))
}

/** A discount, as much of it as the totals of lines are already less by, and a tax. */
type SummaryReading = Readonly<Record<'discount' | 'contained' | 'tax', Exact>>

/**
 * The discount and tax that an order's summary names beyond those of its lines, such as the tax on delivery. Tills fill these members
 * in many ways: of the ways to read them, the first one counts that comes nearest to the total, of which all other amounts lack `missing`.
 */
function onlyInSummary(
  { summary = {}, cartDiscount }: any,
  ofLines: Omit<SummaryReading, 'contained'>,
  isInclusive: boolean,
  missing: Exact | undefined,
): SummaryReading {
  const discounted = amountOf(summary.discountTotal)
  const taxed = taxOf({ totalTax: summary.totalTaxes, taxes: summary.taxes })
  const onCart = amountIn(cartDiscount)
  const beyond = (amount: Exact | undefined, lines: Exact) => (amount && !isZero(amount) ? [minus(amount, lines)] : [])
  const named = discounted ?? onCart
  const discounts = isZero(ofLines.discount)
    ? [{ discount: named, contained: zero }, { discount: named, contained: named }]
    : [...beyond(discounted, ofLines.discount), onCart, zero].map((discount) => ({ discount, contained: zero })) // biome-ignore format: a table
  const taxes = isZero(ofLines.tax) ? [taxed] : [...beyond(taxed, ofLines.tax), zero]
  const readings = discounts.flatMap((discount) => taxes.map((tax) => ({ ...discount, tax })))
  const distance = ({ discount, contained, tax }: SummaryReading) =>
    absolute(minus(plus(missing ?? zero, minus(discount, contained)), isInclusive ? zero : tax))
  return readings.reduce((best, one) => (missing && isLess(distance(one), distance(best)) ? one : best))
}

/**
 * A tax that only the summary names, by the rates that it has beyond the lines, and of lines that have a tax without a rate; without a rate
 * if these do not add up to it.
 */
export function ratesOnlyInSummary(
  { summary }: any,
  lines: readonly Pick<SummedLine, 'taxes' | 'tax'>[],
  tax: Exact,
): [rate: string, tax: Exact][] {
  const unrated = sumOf(lines.filter(({ taxes }) => listOf(taxes).length === 0).map((line) => line.tax))
  if (isZero(tax) && isZero(unrated)) return []
  const rates = new Map<string, Exact>()
  const add = (taxes: unknown, sign: Exact) => {
    for (const tax of listOf(taxes)) {
      const rate = rateOf(tax?.percentage)
      rates.set(rate, plus(rates.get(rate) ?? zero, times(sign, amountIn(tax))))
    }
  }
  add(summary?.taxes, one)
  for (const { taxes } of lines) add(taxes, minus(zero, one))
  const named = sumOf([...rates.values()])
  if (!isZero(minus(named, tax))) {
    if (!isZero(minus(named, plus(tax, unrated)))) return isZero(tax) ? [] : [['', tax]]
    rates.set('', minus(rates.get('') ?? zero, unrated))
  }
  return [...rates].filter(([, tax]) => !isZero(tax))
}
