// GET /v1/openapi.json with a company's key (decisions §7, §12): its errors, and that each company sees its own schemas and no others.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { JsonSchema } from '../src/core/json-schema.ts'
import { findKept } from '../src/engine/idempotency.ts'
import { KeyCache } from '../src/features/keys/key-cache.ts'
import { deleteKey, newKeyValue } from '../src/features/keys/key-store.ts'
import { CACHED_DOCUMENTS, type CompanyRoutes, referenceRoutes } from '../src/features/reference/routes.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import type { Route } from '../src/http/route.ts'
import { createServer } from '../src/http/server.ts'
import { sealOf } from '../src/seal.ts'
import { assertProblem } from './support/problem.ts'
import { type Reply, sharedService, testSettings } from './support/service.ts'

const service = sharedService()
const path = '/v1/openapi.json'

/** The document for some headers. */
const read = (headers: Record<string, string> = {}, at = service.url) =>
  service.caller({ 'accept-encoding': 'identity', ...headers }, at)('GET', path)
const cachingOf = ({ headers }: Reply) => [headers.get('cache-control'), headers.get('vary')]
const varies = 'x-api-key, cookie, x-company-id'
const refused = ['private, no-cache', varies]
const toAKey = ['private, no-cache', `${varies}, accept-encoding`]
const toAnybody = ['no-cache', `${varies}, accept-encoding`]

