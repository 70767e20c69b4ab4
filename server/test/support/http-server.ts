// A server of HTTP alone: its routes need no database, and nobody has a key.

import type { Server } from 'node:http'
import type { TestContext } from 'node:test'
import type { Route } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import { testSettings } from './service.ts'

type ServerParts = Parameters<typeof createServer>[0]

/** A server with these routes, which listens nowhere yet. */
export const httpServer = (routes: readonly Route[], more: Partial<ServerParts> = {}) =>
  createServer({
    routes,
    findKey: () => undefined,
    findKept: async () => undefined,
    keyUsed: () => {},
    seal: { close: (text) => text, open: (text) => text },
    log: testSettings.log,
    ...more,
  })

/** The same, listening until the test ends. */
export async function listeningServer(
  t: TestContext,
  routes: readonly Route[],
  more: Partial<ServerParts> = {},
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = httpServer(routes, more)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => {
    server.server.closeAllConnections()
    return server.close()
  })
  return { url, server: server.server }
}
