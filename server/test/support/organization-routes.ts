// Requests of the organization surface that are answered with success, for tests that fold over all routes.
import type { Route } from '../../src/http/route.ts'
import { isOfExtensions } from './extensions.ts'
import type { Company } from './service.ts'

/** True of the routes of an organization's companies, keys and plans. */
export const isOfOrganization = (route: Route): boolean => route.surface === 'organization' && !isOfExtensions(route)

const root = '/v1/organization-api'

/** A path of an existing object, created if necessary, and the body of the reference. */
export async function organizationRequest(
  { id, organizationId, call }: Company,
  { path, body }: Route,
): Promise<{ path: string; body: unknown }> {
  const made = async (path: string, body: object): Promise<string> => (await call('POST', path, body)).body.id
  const key = { name: 'Made', permissions: ['read'] }
  let whole = path.replace('{organizationId}', organizationId)
  if (whole.startsWith(`${root}/companies/`)) whole = whole.replace('{id}', id)
  if (whole.includes('{keyId}')) whole = whole.replace('{keyId}', await made(`${root}/companies/${id}/keys`, key))
  if (whole.startsWith(`${root}/keys/{id}`)) whole = whole.replace('{id}', await made(`${root}/keys`, key))
  if (whole === `${root}/plans/{id}`) whole = whole.replace('{id}', await made(`${root}/plans`, { name: 'Made' }))
  return { path: whole, body: body?.example }
}
