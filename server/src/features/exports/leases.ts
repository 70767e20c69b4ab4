// Exports leased to servers: each to one at a time, which writes everything for it under that lease.

import type { Database, Queryable } from '../../database/connect.ts'
import { changeJob, type JobLease, LeaseLost, type Release, releaseJob } from '../../database/job-lease.ts'
import type { WrittenFile } from '../company-file/export.ts'

/** Milliseconds for which an export and its file are kept. */
export const EXPORT_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds of a server's lease on an export: after that, another server begins it again. */
export const EXPORT_LEASE_MS = 10_000

const running = { table: 'exports', state: 'running' } as const

/** An export of this server. */
export interface LeasedExport extends JobLease {
  /** Leases so far, including this one. */
  readonly tries: number
}

/** Leases the export that has waited longest, even that of a suspended company: its people may take their data away. */
export async function leaseExport(database: Database, leaseMs: number): Promise<LeasedExport | undefined> {
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

export const lostLease = (job: LeasedExport) => new LeaseLost('exports', job)
const ended = `leased_until = null, finished_at = now(), updated_at = now(),
  expires_at = now() + make_interval(secs => ${EXPORT_KEPT_MS / 1000})`

/** Stores its progress, and renews the lease. */
export const noteProgress = (database: Queryable, job: LeasedExport, progress: number): Promise<void> =>
  changeJob(database, running, job, 'progress = $5, leased_until = now() + make_interval(secs => $6)', [
    progress,
    EXPORT_LEASE_MS / 1000,
  ])

/** Stores that the file is complete. */
export const endExport = (
  database: Queryable,
  job: LeasedExport,
  { manifest, bytes, sha256 }: WrittenFile,
): Promise<void> =>
  changeJob(database, running, job, `state = 'done', progress = 1, bytes = $5, sha256 = $6, manifest = $7, ${ended}`, [
    bytes,
    sha256,
    JSON.stringify(manifest),
  ])

/** Stores a final failure. */
export const failExport = (database: Queryable, job: LeasedExport, problem: string): Promise<void> =>
  changeJob(database, running, job, `state = 'failed', problem = $5, ${ended}`, [problem])

/** Releases the lease; the next one writes the file from its beginning. */
export const releaseLease = (database: Queryable, job: LeasedExport, release: Release): Promise<void> =>
  releaseJob(database, running, job, release, ', progress = 0')
