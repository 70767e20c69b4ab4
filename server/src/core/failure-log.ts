// The log of temporary failures, such as a database that is down: all work fails at once, so each reason is logged once
// a second.
import type { Logger } from 'pino'
import { Problem } from './problem.ts'

/** Milliseconds between two lines about one reason. */
const PAUSE_MS = 1_000

/** When each reason was last logged; there are only a few reasons. */
export class PassingReasons {
  readonly #logged = new Map<string, number>()

  /**
   * Whether the reason of a problem is logged now; if so, it is not logged again for a second. Uses the monotonic
   * clock, since the system's clock can jump back.
   */
  isDue({ message }: Problem): boolean {
    const now = performance.now()
    if (now - (this.#logged.get(message) ?? -PAUSE_MS) < PAUSE_MS) return false
    this.#logged.set(message, now)
    return true
  }
}

/** What the log says about such a problem: its cause in words, without a stack, and what the operator can do. */
export function causeOf({ cause, message, reason }: Problem): string {
  const said = (cause as Error | undefined)?.message ?? message
  return reason === 'database_full' ? `the disk of PostgreSQL is full: free some space on it (${said})` : said
}

const reasons = new PassingReasons()

/** Logs an error of work in the background as a warning; the line has `more` members. */
export const warn =
  (log: Pick<Logger, 'warn'>, message: string, more: object = {}) =>
  (error: unknown): void => {
    if (!(error instanceof Problem) || error.code !== 'unavailable') log.warn({ ...more, err: error }, message)
    else if (reasons.isDue(error)) log.warn({ ...more, err: causeOf(error) }, message)
  }
