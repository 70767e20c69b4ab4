// The log of temporary failures, such as a database that is down: all work fails at once and again until it is up, so
// each reason is logged at growing intervals.
import type { Logger } from 'pino'
import { Problem } from './problem.ts'

/** Milliseconds between two lines about one reason: first, and at most. */
const FIRST_PAUSE_MS = 1_000
const MOST_PAUSE_MS = 60_000
/** Milliseconds after which a reason that did not occur counts as a new failure. */
const END_MS = 10_000

/** Which reasons were logged: texts of problems, with the codes of their causes. There are only a few. */
export class PassingReasons {
  readonly #logged = new Map<string, { seen: number; readonly pause: number; readonly pausedUntil: number }>()

  /**
   * Whether the reason of a problem is logged now; if so, it is not logged again for a second, then for two, up to a
   * minute. Uses the monotonic clock, since the system's clock can jump back.
   */
  isDue({ message, cause }: Problem): boolean {
    const now = performance.now()
    const reason = `${message} ${(cause as { code?: unknown } | undefined)?.code ?? ''}`
    const before = this.#logged.get(reason)
    const isSame = before !== undefined && now - before.seen < END_MS
    if (isSame && now < before.pausedUntil) {
      before.seen = now
      return false
    }
    const pause = isSame ? Math.min(2 * before.pause, MOST_PAUSE_MS) : FIRST_PAUSE_MS
    this.#logged.set(reason, { seen: now, pause, pausedUntil: now + pause })
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
