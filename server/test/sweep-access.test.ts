// What holds for every route of the service: whom it answers, by which key and permission, and that another company’s records are as unknown ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissions } from '../src/core/scope.ts'
import { neededPermissions } from '../src/http/route.ts'
import { fullBody, leastBody } from './support/bodies.ts'
import { closingResourceOf } from './support/closing-routes.ts'
import { type Body, type Contract, contracts } from './support/contract.ts'
import { customResourceOf } from './support/custom-table-routes.ts'
import { isOfExports } from './support/exports.ts'
import { extensionRequest, isOfExtensions } from './support/extensions.ts'
import { filePath, isOfFiles } from './support/files.ts'
import { isOfImports } from './support/imports.ts'
import { assertProblem } from './support/problem.ts'
import { each, eachRoute, inTurn, keyed, keyless, noId, pathOf, routes, servedBy } from './support/routes.ts'
import { sharedService } from './support/service.ts'
import { companiesOf, nowhere, someBody } from './support/sweep.ts'
import { isOfDeliveries } from './support/webhook-routes.ts'

const service = sharedService()
const { stocked, everythingOf } = companiesOf(service)

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
        if (needsMore !== undefined && permission === 'create')
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
