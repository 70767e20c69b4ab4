// What an organization can do with its key beyond onboarding: its companies, their keys and its own, its plans; and that it reaches nothing of another organization.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions } from '../src/core/scope.ts'
import type { Queryable } from '../src/database/connect.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { changePlan } from '../src/features/tenants/plans.ts'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { startService } from '../src/service.ts'
import { testConnection } from './support/database.ts'
import { sessions } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, type Reply, sharedService, testSettings } from './support/service.ts'

const service = sharedService()

const root = '/v1/organization-api'
const onboard = `${root}/company/company-workflow/onboard`

/** A new organization with an owner, and a call with its key. */
async function organization() {
  const made = await createOrganization(service.database, { name: 'Chain', ownerEmail: 'boss@chain.example' })
  const { organizationId: id, planId, apiKey: key, keyId } = made
  return { id, planId, key, keyId, call: service.caller({ 'x-org-api-key': key }) }
}

/** A company of an organization, by its record, once it is registered at the payment processor. Then the record is stable. */
async function onboarded(call: Caller, body: object = {}): Promise<any> {
  const reply = await call('POST', onboard, { name: 'Shop', ...body })
  assert.equal(reply.status, 200, reply.text)
  const read = async () => {
    const next = await call('GET', `${root}/companies/${reply.body.id}`)
    return next.body.paymentCustomer.state === 'done' ? next : { ...next, status: 0 }
  }
  return (await until(read, 200)).body
}

/** A further key of an organization. */
async function keyOf(organizationId: string, allowed: readonly Permission[], expiresAt?: string) {
  const wanted = { name: 'Key', permissions: allowed, expiresAt }
  const { id, value } = await createKey(service.database, { organizationId }, wanted)
  return { id, call: service.caller({ 'x-org-api-key': value }) }
}

/** A second server on the same database. */
async function otherServer(t: { after: (close: () => Promise<void>) => void }): Promise<string> {
  const [row] = await service.database.query('select current_database()')
  const other = await startService({ ...testConnection(), database: row?.[0] }, testSettings)
  t.after(() => other.close())
  return other.url
}

/** Repeats until the response matches: the notification takes one trip through PostgreSQL. */
async function until(ask: () => Promise<Reply>, status: number): Promise<Reply> {
  for (let tries = 0; tries < 2_000; tries++) {
    const reply = await ask()
    if (reply.status === status) return reply
  }
  return assert.fail(`is never answered ${status}`)
}

const names = (reply: Reply): string[] => reply.body.data.map(({ name }: any) => name)

