// The body of a sale: an order as POST /v1/order takes it, with its payments, and how the sale is to be made.

import { bodyError, invalid, Problem } from '../../core/problem.ts'
import {
  anything,
  choice,
  decimal,
  described,
  type Field,
  type Fields,
  flag,
  list,
  map,
  object,
} from '../../engine/field.ts'
import type { JsonObject } from '../../engine/record.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { order } from '../../resources/order.ts'
import { usualMethod } from '../../resources/sale-shapes.ts'
import { otherNames, share } from '../../resources/shapes.ts'
import { transaction } from '../../resources/transaction.ts'
import { misnamedQuantity } from './amounts/misnamed.ts'
import type { SentPayment, Summary } from './amounts/sale.ts'

/**
 * Lines and payments of a sale: a sale of this size is computed in some 20 ms. A longer one can be stored as an order.
 */
const SALE_LINES = 2_000
const SALE_PAYMENTS = 200

/** Members of a transaction that the sale sets, since they are the order's. */
const ofSale = ['orderId', 'refundId', 'sessionId', 'outletId', 'receiptId', 'currency', 'occurredAt'] as const

/** Members of a payment that a caller sends as those of a transaction. */
const paid = Object.fromEntries(
  Object.entries(transaction.fields).filter(
    ([member, { serverOwned }]) => !serverOwned && !(ofSale as readonly string[]).includes(member),
  ),
)

/** The members of a payment, with an `amount`. */
const paymentWith = (amount: Field<any>, title: string) =>
  object(
    {
      ...paid,
      amount,
      change: decimal({
        description:
          'Cash given back, on the order only. The customer handed over `amount` + `change`. A decimal string in the sale’s `currency`.',
        example: '5.00',
      }),
      tip: described(share(), 'The part of `amount` that is a tip, on the order only.'),
    },
    {
      title,
      description:
        'A payment. It becomes a transaction; its order, session, outlet, receipt, currency and time are those of the sale. Another `currency` is refused. What the customer gets for goods that come back has the `type` `refund`. A payment of any other type than `sale` and `refund` is stored, but pays nothing of the sale.',
    },
  )

/** A payment as it is stored. */
export const payment = () => paymentWith(paid.amount as Field<any>, 'SalePayment')

/** A payment of a sale or refund as it is sent. */
export const sentPayment = () => {
  const { description } = (paid.amount as Field<any>).schema
  const amount = decimal({
    description: `${description} One payment of a sale or refund can leave it out: it pays what the others leave, in cash rounded to the smallest coin.`,
    example: '25.00',
  })
  return paymentWith(amount, 'SalePaymentCreate')
}

/** What a sale has besides the members of an order. */
export const ofRequest = {
  payments: list(sentPayment(), {
    description:
      'The payments. Each becomes a transaction. The order’s `paymentMethods` are made of them unless they are sent.',
  }),
  customer: map(anything(), {
    title: 'SaleCustomer',
    example: { email: 'ann@example.com', firstName: 'Ann' },
    description:
      'A new customer, with the members that `POST /v1/customer` takes. If a customer has the same `source` and `externalId` already, the sale is that customer’s, whose record stays as it is. Send `customerId` instead for one whose id you know.',
  }),
  oversell: flag({
    description:
      'Whether stock may fall below zero, since the goods have left the shop already. The history of the stock shows it.',
  }),
  check: choice(['strict'], {
    description:
      'With `strict`, the sale is refused if an amount differs from the computed one. Otherwise such amounts are stored as sent, and the order’s `checks` list them.',
  }),
}

/** A member of an order, described as a request about a sale takes it. */
export const orderMember = (member: string, description: string): Field<any> =>
  described(order.fields[member] as Field<any>, description)

/** Members of an order that mean more in a sale, since the service computes it. */
const ofComputed = {
  status: orderMember('status', 'Always completed, which is the default. Store a sale that waits as an order.'),
  outletId: orderMember(
    'outletId',
    'Where the sale is made; by default the outlet of `stationId`, or else of the till of `sessionId`.',
  ),
  stationId: orderMember('stationId', 'The till that makes the sale. The sale belongs to its open session.'),
  sessionId: orderMember(
    'sessionId',
    'The session of the sale, if it is not the open one of `stationId`. A sale without both is in no session report and no closing.',
  ),
  balance: orderMember('balance', 'What is still to be paid. It is computed if it is left out.'),
  summary: orderMember('summary', 'The totals of the sale. Those that are left out are computed.'),
}

