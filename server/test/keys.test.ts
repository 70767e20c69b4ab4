// Keys (decisions §8): their format and permissions, that a deleted one is refused on every server, and that no value is stored.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { type Permission, permissions } from '../src/core/scope.ts'
import { type Connection, connect } from '../src/database/connect.ts'
import { findKept } from '../src/engine/idempotency.ts'
import { KeyCache } from '../src/features/keys/key-cache.ts'
import { createKey, deleteKey, listKeys } from '../src/features/keys/key-store.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import type { Route } from '../src/http/route.ts'
import { createServer } from '../src/http/server.ts'
import { sealOf } from '../src/seal.ts'
import { type Service, startService } from '../src/service.ts'
import { copyDatabase, testConnection } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { testSettings, textOf } from './support/service.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

let connection: Connection
let drop: () => Promise<void>
let service: Service
let organizationId: string
let organizationKey: string

before(async () => {
  const copy = await copyDatabase()
  connection = copy.connection
  drop = copy.drop
  service = await startService(connection, testSettings)
  const organization = await createOrganization(service.database, { name: 'Test' })
  organizationId = organization.organizationId
  organizationKey = organization.apiKey
})
after(async () => {
  await service.close()
  await drop()
})

const newCompany = () => createCompany(service.database, { name: 'Shop', currency: 'EUR', organizationId })
const newKey = (companyId: string, expiresAt?: string, allowed: readonly Permission[] = permissions) =>
  createKey(service.database, { companyId }, { name: 'Till', permissions: allowed, expiresAt })

async function get(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, text: await textOf(response) }
}
/** A request that only authenticates: whoami would also read the key's row. */
const products = (value: string, at: Service = service) => get(`${at.url}/v1/products`, { 'x-api-key': value })
const whoami = (value: string, at: Service = service) => get(`${at.url}/v1/whoami`, { 'x-api-key': value })

/** Repeats until the key is refused: the notification takes one trip through PostgreSQL. Without it, this fails. */
async function refused(value: string, at: Service = service) {
  for (let tries = 0; tries < 2_000; tries++) if ((await products(value, at)).status === 401) return
  assert.fail('the key is still taken')
}

test('a key is a prefix, 30 base62 characters, and their CRC32 in 6', async () => {
  const { companyId } = await newCompany()
  const { value } = await newKey(companyId)
  for (const [key, prefix] of [
    [value, 'posk_'],
    [organizationKey, 'poso_'],
  ] as const) {
    assert.match(key, new RegExp(`^${prefix}[0-9A-Za-z]{36}$`))
    let sum = 0
    for (const digit of key.slice(-6)) sum = sum * 62 + alphabet.indexOf(digit)
    assert.equal(sum, crc32(key.slice(5, 35)))
  }
})

test('a key with any one letter changed, left out, added or in the other case is refused', async () => {
  const { apiKey } = await newCompany()
  const wrong = Array.from(apiKey, (letter, n) => {
    const other = alphabet[(alphabet.indexOf(letter) + 1) % 62] as string
    return apiKey.slice(0, n) + other + apiKey.slice(n + 1)
  })
  wrong.push(apiKey.slice(1), apiKey.slice(0, -1), `${apiKey}0`, `0${apiKey}`, apiKey.toLowerCase(), apiKey.slice(5))
  wrong.push(`${apiKey},${apiKey}`, `Bearer ${apiKey}`, `"${apiKey}"`, `${apiKey} x`, 'null', '%00')
  for (const value of wrong) assertProblem(await whoami(value), 401, 'invalid_key', value)
  assert.equal((await whoami(apiKey)).status, 200)
})

