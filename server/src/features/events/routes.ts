// The feed on the wire (decisions §9): a page, a page that waits for its events, a stream, and custom events.

import { PAGE_DEFAULT, PAGE_MAXIMUM, REQUEST_DEADLINE_MS } from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'
import { closed, documents } from '../../engine/documents.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import type { Route } from '../../http/route.ts'
import { customEvent, sendCustomEvent } from './custom.ts'
import { customExample, eventExample, eventSchema, eventsTag, feedExample, feedSchema } from './documents.ts'
import { FeedRequests } from './feed-requests.ts'
import type { FeedSubscribers } from './feed-subscribers.ts'
import { filterParameters } from './filters.ts'

/** Seconds that a request may wait for an event (decisions §9): less than the timeout of any proxy, usually 60 s. */
const FEED_WAIT_SECONDS = 30
const common = { surface: 'company', tag: eventsTag, semaphore: 'none' } as const satisfies Partial<Route>

const listRoute = (requests: FeedRequests): Route => ({
  ...common,
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  summary: 'Read events',
  description: `The events after \`after\`, oldest first; without it, from the oldest event that is kept. A client that continues from \`meta.nextCursor\`, which is always present, sees every event once and in order: no event is ever added before a cursor that was returned. \`hasMore\` says whether to continue at once; even then a page may be empty, if the filters exclude every event that was read.

With \`wait\`, a request that finds no event waits for one, at most that many seconds.`,
  query: {
    ...filterParameters,
    limit: {
      type: 'integer',
      minimum: 0,
      maximum: PAGE_MAXIMUM,
      default: PAGE_DEFAULT,
      description: 'Maximum number of events; 0 means the default. A page of long events may be shorter.',
    },
    wait: {
      type: 'integer',
      minimum: 0,
      maximum: FEED_WAIT_SECONDS,
      default: 0,
      description: 'Seconds to wait for an event when there is none.',
    },
  },
  deadlineMs: FEED_WAIT_SECONDS * 1000 + REQUEST_DEADLINE_MS,
  isHeldBack: true,
  replies: { 200: { description: 'The events.', schema: feedSchema, example: feedExample } },
  handle: (call) => requests.page(call),
})

const streamRoute = (requests: FeedRequests): Route => ({
  ...common,
  method: 'GET',
  path: '/v1/events/stream',
  operationId: 'streamEvents',
  summary: 'Follow events',
  description:
    'Events as they happen, as server-sent events: `id` is the cursor, `event` the type, `data` the event as `GET /v1/events` shows it. The stream continues after the header `Last-Event-ID`, or else after `after`; with neither, it begins at `since`, or with new events. A comment is sent every 15 seconds. The stream ends when the key is deleted or expires, when the company is suspended, when the server stops, or when too much unread data is waiting: reconnect with the last `id`, as clients of server-sent events do by themselves. The `EventSource` of browsers cannot send a key, since that is in a header.',
  query: filterParameters,
  isHeldBack: true,
  takesLastEventId: true,
  replies: {
    200: {
      description: 'The events, as long as the connection lasts.',
      contentType: 'text/event-stream',
      schema: { type: 'string' },
      example: `id: ${eventExample.sequence}\nevent: ${eventExample.type}\ndata: ${JSON.stringify(eventExample)}\n\n`,
    },
  },
  handle: (call) => requests.stream(call),
})

const customRoute = (database: Database): Route => ({
  ...common,
  method: 'POST',
  path: '/v1/events/custom',
  semaphore: 'other',
  operationId: 'sendCustomEvent',
  summary: 'Send a custom event',
  description:
    'Its type is `custom.` followed by its name. It appears in the feed and is sent to triggers like any other event.',
  body: { schema: closed(documents(customEvent).create), example: customEvent.example },
  replies: { 201: { description: 'The event.', schema: eventSchema, example: customExample } },
  handle: (call) => sendCustomEvent(database, call),
})

/** The routes; waiting requests are subscribers in `followers`. */
export function eventRoutes(database: Database, semaphores: OperationSemaphores, followers: FeedSubscribers): Route[] {
  const requests = new FeedRequests(database, semaphores, followers)
  return [listRoute(requests), streamRoute(requests), customRoute(database)]
}
