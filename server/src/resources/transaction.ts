// Transaction: a payment in or out.
import { currency, decimal, externalId, name, object, reference, required, text, word } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const transaction = resource({
  name: { one: 'transaction', many: 'transactions' },
  title: 'Transactions',
  description: 'One payment in or out, in cash or through a processor.',
  fields: {
    externalId: externalId(),
    paymentMethod: required(word('cash', 'credit_card', 'gift_card', 'store_credit')),
    amount: required(decimal()),
    currency: currency(),
    type: word('sale', 'refund', 'void'),
    notes: text(),
    employee: reference(),
    balance: decimal(),
    sessionId: reference(),
    paymentData: object({ processor: name(), processorTransactionId: name(), device: name() }),
    orderId: reference(),
    refundId: reference(),
    outletId: reference(),
    receiptId: name(),
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
