// Imports on the wire: sending a file, reading its results, and the actions on it.

import {
  FILE_NAME_CHARACTERS,
  IMPORT_BYTES,
  IMPORT_SENT_MS,
  IMPORTS_WAITING,
  REFERENCE_CHARACTERS,
  REQUEST_DEADLINE_MS,
} from '../../core/limits.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { deletedSchema, documents, pageReply } from '../../engine/documents.ts'
import { flag } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { pager } from '../../engine/list.ts'
import { richParameters } from '../../engine/list-parameters.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { richAnswer } from '../../engine/page-answer.ts'
import { bodySchema, checked } from '../../engine/schema.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { shopNames } from '../catalog-import/shops.ts'
import { cancelImport, removeImport, requireUpdate, runImport } from './changes.ts'
import { importJob, states } from './import.ts'
import { previewSchema } from './preview.ts'
import { readImport, readPreview, readRefused } from './reading.ts'
import { repeatImport } from './repeating.ts'
import { undoRoutes } from './undo-routes.ts'
import { receiver } from './upload.ts'

const root = '/v1/imports'
const megabytes = IMPORT_BYTES / 1024 / 1024
const minutes = IMPORT_SENT_MS / 60_000
const runFields = {
  stock: flag({ description: 'False leaves all stock unchanged, including that of new variants.' }),
}
const readRun = bodySchema({ fields: runFields, requireOneOf: [] }).create
const readNothing = bodySchema({ fields: {}, requireOneOf: [] }).create
/** Refuses a non-empty body of a route that takes none. */
const mustBeEmpty = ({ body }: Call) => void checked(readNothing(body ?? {}))

const csvExample =
  'ID,Type,SKU,Name,Published,Regular price,Stock,Categories\n7,simple,MUG,Mug,1,5.00,12,Home > Kitchen\n'
const refusedExample = 'line,column,reason\n7,Regular price,"Regular price ""dear"" is not a number"\n'
const previewExample = {
  columns: [
    { column: 'ID', as: 'externalId' },
    { column: 'Name', as: 'name' },
  ],
  preview: [
    {
      outcome: 'created',
      name: 'Mug',
      externalId: '7',
      categories: ['Home > Kitchen'],
      variantsCount: 1,
      variants: [{ outcome: 'created', externalId: '7', sku: 'MUG', price: 5, sellingPrice: 5, stock: 12 }],
    },
  ],
  changes: [
    {
      resource: 'product',
      id: '6740a1f2c3d4e5f6a7b8c9d1',
      name: 'Mug',
      members: [{ member: 'name', before: 'Cup', after: 'Mug' }],
    },
  ],
}

/**
 * The routes. Uploads are stored by `stored`, which may be another pool than that of other work; `wake` is called when
 * there is something to check or run.
 */
