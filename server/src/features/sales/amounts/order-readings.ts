// What an order that was written as a record means, where it leaves open how its prices are taxed or discounted: of the ways to read it,
// the first one counts that adds up, in refunds, reports, X and Z.

import { sumText } from '../../../core/exact.ts'
import { Problem } from '../../../core/problem.ts'
import { withComputed } from './checked-sums.ts'
import {
  hasOpenRates,
  hasRatesOfSummary,
  hasTwoPrices,
  type Line,
  linesOf,
  readings,
  withLines,
  withOnePrice,
} from './order-ways.ts'
import { feeAmount } from './priced-items.ts'
import { type QuoteSettings, quoteOf } from './quote.ts'
import type { Sale } from './sale.ts'
import { rateKey } from './taxes.ts'

/** A check of what an order comes to. */
const isOfTotal = /^\/summary\/(total$|totalTaxes$|taxes\/)/

/**
 * The order with the amounts that it lacks. One that cannot be computed stays as it is, and so do lines without any amount. An order may
 * be long: it pauses after each way to read it.
 */
export function* completedOrder<S extends Sale>(stored: S, settings: QuoteSettings): Generator<undefined, S> {
  return (yield* readStored(stored, settings)).order
}

/** An order as it was read, and whether it adds up so. */
interface ReadOrder<S> {
  readonly order: S
  readonly addsUp: boolean
}

function* readStored<S extends Sale>(stored: S, settings: QuoteSettings): Generator<undefined, ReadOrder<S>> {
  const fees = countedFees(stored.cartFees)
  const read = yield* readOrder(withLines({ ...withTotalTaxes(stored), cartFees: fees }, readable), settings)
  const order = withLines(read.order, (line, list, n) => {
    const own: Line = stored[list]?.[n] ?? {}
    if (isUnpriced(own)) return own
    return own.price === undefined ? line : { ...line, price: own.price }
  })
  return { ...read, order }
}

/**
 * Whether the lines of an order do not say what they cost, or what is taxed at which rate: they lack amounts of rates, all rates, or a
 * discount on the cart, or have two prices.
 */
export const leavesLinesOpen = (order: Sale): boolean =>
  hasOpenRates(order) || hasRatesOfSummary(order) || hasBareDiscount(order) || linesOf(order).some(hasTwoPrices)

/** Whether lines have rates, and a discount that none of them has. */
const hasBareDiscount = (order: Sale): boolean =>
  (Number(order.summary?.discountTotal ?? 0) !== 0 || order.cartDiscount !== undefined) &&
  linesOf(order).some(({ taxes = [] }) => taxes.length > 0) &&
  (order.lineItems ?? []).every(({ discount }) => discount === undefined)

/** The order in its currency as its refunds read it; as it is if it adds up in no way, unless rates have no amounts. */
export function* withLineTaxes<S extends Sale>(order: S): Generator<undefined, S> {
  const read = yield* readStored(order, { taxRounding: 'line' })
  if (!read.addsUp && !hasOpenRates(order)) return order
  // A reading may take lines at what they cost after their discounts.
  return withLines(read.order, ({ subTotal, ...line }, list, n) => {
    const own: Line = order[list]?.[n] ?? {}
    return own.subTotal === undefined || subTotal === undefined ? line : { ...line, subTotal }
  })
}

const isUnpriced = ({ price, subTotal, total }: Line): boolean => (price ?? subTotal ?? total) === undefined

/** Fees without those that have no amount: they count as nothing, but in a sale they are an error. */
const countedFees = (fees: unknown): unknown[] => [fees].flat().filter((fee) => feeAmount(fee) !== undefined)

/** A line that can be computed with the others: one without any amount as one that costs nothing, and with the tax that its rates have. */
function readable({ fee, ...line }: Line): Line {
  const { totalTax, taxes = [] } = line
  const ofRates = taxes.flatMap(({ amount }) => amount ?? [])
  return {
    ...line,
    ...(fee !== undefined && { fee: countedFees(fee) }),
    ...(isUnpriced(line) && { price: '0.00' }),
    ...(totalTax === undefined &&
      ofRates.length > 0 &&
      ofRates.length === taxes.length && { totalTax: sumText(ofRates, 0) }),
  }
}

function* readOrder<S extends Sale>(order: S, settings: QuoteSettings): Generator<undefined, ReadOrder<S>> {
  let asItIs: S | undefined
  const named = withNamesOfLines(order)
  const atSubTotals = withOnePrice(named, 'price')
  for (const { sale, taxRounding = settings.taxRounding } of readings(named, atSubTotals, settings)) {
    const quote = quoteOf(sale, { ...settings, taxRounding, isStored: true })
    if (quote instanceof Problem) break
    if (sale === atSubTotals) asItIs ??= quote.computed
    if (!quote.checks.some(({ pointer }) => isOfTotal.test(pointer)))
      return { order: withComputed(withoutOtherAmounts(order, sale), quote.computed), addsUp: true }
    yield
  }
  return { order: asItIs === undefined ? order : withComputed(order, asItIs), addsUp: false }
}

/**
 * An order without the amounts of its lines that are not those of a reading: subtotals beside other prices, and totals, which may be those
 * before a discount on the cart of which no line of the reading has its part.
 */
function withoutOtherAmounts<S extends Sale>(order: S, sale: S): S {
  const atPrices = withLines(order, (line, list, n) => {
    const read: Line = sale[list]?.[n] ?? {}
    const { subTotal: _, ...others } = line
    return read.subTotal === undefined && hasTwoPrices(line) ? others : line
  })
  const { lineItems } = atPrices
  if (!sale.cartDiscount || !lineItems || lineItems.some(({ discount }) => discount?.cartDiscount)) return atPrices
  return { ...atPrices, lineItems: lineItems.map(({ total: _, ...line }) => line) }
}

/** An order whose summary names rates as its lines do, which may leave out the name or the percentage, or have another name. */
function withNamesOfLines<S extends Sale>(order: S): S {
  const rates = linesOf(order).flatMap(({ taxes = [] }) => taxes)
  if (rates.length === 0 || !order.summary?.taxes) return order
  const keys = new Set(rates.map(rateKey))
  const taxes = order.summary.taxes.map((tax) => {
    if (keys.has(rateKey(tax))) return tax
    const own = rates.find(({ name, percentage }) => percentage === tax.percentage || (percentage === undefined && name === tax.name)) // biome-ignore format: one thought
    return own ? { ...tax, name: own.name, percentage: own.percentage } : tax
  })
  return { ...order, summary: { ...order.summary, taxes } }
}

/** An order with its taxes as a total, which its summary may only list. */
function withTotalTaxes<S extends Sale>(order: S): S {
  const { totalTaxes, taxes = [] } = order.summary ?? {}
  const amounts = taxes.flatMap(({ amount }) => amount ?? [])
  if (totalTaxes !== undefined || amounts.length === 0) return order
  return { ...order, summary: { ...order.summary, totalTaxes: sumText(amounts, 0) } }
}
