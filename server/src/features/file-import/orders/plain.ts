// Reads the plain orders file: a line for each item of an order, or for each payment; the first line has the members of
// the order.

import { sum } from '../../../core/exact.ts'
import { cellAsMetadata, type Layout, type RowView } from '../layout.ts'
import { codeOf, currencyOf, decimalOf, numberOf, Refusal, refuseCell, some, textOf, wordOf } from '../values.ts'
import { amountText, unitsOf } from './amounts.ts'
import { inLine, type OrderNotation } from './collect.ts'
import { orderFormat } from './load.ts'
import { type FileLine, type FileOrder, type FilePayment, type FileTax, refundedStatus } from './order.ts'

type PlainMember =
  | ('order' | 'orderedAt' | 'status' | 'currency' | 'customerId' | 'email' | 'note')
  | ('item' | 'sku' | 'quantity' | 'price' | 'discount' | 'tax' | 'taxRate' | 'taxName')
  | ('orderDiscount' | 'shippingTotal' | 'tip' | 'totalTaxes' | 'taxIncluded' | 'total')
  | ('paymentMethod' | 'paymentAmount' | 'paidAt' | 'reference' | 'refunded' | 'refundedAt')

const layout: Layout<PlainMember> = {
  kind: 'orders',
  shop: 'plain',
  source: 'import',
  what: 'a plain file of orders',
  needs: 'the columns Order, Ordered at, Quantity, Price and Order total',
  headings: {
    order: ['Order'],
    orderedAt: ['Ordered at'],
    status: ['Status'],
    currency: ['Currency'],
    customerId: ['Customer ID'],
    email: ['Customer email'],
    note: ['Note'],
    item: ['Item'],
    sku: ['SKU'],
    quantity: ['Quantity'],
    price: ['Price'],
    discount: ['Discount'],
    tax: ['Tax'],
    taxRate: ['Tax rate'],
    taxName: ['Tax name'],
    orderDiscount: ['Order discount'],
    shippingTotal: ['Shipping'],
    tip: ['Tip'],
    totalTaxes: ['Order tax'],
    taxIncluded: ['Tax included'],
    total: ['Order total'],
    paymentMethod: ['Payment method'],
    paymentAmount: ['Payment amount'],
    paidAt: ['Paid at'],
    reference: ['Payment reference'],
    refunded: ['Refunded'],
    refundedAt: ['Refunded at'],
  },
  as: {
    order: 'externalId',
    orderedAt: 'occurredAt',
    email: 'customerId',
    note: 'customerNote',
    item: 'lineItems',
    sku: 'lineItems',
    quantity: 'lineItems',
    price: 'lineItems',
    discount: 'lineItems',
    tax: 'lineItems',
    taxRate: 'lineItems',
    taxName: 'lineItems',
    orderDiscount: 'cartDiscount',
    shippingTotal: 'summary.shippingTotal',
    tip: 'summary.tip',
    totalTaxes: 'summary.totalTaxes',
    taxIncluded: 'summary.isTaxInclusive',
    total: 'summary.total',
    paymentMethod: 'paymentMethods',
    paymentAmount: 'paymentMethods',
    paidAt: 'paymentMethods',
    reference: 'paymentMethods',
    refunded: 'refunds',
    refundedAt: 'refunds',
  },
  required: [['order'], ['orderedAt'], ['quantity'], ['price'], ['total']],
  signs: { atLeast: 4, of: ['order', 'ordered at', 'quantity', 'price', 'order total', 'payment amount'] },
}

const STATUS = Object.fromEntries(
  ['completed', 'pending', 'parked', 'cancelled', 'refunded', 'partial-refund'].map((status) => [status, status]),
)
const YES = { yes: true, true: true, '1': true, no: false, false: false, '0': false }

type PlainRow = RowView<PlainMember>
type Notation = OrderNotation<PlainMember>

function orderIn(rows: readonly [PlainRow, ...PlainRow[]], { others, separator, timeOf }: Notation): FileOrder {
  const [first] = rows
  const amount = (member: PlainMember) => decimalOf(first.cell(member), separator)
  const total = amount('total')
  const occurredAt = timeOf(first.cell('orderedAt'))
  if (total === undefined) throw new Refusal('the first line of the order has no total', first.cell('total').heading)
  if (occurredAt === undefined)
    throw new Refusal('the first line of the order has no date', first.cell('orderedAt').heading)
  const items = rows.flatMap((row) => inLine(row, () => itemOf(row, separator)))
  const status = wordOf(first.cell('status'), STATUS)
  const payments = paymentsIn(rows, separator, timeOf)
  const refunded = refundIn(first, { status, total, payments }, { separator, timeOf })
  const externalId = textOf(first.cell('order')) ?? ''
  return {
    line: first.line,
    lines: rows.map(({ line }) => line),
    externalId,
    receiptId: externalId,
    occurredAt,
    items,
    status: status ?? (refunded ? refundedStatus(refunded.amount, total) : 'completed'),
    currency: currencyOf(first.cell('currency')),
    email: textOf(first.cell('email')),
    customerKey: codeOf(first.cell('customerId')),
    customerNote: textOf(first.cell('note')),
    discount: amount('orderDiscount'),
    shippingTotal: amount('shippingTotal'),
    tip: amount('tip'),
    totalTaxes: amount('totalTaxes'),
    taxes: sumsOf(items),
    total,
    isTaxInclusive: wordOf(first.cell('taxIncluded'), YES) ?? false,
    payments,
    ...(refunded && { refunded }),
    metadata: others.flatMap(({ at }) => cellAsMetadata(first.at(at))),
  }
}

