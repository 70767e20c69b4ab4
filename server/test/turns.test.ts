// One request at a time on a connection: pipelined requests wait, invalid bytes after a request do not affect its response, and a body is requested only when it is needed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { BODY_BYTES } from '../src/core/limits.ts'
import type { SocketLimits } from '../src/http/connection/socket-limits.ts'
import { SENT_AHEAD } from '../src/http/connection/socket-limits.ts'
import type { Route } from '../src/http/route.ts'
import { listeningServer } from './support/http-server.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { raw, rawText } from './support/raw.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const long = 'a'.repeat(32 * 1024 * 1024)

const get = (path: string, ...headers: string[]) => [`GET ${path} HTTP/1.1`, 'host: a', ...headers, '', ''].join('\r\n')
const statuses = (text: string) => Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status))

/** A server with a route that waits until it is released, and one with a long response. It records its requests. */
async function watched(t: TestContext, sockets: Partial<SocketLimits> = {}) {
  const handled: string[] = []
  const gate = Promise.withResolvers<void>()
  const route = (path: string, handle: Route['handle']): Route => ({
    method: 'GET',
    path,
    surface: 'public',
    operationId: path,
    tag: 'Example',
    summary: 'An example',
    replies: {},
    semaphore: 'none',
    handle: (call) => {
      handled.push(call.params.name ?? path)
      return handle(call)
    },
  })
  const routes = [
    route('/wait/{name}', async ({ params }) => {
      await gate.promise
      return { status: 200, body: JSON.stringify(params.name) }
    }),
    route('/long', () => ({ status: 200, body: long })),
    route('/short', () => ({ status: 200, body: '{}' })),
  ]
  const { url } = await listeningServer(t, routes, { sockets })
  return { url, handled, letGo: gate.resolve }
}

function open(t: TestContext, url: string) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  t.after(() => socket.destroy())
  return { socket, received: () => text }
}

test('pipelined requests are handled one after the other, and answered in their order', async (t) => {
  const { url, handled, letGo } = await watched(t)
  const { socket, received } = open(t, url)
  const names = Array.from({ length: 5_000 }, (_, n) => String(n))
  socket.write(names.map((name) => get(`/wait/${name}`)).join(''))
  await until('the first is handled', () => handled.length > 0)
  for (const _ of [1, 2, 3]) assert.equal((await raw(url, get('/short', 'connection: close'))).status, 200)
  assert.deepEqual(
    handled.filter((name) => name !== '/short'),
    ['0'],
  )
  letGo()
  socket.write(get('/short', 'connection: close'))
  await once(socket, 'close')
  assert.deepEqual(
    Array.from(received().matchAll(/\r\n\r\n"(\d+)"/g), ([, name]) => name),
    names,
  )
  assert.equal(statuses(received()).length, names.length + 1)
})

test('a client that sends pipelined requests and reads nothing has one response prepared', async (t) => {
  const { url, handled } = await watched(t)
  const { socket } = open(t, url)
  socket.pause()
  socket.write(get('/long').repeat(900))
  await until('the first is handled', () => handled.length > 0)
  for (const _ of [1, 2, 3]) assert.equal((await raw(url, get('/short', 'connection: close'))).status, 200)
  assert.equal(handled.filter((name) => name === '/long').length, 1)
})

test('a connection with too many pipelined requests is closed, and their capacity is free again', async (t) => {
  const { url, letGo } = await watched(t, { ahead: 20 })
  for (const _ of [1, 2, 3]) {
    const { socket, received } = open(t, url)
    socket.write(get('/wait/a').repeat(100))
    await once(socket, 'close')
    assert.equal(received(), '')
  }
  const { socket, received } = open(t, url)
  socket.write(get('/wait/a').repeat(10) + get('/wait/a', 'connection: close'))
  letGo()
  await once(socket, 'close')
  assert.deepEqual(statuses(received()), Array(11).fill(200))
  assert.ok(SENT_AHEAD >= 1_000)
})

const create = (key: string, email: string, ...headers: string[]) => {
  const body = JSON.stringify({ email })
  const head = [`x-api-key: ${key}`, 'content-type: application/json', `content-length: ${body.length}`, ...headers]
  return get('/v1/customer', ...head).replace('GET', 'POST') + body
}

test('invalid bytes after a request do not affect its response: it is done, its response is sent, and the connection is closed', async () => {
  const { key, call } = await service.company()
  const garbage = [
    'garbage\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /\u0000 HTTP/1.1\r\n\r\n`,
    'CONNECT a:80 HTTP/1.1\r\n\r\n',
  ]
  const broken = get('/v1/customer', 'transfer-encoding: chunked', `x-api-key: ${key}`).replace('GET', 'POST')
  for (const [n, rest] of [...garbage, `${broken}zz\r\n`].entries()) {
    const text = await rawText(service.url, [create(key, `one${n}@b.example`) + rest])
    assert.deepEqual(statuses(text), [201], rest)
    const two = create(key, `two${n}@b.example`) + create(key, `three${n}@b.example`)
    assert.deepEqual(statuses(await rawText(service.url, [two + rest])), [201, 201], rest)
  }
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 15)
})

test('a request that is not valid HTTP is 400 and nothing of it is done', async () => {
  const { key, call } = await service.company()
  const head = ['content-type: application/json', 'transfer-encoding: chunked', `x-api-key: ${key}`]
  const chunked = get('/v1/customer', ...head).replace('GET', 'POST')
  assertProblem(await raw(service.url, `${chunked}zz\r\n`), 400, 'malformed_body')
  const { text } = await raw(service.url, create(key, 'one@b.example', 'idempotency-key: a'), `${chunked}zz\r\n`)
  assert.equal(JSON.parse(text.slice(0, text.indexOf('}') + 1)).email, 'one@b.example')
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 1)
})

test('CONNECT is answered like any other unsupported method', async () => {
  for (const [target, status, code] of [
    ['a.example:443', 404, 'not_found'],
    ['/v1/customers', 405, 'method_not_allowed'],
  ] as const) {
    const reply = await raw(service.url, `CONNECT ${target} HTTP/1.1\r\nhost: a\r\n\r\n`)
    assertProblem(reply, status, code)
    assert.equal(reply.headers.has('allow'), status === 405)
  }
})

test('100 Continue is sent only when the body is needed: not before a refusal of the key, the length or the type', async (t) => {
  const { key } = await service.company()
  const body = '{"email":"a@b.example"}'
  const head = (own: string, length: number, type = 'application/json') =>
    get('/v1/customer', own, `content-type: ${type}`, `content-length: ${length}`, 'expect: 100-continue').replace(
      'GET',
      'POST',
    )
  for (const [sent, status] of [
    [head(`x-api-key: ${key}`, body.length), 100],
    [head(`x-api-key: ${key.slice(0, -1)}-`, body.length), 401],
    [head('accept: */*', body.length), 401],
    [head(`x-api-key: ${key}`, BODY_BYTES + 1), 413],
    [head(`x-api-key: ${key}`, body.length, 'text/xml'), 415],
    [head(`x-api-key: ${key}`, body.length).replace('/v1/customer', '/v1/nothing'), 404],
    // A client that wants the connection closed is not waited for either.
    [head('connection: close', body.length), 401],
  ] as const) {
    const { socket, received } = open(t, service.url)
    socket.write(sent)
    while (!received().includes('\r\n\r\n')) await once(socket, 'data')
    assert.deepEqual(statuses(received()), [status], sent)
    if (status !== 100) continue
    socket.write(body)
    while (!received().includes('"email"')) await once(socket, 'data')
    assert.deepEqual(statuses(received()), [100, 201])
  }
})
