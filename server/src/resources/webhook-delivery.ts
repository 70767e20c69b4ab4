// Webhook delivery: what happened to an event at an automation trigger, attempt by attempt (decisions §9). Read-only
// for callers.
import {
  choice,
  dateTime,
  list,
  name,
  number,
  object,
  reference,
  required,
  serverOwned,
  text,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

/** `pending` until it succeeds, or until no further attempt is made. */
export const deliveryStates = ['pending', 'succeeded', 'failed'] as const
type State = (typeof deliveryStates)[number]

/** One call to a receiver, as the log shows it. */
export interface Attempt {
  /** When it began. */
  readonly at: string
  /** The response's status; unset if there was none. Redirects are not followed. */
  readonly status?: number
  /** Why there was no response, or why its text ends early: a sentence. */
  readonly error?: string
  readonly durationMs: number
  /** The beginning of the response, at most 4 KB. */
  readonly answer?: string
}

/** A delivery as the API shows it. */
export interface Delivery {
  readonly id: string
  readonly triggerId: string
  readonly eventId: string
  readonly eventType: string
  /** The event's position in the feed; unset if it is not in the feed. */
  readonly sequence?: number
  readonly state: State
  /** The last `ATTEMPTS_KEPT` attempts. */
  readonly attempts: readonly Attempt[]
  /** Set exactly while it is pending. */
  readonly nextAttemptAt?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly companyId: string
}

const attempt = object(
  {
    at: required(dateTime({ description: 'When it began.' })),
    status: number({ description: 'The status of the response; absent if there was none.' }),
    error: text({ description: 'Explains the error in a sentence.' }),
    durationMs: required(
      number({ description: 'Milliseconds until the response was read, or the call was given up.' }),
    ),
    answer: text({ description: 'The first 4 KB of the response.' }),
  },
  { title: 'WebhookAttempt' },
)

export const webhookDelivery = resource({
  name: { one: 'webhook-delivery', many: 'webhook-deliveries' },
  title: 'Webhook deliveries',
  description:
    'The delivery of an event to an automation trigger: its state, and each attempt with its time, status, duration and the beginning of the response. Deliveries are kept for 30 days.',
  fields: {
    triggerId: serverOwned(reference({ description: 'The automation trigger whose URL is called.' })),
    eventId: serverOwned(reference({ description: 'The event; the receiver sees it as `id`.' })),
    eventType: serverOwned(
      name({ description: 'What happened, as in `type` of the event.', example: 'order.completed' }),
    ),
    sequence: number({
      description: 'The position of the event in the feed; absent for a test event, which is not in the feed.',
    }),
    state: serverOwned(
      choice(deliveryStates, { description: 'Pending until it succeeds, or until no further attempt is made.' }),
    ),
    attempts: serverOwned(list(attempt, { description: 'The last 20, oldest first.' })),
    nextAttemptAt: dateTime({ description: 'When it is tried next, while it is pending.' }),
  },
  remove: 'hard',
  list: { exact: ['triggerId', 'state', 'eventType', 'eventId'] },
  styleA: null,
  styleB: null,
  example: {
    triggerId: '6740a1f2c3d4e5f6a7b8c9d0',
    eventId: '6740a1f2c3d4e5f6a7b8c9f1',
    eventType: 'order.completed',
    sequence: 4711,
    state: 'pending',
    attempts: [
      {
        at: '2026-11-21T09:30:00.000Z',
        status: 503,
        error: 'The receiver answered 503.',
        durationMs: 42,
        answer: 'Down for maintenance',
      },
    ],
    nextAttemptAt: '2026-11-21T09:30:05.000Z',
  },
})
