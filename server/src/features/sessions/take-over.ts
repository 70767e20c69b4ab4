// The parameter `takeOver` of the writes of sessions: opening a session closes the one that is open at the station.

import type { Operations } from '../../engine/operations.ts'
import type { Route } from '../../http/route.ts'

const takeOver = {
  type: 'boolean',
  description:
    'Whether a session that is open at the station is closed first, with the present time as its `closeTime`. Without it, or with false, opening a second session is refused with 409 `conflict` if the company’s setting `oneOpenSession` is on.',
}

/** The routes of sessions, whose creates and updates also take `takeOver`: then `takingOver` carries them out. */
export function sessionRoutes(
  routesOf: (operations: Operations) => Route[],
  refusing: Operations,
  takingOver: Operations,
): Route[] {
  const others = routesOf(takingOver)
  return routesOf(refusing).map((route, n) =>
    route.method === 'GET' || route.method === 'DELETE'
      ? route
      : {
          ...route,
          query: { ...route.query, takeOver },
          handle: (call) => (call.query.takeOver === true ? (others[n] as Route) : route).handle(call),
        },
  )
}
