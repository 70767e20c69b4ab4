// Overload: a company with little load is served beside one with too much, requests beyond the capacity are refused at once, and nothing is done for clients that are gone.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { BATCH_ITEMS_BESIDE } from '../../src/concurrency/batch.ts'
import { batcher } from '../../src/concurrency/batcher.ts'
import { BATCH_ITEMS, BATCH_STATEMENTS, BATCH_WAITING } from '../../src/concurrency/limits.ts'
import { singleFlight } from '../../src/concurrency/single-flight.ts'
import { companyActivity, tenantActivity } from '../../src/concurrency/tenant-activity.ts'
import { BODY_BYTES, SEMAPHORES } from '../../src/core/limits.ts'
import { Problem } from '../../src/core/problem.ts'
import { Scope } from '../../src/core/scope.ts'
import {
  CONNECTION_WAITING,
  CONNECTIONS,
  connect,
  type Database,
  type Queryable,
  STATEMENT_TIMEOUT_MS,
} from '../../src/database/connect.ts'
import { companyConnections } from '../../src/database/row-security/behind.ts'
import { healthRoutes } from '../../src/features/health/routes.ts'
import { KeyCache } from '../../src/features/keys/key-cache.ts'
import { deleteKey } from '../../src/features/keys/key-store.ts'
import { newKeyValue } from '../../src/features/keys/key-value.ts'
import { SMALL_BODY_BYTES } from '../../src/http/limits.ts'
import type { Call } from '../../src/http/route.ts'
import { testConnection, testsRowSecurity } from '../support/database.ts'
import { assertProblem } from '../support/problem.ts'
import { until } from '../support/program.ts'
import { type Company, patience, type Reply, type TestService, testService } from '../support/service.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** The refusal at full capacity: at once, and with the statement that nothing was done. */
function assertBusy(reply: Reply): void {
  const { message } = assertProblem(reply, 503, 'unavailable')
  assert.match(message, /Nothing was done/)
  assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
}

/** Locks a table so that every statement on it waits, in a separate connection. */
async function hold(t: TestContext, { database: own }: TestService, table = 'customers') {
  const [row] = await own.query('select current_database()')
  const { statementMs } = patience
  const database = connect({ ...testConnection(), database: row?.[0], statementMs }, { size: 2 })
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    await transaction.query(`lock table ${table} in access exclusive mode`)
    held.resolve()
    await released.promise
  })
  const release = async () => {
    released.resolve()
    await holding
  }
  t.after(async () => {
    await release()
    await database.close()
  })
  await held.promise
  const hanging = async () => {
    const [count] = await database.query(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return count?.[0] as number
  }
  return {
    release,
    isHanging: (statements: number) => until(`${statements} hang`, async () => (await hanging()) === statements),
  }
}

/** Counts the requests that have arrived completely: their work has begun or waits by then. */
function arrivals(t: TestContext) {
  const channel = 'http.server.request.start'
  let count = 0
  let last: Socket | undefined
  const notice = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    last = request.socket
    if (request.method === 'GET') count++
    else request.once('end', () => count++)
  }
  subscribe(channel, notice)
  t.after(() => unsubscribe(channel, notice))
  return {
    come: (wanted: number) => until(`${wanted} requests have come`, () => count >= wanted),
    /** Waits until the server knows that the last caller has disconnected. */
    lastIsGone: () => until('the caller has gone', () => last?.destroyed === true),
  }
}

type Arrivals = ReturnType<typeof arrivals>

/** Sends the `nth` request to arrive, and disconnects before the response. Resolves when the service knows. */
async function leave(
  { come, lastIsGone }: Arrivals,
  nth: number,
  url: string,
  { key }: Company,
  { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<void> {
  const sent = request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    agent: false,
  })
  sent.on('error', () => {})
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  await come(nth)
  sent.destroy()
  await lastIsGone()
}