test('companies are listed by page, cursor, name, part of the name, status, externalId and time, and never another organization’s', async () => {
  const { call } = await organization()
  const stranger = await organization()
  await onboarded(stranger.call, { name: 'Stranger', externalId: 'a' })
  const made = []
  for (const [n, name] of ['Über 100%', 'alpha', 'Beta', 'uber_shop', 'beta', 'Beta'].entries())
    made.push(await onboarded(call, { name, externalId: `shop-${n}` }))
  const list = (query = '') => call('GET', `${root}/companies${query}`)
  const all = await list()
  assert.deepEqual(all.body.data, made)
  assert.deepEqual(all.body.meta, { count: 6, skip: 0, limit: 100 })
  assert.deepEqual(names(await list('?sortBy=name')), ['Beta', 'Beta', 'alpha', 'beta', 'uber_shop', 'Über 100%'])
  for (const sort of ['', '&sortBy=name', '&sortBy=name&sortOrder=desc', '&sortBy=updatedAt', '&sortOrder=desc']) {
    const whole = (await list(`?limit=10${sort}`)).body.data
    const walked: unknown[] = []
    for (let cursor = ''; ; ) {
      const { body } = await list(`?limit=2${sort}${cursor}`)
      assert.equal(body.meta.count, cursor === '' ? 6 : undefined)
      walked.push(...body.data)
      if (body.meta.nextCursor === undefined) break
      cursor = `&cursor=${body.meta.nextCursor}`
    }
    assert.deepEqual(walked, whole, sort)
    assert.deepEqual((await list(`?limit=4&skip=2${sort}`)).body.data, whole.slice(2))
  }
  assert.deepEqual(names(await list('?searchByName=BETA')), ['Beta', 'beta', 'Beta'])
  assert.deepEqual(names(await list('?searchByName=über')), ['Über 100%'])
  assert.deepEqual(names(await list('?searchByName=0%25')), ['Über 100%'])
  assert.deepEqual(names(await list('?searchByName=_')), ['uber_shop'])
  assert.deepEqual(names(await list('?search=100%25+über')), ['Über 100%'])
  assert.deepEqual((await list('?searchByName=nobody')).body, { data: [], meta: { count: 0, skip: 0, limit: 100 } })
  assert.deepEqual((await list('?externalId=shop-3')).body.data, [made[3]])
  assert.equal((await list('?externalId=a')).body.meta.count, 0)
  assert.equal((await list(`?planId=${made[0].planId}&limit=1`)).body.meta.count, 6)
  await call('PATCH', `${root}/companies/${made[1].id}`, { status: 'suspended' })
  assert.deepEqual(names(await list('?status=suspended')), ['alpha'])
  assert.equal((await list('?status=active')).body.meta.count, 5)
  assert.equal((await list(`?createdAt[lte]=${made[2].createdAt}`)).body.meta.count, 3)
  assert.equal((await list('?skip=100')).body.meta.count, 6)
  for (const query of ['?limit=1001', '?skip=-1', '?sortBy=email', '?name=a', '?cursor=x', '?sortBy=name&cursor=W10'])
    assertProblem(await list(query), 400, 'validation_failed', query)
  const { nextCursor } = (await list('?limit=1')).body.meta
  assertProblem(await list(`?sortBy=name&cursor=${nextCursor}`), 400, 'validation_failed')
  for (const [sortBy, value] of [
    ['createdAt', 'yesterday'],
    ['name', 'a\u0000'],
  ]) {
    const forged = Buffer.from(JSON.stringify([sortBy, 'asc', value, 'x'])).toString('base64url')
    assertProblem(await list(`?sortBy=${sortBy}&cursor=${forged}`), 400, 'validation_failed')
  }
})

test('a company is changed member by member, read back as it was returned, and sent back as it was read', async () => {
  const { call, id: organizationId } = await organization()
  const before = await onboarded(call, { currency: 'EUR', country: 'AT' })
  const path = `${root}/companies/${before.id}`
  const address = { city: 'Graz', note: { deep: [1, null] } }
  const sent = { name: 'New', email: 'new@shop.example', phone: '1', country: 'DE', currency: 'CHF', address }
  const further = { timezone: 'Europe/Berlin', industry: 'food', logo: 'l.png', externalId: 'x-1' }
  const changed = await call('PATCH', path, { ...sent, ...further })
  assert.equal(changed.status, 200, changed.text)
  const { updatedAt, ...rest } = changed.body
  const { updatedAt: past, ...unchanged } = before
  assert.deepEqual(rest, { ...unchanged, ...sent, ...further })
  assert.ok(updatedAt > past)
  const read = await call('GET', path)
  assert.deepEqual([read.text, read.headers.get('etag')], [changed.text, changed.headers.get('etag')])
  const again = await call('PATCH', path, read.body)
  assert.equal(again.text, read.text, 'a record that is sent back changes nothing, updatedAt neither')
  const nulls = { email: null, phone: null, country: null, address: null, externalId: null }
  const cleared = (await call('PATCH', path, nulls)).body
  for (const member of Object.keys(nulls)) assert.ok(!(member in cleared), member)
  assert.deepEqual([cleared.organizationId, cleared.industry], [organizationId, 'food'])
  const own = await service.keyFor(before.id)
  const { paymentCustomer, ...shownToItself } = cleared
  assert.deepEqual(paymentCustomer, before.paymentCustomer)
  assert.deepEqual((await own.call('GET', '/v1/company')).body, shownToItself)
})

