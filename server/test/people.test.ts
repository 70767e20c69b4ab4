// People (decision 19): what a sign-in gives access to, until which moment, and what the records say of the person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteUser } from '../src/features/people/operator.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import { makeTable } from './support/custom-tables.ts'
import { join, newUser, password, person, signIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const path = '/v1/console/sign-in'

test('a sign-in gives access to its user’s companies, with the role that the user has there, and to nothing else', async () => {
  const own = await service.company()
  const other = await service.company()
  const browser = await person(service, { companyId: own.id }, 'admin')
  const made = await browser.about({ companyId: own.id })('POST', '/v1/product', { name: 'Beans' })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.companyId, own.id)
  assert.equal(made.body.fromService, true)
  assert.equal((await browser.about({ companyId: own.id })('GET', '/v1/products')).body.meta.count, 1)
  for (const id of [other.id, noId, 'x', own.organizationId])
    assertProblem(await browser.about({ companyId: id })('GET', '/v1/products'), 404, 'not_found')
  assertProblem(
    await browser.about({ organizationId: own.organizationId })('GET', '/v1/organization-api/companies'),
    404,
    'not_found',
  )
  assertProblem(await browser.call('GET', '/v1/products'), 400, 'validation_failed')
})

test('a viewer reads and writes nothing; a member of the organization has access to each of its companies', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const viewer = await person(service, place, 'viewer')
  assert.equal((await viewer.about(place)('GET', '/v1/products')).status, 200)
  const refused = assertProblem(
    await viewer.about(place)('POST', '/v1/product', { name: 'x' }),
    403,
    'permission_denied',
  )
  assert.match(refused.message, /role is viewer; this requires the role admin/)
  assert.equal(refused.reason, 'admin_required')
  const head = await person(service, { organizationId: company.organizationId }, 'admin')
  assert.equal((await head.about(place)('POST', '/v1/product', { name: 'x' })).status, 201)
  await join(service, viewer.userId, { organizationId: company.organizationId }, 'admin')
  assert.equal((await viewer.about(place)('POST', '/v1/product', { name: 'y' })).status, 201)
})

test('responses to a person, also refusals, are not cached, and keep their declared content type', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const about = (await person(service, place, 'viewer')).about(place)
  const { body: made } = await company.call('POST', '/v1/product', { name: 'Beans' })
  const replies = [
    await about('GET', '/v1/products'),
    await about('GET', `/v1/product/${made.id}`),
    await about('HEAD', '/v1/products'),
    await about('GET', `/v1/product/${noId}`),
    await about('POST', '/v1/product', { name: 'x' }),
    await about('GET', '/v1/products?bogus=1'),
  ]
  for (const { status, headers } of replies)
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('x-content-type-options')],
      ['no-store', 'nosniff'],
      String(status),
    )
})

test('another role, a removal and the deletion of a user apply with the next request on a server that used the former state', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const second = await service.second()
  const { id, email } = await newUser(service, place, 'admin')
  const browser = await signIn(service, email)
  const there = browser.about(place, second.url)
  assert.equal((await there('POST', '/v1/product', { name: 'a' })).status, 201)
  await service.database.query("update members set role = 'viewer' where user_id = $1", [id])
  assertProblem(await there('POST', '/v1/product', { name: 'a' }), 403, 'permission_denied')
  assert.equal((await there('GET', '/v1/products')).status, 200)
  await service.database.query('delete from members where user_id = $1', [id])
  assertProblem(await there('GET', '/v1/products'), 404, 'not_found')
  await deleteUser(service.database, email)
  assertProblem(await there('GET', '/v1/products'), 401, 'not_signed_in')
  assertProblem(await service.caller()('POST', path, { email, password }), 401, 'invalid_credentials')
})

test('a stream that was opened by sign-in ends when the person signs out', async () => {
  const company = await service.company()
  const browser = await person(service, { companyId: company.id })
  const headers = { cookie: browser.cookie, 'x-company-id': company.id }
  const reply = await fetch(`${service.url}/v1/events/stream`, { headers })
  assert.equal(reply.status, 200)
  const reader = reply.body?.getReader()
  assert.ok(reader)
  await reader.read()
  assert.equal((await browser.call('DELETE', path)).status, 200)
  await company.call('POST', '/v1/category', { name: 'after signing out' })
  let text = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += Buffer.from(chunk.value)
  assert.doesNotMatch(text, /after signing out/)
})

