// The private folder of PostgreSQL's Unix socket, and the probe over it: is a server running, and is it ours?

import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import { isDiskFull } from '../errors.ts'
import { type Account, isRoot } from './account.ts'
import type { Cluster } from './cluster.ts'

/** What pg's Pool and Client take; the host is the folder of the Unix socket. */
export interface SocketConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** The state of a server; `silent` has a socket but does not answer. */
export type ServerState = 'ready' | 'starting' | 'stopping' | 'silent' | 'absent'

/** What the running server of a cluster stored about itself. */
export interface Postmaster {
  readonly pid: number
  /** The folder of the cluster, as its server knows it. */
  readonly directory: string
  readonly host: string
}

/** The kernel's limit for the path of a socket is 107 bytes, and some systems have 103. */
const socketPathLimitBytes = 103

export function connectionTo(host: string): SocketConnection {
  return { host, port: 5432, user: 'cashwrap', database: 'cashwrap' }
}

/** The cluster's own folder is private already; only where its path is too long, a short one replaces it. */
export async function socketDirectory({ directory, account }: Cluster): Promise<string> {
  if (fits(directory)) return directory
  // Root's own temporary folder may be closed to the user that runs PostgreSQL.
  const parent = isRoot() || !fits(join(tmpdir(), 'cashwrap-0123456789abcdef')) ? '/tmp' : tmpdir()
  // The same name for every process, so that all that share a cluster find its server.
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  const path = join(parent, `cashwrap-${name}`)
  if (await makePrivate(path, account)) return path
  const other = await mkdtemp(join(parent, 'cashwrap-'))
  if (isRoot()) await chown(other, account.uid, account.gid)
  return other
}

/** Makes a folder for this account alone; false when another user's is already there. */
async function makePrivate(path: string, { uid, gid }: Account): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    if (isRoot()) await chown(path, uid, gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const entry = await lstat(path)
  return entry.isDirectory() && entry.uid === uid && (entry.mode & 0o077) === 0
}

/** Reads what the server of a cluster stored about itself. It may be long gone; only a connection proves that it is alive. */
export async function readPostmaster(directory: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, place = '', , , host] = text.split('\n')
  return pid && host ? { pid: Number(pid), directory: place, host } : undefined
}

/** Connects to find out the state of this cluster's server. Creates the database if the very first start did not get that far. */
export async function askServerState(directory: string, host: string): Promise<ServerState> {
  try {
    const found = await query(connectionTo(host), 'show data_directory')
    return found === directory ? 'ready' : 'absent'
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof DatabaseError) {
      if (code === '3D000') return (await makeDatabase(host)) ? 'ready' : 'silent'
      // Too many clients: a server that says so is alive.
      if (code === '53300') return 'ready'
      if (code?.startsWith('57P')) return message.includes('shutting down') ? 'stopping' : 'starting'
      if (isDiskFull(error))
        throw new OperatorError(`The disk of the PostgreSQL in ${directory} is full. Free some space on it.`)
      throw new OperatorError(
        `The PostgreSQL of ${directory} refuses the connection: ${message}. Correct its settings.`,
      )
    }
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return 'absent'
    // A connection that broke half-way: the server is ending, or one of its processes crashed.
    return message.includes('timeout') ? 'silent' : 'stopping'
  }
}

/** Whether the server that stored this still runs and still owns the cluster. */
export async function isAlive(directory: string, { pid, host }: Postmaster): Promise<boolean> {
  if ((await readPostmaster(directory))?.pid !== pid) return false
  if ((await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')) === 'postgres\n') return true
  // It may run in another container, whose processes are not seen here, or on a system without /proc.
  return (await askServerState(directory, host).catch(() => 'silent')) !== 'absent'
}

const fits = (directory: string): boolean => Buffer.byteLength(join(directory, '.s.PGSQL.5432')) <= socketPathLimitBytes

async function makeDatabase(host: string): Promise<boolean> {
  try {
    await query({ ...connectionTo(host), database: 'postgres' }, 'create database cashwrap')
    return true
  } catch (error) {
    // Another process was faster.
    return error instanceof DatabaseError && (error.code === '42P04' || error.code === '23505')
  }
}

async function query(connection: SocketConnection, text: string): Promise<unknown> {
  // Settings of the environment such as PGSSLMODE are meant for other databases.
  const client = new Client({ ...connection, ssl: false, connectionTimeoutMillis: 2_000, query_timeout: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query({ text, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end().catch(() => {})
  }
}
