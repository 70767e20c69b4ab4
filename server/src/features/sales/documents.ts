// The responses of sales in the reference.

import { type JsonSchema, string } from '../../core/json-schema.ts'
import { documents } from '../../engine/documents.ts'
import { customer } from '../../resources/customer.ts'
import { order } from '../../resources/order.ts'
import { refund } from '../../resources/refund.ts'
import { transaction } from '../../resources/transaction.ts'

/** The stock that a sale or a refund moved. */
const stockSchema: JsonSchema = {
  type: 'array',
  description: 'The moves of stock, one for each line of a managed variant.',
  items: {
    title: 'SaleStockMove',
    description: 'What a line did to the stock of its variant at the outlet.',
    type: 'object',
    properties: {
      lineItem: { type: 'integer', description: 'Position of the line in `lineItems` of the order, from 0.' },
      inventoryId: string('The inventory record that changed.'),
      variantId: string('The variant of the line.'),
      outletId: string('The outlet whose stock changed.'),
      previousStock: { type: 'number', description: 'Units before; 0 for a new inventory record.' },
      stock: { type: 'number', description: 'Units after.' },
    },
    required: ['lineItem', 'inventoryId', 'variantId', 'outletId', 'previousStock', 'stock'],
  },
}

const transactions: JsonSchema = {
  type: 'array',
  description: 'A transaction for each payment, in the order of `payments`.',
  items: documents(transaction).record,
}

/** The response to a sale. */
export const saleSchema: JsonSchema = {
  title: 'Sale',
  description: 'Everything that a sale stored.',
  type: 'object',
  properties: {
    order: documents(order).record,
    transactions,
    // A title of its own: a company's tables may add columns to `Customer`.
    customer: { ...documents(customer).record, title: 'SaleCustomerCreated' },
    stock: stockSchema,
  },
  required: ['order', 'transactions', 'stock'],
}

/** An order and another one, by the name of its member. */
const twoOrders = (title: string, description: string, other: string): JsonSchema => ({
  title,
  description,
  type: 'object',
  properties: { order: documents(order).record, [other]: documents(order).record },
  required: ['order', other],
})

/** The responses to a split and to a merge. */
export const splitSchema = twoOrders('OrderSplitDone', 'The two orders of a split.', 'newOrder')
export const mergeSchema = twoOrders('OrdersMerged', 'The merged order and the cancelled order.', 'cancelledOrder')

/** The response to a refund. */
export const refundSchema: JsonSchema = {
  title: 'SaleRefunded',
  description: 'Everything that a refund stored.',
  type: 'object',
  properties: {
    refund: documents(refund).record,
    transactions,
    order: documents(order).record,
    stock: stockSchema,
  },
  required: ['refund', 'transactions', 'order', 'stock'],
}

/** The response to payments of a sale. */
export const paidSchema: JsonSchema = {
  title: 'SalePaid',
  description: 'What payments of a sale stored.',
  type: 'object',
  properties: { order: documents(order).record, transactions },
  required: ['order', 'transactions'],
}

/** The response to a void. */
export const voidSchema: JsonSchema = {
  title: 'SaleVoided',
  description: 'What a void changed.',
  type: 'object',
  properties: { order: documents(order).record, transactions, stock: stockSchema },
  required: ['order', 'transactions', 'stock'],
}

const { example: orderExample } = documents(order)
const transactionExample = {
  ...documents(transaction).example,
  id: '6740a1f2c3d4e5f6a7b8c9da',
  orderId: orderExample.id,
}

/** An example of a sale. */
export const saleExample = {
  order: orderExample,
  transactions: [transactionExample],
  stock: [
    {
      lineItem: 0,
      inventoryId: '6740a1f2c3d4e5f6a7b8c9d8',
      variantId: '6740a1f2c3d4e5f6a7b8c9d4',
      outletId: '6740a1f2c3d4e5f6a7b8c9d2',
      previousStock: 12,
      stock: 10,
    },
  ],
}

/** An example of a split. */
export const splitExample = {
  order: { ...orderExample, status: 'parked' },
  newOrder: { ...orderExample, id: '6740a1f2c3d4e5f6a7b8c9db', status: 'parked', receiptId: 'R-1001-2' },
}

/** An example of a merge. */
export const mergeExample = {
  order: { ...orderExample, status: 'parked' },
  cancelledOrder: { ...orderExample, id: '6740a1f2c3d4e5f6a7b8c9db', status: 'cancelled', lineItems: [] },
}

/** An example of payments. */
export const paidExample = { order: orderExample, transactions: [transactionExample] }

/** An example of a refund. */
export const refundExample = {
  refund: documents(refund).example,
  transactions: [{ ...transactionExample, type: 'refund', amount: '12.50' }],
  order: { ...orderExample, status: 'partial-refund' },
  stock: [],
}

/** An example of a void. */
export const voidExample = {
  order: { ...orderExample, status: 'cancelled' },
  transactions: [{ ...transactionExample, type: 'void' }],
  stock: [],
}
