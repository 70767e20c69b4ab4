// Rate limits by key (decisions §12): a key gets its rate and sees its state in each response, and no key affects another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem } from './support/problem.ts'
import { assertRefused, from, limitOf, list, size } from './support/rate-limits.ts'
import { raw, rawText } from './support/raw.ts'
import { eachRoute, keyed, keyless, noId, pathOf } from './support/routes.ts'
import { type Caller, sharedService, testService } from './support/service.ts'

/** A clock that stops until a test sets it forward, so that nothing refills meanwhile. */
let time = 1_000
const now = () => time
const service = testService({ rateLimit: 5, now, trustProxy: ['127.0.0.1'] })
const unlimited = sharedService()

/** Refills everything, so that tests start alike. */
const refill = () => {
  time += 60_000
}

test('a key gets a burst of twice its rate, counted down in each response, then 429; and again once a token is available', async () => {
  refill()
  const { call } = await service.company()
  for (let left = size - 1; left >= 0; left--) {
    const reply = await list(call)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('ratelimit-policy'), '"key";q=10;w=2')
    assert.deepEqual(limitOf(reply), { name: 'key', left, seconds: 1 })
    assert.equal(reply.headers.get('retry-after'), null)
  }
  assert.equal(assertRefused(await list(call)), 1)
  time += 199
  assertRefused(await list(call))
  time += 1
  assert.equal((await list(call)).status, 200)
  assertRefused(await list(call))
  // A client that respects Retry-After is served, and an hour of silence gives only a full bucket.
  time += 1_000
  assert.equal(limitOf(await list(call)).left, 4)
  time += 3_600_000
  assert.equal(limitOf(await list(call)).left, size - 1)
})

test('a key that sends requests for a minute without pause gets its rate and one burst, however much is refused', async () => {
  refill()
  const { call } = await service.company()
  let answered = 0
  for (let n = 0; n < 600; n++) {
    if ((await list(call)).status === 200) answered++
    time += 100
  }
  // 600 times 100 ms, at 5 a second, and the burst; the last interval is not over at the last request.
  assert.ok(answered >= 300 + size - 1 && answered <= 300 + size, String(answered))
})

test('of many concurrent requests exactly the burst is answered', async () => {
  refill()
  const { call } = await service.company()
  await list(call)
  const replies = await Promise.all(Array.from({ length: 40 }, () => list(call)))
  assert.equal(replies.filter(({ status }) => status === 200).length, size - 1)
  for (const reply of replies) if (reply.status !== 200) assertRefused(reply)
  const lefts = replies.filter(({ status }) => status === 200).map((reply) => limitOf(reply).left)
  assert.deepEqual(
    lefts.toSorted((a, b) => a - b),
    Array.from({ length: size - 1 }, (_, left) => left),
  )
})

test('each key has its own limit: two of one company do not share it, and those of others are not affected', async () => {
  refill()
  const { id, call } = await service.company()
  const second = await service.keyFor(id)
  const { call: other } = await service.company()
  while ((await list(call)).status === 200);
  assert.equal(limitOf(await list(second.call)).left, size - 1)
  assert.equal(limitOf(await list(other)).left, size - 1)
})

test('every response to a known key counts and shows the limit, also an error', async () => {
  refill()
  const { id, call } = await service.company()
  const { call: reading } = await service.keyFor(id, ['read'])
  assertProblem(await reading('POST', '/v1/product', { name: 'a' }), 403, 'permission_denied')
  assertProblem(await reading('GET', `/v1/product/${noId}`), 404, 'not_found')
  assertProblem(await reading('GET', '/v1/products?limit=x'), 400, 'validation_failed')
  assert.equal(limitOf(await list(reading)).left, size - 4)
  const errors = [
    await call('POST', '/v1/product', '{'),
    await call('POST', '/v1/product', {}),
    await call('POST', '/v1/product', '<a/>', { 'content-type': 'text/xml' }),
    await call('POST', '/v1/products', []),
  ]
  assert.deepEqual(
    errors.map((reply) => [reply.status, limitOf(reply).left]),
    [
      [400, 9],
      [400, 8],
      [415, 7],
      [400, 6],
    ],
  )
  const organization = service.caller({ 'x-api-key': service.organizationKey })
  const wrongKind = await list(organization)
  assertProblem(wrongKind, 401, 'invalid_key')
  assert.equal(limitOf(wrongKind).name, 'key')
})

