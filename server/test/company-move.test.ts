// A company that is closed for its move is the same at the second server: every record, event and key.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportCompany } from '../src/features/company-file/export.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import { fullBody } from './support/bodies.ts'
import { assertColumns } from './support/columns.ts'
import { contracts } from './support/contract.ts'
import { makeTable } from './support/custom-tables.ts'
import { dataFolder, until } from './support/program.ts'
import { type Caller, sharedService, testService } from './support/service.ts'

const source = sharedService()
const target = testService()
const lists = [...contracts.map(({ many }) => `/v1/${many}`), '/v1/inventory-history', '/v1/closings']

const setStatus = async (id: string, at: Caller, status: string) =>
  assert.equal((await at('PATCH', `/v1/organization-api/companies/${id}`, { status })).status, 200)

/** All records of a list by id, as text. */
async function all(call: Caller, path: string): Promise<Map<string, string>> {
  const records = new Map<string, string>()
  for (let cursor = ''; ; ) {
    const { status, text, body } = await call('GET', `${path}?limit=1000${cursor && `&cursor=${cursor}`}`)
    assert.equal(status, 200, text)
    for (const record of body.data) {
      assert.ok(!records.has(record.id), `${path} has ${record.id} twice`)
      records.set(record.id, JSON.stringify(record))
    }
    if (body.meta.nextCursor === undefined) return records
    cursor = body.meta.nextCursor
  }
}

/** All events in their order, without their numbers. */
async function events(call: Caller): Promise<object[]> {
  const read: object[] = []
  for (let after = 0; ; ) {
    const { data } = (await call('GET', `/v1/events?after=${after}&limit=1000`)).body
    if (data.length === 0) return read
    read.push(...data.map(({ sequence: _, ...event }: { sequence: number }) => event))
    after = data.at(-1).sequence
  }
}

/** Everything that the API shows of a company. */
async function shown(call: Caller, tables: readonly string[]) {
  const records = new Map<string, Map<string, string>>()
  for (const path of lists) records.set(path, await all(call, path))
  const fields = tables.map((id) => `/v1/api/custom-table-fields?tableId=${id}`)
  const others: object[] = []
  for (const path of ['/v1/api/custom-tables', '/v1/api/custom-table-values', ...fields]) {
    const { status, body } = await call('GET', path)
    assert.equal(status, 200, path)
    others.push(body)
  }
  return { records, others, events: await events(call) }
}

test('a suspended company arrives suspended, and is the same at the second server once it is open', async (t) => {
  const { id: companyId, call, key } = await source.company()
  for (const contract of contracts) {
    const { status, text } = await call('POST', `/v1/${contract.one}`, fullBody(contract))
    assert.equal(status, 201, text)
  }
  const visits = await makeTable(call, { reason: 'string', gone: 'string' }, 'visits')
  await visits.row({ reason: 'A repair', gone: 'x' })
  assert.equal((await call('DELETE', `/v1/api/custom-table-field/${visits.fields.gone}`)).status, 200)
  const [variant] = (await call('GET', '/v1/variants?limit=1')).body.data
  const [outlet] = (await call('GET', '/v1/outlets?limit=1')).body.data
  const items = [{ productId: variant.productId, variantId: variant.id, outletId: outlet.id, quantity: 7 }]
  assert.equal((await call('POST', '/v1/inventories/set-levels', { items })).body.summary.failed, 0)

  await setStatus(companyId, call, 'suspended')
  const file = join(await dataFolder(t), 'shop.ndjson')
  await exportCompany(source.database, { companyId, file })
  await importCompany(target.database, { file })
  const own = target.caller({ 'x-api-key': key })
  assert.equal((await own('GET', '/v1/outlets')).status, 403)
  await setStatus(companyId, target.caller({ 'x-org-api-key': target.organizationKey }), 'active')
  await setStatus(companyId, call, 'active')
  // Servers hear of it by a notification.
  for (const each of [call, own])
    await until('the company is open', async () => (await each('GET', '/v1/outlets?limit=1')).status === 200)

  const before = await shown(call, [visits.id])
  const after = await shown(own, [visits.id])
  for (const [path, records] of before.records) {
    assert.ok(records.size > 0 || path === '/v1/closings', path)
    assert.deepEqual([...(after.records.get(path)?.keys() ?? [])], [...records.keys()], path)
    // A trigger that had a secret is switched off.
    for (const [id, text] of records)
      if (path !== '/v1/automation-triggers') assert.equal(after.records.get(path)?.get(id), text, `${path} ${id}`)
  }
  assert.deepEqual(after.others, before.others)
  assert.deepEqual(after.events, before.events)
  await assertColumns({ database: target.database })
})
