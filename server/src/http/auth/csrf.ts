// That a request of a signed-in browser was made by our own pages, and not by another site in that browser's name (CSRF).
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

const refused = (message: string): Problem => new Problem('permission_denied', message)

/** The header is named, so that a page that was opened before another sign-in can ask for the right one. */
const wrongToken = (code: 'required' | 'csrf_token', message: string): Problem =>
  new Problem('permission_denied', message, [{ in: 'header', pointer: 'x-csrf-token', code, message }])

/**
 * Throws 403 for what the browser itself says comes from elsewhere: `Origin` (RFC 6454) that is not ours, and
 * `Sec-Fetch-Site` (Fetch Metadata) other than `same-origin`; a read may also be one that a person typed. What sends neither
 * is no browser of today, and has to know the token.
 */
export function refuseOtherSites(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const own = `${request.protocol}://${request.host}`
  if (origin !== undefined && !isSameOrigin(origin, own))
    throw refused(
      `The header Origin is ${JSON.stringify(origin.slice(0, 200))}, but the service was called as ${JSON.stringify(own.slice(0, 200))}. ` +
        'Behind a proxy, CASHWRAP_TRUST_PROXY has to name it, and it has to send X-Forwarded-Proto and the Host of the request.',
    )
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && isRead(request)))
    throw refused('The header Sec-Fetch-Site says that another site made this request.')
}

/** The same as what it throws, for what anybody may call who is not another site; undefined where nothing speaks against it. */
export function foreign(request: FastifyRequest): Problem | undefined {
  try {
    refuseOtherSites(request)
    return undefined
  } catch (error) {
    return error as Problem
  }
}

/** A default port may be written or not. */
function isSameOrigin(origin: string, own: string): boolean {
  return origin === own || (URL.canParse(own) && origin === new URL(own).origin)
}

/**
 * What a page of ours sends with each write, in `x-csrf-token`: made of the cookie's token, which no page can read, so that
 * only who was told it by the service has it. Nothing is kept of it.
 */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('cashwrap csrf').digest('base64url')

/** Throws 403 for a write without the token that belongs to the cookie. */
export function requireCsrfToken(request: FastifyRequest, token: string): void {
  if (isRead(request)) return
  const sent = request.headers['x-csrf-token']
  if (sent === undefined)
    throw wrongToken(
      'required',
      'A write by sign-in needs the header x-csrf-token: the csrfToken that the sign-in answered.',
    )
  const [given, wanted] = [Buffer.from(String(sent)), Buffer.from(csrfTokenOf(token))]
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw wrongToken(
      'csrf_token',
      'The header x-csrf-token does not belong to this sign-in; GET /v1/console/sign-in tells the one that does.',
    )
}
