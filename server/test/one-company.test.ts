// Where tables are distributed by company, each statement over them names one company, so that it runs on one node. Here on plain PostgreSQL: two companies do at once what shops do, and every statement is looked at.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { OperatorError } from '../src/core/operator-error.ts'
import { checkDue } from '../src/features/alerts/check.ts'
import { exportCompany } from '../src/features/company-file/export-file.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import { grantLogin } from '../src/features/sql-access/login.ts'
import { resealTriggers } from '../src/features/webhooks/trigger-secrets.ts'
import { resources } from '../src/resources/index.ts'
import { sealOf } from '../src/seal.ts'
import { succeeded } from './support/custom-tables.ts'
import { isOfAllCompanies, refusal, unnamed, watchStatements } from './support/named-company.ts'
import { dataFolder, until } from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { type Caller, type Company, testService, testSettings } from './support/service.ts'

const service = testService({ mode: 'citus', webhookAllow: ['127.0.0.1'], webhooks: { isSending: true } })

const seen = new Set<string>()
let stop = () => {}
before(() => {
  stop = watchStatements((text) => seen.add(text))
})
after(() => stop())

/** Both companies at once, so that their single requests are gathered. */
async function atOnce(work: (company: Company) => Promise<unknown>): Promise<void> {
  const companies = await Promise.all([service.company(), service.company()])
  await Promise.all(companies.map(work))
}

function checkSeen(atLeast: number) {
  const lacking = [...seen].filter((text) => !isOfAllCompanies(text) && unnamed(text).length > 0)
  assert.deepEqual(lacking, [])
  assert.deepEqual(
    [...seen].filter((text) => refusal(text) !== undefined),
    [],
  )
  const ofTables = [...seen].filter((text) =>
    /\b(from|into|update|join) (customers|orders|events|inventories)\b/.test(text),
  )
  assert.ok(ofTables.length >= atLeast, String(ofTables.length))
}

/** A record of each resource is created, read, listed, changed, and removed; once alone and once in bulk. */
async function everyResource(call: Caller) {
  for (const { styleB, example, list } of resources) {
    if (styleB === null) continue
    const made = await call('POST', `/v1/${styleB.one}`, example)
    // Some resources are written by routes of their own, or refuse the example without what it refers to.
    if (made.status !== 201) continue
    const { id } = made.body
    const [one, many] = [`/v1/${styleB.one}/${id}`, `/v1/${styleB.many}`]
    await Promise.all([call('GET', one), call('GET', one)])
    for (const member of list.sort.slice(0, 1)) await call('GET', `${many}?sortBy=${member}&limit=2`)
    await call('GET', `${many}?search=a&limit=2`)
    await call('PATCH', one, { ...example, externalId: 'x-1' })
    await call('POST', many, { items: [example] })
    await call('PATCH', many, { items: [{ id, ...example }] })
    await call('DELETE', many, { items: [{ id }] })
    await call('DELETE', one)
  }
}

test('records of every resource', async () => {
  await atOnce(({ call }) => everyResource(call))
  checkSeen(25)
})

/** An outlet with a till and an open session, and a managed variant that it has in stock. */
async function shop(call: Caller) {
  const made = async (path: string, body: object): Promise<string> => succeeded(await call('POST', path, body), 201).id
  const outletId = await made('/v1/outlet', { name: 'Main Street' })
  const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  const sessionId = await made('/v1/session', { stationId })
  const productId = await made('/v1/product', { name: 'Beans' })
  const inventory = [{ outletId, stock: 12 }]
  const variantId = await made('/v1/variant', { productId, price: 2, manageStock: true, inventory })
  return { outletId, stationId, sessionId, productId, variantId }
}

test('a day of a till: stock, sales, a refund, a void, closing, reports, the feed', async () => {
  await atOnce(async ({ call }) => {
    const { outletId, stationId, sessionId, productId, variantId } = await shop(call)
    const tuple = { productId, variantId, outletId }
    succeeded(await call('POST', '/v1/inventories/set-levels', { items: [{ ...tuple, quantity: 20 }] }))
    succeeded(await call('POST', '/v1/inventories/adjust', { items: [{ ...tuple, delta: 2, kind: 'RECEIVED' }] }))
    const lineItems = [{ variantId, quantity: 2, price: '2.00' }]
    const sale = { lineItems, outletId, stationId, payments: [{ paymentMethod: 'cash', amount: '4.00' }] }
    const key = { 'idempotency-key': 'sale-1' }
    const { order } = succeeded(
      await call('POST', '/v1/sale', { ...sale, customer: { email: 'a@example.com' } }, key),
      201,
    )
    succeeded(await call('POST', '/v1/sale', { ...sale, customer: { email: 'a@example.com' } }, key), 201)
    const other = succeeded(await call('POST', '/v1/sale', sale), 201).order
    succeeded(await call('POST', `/v1/sale/${order.id}/refund`, {}), 201)
    succeeded(await call('POST', `/v1/sale/${other.id}/void`, {}))
    succeeded(await call('POST', '/v1/cash-movement', { sessionId, type: 'float', amount: '5.00' }), 201)
    succeeded(await call('GET', `/v1/session/${sessionId}/report`))
    succeeded(await call('POST', `/v1/session/${sessionId}/close`, {}), 201)
    for (const report of ['sales', 'products', 'customers'])
      succeeded(await call('GET', `/v1/reports/${report}?from=2026-01-01&to=2026-12-31`))
    succeeded(await call('GET', '/v1/reports/stock-value'))
    succeeded(await call('GET', '/v1/reports/low-stock'))
    succeeded(await call('GET', '/v1/events?after=0&limit=1000'))
    succeeded(await call('GET', '/v1/search?q=beans'))
    succeeded(await call('PUT', '/v1/product/external/shopify/7', { name: 'Tea' }), 201)
    succeeded(await call('POST', '/v1/customer?dryRun=true', { email: 'b@example.com' }), 201)
    succeeded(await call('POST', '/v1/customer', { email: 'b@example.com' }, { 'idempotency-key': 'customer-1' }), 201)
    succeeded(await call('POST', '/v1/events/custom', { name: 'shift.ended', data: {} }), 201)
  })
  checkSeen(30)
})

