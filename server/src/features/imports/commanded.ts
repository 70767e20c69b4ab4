// Imports by the command line: each is recorded, runs under a lease of its process, and can be undone like any other.

import { newId } from '../../core/ids.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { notFound, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { type Database, requireRow } from '../../database/connect.ts'
import { keptLease, LeaseLost } from '../../database/job-lease.ts'
import type { RefusedRow } from '../file-import/csv.ts'
import { type CsvFile, refusedHeader, refusedLine } from '../file-import/csv.ts'
import { CompanyHeld, type Format } from '../file-import/load.ts'
import type { ImportSummary } from '../file-import/records.ts'
import { undoImport } from './changes.ts'
import type { ImportKey } from './import.ts'
import { giveUpOldest } from './kept-files.ts'
import { endRun, failImport, type LeasedImport, lease, notePreview, noteProgress, undoable } from './leases.ts'
import {
  FILE_NAME_CHARACTERS,
  IMPORT_KEPT_MS,
  IMPORT_LEASE_MS,
  IMPORT_LOOK_MS,
  IMPORT_NOTE_MS,
  IMPORT_REFUSED,
} from './limits.ts'
import { previewer } from './preview.ts'
import { executeLeased, runUnder, type WorkParts } from './work.ts'

/** What the command loads. */
interface Commanded {
  readonly parts: WorkParts
  readonly scope: Scope
  readonly file: CsvFile
  readonly fileName: string
  readonly format: Format
  readonly outletId: string | undefined
  readonly refused: (row: RefusedRow) => void
  readonly progress: (done: number, total: number) => void
}

/** Loads a local file into a company, and records its changes. */
export async function importCommanded(
  commanded: Commanded,
): Promise<ImportSummary & { readonly importId: string; readonly outletId: string }> {
  const { parts, scope, file } = commanded
  const { database } = parts
  const job = await begin(database, commanded)
  const kept = keptLease(() => noteProgress(database, job, job.progress), IMPORT_NOTE_MS)
  const lines: string[] = []
  let rowsRefused = 0
  try {
    const preview = previewer()
    const { tally, outletId } = await runUnder(parts, job, {
      file,
      refused: (row) => {
        if (rowsRefused++ < IMPORT_REFUSED) lines.push(refusedLine(row))
        commanded.refused(row)
      },
      signal: kept.lost,
      progress: (done, total) => {
        job.progress = done / total
        commanded.progress(done, total)
      },
      observe: preview.observe,
    })
    await kept.stop()
    await notePreview(database, job, preview.text(commanded.format.columnMapping(file)))
    await endRun(database, job, { rowsRefused, refused: refusedHeader + lines.join(''), tally })
    await giveUpOldest(database, scope.companyId)
    return { ...tally, rowsRefused, importId: job.id, outletId }
  } catch (error) {
    await kept.stop()
    if (error instanceof LeaseLost) throw new OperatorError('The import was cancelled. What it wrote before stays.')
    await end(database, job, error).catch(() => {})
    throw error
  }
}

/** Creates the row, leased to this process. */
async function begin(database: Database, commanded: Commanded): Promise<LeasedImport & { progress: number }> {
  const { scope, file, fileName, format, outletId } = commanded
  const { kind, shop } = format
  const key = { companyId: scope.companyId, id: newId() }
  const name = fileName.slice(0, FILE_NAME_CHARACTERS).toWellFormed()
  await database.query(
    `insert into imports (company_id, id, file_name, bytes, kind, shop, outlet_id, state, runs_by_itself, is_checked, has_file, lease, tries,
       leased_until, started_at, next_try_at, queued_at, kept_until, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'running', false, true, false, 1, 1, now() + make_interval(secs => $8), now(), now(), now(),
       now() + make_interval(secs => $9), now(), now())`,
    [key.companyId, key.id, name, file.size, kind, shop, outletId, IMPORT_LEASE_MS / 1000, IMPORT_KEPT_MS / 1000],
  )
  return {
    ...key,
    lease: 1,
    task: 'running',
    fileName: name,
    bytes: file.size,
    kind,
    shop,
    outletId,
    tries: 1,
    keyId: undefined,
    userId: undefined,
    reached: 0,
    before: undefined,
    undone: undefined,
    undoBytes: 0,
    setsStock: true,
    hasFile: false,
    progress: 0,
  }
}

/** If another import kept this one from starting, it is deleted; otherwise the record says why it ended. */
async function end(database: Database, job: LeasedImport, error: unknown): Promise<void> {
  if (error instanceof CompanyHeld)
    await database.query('delete from imports where company_id = $1 and id = $2', [job.companyId, job.id])
  else
    await failImport(
      database,
      job,
      error instanceof OperatorError || error instanceof Problem ? error.message : 'The command failed unexpectedly.',
    )
}

/** The import with an id, of any company. Throws `not_found`. */
export async function findImport(database: Database, id: string): Promise<ImportKey> {
  const ofAny = `select company_id from imports where id = $1 and state <> 'sending'`
  const [companyId] = await requireRow(database, 'import', id, ofAny)
  return { companyId, id }
}

/**
 * Undoes an import, in this process or on the server that has taken it. Waits for a running undo, and continues one
 * whose server died. Throws `conflict` if it cannot be undone, and an OperatorError if the undo fails.
 */
export async function undoCommanded(parts: WorkParts, scope: Scope, { companyId, id }: ImportKey): Promise<void> {
  const { database } = parts
  const stateOf = async (): Promise<[state: string, problem: string | null]> => {
    const [row] = await database.query('select state, problem from imports where company_id = $1 and id = $2', [
      companyId,
      id,
    ])
    if (row === undefined) throw notFound('import', id)
    return row as [string, string | null]
  }
  // The state that a command leaves if it was killed while it ran the import.
  await database.query(
    `update imports set state = 'failed', problem = 'The command that ran this import ended before its end.', ${undoable}
     where company_id = $1 and id = $2 and state = 'running' and not has_file and leased_until < now()`,
    [companyId, id],
  )
  const [begun] = await stateOf()
  if (begun !== 'undoing') await database.transaction((transaction) => undoImport(transaction, scope, id))
  for (;;) {
    const leased = await lease(database, 'undoing', IMPORT_LEASE_MS, id)
    if (leased) await executeLeased(parts, leased, new AbortController().signal)
    const [state, problem] = await stateOf()
    if (state === 'failed') throw new OperatorError(problem ?? 'The undo failed.')
    if (state !== 'undoing') return
    await new Promise((resolve) => setTimeout(resolve, IMPORT_LOOK_MS / 4))
  }
}
