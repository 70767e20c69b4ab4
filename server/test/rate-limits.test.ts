// Rate limits (decisions §12): a key gets its rate and sees its state, no key affects another, and guessing keys is limited by address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { deleteKey } from '../src/features/keys/key-store.ts'
import { newKeyValue } from '../src/features/keys/key-value.ts'
import { networkOf } from '../src/http/auth/client-network.ts'
import { copyDatabase } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { serve, urlOf } from './support/program.ts'
import { raw, rawText } from './support/raw.ts'
import { eachRoute, keyed, keyless, noId, pathOf } from './support/routes.ts'
import { type Caller, type Reply, testService } from './support/service.ts'

/** A clock that stops until a test sets it forward, so that nothing refills meanwhile. */
let time = 1_000
const now = () => time
const service = testService({ rateLimit: 5, now, trustProxy: ['127.0.0.1'] })
const size = 10
const unlimited = testService()
const distrusting = testService({ rateLimit: 5, now })

/** Refills everything, so that tests start alike. */
const refill = () => {
  time += 60_000
}
const from = (address: string) => ({ 'x-forwarded-for': address })
const list = (call: Caller, headers = {}) => call('GET', '/v1/products', undefined, headers)

/** The numbers of `RateLimit: "key";r=9;t=1`. */
function limitOf({ headers }: Reply): { name: string | undefined; left: number; seconds: number } {
  const [, name, left, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
  return { name, left: Number(left), seconds: Number(seconds) }
}

/** Checks everything that a refusal must contain, and returns the seconds that it asks to wait. */
function assertRefused(reply: Reply, name: 'key' | 'address' = 'key'): number {
  assertProblem(reply, 429, 'rate_limited')
  const seconds = Number(reply.headers.get('retry-after'))
  assert.ok(Number.isInteger(seconds) && seconds >= 1, reply.headers.get('retry-after') ?? 'no Retry-After')
  assert.deepEqual(limitOf(reply), { name, left: 0, seconds })
  assert.equal(reply.headers.get('ratelimit-policy'), `"${name}";q=${size};w=2`)
  return seconds
}

/** Causes failures until the address is refused; returns how many were accepted. */
async function exhaust(address: string): Promise<number> {
  const wrong = service.caller({ 'x-api-key': 'wrong', ...from(address) })
  for (let failures = 0; failures < 100; failures++) {
    const reply = await list(wrong)
    if (reply.status === 429) return failures
    assertProblem(reply, 401, 'invalid_key')
  }
  return assert.fail('the address was never refused')
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

test('failed keys of any kind are limited by address, at the rate of a key; a missing one and two at once do not count', async () => {
  refill()
  const { id, key } = await service.company()
  const expired = await service.keyFor(id, ['read'], '2020-01-01T00:00:00.000Z')
  const deleted = await service.keyFor(id)
  await deleteKey(service.database, deleted.id)
  const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  const address = '198.51.100.1'
  const none = service.caller(from(address))
  const both = service.caller({ 'x-api-key': 'a', 'x-org-api-key': 'b', ...from(address) })
  for (let n = 0; n < 3 * size; n++) {
    assertProblem(await list(none), 401, 'missing_key')
    assertProblem(await list(both), 400, 'conflicting_credentials')
  }
  const values = [
    'x',
    mistyped,
    newKeyValue('company'),
    expired.value,
    deleted.value,
    'x'.repeat(8_000),
    `${key}, ${key}`,
  ]
  for (const value of [...values, ...values].slice(0, size)) {
    const reply = await list(service.caller({ 'x-api-key': value, ...from(address) }))
    assertProblem(reply, 401, 'invalid_key')
    assert.equal(reply.headers.get('ratelimit'), null)
  }
  for (const value of values)
    assert.equal(assertRefused(await list(service.caller({ 'x-api-key': value, ...from(address) })), 'address'), 1)
  assertProblem(await list(none), 401, 'missing_key')
  time += 200
  assert.equal(await exhaust(address), 1)
  refill()
  assert.equal(await exhaust(address), size)
})

test('of many concurrent guesses at most the burst are looked up', async () => {
  refill()
  const address = '198.51.100.2'
  const guesses = Array.from({ length: 60 }, () =>
    list(service.caller({ 'x-api-key': newKeyValue('company'), ...from(address) })),
  )
  const replies = await Promise.all(guesses)
  assert.equal(replies.filter(({ status }) => status === 401).length, size)
  for (const reply of replies) if (reply.status !== 401) assertRefused(reply, 'address')
})

test('a key that was used before works whatever fails from its address, and a correct one is no failure', async () => {
  refill()
  const address = '198.51.100.3'
  const keys = []
  // More new keys than the burst, one after the other, none of them a failure.
  for (let n = 0; n < size + 3; n++) keys.push((await service.company()).key)
  for (const key of keys) assert.equal((await list(service.caller({ 'x-api-key': key, ...from(address) }))).status, 200)
  assert.equal(await exhaust(address), size)
  for (const key of keys) assert.equal((await list(service.caller({ 'x-api-key': key, ...from(address) }))).status, 200)
  // An unused key must be looked up, like a guess.
  const { key, call } = await service.company()
  assertRefused(await list(service.caller({ 'x-api-key': key, ...from(address) })), 'address')
  assert.equal((await list(call, from('198.51.100.4'))).status, 200)
})

test('failures from one address do not affect another; IPv6 counts by /64, and IPv4 mapped into IPv6 as IPv4', async () => {
  for (const [one, same, other] of [
    ['198.51.100.5', '::ffff:198.51.100.5', '198.51.100.6'],
    ['::ffff:c633:6407', '198.51.100.7', '::ffff:c633:6408'],
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:2::1'],
    ['2001:DB8::5', '2001:0db8:0000:0000:1:2:3:4', '2001:db8:1::5'],
  ] as const) {
    refill()
    assert.equal(await exhaust(one), size)
    assert.equal(await exhaust(same), 0)
    assert.equal(await exhaust(other), size)
  }
})

test('the address that a trusted proxy forwards counts; what a client wrote before it, and what is not an address, does not', async () => {
  refill()
  assert.equal(await exhaust('203.0.113.1, 198.51.100.9'), size)
  assert.equal(await exhaust('203.0.113.2, 198.51.100.9'), 0)
  assert.equal(await exhaust('198.51.100.9'), 0)
  refill()
  // Each of these is the proxy's own address.
  assert.equal(await exhaust('unknown'), size)
  assert.equal(await exhaust(`_${'hidden'.repeat(1_000)}`), 0)
  assert.equal(await exhaust('127.0.0.1'), 0)
})

test('a network is the address of IPv4 and the first 64 bits of IPv6, in one spelling', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['1::', '1:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['2001:db8:a:b:c:d:e:f', '2001:db8:a:b'],
    ['2001:db8::192.0.2.1', '2001:db8:0:0'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['', undefined],
    ['unknown', undefined],
    ['192.0.2.1:5678', undefined],
    ['[::1]', undefined],
  ] as const)
    assert.equal(networkOf(address), network, address)
})

test('a server with its own PostgreSQL limits keys to 1,000 per second by default, and trusts no proxy', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const DATABASE_URL = urlOf(connection)
  const policyOf = async (environment: Record<string, string>, key?: string) => {
    const { url, said } = await serve(t, { DATABASE_URL, ...environment })
    const { headers } = await fetch(`${url}/v1/whoami`, { headers: { 'x-api-key': key ?? said.companyKey } })
    return { key: key ?? said.companyKey, policy: headers.get('ratelimit-policy') }
  }
  const { key, policy } = await policyOf({})
  assert.equal(policy, '"key";q=2000;w=2')
  assert.equal((await policyOf({ CASHWRAP_RATE_LIMIT: '0.5' }, key)).policy, '"key";q=1;w=2')
  assert.equal((await policyOf({ CASHWRAP_RATE_LIMIT: '0' }, key)).policy, null)
})

