// A company is a file: exported from one database, imported into another as it was, and refused whole if the file is not whole.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportCompany } from '../src/features/company-file/export-file.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import { fileTables, leftOut } from '../src/features/company-file/tables.ts'
import { assertColumns } from './support/columns.ts'
import { dataFolder } from './support/program.ts'
import { testService } from './support/service.ts'

const source = testService()
const target = testService()

test('every table of a company is in the file, or named as left out', async () => {
  const rows = await source.database.query(
    `select distinct relname from pg_attribute join pg_class on pg_class.oid = attrelid
     where attname = 'company_id' and relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  )
  const named = [...fileTables.map(({ name }) => name).filter((name) => name !== 'companies'), ...Object.keys(leftOut)]
  assert.deepEqual(rows.map(([name]) => name).toSorted(), named.toSorted())
})

test('a company is exported and imported, its key works, twice does nothing, and files that are not whole are refused', async (t) => {
  const { id, call, key } = await source.company()
  for (const firstName of ['Ada', 'Bea', 'Cleo'])
    assert.equal((await call('POST', '/v1/customer', { firstName })).status, 201)
  const folder = await dataFolder(t)
  const file = join(folder, 'shop.ndjson')
  await exportCompany(source.database, { companyId: id, file })
  const text = await readFile(file, 'utf8')
  const spoilt = async (name: string, content: string, expected: RegExp) => {
    const path = join(folder, name)
    await writeFile(path, content)
    await assert.rejects(importCompany(target.database, { file: path }), expected)
  }
  await spoilt('cut', text.slice(0, -40), /cut off/)
  await spoilt('changed', text.replace('Bea', 'Bee'), /changed or damaged/)
  await spoilt('newer', text.replace('"format":1', '"format":2'), /newer version/)
  const tried = await importCompany(target.database, { file, isDryRun: true })
  assert.equal(tried.counts.customers, 3)
  const first = await importCompany(target.database, { file })
  assert.equal(first.wasThere, false)
  assert.equal((await importCompany(target.database, { file })).wasThere, true)
  const own = target.caller({ 'x-api-key': key })
  assert.equal((await own('GET', '/v1/customers')).text, (await call('GET', '/v1/customers')).text)
  await assertColumns(target.database)
  const { body } = await own('GET', '/v1/events?limit=1000')
  assert.equal(body.data.at(-1).sequence, first.cursor)
  await own('POST', '/v1/customer', { firstName: 'Dora' })
  await assert.rejects(importCompany(target.database, { file }), /other content/)
})
