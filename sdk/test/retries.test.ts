// What the SDK sends again, under which key, and when it stops: lost answers, refusals with Retry-After, deadlines, aborts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiver } from '../../server/test/support/receiver.ts'
import { testService } from '../../server/test/support/service.ts'
import { Cashwrap, ConnectionError, RateLimitedError, TimeoutError, UnavailableError } from '../src/index.ts'
import { Core, waitBefore } from '../src/request.ts'
import { lossyWrites } from './lossy-writes.ts'
import { clientOf, faultProxy } from './support.ts'

const service = testService()
const limited = testService({ rateLimit: 2 })

/** A problem as the service answers it. */
const problem = (status: number, code: string, reason?: string) =>
  JSON.stringify({ status, code, reason, detail: 'Not now.', requestId: 'r-1' })

test('each of 120 writes is done once, although a tenth loses its answer', async (t) => {
  const run = await lossyWrites(t, service, 120)
  t.diagnostic(JSON.stringify(run))
})

test('a write that lost its answer is sent again with the same key, and gets the first answer', async (t) => {
  const company = await service.company()
  const proxy = await faultProxy(t, service.url, (request) => (request < 2 ? 'answer lost' : 'passed'))
  const client = clientOf(service, company, { baseUrl: proxy.url })
  const { data, attempts, isReplay } = await client.customers.create({ firstName: 'Ann' }).withResponse()
  assert.deepEqual([attempts, isReplay], [3, true])
  assert.equal(new Set(proxy.seen.map(({ key }) => key)).size, 1)
  assert.deepEqual(await client.customers.list().toArray(), [data])
  await client.customers.create({ firstName: 'Bob' }, { idempotencyKey: 'my own' })
  assert.equal(proxy.seen.at(-1)?.key, 'my own')
})

test('a delete whose answer was lost succeeds, although the record is gone; a first one of nothing is 404', async (t) => {
  const company = await service.company()
  const direct = clientOf(service, company)
  const { id } = await direct.categories.create({ name: 'Tea' })
  const [second, third] = await Promise.all([
    direct.categories.create({ name: 'B' }),
    direct.categories.create({ name: 'C' }),
  ])
  const proxy = await faultProxy(t, service.url, (request) => (request % 2 === 0 ? 'answer lost' : 'passed'))
  const client = clientOf(service, company, { baseUrl: proxy.url })
  assert.equal((await client.categories.delete(id)).statusCode, 200)
  const many = await client.categories.deleteMany([{ id: second.id }, { id: third.id }])
  assert.deepEqual(
    many.results.map((result) => result.status === 'success' && result.id),
    [second.id, third.id],
  )
  await assert.rejects(direct.categories.delete(id), { code: 'not_found' })
  const gone = await direct.categories.deleteMany([{ id }])
  assert.equal(gone.failed[0]?.error.code, 'not_found')
})

test('a request that may not be repeated is sent once', async (t) => {
  const proxy = await faultProxy(t, service.url, () => 'answer lost')
  const client = new Cashwrap({ baseUrl: proxy.url })
  await assert.rejects(
    client.console.signIn({ email: 'a@example.com', password: 'four words of our own' }),
    (error) => {
      assert.ok(error instanceof ConnectionError)
      assert.equal(error.attempts, 1)
      return true
    },
  )
  assert.equal(proxy.seen.length, 1)
})

test('503 and 429 are sent again after Retry-After; 500 is not', async (t) => {
  const { url, received } = await receiver(t, (_, response, count) => {
    response.setHeader('content-type', 'application/problem+json')
    if (count === 1) response.writeHead(503, { 'retry-after': '1' }).end(problem(503, 'unavailable', 'queue_full'))
    else if (count === 2) response.writeHead(429, { 'retry-after': '0' }).end(problem(429, 'rate_limited'))
    else if (count === 3) response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
    else if (count === 4) response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"1"}')
    else response.writeHead(500).end(problem(500, 'internal_error'))
  })
  const client = new Cashwrap({ baseUrl: url, apiKey: 'posk_1' })
  const begun = Date.now()
  const { attempts } = await client.outlets.create({ name: 'Shop' }).withResponse()
  assert.equal(attempts, 4)
  assert.ok(Date.now() - begun >= 1000, 'The first wait is at least what the server asked for.')
  await assert.rejects(client.outlets.create({ name: 'Shop' }), { code: 'internal_error', attempts: 1 })
  assert.equal(new Set(received.slice(0, 4).map(({ headers }) => headers['idempotency-key'])).size, 1)
  assert.notEqual(received[4]?.headers['idempotency-key'], received[0]?.headers['idempotency-key'])
})

