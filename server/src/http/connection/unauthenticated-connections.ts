// Connections that have not shown a valid key or sign-in yet: a network has at most a quarter of all connections with them, so that nobody who needs no key shuts out those who have one.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList, isIPv4, type Socket } from 'node:net'
import { STRANGERS_OF_NETWORK } from '../../core/limits.ts'
import { networkOf } from '../auth/client-network.ts'

/** Notes that a request on a connection was let in: by a valid key, or by a sign-in. */
export function showedKey(socket: Socket): void {
  strangers.get(socket)?.leave()
}

/** A connection that has not shown a key. */
interface Stranger {
  /** Takes it off its network's. */
  leave(): void
  /** Notes that it is idle from now on. */
  rest(): void
}

const strangers = new WeakMap<Socket, Stranger>()

/** What becomes of connections that are too many. */
interface TooMany {
  /** One that has shown no key was closed for another. */
  readonly closed: () => void
  /** A new one was refused since nothing else could be closed. */
  readonly refused: () => void
}

/**
 * Bounds the connections of a server by closing the one of a network that has been idle for longest: when the network has
 * more than its part, and, of the network that has the most, when the server has more than `most`. Networks of `trusted`
 * proxies are bound by neither.
 */
export function boundUnauthenticated(
  server: Server,
  { most, trusted = [] }: { readonly most: number; readonly trusted?: readonly string[] | undefined },
  { closed, refused }: TooMany,
): void {
  const isTrusted = networkList(trusted)
  const ofNetwork = Math.max(1, Math.floor(most * STRANGERS_OF_NETWORK))
  // By network, those that have been idle for longest first.
  const networks = new Map<string, Set<Socket>>()
  const busy = new WeakSet<Socket>()
  let connections = 0

  /** Closes a stranger of a network, best one that has no request under way; the newest, which made it one too many, is spared. */
  function closeOne(some: Set<Socket>, newest: Socket): boolean {
    let victim: Socket | undefined
    for (const socket of some) {
      if (socket === newest) continue
      victim ??= socket
      if (busy.has(socket)) continue
      victim = socket
      break
    }
    if (victim === undefined) return false
    strangers.get(victim)?.leave()
    victim.destroy()
    closed()
    return true
  }

  function largest(): Set<Socket> {
    let found = new Set<Socket>()
    for (const some of networks.values()) if (some.size > found.size) found = some
    return found
  }

  function follow(socket: Socket): Set<Socket> | undefined {
    const network = networkOf(socket.remoteAddress ?? '') ?? ''
    if (isTrusted(isIPv4(network) ? network : socket.remoteAddress)) return undefined
    const own = networks.get(network) ?? new Set()
    networks.set(network, own.add(socket))
    strangers.set(socket, {
      leave() {
        strangers.delete(socket)
        own.delete(socket)
        if (own.size === 0 && networks.get(network) === own) networks.delete(network)
      },
      rest: () => void (own.delete(socket) && own.add(socket)),
    })
    return own
  }

  server.on('connection', (socket: Socket) => {
    connections++
    socket.once('close', () => {
      connections--
      showedKey(socket)
    })
    const own = follow(socket)
    if (own !== undefined && own.size > ofNetwork) closeOne(own, socket)
    else if (connections > most && !closeOne(largest(), socket)) {
      refused()
      socket.destroy()
    }
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!strangers.has(socket)) return
    busy.add(socket)
    response.once('close', () => {
      busy.delete(socket)
      strangers.get(socket)?.rest()
    })
  })
}

/** Whether an address is in one of some networks. Those of IPv4 are kept apart: node:net finds 8.8.8.8 in ::/3. */
function networkList(networks: readonly string[]): (address: string | undefined) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = familyOf(address)
    if (bits === undefined) lists[family].addAddress(address, family)
    else lists[family].addSubnet(address, Number(bits), family)
  }
  return (address) => address !== undefined && lists[familyOf(address)].check(address, familyOf(address))
}
