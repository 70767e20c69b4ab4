// The actions on an import on the wire: choose the outlets of its file, run it, cancel it, undo it, with what an undo would do and what it left, delete it.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { csvLine } from '../../core/csv-line.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { SKIP_MAXIMUM } from '../../core/limits.ts'
import { orThrow } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { mustBeEmpty } from '../../engine/body.ts'
import { deletedSchema } from '../../engine/documents.ts'
import { flag, list, name, object, reference, required } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { bodySchema } from '../../engine/schema.ts'
import { type Answer, type Call, ok, type Route } from '../../http/route.ts'
import {
  type ChosenOutlet,
  cancelImport,
  chooseOutlets,
  removeImport,
  requireUndo,
  requireUpdate,
  runImport,
  undoImport,
} from './actions.ts'
import { noUndoTally, undoTally } from './import.ts'
import { IMPORT_UNDO_MS } from './limits.ts'
import { IMPORT_LEFT_LINES, type LeftRecord, readLeft, readUndo } from './undo-decisions.ts'

/** What the actions need; `wake` is called when there is something to check or run. */
interface ImportActionParts {
  readonly database: Database
  readonly contended: FairSemaphore
  readonly wake: () => void
  /** What the routes of an import share. */
  readonly one: Pick<Route, 'surface' | 'tag' | 'path'>
  /** How the reference shows an import. */
  readonly record: JsonSchema
  readonly example: Readonly<Record<string, unknown>>
}

/** An action, besides what all of them share. */
interface ImportAction extends Pick<Route, 'method' | 'path' | 'operationId' | 'summary' | 'description'> {
  readonly body?: NonNullable<Route['body']>
  readonly replies?: Route['replies']
  /** Throws `permission_denied` if the key may not do it. */
  readonly may?: (scope: Scope) => void
  /** Does it in a transaction; returns the text of the answer. */
  readonly work: (transaction: Queryable, scope: Scope, id: string, body: unknown) => Promise<string>
}

const runFields = {
  stock: flag({ description: 'False leaves all stock unchanged, including that of new variants.' }),
}
const readRun = bodySchema({ fields: runFields, requireOneOf: [] }).create
const choiceFields = {
  locations: required(
    list(
      object(
        {
          location: required(
            name({ description: 'A location of the file, as the preview names it.', example: 'Main Street' }),
          ),
          outletId: reference({
            description: 'The outlet whose stock is set; without it, the stock of the location is not imported.',
          }),
        },
        { title: 'ChosenOutlet', description: 'The outlet of a location.' },
      ),
      { description: 'The locations whose outlets you choose; other locations keep theirs.' },
    ),
  ),
}
const choiceSchema: JsonSchema = {
  title: 'ImportCheck',
  type: 'object',
  additionalProperties: false,
  properties: { locations: choiceFields.locations.schema },
  required: ['locations'],
}
const readChoice = bodySchema({ fields: choiceFields, requireOneOf: [] }).create
const undoDays = IMPORT_UNDO_MS / 24 / 60 / 60 / 1000

/** The actions by name. */
export function actionRoutes(parts: ImportActionParts) {
  const { one, example } = parts
  const post = (name: string, action: Omit<ImportAction, 'method' | 'path'>) =>
    actionRoute(parts, { method: 'POST', path: `${one.path}/${name}`, ...action })
  return {
    check: post('check', {
      operationId: 'checkImport',
      summary: 'Choose outlets for the locations of an import',
      description:
        'Stores the chosen outlets, and checks the file again. The import must be `ready`; its state is then `checking`, and afterwards `ready` with a new preview.',
      body: {
        schema: choiceSchema,
        example: { locations: [{ location: 'Main Street', outletId: String(example.outletId) }] },
      },
      work: (transaction, scope, id, body) =>
        chooseOutlets(transaction, scope, id, orThrow(readChoice(body)).set.locations as readonly ChosenOutlet[]),
    }),
    run: post('run', {
      operationId: 'runImport',
      summary: 'Run an import',
      description:
        'The run waits for its turn, and writes what differs. An import that is done, failed or cancelled can be run again; records that it has already written stay unchanged. A run changes existing records, so the key also needs the permission `update`. The body may be left out.',
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
      may: requireUpdate,
      work: (transaction, scope, id, body = {}) =>
        runImport(transaction, scope, id, orThrow(readRun(body)).set.stock !== false),
    }),
    cancel: post('cancel', {
      operationId: 'cancelImport',
      summary: 'Cancel an import',
      description:
        'Once the request is answered, nothing more is written; what was written stays, as `summary` shows. The request takes no body.',
      work: cancelImport,
    }),
    undo: post('undo', {
      operationId: 'undoImport',
      summary: 'Undo an import',
      description: `An import can be undone once, within ${undoDays} days after the run. Records that it created are deleted and records that it changed are restored; each raises an event, like any write. Records that were changed since are left as they are, and listed. Stock is set back only if it has not moved since. The undo waits for its turn like a run: the state is \`undoing\`, then \`undone\`. The key also needs the permissions \`update\` and \`delete\`. The request takes no body.`,
      may: requireUndo,
      work: undoImport,
    }),
    remove: actionRoute(parts, {
      method: 'DELETE',
      path: one.path,
      operationId: 'deleteImport',
      summary: 'Delete an import',
      description:
        'Deletes the import with its file; what it wrote stays, and can no longer be undone. An import that is under way has to be cancelled first.',
      replies: {
        200: { description: 'It is deleted.', schema: deletedSchema, example: deleted(String(example.id)) },
      },
      work: async (transaction, scope, id) => {
        await removeImport(transaction, scope, id)
        return JSON.stringify(deleted(id))
      },
    }),
  }
}

const deleted = (id: string) => ({ statusCode: 200, message: 'The import and its file were deleted.', id })

/** An action under the request's claim; then it wakes the workers. */
function actionRoute(
  { database, contended, wake, one, record, example }: ImportActionParts,
  { may, work, replies = { 200: { description: 'The import.', schema: record, example } }, ...action }: ImportAction,
): Route {
  return {
    ...one,
    ...action,
    replies,
    semaphore: 'none',
    problems: ['not_found', 'conflict'],
    handle: async (call: Call) => {
      const { scope, params, body, claim, isGone } = call
      if (action.method === 'POST' && action.body === undefined) mustBeEmpty(call)
      may?.(scope)
      const answer = await contended({ tenant: scope.companyId, isGone }, () =>
        transacted(database, claim, async (transaction) => ({
          status: 200,
          body: await work(transaction, scope, params.id as string, body),
        })),
      )
      wake()
      return answer
    },
  }
}

/** The header line of the list. */
const leftHeader = 'resource,id,name,reason\n'

const leftCsv = (lines: readonly LeftRecord[]): string =>
  leftHeader + lines.map(({ resource, id, name = '', reason }) => csvLine([resource, id, name, reason])).join('')

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
        'Before the undo: what it would do now; records that change before the undo reaches them stay as they are. Once the undo has begun: what it has done so far.',
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
      description: `A CSV file with each record that was left and the reason: it was changed since the import, its stock has moved, it was already deleted, or other records use it. At most ${IMPORT_LEFT_LINES.toLocaleString('en')} lines per response; if there are more, the header \`Link\` (RFC 8288) names the next page.`,
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
