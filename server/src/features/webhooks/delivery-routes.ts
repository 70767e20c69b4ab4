// Deliveries on the wire: the log of a trigger in both path styles, and the actions on it.

import { isId } from '../../core/ids.ts'
import { object } from '../../core/json-schema.ts'
import { notFound, orThrow } from '../../core/problem.ts'
import { type Database, type Queryable, requireRow } from '../../database/connect.ts'
import { mustBeEmpty } from '../../engine/body.ts'
import { closed, documents, listSchema, pageReply } from '../../engine/documents.ts'
import { dateTime, required } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { links } from '../../engine/links.ts'
import { pager } from '../../engine/lists/list.ts'
import { plainParameters, richParameters } from '../../engine/lists/list-parameters.ts'
import { plainAnswer, richAnswer } from '../../engine/lists/page-answer.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { bodySchema } from '../../engine/schema.ts'
import { type Answer, type Call, ok, type Route } from '../../http/route.ts'
import { deliveryStates, webhookDelivery } from '../../resources/webhook-delivery.ts'
import {
  DELIVERIES_REWRITTEN,
  type LockedTrigger,
  lockActive,
  redeliver,
  redeliverFailed,
  replay,
  sendTest,
} from './actions.ts'
import { redelivered, replayed } from './documents.ts'

const sinceMember = { since: required(dateTime({ description: 'A date-time.' })) }
const sinceSchema = closed(object('Since', { since: sinceMember.since.schema }))
const since = { schema: sinceSchema, example: { since: '2026-11-21T09:30:00.000Z' } }
const readSince = bodySchema({ fields: sinceMember, requireOneOf: [] }).create

const { record, example } = documents(webhookDelivery)
const oneDelivery = { description: 'The delivery.', schema: record, example }
const { triggerId: _, sortBy: __, ...rich } = richParameters(webhookDelivery)
const { skip, limit, total } = plainParameters(webhookDelivery)

/** What a caller can ask of a trigger's deliveries; the path follows that of the trigger. */
interface DeliveryAction {
  readonly path: string
  readonly operation: string
  readonly summary: string
  readonly description: string
  /** Whether its body names the time to begin with; otherwise it takes none. */
  readonly hasSince: boolean
  /** The only reply: its status is that of the response. */
  readonly replies: Route['replies']
  /** Acts on the locked trigger, and returns the text of the response. */
  readonly act: (
    transaction: Queryable,
    trigger: LockedTrigger,
    asked: { readonly since: string; readonly deliveryId: string },
  ) => Promise<string>
}

const actions: readonly DeliveryAction[] = [
  {
    path: '/deliveries/{deliveryId}/redeliver',
    operation: 'redeliverWebhook',
    summary: 'Resend a delivery',
    description:
      'Works in any state. The delivery is due at once, and the schedule of attempts starts again. Its event keeps the same id. The request takes no body.',
    hasSince: false,
    replies: { 200: oneDelivery },
    act: (transaction, trigger, { deliveryId }) => redeliver(transaction, trigger, deliveryId),
  },
  {
    path: '/redeliver',
    operation: 'redeliverFailedWebhooks',
    summary: 'Resend failed deliveries',
    description: `Sends deliveries again whose \`createdAt\` is at or after \`since\` and whose \`state\` is \`failed\`, oldest first: at most ${DELIVERIES_REWRITTEN.toLocaleString('en')} at once, and fewer if their responses are long. While \`hasMore\` is true, send the request again.`,
    hasSince: true,
    replies: { 200: redelivered },
    act: async (transaction, trigger, { since }) => JSON.stringify(await redeliverFailed(transaction, trigger, since)),
  },
  {
    path: '/replay',
    operation: 'replayEvents',
    summary: 'Replay events',
    description:
      'Sends all events since `since` that match the trigger again, in order, whether they were delivered or not; new ones follow. If there is none, nothing changes.',
    hasSince: true,
    replies: { 200: replayed },
    act: async (transaction, trigger, { since }) =>
      JSON.stringify({ position: await replay(transaction, trigger, since) }),
  },
  {
    path: '/test',
    operation: 'testAutomationTrigger',
    summary: 'Send a test event',
    description:
      'Sends an event `automation-trigger.test` with the trigger as its data, to this trigger only. The event is not in the feed. The request takes no body.',
    hasSince: false,
    replies: { 201: oneDelivery },
    act: (transaction, trigger) => sendTest(transaction, trigger),
  },
]

/** What differs between the styles: the path of a trigger, and what makes operation ids and summaries differ. */
type Style = Readonly<Record<'path' | 'suffix' | 'remark', string>>

const styleB: Style = { path: '/v1/automation-trigger/{id}', suffix: '', remark: '' }
const styleA: Style = { path: '/v1/api/automation-triggers/{id}', suffix: 'A', remark: ' (Style A)' }

interface DeliveryRouteParts {
  readonly database: Database
  readonly semaphores: OperationSemaphores
  /** Called with a company that has something to be sent. */
  readonly wake: Wake
}
type Wake = (companyId: string) => void

