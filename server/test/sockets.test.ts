// Clients cannot hold resources without using them: connections that are silent, slow, or never read are closed, and others continue.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createPlainServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { HEADER_FIELDS } from '../src/core/limits.ts'
import { boundSockets, type SocketLimits, socketLimits } from '../src/http/connection/socket-limits.ts'
import type { Route } from '../src/http/route.ts'
import { listeningServer } from './support/http-server.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { raw } from './support/raw.ts'
import { testService } from './support/service.ts'

const service = testService()

/** Longer than any test: what is still closed was closed by the one limit that the test sets. */
const never = 600_000
const megabyte = 1024 * 1024
const long = 'a'.repeat(32 * megabyte)

const route = (method: Route['method'], path: string, body: string): Route => ({
  method,
  path,
  surface: 'public',
  operationId: path,
  tag: 'Example',
  summary: 'An example',
  replies: {},
  ...(method === 'POST' && { body: { schema: {} } }),
  handle: () => ({ status: 200, body }),
})
const routes = [route('GET', '/short', '{}'), route('GET', '/long', long), route('POST', '/short', '{}')]

interface Side {
  /** Opens a connection. Returns its end at the client, and its end at the server. */
  open(): Promise<{ client: Socket; server: Socket; received(): string; closed: Promise<unknown> }>
  readonly url: string
}

/** A server with low values for the given limits. */
async function bounded(t: TestContext, limits: Partial<SocketLimits>): Promise<Side> {
  const far = {
    headersMs: never,
    requestMs: never,
    fileMs: never,
    keepAliveMs: never,
    silenceMs: never,
    answerMs: never,
  }
  const { url, server } = await listeningServer(t, routes, { sockets: { ...far, checkMs: 20, ...limits } })
  return {
    url,
    async open() {
      const accepted = once(server, 'connection')
      const client = connect(Number(new URL(url).port), '127.0.0.1')
      // A cut connection is expected here, not a failure.
      client.on('error', () => {})
      let text = ''
      client.on('data', (bytes) => {
        text += bytes
      })
      t.after(() => client.destroy())
      const [socket] = (await accepted) as [Socket]
      return { client, server: socket, received: () => text, closed: once(socket, 'close') }
    },
  }
}

const get = (path: string, ...headers: string[]) => [`GET ${path} HTTP/1.1`, 'host: a', ...headers, '', ''].join('\r\n')
const post = (path: string, length: number, ...headers: string[]) =>
  get(path, 'content-type: application/json', `content-length: ${length}`, ...headers).replace('GET', 'POST')
const statuses = (text: string) => Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status))

/** Sends a byte every few milliseconds until the connection is closed: a client that is never silent. */
function dribble(t: TestContext, client: Socket, text: string): void {
  let at = 0
  const sending = setInterval(() => client.write(text.charAt(at++ % text.length)), 5)
  const stop = () => clearInterval(sending)
  client.once('close', stop)
  t.after(stop)
}

test('a connection without any bytes is closed, with 408', async (t) => {
  const { open } = await bounded(t, { headersMs: 50 })
  const { closed, received } = await open()
  await closed
  assert.deepEqual(statuses(received()), [408])
})

test('headers that arrive too slowly get 408 and the connection is closed, also if bytes keep coming', async (t) => {
  const { open } = await bounded(t, { headersMs: 80 })
  const { client, closed, received } = await open()
  client.write('GET /short HTTP/1.1\r\nhost: a\r\nx-slow: ')
  dribble(t, client, 'a')
  await closed
  assert.deepEqual(statuses(received()), [408])
  assert.match(received(), /application\/problem\+json.*"code":"request_timeout"/s)
})

test('a body that arrives too slowly gets 408 and the connection is closed, also if bytes keep coming', async (t) => {
  for (const framing of [
    post('/short', 1_000_000),
    get('/short', 'content-type: application/json', 'transfer-encoding: chunked').replace('GET', 'POST'),
  ]) {
    const { open } = await bounded(t, { headersMs: 80, requestMs: 80 })
    const { client, closed, received } = await open()
    client.write(framing)
    dribble(t, client, framing.includes('chunked') ? '1\r\n \r\n' : ' ')
    await closed
    assert.deepEqual(statuses(received()), [408])
  }
})

test('the unread body of a refused request holds its connection no longer than a read one', async (t) => {
  for (const [path, ...headers] of [
    ['/nothing'],
    ['/nothing', 'connection: close'],
    ['/long'],
    ['/short', 'content-type: text/xml'],
  ] as const) {
    const { open } = await bounded(t, { headersMs: 80, requestMs: 80 })
    const { client, closed, received } = await open()
    client.write(post(path ?? '', 1_000_000, ...headers))
    dribble(t, client, ' ')
    await closed
    assert.ok(statuses(received()).length > 0, received())
    for (const status of statuses(received())) assert.ok(status >= 400, received())
  }
})

