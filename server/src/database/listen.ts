// Listens to channels of NOTIFY, all on one connection, so that a server's caches are dropped the moment they are no longer true.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client, Notification } from 'pg'
import type { Logger } from 'pino'
import type { Connection, Database } from './connect.ts'
import { connectionError } from './connection-error.ts'

/** Milliseconds between two heartbeats of the connection; until the first failed one, a notice could be missed. */
const heartbeatMs = 2_000

/** Every connection that listens to a channel holds this advisory lock, so that others know whose answers to wait for. */
const listening = 7
const whoListens = `
  select distinct pid from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = (hashtext($1)::bigint & 4294967295)::oid and objid = $2::int::oid and objsubid = 2 and granted`

/** A channel that is listened to. */
export interface ChannelListener {
  /** While this is false, notices may be missed, and nothing may be cached. */
  readonly isAlive: boolean
  /**
   * Resolves once all listening servers have received the notices of transactions that were committed before the call.
   * Notices arrive in the order of commits, so it sends one that each server answers. After the time of a heartbeat it
   * stops waiting.
   */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

/** What to do with notices: with each one; and with all caches, when some may have been missed. */
interface Listener {
  readonly heard: (payload: string) => void
  readonly missed: () => void
}

/** A listener and its channel. Its states: not heard yet (or the connection is lost), alive, closed. */
interface ListenedChannel extends Listener {
  readonly channel: string
  isAlive: boolean
}

/** The same for a channel that another part of this process listens to; at once if none listens to any. */
export const heardByAll = async (database: Database, channel: string): Promise<void> =>
  connections.get(database.owner)?.caughtUp(channel)

/** The connection that listens, of each database that has listeners. */
const connections = new WeakMap<Database, ListeningConnection>()

function connectionOf({ owner }: Database): ListeningConnection {
  const connection = connections.get(owner) ?? new ListeningConnection(owner)
  connections.set(owner, connection)
  return connection
}

/**
 * Logs when the listening connection is lost, why reconnecting fails and what to do, and when PostgreSQL answers again.
 * Requests log only failures, so nothing else in the log shows that an outage is over.
 */
export function logOutages(database: Database, { direct, ...given }: Connection, log: OutageLog): void {
  const connection = connectionOf(database)
  connection.log = log
  // The embedded PostgreSQL is restarted by the server.
  if (given.connectionString === undefined) return
  const reached = { ...given, connectionString: direct ?? given.connectionString }
  const setting = direct === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  connection.advise = (error) => connectionError(error, reached, setting).message
}

type OutageLog = Pick<Logger, 'info' | 'warn'>

/** Listens until it is closed; reconnects whenever the connection is lost. */
export function listen(database: Database, channel: string, { heard, missed }: Listener): ChannelListener {
  const connection = connectionOf(database)
  const subscription: ListenedChannel = { channel, heard, missed, isAlive: false }
  connection.add(subscription)
  return {
    get isAlive() {
      return subscription.isAlive
    },
    caughtUp: () => connection.caughtUp(channel),
    close: () => connection.remove(subscription),
  }
}

/**
 * The connection for all channels that a server listens to. Its states: idle (there are no subscriptions), connecting (no `#client`),
 * connected (`#client`), waiting for the next attempt (no `#client` again). A channel without subscriptions is listened to until it ends.
 */
class ListeningConnection {
  readonly #database: Database
  readonly #subscriptions = new Set<ListenedChannel>()
  #client: Client | undefined
  #isIdle = true
  /** What waits for answers to a mark, by mark; it is given the process that answers. */
  readonly #marks = new Map<string, (pid: number) => void>()
  /** Ends the wait between two heartbeats. */
  #wake = () => {}
  /** The answer to the statement that was sent last. */
  #last: Promise<unknown> = Promise.resolve()
  log: OutageLog | undefined
  /** Says why reconnecting failed, and what the operator can do. */
  advise: ((error: unknown) => string) | undefined
  /** When the connection was lost, while it is. */
  #lostAt: number | undefined
  /** The reasons logged since then. */
  readonly #advised = new Set<string>()

  constructor(database: Database) {
    this.#database = database
  }

  add(subscription: ListenedChannel): void {
    this.#subscriptions.add(subscription)
    if (this.#client !== undefined) this.#subscribe(this.#client, [subscription]).catch(this.#wake)
    if (!this.#isIdle) return
    this.#isIdle = false
    this.#run()
  }

  async remove(subscription: ListenedChannel): Promise<void> {
    this.#subscriptions.delete(subscription)
    subscription.isAlive = false
    if (this.#subscriptions.size > 0) return
    this.#wake()
    await this.#client?.end().catch(() => {})
  }

  async caughtUp(channel: string): Promise<void> {
    const mark = randomUUID()
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, heartbeatMs)
    try {
      const rows = await this.#database.query(whoListens, [channel, listening])
      const left = new Set<number>(rows.map(([pid]) => pid))
      if (left.size === 0) return
      // Connections that began to listen meanwhile answer too, but must not count in place of another.
      this.#marks.set(mark, (pid) => {
        left.delete(pid)
        if (left.size === 0) resolve()
      })
      await this.#database.query('select pg_notify($1, $2)', [channel, `mark ${mark}`])
      await promise
    } finally {
      clearTimeout(timer)
      this.#marks.delete(mark)
    }
  }

