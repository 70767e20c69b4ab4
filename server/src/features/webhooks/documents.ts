// Webhooks in the reference: for each type of event what its calls carry (message.ts), and replies to actions on deliveries.
import { boolean, idPattern, type JsonSchema, object } from '../../core/json-schema.ts'
import { documents } from '../../engine/documents.ts'
import { aTime } from '../../engine/field.ts'
import { camelCase, capitalised, type Resource, spoken } from '../../engine/resource.ts'
import type { WebhookDocument } from '../../http/openapi/webhooks.ts'
import type { ReplyDocument } from '../../http/route.ts'
import { automationTrigger } from '../../resources/automation-trigger.ts'
import { customExample, eventMembers } from '../events/documents.ts'

/** The chapter of the reference. */
const title = 'Webhooks'
export const webhookChapter = {
  [title]:
    'The calls that automation triggers make, one for each event. Each is signed (Standard Webhooks) and sent at least once; `triggerType` of a trigger selects the types. The guide is docs/guides/webhooks.md.',
}

const string: JsonSchema = { type: 'string' }
const anId: JsonSchema = { ...string, pattern: idPattern }

const envelope: JsonSchema = {
  title: 'WebhookEnvelope',
  description: 'The members that calls of all types have.',
  type: 'object',
  properties: {
    id: { ...anId, description: 'Identifies the event, as in the feed; the same on each attempt.' },
    eventType: { ...string, description: 'What happened.' },
    timestamp: { ...string, format: 'date-time', description: 'When the event happened, in UTC.' },
    companyId: { ...anId, description: 'The company whose event it is.' },
    triggerId: { ...anId, description: 'The trigger that makes the call, by the id of its record.' },
    actor: eventMembers.actor,
    customTriggerName: { ...string, description: 'Name of the trigger, if it has one.' },
    trigger: {
      title: 'WebhookTrigger',
      type: 'object',
      description: 'The trigger that makes the call.',
      properties: {
        id: { ...anId, description: 'The id of its record.' },
        triggerId: { ...string, description: 'The member `triggerId` of its record, if that is set.' },
      },
      required: ['id'],
    },
  },
  required: ['id', 'eventType', 'timestamp', 'companyId', 'triggerId', 'trigger'],
}

const example = {
  id: '6740a1f2c3d4e5f6a7b8c9f1',
  timestamp: aTime,
  companyId: '6740a1f2c3d4e5f6a7b8c900',
  triggerId: '6740a1f2c3d4e5f6a7b8c9f3',
  actor: { type: 'key', id: '6740a1f2c3d4e5f6a7b8c902' },
  customTriggerName: 'Send receipts',
  trigger: { id: '6740a1f2c3d4e5f6a7b8c9f3', triggerId: 'zap-118' },
}

/** What a call carries in place of a record if the trigger's last writer may not read records. */
const idAlone = ({ ids, fields }: Resource): JsonSchema => {
  const member = ids === 'oid' ? '_id' : 'id'
  return {
    title: ids === 'oid' ? 'WebhookRecordOid' : 'WebhookRecordId',
    description: 'The id alone if the last writer of the trigger was not allowed to read records.',
    type: 'object',
    properties: { [member]: fields[member]?.schema },
    required: [member],
    additionalProperties: false,
  }
}

/** A call with the envelope and further members. */
const call = (
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: string[],
) => ({
  title: `${name}Webhook`,
  description,
  allOf: [envelope],
  type: 'object',
  properties,
  required,
})

/** `CustomTableCreated`: a type of event in names of schemas. */
const nameOf = (type: string): string => capitalised(camelCase(type.replaceAll(/[._]/g, '-')))

/** The calls of one type of a resource's events. */
function ofRecord(resource: Resource, type: string): WebhookDocument {
  const { record, example: shown, words } = documents(resource)
  const member = camelCase(resource.name.one)
  const verb = spoken(type.slice(resource.name.one.length + 1).replaceAll('_', '-'))
  const about = `The record as the API shows it${verb === 'deleted' ? ' before it was deleted' : ''}; or its id alone, where the last writer of the trigger was not allowed to read records.`
  const properties = {
    eventType: { ...string, const: type, description: 'What happened.' },
    [member]: { description: about, anyOf: [record, idAlone(resource)] },
    ...(verb !== 'created' && verb !== 'test' && { previous: eventMembers.previous }),
  }
  const summary = `${capitalised(words.one)}: ${verb}`
  return {
    type,
    tag: title,
    operationId: `on${nameOf(type)}`,
    summary,
    schema: call(nameOf(type), `An event \`${type}\`.`, properties, ['eventType', member]),
    example: { ...example, eventType: type, [member]: shown },
  }
}

/** The calls for events that a company sends itself. */
const ofCompany: WebhookDocument = {
  type: 'custom.*',
  tag: title,
  operationId: 'onCustomEvent',
  summary: 'An event of your own',
  schema: call(
    'CustomEvent',
    'An event that was sent with `POST /v1/events/custom`.',
    {
      eventType: { ...string, pattern: '^custom\\.[a-z0-9._-]+$', description: '`custom.` and the name of the event.' },
      data: {
        type: 'object',
        additionalProperties: true,
        description: 'As it was sent; absent where the last writer of the trigger was not allowed to read records.',
      },
    },
    ['eventType'],
  ),
  example: { ...example, eventType: customExample.type, data: customExample.data },
}

/** All webhooks, for the events of these resources. */
export const webhookDocuments = (resources: readonly Resource[]): WebhookDocument[] => [
  ...resources.flatMap((resource) => resource.eventTypes.map((type) => ofRecord(resource, type))),
  ofRecord(automationTrigger, 'automation-trigger.test'),
  ofCompany,
]

/** The reply when failed deliveries are sent again. */
export const redelivered = {
  description: 'How many are sent again, and whether there are more.',
  schema: object('Redelivered', {
    count: { type: 'integer', description: 'How many deliveries are sent again by this request.' },
    hasMore: boolean('Whether more are left: repeat the request for them.'),
  }),
  example: { count: 12, hasMore: false },
} as const satisfies ReplyDocument

/** The reply when events are sent again. */
export const replayed = {
  description: 'The `sequence` after which the trigger continues.',
  schema: object('Replayed', { position: { type: 'integer', description: 'A `sequence` of the feed.' } }),
  example: { position: 4711 },
} as const satisfies ReplyDocument