test('an invalid change of a company is refused, names each wrong member, and changes nothing', async () => {
  const { call } = await organization()
  const company = await onboarded(call, { externalId: 'mine' })
  await onboarded(call, { externalId: 'taken' })
  const path = `${root}/companies/${company.id}`
  const inactive = (await call('POST', `${root}/plans`, { name: 'Off', status: 'inactive' })).body.id
  const wrong: [object, string][] = [
    [{ name: null }, '/name'],
    [{ name: '' }, '/name'],
    [{ name: ' ' }, '/name'],
    [{ email: 'x' }, '/email'],
    [{ country: 'ZZ' }, '/country'],
    [{ currency: 'euro' }, '/currency'],
    [{ timezone: 'Moon/Base' }, '/timezone'],
    [{ address: [] }, '/address'],
    [{ address: { note: 'x'.repeat(10_000) } }, '/address'],
    [{ planId: null }, '/planId'],
    [{ planId: inactive }, '/planId'],
    [{ status: 'closed' }, '/status'],
    [{ status: null }, '/status'],
    [{ suspendedReason: 'late' }, '/suspendedReason'],
    [{ status: 'suspended', suspendedReason: 'x'.repeat(501) }, '/suspendedReason'],
    [{ outletName: 'a' }, '/outletName'],
    [{ nmae: 'a' }, '/nmae'],
  ]
  for (const [body, pointer] of wrong) {
    const { errors } = assertProblem(await call('PATCH', path, body), 400, 'validation_failed', JSON.stringify(body))
    assert.deepEqual(
      errors.map(({ pointer }: any) => pointer),
      [pointer],
    )
  }
  assertProblem(await call('PATCH', path, { planId: noId }), 404, 'not_found')
  const { errors } = assertProblem(await call('PATCH', path, { externalId: 'taken' }), 409, 'conflict')
  assert.deepEqual(errors[0].pointer, '/externalId')
  assertProblem(await call('PATCH', path, { name: 'a' }, { 'if-match': '"other"' }), 412, 'version_mismatch')
  assert.deepEqual((await call('GET', path)).body, company)
  const { headers } = await call('GET', path)
  const etag = headers.get('etag') as string
  assert.equal((await call('PATCH', path, { name: 'b' }, { 'if-match': etag })).status, 200)
  assertProblem(await call('PATCH', path, { name: 'c' }, { 'if-match': etag }), 412, 'version_mismatch')
})

test('an organization sees the payment registration of each of its companies, in reads, lists and responses to changes', async () => {
  const { call } = await organization()
  const [done, pending, unknown] = [await onboarded(call), await onboarded(call), await onboarded(call)]
  assert.deepEqual(done.paymentCustomer, {
    state: 'done',
    processor: 'local',
    customerId: `local_${done.id}`,
    tries: 1,
  })
  const tag = (await call('GET', `${root}/companies/${pending.id}`)).headers.get('etag') as string
  const nextTryAt = '2126-11-21T09:30:00.000Z'
  await service.database.query(
    `update payment_customers set state = 'pending', processor = null, customer_id = null, tries = 3, next_try_at = $2,
       last_error = 'Stripe did not answer in time.' where company_id = $1`,
    [pending.id, nextTryAt],
  )
  // As the previous version leaves it, until a server starts.
  await service.database.query('delete from payment_customers where company_id = $1', [unknown.id])
  const { data } = (await call('GET', `${root}/companies`)).body
  const lastError = 'Stripe did not answer in time.'
  const waiting = { ...pending, paymentCustomer: { state: 'pending', tries: 3, nextTryAt, lastError } }
  const { paymentCustomer, ...unregistered } = unknown
  assert.deepEqual(data, [done, waiting, unregistered])
  const path = `${root}/companies/${pending.id}`
  assert.deepEqual((await call('GET', path)).body, waiting)
  assert.equal((await call('GET', path, undefined, { 'if-none-match': tag })).status, 200, 'it is another text now')
  const sent = { name: 'New', paymentCustomer: { state: 'done', customerId: 'cus_forged', tries: 1 } }
  const { updatedAt, ...changed } = (await call('PATCH', path, sent)).body
  assert.deepEqual({ ...changed, updatedAt: waiting.updatedAt }, { ...waiting, name: 'New' })
})

test('of concurrent changes to one externalId one succeeds, and changes of different members are all kept', async () => {
  const { call } = await organization()
  const [one, two] = [await onboarded(call), await onboarded(call)]
  const change = (company: any, body: object) => call('PATCH', `${root}/companies/${company.id}`, body)
  for (let n = 0; n < 10; n++) {
    const replies = await Promise.all([one, two].map((company) => change(company, { externalId: `x-${n}` })))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
    for (const company of [one, two]) await change(company, { externalId: null })
  }
  const members = ['email', 'phone', 'industry', 'logo', 'country', 'currency']
  const values = ['a@b.example', '1', 'food', 'l', 'AT', 'EUR']
  await Promise.all(members.map((member, n) => change(one, { [member]: values[n] })))
  const { body } = await call('GET', `${root}/companies/${one.id}`)
  assert.deepEqual(
    members.map((member) => body[member]),
    values,
  )
})