/** Two companies with cached keys, so that their requests are handled the moment they arrive. */
async function twoCompanies(service: TestService): Promise<[Company, Company]> {
  const isListening = async () => {
    const rows = await service.database.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and query in ('select pg_advisory_lock_shared(hashtext($1), $2)', 'select 1') and state = 'idle'`,
    )
    return rows.length > 1
  }
  await until('the service hears of deleted keys and of custom tables', isListening)
  const companies: [Company, Company] = [await service.company(), await service.company()]
  // From then on it has cached their keys and their tables.
  for (const { call } of companies) assert.equal((await call('GET', '/v1/customers?limit=1')).status, 200)
  await until('the busy company is alone', () => companyActivity.othersMs(companies[0].id) === 0)
  return companies
}

/** How many records of the busy company were written before the one of the quiet company. */
async function takenBefore({ database }: TestService, busy: Company, quiet: Company): Promise<number> {
  // A record's time is that at which its statement was composed.
  const [row] = await database.query(
    `select count(*)::int from customers
     where company_id = $1 and created_at < (select min(created_at) from customers where company_id = $2)`,
    [busy.id, quiet.id],
  )
  return row?.[0]
}

const written = async ({ database }: TestService, { id }: Company): Promise<number> => {
  const [row] = await database.query('select count(*)::int from customers where company_id = $1', [id])
  return row?.[0]
}

const create = ({ call }: Company, firstName = 'Ada') => call('POST', '/v1/customer', { firstName })
const bulk = ({ call }: Company, firstName = 'Ada') =>
  call('POST', '/v1/customers', { items: [{ firstName }, { firstName }] })
const list = ({ call }: Company) => call('GET', '/v1/customers')
const whoami = ({ call }: Company) => call('GET', '/v1/whoami')
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))]

describe('one company with too much load', () => {
  const service = testService()

  test('while 700 creates of one company wait, another’s is in one of the next two statements', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const { come } = arrivals(t)
    const many = upTo(700).map(() => create(busy))
    await come(700)
    await isHanging(BATCH_STATEMENTS)
    const one = create(quiet)
    await come(701)
    await release()
    assert.deepEqual(statuses([await one, ...(await Promise.all(many))]), [201])
    // Those in flight when it arrived, and one more.
    assert.ok((await takenBefore(service, busy, quiet)) <= (BATCH_STATEMENTS + 1) * BATCH_ITEMS)
    assert.equal(await written(service, busy), 700)
  })

  test('while bulk requests of one company wait, another’s is the next but one', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const { come } = arrivals(t)
    const many = upTo(20).map(() => bulk(busy))
    await come(20)
    await isHanging(SEMAPHORES.bulk.atOnce)
    const one = bulk(quiet)
    await come(21)
    await release()
    assert.deepEqual(statuses([await one, ...(await Promise.all(many))]), [200])
    assert.ok((await takenBefore(service, busy, quiet)) <= (SEMAPHORES.bulk.atOnce + 1) * 2)
  })

  test('creates beyond the capacity get 503 at once and nothing of them is written; all others are done, and another company is served', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const { come } = arrivals(t)
    const refused: Reply[] = []
    // One company may use half of the capacity.
    const sent = BATCH_WAITING / 2 + BATCH_STATEMENTS * BATCH_ITEMS + 50
    const many = upTo(sent).map(async () => {
      const reply = await create(busy)
      if (reply.status !== 201) refused.push(reply)
    })
    await come(sent)
    await isHanging(BATCH_STATEMENTS)
    const one = create(quiet)
    await come(sent + 1)
    await until('those beyond it are answered while the others wait', () => refused.length >= 50)
    await release()
    assert.equal((await one).status, 201)
    await Promise.all(many)
    for (const reply of refused) assertBusy(reply)
    assert.equal(await written(service, busy), sent - refused.length)
    assert.ok(sent - refused.length >= BATCH_WAITING / 2)
  })

  test('bulk requests beyond the capacity get 503 at once and nothing of them is written; all others are done, and another company is served', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const room = SEMAPHORES.bulk.atOnce + SEMAPHORES.bulk.waiting / 2
    const replies: Reply[] = []
    const many = upTo(room + 5).map(async () => void replies.push(await bulk(busy)))
    await until('five are answered', () => replies.length === 5)
    await isHanging(SEMAPHORES.bulk.atOnce)
    for (const reply of replies) assertBusy(reply)
    const one = bulk(quiet)
    await release()
    await Promise.all(many)
    assert.deepEqual(statuses([await one, ...replies.slice(5)]), [200])
    assert.deepEqual([await written(service, busy), await written(service, quiet)], [room * 2, 2])
  })

  test('while all connections hang, health answers and an unknown key is looked up', async (t) => {
    const [busy] = await twoCompanies(service)
    const { body } = await create(busy)
    const stranger = await service.keyFor(busy.id)
    const { release, isHanging } = await hold(t, service)
    const path = `/v1/customer/${body.id}`
    const singles = [
      () => create(busy),
      () => busy.call('GET', path),
      () => busy.call('PATCH', path, { lastName: 'Lovelace' }),
      () => busy.call('DELETE', path),
    ]
    const all: Promise<Reply>[] = []
    for (const ask of upTo(BATCH_STATEMENTS).flatMap(() => singles)) {
      all.push(ask())
      await isHanging(all.length)
    }
    all.push(
      ...upTo(SEMAPHORES.list.atOnce).map(() => list(busy)),
      ...upTo(SEMAPHORES.bulk.atOnce).map(() => bulk(busy)),
    )
    await isHanging(testsRowSecurity() ? companyConnections(CONNECTIONS) : CONNECTIONS)
    assert.equal((await service.caller()('GET', '/v1/public/health')).status, 200)
    assert.equal((await stranger.call('GET', '/v1/customer/none')).status, 404)
    await release()
    await Promise.all(all)
  })
})

describe('little capacity', () => {
  const megabyte = 1024 * 1024
  const service = testService({
    bounds: {
      semaphores: {
        bulk: { atOnce: 8, waiting: 8 },
        list: { atOnce: 1, waiting: 4 },
        other: { atOnce: 1, waiting: 4 },
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
      const many = upTo(6).map(async () => void replies.push(await ask(busy)))
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
    const { come } = arrivals(t)
    const metadata = ['a'.repeat(SMALL_BODY_BYTES - 1_000)]
    const refused: Reply[] = []
    const sent = Math.ceil((0.75 * 2.4 * BODY_BYTES) / SMALL_BODY_BYTES) + 40
    const many = upTo(sent).map(async (n) => {
      const reply = await busy.call('POST', '/v1/customer', { firstName: String(n), metadata })
      if (reply.status !== 201) refused.push(reply)
    })
    await until('some are answered while the others wait', () => refused.length >= 30)
    await come(sent)
    await isHanging(BATCH_STATEMENTS)
    const one = create(quiet)
    await come(sent + 1)
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

describe('one statement of a list at a time', () => {
  const service = testService({
    isPatient: false,
    // Less time than PostgreSQL gives a statement, so that a hanging one is not cancelled in time for those behind it.
    bounds: { semaphores: { ...SEMAPHORES, list: { atOnce: 1, waiting: 16 } }, deadlineMs: STATEMENT_TIMEOUT_MS / 2 },
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

describe('public requests', () => {
  /** A service's database, and its number of statements on reserved connections. Each counts when it is released. */
  function counted(database: Database) {
    let asked = 0
    let gate = Promise.withResolvers<void>()
    const reserved: Queryable = {
      inTransaction: false,
      isSharded: false,
      query: async (statement, values) => {
        asked++
        await gate.promise
        return database.reserved.query(statement, values)
      },
    }
    return {
      database: { ...database, reserved },
      asked: () => asked,
      letGo: () => gate.resolve(),
      stop: () => {
        gate = Promise.withResolvers()
      },
    }
  }
  const service = testService()

  test('waiting health checks share a statement, and each is answered by one that began after it arrived', async () => {
    const { database, asked, letGo } = counted(service.database)
    const [route] = healthRoutes(database)
    const all = upTo(500).map(() => route?.handle({} as Call))
    assert.equal(asked(), 1)
    letGo()
    for (const answer of await Promise.all(all)) assert.equal(answer?.body, '{"status":"ok"}')
    assert.equal(asked(), 2)
  })

  test('concurrent lookups of one key are one, and a request after its deletion does not get the earlier result', async (t) => {
    const { id } = await service.company()
    const key = await service.keyFor(id)
    const { database, asked, letGo, stop } = counted(service.database)
    // Without NOTIFY a cache keeps no keys, so that each find is a lookup.
    const cache = new KeyCache({ ...database, connectAlone: () => Promise.reject(new Error('no connection')) })
    t.after(() => cache.close())
    const first = upTo(500).map(() => cache.find(key.value))
    assert.equal(asked(), 1)
    letGo()
    for (const found of await Promise.all(first)) assert.equal(found?.companyId, id)
    assert.equal(asked(), 2)
    stop()
    const stranger = newKeyValue('company')
    const unknown = upTo(500).map(() => cache.find(stranger))
    await deleteKey(service.database, key.id)
    const late = cache.find(key.value)
    letGo()
    for (const found of await Promise.all(unknown)) assert.equal(found, undefined)
    assert.equal(asked(), 5)
    assert.equal(await late, undefined)
  })
})

describe('little time', () => {
  const service = testService({
    isPatient: false,
    bounds: {
      semaphores: {
        bulk: { atOnce: 1, waiting: 8 },
        list: { atOnce: 1, waiting: 8 },
        other: { atOnce: 1, waiting: 8 },
      },
      deadlineMs: 500,
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

describe('connections', () => {
  /** Takes the one connection of a pool until the test releases it. */
  async function taken(t: TestContext) {
    const database = connect(testConnection(), { size: 1 })
    const released = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const work = database.transaction(async () => {
      begun.resolve()
      await released.promise
    })
    const release = async () => {
      released.resolve()
      await work
    }
    t.after(async () => {
      await release()
      await database.close()
    })
    await begun.promise
    return { database, release }
  }
  const unavailable = (message: RegExp) => (error: unknown) =>
    error instanceof Problem &&
    error.status === 503 &&
    error.headers['retry-after'] === '1' &&
    message.test(error.message)

  test('a statement beyond the maximum number of waiting ones is refused at once, and the waiting ones are answered', async (t) => {
    const { database, release } = await taken(t)
    const waiting = upTo(CONNECTION_WAITING).map((n) => database.query('select $1::int', [n]))
    await assert.rejects(database.query('select 1'), unavailable(/All connections to the database are in use/))
    assert.deepEqual(await database.reserved.query('select 1'), [[1]])
    await release()
    const rows = await Promise.all(waiting)
    assert.deepEqual(rows.flat(2), upTo(CONNECTION_WAITING))
  })

  test('at most the given size of a statement’s rows is kept, and one value beyond it', async () => {
    const database = connect(testConnection(), { size: 1 })
    const text = `select repeat('a', 1000) from generate_series(1, 100)`
    const rows = await database.query({ name: 'rows', text, most: 4_500 }).finally(() => database.close())
    assert.deepEqual(
      rows.map(([value]) => value?.length),
      upTo(100).map((n) => (n < 5 ? 1_000 : undefined)),
    )
  })

  test('the error for busy connections differs from the one for an unreachable database', async (t) => {
    const { database } = await taken(t)
    const none = connect({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' })
    t.after(() => none.close())
    await Promise.all([
      assert.rejects(database.query('select 1'), unavailable(/All connections to the database are in use/)),
      assert.rejects(none.query('select 1'), unavailable(/cannot be reached/)),
    ])
  })
})

describe('batching', () => {
  /** A batcher whose batches end on command, and the items of each. */
  function batching(capacity?: number) {
    // For the whole test, a company that sent one request counts as active.
    const presence = tenantActivity(() => 0)
    const runs: string[][] = []
    const ends: (() => void)[] = []
    const ask = batcher(
      async (items: { scope: Scope; name: string; isGone?: () => boolean }[]) => {
        runs.push(items.map(({ name }) => name))
        await new Promise<void>((resolve) => ends.push(resolve))
        return items.map(({ name }) => name)
      },
      { ...(capacity !== undefined && { capacity }), presence },
    )
    const endAll = async () => {
      for (; ends.length > 0; await new Promise(setImmediate)) ends.shift()?.()
    }
    return { runs, ask, endAll }
  }
  const [a, b] = [Scope.grant('a'), Scope.grant('b')]
  const turn = () => new Promise(setImmediate)

  test('with five hundred waiting items of one company, another’s is in the very next batch', async () => {
    const { runs, ask, endAll } = batching()
    const under = upTo(BATCH_STATEMENTS * BATCH_ITEMS + 500).map((n) => ask({ scope: a, name: `a${n}` }))
    await turn()
    const one = ask({ scope: b, name: 'b' })
    await turn()
    assert.equal(runs.length, BATCH_STATEMENTS)
    await endAll()
    assert.equal(await one, 'b')
    assert.deepEqual(
      await Promise.all(under),
      upTo(under.length).map((n) => `a${n}`),
    )
    assert.ok(runs[BATCH_STATEMENTS]?.includes('b'))
    for (const run of runs.slice(BATCH_STATEMENTS)) assert.ok(run.length <= BATCH_ITEMS_BESIDE)
  })

  test('a batch contains no item that no client waits for any more', async () => {
    const { runs, ask, endAll } = batching()
    const under = upTo(BATCH_STATEMENTS * BATCH_ITEMS).map((n) => ask({ scope: a, name: `a${n}` }))
    await turn()
    const left = ask({ scope: a, name: 'left', isGone: () => true })
    const refused = assert.rejects(left, { code: 'unavailable' })
    const one = ask({ scope: a, name: 'waited for', isGone: () => false })
    await endAll()
    await Promise.all([refused, one, ...under])
    assert.deepEqual(runs.slice(BATCH_STATEMENTS), [['waited for']])
  })

  test('a shared response is looked up until the last of its waiters is gone', async () => {
    const ends: (() => void)[] = []
    const reported: (() => boolean)[] = []
    const asking = (allAreGone: () => boolean) => {
      reported.push(allAreGone)
      return new Promise<number>((resolve) => ends.push(() => resolve(reported.length)))
    }
    const shared = singleFlight<number>()
    const gone = new Set<string>()
    const join = (name: string) => shared('how many', asking, () => gone.has(name))
    const first = join('first')
    const others = ['second', 'third', 'fourth'].map(join)
    ends.shift()?.()
    assert.equal(await first, 1)
    await turn()
    const left = ['second', 'fourth', 'first', 'third'].map((name) => {
      gone.add(name)
      return reported[1]?.()
    })
    assert.deepEqual(left, [false, false, false, true])
    ends.shift()?.()
    assert.deepEqual(await Promise.all(others), [2, 2, 2])
  })
})
