// Computes a sale: every amount of its lines, totals and payments, and which of the amounts that were sent differ.

import { currencyDigits } from '../../../core/currency.ts'
import { amountText, exact, wholeUnits } from '../../../core/exact.ts'
import { invalid, type Problem } from '../../../core/problem.ts'
import {
  computedCustomSale,
  computedLine,
  computedPayments,
  computedSummary,
  optionalAmount,
  withAmount,
} from './computed-members.ts'
import { type PricedItem, pricedCustomSales, pricedLines, type TaxTables } from './priced-items.ts'
import type { Payment, Sale, Summary } from './sale.ts'
import { taxAmounts } from './taxes.ts'
import { isCash, paidIn, refuseHandedOver, tenderOf, withRest } from './tender.ts'
import { ratesOf, totalsOf } from './totals.ts'
import { refuseUncounted } from './uncounted.ts'
import { type Check, Worksheet } from './worksheet.ts'

/** How a company computes. */
export interface QuoteSettings {
  /** The company's currency, for sales without their own. */
  readonly currency?: string | undefined
  /** Whether a tax is rounded on each line, or once for each rate of the sale. */
  readonly taxRounding: 'line' | 'receipt'
  /**
   * The smallest coin of the company's currency, such as `0.05`; without it, cash is not rounded. A unit that the currency
   * cannot pay counts as none: the currency may have changed since it was set.
   */
  readonly cashRounding?: string | null | undefined
  readonly taxTables?: TaxTables | undefined
  /**
   * Whether `summary.total` counts as it was sent: payments, change and balance follow it, and the sale need not say how
   * it is made up.
   */
  readonly trustsTotal?: boolean
  /** Whether it was stored before, as an order perhaps: then what counts as nothing is no error. */
  readonly isStored?: boolean
  /** Payments from before, such as a deposit. They count as they are, and those of the sale pay what they leave. */
  readonly earlier?: readonly Payment[] | undefined
}

interface Quote<S extends Sale> {
  /** The sale with every amount as it was computed. Amounts that were sent and are equal keep their text. */
  readonly computed: S
  readonly checks: readonly Check[]
  /** What is to be paid, as decimal strings: `cashTotal` is the rest in cash, rounded to the smallest coin. */
  readonly totals: { readonly [amount in 'total' | 'paid' | 'due' | 'change' | 'cashTotal' | 'cashRounding']: string }
}

/**
 * Computes a checked sale by the rules of `docs/guides/anatomy-of-a-sale.md`, or returns what keeps it from being computed.
 * Every amount is exact until it is rounded to the currency, half a unit away from zero.
 */
export function quoteOf<S extends Sale>(sale: S, settings: QuoteSettings): Quote<S> | Problem {
  const currency = sale.currency ?? settings.currency
  const sheet = new Worksheet(currencyDigits(currency))
  const sentTotal = settings.trustsTotal ? sale.summary?.total : undefined
  const lines = pricedLines(sale, settings, sheet)
  const customSales = pricedCustomSales(sale, settings.taxTables, sheet)
  const items = [...lines.items, ...customSales]
  const isInclusive = isTaxInclusive(sale.summary, items, sheet)
  if (sentTotal === undefined && !settings.isStored) refuseUncounted(sale, items, isInclusive, sheet)
  const taxes = taxAmounts(items, { isInclusive, isPerReceipt: settings.taxRounding === 'receipt' }, sheet)
  const totals = totalsOf(sale, items, { taxes, isInclusive, cartDiscount: lines.cartDiscount }, sheet)
  const goods = {
    ...(sale.lineItems && { lineItems: lines.items.map((item, n) => computedLine(item, taxes[n] ?? [], sheet)) }),
    ...(sale.customSales && {
      customSales: customSales.map((item, n) => computedCustomSale(item, taxes[lines.items.length + n] ?? [], sheet)),
    }),
    ...(sale.cartDiscount && {
      cartDiscount: withAmount('/cartDiscount', lines.cartDiscount, sale.cartDiscount, sheet),
    }),
    summary: {
      ...computedSummary(sale.summary, totals, isInclusive, sheet),
      ...(taxes.flat().length + (sale.summary?.taxes?.length ?? 0) > 0 && {
        taxes: ratesOf(sale.summary, items, taxes, sheet),
      }),
    },
  }
  // How a sent total is made up need not be known. What is paid of it is computed nevertheless.
  const isAsSent = sentTotal !== undefined && sheet.errors.length > 0
  const [sums, own] = isAsSent ? [{ summary: sale.summary }, new Worksheet(sheet.digits)] : [goods, sheet]
  const list = sale.payments ? 'payments' : 'paymentMethods'
  const { earlier = [] } = settings
  const toPay = (sentTotal === undefined ? totals.total : own.input(sentTotal)) - paidIn(earlier, own)
  const coin = coinOf(currency, settings, own.digits)
  const payments = sale.payments ? withRest(sale.payments, toPay, coin, own) : (sale.paymentMethods ?? [])
  const tender = tenderOf(payments, toPay, { unit: coin, hadCash: earlier.some(isCash) }, own)
  if (sale.payments && !settings.isStored) refuseHandedOver(payments, tender, own)
  const { paid, due, change, cashTotal, cashRounding } = tender
  const computed = {
    ...sale,
    ...(currency !== undefined && { currency }),
    ...sums,
    summary: { ...sums.summary, ...optionalAmount('/summary', 'cashRounding', cashRounding, sale.summary, own) },
    ...(sale[list] && { [list]: computedPayments(sale[list], tender.payments, list, own) }),
    balance: own.amount('/balance', due, sale.balance),
  }
  const texts = { total: totals.total, paid, due, change, cashTotal, cashRounding }
  const shown = Object.entries(texts).map(([name, amount]) => [name, amountText(amount, own.digits)])
  if (own.errors.length > 0) return invalid(own.errors)
  return { computed, checks: own.checks, totals: Object.fromEntries(shown) }
}

/** The smallest coin of a currency, in units of its last digit; one unit where cash is not rounded. */
export const coinOf = (
  currency: string | undefined,
  { currency: own, cashRounding }: Pick<QuoteSettings, 'currency' | 'cashRounding'>,
  digits: number,
): bigint => (currency === own && cashRounding && wholeUnits(exact(cashRounding), digits)) || 1n

/** Whether prices contain tax: as the sale says, otherwise as the tax tables of its lines say. */
function isTaxInclusive(summary: Summary | undefined, items: readonly PricedItem[], sheet: Worksheet): boolean {
  if (summary?.isTaxInclusive !== undefined) return summary.isTaxInclusive
  const tables = new Set(items.flatMap(({ table }) => (table ? (table.isTaxInclusive ?? false) : [])))
  if (tables.size > 1)
    sheet.refuse('/summary/isTaxInclusive', 'required', 'is required, because the tax tables of the lines differ in it')
  return tables.has(true)
}