test('the keys of a suspended company get 403 with the reason on every server, and work again afterwards', async (t) => {
  const other = await otherServer(t)
  const { call } = await organization()
  const [shop, neighbour] = [await onboarded(call), await onboarded(call)]
  const path = `${root}/companies/${shop.id}`
  const keys = [await service.keyFor(shop.id), await service.keyFor(shop.id, ['read'])]
  const theirs = await service.keyFor(neighbour.id)
  const callers = (value: string) => [undefined, other].map((at) => service.caller({ 'x-api-key': value }, at))
  const own = keys.flatMap(({ value }) => callers(value))
  // Both servers have cached all keys.
  for (const ask of [...own, ...callers(theirs.value)])
    for (let n = 0; n < 2; n++) assert.equal((await ask('GET', '/v1/products')).status, 200)
  const suspended = await call('PATCH', path, { status: 'suspended', suspendedReason: 'The invoice is <open>.' })
  assert.deepEqual([suspended.body.status, suspended.body.suspendedReason], ['suspended', 'The invoice is <open>.'])
  const late = await service.keyFor(shop.id)
  for (const ask of [...own, ...callers(late.value)]) {
    const refused = assertProblem(await until(() => ask('GET', '/v1/products'), 403), 403, 'permission_denied')
    assert.equal(refused.message, 'The company is suspended: The invoice is <open>.')
    for (const path of ['/v1/whoami', '/v1/company', '/v1/api/products', '/v1/openapi.json'])
      assertProblem(await ask('GET', path), 403, 'permission_denied')
    assertProblem(await ask('POST', '/v1/products', [{}]), 403, 'permission_denied')
  }
  for (const ask of callers(theirs.value)) assert.equal((await ask('GET', '/v1/products')).status, 200)
  // The reason can be changed, and the company like all others.
  await call('PATCH', path, { suspendedReason: null, name: 'Renamed' })
  for (const ask of own) {
    const reply = await ask('GET', '/v1/products')
    const { message } = await until(async () => {
      const next = await ask('GET', '/v1/products')
      return next.body.message === 'The company is suspended.' ? next : { ...next, status: 0 }
    }, 403).then(({ body }) => body)
    assert.deepEqual([reply.status, message], [403, 'The company is suspended.'])
  }
  assert.ok(!('suspendedReason' in (await call('PATCH', path, { status: 'active' })).body))
  for (const ask of [...own, ...callers(late.value)]) {
    await until(() => ask('GET', '/v1/products'), 200)
    assert.equal((await ask('GET', '/v1/whoami')).body.company.name, 'Renamed')
  }
})

test('a key that is created while its company is being suspended is refused too', async (t) => {
  const other = await otherServer(t)
  const { call } = await organization()
  const shop = await onboarded(call)
  const path = `${root}/companies/${shop.id}`
  for (let n = 0; n < 15; n++) {
    const used = async () => {
      const made = await call('POST', `${path}/keys`, { name: 'Late', permissions: ['read'] })
      assert.equal(made.status, 201, made.text)
      const asks = [undefined, other].map((at) => service.caller({ 'x-api-key': made.body.apiKey }, at))
      for (const ask of asks) await ask('GET', '/v1/products')
      return asks
    }
    const [asks] = await Promise.all([used(), used(), call('PATCH', path, { status: 'suspended' }), used()])
    for (const ask of asks) await until(() => ask('GET', '/v1/products'), 403)
    await call('PATCH', path, { status: 'active' })
  }
})

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
    ...{ id, companyId: shop.id, name: 'Till', prefix: apiKey.slice(0, 9), lastFour: apiKey.slice(-4) },
    ...{ permissions: ['read', 'create'], createdAt, expiresAt: '2999-01-01T00:00:00.000Z' },
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
  await until(() => own('GET', '/v1/customers'), 401)
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
  let [left] = [{ id: keyId, call }]
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

