// Onboarding (pos-api.md "Organization endpoint", decisions §10): the first records of a company, refusals that leave nothing, and that it is done once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissions } from '../src/core/scope.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { startService } from '../src/service.ts'
import { testConnection } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, sharedService, testSettings } from './support/service.ts'

const service = sharedService()

const path = '/v1/organization-api/company/company-workflow/onboard'
const paths = [path, path.replace('/v1/', '/v1/api/')]

interface Organization {
  readonly id: string
  readonly planId: string
  readonly key: string
  readonly call: Caller
}

/** A new organization, by default with an owner. */
async function organization(): Promise<Organization> {
  const made = await createOrganization(service.database, { name: 'Chain', ownerEmail: 'boss@chain.example' })
  const { organizationId: id, planId, apiKey: key } = made
  return { id, planId, key, call: service.caller({ 'x-org-api-key': key }) }
}

/** A call as a company, with its own key. */
async function as(companyId: string): Promise<Caller> {
  return (await service.keyFor(companyId)).call
}

/** All rows of an organization's companies, counted. */
async function countsOf({ id }: Organization): Promise<number[]> {
  const tables = ['outlets', 'accounts', 'roles', 'events', 'outlet_counts']
  const own = 'company_id in (select id from companies where organization_id = $1)'
  const [row] = await service.database.query(
    `select (select count(*) from companies where organization_id = $1),
       ${tables.map((table) => `(select count(*) from ${table} where ${own})`).join(', ')}`,
    [id],
  )
  return row as number[]
}

/** A plan, of an organization or of all. */
async function plan(organizationId: string | null, status = 'active'): Promise<string> {
  const id = noId.slice(0, 12) + Math.random().toString(16).slice(2, 14).padEnd(12, '0')
  await service.database.query(
    'insert into plans (id, organization_id, name, status, created_at, updated_at) values ($1, $2, $3, $4, now(), now())',
    [id, organizationId, 'Small', status],
  )
  return id
}

test('onboarding creates the company, its account, its first outlet and three roles, each with its event', async () => {
  const own = await organization()
  const { status, body } = await own.call('POST', path, { name: 'Corner Shop' })
  assert.equal(status, 200)
  const { id, accountId, createdAt } = body
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const email = 'boss@chain.example'
  assert.deepEqual(body, {
    id,
    name: 'Corner Shop',
    email,
    accountId,
    organizationId: own.id,
    currency: 'USD',
    status: 'active',
    createdAt,
    updatedAt: createdAt,
  })
  const call = await as(id)
  const list = async (many: string) => (await call('GET', `/v1/${many}`)).body.data
  const accounts = await list('accounts')
  const outlets = await list('outlets')
  const roles = await list('roles')
  assert.deepEqual(
    accounts.map(({ id, email, name }: any) => [id, email, name]),
    [[accountId, email, 'Corner Shop']],
  )
  assert.deepEqual(
    outlets.map(({ name, sequenceNumber }: any) => [name, sequenceNumber]),
    [['Corner Shop', 1]],
  )
  assert.deepEqual(
    roles.map(({ name }: any) => name),
    ['Owner', 'Admin', 'Cashier'],
  )
  const rows = await service.database.query(
    'select type, record_id from events where company_id = $1 order by sequence',
    [id],
  )
  const records = [...outlets, ...accounts, ...roles].map(({ id }: any) => id)
  assert.deepEqual(
    rows.map(([, recordId]) => recordId),
    records,
  )
  const [stored] = await service.database.query('select plan_id from companies where id = $1', [id])
  assert.deepEqual(stored, [own.planId])
})

