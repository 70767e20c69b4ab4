// A live company moves between two servers by one complete file and files of changes, while tills write, and exactly to
// the last event.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { exportCompany } from '../src/features/company-file/export.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import type { Keyring } from '../src/features/company-file/secrets.ts'
import { deleteKey } from '../src/features/keys/key-store.ts'
import { sealOf } from '../src/seal.ts'
import { fullBody } from './support/bodies.ts'
import { assertColumns } from './support/columns.ts'
import { contracts } from './support/contract.ts'
import { makeTable } from './support/custom-tables.ts'
import { dataFolder, until } from './support/program.ts'
import { type Caller, type Company, sharedService, testService, testSettings } from './support/service.ts'

const source = sharedService()
const target = testService()
const lists = [...contracts.map(({ many }) => `/v1/${many}`), '/v1/inventory-history', '/v1/closings']

type Test = Pick<TestContext, 'after'>

/** Files of a company, each since the one before it if it is one of changes. */
async function filesOf(t: Test, companyId: string, keyring?: Keyring) {
  const folder = await dataFolder(t)
  let last: string | undefined
  let count = 0
  // A file of changes also has what is as new as the oldest transaction that was open at the earlier file, of other tests too.
  const settled = async () => {
    const [now] = await source.database.query('select pg_snapshot_xmax(pg_current_snapshot())::text')
    await until('earlier transactions have ended', async () => {
      const text = 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8'
      return (await source.database.query(text, [now?.[0]]))[0]?.[0] === true
    })
  }
  return async ({ since = last, waits = true }: { since?: string | undefined; waits?: boolean } = {}) => {
    if (waits) await settled()
    const file = join(folder, `${count++}.ndjson`)
    const { rows, secretsLeftOut } = await exportCompany(source.database, { companyId, file, since, keyring })
    last = file
    return { file, rows, secretsLeftOut }
  }
}

const setStatus = async ({ id }: Company, at: Caller, status: string) =>
  assert.equal((await at('PATCH', `/v1/organization-api/companies/${id}`, { status })).status, 200)

const suspend = (company: Company) => setStatus(company, company.call, 'suspended')
const open = (company: Company) =>
  setStatus(company, target.caller({ 'x-org-api-key': target.organizationKey }), 'active')

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

/** Tills that write until the company refuses them. Each writes records of its own: made, changed, deleted. */
function tills({ call }: Company, count: number, visits: string) {
  const live = new Map<string, string>()
  const gone = new Set<string>()
  let written = 0
  const till = async (n: number) => {
    for (let round = 0; ; round++) {
      const made = await call('POST', '/v1/customer', { firstName: `till ${n}`, lastName: `round ${round}` })
      if (made.status === 403) return
      assert.equal(made.status, 201, made.text)
      live.set(made.body.id, made.text)
      written++
      const changed = await call('PATCH', `/v1/customer/${made.body.id}`, { lastName: `changed ${round}` })
      if (changed.status === 403) return
      assert.equal(changed.status, 200, changed.text)
      live.set(made.body.id, changed.text)
      const category = await call('POST', '/v1/category', { name: `till ${n} round ${round}` })
      if (category.status === 403) return
      const removed = await call('DELETE', `/v1/category/${category.body.id}`)
      if (removed.status === 403) return
      assert.equal(removed.status, 200, removed.text)
      gone.add(category.body.id)
      if ((await call('POST', visits, { reason: `till ${n} round ${round}` })).status === 403) return
    }
  }
  const ended = Promise.all(Array.from({ length: count }, (_, n) => till(n)))
  /** Resolves once they have written more. */
  const goOn = async () => {
    const enough = written + 2 * count
    await until('the tills go on', () => written >= enough)
  }
  return { ended, goOn, live, gone }
}

