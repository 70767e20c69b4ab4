// What holds for every route of the service: authentication, refusals, and that each response matches the reference.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissions } from '../src/core/scope.ts'
import { neededPermissions, type Route } from '../src/http/route.ts'
import { fullBody, leastBody } from './support/bodies.ts'
import { closingRequest, closingResourceOf, makeClosing } from './support/closing-routes.ts'
import { type Body, type Contract, contracts } from './support/contract.ts'
import { customRequest, customResourceOf, isOfCustomTables, stockCustomTables } from './support/custom-table-routes.ts'
import { assertDeclared, assertExamples } from './support/declared.ts'
import { exportDone, exportSuccess, isOfExports } from './support/exports.ts'
import { extensionRequest, isOfExtensions, makeExtension } from './support/extensions.ts'
import { attachmentWithFile, filePath, fileSuccess, isOfFiles } from './support/files.ts'
import { csvOf, importSuccess, isOfImports, reached, sent, shirt } from './support/imports.ts'
import { isOfOrganization, organizationRequest } from './support/organization-routes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { raw } from './support/raw.ts'
import { isRestore, restorePath } from './support/restore-routes.ts'
import {
  each,
  eachRoute,
  every,
  inTurn,
  keyed,
  keyless,
  neededQuery,
  noId,
  pathOf,
  routes,
  servedBy,
  withBody,
} from './support/routes.ts'
import { isOfSales, saleRequest } from './support/sale-routes.ts'
import { awayProvider, type Company, type Reply, testService } from './support/service.ts'
import { isUpsert, upsertRequest } from './support/upsert-routes.ts'
import { deliveryRequest, isOfDeliveries } from './support/webhook-routes.ts'

const service = testService({ openId: awayProvider })

/** A body that is JSON, for routes with one: these checks happen before the body is read. */
const someBody = ({ body }: Route) => (body ? {} : undefined)
const nowhere = 'posk_000000000000000000000000000000000000'

test('the routes are those of all resources in both styles, whoami, health and the reference, each once', () => {
  const names = every.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(names).size, names.length)
  assert.equal(new Set(every.map(({ operationId }) => operationId)).size, every.length)
  for (const name of ['GET /v1/whoami', 'GET /v1/public/health', 'GET /v1/openapi.json', 'GET /docs'])
    assert.ok(names.includes(name), name)
  for (const { one, many, styleA } of contracts) {
    const single = (path: string, update: string) =>
      ['POST', 'GET', update, 'DELETE'].map((method) => `${method} ${path}${method === 'POST' ? '' : '/{id}'}`)
    const bulk = ['POST', 'GET', 'PATCH', 'DELETE'].map((method) => `${method} /v1/${many}`)
    const all = [...single(`/v1/${one}`, 'PATCH'), ...bulk]
    for (const path of styleA?.one ?? []) all.push(...single(`/v1/api/${path}`, 'PUT'))
    if (styleA) all.push(`GET /v1/api/${styleA.list}`)
    for (const name of all) assert.ok(names.includes(name), name)
  }
})

test('every route except the public ones answers 401 missing_key without a key, with an empty one, and with one in another header', async () => {
  const others = inTurn([{ 'x-api-key': '' }, { authorization: `Bearer ${nowhere}` }, { 'api-key': nowhere }])
  await eachRoute(keyed, async (route) => {
    // Where a key may be a bearer token, that header has one.
    const elsewhere = others(route).filter((headers) => !(route.takesBearer && 'authorization' in headers))
    for (const headers of [{}, ...elsewhere])
      assertProblem(await service.caller(headers)(route.method, pathOf(route), someBody(route)), 401, 'missing_key')
  })
})

test('every route answers 401 invalid_key to a mistyped or unknown key', async () => {
  const { key } = await service.company()
  const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  const others = inTurn([nowhere, 'x', `${key}, ${key}`, key.toUpperCase()])
  await eachRoute(keyed, async (route) => {
    const header = route.surface === 'company' ? 'x-api-key' : 'x-org-api-key'
    for (const value of [mistyped, ...others(route)]) {
      const reply = await service.caller({ [header]: value })(route.method, pathOf(route), someBody(route))
      assertProblem(reply, 401, 'invalid_key', value.slice(0, 8))
    }
  })
})

