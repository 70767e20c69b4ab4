// The table of contents: every route of the service, in the order of the reference.
import type { Database } from './database/connect.ts'
import { operations } from './engine/operations.ts'
import { styleA } from './engine/style-a.ts'
import { styleB } from './engine/style-b.ts'
import { healthRoutes } from './features/health/routes.ts'
import { whoamiRoutes } from './features/keys/whoami.ts'
import type { Route } from './http/route.ts'
import { resources } from './resources/index.ts'

/** All routes over one database. */
export function allRoutes(database: Database): Route[] {
  return [
    ...healthRoutes(database),
    ...whoamiRoutes(database),
    ...resources.flatMap((resource) => {
      const own = operations(resource, database)
      return [...styleB(own), ...styleA(own)]
    }),
  ]
}
