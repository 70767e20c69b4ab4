// One worker process of a server: it serves on the port that all workers share, until the primary stops it or is gone.
import { OperatorError } from '../core/operator-error.ts'
import { workerShare } from '../core/worker-share.ts'
import type { ProcessFamilies } from '../metrics/exposition.ts'
import { BorrowedQuota } from './borrowed-quota.ts'
import type { WorkerOrder, WorkerReport, WorkerSettings } from './messages.ts'

/** Milliseconds from the order to stop to the end of the process: the primary's own limit is some later. */
const STOP_MS = 8_500

/** Only one worker runs imports, which take memory of their own, and which others store: it looks for them more often. */
const IMPORT_LOOK_MS = 500
const isFirst = workerShare.number === 1
const importing = isFirst ? { lookMs: IMPORT_LOOK_MS } : { isWorking: false }
/** Each export holds a snapshot of the database. */
const exporting = { isWorking: isFirst }

const started = Promise.withResolvers<WorkerSettings>()
const stopped = Promise.withResolvers<void>()
let isOrdered = false
let quota: BorrowedQuota | undefined
let metrics: ProcessFamilies | undefined
let isStopping = false

function stop(): void {
  if (isStopping) return
  isStopping = true
  if (!isOrdered) process.exit(0)
  setTimeout(() => process.exit(0), STOP_MS).unref()
  stopped.resolve()
}

process.on('message', (order: WorkerOrder) => {
  if (order.kind === 'stop') return stop()
  if (order.kind === 'lend') return quota?.receive(order.loans)
  if (order.kind === 'count') return void reportCounted()
  if (order.kind === 'ping') return void report({ kind: 'pong' })
  isOrdered = true
  started.resolve(order.settings)
})
// The primary was killed, or was asked twice to stop.
process.on('disconnect', () => {
  if (isStopping) process.exit(1)
  stop()
})
process.on('SIGTERM', stop)
// A terminal sends these to the whole process group; the primary says what follows.
for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => {})
// The reader of the log may be gone.
process.stderr.on('error', () => {})

/** Sends a message to the primary, if it is there. */
const report = (message: WorkerReport) => new Promise<void>((resolve) => void process.send?.(message, () => resolve()))

/** Reports what this worker has counted, if metrics are on. */
async function reportCounted(): Promise<void> {
  if (metrics) await report({ kind: 'counted', families: await metrics.read() })
}

async function serve(): Promise<void> {
  const [settings, { startService }, { createLog }] = await Promise.all([
    started.promise,
    import('../service.ts'),
    import('../log.ts'),
  ])
  const { connection, logLevel, isMeasured, ...others } = settings
  if (isMeasured) metrics = (await import('../metrics/exposition.ts')).processFamilies()
  const log = await createLog(logLevel, workerShare.number)
  quota = new BorrowedQuota(settings.rateLimit, (wants) => void report({ kind: 'borrow', wants }))
  const { bucketsOf } = quota
  const service = await startService(connection, { ...others, sharesPort: true, bucketsOf, importing, exporting, log })
  await report({ kind: 'listening' })
  await stopped.promise
  await service.close()
  await reportCounted()
}

try {
  await serve()
  process.exit(0)
} catch (error) {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  await report({ kind: 'failed', failure: { isOfOperator: error instanceof OperatorError, message, stack } })
  process.exit(1)
}