test('every route answers 400 conflicting_credentials to both headers, valid or not', async () => {
  const { key } = await service.company()
  const pairs = inTurn([
    [key, service.organizationKey],
    ['x', service.organizationKey],
    [key, 'x'],
  ])
  await eachRoute(keyed, async (route) => {
    for (const [company = '', organization = ''] of pairs(route)) {
      const headers = { 'x-api-key': company, 'x-org-api-key': organization }
      const reply = await service.caller(headers)(route.method, pathOf(route), someBody(route))
      assertProblem(reply, 400, 'conflicting_credentials')
    }
  })
})

test('a key in the header of the other kind is refused by every route', async () => {
  const { key } = await service.company()
  await eachRoute(keyed, async (route) => {
    const call = (headers: Record<string, string>) =>
      service.caller(headers)(route.method, pathOf(route), someBody(route))
    const organizationKey = await call({ 'x-api-key': service.organizationKey })
    const companyKey = await call({ 'x-org-api-key': key })
    if (route.surface === 'company') {
      assertProblem(organizationKey, 401, 'invalid_key')
      assertProblem(companyKey, 401, 'missing_key')
    } else {
      assertProblem(organizationKey, 401, 'missing_key')
      assertProblem(companyKey, 403, 'key_not_bound')
    }
  })
})

test('public routes ignore key headers, except the one that shows companies their own document', async () => {
  const { call } = await service.company()
  await eachRoute(keyless, async (route) => {
    const path = isOfFiles(route)
      ? await filePath(call, route)
      : (isOfExtensions(route) ? await extensionRequest(call, route) : route).path
    for (const headers of [{}, { 'x-api-key': 'x' }, { 'x-api-key': 'x', 'x-org-api-key': 'x' }]) {
      const reply = await service.caller(headers)(route.method, path)
      assert.equal(reply.status, 200, reply.text)
    }
  })
  const others = routes.filter((route) => route.surface === 'public' && !keyless.includes(route))
  assert.deepEqual(
    others.map(({ path }) => path),
    ['/v1/openapi.json'],
  )
})

/** Operations that need further permissions, and the response to a key without them. */
const moreNeeded = new Map([
  ['runImport', /no permission to update/],
  ['undoImport', /a key that may create, update and delete/],
])

test('a key with one permission is accepted where the verb needs it, and gets 403 everywhere else', async () => {
  const { id } = await service.company()
  for (const permission of permissions) {
    const { call } = await service.keyFor(id, [permission])
    await eachRoute(
      keyed.filter(({ surface }) => surface === 'company'),
      async (route) => {
        const reply = await call(route.method, pathOf(route), someBody(route))
        // A run changes existing records, and an undo deletes too: their verb's permission is not enough.
        const needsMore = moreNeeded.get(route.operationId)
        if (isUpsert(route) && permission === 'update')
          assert.match(assertProblem(reply, 403, 'permission_denied').message, /no permission to create/)
        else if (needsMore !== undefined && permission === 'create')
          assert.match(assertProblem(reply, 403, 'permission_denied').message, needsMore)
        else if (neededPermissions(route).join() === permission)
          assert.ok(![401, 403].includes(reply.status), reply.text)
        else assertProblem(reply, 403, 'permission_denied')
      },
    )
  }
})

test('a key without any permission is refused by every route, and HEAD needs the permission to read', async () => {
  const { id } = await service.company()
  const { call } = await service.keyFor(id, [])
  const { call: writing } = await service.keyFor(id, ['create', 'update', 'delete'])
  await eachRoute(
    keyed.filter(({ surface }) => surface === 'company'),
    async (route) => {
      assertProblem(await call(route.method, pathOf(route), someBody(route)), 403, 'permission_denied')
      if (route.method === 'GET') assert.equal((await writing('HEAD', pathOf(route))).status, 403)
    },
  )
})

