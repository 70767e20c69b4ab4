// Who calls: exactly one key header, refused by its checksum before anything is looked up, then the permission of the verb (pos-api.md Authentication, decisions §8).
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from './problem.ts'
import { type Method, permissionOf, type Surface } from './route.ts'
import { type Permission, Scope } from './scope.ts'

/** A key as the server knows it. `companyId` is there for a company key, `organizationId` for an organization key. */
export interface KnownKey {
  readonly id: string
  readonly companyId: string | undefined
  readonly organizationId: string | undefined
  readonly permissions: readonly Permission[]
  /** Milliseconds since 1970; undefined means never. */
  readonly expiresAt: number | undefined
}

/** Finds a key by its value: at once when it is in memory, else by asking the database. Undefined: there is none. */
export type FindKey = (value: string) => KnownKey | undefined | Promise<KnownKey | undefined>

/** What a request is let in as. Public requests have no scope. */
export interface Caller {
  readonly scope: Scope
  /** The company, or of an organization's key the organization: whose idempotency keys its requests carry. */
  readonly ownerId: string
  /** Set when the key came in the header of the older description. */
  readonly isLegacy: boolean
}

/** Where the header of the older description is read. */
export const legacyPrefix = '/v1/api/'

/** The one key of a request and the header it came in. Throws `missing_key` or `conflicting_credentials`. */
function credential(headers: IncomingHttpHeaders, surface: Surface, path: string) {
  const company = one(headers['x-api-key'])
  const organization = one(headers['x-org-api-key'])
  const legacy = path.startsWith(legacyPrefix) ? one(headers.apikey) : undefined
  if ((company ?? legacy) !== undefined && organization !== undefined)
    throw new Problem('conflicting_credentials', 'Send x-api-key or x-org-api-key, not both.')
  if (company !== undefined && legacy !== undefined && company !== legacy)
    throw new Problem(
      'conflicting_credentials',
      'The headers x-api-key and apiKey hold different keys; send x-api-key only.',
    )
  const value = surface === 'company' ? (company ?? legacy) : (organization ?? company)
  if (value === undefined || value === '') {
    const header = surface === 'company' ? 'x-api-key' : 'x-org-api-key'
    throw new Problem('missing_key', `This request needs a key in the header ${header}.`)
  }
  if (surface === 'organization' && organization === undefined)
    throw new Problem(
      'missing_key',
      'This request needs an organization key in the header x-org-api-key, not x-api-key.',
    )
  return { value, isLegacy: surface === 'company' && company === undefined }
}

/** Lets a request in, or throws the problem that it is answered with. Synchronous while the key is in memory. */
export function authenticate(
  findKey: FindKey,
  request: { headers: IncomingHttpHeaders; method: string; path: string },
  surface: Surface,
): Caller | Promise<Caller> {
  const { value, isLegacy } = credential(request.headers, surface, request.path)
  const known = findKey(value)
  const admit = (key: KnownKey | undefined): Caller => {
    if (key === undefined) throw new Problem('invalid_key', 'The key is not valid: unknown, deleted or mistyped.')
    if (key.expiresAt !== undefined && key.expiresAt <= Date.now())
      throw new Problem('invalid_key', `The key expired at ${new Date(key.expiresAt).toISOString()}.`)
    if (surface === 'organization' && key.organizationId === undefined)
      throw new Problem('key_not_bound', 'This is a company key; it is not bound to an organization.')
    if (surface === 'company' && key.companyId === undefined)
      throw new Problem('invalid_key', 'This is an organization key; a company key is needed here.')
    const needed = permissionOf[(request.method === 'HEAD' ? 'GET' : request.method) as Method]
    if (!key.permissions.includes(needed))
      throw new Problem(
        'permission_denied',
        `The key has no permission to ${needed}; it has ${key.permissions.join(', ') || 'none'}.`,
      )
    const ownerId = (key.companyId ?? key.organizationId) as string
    return { scope: Scope.grant(key.companyId ?? '', key.id), ownerId, isLegacy }
  }
  return known instanceof Promise ? known.then(admit) : admit(known)
}

/** A header's value; a header that is sent twice comes as a list or joined by commas and is no key. */
const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value
