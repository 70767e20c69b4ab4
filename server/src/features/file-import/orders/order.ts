// An order of a file in our own terms, and the records that it becomes: the order, its payments, and its refund.

import { sum } from '../../../core/exact.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { isOpenStatus } from '../../../resources/order.ts'
import { type Metadatum, presentMembers, some } from '../values.ts'
import { amountText, lineAmount, partsOf, unitsOf } from './amounts.ts'

/** A line of an order; amounts are texts, as in the file. */
export interface FileLine {
  readonly name: string | undefined
  readonly sku: string | undefined
  readonly quantity: string
  readonly price: string
  /** `price` × `quantity`, where the file has it and not the price. */
  readonly subTotal?: string | undefined
  /** What is taken off the line alone. */
  readonly discount?: string | undefined
  readonly tax?: string | undefined
  readonly taxes?: readonly FileTax[] | undefined
  readonly productExternalId?: string | undefined
  readonly metadata?: Metadatum[] | undefined
}

/** One rate of tax. */
export interface FileTax {
  readonly name?: string | undefined
  readonly percentage?: number | undefined
  readonly amount: string
}

/** A payment; `method` is the word of the file. */
export interface FilePayment {
  readonly method: string | undefined
  readonly amount: string
  readonly at: string | undefined
  readonly reference?: string | undefined
}

/** What a file says of an order. */
export interface FileOrder {
  readonly line: number
  /** The lines of the file that it takes. */
  readonly lines: readonly number[]
  readonly externalId: string
  readonly receiptId: string
  readonly status: string
  readonly occurredAt: string | undefined
  readonly currency: string | undefined
  readonly email: string | undefined
  /** The `externalId` of the customer. */
  readonly customerKey?: string | undefined
  readonly customerNote: string | undefined
  readonly items: readonly FileLine[]
  /** What is taken off the whole order, and what it is called. */
  readonly discount?: string | undefined
  readonly discountLabel?: string | undefined
  readonly shippingTotal: string | undefined
  readonly totalTaxes: string | undefined
  readonly taxes: readonly FileTax[]
  readonly isTaxInclusive: boolean
  readonly tip?: string | undefined
  readonly fees?: readonly { readonly name: string; readonly amount: string }[]
  readonly total: string
  /** What is still to be paid, if the file says so. */
  readonly balance?: string | undefined
  readonly payments: readonly FilePayment[]
  readonly refunded?: { readonly amount: string; readonly at: string | undefined; readonly reason?: string | undefined }
  readonly billing?: object | undefined
  readonly shipping?: object | undefined
  readonly metadata: Metadatum[]
}

/** Members of an order that a file sets; a product, a customer or an outlet that the file does not name stays. */
export const orderMembers = [
  ...['externalId', 'receiptId', 'status', 'source', 'occurredAt', 'currency', 'balance', 'customerNote', 'summary'],
  ...['cartDiscount', 'cartFees', 'lineItems', 'paymentMethods', 'billing', 'shipping'],
]

const CARDS =
  /^(shopify payments|stripe|woocommerce payments|credit card|card|visa|mastercard|amex|american express|square|braintree)( \(.*\))?$/
const METHODS: Readonly<Record<string, string>> = {
  cash: 'cash',
  'cash on delivery': 'cash',
  cod: 'cash',
  'gift card': 'gift_card',
  'store credit': 'store_credit',
}

/** A payment method as Cashwrap calls it; any other word stays as it is. */
function methodOf(word: string | undefined): string {
  const plain = (word ?? 'other').toLowerCase().replaceAll('_', ' ').trim()
  return METHODS[plain] ?? (CARDS.test(plain) ? 'credit_card' : plain.replaceAll(' ', '_').slice(0, 100))
}

const subTotalOf = ({ price, quantity, subTotal }: FileLine): bigint =>
  subTotal === undefined ? lineAmount(price, quantity) : unitsOf(subTotal)

/** Whether an order waits to be paid and has no taxes: its lines say so, or they would get those of tax tables when it is completed. */
const isOpenUntaxed = ({ status, totalTaxes, taxes, items }: FileOrder): boolean =>
  isOpenStatus(status) &&
  totalTaxes !== undefined &&
  [totalTaxes, ...taxes.map(({ amount }) => amount), ...items.map(({ tax }) => tax)].every((tax) => unitsOf(tax) === 0n)

/** The lines, each with its part of the discount on the whole order. */
function lineItemsOf(order: FileOrder): JsonObject[] {
  const { items, total, ...file } = order
  const untaxed = isOpenUntaxed(order) ? [] : undefined
  const discount = unitsOf(file.discount)
  const subTotals = items.map(subTotalOf)
  const own = items.map(({ discount }, n) => (subTotals[n] as bigint) - unitsOf(discount))
  const shares = discount === 0n ? [] : partsOf(discount, own, total)
  return items.map((item, n) => {
    const share = shares[n] ?? 0n
    const text = (units: bigint) => amountText(units, item.subTotal ?? item.price)
    return presentMembers<JsonObject>({
      internalId: String(n + 1),
      name: item.name,
      sku: item.sku,
      productExternalId: item.productExternalId,
      price: item.price,
      quantity: Number(item.quantity),
      subTotal: text(subTotals[n] as bigint),
      discount: anyOf({
        ...(unitsOf(item.discount) !== 0n && { itemDiscount: { amount: item.discount } }),
        ...(share !== 0n && { cartDiscount: { amount: text(share) } }),
      }),
      total: text((own[n] as bigint) - share),
      totalTax: item.tax,
      taxes: item.taxes ? [...item.taxes] : untaxed,
      metadata: item.metadata && some(item.metadata),
    })
  })
}

