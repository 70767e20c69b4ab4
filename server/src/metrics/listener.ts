// The listener that Prometheus scrapes: an address of its own, so that metrics are never where customers are.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { OperatorError } from '../core/operator-error.ts'
import { expositionOf, expositionType } from './exposition.ts'
import type { Family } from './instruments.ts'

/** Where to listen. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** Reads what the processes of the server have counted. */
type ReadProcesses = () => Promise<readonly (readonly Family[])[]>

interface MetricsListener {
  readonly port: number
  /** From now on the listener answers with what this reads; before, it answers 503. */
  serve(read: ReadProcesses, log: Logger): void
  close(): Promise<void>
}

/** Milliseconds that a scrape may take to arrive: it has no body. */
const REQUEST_MS = 5_000

/** Listens. Throws OperatorError if the address is taken or not one of this machine. */
export async function listenForScrapes({ host, port }: MetricsAddress): Promise<MetricsListener> {
  let read: ReadProcesses | undefined
  let log: Logger | undefined
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    // A page in a browser on this machine may use a host name of its own that resolves to this address (DNS rebinding).
    if (isLoopback(host) && !isLoopback(hostOf(request)))
      return void response.writeHead(421).end('Ask for localhost.\n')
    answer(read, request, response).catch((error) => {
      log?.error({ err: error }, 'a scrape of the metrics failed')
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end('Reading the metrics failed.\n')
    })
  })
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, host, port)
  }
  return {
    port: (server.address() as AddressInfo).port,
    serve: (reader, logger) => {
      read = reader
      log = logger
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)

const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '')

async function answer(
  read: ReadProcesses | undefined,
  { url = '', method = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = url.replace(/\?.*$/, '')
  if (path !== '/metrics') return void response.writeHead(404).end('Metrics are at /metrics.\n')
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
  if (read === undefined) return void response.writeHead(503).end('The service is starting.\n')
  const text = await expositionOf(await read())
  response.writeHead(200, { 'content-type': expositionType }).end(method === 'HEAD' ? undefined : text)
}

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): OperatorError {
  const why =
    code === 'EADDRINUSE'
      ? 'the port is taken'
      : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
        ? `this machine has no address ${host}`
        : code === 'EACCES'
          ? 'this user may not open the port'
          : message
  return new OperatorError(
    `CASHWRAP_METRICS: metrics cannot be served on ${host}:${port}: ${why}. Set it to another address and port, or leave it unset.`,
  )
}
