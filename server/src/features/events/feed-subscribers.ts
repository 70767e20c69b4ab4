// Feed subscribers that wait for new events, by company: woken when there may be some, limited in number, released when
// the server stops.

import { NEWCOMERS } from '../../core/limits.ts'
import { divided } from '../../core/worker-share.ts'
import { noWriteNotifications, type WriteNotifications } from './write-notifications.ts'

/** Requests that wait for events, and streams, of one server and of one company on it: each is a socket, and there are 10,000. */
const FOLLOWERS = divided(4_000, 500)
export const FOLLOWERS_OF_COMPANY = divided(200, 50)

/** A waiting subscriber. It holds neither a connection nor a place in a semaphore. */
export interface FeedSubscriber {
  /** Whether it must stop: the server stops, or `end` was called. */
  readonly isOver: boolean
  /**
   * Resolves to true when the company may have new events since the last call; to false after `ms`, or when it is over.
   */
  woken(ms: number): Promise<boolean>
  /** Unsubscribes. Call it in any case. */
  end(): void
}

/** All waiting subscribers of this server. */
export interface FeedSubscribers {
  /** Whether one more subscriber of a company may wait. The first of a company has room whatever the others use. */
  hasRoom(companyId: string): boolean
  follow(companyId: string): FeedSubscriber
  /** Releases all subscribers, and every later one at once. */
  close(): void
}

interface WaitingSubscriber {
  isWoken: boolean
  resolve: (isWoken: boolean) => void
}

/** Subscribers that `wakes` wakes. */
export function feedSubscribers(wakes: WriteNotifications = noWriteNotifications): FeedSubscribers {
  const companies = new Map<string, Set<WaitingSubscriber>>()
  let size = 0
  let isClosed = false
  const wakeAll = (some: Iterable<WaitingSubscriber>) => {
    for (const waiting of some) {
      waiting.isWoken = true
      waiting.resolve(true)
    }
  }
  const unlisten = wakes.listen((companyId) => {
    if (companyId !== undefined) wakeAll(companies.get(companyId) ?? [])
    else for (const some of companies.values()) wakeAll(some)
  })

  return {
    hasRoom(companyId) {
      const own = companies.get(companyId)?.size ?? 0
      return own === 0 ? size < FOLLOWERS + NEWCOMERS : own < FOLLOWERS_OF_COMPANY && size < FOLLOWERS
    },
    follow(companyId) {
      const waiting: WaitingSubscriber = { isWoken: false, resolve: () => {} }
      const own = companies.get(companyId) ?? new Set()
      companies.set(companyId, own.add(waiting))
      size++
      let hasEnded = false
      return {
        get isOver() {
          return hasEnded || isClosed
        },
        async woken(ms) {
          if (!waiting.isWoken && !hasEnded && !isClosed)
            await new Promise<boolean>((resolve) => {
              const timer = setTimeout(resolve, Math.max(0, ms), false)
              waiting.resolve = (isWoken) => {
                clearTimeout(timer)
                resolve(isWoken)
              }
            })
          const { isWoken } = waiting
          waiting.isWoken = false
          return isWoken
        },
        end() {
          if (hasEnded) return
          hasEnded = true
          waiting.resolve(false)
          own.delete(waiting)
          if (own.size === 0) companies.delete(companyId)
          size--
        },
      }
    },
    close() {
      isClosed = true
      unlisten()
      for (const own of companies.values()) for (const waiting of own) waiting.resolve(false)
    },
  }
}
