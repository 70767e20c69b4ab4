// What holds for every route of the service: bodies, members, media types and query parameters that it refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { raw } from './support/raw.ts'
import { eachRoute, inTurn, noId, pathOf, routes, servedBy, withBody } from './support/routes.ts'
import { sharedService } from './support/service.ts'
import { companiesOf, someBody } from './support/sweep.ts'
import { isUpsert } from './support/upsert-routes.ts'

const service = sharedService()
const { everythingOf } = companiesOf(service)

/** Bodies that are not JSON, and JSON that is not an object. */
const notJson = inTurn([
  ...['{"name": "a', '{', '[', '{"name":}', '{"name": undefined}', "{'name': 1}"],
  ...['name=a', '<a/>', '\u0000', ''],
])
const noObject = inTurn(['null', '42', '"text"', 'true', '[]', '[[]]'])
/** JSON that is not a bulk request. */
const noBulk = inTurn([
  'null',
  '42',
  '"text"',
  'true',
  '[]',
  '{}',
  '{"items":[]}',
  '{"items":{}}',
  '{"items":"a"}',
  '{"items":null}',
  '{"records":[{}]}',
  '{"items":[{}],"item":1}',
])

test('every route with a body answers 400 to one that is cut, empty, not an object, or not a list where one is needed, and writes nothing', async () => {
  const { id, call } = await service.company()
  const before = await everythingOf(id)
  const mustTake = withBody.filter(({ method }) => method !== 'DELETE')
  await eachRoute(mustTake, async (route) => {
    for (const body of notJson(route).filter((text) => text !== '' || !route.body?.isOptional))
      assertProblem(await call(route.method, pathOf(route), body), 400, 'malformed_body', body)
  })
  await eachRoute(withBody, async (route) => {
    for (const body of route.isBulk ? noBulk(route) : noObject(route))
      assertProblem(await call(route.method, pathOf(route), body), 400, 'validation_failed', body)
  })
  await eachRoute(
    withBody.filter(({ isBulk }) => isBulk),
    async (route) => {
      const { status, body } = await call(route.method, pathOf(route), [
        null,
        1,
        'a',
        true,
        [],
        [{}],
        { id: 1 },
        { id: {} },
      ])
      assert.equal(status, 200)
      assert.equal(body.summary.failed, 8)
      for (const { error } of body.results) assert.equal(error.statusCode, 400)
    },
  )
  assert.deepEqual(await everythingOf(id), before)
})

test('an empty JSON body is no body: every write that needs none accepts it, for clients that always send the content type', async () => {
  const { call } = await service.company()
  const needsNone = routes.filter(
    ({ method, surface, body, takesFile }) =>
      surface === 'company' && method !== 'GET' && !takesFile && (!body || body.isOptional),
  )
  assert.ok(needsNone.some(({ path }) => path === '/v1/sale/{orderId}/void'))
  await eachRoute(needsNone, async (route) => {
    for (const body of ['', ' \n']) {
      const { body: answer } = await call(route.method, pathOf(route), body)
      assert.notEqual(answer.code, 'malformed_body', answer.message)
    }
  })
})

test('every route for a record refuses one whose members all have a wrong type, naming each', async () => {
  const { id, call } = await service.company()
  const before = await everythingOf(id)
  const taking = withBody.filter((route) => servedBy(route) && route.method !== 'DELETE')
  await eachRoute(taking, async (route) => {
    // The path of an upsert has the pair.
    const isElsewhere = (member: string) => isUpsert(route) && route.path.includes(`{${member}}`)
    const members = Object.entries(servedBy(route)?.members ?? {}).filter(([member]) => !isElsewhere(member))
    const body = Object.fromEntries(members.map(([member, { wrong }]) => [member, wrong[0]?.[0]]))
    const { status, body: reply } = await call(
      route.method,
      pathOf(route),
      route.isBulk ? [{ ...body, id: noId }] : body,
    )
    assert.equal(status, route.isBulk ? 200 : 400)
    const { code, errors } = route.isBulk ? reply.results[0].error : reply
    assert.equal(code, 'validation_failed')
    const named = new Set(errors.map(({ pointer }: Body) => pointer.split('/').at(route.isBulk ? 2 : 1)))
    assert.deepEqual([...named].sort(), members.map(([member]) => member).sort())
  })
  assert.deepEqual(await everythingOf(id), before)
})

test('every route with a body answers 415 if its type is not JSON', async () => {
  const { key, call } = await service.company()
  const others = inTurn([
    { 'content-type': 'text/xml' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'json' },
    { 'content-type': ';' },
    { 'content-encoding': 'gzip' },
  ])
  const same = inTurn(['Application/JSON', 'application/json; charset=UTF-8', 'application/json;charset="utf-8"'])
  await eachRoute(withBody, async (route) => {
    for (const headers of others(route)) {
      const reply = await call(route.method, pathOf(route), '{}', headers as Record<string, string>)
      assertProblem(reply, 415, 'unsupported_media_type', JSON.stringify(headers))
    }
    const own = route.surface === 'organization' ? `x-org-api-key: ${service.organizationKey}` : `x-api-key: ${key}`
    const head = `${route.method} ${pathOf(route)} HTTP/1.1\r\nhost: a\r\n${own}\r\nconnection: close\r\n`
    assertProblem(await raw(service.url, `${head}content-length: 2\r\n\r\n{}`), 415, 'unsupported_media_type')
    for (const type of same(route))
      assert.notEqual((await call(route.method, pathOf(route), '{}', { 'content-type': type })).status, 415, type)
  })
})

test('every route refuses an unknown query parameter, also under names that JavaScript knows', async () => {
  const { call } = await service.company()
  const others = inTurn(['__proto__', 'constructor', 'toString', 'bogus[gte]', '__proto__[a]', 'hasOwnProperty'])
  await eachRoute(routes, async (route) => {
    for (const name of ['bogus', ...others(route)]) {
      const reply = await call(route.method, `${pathOf(route)}?${name}=1`, someBody(route))
      const { errors } = assertProblem(reply, 400, 'validation_failed', name)
      assert.deepEqual([errors[0].in, errors[0].pointer, errors[0].code], ['query', name, 'unknown'])
    }
  })
})
