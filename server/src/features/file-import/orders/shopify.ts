// Reads Shopify's orders export: the first line of an order has what the whole order has, and each line an item.

import { sum } from '../../../core/exact.ts'
import { VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import { type AddressMember, addressHeadings, addressOf } from '../addresses.ts'
import { cellAsMetadata, type Layout, type RowView } from '../layout.ts'
import { codeOf, currencyOf, decimalOf, type Metadatum, Refusal, refuseCell, textOf } from '../values.ts'
import { amountText, lineAmount, unitsOf } from './amounts.ts'
import { inLine, type OrderNotation } from './collect.ts'
import { orderFormat } from './load.ts'
import { type FileLine, type FileOrder, type FilePayment, type FileTax, refundedStatus } from './order.ts'

type ShopifyOrderMember =
  | ('name' | 'id' | 'email' | 'financialStatus' | 'createdAt' | 'paidAt' | 'cancelledAt' | 'currency' | 'note')
  | ('subtotal' | 'shippingTotal' | 'taxes' | 'total' | 'discountCode' | 'discount' | 'duties' | 'outstanding')
  | ('refunded' | 'paymentMethod' | 'paymentReference')
  | ('itemName' | 'itemSku' | 'itemQuantity' | 'itemPrice' | 'itemDiscount')
  | AddressMember

const address = (which: 'billing' | 'shipping', heading: string) =>
  addressHeadings(which, {
    name: [`${heading} Name`],
    company: [`${heading} Company`],
    address1: [`${heading} Address1`, `${heading} Street`],
    address2: [`${heading} Address2`],
    city: [`${heading} City`],
    state: [`${heading} Province`],
    country: [`${heading} Country`],
    postCode: [`${heading} Zip`],
    phone: [`${heading} Phone`],
  })

const layout: Layout<ShopifyOrderMember> = {
  kind: 'orders',
  shop: 'shopify',
  source: 'shopify',
  what: 'an orders export of Shopify',
  headings: {
    name: ['Name'],
    id: ['Id'],
    email: ['Email'],
    financialStatus: ['Financial Status'],
    createdAt: ['Created at'],
    paidAt: ['Paid at'],
    cancelledAt: ['Cancelled at'],
    currency: ['Currency'],
    note: ['Notes'],
    subtotal: ['Subtotal'],
    shippingTotal: ['Shipping'],
    taxes: ['Taxes'],
    total: ['Total'],
    discountCode: ['Discount Code'],
    discount: ['Discount Amount'],
    duties: ['Duties'],
    outstanding: ['Outstanding Balance'],
    refunded: ['Refunded Amount'],
    paymentMethod: ['Payment Method'],
    paymentReference: ['Payment ID', 'Payment Reference'],
    itemName: ['Lineitem name'],
    itemSku: ['Lineitem sku'],
    itemQuantity: ['Lineitem quantity'],
    itemPrice: ['Lineitem price'],
    itemDiscount: ['Lineitem discount'],
    ...address('billing', 'Billing'),
    ...address('shipping', 'Shipping'),
  },
  as: {
    id: 'externalId',
    name: 'receiptId',
    email: 'customerId',
    financialStatus: 'status',
    cancelledAt: 'status',
    createdAt: 'occurredAt',
    note: 'customerNote',
    outstanding: 'balance',
    duties: 'cartFees',
    subtotal: 'summary.subTotal',
    shippingTotal: 'summary.shippingTotal',
    taxes: 'summary.totalTaxes',
    total: 'summary.total',
    discountCode: 'cartDiscount',
    discount: 'cartDiscount',
    refunded: 'refunds',
    paidAt: 'paymentMethods',
    paymentMethod: 'paymentMethods',
    paymentReference: 'paymentMethods',
    itemName: 'lineItems',
    itemSku: 'lineItems',
    itemQuantity: 'lineItems',
    itemPrice: 'lineItems',
    itemDiscount: 'lineItems',
  },
  others: (normal) => {
    if (TAX.test(normal)) return 'summary.taxes'
    if (OF_ITEM.test(normal)) return 'lineItems'
    return IGNORED.test(normal) ? undefined : 'metadata'
  },
  required: [['name'], ['total'], ['createdAt'], ['itemQuantity'], ['itemPrice'], ['itemName']],
  signs: {
    atLeast: 3,
    of: ['financial status', 'fulfillment status', 'lineitem name', 'lineitem quantity', 'lineitem price'],
  },
}

type ShopifyOrderRow = RowView<ShopifyOrderMember>

/** Columns of the item, besides its members, and cells that say nothing. */
const OF_ITEM = /^(lineitem |vendor$)/
const TAX = /^tax [1-5] (name|value)$/
const IGNORED = /^(billing street|shipping street|payment references?|payment ids?)$/
const SILENT = ['no', 'true', '0.00', '0']

const STATUS: Readonly<Record<string, string>> = {
  paid: 'completed',
  refunded: 'refunded',
  'partially refunded': 'partial-refund',
  voided: 'cancelled',
  expired: 'cancelled',
  pending: 'pending',
  authorized: 'pending',
  unpaid: 'pending',
  'partially paid': 'pending',
}

/** The columns that are not members: the taxes, and those that are kept of an item or of an order. */
interface KeptColumns {
  readonly taxes: readonly { readonly name: number; readonly value: number }[]
  readonly ofItem: readonly { readonly at: number }[]
  readonly ofWholeOrder: readonly { readonly at: number }[]
}

/** Sorts the columns of a file that are not members. */
function keptOf(others: OrderNotation<ShopifyOrderMember>['others']): KeptColumns {
  const noted = others.filter(({ normal }) => !TAX.test(normal) && !IGNORED.test(normal))
  return {
    taxes: taxColumns(others),
    ofItem: noted.filter(({ normal }) => OF_ITEM.test(normal)),
    ofWholeOrder: noted.filter(({ normal }) => !OF_ITEM.test(normal)),
  }
}

function orderIn(
  rows: readonly [ShopifyOrderRow, ...ShopifyOrderRow[]],
  kept: KeptColumns,
  { separator, timeOf }: OrderNotation<ShopifyOrderMember>,
): FileOrder {
  const [first] = rows
  const amount = (member: ShopifyOrderMember) => decimalOf(first.cell(member), separator)
  const total = amount('total')
  if (total === undefined) throw new Refusal('the first line of the order has no total', first.cell('total').heading)
  const items = rows.map((row) => inLine(row, () => itemOf(row, kept.ofItem, separator)))
  const discounted = discountOf(items, amount('subtotal'), amount('discount'))
  const refunded = amount('refunded')
  const isRefunded = unitsOf(refunded) > 0n
  const occurredAt = timeOf(first.cell('createdAt'))
  const cancelledAt = timeOf(first.cell('cancelledAt'))
  const receiptId = textOf(first.cell('name')) ?? ''
  const status = cancelledAt === undefined ? statusOf(first) : 'cancelled'
  return {
    line: first.line,
    lines: rows.map(({ line }) => line),
    receiptId,
    occurredAt,
    items,
    total,
    externalId: `shopify-order-${codeOf(first.cell('id')) ?? receiptId}`,
    status: isRefunded ? refundedStatus(refunded as string, total) : status,
    currency: currencyOf(first.cell('currency')),
    email: textOf(first.cell('email')),
    customerNote: textOf(first.cell('note')),
    discount: discounted,
    discountLabel: textOf(first.cell('discountCode')),
    shippingTotal: amount('shippingTotal'),
    totalTaxes: amount('taxes'),
    taxes: kept.taxes.flatMap((columns) => taxOf(first, columns, separator)),
    isTaxInclusive: isInclusive(amount, total),
    ...(unitsOf(amount('duties')) !== 0n && { fees: [{ name: 'Duties', amount: amount('duties') as string }] }),
    balance: amount('outstanding'),
    payments: paymentsIn(first, total, amount, timeOf(first.cell('paidAt')) ?? occurredAt),
    ...(isRefunded && { refunded: { amount: refunded as string, at: cancelledAt } }),
    billing: addressOf(first, 'billing'),
    shipping: addressOf(first, 'shipping'),
    metadata: [
      ...lostOf(first, discounted, amount),
      ...kept.ofWholeOrder.flatMap(({ at }) => cellAsMetadata(first.at(at), SILENT)),
    ],
  }
}

type Amount = (member: ShopifyOrderMember) => string | undefined

function itemOf(row: ShopifyOrderRow, kept: KeptColumns['ofItem'], separator: string): FileLine {
  const { cell } = row
  const quantity = decimalOf(cell('itemQuantity'), separator)
  const price = decimalOf(cell('itemPrice'), separator)
  if (quantity === undefined) throw new Refusal('the line has no quantity', cell('itemQuantity').heading)
  if (price === undefined) throw new Refusal('the line has no price', cell('itemPrice').heading)
  return {
    quantity,
    price,
    name: textOf(cell('itemName')),
    sku: codeOf(cell('itemSku')),
    discount: decimalOf(cell('itemDiscount'), separator),
    metadata: kept.flatMap(({ at }) => cellAsMetadata(row.at(at), SILENT)),
  }
}

function statusOf({ cell }: ShopifyOrderRow): string {
  const text = textOf(cell('financialStatus'), VOCABULARY_CHARACTERS)?.toLowerCase().replaceAll('_', ' ')
  return text === undefined
    ? 'completed'
    : (STATUS[text] ?? refuseCell(cell('financialStatus'), 'is not a status of Shopify'))
}

/**
 * The discount on the whole order. `Subtotal` is after all discounts, so this is the difference between it and the
 * items after their own discounts; `Discount Amount` may also be for delivery.
 */
function discountOf(items: readonly FileLine[], subtotal: string | undefined, discount: string | undefined) {
  const net = sum(items.map(({ price, quantity, discount }) => lineAmount(price, quantity) - unitsOf(discount)))
  const left = subtotal === undefined ? unitsOf(discount) : net - unitsOf(subtotal)
  return left > 0n ? amountText(left, subtotal ?? discount) : undefined
}

/**
 * Cells whose meaning the order cannot fully express: a status that we have no word for, several methods, a discount on
 * delivery.
 */
function lostOf({ cell }: ShopifyOrderRow, discounted: string | undefined, amount: Amount): Metadatum[] {
  const hasMore = cell('paymentMethod').text.includes(' + ')
  return [
    ...cellAsMetadata(cell('financialStatus'), ['paid']),
    ...cellAsMetadata(cell('cancelledAt')),
    ...(hasMore ? [...cellAsMetadata(cell('paymentMethod')), ...cellAsMetadata(cell('paymentReference'))] : []),
    ...(unitsOf(amount('discount')) === unitsOf(discounted) ? [] : cellAsMetadata(cell('discount'))),
  ]
}

/** Prices contain the taxes if the total has nothing on top of them. */
function isInclusive(amount: Amount, total: string): boolean {
  const net = sum((['subtotal', 'shippingTotal', 'duties'] as const).map((member) => unitsOf(amount(member))))
  return unitsOf(amount('taxes')) !== 0n && unitsOf(total) === net
}

/** The columns of the taxes: `Tax 1 Name` and `Tax 1 Value`, and so on. */
const taxColumns = (others: readonly { readonly at: number; readonly normal: string }[]): KeptColumns['taxes'] =>
  [1, 2, 3, 4, 5].map((number) => {
    const at = (part: string) => others.find(({ normal }) => normal === `tax ${number} ${part}`)?.at ?? -1
    return { name: at('name'), value: at('value') }
  })

/** A tax, whose name contains the rate: `VAT 20%`. */
function taxOf(row: ShopifyOrderRow, columns: KeptColumns['taxes'][number], separator: string): FileTax[] {
  const amount = decimalOf(row.at(columns.value), separator)
  const name = textOf(row.at(columns.name))
  const rate = /(\d+(?:[.,]\d+)?)\s*%/.exec(name ?? '')?.[1]
  if (amount === undefined) return []
  return [{ ...(name && { name }), ...(rate && { percentage: Number(rate.replace(',', '.')) }), amount }]
}

/** What was paid: the total without what is outstanding. Shopify does not say how much was paid by which of several methods. */
function paymentsIn({ cell }: ShopifyOrderRow, total: string, amount: Amount, at: string | undefined): FilePayment[] {
  const status = cell('financialStatus').text.toLowerCase().replaceAll('_', ' ')
  if (['pending', 'authorized', 'unpaid', 'voided', 'expired'].includes(status)) return []
  const outstanding = amount('outstanding')
  if (status === 'partially paid' && outstanding === undefined)
    throw new Refusal('the order is paid in part, and the file has no Outstanding Balance that says how much')
  const paid = unitsOf(total) - unitsOf(outstanding)
  if (paid <= 0n) return []
  const [method, ...more] = cell('paymentMethod').text.split(/\s\+\s/)
  const reference = more.length > 0 ? undefined : textOf(cell('paymentReference'))
  return [{ method: more.length > 0 ? 'several' : method || undefined, amount: amountText(paid, total), at, reference }]
}

export const shopifyOrders = orderFormat({
  layout,
  keyOf: () => 'name',
  times: ['createdAt', 'paidAt', 'cancelledAt'],
  builder: (notation) => {
    const kept = keptOf(notation.others)
    return (rows) => orderIn(rows, kept, notation)
  },
})
