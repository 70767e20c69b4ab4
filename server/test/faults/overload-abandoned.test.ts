// Overload by slow and absent clients: nothing is done for clients that are gone, and responses that no client reads have a budget.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { BATCH_STATEMENTS } from '../../src/concurrency/batch.ts'
import { SEMAPHORES } from '../../src/core/limits.ts'
import {
  arrivals,
  assertBusy,
  bulk,
  create,
  hold,
  leave,
  list,
  statuses,
  twoCompanies,
  upTo,
} from '../support/overload.ts'
import { assertProblem } from '../support/problem.ts'
import { until } from '../support/program.ts'
import { type Company, patience, type Reply, testService } from '../support/service.ts'

describe('one statement of a list at a time', () => {
  const service = testService({
    // Less time than PostgreSQL gives a statement, so that a hanging one is not cancelled in time for those behind it.
    bounds: {
      semaphores: { ...SEMAPHORES, list: { name: 'test', atOnce: 1, waiting: 16 } },
      deadlineMs: patience.statementMs / 2,
    },
  })

  test('a waiting list whose client is gone is not read', async (t) => {
    const [busy] = await twoCompanies(service)
    const customers = await hold(t, service, 'customers')
    await hold(t, service, 'orders')
    const arrived = arrivals(t)
    const first = list(busy)
    await customers.isHanging(1)
    await leave(arrived, 2, `${service.url}/v1/orders`, busy)
    const last = list(busy)
    await arrived.come(3)
    await customers.release()
    // The statement of the disconnected client would hang, and the last one behind it.
    assert.deepEqual(statuses(await Promise.all([first, last])), [200])
  })

  test('a request that waits for a count together with one whose client is gone gets it', async (t) => {
    const [busy] = await twoCompanies(service)
    await bulk(busy)
    await bulk(busy)
    const { body } = await busy.call('GET', '/v1/customers?limit=1')
    const path = `/v1/customers?limit=1&count=true&cursor=${body.meta.nextCursor}`
    const { release, isHanging } = await hold(t, service)
    const arrived = arrivals(t)
    // Its count waits after its page; the other two wait for the count after that.
    const first = busy.call('GET', path)
    await isHanging(1)
    await leave(arrived, 2, `${service.url}${path}`, busy)
    const last = busy.call('GET', path)
    await arrived.come(3)
    await release()
    const replies = await Promise.all([first, last])
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.meta?.count]),
      [
        [200, 4],
        [200, 4],
      ],
    )
  })
})

describe('responses that no client reads', () => {
  const megabyte = 1024 * 1024
  // A budget for two pages of one company, and for three in all; the network's own buffer is far less than one page.
  const service = testService({ bounds: { answersBytes: 50 * megabyte } })

  /** Ten records of 1.2 MB, so a page of twelve. */
  async function fill({ call }: Company): Promise<string> {
    const items = upTo(5).map((n) => ({
      firstName: String(n),
      metadata: upTo(2).map(() => 'ä'.repeat(0.3 * megabyte)),
    }))
    for (const _ of [1, 2]) assert.equal((await call('POST', '/v1/customers', items)).body.summary.failed, 0)
    return (await call('GET', '/v1/customers?limit=1')).body.data[0].id
  }

  /** Sends a request and reads only the first bytes of the response. */
  async function unread(t: TestContext, { key }: Company, path: string): Promise<Socket> {
    const { hostname, port } = new URL(service.url)
    const socket = connectSocket(Number(port), hostname)
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n\r\n`)
    await once(socket, 'readable')
    return socket
  }

  test('beyond the budget requests get 503 before a statement; short ones and another company’s are served, and all are once responses are read', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const id = await fill(busy)
    await fill(quiet)
    const waiting = [await unread(t, busy, '/v1/customers'), await unread(t, busy, '/v1/api/customers')]
    // Its request exceeds the budget, which shows when the page has arrived; from then on none can begin.
    for (const path of ['/v1/customers', '/v1/api/customers']) assertBusy(await busy.call('GET', path))
    assert.equal((await busy.call('GET', `/v1/customer/${id}`)).status, 200)
    assert.equal((await create(busy)).status, 201)
    const { status, body } = await list(quiet)
    assert.deepEqual([status, body.data.length], [200, 10])
    waiting[0]?.resume()
    await until('there is room again', async () => (await busy.call('GET', '/v1/customers')).status === 200)
    waiting[1]?.destroy()
    await until('there is room for two', async () => {
      const two = await Promise.all([list(busy), list(busy)])
      return statuses(two).every((status) => status === 200)
    })
  })

  test('a bulk request does not begin without memory for its response, and a list reads nothing', async (t) => {
    const [busy] = await twoCompanies(service)
    await fill(busy)
    for (const _ of [1, 2]) await unread(t, busy, '/v1/customers?limit=9')
    await unread(t, busy, '/v1/customers?limit=5')
    await hold(t, service)
    assertBusy(await list(busy))
    assertBusy(await bulk(busy))
  })
})

describe('little time', () => {
  const service = testService({
    bounds: {
      semaphores: {
        bulk: { name: 'test', atOnce: 1, waiting: 8 },
        list: { name: 'test', atOnce: 1, waiting: 8 },
        other: { name: 'test', atOnce: 1, waiting: 8 },
      },
      // Enough for a request to reach PostgreSQL on a loaded machine.
      deadlineMs: 5_000,
    },
  })

  for (const [what, ask, underWay] of [
    ['creates', create, BATCH_STATEMENTS],
    ['bulks', bulk, 1],
  ] as const)
    test(`${what} that waited until their callers got 503 are not carried out`, async (t) => {
      const [busy] = await twoCompanies(service)
      const { release, isHanging } = await hold(t, service)
      const replies: Promise<Reply>[] = []
      for (const n of upTo(underWay)) {
        replies.push(ask(busy))
        await isHanging(n + 1)
      }
      replies.push(...upTo(3).map(() => ask(busy, 'Waiting')))
      for (const reply of await Promise.all(replies)) {
        const { message } = assertProblem(reply, 503, 'unavailable')
        assert.match(message, /not answered in time/)
      }
      await release()
      // It is behind those whose clients are gone.
      await until('the next one is carried out', async () => (await ask(busy)).status < 300)
      const there = await busy.call('GET', '/v1/customers?searchByFirstName=waiting')
      assert.deepEqual([there.status, there.body.data], [200, []])
    })
})
