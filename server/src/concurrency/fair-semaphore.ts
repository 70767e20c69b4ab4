// The gate before work that takes a connection for itself: so many at once, the others in lines by company, and 503 at once for who finds no room.

import { busy, late } from '../core/problem.ts'
import { fairQueue } from './fair-queue.ts'
import { type TenantActivity, tenantActivity } from './tenant-activity.ts'
import { type ShareBounds, tenantShare } from './tenant-share.ts'

/** How many are let through at once, and how many wait; besides these the first of a company, `NEWCOMERS` at most. */
export interface SemaphoreBounds extends ShareBounds {
  readonly waiting: number
}

/** Who waits: a line for each company, and whether it would be in vain by now, since nobody hears the answer any more. */
export interface Waiter {
  readonly tenant: string
  readonly isGone: () => boolean
  /** Of one kind at most one of a company is let through at a time: of what would take all of its places for long. */
  readonly kind?: string | undefined
}

/**
 * Does `work` when it is its turn, and gives what becomes of it. Throws 503 `unavailable` at once when there is no room
 * to wait, and rejects with it instead of doing what nobody waits for any more: in both cases `work` was never begun.
 */
export type FairSemaphore = <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T>

interface QueuedWaiter extends Waiter {
  readonly begin: () => void
  readonly leave: () => void
}

/**
 * Makes a lane: a fair semaphore. Lines take turns, and a company that is not alone by `presence` has at most its share of the
 * places (`PlaceBounds`).
 */
export function fairSemaphore(
  { waiting, ...bounds }: SemaphoreBounds,
  presence: TenantActivity = tenantActivity(),
): FairSemaphore {
  const queue = fairQueue<QueuedWaiter>(waiting)
  const places = tenantShare(bounds, presence)
  const kinds = new Set<string>()
  /** Those that wait, by company. */
  const waiters = new Map<string, number>()

  const areOthersWaiting = (line: string) => waiters.size > (waiters.has(line) ? 1 : 0)
  const nameOf = ({ tenant: line, kind }: Waiter) => (kind === undefined ? line : `${line} ${kind}`)
  const mayGo = (waiter: Waiter) =>
    places.mayTake(waiter.tenant, areOthersWaiting(waiter.tenant)) &&
    !(waiter.kind !== undefined && kinds.has(nameOf(waiter)))

  function run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
    places.take(waiter.tenant)
    if (waiter.kind !== undefined) kinds.add(nameOf(waiter))
    return work().finally(() => {
      places.giveBack(waiter.tenant)
      if (waiter.kind !== undefined) kinds.delete(nameOf(waiter))
      next()
    })
  }

  function next(): void {
    while (places.areFree) {
      const first = queue.take(mayGo)
      if (first === undefined) break
      const left = (waiters.get(first.tenant) as number) - 1
      if (left > 0) waiters.set(first.tenant, left)
      else waiters.delete(first.tenant)
      if (first.isGone()) first.leave()
      else first.begin()
    }
    if (places.areFree && queue.size > 0) places.onceAlone(next)
  }

  return (waiter, work) => {
    presence.asked(waiter.tenant)
    if (queue.size === 0 && places.areFree && mayGo(waiter)) return run(waiter, work)
    return new Promise((resolve, reject) => {
      const begin = () => resolve(run(waiter, work))
      const queued: QueuedWaiter = { ...waiter, begin, leave: () => reject(late()) }
      if (!queue.push(nameOf(waiter), queued)) return reject(busy())
      waiters.set(waiter.tenant, (waiters.get(waiter.tenant) ?? 0) + 1)
      next()
    })
  }
}
