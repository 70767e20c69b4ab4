// The running service: database migrated, keys listened for, routes served; and its graceful shutdown.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Logger } from 'pino'
import { allRoutes } from './app.ts'
import { type BackgroundSettings, type BackgroundWork, startBackgroundWork } from './background-work.ts'
import { type Config, urlOf } from './config.ts'
import type { Seal } from './core/idempotency-claim.ts'
import { SEMAPHORES } from './core/limits.ts'
import { OperatorError } from './core/operator-error.ts'
import { workerShare } from './core/worker-share.ts'
import { type Connection, connect, type Database } from './database/connect.ts'
import { hasCitus } from './database/distribute.ts'
import { logOutages } from './database/listen.ts'
import { rowSecurityIsOn } from './database/metrics.ts'
import { connectIsolated, missingOfPooler, ownerPools } from './database/row-security/isolated.ts'
import { setUpRowSecurity } from './database/row-security/set-up.ts'
import { findKept } from './engine/idempotency.ts'
import { SchemaCache } from './features/custom-tables/schema-cache.ts'
import { feedSubscribers } from './features/events/feed-subscribers.ts'
import { writeNotifications } from './features/events/write-notifications.ts'
import { EXPORT_CONNECTIONS } from './features/exports/worker.ts'
import { type ObjectStore, objectStore } from './features/files/object-store.ts'
import type { ObjectStoreSettings } from './features/files/settings.ts'
import { IMPORT_CONNECTIONS } from './features/imports/limits.ts'
import { KeyCache } from './features/keys/key-cache.ts'
import { KeyRequestLog } from './features/keys/request-log.ts'
import { outboxOf } from './features/mail/outbox.ts'
import type { MailSettings } from './features/mail/settings.ts'
import { openIdProvider } from './features/openid/provider.ts'
import type { OpenIdSettings } from './features/openid/settings.ts'
import { localProcessor } from './features/payment-processor/processor.ts'
import type { StripeSettings } from './features/payment-processor/stripe.ts'
import { noteIssuer } from './features/people/identities.ts'
import { signInFinder } from './features/people/sign-ins.ts'
import { isOfSso } from './features/people/sso-routes.ts'
import { planLimits } from './features/plan-limits/plan-limits.ts'
import { type Targets, targets } from './features/webhooks/target.ts'
import type { Buckets } from './http/auth/token-buckets.ts'
import { drain } from './http/connection/graceful-close.ts'
import { cannotListen } from './http/connection/port.ts'
import type { Resolve } from './http/public-addresses.ts'
import { createServer, type ServerParts } from './http/server.ts'
import type { Family } from './metrics/instruments.ts'
import { sealOf } from './seal.ts'
import { openWithSecret } from './secret.ts'
import { tracing } from './tracing/tracer.ts'
import { version } from './version.ts'
import { allocateArraysYoung } from './young-arrays.ts'

/** Where the service listens, its log, its secret keys, and its limits. */
export interface ServiceSettings
  extends Pick<ServerParts, 'trustProxy' | 'corsOrigins' | 'sockets' | 'bounds'>,
    BackgroundSettings {
  readonly host: string
  readonly port: number
  /** Whether other processes listen on the same port; the kernel divides the connections among them. */
  readonly sharesPort?: boolean
  readonly log: Logger
  /** The first seals, all open. */
  readonly secretKeys: readonly string[]
  /** Requests per second for each key; 0, the default, means no limit. */
  readonly rateLimit?: number
  /** The payment processor; without it companies are only numbered. */
  readonly stripe?: StripeSettings | undefined
  /** The mail server; without it no mail is sent. */
  readonly mail?: MailSettings | undefined
  /** The OpenID provider at which people sign in; without it there is no single sign-on. */
  readonly openId?: OpenIdSettings | undefined
  /** The object store of attachments' files; without it they are in the database. */
  readonly files?: ObjectStoreSettings | undefined
  /** Non-public addresses and networks that webhooks may be sent to. */
  readonly webhookAllow?: readonly string[]
  /** Replaces the name servers, for the names of webhooks' targets. */
  readonly resolveTarget?: Resolve
  /** Another clock for the rate limit, in milliseconds. */
  readonly now?: () => number
  /**
   * Whether the database keeps companies apart by row-level security. Where it cannot, the log says so; if it is
   * required, the start fails.
   */
  readonly rowSecurity?: Config['rowSecurity']
  /** Traces are sent, by the environment's OTEL_EXPORTER_OTLP_…; without it nothing is traced. */
  readonly traces?: Config['traces'] | undefined
  /** Where the requests of a limit are counted, if several processes share it. */
  readonly bucketsOf?: (limit: string) => Buckets
}

