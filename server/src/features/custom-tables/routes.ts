// All routes of custom tables: four resources, and rows by the table's name with columns by name.

import { idPattern, type JsonSchema, object } from '../../core/json-schema.ts'
import { PAGE_DEFAULT, PAGE_MAXIMUM, SKIP_MAXIMUM } from '../../core/limits.ts'
import { orThrow } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { deletedSchema } from '../../engine/documents.ts'
import { links } from '../../engine/links.ts'
import { plainAnswer } from '../../engine/lists/page-answer.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import type { ItemResult, Written } from '../../engine/record.ts'
import { styleA } from '../../engine/style-a.ts'
import { type Call, json, ok, type Route } from '../../http/route.ts'
import { CUSTOM_NAME_CHARACTERS, customTable, customTableField, customTableRow, customTableValue } from './resources.ts'
import { RowReads } from './row-reads.ts'
import type { RowItem } from './row-state.ts'
import { rowOperations, rowWriter } from './row-writes.ts'
import type { SchemaCache } from './schema-cache.ts'
import { schemaOperations } from './schema-changes.ts'
import { valueOperations } from './value-records.ts'

const dataChapter = {
  'Custom table data':
    'Rows of a custom table, addressed by its name, with their columns by name in JSON types: strings, numbers, booleans, date-times, and strings that hold JSON. Columns are in the order in which their fields were created; empty ones are left out. Each write raises an event of the row.',
}

const oidSchema: JsonSchema = {
  type: 'object',
  properties: { $oid: { type: 'string', pattern: idPattern, description: '24 hexadecimal characters.' } },
  required: ['$oid'],
}
const time: JsonSchema = { type: 'string', format: 'date-time', readOnly: true }

const rowSchema: JsonSchema = {
  title: 'CustomTableDataRow',
  description: 'A row: its id, its columns by name, and its times.',
  type: 'object',
  properties: {
    _id: { ...oidSchema, description: 'Identifies the row. The service chooses it on create.', readOnly: true },
    createdAt: { ...time, description: 'When the row was created, in UTC.' },
    updatedAt: { ...time, description: 'When the row or one of its columns last changed, in UTC.' },
  },
  required: ['_id', 'createdAt', 'updatedAt'],
  additionalProperties: { description: 'A column, in the type of its field.', type: ['string', 'number', 'boolean'] },
}
const bodySchema: JsonSchema = {
  title: 'CustomTableDataBody',
  description:
    'Columns by name. `_id`, `createdAt` and `updatedAt` are ignored, so a row can be sent back as it was read; any other name that is not a column is refused.',
  type: 'object',
  additionalProperties: {
    description: 'A column, in the type of its field; a JSON column also accepts an object or an array.',
    type: ['string', 'number', 'boolean', 'object', 'array', 'null'],
    items: {},
  },
}
const rowIdSchema: JsonSchema = object('CustomTableDataRowId', {
  rowId: { ...oidSchema, description: 'Identifies the row that was written.' },
})
const columns = { tier: 'gold', points: 120, since: '2026-11-21T09:30:00.000Z' }
const rowExample = {
  _id: { $oid: '6740a1f2c3d4e5f6a7b8c9e1' },
  ...columns,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}
const rowIdExample = { rowId: rowExample._id }
const message = 'The row was deleted.'

const tableName: JsonSchema = {
  type: 'string',
  maxLength: CUSTOM_NAME_CHARACTERS,
  description: 'Name of the table; 404 if it does not exist.',
  examples: ['loyalty'],
}
const rowId: JsonSchema = {
  type: 'string',
  pattern: idPattern,
  description: 'Id of the row; 404 if it does not exist, is deleted, or is malformed.',
  examples: ['6740a1f2c3d4e5f6a7b8c9e1'],
}

const common = { surface: 'company', tag: 'Custom table data', semaphore: 'none' } as const satisfies Partial<Route>
const collection = { ...common, path: '/v1/api/custom-table-data/{tableName}', params: { tableName } }
const single = { ...common, path: `${collection.path}/{rowId}`, params: { tableName, rowId } }

type WriteRow = (item: RowItem) => Promise<ItemResult>

/** Writes the row that a request names; throws its problem. */
async function written(write: WriteRow, verb: RowItem['verb'], call: Call): Promise<Written> {
  const { scope, params, body: value, claim, ifMatch, isGone } = call
  const { tableName, rowId: id } = params
  const item = { scope, verb, name: tableName as string, id, value, claim, ifMatch, isGone }
  return orThrow(await write(item))
}

