// A key as a bearer token (RFC 6750), on routes for clients that cannot send custom headers.

import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { crossSite } from './csrf.ts'

/** The challenge of a refusal. */
export const bearerChallenge = 'Bearer realm="cashwrap"'

/**
 * Takes the key from `Authorization` as if it were sent in `x-api-key`. Returns why the request is refused, if it is;
 * `origins` are those whose pages may call private endpoints.
 */
export function takeBearer(request: FastifyRequest, origins: ReadonlySet<string>): Problem | undefined {
  const { headers } = request
  // Pages of other sites must not use a server that only their visitor can reach.
  const refused = origins.has(String(headers.origin)) ? undefined : crossSite(request)
  if (refused) return refused
  if (headers.authorization === undefined) return undefined
  const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization) ?? []
  if (token === undefined)
    return new Problem('invalid_key', 'The header Authorization must be "Bearer", a space and a key.')
  if (headers['x-api-key'] !== undefined && headers['x-api-key'] !== token)
    return new Problem(
      'conflicting_credentials',
      'The headers Authorization and x-api-key hold different keys; send one.',
    )
  headers['x-api-key'] = token
  return undefined
}
