// The companies of an organization: they are listed, read, changed and suspended with its key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../src/database/connect.ts'
import { pageOf } from '../src/engine/lists/column-list.ts'
import { companyColumns, companyOf, companyText } from '../src/features/tenants/companies.ts'
import { company } from '../src/features/tenants/company.ts'
import { backwards } from './support/bodies.ts'
import { names, organizationsOf, root, untilStatus } from './support/organizations.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const { organization, onboarded, otherServer } = organizationsOf(service)

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

test('a page of companies after many others looks up plans and payment customers of its own companies only', async () => {
  const { id } = await organization()
  await service.database.query(
    `with made as (
       insert into companies (id, organization_id, name, created_at, updated_at)
       select lpad(n::text, 24, '0'), $1, 'Shop', now(), now() from generate_series(1, 300) as n returning id
     )
     insert into payment_customers (company_id, organization_id, next_try_at, created_at, updated_at)
     select id, $1, '2999-01-01', now(), now() from made`,
    [id],
  )
  await service.database.transaction(async (transaction) => {
    const scans = async (): Promise<number> => {
      const statement = `select (seq_scan + idx_scan)::int from pg_stat_xact_user_tables where relname = 'payment_customers'`
      return (await transaction.query(statement))[0]?.[0]
    }
    const before = await scans()
    const textOf = (row: unknown[]) => companyText(companyOf(row))
    const owned = 'stored.organization_id = $1'
    const listed = { resource: company, table: 'companies', always: [], columns: companyColumns, textOf, owned }
    const { body } = await pageOf(transaction as Database, listed, id, { skip: 290, limit: 5 })
    const { data, meta } = JSON.parse(body as string)
    assert.deepEqual([data.length, data[0].id, meta.count], [5, '291'.padStart(24, '0'), 300])
    assert.equal((await scans()) - before, 6)
  })
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
  for (const body of [read.body, backwards(read.body)]) {
    const again = await call('PATCH', path, body)
    assert.equal(again.text, read.text, 'a record that is sent back changes nothing, updatedAt neither')
  }
  const nulls = { email: null, phone: null, country: null, address: null, externalId: null }
  const cleared = (await call('PATCH', path, nulls)).body
  for (const member of Object.keys(nulls)) assert.ok(!(member in cleared), member)
  assert.deepEqual([cleared.organizationId, cleared.industry], [organizationId, 'food'])
  const own = await service.keyFor(before.id)
  const { paymentCustomer, ...shownToItself } = cleared
  assert.deepEqual(paymentCustomer, before.paymentCustomer)
  // The organization reads the names of its plans elsewhere.
  assert.deepEqual((await own.call('GET', '/v1/company')).body, { ...shownToItself, planName: 'Unlimited' })
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
  const done = await onboarded(call)
  const pending = await onboarded(call)
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
  const { data } = (await call('GET', `${root}/companies`)).body
  const lastError = 'Stripe did not answer in time.'
  const waiting = { ...pending, paymentCustomer: { state: 'pending', tries: 3, nextTryAt, lastError } }
  assert.deepEqual(data, [done, waiting])
  const path = `${root}/companies/${pending.id}`
  assert.deepEqual((await call('GET', path)).body, waiting)
  assert.equal((await call('GET', path, undefined, { 'if-none-match': tag })).status, 200, 'it is another text now')
  const sent = { name: 'New', paymentCustomer: { state: 'done', customerId: 'cus_forged', tries: 1 } }
  const { updatedAt, ...changed } = (await call('PATCH', path, sent)).body
  assert.deepEqual({ ...changed, updatedAt: waiting.updatedAt }, { ...waiting, name: 'New' })
})

test('a company without a payment registration, as SQL inserts it, hides no other company', async () => {
  const { call } = await organization()
  const company = await onboarded(call)
  await service.database.query('delete from payment_customers where company_id = $1', [company.id])
  const { paymentCustomer: _, ...shown } = company
  assert.deepEqual((await call('GET', `${root}/companies`)).body.data, [shown])
  assert.deepEqual((await call('GET', `${root}/companies/${company.id}`)).body, shown)
})

test('of concurrent changes to one externalId one succeeds, and changes of different members are all kept', async () => {
  const { call } = await organization()
  const one = await onboarded(call)
  const two = await onboarded(call)
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
  const shop = await onboarded(call)
  const neighbour = await onboarded(call)
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
    const refused = assertProblem(await untilStatus(() => ask('GET', '/v1/products'), 403), 403, 'permission_denied')
    assert.equal(refused.message, 'The company is suspended: The invoice is <open>.')
    const [{ pointer, code, reason }] = refused.errors
    assert.deepEqual([pointer, code, reason], ['x-api-key', 'suspended', 'The invoice is <open>.'])
    for (const path of ['/v1/whoami', '/v1/company', '/v1/api/products', '/v1/openapi.json'])
      assertProblem(await ask('GET', path), 403, 'permission_denied')
    assertProblem(await ask('POST', '/v1/products', [{}]), 403, 'permission_denied')
  }
  for (const ask of callers(theirs.value)) assert.equal((await ask('GET', '/v1/products')).status, 200)
  // The reason can be changed, and the company like all others.
  await call('PATCH', path, { suspendedReason: null, name: 'Renamed' })
  for (const ask of own) {
    const reply = await ask('GET', '/v1/products')
    const { message } = await untilStatus(async () => {
      const next = await ask('GET', '/v1/products')
      return next.body.message === 'The company is suspended.' ? next : { ...next, status: 0 }
    }, 403).then(({ body }) => body)
    assert.deepEqual([reply.status, message], [403, 'The company is suspended.'])
  }
  assert.ok(!('suspendedReason' in (await call('PATCH', path, { status: 'active' })).body))
  for (const ask of [...own, ...callers(late.value)]) {
    await untilStatus(() => ask('GET', '/v1/products'), 200)
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
    for (const ask of asks) await untilStatus(() => ask('GET', '/v1/products'), 403)
    await call('PATCH', path, { status: 'active' })
  }
})