test('a stream ends once its person is removed, has no membership any more, or the company is suspended', async () => {
  const company = await service.company()
  const endings = [
    (userId: string) => service.database.query('delete from members where user_id = $1', [userId]),
    (userId: string) => service.database.query('delete from users where id = $1', [userId]),
    () => service.database.query("update companies set status = 'suspended' where id = $1", [company.id]),
  ]
  for (const end of endings) {
    const browser = await person(service, { companyId: company.id }, 'viewer')
    const headers = { cookie: browser.cookie, 'x-company-id': company.id }
    const reply = await fetch(`${service.url}/v1/events/stream`, { headers })
    const reader = reply.body?.getReader()
    assert.ok(reader)
    await reader.read()
    await end(browser.userId)
    // Nothing happens in the company: it is polled, without a notification.
    for (let chunk = await reader.read(); !chunk.done; ) chunk = await reader.read()
  }
})

test('a suspended company is closed to its members with its reason, and readable for those of its organization', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const own = await person(service, place)
  const head = await person(service, { organizationId: company.organizationId }, 'admin')
  const about = { organizationId: company.organizationId }
  const suspend = { status: 'suspended', suspendedReason: 'The invoice is open.' }
  const suspended = await head.about(about)('PATCH', `/v1/organization-api/companies/${company.id}`, suspend)
  assert.equal(suspended.status, 200, suspended.text)
  for (const reply of [
    await own.about(place)('GET', '/v1/products'),
    await head.about(place)('POST', '/v1/product', {}),
  ])
    assert.match(assertProblem(reply, 403, 'permission_denied').message, /The invoice is open/)
  assert.equal((await head.about(place)('GET', '/v1/products')).status, 200)
  const { companies } = (await own.call('GET', path)).body
  assert.equal(companies[0].status, 'suspended')
})

test('products, orders and refunds that a person created are marked as made in the console, even after later changes', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const about = (await person(service, place)).about(place)
  const bodies = {
    product: { name: 'Beans' },
    order: { summary: { total: '1.00' } },
    refund: { orderId: 'x', lineItems: [], summary: {} },
  }
  for (const [one, body] of Object.entries(bodies)) {
    const mine = await about('POST', `/v1/${one}`, { ...body, fromService: false })
    assert.equal(mine.body.fromService, true, mine.text)
    const by = await company.call('PATCH', `/v1/${one}/${mine.body.id}`, { externalId: 'x' })
    assert.equal(by.body.fromService, true)
    const bulk = await about('POST', `/v1/${one}s`, [body])
    assert.equal(bulk.body.results[0].data.fromService, true)
    const theirs = await company.call('POST', `/v1/${one}`, body)
    assert.equal((await about('PATCH', `/v1/${one}/${theirs.body.id}`, { externalId: 'y' })).body.fromService, false)
  }
  assert.equal((await about('POST', '/v1/customer', { email: 'a@b.example' })).body.fromService, false)
  assert.equal((await about('POST', '/v1/category', { name: 'x' })).body.fromService, undefined)
})

test('a change of stock shows the person who made it, instead of the key', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const browser = await person(service, place)
  const about = browser.about(place)
  const { body: product } = await about('POST', '/v1/product', { name: 'Beans' })
  const variant = await about('POST', '/v1/variant', { productId: product.id, manageStock: true })
  const items = [{ productId: product.id, variantId: variant.body.id, outletId: 'shop', quantity: 7 }]
  assert.equal((await about('POST', '/v1/inventories/set-levels', { items })).status, 200)
  const { data } = (await about('GET', '/v1/inventory-history')).body
  assert.deepEqual([data[0].userId, data[0].keyId, data[0].newStock], [browser.userId, undefined, 7])
})

