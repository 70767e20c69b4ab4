// What pages of other origins may call and read (CORS): public endpoints from anywhere, private ones from listed origins, nothing by cookie.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { OperatorError } from '../src/core/operator-error.ts'
import type { Route } from '../src/http/route.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { eachRoute, every, pathOf } from './support/routes.ts'
import { awayProvider, type Reply, testService } from './support/service.ts'

const till = 'https://till.example.com'
const stranger = 'https://evil.example.com'
const service = testService({ openId: awayProvider, corsOrigins: [till, 'capacitor://localhost'], rateLimit: 1_000 })
const closed = testService({ openId: awayProvider })
const slow = testService({ corsOrigins: [till], rateLimit: 1, now: () => 0 })

const preflight = (path: string, method: string, origin: string) =>
  [
    'OPTIONS',
    path,
    undefined,
    { origin, 'access-control-request-method': method, 'access-control-request-headers': 'x-api-key' },
  ] as const

const corsNames = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))
const isOfOwnPages = ({ surface, isForOwnPages, isHidden, forPeople }: Route) =>
  isForOwnPages || (isHidden && surface === 'public') || forPeople !== undefined || surface === 'person'

test('a preflight of any route is answered without a key: any origin for public routes, listed ones for private ones, none for the console’s', async () => {
  await eachRoute(every, async (route) => {
    const [ofTill, ofStranger] = await Promise.all(
      [till, stranger].map((origin) => service.caller()(...preflight(pathOf(route), route.method, origin))),
    )
    assert.ok(ofTill && ofStranger)
    if (isOfOwnPages(route)) {
      for (const reply of [ofTill, ofStranger]) {
        assertProblem(reply, 403, 'permission_denied')
        assert.deepEqual(corsNames(reply.headers), [])
      }
      return
    }
    const isPublic = route.surface === 'public'
    assert.equal(ofTill.status, 204)
    assert.equal(ofTill.text, '')
    assert.equal(ofTill.headers.get('access-control-allow-origin'), isPublic ? '*' : till)
    assert.equal(ofTill.headers.get('access-control-allow-methods'), route.method)
    assert.match(String(ofTill.headers.get('access-control-allow-headers')), /\bx-api-key\b/)
    assert.equal(ofTill.headers.get('access-control-max-age'), '7200')
    assert.match(String(ofTill.headers.get('vary')), /\borigin\b/)
    assert.equal(ofTill.headers.has('ratelimit'), false)
    if (isPublic) {
      assert.equal(ofStranger.status, 204)
      assert.doesNotMatch(String(ofStranger.headers.get('access-control-allow-headers')), /api-key/)
    } else {
      assertProblem(ofStranger, 403, 'permission_denied')
      assert.deepEqual(corsNames(ofStranger.headers), [])
    }
  })
})

test('a listed page reads responses, refusals and limits of private endpoints, and caches keep them apart', async () => {
  const { call } = await service.company()
  const read = (path: string, origin = till) => call('GET', path, undefined, { origin })
  const list = await read('/v1/customers')
  assert.equal(list.status, 200)
  assert.equal(list.headers.get('access-control-allow-origin'), till)
  assert.match(String(list.headers.get('vary')), /x-api-key.*origin/)
  const exposed = String(list.headers.get('access-control-expose-headers')).split(', ')
  for (const name of ['etag', 'link', 'ratelimit', 'retry-after', 'x-request-id', 'idempotent-replayed'])
    assert.ok(exposed.includes(name), name)
  assert.equal(
    (await read('/v1/customers', 'capacitor://localhost')).headers.get('access-control-allow-origin'),
    'capacitor://localhost',
  )

  const refusals = [
    await service.caller({ origin: till })('GET', '/v1/customers'),
    await read('/v1/customer/000000000000000000000000'),
    await read('/v1/nowhere'),
    await call('DELETE', '/v1/whoami', undefined, { origin: till }),
    await call('POST', '/v1/customer', '{', { origin: till }),
  ]
  assert.deepEqual(
    refusals.map(({ status }) => status),
    [401, 404, 404, 405, 400],
  )
  for (const { headers } of refusals) assert.equal(headers.get('access-control-allow-origin'), till)
})

test('a listed page speaks the Model Context Protocol with its key, and another page is refused before its key is read', async () => {
  const { key } = await service.company()
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const ask = (origin: string, headers: Record<string, string> = {}) =>
    service.caller()('POST', '/mcp', listing, {
      origin,
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      ...headers,
    })
  const listed = await ask(till, { 'sec-fetch-site': 'cross-site' })
  assert.equal(listed.status, 200)
  assert.equal(listed.headers.get('access-control-allow-origin'), till)
  assertProblem(await ask(stranger, { authorization: 'Bearer posk_wrong' }), 403, 'permission_denied')
  for (const authorization of ['Basic abc', 'Bearer posk_wrong']) {
    const refused = await ask(till, { authorization })
    assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, till], authorization)
  }
})

