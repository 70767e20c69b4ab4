// Malformed paths, queries and headers: the service answers each request, and keeps running.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contracts } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { get, raw } from './support/raw.ts'
import { each, keyed, neededQuery, noId, pathOf } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('no path has a parameter in which a NUL is a fault of the service', async () => {
  const { call } = await service.company()
  const asked = keyed.filter(({ method, path }) => method !== 'POST' && path.includes('{'))
  const nameOf = ({ method, path }: (typeof asked)[number]) => `${method} ${path}`
  await each(asked, nameOf, async (route) => {
    const body = route.body && (route.isBulk ? [] : {})
    const reply = await call(route.method, pathOf(route, 'a%00b') + neededQuery(route), body)
    assert.ok([400, 403, 404].includes(reply.status), `${reply.status} ${reply.text.slice(0, 200)}`)
    assert.doesNotMatch(reply.text, /invalid byte sequence/)
  })
})

test('an id that no record can have is 404 for every verb, whatever the path contains', async () => {
  const { call, key } = await service.company()
  const ids = [
    '%00',
    '..%2f..',
    '%2e%2e',
    '%2F',
    '%5c',
    '%0d%0aset-cookie:a',
    '%F0%9F%98%80',
    '%D9%A3',
    "'",
    '%22',
    '*',
    '-1',
    '0',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    noId.slice(1),
    `${noId}0`,
    'F'.repeat(24),
    `${noId}%00`,
    `${noId}%20`,
    '%7B%22$oid%22:1%7D',
    'a'.repeat(500),
    'a'.repeat(501),
    'a'.repeat(10_000),
    '%zz',
    '%',
    '%f',
    '%ff',
    '%c0%af',
    '%ED%A0%80',
    `${noId};a=b`,
    `${noId}/`,
    `${noId}/..`,
  ]
  for (const { one, styleA } of contracts) {
    for (const id of ids) {
      for (const [method, prefix] of [
        ['GET', '/v1/'],
        ['PATCH', '/v1/'],
        ['DELETE', '/v1/'],
        ['GET', '/v1/api/'],
        ['PUT', '/v1/api/'],
      ] as const) {
        if (prefix === '/v1/api/' && (styleA === null || one !== 'customer')) continue
        const path = `${prefix}${prefix === '/v1/' ? one : styleA?.one[0]}/${id}`
        const reply = await call(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
        // An id with a further segment is another path, which may be that of a list.
        if (reply.status !== 405) assertProblem(reply, 404, 'not_found', path)
      }
    }
  }
  const head = (path: string | Buffer) => [
    Buffer.concat([
      Buffer.from('GET '),
      Buffer.from(path),
      Buffer.from(` HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-api-key: ${key}\r\n\r\n`),
    ]),
  ]
  for (const path of [
    '/v1/customer/../../etc/passwd',
    '//v1/customers',
    '/v1//customers',
    '/./v1/customers',
    '/v1/customers/..',
  ])
    assertProblem(await raw(service.url, ...head(path)), 404, 'not_found', path)
  // A target that is not a URL at all is not HTTP either.
  for (const bytes of [Buffer.from('/v1/customer/é'), Buffer.from([...Buffer.from('/v1/customer/'), 0xff, 0xfe])])
    assertProblem(await raw(service.url, ...head(bytes)), 400, 'malformed_body')
})

test('an invalid query parameter is refused by name, and never interpreted as another', async () => {
  const { call } = await service.company()
  const refused: [query: string, pointer: string, code: string][] = [
    ['source=%00', 'source', 'nul'],
    ['searchByEmail=a%00b', 'searchByEmail', 'nul'],
    ['tags=%00', 'tags', 'nul'],
    ['tags=a&tags=%00', 'tags', 'nul'],
    [`tags=${'a'.repeat(5_000)}&tags=${'a'.repeat(5_000)}`, 'tags', 'maxLength'],
    ['%00=1', '\u0000', 'unknown'],
    ['source=%ff', 'source', 'encoding'],
    ['source=%ED%A0%80', 'source', 'encoding'],
    ['%ff=1', '%ff=1', 'encoding'],
    ['=1', '=1', 'unknown'],
    ['source=a&source=b', 'source', 'duplicate'],
    ['source=a&%73ource=a', 'source', 'duplicate'],
    ['source[]=a', 'source[]', 'unknown'],
    ['source[0]=a', 'source[0]', 'unknown'],
    ['source[gte]=a', 'source[gte]', 'unknown'],
    ['Source=a', 'Source', 'unknown'],
    ['createdAt=2026-01-01', 'createdAt', 'type'],
    ['createdAt[]=2026-01-01', 'createdAt[]', 'unknown'],
    ['createdAt[eq]=2026-01-01', 'createdAt[eq]', 'unknown'],
    ['createdAt[__proto__]=2026-01-01', 'createdAt[__proto__]', 'unknown'],
    ['createdAt[gte][gte]=2026-01-01', 'createdAt[gte][gte]', 'unknown'],
    ['createdAt[gte=2026-01-01', 'createdAt[gte', 'unknown'],
    ['createdAt.gte=2026-01-01', 'createdAt.gte', 'unknown'],
    ['createdAt[gte]=2026-01-01&createdAt[gte]=2026-01-01', 'createdAt[gte]', 'duplicate'],
    ['skip=1e309', 'skip', 'type'],
    ['skip=1e3', 'skip', 'type'],
    ['skip=NaN', 'skip', 'type'],
    ['skip=9007199254740993', 'skip', 'maximum'],
    ['skip=99999999999999999999', 'skip', 'maximum'],
    ['skip=1000000001', 'skip', 'maximum'],
    ['skip=-1', 'skip', 'minimum'],
    ['skip=-0.5', 'skip', 'type'],
    ['skip=٣', 'skip', 'type'],
    ['limit=0x10', 'limit', 'type'],
    ['limit=%205', 'limit', 'type'],
    ['limit=+5', 'limit', 'type'],
    ['limit=5.0', 'limit', 'type'],
    ['limit=5,000', 'limit', 'type'],
    ['limit=1001', 'limit', 'maximum'],
    ['limit[a]=1', 'limit[a]', 'unknown'],
    ['includeDeleted=1', 'includeDeleted', 'type'],
    ['includeDeleted=TRUE', 'includeDeleted', 'type'],
    ['sortBy=phone', 'sortBy', 'enum'],
    ['sortBy=id;drop table customers', 'sortBy', 'enum'],
    ['sortOrder=ASC', 'sortOrder', 'enum'],
    ['cursor=a', 'cursor', 'cursor'],
    ['cursor=bnVsbA', 'cursor', 'cursor'],
    [`cursor=${Buffer.from('["createdAt","asc","\\u0000","a"]').toString('base64url')}`, 'cursor', 'cursor'],
    [`searchByEmail=${'a'.repeat(8_193)}`, 'searchByEmail', 'maxLength'],
    [`${'&'.repeat(2_000)}bogus=1`, 'bogus', 'unknown'],
    [`${'limit=1&'.repeat(1_500)}`, 'limit', 'duplicate'],
  ]
  for (const [query, pointer, code] of refused) {
    const { errors } = assertProblem(
      await call('GET', `/v1/customers?${query}`),
      400,
      'validation_failed',
      query.slice(0, 60),
    )
    assert.deepEqual([errors[0].in, errors[0].pointer, errors[0].code], ['query', pointer, code])
  }
  const tooMany = await call('GET', `/v1/customers?${'a=1&'.repeat(5_000)}`)
  assertProblem(tooMany, 431, 'headers_too_large')
})

test('a parameter without a value counts as absent, a cache buster is ignored, and neither hides a misspelt name', async () => {
  const { call } = await service.company()
  await call('POST', '/v1/customer', { firstName: 'Ann', source: 'pos' })
  const all = (await call('GET', '/v1/customers')).body
  assert.equal(all.meta.count, 1)
  for (const query of [
    ...['source', 'source=', 'limit=', 'skip=', 'sortBy=', 'sortOrder=', 'cursor=', 'searchByEmail=', 'tags='],
    ...[
      'createdAt=',
      'createdAt[gte]=',
      'createdAt[gte]=&createdAt[lt]=',
      'limit=&limit=100',
      '_=1763800000000',
      '_=1&_=2',
      '_',
    ],
  ])
    assert.deepEqual((await call('GET', `/v1/customers?${query}`)).body, all, query)
  for (const query of ['sourc=', 'createdAt[eq]=', '_a=1', 'limit[a]='])
    assertProblem(await call('GET', `/v1/customers?${query}`), 400, 'validation_failed', query)
  // A filter that a list requires counts as missing without a value.
  assertProblem(await call('GET', '/v1/api/custom-table-fields?tableId='), 400, 'validation_failed')
})

test('a slash at the end of a path changes nothing, in any style, for any method, and under any idempotency key', async () => {
  const { call } = await service.company()
  const { body: made, status } = await call('POST', '/v1/customer/', { firstName: 'Ann' }, { 'idempotency-key': 'a' })
  assert.equal(status, 201)
  const again = await call('POST', '/v1/customer', { firstName: 'Ann' }, { 'idempotency-key': 'a' })
  assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [made, 'true'])
  for (const path of [`/v1/customer/${made.id}/`, `/v1/api/customer/${made.id}/`, `/v1/api/customers/${made.id}/`])
    assert.deepEqual((await call('GET', path)).body, made, path)
  assert.deepEqual((await call('GET', '/v1/api/customers/?limit=1')).body, [made])
  assert.match((await call('GET', '/v1/api/customers/?limit=1')).headers.get('link') ?? '', /<\/v1\/api\/customers\?/)
  assert.equal((await call('GET', '/v1/customers/?source=/')).body.meta.count, 0)
  assert.equal((await call('PATCH', `/v1/customer/${made.id}/`, { lastName: 'Archer' })).status, 200)
  assert.equal((await call('DELETE', `/v1/customer/${made.id}/`)).status, 200)
  assertProblem(await call('PATCH', '/v1/customer/', {}), 405, 'method_not_allowed')
  assertProblem(await call('GET', '/v1/nothing/'), 404, 'not_found')
  for (const path of ['/v1/public/health/', '/docs/', '/console/', '/console/customers/'])
    assert.equal((await fetch(service.url + path, { redirect: 'manual' })).status, 200, path)
  assertProblem(await call('GET', '/mcp/'), 405, 'method_not_allowed')
})

