// The actions on an import on the wire: run it, cancel it, undo it, delete it.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { orThrow } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { mustBeEmpty } from '../../engine/body.ts'
import { deletedSchema } from '../../engine/documents.ts'
import { flag } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { bodySchema } from '../../engine/schema.ts'
import type { Call, Route } from '../../http/route.ts'
import { cancelImport, removeImport, requireUndo, requireUpdate, runImport, undoImport } from './actions.ts'
import { IMPORT_UNDO_MS } from './limits.ts'

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
  readonly may?: (database: Queryable, scope: Scope) => Promise<void>
  /** Does it in a transaction; returns the text of the answer. */
  readonly work: (transaction: Queryable, scope: Scope, id: string, body: unknown) => Promise<string>
}

const runFields = {
  stock: flag({ description: 'False leaves all stock unchanged, including that of new variants.' }),
}
const readRun = bodySchema({ fields: runFields, requireOneOf: [] }).create
const undoDays = IMPORT_UNDO_MS / 24 / 60 / 60 / 1000

/** The actions by name. */
export function actionRoutes(parts: ImportActionParts) {
  const { one, example } = parts
  const post = (name: string, action: Omit<ImportAction, 'method' | 'path'>) =>
    actionRoute(parts, { method: 'POST', path: `${one.path}/${name}`, ...action })
  return {
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
      const answer = await contended({ tenant: scope.companyId, isGone }, async () => {
        await may?.(database, scope)
        return transacted(database, claim, async (transaction) => ({
          status: 200,
          body: await work(transaction, scope, params.id as string, body),
        }))
      })
      wake()
      return answer
    },
  }
}
