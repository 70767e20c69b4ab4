// Automation trigger: a webhook that a company registers for some of its events.

import {
  atTimes,
  dateTime,
  flag,
  integer,
  name,
  reference,
  required,
  serverOwned,
  text,
  webUrl,
  word,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { otherNames } from './shapes.ts'
import { apiKeyProjection } from './trigger-key.ts'

/** Maximum concurrent calls of one trigger: a receiver that wants more can have several triggers. */
const TRIGGER_PARALLEL = 20

/** The names of triggers from before events had types, and their types. */
export const olderNames: Readonly<Record<string, string>> = {
  new_customer: 'customer.created',
  customer_updated: 'customer.updated',
  new_product: 'product.created',
  product_updated: 'product.updated',
  new_order: 'order.created',
  order_completed: 'order.completed',
  order_refunded: 'order.refunded',
  new_refund: 'refund.created',
  new_transaction: 'transaction.created',
  stock_changed: 'inventory.stock_changed',
  session_opened: 'session.opened',
  session_closed: 'session.closed',
}

const types = word(['customer.created', 'order.*', '*', 'new_order'], {
  description:
    'The type of the events that it receives, such as `order.completed`; `*` at the end matches any. Any text is accepted, but a trigger with a type that no event has, such as a misspelt one, never fires; if the text resembles a type, the record has `typeHint`.',
})

export const automationTrigger = resource({
  name: { one: 'automation-trigger', many: 'automation-triggers' },
  alsoCalled: ['webhook', 'webhook-endpoint', 'hook', 'subscription'],
  title: 'Automation triggers',
  description: 'A URL of an automation tool that receives events.',
  fields: {
    triggerType: required({ ...types, schema: { ...types.schema, 'x-older-names': olderNames } }),
    triggerId: reference({
      description: 'Identifies the trigger in the receiving tool. Calls contain it as `trigger.triggerId`.',
      example: 'zap-118',
    }),
    triggerUrl: required(
      webUrl({
        description: 'Where events are sent by POST: an absolute http or https URL on a public address.',
        example: 'https://hooks.example.com/cashwrap',
      }),
    ),
    customTriggerName: name({
      description: 'Display name. Calls contain it.',
      example: 'Send receipts',
    }),
    typeHint: atTimes(
      serverOwned(
        text({
          description:
            'Says that the trigger never fires, and which type was probably meant. Present only if no event has the type `triggerType`, but a similar type exists.',
        }),
      ),
    ),
    isActive: flag({
      description:
        'Whether it is called; true by default. A trigger that is switched on again receives the events from then on.',
    }),
    inactiveSince: atTimes(serverOwned(dateTime({ description: 'When it was switched off.' }))),
    inactiveReason: atTimes(serverOwned(text({ description: 'Why it is switched off.' }))),
    maxParallel: integer(1, TRIGGER_PARALLEL, {
      description: 'Number of concurrent calls. The default, 1, keeps the events in order.',
    }),
  },
  derive: ({ isActive = true, maxParallel = 1, inactiveSince, inactiveReason }) => ({
    isActive,
    maxParallel,
    inactiveSince: isActive ? undefined : (inactiveSince ?? new Date().toISOString()),
    inactiveReason: isActive ? undefined : (inactiveReason ?? 'Switched off by request.'),
  }),
  // `features/webhooks` stores the secret itself, and knows what a change means to its calls.
  projection: apiKeyProjection,
  remove: 'hard',
  elsewhere: {
    ...otherNames(
      'triggerUrl',
      'url',
      'targetUrl',
      'hookUrl',
      'webhookUrl',
      'callbackUrl',
      'endpoint',
      'address',
      'target',
    ),
    ...otherNames('triggerType', 'event', 'eventType', 'type', 'topic'),
    ...otherNames('apiKey', 'secret', 'signingSecret', 'token'),
    events: 'send one type or pattern as triggerType; for several, create a trigger for each',
    eventTypes: 'send one type or pattern as triggerType; for several, create a trigger for each',
    enabledEvents: 'send one type or pattern as triggerType; for several, create a trigger for each',
  },
  list: { sort: ['triggerType'], search: ['triggerType', 'customTriggerName'], exact: ['triggerId'] },
  styleA: { one: ['automation-triggers'], list: 'automation-triggers' },
  styleB: { one: 'automation-trigger', many: 'automation-triggers' },
  example: { triggerType: 'order.completed', triggerUrl: 'https://hooks.example.com/cashwrap' },
})
