// A pool of connections: each is lent for one piece of work, and a broken one is replaced.
import pg from 'pg'
import { type Problem, unavailable } from '../core/problem.ts'
import { divided } from '../core/worker-share.ts'
import { endsSession, unavailableFor, unavailableIfLost } from './errors.ts'
import { poolMetrics } from './metrics.ts'

/** Milliseconds after which PostgreSQL cancels a statement by itself. */
export const STATEMENT_TIMEOUT_MS = 8_000
/** Milliseconds after which PostgreSQL ends an idle transaction: its server froze or is gone, and its locks are released. */
const IDLE_TRANSACTION_MS = 10_000
/** Statements that wait for a connection: only a flood of different unknown keys comes near it, and each is answered in 0.2 ms. */
export const CONNECTION_WAITING = divided(1_000, 250)

/**
 * PostgreSQL ends an idle transaction, because its server froze or vanished, and releases its locks. It does not
 * compile statements (JIT): if it overestimates the rows, such as those of a JSON array, compiling takes longer than
 * the statement. It answers a commit once it is on disk; modes that wait for more are kept.
 */
const sessionSettings = (statementMs: number, condition: string) => `
  select set_config(name, setting, false) from (values
    ('statement_timeout', '${statementMs}'), ('jit', 'off'), ('timezone', 'UTC'),
    ('idle_in_transaction_session_timeout', '${statementMs + IDLE_TRANSACTION_MS - STATEMENT_TIMEOUT_MS}')
  ) as settings (name, setting) where ${condition};
  select set_config('synchronous_commit', 'on', false) where ${condition} and current_setting('synchronous_commit') = 'off';`

/** Whether the last of these statements was answered by a standby. */
const isStandby = (results: unknown): boolean =>
  ([results].flat() as pg.QueryArrayResult[]).at(-1)?.rows[0]?.[0] === true

interface PoolSettings {
  /** What it is called in metrics. */
  readonly name: string
  readonly size: number
  readonly statementMs: number
  /** Whether its connections may lead to a standby; otherwise they are closed there. */
  readonly mayBeStandby?: boolean
  /** Whether a pooler lends its sessions to others too; then their settings are those of the role. */
  readonly sharesSessions?: boolean
}

/** A pool of connections. */
export interface Pool {
  /** Lends a connection until the work ends. Throws `unavailable` if there is none, or the work lost it. */
  borrow<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  end(): Promise<void>
}

/** A pool of some connections, each lent for one piece of work. */
export function openPool(
  settings: pg.PoolConfig,
  { name, size, statementMs, mayBeStandby = false, sharesSessions = false }: PoolSettings,
): Pool {
  const metrics = poolMetrics(name, size)
  /** The first statements of a connection. A replica behind a pooler is not used: its sessions keep their settings. */
  const firstOf = (client: pg.PoolClient) => {
    const { processID } = client as unknown as { processID: number }
    const condition = mayBeStandby ? `pg_backend_pid() = ${processID}` : 'true'
    return `${sharesSessions ? '' : sessionSettings(statementMs, condition)} select pg_is_in_recovery()`
  }
  const pool = new pg.Pool({ ...settings, max: size, idleTimeoutMillis: 60_000 })
  let open = 0
  // A broken idle connection does not matter: the pool makes a new one when it is needed.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    open++
    metrics.idle.value++
    client.on('error', () => {})
    client.query({ text: firstOf(client), rowMode: 'array' }, (error, results) => {
      // After a failover, a name or a proxy may still lead to the former primary, whose data may be old.
      if (!error && !mayBeStandby && isStandby(results)) (client as pg.Client).connection.stream.destroy()
    })
  })
  pool.on('remove', () => {
    open--
    metrics.idle.value--
  })

  /** Why there is no connection: all are in use, or the database refuses them (gone, full, another password). */
  const refusal = (error: unknown): Problem => (open >= size && isPoolTimeout(error) ? inUse() : unavailableFor(error))

  async function waitForClient(): Promise<pg.PoolClient> {
    const begun = performance.now()
    metrics.pending.value++
    try {
      const client = await pool.connect()
      metrics.idle.value--
      metrics.used.value++
      return client
    } catch (error) {
      metrics.timeouts.value++
      throw refusal(error)
    } finally {
      metrics.pending.value--
      metrics.waits.observe((performance.now() - begun) / 1000)
    }
  }

  function giveBack(client: pg.PoolClient, isBroken = false): void {
    metrics.used.value--
    metrics.idle.value++
    client.release(isBroken)
  }

  async function borrow<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (pool.waitingCount >= CONNECTION_WAITING) throw inUse()
    const client = await waitForClient()
    try {
      const result = await work(client)
      giveBack(client)
      return result
    } catch (error) {
      // A connection that broke, or may still be busy with an abandoned statement, is closed.
      giveBack(client, endsSession(error) || endsSession((error as { cause?: unknown }).cause))
      throw unavailableIfLost(error)
    }
  }

  return { borrow, end: () => pool.end() }
}

// Some of an operation's statements may have been carried out before, so the message does not say that nothing was done.
const inUse = () => unavailable('All connections to the database are in use. Try again.', 'connections_in_use')

/** True when the wait was for a connection to be returned. */
const isPoolTimeout = (error: unknown): boolean => error instanceof Error && error.message.startsWith('timeout e')