const anyOf = (members: object): object | undefined => (Object.keys(members).length > 0 ? members : undefined)

/** The order, without what is found in the company: its customer, and the products of its lines. */
export function orderOf(file: FileOrder, source: string): JsonObject {
  const { items, payments, total } = file
  const subTotal = sum(items.map(subTotalOf))
  const discount = unitsOf(file.discount)
  const discounts = discount + sum(items.map(({ discount }) => unitsOf(discount)))
  const paid = sum(payments.map(({ amount }) => unitsOf(amount)))
  return presentMembers<JsonObject>({
    externalId: file.externalId,
    receiptId: file.receiptId,
    status: file.status,
    source,
    occurredAt: file.occurredAt,
    currency: file.currency,
    customerNote: file.customerNote,
    balance: file.balance ?? amountText(unitsOf(total) - paid, total),
    summary: presentMembers<JsonObject>({
      isTaxInclusive: file.isTaxInclusive,
      subTotal: amountText(subTotal, total),
      discountTotal: amountText(discounts, total),
      shippingTotal: file.shippingTotal,
      totalTaxes: file.totalTaxes,
      taxes: some([...file.taxes]),
      tip: unitsOf(file.tip) === 0n ? undefined : { amount: file.tip },
      total,
    }),
    cartDiscount:
      discount === 0n
        ? undefined
        : presentMembers<JsonObject>({ label: file.discountLabel, amount: amountText(discount, total) }),
    cartFees: file.fees && some([...file.fees]),
    lineItems: lineItemsOf(file),
    paymentMethods: some(
      payments.map(({ method, amount, at, reference }) =>
        presentMembers<JsonObject>({
          paymentType: methodOf(method),
          amount,
          timestamp: at,
          processor: reference && method,
        }),
      ),
    ),
    // Where no customer has it, the address of the buyer is kept here.
    billing: anyOf({ ...(file.email && { email: file.email }), ...file.billing }),
    shipping: file.shipping,
    metadata: some(file.metadata),
  })
}

/** The payments as transactions of an order. */
export const paymentsOf = (file: FileOrder, order: JsonObject): JsonObject[] =>
  file.payments.map(({ method, amount, at, reference }, n) =>
    presentMembers<JsonObject>({
      ...shared(file, order),
      externalId: `${file.externalId}-payment${n === 0 ? '' : `-${n + 1}`}`,
      type: 'sale',
      paymentMethod: methodOf(method),
      amount,
      occurredAt: at ?? file.occurredAt,
      paymentData:
        reference === undefined
          ? undefined
          : presentMembers<JsonObject>({ processor: method, processorTransactionId: reference }),
    }),
  )

const shared = ({ currency, receiptId }: FileOrder, { outletId }: JsonObject) => ({ currency, receiptId, outletId })

/**
 * The refund of an order, and the payment of it; undefined if there is none. A file says how much was paid back, but not for
 * which lines: a full refund has all of them, and a partial one none.
 */
export function refundOf(file: FileOrder, order: JsonObject): { refund: JsonObject; payment: JsonObject } | undefined {
  const { refunded, externalId, total } = file
  if (refunded === undefined) return undefined
  const { amount, at = file.occurredAt, reason } = refunded
  const isFull = unitsOf(amount) === unitsOf(total)
  const lines = (order.lineItems as JsonObject[]).map((line, position) => ({
    ...line,
    position,
    // A refund needs both; a line without a product is named by its position, as other refunds of the service do.
    productId: line.productId ?? String(position),
    variantId: line.variantId ?? String(position),
  }))
  const method = methodOf(file.payments[0]?.method)
  const refund = presentMembers<JsonObject>({
    externalId: `${externalId}-refund`,
    currency: file.currency,
    occurredAt: at,
    reason,
    lineItems: isFull ? lines : [],
    summary: isFull ? (order.summary as object) : { total: amount },
    payment: [{ paymentType: method, amount }],
    balance: amountText(unitsOf(total) - unitsOf(amount), total),
  })
  const payment = presentMembers<JsonObject>({
    ...shared(file, order),
    externalId: `${externalId}-refund-payment`,
    type: 'refund',
    paymentMethod: method,
    amount,
    occurredAt: at,
  })
  return { refund, payment }
}

/** The status of an order that was partly or wholly paid back. */
export const refundedStatus = (refunded: string, total: string): string =>
  unitsOf(refunded) >= unitsOf(total) ? 'refunded' : 'partial-refund'