test('plans are created, listed, read, changed and deactivated; a company keeps its plan when it is deactivated', async () => {
  const { call, planId, id: organizationId } = await organization()
  const limits = { users: 5, outlets: 0, products: 1_000_000_000 }
  const made = await call('POST', `${root}/plans`, { name: 'Small', limits })
  assert.equal(made.status, 201)
  const { id, createdAt } = made.body
  assert.deepEqual(made.body, {
    ...{
      id,
      organizationId,
      name: 'Small',
      limits,
      status: 'active',
      isDefault: false,
      createdAt,
      updatedAt: createdAt,
    },
  })
  const path = `${root}/plans/${id}`
  const read = await call('GET', path)
  assert.deepEqual([read.text, read.headers.get('etag')], [made.text, made.headers.get('etag')])
  assert.equal((await call('PATCH', path, read.body)).text, read.text)
  const company = await onboarded(call, { planId: (await call('POST', `${root}/plans`, { name: 'Big' })).body.id })
  const changed = await call('PATCH', `${root}/plans/${company.planId}`, {
    status: 'inactive',
    limits: { stations: 3 },
  })
  assert.deepEqual([changed.body.status, changed.body.limits], ['inactive', { stations: 3 }])
  assert.equal((await call('GET', `${root}/companies/${company.id}`)).body.planId, company.planId)
  assert.equal((await call('PATCH', `${root}/companies/${company.id}`, { name: 'Still' })).status, 200)
  assertProblem(await call('POST', onboard, { name: 'a', planId: company.planId }), 400, 'validation_failed')
  assert.deepEqual(
    (await call('PATCH', `${root}/plans/${company.planId}`, { limits: null, status: null })).body.limits,
    {},
  )
  assert.deepEqual(names(await call('GET', `${root}/plans?sortBy=name`)), ['Big', 'Small', 'Unlimited'])
  assert.equal((await call('GET', `${root}/plans?status=inactive`)).body.meta.count, 0)
  assert.deepEqual((await call('GET', `${root}/plans/${planId}`)).body.limits, {})
  assertProblem(await call('PATCH', path, { name: 'a' }, { 'if-match': '"x"' }), 412, 'version_mismatch')
})

