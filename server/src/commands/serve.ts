// `cashwrap serve`: the service from its start to its shutdown, and what it prints.
import { styleText } from 'node:util'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Logger } from 'pino'
import { type Config, readConfig, urlOf, workersExpected, workersIn } from '../config.ts'
import { shellWord } from '../core/shell-word.ts'
import type { FirstTenant } from '../features/tenants/tenants.ts'
import type { ServerMetrics } from '../metrics-of-server.ts'
import type { Service } from '../service.ts'
import { version } from '../version.ts'
import { describe, type Output, print } from './output.ts'
import { stopSignal } from './stop-signal.ts'
import { reachPostgres } from './with-database.ts'

const settings = `
Settings are environment variables:
  HOST                  address to listen on (127.0.0.1)
  PORT                  port to listen on, 0 for any free one (8080)
  CASHWRAP_WORKERS      processes that serve: 1 to 64, or auto, which is half of the cores (1)
  CASHWRAP_DATA         folder of the embedded PostgreSQL (data in the checkout)
  DATABASE_URL          your own PostgreSQL instead, postgres://user:password@host:5432/database
  DATABASE_DIRECT_URL   the same past a pooler, if DATABASE_URL leads through one (none)
  DATABASE_READ_URL     a replica of it that answers lists and searches (none)
  CASHWRAP_ARCHIVE      folder to which the embedded PostgreSQL archives its log, for restores to a point in time (none)
  CASHWRAP_ROW_SECURITY  on, required or off: whether PostgreSQL keeps companies apart too (on with DATABASE_URL, else off)
  CASHWRAP_SECRET_KEY   encrypts secrets in the database; required with DATABASE_URL (the file secret in CASHWRAP_DATA)
  CASHWRAP_RATE_LIMIT   requests per second for each key, 0 for no limit (0; with DATABASE_URL 1000)
  CASHWRAP_TRUST_PROXY  addresses or networks of trusted reverse proxies, separated by commas (none)
  CASHWRAP_CORS_ORIGINS   origins whose pages may call private endpoints from a browser, separated by commas (none)
  CASHWRAP_WEBHOOK_ALLOW  non-public addresses or networks that webhooks may go to, separated by commas (none)
  CASHWRAP_METRICS      address and port at which Prometheus reads /metrics, such as 127.0.0.1:9464 (none)
  OTEL_EXPORTER_OTLP_ENDPOINT  where traces are sent, such as http://127.0.0.1:4318 (none)
  OTEL_SERVICE_NAME            the name in traces (cashwrap)
  OTEL_TRACES_SAMPLER_ARG      part of the traces that begin here, 0 to 1 (1)
  CASHWRAP_STRIPE_SECRET_KEY  a Stripe key; companies become Stripe customers (companies are only numbered)
  CASHWRAP_STRIPE_API_BASE    another base URL of Stripe's API (https://api.stripe.com)
  CASHWRAP_SMTP_URL     mail server, smtp://user:password@host:587 or smtps://…:465 (none: links are shown to copy)
  CASHWRAP_MAIL_FROM    sender of mails, such as pos@example.com (required with CASHWRAP_SMTP_URL)
  CASHWRAP_PUBLIC_URL   where people open the console, such as https://pos.example.com: links in mails and of commands
                        begin with it (HOST and PORT; required with CASHWRAP_SMTP_URL)
  CASHWRAP_OIDC_ISSUER  an OpenID provider at which people sign in, by its https URL (none: no single sign-on)
  CASHWRAP_OIDC_CLIENT_ID, CASHWRAP_OIDC_CLIENT_SECRET   this service as its client (required with the issuer)
  CASHWRAP_OIDC_LABEL   what people call it (single sign-on)
  CASHWRAP_OIDC_IS_SECOND_FACTOR  whether it requires a second factor of each person, true or false (false)
  CASHWRAP_FILES        bucket for files of attachments, s3://bucket/prefix?endpoint=https://…&region=… (none: the database)
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY   the key to it (required with CASHWRAP_FILES)
  AWS_SESSION_TOKEN     belongs to that key, if it has one (none)
  AWS_REGION            region of the bucket, if CASHWRAP_FILES has none (us-east-1)
  LOG_LEVEL             fatal, error, warn, info, debug, trace or silent (info)`

export function addServe(program: Command): void {
  describe(program.command('serve'), 'start the service', 'PORT=9000 cashwrap serve')
    .addOption(new Option('--workers <number>', `processes that serve: ${workersExpected}`).argParser(readWorkers))
    .addHelpText('after', settings)
    .action(serve)
}

function readWorkers(text: string): number {
  const workers = workersIn(text)
  if (workers === undefined) throw new InvalidArgumentError(`It must be ${workersExpected}.`)
  return workers
}

/** Starts the service in this process, or, with several workers, as its primary process. */
const start = async (workers: number) =>
  workers === 1 ? (await import('../service.ts')).startService : (await import('../workers/primary.ts')).startWorkers

interface ServeOptions extends Output {
  readonly workers?: number
}

async function serve({ workers: asked, ...output }: ServeOptions): Promise<void> {
  const stop = stopSignal()
  const read = readConfig()
  const config = { ...read, workers: asked ?? read.workers }
  const { createLog } = await import('../log.ts')
  const log = await createLog(config.logLevel)
  // First of all, so that a port that is taken ends the start before anything else begins.
  const metrics = config.metrics && (await (await import('../metrics-of-server.ts')).openMetrics(config.metrics))
  try {
    await serveOn(config, { log, stop, output, metrics })
  } finally {
    await metrics?.close()
  }
  log.info('stopped')
}

