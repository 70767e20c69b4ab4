// Rotating keys (pos-api.md Authentication 4): a new one with the same permissions, the old one refused from the chosen time on, and no further permissions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions } from '../src/core/scope.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { clearPast } from '../src/features/people/expired-rows.ts'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { person } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { noId } from './support/routes.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()
const root = '/v1/organization-api'
const day = 24 * 60 * 60 * 1000
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
const opens = async (value: string, at = service.url) =>
  (await service.caller({ 'x-api-key': value }, at)('GET', '/v1/products')).status

/** A company, its keys as a person in the console reaches them. */
async function shop() {
  const company = await service.company()
  const browser = await person(service, { companyId: company.id }, 'admin')
  const call = browser.about({ companyId: company.id })
  const make = async (body: object = {}) => {
    const reply = await call('POST', '/v1/keys', { name: 'Till', permissions: ['read', 'create'], ...body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const list = async (): Promise<any[]> => (await call('GET', '/v1/keys')).body.data
  return { company, call, make, list }
}

/** A new organization, and a call by a key of its own. */
async function organization(allowed: readonly Permission[] = permissions, expiresAt?: string) {
  const { organizationId, apiKey } = await createOrganization(service.database, {
    name: 'Chain',
    ownerEmail: 'a@b.example',
  })
  const wanted = { name: 'Key', permissions: allowed, expiresAt }
  const { id, value } = await createKey(service.database, { organizationId }, wanted)
  const first = service.caller({ 'x-org-api-key': apiKey })
  return { organizationId, id, value, first, call: service.caller({ 'x-org-api-key': value }) }
}

test('a person creates keys of their company, sees them without their values, and deletes them: refused at once on every server', async () => {
  const { company, call, make, list } = await shop()
  const expiresAt = ahead(day)
  const key = await make({ expiresAt })
  const { apiKey, ...record } = key
  assert.deepEqual(
    [record.companyId, record.expiresAt, record.permissions],
    [company.id, expiresAt, ['read', 'create']],
  )
  const second = await service.second()
  assert.equal(await opens(apiKey, second.url), 200)
  const listed = (await list()).find(({ id }) => id === key.id)
  assert.deepEqual({ ...listed, lastUsedAt: undefined }, { ...record, lastUsedAt: undefined })
  assert.equal((await call('DELETE', `/v1/keys/${key.id}`)).status, 200)
  for (const at of [service.url, second.url]) assert.equal(await opens(apiKey, at), 401)
  assertProblem(await call('DELETE', `/v1/keys/${key.id}`), 404, 'not_found')
  const other = await shop()
  const theirs = await other.make()
  for (const id of [theirs.id, noId, 'x']) {
    assertProblem(await call('DELETE', `/v1/keys/${id}`), 404, 'not_found')
    assertProblem(await call('POST', `/v1/keys/${id}/rotate`, {}), 404, 'not_found')
  }
  assert.equal(await opens(theirs.apiKey), 200)
})

test('after a rotation without a time the old key is refused at once on every server, and the new one has its name, permissions and expiry', async () => {
  const { call, make, list } = await shop()
  const expiresAt = ahead(day)
  const old = await make({ expiresAt })
  const second = await service.second()
  assert.equal(await opens(old.apiKey, second.url), 200)
  const reply = await call('POST', `/v1/keys/${old.id}/rotate`, {})
  assert.equal(reply.status, 201, reply.text)
  const { apiKey, id, replaces, name, permissions: allowed, expiresAt: end } = reply.body
  assert.deepEqual([replaces, name, allowed, end], [old.id, 'Till', ['read', 'create'], expiresAt])
  for (const at of [service.url, second.url]) {
    assert.equal(await opens(old.apiKey, at), 401)
    assert.equal(await opens(apiKey, at), 200)
  }
  const ids = (await list()).map(({ id }) => id)
  assert.ok(ids.includes(id) && !ids.includes(old.id))
})

test('after a rotation with a time the old key works until then, shows it, is refused from then on, and is removed', async () => {
  const { call, make, list } = await shop()
  const old = await make()
  const second = await service.second()
  assert.equal(await opens(old.apiKey, second.url), 200)
  const rotate = (body: object, id = old.id) => call('POST', `/v1/keys/${id}/rotate`, body)
  for (const deleteOldAt of [ahead(-1000), ahead(90 * day + 60_000), 'tomorrow', 5])
    assertProblem(await rotate({ deleteOldAt }), 400, 'validation_failed')
  const deleteOldAt = ahead(90 * day)
  assert.equal((await rotate({ deleteOldAt })).status, 201)
  assert.equal((await list()).find(({ id }) => id === old.id)?.deleteAt, deleteOldAt)
  for (const at of [service.url, second.url]) assert.equal(await opens(old.apiKey, at), 200)
  assertProblem(await rotate({}), 409, 'conflict')
  const soon = await make()
  assert.equal(await opens(soon.apiKey, second.url), 200)
  assert.equal((await rotate({ deleteOldAt: ahead(2_000) }, soon.id)).status, 201)
  for (const at of [service.url, second.url])
    await until('the old key is refused', async () => (await opens(soon.apiKey, at)) === 401)
  assert.ok(!(await list()).some(({ id }) => id === soon.id))
  for (const reply of [await rotate({}, soon.id)]) assertProblem(reply, 404, 'not_found')
  await clearPast(service.database)
  const left = await service.database.query('select 1 from api_keys where id = $1', [soon.id])
  assert.deepEqual(left, [])
  assert.equal((await call('DELETE', `/v1/keys/${old.id}`)).status, 200)
  assert.equal(await opens(old.apiKey), 401)
})

test('an organization rotates its keys and its companies’; other organizations’ are 404', async () => {
  const company = await service.company()
  const { body: old } = await company.call('POST', `${root}/companies/${company.id}/keys`, {
    name: 'Till',
    permissions: ['read'],
  })
  const path = `${root}/companies/${company.id}/keys/${old.id}/rotate`
  const stranger = await organization()
  assertProblem(await stranger.call('POST', path, {}), 404, 'not_found')
  const rotated = await company.call('POST', path, {})
  assert.equal(rotated.status, 201, rotated.text)
  assert.deepEqual([await opens(old.apiKey), await opens(rotated.body.apiKey)], [401, 200])
  const own = await organization()
  for (const id of [stranger.id, old.id, noId])
    assertProblem(await own.call('POST', `${root}/keys/${id}/rotate`, {}), 404, 'not_found')
  // If the response were lost, no one would have a key any more.
  const { errors } = assertProblem(await own.call('POST', `${root}/keys/${own.id}/rotate`, {}), 409, 'conflict')
  assert.equal(errors[0].pointer, '/deleteOldAt')
  const itself = await own.call('POST', `${root}/keys/${own.id}/rotate`, { deleteOldAt: ahead(day) })
  assert.equal(itself.status, 201)
  const successor: Caller = service.caller({ 'x-org-api-key': itself.body.apiKey })
  assert.equal((await successor('GET', `${root}/keys`)).status, 200)
})

test('a rotation gives no key further permissions, more time, or the ability to delete', async () => {
  const expiresAt = ahead(day)
  for (const [allowed, end, why] of [
    [['read', 'create'], undefined, /permission to delete/],
    [['create', 'delete'], undefined, /no permission to read/],
    [permissions, expiresAt, /expires/],
  ] as const) {
    const { call, first, organizationId } = await organization(allowed, end)
    const target = (await first('GET', `${root}/keys`)).body.data[0].id
    const { id } = await createKey(service.database, { organizationId }, { name: 'All', permissions })
    for (const key of [target, id]) {
      const refused = assertProblem(await call('POST', `${root}/keys/${key}/rotate`, {}), 403, 'permission_denied')
      assert.match(refused.message, why)
    }
  }
  // A key that expires since its rotation creates none that stays.
  const { call, id } = await organization()
  await call('POST', `${root}/keys/${id}/rotate`, { deleteOldAt: ahead(day) })
  const wanted = { name: 'Stays', permissions: ['read'] }
  assertProblem(await call('POST', `${root}/keys`, wanted), 403, 'permission_denied')
  assert.equal((await call('POST', `${root}/keys`, { ...wanted, expiresAt: ahead(day / 2) })).status, 201)
})

test('an expired key cannot be rotated, and one that expires soon does not keep an organization accessible', async () => {
  const { call, make } = await shop()
  const key = await make({ expiresAt: ahead(day) })
  await service.database.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [key.id])
  assertProblem(await call('POST', `/v1/keys/${key.id}/rotate`, {}), 409, 'conflict')
  const own = await organization()
  const keys = (await own.first('GET', `${root}/keys`)).body.data
  const firstId = keys.find(({ id }: any) => id !== own.id).id
  assert.equal((await own.call('POST', `${root}/keys/${own.id}/rotate`, { deleteOldAt: ahead(day) })).status, 201)
  const made = (await own.first('GET', `${root}/keys`)).body.data.find(
    ({ id, deleteAt }: any) => id !== firstId && deleteAt === undefined,
  )
  assert.equal((await own.first('DELETE', `${root}/keys/${made.id}`)).status, 200)
  assertProblem(await own.call('DELETE', `${root}/keys/${firstId}`), 409, 'conflict')
})

test('a repeated rotation returns the same key, and only to its caller', async () => {
  const { company, call, make } = await shop()
  const old = await make()
  const key = { 'idempotency-key': 'rotate' }
  const path = `/v1/keys/${old.id}/rotate`
  const first = await call('POST', path, {}, key)
  const again = await call('POST', path, {}, key)
  assert.deepEqual([again.status, again.text], [201, first.text])
  const other = (await person(service, { companyId: company.id })).about({ companyId: company.id })
  assertProblem(await other('POST', path, {}, key), 422, 'idempotency_conflict')
})

test('people of an organization create, rotate and delete its keys, also the last one: they can create another', async () => {
  const { organizationId } = await createOrganization(service.database, { name: 'Chain', ownerEmail: 'a@b.example' })
  const call = (await person(service, { organizationId }, 'admin')).about({ organizationId })
  const keys = (await call('GET', `${root}/keys`)).body.data
  assert.equal(keys.length, 1)
  const rotated = await call('POST', `${root}/keys/${keys[0].id}/rotate`, {})
  assert.equal(rotated.status, 201, rotated.text)
  assert.equal((await call('DELETE', `${root}/keys/${rotated.body.id}`)).status, 200)
  assert.deepEqual((await call('GET', `${root}/keys`)).body.data, [])
  const made = await call('POST', `${root}/keys`, { name: 'New', permissions })
  assert.equal((await service.caller({ 'x-org-api-key': made.body.apiKey })('GET', `${root}/keys`)).status, 200)
})