test('webhooks are leased, read, called and recorded for each company', async (t) => {
  const { url, received } = await receiver(t)
  await atOnce(async ({ call }) => {
    succeeded(
      await call('POST', '/v1/automation-trigger', { triggerType: 'customer.*', triggerUrl: url, isActive: true }),
      201,
    )
    const { id } = succeeded(await call('POST', '/v1/customer', { email: 'c@example.com' }), 201)
    succeeded(await call('PATCH', `/v1/customer/${id}`, { firstName: 'Ann' }))
  })
  await until('all calls were made', () => received.length === 4)
  checkSeen(30)
})

test('a key change seals the secrets of all companies', async () => {
  const ids: string[] = []
  await atOnce(async ({ id, call }) => {
    ids.push(id)
    const hook = { triggerType: 'custom.nothing', triggerUrl: 'https://hooks.example.com/x', apiKey: 'known' }
    succeeded(await call('POST', '/v1/automation-trigger', hook), 201)
  })
  const secretOf = (id: string) =>
    service.database.query('select secret from automation_triggers where company_id = $1', [id])
  const secrets = async () => (await Promise.all(ids.map(secretOf))).flat()
  const seal = sealOf(testSettings.secretKeys)
  const before = await secrets()
  // With a key the same text is sealed in another way each time.
  await resealTriggers(service.database, (sealed, context) => seal.close(seal.open(sealed, context), context))
  assert.equal(before.length, 2)
  for (const [n, [secret]] of (await secrets()).entries()) assert.notEqual(secret, before[n]?.[0])
  checkSeen(30)
})

test('a company’s file, and a file of its changes since, are written and imported; companies are looked at for alerts', async (t) => {
  const folder = await dataFolder(t)
  await atOnce(async ({ id: companyId, call }) => {
    const file = (name: string) => join(folder, `${companyId} ${name}`)
    succeeded(await call('POST', '/v1/customer', { email: 'e@example.com' }), 201)
    await exportCompany(service.database, { companyId, file: file('all') })
    succeeded(await call('POST', '/v1/customer', { email: 'f@example.com' }), 201)
    succeeded(await call('PATCH', `/v1/organization-api/companies/${companyId}`, { status: 'suspended' }))
    await exportCompany(service.database, { companyId, file: file('changes'), since: file('all') })
    const { isChanged, counts } = await importCompany(service.database, { file: file('changes') })
    assert.deepEqual([isChanged, counts.customers], [true, 2])
    await service.database.query(
      'insert into alert_checks (company_id) values ($1) on conflict (company_id) do update set due_at = now()',
      [companyId],
    )
    await checkDue(service.database)
  })
  checkSeen(30)
})

test('a login for SQL is refused: its views are in one PostgreSQL', async () => {
  const { id: companyId } = await service.company()
  await assert.rejects(grantLogin(service.database, { companyId }), OperatorError)
})

test('tables of a company extend its customers', async () => {
  await atOnce(async ({ call }) => {
    const table = succeeded(await call('POST', '/v1/api/custom-table', { name: 'loyalty' }), 201)
    const tableId = table._id
    const of = (name: string, more: object) => ({ tableId, name, type: 'string', required: false, ...more })
    const link = { referenceLinkedCollection: 'customers', referenceLinkedField: 'id' }
    await call('POST', '/v1/api/custom-table-field', of('customer', link))
    await call('POST', '/v1/api/custom-table-field', of('tier', {}))
    const { id } = succeeded(
      await call('POST', '/v1/customer', { email: 'd@example.com', loyalty: { tier: 'gold' } }),
      201,
    )
    await call('PATCH', `/v1/customer/${id}`, { loyalty: { tier: 'silver' } })
    const rows = await call('GET', '/v1/api/custom-table-data/loyalty')
    const row = rows.body[0]?._id.$oid
    await call('GET', `/v1/api/custom-table-data/loyalty/${row}`)
    await call('PATCH', `/v1/api/custom-table-data/loyalty/${row}`, { tier: 'bronze' })
    await call('DELETE', `/v1/api/custom-table-data/loyalty/${row}`)
  })
  checkSeen(30)
})
