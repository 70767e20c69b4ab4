// Checks and runs imports: one of each at a time on a server, all companies in turn, and taken over from a server that
// died.

import { backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import {
  IMPORT_CLEARING_MS,
  IMPORT_LEASE_MS,
  IMPORT_LOOK_MS,
  IMPORT_PAUSE_MS,
  IMPORT_TRIES,
} from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'
import { clearImports } from './clearing.ts'
import { fail, giveBack, type Leased, lease, type Task, unlessLost } from './leases.ts'
import { OutOfMemory, type Worker } from './worker.ts'

/** Intervals in milliseconds; their defaults are in limits.ts. */
export interface ImportTimes {
  readonly leaseMs?: number
  readonly lookMs?: number
  readonly clearingMs?: number
}

/** The tasks of each loop: a check does not delay a run, nor a run a check. */
const turns: readonly (readonly Task[])[] = [['checking'], ['running', 'undoing']]

interface ImportingParts {
  /** Makes the worker of imports, one at a time. */
  readonly worker: () => Worker
  /** Called with errors that are retried. */
  readonly failed: Failed
}

interface Importing {
  /** Looks at once for waiting imports. */
  wake(): void
  /** Stops between two steps and releases the lease; resolves when nothing needs the database any more. */
  stop(): Promise<void>
}

/** Runs the loops until it is stopped. */
export function keepImporting(
  database: Database,
  { worker, failed }: ImportingParts,
  { leaseMs = IMPORT_LEASE_MS, lookMs = IMPORT_LOOK_MS, clearingMs = IMPORT_CLEARING_MS }: ImportTimes = {},
): Importing {
  const stopping = new AbortController()

  /** Does one import that waits for one of the tasks, if any, and then returns at once: there may be more. */
  async function look(task: readonly Task[], worker: Worker): Promise<number> {
    const leased = await lease(database, task, leaseMs)
    if (leased === undefined) return lookMs
    await carry(leased, worker)
    // A check may leave something to run, and its company is free for another import.
    wake()
    return 0
  }

  async function carry(leased: Leased, worker: Worker): Promise<void> {
    try {
      if (leased.tries > IMPORT_TRIES)
        return await fail(database, leased, `The import was started ${IMPORT_TRIES} times without progress.`)
      await worker.work(leased, leaseMs, stopping.signal)
    } catch (error) {
      if (error instanceof OutOfMemory)
        return fail(database, leased, `${error.message} Split it into several files.`).catch(unlessLost)
      unlessLost(error)
      failed(error)
      await giveBack(database, leased, { pauseMs: IMPORT_PAUSE_MS, isBlameless: false }).catch(unlessLost)
    }
  }

  async function clear(): Promise<number> {
    await clearImports(database, () => stopping.signal.aborted)
    return clearingMs
  }

  const workers = turns.map((task) => ({ task, worker: worker() }))
  const loops = workers.map(({ task, worker }) => backgroundLoop(() => look(task, worker), failed, lookMs))
  const clearing = backgroundLoop(clear, failed, clearingMs)
  const wake = () => {
    for (const loop of loops) loop.schedule(0)
  }
  wake()
  clearing.schedule(0)
  return {
    wake,
    async stop() {
      stopping.abort()
      await Promise.all([...loops, clearing].map((loop) => loop.stop()))
      await Promise.all(workers.map(({ worker }) => worker.stop()))
    },
  }
}