test('every member is stored as it was sent, and the other path spelling does the same', async () => {
  const own = await organization()
  const planId = await plan(own.id)
  const body = {
    name: '<b>Ünï & "Söhne"</b>',
    email: 'shop@corner.example',
    planId,
    country: 'AT',
    currency: 'EUR',
    phone: '+43 1 234',
    industry: 'food',
    logo: 'logos/1.png',
    timezone: 'Europe/Vienna',
    taxId: 'ATU1',
    dayStartHour: 4,
    address: {
      address1: '1 Main Street',
      address2: 'Door 2',
      city: 'Vienna',
      state: 'W',
      postCode: '1010',
      floor: null,
    },
    outletName: 'Downtown',
    externalId: 'merchant-1',
  }
  for (const [n, at] of [...paths, ...paths.map((path) => `${path}/${own.id}`)].entries()) {
    const { status, body: made } = await own.call('POST', at, { ...body, externalId: `merchant-${n}` })
    assert.equal(status, 200)
    const { name, email, country, currency, timezone, organizationId } = made
    assert.deepEqual(
      { name, email, country, currency, timezone, organizationId },
      {
        name: body.name,
        email: body.email,
        country: 'AT',
        currency: 'EUR',
        timezone: 'Europe/Vienna',
        organizationId: own.id,
      },
    )
    const [row] = await service.database.query(
      'select phone, industry, logo, address, external_id, plan_id, tax_id, day_start_hour from companies where id = $1',
      [made.id],
    )
    const [phone, industry, logo, address, externalId, plan, taxId, dayStartHour] = row as string[]
    assert.deepEqual(
      [phone, industry, logo, externalId, plan, taxId, dayStartHour],
      [body.phone, body.industry, body.logo, `merchant-${n}`, planId, body.taxId, body.dayStartHour],
    )
    assert.deepEqual(JSON.parse(address as string), body.address)
    const call = await as(made.id)
    assert.equal((await call('GET', '/v1/outlets')).body.data[0].name, 'Downtown')
    const { body: who } = await call('GET', '/v1/whoami')
    assert.deepEqual([who.company.country, who.currency], ['AT', 'EUR'])
  }
})

test('country, currency and time zone are accepted in any case and stored in their standard form', async () => {
  const own = await organization()
  const { status, body } = await own.call('POST', path, {
    name: 'a',
    country: 'at',
    currency: 'eur',
    timezone: 'europe/vienna',
  })
  assert.equal(status, 200)
  assert.deepEqual([body.country, body.currency, body.timezone], ['AT', 'EUR', 'Europe/Vienna'])
  const changed = await own.call('PATCH', `/v1/organization-api/companies/${body.id}`, { country: 'de' })
  assert.deepEqual([changed.status, changed.body.country], [200, 'DE'])
})

test('an invalid body is refused with every wrong member named, and nothing is created', async () => {
  const own = await organization()
  const wrong: [unknown, string[]][] = [
    [{}, ['/name']],
    [{ name: '' }, ['/name']],
    [{ name: ' \t' }, ['/name']],
    [{ name: null }, ['/name']],
    [{ name: 7 }, ['/name']],
    [{ name: 'x'.repeat(501) }, ['/name']],
    [{ name: 'a', email: 'nobody' }, ['/email']],
    // Its capitals would be South Sudan.
    [{ name: 'a', country: 'ß' }, ['/country']],
    [{ name: 'a', country: 'XX' }, ['/country']],
    [{ name: 'a', country: 'AUT' }, ['/country']],
    [{ name: 'a', country: ['AT'] }, ['/country']],
    [{ name: 'a', currency: 'euro' }, ['/currency']],
    [{ name: 'a', timezone: 'Vienna' }, ['/timezone']],
    [{ name: 'a', timezone: '+01:00' }, ['/timezone']],
    [{ name: 'a', address: 'Main Street' }, ['/address']],
    [{ name: 'a', address: { city: 7 } }, ['/address/city']],
    [{ name: 'a', logo: 'x'.repeat(2049) }, ['/logo']],
    [{ name: 'a', outletName: '' }, ['/outletName']],
    [{ name: 'a', outletNmae: 'b' }, ['/outletNmae']],
    [{ name: 'a', planId: 7 }, ['/planId']],
    [{ name: 'a', status: 'active' }, ['/status']],
    [{ name: 'a', organizationId: own.id }, ['/organizationId']],
    [{ name: 'a', organizationId: null }, ['/organizationId']],
    [{ organizationId: own.id, country: 'xx' }, ['/organizationId', '/name', '/country']],
    [[], ['']],
    ['{"name": "a", "__proto__": {}}', ['/__proto__']],
  ]
  for (const [body, pointers] of wrong) {
    const { errors } = assertProblem(await own.call('POST', path, body), 400, 'validation_failed', JSON.stringify(body))
    assert.deepEqual(
      errors.map(({ pointer }: any) => pointer),
      pointers,
    )
  }
  const misspelt = await own.call('POST', path, { name: 'a', outletNmae: 'b' })
  assert.match(misspelt.body.message, /did you mean outletName\?/)
  assert.match(
    (await own.call('POST', path, { name: 'a', organizationId: own.id })).body.message,
    /^\/organizationId: must not be sent/,
  )
  assert.deepEqual(await countsOf(own), [0, 0, 0, 0, 0, 0])
})

