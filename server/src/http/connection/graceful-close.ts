// Ends an HTTP server without losing a request: whatever clients sent, or were just sending, is answered.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** Milliseconds that requests in progress get after SIGTERM. */
const SHUTDOWN_MS = 7_000
/** Milliseconds after SIGTERM for which idle connections stay open: a request may be in transit on them. */
const KEEP_ALIVE_GRACE_MS = 300

/** Accepts no new connections, and resolves when the last connection has ended. */
export async function drain(server: Server): Promise<void> {
  // Node's own close of an HTTP server cuts idle connections at once, and with them the requests in transit.
  const ended = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()))
  // From now on each response is its connection's last, so that busy clients leave by themselves.
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  let closing: NodeJS.Timeout | undefined
  const grace = setTimeout(() => {
    closing = setInterval(() => server.closeIdleConnections(), 50)
  }, KEEP_ALIVE_GRACE_MS)
  // A request that is held open must not delay the end for ever.
  const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS)
  await ended
  clearTimeout(grace)
  clearInterval(closing)
  clearTimeout(cut)
}
