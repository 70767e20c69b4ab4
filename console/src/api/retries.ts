// Retries requests that may succeed later, after the delay that the server asks for.
import { asProblem } from './problem.ts'

const mostRetries = 5

/** Whether the server could not be reached, was overloaded, or asks to try again later. */
export const mayRetry = (failures: number, error: unknown): boolean =>
  [0, 429, 503].includes(asProblem(error).status) && failures < mostRetries

/** Milliseconds to wait. */
export const retryDelay = (failures: number, error: unknown): number =>
  (asProblem(error).retryAfter ?? Math.min(2 ** failures, 8)) * 1000

/** Sends one of many requests of a long task, which a short outage must not end. A write needs an idempotency key, the same for each attempt. */
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
