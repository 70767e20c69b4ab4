// Authenticates by exactly one key header: its checksum is verified before any look-up, then the permission of the verb (pos-api.md Authentication, decisions §8).
import type { IncomingHttpHeaders } from 'node:http'
import { denied, Problem, resourceDenied } from '../../core/problem.ts'
import { type Permission, type Role, Scope } from '../../core/scope.ts'
import { type Method, neededPermissions, type Route, type Surface } from '../route.ts'

/** A key as the server knows it. A company key has `companyId`, an organization key `organizationId`. */
export interface KnownKey {
  readonly id: string
  readonly companyId: string | undefined
  readonly organizationId: string | undefined
  readonly permissions: readonly Permission[]
  /** The resources that it is limited to; undefined for all. */
  readonly resources?: ReadonlySet<string> | undefined
  /** Milliseconds since 1970; undefined means never. */
  readonly expiresAt: number | undefined
  /** Why the company is suspended, and the key refused for now; empty if no reason was given. */
  readonly suspended?: string | undefined
}

/**
 * Whether a limit admits a request; false: it has answered the request with 429. Known at once if this process counts.
 */
export type Admitted = boolean | Promise<boolean>

/**
 * Finds a key by its value: at once when it is cached, else in the database. Undefined: it does not exist. `mayGuess`
 * is called before the database is queried, but not for values that were valid recently. Null: `mayGuess` refused the
 * look-up.
 */
export type FindKey = (
  value: string,
  mayGuess?: () => Admitted,
) => KnownKey | undefined | null | Promise<KnownKey | undefined | null>

/** What is counted of one request. */
export interface RateLimits {
  /** Counts a request of a key. */
  admits(keyId: string): Admitted
  /** Counts a failure of the request's network address. */
  mayFail(): Admitted
  /** Takes back a failure that was counted in advance. */
  forgive(): void
}

/**
 * The failure of one request: counted before the look-up, and taken back if it was none, so that concurrent guesses
 * cannot exceed the limit. Without limits nothing is counted.
 */
export function failureOf(limits: RateLimits | undefined) {
  let isCounted = false
  const note = (may: boolean): boolean => {
    isCounted ||= may
    return isCounted
  }
  const mayFail = (): Admitted => {
    if (isCounted) return true
    const may = limits?.mayFail() ?? false
    return typeof may === 'boolean' ? note(may) : may.then(note)
  }
  return {
    mayFail: limits && mayFail,
    forgive: (): void => {
      if (isCounted) limits?.forgive()
    },
  }
}

/** Continues if a limit admits a request; at once if that is known. Undefined: the limit has answered it. */
function whenAdmitted<T>(admitted: Admitted, next: () => T): T | undefined | Promise<T | undefined> {
  if (typeof admitted !== 'boolean') return admitted.then((may) => (may ? next() : undefined))
  return admitted ? next() : undefined
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
  const value = surface === 'company' ? (company ?? legacy) : organization
  if (value) return value
  const [kind, header, other, otherHeader] =
    surface === 'company'
      ? ['a company', 'x-api-key', organization, 'x-org-api-key']
      : ['an organization', 'x-org-api-key', company, 'x-api-key']
  const elsewhere = other ? otherHeader : headers.authorization && 'Authorization'
  throw new Problem(
    'missing_key',
    elsewhere
      ? `This request needs ${kind} key in the header ${header}, not ${elsewhere}.`
      : `The key is missing. Send it in the header ${header}.`,
  )
}

/** What a request needs of a key. */
interface AskedRoute {
  readonly method: string
  readonly forPeople?: Role | undefined
  readonly permission?: Route['permission']
  /** The resource of its path. */
  readonly resource?: string | undefined
  readonly limitedKeys?: Route['limitedKeys']
  /** Called with the key once it is known to be valid, even if it may not do this. */
  readonly known?: ((key: KnownKey) => void) | undefined
}