export function importRoutes(
  database: Database,
  { lists, contended }: OperationSemaphores,
  { stored = database, wake }: { stored?: Database; wake: () => void },
): Route[] {
  const page = pager(importJob, database, lists)
  const { record, example } = documents(importJob)
  const receive = receiver(stored)
  const list = richParameters(importJob)
  const common = { surface: 'company', tag: importJob.title } as const satisfies Partial<Route>
  const one = { ...common, path: `${root}/{id}`, problems: ['not_found'] } as const satisfies Partial<Route>
  const found = { 200: { description: 'The import.', schema: record, example } }
  const action = {
    ...one,
    method: 'POST',
    semaphore: 'none',
    problems: ['not_found', 'conflict'],
    replies: found,
  } as const satisfies Partial<Route>

  /** Does the work in a transaction under the request's claim, once it `may`; then wakes the workers. */
  async function act(
    { scope, claim, isGone }: Call,
    work: (transaction: Queryable) => Promise<string>,
    may?: () => Promise<void>,
    status = 200,
  ): Promise<Answer> {
    const answer = await contended({ tenant: scope.companyId, isGone }, async () => {
      await may?.()
      return transacted(database, claim, async (transaction) => ({ status, body: await work(transaction) }))
    })
    wake()
    return answer
  }

  return [
    {
      ...common,
      method: 'POST',
      path: root,
      operationId: 'createImport',
      summary: 'Send a catalogue to be imported',
      description: `The body is the unchanged CSV export of a WooCommerce or Shopify shop, of at most ${megabytes} MB, and must arrive within ${minutes} minutes. Any other file is refused by its beginning, before the rest is read. Once the whole file has arrived, it is checked; the import is then \`ready\` until it is run. At most ${IMPORTS_WAITING} imports of a company can be under way. An \`Idempotency-Key\` is bound to the query and to the whole file.`,
      query: {
        shop: {
          type: 'string',
          enum: shopNames,
          description: 'The shop system that made the export; detected from the header by default.',
        },
        outletId: {
          type: 'string',
          minLength: 1,
          maxLength: REFERENCE_CHARACTERS,
          description: 'The outlet that holds the stock; defaults to the company’s first outlet.',
        },
        fileName: {
          type: 'string',
          minLength: 1,
          maxLength: FILE_NAME_CHARACTERS,
          default: 'products.csv',
          description: 'The file name to show to people.',
        },
        run: {
          type: 'boolean',
          default: false,
          description: 'Run the import automatically after the check. The key also needs the permission `update`.',
        },
      },
      takesText: {
        contentType: 'text/csv',
        bytes: IMPORT_BYTES,
        description: 'In UTF-8, UTF-16 or Windows-1252; commas, semicolons or tabs between columns.',
        example: csvExample,
      },
      semaphore: 'none',
      isHeldBack: true,
      deadlineMs: IMPORT_SENT_MS + REQUEST_DEADLINE_MS,
      replies: {
        201: {
          description: 'The import, which is now being checked.',
          schema: record,
          example: { ...example, state: 'checking', progress: 0 },
        },
      },
      problems: ['not_found', 'conflict'],
      handle: async (call) => {
        const answer = await receive(call)
        wake()
        return answer
      },
    },
    {
      ...common,
      method: 'GET',
      path: root,
      semaphore: 'none',
      operationId: 'listImports',
      summary: 'List imports',
      description: 'The newest first.',
      query: {
        ...list,
        sortOrder: { ...list.sortOrder, default: 'desc' },
        state: { type: 'string', enum: states, description: 'Only imports with this `state`.' },
        shop: { type: 'string', enum: shopNames, description: 'Only imports of this `shop`.' },
      },
      replies: pageReply(record, example),
      handle: async ({ scope, query, isGone, expect }) => {
        const parameters = { sortOrder: 'desc', ...query }
        return richAnswer(await page(scope, { parameters, wantsCount: true, isGone, expect }))
      },
    },
    {
      ...one,
      method: 'GET',
      operationId: 'readImport',
      summary: 'Read an import',
      description: 'Its state and, while it is under way, its progress.',
      isRecord: true,
      replies: found,
      handle: async ({ scope, params }) => ({
        status: 200,
        body: await readImport(database, scope, params.id as string),
      }),
    },
    {
      ...one,
      method: 'GET',
      path: `${root}/{id}/preview`,
      operationId: 'readImportPreview',
      summary: 'Read the preview of an import',
      description:
        'How its columns were understood, and its first products as they would be after a run. Available once the import has been checked.',
      problems: ['not_found', 'conflict'],
      replies: {
        200: {
          description: 'The columns, and products with their variants.',
          schema: previewSchema,
          example: previewExample,
        },
      },
      handle: async ({ scope, params }) => ({
        status: 200,
        body: await readPreview(database, scope, params.id as string),
      }),
    },
    {
      ...one,
      method: 'GET',
      path: `${root}/{id}/refused`,
      operationId: 'readRefusedLines',
      summary: 'Read the lines that are not imported',
      description:
        'As CSV: the reason for each line, its column if there is one, and its line number in the file, where the header is line 1. After a check, the lines that would not be imported; after the run, the lines that were not.',
      problems: ['not_found', 'conflict'],
      replies: {
        200: {
          description: 'One line for each; only the header if there are none.',
          contentType: 'text/csv',
          schema: { type: 'string' },
          headers: { 'Content-Disposition': 'The file name for saving.' },
          example: refusedExample,
        },
      },
      handle: async ({ scope, params }) => {
        const id = params.id as string
        return {
          status: 200,
          body: await readRefused(database, scope, id),
          contentType: 'text/csv; charset=utf-8',
          headers: { 'content-disposition': `attachment; filename="import-${id}-refused.csv"` },
        }
      },
    },
    {
      ...action,
      path: `${root}/{id}/run`,
      operationId: 'runImport',
      summary: 'Run an import',
      description:
        'The run waits for its turn, and writes what differs. An import that is done, failed or cancelled can be run again; what it has already written is unchanged. A run changes existing records, so the key also needs the permission `update`. The body may be left out.',
      body: {
        schema: {
          title: 'ImportRun',
          type: 'object',
          additionalProperties: false,
          properties: { stock: { ...runFields.stock.schema, default: true } },
        },
        example: { stock: false },
        isOptional: true,
      },
      handle: (call) => {
        const { scope, params, body } = call
        const { stock = true } = checked(readRun(body === undefined ? {} : body)).set
        const run = (transaction: Queryable) => runImport(transaction, scope, params.id as string, stock === true)
        return act(call, run, () => requireUpdate(database, scope))
      },
    },
    {
      ...action,
      path: `${root}/{id}/cancel`,
      operationId: 'cancelImport',
      summary: 'Cancel an import',
      description:
        'Once the request is answered, nothing more is written; what was written stays, as `summary` shows. The request takes no body.',
      handle: (call) => {
        mustBeEmpty(call)
        return act(call, (transaction) => cancelImport(transaction, call.scope, call.params.id as string))
      },
    },
    {
      ...action,
      path: `${root}/{id}/repeat`,
      operationId: 'repeatImport',
      summary: 'Check the file of an import again',
      description:
        'Creates a new import of the same file and checks it against the current catalogue; the preview compares the two. You can run and undo it like any other import. The old import does not change. The request takes no body.',
      replies: {
        201: {
          description: 'The new import, which is now being checked.',
          schema: record,
          example: { ...example, state: 'checking', progress: 0, repeats: '6740a1f2c3d4e5f6a7b8c9e4' },
        },
      },
      handle: async (call) => {
        mustBeEmpty(call)
        const repeat = (transaction: Queryable) => repeatImport(transaction, call.scope, call.params.id as string)
        return act(call, repeat, undefined, 201)
      },
    },
    ...undoRoutes(database, { lists, one: { ...common, path: one.path }, replies: found, mustBeEmpty, act }),
    {
      ...one,
      method: 'DELETE',
      semaphore: 'none',
      operationId: 'deleteImport',
      summary: 'Delete an import',
      description:
        'Deletes the import with its file; what it wrote stays, and can no longer be undone. An import that is under way has to be cancelled first.',
      problems: ['not_found', 'conflict'],
      replies: {
        200: { description: 'It is deleted.', schema: deletedSchema, example: deleted(String(example.id)) },
      },
      handle: (call) => {
        const id = call.params.id as string
        return act(call, async (transaction) => {
          await removeImport(transaction, call.scope, id)
          return JSON.stringify(deleted(id))
        })
      },
    },
  ]
}

const deleted = (id: string) => ({ statusCode: 200, message: 'The import and its file were deleted.', id })
