// The suite on servers that are already there: CASHWRAP_TEST_DATABASE_URL names a PostgreSQL, or, separated by commas, the coordinator of a Citus cluster and its workers. Databases of the same name on each node are a cluster of their own.
import { Problem } from '../../src/core/problem.ts'
import { type Connection, connect, type Database } from '../../src/database/connect.ts'
import { parseUrl } from '../../src/database/connection-error.ts'
import { distribute } from '../../src/database/distribute.ts'
import { openDatabase } from '../../src/database/open.ts'
import { keepPartitions } from '../../src/features/events/partitions.ts'

/** The nodes that the variable names, the coordinator first; none if it is unset. */
export function nodesIn(urls: string | undefined): Connection[] {
  return (urls ?? '').split(',').flatMap((url) => {
    if (url.trim() === '') return []
    const { hostname, port, username, pathname } = parseUrl(url.trim())
    return [{ host: hostname, port: Number(port || 5432), user: username, database: pathname.slice(1) }]
  })
}

const isCluster = nodesIn(process.env.CASHWRAP_TEST_DATABASE_URL).length > 1

/** Why a test is skipped whose plans, locks, statements or migrations are of one PostgreSQL; undefined on that. */
export const skipOnCluster = isCluster
  ? 'it looks into one PostgreSQL, or migrates tables that are not distributed yet'
  : undefined

/** The view of sessions, for tests that wait until one waits for a lock: of all nodes, where there are several. */
export const sessions = isCluster ? 'citus_stat_activity' : 'pg_stat_activity'

/** The number of a session, and those that wait for a lock of session `$1`; on a cluster of any node. */
export const blocking = isCluster
  ? { session: 'citus_backend_gpid()', waiting: 'citus_lock_waits where blocking_gpid = $1' }
  : { session: 'pg_backend_pid()', waiting: 'pg_stat_activity where $1::int = any (pg_blocking_pids(pid))' }

/** Carries out a statement on each node, the coordinator last: a database there leads to those of the workers. */
export async function onEachNode(nodes: readonly Connection[], statement: string): Promise<void> {
  for (const node of nodes.toReversed()) {
    const database = adminOf(node, 1)
    await onNode(database, statement).finally(() => database.close())
  }
}

// Copying a database takes longer than the service waits where the machine is loaded.
const adminOf = (node: Connection, size: number): Database => connect({ ...node, statementMs: 60_000 }, { size })

/** The same for many statements, whose connections stay open until `close`. */
export function keptNodes(nodes: readonly Connection[]) {
  const databases = nodes.toReversed().map((node) => adminOf(node, 8))
  return {
    async onEach(statement: string): Promise<void> {
      for (const database of databases) await onNode(database, statement)
    },
    close: () => Promise.all(databases.map((database) => database.close())),
  }
}

async function onNode(database: Database, statement: string, tries = 5): Promise<void> {
  try {
    await database.query(statement)
  } catch (error) {
    // Nothing was done where connecting took longer than the service waits, nor where the maintenance of Citus connected meanwhile.
    const isUnconnected = error instanceof Problem && /connection timeout/.test(String(error.cause))
    const isInUse = (error as { code?: unknown }).code === '55006'
    if (!(isUnconnected || isInUse) || tries === 1) throw error
    await onNode(database, statement, tries - 1)
  }
}

/** Makes a new database, in place of one of that name: migrated, and distributed over the workers if there are any. It is open; the caller closes it. */
export async function makeDatabase(nodes: readonly Connection[], name: string): Promise<Database> {
  const [coordinator, ...workers] = nodes as [Connection, ...Connection[]]
  await onEachNode(nodes, `drop database if exists ${name} with (force)`)
  await onEachNode(nodes, `create database ${name} encoding 'UTF8' template template0`)
  if (workers.length > 0) {
    const own = nodes.map((node) => ({ ...node, database: name }))
    await onEachNode(own, 'create extension citus')
    const database = connect({ ...coordinator, database: name }, { size: 1 })
    await database.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await database.query('select citus_add_node($1, $2)', [host, port])
    await database.close()
  }
  const connection = { ...coordinator, database: name, statementMs: 60_000 }
  const migrated = await openDatabase(connection, undefined, undefined, { isUnchecked: true })
  if (workers.length > 0) await distribute(migrated)
  await keepPartitions(migrated)
  return migrated
}

/** Makes the database that test files copy. */
export async function makeTemplate(nodes: readonly Connection[], name: string): Promise<void> {
  await onEachNode(nodes, `update pg_database set datallowconn = true where datname = '${name}'`)
  await (await makeDatabase(nodes, name)).close()
  // The maintenance of Citus stays connected, and a database with connections cannot be copied.
  await onEachNode(nodes, `update pg_database set datallowconn = false where datname = '${name}'`)
  await onEachNode(nodes, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
}
