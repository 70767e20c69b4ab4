// Exports leased to servers: each to one at a time, which writes everything for it under that lease.

import type { Database, Queryable } from '../../database/connect.ts'
import type { Written } from '../company-file/export.ts'
import type { ExportKey } from './export.ts'
import { EXPORT_KEPT_MS } from './limits.ts'

/** An export of this server, named by the number of its lease: another number is another server's. */
export interface Leased extends ExportKey {
  readonly lease: number
  /** Leases so far, including this one. */
  readonly tries: number
}

/** Thrown if the lease was lost: another server has the export. */
export class LeaseLost extends Error {}

/** Ignores a lost lease, for writes at the end of work. */
export function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error
}

/** Leases the export that has waited longest. A suspended company's is written too: its people may take it away. */
export async function leaseExport(database: Database, leaseMs: number): Promise<Leased | undefined> {
  const rows = await database.query(
    {
      name: 'exports_lease',
      text: `
      update exports as job set lease = lease + 1, tries = tries + 1, leased_until = now() + make_interval(secs => $1)
      from (
        select company_id, id from exports
        where state = 'running' and next_try_at <= now() and (leased_until is null or leased_until < now())
        order by next_try_at limit 1 for update skip locked
      ) as due
      where job.company_id = due.company_id and job.id = due.id
      returning job.company_id, job.id, job.lease, job.tries`,
    },
    [leaseMs / 1000],
  )
  return rows.map(([companyId, id, lease, tries]) => ({ companyId, id, lease, tries }))[0]
}

/** Changes the row under the lease. Throws `LeaseLost`. */
async function change(database: Queryable, job: Leased, set: string, values: readonly unknown[]): Promise<void> {
  const rows = await database.query(
    `update exports set ${set} where company_id = $1 and id = $2 and lease = $3 and state = 'running' returning 1`,
    [job.companyId, job.id, job.lease, ...values],
  )
  if (rows.length === 0) throw lostLease(job)
}

export const lostLease = ({ id, lease }: Leased) => new LeaseLost(`The lease ${lease} on the export ${id} was lost.`)
const ended = `leased_until = null, finished_at = now(), updated_at = now(),
  expires_at = now() + make_interval(secs => ${EXPORT_KEPT_MS / 1000})`

/** Stores its progress, and renews the lease. */
export const noteProgress = (database: Queryable, job: Leased, progress: number, leaseMs: number): Promise<void> =>
  change(database, job, 'progress = $4, leased_until = now() + make_interval(secs => $5)', [progress, leaseMs / 1000])

/** Stores that the file is whole. */
export const endExport = (database: Queryable, job: Leased, { manifest, bytes, sha256 }: Written): Promise<void> =>
  change(database, job, `state = 'done', progress = 1, bytes = $4, sha256 = $5, manifest = $6, ${ended}`, [
    bytes,
    sha256,
    JSON.stringify(manifest),
  ])

/** Stores a final failure. */
export const failExport = (database: Queryable, job: Leased, problem: string): Promise<void> =>
  change(database, job, `state = 'failed', problem = $4, ${ended}`, [problem])

/** Releases the lease; `isBlameless` if the export was not the cause. */
export const releaseLease = (
  database: Queryable,
  job: Leased,
  { pauseMs, isBlameless }: { pauseMs: number; isBlameless: boolean },
): Promise<void> =>
  change(
    database,
    job,
    'leased_until = null, progress = 0, next_try_at = now() + make_interval(secs => $4), tries = tries - $5::int',
    [pauseMs / 1000, isBlameless ? 1 : 0],
  )
