// Lines and custom sales of a sale with their prices, discounts and taxes, before the taxes are computed.

import {
  apportion,
  type Exact,
  exact,
  limitedTo,
  percent,
  plus,
  rounded,
  sum,
  times,
  whole,
} from '../../../core/exact.ts'
import { decimalPattern } from '../../../core/json-schema.ts'
import { stepTo } from '../../../core/problem.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { variantCodes } from '../../../resources/variant-codes.ts'
import { misnamedPrice, notCounted } from './misnamed.ts'
import type { CustomSale, LineItem, Sale, Share, Tax } from './sale.ts'
import type { Taxed } from './taxes.ts'
import type { Worksheet } from './worksheet.ts'

/** A tax table, as far as a sale needs it. */
export interface TaxTable {
  readonly id: string
  readonly name: string
  readonly isTaxInclusive?: boolean
  readonly rates?: readonly Tax[]
}

/** The tax table of each product whose lines send no taxes; under `''`, that of what is sold without a product. */
export type TaxTables = ReadonlyMap<string, TaxTable>

/** A line or custom sale: `total` is `subTotal` after the two discounts, all in minor units. */
export interface PricedItem<Sent extends LineItem | CustomSale = LineItem | CustomSale> extends Taxed {
  readonly sent: Sent
  /** The table that its taxes come from. */
  readonly table: TaxTable | undefined
  /** Its tax as it was sent, if it names no rates. */
  readonly bareTax: bigint
  readonly subTotal: bigint
  readonly itemDiscount: bigint
  readonly cartDiscount: bigint
  readonly fee: bigint
}

/** The taxes of an item: its own, else those of a table. */
function taxesOf(sent: LineItem | CustomSale, table: TaxTable | undefined, sheet: Worksheet) {
  const isUnknown = sent.taxes === undefined && table === undefined
  return {
    table: sent.taxes === undefined ? table : undefined,
    taxes: sent.taxes ?? table?.rates?.map((rate) => taxOf(table, rate)) ?? [],
    bareTax: isUnknown ? sheet.input(sent.totalTax) : 0n,
  }
}

const taxOf = ({ id, name }: TaxTable, rate: Tax): Tax => ({ ...rate, taxTableId: id, taxTableName: name })

/** `price` × `quantity`; without a price, the amount that was entered. `unpriced` says why an item needs one of them. */
function priceOf(
  at: string,
  sent: LineItem | CustomSale,
  entered: bigint | undefined,
  sheet: Worksheet,
  unpriced: () => string,
): bigint {
  const { price, quantity = 1 } = sent
  if (price !== undefined) return rounded(times(exact(price), exact(quantity)), sheet.digits)
  if (entered !== undefined) return entered
  const other = misnamedPrice(sent)
  if (other === undefined) sheet.refuse(`${at}/price`, 'required', unpriced())
  else sheet.refuse(stepTo(other, at), 'unknown', notCounted('price'))
  return 0n
}

/** Why a line did not get the current price of a variant. Lines with a code that a variant has were given its id before. */
function unpricedLine(line: LineItem, { currency, summary }: Sale, companyCurrency: string | undefined): string {
  const { variantId, productId, quantity = 1 } = line
  if (summary?.total !== undefined) return 'is required, since the sale sends summary.total'
  if (quantity < 0) return 'is required for goods that come back (a negative quantity)'
  const code = variantCodes.find((name) => (line as JsonObject)[name])
  if (variantId === undefined && code === undefined)
    return 'is required, unless the line names a variant that has a price'
  const variant = `no variant of ${productId ? 'this product' : 'the company'}`
  if (variantId === undefined) return `is required, since ${variant} has this ${code}`
  if (currency !== undefined && currency !== companyCurrency)
    return `is required in ${currency}, since variants have their prices in ${companyCurrency}`
  return `is required, since ${variant} with this variantId has a current price`
}

/** The price of a line that has only its amount: before discounts, or after the discounts that it names. */
function enteredPrice({ subTotal, total, discount }: LineItem, sheet: Worksheet): bigint | undefined {
  if (subTotal !== undefined) return sheet.input(subTotal)
  if (total === undefined) return undefined
  return sum([total, discount?.itemDiscount?.amount, discount?.cartDiscount?.amount].map((one) => sheet.input(one)))
}

/** What prices come from, besides the sale. */
interface Pricing {
  readonly taxTables?: TaxTables | undefined
  /** The company's currency, in which its variants have their prices. */
  readonly currency?: string | undefined
}

/** The lines with both of their discounts. */
export function pricedLines(sale: Sale, { taxTables, currency }: Pricing, sheet: Worksheet) {
  const lines = (sale.lineItems ?? []).map((sent, n) => {
    const at = `/lineItems/${n}`
    const subTotal = priceOf(at, sent, enteredPrice(sent, sheet), sheet, () => unpricedLine(sent, sale, currency))
    const itemDiscount = discountOn(subTotal, sent.discount?.itemDiscount, `${at}/discount/itemDiscount`, sheet)
    return { at, sent, subTotal, itemDiscount, base: subTotal - itemDiscount, share: sent.discount?.cartDiscount }
  })
  const { amount, parts } = cartDiscountOf(sale, lines, sheet)
  const items = lines.map(({ at, sent, subTotal, itemDiscount, base }, n): PricedItem<LineItem> => {
    const cartDiscount = parts[n] as bigint
    const fee = feesOf(sent.fee, `${at}/fee`, sheet)
    const taxes = taxesOf(sent, taxTables?.get(sent.productId ?? ''), sheet)
    return { at, sent, subTotal, itemDiscount, cartDiscount, total: base - cartDiscount, fee, ...taxes }
  })
  return { items, cartDiscount: amount }
}