test('a server that is restarted within ten seconds is reached by a later attempt, and no wait is longer than eight', () => {
  const { maxRetries } = new Core({ baseUrl: '' }).settings({})
  const failure = new ConnectionError('refused')
  for (let n = 0; n < 1_000; n++) {
    const waits = Array.from({ length: maxRetries }, (_, before) => waitBefore(before + 1, failure))
    const total = waits.reduce((sum, ms) => sum + ms)
    assert.ok(total > 11_000 && total < 24_000 && Math.max(...waits) <= 8_000, String(waits))
  }
})

test('a client that is refused by the rate limit finishes all the same', async () => {
  const client = clientOf(limited, await limited.company())
  const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  const made = await Promise.all(names.map((name) => client.outlets.create({ name }).withResponse()))
  assert.ok(
    made.some(({ attempts }) => attempts > 1),
    'The limit was reached.',
  )
  const impatient = clientOf(limited, await limited.company(), { maxRetries: 0 })
  await assert.rejects(Promise.all(names.map((name) => impatient.outlets.create({ name }))), RateLimitedError)
})

test('a deadline ends the attempts with the last error, a timeout one attempt, a signal everything', async (t) => {
  const stops: AbortController[] = []
  const reason = new Error('The shop closes.')
  const { url, received } = await receiver(t, ({ path }, response) => {
    const stop = () => setImmediate(() => stops.pop()?.abort(reason))
    // All others are never answered.
    if (!path.startsWith('/v1/outlets')) return stop()
    response
      .writeHead(503, { 'retry-after': '60', 'content-type': 'application/problem+json' })
      .end(problem(503, 'unavailable'), stop)
  })
  const client = new Cashwrap({ baseUrl: url, apiKey: 'posk_1' })
  await assert.rejects(client.outlets.list({ deadlineMs: 5_000 }).page(), (error) => {
    assert.ok(error instanceof UnavailableError)
    assert.deepEqual([error.requestId, error.retryAfterMs, error.attempts], ['r-1', 60_000, 1])
    return true
  })
  await assert.rejects(client.stations.list({ timeoutMs: 30, maxRetries: 1 }).page(), (error) => {
    assert.ok(error instanceof TimeoutError)
    assert.equal(error.attempts, 2)
    return true
  })
  const during = new AbortController()
  const between = new AbortController()
  stops.push(during)
  await assert.rejects(client.roles.create({ name: 'Clerk' }, { signal: during.signal }), reason)
  await assert.rejects(client.roles.create({ name: 'Clerk' }, { signal: during.signal }), reason)
  // The wait between two attempts.
  stops.push(between)
  await assert.rejects(client.outlets.list({ signal: between.signal }).page(), reason)
  assert.equal(received.filter(({ path }) => path === '/v1/role').length, 1)
})

test('an answer of another service is an error at once, and a redirect is not followed', async (t) => {
  const { url, received } = await receiver(t, ({ path }, response) => {
    if (path === '/v1/outlets') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
    else response.writeHead(307, { location: `${url}v1/outlets` }).end()
  })
  const client = new Cashwrap({ baseUrl: url, apiKey: 'posk_1' })
  await assert.rejects(client.outlets.list().page(), { code: 'unknown', status: 200, attempts: 1 })
  await assert.rejects(client.stations.list().page(), { code: 'unknown', status: 307, attempts: 1 })
  assert.equal(received.length, 2)
})

test('a request that can never be sent fails at once, and a connection that fails says why', async () => {
  const wrong = [
    new Cashwrap({ baseUrl: 'https://pos example.com', apiKey: 'posk_1' }),
    new Cashwrap({ baseUrl: 'https://pos.example.com', apiKey: 'posk_1\nx' }),
  ]
  for (const client of wrong) {
    await assert.rejects(client.outlets.list().page(), TypeError)
    await assert.rejects(client.events.follow(0)[Symbol.asyncIterator]().next(), TypeError)
  }
  const nobody = new Cashwrap({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 })
  await assert.rejects(nobody.outlets.list().page(), (error) => {
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /: .*(ECONNREFUSED|bad port)/)
    return true
  })
})

test('an answer that is cut off is a failed connection, and ids that are empty or dots are refused', async (t) => {
  const { url } = await receiver(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"id":')
    setImmediate(() => response.destroy())
  })
  const client = new Cashwrap({ baseUrl: `${url}/`, apiKey: 'posk_1', maxRetries: 0 })
  await assert.rejects(client.outlets.get('1'), ConnectionError)
  for (const id of ['', '.', '..', undefined as unknown as string])
    assert.throws(() => client.outlets.get(id), TypeError)
})
