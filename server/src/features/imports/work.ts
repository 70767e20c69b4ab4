// One import executed under its lease: its check, its run or its undo, and the record of how it ended.

import { OperatorError } from '../../core/operator-error.ts'
import { Problem } from '../../core/problem.ts'
import type { Actor, Scope } from '../../core/scope.ts'
import { type Database, isTimeout } from '../../database/connect.ts'
import { type KeptLease, keptLease, LeaseLost, unlessLost } from '../../database/job-lease.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { csvOf, type RefusedRow, refusedHeader, refusedLine } from '../file-import/csv.ts'
import { formatNamed } from '../file-import/formats.ts'
import { columnsOf, type ImportKind, mappedColumns } from '../file-import/layout.ts'
import { type Load, loadFile } from '../file-import/load.ts'
import type { FileLocation } from '../file-import/locations.ts'
import { addedTally, type InTransaction, noTally, type Tally } from '../file-import/records.ts'
import { shorten } from '../file-import/values.ts'
import { type MakeOutlet, outletOf } from '../file-import/writers.ts'
import { type importStates, readImport } from './import.ts'
import { FileGone, storedFile } from './kept-files.ts'
import {
  endCheck,
  endRun,
  failImport,
  importTasks,
  isGivenUp,
  type LeasedImport,
  lease,
  noteOutlet,
  noteProgress,
  noteTally,
  releaseLease,
} from './leases.ts'
import { IMPORT_LEASE_MS, IMPORT_LOOK_MS, IMPORT_PAUSE_MS, IMPORT_REFUSED, IMPORT_TRIES } from './limits.ts'
import { previewer } from './preview.ts'
import { type Recorder, recorder } from './recording.ts'
import { undoLeased } from './undo.ts'

/** Milliseconds between two saves of the progress. Each save renews the lease and checks for a cancellation. */
const IMPORT_NOTE_MS = 1_000
/**
 * Fraction of an import that counts as progress, after which its retries are counted again: with less it would be
 * retried a hundred times and more.
 */
const IMPORT_STEP = 0.01

/** What work on imports needs. */
export interface WorkParts {
  readonly database: Database
  /** The identity that an import writes as: the key or the person that sent it or ran it. */
  readonly scopeOf: (database: Database, companyId: string, actor: Actor) => Promise<Scope>
  /** Called with a company after each step that was written. */
  readonly wrote: (companyId: string) => void
  /** Called with internal errors. */
  readonly failed: (error: unknown) => void
  /** Called with the progress, from 0 to 1. */
  readonly progress?: (share: number) => void
}

/** An import in progress, and its progress from 0 to 1. */
interface Job extends LeasedImport {
  tries: number
  progress: number
}

/** Characters of a reason or a heading that are kept. */
const REASON_CHARACTERS = 1_000

/** The record of an import that waits for nothing. */
interface EndedImport {
  readonly id: string
  readonly state: (typeof importStates)[number]
  readonly kind: ImportKind
  readonly outletId?: string
  readonly summary?: Tally
  readonly rowsRefused?: number
  readonly problem?: string
}

/**
 * Works on the imports of a company, beside its servers, until one of them waits for nothing more; returns its record.
 * `signal` is aborted once it was cancelled, and releases the import under way.
 */
export async function workUntilEnded(
  parts: WorkParts,
  { scope, id }: { readonly scope: Scope; readonly id: string },
  signal: AbortSignal,
): Promise<EndedImport> {
  for (;;) {
    const leased = await lease(parts.database, importTasks, IMPORT_LEASE_MS, scope.companyId)
    if (leased && !(await isGivenUp(parts.database, leased))) await executeLeased(parts, leased, signal)
    const record: EndedImport = JSON.parse(await readImport(parts.database, scope, id))
    if (!(importTasks as readonly unknown[]).includes(record.state)) return record
    if (!leased) await new Promise((resolve) => setTimeout(resolve, IMPORT_LOOK_MS / 4))
  }
}

/** Executes an import under its lease, and renews the lease; `signal` stops it between two steps and releases it. */
export async function executeLeased(parts: WorkParts, leased: LeasedImport, signal: AbortSignal): Promise<void> {
  const job: Job = { ...leased, progress: 0 }
  const kept = keptLease(() => {
    if (job.progress > job.reached + IMPORT_STEP) job.tries = 1
    return noteProgress(parts.database, job, Math.max(job.progress, job.reached))
  }, IMPORT_NOTE_MS)
  try {
    await execute(parts, job, kept, AbortSignal.any([signal, kept.lost]))
  } finally {
    await kept.stop()
  }
}

/** Carries out the task, and stores how it ended. */
async function execute(parts: WorkParts, job: Job, kept: KeptLease, signal: AbortSignal): Promise<void> {
  const { database, failed } = parts
  const refused = refusedLines()
  try {
    await works[job.task](parts, job, refused, signal)
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof FileGone) return
    // A late update of the progress would lease it again, with its former tries.
    await kept.stop()
    const isDown = error instanceof Problem && error.status >= 500
    if (isDown) failed(error)
    // A statement that times out may always do so: it counts as a try, with a longer pause each time.
    const isSlow = !signal.aborted && isTimeout(error)
    if (isSlow) await kept.renew()
    if (isSlow && job.tries < IMPORT_TRIES)
      return releaseLease(database, job, { pauseMs: IMPORT_PAUSE_MS * 4 ** job.tries, isBlameless: false }).catch(
        unlessLost,
      )
    // The server stops, or the database is unavailable.
    if (signal.aborted || (isDown && !isSlow))
      return releaseLease(database, job, { pauseMs: signal.aborted ? 0 : IMPORT_PAUSE_MS, isBlameless: true }).catch(
        unlessLost,
      )
    const isTheirs = error instanceof OperatorError || error instanceof Problem
    if (!isTheirs) failed(error)
    const problem = isSlow
      ? `The database took too long in ${IMPORT_TRIES} attempts. Split the file into several files, or run the import at a quieter time.`
      : isTheirs
        ? error.message
        : 'An internal error occurred and was logged.'
    const outcome = refused.outcome()
    await failImport(database, job, problem, outcome.rowsRefused > 0 ? outcome : undefined).catch(unlessLost)
  }
}