/** The custom sales. They have no discounts, and only those with `applyTaxes` get the taxes of a table. */
export function pricedCustomSales(sale: Sale, tables: TaxTables | undefined, sheet: Worksheet) {
  return (sale.customSales ?? []).map((sent, n): PricedItem<CustomSale> => {
    const at = `/customSales/${n}`
    const entered = sent.total === undefined ? undefined : sheet.input(sent.total)
    const total = priceOf(at, sent, entered, sheet, () => 'is required, unless the custom sale has a total')
    const taxed = taxesOf(sent, sent.applyTaxes ? tables?.get('') : undefined, sheet)
    const taxes = sent.applyTaxes === false ? { ...taxed, taxes: [], bareTax: 0n } : taxed
    return { at, sent, subTotal: total, itemDiscount: 0n, cartDiscount: 0n, total, fee: 0n, ...taxes }
  })
}

const decimal = new RegExp(decimalPattern)

/** The sum of fees, rounded once: of one, or of a list. */
export function feesOf(fees: unknown, at: string, sheet: Worksheet): bigint {
  if (fees === undefined || fees === null) return 0n
  if (!Array.isArray(fees)) return rounded(feeOf(fees, at, sheet), sheet.digits)
  const total = fees.reduce((total: Exact, fee, n) => plus(total, feeOf(fee, `${at}/${n}`, sheet)), whole(0n))
  return rounded(total, sheet.digits)
}

/** The amount of a fee, which may be any JSON; undefined if it has none. */
export function feeAmount(fee: unknown): string | number | undefined {
  const amount = (fee as { readonly amount?: unknown } | null)?.amount
  return typeof amount === 'number' || (typeof amount === 'string' && decimal.test(amount)) ? amount : undefined
}

function feeOf(fee: unknown, at: string, sheet: Worksheet): Exact {
  const amount = feeAmount(fee)
  if (amount !== undefined) return exact(amount)
  sheet.refuse(`${at}/amount`, 'type', 'must be a decimal in a string, such as "0.25"')
  return whole(0n)
}

/**
 * What a discount takes off an amount: by its percentage if it has one, and never more than all. The discount on a
 * returned line is negative, as its price is.
 */
function discountOn(base: bigint, discount: Share | undefined, at: string, sheet: Worksheet): bigint {
  if (discount?.percentage === undefined) {
    const amount = sheet.input(discount?.amount)
    if (amount < 0n && base > 0n)
      sheet.refuse(`${at}/amount`, 'minimum', 'must not be negative; use a fee to add to the price', 0)
    return limitedTo(amount, base)
  }
  sheet.boundRate(`${at}/percentage`, discount.percentage, 100)
  return limitedTo(rounded(times(whole(base), percent(discount.percentage))), base)
}

/** A line before the discount on the cart: `base` is its price after its own discount. */
interface DiscountedLine {
  readonly at: string
  readonly sent: { readonly quantity?: number }
  readonly base: bigint
  readonly share: Share | undefined
}

/** Whether something is sold and not returned. What is given away counts as sold. */
export const isSoldFor = (amount: number, quantity: number): boolean => amount > 0 || (amount === 0 && quantity > 0)

/**
 * The discount on the cart, and each line's part of it. It applies to what is sold; returned lines have a part only if
 * all lines are returned. Without a discount for the whole cart, the lines keep the parts that were sent.
 */
function cartDiscountOf({ cartDiscount, customSales = [] }: Sale, lines: readonly DiscountedLine[], sheet: Worksheet) {
  if (cartDiscount?.amount === undefined && cartDiscount?.percentage === undefined) {
    const parts = lines.map(({ at, base, share }) => discountOn(base, share, `${at}/discount/cartDiscount`, sheet))
    return { amount: sum(parts), parts }
  }
  // Custom sales have no discount, but are sold.
  const isSold =
    lines.some(({ base, sent: { quantity = 1 } }) => isSoldFor(Number(base), quantity)) ||
    customSales.some(({ price, total = 0, quantity = 1 }) =>
      isSoldFor(price === undefined ? Number(total) : Number(price) * quantity, quantity),
    )
  const bases = lines.map(({ base }) => (isSold && base < 0n ? 0n : base))
  const base = sum(bases)
  const amount = discountOn(base, cartDiscount, '/cartDiscount', sheet)
  // Any division that adds up is right: a coupon may exclude some lines.
  const sent = lines.map(({ share }, n) => limitedTo(sheet.input(share?.amount), bases[n] as bigint))
  if (sum(sent) === amount) return { amount, parts: sent }
  const d = base < 0n ? -base : base
  const exactParts = bases.map((one) => ({ n: base < 0n ? -amount * one : amount * one, d }))
  return { amount, parts: apportion(exactParts, amount) }
}