/** The routes of both styles. Lists wait in the semaphore of lists, actions in that of requests that may wait for a row. */
export function deliveryRoutes(database: Database, semaphores: OperationSemaphores, wake: Wake): Route[] {
  const parts = { database, semaphores, wake }
  const list = lister(parts)
  return [styleB, styleA].flatMap((style) => [
    style === styleB ? richLog(style, list) : plainLog(style, list),
    oneRoute(style, database),
    ...actions.map((action) => actionRoute(style, action, parts)),
  ])
}

const common = {
  surface: 'company',
  tag: webhookDelivery.title,
  problems: ['not_found'],
} as const satisfies Partial<Route>

type ListDeliveries = ReturnType<typeof lister>

/** Makes the function that reads a page of a trigger's deliveries, newest first. It throws `not_found` for an unknown trigger. */
function lister({ database, semaphores: { lists } }: DeliveryRouteParts) {
  // Results are answered before they are on disk, so the place up to which a replica must have replayed may be before them.
  const page = pager(webhookDelivery, { ...database, beginRead: async () => database }, lists)
  const exists = {
    name: 'automation_triggers_exists',
    text: 'select from automation_triggers where company_id = $1 and id = $2',
  }
  return async ({ scope, params, query, isGone, expect }: Call, wantsCount: boolean) => {
    const id = params.id as string
    await lists({ tenant: scope.companyId, isGone }, () =>
      requireRow(database, 'automation trigger', id, exists, [scope.companyId, id]),
    )
    const parameters = { sortOrder: 'desc', ...query, triggerId: id }
    return page(scope, { parameters, wantsCount, isGone, expect })
  }
}

const logOf = ({ path, suffix, remark }: Style) =>
  ({
    ...common,
    method: 'GET',
    semaphore: 'none',
    path: `${path}/deliveries`,
    operationId: `listWebhookDeliveries${suffix}`,
    summary: `List deliveries of an automation trigger${remark}`,
    description: 'The newest first.',
  }) as const satisfies Partial<Route>

const richLog = (style: Style, list: ListDeliveries): Route => ({
  ...logOf(style),
  query: {
    ...rich,
    sortOrder: { ...rich.sortOrder, default: 'desc' },
    state: { type: 'string', enum: deliveryStates, description: 'Only deliveries with this `state`.' },
  },
  replies: pageReply(record, example),
  handle: async (call) => richAnswer(await list(call, true)),
})

const plainLog = (style: Style, list: ListDeliveries): Route => ({
  ...logOf(style),
  query: { skip, limit, total } as NonNullable<Route['query']>,
  replies: {
    200: {
      description: 'A page of deliveries, as a bare array.',
      schema: listSchema(record),
      headers: {
        Link: 'The first, previous and next page (RFC 8288).',
        'X-Total-Count': 'The number of all deliveries, with `total=true`.',
      },
      example: [example],
    },
  },
  handle: async (call) => {
    const page = await list(call, call.query.total === true)
    const counted = page.count !== undefined && { 'x-total-count': String(page.count) }
    return plainAnswer(page, { link: links(call, page), ...counted })
  },
})

const oneRoute = ({ path, suffix, remark }: Style, database: Database): Route => ({
  ...common,
  method: 'GET',
  path: `${path}/deliveries/{deliveryId}`,
  operationId: `readWebhookDelivery${suffix}`,
  summary: `Read a delivery${remark}`,
  replies: { 200: oneDelivery },
  handle: async ({ scope, params }) => {
    const { id, deliveryId } = params as { id: string; deliveryId: string }
    const statement = {
      name: 'webhook_delivery_read',
      text: `select stored.body from automation_triggers as held
        left join webhook_deliveries as stored
          on stored.company_id = held.company_id and stored.id = $3 and stored.trigger_id = held.id
        where held.company_id = $1 and held.id = $2`,
    }
    const values = [scope.companyId, id, isId(deliveryId) ? deliveryId : '']
    const row = await requireRow(database, 'automation trigger', id, statement, values)
    if (row[0] === null) throw notFound('webhook delivery', deliveryId)
    return ok(row[0])
  },
})

/** The route of an action: it locks the trigger and acts under the request's claim, and wakes the dispatcher afterwards. */
function actionRoute(
  { path, suffix, remark }: Style,
  action: DeliveryAction,
  { database, semaphores, wake }: DeliveryRouteParts,
): Route {
  const { hasSince, replies } = action
  const status = Number(Object.keys(replies)[0])
  return {
    ...common,
    method: 'POST',
    semaphore: 'none',
    problems: ['not_found', 'conflict'],
    path: `${path}${action.path}`,
    operationId: `${action.operation}${suffix}`,
    summary: `${action.summary}${remark}`,
    description: action.description,
    ...(hasSince && { body: since }),
    replies,
    handle: async ({ scope, params, body, claim, isGone }): Promise<Answer> => {
      const { id, deliveryId } = params as { id: string; deliveryId: string }
      const begin = hasSince ? (orThrow(readSince(body)).set.since as string) : ''
      if (!hasSince) mustBeEmpty({ body })
      const answer = await semaphores.contended({ tenant: scope.companyId, isGone }, () =>
        transacted(database, claim, async (transaction) => {
          const trigger = await lockActive(transaction, scope, id)
          return ok(await action.act(transaction, trigger, { since: begin, deliveryId }), status)
        }),
      )
      wake(scope.companyId)
      return answer
    },
  }
}