/** A company with one full record of each resource. */
async function stocked(): Promise<{ company: Company; records: Map<string, Body> }> {
  const company = await service.company()
  const records = new Map<string, Body>()
  for (const contract of contracts) {
    const reply = await company.call('POST', `/v1/${contract.one}`, fullBody(contract))
    assert.equal(reply.status, 201, reply.text)
    records.set(contract.one, reply.body)
  }
  const { ids } = await stockCustomTables(company.call)
  for (const [name, id] of Object.entries(ids)) records.set(name, { id })
  records.set('closing', await makeClosing(company.call))
  records.set('extension', await makeExtension(company.call))
  const { id } = await sent(company.call, csvOf(shirt))
  records.set('import', await reached(company.call, id, 'ready'))
  records.set('export', { id: await exportDone(company.call) })
  records.set('file', { id: await attachmentWithFile(company.call) })
  return { company, records }
}

/** The id of the existing record that a route serves. */
const idOf = (route: Route, records: ReadonlyMap<string, Body>): string | undefined =>
  records.get(
    isOfExtensions(route)
      ? 'extension'
      : isOfImports(route)
        ? 'import'
        : isOfExports(route)
          ? 'export'
          : isOfFiles(route)
            ? 'file'
            : (servedBy(route)?.one ?? closingResourceOf(route) ?? ''),
  )?.id

/** All rows of a company in the database, including events, after its initial work is done. */
async function everythingOf(companyId: string): Promise<unknown> {
  await until('the company is a customer of the payment processor', async () => {
    const [row] = await service.database.query('select state from payment_customers where company_id = $1', [companyId])
    return row?.[0] === 'done'
  })
  const tables = await service.database.query(
    `select table_name from information_schema.columns where column_name = 'company_id' and table_schema = 'public'
     and table_name not like 'events\\_%' and table_name not in ('api_keys', 'key_requests') order by 1`,
  )
  const all: Record<string, unknown> = {}
  for (const [table] of tables)
    all[table] = await service.database.query(
      `select to_json(stored)::text from ${table} as stored where company_id = $1 order by 1`,
      [companyId],
    )
  return all
}

test('a route with another company’s id answers as for an unknown id, and nothing of that company changes', async () => {
  const { company: owner, records } = await stocked()
  const { call } = await service.company()
  const before = await everythingOf(owner.id)
  const withId = routes.filter(({ path, surface }) => surface === 'company' && path.includes('{id}'))
  await eachRoute(withId, async (route) => {
    const contract = servedBy(route)
    const ofTrigger = isOfDeliveries(route)
    const ofFile = (isOfImports(route) && 'import') || (isOfExports(route) && 'export') || (isOfFiles(route) && 'file')
    const known = records.get(
      ofTrigger
        ? 'automation-trigger'
        : ofFile || (contract?.one ?? closingResourceOf(route) ?? customResourceOf(route)),
    )
    assert.ok(known, 'serves a record of no known resource; the sweep must learn of it')
    const { id } = known as { id: string }
    const example = ofTrigger ? route.body?.example : {}
    const file = route.takesFile && Buffer.from('a file')
    const body = route.body ? (contract ? leastBody(contract) : example) : file
    const headers = file && { 'content-type': 'text/plain' }
    const theirs = assertProblem(await call(route.method, pathOf(route, id), body, headers), 404, 'not_found')
    const none = assertProblem(await call(route.method, pathOf(route), body, headers), 404, 'not_found')
    assert.equal(theirs.message.replace(id, noId), none.message)
    // An invalid body is refused, whether the record exists or not.
    if (route.body) assertProblem(await call(route.method, pathOf(route, id), { bogus: 1 }), 400, 'validation_failed')
  })
  const bulk = routes.filter(({ isBulk, method }) => isBulk && method !== 'POST')
  await eachRoute(bulk, async (route) => {
    const contract = servedBy(route) as Contract
    const { id } = records.get(contract.one) as { id: string }
    const { status, body } = await call(route.method, pathOf(route), [
      { id, ...(route.method === 'PATCH' && leastBody(contract)) },
    ])
    assert.equal(status, 200)
    assert.deepEqual([body.results[0].status, body.results[0].error.code], ['error', 'not_found'])
  })
  const lists = routes.filter(
    ({ method, path, surface }) => method === 'GET' && surface === 'company' && !path.includes('{'),
  )
  await eachRoute(lists, async (route) => {
    const { text } = await call(route.method, pathOf(route))
    for (const { id } of records.values()) assert.ok(!text.includes(id))
    assert.ok(!text.includes(owner.id))
  })
  assert.deepEqual(await everythingOf(owner.id), before)
})

