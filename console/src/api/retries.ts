// Trying again: only what that may change, and when the server asks for it.
import { asProblem } from './problem.ts'

const mostRetries = 5

/** Whether the server could not be reached, was overloaded, or asks to try again later. */
export const mayRetry = (failures: number, error: unknown): boolean =>
  [0, 429, 503].includes(asProblem(error).status) && failures < mostRetries

/** Milliseconds to wait. */
export const retryDelay = (failures: number, error: unknown): number =>
  (asProblem(error).retryAfter ?? Math.min(2 ** failures, 8)) * 1000

/** One of many requests of a long task, which a moment without a server must not end. A write needs a key of its own, the same each time. */
export async function retried<T>(send: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await send()
    } catch (error) {
      if (!mayRetry(failures, error)) throw error
      await new Promise((goOn) => setTimeout(goOn, retryDelay(failures, error)))
    }
  }
}