test('a live company moves while tills write: after the switch every record and event is as at the source, none missing, none twice', async (t) => {
  const company = await source.company()
  const { call } = company
  for (const contract of contracts) {
    const { status, text } = await call('POST', `/v1/${contract.one}`, fullBody(contract))
    assert.equal(status, 201, text)
  }
  const visits = await makeTable(call, { reason: 'string', gone: 'string' }, 'visits')
  await visits.row({ reason: 'A repair', gone: 'x' })
  const writing = tills(company, 3, visits.path)
  await writing.goOn()

  const next = await filesOf(t, company.id)
  const whole = await next()
  await writing.goOn()
  await importCompany(target.database, { file: whole.file, isSuspended: true })
  // What raises no event, or happens to few.
  const key = await source.keyFor(company.id)
  const deleted = await source.keyFor(company.id)
  const later = await makeTable(call, { note: 'string' }, 'later')
  await later.row({ note: 'made after the whole file' })
  assert.equal((await call('DELETE', `/v1/api/custom-table-field/${visits.fields.gone}`)).status, 200)
  const [variant] = (await call('GET', '/v1/variants?limit=1')).body.data
  const [outlet] = (await call('GET', '/v1/outlets?limit=1')).body.data
  const level = { productId: variant.productId, variantId: variant.id, outletId: outlet.id }
  const items = [{ ...level, quantity: 7 }]
  assert.equal((await call('POST', '/v1/inventories/set-levels', { items })).body.summary.failed, 0)
  await writing.goOn()
  await importCompany(target.database, { file: (await next()).file })
  await deleteKey(source.database, deleted.id)
  await writing.goOn()

  await suspend(company)
  await writing.ended
  const last = await next()
  const { counts } = await importCompany(target.database, { file: last.file })
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  assert.ok(last.rows < all, 'records from before are not in the file')
  await open(company)

  await setStatus(company, call, 'active')
  const own = target.caller({ 'x-api-key': company.key })
  // Servers hear of it by a notification.
  for (const each of [call, own])
    await until('the company is open', async () => (await each('GET', '/v1/outlets?limit=1')).status === 200)
  const made = [visits.id, later.id]
  const before = await shown(call, made)
  const after = await shown(own, made)
  for (const [path, records] of before.records) {
    assert.deepEqual([...(after.records.get(path)?.keys() ?? [])], [...records.keys()], path)
    for (const [id, text] of records)
      if (path !== '/v1/automation-triggers') assert.equal(after.records.get(path)?.get(id), text, `${path} ${id}`)
  }
  assert.deepEqual(after.others, before.others)
  assert.deepEqual(after.events, before.events)
  const customers = after.records.get('/v1/customers')
  for (const [id, text] of writing.live) assert.equal(customers?.get(id), text)
  for (const id of writing.gone) assert.equal((await own('GET', `/v1/category/${id}`)).status, 404)
  await assertColumns(target.database)
  assert.equal((await target.caller({ 'x-api-key': key.value })('GET', '/v1/customers')).status, 200)
  assert.equal((await target.caller({ 'x-api-key': deleted.value })('GET', '/v1/customers')).status, 401)
})

/** A company of three customers at both servers, suspended at the target. */
async function moved(t: Test) {
  const company = await source.company()
  const create = async (firstName: string) =>
    (await company.call('POST', '/v1/customer', { firstName })).body.id as string
  const ids = [await create('Ada'), await create('Bea'), await create('Cleo')]
  const next = await filesOf(t, company.id)
  const whole = await next()
  await importCompany(target.database, { file: whole.file, isSuspended: true })
  const stored = () =>
    target.database.query(`select body ->> 'firstName' from customers where company_id = $1 order by id`, [company.id])
  return { company, create, ids, next, whole, stored, own: target.caller({ 'x-api-key': company.key }) }
}

test('a company arrives suspended with its complete file, also twice; the same changes twice, and those since an earlier file, do no harm', async (t) => {
  const { company, create, next, whole, stored, own } = await moved(t)
  assert.equal((await own('GET', '/v1/customers')).status, 403)
  assert.equal((await importCompany(target.database, { file: whole.file, isSuspended: true })).wasThere, true)
  await create('Dora')
  const changes = await next()
  const tried = await importCompany(target.database, { file: changes.file, isDryRun: true })
  assert.equal(tried.counts.customers, 4)
  assert.equal((await stored()).length, 3)
  for (const file of [changes.file, changes.file]) await importCompany(target.database, { file })
  const { file } = await next({ since: whole.file })
  const { isChanged } = await importCompany(target.database, { file })
  assert.equal(isChanged, true)
  assert.deepEqual((await stored()).flat(), ['Ada', 'Bea', 'Cleo', 'Dora'])
  await open(company)
  assert.deepEqual(await events(own), await events(company.call))
})

