// Where tables are distributed by company, each statement over them names one company, so that it runs on one node.
// This file tests it on plain PostgreSQL: two companies do what shops do at the same time, and every statement is
// checked.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { OperatorError } from '../src/core/operator-error.ts'
import { checkDue } from '../src/features/alerts/check.ts'
import { deleteCompany } from '../src/features/company-file/delete.ts'
import { exportCompany } from '../src/features/company-file/export.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import { feedFamilies } from '../src/features/events/metrics.ts'
import { reportFamilies } from '../src/features/reports/sums/refresh.ts'
import { grantLogin } from '../src/features/sql-access/login.ts'
import { webhookFamilies } from '../src/features/webhooks/metrics.ts'
import { resealTriggers } from '../src/features/webhooks/trigger-secrets.ts'
import { sealOf } from '../src/seal.ts'
import { succeeded } from './support/custom-tables.ts'
import { csvOf, imported, mugs, reached, shirt } from './support/imports.ts'
import { isOfAllCompanies, refusal, unnamed, watchStatements } from './support/named-company.ts'
import { dataFolder, until } from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { type Company, testService, testSettings } from './support/service.ts'
import { dayOfTill, everyResource, extendedCustomers } from './support/shop-days.ts'

const service = testService({ mode: 'citus', webhookAllow: ['127.0.0.1'], webhooks: { isSending: true } })

/** The statements by database: the process may have services of other test files, whose tables are not distributed. */
const watched = new Map<string | undefined, Set<string>>()
let stop = () => {}
before(() => {
  stop = watchStatements((text, database) => {
    watched.set(database, (watched.get(database) ?? new Set()).add(text))
  })
})
after(() => stop())

/** Both companies at once, so that their single requests are gathered. */
async function atOnce(work: (company: Company) => Promise<unknown>): Promise<void> {
  const companies = await Promise.all([service.company(), service.company()])
  await Promise.all(companies.map(work))
}

async function checkSeen(atLeast: number): Promise<void> {
  const [own] = await service.database.query('select current_database()')
  const seen = watched.get(own?.[0]) ?? []
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

test('records of every resource', async () => {
  await atOnce(({ call }) => everyResource(call))
  await checkSeen(25)
})

test('a day of a till: stock, sales, a refund, a void, closing, reports, the feed', async () => {
  await atOnce(({ call }) => dayOfTill(call))
  await checkSeen(30)
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
  await checkSeen(30)
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
  await checkSeen(30)
})

test('a company’s file is written, the company deleted and imported again; companies are checked for alerts', async (t) => {
  const folder = await dataFolder(t)
  await atOnce(async ({ id: companyId, call }) => {
    const file = join(folder, companyId)
    succeeded(await call('POST', '/v1/customer', { email: 'e@example.com' }), 201)
    succeeded(await call('PATCH', `/v1/organization-api/companies/${companyId}`, { status: 'suspended' }))
    await exportCompany(service.database, { companyId, file })
    await service.database.query(`update companies set updated_at = now() - interval '1 hour' where id = $1`, [companyId]) // biome-ignore format: one thought
    await deleteCompany(service.database, {
      companyId,
      confirmed: 'Shop',
      waits: () => assert.fail('It waited.'),
    })
    const { wasThere, counts } = await importCompany(service.database, { file })
    assert.deepEqual([wasThere, counts.customers], [false, 1])
    await service.database.query(
      'insert into alert_checks (company_id) values ($1) on conflict (company_id) do update set due_at = now()',
      [companyId],
    )
  })
  // Both at once: their queue is at the coordinator.
  assert.equal(await checkDue(service.database), 2)
  await checkSeen(30)
})

test('a file is imported, what an undo would do is counted, and it is undone and removed', async () => {
  await atOnce(async ({ id: companyId, call }) => {
    await imported(call, csvOf(shirt))
    const { id } = await imported(call, csvOf([...shirt, ...mugs(2)].map((row) => ({ ...row, Stock: 9 }))))
    const { stock } = succeeded(await call('GET', `/v1/imports/${id}/undo`))
    assert.deepEqual(stock, { restored: 5, left: 0 })
    succeeded(await call('POST', `/v1/imports/${id}/undo`))
    await reached(call, id, 'undone')
    succeeded(await call('GET', `/v1/imports/${id}`))
    const changes = 'select from import_changes where company_id = $1 and import_id = $2'
    assert.ok((await service.database.query(changes, [companyId, id])).length > 0)
    succeeded(await call('DELETE', `/v1/imports/${id}`))
    assert.equal((await service.database.query(changes, [companyId, id])).length, 0)
  })
  await checkSeen(30)
})

test('what metrics read of the database is read over all nodes, or company by company', async () => {
  const hook = { triggerType: 'customer.*', triggerUrl: 'https://hooks.example.com/x', isActive: true }
  await atOnce(async ({ id: companyId, call }) => {
    succeeded(await call('POST', '/v1/automation-trigger', hook), 201)
    succeeded(await call('POST', '/v1/customer', { email: 'g@example.com' }), 201)
    await service.database.transaction(async (tx) => {
      // Nothing is sent meanwhile: the dispatcher waits for the row.
      await tx.query('update automation_triggers set position = 0 where company_id = $1', [companyId])
      const waiting = (await webhookFamilies(tx)).find(({ name }) => name === 'cashwrap_webhook_backlog_events')
      assert.ok((waiting?.values[0]?.value ?? 0) >= 1)
    })
  })
  await reportFamilies(service.database)
  await feedFamilies(service.database)
  await checkSeen(30)
})

test('a node that is lost during a statement or a commit is answered as a lost database, and other internal errors are not', async () => {
  const said = (message: string) =>
    service.database.query(`do $$ begin raise exception using errcode = 'XX000', message = '${message}'; end $$`)
  for (const message of [
    'could not commit transaction for shard 102011 on at least one active node',
    "failed to prepare transaction ''citus_0_1'' on host node-1.internal:5432",
    'server closed the connection unexpectedly',
  ])
    await assert.rejects(said(message), { code: 'unavailable' }, message)
  await assert.rejects(said('cache lookup failed for type 1'), { code: 'XX000' })
})

test('a login for SQL is refused: its views are in one PostgreSQL', async () => {
  const { id: companyId } = await service.company()
  await assert.rejects(grantLogin(service.database, { companyId }), OperatorError)
})

test('tables of a company extend its customers', async () => {
  await atOnce(({ call }) => extendedCustomers(call))
  await checkSeen(30)
})
