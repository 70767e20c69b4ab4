// PostgreSQL servers for measurements, from the packages of Debian and Ubuntu: one by itself, one with a replica, or a Citus cluster.
import { access, chown, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Ending } from '../server/faults/ending.ts'
import { freePorts, startProgram } from '../server/faults/failover/process.ts'
import type { Connection } from '../server/src/database/connect.ts'
import { type Account, eligibleAccounts, runCommand } from '../server/src/database/embedded/account.ts'
import { until } from '../server/test/support/program.ts'

/** Programs of a PostgreSQL. */
interface Programs {
  /** The folder that they are in. */
  readonly folder: string
  readonly hasCitus: boolean
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The newest PostgreSQL of the distribution, one with Citus if there is any; undefined if there is none. */
export async function findPrograms(): Promise<Programs | undefined> {
  const versions = (await readdir('/usr/lib/postgresql').catch(() => [])).map(Number).filter((version) => version >= 15)
  const found: Programs[] = []
  for (const version of versions.sort((a, b) => b - a)) {
    const folder = `/usr/lib/postgresql/${version}/bin`
    const hasCitus = await exists(`/usr/share/postgresql/${version}/extension/citus.control`)
    if (await exists(join(folder, 'initdb'))) found.push({ folder, hasCitus })
  }
  return found.find(({ hasCitus }) => hasCitus) ?? found[0]
}

/** A running PostgreSQL: how to connect to it, and its first process. */
export interface Node {
  readonly connection: Connection
  readonly pid: number
}

/** What starts PostgreSQL servers: their programs, the folder of their data, and what stops them. */
interface Place extends Programs {
  readonly data: string
  readonly ending: Ending
}

/** Everything is durable, as for users; without autovacuum, which would come sometime between the loads. */
const settings = { 'listen_addresses': '127.0.0.1', 'unix_socket_directories': '', 'max_connections': '300', 'autovacuum': 'off', 'shared_buffers': '256MB' } // biome-ignore format: one thought
const citusSettings = { 'shared_preload_libraries': 'citus', 'max_prepared_transactions': '300', 'citus.node_conninfo': 'sslmode=disable', 'citus.shard_count': '8' } // biome-ignore format: one thought

function account(): Account {
  const [first] = eligibleAccounts()
  if (first === undefined) throw new Error('No user can run PostgreSQL.')
  return first
}

/** Makes the data of a node by a program of PostgreSQL that is given its folder, and starts it. */
async function startNode(place: Place, own: Record<string, string>, program: string, args: string[]): Promise<Node> {
  const as = account()
  const [port = 0] = await freePorts(1)
  const folder = join(place.data, String(port))
  await mkdir(folder)
  await chown(folder, as.uid, as.gid)
  const data = join(folder, 'data')
  const problem = await runCommand(as, join(place.folder, program), ['-D', data, ...args])
  if (problem !== undefined) throw new Error(`${program}: ${problem}`)
  const all = Object.entries({ ...settings, ...own, port: String(port) })
  const flags = all.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const host = { account: as, folder, ending: place.ending }
  const child = await startProgram(host, join(folder, 'log'), join(place.folder, 'postgres'), ['-D', data, ...flags])
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }
  await until(`PostgreSQL accepts connections; its log is ${folder}/log`, async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL does not start; its log is ${folder}/log`)
    return accepts(connection)
  })
  return { connection, pid: child.pid as number }
}

/** Whether a PostgreSQL accepts connections, also a replica. */
async function accepts({ host, port, user, database }: Connection): Promise<boolean> {
  const client = new pg.Client({ host, port, user, database })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

const startAlone = (place: Place, own: Record<string, string> = {}): Promise<Node> =>
  startNode(place, own, 'initdb', ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])

/** Starts a PostgreSQL. */
export const startPostgres = async (place: Place): Promise<Node[]> => [await startAlone(place)]

/** Starts a PostgreSQL and a replica that follows it. */
export async function startPair(place: Place): Promise<[Node, Node]> {
  const primary = await startAlone(place)
  const from = ['-h', '127.0.0.1', '-p', String(primary.connection.port), '-U', 'postgres', '-R']
  return [primary, await startNode(place, {}, 'pg_basebackup', from)]
}

/** Starts the nodes of a Citus cluster: the coordinator, which holds no rows of companies, and workers. */
export async function startCluster(place: Place, workers: number): Promise<Node[]> {
  const nodes: Node[] = []
  while (nodes.length <= workers) nodes.push(await startAlone(place, citusSettings))
  return nodes
}
