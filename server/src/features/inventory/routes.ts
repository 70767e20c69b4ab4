// Stock on the wire: set-levels (pos-api.md), adjust and the history (decisions §6).

import type { JsonSchema } from '../../core/json-schema.ts'
import type { Database } from '../../database/connect.ts'
import { bulk } from '../../engine/bulk.ts'
import { bulkResultSchema, bulkSchema } from '../../engine/bulk-documents.ts'
import { documents } from '../../engine/documents.ts'
import { pager } from '../../engine/lists/list.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { listB } from '../../engine/style-b.ts'
import type { Route } from '../../http/route.ts'
import { inventory } from '../../resources/inventory.ts'
import { inventoryHistory } from '../../resources/inventory-history.ts'
import { adjust, besideItems, countMoves, type StockRequest, setLevels, stockCarrier } from './requests.ts'

const { record, example } = documents(inventory)
const moved: JsonSchema = {
  ...record,
  title: 'InventoryMoved',
  properties: {
    ...(record.properties as object),
    previousStock: { type: 'number', description: 'The stock before; 0 for a new record.' },
  },
  required: [...(record.required as string[]), 'previousStock'],
}
const counts = {
  created: { type: 'integer', description: 'How many items created a record.' },
  updated: { type: 'integer', description: 'How many items changed the stock of a record.' },
  unchanged: { type: 'integer', description: 'How many records already had the stock.' },
}

/** A route that changes the stock of many combinations. */
function stockRoute(
  path: string,
  carrier: ReturnType<typeof stockCarrier>,
  request: StockRequest,
  item: { readonly title: string; readonly example: object },
  words: Pick<Route, 'operationId' | 'summary' | 'description'>,
): Route {
  const carry = carrier(request)
  const members = Object.entries(request.fields).map(([member, { schema }]) => [member, schema])
  const required = Object.keys(request.fields).filter((member) => request.fields[member]?.required)
  const schema = { title: item.title, type: 'object', properties: Object.fromEntries(members), required }
  const summary = { total: 1, succeeded: 1, failed: 0, created: 0, updated: 1, unchanged: 0 }
  return {
    ...words,
    method: 'POST',
    path,
    surface: 'company',
    tag: inventory.title,
    // Batched requests wait there.
    semaphore: 'none',
    isBulk: true,
    body: {
      schema: bulkSchema(schema, false, { reason: besideItems.reason.schema }),
      example: { items: [{ ...item.example, clientRef: 'row-1' }], reason: 'Counted on Saturday' },
    },
    replies: {
      200: {
        description: 'The result of each item, in the order of the request.',
        schema: bulkResultSchema(moved, counts),
        example: {
          summary,
          results: [{ index: 0, status: 'success', clientRef: 'row-1', data: { ...example, previousStock: 14 } }],
        },
      },
    },
    problems: ['too_many_items'],
    handle: (call) =>
      bulk(call, {
        hasIds: false,
        showsRecord: true,
        alongside: Object.keys(besideItems),
        carry,
        summarise: countMoves,
      }),
  }
}

const tuple = {
  productId: '6740a1f2c3d4e5f6a7b8c9d1',
  variantId: '6740a1f2c3d4e5f6a7b8c9d4',
  outletId: '6740a1f2c3d4e5f6a7b8c9d2',
}

/** The routes of stock; they wait in the semaphores of the resources. */
export function inventoryRoutes(database: Database, { lists, contended }: OperationSemaphores): Route[] {
  const carrier = stockCarrier(database, contended)
  return [
    stockRoute(
      '/v1/inventories/set-levels',
      carrier,
      setLevels,
      { title: 'LevelToSet', example: { ...tuple, quantity: 12 } },
      {
        operationId: 'setInventoryLevels',
        summary: 'Set stock to quantities',
        description:
          'Sets the stock of the named combinations of product, variant and outlet; each combination can appear in only one item. An item names its variant by `variantId`, or by its `sku`, `barcode` or `variantExternalId`, which exactly one variant must have. A live record is overwritten; if there is none, or only a deleted one, a new record is created. An existing variant has one product: an item with another `productId` fails with 400. A quantity below zero fails unless the variant has `allowBackorder`. With `expectedQuantity`, the item fails if the current stock differs from it.',
      },
    ),
    stockRoute(
      '/v1/inventories/adjust',
      carrier,
      adjust,
      { title: 'LevelToAdjust', example: { ...tuple, delta: 24, kind: 'RECEIVED' } },
      {
        operationId: 'adjustInventory',
        summary: 'Move stock by amounts',
        description:
          'Adds each delta to the stock of its product and variant at its outlet, in the order of the items. An item names its variant by `variantId`, or by its `sku`, `barcode` or `variantExternalId`, which exactly one variant must have. Concurrent requests do not overwrite each other. A missing record starts at 0. An item that would take stock below zero fails with 409 unless the variant has `allowBackorder`. Consecutive items with the same `group` are all carried out, or none of them; use it for both halves of a transfer.',
      },
    ),
    listB({ resource: inventoryHistory, list: pager(inventoryHistory, database, lists) }, inventoryHistory.name.many),
  ]
}