/**
 * What was paid back. Refuses an order that says that it was paid back, and not how much, unless it was free: it would count as sold.
 * Refuses one of which more was paid back than it was worth: its total is that after the refund, or one of the two is wrong.
 */
function refundIn(
  { cell }: PlainRow,
  { status, total, payments }: Pick<FileOrder, 'total' | 'payments'> & { readonly status: string | undefined },
  { separator, timeOf }: Pick<Notation, 'separator' | 'timeOf'>,
): FileOrder['refunded'] {
  // Some exports write what goes back as a negative amount.
  const amount = decimalOf(cell('refunded'), separator)?.replace(/^-/, '')
  const at = timeOf(cell('refundedAt'))
  if (amount !== undefined && unitsOf(amount) > 0n) {
    const paid = sum(payments.map(({ amount }) => unitsOf(amount)))
    if (unitsOf(amount) > unitsOf(total) && unitsOf(amount) > paid)
      refuseCell(cell('refunded'), `is more than the ${cell('total').heading} and the payments`)
    return { amount, at }
  }
  const says = status === 'refunded' || status === 'partial-refund' ? 'status' : 'refundedAt'
  if (unitsOf(total) !== 0n && (says === 'status' || (amount === undefined && at !== undefined)))
    refuseCell(cell(says), 'needs an amount in the column Refunded')
  return undefined
}

/** The item of a line; none if the line has only a payment. */
function itemOf(row: PlainRow, separator: string): FileLine[] {
  const { cell } = row
  const quantity = decimalOf(cell('quantity'), separator)
  const price = decimalOf(cell('price'), separator)
  const name = textOf(cell('item'))
  const sku = codeOf(cell('sku'))
  if (quantity === undefined && price === undefined && name === undefined && sku === undefined) return []
  if (quantity === undefined) throw new Refusal('the line has no quantity', cell('quantity').heading)
  if (price === undefined) throw new Refusal('the line has no price', cell('price').heading)
  const tax = decimalOf(cell('tax'), separator)
  const rate = cell('taxRate')
  const percentage = numberOf({ ...rate, text: rate.text.replace(/\s*%$/, '') }, separator)
  const taxName = textOf(cell('taxName'))
  const taxes: FileTax[] =
    tax === undefined
      ? []
      : [{ ...(taxName && { name: taxName }), ...(percentage !== undefined && { percentage }), amount: tax }]
  return [{ name, sku, quantity, price, discount: decimalOf(cell('discount'), separator), tax, taxes: some(taxes) }]
}

/** The taxes of all lines, one entry for each name and rate. */
function sumsOf(items: readonly FileLine[]): FileTax[] {
  const taxes = items.flatMap(({ taxes = [] }) => taxes)
  const byRate = Map.groupBy(taxes, ({ name, percentage }) => JSON.stringify([name, percentage]))
  return [...byRate.values()].map((own) => ({
    ...(own[0] as FileTax),
    amount: amountText(sum(own.map(({ amount }) => unitsOf(amount))), own[0]?.amount),
  }))
}

/**
 * The payments of an order: one for each line with an amount. A line without an amount may repeat the payment of
 * another line, as in files that repeat the order on each line. Anything else is refused: it would be a payment that is
 * silently left out.
 */
function paymentsIn(rows: readonly PlainRow[], separator: string, timeOf: Notation['timeOf']): FilePayment[] {
  const found = rows.map((row) => inLine(row, () => paymentIn(row, separator, timeOf)))
  const paid = found.flatMap(({ amount, ...payment }) => (amount === undefined ? [] : { ...payment, amount }))
  for (const [n, { amount, method, at, reference }] of found.entries()) {
    if (amount !== undefined || (method ?? reference ?? at) === undefined) continue
    const isRepeated = paid.some(
      (other) =>
        (method ?? other.method) === other.method &&
        (at ?? other.at) === other.at &&
        (reference ?? other.reference) === other.reference,
    )
    if (!isRepeated) inLine(rows[n] as PlainRow, () => refusePayment(rows[n] as PlainRow))
  }
  return paid.filter(({ amount }) => unitsOf(amount) !== 0n)
}

/** What a line says of a payment. */
const paymentIn = ({ cell }: PlainRow, separator: string, timeOf: Notation['timeOf']) => ({
  method: textOf(cell('paymentMethod'), 100),
  amount: decimalOf(cell('paymentAmount'), separator),
  at: timeOf(cell('paidAt')),
  reference: textOf(cell('reference')),
})

function refusePayment({ cell }: PlainRow): never {
  throw new Refusal(
    'the payment has no amount; write 0 if nothing was paid',
    cell('paymentAmount').heading || undefined,
  )
}

export const plainOrders = orderFormat({
  layout,
  keyOf: () => 'order',
  times: ['orderedAt', 'paidAt', 'refundedAt'],
  builder: (notation) => (rows) => orderIn(rows, notation),
})
