// GET /v1/public/health and /v1/public/ready: whether the service answers, and whether it should get requests.

import { singleFlight } from '../../concurrency/single-flight.ts'
import { object } from '../../core/json-schema.ts'
import { unavailable } from '../../core/problem.ts'
import type { Database, Row } from '../../database/connect.ts'
import { isMigrated } from '../../database/migrate.ts'
import type { Route } from '../../http/route.ts'

/** Milliseconds after which a database that does not answer makes a server unready: probes wait for 3 s and more, and learn the reason. */
const READY_MS = 2_000

/** Routes without a key. `isDraining` is true once the service has been asked to end. */
export function healthRoutes(database: Database, isDraining: () => boolean = () => false): Route[] {
  return [healthRoute(database), readyRoute(database, isDraining)]
}

/** Answers 503 while the database cannot be reached, so that a load balancer looks elsewhere. */
function healthRoute(database: Database): Route {
  const ask = singleFlight<Row[]>()
  return {
    method: 'GET',
    path: '/v1/public/health',
    surface: 'public',
    operationId: 'health',
    tag: 'Keys and health',
    semaphore: 'none',
    summary: 'Check whether the service is up',
    replies: {
      200: {
        description: 'The service and its database are up.',
        schema: object('Health', {
          status: { const: 'ok', description: 'Always `ok`; a service that is down does not answer.' },
        }),
        example: { status: 'ok' },
      },
    },
    handle: async () => {
      // Anyone may call it, at any rate: concurrent callers share a statement.
      await ask('health', () => database.reserved.query('select 1'))
      return { status: 200, body: '{"status":"ok"}' }
    },
  }
}

/** Answers 503 with the reason while this process should get no requests. */
function readyRoute(database: Database, isDraining: () => boolean): Route {
  const ask = singleFlight<boolean>()
  return {
    method: 'GET',
    path: '/v1/public/ready',
    surface: 'public',
    operationId: 'ready',
    tag: 'Keys and health',
    semaphore: 'none',
    summary: 'Check whether the service should get requests',
    description:
      'For load balancers and orchestrators. 503 names its `reason`: `database_unreachable` or `database_timeout`; `not_migrated`, while the database lacks tables of this version; `draining`, once the service has been asked to stop.',
    replies: {
      200: {
        description: 'The database can be reached and is migrated, and the service is not shutting down.',
        schema: object('Readiness', {
          status: { const: 'ready', description: 'Always `ready`; otherwise the response is 503 with a `reason`.' },
        }),
        example: { status: 'ready' },
      },
    },
    handle: async () => {
      if (isDraining()) throw unavailable('The service is shutting down. Send requests to another server.', 'draining')
      if (!(await withinReadyMs(ask('ready', () => isMigrated(database.reserved)))))
        throw unavailable('The database does not have the tables of this version yet. Try again.', 'not_migrated')
      return { status: 200, body: '{"status":"ready"}' }
    },
  }
}

/** Throws 503 once the work has taken too long for a probe; the work continues. */
function withinReadyMs<T>(work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const late = () => reject(unavailable('The database did not answer in time. Try again.', 'database_timeout'))
  const timer = setTimeout(late, READY_MS)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