test('a company without columns of its own gets the plain document, and only its own caches may store it', async () => {
  const plain = await read()
  assert.equal(plain.status, 200)
  assert.deepEqual(cachingOf(plain), toAnybody)
  const { key } = await service.company()
  const own = await read({ 'x-api-key': key })
  assert.equal(own.status, 200)
  assert.deepEqual(cachingOf(own), toAKey)
  assert.equal(own.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(own.text, plain.text)
  const { valid, errors } = await new Validator().validate(own.body)
  assert.deepEqual({ valid, errors }, { valid: true, errors: undefined })
})

test('without x-api-key anyone gets the plain document, whatever other headers contain', async () => {
  const { text } = await read()
  const { key } = await service.company()
  for (const headers of [
    { 'x-org-api-key': service.organizationKey },
    { 'x-org-api-key': 'nonsense' },
    { 'x-org-api-key': key },
    { apiKey: key },
    { apiKey: 'nonsense' },
    { apiKey: 'nonsense', 'x-org-api-key': 'nonsense' },
    { authorization: `Bearer ${key}` },
  ] as Record<string, string>[]) {
    const reply = await read(headers)
    assert.equal(reply.status, 200, JSON.stringify(headers))
    assert.equal(reply.text, text)
    assert.deepEqual(cachingOf(reply), toAnybody)
    assert.equal(reply.headers.get('deprecation'), null)
  }
})

test('an invalid key in x-api-key is refused as everywhere', async () => {
  const { id, key } = await service.company()
  const expired = await service.keyFor(id, ['read'], '2020-01-01T00:00:00.000Z')
  const deleted = await service.keyFor(id)
  await deleteKey(service.database, deleted.id)
  const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  const organization = service.organizationKey
  for (const value of [
    'x',
    mistyped,
    newKeyValue('company'),
    `${key}, ${key}`,
    expired.value,
    deleted.value,
    organization,
  ]) {
    const reply = await read({ 'x-api-key': value })
    assertProblem(reply, 401, 'invalid_key', value.slice(0, 8))
    assert.deepEqual(cachingOf(reply), refused)
  }
  // A caller that sends the header must not mistake the plain document for its company's own.
  assertProblem(await read({ 'x-api-key': '' }), 401, 'missing_key')
  for (const [one, other] of [
    [key, organization],
    [key, 'x'],
    ['x', organization],
  ] as const) {
    const reply = await read({ 'x-api-key': one, 'x-org-api-key': other })
    assertProblem(reply, 400, 'conflicting_credentials')
    assert.deepEqual(cachingOf(reply), refused)
  }
})

test('the key needs the permission to read, also for HEAD', async () => {
  const { id } = await service.company()
  const reading = await service.keyFor(id, ['read'])
  const writing = await service.keyFor(id, ['create', 'update', 'delete'])
  for (const method of ['GET', 'HEAD']) {
    assert.equal((await reading.call(method, path)).status, 200)
    const reply = await writing.call(method, path)
    assert.equal(reply.status, 403)
    assert.deepEqual(cachingOf(reply), refused)
  }
  assertProblem(await writing.call('GET', path), 403, 'permission_denied')
  // Without a key the document is public; it says what a key can be refused for.
  const { responses } = (await service.caller()('GET', path)).body.paths[path].get
  for (const status of [400, 401, 403]) assert.ok(status in responses, `${status} is described`)
})

const deleted = { title: 'Deleted', type: 'object', properties: { message: { type: 'string' } } }
const idOf = { type: 'string', description: 'Its id.', examples: ['6740a1f2c3d4e5f6a7b8c9d0'] }

/** Routes of a shop with guests and rooms; guests can have further members. */
function guestRoutes(columns: Record<string, JsonSchema> = {}, removed: JsonSchema = deleted): Route[] {
  const guest = { title: 'Guest', type: 'object', properties: { name: { type: 'string' }, ...columns } }
  const page = { title: 'GuestPage', type: 'object', properties: { data: { type: 'array', items: guest } } }
  const route = (method: Route['method'], of: string, operationId: string, schema: JsonSchema): Route => ({
    method,
    path: of,
    surface: 'company',
    operationId,
    tag: 'Shop',
    summary: operationId,
    params: { id: idOf },
    replies: { 200: { description: 'It.', schema } },
    handle: () => ({ status: 200, body: '{}' }),
  })
  return [
    route('GET', '/v1/guests', 'listGuests', page),
    route('GET', '/v1/guest/{id}', 'readGuest', guest),
    route('DELETE', '/v1/guest/{id}', 'deleteGuest', removed),
  ]
}
const roomRoutes: Route[] = [
  {
    method: 'DELETE',
    path: '/v1/room/{id}',
    surface: 'company',
    operationId: 'deleteRoom',
    tag: 'Shop',
    summary: 'deleteRoom',
    params: { id: idOf },
    replies: { 200: { description: 'It.', schema: deleted } },
    handle: () => ({ status: 200, body: '{}' }),
  },
]
const columnsOf = (word: string) => ({ [word]: { type: 'object', properties: { points: { type: 'number' } } } })

/** A server with that shop, where companies see `companyRoutes`. Also returns the routes of each built document. */
async function shop(t: TestContext, companyRoutes: CompanyRoutes, bounds = {}) {
  const made: (readonly Route[] | undefined)[] = []
  const plain = [...guestRoutes(), ...roomRoutes]
  const keys = new KeyCache(service.database)
  const server = createServer({
    routes: [
      ...plain,
      ...referenceRoutes((routes) => {
        made.push(routes)
        return openApiDocument(routes ?? plain, { Shop: 'A shop.' })
      }, companyRoutes),
    ],
    findKey: keys.find,
    keyUsed: keys.used,
    findKept: findKept(service.database),
    seal: sealOf(testSettings.secretKeys),
    log: testSettings.log,
    bounds,
  })
  t.after(() => server.close().then(() => keys.close()))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { made, url, readAs: (key?: string) => read(key === undefined ? {} : { 'x-api-key': key }, url) }
}

async function assertValid({ status, text }: Reply): Promise<void> {
  assert.equal(status, 200, text)
  const { valid, errors } = await new Validator().validate(JSON.parse(text))
  assert.deepEqual({ valid, errors }, { valid: true, errors: undefined })
}

test('each company sees its own schemas everywhere, valid, and everything else unchanged', async (t) => {
  const one = await service.company()
  const two = await service.company()
  const none = await service.company()
  const own = new Map([
    [one.id, guestRoutes(columnsOf('loyalty'))],
    [two.id, guestRoutes(columnsOf('allergies'))],
  ])
  const { readAs } = await shop(t, async ({ companyId }) => own.get(companyId))
  const plain = await readAs()
  for (const [company, word] of [
    [one, 'loyalty'],
    [two, 'allergies'],
    [one, 'loyalty'],
  ] as const) {
    const reply = await readAs(company.key)
    await assertValid(reply)
    assert.deepEqual(cachingOf(reply), toAKey)
    const shown = structuredClone(reply.body)
    assert.deepEqual(Object.keys(shown.components.schemas.Guest.properties), ['name', word])
    // Except for that member it is the plain one, in the same order.
    delete shown.components.schemas.Guest.properties[word]
    assert.equal(JSON.stringify(shown), plain.text)
  }
  for (const key of [none.key, undefined]) {
    const reply = await readAs(key)
    await assertValid(reply)
    assert.equal(reply.text, plain.text)
  }
})

test('a company’s own operations and schemas are in its document, each in its position', async (t) => {
  const { key } = await service.company()
  const tier = { title: 'Aardvark', type: 'string' }
  const routes = guestRoutes({ tier }).map((route) => ({ ...route, description: 'With a tier.' }))
  const { readAs } = await shop(t, async () => routes)
  const reply = await readAs(key)
  await assertValid(reply)
  const { paths, components } = reply.body
  assert.equal(components.schemas.Guest.properties.tier.$ref, '#/components/schemas/Aardvark')
  assert.deepEqual(Object.keys(components.schemas), Object.keys(components.schemas).toSorted())
  assert.deepEqual(Object.keys(paths), Object.keys((await readAs()).body.paths))
  for (const { path: at, method } of routes) assert.match(paths[at][method.toLowerCase()].description, /^With a tier/)
  assert.doesNotMatch(paths['/v1/room/{id}'].delete.description, /tier/)
})

test('the next request sees changed routes instead of the former ones; unchanged ones are not built again', async (t) => {
  const { id, key } = await service.company()
  const second = await service.keyFor(id)
  let own: Route[] | undefined
  const { made, readAs } = await shop(t, async () => own)
  const wordsSeen = async (by = key) =>
    Object.keys((await readAs(by)).body.components.schemas.Guest.properties).slice(1)
  assert.deepEqual(await wordsSeen(), [])
  own = guestRoutes(columnsOf('loyalty'))
  assert.deepEqual(await wordsSeen(), ['loyalty'])
  assert.deepEqual(await wordsSeen(second.value), ['loyalty'])
  const before = own
  own = guestRoutes({ ...columnsOf('loyalty'), ...columnsOf('car') })
  assert.deepEqual(await wordsSeen(), ['loyalty', 'car'])
  assert.deepEqual(await wordsSeen(second.value), ['loyalty', 'car'])
  const after = own
  own = undefined
  assert.deepEqual(await wordsSeen(), [])
  assert.deepEqual(made, [undefined, before, after])
})

test('with more companies than cached documents, each company sees its own', async (t) => {
  const companies = await Promise.all(Array.from({ length: CACHED_DOCUMENTS + 1 }, () => service.company()))
  const own = new Map(companies.map(({ id }) => [id, guestRoutes(columnsOf(`of-${id}`))]))
  const { made, readAs } = await shop(t, async ({ companyId }) => own.get(companyId))
  const rounds = 2
  for (let round = 0; round < rounds; round++)
    for (const { id, key } of companies)
      assert.ok((await readAs(key)).body.components.schemas.Guest.properties[`of-${id}`], id)
  // And only those are cached.
  assert.equal(made.length, 1 + rounds * companies.length)
})

test('routes that would change a shared schema are a fault of the service, and none of them is shown', async (t) => {
  const { id, key } = await service.company()
  const other = await service.company()
  const further: Route = { ...(guestRoutes()[0] as Route), method: 'POST', body: { schema: { type: 'object' } } }
  const elsewhere: Route = { ...(guestRoutes()[0] as Route), path: '/v1/visitors' }
  let own: Route[] = []
  const { readAs } = await shop(t, async ({ companyId }) => (companyId === id ? own : undefined))
  for (own of [
    guestRoutes({}, { ...deleted, properties: { message: { type: 'number' } } }),
    guestRoutes({ deleted: { ...deleted, type: 'string' } }),
    [...guestRoutes(), further],
    [...guestRoutes(), elsewhere],
  ])
    assertProblem(await readAs(key), 500, 'internal_error')
  own = guestRoutes()
  const plain = await readAs()
  assert.equal(plain.status, 200)
  assert.equal((await readAs(other.key)).text, plain.text)
  assert.equal((await readAs(key)).text, plain.text)
})

test('a company’s own document counts towards its budget for responses: beyond it, it is 503, and others are answered', async (t) => {
  const { id, key } = await service.company()
  const other = await service.company()
  const own = guestRoutes(columnsOf('loyalty'.repeat(2_000)))
  const { readAs } = await shop(t, async ({ companyId }) => (companyId === id ? own : undefined), {
    answersBytes: 20_000,
  })
  assertProblem(await readAs(key), 503, 'unavailable')
  assert.equal((await readAs(other.key)).status, 200)
  assert.equal((await readAs()).status, 200)
})
