// Connections without a valid key or sign-in so far: one network may have at most a quarter of all connections as such,
// so that they cannot lock out clients with keys.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isIPv4, type Socket } from 'node:net'
import { type Networks, networkOf, networksOf } from '../networks.ts'

/** Fraction of all connections that one network may have without having sent a valid key: the others are reserved for clients that have one. */
const UNAUTHENTICATED_OF_NETWORK = 1 / 4

/** Notes that a request on a connection was authenticated, by a key or a sign-in. */
export function showedKey(socket: Socket): void {
  unauthenticated.get(socket)?.leave()
}

/** A connection without a valid key so far. */
interface Unauthenticated {
  /** Removes it from its network's count. */
  leave(): void
  /** Notes that it is idle from now on. */
  rest(): void
}

const unauthenticated = new WeakMap<Socket, Unauthenticated>()

/** What happens to surplus connections. */
interface TooMany {
  /** A connection without a key was closed for another. */
  readonly closed: () => void
  /** A new one was refused because nothing else could be closed. */
  readonly refused: () => void
}

/**
 * Bounds the connections of a server by closing the longest idle one of a network. It does so when the network exceeds
 * its part, and, for the largest network, when the server exceeds `most`. Networks of `trusted` proxies have no such
 * bound.
 */
export function boundUnauthenticated(
  server: Server,
  { most, trusted = [] }: { readonly most: number; readonly trusted?: readonly string[] | undefined },
  tooMany: TooMany,
): void {
  const connections = new UnauthenticatedConnections(networksOf(trusted), tooMany)
  const ofNetwork = Math.max(1, Math.floor(most * UNAUTHENTICATED_OF_NETWORK))
  let open = 0
  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => {
      open--
      showedKey(socket)
    })
    const own = connections.follow(socket)
    if (own !== undefined && own.size > ofNetwork) connections.closeOne(own, socket)
    else if (open > most && !connections.closeOne(connections.largest(), socket)) {
      tooMany.refused()
      socket.destroy()
    }
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => connections.handle(socket, response))
}

/** The connections without a valid key so far, by network. */
class UnauthenticatedConnections {
  readonly #trusted: Networks
  readonly #tooMany: TooMany
  /** By network, the longest idle first. */
  readonly #networks = new Map<string, Set<Socket>>()
  /** Those with a request in progress. */
  readonly #busy = new WeakSet<Socket>()

  constructor(trusted: Networks, tooMany: TooMany) {
    this.#trusted = trusted
    this.#tooMany = tooMany
  }

  /** Counts a connection. Returns those of its network; undefined for a trusted one. */
  follow(socket: Socket): Set<Socket> | undefined {
    const { remoteAddress = '' } = socket
    const network = networkOf(remoteAddress) ?? ''
    if (remoteAddress && this.#trusted.has(isIPv4(network) ? network : remoteAddress)) return undefined
    const networks = this.#networks
    const own = networks.get(network) ?? new Set()
    networks.set(network, own.add(socket))
    unauthenticated.set(socket, {
      leave() {
        unauthenticated.delete(socket)
        own.delete(socket)
        if (own.size === 0 && networks.get(network) === own) networks.delete(network)
      },
      rest: () => void (own.delete(socket) && own.add(socket)),
    })
    return own
  }

  /** Notes that a connection is busy until its response is sent. */
  handle(socket: Socket, response: ServerResponse): void {
    if (!unauthenticated.has(socket)) return
    this.#busy.add(socket)
    response.once('close', () => {
      this.#busy.delete(socket)
      unauthenticated.get(socket)?.rest()
    })
  }

  /** Closes a connection of a network, preferably one without a request in progress. The newest, which caused the surplus, is spared. */
  closeOne(some: Set<Socket>, newest: Socket): boolean {
    let victim: Socket | undefined
    for (const socket of some) {
      if (socket === newest) continue
      victim ??= socket
      if (this.#busy.has(socket)) continue
      victim = socket
      break
    }
    if (victim === undefined) return false
    unauthenticated.get(victim)?.leave()
    victim.destroy()
    this.#tooMany.closed()
    return true
  }

  /** The connections of the network that has most of them. */
  largest(): Set<Socket> {
    let found = new Set<Socket>()
    for (const some of this.#networks.values()) if (some.size > found.size) found = some
    return found
  }
}
