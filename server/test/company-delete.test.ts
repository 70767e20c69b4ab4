// A company is deleted completely and no other with it, and only after it was suspended and its name was typed.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { deleteCompany } from '../src/features/company-file/delete.ts'
import { exportCompany } from '../src/features/company-file/export.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import { clearAbandonedSums } from '../src/features/reports/sums/refresh.ts'
import { fullBody } from './support/bodies.ts'
import { placeWith } from './support/company-files.ts'
import { contracts } from './support/contract.ts'
import { makeTable } from './support/custom-tables.ts'
import { dispatchOf, taken } from './support/dispatcher.ts'
import { assertProblem } from './support/problem.ts'
import { cashwrapEach, dataFolder, until } from './support/program.ts'
import { testService } from './support/service.ts'

const service = testService()
const distributed = testService({ mode: 'citus' })
const waits = () => assert.fail('nobody can still be writing')

/** A company with a record of each resource, a custom table, a file, a trigger, an export and sums of reports. */
async function filled() {
  const company = await service.company()
  const { call } = company
  for (const contract of contracts)
    assert.equal((await call('POST', `/v1/${contract.one}`, fullBody(contract))).status, 201)
  const table = await makeTable(call, { reason: 'string' }, 'visits')
  await table.row({ reason: 'A repair' })
  const { data } = (await call('GET', '/v1/attachments')).body
  const file = { method: 'PUT', headers: { 'x-api-key': company.key, 'content-type': 'image/png' }, body: 'picture' }
  assert.equal((await fetch(`${service.url}/v1/attachment/${data[0].id}/file`, file)).status, 200)
  assert.equal((await call('POST', '/v1/exports')).status, 201)
  assert.equal((await call('GET', '/v1/reports/sales?from=2026-01-01&to=2026-02-01')).status, 200)
  return company
}

/** Suspends a company, as if it had been long ago. */
const suspend = (id: string, { database } = service) =>
  database.query(`update companies set status = 'suspended', updated_at = now() - interval '1 day' where id = $1`, [id])

const nameOf = async (id: string, { database } = service): Promise<string> =>
  (await database.query('select name from companies where id = $1', [id]))[0]?.[0]

/** Rows of a company by table: of every table with a text in which the company's id is the whole of it. */
async function rowsOf(id: string, { database } = service): Promise<Record<string, number>> {
  const columns = await database.query(
    `select table_name::text, array_agg(format('%I', column_name)) from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'character varying') group by 1`,
  )
  const counts: Record<string, number> = {}
  for (const [table, names] of columns) {
    const [row] = await database.query(`select count(*)::int from ${table} where $1 = any (array[${names.join()}])`, [
      id,
    ])
    if (row?.[0] > 0) counts[table] = row?.[0]
  }
  return counts
}

test('a deleted company leaves no row, its key is refused at once, no other company loses a row, and its file brings it back', async (t) => {
  const gone = await filled()
  const stays = await filled()
  const keyed = { 'idempotency-key': 'once' }
  assert.equal((await gone.call('POST', '/v1/customer', { firstName: 'Ada' }, keyed)).status, 201)
  const file = join(await dataFolder(t), 'shop.ndjson')
  await suspend(gone.id)
  await exportCompany(service.database, { companyId: gone.id, file })
  const before = await rowsOf(gone.id)
  const others = await rowsOf(stays.id)
  for (const table of ['customers', 'attachment_file_pieces', 'custom_table_values', 'exports', 'idempotency_keys'])
    assert.ok(before[table], table)
  const confirmed = await nameOf(gone.id)
  const { counts, name } = await deleteCompany(service.database, { companyId: gone.id, confirmed, waits })
  assert.equal(name, confirmed)
  assert.equal(counts.customers, before.customers)
  assert.deepEqual(await rowsOf(gone.id), {})
  assert.equal(await nameOf(gone.id), undefined)
  assertProblem(await gone.call('GET', '/v1/customers'), 401, 'invalid_key')
  // Its reports and its export may still be made.
  const later = await rowsOf(stays.id)
  for (const [table, count] of Object.entries(others)) assert.ok((later[table] ?? 0) >= count, table)
  assert.equal((await stays.call('GET', '/v1/customers')).status, 200)
  await importCompany(service.database, { file })
  const back = await rowsOf(gone.id)
  assert.deepEqual([back.customers, back.feed_gaps], [before.customers, 1])
  await suspend(gone.id)
  await deleteCompany(service.database, { companyId: gone.id, confirmed, waits })
  assert.deepEqual(await rowsOf(gone.id), {})
})

