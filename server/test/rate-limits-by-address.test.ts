// Rate limits by address (decisions §12): guessing keys is limited by the network of the client, which only a trusted proxy can name, and invalid settings are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { deleteKey, newKeyValue } from '../src/features/keys/key-store.ts'
import { networkOf } from '../src/http/networks.ts'
import { copyDatabase } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { urlOf } from './support/program.ts'
import { assertRefused, from, list, size } from './support/rate-limits.ts'
import { serveHere } from './support/served.ts'
import { testService } from './support/service.ts'

/** A clock that stops until a test sets it forward, so that nothing refills meanwhile. */
let time = 1_000
const now = () => time
const service = testService({ rateLimit: 5, now, trustProxy: ['127.0.0.1'] })
const distrusting = testService({ rateLimit: 5, now })

/** Refills everything, so that tests start alike. */
const refill = () => {
  time += 60_000
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
  let key = ''
  for (const [CASHWRAP_RATE_LIMIT, policy] of [
    [undefined, '"key";q=2000;w=2'],
    ['0.5', '"key";q=1;w=2'],
    ['0', null],
  ] as const) {
    // biome-ignore format: one thought
    const { rateLimit, trustProxy } = readConfig({ DATABASE_URL, CASHWRAP_RATE_LIMIT })
    const { url, first } = await serveHere(t, connection, { rateLimit, trustProxy })
    // The first server creates the company.
    key ||= first.companyKey
    const { headers } = await fetch(`${url}/v1/whoami`, { headers: { 'x-api-key': key } })
    assert.equal(headers.get('ratelimit-policy'), policy)
  }
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
