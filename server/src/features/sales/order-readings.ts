// What an order that was written as a record means, where it leaves open how its prices are taxed or discounted: of the ways to read it,
// the first one counts that adds up, in refunds, reports, X and Z.

import { amountText, exact, negated, rounded, sumText, times } from '../../core/exact.ts'
import { Problem } from '../../core/problem.ts'
import { withComputed } from './checked-sums.ts'
import { feeAmount } from './priced-items.ts'
import { type QuoteSettings, quoteOf } from './quote.ts'
import type { CustomSale, LineItem, Sale } from './sale.ts'
import { rateKey } from './taxes.ts'

/** The decimals that an amount can have. */
const EXACT_DIGITS = 6

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

/** Whether the lines of an order do not say what is taxed at which rate: they lack amounts of rates, all rates, or a discount on the cart. */
export const leavesTaxesOpen = (order: Sale): boolean =>
  hasOpenRates(order) || hasRatesOfSummary(order) || hasBareDiscount(order)

const linesOf = ({ lineItems = [], customSales = [] }: Sale): readonly Line[] => [...lineItems, ...customSales]

const hasOpenRates = (order: Sale): boolean =>
  linesOf(order).some(({ taxes = [] }) =>
    taxes.some(({ percentage, amount }) => percentage !== undefined && amount === undefined),
  )

/** Whether only the summary of an order names rates. */
const hasRatesOfSummary = (order: Sale): boolean =>
  (order.summary?.taxes ?? []).length > 0 &&
  linesOf(order).length > 0 &&
  linesOf(order).every(({ taxes }) => taxes === undefined)

/** Whether lines have rates, and a discount that none of them has. */
const hasBareDiscount = (order: Sale): boolean =>
  (Number(order.summary?.discountTotal ?? 0) !== 0 || order.cartDiscount !== undefined) &&
  linesOf(order).some(({ taxes = [] }) => taxes.length > 0) &&
  (order.lineItems ?? []).every(({ discount }) => discount === undefined)

/**
 * The order as its refunds read it, in the currency of the company if it has none; as it is if it adds up in no way, unless rates have no
 * amounts.
 */
export function* withLineTaxes<S extends Sale>(order: S, currency: string | undefined): Generator<undefined, S> {
  const read = yield* readStored(order, { currency, taxRounding: 'line' })
  if (!read.addsUp && !hasOpenRates(order)) return order
  // A reading may take lines at what they cost after their discounts.
  return withLines(read.order, ({ subTotal: _, ...line }, list, n) => {
    const { subTotal }: Line = order[list]?.[n] ?? {}
    return subTotal === undefined ? line : { ...line, subTotal }
  })
}

type Line = LineItem & CustomSale
type LineList = 'lineItems' | 'customSales'

const isUnpriced = ({ price, subTotal, total }: Line): boolean => (price ?? subTotal ?? total) === undefined

/** Fees without those that have no amount: they count as nothing, but in a sale they are an error. */
const countedFees = (fees: unknown): unknown[] => [fees].flat().filter((fee) => feeAmount(fee) !== undefined)

/** A line that can be computed with the others: one without any amount as one that costs nothing. */
const readable = ({ fee, ...line }: Line): Line => ({
  ...line,
  ...(fee !== undefined && { fee: countedFees(fee) }),
  ...(isUnpriced(line) && { price: '0.00' }),
})

/** An order with other lines and custom sales. */
function withLines<S extends Sale>(order: S, make: (line: Line, list: LineList, n: number) => Line): S {
  const { lineItems, customSales } = order
  return {
    ...order,
    ...(lineItems && { lineItems: lineItems.map((line, n) => make(line, 'lineItems', n)) }),
    ...(customSales && { customSales: customSales.map((line, n) => make(line, 'customSales', n)) }),
  }
}

function* readOrder<S extends Sale>(order: S, settings: QuoteSettings): Generator<undefined, ReadOrder<S>> {
  let asItIs: S | undefined
  const named = withNamesOfLines(order)
  for (const { sale, taxRounding = settings.taxRounding } of readings(named)) {
    const quote = quoteOf(sale, { ...settings, taxRounding, isStored: true })
    if (quote instanceof Problem) break
    if (sale === named) asItIs ??= quote.computed
    if (!quote.checks.some(({ pointer }) => isOfTotal.test(pointer)))
      return { order: withComputed(withoutUndiscountedTotals(order, sale), quote.computed), addsUp: true }
    yield
  }
  return { order: asItIs === undefined ? order : withComputed(order, asItIs), addsUp: false }
}

