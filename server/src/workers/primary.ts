// The primary process of a server with several workers: it starts them, replaces one that dies or hangs, and ends them together.
import { type ChildProcess, fork } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Config, urlOf } from '../config.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { Connection } from '../database/connect.ts'
import { claimPort } from '../http/connection/port.ts'
import { appendLines } from '../log.ts'
import { openWithSecret } from '../secret.ts'
import type { Service } from '../service.ts'
import type { StartFailure, WorkerOrder, WorkerReport, WorkerSettings } from './messages.ts'
import { runningWorkers, WorkerFamilies, workerRestarts } from './metrics.ts'
import { QuotaLender } from './quota-lender.ts'
import { Watchdog } from './watchdog.ts'

const program = fileURLToPath(new URL('worker.ts', import.meta.url))
/** Milliseconds before a worker that died is replaced: at first, and at most while its successors die soon. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A worker that lived this many milliseconds did not end because of its start. */
const STEADY_MS = 60_000

/** What the workers are started with. */
interface PrimarySettings extends Config {
  readonly log: Logger
}

/**
 * Starts the workers, and resolves when all of them listen. The database is migrated before. Throws the first failure
 * of a worker that cannot start.
 */
export async function startWorkers(connection: Connection, settings: PrimarySettings): Promise<Service> {
  const { log, workers: count, metrics, ...config } = settings
  const { host, secretKeys } = config
  const database = await openWithSecret(connection, secretKeys, log)
  const shared = await claimPort(host, config.port).catch(async (error) => {
    await database.close()
    throw error
  })
  const start = { ...config, port: shared.port, connection, isMeasured: metrics !== undefined }
  const workers = new Workers(start, count, log)
  const close = async () => {
    await workers.stop()
    shared.release()
    await database.close()
  }
  await workers.allListening.catch(async (error) => {
    await close()
    throw error
  })
  return { url: urlOf(host, shared.port), database, readWorkers: () => workers.families(), close }
}

/** How a worker ended: in words, and what it reported. */
interface WorkerEnd {
  readonly how: string
  /** Whether a signal asked it to stop, and it answered what it had. */
  readonly isOrderly: boolean
  readonly failure: Error | undefined
}

/** The workers of a server, each with a number that its successors keep. */
class Workers {
  readonly #settings: WorkerSettings
  readonly #count: number
  readonly #log: Logger
  readonly #stopping = new AbortController()
  readonly #running = new Map<ChildProcess, number>()
  readonly #counted = new WorkerFamilies()
  readonly #quota: QuotaLender
  readonly #kept: Promise<void>[]
  /** Resolves when each has listened once; rejects when one cannot. */
  readonly allListening: Promise<unknown>

  constructor(settings: WorkerSettings, count: number, log: Logger) {
    this.#settings = settings
    this.#count = count
    this.#log = log
    this.#quota = new QuotaLender(settings.rateLimit)
    const starts = Array.from({ length: count }, () => Promise.withResolvers<void>())
    this.allListening = Promise.all(starts.map(({ promise }) => promise))
    this.#kept = starts.map((start, index) => this.#keep(index + 1, start))
    process.on('exit', this.#kill)
  }

  /** Ends all workers once the requests in flight are answered. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const worker of this.#running.keys()) order(worker, { kind: 'stop' })
    await Promise.all(this.#kept)
    process.off('exit', this.#kill)
  }

  /** What the workers have counted so far, those that have ended included. */
  async families() {
    const asked = [...this.#running].map(([worker, number]) =>
      this.#counted.read(number, () => order(worker, { kind: 'count' })),
    )
    await Promise.all(asked)
    return this.#counted.all()
  }

  /** When the primary ends without waiting, so do they: one that hangs would not notice. */
  readonly #kill = (): void => {
    for (const worker of this.#running.keys()) worker.kill('SIGKILL')
  }

  /**
   * Runs a worker, and another one when it ends: with a longer delay the sooner it ends again. The first one must listen,
   * or the server does not start.
   */
  async #keep(number: number, start: PromiseWithResolvers<void>): Promise<void> {
    const { signal } = this.#stopping
    let hasListened = false
    const listens = () => {
      hasListened = true
      start.resolve()
    }
    let pauseMs = FIRST_PAUSE_MS
    while (!signal.aborted) {
      const since = performance.now()
      const { how, isOrderly, failure } = await this.#run(number, listens).catch(notStarted)
      if (!hasListened) return start.reject(failure ?? new Error(`Worker ${number} ${how} before it listened.`))
      if (signal.aborted) return
      if (performance.now() - since > STEADY_MS) pauseMs = FIRST_PAUSE_MS
      if (isOrderly) {
        this.#log.info({ worker: number }, 'a worker was stopped by a signal; another one starts')
        continue
      }
      workerRestarts.value++
      this.#log.error({ worker: number, reason: how }, `a worker ended; another one starts in ${pauseMs / 1000} s`)
      await delay(pauseMs, undefined, { signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  async #run(number: number, listens: () => void): Promise<WorkerEnd> {
    const worker = startProcess(number, this.#count)
    this.#running.set(worker, number)
    runningWorkers.value++
    let failure: Error | undefined
    const ask = () => order(worker, { kind: 'ping' })
    const watchdog = new Watchdog({ ask, hangs: () => worker.kill('SIGKILL') })
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'listening') {
        listens()
        watchdog.begin()
      } else if (report.kind === 'pong') watchdog.answered()
      else if (report.kind === 'borrow')
        order(worker, { kind: 'lend', loans: report.wants.map((want) => this.#quota.lend(number, want)) })
      else if (report.kind === 'counted') this.#counted.receive(number, report.families)
      else failure = errorOf(report.failure)
    })
    if (worker.stderr) forEachLine(worker.stderr, (line) => appendLines(this.#log, line))
    order(worker, { kind: 'start', settings: this.#settings })
    const how = await endOf(worker)
    watchdog.stop()
    this.#running.delete(worker)
    runningWorkers.value--
    await this.#counted.end(number)
    const died = watchdog.isHanging ? 'did not answer for half a minute' : how
    return { how: failure?.message ?? died, isOrderly: worker.exitCode === 0, failure }
  }
}

/** Some errors, such as ENOMEM, are thrown when a process is started; the others are events of it. */
const notStarted = ({ message }: Error): WorkerEnd => ({
  how: `could not be started (${message})`,
  isOrderly: false,
  failure: undefined,
})

/** Starts the process. Its log comes through a pipe: this process writes the lines of all workers. */
function startProcess(number: number, count: number): ChildProcess {
  return fork(program, [`worker ${number} of ${count}`], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/** Resolves when a process has ended and its log is read, and says how it ended. */
function endOf(worker: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    worker.once('close', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`))
    // Other errors, such as a signal that could not be sent, do not end it.
    worker.on('error', (error) => {
      if (worker.pid === undefined) resolve(`could not be started (${error.message})`)
    })
  })
}

/** Sends an order; a worker that is ending needs none. */
function order(worker: ChildProcess, message: WorkerOrder): void {
  if (worker.connected) worker.send(message, () => {})
}

function errorOf({ isOfOperator, message, stack }: StartFailure): Error {
  return isOfOperator ? new OperatorError(message) : Object.assign(new Error(message), { stack })
}

/** Calls `take` with each whole line of a stream, so that what several processes write is never mixed within a line. */
function forEachLine(stream: Readable, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    if (end === 0) rest += text
    else {
      for (const line of (rest + text.slice(0, end)).split(/(?<=\n)/)) take(line)
      rest = text.slice(end)
    }
  })
  stream.on('end', () => {
    if (rest !== '') take(`${rest}\n`)
  })
}