export interface Service {
  /** `http://127.0.0.1:8080`, with the actual port. */
  readonly url: string
  readonly database: Database
  /** Reads what its worker processes have counted; absent where one process does all. */
  readonly readWorkers?: () => Promise<readonly (readonly Family[])[]>
  /** Takes no new connections, answers requests in flight, closes the database's connections. */
  close(): Promise<void>
}

/** What a running service consists of besides its HTTP server. */
interface ServiceParts {
  readonly database: Database
  /** On separate connections, so that no other request waits for a file. */
  readonly importDatabase: Database
  readonly seal: Seal
  readonly objects: ObjectStore | undefined
  readonly callable: Targets
  readonly keys: KeyCache
  readonly keyRequests: KeyRequestLog
  readonly schemas: SchemaCache
  readonly plans: ReturnType<typeof planLimits>
  readonly notifications: ReturnType<typeof writeNotifications>
  readonly followers: ReturnType<typeof feedSubscribers>
  readonly background: BackgroundWork
  /** Aborted once the service has been asked to end. */
  readonly ending: AbortController
}

/** Starts the service. Throws OperatorError if the address is taken or the database cannot be used. */
export async function startService(connection: Connection, settings: ServiceSettings): Promise<Service> {
  const { host, port } = settings
  allocateArraysYoung()
  await beginTraces(settings)
  const parts = await startParts(connection, settings)
  const server = await startServer(parts, settings).catch(async (error: NodeJS.ErrnoException) => {
    await release(parts)
    throw error.syscall === undefined ? error : cannotListen(error, host, port)
  })
  const address = server.server.address() as AddressInfo
  return {
    url: urlOf(host, address.port),
    database: parts.database.owner,
    async close() {
      parts.ending.abort()
      // Requests that wait for events are answered with what there is, so that they do not delay the shutdown.
      parts.followers.close()
      await drain(server.server)
      await server.close()
      await release(parts)
      await tracing.tracer?.close()
    },
  }
}

/** Opens the database, fills the caches that notifications keep true, and starts the background work. */
async function startParts(given: Connection, settings: ServiceSettings): Promise<ServiceParts> {
  const { log, secretKeys, webhookAllow = [], resolveTarget } = settings
  const processor = await processorOf(settings)
  const { database, connection } = await openApart(given, settings)
  const { owner } = database
  await noteIssuer(owner, settings.openId?.issuer)
  const problem = await database.replicaProblem()
  if (problem !== undefined) log.warn(`the replica of DATABASE_READ_URL is not used for now: ${problem}`)
  const { missing, all } = await missingOfPooler(connection)
  if (missing > 0)
    log.warn(
      `DATABASE_URL does not serve ${missing} of the ${all} connections that this server uses, so requests will get 503 under load; raise default_pool_size of the pooler (docs/clusters.md, Poolers) or max_connections`,
    )
  logOutages(owner, connection, log)
  const seal = sealOf(secretKeys)
  const objects = settings.files && objectStore(settings.files)
  const callable = targets({ allowed: webhookAllow, resolve: resolveTarget })
  const keys = new KeyCache(owner)
  const keyRequests = new KeyRequestLog(owner, log)
  const schemas = new SchemaCache(database)
  schemas.listen()
  const plans = planLimits(owner)
  plans.listen()
  const notifications = writeNotifications(owner)
  const followers = feedSubscribers(notifications)
  const importDatabase = connectIsolated(connection, { size: IMPORT_CONNECTIONS + EXPORT_CONNECTIONS, name: 'imports' })
  const background = await startBackgroundWork(
    {
      connection,
      database: owner,
      reaching: database,
      importDatabase: importDatabase.owner,
      processor,
      seal,
      objects,
      callable,
      notifications,
      log,
      mail: settings.mail,
    },
    settings,
  )
  const ending = new AbortController()
  return {
    database,
    importDatabase,
    seal,
    objects,
    callable,
    keys,
    keyRequests,
    schemas,
    plans,
    notifications,
    followers,
    background,
    ending,
  }
}

