// The time that a response may take: beyond it the caller gets 503, and the work itself continues.
import { deadlinePassed } from '../core/problem.ts'

/**
 * Calls `done` with a promise's result, or `fail` with its error. If that takes longer than `ms`, calls `fail` with
 * 503, and later only `drop`, with the result that came too late. `fail` also gets what `done` throws. It uses
 * callbacks, since every further promise costs every request.
 */
export function withinDeadline<T>(
  answer: Promise<T>,
  ms: number,
  done: (value: T) => void,
  fail: (error: Error) => void,
  drop?: (value: T) => void,
): void {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    fail(deadlinePassed())
  }, ms)
  const refuse = (error: Error) => {
    clearTimeout(timer)
    if (!isLate) fail(error)
  }
  answer.then((value) => {
    if (isLate) return drop?.(value)
    clearTimeout(timer)
    try {
      done(value)
    } catch (error) {
      refuse(error as Error)
    }
  }, refuse)
}
