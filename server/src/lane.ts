// The gate before work that takes a connection for itself: so many at once, the others in lines by company, and 503 at once for who finds no room.
import { fairQueue } from './fair-queue.ts'
import { busy, late } from './http/problem.ts'

/** How many are let through at once, and how many wait; besides these the first of a company, `NEWCOMERS` at most. */
export interface LaneBounds {
  readonly atOnce: number
  readonly waiting: number
}

/** Who waits: a line for each company, and whether it would be in vain by now, since nobody hears the answer any more. */
export interface Passenger {
  readonly line: string
  readonly isGone: () => boolean
}

/**
 * Does `work` when it is its turn, and gives what becomes of it. Throws 503 `unavailable` at once when there is no room
 * to wait, and rejects with it instead of doing what nobody waits for any more: in both cases `work` was never begun.
 */
export type Lane = <T>(passenger: Passenger, work: () => Promise<T>) => Promise<T>

/** Makes a lane. */
export function lane({ atOnce, waiting }: LaneBounds): Lane {
  const queue = fairQueue<{ isGone: () => boolean; begin: () => void; leave: () => void }>(waiting)
  let underWay = 0

  function run<T>(work: () => Promise<T>): Promise<T> {
    underWay++
    return work().finally(() => {
      underWay--
      next()
    })
  }

  function next(): void {
    while (underWay < atOnce) {
      const first = queue.take()
      if (first === undefined) return
      if (first.isGone()) first.leave()
      else first.begin()
    }
  }

  return ({ line, isGone }, work) => {
    if (underWay < atOnce) return run(work)
    return new Promise((resolve, reject) => {
      const waiter = { isGone, begin: () => resolve(run(work)), leave: () => reject(late()) }
      if (!queue.push(line, waiter)) reject(busy())
    })
  }
}

/** A lane in which each line has `each` places at most, so that one that waits for itself leaves some to the others. */
export function sharedLane({ each, ...bounds }: LaneBounds & { readonly each: number }): Lane {
  const all = lane(bounds)
  const lines = new Map<string, { readonly own: Lane; users: number }>()
  return async (passenger, work) => {
    const line = lines.get(passenger.line) ?? { own: lane({ ...bounds, atOnce: each }), users: 0 }
    lines.set(passenger.line, line)
    line.users++
    try {
      return await line.own(passenger, () => all(passenger, work))
    } finally {
      line.users--
      if (line.users === 0) lines.delete(passenger.line)
    }
  }
}
