// Authenticates by exactly one key header: its checksum is verified before any look-up, then the permission of the verb (pos-api.md Authentication, decisions §8).
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../core/problem.ts'
import { type Permission, type Role, Scope } from '../../core/scope.ts'
import { type Method, neededPermission, type Surface } from '../route.ts'

/** A key as the server knows it. A company key has `companyId`, an organization key `organizationId`. */
export interface KnownKey {
  readonly id: string
  readonly companyId: string | undefined
  readonly organizationId: string | undefined
  readonly permissions: readonly Permission[]
  /** Milliseconds since 1970; undefined means never. */
  readonly expiresAt: number | undefined
  /** Why the key is refused for now: its company is suspended. */
  readonly suspended?: string | undefined
}

/**
 * Finds a key by its value: at once when it is cached, else in the database. Undefined: it does not exist. `mayGuess`
 * is called before the database is queried, unless the value was a key's a short while ago; where it returns false, the
 * result is null.
 */
export type FindKey = (
  value: string,
  mayGuess?: () => boolean,
) => KnownKey | undefined | null | Promise<KnownKey | undefined>

/** What is counted of one request; a function that returns false has answered it with 429. */
export interface RateLimits {
  /** Counts a request of a key. */
  admits(keyId: string): boolean
  /** Counts a failure of the request's network address. */
  mayFail(): boolean
  /** Takes back a failure that was counted in advance. */
  forgive(): void
}

/**
 * The failure of one request: counted before the look-up, and taken back where it was no failure. So concurrent guesses
 * do not exceed the limit. Without limits nothing is counted.
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

/** What an authenticated request may do. Requests without a key have no scope. */
export interface Caller {
  readonly scope: Scope
  /** The owner of the request's idempotency keys: the company, or for an organization key the organization. */
  readonly ownerId: string
}

/** Paths where the header of the older description is accepted. */
export const legacyPrefix = '/v1/api/'

/** Whether the key of a request came in the older header, even if the key is refused. */
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
    throw new Problem('missing_key', `The key is missing. Send it in the header ${header}.`)
  }
  if (surface === 'organization' && organization === undefined)
    throw new Problem(
      'missing_key',
      'This request needs an organization key in the header x-org-api-key, not x-api-key.',
    )
  return value
}

/**
 * Authenticates a request, or throws the problem to answer with. Undefined: a limit has answered it. Synchronous while
 * the key is cached.
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
    if (key === undefined) throw new Problem('invalid_key', 'The key is not valid: it is unknown, deleted or mistyped.')
    if (isExpired)
      throw new Problem('invalid_key', `The key expired at ${new Date(key.expiresAt as number).toISOString()}.`)
    forgive()
    if (limits?.admits(key.id) === false) return undefined
    if (surface === 'organization' && key.organizationId === undefined)
      throw new Problem(
        'key_not_bound',
        'This is a company key, which is not bound to an organization; send an organization key.',
      )
    if (surface === 'company' && key.companyId === undefined)
      throw new Problem('invalid_key', 'This is an organization key; send a company key.')
    if (key.suspended !== undefined) throw new Problem('permission_denied', key.suspended)
    const method = (request.method === 'HEAD' ? 'GET' : request.method) as Method
    const needed = neededPermission({ method, permission: request.permission })
    if (!key.permissions.includes(needed))
      throw new Problem(
        'permission_denied',
        `The key has no permission to ${needed}; it has ${key.permissions.join(', ') || 'none'}.`,
      )
    if (request.forPeople !== undefined)
      throw new Problem('permission_denied', 'API keys cannot do this; a user does it in the console.')
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

/** A header's value; a repeated header arrives as a list or joined by commas and is not a key. */
const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value