/** An order without the totals of its lines, which may be those before a discount on the cart of which no line of the reading has its part. */
function withoutUndiscountedTotals<S extends Sale>(order: S, { cartDiscount }: S): S {
  const { lineItems } = order
  if (!cartDiscount || !lineItems || lineItems.some(({ discount }) => discount?.cartDiscount)) return order
  return { ...order, lineItems: lineItems.map(({ total: _, ...line }) => line) }
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

interface OrderReading<S> {
  readonly sale: S
  readonly taxRounding?: QuoteSettings['taxRounding'] | undefined
}

/** The ways to read an order: what its lines cost, and in each case how they are taxed. */
function* readings<S extends Sale>(order: S): Generator<OrderReading<S>> {
  for (const sale of discountReadings(order)) yield* taxReadings(sale)
}

/** An order as it is; with what only `discountTotal` names; and with lines that cost their totals, whatever their prices. */
function* discountReadings<S extends Sale>(order: S): Generator<S> {
  yield order
  yield* discountTotalReadings(order)
  if (linesOf(order).every((line) => Number(discountInTotal(line)) === 0)) return
  yield withLines(order, ({ price, subTotal, ...line }) =>
    line.total === undefined ? { ...line, ...(price && { price }), ...(subTotal && { subTotal }) } : line,
  )
}

/** An order with the discounts that the totals of its lines have, if these are all; else with the rest of `discountTotal` on the cart. */
function* discountTotalReadings<S extends Sale>(order: S): Generator<S> {
  const { lineItems = [], cartDiscount, summary: { discountTotal = '0' } = {} } = order
  const shares = lineItems
    .flatMap(({ discount = {} }) => [discount.itemDiscount ?? [], discount.cartDiscount ?? []])
    .flat()
  if (cartDiscount || shares.some(({ percentage }) => percentage !== undefined)) return
  const rest = sumText([discountTotal, ...shares.flatMap(({ amount }) => (amount ? negated(amount) : []))], 0)
  if (Number(rest) <= 0) return
  const inTotals = lineItems.map(discountInTotal)
  if (shares.length === 0 && Number(sumText([rest, ...inTotals.map(negated)], 0)) === 0)
    yield withLines(order, (line, list, n) =>
      list === 'lineItems' ? { ...line, discount: { itemDiscount: { amount: inTotals[n] as string } } } : line,
    )
  yield { ...order, cartDiscount: { amount: rest } }
}

/** What a line costs less than its price. */
function discountInTotal({ price, quantity = 1, total }: LineItem): string {
  if (price === undefined || total === undefined) return '0'
  const listed = rounded(times(exact(price), exact(quantity)), EXACT_DIGITS)
  return amountText(listed - rounded(exact(total), EXACT_DIGITS), EXACT_DIGITS)
}

/**
 * The ways to read the taxes of an order: with the rates of the summary on all lines, if none of them names a rate; as it is; and in each
 * case with taxes that prices contain, unless it says otherwise.
 */
function* taxReadings<S extends Sale>(order: S): Generator<OrderReading<S>> {
  const { summary = {} } = order
  const gross = (sale: S): S => ({ ...sale, summary: { ...sale.summary, isTaxInclusive: true } })
  const isGross = summary.isTaxInclusive === undefined
  // Tills round in one way or the other, whatever the company's setting is now.
  const roundings = ['line', 'receipt'] as const
  if (hasRatesOfSummary(order)) {
    const taxes = (summary.taxes ?? []).map(({ amount: _, ...rate }) => rate)
    const taxed = withLines(order, (line) => ({ ...line, taxes }))
    for (const taxRounding of roundings.toReversed()) {
      yield { sale: taxed, taxRounding }
      if (isGross) yield { sale: gross(taxed), taxRounding }
    }
  }
  for (const taxRounding of hasOpenRates(order) ? roundings : [undefined]) {
    yield { sale: order, taxRounding }
    if (isGross) yield { sale: gross(order), taxRounding }
  }
}
