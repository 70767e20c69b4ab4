// The steps of a request that decide who calls and whether they may: before its body is read, and again afterwards.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { denied, Problem } from '../core/problem.ts'
import { authenticate, type Caller, isLegacy, type KnownKey, type RateLimits } from './auth/api-key.ts'
import { takeBearer } from './auth/bearer.ts'
import { crossSite } from './auth/csrf.ts'
import { asksByPerson, authenticatePerson, isBySignIn } from './auth/sign-in.ts'
import { tenantOf } from './call.ts'
import { withinDeadline } from './deadline.ts'
import { noteRoute } from './metrics.ts'
import type { RegisteredRoute } from './registered-route.ts'
import { noteAtEnd } from './request-note.ts'
import { traceOf } from './request-trace.ts'
import type { Route, Surface } from './route.ts'

type Done = (error?: Error) => void

const legacyDeprecation = '@1735689600' // RFC 9745; the older header name is deprecated since 2025
/**
 * Responses to one key are private: shared caches must not store them, and a client's own revalidates (RFC 9111, section 5.2.2).
 * Responses to a person, and those with a secret, are not stored at all: another person may use the browser next. Public
 * ones are not stored either, unless their route says so: some caches keep responses without `cache-control`, and would answer for
 * a server that is not ready, or for a link that has expired.
 */
const ownAnswer = 'private, no-cache'
const variesBy = {
  company: 'x-api-key, apikey, cookie, x-company-id',
  organization: 'x-org-api-key, cookie, x-organization-id',
  person: 'cookie',
} as const

/** Step 1: identifies the caller. Sets the headers that depend on it, and lets the request begin at its tenant's turn. */
export function identify(registered: RegisteredRoute, request: FastifyRequest, reply: FastifyReply, done: Done) {
  const { route, shared, deadlineMs } = registered
  noteRoute(request.raw, registered.durations)
  const refused = route.takesBearer ? takeBearer(request, shared.corsOrigins) : undefined
  const surface = surfaceOf(route, request)
  // Also on responses without a key: a cache must not serve them to a client that has one.
  if (route.takesCompanyKey) reply.header('vary', 'x-api-key, cookie, x-company-id')
  else if (surface !== 'public') reply.header('vary', variesBy[surface])
  registered.allowOrigin(request, reply)
  if (refused) return done(refused)
  if (surface === 'public') {
    reply.header('cache-control', 'no-store')
    return done(route.isForOwnPages ? crossSite(request) : undefined)
  }
  if (isBySignIn(request, surface)) reply.header('cache-control', 'no-store')
  else reply.header('cache-control', route.hasSecret ? 'no-store' : ownAnswer)
  if (isLegacy(request.headers, surface, route.path)) reply.header('deprecation', legacyDeprecation)
  const admit = (caller: Caller | undefined) => {
    // A rate limit has answered.
    if (caller === undefined) return
    request.caller = inItsTrace(caller, request)
    if (caller.scope.keyId !== undefined) shared.keyUsed(caller.scope.keyId)
    shared.begin(tenantOf(request), request, done)
  }
  try {
    const caller = authorize(registered, request, surface, shared.limiter?.(request, reply), noted(registered, request))
    if (!(caller instanceof Promise)) return admit(caller)
    const begun = performance.now()
    const found = (caller: Caller | undefined) => {
      request.spentMs = performance.now() - begun
      admit(caller)
    }
    withinDeadline(caller, deadlineMs, found, done)
  } catch (error) {
    done(error as Error)
  }
}

/** Notes the request under its key, once the key is known to be valid. */
function noted({ route, shared }: RegisteredRoute, { raw, id, url }: FastifyRequest) {
  const { keyRequested } = shared
  if (keyRequested === undefined) return undefined
  return (key: KnownKey) => noteAtEnd(raw, { key, route, id, url }, keyRequested)
}

/** The caller, with the trace that the request belongs to: what it writes passes it on. */
function inItsTrace(caller: Caller, { raw }: FastifyRequest): Caller {
  const trace = traceOf(raw)
  return trace === undefined ? caller : { ...caller, scope: caller.scope.inTrace(trace) }
}

/**
 * The surface for which a request is checked: if a route may be called with or without a company, the request's headers
 * decide.
 */
const surfaceOf = ({ surface, takesCompanyKey }: Route, request: FastifyRequest): Surface =>
  takesCompanyKey && (request.headers['x-api-key'] !== undefined || asksByPerson(request)) ? 'company' : surface

/** Step 2: whether the key or the sign-in may call the route. Undefined: a rate limit has answered. */
function authorize(
  { route, resource, shared }: RegisteredRoute,
  request: FastifyRequest,
  surface: Surface,
  limits?: RateLimits,
  known?: (key: KnownKey) => void,
) {
  if (isBySignIn(request, surface)) return authenticatePerson(shared.findSignIn, request, route, surface, limits)
  const { headers, method } = request
  const { path, forPeople, permission, limitedKeys } = route
  const asked = { headers, method, path, forPeople, permission, resource, limitedKeys, known }
  return authenticate(shared.findKey, asked, surface, limits)
}

/** Authorizes a request again, without counting it against a limit. A removed member is answered 403, not 404. */
export function authorizeAgain(registered: RegisteredRoute, request: FastifyRequest): void | Promise<void> {
  const caller = authorize(registered, request, surfaceOf(registered.route, request))
  if (!(caller instanceof Promise)) return
  return caller.then(
    () => {},
    (error) => {
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error
      throw denied('membership_removed', 'Your membership was removed; ask an administrator to invite you again.')
    },
  )
}
