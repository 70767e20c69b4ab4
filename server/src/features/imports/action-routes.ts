// The actions on an import on the wire: run it, cancel it, repeat it, undo it, delete it.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { orThrow } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { mustBeEmpty } from '../../engine/body.ts'
import { deletedSchema } from '../../engine/documents.ts'
import { flag } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { bodySchema } from '../../engine/schema.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import {
  cancelImport,
  removeImport,
  repeatImport,
  requireUndo,
  requireUpdate,
  runImport,
  undoImport,
} from './changes.ts'
import { IMPORT_UNDO_MS } from './limits.ts'

/** What the actions need; `wake` is called when there is something to check or run. */
interface ImportActionParts {
  readonly database: Database
  readonly contended: FairSemaphore
  readonly wake: () => void
}

/** How the reference shows an import. */
interface ImportDocuments {
  readonly record: JsonSchema
  readonly example: Readonly<Record<string, unknown>>
}

/** What all actions share. */
type ImportAction = Pick<Route, 'surface' | 'tag' | 'path' | 'method' | 'semaphore' | 'problems' | 'replies'>

const runFields = {
  stock: flag({ description: 'False leaves all stock unchanged, including that of new variants.' }),
}
const readRun = bodySchema({ fields: runFields, requireOneOf: [] }).create
const undoDays = IMPORT_UNDO_MS / 24 / 60 / 60 / 1000

/** The actions; `one` is what the routes of an import share. */
export function actionRoutes(
  parts: ImportActionParts,
  one: Pick<Route, 'surface' | 'tag' | 'path'>,
  documents: ImportDocuments,
) {
  const replies = { 200: { description: 'The import.', schema: documents.record, example: documents.example } }
  const action: ImportAction = {
    ...one,
    method: 'POST',
    semaphore: 'none',
    problems: ['not_found', 'conflict'],
    replies,
  }
  return {
    run: runRoute(parts, action),
    cancel: cancelRoute(parts, action),
    repeat: repeatRoute(parts, action, documents),
    undo: undoRoute(parts, action),
    remove: removeRoute(parts, action, documents),
  }
}

/** Does the work in a transaction under the request's claim, once it `may`; then wakes the workers. */
async function act(
  { database, contended, wake }: ImportActionParts,
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

const runRoute = (parts: ImportActionParts, action: ImportAction): Route => ({
  ...action,
  path: `${action.path}/run`,
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
  handle: (call) => {
    const { scope, params, body } = call
    const { stock = true } = orThrow(readRun(body === undefined ? {} : body)).set
    const run = (transaction: Queryable) => runImport(transaction, scope, params.id as string, stock === true)
    return act(parts, call, run, () => requireUpdate(parts.database, scope))
  },
})

const cancelRoute = (parts: ImportActionParts, action: ImportAction): Route => ({
  ...action,
  path: `${action.path}/cancel`,
  operationId: 'cancelImport',
  summary: 'Cancel an import',
  description:
    'Once the request is answered, nothing more is written; what was written stays, as `summary` shows. The request takes no body.',
  handle: (call) => {
    mustBeEmpty(call)
    return act(parts, call, (transaction) => cancelImport(transaction, call.scope, call.params.id as string))
  },
})

const repeatRoute = (parts: ImportActionParts, action: ImportAction, documents: ImportDocuments): Route => ({
  ...action,
  path: `${action.path}/repeat`,
  operationId: 'repeatImport',
  summary: 'Repeat an import',
  description:
    'Creates a new import of the same file and checks it against the current catalogue; the preview compares the two. You can run and undo it like any other import. The old import does not change. The request takes no body.',
  replies: {
    201: {
      description: 'The new import, which is now being checked.',
      schema: documents.record,
      example: { ...documents.example, state: 'checking', progress: 0, repeats: '6740a1f2c3d4e5f6a7b8c9e4' },
    },
  },
  handle: async (call) => {
    mustBeEmpty(call)
    const repeat = (transaction: Queryable) => repeatImport(transaction, call.scope, call.params.id as string)
    return act(parts, call, repeat, undefined, 201)
  },
})

const undoRoute = (parts: ImportActionParts, action: ImportAction): Route => ({
  ...action,
  path: `${action.path}/undo`,
  operationId: 'undoImport',
  summary: 'Undo an import',
  description: `An import can be undone once, within ${undoDays} days after the run. Records that it created are deleted and records that it changed are restored; each raises an event, like any write. Records that were changed since are left as they are, and listed. Stock is set back only if it has not moved since. The undo waits for its turn like a run: the state is \`undoing\`, then \`undone\`. The key also needs the permissions \`update\` and \`delete\`. The request takes no body.`,
  handle: (call) => {
    mustBeEmpty(call)
    const { scope, params } = call
    return act(
      parts,
      call,
      (transaction) => undoImport(transaction, scope, params.id as string),
      () => requireUndo(parts.database, scope),
    )
  },
})

const removeRoute = (parts: ImportActionParts, action: ImportAction, documents: ImportDocuments): Route => ({
  ...action,
  method: 'DELETE',
  operationId: 'deleteImport',
  summary: 'Delete an import',
  description:
    'Deletes the import with its file; what it wrote stays, and can no longer be undone. An import that is under way has to be cancelled first.',
  replies: {
    200: { description: 'It is deleted.', schema: deletedSchema, example: deleted(String(documents.example.id)) },
  },
  handle: (call) => {
    const id = call.params.id as string
    return act(parts, call, async (transaction) => {
      await removeImport(transaction, call.scope, id)
      return JSON.stringify(deleted(id))
    })
  },
})

const deleted = (id: string) => ({ statusCode: 200, message: 'The import and its file were deleted.', id })
