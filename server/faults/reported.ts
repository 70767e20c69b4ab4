// Checks the responses of the tills together: under every fault they noticed it, none hung, and keys were retried.
import { REQUEST_DEADLINE_MS } from '../src/core/limits.ts'
import type { Findings } from './findings.ts'
import type { Seen } from './tills.ts'

/**
 * Milliseconds after which a response is too late. docs/operations.md promises 9 s whatever the database does; one more
 * second is for the tills themselves, which share the machine with both servers and PostgreSQL, and more if it is loaded.
 */
export const answeredWithinMs = REQUEST_DEADLINE_MS + 1_000

/** How much later than on an idle machine something may come: many times what is usual, there a few milliseconds. */
export function slackMs({ answeredMs }: Pick<Seen, 'answeredMs'>): number {
  const sorted = answeredMs.toSorted((a, b) => a - b)
  return 20 * (sorted[Math.floor(sorted.length / 2)] ?? 0)
}

/** What the tills must have noticed: a broken connection, or a 503. Otherwise the strikes hit no write. */
export type Felt = 'broken' | 'unavailable'

export interface Reported {
  readonly seen: Seen
  /** How many times the fault struck. */
  readonly times: number
  readonly mustSee: Felt
  /** How many answered requests were sent once more; undefined if tills send no keys. */
  readonly resent: number | undefined
  /** Milliseconds after which a response is too late, in place of the default: a test on a loaded machine has no bound. */
  readonly withinMs?: number | undefined
}

export function checkReported(
  findings: Findings,
  { seen, times, mustSee, resent, withinMs = answeredWithinMs + slackMs(seen) }: Reported,
): void {
  for (const fault of seen.faults) findings.wrong.push(fault)
  if (times === 0) findings.wrong.push('the fault never struck')
  if (seen[mustSee] === 0)
    findings.wrong.push(
      `no ${mustSee === 'broken' ? 'connection broke' : 'request was answered 503'}: the tills did not notice it`,
    )
  if (resent === 0) findings.wrong.push('no request was sent again under its key')
  if (seen.longestMs > withinMs)
    findings.wrong.push(`a request was answered, or broke, only after ${Math.round(seen.longestMs)} ms`)
}
