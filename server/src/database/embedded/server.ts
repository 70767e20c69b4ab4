// Starts and stops one PostgreSQL server process, and makes sure that it does not outlive the process that started it.

import { spawn } from 'node:child_process'
import { constants, open } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { environment, runAs } from './account.ts'
import type { Cluster } from './cluster.ts'
import { platformOf } from './platform.ts'

/** A server process of ours, running or starting. */
export interface Server {
  readonly pid: number | undefined
  /** Its output before PostgreSQL had its log. */
  complaint: string
  ended: boolean
  /** Resolves when it ends, and says how. */
  readonly gone: Promise<string>
  signal(name: NodeJS.Signals): void
}

/** The signals that stop PostgreSQL, and the time that each gets. It gives its own processes five seconds after SIGQUIT. */
const stages = [
  ['SIGINT', 8_000],
  ['SIGQUIT', 6_000],
  ['SIGKILL', 1_000],
] as const
const logLimitBytes = 10 * 1024 * 1024
/** What a start says where another PostgreSQL has the lock of the folder. */
const inUse = 'the folder is still in use by another PostgreSQL'

/**
 * Node starts this shell, which becomes PostgreSQL. The watcher that it leaves behind reads a pipe from Node: a line
 * means that PostgreSQL has ended, and the end of the pipe without one means that Node is gone, so PostgreSQL must end
 * too. The watcher is forked twice, since PostgreSQL would not expect an unknown child. The second signal is for a
 * server that hangs: a shutdown just after one of its processes crashed can last for ever.
 *
 * PostgreSQL and all its processes inherit a lock on the folder. The lock also works between containers that share a
 * volume, which see neither each other's processes nor their abstract sockets. After a container was killed, the number
 * in `postmaster.pid` may be that of another program, which PostgreSQL would mistake for a running PostgreSQL. Under
 * the lock, the number is known to be outdated.
 */
const script = `
umask 077
log=$1
folder=$2
shift 2
if command -v flock >/dev/null; then
  exec 9<"$folder"
  flock -n 9 || { echo "${inUse}" >&2; exit 1; }
  if read -r pid 2>/dev/null <"$folder/postmaster.pid" && name=$(cat "/proc/$pid/comm" 2>/dev/null); then
    [ "$name" = postgres ] || rm "$folder/postmaster.pid"
  fi
fi
watch() {
  read -r ended <&3 && return
  kill -INT $$ || return
  for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    sleep 1
    kill -0 $$ || return
  done
  kill -QUIT $$
}
exec 3<&0 </dev/null
( watch >/dev/null 2>&1 9<&- & )
exec "$@" >>"$log" 2>&1 3<&-
`

/**
 * Memory for pages of tables and indexes: an eighth of the machine's or container's memory, up to the size that still
 * helps a million records. PostgreSQL takes the memory as it fills.
 */
export function sharedBuffersMegabytes(
  bytes = Math.min(totalmem(), process.constrainedMemory() || totalmem()),
): number {
  return Math.round(Math.min(2_048, Math.max(256, bytes / 8 / 1024 / 1024)))
}

/** Durability is never traded for speed: what was answered must survive a power cut. */
const defaults: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: `${sharedBuffersMegabytes()}MB`,
  // Reading pages that the kernel has in memory takes a third of the processor time that I/O workers would take.
  io_method: 'sync',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  commit_delay: '0',
  // What online backups and the archive need. There is no replication.
  wal_level: 'replica',
  max_wal_senders: '0',
  // A backup that hangs fails before the log that it holds back fills the disk.
  max_slot_wal_keep_size: '8GB',
  max_logical_replication_workers: '0',
  // The binaries lack lz4, and their alternative costs more processor time than the disk it saves.
  wal_compression: 'off',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  autovacuum: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Customers' data must not reach the log in the texts of failed statements or the keys of duplicates.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Starts PostgreSQL, without waiting until it answers. */
export function startServer(
  cluster: Cluster,
  binaries: string,
  host: string,
  settings: Record<string, string>,
): Server {
  const flags = {
    ...defaults,
    ...platformOf().settings,
    unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
    ...settings,
  }
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      script,
      'sh',
      logFile(cluster),
      cluster.directory,
      join(binaries, 'bin', 'postgres'),
      '-D',
      cluster.directory,
    ].concat(Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])),
    // It has a process group of its own: Ctrl-C in the terminal must reach only this process, which stops PostgreSQL
    // when its work is done.
    { cwd: '/', env: environment, detached: true, stdio: ['pipe', 'ignore', 'pipe'], ...runAs(cluster.account) },
  )
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`))
  })
  const server: Server = { pid: child.pid, complaint: '', ended: false, gone, signal: (name) => void child.kill(name) }
  child.stderr.on('data', (text) => {
    server.complaint += text
  })
  child.stdin.on('error', () => {}) // The watcher may end first; then it needs no message.
  gone.then(() => {
    server.ended = true
    child.stdin.end('ended\n')
  })
  // A database must not keep a process alive that has nothing else to do.
  child.unref()
  for (const pipe of [child.stdin, child.stderr] as unknown as Socket[]) pipe.unref()
  return server
}

/**
 * Stops PostgreSQL: its clients are disconnected and everything is flushed. A server that hangs gets a harder signal;
 * its log keeps all data safe.
 */
export async function stopServer(server: Server): Promise<void> {
  for (const [name, patienceMs] of stages) {
    if (server.ended) return
    server.signal(name)
    const patience = new AbortController()
    await Promise.race([server.gone, delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {})])
    patience.abort()
  }
}

/** Keeps the log from filling the disk; returns where it ends now. */
export async function boundLog(cluster: Cluster): Promise<number> {
  // Follows no link: the folder belongs to another user, and we may be root.
  const handle = await open(logFile(cluster), constants.O_WRONLY | constants.O_NOFOLLOW).catch(() => undefined)
  if (handle === undefined) return 0
  try {
    const { size } = await handle.stat()
    if (size <= logLimitBytes) return size
    await handle.truncate(0)
    return 0
  } finally {
    await handle.close()
  }
}

/** PostgreSQL's log file. */
export function logFile(cluster: Cluster): string {
  return join(cluster.directory, 'postgres.log')
}
