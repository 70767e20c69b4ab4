// Requests that the routes of upserts take, for the sweeps over all routes.
import type { Route } from '../../src/http/route.ts'
import { fullBody, newReference } from './bodies.ts'
import { servedBy } from './routes.ts'

/** Whether a route stores a record under its id of another system. */
export const isUpsert = ({ path }: Pick<Route, 'path'>): boolean => path.includes('/external/')

/** A new pair, and a body that leaves it to the path. */
export function upsertRequest(route: Route): { path: string; body: object } {
  const contract = servedBy(route)
  if (contract === undefined) throw new Error(`${route.path} stores a record of no known resource.`)
  const { source: _, externalId: __, ...body } = fullBody(contract)
  return { path: route.path.replace('{source}', 'shop').replace('{externalId}', newReference()), body }
}