test('an idle connection after a response is closed silently, and an active one is not', async (t) => {
  const { open } = await bounded(t, { keepAliveMs: 50 })
  const { client, closed, received } = await open()
  for (let n = 1; n <= 5; n++) {
    client.write(get('/short'))
    while (statuses(received()).length < n) await once(client, 'data')
  }
  await closed
  assert.deepEqual(statuses(received()), [200, 200, 200, 200, 200])
})

test('a connection whose request makes no progress is closed', async (t) => {
  const { open } = await bounded(t, { silenceMs: 50 })
  for (const begun of ['', 'GET /sh', post('/short', 10)]) {
    const { client, closed } = await open()
    client.write(begun)
    await closed
  }
})

test('a client that never reads its response is cut off, and the response’s memory is freed', async (t) => {
  for (const limits of [{ silenceMs: 100 }, { answerMs: 100 }]) {
    const { open } = await bounded(t, limits)
    const { client, server, closed } = await open()
    client.pause()
    client.write(get('/long') + get('/long'))
    await closed
    assert.equal(server.destroyed, true)
    assert.ok(server.bytesWritten < 3 * long.length)
  }
})

test('a client that reads its response in small chunks is cut off after the time limit', async (t) => {
  const { open } = await bounded(t, { answerMs: 300 })
  const { client, closed } = await open()
  client.pause()
  client.write(get('/long'))
  const reading = setInterval(() => client.read(1_000), 5)
  t.after(() => clearInterval(reading))
  await closed
})

const chunkBytes = 32 * 1024

/** A server that sends a chunk of a response every few milliseconds, whether or not the last one was read. */
async function streaming(t: TestContext, answerMs: number, chunks: number) {
  const server = createPlainServer((_request, response) => {
    const chunk = Buffer.alloc(chunkBytes)
    let left = chunks
    const writing = setInterval(() => (left-- > 0 ? response.write(chunk) : response.end()), 5)
    response.once('close', () => clearInterval(writing))
  })
  boundSockets(server, { ...socketLimits, answerMs, checkMs: 20 }, pino({ level: 'silent' }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, accepted: once(server, 'connection') }
}

test('a client that never reads is cut off even while its response is still being written', async (t) => {
  const { url, accepted } = await streaming(t, 200, Number.POSITIVE_INFINITY)
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.on('error', () => {})
  t.after(() => client.destroy())
  client.write(get('/'))
  client.pause()
  const [socket] = (await accepted) as [Socket]
  await until('the server has cut it off', () => socket.destroyed)
})

test('a client that reads each chunk in time is not cut off, however long the response takes', async (t) => {
  const chunks = 400
  const response = await fetch((await streaming(t, 1_000, chunks)).url)
  assert.equal((await response.arrayBuffer()).byteLength, chunks * chunkBytes)
})

test('a client that reads a long response within the time is not cut off', async (t) => {
  const { open } = await bounded(t, { answerMs: 20_000, silenceMs: 20_000 })
  const { client, received } = await open()
  client.write(get('/long', 'connection: close'))
  await once(client, 'close')
  assert.equal(received().length - received().indexOf('\r\n\r\n') - 4, long.length)
})

test('beyond the maximum of connections a further one is closed at once, and accepted when another has ended', async (t) => {
  const { url, open } = await bounded(t, { most: 2 })
  const held = [await open(), await open()]
  const refused = connect(Number(new URL(url).port), '127.0.0.1')
  refused.on('error', () => {})
  refused.resume()
  await once(refused, 'close')
  held[0]?.client.destroy()
  await held[0]?.closed
  assert.equal((await raw(url, get('/short', 'connection: close'))).status, 200)
  held[1]?.client.write(get('/short'))
  await once(held[1]?.client as Socket, 'data')
  assert.deepEqual(statuses(held[1]?.received() ?? ''), [200])
})

test('a request with one header field too many is refused with the limit; none is ignored silently', async () => {
  const { key } = await service.company()
  const fields = (count: number, name: (n: number) => string) =>
    get('/v1/whoami', `x-api-key: ${key}`, 'connection: close', ...Array.from({ length: count - 3 }, (_, n) => name(n)))
  for (const name of [(n: number) => `x-filler-${n}: a`, () => 'x-filler: a', () => 'a:']) {
    assert.equal((await raw(service.url, fields(HEADER_FIELDS, name))).status, 200)
    for (const count of [HEADER_FIELDS + 1, 5 * HEADER_FIELDS]) {
      const { message } = assertProblem(await raw(service.url, fields(count, name)), 431, 'headers_too_large')
      assert.match(message, new RegExp(`\\b${HEADER_FIELDS}\\b`))
    }
  }
  // The key is after the fields that Node would have read.
  const last = get('/v1/whoami', 'connection: close', ...Array(2_500).fill('a:'), `x-api-key: ${key}`)
  assertProblem(await raw(service.url, last), 431, 'headers_too_large')
})
