// Which pages of other origins may read responses (CORS, Fetch Standard): public endpoints any, private ones those that the operator lists. Never with cookies.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../core/problem.ts'
import { afterBody } from './connection/unread-body.ts'
import { type Paths, pathOf } from './paths.ts'
import type { Route } from './route.ts'

/**
 * Seconds for which a browser keeps the answer to a preflight. Chromium accepts no more. For that long, a page may
 * still try what the operator has withdrawn.
 */
const PREFLIGHT_KEPT_SECONDS = 2 * 60 * 60

/** The headers that a page may send besides those that need no permission. Neither the console's token nor its company is among them. */
const allowedHeaders = {
  any: 'content-type, if-none-match, traceparent, x-request-id',
  listed:
    'apikey, authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, traceparent, x-api-key, x-org-api-key, x-request-id',
} as const

/** The headers that a page may read besides those that any page may. */
const exposedHeaders =
  'content-disposition, deprecation, dry-run, etag, idempotent-replayed, link, ratelimit, ratelimit-policy, retry-after, x-request-id, x-total-count'

/** The pages that may call a route: those of any origin, of listed origins, or only our own. */
type Openness = 'any' | 'listed' | 'own'

/** Pages of the service itself, and what needs a person's cookie, are for our own origin. */
function opennessOf({ surface, isForOwnPages, isHidden, forPeople }: Route): Openness {
  if (surface === 'public') return isForOwnPages || isHidden ? 'own' : 'any'
  return surface === 'person' || forPeople !== undefined ? 'own' : 'listed'
}

/** The names of the headers that are set here, for a response that bypasses Fastify. */
export const corsHeaders = ['access-control-allow-origin', 'access-control-expose-headers'] as const

/** Sets the headers of a response that depend on the origin of the page. */
export type AllowOrigin = (request: FastifyRequest, reply: FastifyReply) => void

/** Makes the function for a route's responses; for those of unknown paths without a route. */
export function allowingOrigins(origins: ReadonlySet<string>, route?: Route): AllowOrigin {
  const openness = route ? opennessOf(route) : 'listed'
  if (openness === 'any')
    return (_, reply) =>
      void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', exposedHeaders)
  if (openness === 'own' || origins.size === 0) return () => {}
  return ({ headers: { origin } }, reply) => {
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'origin' : `${vary}, origin`)
    if (origin !== undefined && origins.has(origin))
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposedHeaders)
  }
}

/** Whether a browser asks whether a page may make a request. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/**
 * Answers a preflight, before any key is looked up and without the database, or returns its problem. The problem is 404
 * or 405 as for the request itself, or 403 if the page may not make it. A browser then makes no request, whatever the
 * status.
 */
export function answerPreflight(
  { origins, paths }: { readonly origins: ReadonlySet<string>; readonly paths: Paths },
  request: FastifyRequest,
  reply: FastifyReply,
): Problem | undefined {
  const { headers, url } = request
  const origin = String(headers.origin)
  const asked = String(headers['access-control-request-method'])
  const route = paths.routeAt(asked, pathOf(url))
  if (route === undefined) return paths.wrongPath(asked, pathOf(url))
  const openness = opennessOf(route)
  const isListed = origins.has(origin)
  if (openness === 'own' || (openness === 'listed' && !isListed)) return notAllowed(openness, origin)
  reply
    .code(204)
    .header('access-control-allow-origin', openness === 'any' ? '*' : origin)
    .header('access-control-allow-methods', route.method)
    .header('access-control-allow-headers', allowedHeaders[isListed ? 'listed' : 'any'])
    .header('access-control-max-age', String(PREFLIGHT_KEPT_SECONDS))
    .header('vary', 'origin, access-control-request-method, access-control-request-headers')
  afterBody(request, reply, () => void reply.send())
  return undefined
}

const notAllowed = (openness: Openness, origin: string): Problem =>
  new Problem(
    'permission_denied',
    openness === 'own'
      ? 'Pages of other origins cannot call this endpoint.'
      : `Pages of the origin ${JSON.stringify(origin.slice(0, 200))} cannot call this endpoint: the setting CASHWRAP_CORS_ORIGINS does not list it.`,
  )