/** Opens the database, and has it keep companies apart, if that is wanted and possible. */
async function openApart(given: Connection, { rowSecurity = false, secretKeys, log }: ServiceSettings) {
  const owner = await openWithSecret(given, secretKeys, log, rowSecurity === false ? undefined : ownerPools())
  const connection: Connection = { ...given, mode: owner.isSharded ? 'citus' : 'postgresql' }
  if (owner.isSharded && !(await hasCitus(owner)))
    log.warn(
      'CASHWRAP_DATABASE_MODE is citus, but the database does not have Citus: row-level security is off, and writes take more statements. Remove the setting',
    )
  if (!rowSecurity) return { database: owner, connection }
  const warn = (message: string) => log.warn(message)
  const setUp = await setUpRowSecurity(owner, connection, secretKeys, { warn }).catch(async (error) => {
    await owner.close()
    throw error
  })
  rowSecurityIsOn.value = 'login' in setUp ? 1 : 0
  if (!('login' in setUp)) {
    // Where tables are distributed there is nothing to do about it.
    const off = `row-level security is off: ${setUp.problem}`
    const help = setUp.statements === undefined ? '' : '; `cashwrap migrate` says what to do'
    if (rowSecurity === 'required') {
      await owner.close()
      const instead = owner.isSharded ? ' Set CASHWRAP_ROW_SECURITY to on or off.' : ''
      throw new OperatorError(`The server did not start: ${off}${help}.${instead}`)
    }
    if (owner.isSharded) log.info(off)
    else log.warn(`${off}${help}; CASHWRAP_ROW_SECURITY=off keeps it off`)
    // Again, with all connections, since the role has none.
    await owner.close()
    return { database: connect(connection), connection }
  }
  log.info('row-level security keeps companies apart')
  const isolated = { ...connection, rowLogin: setUp.login }
  return { database: connectIsolated(isolated, { open: owner }), connection: isolated }
}

/** Builds the HTTP server and listens. */
async function startServer(parts: ServiceParts, settings: ServiceSettings): Promise<FastifyInstance> {
  const { database, importDatabase, seal, objects, callable, keys, keyRequests, schemas, plans, notifications } = parts
  const { followers, background, ending } = parts
  const { host, port, sharesPort = false, log, rateLimit = 0, now, bucketsOf, trustProxy, corsOrigins } = settings
  const { sockets, bounds, openId } = settings
  const provider = openId && openIdProvider(openId, log)
  const server: FastifyInstance = createServer({
    routes: allRoutes(database, {
      listBounds: bounds?.semaphores?.list ?? SEMAPHORES.list,
      schemas,
      plans,
      followers,
      seal,
      objects,
      callable,
      wake: notifications.wake,
      sumUp: background.refreshReports,
      isDraining: () => ending.signal.aborted,
      askItself: async (asked) => {
        const options = { ...asked, payloadAsStream: true } as InjectOptions
        const { statusCode, raw, stream } = await server.inject(options)
        return { status: statusCode, body: stream(), end: () => raw.res.destroy() }
      },
      imports: { stored: importDatabase, wake: background.wakeImports },
      wakeExports: background.wakeExports,
      outbox: outboxOf(settings.mail, seal),
      provider,
      log,
      keyRequests,
    }).filter((route) => provider !== undefined || !isOfSso(route)),
    findKey: keys.find,
    findSignIn: signInFinder(database.owner),
    keyUsed: keys.used,
    keyRequested: keyRequests.note,
    wrote: notifications.wake,
    findKept: findKept(database),
    seal,
    log,
    ...(rateLimit > 0 && { rateLimit: { perSecond: rateLimit, ...(now && { now }), bucketsOf } }),
    trustProxy,
    corsOrigins,
    sockets,
    bounds,
  })
  // Fastify passes all of it to Node, but its type leaves out the last.
  const address = { host, port, reusePort: sharesPort }
  await server.listen(address)
  return server
}

/** Ends the background work, then the caches, then the connections. */
async function release(parts: ServiceParts): Promise<void> {
  const { background, keys, keyRequests, schemas, plans, notifications, importDatabase, database } = parts
  await background.stop()
  await Promise.all([keys.close(), keyRequests.close(), schemas.close(), plans.close(), notifications.close()])
  await Promise.all([importDatabase.close(), database.close()])
}

/** OpenTelemetry is loaded only where it is used. */
async function beginTraces({ traces, log }: ServiceSettings): Promise<void> {
  if (traces === undefined) return
  const { openTracer } = await import('./tracing/exporter.ts')
  const failed = (reason: string) => log.warn({ reason }, 'sending traces failed; these are lost')
  tracing.tracer = openTracer({ ...traces, version, worker: workerShare.number, failed })
}

/** Stripe's SDK is loaded only where it is used. */
async function processorOf({ stripe }: Pick<ServiceSettings, 'stripe'>) {
  if (stripe === undefined) return localProcessor
  const { stripeProcessor } = await import('./features/payment-processor/stripe.ts')
  return stripeProcessor(stripe)
}
