// GET /v1/public/health: whether the service answers, for load balancers and people.

import { singleFlight } from '../../concurrency/single-flight.ts'
import type { Database, Row } from '../../database/connect.ts'
import type { Route } from '../../http/route.ts'

/** Answers 503 while the database cannot be reached, so that a load balancer looks elsewhere. */
export function healthRoutes(database: Database): Route[] {
  const ask = singleFlight<Row[]>()
  return [
    {
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
          schema: {
            title: 'Health',
            type: 'object',
            properties: {
              status: { const: 'ok', description: 'Always `ok`; a service that is down does not answer.' },
            },
            required: ['status'],
          },
          example: { status: 'ok' },
        },
      },
      handle: async () => {
        // Anyone may call it, at any rate: concurrent callers share a statement.
        await ask('health', () => database.reserved.query('select 1'))
        return { status: 200, body: '{"status":"ok"}' }
      },
    },
  ]
}
