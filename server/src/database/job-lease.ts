// Leases on jobs that are rows of a table: one server at a time works on a job, and writes under a lost lease fail.
import { backgroundLoop } from '../concurrency/background-loop.ts'
import type { RowKey } from '../core/ids.ts'
import type { Queryable } from './connect.ts'

/** A job of this server, named by the number of its lease: another number is another server's. */
export interface JobLease extends RowKey {
  readonly lease: number
}

/** The jobs of a table that are in a state. Rows have `lease`, `leased_until`, `tries` and `next_try_at`. */
interface JobState {
  readonly table: 'exports' | 'imports'
  readonly state: string
}

/** Thrown if the lease was lost, or the job was cancelled: the transaction under it is rolled back. */
export class LeaseLost extends Error {
  constructor(table: JobState['table'], { id, lease }: JobLease) {
    super(`The lease ${lease} on ${id} of ${table} was lost.`)
  }
}

/**
 * For writes at the end of work: the new owner of the lease, or the request that cancelled, has already written what is
 * needed.
 */
export function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error
}

/** Changes the row of a job under its lease; `values` are `$5` and on. Throws `LeaseLost`. */
export async function changeJob(
  database: Queryable,
  { table, state }: JobState,
  job: JobLease,
  set: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const rows = await database.query(
    `update ${table} set ${set} where company_id = $1 and id = $2 and lease = $3 and state = $4 returning 1`,
    [job.companyId, job.id, job.lease, state, ...values],
  )
  if (rows.length === 0) throw new LeaseLost(table, job)
}

/** How a lease is released: when the job is tried again, and whether the job was not the cause. */
export interface Release {
  readonly pauseMs: number
  readonly isBlameless: boolean
}

const released = 'leased_until = null, next_try_at = now() + make_interval(secs => $5), tries = tries - $6::int'

/** Releases the lease on a job, and changes what `also` sets; the next attempt is in `pauseMs`. */
export const releaseJob = (
  database: Queryable,
  jobs: JobState,
  job: JobLease,
  { pauseMs, isBlameless }: Release,
  also = '',
): Promise<void> => changeJob(database, jobs, job, released + also, [pauseMs / 1000, isBlameless ? 1 : 0])

/** A lease that is renewed until it is stopped. */
export interface KeptLease {
  /** Aborted once the lease is lost. */
  readonly lost: AbortSignal
  renew(): Promise<unknown>
  stop(): Promise<void>
}

/**
 * Calls `renew` every `everyMs` until the lease is stopped. While the database is unavailable nothing else is written
 * either: the lease is renewed in time, or expires.
 */
export function keptLease(renew: () => Promise<void>, everyMs: number): KeptLease {
  const lost = new AbortController()
  const renewOnce = async () => {
    await renew().catch((error) => {
      unlessLost(error)
      lost.abort(error)
    })
    return everyMs
  }
  const loop = backgroundLoop(renewOnce, () => {}, everyMs)
  loop.schedule(everyMs)
  return { lost: lost.signal, renew: renewOnce, stop: loop.stop }
}