async function undo(parts: WorkParts, job: Job, _: RefusedLines, signal: AbortSignal): Promise<void> {
  const { database, scopeOf, wrote } = parts
  const scope = await scopeOf(database, job.companyId, job)
  await undoLeased({ database, scope, wrote }, job, signal, (share) => noteShare(parts, job, share))
}

function noteShare({ progress }: WorkParts, job: Job, share: number): void {
  job.progress = share
  progress?.(share)
}

const works = { checking: check, running: run, undoing: undo }

async function check(parts: WorkParts, job: Job, refused: RefusedLines, signal: AbortSignal): Promise<void> {
  const preview = previewer()
  let locations: readonly FileLocation[] = []
  const { load } = await loadOf(parts, job, {
    ...(await options(parts, job, refused, signal)),
    dryRun: true,
    observe: preview.observe,
    located: (found) => {
      locations = found
    },
  })
  const { rowsRefused: _, ...tally } = await loadFile(load)
  const text = preview.text(mappedColumns(load.file, load.format), locations)
  await endCheck(parts.database, job, { ...refused.outcome(), tally, preview: text })
}

async function run(parts: WorkParts, job: Job, refused: RefusedLines, signal: AbortSignal): Promise<void> {
  const { load, changes } = await loadOf(parts, job, {
    ...(await options(parts, job, refused, signal)),
    dryRun: false,
  })
  // A step is written only under the lease, so that of two servers which both think they have it, one writes.
  const transact: InTransaction = async (write) => {
    const written = await retriedTransaction(parts.database, async (transaction) => {
      const step = await write(transaction)
      await noteTally(transaction, job, addedTally(job.before, step.tally), changes.bytes())
      return step
    })
    parts.wrote(job.companyId)
    return written
  }
  const { rowsRefused: _, ...tally } = await loadFile({ ...load, transact, watch: changes.watch })
  await endRun(parts.database, job, { ...refused.outcome(), tally: addedTally(job.before, tally) })
}

/** The source of a run, and its observer. */
type RunOptions = Pick<Load, 'file' | 'refused' | 'signal' | 'progress' | 'observe' | 'located'>

async function options(parts: WorkParts, job: Job, refused: RefusedLines, signal: AbortSignal): Promise<RunOptions> {
  const { database } = parts
  const progress = (done: number, total: number) => noteShare(parts, job, done / total)
  const file = await csvOf(storedFile(database, job, signal))
  return { file, refused: refused.add, signal, progress }
}

async function loadOf(
  { database, scopeOf }: WorkParts,
  job: LeasedImport,
  options: RunOptions & { readonly dryRun: boolean },
): Promise<{ load: Load; changes: Recorder }> {
  const { file, dryRun } = options
  const scope = await scopeOf(database, job.companyId, job)
  const format = formatNamed(job)
  // The encoding of a part can differ from that of the whole, and so can the headings.
  columnsOf(file, format)
  const changes = recorder(scope, job, job.undoBytes)
  let madeId: string | undefined
  // Like every step: an import that was cancelled meanwhile leaves no outlet behind.
  const make: MakeOutlet = async (write) => {
    madeId = await retriedTransaction(database, async (transaction) => {
      const made = await write(transaction)
      await noteOutlet(transaction, job, made)
      await changes.madeOutlet(transaction, made)
      await noteTally(transaction, job, job.before ?? noTally(), changes.bytes())
      return made
    })
    return madeId
  }
  const defaultOutlet = async (): Promise<string> => {
    const outletId = await outletOf(database, scope, job.outletId, dryRun, make)
    if (outletId !== '' && outletId !== madeId && job.outletId === undefined) await noteOutlet(database, job, outletId)
    return outletId
  }
  const outletId = job.outletId === undefined ? '' : await defaultOutlet()
  const { setsStock, chosen } = job
  return { load: { ...options, database, scope, format, outletId, defaultOutlet, setsStock, chosen }, changes }
}

type RefusedLines = ReturnType<typeof refusedLines>

/** Collects the refused lines as CSV. `add` throws an OperatorError if there are too many. */
function refusedLines() {
  const lines: string[] = []
  return {
    add({ line, column, reason }: RefusedRow): void {
      if (lines.length === IMPORT_REFUSED)
        throw new OperatorError(
          `More than ${IMPORT_REFUSED.toLocaleString('en')} lines cannot be imported. Look at the first ones, and correct the file.`,
        )
      const reported = { line, reason: shorten(reason, REASON_CHARACTERS) }
      lines.push(refusedLine({ ...reported, ...(column && { column: shorten(column, REASON_CHARACTERS) }) }))
    },
    outcome: () => ({ rowsRefused: lines.length, refused: refusedHeader + lines.join('') }),
  }
}
