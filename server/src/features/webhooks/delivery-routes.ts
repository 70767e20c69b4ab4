// Deliveries on the wire: the log of a trigger in both path styles, and the actions on it.

import { isId } from '../../core/ids.ts'
import { DELIVERIES_REWRITTEN } from '../../core/limits.ts'
import { notFound } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { closed, documents, pageReply } from '../../engine/documents.ts'
import { dateTime, required } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { links } from '../../engine/links.ts'
import { pager } from '../../engine/list.ts'
import { plainParameters, richParameters } from '../../engine/list-parameters.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { plainAnswer, richAnswer } from '../../engine/page-answer.ts'
import { bodySchema, checked } from '../../engine/schema.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { type HeldTrigger, holdActive, redeliver, redeliverFailed, replay, sendTest } from './actions.ts'
import { states, webhookDelivery } from './delivery.ts'

const sinceMember = { since: required(dateTime({ description: 'A date-time.' })) }
const sinceSchema = closed({
  title: 'Since',
  type: 'object',
  properties: { since: sinceMember.since.schema },
  required: ['since'],
})
const since = { schema: sinceSchema, example: { since: '2026-11-21T09:30:00.000Z' } }
const readSince = bodySchema({ fields: sinceMember, requireOneOf: [] }).create
const readNothing = bodySchema({ fields: {}, requireOneOf: [] }).create

/** The time in a body, in canonical form. Throws `validation_failed`. */
const sinceOf = ({ body }: Call): string => checked(readSince(body)).set.since as string
/** Refuses a non-empty body of a route that takes none. */
const mustBeEmpty = ({ body }: Call) => void checked(readNothing(body ?? {}))

/** What differs between the styles. */
interface LogStyle {
  /** The path of the triggers. */
  readonly path: string
  /** Makes operation ids and summaries differ. */
  readonly suffix: string
  readonly remark: string
}

/**
 * The routes of both styles. Lists wait in the semaphore of lists, actions in that of requests that may wait for a row;
 * `wake` is called with a company that has something to be sent.
 */
