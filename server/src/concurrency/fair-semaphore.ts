// The gate before work that takes a connection for itself: so many at once, the others in lines by company, and 503 at once for who finds no room.

import { busy, late } from '../core/problem.ts'
import { fairQueue } from './fair-queue.ts'
import { type Presence, presenceOf } from './tenant-activity.ts'
import { type PlaceBounds, placesOf } from './tenant-share.ts'

/** How many are let through at once, and how many wait; besides these the first of a company, `NEWCOMERS` at most. */
export interface LaneBounds extends PlaceBounds {
  readonly waiting: number
}

/** Who waits: a line for each company, and whether it would be in vain by now, since nobody hears the answer any more. */
export interface Passenger {
  readonly line: string
  readonly isGone: () => boolean
  /** Of one kind at most one of a company is let through at a time: of what would take all of its places for long. */
  readonly kind?: string | undefined
}

/**
 * Does `work` when it is its turn, and gives what becomes of it. Throws 503 `unavailable` at once when there is no room
 * to wait, and rejects with it instead of doing what nobody waits for any more: in both cases `work` was never begun.
 */
export type Lane = <T>(passenger: Passenger, work: () => Promise<T>) => Promise<T>

interface Waiter extends Passenger {
  readonly begin: () => void
  readonly leave: () => void
}

/**
 * Makes a lane: a fair semaphore. Lines take turns, and a company that is not alone by `presence` has at most its share of the
 * places (`PlaceBounds`).
 */
export function lane({ waiting, ...bounds }: LaneBounds, presence: Presence = presenceOf()): Lane {
  const queue = fairQueue<Waiter>(waiting)
  const places = placesOf(bounds, presence)
  const kinds = new Set<string>()
  /** Those that wait, by company. */
  const waiters = new Map<string, number>()

  const areOthersWaiting = (line: string) => waiters.size > (waiters.has(line) ? 1 : 0)
  const nameOf = ({ line, kind }: Passenger) => (kind === undefined ? line : `${line} ${kind}`)
  const mayGo = (passenger: Passenger) =>
    places.mayTake(passenger.line, areOthersWaiting(passenger.line)) &&
    !(passenger.kind !== undefined && kinds.has(nameOf(passenger)))

  function run<T>(passenger: Passenger, work: () => Promise<T>): Promise<T> {
    places.take(passenger.line)
    if (passenger.kind !== undefined) kinds.add(nameOf(passenger))
    return work().finally(() => {
      places.giveBack(passenger.line)
      if (passenger.kind !== undefined) kinds.delete(nameOf(passenger))
      next()
    })
  }

  function next(): void {
    while (places.areFree) {
      const first = queue.take(mayGo)
      if (first === undefined) break
      const left = (waiters.get(first.line) as number) - 1
      if (left > 0) waiters.set(first.line, left)
      else waiters.delete(first.line)
      if (first.isGone()) first.leave()
      else first.begin()
    }
    if (places.areFree && queue.size > 0) places.onceAlone(next)
  }

  return (passenger, work) => {
    presence.asked(passenger.line)
    if (queue.size === 0 && places.areFree && mayGo(passenger)) return run(passenger, work)
    return new Promise((resolve, reject) => {
      const begin = () => resolve(run(passenger, work))
      const waiter: Waiter = { ...passenger, begin, leave: () => reject(late()) }
      if (!queue.push(nameOf(passenger), waiter)) return reject(busy())
      waiters.set(passenger.line, (waiters.get(passenger.line) ?? 0) + 1)
      next()
    })
  }
}
