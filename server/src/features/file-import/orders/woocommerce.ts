// Reads the orders export of WooCommerce's "Import Export Suite": a line for each order, with a column for each item.

import { sum } from '../../../core/exact.ts'
import { type AddressMember, addressHeadings, addressOf, woocommerceAddress } from '../addresses.ts'
import { cellAsMetadata, type Layout, normalHeading, type RowView } from '../layout.ts'
import { type Cell, codeOf, currencyOf, decimalOf, Refusal, textOf } from '../values.ts'
import { amountText, priceOf, unitsOf } from './amounts.ts'
import type { OrderNotation } from './collect.ts'
import { orderFormat } from './load.ts'
import { type FileLine, type FileOrder, type FilePayment, type FileTax, refundedStatus } from './order.ts'

type WooCommerceMember =
  | ('id' | 'number' | 'date' | 'paidAt' | 'status' | 'currency' | 'email' | 'customerId' | 'note')
  | ('shippingTotal' | 'taxes' | 'total' | 'fees' | 'paymentMethod' | 'reference' | 'taxItems' | 'refunds')
  | AddressMember

const address = (which: 'billing' | 'shipping') =>
  addressHeadings(which, {
    ...woocommerceAddress(which),
    phone: [`${which}_phone`],
    email: [`${which}_email`],
  })

const layout: Layout<WooCommerceMember> = {
  kind: 'orders',
  shop: 'woocommerce',
  source: 'woo-commerce',
  what: 'an orders export of WooCommerce',
  headings: {
    id: ['order_id'],
    number: ['order_number'],
    date: ['order_date'],
    paidAt: ['paid_date'],
    status: ['status'],
    currency: ['order_currency'],
    email: ['customer_email'],
    customerId: ['customer_id'],
    note: ['customer_note'],
    shippingTotal: ['shipping_total'],
    taxes: ['tax_total'],
    total: ['order_total'],
    fees: ['fee_total'],
    paymentMethod: ['payment_method'],
    reference: ['transaction_id'],
    taxItems: ['tax_items'],
    refunds: ['refund_items'],
    ...address('billing'),
    ...address('shipping'),
  },
  as: {
    id: 'externalId',
    number: 'receiptId',
    date: 'occurredAt',
    email: 'customerId',
    note: 'customerNote',
    shippingTotal: 'summary.shippingTotal',
    taxes: 'summary.totalTaxes',
    taxItems: 'summary.taxes',
    total: 'summary.total',
    fees: 'cartFees',
    paidAt: 'paymentMethods',
    paymentMethod: 'paymentMethods',
    reference: 'paymentMethods',
  },
  others: (normal) => (ITEM.test(normal) ? 'lineItems' : 'metadata'),
  required: [['id', 'number'], ['date'], ['total'], ['status']],
  signs: { atLeast: 4, of: ['order id', 'order number', 'order date', 'order total', 'order currency', 'line item 1'] },
}

const ITEM = /^line item \d+$/
const SILENT = ['0', '0.00', 'no']
/** Statuses of orders that are paid. */
const PAID = ['completed', 'processing', 'refunded']
const STATUS: Readonly<Record<string, string>> = {
  processing: 'completed',
  'on-hold': 'pending',
  failed: 'cancelled',
  'checkout-draft': 'pending',
}

type WooCommerceRow = RowView<WooCommerceMember>

