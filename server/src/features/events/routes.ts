// The feed on the wire (decisions §9): a page, a page that waits for its events, a stream, and custom events.

import { singleFlight } from '../../concurrency/single-flight.ts'
import { PAGE_DEFAULT, PAGE_MAXIMUM, REQUEST_DEADLINE_MS } from '../../core/limits.ts'
import { busy, invalid } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { closed, documents } from '../../engine/documents.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import type { Call, Route } from '../../http/route.ts'
import { customEvent, sendCustomEvent } from './custom.ts'
import { customExample, eventExample, eventSchema, feedExample, feedSchema, title } from './documents.ts'
import type { FeedSubscriber, FeedSubscribers } from './feed-subscribers.ts'
import { filterParameters, filtersOf } from './filters.ts'
import { type FeedPage, type FeedRequest, feedReader } from './pages.ts'
import { eventStream, mayGoOn, STREAM_CHECK_MS } from './stream.ts'
import { following, type ReadPage } from './subscribe.ts'

/** Seconds that a request may wait for an event (decisions §9): less than the timeout of any proxy, usually 60 s. */
const FEED_WAIT_SECONDS = 30
/** Events of one look of a stream, and characters after which it ends: what a stream holds while its reader is slow. */
const STREAMED_EVENTS = 100
const STREAMED_LOOK_CHARACTERS = 128 * 1024

/** The routes; waiting requests are subscribers in `followers`. */
export function eventRoutes(database: Database, { lists }: OperationSemaphores, followers: FeedSubscribers): Route[] {
  const reader = feedReader(database, lists)
  // Subscribers of one company with the same filters are mostly at the same position: they share a read.
  const shared = singleFlight<FeedPage>()
  const together = (request: FeedRequest): ReadPage => {
    const { companyId, limit, most, filters, isGone } = request
    return (after) =>
      shared(
        JSON.stringify([companyId, after, limit, most, filters]),
        (allAreGone) => reader.page({ companyId, limit, most, filters, after, isGone: allAreGone }),
        isGone,
      )
  }

  /** Counts the subscriber before anything is awaited, so that concurrent requests keep the limit. */
  function followed({ scope, closed }: Pick<Call, 'scope' | 'closed'>): FeedSubscriber {
    if (!followers.hasRoom(scope.companyId)) throw busy()
    const follower = followers.follow(scope.companyId)
    closed(follower.end)
    return follower
  }

  /** The page of a request, once it has events. */
  async function waited(call: Call, request: FeedRequest): Promise<FeedPage> {
    const { query, recheck, isGone } = call
    const follower = followed(call)
    const until = performance.now() + query.wait * 1000
    try {
      const { next } = following(together(request), follower, request.after)
      let page: FeedPage
      // In slices, so that a client that disconnects frees its place soon.
      do page = await next(Math.min(until - performance.now(), STREAM_CHECK_MS))
      while (
        page.events.length === 0 &&
        !page.hasMore &&
        !follower.isOver &&
        !isGone() &&
        performance.now() < until &&
        (await mayGoOn(recheck, follower))
      )
      await recheck()
      request.expect?.(page.events.reduce((characters, { text }) => characters + text.length, 0))
      return page
    } finally {
      follower.end()
    }
  }

  const common = { surface: 'company', tag: title, semaphore: 'none' } as const satisfies Partial<Route>
  return [
    {
      ...common,
      method: 'GET',
      path: '/v1/events',
      operationId: 'listEvents',
      summary: 'Read events',
      description: `The events after \`after\`, oldest first; without it, from the oldest event that is kept. A client that continues from \`meta.nextCursor\`, which is always present, sees every event once and in order: no event is ever added before a cursor that was returned. \`hasMore\` says whether to continue at once; even then a page may be empty, if the filters exclude every event that was read.

With \`wait\`, the answer is held back until there is an event, for at most that many seconds.`,
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
      handle: async (call) => {
        const { scope, query, isGone, expect } = call
        const request: FeedRequest = {
          companyId: scope.companyId,
          after: Number(query.after ?? 0),
          limit: query.limit || PAGE_DEFAULT,
          filters: filtersOf(query),
          isGone,
          expect,
        }
        const { events, next, hasMore } = await (query.wait ? waited(call, request) : reader.page(request))
        const data = events.map(({ text }) => text).join(',')
        return { status: 200, body: `{"data":[${data}],"meta":{"nextCursor":"${next}","hasMore":${hasMore}}}` }
      },
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/events/stream',
      operationId: 'streamEvents',
      summary: 'Follow events',
      description:
        'Events as they happen, as server-sent events: `id` is the cursor, `event` the type, `data` the event as `GET /v1/events` shows it. The stream continues after the header `Last-Event-ID`, or else after `after`; with neither, it begins at `since`, or with new events. A comment is sent every 15 seconds. The stream ends when the key is deleted or expires, when the server stops, or when too much unread data is waiting: reconnect with the last `id`, as every `EventSource` does by itself.',
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
      handle: async (call) => {
        const { scope, query, lastEventId, isGone, recheck, expect, cut } = call
        const { companyId } = scope
        const filters = filtersOf(query)
        const place = placeOf(lastEventId || query.after)
        const follower = followed(call)
        const after = place ?? (filters.since === undefined ? await reader.tip(companyId, isGone) : 0)
        // A wrong position is refused before the stream begins.
        if (place !== undefined) await reader.page({ companyId, after, limit: 1, filters: {}, isGone })
        const read = together({ companyId, after, limit: STREAMED_EVENTS, most: STREAMED_LOOK_CHARACTERS, filters })
        const stream = eventStream({ read, after, recheck, expect, follower, cut })
        // A proxy that buffers responses would delay events.
        const headers = { 'x-accel-buffering': 'no' }
        return { status: 200, body: '', stream, headers, contentType: 'text/event-stream; charset=utf-8' }
      },
    },
    {
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
    },
  ]
}

/** The number of an event, from `Last-Event-ID` too. */
function placeOf(sent: string | undefined): number | undefined {
  if (sent === undefined || sent === '') return undefined
  if (!/^\d{1,15}$/.test(sent))
    throw invalid([
      { in: 'header', pointer: 'last-event-id', code: 'cursor', message: 'is not the id of an event of this stream' },
    ])
  return Number(sent)
}