test('a list filtered by another company’s ids and values, or with its cursor, shows nothing of it', async () => {
  const { company: owner, records } = await stocked()
  const { company: other } = await stocked()
  await each(
    contracts,
    ({ many }) => many,
    async ({ one, many, exact }) => {
      await owner.call('POST', `/v1/${one}`, fullBody(contracts.find((contract) => contract.one === one) as Contract))
      const { nextCursor } = (await owner.call('GET', `/v1/${many}?limit=1`)).body.meta
      const record = records.get(one) as Body
      const filters = exact.map((member) => `${member}=${encodeURIComponent(String(record[member]))}`)
      for (const query of [`cursor=${nextCursor}`, ...filters]) {
        const { status, body, text } = await other.call('GET', `/v1/${many}?${query}`)
        assert.equal(status, 200, text)
        for (const { companyId } of body.data) assert.ok([undefined, other.id].includes(companyId), text)
        assert.ok(!text.includes(record.id), text)
      }
    },
  )
})

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

test('every path answers 405 to a method that it does not support, and Allow lists those that it does', async () => {
  const { call } = await service.company()
  const callers = inTurn([call, service.caller()])
  const paths = [...Map.groupBy(every, ({ path }) => path)]
  const patternOf = (path: string) =>
    new RegExp(
      `^${path
        .split(/\{\w+\}/)
        .map(RegExp.escape)
        .join('[^/{]+')}$`,
    )
  await each(
    paths,
    ([path]) => path,
    async ([path, own]) => {
      // Another method may reach a path that has a parameter in place of a word: /passkeys/{id} for /passkeys/options.
      const others = every.filter((other) => other.path !== path && patternOf(other.path).test(path))
      const elsewhere: string[] = others.map(({ method }) => method)
      const taken: string[] = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']) {
        if (taken.includes(method) || elsewhere.includes(method)) continue
        for (const caller of callers(own[0] as Route)) {
          const reply = await caller(method, pathOf(own[0] as Route), method === 'GET' ? undefined : '{')
          assertProblem(reply, 405, 'method_not_allowed', method)
          assert.deepEqual(reply.headers.get('allow')?.split(', '), taken.toSorted())
        }
      }
      if (taken.includes('HEAD')) return
      const { status, headers, text } = await call('HEAD', pathOf(own[0] as Route))
      assert.deepEqual([status, headers.get('allow'), text], [405, taken.toSorted().join(', '), ''])
    },
  )
})

