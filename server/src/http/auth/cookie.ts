// A browser's cookies, and what else is known of it. One cookie signs it in, in place of a key, one recognizes it, and
// one is for a sign-in at the OpenID provider.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { KNOWN_BROWSER_MS, SIGN_IN_MS, SSO_MS } from '../../core/limits.ts'

/** Characters stored of a browser's user agent: typical ones have some 150. */
const USER_AGENT_CHARACTERS = 300

/** A browser as one request shows it. */
export interface Visit {
  /** Whether the request used https, to the service or to a trusted proxy. */
  readonly isSecure: boolean
  /** The token of its sign-in; undefined where there is none, or more than one. */
  readonly token: string | undefined
  /** The token that recognizes the browser, likewise. It grants nothing. */
  readonly browserToken: string | undefined
  /** The sealed state of a sign-in at the OpenID provider, likewise. */
  readonly ssoToken: string | undefined
  /** The scheme, name and port by which it calls the service, such as `https://pos.example`. */
  readonly origin: string
  /** Its address and user agent. */
  readonly address: string
  readonly userAgent: string
}

/** The purpose of a cookie, and its lifetime. */
const lasting = { sign_in: SIGN_IN_MS, browser: KNOWN_BROWSER_MS, sso: SSO_MS } as const
type CookiePurpose = keyof typeof lasting

/**
 * A cookie's name. `__Host-` makes browsers refuse a cookie that another host under the same domain has set, or that
 * was set without https (RFC 6265bis, section 4.1.3.2). It requires https, so without https the name has no prefix.
 */
const nameOf = (purpose: CookiePurpose, isSecure: boolean): string => `${isSecure ? '__Host-' : ''}cashwrap_${purpose}`

const isSecure = (request: FastifyRequest): boolean => request.protocol === 'https'

/** The token by which a request is signed in. */
export const tokenOf = (request: FastifyRequest): string | undefined => cookieOf(request, 'sign_in')

/** The value of a request's cookie. Of two with one name, neither is trusted: another site may have set one. */
function cookieOf(request: FastifyRequest, purpose: CookiePurpose): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined) return undefined
  const start = `${nameOf(purpose, isSecure(request))}=`
  const [found, ...more] = cookie.split(';').flatMap((pair) => {
    const text = pair.trim()
    return text.startsWith(start) ? [text.slice(start.length)] : []
  })
  return more.length > 0 ? undefined : found
}

/** How a request calls the service: by the proxy's headers, if the proxy is trusted. */
export const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`

export const visitOf = (request: FastifyRequest): Visit => ({
  isSecure: isSecure(request),
  token: tokenOf(request),
  browserToken: cookieOf(request, 'browser'),
  ssoToken: cookieOf(request, 'sso'),
  origin: originOf(request),
  address: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS),
})

/** A forwarded value is used only when it is an address. */
function addressOf({ ip, socket }: FastifyRequest): string {
  const address = isIP(ip ?? '') > 0 ? ip : (socket.remoteAddress ?? '')
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

const attributes = (isSecure: boolean): string => `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** `Set-Cookie` that gives a browser one of them: scripts cannot read it, and requests from other sites do not carry it. */
export const setCookie = (purpose: CookiePurpose, token: string, isSecure: boolean): string =>
  `${nameOf(purpose, isSecure)}=${token}; ${attributes(isSecure)}; Max-Age=${lasting[purpose] / 1000}`

/** `Set-Cookie` that ends it; by default, that signs the browser out. */
export const clearCookie = (isSecure: boolean, purpose: CookiePurpose = 'sign_in'): string =>
  `${nameOf(purpose, isSecure)}=; ${attributes(isSecure)}; Max-Age=0`
