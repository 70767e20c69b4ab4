// The metrics of a server: one listener for all of its processes, and for what features read from the database at a scrape. Loaded only
// where CASHWRAP_METRICS is set.
import type { Logger } from 'pino'
import { singleFlight } from './concurrency/single-flight.ts'
import { warn } from './core/failure-log.ts'
import { backupFamilies } from './database/backup/metrics.ts'
import { type Connection, connect, type Database, type Queryable } from './database/connect.ts'
import { isMigrated, newestMigration } from './database/migrate.ts'
import { feedFamilies } from './features/events/metrics.ts'
import { importFamilies } from './features/imports/leases.ts'
import { mailFamilies } from './features/mail/outbox.ts'
import { reportFamilies } from './features/reports/sums/refresh.ts'
import { webhookFamilies } from './features/webhooks/metrics.ts'
import { processFamilies } from './metrics/exposition.ts'
import { type Family, readFamily } from './metrics/instruments.ts'
import { listenForScrapes, type MetricsAddress } from './metrics/listener.ts'
import { version } from './version.ts'

/** What the other processes of a server have counted. */
type ReadWorkers = () => Promise<readonly (readonly Family[])[]>

/** The metrics of a server, which are served once it has started. */
export interface ServerMetrics {
  readonly port: number
  /** Serves what the server's processes count, and what its database holds. */
  begin(connection: Connection, log: Logger, readWorkers: ReadWorkers): void
  close(): Promise<void>
}

/** Opens the listener. Throws OperatorError if the address cannot be listened on. */
export async function openMetrics(address: MetricsAddress): Promise<ServerMetrics> {
  const listener = await listenForScrapes(address)
  const own = processFamilies()
  const built = await buildInfo()
  let database: DatabaseMetrics | undefined
  return {
    port: listener.port,
    begin(connection, log, readWorkers) {
      const read = new DatabaseMetrics(connection, log)
      database = read
      listener.serve(async () => {
        const [counted, workers, stored] = await Promise.all([own.read(), readWorkers(), read.read()])
        return [[built, ...counted, ...stored], ...workers]
      }, log)
    },
    async close() {
      await listener.close()
      await database?.close()
    },
  }
}

async function buildInfo(): Promise<Family> {
  const help = 'Always 1; its labels are the version of Cashwrap and the number of its newest migration.'
  const labels = { version, schema: String(await newestMigration()) }
  return readFamily({ name: 'cashwrap_build_info', help }, [{ value: 1, labels }], 'first')
}

/** Milliseconds for which a reading is used again, so that several scrapers, or a fast one, cost the database no more. */
const KEPT_MS = 10_000
/** Milliseconds that a statement of a scrape may take: Prometheus itself waits ten seconds by default. */
const STATEMENT_MS = 2_000
/** Milliseconds after which no further source is read. */
const READ_MS = 5_000

const sources: readonly ((database: Queryable, isEmbedded: boolean) => Promise<Family[]>)[] = [
  feedFamilies,
  webhookFamilies,
  importFamilies,
  mailFamilies,
  reportFamilies,
  backupFamilies,
]

const databaseUp = {
  name: 'cashwrap_database_up',
  help: 'Whether the database answers and has the tables of this version: 1 or 0.',
}

/** Reads the families of the database, on a connection of its own that waits behind no request. */
export class DatabaseMetrics {
  readonly #database: Database
  readonly #isEmbedded: boolean
  readonly #log: Logger
  readonly #once = singleFlight<Family[]>()
  #kept: { readonly families: Family[]; readonly until: number } | undefined

  constructor(connection: Connection, log: Logger) {
    this.#database = connect({ ...connection, statementMs: STATEMENT_MS }, { size: 1, name: 'metrics' })
    this.#isEmbedded = connection.connectionString === undefined
    this.#log = log
  }

  /** The families; those that cannot be read now are left out. Never rejects. */
  async read(): Promise<Family[]> {
    const kept = this.#kept
    if (kept !== undefined && performance.now() < kept.until) return kept.families
    return this.#once('families', async () => {
      const families = await this.#readAll()
      this.#kept = { families, until: performance.now() + KEPT_MS }
      return families
    })
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async #readAll(): Promise<Family[]> {
    const begun = performance.now()
    const isUp = await isMigrated(this.#database).catch((error) => this.#failed(error))
    if (!isUp) return [readFamily(databaseUp, 0)]
    const families = [readFamily(databaseUp, 1)]
    for (const source of sources) {
      if (performance.now() - begun > READ_MS) break
      families.push(...((await source(this.#database, this.#isEmbedded).catch((error) => this.#failed(error))) || []))
    }
    return families
  }

  #failed(error: unknown): false {
    warn(this.#log, 'reading metrics from the database failed; a later scrape tries again')(error)
    return false
  }
}
