// Streams of events: what they send, whose they are, and when they end.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { test } from 'node:test'
import { FOLLOWERS_OF_COMPANY } from '../src/features/events/feed-subscribers.ts'
import { deletionsHeard } from '../src/features/keys/key-cache.ts'
import { deleteKey, dropCompanyKeys } from '../src/features/keys/key-store.ts'
import { startService } from '../src/service.ts'
import { bodyOf, connectionOf, names, newCategory, openStream, page, readOn, waiting } from './support/event-reader.ts'
import { type Browser, person, placeHeader } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Caller, type Reply, sharedService, testSettings } from './support/service.ts'

const service = sharedService()

test('a stream sends each event as the feed shows it, in its order, from the cursor on', async () => {
  const company = await service.company()
  const { call } = company
  for (const name of ['a', 'b', 'c']) await newCategory(call, name)
  const { data } = await page(call, '')
  const stream = await openStream(service.url, company, `after=${data[0]?.sequence}`)
  await stream.until(2)
  await newCategory(call, 'd')
  await stream.until(3)
  const all = (await page(call, '')).data.slice(1)
  assert.deepEqual(
    stream.events,
    all.map((event) => ({ id: String(event.sequence), event: event.type, data: event })),
  )
  stream.cancel()
})

test('a stream without a cursor begins with new events, and already its first id is a cursor', async () => {
  const company = await service.company()
  await newCategory(company.call, 'before')
  const stream = await openStream(service.url, company)
  const place = stream.lastId()
  assert.equal(place, (await readOn(company.call)).cursor)
  await newCategory(company.call, 'after')
  await stream.until(1)
  assert.deepEqual(names(stream.events.map(({ data }) => data)), ['after'])
  stream.cancel()
  await newCategory(company.call, 'while away')
  const again = await openStream(service.url, company, 'after=latest', place)
  const latest = await openStream(service.url, company, 'after=latest&since=2026-01-01')
  assert.equal(latest.lastId(), (await readOn(company.call)).cursor)
  latest.cancel()
  await again.until(2)
  assert.deepEqual(names(again.events.map(({ data }) => data)), ['after', 'while away'])
  again.cancel()
})

test('Last-Event-ID takes precedence over after, since begins with existing events, and filters exclude', async () => {
  const company = await service.company()
  const { call } = company
  for (const name of ['a', 'b', 'c']) await newCategory(call, name)
  const { data } = await page(call, '')
  const resumed = await openStream(service.url, company, 'after=0', String(data[1]?.sequence))
  await resumed.until(1)
  assert.deepEqual(names(resumed.events.map((event) => event.data)), ['c'])
  const since = await openStream(service.url, company, 'since=2026-01-01&type=category.*')
  await since.until(3)
  bodyOf(await call('POST', '/v1/customer', { firstName: 'Ann' }))
  await newCategory(call, 'd')
  await since.until(4)
  assert.deepEqual(names(since.events.map((event) => event.data)), ['a', 'b', 'c', 'd'])
  for (const stream of [resumed, since]) stream.cancel()
})

test('a stream contains no event of another company', async () => {
  const company = await service.company()
  const other = await service.company()
  const stream = await openStream(service.url, company, 'after=0')
  await newCategory(other.call, 'theirs')
  await newCategory(company.call, 'ours')
  await stream.until(1)
  assert.deepEqual(names(stream.events.map(({ data }) => data)), ['ours'])
  stream.cancel()
})

test('streams at two servers receive the events of writers at both once and in order', async () => {
  const company = await service.company()
  const { url } = await service.second()
  const streams = await Promise.all([service.url, url].map((at) => openStream(at, company, 'after=0')))
  const callers = [company.call, service.caller({ 'x-api-key': company.key }, url)]
  await Promise.all(
    Array.from({ length: 16 }, async (_, n) => {
      for (let round = 0; round < 10; round++) await newCategory(callers[(n + round) % 2] as Caller, `${n} ${round}`)
    }),
  )
  const all = (await readOn(company.call, '0', 'limit=1000')).events
  assert.equal(all.length, 160)
  for (const stream of streams) {
    await stream.until(160)
    assert.deepEqual(
      stream.events.map(({ data }) => data),
      all,
    )
    stream.cancel()
  }
})

