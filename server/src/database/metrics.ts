// What connections and statements report about themselves, named after OpenTelemetry's conventions for clients of databases.
import { type Count, counter, DATABASE_SECONDS, type Distribution, gauge, histogram } from '../metrics/instruments.ts'

const pool = 'db_client_connection_pool_name'
const connections = gauge({
  name: 'db_client_connection_count',
  help: 'Connections to PostgreSQL, by pool, idle or used.',
  labels: [pool, 'db_client_connection_state'],
})
const limits = gauge({
  name: 'db_client_connection_max',
  help: 'Connections to PostgreSQL that a pool may have.',
  labels: [pool],
})
const pending = gauge({
  name: 'db_client_connection_pending_requests',
  help: 'Statements and transactions that wait for a connection, by pool.',
  labels: [pool],
})
const timeouts = counter({
  name: 'db_client_connection_timeouts_total',
  help: 'Waits for a connection that were given up, by pool.',
  labels: [pool],
})
const waits = histogram(
  {
    name: 'db_client_connection_wait_time_seconds',
    help: 'Seconds until a connection was free or made, by pool.',
    labels: [pool],
  },
  DATABASE_SECONDS,
)
const durations = histogram(
  {
    name: 'db_client_operation_duration_seconds',
    help: 'Seconds from sending a statement to its result. error_type is empty, an SQLSTATE, or `other`.',
    labels: ['db_system_name', 'error_type'],
  },
  DATABASE_SECONDS,
)

/** Times that the embedded PostgreSQL ended by itself and was started again. */
export const embeddedRestarts = counter({
  name: 'cashwrap_embedded_database_restarts_total',
  help: 'Times that the embedded PostgreSQL was gone and was brought back.',
}).of()

/** 1 where row-level security keeps companies apart. */
export const rowSecurityIsOn = gauge({
  name: 'cashwrap_row_security',
  help: '1 if row-level security keeps companies apart, 0 if not; with several workers, how many of them do.',
}).of()

/** What is measured of a pool. */
interface PoolMetrics {
  readonly idle: Count
  readonly used: Count
  readonly pending: Count
  readonly timeouts: Count
  readonly waits: Distribution
}

/** The metrics of pools with a name; pools of one name are counted together. */
export function poolMetrics(name: string, size: number): PoolMetrics {
  limits.of(name).value = size
  return {
    idle: connections.of(name, 'idle'),
    used: connections.of(name, 'used'),
    pending: pending.of(name),
    timeouts: timeouts.of(name),
    waits: waits.of(name),
  }
}

const succeeded = durations.of('postgresql', '')

/** Measures a statement that began at `begun`, by `performance.now()`. */
export function measureStatement(begun: number, error: Error | null | undefined): void {
  const own = error ? durations.of('postgresql', errorType(error)) : succeeded
  own.observe((performance.now() - begun) / 1000)
}

/** The SQLSTATE, or `other`: a lost connection, or a deadline. */
export function errorType(error: Error): string {
  const code = String((error as { code?: unknown }).code ?? '')
  return /^[0-9A-Z]{5}$/.test(code) ? code : 'other'
}