  /** Connects and listens until the connection is lost, then begins again; until no subscription is left. */
  readonly #run = async (): Promise<void> => {
    let client: Client | undefined
    try {
      if (this.#subscriptions.size === 0) return
      client = await this.#database.connectAlone()
      const lost = new AbortController()
      this.#wake = () => lost.abort(new Error('the connection that listens ended'))
      client.on('end', this.#wake)
      client.on('notification', (notice) => this.#notified(notice))
      this.#client = client
      this.#last = Promise.resolve()
      await this.#subscribe(client, [...this.#subscriptions])
      this.#logRecovery()
      while (this.#subscriptions.size > 0) {
        await delay(heartbeatMs, undefined, { signal: lost.signal, ref: false })
        await this.#probe(client)
      }
    } catch (error) {
      if (this.#subscriptions.size > 0) this.#logLoss(error)
    } finally {
      this.#client = undefined
      for (const subscription of this.#subscriptions) {
        subscription.isAlive = false
        subscription.missed()
      }
      client?.end().catch(() => {})
      if (this.#subscriptions.size > 0) setTimeout(this.#run, 500).unref()
      else this.#isIdle = true
    }
  }

  /** Logs each outage once, and each reason for failed attempts once, however many attempts there are. */
  #logLoss(error: unknown): void {
    if (this.#lostAt !== undefined) {
      const reason = this.advise?.(error)
      if (reason === undefined || this.#advised.has(reason)) return
      this.#advised.add(reason)
      this.log?.warn({ reason }, 'reconnecting to PostgreSQL failed; retrying')
      return
    }
    this.#lostAt = performance.now()
    const { message, cause } = error as Error
    this.log?.warn(
      { reason: cause instanceof Error ? cause.message : message },
      'the connection to PostgreSQL was lost; reconnecting',
    )
  }

  #logRecovery(): void {
    if (this.#lostAt === undefined) return
    const seconds = Math.round((performance.now() - this.#lostAt) / 1_000)
    this.#lostAt = undefined
    this.#advised.clear()
    this.log?.info({ seconds }, 'PostgreSQL answers again')
  }

  /** Sends a statement after the answer to the one before: the driver warns of several at once, and will refuse them. */
  #ask(client: Client, text: string, values: unknown[] = []): Promise<unknown> {
    const asked = this.#last.then(() => client.query(text, values))
    this.#last = asked.catch(() => {})
    return asked
  }

  /** Makes the connection listen to channels, and hold the locks by which others find the listeners of each. */
  async #subscribe(client: Client, subscriptions: readonly ListenedChannel[]): Promise<void> {
    const channels = subscriptions.map(({ channel }) => channel)
    for (const channel of channels) await this.#ask(client, `listen ${channel}`)
    const hold = 'select pg_advisory_lock_shared(hashtext(channel), $2) from unnest($1::text[]) as channel'
    await this.#ask(client, hold, [channels, listening])
    if (this.#client !== client) return
    for (const subscription of subscriptions) {
      if (!this.#subscriptions.has(subscription)) continue
      // What was read before the connection listened may be outdated.
      subscription.missed()
      subscription.isAlive = true
    }
  }

  /** Throws when the connection is lost or does not answer within a heartbeat. */
  async #probe(client: Client): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error('the connection that listens did not answer in time')),
        heartbeatMs,
      ).unref()
    })
    await Promise.race([this.#ask(client, 'select 1'), late]).finally(() => clearTimeout(timer))
  }

  /** A connection answers each mark once, whatever the number of its listeners. */
  #notified({ channel, payload = '', processId }: Notification): void {
    const [word, mark = ''] = payload.split(' ')
    const client = this.#client
    if (word === 'mark' && client)
      this.#ask(client, 'select pg_notify($1, $2)', [channel, `heard ${mark}`]).catch(() => {})
    else if (word === 'heard') this.#marks.get(mark)?.(processId)
    else for (const each of this.#subscriptions) if (each.channel === channel) hear(each, payload)
  }
}

/**
 * Every role of the database can send notices, so a notice may contain anything. One that cannot be parsed counts as a
 * missed one.
 */
function hear({ heard, missed }: ListenedChannel, payload: string): void {
  try {
    heard(payload)
  } catch {
    missed()
  }
}
