// Addresses that the service may call: which addresses a name has, and which of them are public. Those in IANA's
// special-purpose registries are not, nor are those at which clouds serve secrets of machines.
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { groupsOf, type Networks, networksOf } from './networks.ts'

/** Names that the operating system looks up at once, each in one of the four threads that files need too. */
const SYSTEM_LOOKUPS = 1

/** All addresses of a name, in lower case. Rejects with an error of node:dns. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Whether the operating system is asked for unknown names; and the hosts file, if not the machine's. */
interface NameSettings {
  readonly asksSystem?: boolean
  readonly hosts?: string
}

/**
 * Asks the hosts file, then the name servers, for about three seconds; then, if enabled, the operating system, which
 * also has search domains. Not the operating system first: it would take a thread of the process for each name, and a
 * name server that never answers would delay other receivers.
 */
export function resolver({ asksSystem = false, hosts = '/etc/hosts' }: NameSettings = {}): Resolve {
  return async (name) => {
    const inHosts = await hostsEntries(hosts, name)
    if (inHosts.length > 0) return inHosts
    try {
      return await nameServers(name)
    } catch (error) {
      // Name servers that did not answer this process would not answer the system either, and would block a thread.
      if (!asksSystem || (error as NodeJS.ErrnoException).code === 'ETIMEOUT') throw error
      return await system(name)
    }
  }
}

async function hostsEntries(path: string, name: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((other) => other.toLowerCase() === name) ? [address] : []
  })
}

async function nameServers(name: string): Promise<string[]> {
  const servers = new Resolver({ timeout: 1_000, tries: 2 })
  const [four, six] = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)])
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  throw (four as PromiseRejectedResult).reason
}

const waiting: (() => void)[] = []
let underWay = 0

/** A few at once: each takes one of the few threads of the process. */
async function system(name: string): Promise<string[]> {
  while (underWay >= SYSTEM_LOOKUPS) await new Promise<void>((resolve) => waiting.push(resolve))
  underWay++
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } finally {
    underWay--
    waiting.shift()?.()
  }
}

/** Kinds of addresses that are not public, with their networks. The first one that contains an address names it. */
const kinds: readonly { readonly what: string; readonly networks: readonly string[] }[] = [
  {
    what: 'a cloud metadata address',
    networks: [
      ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '168.63.129.16', '100.100.100.200', '192.0.0.192'],
      ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42'],
    ],
  },
  { what: 'unspecified', networks: ['0.0.0.0/8', '::/128'] },
  { what: 'loopback, the machine itself', networks: ['127.0.0.0/8', '::1/128'] },
  { what: 'in a private network', networks: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] },
  { what: 'in a private network (unique-local)', networks: ['fc00::/7'] },
  { what: 'in a private network (site-local)', networks: ['fec0::/10'] },
  { what: "in a carrier's own network", networks: ['100.64.0.0/10'] },
  { what: 'link-local', networks: ['169.254.0.0/16', 'fe80::/10'] },
  {
    what: 'for documentation only',
    networks: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  },
  { what: 'for benchmarks only', networks: ['198.18.0.0/15', '2001:2::/48'] },
  { what: 'multicast', networks: ['224.0.0.0/4', 'ff00::/8'] },
  { what: 'broadcast', networks: ['255.255.255.255'] },
  {
    what: 'reserved',
    networks: [
      // Protocol assignments, AS112, AMT, 6to4 relays, and unassigned addresses.
      ...['192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.175.48.0/24', '240.0.0.0/4'],
      // Protocol assignments (including Teredo, ORCHID, AMT, AS112), and AS112 again.
      ...['2001::/23', '2620:4f:8000::/48'],
      // Everything except global unicast; addresses that embed another one are judged by that one before.
      ...['::/3', '4000::/2', '8000::/1'],
    ],
  },
]

const lists = kinds.map(({ what, networks }) => ({ what, list: networksOf(networks) }))

/** The IPv4 address embedded in an IPv6 address: mapped, compatible, 6to4 or NAT64. */
function embeddedIn(address: string): string | undefined {
  const groups = groupsOf(address)
  const isIn = (...start: number[]) => start.every((group, n) => groups[n] === group)
  const at = isIn(0x2002)
    ? 1
    : isIn(0x64, 0xff9b, 0, 0, 0, 0) || isIn(0, 0, 0, 0, 0, 0xffff) || (isIn(0, 0, 0, 0, 0, 0) && groups[6] !== 0)
      ? 6
      : undefined
  if (at === undefined) return undefined
  const high = groups[at] as number
  const low = groups[at + 1] as number
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * Why an address is refused, as the rest of a sentence: "is loopback, …"; undefined if it is public or the operator
 * allows it.
 */
export function notPublic(address: string, allowed: Networks): string | undefined {
  const [bare = ''] = address.split('%')
  const version = isIP(bare)
  if (version === 0) return 'is not an IP address'
  if (allowed.has(bare)) return undefined
  const embedded = version === 6 ? embeddedIn(bare) : undefined
  if (embedded !== undefined) {
    const why = notPublic(embedded, allowed)
    return why && `embeds ${embedded}, which ${why}`
  }
  const kind = lists.find(({ list }) => list.has(bare))
  return kind && `is ${kind.what}`
}
