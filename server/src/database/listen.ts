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
export interface Subscription {
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
export function listen(database: Database, channel: string, { heard, missed }: Listener): Subscription {
  let listener: Client | undefined
  let isClosed = false
  const marks = new Map<string, () => void>()
  // Ends the wait between two heartbeats.
  let wake = () => {}

  async function listen(): Promise<void> {
    if (isClosed) return
    let client: Client | undefined
    try {
      client = await database.connectAlone()
      const lost = new AbortController()
      wake = () => lost.abort()
      client.on('end', wake)
      client.on('notification', ({ payload = '' }) => {
        const [word, mark = ''] = payload.split(' ')
        if (word === 'mark') client?.query('select pg_notify($1, $2)', [channel, `heard ${mark}`]).catch(() => {})
        else if (word === 'heard') marks.get(mark)?.()
        else heard(payload)
      })
      await client.query(`listen ${channel}`)
      await client.query('select pg_advisory_lock_shared(hashtext($1), $2)', [channel, listening])
      if (isClosed) return
      // An answer requested before we listened may be outdated.
      missed()
      listener = client
      while (!isClosed) {
        await delay(heartbeatMs, undefined, { signal: lost.signal, ref: false })
        await answered(client)
      }
    } catch {
      // Falls through to a new attempt.
    } finally {
      listener = undefined
      missed()
      client?.end().catch(() => {})
      if (!isClosed) setTimeout(listen, 500).unref()
    }
  }

  /** Probes the channel's connection; throws when it is lost or does not answer within a heartbeat. */
  async function answered(client: Client): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error('the connection that listens did not answer in time')),
        heartbeatMs,
      ).unref()
    })
    await Promise.race([client.query('select 1'), late]).finally(() => clearTimeout(timer))
  }

  listen()
  return {
    get isAlive() {
      return listener !== undefined
    },
    async caughtUp() {
      const mark = randomUUID()
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, heartbeatMs)
      let left = 0
      marks.set(mark, () => {
        left--
        if (left === 0) resolve()
      })
      try {
        const [row] = await database.query(countListening, [channel, listening])
        left = row?.[0]
        if (left === 0) return
        await database.query('select pg_notify($1, $2)', [channel, `mark ${mark}`])
        await promise
      } finally {
        clearTimeout(timer)
        marks.delete(mark)
      }
    },
    async close() {
      isClosed = true
      wake()
      await listener?.end().catch(() => {})
    },
  }
}
