// Checks and runs imports. A server does one of each at a time, serves all companies in turn, and takes imports over
// from a server that died. Each runs in a thread: reading a large file delays no request, and running out of memory
// ends the thread, not the server.

import { Worker as Thread } from 'node:worker_threads'
import { backgroundLoop, type Failed, firstLookMs } from '../../concurrency/background-loop.ts'
import type { Connection, Database } from '../../database/connect.ts'
import { unlessLost } from '../../database/job-lease.ts'
import { clearImports } from './kept-files.ts'
import { failImport, type ImportTask, isGivenUp, type LeasedImport, lease, releaseLease } from './leases.ts'
import { IMPORT_LEASE_MS, IMPORT_LOOK_MS, IMPORT_PAUSE_MS } from './limits.ts'

/** Megabytes of memory that an import may take: one of 500,000 rows takes a third. */
const IMPORT_MEMORY_MB = 768
/** Milliseconds between two removals of old imports. */
const IMPORT_CLEARING_MS = 60_000
/** Milliseconds for which the thread of imports stays idle before it ends: to start one takes half a second of a core. */
const IMPORT_THREAD_IDLE_MS = 10_000

/** Executes one import at a time. */
export interface Worker {
  /** Resolves when the end of the import is stored. Throws `OutOfMemory`, or what else ended the thread. */
  work(leased: LeasedImport, signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

/** Thrown if an import took more memory than it may. */
class OutOfMemory extends Error {}

/** Messages to the thread: to execute an import, or to stop. */
export type Reported = LeasedImport | 'stop'
/** Messages from the thread: a company to which a step was written, an internal error, or that it is done. */
export type WorkerMessage = { readonly wrote: string } | { readonly failed: ThreadError } | 'done'

/** An error on its way out of the thread, with what the log needs: its code shows what to leave out. */
type ThreadError = Pick<NodeJS.ErrnoException, 'name' | 'message' | 'stack' | 'code'>

/** An error as it can be sent. */
export function faultOf(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack, code } = error as NodeJS.ErrnoException
  return { name, message, ...(stack && { stack }), ...(code && { code }) }
}

/** Waits until a thread reports that its work is done; `ignore` ends the waiting. */
function untilDone(
  thread: Thread,
  { wrote, failed, memoryMb }: { wrote: (companyId: string) => void; failed: Failed; memoryMb: number },
): { done: Promise<void>; ignore: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const reported = (message: WorkerMessage) => {
    if (message === 'done') resolve()
    else if ('wrote' in message) wrote(message.wrote)
    else failed(Object.assign(new Error(message.failed.message), message.failed))
  }
  const broken = (error: Error & { code?: string }) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new OutOfMemory(`The file takes more than ${memoryMb} MB of memory.`)
        : error,
    )
  const ended = () => reject(new Error('The import thread ended unexpectedly.'))
  thread.on('message', reported).once('error', broken).once('exit', ended)
  return { done: promise, ignore: () => void thread.off('message', reported).off('error', broken).off('exit', ended) }
}

/** Makes a worker whose thread runs `program` on the database of `connection`; it starts when there is work. */
export function worker(
  program: URL,
  connection: Connection,
  {
    wrote,
    failed,
    memoryMb = IMPORT_MEMORY_MB,
  }: { wrote: (companyId: string) => void; failed: Failed; memoryMb?: number },
): Worker {
  let thread: Thread | undefined
  let isWorking = false
  let idle: NodeJS.Timeout | undefined

  function start(): Thread {
    const started = new Thread(program, {
      workerData: connection,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    started.once('exit', () => {
      if (thread === started) thread = undefined
    })
    // A failure without work is harmless; without a listener, it would end the server.
    started.on('error', (error) => {
      if (!isWorking) failed(error)
    })
    return started
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    // Later work gets another thread.
    thread = undefined
    await ending?.terminate()
  }

  return {
    async work(leased, signal) {
      clearTimeout(idle)
      thread ??= start()
      const working = thread
      isWorking = true
      const { done, ignore } = untilDone(working, { wrote, failed, memoryMb })
      const report = (message: Reported) => working.postMessage(message)
      const stop = () => report('stop')
      signal.addEventListener('abort', stop, { once: true })
      try {
        report(leased)
        if (signal.aborted) stop()
        await done
      } finally {
        signal.removeEventListener('abort', stop)
        ignore()
        isWorking = false
        idle = setTimeout(end, IMPORT_THREAD_IDLE_MS).unref()
      }
    },
    stop: end,
  }
}

/** Intervals in milliseconds, instead of the limits. */
export interface ImportTimes {
  readonly lookMs?: number
  readonly clearingMs?: number
}

/** The tasks of each loop: a check does not delay a run, nor a run a check. */
const turns: readonly (readonly ImportTask[])[] = [['checking'], ['running', 'undoing']]

interface ImportingParts {
  /** Makes the worker of imports, one at a time. */
  readonly worker: () => Worker
  /** Called with errors of an import, which is retried. */
  readonly failed: Failed
  /** Called with errors of looking for imports and of removing old ones, which is retried. */
  readonly lookFailed: Failed
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
  { worker, failed, lookFailed }: ImportingParts,
  { lookMs = IMPORT_LOOK_MS, clearingMs = IMPORT_CLEARING_MS }: ImportTimes = {},
): Importing {
  const stopping = new AbortController()

  /** Does one import that waits for one of the tasks, if any, and then returns at once: there may be more. */
  async function look(task: readonly ImportTask[], worker: Worker): Promise<number> {
    const leased = await lease(database, task, IMPORT_LEASE_MS)
    if (leased === undefined) return lookMs
    await execute(leased, worker)
    // A check may leave something to run, and its company is free for another import.
    wake()
    return 0
  }

  async function execute(leased: LeasedImport, worker: Worker): Promise<void> {
    try {
      if (await isGivenUp(database, leased)) return
      await worker.work(leased, stopping.signal)
    } catch (error) {
      if (error instanceof OutOfMemory)
        return failImport(database, leased, `${error.message} Split it into several files.`).catch(unlessLost)
      unlessLost(error)
      failed(error)
      await releaseLease(database, leased, { pauseMs: IMPORT_PAUSE_MS, isBlameless: false }).catch(unlessLost)
    }
  }

  async function clear(): Promise<number> {
    await clearImports(database, () => stopping.signal.aborted)
    return clearingMs
  }

  const workers = turns.map((task) => ({ task, worker: worker() }))
  const loops = workers.map(({ task, worker }) => backgroundLoop(() => look(task, worker), lookFailed, lookMs))
  const clearing = backgroundLoop(clear, lookFailed, clearingMs)
  const wake = () => {
    for (const loop of loops) loop.schedule(0)
  }
  for (const loop of [...loops, clearing]) loop.schedule(firstLookMs())
  return {
    wake,
    async stop() {
      stopping.abort()
      await Promise.all([...loops, clearing].map((loop) => loop.stop()))
      await Promise.all(workers.map(({ worker }) => worker.stop()))
    },
  }
}
