// The tools that write. Each write has an idempotency key; many items at once are first shown, and written when that is confirmed.

import { randomUUID } from 'node:crypto'
import type { JsonSchema } from '../../core/json-schema.ts'
import { BULK_ITEMS, IDEMPOTENCY_KEY_CHARACTERS } from '../../core/limits.ts'
import { movements } from '../../resources/inventory-history.ts'
import { idSchema as id, listPathOf, pathOf, writtenSchema } from './resources.ts'
import { type Arguments, type AskApi, answerOf, asData, dataSchema, input, type Tool, ToolError } from './tool.ts'

/** Items that are written at once without being confirmed. */
const UNCONFIRMED_ITEMS = 20
/** Items that a preview shows, of those that would succeed and of those that would fail. */
const SHOWN_ITEMS = 3

const object: JsonSchema = { type: 'object' }
const idempotencyKey: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: IDEMPOTENCY_KEY_CHARACTERS,
  pattern: '^[ -~]+$',
  description: 'Optional. To repeat a call whose result was lost, send the same key and arguments: it is done once.',
}
const items: JsonSchema = { type: 'array', minItems: 1, maxItems: BULK_ITEMS, items: object }
const confirm: JsonSchema = {
  type: 'boolean',
  description: `Needed for more than ${UNCONFIRMED_ITEMS} items; without it, the call only shows what it would do.`,
}
const many = dataSchema(
  { type: 'array', items: object },
  { isDryRun: { type: 'boolean' }, summary: object, confirm: { type: 'string' } },
)

/**
 * Writes with an idempotency key of its own, so that repetitions are done once: those by `retriedRequests`, and those by an
 * agent that reads the key in an error.
 */
async function written(ask: AskApi, args: Arguments, method: string, path: string, body: unknown, place = '') {
  const { idempotencyKey = randomUUID() } = args
  try {
    return await answerOf(ask, { method, path, body, idempotencyKey }, { body: place })
  } catch (error) {
    throw error instanceof ToolError ? new ToolError({ ...error.problem, idempotencyKey }) : error
  }
}

/** Writes many items. Without the confirmation that they need, carries them out as a dry run. */
async function writtenMany(ask: AskApi, args: Arguments, method: string, path: string): Promise<object> {
  const { items, reason, confirm } = args
  const body = { items, ...(reason !== undefined && { reason }) }
  if (items.length > UNCONFIRMED_ITEMS && confirm !== true)
    return preview(await answerOf(ask, { method, path, query: { dryRun: true }, body }))
  const { summary, results } = await written(ask, args, method, path, body)
  // For records that were written as they were sent, the ids suffice.
  const shown = results.map(({ index, status, clientRef, id, data, error }: Arguments) =>
    status === 'success' && results.length > UNCONFIRMED_ITEMS
      ? { index, clientRef, id: id ?? data?.id }
      : { index, status, clientRef, id, data, error },
  )
  return asData(shown, { isDryRun: false, summary })
}

/** What a call with many items would do: how many would succeed, the first of them, and the first that would fail. */
function preview({ summary, results }: Arguments): object {
  const first = (status: string) =>
    results.filter((result: Arguments) => result.status === status).slice(0, SHOWN_ITEMS)
  return asData([...first('success'), ...first('error')], {
    isDryRun: true,
    summary,
    confirm: 'Nothing was written. Show this to the user; to write it, repeat the call with confirm: true.',
  })
}

const methods = { create: 'POST', update: 'PATCH', delete: 'DELETE' } as const

const single: readonly Tool[] = [
  {
    name: 'create',
    title: 'Create a record',
    description: 'Creates one record. For several, use bulk.',
    permissions: ['create'],
    input: input({ resource: writtenSchema, record: object, idempotencyKey }, 'resource', 'record'),
    output: dataSchema(object),
    run: async (args, ask) => asData(await written(ask, args, 'POST', `/v1/${args.resource}`, args.record, '/record')),
  },
  {
    name: 'update',
    title: 'Update a record',
    description:
      'Changes the members in changes and leaves the others; null clears a member. A list or object is replaced as a whole.',
    permissions: ['update'],
    isIdempotent: true,
    isDestructive: true,
    input: input({ resource: writtenSchema, id, changes: object, idempotencyKey }, 'resource', 'id', 'changes'),
    output: dataSchema(object),
    run: async (args, ask) =>
      asData(await written(ask, args, 'PATCH', pathOf(args.resource, args.id), args.changes, '/changes')),
  },
  {
    name: 'delete',
    title: 'Delete a record',
    description: 'Deletes one record: a customer or inventory record is only flagged, others are gone.',
    permissions: ['delete'],
    isIdempotent: true,
    isDestructive: true,
    input: input({ resource: writtenSchema, id }, 'resource', 'id'),
    output: dataSchema(object),
    run: async ({ resource, id }, ask) => asData(await answerOf(ask, { method: 'DELETE', path: pathOf(resource, id) })),
  },
]

const stock = (name: string, title: string, path: string, description: string, members: string): Tool => ({
  name,
  title,
  description: `${description} Items: {variantId (or sku, barcode or variantExternalId, which exactly one variant must have), outletId, ${members}}.`,
  permissions: ['create'],
  isDestructive: true,
  input: input({ items, reason: { type: 'string', maxLength: 500 }, confirm, idempotencyKey }, 'items'),
  output: many,
  run: (args, ask) => writtenMany(ask, args, 'POST', path),
})

export const writeTools: readonly Tool[] = [
  ...single,
  {
    name: 'bulk',
    title: 'Write many records',
    description: `Creates, updates or deletes up to ${BULK_ITEMS} records. Items: records to create, {id, ...changes} to update, {id} to delete. Each item fails alone. More than ${UNCONFIRMED_ITEMS} items need confirm: true.`,
    permissions: ['create', 'update', 'delete'],
    isDestructive: true,
    input: input(
      { resource: writtenSchema, action: { enum: Object.keys(methods) }, items, confirm, idempotencyKey },
      ...['resource', 'action', 'items'],
    ),
    output: many,
    run: (args, ask) => writtenMany(ask, args, methods[args.action as keyof typeof methods], listPathOf(args.resource)),
  },
  stock(
    'adjust_stock',
    'Move stock',
    '/v1/inventories/adjust',
    'Adds delta to the stock of variants at outlets, such as for goods that arrived.',
    `delta, kind (${movements.join(', ')}), optionally group (consecutive items with the same group: all or none)`,
  ),
  stock(
    'set_stock',
    'Set stock',
    '/v1/inventories/set-levels',
    'Sets the stock of variants at outlets to counted quantities.',
    'quantity, productId (beside variantId), optionally expectedQuantity (fails if the stock differs)',
  ),
]
