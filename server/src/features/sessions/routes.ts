// The routes of session reports (X) and closings (Z), and the parameter `takeOver` of the writes of sessions.

import { boolean, type JsonSchema } from '../../core/json-schema.ts'
import type { Database } from '../../database/connect.ts'
import { documents } from '../../engine/documents.ts'
import { dateTime, required } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import { listB } from '../../engine/style-b.ts'
import { ok, type Route } from '../../http/route.ts'
import { closing, reportFields } from '../../resources/closing.ts'
import { session } from '../../resources/session.ts'
import { closeFields, closeSession } from './close.ts'
import { sessionReport } from './report.ts'

const reportMembers = {
  ...reportFields,
  asOf: required(dateTime({ description: 'When the report was made.', example: '2026-11-21T16:00:00.000Z' })),
}
const reportSchema: JsonSchema = {
  title: 'SessionReport',
  description: 'The figures of a session so far.',
  type: 'object',
  properties: Object.fromEntries(Object.entries(reportMembers).map(([member, { schema }]) => [member, schema])),
  required: Object.keys(reportMembers).filter((member) => 'required' in reportMembers[member as 'asOf']),
}
const closeSchema: JsonSchema = {
  title: 'SessionClose',
  description: 'What was counted, and by whom.',
  type: 'object',
  properties: Object.fromEntries(Object.entries(closeFields).map(([member, { schema }]) => [member, schema])),
}

const { record, example } = documents(closing)
const { number: _, outletId: __, closeTime: ___, closedBy: ____, id, companyId, createdAt, ...ofReport } = example
const common = { surface: 'company', tag: closing.title } as const

const reportRoute = (database: Database): Route => ({
  ...common,
  method: 'GET',
  path: '/v1/session/{id}/report',
  operationId: 'readSessionReport',
  summary: 'Read the report of a session (X)',
  description:
    'For an open session: what its closing would be now, with the late records that changed in the last 31 days. For a closed session: all of its records as they are now; its closing shows them as they were then.',
  replies: {
    200: {
      description: 'The report.',
      schema: reportSchema,
      example: { ...ofReport, asOf: '2026-11-21T16:00:00.000Z' },
    },
  },
  problems: ['not_found'],
  handle: async ({ scope, params, isGone }) =>
    ok(await sessionReport(database, scope.companyId, params.id as string, isGone)),
})

const closeRoute = (database: Database, sessions: Operations, { contended }: OperationSemaphores): Route => ({
  ...common,
  method: 'POST',
  path: '/v1/session/{id}/close',
  permission: 'update',
  operationId: 'closeSession',
  summary: 'Close a session with a closing (Z)',
  description:
    'Sets `closeTime`, `closingAmount`, `closingAmounts`, `closedBy` and `closingNote` of the session, which raises `session.updated` and `session.closed`, and stores a closing. If the session is already closed, the response is 409 `conflict`.',
  body: {
    schema: { ...closeSchema, unevaluatedProperties: false },
    example: { counted: { cash: '347.50' }, closedBy: 'ann' },
    isOptional: true,
  },
  replies: { 201: { description: 'The closing.', schema: record, example } },
  problems: ['not_found', 'conflict'],
  // It waits for rows that others lock, so it waits apart from other requests.
  semaphore: 'none',
  handle: (call) =>
    contended({ tenant: call.scope.companyId, isGone: call.isGone }, () =>
      transacted(database, call.claim, async (transaction) => ok(await closeSession(transaction, sessions, call), 201)),
    ),
})

const readRoute = (closings: Operations): Route => ({
  ...common,
  method: 'GET',
  path: '/v1/closing/{id}',
  semaphore: 'none',
  operationId: 'readClosing',
  summary: 'Read a closing',
  replies: { 200: { description: 'The closing.', schema: record, example } },
  problems: ['not_found'],
  isRecord: true,
  handle: async ({ scope, params, isGone }) => ok(await closings.read(scope, params.id as string, isGone)),
})

/** All routes of this folder. */
export function closingRoutes(database: Database, semaphores: OperationSemaphores): Route[] {
  const sessions = operations(session, database, semaphores)
  const closings = operations(closing, database, semaphores)
  return [
    reportRoute(database),
    closeRoute(database, sessions, semaphores),
    listB(closings, closing.name.many),
    readRoute(closings),
  ]
}

const takeOver = boolean(
  'Whether a session that is open at the station is closed first, with the present time as its `closeTime`. Without it, or with false, opening a second session is refused with 409 `conflict` if the company’s setting `oneOpenSession` is on.',
)

/** The routes of sessions, whose creates and updates also take `takeOver`: then `takingOver` carries them out. */
export function sessionRoutes(
  routesOf: (operations: Operations) => Route[],
  refusing: Operations,
  takingOver: Operations,
): Route[] {
  const others = routesOf(takingOver)
  return routesOf(refusing).map((route, n) =>
    route.method === 'GET' || route.method === 'DELETE'
      ? route
      : {
          ...route,
          query: { ...route.query, takeOver },
          handle: (call) => (call.query.takeOver === true ? (others[n] as Route) : route).handle(call),
        },
  )
}
