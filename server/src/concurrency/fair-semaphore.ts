// The fair semaphore before work that takes a connection: a limited number runs at once, the others wait in a fair queue, and 503 follows at once when the queue is full.

import type { IsGone } from '../core/is-gone.ts'
import { busy, deadlinePassed } from '../core/problem.ts'
import { keepReach } from '../core/reach.ts'
import { afterWait } from '../tracing/tracer.ts'
import { fairQueue } from './fair-queue.ts'
import { waitingRequests } from './metrics.ts'
import { type TenantActivity, tenantActivity } from './tenant-activity.ts'
import { type ShareBounds, tenantShare } from './tenant-share.ts'

/** How many run at once, and how many wait; plus the first of each company, at most `NEWCOMERS`. */
export interface SemaphoreBounds extends ShareBounds {
  readonly waiting: number
  /** The name under which metrics count its waiters, and traces show how long they waited. */
  readonly name: string
}

/** A waiter: its company, and whether its client has stopped waiting. */
export interface Waiter {
  readonly tenant: string
  readonly isGone: IsGone
  /** A company runs at most one waiter of a kind at a time: for work that would occupy all its places for long. */
  readonly kind?: string | undefined
}

/**
 * Runs `work` at its turn and returns its result. Throws 503 `unavailable` at once when the queue is full, and at its
 * turn when its client no longer waits: in both cases `work` never began.
 */
export type FairSemaphore = <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T>

interface QueuedWaiter extends Waiter {
  readonly begin: () => void
  readonly leave: () => void
}

/**
 * Makes a fair semaphore. Companies take turns, and one that is not alone by `presence` has at most its share of the
 * places (`ShareBounds`).
 */
export function fairSemaphore(
  { waiting, name, ...bounds }: SemaphoreBounds,
  presence: TenantActivity = tenantActivity(),
): FairSemaphore {
  const queue = fairQueue<QueuedWaiter>(waiting, waitingRequests.of(name))
  const places = tenantShare(bounds, presence)
  const kinds = new Set<string>()
  const waiters = new Map<string, number>()

  const areOthersWaiting = (tenant: string) => waiters.size > (waiters.has(tenant) ? 1 : 0)
  const nameOf = ({ tenant, kind }: Waiter) => (kind === undefined ? tenant : `${tenant} ${kind}`)
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
      const own = keepReach(afterWait(name, work))
      const begin = () => resolve(run(waiter, own))
      const queued: QueuedWaiter = { ...waiter, begin, leave: () => reject(deadlinePassed()) }
      if (!queue.push(nameOf(waiter), queued)) return reject(busy())
      waiters.set(waiter.tenant, (waiters.get(waiter.tenant) ?? 0) + 1)
      next()
    })
  }
}