function orderIn(
  [row, second]: readonly [WooCommerceRow, ...WooCommerceRow[]],
  { others, separator, timeOf }: OrderNotation<WooCommerceMember>,
): FileOrder {
  if (second) throw new Refusal(`the order is already in line ${row.line}`, row.cell('id').heading)
  const { cell } = row
  const amount = (member: WooCommerceMember) => decimalOf(cell(member), separator)
  const total = amount('total')
  if (total === undefined) throw new Refusal('the order has no total', cell('total').heading)
  const occurredAt = timeOf(cell('date'))
  const word = (textOf(cell('status'), 100) ?? 'completed').toLowerCase().replace(/^wc-/, '')
  const number = textOf(cell('number')) ?? textOf(cell('id')) ?? ''
  const refunded = refundIn(cell('refunds'), separator) ?? (word === 'refunded' ? total : undefined)
  const isRefunded = unitsOf(refunded) > 0n
  const customer = codeOf(cell('customerId'))
  const paidAt = timeOf(cell('paidAt'))
  return {
    line: row.line,
    lines: [row.line],
    receiptId: number,
    occurredAt,
    total,
    externalId: `woocommerce-order-${textOf(cell('id')) ?? number}`,
    status: isRefunded ? refundedStatus(refunded as string, total) : (STATUS[word] ?? word),
    currency: currencyOf(cell('currency')),
    email: textOf(cell('email')) ?? textOf(cell('billing.email')),
    ...(customer !== undefined && customer !== '0' && { customerKey: `woocommerce-customer-${customer}` }),
    customerNote: textOf(cell('note')),
    items: others.flatMap(({ at, normal }) => (ITEM.test(normal) ? itemOf(row.at(at), separator) : [])),
    shippingTotal: amount('shippingTotal'),
    totalTaxes: amount('taxes'),
    isTaxInclusive: false,
    taxes: taxesIn(cell('taxItems'), separator),
    ...(unitsOf(amount('fees')) !== 0n && { fees: [{ name: 'Fees', amount: amount('fees') as string }] }),
    payments: paidAt || PAID.includes(word) ? paymentOf(row, total, paidAt ?? occurredAt) : [],
    ...(isRefunded && { refunded: { amount: refunded as string, at: undefined } }),
    billing: addressOf(row, 'billing'),
    shipping: addressOf(row, 'shipping'),
    metadata: others.flatMap(({ at, normal }) => (ITEM.test(normal) ? [] : cellAsMetadata(row.at(at), SILENT))),
  }
}

function paymentOf({ cell }: WooCommerceRow, total: string, at: string | undefined): FilePayment[] {
  if (unitsOf(total) <= 0n) return []
  return [{ method: textOf(cell('paymentMethod'), 100), amount: total, at, reference: textOf(cell('reference')) }]
}

/** The parts of a cell such as `name:Mug|sku:MUG|quantity:2`. */
const partsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('|').flatMap((part) => {
      const [, key, value] = /^\s*(\w+):(.*)$/s.exec(part) ?? []
      return key === undefined || value === undefined ? [] : [[key, value.trim()]]
    }),
  )

/** An item: `name:…|product_id:…|sku:…|quantity:…|total:…|sub_total:…|tax:…`, both totals for all its units, without tax. */
function itemOf(cell: Cell, separator: string): FileLine[] {
  if (cell.text === '') return []
  const { name, product_id: productExternalId, sku, ...parts } = partsIn(cell.text)
  const number = (key: string) => decimalOf({ heading: cell.heading, text: parts[key] ?? '' }, separator)
  const quantity = number('quantity')
  const total = number('total')
  if (quantity === undefined || total === undefined || unitsOf(quantity) <= 0n)
    throw new Refusal(`${cell.heading} names no quantity, or no total`, cell.heading)
  const subTotal = number('sub_total') ?? total
  const discount = unitsOf(subTotal) - unitsOf(total)
  const tax = number('tax')
  return [
    {
      name: name || undefined,
      sku: sku || undefined,
      quantity,
      tax,
      ...(productExternalId && { productExternalId }),
      price: priceOf(subTotal, quantity),
      subTotal,
      discount: discount === 0n ? undefined : amountText(discount, subTotal),
    },
  ]
}

/** The taxes: `rate_id:1|code:…|total:0.53|label:Tax|…`, several after `;`. */
const taxesIn = (cell: Cell, separator: string): FileTax[] =>
  cell.text.split(';').flatMap((text) => {
    const { label, total, rate_percent: rate } = partsIn(text)
    const amount = decimalOf({ heading: cell.heading, text: total ?? '' }, separator)
    if (amount === undefined) return []
    return [{ ...(label && { name: label }), ...(rate && { percentage: Number(rate) }), amount }]
  })

/** The sum of the refunds: `amount:10.00|reason:…|date:…`, several after `;`. */
function refundIn(cell: Cell, separator: string): string | undefined {
  const amounts = cell.text.split(';').flatMap((text) => {
    const { amount = '' } = partsIn(text)
    return decimalOf({ heading: cell.heading, text: amount.replace(/^-/, '') }, separator) ?? []
  })
  return amounts.length === 0 ? undefined : amountText(sum(amounts.map(unitsOf)), amounts[0])
}

export const woocommerceOrders = orderFormat({
  layout,
  keyOf: (file) => (file.headings.some((heading) => normalHeading(heading) === 'order id') ? 'id' : 'number'),
  times: ['date', 'paidAt'],
  builder: (notation) => (rows) => orderIn(rows, notation),
})
