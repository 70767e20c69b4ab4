// The PostgreSQL that Cashwrap includes, so that one command starts it on a machine without a database.

import { setTimeout as delay } from 'node:timers/promises'
import { embeddedRestarts } from '../metrics.ts'
import { type Attached, attachServer, type Opening } from './attach.ts'
import { prepareDataDirectory, unusable } from './cluster.ts'
import { boundLog, stopServer } from './server.ts'
import { connectionTo, type SocketConnection } from './socket.ts'

/** A running embedded PostgreSQL. When it ends, it is restarted until it is stopped. */
export interface EmbeddedDatabase {
  /** What pg's Pool and Client take; the host is the folder of a Unix socket. */
  readonly connection: SocketConnection
  /** Whether the cluster is new, existed before, or is already run by another process of ours. */
  readonly state: Attached['state']
  /** The absolute folder of PostgreSQL's files. */
  readonly directory: string
  /** Stops PostgreSQL cleanly if this process started it; leaves an adopted one running. */
  stop(): Promise<void>
}

/** The data folder to open; `settings` are PostgreSQL's and take precedence over our own. */
interface EmbeddedOptions {
  readonly dataDirectory: string
  readonly log: (message: string) => void
  /** Gets the messages that PostgreSQL has died or does not start again; by default `log` does. */
  readonly warn?: (message: string) => void
  readonly settings?: Record<string, string>
  /** Once aborted before PostgreSQL answers, the opening is given up. */
  readonly signal?: AbortSignal | undefined
}

const firstPauseMs = 100
const longestPauseMs = 10_000
/** If a server ran this long, its start was not the cause of its end. */
const steadyMs = 60_000
const logCheckMs = 3_600_000

/** Opens the database of a data folder: creates it, starts it, or joins a server that is running. */
export async function openEmbedded({
  dataDirectory,
  log,
  warn = log,
  settings = {},
  signal,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const folder = await prepareDataDirectory(dataDirectory)
  const stopping = new AbortController()
  const opening: Opening = { folder, settings, log, signal: stopping.signal, givenUp: signal, mayCreate: true }
  const attached = await attachServer(opening).catch((error) => {
    throw unusable(folder, error)
  })
  opening.mayCreate = false
  opening.givenUp = undefined
  const logCheck = setInterval(() => boundLog(attached.cluster).catch(() => {}), logCheckMs).unref()
  const supervision = supervise(opening, attached, warn)

  async function stop(): Promise<void> {
    stopping.abort()
    clearInterval(logCheck)
    if (opening.server) await stopServer(opening.server)
    await supervision
  }

  let stopped: Promise<void> | undefined
  return {
    connection: connectionTo(attached.host),
    state: attached.state,
    directory: attached.cluster.directory,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Restarts PostgreSQL whenever it ends, with a longer delay the sooner it ends again. */
async function supervise(opening: Opening, first: Attached, warn: (message: string) => void): Promise<void> {
  const { signal, log } = opening
  const stopped = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped')))
  let attached: Attached | undefined = first
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    if (attached) {
      const since = Date.now()
      const how = await Promise.race([attached.gone, stopped])
      if (signal.aborted) return
      // The server that ran it was probably stopped, or has logged the failure itself.
      const report = attached.state === 'adopted' ? log : warn
      report(`PostgreSQL stopped (${how}); restarting it`)
      if (Date.now() - since > steadyMs) pauseMs = firstPauseMs
    }
    await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    attached = await attachServer(opening).catch((error: Error) => {
      if (!signal.aborted) warn(`PostgreSQL did not restart: ${error.message}`)
      return undefined
    })
    if (attached === undefined) continue
    embeddedRestarts.value++
    log('PostgreSQL is back')
  }
}
