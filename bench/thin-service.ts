// What a read costs with less around it: the same key cache and the same gathered statement behind a plain node:http server, behind Fastify alone, and a plain node:http server that only sends the bytes.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { etagOf } from '../server/src/core/etag.ts'
import { connect, type Database } from '../server/src/database/connect.ts'
import { operations } from '../server/src/engine/operations.ts'
import { KeyCache } from '../server/src/features/keys/key-cache.ts'
import { authenticate, type Caller } from '../server/src/http/auth/api-key.ts'
import { customer } from '../server/src/resources/customer.ts'
import { serveParent } from './child.ts'

const path = '/v1/api/customer/:id'
const json = 'application/json; charset=utf-8'
const ends: (() => unknown)[] = []

/** The record that a request asks for, once its key is found to be valid; `answer` is called back with its text. */
function reader(database: Database) {
  const keys = new KeyCache(database)
  const { read } = operations(customer, database)
  return ({ headers, method = 'GET', url = '' }: IncomingMessage, answer: (text: string) => void): void => {
    const admit = (caller: Caller | undefined) => {
      if (caller) read(caller.scope, url.slice(url.lastIndexOf('/') + 1), () => false).then(answer)
    }
    const caller = authenticate(keys.find, { headers, method, path }, 'company')
    if (caller instanceof Promise) caller.then(admit)
    else admit(caller)
  }
}

/** The headers of the service's own response. */
const headersOf = (text: string) => ({
  'x-request-id': randomUUID(),
  'x-content-type-options': 'nosniff',
  vary: 'x-api-key, apikey, cookie, x-company-id',
  'cache-control': 'private, no-cache',
  etag: etagOf(text),
  'content-type': json,
})

async function listen(take: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function listenByFastify(read: ReturnType<typeof reader>): Promise<string> {
  const server = Fastify()
  server.get(path, (request, reply) => {
    read(request.raw, (text) => reply.headers(headersOf(text)).send(text))
  })
  ends.push(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

/** Starts one of the three; resolves to its address. */
async function start({ kind, databaseUrl, record }: { kind: string; databaseUrl: string; record: string }) {
  if (kind === 'bytes') {
    const length = Buffer.byteLength(record)
    const url = await listen((_request, response) =>
      response.writeHead(200, { ...headersOf(record), 'content-length': length }).end(record),
    )
    return { url }
  }
  const database = connect({ connectionString: databaseUrl })
  ends.push(() => database.close())
  const read = reader(database)
  if (kind === 'fastify') return { url: await listenByFastify(read) }
  const url = await listen((request, response) =>
    read(request, (text) =>
      response.writeHead(200, { ...headersOf(text), 'content-length': Buffer.byteLength(text) }).end(text),
    ),
  )
  return { url }
}

serveParent(start, async () => {
  for (const end of ends) await end()
})
