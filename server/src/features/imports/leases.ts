// Imports leased to servers: each to one at a time, which writes everything for it under that lease.

import type { Database, Queryable, Row } from '../../database/connect.ts'
import { changeJob, type JobLease, LeaseLost, type Release, releaseJob } from '../../database/job-lease.ts'
import { type Family, readFamily } from '../../metrics/instruments.ts'
import { happened, happenedValues } from '../alerts/alert.ts'
import type { ImportKind, ShopName } from '../file-import/layout.ts'
import type { Tally } from '../file-import/records.ts'
import { importStates, type UndoTally } from './import.ts'
import { IMPORT_KEPT_MS, IMPORT_LEASE_MS, IMPORT_TRIES, IMPORT_UNDO_BYTES, IMPORT_UNDO_MS } from './limits.ts'

/** What servers do with imports: each is also the state in which an import waits for it. */
export const importTasks = ['checking', 'running', 'undoing'] as const
export type ImportTask = (typeof importTasks)[number]

/** An import of this server. */
export interface LeasedImport extends JobLease {
  readonly task: ImportTask
  readonly fileName: string
  readonly bytes: number
  readonly kind: ImportKind
  readonly shop: ShopName
  readonly outletId: string | undefined
  readonly keyId: string | undefined
  readonly userId: string | undefined
  /** Leases since it was last requested, or made real progress, including this one. */
  readonly tries: number
  /** Its progress under earlier leases, from 0 to 1. */
  readonly reached: number
  /** What was done under earlier leases. */
  readonly before: Tally | undefined
  /** Whether the run sets stock. */
  readonly setsStock: boolean
  /** The outlets that were chosen for locations of the file. */
  readonly chosen: Readonly<Record<string, string | null>>
  /** Bytes of the changes stored under earlier leases. */
  readonly undoBytes: number
  /** What was undone under earlier leases. */
  readonly undone: UndoTally | undefined
}

/** The key of the advisory lock under which imports are leased; any number not used elsewhere. */
const lockKey = 7_270_115_413

/**
 * Leases the next import that waits for one of the tasks. Skips companies with an import on any server, and takes the
 * company whose last turn was longest ago. Imports of a suspended company wait until it is active again. The command line
 * leases those of one company, also of a suspended one.
 */
export async function lease(
  database: Database,
  wanted: readonly ImportTask[],
  leaseMs: number,
  ofCompany?: string,
): Promise<LeasedImport | undefined> {
  const rows = await database.transaction(async (transaction) => {
    // Two leases at once could take two imports of one company.
    await transaction.query(`select pg_advisory_xact_lock(${lockKey})`)
    return transaction.query(
      {
        name: 'imports_lease',
        text: `
        with due as materialized (
          select job.company_id, job.id from imports as job
          join companies as company on company.id = job.company_id and (company.status = 'active' or company.id = $3)
          where job.state = any ($1) and ($3::text is null or job.company_id = $3) and job.next_try_at <= now() and (job.leased_until is null or job.leased_until < now())
            and not exists (
              select from imports as other
              where other.company_id = job.company_id and other.state in ('checking', 'running', 'undoing') and other.leased_until >= now())
          order by (select max(other.turn_at) from imports as other where other.company_id = job.company_id) nulls first,
            job.queued_at
          limit 1
        )
        update imports as job set lease = lease + 1, tries = tries + 1, turn_at = now(),
          leased_until = now() + make_interval(secs => $2),
          started_at = case job.state when 'running' then coalesce(started_at, now()) when 'undoing' then started_at end
        from due where job.company_id = due.company_id and job.id = due.id
        returning job.company_id, job.id, lease, file_name, bytes, shop, outlet_id, key_id, user_id, tries, tally, progress,
          job.state, with_stock, undo_bytes, undo, job.kind, outlets`,
      },
      [wanted, leaseMs / 1000, ofCompany],
    )
  })
  return rows.map(leasedOf)[0]
}

