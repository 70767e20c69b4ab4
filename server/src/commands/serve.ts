// `cashwrap serve`: the service from its start to its shutdown, and what it prints.
import { styleText } from 'node:util'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Logger } from 'pino'
import { type Config, readConfig, urlOf, workersExpected, workersIn } from '../config.ts'
import { warn } from '../core/failure-log.ts'
import { shellWord } from '../core/shell-word.ts'
import type { FirstTenant } from '../features/tenants/tenants.ts'
import type { ServerMetrics } from '../metrics-of-server.ts'
import { requireSecretKey } from '../secret-key.ts'
import type { Service } from '../service.ts'
import { settings } from '../settings.ts'
import { version } from '../version.ts'
import { describe, type Output, print } from './output.ts'
import { stopSignal } from './stop-signal.ts'
import { reachPostgres } from './with-database.ts'

/** Characters of a name in the help; the text of a longer one follows it. */
const NAME_WIDTH = 27

const settingsHelp = `
Settings are environment variables:
${settings.map(([name, help]) => `  ${name.padEnd(NAME_WIDTH)}  ${help}`).join('\n')}`

export function addServe(program: Command): void {
  describe(program.command('serve'), 'start the service', 'PORT=9000 cashwrap serve')
    .addOption(new Option('--workers <number>', `processes that serve: ${workersExpected}`).argParser(readWorkers))
    .addHelpText('after', settingsHelp)
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
  requireSecretKey(config)
  const { createLog } = await import('../log.ts')
  const log = await createLog(config.logLevel)
  const warning = memoryWarning(process.constrainedMemory())
  if (warning !== undefined) log.warn(warning)
  // First of all, so that a port that is taken ends the start before anything else begins.
  await (await import('../http/connection/port.ts')).tryPort(config.host, config.port)
  const metrics = config.metrics && (await (await import('../metrics-of-server.ts')).openMetrics(config.metrics))
  try {
    await serveOn(config, { log, stop, output, metrics })
  } finally {
    await metrics?.close()
  }
  log.info('stopped')
}

/** Bytes of memory that a server and the embedded PostgreSQL may need after a peak of long bodies. */
const LEAST_MEMORY_BYTES = 1_000_000_000

/** The warning about a memory limit, such as a container's, that is too low; undefined for any other, and for none. */
export function memoryWarning(limit: number): string | undefined {
  if (limit === 0 || limit >= LEAST_MEMORY_BYTES) return undefined
  return `the memory limit is ${Math.floor(limit / 1_000_000)} MB: below 1 GB, the kernel may kill the server under load; raise the limit`
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

/** Checks that files can be reached; tills sell meanwhile. */
async function checkFiles({ files }: Config, { database }: Service, log: Logger): Promise<void> {
  const { objectStore, warnOfStore } = await import('../features/files/object-store.ts')
  const looked = warnOfStore(files && objectStore(files), database, log)
  await looked.catch(warn(log, 'looking for files in an object store failed'))
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
  const loaded = await Promise.all([
    reachPostgres(config, (message) => log.info(message), {
      isService: true,
      warn: (message) => log.error(message),
      signal: stop.signal,
    }),
    start(config.workers),
    import('../secret.ts'),
    import('../features/tenants/tenants.ts'),
    import('../features/people/links.ts'),
    import('./build-console.ts').then(({ buildConsole }) => buildConsole(log, stop.signal)),
  ]).catch((error) => {
    if (!stop.signal.aborted) throw error
  })
  if (loaded === undefined) return
  const [store, startService, { readSecretKeys }, { createFirstTenant, countCompanies }, { firstLink }] = loaded
  try {
    if (stop.signal.aborted) return
    if (store.cluster !== undefined && config.archive !== undefined)
      await (await import('../database/backup/folder.ts')).requireOutside(store.cluster, config.archive)
    const service = await startService(store.connection, { ...config, secretKeys: await readSecretKeys(config), log })
    checkFiles(config, service, log)
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
