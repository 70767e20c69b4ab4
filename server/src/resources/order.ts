// Order: a sale, from the first line scanned to the last payment.
import { unseenCompany } from '../database/statement.ts'
import {
  anything,
  atTimes,
  choice,
  currency,
  dateTime,
  decimal,
  described,
  externalId,
  flag,
  list,
  name,
  number,
  object,
  reference,
  serverOwned,
  text,
  usualWord,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { dueOf, fulfilmentStatuses, paymentStatuses, withCashRounding } from './order-due.ts'
import { summedInOtherCurrency } from './order-sums.ts'
import { customSale, lineItem, orderPayment, summary } from './sale-shapes.ts'
import { address, fromService, metadata, occurredAt, otherNames, source } from './shapes.ts'

/** What the status of an order usually is; the rules about orders know these. */
const statuses: readonly string[] = ['pending', 'parked', 'completed', 'refunded', 'partial-refund', 'cancelled']

/** Whether an order of this status waits to be paid, and is no sale yet. */
export const isOpenStatus = (status: unknown): boolean => status === 'pending' || status === 'parked'

/** Whether one of these statuses was reached, which raises an event of its own (decisions §9). */
const becomes =
  (...statuses: string[]) =>
  (now: { status?: string }, before: { status?: string } | undefined): boolean =>
    statuses.includes(now.status ?? '') && now.status !== before?.status

/** SQL: the order has `checks`. The text is searched first, in the form that the index has, since parsing all bodies would take long. */
const hasChecks = (row: string) => `${row}.body::text like '%"checks":[%' and ${row}.body -> 'checks' is not null`
const checksFilter = (value: string, hasNone: string) =>
  `((${value}::boolean and ${hasChecks('stored')}) or (not ${value}::boolean and ${hasNone}))`

/** The payment statuses of orders that are still to be paid: few have them, and these have an index (migration 0068). */
const toBePaid = ['unpaid', 'partially-paid'] as const satisfies readonly (typeof paymentStatuses)[number][]

export const order = resource({
  name: { one: 'order', many: 'orders' },
  alsoCalled: ['sale'],
  title: 'Orders',
  description:
    'A sale with its lines, totals and payments. The till computes all amounts; the service stores them as they are sent. An order does not change stock until it is completed as a sale. The guide `docs/guides/anatomy-of-a-sale.md` follows a sale from the receipt to each of its members.',
  fields: {
    receiptId: name({ description: 'The number on the receipt. The till chooses it.', example: 'R-1001' }),
    status: usualWord(statuses, {
      description: 'The state of the sale. Reports count all orders except pending, parked and cancelled ones.',
    }),
    occurredAt: occurredAt('When the sale was made.'),
    currency: currency({
      description: 'ISO 4217 code of all amounts of the order. Without it, the company’s currency.',
    }),
    customerId: reference({ description: 'The customer who buys. Anonymous sales have none.' }),
    outletId: reference({ description: 'Where the sale is made.' }),
    stationId: reference({ description: 'The till that makes the sale.' }),
    sessionId: reference({
      description:
        'The open session of that till. Without it, the order is in no session report and no closing, even with a `stationId`.',
    }),
    employee: reference({ description: 'The account or user of the cashier.' }),
    source: source('Where the sale comes from.'),
    externalId: externalId({ example: 'woo-1001' }),
    fromService: fromService(),
    balance: decimal({
      description:
        'What was still to be paid when it was written: `summary.total` minus all payments. A sale and `POST /v1/sale/{orderId}/payments` compute it; otherwise the caller maintains it. Transactions and refunds that are written later do not change it; `due` is always current. A decimal string in `currency`.',
      example: '0.00',
    }),
    customerNote: text({ description: 'A remark by the customer.', example: 'Please wrap as a gift' }),
    signature: text({ description: 'The customer’s signature as an image in Base64.' }),
    parkReduceStock: flag({
      description:
        'Whether a parked order takes its goods off the stock. The till does that when it parks the order; completing the order then moves no stock.',
    }),
    parkExpiryDate: dateTime({
      description: 'Until when a parked order is kept for the customer. Nothing happens automatically at that time.',
      example: '2026-11-28T18:00:00.000Z',
    }),
    summary: described(summary(), 'The totals of the sale, computed by the till. Refunds leave them as they are.'),
    cartDiscount: object(
      {
        label: name({ description: 'Name of the discount on the receipt.', example: 'Loyalty 10 %' }),
        amount: decimal({
          description:
            'The whole discount, the sum of `discount.cartDiscount.amount` of the lines. A positive decimal string in `currency`.',
          example: '2.50',
        }),
        percentage: number({
          description: 'The rate in percent of the lines after their own discounts: `10` is 10 %.',
          example: 10,
        }),
      },
      { title: 'CartDiscount', description: 'A discount on the whole sale. Each line has its part of it.' },
    ),
    cartFees: list(anything(), {
      description: 'Fees for the whole sale, usually {name, amount}. They are part of `summary.total` only.',
    }),
    lineItems: list(lineItem({ isRefund: false }), {
      description: 'The products that are sold, in the receipt’s order.',
    }),
    customSales: list(customSale(), { description: 'What is sold without a product, such as a service.' }),
    paymentMethods: list(orderPayment(), {
      description:
        'The payments, as the receipt shows them. Each is also a transaction, which reports and sessions add up.',
    }),
    billing: described(address(), 'Where the invoice goes.'),
    shipping: described(address(), 'Where the goods are delivered.'),
    paid: serverOwned(
      atTimes(
        decimal({
          description:
            'What was paid: the amounts of the order’s transactions of the type `sale` or without a type. Amounts in a currency other than the order’s do not count. This member and the following ones exist once something was paid or returned.',
          example: '40.46',
        }),
      ),
    ),
    refunded: serverOwned(
      atTimes(
        decimal({
          description:
            'What was paid back: the amounts of its transactions of the type `refund` that are in its currency.',
          example: '10.63',
        }),
      ),
    ),
    returned: serverOwned(
      atTimes(
        decimal({
          description:
            'The value of what came back: `summary.total` + `summary.cashRounding` of its refunds that are in its currency.',
          example: '10.63',
        }),
      ),
    ),
    returnedQuantity: serverOwned(
      atTimes(
        number({
          description:
            'Units that came back: the quantities of the lines of its refunds, without those that went out again with an exchange.',
          example: 1,
        }),
      ),
    ),
    due: serverOwned(
      atTimes(
        decimal({
          description:
            'What the customer owes: `summary.total` + `summary.cashRounding` − `returned` − `paid` + `refunded`. An amount that was paid in another currency is still owed. If negative, the shop owes the customer. For a cancelled order, only money that moved counts: `refunded` − `paid`. Any other order without `summary.total` does not have this member.',
          example: '0.00',
        }),
      ),
    ),
    paymentStatus: serverOwned(
      atTimes(
        choice(paymentStatuses, {
          description:
            'The payment status. If something is due, it is `unpaid`, or `partially-paid` if the shop has kept some of the money. Otherwise it is `paid`; `partially-refunded` if a part of the money went back; or `refunded` if all of it did, or if the order was cancelled or came back without having been paid. Absent without `due`.',
        }),
      ),
    ),
    fulfilmentStatus: serverOwned(
      atTimes(
        choice(fulfilmentStatuses, {
          description:
            'Whether the customer has the goods, derived from `status` and `returnedQuantity`. Absent on an order with the `source` `shopify` or `woocommerce` that is neither returned nor cancelled: its status does not say whether the goods were sent.',
        }),
      ),
    ),
    completedAt: serverOwned(
      atTimes(
        dateTime({
          description:
            'When `POST /v1/sale`, `POST /v1/sales` or `POST /v1/sale/{orderId}/complete` made the order a sale, and its goods left the shelf. It stays, whatever `status` becomes: an order is completed once.',
          example: '2026-11-21T09:30:00.000Z',
        }),
      ),
    ),
    voidedAt: serverOwned(
      atTimes(
        dateTime({
          description:
            'When the sale was voided. It stays, whatever `status` becomes: a voided sale can be neither voided again nor refunded.',
          example: '2026-11-21T09:35:00.000Z',
        }),
      ),
    ),
    checks: serverOwned(
      atTimes(
        list(
          object(
            {
              pointer: text({ description: 'JSON pointer of the amount.', example: '/lineItems/0/total' }),
              sent: text({ description: 'The amount as it was sent and is stored.', example: '999.00' }),
              computed: text({ description: 'The computed amount.', example: '20.00' }),
            },
            { title: 'AmountCheck', description: 'A sent amount that differs from the computed one.' },
          ),
          {
            description:
              'Amounts of a sale that differed from the computed ones when it was made, at most 100. Only `POST /v1/sale` and `POST /v1/sales` check them.',
          },
        ),
      ),
    ),
    metadata: metadata(),
    notes: list(anything(), { description: 'Remarks of the staff, usually {message, createdAt}; any JSON is kept.' }),
  },
  requireOneOf: ['lineItems', 'customSales', 'summary'],
  derive: (record, before) => {
    const rounded = withCashRounding(record, before)
    return { fromService: record.fromService ?? false, ...rounded, ...dueOf({ ...record, ...rounded }) }
  },
  // In another currency other payments count.
  amended: ['currency'],
  amend: summedInOtherCurrency,
  raises: { completed: becomes('completed'), refunded: becomes('refunded', 'partial-refund') },
  filters: {
    paymentStatus: {
      schema: {
        type: 'string',
        enum: toBePaid,
        description:
          'Only orders for which something is due: `unpaid` if nothing was paid or kept, otherwise `partially-paid`. An order without payments that is not a sale has no payment status.',
      },
      // In the form of the index; a caller's text in the body may match it too.
      condition: (value) =>
        `(stored.body::text ~ '"paymentStatus":"(${toBePaid.join('|')})"' and stored.body ->> 'paymentStatus' = ${value})`,
    },
    hasChecks: {
      schema: {
        type: 'boolean',
        description: 'With `true`, only orders with `checks`; with `false`, only those without.',
      },
      // A count leaves out the orders of the index, and reads no other body. `is true` keeps PostgreSQL from a join, as in `visible-at.ts`.
      condition: (value) =>
        checksFilter(
          value,
          `(not exists (select from orders as checked where checked.company_id = ${unseenCompany} and checked.id = stored.id and ${hasChecks('checked')})) is true`,
        ),
      // A page parses the few bodies that it meets.
      pageCondition: (value) => checksFilter(value, "stored.body -> 'checks' is null"),
    },
  },
  moment: 'occurredAt',
  remove: 'hard',
  elsewhere: {
    ...Object.fromEntries(
      ['total', 'subTotal', 'totalTaxes', 'discountTotal', 'shippingTotal', 'taxes', 'tip', 'isTaxInclusive'].map(
        (member) => [member, 'send it in summary'],
      ),
    ),
    ...otherNames('shipping', 'shippingAddress'),
    ...otherNames('billing', 'billingAddress'),
    ...otherNames('outletId', 'location', 'locationId', 'store', 'storeId', 'shopId', 'branchId'),
    ...otherNames('stationId', 'register', 'registerId', 'till', 'tillId', 'terminalId'),
    ...otherNames('sessionId', 'shiftId'),
    ...otherNames('employee', 'cashier', 'cashierId', 'staff', 'staffId', 'userId'),
    ...otherNames('receiptId', 'receiptNumber', 'orderNumber'),
    ...otherNames('externalId', 'reference', 'referenceId'),
    ...otherNames('occurredAt', 'date', 'time', 'timestamp', 'soldAt'),
    ...otherNames('shippingTotal in summary', 'deliveryFee', 'shippingCost'),
    ...otherNames('isTaxInclusive in summary', 'taxInclusive', 'taxesIncluded', 'pricesIncludeTax'),
  },
  list: {
    sort: ['receiptId', 'status'],
    search: ['receiptId', 'customerNote'],
    exact: [
      'externalId',
      'receiptId',
      'status',
      'source',
      'currency',
      'employee',
      'customerId',
      'outletId',
      'stationId',
      'sessionId',
    ],
    selective: ['externalId', 'receiptId'],
    separated: ['status'],
  },
  styleA: { one: ['order'], list: 'orders' },
  styleB: { one: 'order', many: 'orders' },
  example: {
    receiptId: 'R-1001',
    status: 'completed',
    currency: 'EUR',
    lineItems: [
      {
        productId: '6740a1f2c3d4e5f6a7b8c9d1',
        variantId: '6740a1f2c3d4e5f6a7b8c9d4',
        quantity: 2,
        price: '12.50',
        total: '25.00',
      },
    ],
    summary: { total: '25.00', subTotal: '25.00' },
  },
})
