// Bytes that are not HTTP, or break off: the service answers what it can, closes the connection, and keeps running.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem } from './support/problem.ts'
import { get, raw, rawText } from './support/raw.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('bytes that are not HTTP are answered with a problem and a closed connection, and old HTTP is supported', async () => {
  const { key } = await service.company()
  const noise = Uint8Array.from({ length: 4_096 }, (_, n) => (n * 7919) % 256)
  for (const bytes of [
    'garbage\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
    noise,
    'GET / HTTP/9.9\r\n\r\n',
    'get / http/1.1\r\n\r\n',
    'FROBNICATE / HTTP/1.1\r\nhost: a\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /\u0000 HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nhost a\r\n\r\n',
  ])
    assertProblem(await raw(service.url, bytes), 400, 'malformed_body', String(bytes).slice(0, 40))
  assertProblem(await raw(service.url, 'GET /v1/whoami HTTP/1.1\r\nconnection: close\r\n\r\n'), 400, 'malformed_body')
  const chunked = `POST /v1/customer HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  for (const chunk of ['zz\r\n{}\r\n', '-1\r\n{}\r\n', 'ffffffffffffffffffff\r\n{}', '2\r\n{}xx'])
    assertProblem(await raw(service.url, chunked, chunk), 400, 'malformed_body', chunk)
  // A request that is refused before its body is read gets this refusal, even if its broken body arrives with it.
  for (const [path, status] of [
    ['/v1/customer', 401],
    ['/v1/nothing', 404],
  ] as const) {
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`
    assertProblem(await raw(service.url, `${head}zz\r\n{}\r\n`), status, undefined, path)
  }
  const old = await raw(service.url, `GET /v1/whoami HTTP/1.0\r\nx-api-key: ${key}\r\n\r\n`)
  assert.deepEqual([old.status, JSON.parse(old.text).currency], [200, 'EUR'])
  assertProblem(await raw(service.url, 'GET /v1/whoami HTTP/1.0\r\n\r\n'), 401, 'missing_key')
  const absolute = await raw(service.url, get(`${service.url}/v1/whoami`, `x-api-key: ${key}`))
  assert.equal(absolute.status, 200)
})

test('a request that arrives byte by byte is answered, and one that never ends or breaks off affects no other', async () => {
  const { key, call } = await service.company()
  const body = '{"email": "slow@b.example"}'
  const request = `POST /v1/customer HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  assert.match(await rawText(service.url, request), /^HTTP\/1\.1 201 /)
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(service.url)
  const open = []
  for (const end of [0, 1, 20, request.indexOf('\r\n\r\n') + 2, request.length - body.length, request.length - 1]) {
    const socket = connect(Number(port), hostname)
    await new Promise((resolve) => socket.write(request.slice(0, end), resolve))
    if (end % 2 === 0) socket.destroy()
    else open.push(socket)
  }
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 1)
  for (const socket of open) socket.destroy()
})

test('a request with two Host headers, a malformed one, or in HTTP/1.1 none, is 400; any valid one is accepted', async () => {
  const ask = (...lines: string[]) => raw(service.url, [...lines, 'connection: close', '', ''].join('\r\n'))
  const get = (version: string) => `GET /v1/public/health HTTP/${version}`
  for (const hosts of [
    ['a', 'a'],
    ['a', 'b'],
    ['a b'],
    ['a/b'],
    ['a:b'],
    ['a:80:80'],
    ['[::1'],
    ['[g]'],
    ['user@a'],
    ['%zz'],
  ]) {
    const reply = await ask(get('1.1'), ...hosts.map((host) => `Host: ${host}`))
    assertProblem(reply, 400, 'malformed_body')
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  }
  assertProblem(await ask(get('1.0'), 'host: a', 'HOST: b'), 400, 'malformed_body')
  assertProblem(await ask(get('1.1')), 400, 'malformed_body')
  for (const host of [
    'a',
    'localhost:8080',
    '[::1]:80',
    '127.0.0.1',
    'shop.example.',
    'a_b',
    'xn--bcher-kva.example',
    'a:',
    '',
  ])
    assert.equal((await ask(get('1.1'), `host: ${host}`)).status, 200, host)
  assert.equal((await ask(get('1.0'))).status, 200)
})
