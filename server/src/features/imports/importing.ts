// Sees to it that imports are checked and run: one of each at a time on a server, all companies in turn, and taken over from a server that died.
import type { Database } from '../../database/connect.ts'
import {
  IMPORT_CLEARING_MS,
  IMPORT_LEASE_MS,
  IMPORT_LOOK_MS,
  IMPORT_NOTE_MS,
  IMPORT_PAUSE_MS,
  IMPORT_TRIES,
} from '../../limits.ts'
import { type Failed, repeated } from '../../repeated.ts'
import { clearImports, fail, type Leased, LeaseLost, lease, noteProgress, type Task } from './leases.ts'
import { carryOut, type Job, unlessLost, type WorkParts } from './work.ts'

/** What is done how often, in milliseconds; each has its usual value in limits.ts. */
export interface ImportTimes {
  readonly leaseMs?: number
  readonly lookMs?: number
  readonly noteMs?: number
  readonly clearingMs?: number
}

export interface Importing {
  /** Looks at once for imports that wait. */
  wake(): void
  /** Ends what is under way between two steps and gives it back; resolves when nothing needs the database any more. */
  stop(): Promise<void>
}

/** Works on imports until it is stopped; `failed` hears of what is tried again, or went wrong on our side. */
export function keepImporting(
  database: Database,
  parts: Pick<WorkParts, 'scopeOf' | 'wrote'> & { readonly failed: Failed },
  {
    leaseMs = IMPORT_LEASE_MS,
    lookMs = IMPORT_LOOK_MS,
    noteMs = IMPORT_NOTE_MS,
    clearingMs = IMPORT_CLEARING_MS,
  }: ImportTimes = {},
): Importing {
  const stopping = new AbortController()
  const work: WorkParts = { ...parts, database, pauseMs: IMPORT_PAUSE_MS }

  /** Does one that waits for the task, if any, and comes back at once then: there may be more. */
  async function look(task: Task): Promise<number> {
    const leased = await lease(database, task, leaseMs)
    if (leased === undefined) return lookMs
    await carry(leased)
    // A check that ended may have left something to run, and the other way round its company is free.
    wake()
    return 0
  }

  async function carry(leased: Leased): Promise<void> {
    if (leased.tries > IMPORT_TRIES) {
      const problem = `It was begun ${IMPORT_TRIES} times and never came to an end. Cut the file into several.`
      return fail(database, leased, problem).catch(unlessLost)
    }
    const job: Job = { ...leased, progress: 0 }
    const lost = new AbortController()
    const noting = repeated(
      async () => {
        await noteProgress(database, job, job.progress, leaseMs).catch((error) => {
          if (!(error instanceof LeaseLost)) throw error
          lost.abort(error)
        })
        return noteMs
      },
      // While the database is away nothing is written either; the lease runs out, or is renewed in time.
      () => {},
      noteMs,
    )
    noting.within(noteMs)
    try {
      await carryOut(work, job, AbortSignal.any([stopping.signal, lost.signal]))
    } finally {
      await noting.stop()
    }
  }

  async function clear(): Promise<number> {
    await clearImports(database, () => stopping.signal.aborted)
    return clearingMs
  }

  const loops = [...(['checking', 'running'] as const).map((task) => repeated(() => look(task), parts.failed, lookMs))]
  const clearing = repeated(clear, parts.failed, clearingMs)
  const wake = () => {
    for (const loop of loops) loop.within(0)
  }
  wake()
  clearing.within(0)
  return {
    wake,
    async stop() {
      stopping.abort()
      await Promise.all([...loops, clearing].map((loop) => loop.stop()))
    },
  }
}
