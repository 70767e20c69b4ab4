// Idempotency keys at the same moment: of concurrent requests under one key one does the work, and requests under different keys hinder none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { newReference } from './support/bodies.ts'
import type { Body } from './support/contract.ts'
import { testConnection } from './support/database.ts'
import { feed } from './support/feed.ts'
import { assertReplay, isReplay, secondServerOf, under } from './support/idempotency.ts'
import { assertProblem } from './support/problem.ts'
import { rawText } from './support/raw.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()
const atSecond = secondServerOf(service)

async function ownConnection() {
  const [row] = await service.database.query('select current_database()')
  return { ...testConnection(), database: row?.[0] }
}

for (const servers of [1, 2])
  test(`twenty equal concurrent creates under one key through ${servers} server(s) create one record; the others are replays or 409`, async () => {
    const company = await service.company()
    const calls = [company.call, await atSecond(company)]
    for (const path of ['/v1/customer', '/v1/outlet', '/v1/inventory', '/v1/customers']) {
      const plain: Body = { firstName: 'Ann', name: undefined }
      const body: Body =
        path === '/v1/customers'
          ? { items: [plain, plain] }
          : path === '/v1/outlet'
            ? { name: 'Main' }
            : path === '/v1/inventory'
              ? { variantId: newReference(), outletId: newReference() }
              : plain
      const send = (n: number) => (calls[n % servers] as Caller)('POST', path, body, under(path))
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
      const done = replies.filter(({ status }) => status < 300)
      assert.equal(done.filter((reply) => !isReplay(reply)).length, 1, replies.map(({ text }) => text).join('\n'))
      assert.equal(new Set(done.map(({ text }) => text)).size, 1)
      for (const reply of replies.filter(({ status }) => status >= 300)) {
        assertProblem(reply, 409, 'idempotency_in_progress')
        assert.equal(reply.headers.get('retry-after'), '1')
      }
      assert.ok(isReplay(await send(1)))
    }
    const types = (await feed(service, company.id)).map(({ type }) => type).sort()
    const expected = ['customer.created', 'customer.created', 'customer.created', 'inventory.created', 'outlet.created']
    assert.deepEqual(
      types.filter((type) => type !== 'inventory.stock_changed'),
      expected,
    )
    // A skipped number would mean work that was done twice and rolled back.
    assert.equal((await company.call('POST', '/v1/outlet', { name: 'Next' })).body.sequenceNumber, 2)
  })

test('a hundred concurrent updates of one record, each under its own key, are all done, and none twice', async () => {
  const company = await service.company()
  const calls = [company.call, await atSecond(company)]
  const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const send = (n: number, from = n) =>
    (calls[from % 2] as Caller)('PATCH', `/v1/customer/${id}`, { phone: String(n) }, under(`update ${n}`))
  const firsts = await Promise.all(Array.from({ length: 100 }, (_, n) => send(n)))
  assert.deepEqual(new Set(firsts.map(({ status }) => status)), new Set([200]))
  const replays = await Promise.all(firsts.map((_, n) => send(n, n + 1)))
  replays.forEach((replay, n) => {
    assertReplay(replay, firsts[n] as Reply)
  })
  assert.equal((await feed(service, company.id, id)).length, 101)
})

/** Requests with bodies on one connection, sent at once. The server has received all before it begins any. */
async function atOnce(key: string, requests: readonly { path: string; under: string; body: Body }[]) {
  const parts = requests.map(({ path, under, body }, n) => {
    const text = JSON.stringify(body)
    const connection = n === requests.length - 1 ? 'close' : 'keep-alive'
    return (
      `PATCH ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\nx-api-key: ${key}\r\nidempotency-key: ${under}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    )
  })
  const answered = (await rawText(service.url, [parts.join('')])).split(/(?=HTTP\/1\.1 )/)
  return answered.map((text) => {
    const [head = '', body = '{}'] = text.split('\r\n\r\n')
    return {
      status: Number(head.split(' ')[1]),
      isReplay: /idempotent-replayed: true/i.test(head),
      body: JSON.parse(body),
    }
  })
}

test('of concurrent updates of one record, each under its own key, only one that was done before is a replay: all others are written', async () => {
  const company = await service.company()
  const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const path = `/v1/customer/${id}`
  const request = (n: number) => ({ path, under: `update ${n}`, body: { phone: String(n) } })
  assert.equal((await company.call('PATCH', path, { phone: '0' }, under('update 0'))).status, 200)
  const sent = [1, 2, 0, 3, 4, 5, 6]
  const replies = await atOnce(company.key, sent.map(request))
  assert.deepEqual(
    replies.map(({ status, isReplay, body }) => [status, isReplay, body.phone]),
    sent.map((n) => [200, n === 0, String(n)]),
  )
  const updates = (await feed(service, company.id, id)).filter(({ type }) => type === 'customer.updated')
  assert.deepEqual(updates.map(({ data }) => data.phone).sort(), ['0', '1', '2', '3', '4', '5', '6'])
})

test('work in progress on another server is 409 with Retry-After, singly and in bulk, and can be done after that server died', async () => {
  const company = await service.company()
  const other = connect(await ownConnection(), { size: 1 })
  const requests: [string, string, unknown][] = [
    ['POST', '/v1/customer', { firstName: 'Ann' }],
    ['POST', '/v1/outlet', { name: 'Main' }],
    ['POST', '/v1/customers', [{ firstName: 'Ann' }]],
  ]
  const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Bea' })).body
  requests.push(['PATCH', `/v1/customer/${id}`, { firstName: 'Cleo' }], ['PATCH', `/v1/customer/${id}`, { phone: '1' }])
  for (const [n, [method, path, body]] of requests.entries()) {
    const send = () => company.call(method, path, body, under(`key ${n}`))
    const died = new Error('died before its commit')
    const end = await other
      .transaction(async (transaction) => {
        await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${company.id} key ${n}`])
        const waiting = await send()
        assertProblem(waiting, 409, 'idempotency_in_progress', `${method} ${path}`)
        assert.equal(waiting.headers.get('retry-after'), '1')
        throw died
      })
      .catch((error) => error)
    assert.equal(end, died, String(end))
    const done = await send()
    assert.ok(done.status < 300 && !isReplay(done), done.text)
  }
  await other.close()
})

test('a request that is repeated while the first is in progress on the same server is 409, and a replay afterwards', async () => {
  const company = await service.company()
  const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const other = connect(await ownConnection(), { size: 1 })
  const send = () => company.call('PATCH', `/v1/customer/${id}`, { firstName: 'Bea' }, under('k'))
  let first: Promise<Reply> | undefined
  await other.transaction(async (transaction) => {
    await transaction.query('select 1 from customers where company_id = $1 and id = $2 for update', [company.id, id])
    first = send()
    // The first of the two waits for the row; the other one gets a conflict.
    assertProblem(await Promise.race([first, send()]), 409, 'idempotency_in_progress')
  })
  const done = (await first) as Reply
  assert.equal(done.status, 200, done.text)
  assertReplay(await send(), done)
  await other.close()
})
