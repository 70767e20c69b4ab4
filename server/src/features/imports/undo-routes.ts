// Undoing an import on the wire: what it would do, starting it, and what it left.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { IMPORT_LEFT_LINES, IMPORT_UNDO_MS } from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { requireUndo, undoImport } from './changes.ts'
import { leftCsv, leftHeader, readLeft, readUndo } from './undo-reading.ts'
import { noUndoTally, undoTally } from './undo-tally.ts'

const days = IMPORT_UNDO_MS / 24 / 60 / 60 / 1000
const undoExample = {
  ...noUndoTally(),
  products: { deleted: 14, restored: 3, left: 1 },
  variants: { deleted: 20, restored: 3, left: 1 },
  stock: { restored: 21, left: 1 },
}
const leftExample = `${leftHeader}variant,6740a1f2c3d4e5f6a7b8c9d4,TEE-R,Its stock has moved since the import.\n`

/** What the routes of imports share. */
interface Shared {
  readonly lists: FairSemaphore
  readonly one: Pick<Route, 'surface' | 'tag' | 'path'>
  readonly replies: Route['replies']
  readonly mustBeEmpty: (call: Call) => void
  /** Does the work in a transaction under the request's claim, once it may, and wakes the workers. */
  readonly act: (
    call: Call,
    work: (transaction: Parameters<typeof undoImport>[0]) => Promise<string>,
    may?: () => Promise<void>,
  ) => Promise<Answer>
}

/** The routes of undoing. */
export function undoRoutes(database: Database, { lists, one, replies, mustBeEmpty, act }: Shared): Route[] {
  return [
    {
      ...one,
      method: 'POST',
      path: `${one.path}/undo`,
      semaphore: 'none',
      operationId: 'undoImport',
      summary: 'Undo an import',
      description: `Possible once, within ${days} days after the run. Records that the import created are deleted and records that it changed are set back, each with an event like any write, unless they were changed since; those are left and listed. Stock is set back only if it has not moved since. The undo waits for its turn like a run: the state is \`undoing\`, then \`undone\`. The key also needs the permissions \`update\` and \`delete\`. The request takes no body.`,
      problems: ['not_found', 'conflict'],
      replies,
      handle: (call) => {
        mustBeEmpty(call)
        const { scope, params } = call
        return act(call, (transaction) => undoImport(transaction, scope, params.id as string), () => requireUndo(database, scope)) // biome-ignore format: one thought
      },
    },
    {
      ...one,
      method: 'GET',
      path: `${one.path}/undo`,
      semaphore: 'none',
      operationId: 'readImportUndo',
      summary: 'Read what an undo would do, or did',
      description:
        'Before the undo, its effect as of now; records changed before the undo reaches them stay. After it has begun, what it has done so far.',
      problems: ['not_found', 'conflict'],
      replies: { 200: { description: 'In numbers.', schema: undoTally.schema, example: undoExample } },
      handle: async ({ scope, params, isGone }) => ({
        status: 200,
        body: await lists({ tenant: scope.companyId, isGone }, () => readUndo(database, scope, params.id as string)),
      }),
    },
    {
      ...one,
      method: 'GET',
      path: `${one.path}/left`,
      semaphore: 'none',
      operationId: 'readImportLeft',
      summary: 'Read what an undo left',
      description: `As CSV, each record with the reason: it was changed since the import, its stock has moved, it was deleted already, or others use it. At most ${IMPORT_LEFT_LINES.toLocaleString('en')} lines per answer; if there are more, the header \`Link\` (RFC 8288) names the next page.`,
      query: {
        after: {
          type: 'integer',
          minimum: 0,
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
      handle: async ({ scope, params, query, path, isGone }) => {
        const id = params.id as string
        const { lines, next } = await lists({ tenant: scope.companyId, isGone }, () =>
          readLeft(database, scope, id, query.after),
        )
        return {
          status: 200,
          body: leftCsv(lines),
          contentType: 'text/csv; charset=utf-8',
          headers: {
            'content-disposition': `attachment; filename="import-${id}-left.csv"`,
            link: [
              `<${path}?after=0>; rel="first"`,
              ...(next === undefined ? [] : [`<${path}?after=${next}>; rel="next"`]),
            ].join(', '),
          },
        }
      },
    },
  ]
}
