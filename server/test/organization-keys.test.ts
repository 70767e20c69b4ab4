// Keys that an organization makes and deletes, for its companies and for itself: none grants more than its giver has, and a deleted one is refused at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissions } from '../src/core/scope.ts'
import { names, organizationsOf, root, untilStatus } from './support/organizations.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()
const { organization, onboarded, keyOf, otherServer } = organizationsOf(service)

test('keys of a company are created with their value shown once, work with their permissions, are listed without it, and are deleted', async () => {
  const { call } = await organization()
  const shop = await onboarded(call)
  const path = `${root}/companies/${shop.id}/keys`
  const body = { name: 'Till', permissions: ['create', 'read', 'read'], expiresAt: '2999-01-01' }
  const headers = { 'idempotency-key': 'till of the chain' }
  const { status, body: made, text } = await call('POST', path, body, headers)
  assert.equal(status, 201)
  const { apiKey, id, createdAt } = made
  assert.match(apiKey, /^posk_\w{36}$/)
  const listed = {
    id,
    companyId: shop.id,
    name: 'Till',
    prefix: apiKey.slice(0, 9),
    lastFour: apiKey.slice(-4),
    permissions: ['read', 'create'],
    createdAt,
    expiresAt: '2999-01-01T00:00:00.000Z',
  }
  assert.deepEqual(made, { ...listed, apiKey })
  const again = await call('POST', path, body, headers)
  assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [text, 'true'])
  const kept = await service.database.query("select answer from idempotency_keys where key = 'till of the chain'")
  assert.ok(kept.length === 1 && !kept[0]?.[0].includes('posk_'), 'the answer that is kept is sealed')

  const own = service.caller({ 'x-api-key': apiKey })
  assert.equal((await own('POST', '/v1/customer', { email: 'a@b.example' })).status, 201)
  assertProblem(await own('DELETE', `/v1/customer/${noId}`), 403, 'permission_denied')
  const list = await call('GET', path)
  assert.deepEqual(list.body, { data: [listed], meta: { count: 1, skip: 0, limit: 100 } })
  const gone = await call('DELETE', `${path}/${id}`)
  assert.deepEqual([gone.status, gone.body.statusCode, gone.body.id], [200, 200, id])
  await untilStatus(() => own('GET', '/v1/customers'), 401)
  assertProblem(await call('DELETE', `${path}/${id}`), 404, 'not_found')
  assert.equal((await call('GET', path)).body.meta.count, 0)
})

test('an invalid request for a key is refused, and none is created', async () => {
  const { call } = await organization()
  const shop = await onboarded(call)
  for (const path of [`${root}/companies/${shop.id}/keys`, `${root}/keys`]) {
    const before = (await call('GET', path)).body.meta.count
    for (const [body, pointer] of [
      [{ permissions: ['read'] }, '/name'],
      [{ name: '', permissions: ['read'] }, '/name'],
      [{ name: 'a' }, '/permissions'],
      [{ name: 'a', permissions: [] }, '/permissions'],
      [{ name: 'a', permissions: 'read' }, '/permissions'],
      [{ name: 'a', permissions: ['fly'] }, '/permissions/0'],
      [{ name: 'a', permissions: ['read'], expiresAt: '2020-01-01' }, '/expiresAt'],
      [{ name: 'a', permissions: ['read'], expiresAt: 'soon' }, '/expiresAt'],
      [{ name: 'a', permissions: ['read'], apiKey: 'posk_mine' }, '/apiKey'],
    ] as const) {
      const { errors } = assertProblem(await call('POST', path, body), 400, 'validation_failed', JSON.stringify(body))
      assert.equal(errors[0].pointer, pointer)
    }
    assert.equal((await call('GET', path)).body.meta.count, before)
  }
})

test('a key grants no permission that it lacks, and no longer validity, to the organization’s keys and to its companies’', async () => {
  const { call, id } = await organization()
  const shop = await onboarded(call)
  const limited = await keyOf(id, ['create', 'read'])
  const expiring = await keyOf(id, permissions, '2998-01-01T00:00:00.000Z')
  for (const path of [`${root}/companies/${shop.id}/keys`, `${root}/keys`]) {
    const before = (await call('GET', path)).body.meta.count
    const give = (giver: Caller, allowed: readonly string[], expiresAt?: string) =>
      giver('POST', path, { name: 'More', permissions: allowed, expiresAt })
    for (const refused of [
      await give(limited.call, ['read', 'delete']),
      await give(limited.call, permissions),
      await give(expiring.call, ['read']),
      await give(expiring.call, ['read'], '2998-01-01T00:00:00.001Z'),
      await give(expiring.call, ['read'], '2998-01-01T00:00:00-01:00'),
    ])
      assertProblem(refused, 403, 'permission_denied')
    assert.equal((await call('GET', path)).body.meta.count, before)
    for (const made of [
      await give(limited.call, ['read']),
      await give(expiring.call, permissions, '2998-01-01T00:00:00Z'),
      await give(expiring.call, permissions, '2998-01-01T00:30:00+01:00'),
      await give(call, permissions),
    ])
      assert.equal(made.status, 201, made.text)
  }
})