for (const place of [service, distributed])
  test(`the result of a webhook call that was in flight during the deletion is not stored${place === distributed ? ', nor where tables are distributed' : ''}`, async (t) => {
    const held = Promise.withResolvers<void>()
    const answer = () => held.promise.then(taken)
    const { calls, wake } = dispatchOf(place).dispatching(t, { answer })
    const gone = await place.company()
    const stays = await place.company()
    for (const { id, call } of [gone, stays]) {
      const trigger = { triggerType: 'customer.*', triggerUrl: 'https://receiver.example/' }
      assert.equal((await call('POST', '/v1/automation-trigger', trigger)).status, 201)
      assert.equal((await call('POST', '/v1/customer', { firstName: 'Ada' })).status, 201)
      wake(id)
    }
    await until('both calls are in flight', () => calls.length === 2)
    await suspend(gone.id, place)
    await deleteCompany(place.database, { companyId: gone.id, confirmed: await nameOf(gone.id, place), waits })
    held.resolve()
    await until('the results are stored', async () =>
      Object.keys(await rowsOf(stays.id, place)).some((name) => name.startsWith('webhook_deliveries')),
    )
    assert.deepEqual(await rowsOf(gone.id, place), {})
  })

test('a company that is not suspended, has another name or does not exist is not deleted; the deletion of one that was just suspended waits', async (t) => {
  const place = await placeWith(t, 1)
  const { companyId: id } = await place.company()
  const deleting = ['company', 'delete', id, '--confirm']
  const [open, unnamed, unknown, , other] = await cashwrapEach(
    [
      [...deleting, 'Corner Shop'],
      deleting.slice(0, -1),
      ['company', 'delete', '0'.repeat(24), '--confirm', 'Corner Shop'],
      ['company', 'suspend', id],
      [...deleting, 'corner shop', '--json'],
    ],
    place.environment,
  )
  for (const [ended, message] of [
    [open, /Corner Shop is open: suspend it first/],
    [unnamed, /--confirm <name>/],
    [unknown, /<id>: .*company/],
    [other, /is called .*Corner Shop.*Nothing was deleted/],
  ] as const) {
    assert.equal(ended?.code, 2, ended?.stderr)
    assert.match(`${ended?.stderr}${ended?.stdout}`, message)
  }
  assert.equal(await place.companies(), 1)
  const waited: number[] = []
  const wanted = { companyId: id, confirmed: 'Corner Shop' }
  // The first look finds it just suspended; before the second one, that is long ago.
  await place.database.query(`update companies set updated_at = now() - interval '17.5 s'`)
  await deleteCompany(place.database, { ...wanted, waits: (seconds) => waited.push(seconds) })
  assert.deepEqual(waited, [1])
  assert.equal(await place.companies(), 0)
})

test('sums that a server of an earlier version left when it deleted a company are removed, and no others', async () => {
  const stays = await service.company()
  assert.equal((await stays.call('GET', '/v1/reports/sales?from=2026-01-01&to=2026-02-01')).status, 200)
  const gone = newId()
  await service.database.query('insert into sum_cursors (company_id, format) values ($1, 1)', [gone])
  await service.database.query(
    `insert into sum_buckets (company_id, format, source, size, number, is_dirty) values ($1, 1, 'payments', 1, 1, true)`,
    [gone],
  )
  await clearAbandonedSums(service.database)
  assert.deepEqual(await rowsOf(gone), {})
  assert.equal((await rowsOf(stays.id)).sum_cursors, 1)
})