test('every response to a key, also an error, is stored by no shared cache, revalidated by others, and stored by none if it may contain a secret', async () => {
  // Another route can read what one route deletes.
  const [toRead, toWrite] = [await stocked(), await stocked()]
  await eachRoute(routes, async (route) => {
    const { company, records } = route.method === 'GET' ? toRead : toWrite
    const ofCustom = isOfCustomTables(route) && route.isRecord && (await customRequest(company.call, route)).path
    const ofOrganization = isOfOrganization(route) && (await organizationRequest(company, route)).path
    const path = ofOrganization || ofCustom || pathOf(route, idOf(route, records))
    const own =
      route.surface === 'organization' ? { 'x-org-api-key': service.organizationKey } : { 'x-api-key': company.key }
    const wrong = Object.fromEntries(Object.keys(own).map((name) => [name, nowhere]))
    const replies = [
      await service.caller(own)(route.method, path, someBody(route)),
      await service.caller(own)(route.method, `${path}?bogus=1`, someBody(route)),
      await service.caller(own)(route.method, path, route.body && '{'),
      await service.caller(wrong)(route.method, path, someBody(route)),
      await service.caller()(route.method, path, someBody(route)),
    ]
    if (route.method === 'GET' && route.isRecord) {
      const known = await company.call('GET', path, undefined, { 'if-none-match': '*' })
      assert.equal(known.status, 304)
      replies.push(known)
    }
    for (const [index, { status, headers }] of replies.entries()) {
      const reported = [headers.get('cache-control'), headers.get('vary')]
      const hadKey = index !== 4
      const names =
        route.surface === 'company'
          ? 'x-api-key, apikey, cookie, x-company-id'
          : 'x-org-api-key, cookie, x-organization-id'
      if (route.takesCompanyKey)
        assert.deepEqual(
          [reported[0] === 'private, no-cache', reported[1]],
          [hadKey, `x-api-key, cookie, x-company-id${status === 200 ? ', accept-encoding' : ''}`],
        )
      else if (route.surface === 'public') assert.notEqual(reported[0], 'private, no-cache')
      else assert.deepEqual(reported, [route.hasSecret ? 'no-store' : 'private, no-cache', names], String(status))
    }
  })
})

test('every response has the request id that was sent, or a new one, in its header and in its error', async () => {
  const { call } = await service.company()
  const ours = new Set<string | null>()
  let unfitOnes = 0
  const unfits = inTurn(['', 'a b', 'x'.repeat(129), 'ä'])
  await eachRoute(every, async (route) => {
    const sent = `our-${route.operationId}`
    const answered = await call(route.method, pathOf(route), someBody(route), { 'x-request-id': sent })
    assert.equal(answered.headers.get('x-request-id'), sent)
    if (answered.status >= 400) assert.equal(answered.body.requestId, sent)
    for (const unfit of unfits(route)) {
      const { headers, status, body } = await call(route.method, pathOf(route), someBody(route), {
        'x-request-id': unfit,
      })
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
      ours.add(headers.get('x-request-id'))
      unfitOnes++
      if (status >= 400) assert.equal(body.requestId, headers.get('x-request-id'))
    }
  })
  assert.equal(ours.size, unfitOnes)
})

test('HEAD answers every GET route with the status and the headers of GET, and no body', async () => {
  const { company, records } = await stocked()
  await eachRoute(
    routes.filter(({ method }) => method === 'GET'),
    async (route) => {
      const id = idOf(route, records) ?? noId
      for (const path of [pathOf(route, id), pathOf(route), `${pathOf(route)}?bogus=1`]) {
        const plain = { 'accept-encoding': 'identity' }
        const get = await company.call('GET', path, undefined, plain)
        const head = await company.call('HEAD', path, undefined, plain)
        assert.deepEqual([head.status, head.text], [get.status, ''])
        // A stream has no length.
        if (get.headers.has('content-length'))
          assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(get.text))
        for (const name of ['content-type', 'link', 'cache-control'])
          assert.equal(head.headers.get(name), get.headers.get(name))
      }
    },
  )
})

