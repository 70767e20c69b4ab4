// Keys of a company or an organization: the requests to list, create, rotate and delete them.
import { get, send } from '../../api/request.ts'
import type { Key, KeyCreate, KeyRotation, NewKey, RotatedKey } from '../../api/schemas.ts'
import { pagesOf } from './pages-of.ts'
import type { Tenant } from './tenant.ts'

export const permissions = ['read', 'create', 'update', 'delete'] as const satisfies Key['permissions']

export const keysQuery = (place: Tenant) => pagesOf(place, 'keys', { sortBy: 'createdAt', sortOrder: 'desc' })

/** `idempotencyKey` is the same for each attempt of one form, so that a retry creates no second key. */
export const createKey = ({ scope, root }: Tenant, body: KeyCreate, idempotencyKey: string): Promise<NewKey> =>
  get<NewKey>(scope, `${root}/keys`, { method: 'POST', body, headers: { 'idempotency-key': idempotencyKey } })

/** Without a time, the old key ends now. */
export const rotateKey = (
  { scope, root }: Tenant,
  id: string,
  deleteOldAt: string | undefined,
  idempotencyKey: string,
): Promise<NewKey> =>
  get<RotatedKey>(scope, `${root}/keys/${id}/rotate`, {
    method: 'POST',
    body: { ...(deleteOldAt !== undefined && { deleteOldAt }) } satisfies KeyRotation,
    headers: { 'idempotency-key': idempotencyKey },
  })

export const deleteKey = ({ scope, root }: Tenant, id: string): Promise<Response> =>
  send(scope, `${root}/keys/${id}`, { method: 'DELETE' })

/** How a key is shown without its value: its first and last characters. */
export const shownKey = ({ prefix, lastFour }: Key): string => `${prefix}…${lastFour}`

/** A shell command that uses a key at this service. */
export function curlOf({ apiKey, permissions: has, resources }: NewKey, isCompany: boolean): string {
  const { origin } = window.location
  if (!isCompany) return lines(`curl ${origin}/v1/organization-api/companies`, `-H 'x-org-api-key: ${apiKey}'`)
  const makesCustomers = has.includes('create') && (resources === undefined || resources.includes('customer'))
  const reads = has.includes('read') || !makesCustomers
  if (reads) return lines(`curl ${origin}/v1/whoami`, `-H 'x-api-key: ${apiKey}'`)
  return lines(
    `curl ${origin}/v1/customer`,
    `-H 'x-api-key: ${apiKey}'`,
    "-H 'content-type: application/json'",
    `-d '{"firstName": "Ada"}'`,
  )
}

/** One shell command, broken into several lines for reading. */
const lines = (...parts: string[]): string => parts.join(' \\\n  ')
