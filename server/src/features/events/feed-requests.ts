// Answers requests for the feed (decisions §9): with a page, a page that waits for its events, or a stream.

import { singleFlight } from '../../concurrency/single-flight.ts'
import { PAGE_DEFAULT } from '../../core/limits.ts'
import { busy, invalid } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import type { Call } from '../../http/route.ts'
import type { FeedSubscriber, FeedSubscribers } from './feed-subscribers.ts'
import { filtersOf } from './filters.ts'
import { type FeedPage, type FeedReader, type FeedRequest, feedReader } from './pages.ts'
import { eventStream, mayGoOn, STREAM_CHECK_MS } from './stream.ts'
import { following, type ReadPage } from './subscribe.ts'

/**
 * Events that a stream reads at once, and characters after which reading ends: what a stream holds while its client is
 * slow.
 */
const STREAMED_EVENTS = 100
const STREAMED_LOOK_CHARACTERS = 128 * 1024

/** The `after` of a reader of only new events. */
const LATEST = 'latest'

/** Answers requests for the feed; those that wait are subscribers in `followers`. */
export class FeedRequests {
  readonly #reader: FeedReader
  readonly #followers: FeedSubscribers
  // Subscribers of one company with the same filters are mostly at the same position: they share a read.
  readonly #shared = singleFlight<FeedPage>()

  constructor(database: Database, { lists }: OperationSemaphores, followers: FeedSubscribers) {
    this.#reader = feedReader(database, lists)
    this.#followers = followers
  }

  /** A page, held back until it has events if the request wants to wait. */
  async page(call: Call) {
    const { scope, query, isGone, expect } = call
    const { companyId } = scope
    const request: FeedRequest = {
      companyId,
      after: query.after === LATEST ? await this.#reader.tip(companyId, isGone) : Number(query.after ?? 0),
      limit: query.limit || PAGE_DEFAULT,
      filters: filtersOf(scope, query),
      isGone,
      expect,
    }
    const { events, next, hasMore } = await (query.wait ? this.#waited(call, request) : this.#reader.page(request))
    const data = events.map(({ text }) => text).join(',')
    return { status: 200, body: `{"data":[${data}],"meta":{"nextCursor":"${next}","hasMore":${hasMore}}}` }
  }

  /** Events as they happen. */
  async stream(call: Call) {
    const { scope, query, lastEventId, isGone, authorizeAgain, expect, cut } = call
    const { companyId } = scope
    const filters = filtersOf(scope, query)
    const sent = lastEventId || query.after
    const place = sent === LATEST ? undefined : placeOf(sent)
    const follower = this.#followed(call)
    const isFromEnd = sent === LATEST || filters.since === undefined
    const after = place ?? (isFromEnd ? await this.#reader.tip(companyId, isGone) : 0)
    // A wrong position is refused before the stream begins.
    if (place !== undefined) await this.#reader.page({ companyId, after, limit: 1, filters: {}, isGone })
    const read = this.#together({ companyId, after, limit: STREAMED_EVENTS, most: STREAMED_LOOK_CHARACTERS, filters })
    const stream = eventStream({ read, after, authorizeAgain, expect, follower, cut })
    // A proxy that buffers responses would delay events.
    const headers = { 'x-accel-buffering': 'no' }
    return { status: 200, body: '', stream, headers, contentType: 'text/event-stream; charset=utf-8' }
  }

  #together(request: FeedRequest): ReadPage {
    const { companyId, limit, most, filters, isGone } = request
    return (after) =>
      this.#shared(
        JSON.stringify([companyId, after, limit, most, filters]),
        (allAreGone) => this.#reader.page({ companyId, limit, most, filters, after, isGone: allAreGone }),
        isGone,
      )
  }

  /** Counts the subscriber before anything is awaited, so that concurrent requests keep the limit. */
  #followed({ scope, closed }: Pick<Call, 'scope' | 'closed'>): FeedSubscriber {
    if (!this.#followers.hasRoom(scope.companyId)) throw busy()
    const follower = this.#followers.follow(scope.companyId)
    closed(follower.end)
    return follower
  }

  /** The page of a request, once it has events. */
  async #waited(call: Call, request: FeedRequest): Promise<FeedPage> {
    const { query, authorizeAgain, isGone } = call
    const follower = this.#followed(call)
    const until = performance.now() + query.wait * 1000
    try {
      const { next } = following(this.#together(request), follower, request.after)
      let page: FeedPage
      // In slices, so that a client that disconnects frees its place soon.
      do page = await next(Math.min(until - performance.now(), STREAM_CHECK_MS))
      while (
        page.events.length === 0 &&
        !page.hasMore &&
        !follower.isOver &&
        !isGone() &&
        performance.now() < until &&
        (await mayGoOn(authorizeAgain, follower))
      )
      await authorizeAgain()
      request.expect?.(page.events.reduce((characters, { text }) => characters + text.length, 0))
      return page
    } finally {
      follower.end()
    }
  }
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