/**
 * Authenticates a request, or throws the problem to answer with. Undefined: a limit has answered it. Synchronous while
 * the key is cached.
 */
export function authenticate(
  findKey: FindKey,
  request: AskedRoute & { headers: IncomingHttpHeaders; path: string },
  surface: Surface,
  limits?: RateLimits,
): Caller | undefined | Promise<Caller | undefined> {
  const value = credential(request.headers, surface, request.path)
  const { mayFail, forgive } = failureOf(limits)
  const admit = (key: KnownKey | undefined | null) => {
    if (key === null) return undefined
    const isExpired = key?.expiresAt !== undefined && key.expiresAt <= Date.now()
    if (key === undefined || isExpired)
      return whenAdmitted(mayFail?.() ?? true, () => {
        throw invalidKey(key)
      })
    forgive()
    request.known?.(key)
    return whenAdmitted(limits?.admits(key.id) ?? true, () => callerOf(key, request, surface))
  }
  const known = findKey(value, mayFail)
  if (!(known instanceof Promise)) return admit(known)
  return known.then(admit, (error) => {
    forgive()
    throw error
  })
}

const invalidKey = (expired: KnownKey | undefined): Problem =>
  new Problem(
    'invalid_key',
    expired === undefined
      ? 'The key is not valid: it is unknown, deleted or mistyped.'
      : `The key expired at ${new Date(expired.expiresAt as number).toISOString()}.`,
  )

/** What a valid key may do on a surface. Throws where it may not. */
function callerOf(key: KnownKey, asked: AskedRoute, surface: Surface): Caller {
  const { method, permission, forPeople } = asked
  if (surface === 'organization' && key.organizationId === undefined)
    throw new Problem(
      'key_not_bound',
      'This is a company key, which is not bound to an organization; send an organization key.',
    )
  if (surface === 'company' && key.companyId === undefined)
    throw new Problem('invalid_key', 'This is an organization key; send a company key.')
  if (key.suspended !== undefined) throw companySuspended('x-api-key', key.suspended)
  const verb = (method === 'HEAD' ? 'GET' : method) as Method
  const needed = neededPermissions({ method: verb, permission }).find((each) => !key.permissions.includes(each))
  if (needed !== undefined)
    throw new Problem(
      'permission_denied',
      `The key has no permission to ${needed}; it has ${key.permissions.join(', ') || 'none'}.`,
    )
  if (forPeople !== undefined)
    throw new Problem(
      'permission_denied',
      `API keys cannot do this; a user must do it in the console.${surface === 'company' ? ' An organization key can do it if /v1/organization-api has a path for it.' : ''}`,
    )
  if (key.resources !== undefined) requireResource(key.resources, asked)
  const ownerId = (key.companyId ?? key.organizationId) as string
  const { id: keyId, organizationId, permissions, resources } = key
  return { scope: Scope.grant(key.companyId ?? '', { keyId, organizationId, permissions, resources }), ownerId }
}

/** Throws 403 if a route is not for a key that is limited to these resources. */
function requireResource(resources: ReadonlySet<string>, { resource = '', limitedKeys }: AskedRoute): void {
  if (limitedKeys === 'always' || (limitedKeys === undefined && resources.has(resource))) return
  if (limitedKeys === undefined) throw resourceDenied(resources, resource)
  throw denied(
    'resource_denied',
    `This request can show or change records of any resource, so it needs a key for all resources; the key is limited to ${[...resources].join(', ')}.`,
  )
}

/** 403: the company that the header names is suspended; `reason` is empty if the organization gave none. */
export function companySuspended(header: string, reason: string): Problem {
  const message = reason === '' ? 'The company is suspended.' : `The company is suspended: ${reason}`
  const error = { in: 'header' as const, pointer: header, code: 'suspended', message: 'names a suspended company' }
  return new Problem('permission_denied', message, [{ ...error, ...(reason !== '' && { reason }) }])
}

/** A header's value; a repeated header arrives as a list or joined by commas and is not a key. */
const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value
