// Checks that a request of a signed-in browser was made by our own pages, not by another site (CSRF).
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { denied, Problem } from '../../core/problem.ts'
import { originOf } from './cookie.ts'

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

const refused = (message: string): Problem => denied('other_site', message)

/** The message names the header, so that a page that was opened before another sign-in can request the right token. */
const wrongToken = (code: 'required' | 'csrf_token', message: string): Problem =>
  new Problem('permission_denied', message, [{ in: 'header', pointer: 'x-csrf-token', code, message }])

/**
 * The 403 for a request that the browser marks as cross-site; undefined for any other. The marks are `Origin` (RFC 6454)
 * of another site, and `Sec-Fetch-Site` (Fetch Metadata) other than `same-origin`; a read may also be `none`, a typed
 * address. A client that sends neither is not a current browser, and needs the token.
 */
export function crossSite(request: FastifyRequest): Problem | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers
  const own = originOf(request)
  if (origin !== undefined && !isSameOrigin(origin, own))
    return refused(
      `The header Origin is ${JSON.stringify(origin.slice(0, 200))}, but the service was called as ${JSON.stringify(own.slice(0, 200))}. ` +
        'Behind a proxy, CASHWRAP_TRUST_PROXY must name the proxy, and the proxy must send X-Forwarded-Proto and the original Host.',
    )
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && isRead(request)))
    return refused('The header Sec-Fetch-Site says that another site made this request.')
  return undefined
}

/** A default port is optional. */
function isSameOrigin(origin: string, own: string): boolean {
  return origin === own || (URL.canParse(own) && origin === new URL(own).origin)
}

/**
 * The token that our pages send with each write, in `x-csrf-token`. It is derived from the cookie's token, which no
 * page can read, so only pages that got it from the service have it. It is not stored.
 */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('cashwrap csrf').digest('base64url')

/** Throws 403 for a write without the token of its cookie. */
export function requireCsrfToken(request: FastifyRequest, token: string): void {
  if (isRead(request)) return
  const sent = request.headers['x-csrf-token']
  if (sent === undefined)
    throw wrongToken('required', 'The header x-csrf-token is missing; send the csrfToken of the sign-in.')
  const given = Buffer.from(String(sent))
  const wanted = Buffer.from(csrfTokenOf(token))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw wrongToken(
      'csrf_token',
      'The header x-csrf-token does not belong to this sign-in; GET /v1/console/sign-in returns the right one.',
    )
}