function leasedOf(row: Row): LeasedImport {
  const [companyId, id, lease, fileName, bytes, shop, outletId, keyId, userId, tries, tally, progress, ...more] = row
  const [task, setsStock, undoBytes, undone, kind, outlets] = more
  return {
    companyId,
    id,
    lease,
    task,
    fileName,
    bytes,
    kind,
    shop,
    tries,
    reached: Number(progress),
    outletId: outletId ?? undefined,
    keyId: keyId ?? undefined,
    userId: userId ?? undefined,
    before: task === 'running' && tally !== null ? JSON.parse(tally) : undefined,
    setsStock,
    chosen: JSON.parse(outlets ?? '{}'),
    undoBytes: Number(undoBytes),
    undone: undone === null ? undefined : JSON.parse(undone),
  }
}

/** The imports that wait for the task of a lease. */
const waitingFor = ({ task }: LeasedImport) => ({ table: 'imports', state: task }) as const

/** Changes the row under the lease. Throws `LeaseLost`. */
const change = (database: Queryable, job: LeasedImport, set: string, values: readonly unknown[] = []): Promise<void> =>
  changeJob(database, waitingFor(job), job, set, values)

/** The same for the end of an import, with the alert about it. */
async function end(database: Queryable, job: LeasedImport, set: string, values: readonly unknown[]): Promise<void> {
  const details = `json_strip_nulls(json_build_object('kind', 'import', 'importId', id, 'fileName', file_name, 'problem', problem,
    'refused', coalesce(rows_refused, 0)))`
  const rows = await database.query(
    `with changed as (
       update imports set ${set} where company_id = $1 and id = $2 and lease = $3 and state = $4
       returning id, file_name, problem, rows_refused
     )
     ${happened('changed', 5 + values.length, details)} returning 1`,
    [job.companyId, job.id, job.lease, job.task, ...values, ...happenedValues('import', job.id)],
  )
  if (rows.length === 0) throw new LeaseLost('imports', job)
}

/** Stores its progress, under this lease or an earlier one, and its tries; renews the lease. */
export const noteProgress = (database: Queryable, job: LeasedImport, progress: number): Promise<void> =>
  change(database, job, 'progress = $5, tries = $6, leased_until = now() + make_interval(secs => $7)', [
    progress,
    job.tries,
    IMPORT_LEASE_MS / 1000,
  ])

/** Stores what was done, in the same transaction. */
export const noteTally = (transaction: Queryable, job: LeasedImport, tally: Tally, undoBytes: number): Promise<void> =>
  change(transaction, job, 'tally = $5, undo_bytes = $6', [JSON.stringify(tally), undoBytes])

/** Stores what was undone, in the same transaction. */
export const noteUndone = (transaction: Queryable, job: LeasedImport, undone: UndoTally): Promise<void> =>
  change(transaction, job, 'undo = $5', [JSON.stringify(undone)])

/** Stores the outlet that was found or created. */
export const noteOutlet = (database: Queryable, job: LeasedImport, outletId: string): Promise<void> =>
  change(database, job, 'outlet_id = $5', [outletId])

/** The results of the file, besides its records. */
interface FileResults {
  readonly rowsRefused: number
  /** CSV. */
  readonly refused: string
}

const days = (ms: number) => `make_interval(secs => ${ms / 1000})`
/** An import is kept from its last check or run. */
export const keptLonger = `updated_at = now(), kept_until = now() + ${days(IMPORT_KEPT_MS)}`
const rests = `leased_until = null, ${keptLonger}`

/** An import that wrote something can be undone for a time, and is kept that long; its file is not. */
export const undoable = `leased_until = null, updated_at = now(), file_until = now() + ${days(IMPORT_KEPT_MS)},
  kept_until = now() + case when undo_bytes = 0 then ${days(IMPORT_KEPT_MS)} else ${days(IMPORT_UNDO_MS)} end,
  undo_until = case when undo_bytes between 1 and ${IMPORT_UNDO_BYTES} then now() + ${days(IMPORT_UNDO_MS)} end`
