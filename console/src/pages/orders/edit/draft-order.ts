// The items of an order while they are edited, and the body with which the service computes them: what it computes is left out.
import type { Variant } from '../../../api/schemas.ts'
import type { FoundVariant } from '../../../parts/variant-search.ts'
import { amountOf, entriesOf, textOf } from '../entries.ts'

/** An order, or what one begins with, or a part of it. */
export type Entry = Readonly<Record<string, any>>

export interface DraftLine {
  /** For React: lines have no name but their place. */
  readonly key: string
  readonly list: 'lineItems' | 'customSales'
  /** The line as it was, or as a new one begins; members that are not edited stay. */
  readonly base: Entry
  readonly price: unknown
  readonly quantity: unknown
  /** The line's own discount in percent; undefined where it has none, or one that is an amount. */
  readonly percentage: unknown
}

export interface DraftOrder {
  readonly lines: readonly DraftLine[]
  /** The discount on the whole order in percent. */
  readonly percentage: unknown
}

const percentageOf = (discount: Entry | undefined): number | undefined =>
  typeof discount?.percentage === 'number' && discount.percentage !== 0 ? discount.percentage : undefined

export function draftOf(order: Entry): DraftOrder {
  const of = (list: DraftLine['list']) =>
    entriesOf(order[list]).map(
      (base, n): DraftLine => ({
        key: `${list} ${n}`,
        list,
        base: { ...base, taxes: taxesOf(base, order) },
        price: base.price,
        quantity: base.quantity ?? 1,
        percentage: percentageOf(base.discount?.itemDiscount),
      }),
    )
  return {
    lines: [...of('lineItems'), ...of('customSales')],
    percentage: percentageOf(order.cartDiscount),
  }
}

/**
 * The taxes of a line of an order, without what the service computes. If its total is stored, its lines
 * keep the taxes that it says, which may be none, as in an import; undefined gives the line those of tax tables.
 */
function taxesOf({ taxes, totalTax }: Entry, { summary, lineItems, customSales }: Entry): readonly Entry[] | undefined {
  // A tax without a percentage is its amount.
  const rates = (list: unknown) =>
    entriesOf(list).map((tax) => (tax.percentage === undefined ? tax : without(tax, ['amount'])))
  if (taxes !== undefined) return rates(taxes)
  if (textOf(summary?.total) === undefined) return undefined
  if (amountOf(totalTax) !== undefined) return [{ amount: totalTax }]
  const lines = [...entriesOf(lineItems), ...entriesOf(customSales)]
  const ofOrder = entriesOf(summary.taxes)
  const isOfOrder = lines.every((line) => line.taxes === undefined && amountOf(line.totalTax) === undefined)
  if (!isOfOrder) return []
  // Rates that only the order names are those of all its lines.
  if (ofOrder.length > 0 && ofOrder.every(({ percentage }) => percentage !== undefined)) return rates(ofOrder)
  // Of taxes without rates nobody knows which lines they are for.
  return amountOf(summary.totalTaxes) === undefined && ofOrder.length === 0 ? [] : undefined
}

/** A line that sells one unit of a variant; the service finds the taxes that apply. */
export function lineOf({ variant, name, product }: FoundVariant, key: string): DraftLine {
  const { id, productId, sku, attributes } = variant
  const description = (attributes ?? []).flatMap(({ value }) => value ?? []).join(' / ')
  const base = {
    productId,
    variantId: id,
    name: product || name,
    ...(sku && { sku }),
    ...(description && { description }),
  }
  return { key, list: 'lineItems', base, price: priceOf(variant), quantity: 1, percentage: undefined }
}

const priceOf = ({ price, salePrice, isOnSale }: Variant): string | undefined => {
  const now = isOnSale === true ? (salePrice ?? price) : price
  return now === undefined ? undefined : String(now)
}

/** Members of a line and of the summary that follow from the others. */
const computed = ['subTotal', 'total', 'totalTax']
const computedSums = ['total', 'subTotal', 'totalTaxes', 'discountTotal', 'taxes', 'cashRounding']

const without = (entry: Entry, names: readonly string[]): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)))

function lineBody({ base, price, quantity, percentage, list }: DraftLine): Entry {
  const { discount, ...rest } = without(base, computed)
  const kept = { ...rest, price, quantity }
  if (list === 'customSales') return kept
  const before = discount?.itemDiscount
  // A discount that was given as an amount stays one until a percentage replaces it.
  const own = percentage !== undefined ? { percentage } : percentageOf(before) === undefined ? before : undefined
  return { ...kept, ...(own && { discount: { itemDiscount: own } }) }
}

/** The body of `POST /v1/sale/quote`. */
export function quoteBody(order: Entry, { lines, percentage }: DraftOrder): Entry {
  const { currency, outletId, customerId, summary = {}, cartFees, cartDiscount } = order
  const of = (list: DraftLine['list']) => lines.filter((line) => line.list === list).map(lineBody)
  const isAmount = percentageOf(cartDiscount) === undefined && amountOf(cartDiscount?.amount) !== undefined
  const label = textOf(cartDiscount?.label)
  return {
    ...(currency && { currency }),
    ...(outletId && { outletId }),
    ...(customerId && { customerId }),
    lineItems: of('lineItems'),
    customSales: of('customSales'),
    summary: without(summary, computedSums),
    ...(cartFees && { cartFees }),
    ...(percentage !== undefined && { cartDiscount: { ...(label && { label }), percentage } }),
    ...(percentage === undefined && isAmount && { cartDiscount }),
  }
}

/** Where the problems of a line's members are in that body. */
export function pointerOf({ lines }: DraftOrder, line: DraftLine): string {
  const own = lines.filter(({ list }) => list === line.list)
  return `/${line.list}/${own.indexOf(line)}`
}