test('a mistyped key is refused without the database: also while the database cannot be reached', async (t) => {
  const copy = await copyDatabase()
  const own = await startService(copy.connection, testSettings)
  t.after(() => own.close())
  const { organizationId: id } = await createOrganization(own.database, { name: 'Test' })
  const { apiKey } = await createCompany(own.database, { name: 'Shop', currency: 'EUR', organizationId: id })
  await copy.drop()
  const mistyped = apiKey.slice(0, 10) + (apiKey[10] === 'a' ? 'b' : 'a') + apiKey.slice(11)
  assertProblem(await whoami(mistyped, own), 401, 'invalid_key')
  // A well-formed key has to be looked up, which is impossible then.
  const reply = await whoami(apiKey, own)
  assertProblem(reply, 503, 'unavailable')
  assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
})

test('whoami shows the company, its currency and the key, and nothing else', async () => {
  const { companyId, apiKey, keyId } = await newCompany()
  const { status, text } = await whoami(apiKey)
  assert.equal(status, 200)
  const body = JSON.parse(text)
  assert.match(body.key.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const company = { id: companyId, name: 'Shop', organizationId, currency: 'EUR' }
  const key = { id: keyId, name: 'First key', status: 'active', permissions, createdAt: body.key.createdAt }
  assert.deepEqual(body, { company, currency: 'EUR', key })

  await service.database.query(`update companies set country = 'AT' where id = $1`, [companyId])
  const expiresAt = '2999-12-31T23:59:59.999Z'
  const limited = await newKey(companyId, expiresAt, ['read'])
  assert.deepEqual(JSON.parse((await whoami(limited.value)).text), {
    company: { ...company, country: 'AT' },
    currency: 'EUR',
    key: {
      ...key,
      id: limited.id,
      name: 'Till',
      permissions: ['read'],
      createdAt: JSON.parse((await whoami(limited.value)).text).key.createdAt,
      expiresAt,
    },
  })
})

test('whoami refuses an organization key, in either header, and a key in Authorization', async () => {
  assertProblem(await whoami(organizationKey), 401, 'invalid_key')
  const wrong = await get(`${service.url}/v1/whoami`, { 'x-org-api-key': organizationKey })
  const { message } = assertProblem(wrong, 401, 'missing_key')
  assert.equal(message, 'This request needs a company key in the header x-api-key, not x-org-api-key.')
  // As other services take keys, and as /mcp does.
  const bearer = await get(`${service.url}/v1/whoami`, { authorization: `Bearer ${organizationKey}` })
  const said = 'This request needs a company key in the header x-api-key, not Authorization.'
  assert.equal(assertProblem(bearer, 401, 'missing_key').message, said)
})

test('a key is refused from the moment it expires, also if it was used just before', async () => {
  const { companyId } = await newCompany()
  const past = await newKey(companyId, new Date(Date.now() - 1).toISOString())
  assertProblem(await products(past.value), 401, 'invalid_key')
  const soon = Date.now() + 700
  const { value } = await newKey(companyId, new Date(soon).toISOString())
  let accepted = 0
  for (;;) {
    const asked = Date.now()
    const { status } = await products(value)
    if (asked >= soon) {
      assert.equal(status, 401)
      break
    }
    if (status === 200) accepted++
    else assert.ok(Date.now() >= soon)
  }
  assert.ok(accepted > 0)
})

test('a deleted key is refused on every server of the database, and others are not', async (t) => {
  const other = await startService(connection, testSettings)
  t.after(() => other.close())
  const { companyId, apiKey } = await newCompany()
  const { id, value } = await newKey(companyId)
  // From now on both servers have cached the key.
  for (const at of [service, other, service, other]) assert.equal((await products(value, at)).status, 200)
  await deleteKey(service.database, id)
  for (const at of [service, other]) {
    await refused(value, at)
    assertProblem(await products(value, at), 401, 'invalid_key')
    assert.equal((await products(apiKey, at)).status, 200)
  }
  await assert.rejects(deleteKey(service.database, id), { code: 'not_found' })
})

test('while a server gets no notifications it caches no key: one deleted then is refused at the next request', async () => {
  const { companyId } = await newCompany()
  const known = await newKey(companyId)
  const used = await newKey(companyId)
  assert.equal((await products(known.value)).status, 200)
  assert.equal((await products(used.value)).status, 200)
  const name = connection.database as string
  const admin = connect(testConnection(), { size: 1 })
  // Open connections stay, new ones are refused: after the cut the server has no channel.
  await admin.query(`alter database ${name} allow_connections false`)
  try {
    const cut = await admin.query(
      `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
       where datname = $1 and locktype = 'advisory' and objid = 7 group by pid`,
      [name],
    )
    assert.ok(cut.length > 0)
    // The first deletion shows that the server noticed the cut: no notification could arrive.
    await deleteKey(service.database, known.id)
    await refused(known.value)
    for (let n = 0; n < 5; n++) {
      const { id, value } = n === 0 ? used : await newKey(companyId)
      assert.equal((await products(value)).status, 200)
      assert.equal((await products(value)).status, 200)
      await deleteKey(service.database, id)
      assertProblem(await products(value), 401, 'invalid_key')
    }
  } finally {
    await admin.query(`alter database ${name} allow_connections true`)
    await admin.close()
  }
})

test('lastUsedAt is written, but not at each request', async () => {
  const own = await startService(connection, testSettings)
  const { keyId, apiKey, companyId } = await newCompany()
  // A row that was written has a different xmin.
  const row = async () => {
    const [found] = await service.database.query('select xmin::text, last_used_at from api_keys where id = $1', [keyId])
    return found as [string, string | null]
  }
  const [untouched] = await row()
  const from = Date.now()
  for (let n = 0; n < 200; n++) assert.equal((await products(apiKey, own)).status, 200)
  assert.deepEqual(await row(), [untouched, null])
  await own.close()
  const [, lastUsedAt] = await row()
  const [key] = await listKeys(service.database, { companyId })
  assert.equal(new Date(key?.lastUsedAt as string).getTime(), new Date(lastUsedAt as string).getTime())
  assert.ok(Date.parse(key?.lastUsedAt as string) >= from)
})

test('keys are listed by name, prefix and last four characters, and the database never contains the value', async () => {
  const { companyId, apiKey } = await newCompany()
  const { id, value } = await newKey(companyId, '2999-01-01T00:00:00.000Z', ['read', 'update'])
  for (const key of [value, apiKey]) assert.equal((await whoami(key)).status, 200)
  const created = await fetch(`${service.url}/v1/product`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{"name":"a"}',
  })
  assert.equal(created.status, 201)
  const [listed] = await listKeys(service.database, { companyId })
  const { createdAt, lastUsedAt, ...own } = listed as NonNullable<typeof listed>
  assert.deepEqual(own, {
    id,
    companyId,
    name: 'Till',
    prefix: value.slice(0, 9),
    lastFour: value.slice(-4),
    permissions: ['read', 'update'],
    expiresAt: '2999-01-01T00:00:00.000Z',
  })
  assert.equal(lastUsedAt, undefined)
  const tables = await service.database.query(`select tablename from pg_tables where schemaname = 'public'`)
  let rows = 0
  for (const [table] of tables)
    for (const [row] of await service.database.query(`select to_json(stored)::text from ${table} as stored`)) {
      rows++
      for (const key of [value, apiKey, organizationKey]) {
        assert.ok(!row.includes(key), table)
        assert.ok(!row.includes(key.slice(5, 35)), table)
      }
    }
  assert.ok(rows > 5)
})

