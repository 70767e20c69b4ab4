// Bodies beyond the limit of 10 MB: each is refused with a response that its client can read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem } from './support/problem.ts'
import { raw } from './support/raw.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('a body of exactly 10 MB is read, one byte more is 413, with and without a content length', async () => {
  const { key, call } = await service.company()
  const limit = 10 * 1024 * 1024
  const exact = Buffer.alloc(limit, ' ')
  exact.write('{"name": "large"}')
  assert.equal((await call('POST', '/v1/product', exact)).status, 201)
  const over = Buffer.concat([exact, Buffer.from(' ')])
  assertProblem(await call('POST', '/v1/product', over), 413, 'payload_too_large')
  const head = `POST /v1/product HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`
  const chunks = (body: Buffer) => [head, `${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n']
  assert.equal((await raw(service.url, ...chunks(exact))).status, 201)
  assertProblem(await raw(service.url, ...chunks(over)), 413, 'payload_too_large')
})

test('a client that sends 40 MB gets its response instead of a broken connection, wherever it sends them', async () => {
  const { key, call } = await service.company()
  const huge = Buffer.alloc(40 * 1024 * 1024, ' ')
  assertProblem(await call('POST', '/v1/product', huge), 413, 'payload_too_large')
  assertProblem(await call('POST', '/v1/nothing', huge), 404, 'not_found')
  assertProblem(await call('PUT', '/v1/products', huge), 405, 'method_not_allowed')
  assertProblem(await service.caller()('POST', '/v1/product', huge), 401, 'missing_key')
  assertProblem(await call('POST', '/v1/product', huge, { 'content-type': 'text/xml' }), 415, 'unsupported_media_type')
  const megabyte = huge.subarray(0, 1024 * 1024)
  const chunked = ReadableStream.from(Array.from({ length: 40 }, () => megabyte))
  const response = await fetch(`${service.url}/v1/product`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: chunked,
    duplex: 'half',
  })
  const { status, headers } = response
  assertProblem({ status, headers, text: await response.text() }, 413, 'payload_too_large')
  // A client that wants the connection closed after the response gets it too.
  const head = `POST /v1/product HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\nconnection: close\r\n`
  const long = `${head}content-length: ${huge.length}\r\n\r\n`
  for (const [path, status] of [
    ['/v1/product', 413],
    ['/v1/nothing', 404],
  ] as const) {
    const reply = await raw(service.url, long.replace('/v1/product', path), huge)
    assertProblem(reply, status)
    assert.equal(reply.isBroken, false)
  }
})
