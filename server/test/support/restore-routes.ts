// Requests that the routes of restores take, for the sweeps over all routes.
import type { Route } from '../../src/http/route.ts'
import { fullBody } from './bodies.ts'
import { pathOf, servedBy } from './routes.ts'
import type { Caller } from './service.ts'

/** Whether a route restores a deleted record. */
export const isRestore = ({ path }: Route): boolean => path.endsWith('/{id}/restore')

/** The path at which such a route restores a record that was just deleted. */
export async function restorePath(call: Caller, route: Route): Promise<string> {
  const contract = servedBy(route)
  if (contract === undefined) throw new Error(`${route.path} restores a record of no known resource.`)
  const path = `/v1/${contract.one}`
  const { id } = (await call('POST', path, fullBody(contract))).body
  await call('DELETE', `${path}/${id}`)
  return pathOf(route, id)
}
