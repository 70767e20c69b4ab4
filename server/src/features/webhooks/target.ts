// Where calls may go (decisions §9): to public addresses over http(s). This is checked in the URL's text, after its
// name is resolved, and again for each connection; and for each item when a trigger is written.
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { bodyError, invalid, Problem, under } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import type { Change, Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { networksOf } from '../../http/networks.ts'
import { notPublic, type Resolve, resolver } from '../../http/public-addresses.ts'

/** Milliseconds that the look-up of a target's name may take at a write; a slower one is checked when connecting. */
const TARGET_NAME_MS = 2_000
/** Names of one request that are looked up at once: the name server has other clients. */
const TARGET_LOOKUPS = 20

/** The refusal of a text that is not a URL that can be called. */
const noUrl = 'must be an absolute http or https URL'

/** The beginning of the refusal of an address that is not public. */
const notPublicRefusal = 'must lead to a public address'

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
    if (!URL.canParse(url)) return noUrl
    const { protocol, username, password, port, hostname } = new URL(url)
    if (!/^https?:$/.test(protocol)) return noUrl
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

type CheckTrigger = (value: unknown) => Change | Problem
type Many<I extends Item> = (items: readonly I[], connection?: Queryable) => Promise<ItemResult[]>

/** For the writer of a trigger; the log of calls leaves it out. */
const toAllow = 'the operator can allow it with the setting CASHWRAP_WEBHOOK_ALLOW'

/** Thrown within a transaction whose items' names have not been resolved yet; nothing of them was written. */
class NotLookedUp extends Error {
  readonly lookUp: () => Promise<void>
  constructor(lookUp: () => Promise<void>) {
    super('Targets are looked up outside of transactions.')
    this.lookUp = lookUp
  }
}

/** The same operations of triggers, applied only to those with a target that calls may go to. */
export function targetChecked(own: Operations, targets: Targets): Operations {
  const { create: checkCreate, update: checkUpdate } = bodySchema(own.resource)
  /** The result for each item's URL, for as long as the item is referenced. */
  const known = new WeakMap<Item, string | undefined>()

  /** Resolves the URLs of items; skips items that are wrong otherwise: the operation itself reports what is wrong. */
  async function lookUp(items: readonly Item[], check: CheckTrigger): Promise<void> {
    const urls = items.map(({ value }) => urlOf(value, check))
    const refusals = await refusalsOf(urls, targets)
    items.forEach((item, n) => {
      known.set(item, refusals.get(urls[n] ?? ''))
    })
  }

  const refusalOf = (item: Item): Problem | undefined => {
    const refusal = known.get(item)
    if (refusal === undefined) return undefined
    const wayOut = refusal.startsWith(notPublicRefusal) ? `; ${toAllow}` : ''
    const error = bodyError('/triggerUrl', 'target', refusal + wayOut)
    return under(item.at, invalid([refusal === noUrl ? { ...error, format: 'uri' } : error]))
  }

  const one =
    <I extends Item>(check: CheckTrigger, run: (item: I) => Promise<ItemResult>) =>
    async (item: I): Promise<ItemResult> => {
      await lookUp([item], check)
      return refusalOf(item) ?? run(item)
    }

  const many =
    <I extends Item>(check: CheckTrigger, run: Many<I>): Many<I> =>
    async (items, connection) => {
      const unknown = items.filter((item) => !known.has(item))
      if (unknown.length > 0 && connection?.inTransaction) throw new NotLookedUp(() => lookUp(unknown, check))
      await lookUp(unknown, check)
      const refusals = items.map(refusalOf)
      const good = items.filter((_, n) => refusals[n] === undefined)
      const done = (good.length > 0 ? await run(good, connection) : []).values()
      return refusals.map((refusal) => refusal ?? (done.next().value as ItemResult))
    }

  return {
    ...own,
    create: one<Item>(checkCreate, own.create),
    update: one<ItemWithId>(checkUpdate, own.update),
    createMany: many<Item>(checkCreate, own.createMany),
    updateMany: many<ItemWithId>(checkUpdate, own.updateMany),
    async once(claim, work) {
      try {
        return await own.once(claim, work)
      } catch (error) {
        if (!(error instanceof NotLookedUp)) throw error
        await error.lookUp()
        return own.once(claim, work)
      }
    },
  }
}

/** The URL that an item would write; undefined if there is none, or the item is wrong. */
function urlOf(value: unknown, check: CheckTrigger): string | undefined {
  if (typeof (value as { triggerUrl?: unknown } | null)?.triggerUrl !== 'string') return undefined
  const change = check(value)
  return change instanceof Problem ? undefined : (change.set.triggerUrl as string | undefined)
}

/**
 * The refusals of URLs, by URL. Each name is resolved once, a few at a time; names that are not reached in time are
 * checked when connecting.
 */
async function refusalsOf(urls: readonly (string | undefined)[], targets: Targets): Promise<Map<string, string>> {
  const refusals = new Map<string, string>()
  const byName = Map.groupBy(new Set(urls.filter((url) => url !== undefined)), (url) => {
    const refusal = targets.refusal(url)
    if (refusal === undefined) return new URL(url).hostname
    refusals.set(url, refusal)
    return ''
  })
  byName.delete('')
  const deadline = performance.now() + TARGET_NAME_MS
  const names = byName.values()
  const take = async () => {
    for (const [first, ...others] of names) {
      if (performance.now() > deadline) return
      const refusal = await targets.resolvedRefusal(first as string)
      if (refusal !== undefined) for (const url of [first as string, ...others]) refusals.set(url, refusal)
    }
  }
  await Promise.all(Array.from({ length: TARGET_LOOKUPS }, take))
  return refusals
}
