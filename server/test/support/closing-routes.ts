// Requests that the routes of session reports and closings take, for the sweeps over all routes.
import type { Route } from '../../src/http/route.ts'
import type { Body } from './contract.ts'
import { pathOf } from './routes.ts'
import type { Caller } from './service.ts'

/** The resource whose id is in the path of such a route; undefined for other routes. */
export const closingResourceOf = ({ path }: Route): 'session' | 'closing' | undefined =>
  /^\/v1\/session\/\{id\}\/(report|close)$/.test(path) ? 'session' : path === '/v1/closing/{id}' ? 'closing' : undefined

/** A new session with an opening amount and a movement. */
async function openSession(call: Caller): Promise<string> {
  const { body } = await call('POST', '/v1/session', { stationId: 's', openingAmount: '100.00' })
  await call('POST', '/v1/cash-movement', { sessionId: body.id, type: 'drop', amount: '5.00' })
  return body.id
}

/** The closing of a new session. */
export const makeClosing = async (call: Caller): Promise<Body> =>
  (await call('POST', `/v1/session/${await openSession(call)}/close`, { counted: { cash: '95.00' } })).body

/** The path and the body with which such a route succeeds. */
export async function closingRequest(call: Caller, route: Route): Promise<{ path: string; body: unknown }> {
  const id = closingResourceOf(route) === 'closing' ? (await makeClosing(call)).id : await openSession(call)
  return { path: pathOf(route, id), body: route.body?.example }
}
