// Events as the reference shows them.
import { boolean, idPattern, type JsonSchema, object, string } from '../../core/json-schema.ts'

/** The chapter of the reference. */
export const eventsTag = 'Events'
export const eventChapter = {
  [eventsTag]:
    'Every write stores an event in its own transaction: the record as written and, for a change, the previous values of the changed members. Types are `<resource>.created`, `.updated` and `.deleted`, besides `inventory.stock_changed`, `order.completed`, `order.refunded`, `session.opened`, `session.closed`, and `custom.<name>` for your own events. Events are kept for 30 days and read in one order.',
}

const time = { type: 'string', format: 'date-time' } as const

/** The members of an event. */
export const eventMembers = {
  id: { type: 'string', pattern: idPattern, description: 'Identifies the event; webhooks send the same id.' },
  sequence: {
    type: 'integer',
    description: 'Its position in the feed; numbers increase, with gaps, since all companies of a service share them.',
  },
  type: { type: 'string', description: 'What happened.', examples: ['customer.created', 'custom.shift.ended'] },
  createdAt: { ...time, description: 'When the event happened, in UTC.' },
  resource: string('The resource that it is about; `custom` for your own events.'),
  recordId: string('The record that was written; absent for your own events.'),
  actor: {
    title: 'EventActor',
    type: 'object',
    properties: {
      type: {
        enum: ['key', 'user', 'operator'],
        description: 'An API key, a signed-in user, or the command line of the operator.',
      },
      id: string('The key or the user.'),
    },
    required: ['type'],
    description:
      'Who made the write. Absent in events from before this member existed, and if the service itself acted.',
  },
  data: {
    type: 'object',
    additionalProperties: true,
    description:
      'The record as the API shows it, or its last state after a delete; or your own data. Its schema is that of its `resource`, such as `Order` for `order`.',
  },
  previous: {
    type: 'object',
    additionalProperties: true,
    description:
      'For a change: the previous values of the changed members, other than `updatedAt`. Members that were unset are null.',
  },
} satisfies Record<string, JsonSchema>

export const eventSchema: JsonSchema = {
  title: 'Event',
  type: 'object',
  properties: eventMembers,
  required: ['id', 'sequence', 'type', 'createdAt', 'resource', 'data'],
}

export const feedSchema: JsonSchema = object('EventPage', {
  data: { type: 'array', items: eventSchema, description: 'The events after the cursor, the oldest first.' },
  meta: {
    title: 'EventPageMeta',
    type: 'object',
    description: 'Where to continue.',
    properties: {
      nextCursor: string('The `after` of the next page; also present on the last page.'),
      hasMore: boolean('Whether more events can be read now.'),
    },
    required: ['nextCursor', 'hasMore'],
  },
})

const at = '2026-11-21T09:30:00.000Z'
export const eventExample = {
  id: '6740a1f2c3d4e5f6a7b8c9f1',
  sequence: 1043,
  type: 'category.updated',
  createdAt: at,
  resource: 'category',
  recordId: '6740a1f2c3d4e5f6a7b8c9d3',
  actor: { type: 'key', id: '6740a1f2c3d4e5f6a7b8c902' },
  data: {
    id: '6740a1f2c3d4e5f6a7b8c9d3',
    name: 'Tea',
    createdAt: at,
    updatedAt: at,
    companyId: '6740a1f2c3d4e5f6a7b8c900',
  },
  previous: { name: 'Teas' },
}
export const customExample = {
  id: '6740a1f2c3d4e5f6a7b8c9f2',
  sequence: 1044,
  type: 'custom.shift.ended',
  createdAt: at,
  resource: 'custom',
  actor: { type: 'key', id: '6740a1f2c3d4e5f6a7b8c902' },
  data: { employee: 'Anne', sales: 42 },
}
export const feedExample = { data: [eventExample], meta: { nextCursor: '1043', hasMore: false } }