test('a query is decoded correctly: plus, percent signs, empty parts, offsets', async () => {
  const { call } = await service.company()
  const { body: customer } = await call('POST', '/v1/customer', {
    firstName: '100% a+b',
    source: 'a b',
    lastName: '&=[]',
  })
  for (const query of [
    'source=a+b',
    'source=a%20b&',
    '&&source=a b',
    'searchByFirstName=100%',
    'searchByFirstName=%25%20a%2Bb',
    'searchByLastName=%26%3D%5B%5D',
    'searchByLastName==[]',
    'createdAt%5Bgte%5D=2020-01-01',
    'createdAt[gte]=2020-01-01T00:00:00+02:00',
    'createdAt[gte]=2020-01-01T00:00:00%2B02:00',
    `createdAt[gte]=${customer.createdAt}&createdAt[lte]=${customer.createdAt}`,
    'limit=007',
    'skip=-0',
  ]) {
    const { status, body, text } = await call('GET', `/v1/customers?${query}`)
    assert.equal(status, 200, `${query} ${text}`)
    assert.deepEqual(body.data, [customer], query)
  }
})

test('headers that are too large, repeated or malformed get an answer, and none is echoed unchecked', async () => {
  const { key } = await service.company()
  const own = `x-api-key: ${key}`
  for (const header of [
    `x-filler: ${'a'.repeat(20_000)}`,
    `${'a'.repeat(20_000)}: a`,
    `x-request-id: ${'a'.repeat(17_000)}`,
  ])
    assertProblem(await raw(service.url, get('/v1/customers', own, header)), 431, 'headers_too_large')
  assertProblem(await raw(service.url, get(`/v1/customers?${'a'.repeat(20_000)}`, own)), 431, 'headers_too_large')
  for (const header of [
    'x-request-id: a\nb',
    'x-request-id: a\rb',
    'x-request-id: a\u0000b',
    'x request id: a',
    ': a',
    ' folded',
    'content-length: a',
    'content-length: -1',
    'transfer-encoding: gzip, chunked, x\r\ncontent-length: 3',
  ])
    assertProblem(await raw(service.url, get('/v1/customers', own, header)), 400, 'malformed_body', header)
  const smuggled = await raw(service.url, get('/v1/customers', own, 'content-length: 3', 'content-length: 4'))
  assertProblem(smuggled, 400, 'malformed_body')
  for (const id of ['a b', 'ä', '"><script>', 'a'.repeat(129), '\t']) {
    const { status, headers } = await raw(service.url, get('/v1/customers', own, `x-request-id: ${id}`))
    assert.equal(status, 200)
    const answered = headers.get('x-request-id') ?? ''
    if (id === '"><script>') assert.equal(answered, id)
    else assert.match(answered, /^[0-9a-f-]{36}$/)
  }
  assert.match(
    (await raw(service.url, get('/v1/customers', own, 'x-request-id: a', 'x-request-id: b'))).headers.get(
      'x-request-id',
    ) ?? '',
    /^[0-9a-f-]{36}$/,
  )
  assert.equal((await raw(service.url, get('/v1/customers', own, 'expect: 200-maybe'))).status, 200)
  assert.equal(
    (
      await raw(
        service.url,
        get('/v1/customers', own, 'upgrade: h2c', 'accept: text/html', 'accept-version: 9', 'range: bytes=0-1'),
      )
    ).status,
    200,
  )
})

test('every response forbids content sniffing: successes, errors, and responses from below the routes', async () => {
  const { call } = await service.company()
  const nosniff = (headers: Headers) => assert.equal(headers.get('x-content-type-options'), 'nosniff')
  for (const [method, path] of [
    ['GET', '/v1/customers'],
    ['GET', `/v1/customer/${noId}`],
    ['GET', '/none'],
    ['PUT', '/v1/customers'],
    ['GET', '/v1/customers?none=1'],
    ['GET', '/v1/events/stream'],
    ['GET', '/v1/public/health'],
    ['GET', '/console/'],
    ['GET', '/v1/reference'],
    ['GET', '/v1/openapi.json'],
    ['HEAD', '/v1/customers'],
  ] as const)
    nosniff((await call(method, path)).headers)
  nosniff((await service.caller()('GET', '/v1/customers')).headers)
  for (const bytes of [
    'nothing\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET /%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
  ])
    nosniff((await raw(service.url, bytes)).headers)
})