test('a route of the organization surface accepts organization keys only, and checks their permissions', async (t) => {
  const { apiKey } = await newCompany()
  const surface = (method: Route['method']): Route => ({
    method,
    path: '/v1/organization-api/example',
    surface: 'organization',
    operationId: `example${method}`,
    tag: 'Example',
    summary: 'An example',
    replies: {},
    handle: ({ scope }) => ({ status: 200, body: JSON.stringify({ keyId: scope.keyId }) }),
  })
  const keys = new KeyCache(service.database)
  const routes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(surface)
  const { secretKeys, log } = testSettings
  const parts = {
    findKey: keys.find,
    keyUsed: keys.used,
    findKept: findKept(service.database),
    seal: sealOf(secretKeys),
  }
  const server = createServer({ routes, ...parts, log })
  t.after(() => server.close().then(() => keys.close()))
  const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/v1/organization-api/example`
  const owner = { organizationId }
  const reader = await createKey(service.database, owner, { name: 'Reader', permissions: ['read'] })
  const { id, value } = await createKey(service.database, owner, { name: 'All', permissions })

  assert.deepEqual(JSON.parse((await get(url, { 'x-org-api-key': value })).text), { keyId: id })
  assertProblem(await get(url, {}), 401, 'missing_key')
  assertProblem(await get(url, { 'x-api-key': value }), 401, 'missing_key')
  assertProblem(await get(url, { 'x-org-api-key': 'x' }), 401, 'invalid_key')
  assertProblem(await get(url, { 'x-org-api-key': apiKey }), 403, 'key_not_bound')
  assertProblem(await get(url, { 'x-api-key': apiKey, 'x-org-api-key': value }), 400, 'conflicting_credentials')
  assertProblem(await get(url, { apiKey: value }), 401, 'missing_key')
  for (const { method } of routes) {
    const { status } = await fetch(url, { method, headers: { 'x-org-api-key': reader.value } })
    assert.equal(status, method === 'GET' ? 200 : 403)
  }
})

test('another company’s key reaches only that company’s data', async () => {
  const one = await newCompany()
  const two = await newCompany()
  const create = (key: string) =>
    fetch(`${service.url}/v1/product`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a', companyId: one.companyId }),
    }).then((response) => response.json())
  const mine = (await create(one.apiKey)) as { id: string; companyId: string }
  const theirs = (await create(two.apiKey)) as { id: string; companyId: string }
  assert.deepEqual([mine.companyId, theirs.companyId], [one.companyId, two.companyId])
  assertProblem(await get(`${service.url}/v1/product/${mine.id}`, { 'x-api-key': two.apiKey }), 404, 'not_found')
  assertProblem(await get(`${service.url}/v1/product/${noId}`, { 'x-api-key': two.apiKey }), 404, 'not_found')
})

/** A request whose head was accepted and whose body is pending. `finish` sends the body and returns the status. */
async function letIn(path: string, value: string, body: unknown) {
  const text = JSON.stringify(body)
  const headers = {
    'x-api-key': value,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    expect: '100-continue',
  }
  const sent = request(service.url + path, { method: 'POST', headers })
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
  // The notification arrives after the request was admitted; without admission it would be answered at once.
  const goesOn = new Promise((resolve) => sent.on('continue', resolve))
  sent.flushHeaders()
  await Promise.race([goesOn, status])
  return {
    finish: () => {
      sent.end(text)
      return status
    },
  }
}

test('a request whose key is deleted, rotated or suspended before its body arrives does nothing', async () => {
  const { companyId } = await newCompany()
  const ends: [string, string, unknown, number][] = [
    ['DELETE', '/keys/{id}', undefined, 401],
    ['POST', '/keys/{id}/rotate', {}, 401],
    ['PATCH', '', { status: 'suspended' }, 403],
  ]
  for (const [method, path, body, expected] of ends) {
    const { id, value } = await newKey(companyId)
    const late = [
      await letIn('/v1/product', value, { name: 'Late' }),
      await letIn('/v1/products', value, [{ name: 'Late' }]),
      await letIn('/v1/api/product', value, { name: 'Late' }),
    ]
    const ended = await fetch(`${service.url}/v1/organization-api/companies/${companyId}${path.replace('{id}', id)}`, {
      method,
      headers: { 'x-org-api-key': organizationKey, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assert.ok(ended.ok, await ended.text())
    const statuses = await Promise.all(late.map(({ finish }) => finish()))
    assert.deepEqual(statuses, [expected, expected, expected], `${method} ${path}`)
  }
  const [found] = await service.database.query('select count(*)::int from products where company_id = $1', [companyId])
  assert.equal(found?.[0], 0)
})