test('no company gets a plan that is deactivated at the same moment, as the named, changed or default plan', async () => {
  const { call, id, planId: first } = await organization()
  const company = await onboarded(call)
  /** A request during an uncommitted change of plans is answered after the commit. */
  async function during(change: (transaction: Queryable) => Promise<unknown>, ask: () => Promise<Reply>) {
    let isAnswered = false
    const { reply } = await service.database.transaction(async (transaction) => {
      await change(transaction)
      const reply = ask().finally(() => {
        isAnswered = true
      })
      for (let waiting = 0; waiting === 0 && !isAnswered; )
        waiting = (
          await service.database.query(
            `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length
      return { reply }
    })
    return reply
  }
  const off = (planId: string) => (transaction: Queryable) =>
    changePlan(transaction, id, planId, { status: 'inactive' })
  const made = async () => (await call('POST', `${root}/plans`, { name: 'Off' })).body.id
  const [one, two, next] = [await made(), await made(), await made()]
  const named = await during(off(one), () => call('POST', onboard, { name: 'Shop', planId: one }))
  assertProblem(named, 400, 'validation_failed')
  const path = `${root}/companies/${company.id}`
  assertProblem(await during(off(two), () => call('PATCH', path, { planId: two })), 400, 'validation_failed')
  const change = async (transaction: Queryable) => {
    await changePlan(transaction, id, next, { isDefault: true })
    await off(first)(transaction)
  }
  const unnamed = await during(change, () => call('POST', onboard, { name: 'Shop' }))
  assert.equal(unnamed.status, 200, unnamed.text)
  assert.equal((await call('GET', `${root}/companies/${unnamed.body.id}`)).body.planId, next)
})

test('an invalid plan is refused, also a misspelt limit, with a suggestion', async () => {
  const { call } = await organization()
  for (const [body, pointer] of [
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 'a', limits: { outlets: -1 } }, '/limits/outlets'],
    [{ name: 'a', limits: { outlets: 1.5 } }, '/limits/outlets'],
    [{ name: 'a', limits: { outlets: '1' } }, '/limits/outlets'],
    [{ name: 'a', limits: { outlets: null } }, '/limits/outlets'],
    [{ name: 'a', limits: { outlets: 1e10 } }, '/limits/outlets'],
    [{ name: 'a', limits: [] }, '/limits'],
    [{ name: 'a', limits: { outlet: 1 } }, '/limits/outlet'],
    [{ name: 'a', status: 'off' }, '/status'],
    [{ name: 'a', isDefault: 'yes' }, '/isDefault'],
    [{ name: 'a', price: 1 }, '/price'],
  ] as const) {
    const refused = assertProblem(
      await call('POST', `${root}/plans`, body),
      400,
      'validation_failed',
      JSON.stringify(body),
    )
    assert.equal(refused.errors[0].pointer, pointer)
    if (pointer === '/limits/outlet') assert.match(refused.message, /did you mean outlets\?/)
  }
  assert.equal((await call('GET', `${root}/plans`)).body.meta.count, 1)
})

test('an organization has one default plan, which is active, under any concurrent changes', async () => {
  const { call, planId } = await organization()
  const make = (body: object) => call('POST', `${root}/plans`, { name: 'Plan', ...body })
  const first = `${root}/plans/${planId}`
  assertProblem(await call('PATCH', first, { status: 'inactive' }), 409, 'conflict')
  assertProblem(await call('PATCH', first, { isDefault: false }), 409, 'conflict')
  assertProblem(await call('PATCH', first, { isDefault: null }), 409, 'conflict')
  assertProblem(await make({ isDefault: true, status: 'inactive' }), 409, 'conflict')
  const ids: string[] = [planId]
  for (let n = 0; n < 6; n++) ids.push((await make({})).body.id)
  const replies = await Promise.all([
    ...ids.map((id) => call('PATCH', `${root}/plans/${id}`, { isDefault: true })),
    ...Array.from({ length: 4 }, () => make({ isDefault: true })),
    ...Array.from({ length: 4 }, () => onboarded(call)),
  ])
  for (const reply of replies.slice(0, -4)) assert.ok(reply.status < 300, reply.text)
  const all = (await call('GET', `${root}/plans`)).body.data
  assert.equal(all.length, 11)
  const [own, ...others] = all.filter(({ isDefault }: any) => isDefault)
  assert.deepEqual([own.status, others], ['active', []])
  assert.equal((await onboarded(call)).planId, own.id)
  if (own.id !== planId) assert.equal((await call('PATCH', first, { status: 'inactive' })).status, 200)
})

test('a shared plan can be seen and used by each organization, and changed by none', async () => {
  const { call } = await organization()
  const id = '00000000000000000000aaaa'
  await service.database.query(
    "insert into plans (id, organization_id, name, created_at, updated_at) values ($1, null, 'Shared', now(), now())",
    [id],
  )
  const { body } = await call('GET', `${root}/plans/${id}`)
  assert.deepEqual([body.name, 'organizationId' in body], ['Shared', false])
  assert.ok(names(await call('GET', `${root}/plans`)).includes('Shared'))
  assert.equal((await onboarded(call, { planId: id })).planId, id)
  assertProblem(await call('PATCH', `${root}/plans/${id}`, { name: 'Mine' }), 403, 'permission_denied')
  assert.equal((await call('GET', `${root}/plans/${id}`)).body.name, 'Shared')
})

test('nothing of another organization can be reached, and unknown ids get the same answer', async () => {
  const [mine, theirs] = [await organization(), await organization()]
  const company = await onboarded(theirs.call)
  const plan = (await theirs.call('POST', `${root}/plans`, { name: 'Theirs' })).body.id
  const keys = `${root}/companies/${company.id}/keys`
  const key = (await theirs.call('POST', keys, { name: 'Theirs', permissions })).body.id
  const before = JSON.stringify([
    await theirs.call('GET', `${root}/companies`).then(({ text }) => text),
    await theirs.call('GET', keys).then(({ text }) => text),
    await theirs.call('GET', `${root}/plans`).then(({ text }) => text),
    await theirs.call('GET', `${root}/keys`).then(({ body }) => body.meta),
  ])
  const own = await onboarded(mine.call)
  const body = { name: 'Mine', permissions: ['read'] }
  for (const [method, path, sent] of [
    ['GET', `${root}/companies/ID`, undefined, company.id],
    ['PATCH', `${root}/companies/ID`, { name: 'Mine', status: 'suspended' }, company.id],
    ['GET', `${root}/companies/ID/keys`, undefined, company.id],
    ['POST', `${root}/companies/ID/keys`, body, company.id],
    ['DELETE', `${root}/companies/ID/keys/${key}`, undefined, company.id],
    ['DELETE', `${root}/companies/${own.id}/keys/ID`, undefined, key],
    ['GET', `${root}/plans/ID`, undefined, plan],
    ['PATCH', `${root}/plans/ID`, { name: 'Mine' }, plan],
    ['DELETE', `${root}/keys/ID`, undefined, theirs.keyId],
    ['DELETE', `${root}/keys/ID`, undefined, key],
  ].map(([method, path, sent, id]) => [method, [String(path).replace('ID', String(id)), String(path)], sent]) as [
    string,
    string[],
    object | undefined,
  ][]) {
    const [at = '', pattern = ''] = path
    const reply = assertProblem(await mine.call(method, at, sent), 404, 'not_found', at)
    const none = assertProblem(await mine.call(method, pattern.replace('ID', noId), sent), 404, 'not_found')
    assert.equal(reply.message.replaceAll(/"[0-9a-f]{24}"/g, ''), none.message.replaceAll(/"[0-9a-f]{24}"/g, ''))
    for (const id of ['x', '%00', '%F0%9F%98%80', "'%20or%20true--", noId.slice(1)])
      assertProblem(await mine.call(method, pattern.replace('ID', id), sent), 404, 'not_found', id)
  }
  for (const list of ['companies', 'plans', 'keys', `companies/${own.id}/keys`]) {
    const { text } = await mine.call('GET', `${root}/${list}`)
    for (const id of [company.id, plan, key, theirs.id]) assert.ok(!text.includes(id), list)
  }
  const after = JSON.stringify([
    await theirs.call('GET', `${root}/companies`).then(({ text }) => text),
    await theirs.call('GET', keys).then(({ text }) => text),
    await theirs.call('GET', `${root}/plans`).then(({ text }) => text),
    await theirs.call('GET', `${root}/keys`).then(({ body }) => body.meta),
  ])
  assert.equal(after, before)
})

test('each verb needs its permission', async () => {
  const { id, call } = await organization()
  const company = await onboarded(call)
  const requests: [string, string, Permission, object?][] = [
    ['GET', `${root}/companies`, 'read'],
    ['GET', `${root}/companies/${company.id}`, 'read'],
    ['PATCH', `${root}/companies/${company.id}`, 'update', {}],
    ['POST', `${root}/plans`, 'create', { name: 'a' }],
    ['DELETE', `${root}/keys/${noId}`, 'delete'],
  ]
  for (const permission of permissions) {
    const key = await keyOf(id, [permission])
    for (const [method, path, needed, body] of requests) {
      const reply = await key.call(method, path, body)
      if (needed === permission) assert.notEqual(reply.status, 403, reply.text)
      else assertProblem(reply, 403, 'permission_denied')
    }
  }
})

test('writes under an Idempotency-Key are done once: a plan, a key, a change', async () => {
  const { call } = await organization()
  const company = await onboarded(call)
  for (const [method, path, body, status] of [
    ['POST', `${root}/plans`, { name: 'Once' }, 201],
    ['POST', `${root}/keys`, { name: 'Once', permissions: ['read'] }, 201],
    ['PATCH', `${root}/companies/${company.id}`, { name: 'Once' }, 200],
  ] as const) {
    const headers = { 'idempotency-key': path }
    const replies = await Promise.all(Array.from({ length: 5 }, () => call(method, path, body, headers)))
    const first = replies.find((reply) => reply.status === status) as Reply
    for (const reply of replies)
      if (reply.status !== status) assertProblem(reply, 409, 'idempotency_in_progress')
      else assert.equal(reply.text, first.text)
    assert.equal((await call(method, path, body, headers)).text, first.text)
  }
  assert.equal((await call('GET', `${root}/plans?searchByName=Once`)).body.meta.count, 1)
  assert.equal((await call('GET', `${root}/keys?searchByName=Once`)).body.meta.count, 1)
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
