// What every company has from its creation on (decisions §10): a currency, and roles that list their permissions; also if an older version created it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../src/database/migrate.ts'
import { defaultRoles } from '../src/features/tenants/new-company.ts'
import { createCompany, createFirstTenant, createOrganization } from '../src/features/tenants/tenants.ts'
import { tillPermissions } from '../src/resources/till-permissions.ts'
import { connectedCopy } from './support/database.ts'
import { skipOnCluster } from './support/nodes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const organizationPath = '/v1/organization-api/organization'
const onboardPath = '/v1/organization-api/company/company-workflow/onboard'

async function organization() {
  const made = await createOrganization(service.database, { name: 'Chain', ownerEmail: 'boss@chain.example' })
  return { id: made.organizationId, call: service.caller({ 'x-org-api-key': made.apiKey }) }
}

test('a company without a currency gets that of its organization, or USD if the organization has none', async () => {
  const { call } = await organization()
  const onboarded = async (body: object) => {
    const { status, body: made, text } = await call('POST', onboardPath, { name: 'Shop', ...body })
    assert.equal(status, 200, text)
    return made
  }
  const first = await onboarded({})
  assert.equal(first.currency, 'USD')
  assert.equal((await onboarded({ currency: 'chf' })).currency, 'CHF')
  assert.equal((await onboarded({ currency: '' })).currency, 'USD')
  const { body } = await call('PATCH', organizationPath, { defaultCurrency: 'eur' })
  assert.equal(body.defaultCurrency, 'EUR')
  assert.equal((await onboarded({})).currency, 'EUR')
  assert.equal((await onboarded({ currency: 'GBP' })).currency, 'GBP')
  // Existing companies keep theirs, and a cleared currency becomes the default.
  const path = `/v1/organization-api/companies/${first.id}`
  assert.equal((await call('GET', path)).body.currency, 'USD')
  const cleared = await call('PATCH', path, { currency: null })
  assert.equal(cleared.body.currency, 'EUR')
  assert.equal((await call('GET', path)).text, cleared.text)
  const own = await service.keyFor(first.id)
  const { body: who } = await own.call('GET', '/v1/whoami')
  assert.deepEqual([who.currency, who.company.currency], ['EUR', 'EUR'])
})

test('an organization’s default currency is read back, cleared, and refused if it is invalid; another organization’s stays', async () => {
  const { call } = await organization()
  const other = await organization()
  for (const [wrong, pointer] of [
    ['euro', '/defaultCurrency'],
    [978, '/defaultCurrency'],
  ] as const) {
    const { status, body } = await call('PATCH', organizationPath, { defaultCurrency: wrong })
    assert.deepEqual([status, body.errors[0].pointer], [400, pointer])
  }
  await call('PATCH', organizationPath, { defaultCurrency: 'CHF' })
  assert.equal((await call('GET', organizationPath)).body.defaultCurrency, 'CHF')
  assert.equal((await other.call('GET', organizationPath)).body.defaultCurrency, undefined)
  assert.equal((await call('PATCH', organizationPath, { defaultCurrency: '' })).body.defaultCurrency, undefined)
})

