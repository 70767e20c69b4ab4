// Waits for a company's next events: reads when it is woken, and from time to time.
import { setTimeout as delay } from 'node:timers/promises'
import { HELD_LOOK_MOST_MS, HELD_LOOK_MS } from '../../core/limits.ts'
import type { FeedSubscriber } from './feed-subscribers.ts'
import type { FeedPage } from './pages.ts'

/** Milliseconds after which a subscriber looks for events without a notification: one is lost with the server that would have sent it. */
const FOLLOWED_LOOK_MS = 5_000
/**
 * Milliseconds between two reads of one subscriber, however often it is notified, so that a subscriber costs the same
 * at any rate of writes.
 */
const FOLLOWED_PAUSE_MS = 20

/** The page after a position in the feed. */
export type ReadPage = (after: number) => Promise<FeedPage>

/** The position of a reader, and when it last read. */
interface Following {
  /**
   * The next page with events or more to read; an empty one after `ms`, or when the follower is over. Moves the
   * position to the end of that page.
   */
  next(ms: number): Promise<FeedPage>
  readonly after: number
}

/** Follows the feed from a position. */
export function following(read: ReadPage, follower: FeedSubscriber, from: number): Following {
  let after = from
  let lookedAt = Number.NEGATIVE_INFINITY
  let pauseMs = 0
  let page: FeedPage = { events: [], next: from, hasMore: true, isHeld: false }

  async function look(): Promise<void> {
    lookedAt = performance.now()
    // If it fails, the next call is like the first.
    page = { events: [], next: after, hasMore: true, isHeld: false }
    page = await read(after)
    after = page.next
    // The blocking transaction may roll back without a notification, so poll with backoff.
    pauseMs = page.isHeld ? Math.min(pauseMs * 2 || HELD_LOOK_MS, HELD_LOOK_MOST_MS) : 0
  }

  return {
    get after() {
      return after
    },
    async next(ms) {
      const until = performance.now() + ms
      // Events that were there when the last read ended are read at once.
      if (page.hasMore) await look()
      while (page.events.length === 0 && !page.hasMore && !follower.isOver) {
        const now = performance.now()
        if (now >= until) break
        const isWoken = await follower.woken(Math.min(until, lookedAt + (pauseMs || FOLLOWED_LOOK_MS)) - now)
        if (follower.isOver) break
        const restMs = lookedAt + FOLLOWED_PAUSE_MS - performance.now()
        if (isWoken && restMs > 0) await delay(restMs)
        if (isWoken || performance.now() >= lookedAt + (pauseMs || FOLLOWED_LOOK_MS)) await look()
      }
      const reported = page
      // A page is returned once; whether there is more is remembered.
      page = { ...page, events: [] }
      return reported
    },
  }
}