test('changes are refused for a company that is missing, not suspended or changed here, and after later changes; nothing is written', async (t) => {
  const { company, create, ids, next, whole, stored } = await moved(t)
  const refused = async (file: string, expected: RegExp) => {
    const before = await stored()
    await assert.rejects(importCompany(target.database, { file }), expected)
    assert.deepEqual(await stored(), before)
  }
  await create('Dora')
  const first = await next()
  await company.call('PATCH', `/v1/customer/${ids[0]}`, { firstName: 'Anne' })
  const second = await next()
  await refused(second.file, /would differ from the other server’s \(.*customers/)
  await importCompany(target.database, { file: first.file })
  await importCompany(target.database, { file: second.file })
  await refused(first.file, /would differ from the other server’s|is older than the data of the company/)
  await open(company)
  await refused(second.file, /is open here/)
  await setStatus(company, target.caller({ 'x-org-api-key': target.organizationKey }), 'suspended')
  const third = await next()
  await target.database.query(`update customers set version = 9 where company_id = $1 and id = $2`, [
    company.id,
    ids[1],
  ])
  await refused(third.file, /would differ from the other server’s \(customers\)/)
  const other = await source.company()
  const files = await filesOf(t, other.id)
  await assert.rejects(files({ since: whole.file }), /The earlier file belongs to the company/)
  // Only its first line is read.
  const [line = ''] = (await readFile(whole.file, 'utf8')).split('\n')
  const { transaction: _, ...manifest } = JSON.parse(line).cashwrapCompany
  for (const [other, expected] of [
    [manifest, /could not export changes yet/],
    [{ ...manifest, transaction: '99999999999999' }, /another database or is too many transactions old/],
  ] as const) {
    const since = `${whole.file}.other`
    await writeFile(since, `${JSON.stringify({ cashwrapCompany: other })}\n`)
    await assert.rejects(next({ since }), expected)
  }
  await files()
  await refused((await files()).file, /is not here, and the file has only changes/)
})

test('triggers follow with their secrets and call nobody about events of the other server', async (t) => {
  const company = await source.company()
  const { call, id } = company
  const keyring = { passphrase: 'correct horse battery', seal: sealOf(testSettings.secretKeys) }
  const next = await filesOf(t, id, keyring)
  await importCompany(target.database, { file: (await next()).file, isSuspended: true, keyring })
  const trigger = { triggerType: '*', triggerUrl: 'https://hooks.example.com/a', apiKey: 'known to few' }
  const { body: made } = await call('POST', '/v1/automation-trigger', trigger)
  await call('POST', '/v1/customer', { firstName: 'Ada' })
  const { file, secretsLeftOut } = await next()
  assert.equal(secretsLeftOut, 0)
  const { cursor, secretsLeftOut: missing } = await importCompany(target.database, { file, keyring })
  assert.equal(missing, 0)
  const rows = await target.database.query(
    'select position, secret is not null from automation_triggers where company_id = $1',
    [id],
  )
  assert.deepEqual(rows, [[cursor, true]])
  await open(company)
  const own = target.caller({ 'x-api-key': company.key })
  const path = `/v1/automation-trigger/${made.id}`
  assert.equal((await own('GET', path)).text, (await call('GET', path)).text)
})

test('an event that was being written during the first export has its place in the order, and no event appears twice', async (t) => {
  const company = await source.company()
  const { call, id } = company
  await call('POST', '/v1/customer', { firstName: 'Ada' })
  const writer = await source.database.connectAlone()
  t.after(() => writer.end())
  await writer.query('begin')
  await writer.query('select begin_events($1)', [id])
  await writer.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select company_id, $2, 'custom.late', created_at, resource, record_id, data from events where company_id = $1 limit 1`,
    [id, '0'.repeat(24)],
  )
  await call('POST', '/v1/customer', { firstName: 'Bea' })
  const next = await filesOf(t, id)
  const whole = await next({ waits: false })
  await writer.query('commit')
  await call('POST', '/v1/customer', { firstName: 'Cleo' })
  await importCompany(target.database, { file: whole.file, isSuspended: true })
  for (const { file } of [await next(), await next()]) await importCompany(target.database, { file })
  await open(company)
  const there = await events(target.caller({ 'x-api-key': company.key }))
  assert.equal(there.length, 4)
  assert.deepEqual(there, await events(call))
})

test('sums of reports that were made before the changes are made again', async (t) => {
  const { company, create, next, own } = await moved(t)
  await target.database.query('insert into sum_cursors (company_id, format) values ($1, 1)', [company.id])
  await create('Dora')
  await importCompany(target.database, { file: (await next()).file })
  assert.deepEqual(await target.database.query('select 1 from sum_cursors where company_id = $1', [company.id]), [])
  await open(company)
  assert.equal((await own('GET', '/v1/reports/stock-value')).status, 200)
})
