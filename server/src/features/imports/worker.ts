// A thread that executes imports: reading a large file delays no request, and running out of memory ends the thread,
// not the server.
import { Worker as Thread } from 'node:worker_threads'
import type { Failed } from '../../concurrency/background-loop.ts'
import { IMPORT_MEMORY_MB, IMPORT_THREAD_IDLE_MS } from '../../core/limits.ts'
import type { Connection } from '../../database/connect.ts'
import type { Leased } from './leases.ts'

/** Executes one import at a time. */
export interface Worker {
  /** Resolves when the end of the import is stored. Throws `OutOfMemory`, or what else ended the thread. */
  work(leased: Leased, leaseMs: number, signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

/** Thrown if an import took more memory than it may. */
export class OutOfMemory extends Error {}

/** Messages to the thread: to execute an import, or to stop. */
export type Reported = { readonly leased: Leased; readonly leaseMs: number } | 'stop'
/** Messages from the thread: a company to which a step was written, an internal error, or that it is done. */
export type WorkerMessage = { readonly wrote: string } | { readonly failed: Fault } | 'done'

/** An error on its way out of the thread, with what the log needs: its code shows what to leave out. */
export type Fault = Pick<NodeJS.ErrnoException, 'name' | 'message' | 'stack' | 'code'>

/** An error as it can be sent. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack, code } = error as NodeJS.ErrnoException
  return { name, message, ...(stack && { stack }), ...(code && { code }) }
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
    async work(leased, leaseMs, signal) {
      clearTimeout(idle)
      thread ??= start()
      const working = thread
      isWorking = true
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
      const report = (message: Reported) => working.postMessage(message)
      const stop = () => report('stop')
      working.on('message', reported).once('error', broken).once('exit', ended)
      signal.addEventListener('abort', stop, { once: true })
      try {
        report({ leased, leaseMs })
        if (signal.aborted) stop()
        await promise
      } finally {
        signal.removeEventListener('abort', stop)
        working.off('message', reported).off('error', broken).off('exit', ended)
        isWorking = false
        idle = setTimeout(end, IMPORT_THREAD_IDLE_MS).unref()
      }
    },
    stop: end,
  }
}
