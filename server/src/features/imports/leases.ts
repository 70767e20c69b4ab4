// Imports in the hands of servers: each is leased to one at a time, and whatever that one writes it writes under its lease.
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { IMPORT_KEPT_MS } from '../../limits.ts'
import type { Tally } from '../catalog-import/records.ts'
import type { ShopName } from '../catalog-import/shops.ts'
import type { ImportKey } from './import.ts'

/** What servers do with imports: each is also the state in which one waits for it. */
export const tasks = ['checking', 'running'] as const
export type Task = (typeof tasks)[number]

/** An import that this server is at. The number of the lease names it: with another one it is another server's. */
export interface Leased extends ImportKey {
  readonly lease: number
  readonly task: Task
  readonly fileName: string
  readonly bytes: number
  readonly shop: ShopName
  readonly outletId: string | undefined
  readonly keyId: string | undefined
  readonly userId: string | undefined
  /** Leases since it was last asked for, or got a real step further, this one included. */
  readonly tries: number
  /** How far it came under earlier leases, from 0 to 1. */
  readonly reached: number
  /** What was done under earlier leases. */
  readonly before: Tally | undefined
}

/** Thrown where the lease is another's by now, or the import was cancelled: what is under way under it is undone. */
export class LeaseLost extends Error {}

/** For what is written at the end of work: whoever has the lease now, or cancelled the import, has written what is to be written. */
export function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error
}

/** The key of the advisory lock under which imports are leased; any number that nobody else uses. */
const lockKey = 7_270_115_413

/**
 * Leases the import that waits for the task, of companies of which no server is at any, in turn: of those the one whose turn
 * was longest ago. A suspended company's wait until it is active again.
 */
export async function lease(database: Database, task: Task, leaseMs: number): Promise<Leased | undefined> {
  const rows = await database.transaction(async (transaction) => {
    // Two at once could lease two imports of one company.
    await transaction.query(`select pg_advisory_xact_lock(${lockKey})`)
    return transaction.query(
      {
        name: 'imports_lease',
        text: `
        with due as materialized (
          select job.company_id, job.id from imports as job
          join companies as company on company.id = job.company_id and company.status = 'active'
          where job.state = $1 and job.next_try_at <= now() and (job.leased_until is null or job.leased_until < now())
            and not exists (
              select from imports as other
              where other.company_id = job.company_id and other.state in ('checking', 'running') and other.leased_until >= now())
          order by (select max(other.turn_at) from imports as other where other.company_id = job.company_id) nulls first,
            job.queued_at
          limit 1
        )
        update imports as job set lease = lease + 1, tries = tries + 1, turn_at = now(),
          leased_until = now() + make_interval(secs => $2),
          started_at = case when $1 = 'running' then coalesce(started_at, now()) end
        from due where job.company_id = due.company_id and job.id = due.id
        returning job.company_id, job.id, lease, file_name, bytes, shop, outlet_id, key_id, user_id, tries, tally, progress`,
      },
      [task, leaseMs / 1000],
    )
  })
  return rows.map((row) => leasedOf(task, row))[0]
}

function leasedOf(task: Task, row: Row): Leased {
  const [companyId, id, lease, fileName, bytes, shop, outletId, keyId, userId, tries, tally, progress] = row
  return {
    ...{ companyId, id, lease, task, fileName, bytes, shop, tries, reached: Number(progress) },
    outletId: outletId ?? undefined,
    keyId: keyId ?? undefined,
    userId: userId ?? undefined,
    before: task === 'running' && tally !== null ? JSON.parse(tally) : undefined,
  }
}

/** Changes the row under the lease. Throws `LeaseLost`. */
async function change(database: Queryable, job: Leased, set: string, values: readonly unknown[] = []): Promise<void> {
  const rows = await database.query(
    `update imports set ${set} where company_id = $1 and id = $2 and lease = $3 and state = $4 returning 1`,
    [job.companyId, job.id, job.lease, job.task, ...values],
  )
  if (rows.length === 0) throw new LeaseLost(`The lease ${job.lease} on the import ${job.id} was lost.`)
}

/** Notes how far it came, under this lease or an earlier one, and its tries; renews the lease. */
export const noteProgress = (database: Queryable, job: Leased, progress: number, leaseMs: number): Promise<void> =>
  change(database, job, 'progress = $5, tries = $6, leased_until = now() + make_interval(secs => $7)', [
    progress,
    job.tries,
    leaseMs / 1000,
  ])

/** Notes what was done, in the transaction that does it. */
export const noteTally = (transaction: Queryable, job: Leased, tally: Tally): Promise<void> =>
  change(transaction, job, 'tally = $5', [JSON.stringify(tally)])

/** Notes the outlet that was found or made. */
export const noteOutlet = (database: Queryable, job: Leased, outletId: string): Promise<void> =>
  change(database, job, 'outlet_id = $5', [outletId])

/** What became of the file, besides its records. */
interface Outcome {
  readonly rowsRefused: number
  /** CSV. */
  readonly refused: string
}

const rests = `leased_until = null, updated_at = now(), kept_until = now() + make_interval(secs => ${IMPORT_KEPT_MS / 1000})`
const refusedSet = 'rows_refused = $5, refused = $6'

/** The check has ended; one that runs by itself waits for that from now on. */
export const endCheck = (
  database: Queryable,
  job: Leased,
  { rowsRefused, refused, tally, preview }: Outcome & { readonly tally: Tally; readonly preview: string },
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

/** The run has ended. */
export const endRun = (
  database: Queryable,
  job: Leased,
  { rowsRefused, refused, tally }: Outcome & { readonly tally: Tally },
): Promise<void> =>
  change(database, job, `${refusedSet}, tally = $7, state = 'done', progress = 1, finished_at = now(), ${rests}`, [
    rowsRefused,
    refused,
    JSON.stringify(tally),
  ])

/** It failed for good. Where no lines were refused on the way, those that the check refused stay. */
export const fail = (database: Queryable, job: Leased, problem: string, outcome?: Outcome): Promise<void> =>
  change(
    database,
    job,
    `problem = $5, rows_refused = coalesce($6, rows_refused), refused = coalesce($7, refused), state = 'failed',
     finished_at = now(), ${rests}`,
    [problem, outcome?.rowsRefused, outcome?.refused],
  )

/** Gives the lease back; `isBlameless` where it was not the import that stood in the way. */
export const giveBack = (
  database: Queryable,
  job: Leased,
  { pauseMs, isBlameless }: { pauseMs: number; isBlameless: boolean },
): Promise<void> =>
  change(
    database,
    job,
    'leased_until = null, next_try_at = now() + make_interval(secs => $5), tries = tries - $6::int',
    [pauseMs / 1000, isBlameless ? 1 : 0],
  )

/** Removes imports whose time is over, and files that are no longer coming in; ends between two when `isOver`. */
export async function clearImports(database: Queryable, isOver: () => boolean): Promise<void> {
  for (let isDone = false; !isDone && !isOver(); ) {
    const rows = await database.query(
      `with old as materialized (
         select company_id, id from imports
         where case state when 'sending' then leased_until < now() else kept_until < now() and state not in ('checking', 'running') end
         limit 1 for update skip locked
       )
       delete from imports as stored using old where stored.company_id = old.company_id and stored.id = old.id returning 1`,
    )
    isDone = rows.length === 0
  }
}