test('a listed page reads that a limit refused it, and when to try again', async () => {
  const { call } = await slow.company()
  const read = () => call('GET', '/v1/whoami', undefined, { origin: till })
  await read()
  await read()
  const refused = await read()
  assertProblem(refused, 429, 'rate_limited')
  assert.equal(refused.headers.get('access-control-allow-origin'), till)
  assert.match(String(refused.headers.get('access-control-expose-headers')), /retry-after/)
  assert.match(String(refused.headers.get('vary')), /origin/)
})

test('every response header that a page may need is exposed', async () => {
  const unexposed =
    /^(content-(length|type)|cache-control|vary|connection|keep-alive|date|x-content-type-options|access-control-.*)$/
  const { call } = await service.company()
  const headers = { origin: till, 'idempotency-key': 'once' }
  let report: Reply | undefined
  // The sums of a new company take longer on a busy machine.
  await until('the report is complete', async () => {
    report = await call('GET', '/v1/reports/sales?groupBy=day&format=csv', undefined, headers)
    return report.status !== 503
  })
  for (const reply of [
    report as Reply,
    await call('POST', '/v1/customer', { firstName: 'Ada' }, headers),
    await call('POST', '/v1/customer', { firstName: 'Ada' }, headers),
    await call('GET', '/v1/api/customers?limit=1&total=true', undefined, headers),
  ]) {
    assert.ok(reply.status < 300, reply.text)
    const exposed = String(reply.headers.get('access-control-expose-headers')).split(', ')
    for (const name of reply.headers.keys()) assert.ok(unexposed.test(name) || exposed.includes(name), name)
  }
})

test('a page that is not listed gets no CORS headers from private endpoints, also of a service that lists none', async () => {
  for (const { company } of [service, closed]) {
    const { call } = await company()
    for (const origin of [stranger, 'null', `${till}.evil.example.com`, till.toUpperCase()]) {
      const reply = await call('GET', '/v1/customers', undefined, { origin })
      assert.equal(reply.status, 200)
      assert.deepEqual(corsNames(reply.headers), [])
    }
  }
  const refused = await closed.caller()(...preflight('/v1/customers', 'GET', till))
  assertProblem(refused, 403, 'permission_denied')
  assert.match(refused.body.message, /CASHWRAP_CORS_ORIGINS/)
})

test('public endpoints are open to any origin, and no response ever allows cookies', async () => {
  const { key } = await service.company()
  for (const path of ['/v1/public/health', '/v1/public/ready', '/v1/openapi.json'])
    for (const headers of [
      {},
      { origin: stranger },
      { origin: till, 'x-api-key': key },
      { cookie: 'cashwrap_sign_in=x' },
    ]) {
      const reply = await service.caller()('GET', path, undefined, headers as Record<string, string>)
      assert.equal(reply.headers.has('access-control-allow-credentials'), false)
      assert.equal(reply.headers.get('access-control-allow-origin'), '*')
    }
  const page = await service.caller()('GET', '/docs', undefined, { origin: till })
  assert.deepEqual(corsNames(page.headers), [])
  const signIn = await service.caller()('POST', '/v1/console/sign-in', {}, { origin: till })
  assertProblem(signIn, 403, 'permission_denied')
  assert.deepEqual(corsNames(signIn.headers), [])
})

test('a preflight for a wrong path or method is 404 or 405, and OPTIONS that is no preflight stays 405', async () => {
  assertProblem(await service.caller()(...preflight('/v1/nowhere', 'GET', till)), 404, 'not_found')
  const wrong = await service.caller()(...preflight('/v1/whoami', 'DELETE', till))
  assertProblem(wrong, 405, 'method_not_allowed')
  assert.equal(wrong.headers.get('allow'), 'GET, HEAD')
  assertProblem(await service.caller()('OPTIONS', '/v1/whoami'), 405, 'method_not_allowed')
})

test('a setting that is not a list of origins ends the start with one sentence', () => {
  const read = (list: string) => readConfig({ CASHWRAP_CORS_ORIGINS: list }).corsOrigins
  assert.deepEqual(read(''), [])
  assert.deepEqual(read(' https://a.example.com, http://localhost:5173,http://[::1]:8080,capacitor://localhost ,'), [
    'https://a.example.com',
    'http://localhost:5173',
    'http://[::1]:8080',
    'capacitor://localhost',
  ])
  for (const wrong of [
    ...['*', 'null', 'example.com', 'https://*.example.com', 'https://a.example.com/', 'https://a.example.com/path'],
    ...[
      'https://A.example.com',
      'https://a.example.com:443',
      'https://user@a.example.com',
      'https://',
      '//a.example.com',
    ],
  ])
    assert.throws(
      () => read(`https://ok.example.com,${wrong}`),
      (error) => error instanceof OperatorError && error.message.includes(JSON.stringify(wrong)),
      wrong,
    )
})