/** Successful calls of a route, with the minimum of members and with all. */
async function successes(route: Route, contract: Contract | undefined, company: Company): Promise<Reply[]> {
  const { method, path } = route
  const { call } = company
  if (isOfOrganization(route)) {
    const request = await organizationRequest(company, route)
    return [await call(method, request.path, request.body)]
  }
  if (isOfCustomTables(route)) {
    const requests = [await customRequest(call, route), await customRequest(call, route, false)]
    return Promise.all(requests.map((request) => call(method, request.path, request.body)))
  }
  if (isOfExtensions(route)) {
    const requests = [await extensionRequest(call, route), await extensionRequest(call, route, false)]
    return Promise.all(requests.map((request) => call(method, request.path, request.body)))
  }
  if (isOfDeliveries(route)) {
    const request = await deliveryRequest(service, company, route)
    return [await call(method, request.path, request.body)]
  }
  if (isOfImports(route)) return [await importSuccess(call, route)]
  if (isOfExports(route)) return [await exportSuccess(call, route)]
  if (isOfFiles(route)) return [await fileSuccess(call, route)]
  if (closingResourceOf(route)) {
    const request = await closingRequest(call, route)
    return [await call(method, request.path, request.body)]
  }
  if (isRestore(route)) return [await call(method, await restorePath(call, route))]
  if (isUpsert(route)) {
    const { path, body } = upsertRequest(route)
    return [await call(method, path, body), await call(method, path, body)]
  }
  if (isOfSales(route)) {
    const request = await saleRequest(call, route)
    return [await call(method, request.path, request.body)]
  }
  if (path.endsWith('/{customerId}')) {
    const { id: customerId } = (await call('POST', '/v1/customer', { firstName: 'Ada' })).body
    await call('POST', '/v1/order', { customerId, lineItems: [{ name: 'Cup', quantity: 1, total: '2.00' }] })
    return [await call(method, pathOf(route, customerId))]
  }
  if (contract === undefined) return [await call(method, path + neededQuery(route), route.body?.example)]
  const fresh = async (n: 0 | 1 = 0) =>
    (await call('POST', `/v1/${contract.one}`, fullBody(contract, n))).body.id as string
  const hasId = path.endsWith('/{id}')
  if (route.isBulk && method === 'POST') {
    const items = [
      { ...fullBody(contract), clientRef: 'a' },
      fullBody(contract, 1),
      leastBody(contract),
      { clientRef: 'b', bogus: 1 },
      7,
    ]
    return [await call(method, path, { items }), await call(method, path, items)]
  }
  if (route.isBulk) {
    const body = method === 'PATCH' ? fullBody(contract, 1) : {}
    const id = await fresh()
    return [
      await call(method, path, {
        items: [{ id, clientRef: 'a', ...body }, { id, clientRef: 'b' }, { id: noId }, {}, 7],
      }),
    ]
  }
  if (method === 'POST')
    return [
      await call(method, path, fullBody(contract)),
      await call(method, path, fullBody(contract, 1)),
      await call(method, path, leastBody(contract)),
    ]
  if (!hasId) {
    await fresh()
    await fresh(1)
    const limited = `${path}?limit=1`
    return [await call(method, path), await call(method, limited), await call(method, `${limited}&skip=1`)]
  }
  if (method === 'PUT' || method === 'PATCH') {
    const id = await fresh()
    return [await call(method, pathOf(route, id), fullBody(contract, 1)), await call(method, pathOf(route, id), {})]
  }
  return [await call(method, pathOf(route, await fresh())), await call(method, pathOf(route, await fresh(1)))]
}

test('every success of every route matches its schema in the reference, member for member', async () => {
  const shown = routes.filter(({ isHidden }) => !isHidden)
  await eachRoute(shown, async (route) => {
    for (const reply of await successes(route, servedBy(route), await service.company())) {
      assert.ok(reply.status < 300, reply.text)
      const { contentType = 'application/json' } = route.replies[reply.status] ?? {}
      if (contentType !== '*/*') assert.equal(reply.headers.get('content-type'), `${contentType}; charset=utf-8`)
      assertDeclared(route, reply)
    }
  })
})

test('every example of the reference is accepted unchanged, and every example response matches its schema', async () => {
  await eachRoute(
    routes.filter(({ isHidden }) => !isHidden),
    async (route) => {
      const { call } = await service.company()
      assertExamples(route)
      if (route.body === undefined || route.path.includes('{')) return
      // What an example refers to has to exist.
      const { tableId, rowId, fieldId } = isOfCustomTables(route) ? ((await customRequest(call, route)).body ?? {}) : {}
      const { example } = route.body
      const there = Object.entries({ tableId, rowId, fieldId }).filter(([, id]) => id !== undefined)
      const sent = there.length > 0 ? { ...(example as Body), ...Object.fromEntries(there) } : example
      const { status, text, body } = await call(route.method, route.path, sent)
      assert.ok(status < 300, text)
      if (route.isBulk && route.method === 'POST') assert.equal(body.summary.failed, 0, text)
    },
  )
})
