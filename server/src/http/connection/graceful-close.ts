// Ends an HTTP server without losing a request: whatever clients sent, or were just sending, is answered.
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds that requests in progress get after SIGTERM. */
const SHUTDOWN_MS = 7_000
/** Milliseconds after SIGTERM for which idle connections stay open: a request may be in transit on them. */
const KEEP_ALIVE_GRACE_MS = 300
/** Milliseconds after SIGTERM for which waiting connections are accepted, however many more arrive. */
const ACCEPT_MS = 2_000

/**
 * Accepts the connections that wait in the kernel, and resolves after a turn of the event loop that found none. Node accepts one in each
 * turn, so on a busy server many wait, whose requests have been sent; the kernel would reset them when the port is closed. They are not
 * read yet: their clients would be answered and connect again, without end.
 */
async function acceptWaiting(server: Server): Promise<readonly Socket[]> {
  const accepted: Socket[] = []
  const hold = (socket: Socket) => void accepted.push(socket.pause())
  server.on('connection', hold)
  // This turn may be past its look for connections.
  await nextTurn()
  const until = performance.now() + ACCEPT_MS
  for (let before = -1; before < accepted.length && performance.now() < until; await nextTurn())
    before = accepted.length
  server.off('connection', hold)
  return accepted
}

/** Accepts no new connections but those that wait, and resolves when the last connection has ended. */
export async function drain(server: Server): Promise<void> {
  // A request that is held open must not delay the end for ever.
  const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS)
  const accepted = await acceptWaiting(server)
  // Node's own close of an HTTP server cuts idle connections at once, and with them the requests in transit.
  const ended = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()))
  // Only now: a client whose connection ends connects again at once, and would be reset by a port that closes at that moment.
  server.emit('draining')
  for (const socket of accepted) socket.resume()
  let closing: NodeJS.Timeout | undefined
  // In a turn, timers come before what has arrived, and `setImmediate` after it: the connection of an arrived request is not idle.
  const closeIdle = () => setImmediate(() => server.closeIdleConnections())
  const grace = setTimeout(() => {
    closing = setInterval(closeIdle, 50)
  }, KEEP_ALIVE_GRACE_MS)
  await ended
  clearTimeout(grace)
  clearInterval(closing)
  clearTimeout(cut)
}
