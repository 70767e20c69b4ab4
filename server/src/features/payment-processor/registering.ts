// Registers every company as a customer at the payment processor: after the commit, by one server at a time, with
// retries until it is done.

import { growingPause } from '../../concurrency/growing-pause.ts'
import { jobLoop } from '../../concurrency/job-loop.ts'
import { divided } from '../../core/worker-share.ts'
import type { Database } from '../../database/connect.ts'
import { type Claimed, claimDue, postponeCustomer, releaseLease, storeCustomer, storeRequest } from './customers.ts'
import { type Processor, ProcessorError } from './processor.ts'

/** Customers that one server requests from the payment processor at once: a tenth of the 100 calls a second that Stripe accepts. */
export const PROCESSOR_AT_ONCE = divided(8, 2)
/** Milliseconds of one server's lease on a company's calls: a search of some pages and a call have half of that. */
export const PROCESSOR_LEASE_MS = 120_000
/** Milliseconds between two looks for companies that are due, in case a notification is missed. */
const PROCESSOR_LOOK_MS = 2_000
/** Milliseconds before the second attempt, and at most before any. */
export const PROCESSOR_PAUSE_MS = 1_000
export const PROCESSOR_PAUSE_MOST_MS = 60 * 60 * 1000
/** Milliseconds for which an idempotency key is relied on: Stripe keeps them for 24 hours. */
const PROCESSOR_KEY_MS = 22 * 60 * 60 * 1000

/** Intervals in milliseconds, instead of the limits. */
export interface RegisteringTimes {
  /** Milliseconds before the next attempt, after `tries` attempts. */
  readonly pauseMs?: (tries: number) => number
  readonly leaseMs?: number
  readonly lookMs?: number
}

const tookTooLong = ({ retryAfterMs, isSpent }: ProcessorError): ProcessorError =>
  new ProcessorError('The payment processor took too long.', { retryAfterMs, isSpent })

const loops = new Set<() => void>()

/**
 * Makes the servers of this process look for companies without a customer now. Call it after committing such companies.
 */
export function wake(): void {
  for (const look of loops) look()
}

interface Registering {
  /** Aborts running calls and releases their leases; resolves when nothing needs the database any more. */
  stop(): Promise<void>
}

/**
 * Creates missing customers until it is stopped. Each server takes those that no other has, and works on each for at
 * most half of the lease. No transaction is open during a call to the processor; if a server dies, its lease expires,
 * and the next one sends the same key. `failed` is called with errors that are retried, a `ProcessorError` with its
 * company.
 */
export function keepRegistering(
  database: Database,
  processor: Processor,
  failed: (error: unknown, companyId?: string) => void,
  {
    pauseMs = growingPause(PROCESSOR_PAUSE_MS, PROCESSOR_PAUSE_MOST_MS),
    leaseMs = PROCESSOR_LEASE_MS,
    lookMs = PROCESSOR_LOOK_MS,
  }: RegisteringTimes = {},
): Registering {
  const stopping = new AbortController()
  const { signal } = stopping

  async function register(claimed: Claimed, signal: AbortSignal): Promise<void> {
    const { companyId, email, since, mustLook } = claimed
    const found = mustLook ? await processor.find({ companyId, email }, since, signal) : undefined
    let customerId = found
    if (customerId === undefined) {
      const asked = await storeRequest(database, claimed, mustLook)
      if (asked === undefined) return
      customerId = await processor.create(asked.wanted, asked.key, signal)
    }
    await storeCustomer(database, claimed, { processor: processor.name, customerId })
  }

  async function attempt(claimed: Claimed): Promise<void> {
    // The rest of the lease is for storing the result.
    const deadline = AbortSignal.timeout(leaseMs / 2)
    try {
      await register(claimed, AbortSignal.any([signal, deadline]))
    } catch (thrown) {
      if (signal.aborted) return releaseLease(database, claimed)
      const error = deadline.aborted && thrown instanceof ProcessorError ? tookTooLong(thrown) : thrown
      failed(error, claimed.companyId)
      // The database's own failures are not the processor's: the lease expires.
      if (!(error instanceof ProcessorError)) return
      const { message, isSpent, retryAfterMs } = error
      const pause = Math.min(PROCESSOR_PAUSE_MOST_MS, Math.max(pauseMs(claimed.tries), retryAfterMs))
      await postponeCustomer(database, claimed, { pauseMs: pause, message, isSpent })
    }
  }

  const { lookSoon, stopLooking, ended } = jobLoop<Claimed>({
    atOnce: PROCESSOR_AT_ONCE,
    lookMs,
    attempt,
    failed,
    lease: (most, but) => claimDue(database, { most, leaseMs, keyMs: PROCESSOR_KEY_MS, but }),
    keyOf: ({ companyId }) => companyId,
  })
  loops.add(lookSoon)
  return {
    async stop() {
      loops.delete(lookSoon)
      stopping.abort()
      await stopLooking()
      await ended()
    },
  }
}
