// Clients that wait for events, by long poll or stream: woken by any server, bounded, and ended with their key and with the server (decisions §9).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOLLOWERS_OF_COMPANY } from '../src/features/events/feed-subscribers.ts'
import { writeNotifications } from '../src/features/events/write-notifications.ts'
import { deletionsHeard } from '../src/features/keys/key-cache.ts'
import { deleteKey } from '../src/features/keys/key-store.ts'
import { startService } from '../src/service.ts'
import {
  bodyOf,
  connectionOf,
  names,
  newCategory,
  openStream,
  page,
  readOn,
  waiting,
  writeCategories,
} from './support/event-reader.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { sharedService, testSettings } from './support/service.ts'

const service = sharedService()

test('a long poll is answered with the event that arrives, and the cursor after it', async () => {
  const { call } = await service.company()
  await newCategory(call, 'before')
  const { cursor } = await readOn(call)
  const { answer } = await waiting(() => page(call, `after=${cursor}&wait=30`))
  await newCategory(call, 'awaited')
  const { data, nextCursor, hasMore } = await answer
  assert.deepEqual([names(data), nextCursor, hasMore], [['awaited'], String(data[0]?.sequence), false])
})

test('a long poll after=latest is answered with the first event from then on that its filters match', async () => {
  const { call } = await service.company()
  await newCategory(call, 'before')
  const { answer } = await waiting(() => page(call, 'after=latest&type=category.*&wait=30'))
  bodyOf(await call('POST', '/v1/customer', { firstName: 'Ann' }))
  await newCategory(call, 'awaited')
  assert.deepEqual(names((await answer).data), ['awaited'])
})

test('a long poll is answered at once if there is an event already', async () => {
  const { call } = await service.company()
  await newCategory(call, 'there')
  assert.deepEqual(names((await page(call, 'wait=30')).data), ['there'])
})

test('a long poll that times out is answered with an empty page, whose cursor is after the events that its filters excluded', async () => {
  const { call } = await service.company()
  const { answer } = await waiting(() => page(call, 'type=customer.*&wait=5'))
  await newCategory(call, 'left out')
  const { data, nextCursor, hasMore } = await answer
  const [event] = (await page(call, '')).data
  assert.deepEqual([data, nextCursor, hasMore], [[], String(event?.sequence), false])
})

test('a long poll receives a write at another server', async () => {
  const { key, call } = await service.company()
  const other = service.caller({ 'x-api-key': key }, (await service.second()).url)
  const { answer } = await waiting(() => page(call, 'wait=30'))
  await newCategory(other, 'there')
  assert.deepEqual(names((await answer).data), ['there'])
})

test('a long poll receives the events that an older write delayed, when that is rolled back without a notification', async () => {
  const { id, call } = await service.company()
  let answer: ReturnType<typeof page> | undefined
  const undone = service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'undone')
    await newCategory(call, 'held up')
    answer = (await waiting(() => page(call, 'wait=30'))).answer
    throw new Error('undone')
  })
  await assert.rejects(undone, /^Error: undone$/)
  assert.deepEqual(names((await answer)?.data ?? []), ['held up'])
})

test('more long polls wait than there are connections and semaphore places, other requests are answered meanwhile, and one event answers them all', async () => {
  const { call } = await service.company()
  const all = Array.from({ length: 150 }, () => page(call, 'wait=30'))
  for (let n = 0; n < 5; n++) bodyOf(await call('GET', '/v1/customers?limit=1'))
  await newCategory(call, 'for all')
  for (const { data } of await Promise.all(all)) assert.deepEqual(names(data), ['for all'])
})

test('a company has a maximum number of waiting requests, the next one is refused at once, and another company can still wait', async () => {
  const { call } = await service.company()
  const { call: other } = await service.company()
  const refused: number[] = []
  const all = Array.from({ length: FOLLOWERS_OF_COMPANY + 5 }, async () => {
    const reply = await call('GET', '/v1/events?wait=30')
    if (reply.status !== 200) refused.push(assertProblem(reply, 503, 'unavailable').status)
  })
  await until('the last ones are refused', () => refused.length === 5)
  const { answer } = await waiting(() => page(other, 'wait=30'))
  await newCategory(other, 'theirs')
  assert.deepEqual(names((await answer).data), ['theirs'])
  await newCategory(call, 'ours')
  await Promise.all(all)
  assert.equal(refused.length, 5)
})

test('a long poll whose key is deleted gets 401, and no event', async () => {
  const { id, call } = await service.company()
  const key = await service.keyFor(id)
  const { answer } = await waiting(() => key.call('GET', '/v1/events?wait=30'))
  await deleteKey(service.database, key.id)
  await deletionsHeard()
  await newCategory(call, 'secret')
  assertProblem(await answer, 401, 'invalid_key')
})

test('when a server stops it answers long polls and ends streams', async () => {
  const company = await service.company()
  const own = await startService(await connectionOf(service), testSettings)
  const call = service.caller({ 'x-api-key': company.key }, own.url)
  const stream = await openStream(own.url, company)
  const { answer } = await waiting(() => page(call, 'wait=30'))
  await own.close()
  assert.deepEqual((await answer).data, [])
  await stream.ended
})

test('a company’s write is announced once to listeners here and at other servers, and not to its own server again', async (t) => {
  const one = writeNotifications(service.database)
  const two = writeNotifications(service.database)
  t.after(() => Promise.all([one.close(), two.close()]))
  const heard = { one: [] as (string | undefined)[], two: [] as (string | undefined)[] }
  one.listen((companyId) => void heard.one.push(companyId))
  two.listen((companyId) => void heard.two.push(companyId))
  // Each has missed what was announced before it listened.
  await until('both listen', () => heard.one.includes(undefined) && heard.two.includes(undefined))
  heard.one.length = 0
  heard.two.length = 0
  for (const companyId of ['a', 'b', 'a', 'a']) one.wake(companyId)
  await until('the other server has heard', () => heard.two.length === 2)
  two.wake('c')
  await until('the first server has heard', () => heard.one.includes('c'))
  assert.deepEqual(heard, { one: ['a', 'b', 'c'], two: ['a', 'b', 'c'] })
})

test('if too many companies wrote for one notification, other servers check all', async (t) => {
  const one = writeNotifications(service.database)
  const two = writeNotifications(service.database)
  t.after(() => Promise.all([one.close(), two.close()]))
  const heard: (string | undefined)[] = []
  two.listen((companyId) => void heard.push(companyId))
  await until('the other listens', () => heard.length === 1)
  for (let n = 0; n < 1_000; n++) one.wake(n.toString(16).padStart(24, '0'))
  await until('the other server has heard', () => heard.length > 1)
  assert.deepEqual(heard, [undefined, undefined])
})

test('the last writes are announced before a server stops', async (t) => {
  const one = writeNotifications(service.database)
  const two = writeNotifications(service.database)
  t.after(() => two.close())
  const heard: (string | undefined)[] = []
  two.listen((companyId) => void heard.push(companyId))
  await until('the other listens', () => heard.length === 1)
  one.wake('a')
  one.wake('b')
  await one.close()
  await until('the other server has heard', () => heard.length === 3)
  assert.deepEqual(heard, [undefined, 'a', 'b'])
})
