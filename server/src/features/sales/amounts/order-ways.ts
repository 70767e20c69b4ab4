// The ways in which an order can be read that leaves open how its prices are taxed or discounted.

import {
  amountText,
  decimalsOf,
  exact,
  negated,
  over,
  percent,
  plus,
  rounded,
  sumText,
  times,
  whole,
} from '../../../core/exact.ts'
import { Problem } from '../../../core/problem.ts'
import { RATES } from '../../../resources/tax-table.ts'
import { type QuoteSettings, quoteOf } from './quote.ts'
import type { CustomSale, LineItem, Sale, Tax } from './sale.ts'

export const linesOf = ({ lineItems = [], customSales = [] }: Sale): readonly Line[] => [...lineItems, ...customSales]

export type Line = LineItem & CustomSale
export type LineList = 'lineItems' | 'customSales'

/** Whether lines name rates without their amounts. */
export const hasOpenRates = (order: Sale): boolean =>
  linesOf(order).some(({ taxes = [] }) =>
    taxes.some(({ percentage, amount }) => percentage !== undefined && amount === undefined),
  )

/** Whether only the summary of an order names rates. */
export const hasRatesOfSummary = (order: Sale): boolean =>
  (order.summary?.taxes ?? []).length > 0 &&
  linesOf(order).length > 0 &&
  linesOf(order).every(({ taxes }) => taxes === undefined)

/** Whether a line without a total has a subtotal that is not its price times its quantity. */
export const hasTwoPrices = ({ price, quantity = 1, subTotal, total }: Line): boolean =>
  total === undefined &&
  subTotal !== undefined &&
  price !== undefined &&
  rounded(times(exact(price), exact(quantity)), decimalsOf(subTotal)) !== rounded(exact(subTotal), decimalsOf(subTotal))

/** An order with other lines and custom sales. */
export function withLines<S extends Sale>(order: S, make: (line: Line, list: LineList, n: number) => Line): S {
  const { lineItems, customSales } = order
  return {
    ...order,
    ...(lineItems && { lineItems: lineItems.map((line, n) => make(line, 'lineItems', n)) }),
    ...(customSales && { customSales: customSales.map((line, n) => make(line, 'customSales', n)) }),
  }
}

interface OrderReading<S> {
  readonly sale: S
  readonly taxRounding?: QuoteSettings['taxRounding'] | undefined
}

/** The ways to read an order: what its lines cost, at their subtotals or else at their prices, and in each case how they are taxed. */
export function* readings<S extends Sale>(
  order: S,
  atSubTotals: S,
  settings: QuoteSettings,
): Generator<OrderReading<S>> {
  for (const sale of discountReadings(atSubTotals)) yield* taxReadings(sale, settings)
  if (!linesOf(order).some(hasTwoPrices)) return
  for (const sale of discountReadings(withOnePrice(order, 'subTotal'))) yield* taxReadings(sale, settings)
}

/** An order whose lines with two prices lack one of them. */
export const withOnePrice = <S extends Sale>(order: S, left: 'price' | 'subTotal'): S =>
  withLines(order, (line) => (hasTwoPrices(line) ? { ...line, [left]: undefined } : line))

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
  const digits = decimalsOf(total)
  return amountText(rounded(times(exact(price), exact(quantity)), digits) - rounded(exact(total), digits), digits)
}

/**
 * The ways to read the taxes of an order: with the rates of the summary, on all lines or each on those whose tax it is, if no line names a
 * rate; as it is; and in each case with taxes that prices contain, unless it says otherwise.
 */
function* taxReadings<S extends Sale>(order: S, settings: QuoteSettings): Generator<OrderReading<S>> {
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
    for (const sale of isGross ? [order, gross(order)] : [order]) {
      const rated = withRatesOfTaxes(sale, taxes, settings)
      if (rated) yield { sale: rated, taxRounding: 'line' }
    }
  }
  for (const taxRounding of hasOpenRates(order) ? roundings : [undefined]) {
    yield { sale: order, taxRounding }
    if (isGross) yield { sale: gross(order), taxRounding }
  }
}

/** An order whose lines each have the rate that comes to their tax; undefined if there is none for one of them. */
function withRatesOfTaxes<S extends Sale>(order: S, rates: readonly Tax[], settings: QuoteSettings): S | undefined {
  if (rates.length > RATES || linesOf(order).every(({ totalTax = '0' }) => Number(totalTax) === 0)) return undefined
  const quote = quoteOf(order, { ...settings, isStored: true })
  if (quote instanceof Problem) return undefined
  let isRated = true
  const rated = withLines(order, (line, list, n) => {
    const { totalTax = '0' } = line
    const cost: string = quote.computed[list]?.[n]?.total ?? '0'
    const rate = rates.find(({ percentage }) => taxAt(cost, percentage, order, decimalsOf(totalTax)) === rounded(exact(totalTax), decimalsOf(totalTax))) // biome-ignore format: one thought
    isRated &&= rate !== undefined || Number(totalTax) === 0
    return { ...line, taxes: rate ? [rate] : [] }
  })
  return isRated ? rated : undefined
}

/** The tax of an amount, which may contain it, rounded to `decimals`. */
function taxAt(amount: string, percentage: number | undefined, { summary }: Sale, decimals: number): bigint {
  const rate = percent(percentage ?? 0)
  const tax = times(exact(amount), rate)
  return rounded(summary?.isTaxInclusive ? over(tax, plus(whole(1n), rate)) : tax, decimals)
}
