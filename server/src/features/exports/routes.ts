// Exports on the wire: requesting one, reading its result, and its file.

import type { Database } from '../../database/connect.ts'
import { mustBeEmpty } from '../../engine/body.ts'
import { documents } from '../../engine/documents.ts'
import { transacted } from '../../engine/idempotency.ts'
import { pager } from '../../engine/lists/list.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { newestFirst } from '../../engine/style-b.ts'
import { ok, type Route } from '../../http/route.ts'
import { readChunks } from './chunks.ts'
import { EXPORTS_UNDER_WAY, exportJob, exportStates, readExport, requestExport, requireFile } from './export.ts'

/** Bytes that a download holds: a chunk as PostgreSQL sends it, and what the connection takes. */
const EXPORT_HELD_BYTES = 4 * 1024 * 1024

const root = '/v1/exports'
const { record, example } = documents(exportJob)
// A file has everything that the company has, so the permission to read is not enough.
const common = {
  surface: 'company',
  tag: exportJob.title,
  permission: ['create', 'read'],
} as const satisfies Partial<Route>
const one = { ...common, path: `${root}/{id}`, problems: ['not_found'] } as const satisfies Partial<Route>
const fileExample =
  '{"cashwrapCompany":{"format":1,"company":{"id":"6740a1f2c3d4e5f6a7b8c900","name":"Shop","organizationId":"6740a1f2c3d4e5f6a7b8c901"}}}\n'

const filters = { state: { type: 'string', enum: exportStates, description: 'Only exports with this `state`.' } }

/** The routes; `wake` is called when there is something to write. */
export function exportRoutes(database: Database, semaphores: OperationSemaphores, wake: () => void): Route[] {
  return [
    createRoute(database, semaphores, wake),
    {
      ...newestFirst({ resource: exportJob, list: pager(exportJob, database, semaphores.lists) }, 'exports', filters),
      ...common,
    },
    readRoute(database),
    fileRoute(database),
  ]
}

const createRoute = (database: Database, { contended }: OperationSemaphores, wake: () => void): Route => ({
  ...common,
  method: 'POST',
  path: root,
  operationId: 'createExport',
  summary: 'Export the company',
  description: `Writes everything that the company has to a file, in the background. At most ${EXPORTS_UNDER_WAY} exports of a company can be under way. The request takes no body.`,
  semaphore: 'none',
  replies: {
    201: {
      description: 'The export, which is now being written.',
      schema: record,
      example: {
        ...Object.fromEntries(
          ['id', 'companyId', 'createdAt', 'updatedAt', 'expiresAt'].map((name) => [name, example[name]]),
        ),
        state: 'running',
        progress: 0,
      },
    },
  },
  problems: ['conflict'],
  handle: async ({ scope, claim, body, isGone }) => {
    mustBeEmpty({ body })
    const answer = await contended({ tenant: scope.companyId, isGone }, () =>
      transacted(database, claim, async (transaction) => ok(await requestExport(transaction, scope), 201)),
    )
    wake()
    return answer
  },
})

const readRoute = (database: Database): Route => ({
  ...one,
  method: 'GET',
  operationId: 'readExport',
  summary: 'Read an export',
  description: 'Its state and, while it is written, its progress.',
  isRecord: true,
  replies: { 200: { description: 'The export.', schema: record, example } },
  handle: async ({ scope, params }) => ok(await readExport(database, scope, params.id as string)),
})

const fileRoute = (database: Database): Route => ({
  ...one,
  method: 'GET',
  path: `${root}/{id}/file`,
  operationId: 'readExportFile',
  summary: 'Download the file of an export',
  description:
    'The file that `cashwrap company import` takes. Compare its SHA-256 with `sha256` of the export. The connection is cut if the key is deleted meanwhile.',
  problems: ['not_found', 'conflict'],
  replies: {
    200: {
      description: 'The file.',
      contentType: 'application/x-ndjson',
      schema: { type: 'string' },
      headers: { 'Content-Disposition': 'The file name for saving.', 'Content-Length': 'Its size in bytes.' },
      example: fileExample,
    },
  },
  handle: async ({ scope, params, authorizeAgain, expect }) => {
    const id = params.id as string
    const { companyId } = scope
    const bytes = await requireFile(database, scope, id)
    expect(Math.min(bytes, EXPORT_HELD_BYTES))
    return {
      status: 200,
      body: '',
      stream: readChunks(database, { companyId, id }, { bytes, authorizeAgain }),
      contentType: 'application/x-ndjson; charset=utf-8',
      headers: {
        'content-disposition': `attachment; filename="company-${companyId}.ndjson"`,
        'content-length': String(bytes),
      },
    }
  },
})
