// What holds for every route of the service: whom it answers, by which key and permission.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissions } from '../src/core/scope.ts'
import { neededPermissions } from '../src/http/route.ts'
import { extensionRequest, isOfExtensions } from './support/extensions.ts'
import { filePath, isOfFiles } from './support/files.ts'
import { assertProblem } from './support/problem.ts'
import { eachRoute, inTurn, keyed, keyless, pathOf, routes } from './support/routes.ts'
import { sharedService } from './support/service.ts'
import { nowhere, someBody } from './support/sweep.ts'

const service = sharedService()

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
  ['undoImport', /a key with the permissions create, update and delete/],
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
