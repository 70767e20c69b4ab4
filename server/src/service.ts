// The running service: database migrated, keys listened for, routes served; and its graceful shutdown.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { allRoutes } from './app.ts'
import { urlOf } from './config.ts'
import { IDEMPOTENCY_CLEARING_MS, IMPORT_CONNECTIONS, SEMAPHORES } from './core/limits.ts'
import { OperatorError } from './core/operator-error.ts'
import { type Connection, connect, type Database } from './database/connect.ts'
import { openDatabase } from './database/open.ts'
import { clearKept, findKept } from './engine/idempotency.ts'
import { keepPurging } from './features/custom-tables/purge.ts'
import { structureCache } from './features/custom-tables/table-schema.ts'
import { feedSubscribers as followersOf } from './features/events/feed-subscribers.ts'
import { keepPartitions } from './features/events/partitions.ts'
import { writeNotifications as wakesOf } from './features/events/write-notifications.ts'
import { type ImportTimes, keepImporting } from './features/imports/importing.ts'
import { worker } from './features/imports/worker.ts'
import { keyCache } from './features/keys/key-store.ts'
import { localProcessor, ProcessorError } from './features/payment-processor/processor.ts'
import { keepRegistering, type RegisteringTimes } from './features/payment-processor/registering.ts'
import type { StripeSettings } from './features/payment-processor/stripe.ts'
import { clearPast } from './features/people/clearing.ts'
import { signInFinder } from './features/people/sign-in-store.ts'
import { planLimits } from './features/plan-limits/plan-limits.ts'
import { startReportRefresh } from './features/reports/refresh.ts'
import type { Resolve } from './features/webhooks/addresses.ts'
import { sender as senderOf } from './features/webhooks/call.ts'
import { Dispatcher } from './features/webhooks/dispatcher.ts'
import type { RetryDelay } from './features/webhooks/results.ts'
import { targets } from './features/webhooks/target.ts'
import { drain } from './http/connection/graceful-close.ts'
import { createServer, type ServerParts } from './http/server.ts'
import { sealOf } from './seal.ts'
import { agreeOnSecret } from './secret.ts'

const importProgram = new URL('import-worker.ts', import.meta.url)

/** Where the service listens, its log, its secret keys, and its limits. */
export interface ServiceSettings extends Pick<ServerParts, 'trustProxy' | 'sockets' | 'bounds'> {
  readonly host: string
  readonly port: number
  readonly log: Logger
  /** The first seals, all open. */
  readonly secretKeys: readonly string[]
  /** Requests per second for each key; 0, the default, means no limit. */
  readonly rateLimit?: number
  /** Milliseconds between two clearings of old idempotency keys; default `IDEMPOTENCY_CLEARING_MS`. */
  readonly clearingMs?: number
  /** The payment processor, and its retries; without it companies are only numbered. */
  readonly stripe?: StripeSettings | undefined
  readonly registering?: RegisteringTimes
  /** Non-public addresses and networks that webhooks may be sent to. */
  readonly webhookAllow?: readonly string[]
  /** Replaces the name servers, for the names of webhooks' targets. */
  readonly resolveTarget?: Resolve
  /** When failed webhooks are retried, instead of decisions §9; and whether this server sends any (the default). */
  readonly webhooks?: { readonly retryDelay?: RetryDelay; readonly isSending?: boolean }
  /**
   * When imports are looked for and taken over, instead of limits.ts; and whether this server executes any (the
   * default).
   */
  readonly importing?: ImportTimes & { readonly isWorking?: boolean }
  /** Another clock for the rate limit, in milliseconds. */
  readonly now?: () => number
}

export interface Service {
  /** `http://127.0.0.1:8080`, with the actual port. */
  readonly url: string
  readonly database: Database
  /** Takes no new connections, answers requests in flight, closes the database's connections. */
  close(): Promise<void>
}

