// The pause before work that failed is tried again: exponential backoff with jitter.

/**
 * Milliseconds before the next attempt, after `tries` attempts: doubled each time, up to `mostMs`; randomly between half
 * of that and all of it, so that attempts spread.
 */
export const growingPause =
  (firstMs: number, mostMs: number) =>
  (tries: number): number =>
    Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 30)) * (0.5 + Math.random() / 2)
