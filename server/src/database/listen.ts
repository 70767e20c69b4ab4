// Listens to a channel of NOTIFY, so that a server's caches are dropped the moment they are no longer true.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Database } from './connect.ts'

/** Milliseconds between two heartbeats of the channel; until the first failed one, a notice could be missed. */
const heartbeatMs = 2_000

/** Every listener of a channel holds this advisory lock, so that they can be counted. */
const listening = 7
const countListening = `
  select count(*) from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = (hashtext($1)::bigint & 4294967295)::oid and objid = $2::int::oid and objsubid = 2 and granted`

/** A channel that is listened to, on a connection of its own. */
export interface ChannelListener {
  /** While it is not, notices may be missed, and nothing may be cached. */
  readonly isAlive: boolean
  /**
   * Resolves once all listening servers have received the notices of transactions that are committed at the time of the
   * call. Notices arrive in the order of commits, so it sends one that each server answers. After a heartbeat it stops
   * waiting.
   */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

/** What to do with notices: with each one; and with all caches, when some may have been missed. */
interface Listener {
  readonly heard: (payload: string) => void
  readonly missed: () => void
}

/** Listens until it is closed; reconnects whenever a connection is lost. */
export const listen = (database: Database, channel: string, listener: Listener): ChannelListener =>
  new ChannelSubscription(database, channel, listener)

/**
 * A channel and its connection. Its states: connecting (no `#client`), listening, waiting for the next attempt (no
 * `#client` again), closed.
 */
class ChannelSubscription implements ChannelListener {
  readonly #database: Database
  readonly #channel: string
  readonly #listener: Listener
  /** The connection, while it listens. */
  #client: Client | undefined
  #isClosed = false
  /** What waits for an answer to a mark, by mark. */
  readonly #marks = new Map<string, () => void>()
  /** Ends the wait between two heartbeats. */
  #wake = () => {}

  constructor(database: Database, channel: string, listener: Listener) {
    this.#database = database
    this.#channel = channel
    this.#listener = listener
    this.#listen()
  }

  get isAlive() {
    return this.#client !== undefined
  }

  async caughtUp(): Promise<void> {
    const mark = randomUUID()
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, heartbeatMs)
    let left = 0
    this.#marks.set(mark, () => {
      left--
      if (left === 0) resolve()
    })
    try {
      const [row] = await this.#database.query(countListening, [this.#channel, listening])
      left = row?.[0]
      if (left === 0) return
      await this.#database.query('select pg_notify($1, $2)', [this.#channel, `mark ${mark}`])
      await promise
    } finally {
      clearTimeout(timer)
      this.#marks.delete(mark)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake()
    await this.#client?.end().catch(() => {})
  }

  /** Connects and listens until the connection is lost, then begins again. */
  readonly #listen = async (): Promise<void> => {
    if (this.#isClosed) return
    let client: Client | undefined
    try {
      client = await this.#database.connectAlone()
      const lost = new AbortController()
      this.#wake = () => lost.abort()
      await this.#subscribe(client)
      if (this.#isClosed) return
      // An answer requested before we listened may be outdated.
      this.#listener.missed()
      this.#client = client
      while (!this.#isClosed) {
        await delay(heartbeatMs, undefined, { signal: lost.signal, ref: false })
        await heartbeat(client)
      }
    } catch {
      // Falls through to a new attempt.
    } finally {
      this.#client = undefined
      this.#listener.missed()
      client?.end().catch(() => {})
      if (!this.#isClosed) setTimeout(this.#listen, 500).unref()
    }
  }

  /** Makes a connection listen, and holds the lock by which the listeners are counted. */
  async #subscribe(client: Client): Promise<void> {
    client.on('end', this.#wake)
    client.on('notification', ({ payload = '' }) => {
      const [word, mark = ''] = payload.split(' ')
      if (word === 'mark') client.query('select pg_notify($1, $2)', [this.#channel, `heard ${mark}`]).catch(() => {})
      else if (word === 'heard') this.#marks.get(mark)?.()
      else this.#hear(payload)
    })
    await client.query(`listen ${this.#channel}`)
    await client.query('select pg_advisory_lock_shared(hashtext($1), $2)', [this.#channel, listening])
  }

  /** Every role of the database can send notices, so one may be anything. One that cannot be read may have been any. */
  #hear(payload: string): void {
    try {
      this.#listener.heard(payload)
    } catch {
      this.#listener.missed()
    }
  }
}

/** Probes the channel's connection; throws when it is lost or does not answer within a heartbeat. */
async function heartbeat(client: Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('the connection that listens did not answer in time')),
      heartbeatMs,
    ).unref()
  })
  await Promise.race([client.query('select 1'), late]).finally(() => clearTimeout(timer))
}
