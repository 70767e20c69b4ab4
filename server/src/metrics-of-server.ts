// The metrics of a server: one listener for all of its processes and for its database. Loaded only where CASHWRAP_METRICS is set.
import type { Logger } from 'pino'
import type { Connection } from './database/connect.ts'
import { newestMigration } from './database/migrate.ts'
import { processFamilies } from './metrics/exposition.ts'
import { type Family, readFamily } from './metrics/instruments.ts'
import { listenForScrapes, type MetricsAddress } from './metrics/listener.ts'
import { DatabaseMetrics } from './metrics-of-database.ts'
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