const createRoute = (write: WriteRow): Route => ({
  ...collection,
  method: 'POST',
  operationId: 'createCustomTableData',
  summary: 'Create a row',
  description: 'Columns that are not sent get their default.',
  body: { schema: bodySchema, example: columns },
  replies: { 201: { description: 'The id of the new row.', schema: rowIdSchema, example: rowIdExample } },
  problems: ['not_found', 'conflict'],
  handle: async (call) => ok((await written(write, 'created', call)).text, 201),
})

const listRoute = (reads: RowReads): Route => ({
  ...collection,
  method: 'GET',
  operationId: 'listCustomTableData',
  summary: 'List rows',
  description: 'All rows in creation order. Without `limit`, the whole table is streamed in one response.',
  query: {
    skip: { type: 'integer', minimum: 0, maximum: SKIP_MAXIMUM, default: 0, description: 'Rows to skip.' },
    limit: {
      type: 'integer',
      minimum: 0,
      maximum: PAGE_MAXIMUM,
      description: `Maximum number of rows; 0 means ${PAGE_DEFAULT}. Without it, all rows are returned.`,
    },
    total: { type: 'boolean', default: false, description: 'Also count all rows, in the header X-Total-Count.' },
  },
  replies: {
    200: {
      description: 'The rows, as a bare array.',
      schema: { title: 'CustomTableDataList', type: 'array', items: rowSchema },
      headers: {
        Link: 'The first, previous and next page (RFC 8288); without `limit`, the whole list.',
        'X-Total-Count': 'The number of all rows, with `total=true`.',
      },
      example: [rowExample],
    },
  },
  problems: ['not_found'],
  handle: async (call) => {
    const { scope, params, query, isGone, authorizeAgain, expect } = call
    const { skip = 0 } = query
    const limit = query.limit === 0 ? PAGE_DEFAULT : query.limit
    const wantsCount = query.total === true
    const rows = await reads.list(scope, params.tableName as string, {
      skip,
      limit,
      wantsCount,
      isGone,
      authorizeAgain,
      expect,
    })
    const { stream, count, hasMore } = rows
    const headers = {
      link: limit === undefined ? `<${call.path}>; rel="first"` : links(call, { skip, limit, hasMore }),
      ...(count !== undefined && { 'x-total-count': String(count) }),
    }
    return stream ? { status: 200, body: '', stream, headers } : plainAnswer(rows, headers)
  },
})

const readRoute = (reads: RowReads): Route => ({
  ...single,
  method: 'GET',
  operationId: 'readCustomTableData',
  summary: 'Read a row',
  replies: { 200: { description: 'The row.', schema: rowSchema, example: rowExample } },
  problems: ['not_found'],
  isRecord: true,
  handle: async ({ scope, params, isGone }) =>
    ok(await reads.read(scope, params.tableName as string, params.rowId as string, isGone)),
})

const updateRoute = (write: WriteRow): Route => ({
  ...single,
  method: 'PUT',
  operationId: 'updateCustomTableData',
  summary: 'Update a row',
  description:
    'Columns that you send replace the stored ones; others keep their values; `null` clears a column that is not required.',
  body: { schema: bodySchema, example: { points: 130 } },
  replies: { 200: { description: 'The id of the row.', schema: rowIdSchema, example: rowIdExample } },
  problems: ['not_found', 'conflict'],
  takesIfMatch: true,
  handle: async (call) => ok((await written(write, 'updated', call)).text),
})

const deleteRoute = (write: WriteRow): Route => ({
  ...single,
  method: 'DELETE',
  operationId: 'deleteCustomTableData',
  summary: 'Delete a row',
  description: 'The row and its values are flagged and kept; these paths no longer find them.',
  replies: {
    200: {
      description: 'It is deleted.',
      schema: deletedSchema,
      example: { statusCode: 200, message },
    },
  },
  problems: ['not_found'],
  takesIfMatch: true,
  handle: async (call) => {
    await written(write, 'deleted', call)
    return json({ statusCode: 200, message })
  },
})

/** The chapters of the reference. */
export const customTableChapters: Readonly<Record<string, string>> = {
  ...Object.fromEntries([customTable, customTableField].map(({ title, description }) => [title, description])),
  ...dataChapter,
  ...Object.fromEntries([customTableRow, customTableValue].map(({ title, description }) => [title, description])),
}

/** All routes, in the order of the reference. */
export function customTableRoutes(database: Database, semaphores: OperationSemaphores, schemas: SchemaCache): Route[] {
  const { tables, fields } = schemaOperations(database, semaphores, schemas)
  const reads = new RowReads(database, semaphores.lists, schemas)
  const write = rowWriter(database, semaphores.contended, schemas)
  return [
    ...styleA(tables),
    ...styleA(fields),
    createRoute(write),
    listRoute(reads),
    readRoute(reads),
    updateRoute(write),
    deleteRoute(write),
    ...styleA(rowOperations(database, semaphores)),
    ...styleA(valueOperations(database, semaphores)),
  ]
}
