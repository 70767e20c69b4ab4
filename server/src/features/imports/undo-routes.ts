// Undoing an import on the wire: what it would do, starting it, what it did, and what it left.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { csvLine } from '../../core/csv-line.ts'
import { SKIP_MAXIMUM } from '../../core/limits.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { type Answer, type Call, ok, type Route } from '../../http/route.ts'
import { type ChangeKind, importRow, noUndoTally, undoTally } from './import.ts'
import { writtenResources } from './recording.ts'
import { readUndo } from './undo-decisions.ts'

/** Lines of one response about what an undo left unchanged. */
const IMPORT_LEFT_LINES = 10_000

/** The header line of the list. */
const leftHeader = 'resource,id,name,reason\n'

/** A record that an undo left, and why. */
export interface LeftRecord {
  readonly resource: string
  readonly id: string
  readonly name?: string
  readonly reason: string
}

const leftCsv = (lines: readonly LeftRecord[]): string =>
  leftHeader + lines.map(({ resource, id, name = '', reason }) => csvLine([resource, id, name, reason])).join('')

/** What an undo left, in pages; `next` is the start of the next page. Throws `not_found`. */
export async function readLeft(
  database: Queryable,
  scope: Scope,
  id: string,
  after = 0,
): Promise<{ lines: LeftRecord[]; next: number | undefined }> {
  await importRow(database, scope, id, 'id')
  const rows = await database.query(
    `select number, kind, record_id, name, reason from import_changes
     where company_id = $1 and import_id = $2 and result = 'left' and number > $3 order by number limit ${IMPORT_LEFT_LINES + 1}`,
    [scope.companyId, id, after],
  )
  const page = rows.slice(0, IMPORT_LEFT_LINES)
  const lines = page.map(([, kind, recordId, name, reason]) => ({
    resource: writtenResources[kind as ChangeKind].name.one,
    id: recordId,
    ...(name !== null && { name }),
    reason: reason ?? '',
  }))
  return { lines, next: rows.length > page.length ? Number(page.at(-1)?.[0]) : undefined }
}

const undoExample = {
  ...noUndoTally(),
  products: { deleted: 14, restored: 3, left: 1 },
  variants: { deleted: 20, restored: 3, left: 1 },
  stock: { restored: 21, left: 1 },
}
const leftExample = `${leftHeader}variant,6740a1f2c3d4e5f6a7b8c9d4,TEE-R,Its stock has moved since the import.\n`

/** The routes that show an undo; `one` is what the routes of an import share. */
export function undoRoutes(
  database: Database,
  lists: FairSemaphore,
  one: Pick<Route, 'surface' | 'tag' | 'path'>,
): Route[] {
  return [
    {
      ...one,
      method: 'GET',
      path: `${one.path}/undo`,
      semaphore: 'none',
      operationId: 'readImportUndo',
      summary: 'Read what an undo would do, or did',
      description:
        'Before the undo: what it would do now; records that change before the undo reaches them stay. After it has begun: what it has done so far.',
      problems: ['not_found', 'conflict'],
      replies: { 200: { description: 'The numbers of records.', schema: undoTally.schema, example: undoExample } },
      handle: async ({ scope, params, isGone }) =>
        ok(await lists({ tenant: scope.companyId, isGone }, () => readUndo(database, scope, params.id as string))),
    },
    {
      ...one,
      method: 'GET',
      path: `${one.path}/left`,
      semaphore: 'none',
      operationId: 'readImportLeft',
      summary: 'Read what an undo left',
      description: `A CSV file with each record that was left and the reason: it was changed since the import, its stock has moved, it was already deleted, or other records use it. At most ${IMPORT_LEFT_LINES.toLocaleString('en')} lines per answer; if there are more, the header \`Link\` (RFC 8288) names the next page.`,
      query: {
        after: {
          type: 'integer',
          minimum: 0,
          maximum: SKIP_MAXIMUM,
          description: 'Where the page begins, from the `Link` of the previous page.',
        },
      },
      problems: ['not_found'],
      replies: {
        200: {
          description: 'One line for each record, after the header.',
          contentType: 'text/csv',
          schema: { type: 'string' },
          headers: {
            'Content-Disposition': 'The file name for saving.',
            Link: 'The first page, and the next one if there is one.',
          },
          example: leftExample,
        },
      },
      handle: (call) => leftAnswer(database, lists, call),
    },
  ]
}

async function leftAnswer(
  database: Database,
  lists: FairSemaphore,
  { scope, params, query, path, isGone }: Call,
): Promise<Answer> {
  const id = params.id as string
  const { lines, next } = await lists({ tenant: scope.companyId, isGone }, () =>
    readLeft(database, scope, id, query.after),
  )
  const pages = [
    `<${path}?after=0>; rel="first"`,
    ...(next === undefined ? [] : [`<${path}?after=${next}>; rel="next"`]),
  ]
  return {
    status: 200,
    body: leftCsv(lines),
    contentType: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="import-${id}-left.csv"`, link: pages.join(', ') },
  }
}