test('of many concurrently opened streams only a company’s maximum stays open', async () => {
  const company = await service.company()
  const all = Array.from({ length: FOLLOWERS_OF_COMPANY + 30 }, () =>
    openStream(service.url, company, 'after=0').catch(() => undefined),
  )
  const open = (await Promise.all(all)).filter((stream) => stream !== undefined)
  assert.equal(open.length, FOLLOWERS_OF_COMPANY)
  for (const stream of open) stream.cancel()
})

test('a HEAD of a stream, and a refused stream, take no place', async () => {
  const company = await service.company()
  for (let n = 0; n < FOLLOWERS_OF_COMPANY; n++)
    assert.equal((await company.call('HEAD', '/v1/events/stream')).status, 200)
  for (let n = 0; n < FOLLOWERS_OF_COMPANY; n++)
    assert.equal((await company.call('GET', '/v1/events/stream?after=999999999')).status, 400)
  const stream = await openStream(service.url, company)
  stream.cancel()
})

test('a long poll and a stream end with their key, without a request, at every server', async () => {
  const { id } = await service.company()
  const { id: keyId, value } = await service.keyFor(id)
  const urls = [service.url, (await service.second()).url]
  const streams = await Promise.all(urls.map((url) => openStream(url, { key: value })))
  const polls = urls.map((url) => service.caller({ 'x-api-key': value }, url)('GET', '/v1/events?wait=30'))
  await deleteKey(service.database, keyId)
  for (const stream of streams) await stream.ended
  for (const reply of await Promise.all(polls)) assertProblem(reply, 401, 'invalid_key')
})

test('a long poll and a stream end when their company is suspended', async () => {
  const { id, key, call } = await service.company()
  const stream = await openStream(service.url, { key })
  const { answer } = await waiting(() => call('GET', '/v1/events?wait=30'))
  await service.database.transaction(async (transaction) => {
    await transaction.query("update companies set status = 'suspended' where id = $1", [id])
    await dropCompanyKeys(transaction, id)
  })
  await stream.ended
  assertProblem(await answer, 403, 'permission_denied')
})

test('a stream of a deleted key whose client does not read is closed', async (t) => {
  const company = await service.company()
  const { id: keyId, value } = await service.keyFor(company.id)
  const long = 'x'.repeat(500 * 1024)
  for (let n = 0; n < 20; n++) bodyOf(await company.call('POST', '/v1/events/custom', { name: 'long', data: { long } }))
  const answering = Promise.withResolvers<ServerResponse>()
  const notice = (message: unknown) => answering.resolve((message as { response: ServerResponse }).response)
  subscribe('http.server.request.start', notice)
  t.after(() => unsubscribe('http.server.request.start', notice))
  const { hostname, port } = new URL(service.url)
  const reader = connectSocket(Number(port), hostname)
  t.after(() => reader.destroy())
  reader.write(`GET /v1/events/stream?after=0 HTTP/1.1\r\nhost: a\r\nx-api-key: ${value}\r\n\r\n`)
  const response = await answering.promise
  await until('a chunk waits to be taken', () => response.writableNeedDrain)
  await deleteKey(service.database, keyId)
  await until('the stream is broken off', () => response.destroyed)
})

