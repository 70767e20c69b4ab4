// Coalesces equal requests that wait for a turn, so that one of them does the work for all.

import type { IsGone } from '../core/is-gone.ts'

/** The callers that wait for one result. */
interface Coalesced {
  /** Whether no caller waits any more. If so, the waiting has ended, and later callers are not included. */
  readonly isGone: IsGone
  /** Ends the waiting: later callers are not included. Returns whether there is more than one caller. */
  readonly begin: () => boolean
}

/**
 * Does `work` for this caller and for those that ask the same before it begins; also returns the caller's position
 * among them, from 0.
 */
type Coalesce<Result> = (
  question: string,
  work: (callers: Coalesced) => Promise<Result>,
  isGone: IsGone,
) => Promise<readonly [result: Result, place: number]>

/**
 * Makes a function that does the same work once for all callers that arrive before it begins; `work` says when that is.
 * No result is therefore older than its request, and no caller waits longer than it would alone. The first caller's
 * `work` is used.
 */
export function coalescing<Result>(): Coalesce<Result> {
  type Waiting = { callers: IsGone[]; result?: Promise<Result> | undefined }
  const waiting = new Map<string, Waiting>()

  return (question, work, isGone) => {
    const joined = waiting.get(question)
    if (joined?.result !== undefined) {
      const place = joined.callers.push(isGone) - 1
      return joined.result.then((result) => [result, place])
    }
    const callers = [isGone]
    const own: Waiting = { callers }
    const end = () => {
      if (waiting.get(question) === own) waiting.delete(question)
    }
    waiting.set(question, own)
    const begin = () => {
      end()
      // A table that a Map has outgrown keeps its entries alive until V8 collects old objects, and entries hold large
      // results.
      own.callers = []
      own.result = undefined
      return callers.length > 1
    }
    const areGone = () => {
      const areAll = callers.every((isGone) => isGone())
      if (areAll) end()
      return areAll
    }
    // Also for work that ends without having begun, for example because its queue is full.
    const result = work({ isGone: areGone, begin }).finally(end)
    if (waiting.get(question) === own) own.result = result
    return result.then((result) => [result, 0])
  }
}