/** Starts the service. Throws OperatorError if the address is taken or the database cannot be used. */
export async function startService(
  connection: Connection,
  {
    host,
    port,
    log,
    secretKeys,
    rateLimit = 0,
    now,
    trustProxy,
    sockets,
    bounds,
    clearingMs,
    webhookAllow = [],
    resolveTarget,
    ...settings
  }: ServiceSettings,
): Promise<Service> {
  const processor = await processorOf(settings)
  const database = await openDatabase(connection, (message) => log.info(message))
  const triggers = await agreeOnSecret(database, secretKeys).catch(async (error) => {
    await database.close()
    throw error
  })
  if (secretKeys.length > 1) log.info({ triggers }, 'secrets of triggers resealed with the first secret key')
  const seal = sealOf(secretKeys)
  const callable = targets({ allowed: webhookAllow, resolve: resolveTarget })
  const keys = keyCache(database)
  const structures = structureCache(database)
  structures.listen()
  const plans = planLimits(database)
  plans.listen()
  const wakes = wakesOf(database)
  const followers = followersOf(wakes)
  const sender = senderOf({ targets: callable })
  const { isSending = true, retryDelay } = settings.webhooks ?? {}
  const dispatcher = isSending
    ? new Dispatcher(database, {
        seal,
        sender,
        notifications: wakes,
        failed: (error) => log.warn({ err: error }, 'webhook dispatch failed; retrying'),
        retryDelay,
      })
    : undefined
  const reports = startReportRefresh(database, {
    wakes,
    failed: (error) => log.warn({ err: error }, 'report refresh failed; retrying'),
  })
  const purging = keepPurging(database, (error) => log.warn({ err: error }, 'purging deleted tables failed; retrying'))
  const registering = keepRegistering(database, processor, registeredLater(log), settings.registering)
  // On separate connections, so that no other request waits for a file.
  const importDatabase = connect(connection, { size: IMPORT_CONNECTIONS })
  const failedImport = (error: unknown) =>
    log.warn({ err: error }, 'import failed; retrying unless it is out of attempts')
  const { isWorking = true, ...importTimes } = settings.importing ?? {}
  const newWorker = () => worker(importProgram, connection, { wrote: wakes.wake, failed: failedImport })
  const importing = isWorking
    ? keepImporting(importDatabase, { worker: newWorker, failed: failedImport }, importTimes)
    : undefined
  const keep = () =>
    keepPartitions(database).catch((error) => log.warn({ err: error }, 'creating event partitions failed; retrying'))
  await keep()
  const keeping = setInterval(keep, 60 * 60 * 1000)
  let isOver = false
  let pastCleared = Promise.resolve()
  const clear = () => {
    clearKept(database, () => isOver).catch((error) =>
      log.warn({ err: error }, 'removing old idempotency keys failed; retrying'),
    )
    pastCleared = clearPast(database, () => isOver).catch((error) =>
      log.warn({ err: error }, 'removing ended sign-ins and links failed; retrying'),
    )
  }
  // The first run is not awaited: after a long pause it may take long.
  clear()
  const clearing = setInterval(clear, clearingMs ?? IDEMPOTENCY_CLEARING_MS)

  async function listening(): Promise<FastifyInstance> {
    const built = createServer({
      routes: allRoutes(database, {
        listBounds: bounds?.semaphores?.list ?? SEMAPHORES.list,
        structures,
        plans,
        followers,
        seal,
        callable,
        wake: wakes.wake,
        sumUp: reports.goOn,
        imports: { stored: importDatabase, wake: () => importing?.wake() },
      }),
      findKey: keys.find,
      findSignIn: signInFinder(database),
      keyUsed: keys.used,
      wrote: wakes.wake,
      findKept: findKept(database),
      seal,
      log,
      ...(rateLimit > 0 && { rateLimit: { perSecond: rateLimit, ...(now && { now }) } }),
      trustProxy,
      sockets,
      bounds,
    })
    await built.listen({ host, port })
    return built
  }

  async function release(): Promise<void> {
    isOver = true
    clearInterval(keeping)
    clearInterval(clearing)
    purging.stop()
    await Promise.all([reports.stop(), dispatcher?.stop(), importing?.stop(), pastCleared])
    sender.close()
    await Promise.all([keys.close(), structures.close(), plans.close(), wakes.close(), registering.stop()])
    await Promise.all([importDatabase.close(), database.close()])
  }

  const server = await listening().catch(async (error: NodeJS.ErrnoException) => {
    await release()
    throw error.syscall === undefined ? error : cannotListen(error, host, port)
  })
  const address = server.server.address() as AddressInfo
  return {
    url: urlOf(host, address.port),
    database,
    async close() {
      // Requests that wait for events are answered with what there is, so that they do not delay the shutdown.
      followers.close()
      await drain(server.server)
      await server.close()
      await release()
    },
  }
}

/** Stripe's SDK is loaded only where it is used. */
async function processorOf({ stripe }: Pick<ServiceSettings, 'stripe'>) {
  if (stripe === undefined) return localProcessor
  const { stripeProcessor } = await import('./features/payment-processor/stripe.ts')
  return stripeProcessor(stripe)
}

/** Only the message of the processor's refusals is logged: other parts of such an error may contain a secret. */
const registeredLater = (log: Logger) => (error: unknown, companyId?: string) =>
  log.warn(
    { companyId, ...(error instanceof ProcessorError ? { reason: error.message } : { err: error }) },
    'creating a customer at the payment processor failed; retrying',
  )

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): OperatorError {
  if (code === 'EADDRINUSE')
    return new OperatorError(
      `Port ${port} on ${host} is taken. Set PORT to another one, or stop the program that uses it.`,
    )
  if (code === 'EACCES') return new OperatorError(`This user may not open port ${port}. Set PORT to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorError(`This machine has no address ${host}. Set HOST to one that it has, such as 127.0.0.1.`)
  return new OperatorError(`The service cannot listen on ${host}:${port}: ${message}.`)
}