test('a person’s idempotency keys are the company’s; a response with a secret is repeated only to that person', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const one = await person(service, place)
  const two = await person(service, place)
  const key = { 'idempotency-key': 'the same' }
  const made = await one.about(place)('POST', '/v1/product', { name: 'Beans' }, key)
  for (const call of [two.about(place), company.call]) {
    const again = await call('POST', '/v1/product', { name: 'Beans' }, key)
    assert.deepEqual([again.headers.get('idempotent-replayed'), again.text], ['true', made.text])
  }
  const secret = { 'idempotency-key': 'a secret' }
  const body = { name: 'Till', permissions: ['read'] }
  const own = await one.about(place)('POST', '/v1/keys', body, secret)
  assert.equal((await one.about(place)('POST', '/v1/keys', body, secret)).text, own.text)
  assertProblem(await two.about(place)('POST', '/v1/keys', body, secret), 422, 'idempotency_conflict')
})

test('the list of companies has all that a person can access, by name, page by page, with the higher of two roles', async () => {
  const { organizationId } = await createOrganization(service.database, { name: 'Chain' })
  const names = ['Zürich', 'aachen', 'Ärzte', 'Berlin 100%', 'berlin_2', 'Chur']
  const made: string[] = []
  for (const name of names)
    made.push((await createCompany(service.database, { name, organizationId, currency: 'EUR' })).companyId)
  const other = await service.company()
  const browser = await person(service, { organizationId }, 'admin')
  await join(service, browser.userId, { companyId: made[0] as string }, 'owner')
  await join(service, browser.userId, { companyId: other.id }, 'viewer')
  const list = async (query = '') => (await browser.call('GET', `/v1/console/companies${query}`)).body
  const all = await list()
  assert.deepEqual(
    all.data.map(({ name, role, organizationName }: any) => [name, role, organizationName]),
    [
      ['aachen', 'admin', 'Chain'],
      ['Ärzte', 'admin', 'Chain'],
      ['Berlin 100%', 'admin', 'Chain'],
      ['berlin_2', 'admin', 'Chain'],
      ['Chur', 'admin', 'Chain'],
      ['Shop', 'viewer', 'Test'],
      ['Zürich', 'owner', 'Chain'],
    ],
  )
  const walked: unknown[] = []
  for (let query = '?limit=2'; ; ) {
    const { data, meta } = await list(query)
    walked.push(...data)
    if (meta.nextCursor === undefined) break
    query = `?limit=2&cursor=${meta.nextCursor}`
  }
  assert.deepEqual(walked, all.data)
  const found = async (search: string) =>
    (await list(`?search=${encodeURIComponent(search)}`)).data.map(({ name }: any) => name)
  assert.deepEqual(await found('BERLIN'), ['Berlin 100%', 'berlin_2'])
  assert.deepEqual(await found('0%'), ['Berlin 100%'])
  assert.deepEqual(await found('_'), ['berlin_2'])
  assert.deepEqual(await found('nothing'), [])
  for (const cursor of ['x', 'W10', Buffer.from('["a\\u0000","x"]').toString('base64url')])
    assertProblem(await browser.call('GET', `/v1/console/companies?cursor=${cursor}`), 400, 'validation_failed')
})

test('a person sees the company’s reference, with the columns that its tables add to customers', async () => {
  const company = await service.company()
  const columns = { customer: { type: 'string', referenceLinkedCollection: 'customers' }, tier: 'string' }
  await makeTable(company.call, columns, 'stamp-cards')
  const browser = await person(service, { companyId: company.id }, 'viewer')
  const read = (headers: Record<string, string>) => service.caller(headers)('GET', '/v1/openapi.json')
  const own = await read({ cookie: browser.cookie, 'x-company-id': company.id })
  assert.ok(own.text.includes('stamp-cards'))
  assert.equal(own.headers.get('cache-control'), 'no-store')
  assert.ok(!(await read({ cookie: browser.cookie })).text.includes('stamp-cards'))
  assertProblem(await read({ cookie: browser.cookie, 'x-company-id': noId }), 404, 'not_found')
  assert.equal((await read({ 'x-company-id': company.id })).status, 200)
})