test('a long poll and a stream end with the sign-in of their person, and with the membership', async () => {
  const { id } = await service.company()
  const place = { companyId: id }
  const one = await person(service, place)
  const two = await person(service, place)
  const open = async ({ cookie }: Browser) => {
    const response = await fetch(`${service.url}/v1/events/stream`, { headers: { cookie, ...placeHeader(place) } })
    assert.equal(response.status, 200)
    return { ended: response.text() }
  }
  // The polls first: what a stream looks for would be taken for the look of a poll that is not yet authorized.
  const answers: Promise<Reply>[] = []
  for (const browser of [one, two])
    answers.push((await waiting(() => browser.about(place)('GET', '/v1/events?wait=30'))).answer)
  const streams = [await open(one), await open(two)]
  assert.equal((await one.call('DELETE', '/v1/console/sign-in')).status, 200)
  await service.database.query('delete from members where user_id = $1', [two.userId])
  for (const stream of streams) await stream.ended
  assertProblem((await answers[0]) as Reply, 401, 'not_signed_in')
  assertProblem((await answers[1]) as Reply, 403, 'permission_denied')
})

test('a stream with a wrong path, filter or key is refused before it begins', async () => {
  const { call } = await service.company()
  const [row] = await service.database.query('select event_position()')
  const stream = '/v1/events/stream'
  assertProblem(await call('GET', `${stream}?after=x`), 400, 'validation_failed')
  assertProblem(await call('GET', `${stream}?type=customer`), 400, 'validation_failed')
  assertProblem(await call('GET', `${stream}?limit=1`), 400, 'validation_failed')
  assertProblem(await call('GET', `${stream}?after=${row?.[0] + 1000}`), 400, 'validation_failed')
  const { errors } = assertProblem(
    await call('GET', stream, undefined, { 'last-event-id': 'x' }),
    400,
    'validation_failed',
  )
  assert.deepEqual([errors[0].in, errors[0].pointer], ['header', 'last-event-id'])
})

test('a stream ends with its key, and after the deletion’s response it sends nothing more', async () => {
  const { id, call } = await service.company()
  const { id: keyId, value } = await service.keyFor(id)
  const streams = await Promise.all(
    [service.url, (await service.second()).url].map((url) => openStream(url, { key: value }, 'after=0')),
  )
  await newCategory(call, 'before')
  for (const stream of streams) await stream.until(1)
  await deleteKey(service.database, keyId)
  await deletionsHeard()
  for (let n = 0; n < 5; n++) await newCategory(call, 'after')
  for (const stream of streams) {
    await stream.ended
    assert.deepEqual(names(stream.events.map(({ data }) => data)), ['before'])
  }
})

test('a stream ends when its key expires', async () => {
  const { id } = await service.company()
  const { value } = await service.keyFor(id, ['read'], new Date(Date.now() + 1_500).toISOString())
  const stream = await openStream(service.url, { key: value })
  await stream.ended
})

test('a client that disconnects frees its place', async () => {
  const company = await service.company()
  const open = () => Array.from({ length: FOLLOWERS_OF_COMPANY }, () => openStream(service.url, company))
  const streams = await Promise.all(open())
  assertProblem(await company.call('GET', '/v1/events/stream'), 503, 'unavailable')
  for (const stream of streams) stream.cancel()
  await until('there is room again', async () => {
    const { status } = await company.call('GET', '/v1/events/stream')
    return status === 200
  })
})

test('a stream’s buffer counts towards the budget for responses: an event beyond it ends the stream, and received data frees it', async (t) => {
  const company = await service.company()
  const long = 'x'.repeat(100 * 1024)
  const send = async (name: string, data: object) =>
    bodyOf(await company.call('POST', '/v1/events/custom', { name, data }))
  const bounds = { answersBytes: 3.5 * long.length }
  const own = await startService(await connectionOf(service), { ...testSettings, bounds })
  t.after(() => own.close())
  for (let n = 0; n < 4; n++) await send('long', { long })
  const stream = await openStream(own.url, company, 'after=0')
  await stream.until(4)
  for (let n = 0; n < 2; n++) {
    await send('short', {})
    await stream.until(5 + n)
  }
  const call = service.caller({ 'x-api-key': company.key }, own.url)
  assert.equal((await page(call, 'limit=2')).data.length, 2)
  const short = await openStream(own.url, company, 'type=custom.short')
  await send('longest', { long: long.repeat(4) })
  await assert.rejects(stream.until(7), /ended after 6 events/)
  await send('short', {})
  await short.until(1)
})
