// Export: a company's file while it is written and afterwards, as the API shows it; how to request one and read its
// result. Exports are leased to servers: each to one at a time, which writes everything for it under that lease.

import { newId } from '../../core/ids.ts'
import { conflict } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import { type Database, type Queryable, requireRow } from '../../database/connect.ts'
import { changeJob, type JobLease, LeaseLost, type Release, releaseJob } from '../../database/job-lease.ts'
import { choice, dateTime, map, number, serverOwned, text } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import type { WrittenFile } from '../company-file/export.ts'

/** Milliseconds for which an export and its file are kept. */
const EXPORT_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds of a server's lease on an export: after that, another server begins it again. */
export const EXPORT_LEASE_MS = 10_000
/** Exports of a company in progress: one, and another that was requested after a write which it must contain. */
export const EXPORTS_UNDER_WAY = 2
/** Exports of a company that are kept with their files: with a further one, the oldest is removed. */
export const EXPORTS_KEPT = 5

/** The states of an export: it waits or is written, and ends in one of two ways. */
export const exportStates = ['running', 'done', 'failed'] as const

const days = EXPORT_KEPT_MS / 24 / 60 / 60 / 1000

export const exportJob = {
  ...resource({
    name: { one: 'export', many: 'exports' },
    title: 'Exports',
    description: `All data of a company in one file: NDJSON with a first line that describes the file, a line for each row, and a last line with the SHA-256 of everything before it. \`cashwrap company import\` creates the company from it on another server, with its ids and keys. The guide \`docs/guides/leaving-and-moving.md\` describes the file. It contains personal data and the hashes of keys, but no secrets of automation triggers. An export is one snapshot; the service continues to work while it is written. Exports and their files are kept for ${days} days, and only the newest ${EXPORTS_KEPT} of a company.`,
    fields: {
      state: serverOwned(
        choice(exportStates, {
          description: '`running` while the export waits or is being written; then how it ended.',
        }),
      ),
      progress: serverOwned(number({ description: 'From 0 to 1.' })),
      bytes: number({ description: 'Size of the file in bytes. Set once it is done, like all members below.' }),
      sha256: text({ description: 'SHA-256 of the whole file, as hexadecimal digits.' }),
      counts: map(number(), { description: 'The number of rows of each table in the file.' }),
      cursor: number({
        description: 'All events of the feed up to this number are in the file; later ones may be missing.',
      }),
      eventsSince: dateTime({ description: 'Events from this moment on are in the file.' }),
      secretsLeftOut: number({ description: 'The number of automation triggers whose secret is not in the file.' }),
      problem: text({ description: 'Why it failed, in a sentence.' }),
      finishedAt: dateTime({ description: 'When it ended.' }),
      expiresAt: serverOwned(dateTime({ description: 'When it is deleted with its file.' })),
    },
    remove: 'hard',
    list: { exact: ['state'] },
    styleA: null,
    styleB: null,
    example: {
      state: 'done',
      progress: 1,
      bytes: 1815300,
      sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      counts: { companies: 1, products: 120, orders: 4100 },
      cursor: 4711,
      eventsSince: '2026-10-22T09:30:00.000Z',
      secretsLeftOut: 0,
      finishedAt: '2026-11-21T09:30:02.000Z',
      expiresAt: '2026-11-28T09:30:00.000Z',
    },
  }),
  // The projection that makes records of the rows.
  table: 'export_records',
}

/**
 * Requests an export; returns its record. Throws `conflict` if the company already has as many in progress as it may.
 */
export async function requestExport(transaction: Queryable, scope: Scope): Promise<string> {
  const { companyId, keyId, user } = scope
  await lockForTransaction(transaction, `exports of ${companyId}`)
  const [row] = await transaction.query(
    `select count(*)::int from exports where company_id = $1 and state = 'running'`,
    [companyId],
  )
  if (row?.[0] >= EXPORTS_UNDER_WAY)
    throw conflict('exports_busy', `${row?.[0]} exports of this company are under way. Wait until one has ended.`)
  const id = newId()
  await transaction.query(
    `insert into exports (company_id, id, state, key_id, user_id, next_try_at, expires_at, created_at, updated_at)
     values ($1, $2, 'running', $3, $4, now(), now() + make_interval(secs => $5), now(), now())`,
    [companyId, id, keyId, user?.id, EXPORT_KEPT_MS / 1000],
  )
  await transaction.query(
    `update exports as stored set expires_at = now()
     from (select id from exports where company_id = $1 and expires_at > now() order by created_at desc, id desc offset $2) as older
     where stored.company_id = $1 and stored.id = older.id and stored.state <> 'running'`,
    [companyId, EXPORTS_KEPT],
  )
  return readExport(transaction, scope, id)
}

/** The record's text. Throws `not_found`. */
export async function readExport(database: Queryable, { companyId }: Scope, id: string): Promise<string> {
  const statement = {
    name: 'export_read',
    text: 'select stored.body from export_records as stored where stored.company_id = $1 and stored.id = $2',
  }
  return (await requireRow(database, 'export', id, statement, [companyId, id]))[0]
}

/** The size of its file. Throws `not_found`, and `conflict` if there is no file yet or never will be. */
export async function requireFile(database: Queryable, { companyId }: Scope, id: string): Promise<number> {
  const statement = {
    name: 'export_file',
    text: `select state, bytes, problem from exports where company_id = $1 and id = $2 and (expires_at > now() or state = 'running')`,
  }
  const [state, bytes, problem] = await requireRow(database, 'export', id, statement, [companyId, id])
  if (state === 'running')
    throw conflict('export_running', 'The export is still being written. Ask again when its state is "done".')
  if (state === 'failed') throw conflict('export_failed', `The export failed, so there is no file: ${problem}`)
  return Number(bytes)
}

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
