// Without a key, the service says whether it is up, and whether it should get requests.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { unavailable } from '../src/core/problem.ts'
import type { Database } from '../src/database/connect.ts'
import { healthRoutes } from '../src/features/health/routes.ts'
import { createFirstTenant } from '../src/features/tenants/tenants.ts'
import type { Call } from '../src/http/route.ts'
import { startService } from '../src/service.ts'
import { copyDatabase } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { cashwrapEach } from './support/program.ts'
import { get, raw } from './support/raw.ts'
import { testService, testSettings } from './support/service.ts'

const service = testService()

test('health answers ok without a key, and ignores a wrong one', async () => {
  for (const headers of [{}, { 'x-api-key': 'nonsense', 'x-org-api-key': 'nonsense' }]) {
    const { status, body } = await service.caller(headers)('GET', '/v1/public/health')
    assert.equal(status, 200)
    assert.deepEqual(body, { status: 'ok' })
    const ready = await service.caller(headers)('GET', '/v1/public/ready')
    assert.equal(ready.status, 200)
    assert.deepEqual(ready.body, { status: 'ready' })
  }
})

test('a server is not ready while its database lacks migrations, or cannot be reached, and says which', async () => {
  const { database } = service
  const [row] = await database.query(
    'delete from migrations where number = (select max(number) from migrations) returning number, name',
  )
  try {
    const refused = await service.caller()('GET', '/v1/public/ready')
    assert.equal(assertProblem(refused, 503, 'unavailable').reason, 'not_migrated')
    assert.equal(refused.headers.get('retry-after'), '1')
    const [checked] = await cashwrapEach([['healthcheck', service.url]], {})
    assert.deepEqual([checked?.code, checked?.stdout], [1, ''])
    assert.equal(checked?.stderr, `error: ${service.url} is not ready: it answers 503 (not_migrated).\n`)
  } finally {
    await database.query('insert into migrations (number, name) values ($1, $2)', row)
  }
  assert.equal((await service.caller()('GET', '/v1/public/ready')).status, 200)
  const secure = service.url.replace('http:', 'https:')
  const [own, given, unreachable, plain, ...unusable] = await cashwrapEach(
    [
      ['healthcheck'],
      ['healthcheck', `${service.url}/`, '--json'],
      ['healthcheck', 'http://[::1]:2'],
      ['healthcheck', secure],
      ...['x', 'ftp://shop', 'http://me:pass@shop', 'http://shop?', 'http://shop/?a=1', 'http://shop/#a'].map((url) => [
        'healthcheck',
        url,
      ]),
    ],
    // A server listens at all addresses; its check asks this machine.
    { HOST: '0.0.0.0', PORT: new URL(service.url).port },
  )
  assert.deepEqual([own?.code, own?.stdout], [0, `${service.url} is ready.\n`])
  assert.deepEqual([given?.code, JSON.parse(given?.stdout ?? '')], [0, { url: service.url, isReady: true }])
  assert.equal(unreachable?.code, 1)
  assert.match(unreachable?.stderr ?? '', /^error: http:\/\/\[::1\]:2 is not ready: [^\n]+\.\n$/)
  assert.deepEqual(
    [plain?.code, plain?.stderr],
    [1, `error: ${secure} is not ready: it does not speak TLS: use ${service.url}.\n`],
  )
  for (const { code, stderr } of unusable) {
    assert.equal(code, 2)
    assert.match(stderr, /^error: The URL must be an http\(s\) URL without user, query or fragment, /)
    assert.doesNotMatch(stderr, /pass@/)
  }
  const [blocked] = await cashwrapEach([['healthcheck']], { PORT: '6000' })
  assert.equal(blocked?.code, 2)
  assert.match(blocked?.stderr ?? '', /^error: Port 6000 is for another protocol.* another PORT, such as 8080\.\n$/)
  const [anyPort] = await cashwrapEach([['healthcheck']], { PORT: '0' })
  assert.equal(anyPort?.code, 2)
  assert.match(anyPort?.stderr ?? '', /^error: PORT is 0, /)

  const away = { reserved: { query: () => Promise.reject(unavailable()) } } as unknown as Database
  const ready = healthRoutes(away).find(({ operationId }) => operationId === 'ready')
  await assert.rejects(async () => ready?.handle({} as Call), { code: 'unavailable', reason: 'database_unreachable' })
})

test('a frozen database makes a server unready before probes give up, and the response says why', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const frozen = { reserved: { query: () => new Promise(() => {}) } } as unknown as Database
  const ready = healthRoutes(frozen).find(({ operationId }) => operationId === 'ready')
  const answer = assert.rejects(async () => ready?.handle({} as Call), {
    code: 'unavailable',
    reason: 'database_timeout',
  })
  // `cashwrap healthcheck` gives up after three seconds.
  t.mock.timers.tick(2_000)
  await answer
})

test('a server that was asked to end is not ready, also on connections that are still open', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const ending = await startService(connection, testSettings)
  const socket = connect(Number(new URL(ending.url).port), '127.0.0.1').setEncoding('utf8')
  const ask = async () => {
    socket.write('GET /v1/public/ready HTTP/1.1\r\nhost: shop\r\n\r\n')
    const [answer] = await once(socket, 'data')
    return answer as string
  }
  assert.match(await ask(), /^HTTP\/1\.1 200 /)
  const closed = ending.close()
  assert.match(await ask(), /^HTTP\/1\.1 503 .*"reason":"draining"/s)
  await closed
})

test('requests that were sent before a server was asked to end are answered, also on connections that it had not accepted yet', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const ending = await startService(connection, testSettings)
  const sent = Array.from({ length: 30 }, () => raw(ending.url, get('/v1/public/health')))
  // The kernel has completed the connections by then, and the server has had no turn to accept one.
  await new Promise((resolve) => process.nextTick(resolve))
  const closed = ending.close()
  const answers = await Promise.all(sent)
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(30).fill(200),
  )
  await closed
})

test('the response to a request that was in progress when a server was asked to end says that the connection ends', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const ending = await startService(connection, testSettings)
  const first = await createFirstTenant(ending.database)
  const socket = connect(Number(new URL(ending.url).port), '127.0.0.1').setEncoding('utf8')
  const read = async () => (await once(socket, 'data'))[0] as string
  const headers = `x-api-key: ${first?.companyKey}\r\ncontent-type: application/json\r\ncontent-length: 20`
  socket.write(`POST /v1/customer HTTP/1.1\r\nhost: shop\r\nexpect: 100-continue\r\n${headers}\r\n\r\n`)
  assert.match(await read(), /^HTTP\/1\.1 100 /)
  const closed = ending.close()
  socket.write('{"firstName": "Ada"}')
  assert.match(await read(), /^HTTP\/1\.1 201 .*\r\nconnection: close\r\n/is)
  await closed
})