test('a company that a server of the previous version creates without a currency has one', async () => {
  const { id, organizationId } = await service.company()
  await service.database.query('update companies set currency = null where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ])
  const [row] = await service.database.query('select currency from companies where id = $1', [id])
  assert.deepEqual(row, ['USD'])
})

test('the default roles list each permission once and say whether it is granted', async () => {
  const { call } = await organization()
  const { body: company } = await call('POST', onboardPath, { name: 'Shop' })
  const own = await service.keyFor(company.id)
  const { data } = (await own.call('GET', '/v1/roles')).body
  assert.deepEqual(
    data.map(({ name, permissions }: any) => ({ name, permissions })),
    defaultRoles,
  )
  const ids = tillPermissions.map(({ permissionId }) => permissionId)
  assert.equal(new Set(ids).size, ids.length)
  for (const { name, permissions } of data) {
    assert.deepEqual(
      permissions.map(({ permissionId }: any) => permissionId),
      ids,
      name,
    )
    for (const { value } of permissions) assert.equal(typeof value, 'boolean')
  }
  const granted = data.map(({ permissions }: any) => permissions.filter(({ value }: any) => value).length)
  assert.ok(granted[0] > granted[1] && granted[1] > granted[2] && granted[2] > 0)
})

test('the company of the first start has the default roles too, and no account without an owner’s address', {
  skip: skipOnCluster,
}, async (t) => {
  const { database } = await connectedCopy(t, 3)
  const first = await createFirstTenant(database)
  const rows = await database.query('select body::text from roles where company_id = $1 order by created_at, id', [
    first?.companyId,
  ])
  assert.deepEqual(
    rows.map(([body]) => JSON.parse(body)).map(({ name, permissions }) => ({ name, permissions })),
    defaultRoles,
  )
  const accounts = await database.query('select 1 from accounts')
  assert.deepEqual(accounts, [])
})

test('a migrated company gets a currency, and permissions in unedited default roles; all others stay', {
  skip: skipOnCluster,
}, async (t) => {
  const { database } = await connectedCopy(t, 3)
  const { organizationId } = await createOrganization(database, { name: 'Chain', ownerEmail: 'boss@chain.example' })
  const company = { organizationId, name: 'Shop', isStaffed: true }
  const old = (await createCompany(database, company)).companyId
  const kept = (await createCompany(database, { ...company, currency: 'CHF' })).companyId
  // As the previous version left them.
  await database.query('drop trigger company_currency on companies')
  await database.query('drop function company_currency()')
  await database.query('alter table organizations drop column default_currency cascade')
  await database.query('delete from migrations where number in (18, 35)')
  await database.query('update companies set currency = null where id = $1', [old])
  const plain = `update roles as stored set body = format('{"id":"%s","name":"%s","createdAt":"%s","updatedAt":"%s","companyId":"%s"}',
    stored.id, $2::text, stored.created_at, stored.updated_at, stored.company_id)::json, version = $3
    where company_id = $1 and name = $4`
  for (const name of ['Owner', 'Admin', 'Cashier']) await database.query(plain, [old, name, 1, name])
  // A renamed role, and one edited without permissions; the company's Cashier has its own.
  await database.query(plain, [kept, 'Chief', 1, 'Owner'])
  await database.query(plain, [kept, 'Admin', 2, 'Admin'])
  const roles = async (id: string) =>
    (
      await database.query('select body::text, version from roles where company_id = $1 order by created_at, id', [id])
    ).map(([body, version]) => ({ ...JSON.parse(body), version }))
  const before = await roles(kept)
  const [first] = await roles(old)

  assert.deepEqual(await migrate(database), ['0018_currency_and_roles.sql', '0035_tax_permission.sql'])

  const after = await roles(old)
  assert.deepEqual(
    after.map(({ name, permissions, version }) => ({ name, permissions, version })),
    defaultRoles.map((role) => ({ ...role, version: 3 })),
  )
  assert.deepEqual(Object.keys(after[0]), [
    'id',
    'name',
    'permissions',
    'createdAt',
    'updatedAt',
    'companyId',
    'version',
  ])
  assert.deepEqual([after[0].id, after[0].createdAt], [first.id, first.createdAt])
  assert.ok(after[0].updatedAt > first.updatedAt)
  assert.deepEqual(await roles(kept), before)
  const currencies = await database.query('select id, currency from companies where organization_id = $1 order by id', [
    organizationId,
  ])
  assert.deepEqual(currencies, [
    [old, 'USD'],
    [kept, 'CHF'],
  ])
})

test('a migrated role may manage tax tables if it may manage outlets; what else it is allowed and called stays', {
  skip: skipOnCluster,
}, async (t) => {
  const { database } = await connectedCopy(t, 3)
  await database.query('delete from migrations where number = 35')
  const at = '2026-01-02T03:04:05.678Z'
  const outlets = (value?: boolean) => ({
    value,
    name: 'Läden "A"',
    permissionId: 'settings.outlets',
    subCategory: 'x',
  })
  const taxes = {
    name: 'Manage tax tables',
    permissionId: 'settings.taxes',
    category: 'settings',
    subCategory: 'company',
  }
  const other = { permissionId: 'own.thing', value: true }
  const stored = [
    [other, outlets(true), other],
    [outlets(false)],
    [outlets()],
    [outlets(true), { permissionId: 'settings.taxes', value: false }],
    [other],
    undefined,
  ]
  for (const [n, permissions] of stored.entries())
    await database.query(`insert into roles (company_id, id, version, body) values ('c', $1, 4, $2)`, [
      String(n),
      JSON.stringify({
        id: String(n),
        name: 'Ünder, {boss}',
        permissions,
        createdAt: at,
        updatedAt: at,
        companyId: 'c',
      }),
    ])

  assert.deepEqual(await migrate(database), ['0035_tax_permission.sql'])

  const rows = await database.query(`select body::text, version from roles where company_id = 'c' order by id`)
  const roles = rows.map(([body, version]) => ({ ...JSON.parse(body), version }))
  const listed = (...permissions: object[]) => JSON.parse(JSON.stringify(permissions))
  assert.deepEqual(
    roles.map(({ permissions }) => permissions),
    [
      listed(other, outlets(true), { ...taxes, value: true }, other),
      listed(outlets(false), { ...taxes, value: false }),
      listed(outlets(), { ...taxes, value: false }),
      ...stored.slice(3),
    ],
  )
  assert.deepEqual(
    roles.map(({ version, updatedAt }) => [version, updatedAt > at]),
    [[5, true], [5, true], [5, true], [4, false], [4, false], [4, false]], // biome-ignore format: a row each
  )
  for (const { name, createdAt, companyId } of roles)
    assert.deepEqual([name, createdAt, companyId], ['Ünder, {boss}', at, 'c'])
})