test('settings of limits are parsed strictly: an invalid rate or list of networks is refused by its name', () => {
  const DATABASE_URL = 'postgres://a@b/c'
  assert.deepEqual([readConfig({}).rateLimit, readConfig({}).trustProxy], [0, []])
  assert.equal(readConfig({ DATABASE_URL }).rateLimit, 1_000)
  assert.equal(readConfig({ DATABASE_URL, CASHWRAP_RATE_LIMIT: '' }).rateLimit, 1_000)
  for (const [text, rate] of [
    ['0', 0],
    ['0.0', 0],
    ['0.01', 0.01],
    ['2.5', 2.5],
    ['1000000', 1_000_000],
  ] as const)
    assert.equal(readConfig({ CASHWRAP_RATE_LIMIT: text }).rateLimit, rate)
  for (const text of [
    '-1',
    'many',
    '1e3',
    '0x10',
    '1,000',
    '0.001',
    '1000001',
    '9'.repeat(400),
    'NaN',
    'Infinity',
    ' 1',
    '.5',
  ])
    assert.throws(() => readConfig({ CASHWRAP_RATE_LIMIT: text }), { message: /^CASHWRAP_RATE_LIMIT is "/ }, text)
  assert.deepEqual(readConfig({ CASHWRAP_TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1,fd00::/8' }).trustProxy, [
    '127.0.0.1',
    '10.0.0.0/8',
    '::1',
    'fd00::/8',
  ])
  for (const text of [
    'localhost',
    '10.0.0',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '1',
    '*',
    'true',
    '10.0.0.0/255.0.0.0',
  ])
    assert.throws(() => readConfig({ CASHWRAP_TRUST_PROXY: text }), { message: /^CASHWRAP_TRUST_PROXY holds "/ }, text)
})

test('a client that is not a named proxy cannot claim an address', async () => {
  // This service trusts no proxy: every failure counts for the address of the connection.
  const wrong = (address: string) => list(distrusting.caller({ 'x-api-key': 'wrong', ...from(address) }))
  for (let n = 0; n < size; n++) assertProblem(await wrong(`198.51.100.${n}`), 401, 'invalid_key')
  assertRefused(await wrong('198.51.100.99'), 'address')
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