/** Keeps the archive of the embedded database, or none. */
async function keepArchive(
  { archive }: Config,
  { service, store, log }: { service: Service; store: Awaited<ReturnType<typeof reachPostgres>>; log: Logger },
) {
  if (store.cluster === undefined) return undefined
  const { watchArchive } = await import('../database/backup/archive-watch.ts')
  return watchArchive(service.database, { archive, cluster: store.cluster, log })
}

/** Looks whether the object store can be used; tills sell meanwhile. */
async function checkFiles({ files }: Config, log: Logger): Promise<void> {
  if (files === undefined) return
  const { objectStore, warnOfStore } = await import('../features/files/object-store.ts')
  await warnOfStore(objectStore(files), log)
}

/** What a server is started with. */
interface Started {
  readonly log: Logger
  readonly stop: ReturnType<typeof stopSignal>
  readonly output: Output
  readonly metrics: ServerMetrics | undefined
}

/** Starts the service and its database, prints where they are, and ends both when it is asked to. */
async function serveOn(config: Config, { log, stop, output, metrics }: Started): Promise<void> {
  // PostgreSQL starts while the rest of the program is loaded.
  const [store, startService, { readSecretKeys }, { createFirstTenant, countCompanies }, { firstLink }] =
    await Promise.all([
      reachPostgres(config, (message) => log.info(message), { isService: true, warn: (message) => log.error(message) }),
      start(config.workers),
      import('../secret.ts'),
      import('../features/tenants/tenants.ts'),
      import('../features/people/links.ts'),
      import('./build-console.ts').then(({ buildConsole }) => buildConsole(log)),
    ])
  try {
    if (stop.aborted) return
    if (store.cluster !== undefined && config.archive !== undefined)
      await (await import('../database/backup/folder.ts')).requireOutside(store.cluster, config.archive)
    const service = await startService(store.connection, { ...config, secretKeys: await readSecretKeys(config), log })
    checkFiles(config, log)
    const mode = service.database.isSharded ? 'citus' : 'postgresql'
    metrics?.begin({ ...store.connection, mode }, log, service.readWorkers ?? (async () => []))
    const archiving = await keepArchive(config, { service, store, log })
    try {
      const first = await createFirstTenant(service.database)
      const link = await firstLink(service.database)
      const companies = await countCompanies(service.database)
      const found = { url: service.url, companies, database: store.place }
      const pages = {
        reference: `${service.url}/docs`,
        health: `${service.url}/v1/public/health`,
        ...(metrics && config.metrics && { metrics: `${urlOf(config.metrics.host, metrics.port)}/metrics` }),
        ...(link !== undefined && { console: (config.publicUrl ?? service.url) + link }),
      }
      print(output, { ...found, ...pages, ...first }, () =>
        first ? welcome(found, pages, first) : ready(found, pages),
      )
      await stop.requested
    } finally {
      log.info('stopping; requests in flight are answered first')
      await archiving?.stop()
      await service.close()
    }
  } finally {
    await store.close()
  }
}

interface ReadyServer {
  readonly url: string
  readonly companies: number
  readonly database: string
}

/**
 * The URLs to open. `console` is a link that makes the person who opens it the first owner; absent once there is one.
 */
interface Pages {
  readonly reference: string
  readonly health: string
  readonly metrics?: string
  readonly console?: string
}

/** The variable in front of a command that uses the same embedded database; empty if the command needs none. */
function sameData(): string {
  const { CASHWRAP_DATA: folder, DATABASE_URL: url } = process.env
  return folder && !url ? `CASHWRAP_DATA=${shellWord(folder)} ` : ''
}

const line = (label: string, value: string) => `  ${styleText('dim', label.padEnd(18))}${value}`

function ready({ url, companies, database }: ReadyServer, { console }: Pages): string {
  const said = `Cashwrap ${version} is ready at ${url} with ${companies} ${companies === 1 ? 'company' : 'companies'}, on the ${database}`
  if (console === undefined) return said
  return [said, '', line('Console', console), `  ${forFirst}`].join('\n')
}

const forFirst =
  'No owner can sign in yet. The person who opens this link becomes the first who can. It works once, within 24 hours.'

function welcome(
  { url, database }: ReadyServer,
  { reference, health, metrics, console }: Pages,
  first: FirstTenant,
): string {
  const bold = (text: string) => styleText('bold', text)
  return [
    '',
    `  ${bold(`Cashwrap ${version} is ready.`)}`,
    '',
    line('API', url),
    line('Reference', reference),
    line('Health', health),
    ...(metrics === undefined ? [] : [line('Metrics', metrics)]),
    ...(console === undefined ? [] : [line('Console', console)]),
    line('Database', database),
    '',
    `  ${bold('One company was created. Its keys are shown only now:')}`,
    '',
    line('Company key', first.companyKey),
    line('Company id', first.companyId),
    line('Outlet id', first.outletId),
    line('Organization key', first.organizationKey),
    line(
      'Another key',
      `${sameData()}npx cashwrap key create --company ${first.companyId} --name Another --permissions read,create,update,delete`,
    ),
    '',
    `  ${bold('Create the first customer:')}`,
    '',
    `  curl ${url}/v1/customer -H 'x-api-key: ${first.companyKey}' -H 'content-type: application/json' -d '{"firstName": "Ada"}'`,
    '',
  ].join('\n')
}
