// Gives a command the configured database: DATABASE_URL, or the embedded one, whether a server runs it or not.
import { resolve } from 'node:path'
import { CommanderError } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { OperatorError } from '../core/operator-error.ts'
import { Problem } from '../core/problem.ts'
import type { Connection, Database } from '../database/connect.ts'
import { connectionError, placeOf } from '../database/connection-error.ts'
import { isDiskFull } from '../database/errors.ts'
import { printNote } from './output.ts'

/** A connection to PostgreSQL, and how it is closed. */
interface Reached {
  readonly connection: Connection
  /** In words, without a password. */
  readonly place: string
  /** The folder of the embedded PostgreSQL's files. */
  readonly cluster?: string
  /** Stops the embedded PostgreSQL if this process started it. */
  close(): Promise<void>
}

/** Connections to PostgreSQL of each worker at most, with those for imports and exports, and those for commands and a second server. */
const WORKER_CONNECTIONS = 17
const OTHER_CONNECTIONS = 40
/** PostgreSQL's own default. */
const LEAST_CONNECTIONS = 100

/** How a database is reached. */
interface Reaching {
  /** The service decides whether the embedded PostgreSQL archives its log; commands leave it as it was. */
  readonly isService?: boolean
  /**
   * Whether an embedded database is created if there is none. By default none is, since a command whose DATABASE_URL
   * was forgotten would work on an empty one.
   */
  readonly mayCreate?: boolean
  readonly warn?: (message: string) => void
  /** Once aborted, the start of an embedded PostgreSQL is given up. */
  readonly signal?: AbortSignal
}

/** Connects to PostgreSQL; starts or joins an embedded one. Throws an OperatorError if there is none, and none may be created. */
export async function reachPostgres(
  { databaseUrl, readUrl, directUrl, databaseMode, dataDirectory, workers, archive }: Config,
  log: (message: string) => void,
  { isService = false, mayCreate = isService, warn = log, signal }: Reaching = {},
): Promise<Reached> {
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl, replica: readUrl, direct: directUrl, mode: databaseMode }
    return { connection, place: `PostgreSQL at ${placeOf(connection)}`, close: async () => {} }
  }
  const [{ findCluster }, { openEmbedded }] = await Promise.all([
    import('../database/embedded/cluster.ts'),
    import('../database/embedded/embedded.ts'),
  ])
  const folder = resolve(dataDirectory)
  if (!mayCreate && (await findCluster(folder)) === undefined)
    throw new OperatorError(
      `There is no database in ${folder}. Set DATABASE_URL or CASHWRAP_DATA as for the server, or create a database with "cashwrap serve".`,
    )
  const connections = Math.max(LEAST_CONNECTIONS, workers * WORKER_CONNECTIONS + OTHER_CONNECTIONS)
  const settings = {
    max_connections: String(connections),
    ...(isService && { archive_mode: archive === undefined ? 'off' : 'on' }),
  }
  const { connection, directory, stop } = await openEmbedded({ dataDirectory, log, warn, settings, signal })
  return {
    connection: { ...connection, mode: databaseMode },
    place: `embedded PostgreSQL in ${directory}`,
    cluster: directory,
    close: stop,
  }
}

/** Says that a command brought an existing database up to date: an older server may be running on it. */
function noteMigrations(names: readonly string[]): void {
  const [first = '0001'] = names
  if (!first.startsWith('0001')) printNote(`The database was migrated to ${names.at(-1)}.`)
}

/**
 * Runs `work` on the migrated database; `migrated` is called with the migrations that were applied. Closes everything
 * at the end. `isUnchecked` as of `openDatabase`; `mayCreate`: an embedded database is created if there is none.
 */
export async function withDatabase<T>(
  work: (database: Database, place: string, connection: Connection) => Promise<T>,
  migrated: (names: readonly string[]) => void = noteMigrations,
  { mayCreate = false, ...checks }: { readonly isUnchecked?: boolean; readonly mayCreate?: boolean } = {},
): Promise<T> {
  const [{ openDatabase }, { connection, place, close }] = await Promise.all([
    import('../database/open.ts'),
    reachPostgres(readConfig(), printNote, { mayCreate }),
  ])
  try {
    const database = await openDatabase(connection, printNote, migrated, checks)
    try {
      return await work(database, place, connection)
    } catch (error) {
      if (isOfStore(error))
        throw new OperatorError(`The store of files (CASHWRAP_FILES): ${(error.cause as Error).message}`)
      throw isOfDatabase(error) ? connectionError(error, connection) : error
    } finally {
      await database.close()
    }
  } finally {
    await close()
  }
}

/** Whether the store of files is the cause: it is unreachable, or an object of it is lost. */
const isOfStore = (error: unknown): error is Problem =>
  error instanceof Problem &&
  error.cause instanceof Error &&
  (error.reason === 'files_unreachable' || error.code === 'internal_error')

/** Whether the database is the cause: it is unreachable, full or read-only. */
export const isOfDatabase = (error: unknown): boolean =>
  (error instanceof Problem && error.code === 'unavailable') ||
  isDiskFull(error) ||
  /^(25006|53200)$/.test(String((error as { code?: unknown } | undefined)?.code))

/** Reports an id that does not exist, with the option that named it. */
export async function idFrom<T>(option: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    throw new CommanderError(2, 'cashwrap.unknownId', `${option}: ${error.message}`)
  }
}

/** Reports an organization that does not exist, if `--organization` named one. */
export async function requireOrganization(database: Database, organizationId: string | undefined): Promise<void> {
  if (organizationId === undefined) return
  const { requireOwner } = await import('../features/tenants/tenants.ts')
  await idFrom('--organization', requireOwner(database, { organizationId }))
}

/** Reports a refusal as invalid input, in the operation's words. */
export async function typed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    throw new CommanderError(2, 'cashwrap.refused', error.message)
  }
}