test('a key’s value is repeated under its Idempotency-Key only to the key that created it', async () => {
  const { call, id } = await organization()
  const shop = await onboarded(call)
  const other = await keyOf(id, ['create'])
  const equal = await keyOf(id, permissions)
  for (const path of [`${root}/companies/${shop.id}/keys`, `${root}/keys`]) {
    const ask = (by: Caller) => by('POST', path, { name: 'Full', permissions }, { 'idempotency-key': path })
    const first = await ask(call)
    assert.equal(first.status, 201)
    for (const { call } of [other, equal]) {
      const refused = await ask(call)
      assert.ok(!refused.text.includes(first.body.apiKey))
      assertProblem(refused, 422, 'idempotency_conflict')
    }
    const again = await ask(call)
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
  }
})

test('keys of companies do not wait for keys of their organization, and a key that is deleted meanwhile makes none', async () => {
  const { call, id } = await organization()
  const shop = await onboarded(call)
  const maker = await keyOf(id, permissions)
  const path = `${root}/companies/${shop.id}/keys`
  const body = { name: 'Till', permissions: ['read'] }
  const late = await service.database.transaction(async (transaction) => {
    await transaction.query('select 1 from organizations where id = $1 for no key update', [id])
    const made = await call('POST', path, body)
    assert.equal(made.status, 201, made.text)
    assert.equal((await call('POST', `${path}/${made.body.id}/rotate`, {})).status, 201)
    await transaction.query('delete from api_keys where id = $1', [maker.id])
    return { reply: maker.call('POST', path, body) }
  })
  assertProblem(await late.reply, 401, 'invalid_key')
  assert.equal((await call('GET', path)).body.meta.count, 1)
})

test('the last key of an organization that does not expire and may create cannot be deleted, by any concurrent keys', async () => {
  const { call, keyId, id } = await organization()
  const remove = (by: Caller, key: string) => by('DELETE', `${root}/keys/${key}`)
  const expiring = await keyOf(id, permissions, '2998-01-01T00:00:00Z')
  const cleaner = await keyOf(id, ['read', 'delete'])
  for (const { call } of [expiring, cleaner]) assertProblem(await remove(call, keyId), 409, 'conflict')
  assertProblem(await remove(cleaner.call, noId), 404, 'not_found')
  for (let n = 0; n < 5; n++) {
    const keys = [keyId, (await keyOf(id, ['create'])).id]
    const replies = await Promise.all(keys.map((key) => remove(cleaner.call, key)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
    if (replies[0]?.status === 200) return
    assert.equal((await call('GET', `${root}/keys`)).status, 200)
  }
  assert.equal((await remove(call, expiring.id)).status, 200)
  assert.equal((await remove(call, cleaner.id)).status, 200)
  assert.equal((await call('GET', `${root}/keys`)).body.meta.count, 1)
})

test('an organization’s key cannot delete itself, and of two that delete each other at once one remains', async () => {
  const { call, keyId, id } = await organization()
  assertProblem(await call('DELETE', `${root}/keys/${keyId}`), 409, 'conflict')
  const made = await call('POST', `${root}/keys`, { name: 'Second', permissions })
  assert.match(made.body.apiKey, /^poso_\w{36}$/)
  assert.equal(made.body.organizationId, id)
  const list = await call('GET', `${root}/keys?sortBy=name`)
  assert.deepEqual(names(list), ['First key', 'Second'])
  assert.doesNotMatch(list.text, /poso_\w{5}/)
  let left = { id: keyId, call }
  for (let n = 0; n < 15; n++) {
    const next = await keyOf(id, permissions)
    const replies = await Promise.all([
      left.call('DELETE', `${root}/keys/${next.id}`),
      next.call('DELETE', `${root}/keys/${left.id}`),
    ])
    const alive = await Promise.all([left, next].map(async (key) => (await key.call('GET', `${root}/keys`)).status))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401])
    const survivor = replies[0]?.status === 200 ? left : next
    assert.ok(alive.includes(200))
    left = survivor
  }
  assert.equal((await left.call('DELETE', `${root}/keys/${made.body.id}`)).status, 200)
  assert.equal((await left.call('GET', `${root}/keys`)).body.meta.count, 1)
})

test('a deleted or suspended key is refused from the response on, on every server', async (t) => {
  const other = await otherServer(t)
  const { id, key } = await service.company()
  const path = `/v1/organization-api/companies/${id}`
  for (let round = 0; round < 30; round++) {
    // After one server answered, the other refuses each in the next moment.
    const [here, there] = round % 2 ? [undefined, other] : [other, undefined]
    const organization = service.caller({ 'x-org-api-key': service.organizationKey }, here)
    const own = [here, there].map((at) => service.caller({ 'x-api-key': key }, at))
    const each = (callers: readonly Caller[]) => Promise.all(callers.map((ask) => ask('GET', '/v1/whoami')))
    for (const { status } of await each(own)) assert.equal(status, 200)
    assert.equal((await organization('PATCH', path, { status: 'suspended' })).status, 200)
    for (const reply of await each(own)) assertProblem(reply, 403, 'permission_denied')
    assert.equal((await organization('PATCH', path, { status: 'active' })).status, 200)
    const made = await organization('POST', `${path}/keys`, { name: 'Till', permissions: ['read'] })
    const till = [here, there].map((at) => service.caller({ 'x-api-key': made.body.apiKey }, at))
    for (const { status } of await each(till)) assert.equal(status, 200)
    assert.equal((await organization('DELETE', `${path}/keys/${made.body.id}`)).status, 200)
    for (const reply of await each(till)) assertProblem(reply, 401, 'invalid_key')
  }
})
