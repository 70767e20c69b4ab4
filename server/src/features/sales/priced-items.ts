// Lines and custom sales of a sale with their prices, discounts and taxes, before the taxes are computed.

import { exact, rounded, sum, times } from '../../core/exact.ts'
import { decimalPattern } from '../../core/json-schema.ts'
import { cartDiscountOf, discountOn } from './discounts.ts'
import type { CustomSale, LineItem, Sale, Tax } from './sale.ts'
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

/** `price` × `quantity`; without a price, the amount that was entered, which is undefined if there is none. */
function priceOf(
  at: string,
  { price, quantity = 1 }: LineItem | CustomSale,
  entered: bigint | undefined,
  sheet: Worksheet,
): bigint {
  if (price !== undefined) return rounded(times(exact(price), exact(quantity)), sheet.digits)
  if (entered === undefined)
    sheet.refuse(
      `${at}/price`,
      'required',
      'is required, unless the line sells a variant with a current price in the sale’s currency, and summary.total is left out',
    )
  return entered ?? 0n
}

/** The price of a line that has only its amount: before discounts, or after the discounts that it names. */
function enteredPrice({ subTotal, total, discount }: LineItem, sheet: Worksheet): bigint | undefined {
  if (subTotal !== undefined) return sheet.input(subTotal)
  if (total === undefined) return undefined
  return sum([total, discount?.itemDiscount?.amount, discount?.cartDiscount?.amount].map((one) => sheet.input(one)))
}

/** The lines with both of their discounts. */
export function pricedLines(sale: Sale, tables: TaxTables | undefined, sheet: Worksheet) {
  const lines = (sale.lineItems ?? []).map((sent, n) => {
    const at = `/lineItems/${n}`
    const subTotal = priceOf(at, sent, enteredPrice(sent, sheet), sheet)
    const itemDiscount = discountOn(subTotal, sent.discount?.itemDiscount, `${at}/discount/itemDiscount`, sheet)
    return { at, sent, subTotal, itemDiscount, base: subTotal - itemDiscount, share: sent.discount?.cartDiscount }
  })
  const { amount, parts } = cartDiscountOf(sale, lines, sheet)
  const items = lines.map(({ at, sent, subTotal, itemDiscount, base }, n): PricedItem<LineItem> => {
    const cartDiscount = parts[n] as bigint
    const fee = feesOf(sent.fee, `${at}/fee`, sheet)
    const taxes = taxesOf(sent, tables?.get(sent.productId ?? ''), sheet)
    return { at, sent, subTotal, itemDiscount, cartDiscount, total: base - cartDiscount, fee, ...taxes }
  })
  return { items, cartDiscount: amount }
}

/** The custom sales. They have no discounts, and only those with `applyTaxes` get the taxes of a table. */
export function pricedCustomSales(sale: Sale, tables: TaxTables | undefined, sheet: Worksheet) {
  return (sale.customSales ?? []).map((sent, n): PricedItem<CustomSale> => {
    const at = `/customSales/${n}`
    const total = priceOf(at, sent, sent.total === undefined ? undefined : sheet.input(sent.total), sheet)
    const taxed = taxesOf(sent, sent.applyTaxes ? tables?.get('') : undefined, sheet)
    const taxes = sent.applyTaxes === false ? { ...taxed, taxes: [], bareTax: 0n } : taxed
    return { at, sent, subTotal: total, itemDiscount: 0n, cartDiscount: 0n, total, fee: 0n, ...taxes }
  })
}

const decimal = new RegExp(decimalPattern)

/** The sum of fees: of one, or of a list. */
export function feesOf(fees: unknown, at: string, sheet: Worksheet): bigint {
  if (fees === undefined || fees === null) return 0n
  if (!Array.isArray(fees)) return feeOf(fees, at, sheet)
  return fees.reduce((total: bigint, fee, n) => total + feeOf(fee, `${at}/${n}`, sheet), 0n)
}

/** The amount of a fee, which may be any JSON; undefined if it has none. */
export function feeAmount(fee: unknown): string | number | undefined {
  const amount = (fee as { readonly amount?: unknown } | null)?.amount
  return typeof amount === 'number' || (typeof amount === 'string' && decimal.test(amount)) ? amount : undefined
}

function feeOf(fee: unknown, at: string, sheet: Worksheet): bigint {
  const amount = feeAmount(fee)
  if (amount !== undefined) return sheet.input(amount)
  sheet.refuse(`${at}/amount`, 'type', 'must be a decimal in a string, such as "0.25"')
  return 0n
}