// With those that the service sets: they are ignored, so that an order that was read can be sent.
const fields: Fields = { ...order.ownFields, ...ofComputed, ...ofRequest }

/** Declared like a resource, to share checks and schemas; the sale itself is not a record. */
export const sale = resource({
  name: { one: 'sale', many: 'sales' },
  title: 'Sales',
  description:
    'A whole sale in one request: the order, its payments, the stock that leaves the shelf and, if it is new, the customer. All of it is stored, or nothing.',
  fields,
  requireOneOf: ['lineItems', 'customSales'],
  elsewhere: {
    ...order.elsewhere,
    ...otherNames('payments', 'tenders', 'transactions'),
    ...otherNames('customer', 'customerName', 'customerEmail', 'customerPhone'),
  },
  remove: 'hard',
  list: {},
  styleA: null,
  styleB: null,
  example: {
    receiptId: 'R-1001',
    outletId: '6740a1f2c3d4e5f6a7b8c9d2',
    stationId: '6740a1f2c3d4e5f6a7b8c9d3',
    lineItems: [{ variantId: '6740a1f2c3d4e5f6a7b8c9d4', quantity: 2, price: '12.50', total: '25.00' }],
    summary: { total: '25.00' },
    payments: [{ paymentMethod: 'cash', amount: '25.00', change: '5.00' }],
  },
})

/** The check of a sale, of which `/v1/sales` takes many. */
const saleBody = bodySchema({ ...sale, styleB: { one: 'sale', many: 'sales' } })
/** The check of a sale that is quoted. */
export const quoteBody = bodySchema(sale)

/** A checked body. */
export interface SaleBody {
  readonly order: JsonObject
  readonly payments: readonly SentPayment[]
  readonly customer: JsonObject | undefined
  readonly mayOversell: boolean
  readonly isStrict: boolean
  /** Payments that `paymentMethods` shows, if the sale says nothing about what is paid. */
  readonly shown: readonly ShownPayment[]
}

/** An amount that a sale shows as paid, and no transaction has. */
interface ShownPayment {
  readonly pointer: string
  readonly sent: string
}

const lengthOf = (list: unknown): number => ((list ?? []) as readonly unknown[]).length
const linesIn = ({ lineItems, customSales }: JsonObject): number => lengthOf(lineItems) + lengthOf(customSales)

/** The problem of a sale with more lines or payments than one is computed with at once. */
function tooLong(members: JsonObject, at: string): Problem | undefined {
  if (linesIn(members) > SALE_LINES)
    return invalid([
      bodyError(`${at}/lineItems`, 'maxItems', `must not have more than ${SALE_LINES} lines, including customSales`),
    ])
  return tooManyPayments((members.payments ?? []) as readonly SentPayment[], at)
}

/** The problem of more payments than a sale or a refund has. */
export const tooManyPayments = (payments: readonly SentPayment[], at: string): Problem | undefined =>
  payments.length > SALE_PAYMENTS
    ? invalid([bodyError(`${at}/payments`, 'maxItems', `must not have more than ${SALE_PAYMENTS} payments`)])
    : undefined

/** The problem of a payment in another currency than its sale: its transaction would have another amount. */
export function otherCurrency(payments: readonly SentPayment[], currency: unknown, at: string): Problem | undefined {
  const isOther = ({ currency: own }: SentPayment) =>
    typeof own === 'string' && own !== '' && own.toUpperCase() !== currency
  const n = payments.findIndex(isOther)
  if (n === -1) return undefined
  const message = `must be ${currency}, the sale’s currency; record money in another one with POST /v1/transaction`
  return invalid([bodyError(`${at}/payments/${n}/currency`, 'currency', message)])
}

/** The problem of change below zero: what is given back is a positive amount, and the customer handed over `amount` + `change`. */
export function negativeChange(payments: readonly SentPayment[], at: string): Problem | undefined {
  const n = payments.findIndex(({ change }) => change !== undefined && Number(change) < 0)
  if (n === -1) return undefined
  const message = 'must not be less than 0: send the cash that was given back as a positive amount'
  return invalid([bodyError(`${at}/payments/${n}/change`, 'minimum', message, 0)])
}

