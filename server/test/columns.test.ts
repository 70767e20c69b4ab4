// The columns by which lists filter and sort equal the records. Test files that write in other ways check their own
// records with assertColumns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { resources } from '../src/resources/index.ts'
import { assertColumns, differingColumns } from './support/columns.ts'
import { succeeded } from './support/custom-tables.ts'
import { testService } from './support/service.ts'

const service = testService()

test('rows that a server of the previous version writes, without the columns, are found by lists', async () => {
  const { id: companyId, call } = await service.company()
  const id = newId()
  const record = { id, email: 'ann@shop.example', tags: ['regular'], isDeleted: false, createdAt: '1', updatedAt: '1' }
  await service.database.query('insert into customers (company_id, id, body) values ($1, $2, $3)', [
    ...[companyId, id],
    JSON.stringify(record),
  ])
  const found = async (filter: string) => succeeded(await call('GET', `/v1/customers?${filter}`)).meta.count
  assert.deepEqual([await found('searchByEmail=ann'), await found('tags=regular')], [1, 1])
  await service.database.query(
    'update customers set body = $3, version = version + 1 where company_id = $1 and id = $2',
    [...[companyId, id], JSON.stringify({ ...record, email: 'bob@shop.example', tags: [] })],
  )
  assert.deepEqual([await found('searchByEmail=bob'), await found('tags=regular')], [1, 0])
  await assertColumns({ database: service.database })
})

test('a row of each resource that is written without its columns gets them all', async () => {
  const { id: companyId } = await service.company()
  for (const { table, example } of resources) {
    const body = { ...example, isDeleted: false, createdAt: '1', updatedAt: '1' }
    await service.database.query(`insert into ${table} (company_id, id, body) values ($1, $2, $3)`, [
      ...[companyId, newId()],
      JSON.stringify({ ...body, occurredAt: undefined }),
    ])
  }
  await assertColumns({ database: service.database })
})

test('the check finds a column that differs', async () => {
  const { id: companyId, call } = await service.company()
  const { id } = succeeded(await call('POST', '/v1/customer', { email: 'ann@shop.example' }), 201)
  await service.database.query(`update customers set email = 'x' where company_id = $1 and id = $2`, [companyId, id])
  assert.deepEqual((await differingColumns({ database: service.database })).differing, [`customers ${id}`])
})