const refusedSet = 'rows_refused = $5, refused = $6'

/** Stores the end of the check; an import that runs automatically now waits for its run. */
export const endCheck = (
  database: Queryable,
  job: LeasedImport,
  { rowsRefused, refused, tally, preview }: FileResults & { readonly tally: Tally; readonly preview: string },
): Promise<void> =>
  change(
    database,
    job,
    `${refusedSet}, preview = $8, is_checked = true, tries = 0, queued_at = now(), ${rests},
     state = case when runs_by_itself then 'running' else 'ready' end,
     progress = case when runs_by_itself then 0 else 1 end,
     tally = case when runs_by_itself then null else $7::json end`,
    [rowsRefused, refused, JSON.stringify(tally), preview],
  )

/** Stores the end of the run. */
export const endRun = (
  database: Queryable,
  job: LeasedImport,
  { rowsRefused, refused, tally }: FileResults & { readonly tally: Tally },
): Promise<void> =>
  end(database, job, `${refusedSet}, tally = $7, state = 'done', progress = 1, finished_at = now(), ${undoable}`, [
    rowsRefused,
    refused,
    JSON.stringify(tally),
  ])

/** Stores the end of the undo, which no longer needs the file. */
export const endUndo = (database: Queryable, job: LeasedImport, undone: UndoTally): Promise<void> =>
  change(
    database,
    job,
    `undo = $5, state = 'undone', progress = 1, undone_at = now(), leased_until = null, updated_at = now(),
     kept_until = now() + ${days(IMPORT_UNDO_MS)}, undo_until = now() + ${days(IMPORT_UNDO_MS)}, file_until = least(file_until, now() + ${days(IMPORT_KEPT_MS)})`,
    [JSON.stringify(undone)],
  )

/** Stores a final failure. If no lines were refused meanwhile, the lines that the check refused stay. */
export const failImport = (
  database: Queryable,
  job: LeasedImport,
  problem: string,
  outcome?: FileResults,
): Promise<void> =>
  end(
    database,
    job,
    `problem = $5, rows_refused = coalesce($6, rows_refused), refused = coalesce($7, refused), state = 'failed',
     ${job.task === 'undoing' ? `progress = 1, leased_until = null, updated_at = now()` : `finished_at = now(), ${undoable}`}`,
    [problem, outcome?.rowsRefused, outcome?.refused],
  )

/** Fails an import that was leased too often without progress, such as one that kills its process. Whether it did. */
export async function isGivenUp(database: Queryable, job: LeasedImport): Promise<boolean> {
  if (job.tries <= IMPORT_TRIES) return false
  await failImport(database, job, `The import was started ${IMPORT_TRIES} times without progress.`)
  return true
}

/** Releases the lease. */
export const releaseLease = (database: Queryable, job: LeasedImport, release: Release): Promise<void> =>
  releaseJob(database, waitingFor(job), job, release)

/** Imports by state, as long as they are kept, and for how long the oldest has waited for its turn. */
export async function importFamilies(database: Queryable): Promise<Family[]> {
  const rows = await database.query(
    `select state, count(*),
       coalesce(max(extract(epoch from now() - queued_at)) filter (
         where state in ('checking', 'running', 'undoing') and (leased_until is null or leased_until < now())), 0)::float8
     from imports group by state`,
  )
  const counts = new Map(rows.map(([state, count]) => [state as string, Number(count)]))
  return [
    readFamily(
      { name: 'cashwrap_imports', help: 'Imports that are kept, by state.' },
      ['sending', ...importStates].map((state) => ({ value: counts.get(state) ?? 0, labels: { state } })),
    ),
    readFamily(
      {
        name: 'cashwrap_import_oldest_waiting_seconds',
        help: 'For how long the import that has waited longest has had no turn; 0 if none waits.',
      },
      Math.max(0, ...rows.map(([, , seconds]) => Number(seconds))),
    ),
  ]
}
