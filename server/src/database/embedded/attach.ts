// Connects to the server of a data folder: joins a running one or starts one, and waits while other processes start it.

import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../../core/operator-error.ts'
import { writeAccess } from './access.ts'
import { type Account, eligibleAccounts } from './account.ts'
import { installBinaries } from './binaries.ts'
import { type Cluster, checkVersion, findCluster, refuseUnfinishedRestore } from './cluster.ts'
import { whyItFailed } from './failed-start.ts'
import { clearRemains, createCluster } from './place.ts'
import { boundLog, logFile, type Server, startServer, stopServer } from './server.ts'
import {
  askServerState,
  isAlive,
  type Postmaster,
  readPostmaster,
  type ServerState,
  socketDirectory,
} from './socket.ts'
import { takeTurn } from './turn.ts'

/** A server that answers. */
export interface Attached {
  readonly cluster: Cluster
  readonly state: 'created' | 'started' | 'adopted'
  readonly host: string
  /** Resolves when this server has ended, and says how. */
  readonly gone: Promise<string>
}

/** What is opened, and how. */
export interface Opening {
  readonly folder: string
  readonly settings: Record<string, string>
  readonly log: (message: string) => void
  /** Once aborted, nothing is started any more. */
  readonly signal: AbortSignal
  /** Once aborted, the first start is given up. */
  givenUp?: AbortSignal | undefined
  /** Whether a missing cluster is created. Not on a restart: then its loss, for example of a disk, must not look like a first start. */
  mayCreate: boolean
  /** The latest server process of our own, ready or not. */
  server?: Server
}

/** How long to wait for a server that locks its files but neither answers nor reports that it is starting, which may take longer. */
const patienceMs = 15_000
const stoppingPatienceMs = 60_000
/** How long to wait for another process that is starting the server. */
const turnPatienceMs = 60_000
const noticeMs = 10_000

const untilReady = ({ signal, givenUp }: Opening): AbortSignal =>
  givenUp === undefined ? signal : AbortSignal.any([signal, givenUp])

const throwIfAborted = (opening: Opening): void => untilReady(opening).throwIfAborted()

/** Joins or starts the server of a data folder. */
export async function attachServer(opening: Opening): Promise<Attached> {
  const { folder } = opening
  const turnDeadline = Date.now() + turnPatienceMs
  let hopefulAt = Date.now()
  for (;;) {
    throwIfAborted(opening)
    const found = await adopt(opening)
    if (typeof found === 'object') return found
    if (found === 'starting') hopefulAt = Date.now()
    if (found === 'absent') {
      const turn = await takeTurn(folder)
      if (turn === undefined && Date.now() < turnDeadline) hopefulAt = Date.now()
      else {
        const started = await start(opening).finally(() => turn?.close())
        if (started !== undefined) return started
      }
    }
    const patience = found === 'stopping' ? stoppingPatienceMs : patienceMs
    if (Date.now() - hopefulAt > patience) throw await stuck(folder)
    await delay(50)
  }
}

async function adopt({ folder, signal }: Opening): Promise<Attached | ServerState> {
  const cluster = await findCluster(folder)
  const postmaster = cluster && (await readPostmaster(cluster.directory))
  if (cluster === undefined || postmaster === undefined) return 'absent'
  const answer = await askServerState(cluster.directory, postmaster.host)
  if (answer !== 'ready') return answer
  return { cluster, state: 'adopted', host: postmaster.host, gone: whenGone(cluster.directory, postmaster, signal) }
}

async function whenGone(directory: string, postmaster: Postmaster, signal: AbortSignal): Promise<string> {
  while (!signal.aborted && (await isAlive(directory, postmaster))) await delay(250, undefined, { ref: false })
  return 'another server ran it'
}

/** Starts a server of our own; undefined while another one, which may be ending, still locks the files. */
async function start(opening: Opening): Promise<Attached | undefined> {
  const { folder, settings, log } = opening
  // Checked again: the process that had the lock before may have created it.
  const found = await findCluster(folder)
  if (found === undefined && !opening.mayCreate) {
    throw new OperatorError(`The database in ${folder} is no longer there: restore it, or start again.`)
  }
  if (found === undefined) await refuseUnfinishedRestore(folder)
  const binaries = await installBinaries(found?.account ?? (eligibleAccounts()[0] as Account), folder)
  if (found === undefined) log('Creating a PostgreSQL database')
  else {
    await checkVersion(found)
    await clearRemains(folder)
  }
  throwIfAborted(opening)
  const cluster =
    found ??
    (await createCluster(folder, { binaries, isDurable: settings.fsync !== 'off', signal: untilReady(opening) }))
  if (found === undefined && dirname(cluster.directory) !== folder)
    log(
      `The database is in ${cluster.directory}, since the user ${cluster.account.name}, which runs PostgreSQL for root, cannot ` +
        `reach ${folder}. If you ever delete that folder, delete the database too.`,
    )
  await writeAccess(cluster)
  const host = await socketDirectory(cluster)
  const logStart = await boundLog(cluster)
  throwIfAborted(opening)
  const server = startServer(cluster, binaries, host, settings)
  opening.server = server
  try {
    if (await isReady(opening, cluster, server, host)) {
      return { cluster, state: found ? 'started' : 'created', host, gone: server.gone }
    }
  } catch (error) {
    await stopServer(server)
    throw error
  }
  const reason = await whyItFailed(server, cluster, logStart)
  if (/lock file .* already exists|is still in use/.test(reason)) {
    await refuseCopy(cluster)
    return undefined
  }
  throw new OperatorError(
    `PostgreSQL cannot start in ${cluster.directory}: ${reason}. Fix that; the log is ${logFile(cluster)}.`,
  )
}

/** Waits as long as the server lives: after a crash, recovery may take long before it answers. */
async function isReady(opening: Opening, cluster: Cluster, server: Server, host: string): Promise<boolean> {
  let notice = Date.now() + noticeMs
  while (!server.ended) {
    throwIfAborted(opening)
    const ready = (await askServerState(cluster.directory, host)) === 'ready'
    // The server that answers may be another process's, and ours may be about to find that out.
    if (ready && (await readPostmaster(cluster.directory))?.pid === server.pid) return true
    if (Date.now() > notice) {
      opening.log(`PostgreSQL is still starting; its log is ${logFile(cluster)}`)
      notice = Date.now() + noticeMs
    }
    await delay(15)
  }
  return false
}

/** Refuses a copy of a folder that was made while PostgreSQL ran there: its lock names a process that must not be ended for it. */
async function refuseCopy({ directory }: Cluster): Promise<void> {
  const postmaster = await readPostmaster(directory)
  if (postmaster === undefined || postmaster.directory === directory) return
  throw new OperatorError(
    `The database in ${directory} was running as process ${postmaster.pid} in ${postmaster.directory}. If this folder is a copy of that one, its files may not fit ` +
      'together: use `cashwrap backup` and `cashwrap restore` to copy a database that runs. ' +
      `If you moved the folder, and no PostgreSQL of it runs anywhere, delete ${directory}/postmaster.pid.`,
  )
}

async function stuck(folder: string): Promise<OperatorError> {
  const directory = (await findCluster(folder))?.directory ?? folder
  const pid = (await readPostmaster(directory))?.pid
  return new OperatorError(
    `The database in ${directory} is locked by process ${pid}, which does not answer: end that process, or the container ` +
      `that it runs in. If there is no such PostgreSQL anywhere, delete ${directory}/postmaster.pid.`,
  )
}