/** The problem of an amount that is missing and does not follow from the others. */
export function missingAmount(payments: readonly SentPayment[], at: string): Problem | undefined {
  const open = payments.flatMap(({ amount }, n) => (amount === undefined ? [n] : []))
  const wrong = open.find((n) => n !== open[0] || !['sale', 'refund'].includes(String(payments[n]?.type ?? 'sale')))
  if (wrong === undefined) return undefined
  const message =
    wrong === open[0]
      ? 'is required for a payment of another type than "sale" or "refund"'
      : 'is required: only one payment can leave it out, to pay what the others leave'
  return invalid([bodyError(`${at}/payments/${wrong}/amount`, 'required', message)])
}

/** The amounts in `paymentMethods` that no transaction has, if there are no `payments`: nothing of them is taken. */
function shownIn({ payments, paymentMethods = [] }: JsonObject): ShownPayment[] {
  if (payments !== undefined) return []
  const entries = paymentMethods as readonly { readonly transactionId?: string; readonly amount?: string }[]
  return entries.flatMap(({ transactionId, amount = '0' }, n) =>
    transactionId === undefined && Number(amount) !== 0
      ? [{ pointer: `/paymentMethods/${n}/amount`, sent: amount }]
      : [],
  )
}

/** The problem of a sale that only shows payments, so that it would be unpaid. With a total of its own it is stored, and its `checks` show them. */
export function withoutPayments({ order, shown, isStrict }: SaleBody, at: string): Problem | undefined {
  const { total } = (order.summary ?? {}) as Summary
  if (shown.length === 0 || (total !== undefined && !isStrict)) return undefined
  const message =
    'is required with paymentMethods, which only shows how the order was paid: each item of payments becomes a transaction; [] means that nothing is paid now'
  return invalid([bodyError(`${at}/payments`, 'required', message)])
}

/** A payment with its type and method as a transaction stores them, so that both count it in the same way. */
export function withUsualWords<T extends SentPayment>(payment: T): T {
  const { type, paymentMethod } = payment
  const usual = { ...payment, paymentMethod: usualMethod(paymentMethod) }
  return typeof type === 'string' ? { ...usual, type: transaction.fields.type?.canonical?.(type) } : usual
}

/**
 * The problem of a sale of nothing, such as from a till that has lost its cart. Lines of quantity 0, such as those that
 * were cancelled, sell nothing. A quote may have no lines yet.
 */
export function withoutLines(
  { order: { lineItems = [], customSales = [] } }: SaleBody,
  at: string,
): Problem | undefined {
  const lines = [lineItems, customSales].flat() as readonly { readonly quantity?: number }[]
  if (lines.some(({ quantity }) => quantity !== 0)) return undefined
  const message = 'must have at least one line whose quantity is not 0, unless customSales has one'
  return invalid([bodyError(`${at}/lineItems`, 'minItems', message)])
}

/** Splits a body, which is unchecked, into its parts; `at` is its pointer in the request. */
export function readSale(value: unknown, at: string, schema = saleBody): SaleBody | Problem {
  const change = schema.create(value, at)
  if (change instanceof Problem) return change
  const { payments, customer, oversell, check, ...order } = change.set
  const tooMany = tooLong(change.set, at)
  if (tooMany) return tooMany
  const sent = (payments ?? []) as readonly SentPayment[]
  const usual = sent.map(withUsualWords)
  const wrong = misnamedQuantity(order, at) ?? missingAmount(usual, at) ?? negativeChange(sent, at)
  if (wrong) return wrong
  const { status = 'completed' } = order
  if (status !== 'completed')
    return invalid([bodyError(`${at}/status`, 'status', 'must be "completed"; store a parked sale as an order')])
  if (customer !== undefined && order.customerId !== undefined)
    return invalid([bodyError(`${at}/customer`, 'ambiguous', 'must not be sent together with customerId')])
  return {
    order: { ...order, status },
    payments: usual,
    customer: customer as JsonObject | undefined,
    mayOversell: oversell === true,
    isStrict: check === 'strict',
    shown: shownIn(change.set),
  }
}