export function deliveryRoutes(
  database: Database,
  { lists, contended }: OperationSemaphores,
  wake: (companyId: string) => void,
): Route[] {
  const page = pager(webhookDelivery, database, lists)
  const { record, example } = documents(webhookDelivery)
  const { triggerId: _, sortBy: __, ...rich } = richParameters(webhookDelivery)
  const { skip, limit, total } = plainParameters(webhookDelivery)
  const found = { 200: { description: 'The delivery.', schema: record, example } }

  /** A page of a trigger's deliveries, newest first. Throws `not_found` if the trigger does not exist. */
  async function list({ scope, params, query, isGone, expect }: Call, wantsCount: boolean) {
    const id = params.id as string
    const statement = {
      name: 'automation_triggers_exists',
      text: 'select from automation_triggers where company_id = $1 and id = $2',
    }
    const known = isId(id)
      ? await lists({ tenant: scope.companyId, isGone }, () => database.query(statement, [scope.companyId, id]))
      : []
    if (known.length === 0) throw notFound('automation trigger', id)
    const parameters = { sortOrder: 'desc', ...query, triggerId: id }
    return page(scope, { parameters, wantsCount, isGone, expect })
  }

  async function read({ scope, params }: Call): Promise<Answer> {
    const { id, deliveryId } = params as { id: string; deliveryId: string }
    const [row] = isId(id)
      ? await database.query(
          {
            name: 'webhook_delivery_read',
            text: `select stored.body from automation_triggers as held
              left join webhook_deliveries as stored
                on stored.company_id = held.company_id and stored.id = $3 and stored.trigger_id = held.id
              where held.company_id = $1 and held.id = $2`,
          },
          [scope.companyId, id, isId(deliveryId) ? deliveryId : null],
        )
      : []
    if (row === undefined) throw notFound('automation trigger', id)
    if (row[0] === null) throw notFound('webhook delivery', deliveryId)
    return { status: 200, body: row[0] }
  }

  /** Does the work with the trigger locked, under the request's claim; wakes the dispatcher afterwards. */
  async function act(
    { scope, params, claim, isGone }: Call,
    work: (transaction: Queryable, trigger: HeldTrigger) => Promise<Answer>,
  ): Promise<Answer> {
    const answer = await contended({ tenant: scope.companyId, isGone }, () =>
      transacted(database, claim, async (transaction) =>
        work(transaction, await holdActive(transaction, scope, params.id as string)),
      ),
    )
    wake(scope.companyId)
    return answer
  }

  const routesOf = ({ path, suffix, remark }: LogStyle): Route[] => {
    const isPlain = suffix !== ''
    const common = {
      surface: 'company',
      tag: webhookDelivery.title,
      problems: ['not_found'],
    } as const satisfies Partial<Route>
    const log = `${path}/{id}/deliveries`
    const action = {
      ...common,
      method: 'POST',
      semaphore: 'none',
      problems: ['not_found', 'conflict'],
    } as const satisfies Partial<Route>
    const all = {
      ...common,
      method: 'GET',
      semaphore: 'none',
      path: log,
      operationId: `listWebhookDeliveries${suffix}`,
      summary: `List deliveries of an automation trigger${remark}`,
      description: 'The newest first.',
    } as const satisfies Partial<Route>

    return [
      isPlain
        ? {
            ...all,
            query: { skip, limit, total } as NonNullable<Route['query']>,
            replies: {
              200: {
                description: 'A page of deliveries, as a bare array.',
                schema: { type: 'array', items: record },
                headers: {
                  Link: 'The first, previous and next page (RFC 8288).',
                  'X-Total-Count': 'The number of all deliveries, with `total=true`.',
                },
                example: [example],
              },
            },
            handle: async (call) => {
              const some = await list(call, call.query.total === true)
              const counted = some.count !== undefined && { 'x-total-count': String(some.count) }
              return plainAnswer(some, { link: links(call, some), ...counted })
            },
          }
        : {
            ...all,
            query: {
              ...rich,
              sortOrder: { ...rich.sortOrder, default: 'desc' },
              state: { type: 'string', enum: states, description: 'Only deliveries with this `state`.' },
            },
            replies: pageReply(record, example),
            handle: async (call) => richAnswer(await list(call, true)),
          },
      {
        ...common,
        method: 'GET',
        path: `${log}/{deliveryId}`,
        operationId: `readWebhookDelivery${suffix}`,
        summary: `Read a delivery${remark}`,
        replies: found,
        handle: read,
      },
      {
        ...action,
        path: `${log}/{deliveryId}/redeliver`,
        operationId: `redeliverWebhook${suffix}`,
        summary: `Send a delivery again${remark}`,
        description:
          'In any state: the delivery is due at once, and the schedule of attempts starts again. Its event keeps the same id. The request takes no body.',
        replies: found,
        handle: async (call) => {
          mustBeEmpty(call)
          return act(call, async (transaction, trigger) => ({
            status: 200,
            body: await redeliver(transaction, trigger, call.params.deliveryId as string),
          }))
        },
      },
      {
        ...action,
        path: `${path}/{id}/redeliver`,
        operationId: `redeliverFailedWebhooks${suffix}`,
        summary: `Send all failed deliveries since a time again${remark}`,
        description: `Deliveries whose \`createdAt\` is at or after \`since\` and whose \`state\` is \`failed\`, oldest first, at most ${DELIVERIES_REWRITTEN.toLocaleString('en')} at once, and fewer if their responses are long: while \`hasMore\` is true, send the request again.`,
        body: since,
        replies: {
          200: {
            description: 'How many are sent again, and whether there are more.',
            schema: {
              title: 'Redelivered',
              type: 'object',
              properties: {
                count: { type: 'integer', description: 'How many deliveries are sent again by this request.' },
                hasMore: { type: 'boolean', description: 'Whether more are left: repeat the request for them.' },
              },
              required: ['count', 'hasMore'],
            },
            example: { count: 12, hasMore: false },
          },
        },
        handle: async (call) => {
          const from = sinceOf(call)
          return act(call, async (transaction, trigger) => ({
            status: 200,
            body: JSON.stringify(await redeliverFailed(transaction, trigger, from)),
          }))
        },
      },
      {
        ...action,
        path: `${path}/{id}/replay`,
        operationId: `replayEvents${suffix}`,
        summary: `Send all events since a time again${remark}`,
        description:
          'Events that match the trigger are sent again in order, whether they were delivered or not; new ones follow. If there is no event since then, nothing changes.',
        body: since,
        replies: {
          200: {
            description: 'The `sequence` after which the trigger continues.',
            schema: {
              title: 'Replayed',
              type: 'object',
              properties: { position: { type: 'integer', description: 'A `sequence` of the feed.' } },
              required: ['position'],
            },
            example: { position: 4711 },
          },
        },
        handle: async (call) => {
          const from = sinceOf(call)
          return act(call, async (transaction, trigger) => ({
            status: 200,
            body: JSON.stringify({ position: await replay(transaction, trigger, from) }),
          }))
        },
      },
      {
        ...action,
        path: `${path}/{id}/test`,
        operationId: `testAutomationTrigger${suffix}`,
        summary: `Send a test event${remark}`,
        description:
          'Sends an event `automation-trigger.test` with the trigger as its data, to this trigger only. The event is not in the feed. The request takes no body.',
        replies: { 201: { description: 'The delivery.', schema: record, example } },
        handle: async (call) => {
          mustBeEmpty(call)
          return act(call, async (transaction, trigger) => ({
            status: 201,
            body: await sendTest(transaction, trigger),
          }))
        },
      },
    ]
  }

  return [
    ...routesOf({ path: '/v1/automation-trigger', suffix: '', remark: '' }),
    ...routesOf({ path: '/v1/api/automation-triggers', suffix: 'A', remark: ' (Style A)' }),
  ]
}
