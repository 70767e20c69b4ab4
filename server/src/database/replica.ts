// Reads that may go to a replica: it answers once it has replayed all that was written before the read began; otherwise the primary does.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { singleFlight } from '../concurrency/single-flight.ts'
import { counter } from '../metrics/instruments.ts'
import type { Ahead } from './ahead.ts'
import { isCancelled, isLost, reasonOf } from './errors.ts'
import type { Pool } from './pool.ts'
import { prepareWithin, type Queryable, type Row, runWithin, type Statement } from './statement.ts'

/** Milliseconds that a read waits for the replica, and between two looks at it, which grow. */
const WAIT_MS = 40
const LOOK_FIRST_MS = 1
const LOOK_LAST_MS = 8
/** Milliseconds for which the primary answers all reads after the replica was behind, or was lost. */
const BEHIND_MS = 200
const LOST_MS = 5_000
/** Milliseconds within which a replica must say how far it is. */
const LOOK_MS = 1_000

const reads = counter({
  name: 'cashwrap_replica_reads_total',
  help: 'Statements that may go to the replica, by result: answered by the `replica`, or by the primary since the replica was `behind`, `lost` or `cancelled` the read.',
  labels: ['result'],
})

type QueryPrimary = (statement: Statement | string, values?: readonly unknown[]) => Promise<Row[]>

/** A place in the log, in bytes. A failover begins another timeline, and places of two timelines or clusters cannot be compared. */
interface LogPosition {
  /** The cluster and the database in it. */
  readonly of: string
  readonly timeline: number
  readonly bytes: number
}

const database = `(select system_identifier from pg_control_system()) || '/' || current_database()`

/** The end of the log on disk: each write that was answered is before it. */
const written: Statement = {
  name: 'log_written',
  text: `select ${database}, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int, (lsn - '0/0')::float8 from pg_current_wal_flush_lsn() as lsn`,
}

/**
 * How far a replica has replayed the log, and the timeline that it receives. One that stayed with a former primary may have
 * replayed what was never promoted: it is then on another timeline, or receives nothing. Last, the process that answers.
 */
const replayed: Statement = {
  name: 'log_replayed',
  text: `select ${database}, (select received_tli from pg_stat_wal_receiver where status = 'streaming'), (pg_last_wal_replay_lsn() - '0/0')::float8,
    pg_backend_pid()`,
}

/** Replaces the name of the database if the replica is behind a pooler. */
const POOLED = 'pooled'

const isUpTo = (reached: LogPosition | undefined, wanted: LogPosition): boolean =>
  reached?.of === wanted.of && reached.timeline === wanted.timeline && reached.bytes >= wanted.bytes

/** Who reads instead of the owner of the tables. */
export interface Reader extends Queryable {
  /** What is sent ahead of its statements on the replica. */
  readonly ahead: Ahead
}

interface ReplicaParts {
  readonly primary: QueryPrimary
  /** Connections to the replica. */
  readonly pool: Pool
  /** Milliseconds after which a read is given up, and the primary answers. */
  readonly deadlineMs: number
}

type Result = 'replica' | 'behind' | 'lost' | 'cancelled'

/** A replica, as this server sees it: in use, or left aside for a moment. */
export class Replica {
  readonly #parts: ReplicaParts
  readonly #ends = singleFlight<LogPosition>()
  readonly #looks = singleFlight<LogPosition>()
  /** How far each connection's replica was: a proxy may lead each to another one. */
  readonly #reached = new WeakMap<pg.PoolClient, LogPosition>()
  #aside: { readonly until: number; readonly result: Result } = { until: 0, result: 'lost' }

  constructor(parts: ReplicaParts) {
    this.#parts = parts
  }

  /**
   * Begins a read: its statements show every write that was answered before, whichever server answered it. It asks the primary where
   * its log ends, in one statement for all that begin at once, and waits for the replica, before the read takes a place in any queue.
   */
  async begin(as?: Reader): Promise<Queryable> {
    const { primary, deadlineMs } = this.#parts
    const read = async (
      wanted: LogPosition | Result,
      statement: Statement | string,
      values: readonly unknown[] = [],
    ) => {
      const work = async (client: pg.PoolClient) => {
        if (as) await prepareWithin(deadlineMs, client, as.ahead)
        return runWithin(deadlineMs, client, statement, values, as && [as.ahead])
      }
      const answer = typeof wanted === 'string' ? wanted : await this.#ask(wanted, work)
      reads.of(typeof answer === 'string' ? answer : 'replica').value++
      if (typeof answer !== 'string') return answer
      return as ? as.query(statement, values) : primary(statement, values)
    }
    const wanted = await this.#caughtUp()
    return { inTransaction: false, isSharded: false, query: (statement, values) => read(wanted, statement, values) }
  }

