// Imports on the wire: sending a file, reading its results, and the actions on it.

import { IMPORT_SENT_MS, REFERENCE_CHARACTERS, REQUEST_DEADLINE_MS } from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'
import { documents } from '../../engine/documents.ts'
import { pager } from '../../engine/lists/list.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { newestFirst } from '../../engine/style-b.ts'
import { type Answer, type Call, ok, type Route } from '../../http/route.ts'
import { importKinds, shopNames } from '../file-import/layout.ts'
import { actionRoutes, undoRoutes } from './action-routes.ts'
import { importJob, importStates, readImport, readPreview, readRefused } from './import.ts'
import { FILE_NAME_CHARACTERS, IMPORT_BYTES, IMPORTS_WAITING } from './limits.ts'
import { previewSchema } from './preview.ts'
import { receiver } from './upload.ts'

const root = '/v1/imports'
const megabytes = IMPORT_BYTES / 1024 / 1024
const minutes = IMPORT_SENT_MS / 60_000
const csvExample =
  'ID,Type,SKU,Name,Published,Regular price,Stock,Categories\n7,simple,MUG,Mug,1,5.00,12,Home > Kitchen\n'
const refusedExample = 'line,column,reason\n7,Regular price,"Regular price ""dear"" is not a number"\n'

const { record, example } = documents(importJob)
const common = { surface: 'company', tag: importJob.title } as const satisfies Partial<Route>
const one = { ...common, path: `${root}/{id}`, problems: ['not_found'] } as const satisfies Partial<Route>
const found = { 200: { description: 'The import.', schema: record, example } }

const filters = {
  state: { type: 'string', enum: importStates, description: 'Only imports with this `state`.' },
  kind: { type: 'string', enum: importKinds, description: 'Only imports of this `kind`.' },
  shop: { type: 'string', enum: shopNames, description: 'Only imports of this `shop`.' },
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
  const own = { ...common, path: one.path }
  const actions = actionRoutes({ database, contended, wake, one: own, record, example })
  return [
    createRoute(receiver(stored), wake),
    newestFirst({ resource: importJob, list: pager(importJob, database, lists) }, 'imports', filters),
    readRoute(database),
    previewRoute(database),
    refusedRoute(database),
    actions.check,
    actions.run,
    actions.cancel,
    actions.undo,
    ...undoRoutes(database, lists, own),
    actions.remove,
  ]
}

const createRoute = (receive: (call: Call) => Promise<Answer>, wake: () => void): Route => ({
  ...common,
  method: 'POST',
  path: root,
  operationId: 'createImport',
  summary: 'Upload a file to import',
  description: `The body is a CSV file of at most ${megabytes} MB: the unchanged export of the products, stock, customers or orders of a shop, or a plain file of customers or orders. Its header says which; the guide \`docs/guides/import.md\` lists them. It must arrive within ${minutes} minutes. Any other file is recognized by its beginning, and refused before the rest is read. Once the whole file has arrived, it is checked; the import is then \`ready\` until it is run. At most ${IMPORTS_WAITING} imports of a company can be under way. An \`Idempotency-Key\` is bound to the query and to the whole file.`,
  query: {
    shop: {
      type: 'string',
      enum: shopNames,
      description:
        'The shop system that made the export; by default detected from the header. The kind of its records is always detected.',
    },
    outletId: {
      type: 'string',
      minLength: 1,
      maxLength: REFERENCE_CHARACTERS,
      description:
        'The outlet whose stock the file sets; by default the outlet of each location that the file names, else the company’s first outlet. For orders, the outlet where they were made; none by default.',
    },
    fileName: {
      type: 'string',
      minLength: 1,
      maxLength: FILE_NAME_CHARACTERS,
      default: 'upload.csv',
      description: 'The file name to show to people.',
    },
    run: {
      type: 'boolean',
      default: false,
      description: 'Run the import automatically after the check. The key also needs the permission `update`.',
    },
  },
  takesFile: {
    contentType: 'text/csv',
    bytes: IMPORT_BYTES,
    description: 'In UTF-8, UTF-16, Windows-1252 or Mac OS Roman; commas, semicolons or tabs between columns.',
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
})

const readRoute = (database: Database): Route => ({
  ...one,
  method: 'GET',
  operationId: 'readImport',
  summary: 'Read an import',
  description: 'Its state and, while it is under way, its progress.',
  isRecord: true,
  replies: found,
  handle: async ({ scope, params }) => ok(await readImport(database, scope, params.id as string)),
})

const previewRoute = (database: Database): Route => ({
  ...one,
  method: 'GET',
  path: `${root}/{id}/preview`,
  operationId: 'readImportPreview',
  summary: 'Read the preview of an import',
  description:
    'How its columns are mapped, and its first products, customers or orders as they would be after a run. Available once the import has been checked.',
  problems: ['not_found', 'conflict'],
  replies: {
    200: {
      description: 'The columns, and the first records.',
      schema: previewSchema,
      example: previewExample,
    },
  },
  handle: async ({ scope, params }) => ok(await readPreview(database, scope, params.id as string)),
})

const refusedRoute = (database: Database): Route => ({
  ...one,
  method: 'GET',
  path: `${root}/{id}/refused`,
  operationId: 'readRefusedLines',
  summary: 'Read the refused lines of an import',
  description:
    'A CSV file with the number of each line (the header is line 1), the column if there is one, and the reason. After a check, it has the lines that would not be imported; after the run, those that were not.',
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
})

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
