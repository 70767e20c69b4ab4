// The report of low stock on the wire.

import { type JsonSchema, object, string } from '../../core/json-schema.ts'
import type { Database } from '../../database/connect.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { ok, type Route } from '../../http/route.ts'
import { reportsTag } from '../reports/documents.ts'
import { LOW_STOCK_BELOW, lowStockReport } from './low-stock.ts'

/** Levels that the report of low stock lists by default and at most, and its `below` at most. */
const LOW_STOCK_DEFAULT = 20
const LOW_STOCK = 1_000
const LOW_STOCK_BELOW_MOST = 1_000_000_000

const schema: JsonSchema = object('LowStockReport', {
  data: {
    type: 'array',
    description: 'The levels below the bound, lowest first.',
    items: object(
      'LowLevel',
      {
        inventoryId: string('The inventory record.'),
        variantId: string('The variant that is running low.'),
        productId: string('The product that the variant belongs to.'),
        outletId: string('The outlet where it is running low.'),
        productName: string('Display name of the product.'),
        variantName: string('The values of its attributes.'),
        sku: string('Stock keeping unit of the variant.'),
        outletName: string('Display name of the outlet.'),
        stock: { type: 'number', description: 'Units on hand.' },
      },
      ['inventoryId', 'variantId', 'outletId', 'stock'],
    ),
  },
  meta: {
    title: 'LowStockReportMeta',
    type: 'object',
    properties: { count: { type: 'integer', description: 'The number of all levels below the bound.' } },
    required: ['count'],
    description: 'The number of levels.',
  },
})

const example = {
  data: [
    {
      inventoryId: '6740a1f2c3d4e5f6a7b8c9d8',
      variantId: '6740a1f2c3d4e5f6a7b8c9d4',
      productId: '6740a1f2c3d4e5f6a7b8c9d1',
      outletId: '6740a1f2c3d4e5f6a7b8c9d2',
      productName: 'Espresso beans',
      variantName: '250 g',
      sku: 'ESP-1-250',
      outletName: 'Main Street',
      stock: 2,
    },
  ],
  meta: { count: 1 },
}

/** The route. */
export const lowStockRoutes = (database: Database, { lists }: OperationSemaphores): Route[] => [
  {
    method: 'GET',
    surface: 'company',
    tag: reportsTag,
    semaphore: 'none',
    path: '/v1/reports/low-stock',
    operationId: 'reportLowStock',
    summary: 'Read the low-stock report',
    description:
      'Live inventory records with stock below `below`, of variants whose `manageStock` is true, lowest stock first.',
    query: {
      below: {
        type: 'integer',
        minimum: -LOW_STOCK_BELOW_MOST,
        maximum: LOW_STOCK_BELOW_MOST,
        default: LOW_STOCK_BELOW,
        description: 'Only stock below this number.',
      },
      limit: {
        type: 'integer',
        minimum: 0,
        maximum: LOW_STOCK,
        default: LOW_STOCK_DEFAULT,
        description: 'Maximum number of records; 0 means the default.',
      },
    },
    replies: { 200: { description: 'The records with low stock.', schema, example } },
    handle: async ({ scope, query, isGone }) => {
      const { below = LOW_STOCK_BELOW } = query
      const settings = { below, limit: query.limit || LOW_STOCK_DEFAULT, isGone }
      return ok(await lowStockReport(database, lists, scope.companyId, settings))
    },
  },
]