  /** The end of the primary's log now, once the replica has replayed up to it; otherwise why the primary must answer. */
  async #caughtUp(): Promise<LogPosition | Result> {
    const isAside = () => performance.now() < this.#aside.until
    if (isAside()) return this.#aside.result
    const { primary, pool } = this.#parts
    const wanted = await this.#ends('', async () => positionOf(await primary(written)))
    const until = performance.now() + WAIT_MS
    for (let pauseMs = LOOK_FIRST_MS; !isAside(); pauseMs = Math.min(pauseMs * 2, LOOK_LAST_MS)) {
      try {
        if (isUpTo(await this.#looks('', () => pool.borrow(this.#look)), wanted)) return wanted
      } catch {
        return this.#leaveAside('lost', LOST_MS)
      }
      if (performance.now() > until) return this.#leaveAside('behind', BEHIND_MS)
      await delay(pauseMs)
    }
    return this.#aside.result
  }

  readonly #look = async (client: pg.PoolClient): Promise<LogPosition> => {
    const rows = await runWithin(LOOK_MS, client, replayed, [])
    const position = positionOf(rows)
    // Behind a pooler the next statement may be answered by another process, of another replica.
    if (rows[0]?.at(-1) !== (client as unknown as { processID: number }).processID) return { ...position, of: POOLED }
    this.#reached.set(client, position)
    return position
  }

  /**
   * Runs a statement on a connection whose replica has replayed enough; otherwise returns why the primary must answer.
   */
  async #ask(wanted: LogPosition, work: (client: pg.PoolClient) => Promise<Row[]>): Promise<Row[] | Result> {
    try {
      return await this.#parts.pool.borrow(async (client) => {
        const isEnough = isUpTo(this.#reached.get(client), wanted) || isUpTo(await this.#look(client), wanted)
        return isEnough ? work(client) : 'behind'
      })
    } catch (error) {
      // PostgreSQL cancels statements that take long, or that read rows which the primary has removed. A wrong
      // statement fails on the primary too.
      const reason = reasonOf(error)
      return isLost(reason) && !isCancelled(reason) ? this.#leaveAside('lost', LOST_MS) : 'cancelled'
    }
  }

  #leaveAside(result: Result, ms: number): Result {
    this.#aside = { result, until: performance.now() + ms }
    return result
  }

  /** Why it cannot be used now, for the operator; undefined if it can. */
  async problem(): Promise<string | undefined> {
    const text = `select pg_is_in_recovery(), pg_has_role('pg_read_all_stats', 'usage')`
    const ask = async (client: pg.PoolClient) =>
      [await runWithin(LOOK_MS, client, { text }, []), await this.#look(client)] as const
    try {
      const wanted = positionOf(await this.#parts.primary(written))
      const [[[isStandby, maySee] = []], { of, timeline }] = await this.#parts.pool.borrow(ask)
      if (of === POOLED) return 'a pooler is before it'
      if (!isStandby) return 'it is not a standby'
      if (of !== wanted.of) return `it has another database (${of}; that of DATABASE_URL is ${wanted.of})`
      if (!maySee)
        return 'its user lacks the role pg_read_all_stats (grant pg_read_all_stats to its user, on the primary)'
      if (timeline === 0) return 'it does not stream from a primary'
      return timeline === wanted.timeline ? undefined : 'it follows another primary'
    } catch (error) {
      return `it cannot be reached (${reasonOf(error).message})`
    }
  }
}

/**
 * The position in a row of these statements. The timeline is 0 if the server is no replica, or hides the timeline from
 * this user.
 */
function positionOf([row]: readonly Row[]): LogPosition {
  const [of, timeline, bytes] = row as [string, number | null, number | null]
  return { of, timeline: timeline ?? 0, bytes: bytes ?? 0 }
}