test('members that the service sets are ignored, and a time zone is returned in its usual spelling', async () => {
  const own = await organization()
  const sent = { id: noId, companyId: noId, createdAt: 'x', updatedAt: 1, isDeleted: true, fromService: false, _id: 1 }
  const { status, body } = await own.call('POST', path, { name: 'a', timezone: 'asia/kolkata', email: null, ...sent })
  assert.equal(status, 200)
  assert.notEqual(body.id, noId)
  assert.equal(body.email, 'boss@chain.example')
  for (const [timezone, kept] of [
    ['europe/VIENNA', 'Europe/Vienna'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['UTC', 'UTC'],
  ])
    assert.equal((await own.call('POST', path, { name: 'a', timezone })).body.timezone, kept)
})

test('errors say what is missing: an owner, an active plan, the key’s organization', async () => {
  const own = await organization()
  const other = await organization()
  const none = await createOrganization(service.database, { name: 'Ownerless' })
  const ownerless = service.caller({ 'x-org-api-key': none.apiKey })
  const { message } = assertProblem(await ownerless('POST', path, { name: 'a' }), 400, 'validation_failed')
  assert.match(message, /has no owner.* sets one with `npx cashwrap organization update/)
  assertProblem(await ownerless('POST', path, { name: 'a', email: 'a@b.example' }), 400, 'validation_failed')

  const inactive = { name: 'a', planId: await plan(own.id, 'inactive') }
  const refused = assertProblem(await own.call('POST', path, inactive), 400, 'validation_failed')
  assert.equal(refused.errors[0].pointer, '/planId')
  assert.match(refused.message, /inactive plan/)
  for (const planId of [noId, 'no-plan', own.planId.toUpperCase()])
    assertProblem(await own.call('POST', path, { name: 'a', planId }), 404, 'not_found', planId)
  const shared = await plan(null)
  for (const at of paths)
    for (const id of [other.id, noId, 'x', '%00', own.id.toUpperCase()])
      assertProblem(await own.call('POST', `${at}/${id}`, { name: 'a' }), 403, 'key_not_bound')
  assert.deepEqual(await countsOf(own), [0, 0, 0, 0, 0, 0])
  assert.equal((await own.call('POST', path, { name: 'a', planId: shared })).status, 200)
  // Other files share the service, and their lists of plans would have it.
  await service.database.query('update plans set organization_id = $2 where id = $1', [shared, own.id])

  await service.database.query('update plans set is_default = false where organization_id = $1', [own.id])
  const without = assertProblem(await own.call('POST', path, { name: 'a' }), 400, 'validation_failed')
  assert.match(without.message, /no default plan/)
})

test('a plan of another organization is answered like one that does not exist, at onboarding and at a change', async () => {
  const own = await organization()
  const other = await organization()
  const { body: company } = await own.call('POST', path, { name: 'a' })
  const at = `/v1/organization-api/companies/${company.id}`
  const answers = async (planId: string) => {
    const replies = [await own.call('POST', path, { name: 'b', planId }), await own.call('PATCH', at, { planId })]
    return replies.map((reply) => {
      const { requestId, ...problem } = assertProblem(reply, 404, 'not_found', planId)
      return JSON.stringify(problem).replaceAll(planId, 'the id')
    })
  }
  const unknown = await answers(noId)
  for (const planId of [other.planId, await plan(other.id, 'inactive')])
    assert.deepEqual(await answers(planId), unknown)
  assert.equal((await own.call('GET', at)).body.planId, own.planId)
})

test('only an organization’s key with the permission to create can onboard', async () => {
  const own = await organization()
  const { key } = await service.company()
  for (const at of [...paths, ...paths.map((path) => `${path}/${own.id}`)]) {
    const as = (headers: Record<string, string>) => service.caller(headers)('POST', at, { name: 'a' })
    assertProblem(await as({}), 401, 'missing_key')
    assertProblem(await as({ 'x-org-api-key': 'x' }), 401, 'invalid_key')
    assertProblem(await as({ 'x-api-key': own.key }), 401, 'missing_key')
    assertProblem(await as({ 'x-org-api-key': key }), 403, 'key_not_bound')
    assertProblem(await as({ 'x-org-api-key': own.key, 'x-api-key': key }), 400, 'conflicting_credentials')
    const others = permissions.filter((permission) => permission !== 'create')
    const { value } = await createKey(service.database, { organizationId: own.id }, { name: 'K', permissions: others })
    assertProblem(await as({ 'x-org-api-key': value }), 403, 'permission_denied')
  }
  assert.deepEqual(await countsOf(own), [0, 0, 0, 0, 0, 0])
})

test('of two onboardings with one externalId one is done and the other is 409, also concurrently', async (t) => {
  const [row] = await service.database.query('select current_database()')
  const elsewhere = await startService({ ...testConnection(), database: row?.[0] }, testSettings)
  t.after(() => elsewhere.close())
  const own = await organization()
  const there = service.caller({ 'x-org-api-key': own.key }, elsewhere.url)
  for (let n = 0; n < 10; n++) {
    const body = { name: 'Shop', externalId: `shop-${n}` }
    const calls = Array.from({ length: 6 }, (_, n) => (n % 2 ? there : own.call)('POST', path, body))
    const replies = await Promise.all(calls)
    const refused = replies.filter(({ status }) => status !== 200)
    assert.equal(refused.length, 5)
    for (const reply of refused) assert.match(assertProblem(reply, 409, 'conflict').message, new RegExp(`"shop-${n}"`))
  }
  assert.deepEqual(await countsOf(own), [10, 10, 10, 30, 50, 10])
  const other = await organization()
  assert.equal((await other.call('POST', path, { name: 'Shop', externalId: 'shop-1' })).status, 200)
})

test('under an Idempotency-Key a company is created once, and every further request gets the same bytes', async () => {
  const own = await organization()
  const headers = { 'idempotency-key': 'merchant 1' }
  const body = { name: 'Shop', externalId: 'shop-1' }
  const first = await own.call('POST', path, body, headers)
  const again = await own.call('POST', path, { externalId: 'shop-1', name: 'Shop' }, headers)
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assertProblem(await own.call('POST', path, { name: 'Other' }, headers), 422, 'idempotency_conflict')
  assertProblem(await own.call('POST', `${path}/${own.id}`, body, headers), 422, 'idempotency_conflict')
  // Another organization's keys are separate.
  const other = await organization()
  assert.notEqual((await other.call('POST', path, body, headers)).body.id, first.body.id)
  // A failed request can be corrected under its key.
  assertProblem(await own.call('POST', path, { name: '' }, { 'idempotency-key': 'b' }), 400)
  assert.equal((await own.call('POST', path, { name: 'B' }, { 'idempotency-key': 'b' })).status, 200)
  assert.deepEqual(await countsOf(own), [2, 2, 2, 6, 10, 2])
})

test('a failure at any point of onboarding leaves nothing', async () => {
  const own = await organization()
  // The last record to be written is the cashiers' role.
  await service.database.query(`alter table roles add constraint broken check (body ->> 'name' <> 'Cashier') not valid`)
  try {
    const reply = await own.call('POST', path, { name: 'Shop' }, { 'idempotency-key': 'a' })
    assert.ok(reply.status >= 400, reply.text)
  } finally {
    await service.database.query('alter table roles drop constraint broken')
  }
  assert.deepEqual(await countsOf(own), [0, 0, 0, 0, 0, 0])
  assert.equal((await own.call('POST', path, { name: 'Shop' }, { 'idempotency-key': 'a' })).status, 200)
  assert.deepEqual(await countsOf(own), [1, 1, 1, 3, 5, 1])
})
