// Ends an HTTP server without losing a request: what clients had sent, or were just sending, is answered.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { KEEP_ALIVE_GRACE_MS, SHUTDOWN_MS } from '../../core/limits.ts'

/** Lets nobody in any more, and settles when the last connection has ended. */
export async function drain(server: Server): Promise<void> {
  // Node's own end of an HTTP server cuts idle connections at once, and with them the requests that are on the wire.
  const ended = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()))
  // From now on each answer is its connection's last, so that busy clients leave by themselves.
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  let closing: NodeJS.Timeout | undefined
  const grace = setTimeout(() => {
    closing = setInterval(() => server.closeIdleConnections(), 50)
  }, KEEP_ALIVE_GRACE_MS)
  // A request that is held open does not hold up the end for ever.
  const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS)
  await ended
  clearTimeout(grace)
  clearInterval(closing)
  clearTimeout(cut)
}
