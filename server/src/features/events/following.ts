// Waits for the next events of a company: looks when it is woken, and by itself now and then.
import { setTimeout as delay } from 'node:timers/promises'
import { FOLLOWED_LOOK_MS, FOLLOWED_PAUSE_MS, HELD_LOOK_MOST_MS, HELD_LOOK_MS } from '../../core/limits.ts'
import type { Follower } from './followers.ts'
import type { FeedPage } from './pages.ts'

/** The page behind a place in the feed. */
export type ReadPage = (after: number) => Promise<FeedPage>

/** Where a reader stands, and when he looked last. */
interface Following {
  /**
   * The next page that has events or more behind it, or an empty one when so many milliseconds have passed or the follower
   * is over. The place is then behind it.
   */
  next(ms: number): Promise<FeedPage>
  readonly after: number
}

/** Follows the feed from a place on. */
export function following(read: ReadPage, follower: Follower, from: number): Following {
  let after = from
  let lookedAt = Number.NEGATIVE_INFINITY
  let pauseMs = 0
  let page: FeedPage = { events: [], next: from, hasMore: true, isHeld: false }

  async function look(): Promise<void> {
    lookedAt = performance.now()
    // Where it fails, the next time is as the first.
    page = { events: [], next: after, hasMore: true, isHeld: false }
    page = await read(after)
    after = page.next
    // Who holds the feed up may undo his work, of which nobody tells: it is looked for, at growing intervals.
    pauseMs = page.isHeld ? Math.min(pauseMs * 2 || HELD_LOOK_MS, HELD_LOOK_MOST_MS) : 0
  }

  return {
    get after() {
      return after
    },
    async next(ms) {
      const until = performance.now() + ms
      // What was there when the last look ended is read at once.
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
      const told = page
      // A page is given once; whether there is more is still known.
      page = { ...page, events: [] }
      return told
    },
  }
}
