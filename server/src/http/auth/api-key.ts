// Who calls: exactly one key header, refused by its checksum before anything is looked up, then the permission of the verb (pos-api.md Authentication, decisions §8).
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../core/problem.ts'
import { type Permission, type Role, Scope } from '../../core/scope.ts'
import { type Method, neededPermission, type Surface } from '../route.ts'

/** A key as the server knows it. `companyId` is there for a company key, `organizationId` for an organization key. */
export interface KnownKey {
  readonly id: string
  readonly companyId: string | undefined
  readonly organizationId: string | undefined
  readonly permissions: readonly Permission[]
  /** Milliseconds since 1970; undefined means never. */
  readonly expiresAt: number | undefined
  /** Why the key opens nothing for now: its company is suspended. */
  readonly suspended?: string | undefined
}

/**
 * Finds a key by its value: at once when it is in memory, else by asking the database. Undefined: there is none. `mayGuess`
 * is asked before the database is, unless the value was a key's a short while ago; where it says no, null is the answer.
 */
export type FindKey = (
  value: string,
  mayGuess?: () => boolean,
) => KnownKey | undefined | null | Promise<KnownKey | undefined>

/** What is counted of one request; what says false has answered it with 429. */
export interface RateLimits {
  /** Counts a request of a key. */
  admits(keyId: string): boolean
  /** Counts a failure of the address that the request comes from. */
  mayFail(): boolean
  /** Takes a failure back that was counted beforehand. */
  forgive(): void
}

/**
 * The failure of one request: counted before the look-up that shows it, so that many at once are not more than those one
 * by one, and taken back where it was none. Without limits nothing is counted.
 */
export function failureOf(limits: RateLimits | undefined) {
  let isCounted = false
  const mayFail = (): boolean => {
    isCounted ||= limits?.mayFail() === true
    return isCounted
  }
  return {
    mayFail: limits && mayFail,
    forgive: (): void => {
      if (isCounted) limits?.forgive()
    },
  }
}

/** What a request is let in as. Requests without a key have no scope. */
export interface Caller {
  readonly scope: Scope
  /** The company, or of an organization's key the organization: whose idempotency keys its requests carry. */
  readonly ownerId: string
}

/** Where the header of the older description is read. */
export const legacyPrefix = '/v1/api/'

/** Whether the key of a request came in the header of the older description, whatever becomes of it. */
export const isLegacy = (headers: IncomingHttpHeaders, surface: Surface, path: string): boolean =>
  headers.apikey !== undefined &&
  surface === 'company' &&
  headers['x-api-key'] === undefined &&
  path.startsWith(legacyPrefix)

/** The one key of a request. Throws `missing_key` or `conflicting_credentials`. */
function credential(headers: IncomingHttpHeaders, surface: Surface, path: string): string {
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
  return value
}

/**
 * Lets a request in, or throws the problem that it is answered with. Undefined: a limit has answered it. Synchronous while
 * the key is in memory.
 */
export function authenticate(
  findKey: FindKey,
  request: {
    headers: IncomingHttpHeaders
    method: string
    path: string
    forPeople?: Role | undefined
    permission?: Permission | undefined
  },
  surface: Surface,
  limits?: RateLimits,
): Caller | undefined | Promise<Caller | undefined> {
  const value = credential(request.headers, surface, request.path)
  const { mayFail, forgive } = failureOf(limits)
  const admit = (key: KnownKey | undefined): Caller | undefined => {
    const isExpired = key?.expiresAt !== undefined && key.expiresAt <= Date.now()
    if ((key === undefined || isExpired) && mayFail?.() === false) return undefined
    if (key === undefined) throw new Problem('invalid_key', 'The key is not valid: unknown, deleted or mistyped.')
    if (isExpired)
      throw new Problem('invalid_key', `The key expired at ${new Date(key.expiresAt as number).toISOString()}.`)
    forgive()
    if (limits?.admits(key.id) === false) return undefined
    if (surface === 'organization' && key.organizationId === undefined)
      throw new Problem('key_not_bound', 'This is a company key; it is not bound to an organization.')
    if (surface === 'company' && key.companyId === undefined)
      throw new Problem('invalid_key', 'This is an organization key; a company key is needed here.')
    if (key.suspended !== undefined) throw new Problem('permission_denied', key.suspended)
    const method = (request.method === 'HEAD' ? 'GET' : request.method) as Method
    const needed = neededPermission({ method, permission: request.permission })
    if (!key.permissions.includes(needed))
      throw new Problem(
        'permission_denied',
        `The key has no permission to ${needed}; it has ${key.permissions.join(', ') || 'none'}.`,
      )
    if (request.forPeople !== undefined)
      throw new Problem('permission_denied', 'No key may do this: it is done by a person, in the console.')
    const ownerId = (key.companyId ?? key.organizationId) as string
    const mayRead = key.permissions.includes('read')
    return { scope: Scope.grant(key.companyId ?? '', key.id, key.organizationId, undefined, mayRead), ownerId }
  }
  const known = findKey(value, mayFail)
  if (known === null) return undefined
  if (!(known instanceof Promise)) return admit(known)
  return known.then(admit, (error) => {
    forgive()
    throw error
  })
}

/** A header's value; a header that is sent twice comes as a list or joined by commas and is no key. */
const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value
