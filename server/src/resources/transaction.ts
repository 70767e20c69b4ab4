// Transaction: a payment in or out.
import { PARAMETER_CHARACTERS } from '../core/limits.ts'
import {
  atTimes,
  currency,
  decimal,
  externalId,
  name,
  object,
  reference,
  required,
  serverOwned,
  text,
  usualWord,
} from '../engine/field.ts'
import { LISTED_IDS } from '../engine/lists/list-parameters.ts'
import { resource } from '../engine/resource.ts'
import { orderSideEffects } from './order-state.ts'
import { paymentMethod } from './sale-shapes.ts'
import { occurredAt } from './shapes.ts'

/** What tills and terminals know about a payment, which belongs in `paymentData`. */
const ofProcessor = ['processor', 'processorTransactionId', 'device', 'terminalId', 'transactionId', 'paymentIntentId', 'authorizationCode', 'authCode', 'cardBrand', 'cardLast4', 'last4', 'giftCardId', 'giftCardNumber', 'giftCardCode'] // biome-ignore format: one thought

export const transaction = resource({
  name: { one: 'transaction', many: 'transactions' },
  alsoCalled: ['payment', 'charge'],
  title: 'Transactions',
  description: 'One payment in or out, in cash or through a processor.',
  fields: {
    externalId: externalId({ example: 'woo-payment-9' }),
    paymentMethod: required(paymentMethod('How it was paid. Reports and sessions group payments by it.')),
    amount: required(
      decimal({
        description:
          'The amount that was paid, tip included, change not included. A decimal string in `currency`, positive for refunds too: `type` says which way the money went.',
        example: '25.00',
      }),
    ),
    occurredAt: occurredAt('When the money was taken or paid.'),
    currency: currency({
      description:
        'ISO 4217 code of the amounts. Without it, the company’s currency. A payment in a currency other than its order’s does not count in the order’s `paid`; reports and closings list it in its own.',
    }),
    type: usualWord(['sale', 'refund', 'void'], {
      description:
        'Money in (sale, also if missing), money back (refund), or a payment that was cancelled (void). Any other type is stored too, but like a void payment it does not count in orders, reports and closings.',
    }),
    notes: text({ description: 'Remarks for people, such as an authorization code.', example: 'Approved 004711' }),
    employee: reference({ description: 'The account or user of the cashier.' }),
    balance: decimal({
      description: 'What the customer still owes on the order after this payment. A decimal string in `currency`.',
      example: '0.00',
    }),
    cashRounding: serverOwned(
      atTimes(
        decimal({
          description:
            'What rounding to the smallest coin added to a payment in cash of an earlier sale; negative if it reduced it. It is part of the order’s `summary.cashRounding`, and counts in the session of this payment. Set by `POST /v1/sale/{orderId}/payments`.',
          example: '-0.02',
        }),
      ),
    ),
    addedTip: serverOwned(
      atTimes(
        decimal({
          description:
            'The tip in this payment that was added to `summary.tip` and `summary.total` of a sale that was made before. It counts in the session of this payment. Set by `POST /v1/sale/{orderId}/payments`.',
          example: '3.00',
        }),
      ),
    ),
    sessionId: reference({
      description:
        'The session of the till that took or paid the money. Without it, the payment is in no session report and no closing.',
    }),
    paymentData: object(
      {
        processor: name({ description: 'The payment processor.', example: 'stripe' }),
        processorTransactionId: name({ description: 'Identifies the payment there.', example: 'pi_3PX2mE' }),
        device: name({ description: 'The terminal or reader that took the card.', example: 'tmr_Fd1kQpXbW2' }),
      },
      {
        title: 'PaymentData',
        description: 'Data of the payment from the payment processor. Any further members are stored.',
      },
    ),
    orderId: reference({ description: 'The order that is paid.' }),
    refundId: reference({
      description:
        'The refund that is paid out, if `type` is refund. It does not make the transaction a refund: without `type`, the amount counts as money in.',
    }),
    outletId: reference({ description: 'Where the money was taken or paid.' }),
    receiptId: name({ description: 'The number on the receipt, as in `receiptId` of the order.', example: 'R-1001' }),
  },
  sideEffects: orderSideEffects('transactions'),
  elsewhere: Object.fromEntries(
    ofProcessor.map((member) => [member, 'send it in paymentData, which stores any member']),
  ),
  moment: 'occurredAt',
  filters: {
    processorTransactionId: {
      schema: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: PARAMETER_CHARACTERS },
        maxItems: LISTED_IDS,
        description: `Matches \`paymentData.processorTransactionId\` exactly: the id of the payment in the processor’s settlement file. Repeat the parameter for up to ${LISTED_IDS} values.`,
      },
      isSelective: true,
      // Written like the index of migration 0087, so that PostgreSQL uses it.
      condition: (value) =>
        `stored.body::text like '%"processorTransactionId":"%' and stored.body #>> '{paymentData,processorTransactionId}' = any(${value}::text[])`,
    },
  },
  remove: 'hard',
  list: {
    sort: ['amount'],
    search: ['receiptId', 'notes'],
    exact: [
      'externalId',
      'type',
      'paymentMethod',
      'currency',
      'employee',
      'sessionId',
      'orderId',
      'refundId',
      'outletId',
    ],
    selective: ['externalId', 'orderId'],
    separated: ['type', 'paymentMethod'],
  },
  styleA: { one: ['transactions'], list: 'transactions' },
  styleB: { one: 'transaction', many: 'transactions' },
  example: {
    paymentMethod: 'cash',
    amount: '25.00',
    currency: 'EUR',
    type: 'sale',
    orderId: '6740a1f2c3d4e5f6a7b8c9d5',
  },
})
