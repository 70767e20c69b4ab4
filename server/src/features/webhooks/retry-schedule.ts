// When a call that failed is made again (decisions §9).
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds after each failure in turn; after the last one, the delivery has failed. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** Milliseconds until the next call after `calls`; undefined after the last. */
export type Pause = (calls: number) => number | undefined

/**
 * Milliseconds until the next call after `calls`; undefined after the last. Each delay varies at random by up to a
 * fifth, so that calls do not all return at once to a receiver that was away. A delivery that is redelivered after its
 * last attempt starts with the first delay again.
 */
export function pauseAfter(calls: number, random: () => number = Math.random): number | undefined {
  const delay = delays[(calls - 1) % (delays.length + 1)]
  return delay === undefined ? undefined : delay * (0.8 + 0.4 * random())
}

/** Milliseconds that a trigger may fail without a success before it is switched off. */
export const FAILING_MOST_MS = 5 * 24 * hour
