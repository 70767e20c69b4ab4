// Overload of a service with little capacity: requests and bodies beyond it are refused at once, and capacity is free again after a client is gone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { describe, test } from 'node:test'
import { BATCH_STATEMENTS } from '../../src/concurrency/batch.ts'
import { BODY_BYTES } from '../../src/core/limits.ts'
import { SMALL_BODY_BYTES } from '../../src/http/connection/body-memory.ts'
import {
  arrivals,
  assertBusy,
  bulk,
  create,
  hold,
  leave,
  list,
  sendMany,
  statuses,
  twoCompanies,
  upTo,
  written,
} from '../support/overload.ts'
import { assertProblem } from '../support/problem.ts'
import { until } from '../support/program.ts'
import { type Company, type Reply, testService } from '../support/service.ts'

const whoami = ({ call }: Company) => call('GET', '/v1/whoami')

describe('little capacity', () => {
  const megabyte = 1024 * 1024
  const service = testService({
    bounds: {
      semaphores: {
        bulk: { name: 'test', atOnce: 8, waiting: 8 },
        list: { name: 'test', atOnce: 1, waiting: 4 },
        other: { name: 'test', atOnce: 1, waiting: 4 },
      },
      bodiesBytes: 2.4 * BODY_BYTES,
    },
  })

  for (const [what, ask, table] of [
    ['lists', list, 'customers'],
    ['other requests', whoami, 'companies'],
  ] as const)
    test(`${what} beyond the capacity get 503 at once while the others wait and are answered later; another company is served`, async (t) => {
      const [busy, quiet] = await twoCompanies(service)
      const { release, isHanging } = await hold(t, service, table)
      const replies: Reply[] = []
      const many = upTo(6).map(async (n) => void replies.push(await ask(busy, n + 1)))
      await until('three are answered', () => replies.length === 3)
      await isHanging(1)
      for (const reply of replies) assertBusy(reply)
      const one = ask(quiet)
      await release()
      await Promise.all(many)
      assert.deepEqual(statuses([await one, ...replies.slice(3)]), [200])
    })

  /** A bulk of five megabytes. */
  const large = ({ call }: Company) => {
    const metadata = ['a'.repeat(0.5 * megabyte)]
    return call('POST', '/v1/customers', { items: upTo(10).map((n) => ({ firstName: String(n), metadata })) })
  }
  /** The same or any other body, without a content length. */
  const chunked = async ({ key }: Company, bytes: number): Promise<Reply> => {
    const body = JSON.stringify({ firstName: 'Ada', metadata: ['a'.repeat(bytes)] })
    const reply = await fetch(`${service.url}/v1/customer`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: ReadableStream.from([Buffer.from(body.slice(0, 100)), Buffer.from(body.slice(100))]),
      duplex: 'half',
    } as RequestInit)
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, text, body: JSON.parse(text) }
  }

  test('large bodies beyond the budget get 503 at once; small ones and those of another company are accepted, and all are afterwards', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const two = [large(busy), large(busy)]
    await isHanging(2)
    assertBusy(await large(busy))
    assertBusy(await chunked(busy, 100_000))
    const others = [large(quiet)]
    await isHanging(3)
    others.push(create(busy))
    await isHanging(4)
    others.push(chunked(busy, 10))
    await isHanging(5)
    await release()
    assert.deepEqual(statuses(await Promise.all(two)), [200])
    assert.deepEqual(
      (await Promise.all(others)).map(({ status }) => status),
      [200, 201, 201],
    )
    for (const reply of [await large(busy), await large(busy)]) assert.equal(reply.body.summary.failed, 0)
    assert.equal((await chunked(busy, 100_000)).status, 201)
    assert.equal(await written(service, busy), 43)
  })

  test('small bodies are counted too: beyond the larger budget they get 503 at once and nothing of them is written', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const arrived = arrivals(t)
    const metadata = ['a'.repeat(SMALL_BODY_BYTES - 1_000)]
    const refused: Reply[] = []
    const sent = Math.ceil((0.75 * 2.4 * BODY_BYTES) / SMALL_BODY_BYTES) + 40
    const many = await sendMany(arrived, sent, async (n) => {
      const reply = await busy.call('POST', '/v1/customer', { firstName: String(n), metadata })
      if (reply.status !== 201) refused.push(reply)
    })
    await until('some are answered while the others wait', () => refused.length >= 30)
    await isHanging(BATCH_STATEMENTS)
    const one = create(quiet)
    await arrived.come(sent + 1)
    await release()
    await Promise.all(many)
    assert.equal((await one).status, 201)
    for (const reply of refused) assertBusy(reply)
    assert.equal(await written(service, busy), sent - refused.length)
    // What the budget for large ones alone would have held.
    assert.ok(sent - refused.length > (0.5 * 2.4 * BODY_BYTES) / SMALL_BODY_BYTES)
  })

  test('a body that is longer than the maximum gets 413, at full capacity too', async (t) => {
    const [busy] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const two = [large(busy), large(busy)]
    await isHanging(2)
    assertProblem(await busy.call('POST', '/v1/customers', Buffer.alloc(BODY_BYTES + 1, ' ')), 413, 'payload_too_large')
    await release()
    await Promise.all(two)
  })

  test('a waiting bulk request whose client is gone is not carried out', async (t) => {
    const [busy] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const arrived = arrivals(t)
    const underWay = upTo(8).map(() => bulk(busy))
    await isHanging(8)
    await leave(arrived, 9, `${service.url}/v1/customers`, busy, { body: [{ firstName: 'Ada' }] })
    await release()
    assert.deepEqual(statuses(await Promise.all(underWay)), [200])
    assert.equal((await bulk(busy)).status, 200)
    assert.equal(await written(service, busy), 9 * 2)
  })

  for (const headers of [undefined, { 'idempotency-key': 'left' }])
    test(`a waiting create ${headers ? 'under a key ' : ''}whose client is gone leaves no record, and sent again it is done once`, async (t) => {
      const [busy] = await twoCompanies(service)
      const { release, isHanging } = await hold(t, service)
      const arrived = arrivals(t)
      const underWay: Promise<Reply>[] = []
      for (const n of upTo(BATCH_STATEMENTS)) {
        underWay.push(create(busy))
        await isHanging(n + 1)
      }
      const body = { firstName: 'Left' }
      const options = { body, ...(headers && { headers }) }
      await leave(arrived, BATCH_STATEMENTS + 1, `${service.url}/v1/customer`, busy, options)
      await release()
      assert.deepEqual(statuses(await Promise.all(underWay)), [201])
      // It would be behind the one that was left.
      assert.equal((await create(busy)).status, 201)
      assert.equal(await written(service, busy), BATCH_STATEMENTS + 1)
      const again = await busy.call('POST', '/v1/customer', body, headers)
      assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, null])
      assert.equal(await written(service, busy), BATCH_STATEMENTS + 2)
    })

  test('a large body that breaks off frees its memory', async (t) => {
    const [busy] = await twoCompanies(service)
    const { hostname, port } = new URL(service.url)
    const half = connectSocket(Number(port), hostname)
    half.on('error', () => {})
    t.after(() => half.destroy())
    const head = [
      'POST /v1/customers HTTP/1.1',
      'host: test',
      `x-api-key: ${busy.key}`,
      'content-type: application/json',
      `content-length: ${BODY_BYTES}`,
      'expect: 100-continue',
    ]
    half.write(`${head.join('\r\n')}\r\n\r\n`)
    await once(half, 'data')
    half.write('[')
    assertBusy(await chunked(busy, 100_000))
    half.destroy()
    await until('another finds room', async () => (await chunked(busy, 100_000)).status === 201)
  })
})
