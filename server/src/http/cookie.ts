// The cookie that a signed-in browser carries in place of a key, and what else is known of that browser.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { SIGN_IN_MS, USER_AGENT_CHARACTERS } from '../limits.ts'

/** A browser as one request shows it. */
export interface Visit {
  /** Whether it came by https, to us or to a trusted proxy before us. */
  readonly isSecure: boolean
  /** The token of its cookie; undefined where there is none, or more than one. */
  readonly token: string | undefined
  /** Where it calls from, and how it calls itself. */
  readonly address: string
  readonly userAgent: string
}

/**
 * The cookie's name. `__Host-` makes browsers refuse one that another host under the same domain has set, or that was set
 * without https (RFC 6265bis, section 4.1.3.2); it needs https, so there is none without.
 */
const nameOf = (isSecure: boolean): string => (isSecure ? '__Host-cashwrap_sign_in' : 'cashwrap_sign_in')

export const isSecure = (request: FastifyRequest): boolean => request.protocol === 'https'

/** The token of a request's cookie. Of two of one name nobody can say which is ours: one may have been put there. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined) return undefined
  const start = `${nameOf(isSecure(request))}=`
  const [found, ...more] = cookie.split(';').flatMap((pair) => {
    const text = pair.trim()
    return text.startsWith(start) ? [text.slice(start.length)] : []
  })
  return more.length > 0 ? undefined : found
}

export const visitOf = (request: FastifyRequest): Visit => ({
  isSecure: isSecure(request),
  token: tokenOf(request),
  address: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS),
})

/** What a proxy told is taken only when it is an address. */
function addressOf({ ip, socket }: FastifyRequest): string {
  const address = isIP(ip ?? '') > 0 ? ip : (socket.remoteAddress ?? '')
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

const attributes = (isSecure: boolean): string => `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** `Set-Cookie` that signs a browser in: no page's program can read it, and no other site's request carries it. */
export const setCookie = (token: string, isSecure: boolean): string =>
  `${nameOf(isSecure)}=${token}; ${attributes(isSecure)}; Max-Age=${SIGN_IN_MS / 1000}`

/** `Set-Cookie` that takes it away. */
export const clearCookie = (isSecure: boolean): string => `${nameOf(isSecure)}=; ${attributes(isSecure)}; Max-Age=0`