test('every route that needs a key answers 429 in the one shape, with the request’s id and a body or without', async () => {
  refill()
  const { key, call } = await service.company()
  while ((await list(call)).status === 200);
  await eachRoute(
    keyed.filter(({ surface }) => surface === 'company'),
    async (route) => {
      const reply = await call(route.method, pathOf(route), route.body && { any: 'body' }, { 'x-request-id': 'a"b\\c' })
      assertRefused(reply)
      assert.equal(reply.headers.get('x-request-id'), 'a"b\\c')
      assert.equal(reply.headers.get('cache-control'), route.hasSecret ? 'no-store' : 'private, no-cache')
      assert.equal(reply.headers.get('vary'), 'x-api-key, apikey, cookie, x-company-id')
      if (route.method === 'GET') {
        const head = await call('HEAD', pathOf(route))
        assert.deepEqual([head.status, head.text, head.headers.get('retry-after')], [429, '', '1'])
      }
    },
  )
  const legacy = await service.caller({ apiKey: key })('GET', '/v1/api/products')
  assertRefused(legacy)
})

test('public routes neither count nor show nor refuse', async () => {
  refill()
  const { key, call } = await service.company()
  while ((await list(call)).status === 200);
  for (const route of keyless) {
    const reply = await service.caller({ 'x-api-key': key })('GET', pathOf(route))
    // A route with the id of a record reports a missing one.
    assert.equal(reply.status, route.path.includes('{') ? 404 : 200)
    assert.equal(reply.headers.get('ratelimit'), null)
  }
})

test('the reference counts requests with a key, and its failures, and none without a key', async () => {
  refill()
  const { call } = await service.company()
  const ask = (caller: Caller) => caller('GET', '/v1/openapi.json')
  for (let left = size - 1; left >= 0; left--)
    assert.deepEqual(limitOf(await ask(call)), { name: 'key', left, seconds: 1 })
  const refused = await ask(call)
  assertRefused(refused)
  assert.deepEqual(
    [refused.headers.get('cache-control'), refused.headers.get('vary')],
    ['private, no-cache', 'x-api-key, cookie, x-company-id'],
  )
  const address = from('198.51.100.20')
  const wrong = service.caller({ 'x-api-key': 'wrong', ...address })
  for (let n = 0; n < size; n++) assertProblem(await ask(wrong), 401, 'invalid_key')
  assertRefused(await ask(wrong), 'address')
  const reply = await ask(service.caller(address))
  assert.deepEqual([reply.status, reply.headers.get('ratelimit')], [200, null])
})

test('a refused request with a large body gets its response, and its connection still serves', async () => {
  refill()
  const { key, call } = await service.company()
  while ((await list(call)).status === 200);
  assertRefused(await call('POST', '/v1/products', Buffer.alloc(50 * 1024 * 1024, ' ')))
  const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n`
  const body = Buffer.alloc(20 * 1024 * 1024, ' ')
  const post = `${head('POST', '/v1/product')}content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const closing = await raw(service.url, `${post}connection: close\r\n\r\n`, body)
  assertProblem(closing, 429, 'rate_limited')
  assert.equal(closing.isBroken, false)
  const health = `${head('GET', '/v1/public/health')}connection: close\r\n\r\n`
  const text = await rawText(service.url, [`${post}\r\n`, body, `${head('GET', '/v1/products')}\r\n`, health])
  assert.deepEqual(
    Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status)),
    [429, 429, 200],
  )
})

test('without a limit no response mentions one', async () => {
  const { call } = await unlimited.company()
  for (let n = 0; n < 3 * size; n++) {
    const { status, headers } = await list(call)
    assert.deepEqual([status, headers.get('ratelimit'), headers.get('ratelimit-policy')], [200, null, null])
  }
  const wrong = unlimited.caller({ 'x-api-key': 'wrong' })
  for (let n = 0; n < 3 * size; n++) assertProblem(await list(wrong), 401, 'invalid_key')
})

test('every response to a key in the header apiKey, also 401, 403 and 429, says that the header is deprecated', async () => {
  refill()
  const { id } = await service.company()
  const { value } = await service.keyFor(id, ['create'])
  const call = (apikey: string, headers = {}) =>
    service.caller({ apikey, ...from('203.0.113.77'), ...headers })('GET', '/v1/api/products')
  const replies = [
    await call('wrong'),
    await call(''),
    await call(value),
    await call(value, { 'x-org-api-key': 'a' }),
    ...(await Promise.all(Array.from({ length: 2 * size }, () => call('wrong')))),
    ...(await Promise.all(Array.from({ length: size }, () => call(value)))),
  ]
  assert.deepEqual([...new Set(replies.map(({ status }) => status))].sort(), [400, 401, 403, 429])
  for (const { status, headers } of replies) assert.match(headers.get('deprecation') ?? '', /^@\d+$/, `${status}`)
})
