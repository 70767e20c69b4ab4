// Where calls may go (decisions §9): public addresses over http(s), checked in the URL's text, after its name is
// resolved, and again for each connection.
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { TARGET_NAME_MS } from '../../core/limits.ts'
import { type Resolve, resolver } from './names.ts'
import { networksOf, notPublic } from './networks.ts'

/** The beginning of the refusal of an address that is not public. */
export const notPublicRefusal = 'must lead to a public address'

/** Checks of a target. A refusal follows its name or "The URL": "must lead to a public address; …". */
export interface Targets {
  /** Why no call goes to a URL, by its text alone. */
  refusal(url: string): string | undefined
  /**
   * The same, also by the addresses of its name, waiting at most `TARGET_NAME_MS`. A name that is not found is
   * accepted.
   */
  resolvedRefusal(url: string): Promise<string | undefined>
  /**
   * For node:net: the addresses of a name, all checked; an error with code `TARGET` if one of them is refused. Not
   * called for literal IP addresses.
   */
  readonly lookup: LookupFunction
}

/**
 * What the operator allows in addition: addresses and networks (CIDR). `resolve` replaces the machine's resolver,
 * `nameMs` replaces `TARGET_NAME_MS`.
 */
interface TargetSettings {
  readonly allowed: readonly string[]
  readonly resolve?: Resolve | undefined
  readonly nameMs?: number
}

/** Where calls may go. */
export function targets({
  allowed,
  // Names that only the system knows lead into the operator's own networks.
  resolve = resolver({ asksSystem: allowed.length > 0 }),
  nameMs = TARGET_NAME_MS,
}: TargetSettings): Targets {
  const allowedList = networksOf(allowed)
  const loopback = ['127.0.0.1', '::1'].filter((address) => allowedList.has(address))

  function refusal(url: string): string | undefined {
    if (!URL.canParse(url)) return 'must be an absolute http or https URL'
    const { protocol, username, password, port, hostname } = new URL(url)
    if (!/^https?:$/.test(protocol)) return 'must be an absolute http or https URL'
    if (username !== '' || password !== '') return 'must not contain a user name or password'
    if (port === '0') return 'must not name port 0'
    const host = hostOf(hostname)
    if (isLocalhost(host) && loopback.length === 0) return `${notPublicRefusal}; ${hostname} is the machine itself`
    if (isIP(host) === 0) return undefined
    const why = notPublic(host, allowedList)
    return why && `${notPublicRefusal}; ${host} ${why}`
  }

  /** The addresses of a name, in the order in which they are tried. Throws if one of them is refused. */
  async function addressesOf(name: string): Promise<LookupAddress[]> {
    // It needs no name server (RFC 6761), so that it works without one.
    const found = isLocalhost(name) ? loopback : await resolve(name)
    for (const address of found) {
      const why = notPublic(address, allowedList)
      // Without the address itself: it would reveal the addresses of an inner network.
      if (why) throw refused(`${notPublicRefusal}; an address of ${name} ${why}`)
    }
    if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
    return found.map((address) => ({ address, family: isIP(address) }))
  }

  const lookup: LookupFunction = (name, options, callback) => {
    addressesOf(hostOf(name)).then(
      (found) => {
        const [first] = found as [LookupAddress]
        if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }

  return {
    refusal,
    lookup,
    async resolvedRefusal(url) {
      const byText = refusal(url)
      if (byText !== undefined) return byText
      const host = hostOf(new URL(url).hostname)
      if (isIP(host) !== 0) return undefined
      const found = addressesOf(host).then(
        () => undefined,
        (error) => refusalOf(error),
      )
      const over = new AbortController()
      const late = delay(nameMs, undefined, { signal: over.signal }).catch(() => undefined)
      return Promise.race([found, late]).finally(() => over.abort())
    },
  }
}

const isLocalhost = (host: string): boolean => /(^|\.)localhost$/.test(host)

/**
 * A host of a URL as node:net takes it: without brackets, and without a trailing dot, which does not change the name.
 */
const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$|\.+$/g, '').toLowerCase()

const refused = (message: string) => Object.assign(new Error(message), { code: 'TARGET' })

/** Why a connection was not made: the refusal of its target; undefined for any other error. */
export const refusalOf = (error: unknown): string | undefined => {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'TARGET' ? message : undefined
}
