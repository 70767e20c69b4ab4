// A receiver of webhooks: records its calls, and answers as the test configures it, also badly.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A received call. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  /** As it was sent. */
  readonly text: string
}

/** Answers one request; `count` is the number of requests so far. */
export type Reply = (request: Received, response: ServerResponse, count: number, incoming: IncomingMessage) => unknown

interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** The number of connections. */
  readonly connections: () => number
}

/** How it listens: an address other than 127.0.0.1, and a certificate. */
interface Listening {
  readonly host?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

const ok: Reply = (_, response) => response.end('ok')

/** Starts a receiver, which stops with the test. */
export async function receiver(
  t: Pick<TestContext, 'after'>,
  reply: Reply = ok,
  { host = '127.0.0.1', tls }: Listening = {},
): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk
    const { method = '', url: path = '', headers, rawHeaders } = incoming
    const request = { method, path, headers, rawHeaders, text }
    received.push(request)
    reply(request, response, received.length, incoming)
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.on('connection', () => {
    connections++
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http${tls ? 's' : ''}://${host}:${port}/`, port, received, connections: () => connections }
}
