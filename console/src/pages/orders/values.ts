// Shows parts of a price as tills wrote them, and what lines come to where nobody has computed it.
import { currencyDigits } from '../../../../server/src/core/currency.ts'
import { productOf, sumOf } from '../../parts/decimal.ts'
import { rate } from '../../parts/format.ts'
import { entriesOf, isOpenStatus, textOf } from './entries.ts'

type Entry = Readonly<Record<string, any>>

/** Part of a price: “€2.00 (10%)”. */
export function shareOf(share: unknown, money: (amount: string | undefined) => string): string | undefined {
  if (typeof share !== 'object' || share === null) return textOf(share)
  const { amount, percentage } = share as Entry
  const part = typeof percentage === 'number' && percentage !== 0 ? rate(percentage) : undefined
  const sum = textOf(amount) !== undefined && Number(amount) !== 0 ? money(String(amount)) : undefined
  if (sum === undefined) return part
  return part === undefined ? sum : `${sum} (${part})`
}

/** What a line comes to before its discounts and fees: as stored, or else its price times its quantity. */
export const lineSum = (line: Entry, currency: string | undefined): string | undefined =>
  textOf(line.subTotal) ?? textOf(line.total) ?? plainSum(line, currency)

/** What a line comes to with them, which is known without stored sums only if it has none. */
export const lineTotal = (line: Entry, currency: string | undefined): string | undefined =>
  textOf(line.total) ??
  textOf(line.subTotal) ??
  (line.discount === undefined && line.fee === undefined ? plainSum(line, currency) : undefined)

const plainSum = ({ price, quantity }: Entry, currency: string | undefined): string | undefined =>
  textOf(price) !== undefined && typeof quantity === 'number'
    ? productOf(price, quantity, currencyDigits(currency))
    : undefined

/**
 * The total of an order or a refund: as stored, or else, without any sums, taxes and discounts, what its lines come to. That of an order
 * that is not sold yet is computed when it is, with taxes.
 */
export function totalOf({
  summary,
  lineItems,
  customSales,
  cartDiscount,
  cartFees,
  currency,
  status,
}: Entry): string | undefined {
  if (summary !== undefined) return textOf(summary.total)
  if (isOpenStatus(status)) return undefined
  const lines = [...entriesOf(lineItems), ...entriesOf(customSales)]
  const totals = lines.map((line) => (entriesOf(line.taxes).length > 0 ? undefined : lineTotal(line, currency)))
  const isMore = cartDiscount !== undefined || entriesOf(cartFees).length > 0
  return lines.length === 0 || isMore || totals.includes(undefined) ? undefined : sumOf(totals)
}

/** What the lines come to before discounts and taxes; undefined if one has no price. */
export function subTotalOf({ summary, lineItems, customSales, currency }: Entry): string | undefined {
  if (summary !== undefined) return textOf(summary.subTotal)
  const sums = [...entriesOf(lineItems), ...entriesOf(customSales)].map((line) => lineSum(line, currency))
  return sums.length === 0 || sums.includes(undefined) ? undefined : sumOf(sums)
}

/** How far the order is paid. The payments of a sale that was voided were voided too: nothing was refunded. */
export const paymentStatusOf = ({ voidedAt, paymentStatus }: Entry): string | undefined =>
  voidedAt !== undefined && paymentStatus === 'refunded' ? 'voided' : paymentStatus
