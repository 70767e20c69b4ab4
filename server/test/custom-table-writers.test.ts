// Many writers of rows of custom tables at once: nothing is lost, and none of them gets an error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { makeTable, oid, succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('fifty concurrent updates of different columns of one row lose none', async () => {
  const { id: companyId, call } = await service.company()
  const names = Array.from({ length: 50 }, (_, n) => `c${n}`)
  const table = await makeTable(call, Object.fromEntries(names.map((name) => [name, 'number'])))
  const id = await table.row({ c0: -1 })
  const replies = await Promise.all(names.map((name, n) => call('PUT', `${table.path}/${id}`, { [name]: n })))
  for (const reply of replies) succeeded(reply)
  const row = await table.read(id)
  for (const [n, name] of names.entries()) assert.equal(row[name], n)
  assert.equal((await feed(service, companyId, id)).length, 51)
  const values = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}&limit=1000`))
  assert.equal(values.length, 50)
})

test('concurrent writes of rows and values of the same rows, valid and invalid, leave cells that equal the live values', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { a: 'number', b: 'string', c: 'number' })
  const ids = await Promise.all(Array.from({ length: 4 }, (_, n) => table.row({ a: n })))
  const some = async (n: number) => {
    const id = ids[n % 4] as string
    const path = `${table.path}/${id}`
    const spot = { tableId: table.id, rowId: id }
    switch (n % 7) {
      case 0:
        return call('PUT', path, { a: n, b: `${n}` })
      case 1:
        return call('PUT', path, { b: null, c: n })
      case 2:
        return call('POST', '/v1/api/custom-table-value', { ...spot, fieldId: table.fields.b, value: `${n}` })
      case 3: {
        const [value] = (await call('GET', `/v1/api/custom-table-values?rowId=${id}`)).body
        return value && call('PUT', `/v1/api/custom-table-value/${value._id.$oid}`, { value: `${n}` })
      }
      case 4: {
        const values = (await call('GET', `/v1/api/custom-table-values?rowId=${id}`)).body
        return values.length > 1 && call('DELETE', `/v1/api/custom-table-value/${values.at(-1)._id.$oid}`)
      }
      case 5:
        return call('PUT', path, { a: 'wrong' })
      default:
        return call('POST', '/v1/api/custom-table-value', { ...spot, fieldId: table.fields.c, value: 'wrong' })
    }
  }
  for (let round = 0; round < 4; round++) {
    const replies = await Promise.all(Array.from({ length: 70 }, (_, n) => some(n + round)))
    for (const reply of replies) assert.ok(!reply || reply.status < 500, reply ? reply.text : '')
  }
  for (const id of ids) {
    const { _id, createdAt, updatedAt, ...columns } = await table.read(id)
    const values = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}`))
    const byField = new Map(values.map(({ fieldId, value }: Body) => [fieldId.$oid, value]))
    for (const [name, field] of Object.entries(table.fields))
      assert.equal(columns[name] === undefined ? undefined : String(columns[name]), byField.get(field))
  }
})

test('a table that is deleted during writes of rows takes all of them with it, and no writer sees a fault', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'number' })
  const id = await table.row({ a: 0 })
  const statuses: number[] = []
  let isDeleted = false
  const writing = Array.from({ length: 6 }, async (_, k) => {
    while (!isDeleted || statuses.length < 50) {
      const body = { a: statuses.length }
      const reply = k % 2 ? await call('POST', table.path, body) : await call('PUT', `${table.path}/${id}`, body)
      statuses.push(reply.status)
      if (reply.status === 404) break
    }
  })
  await until('rows are written', () => statuses.length > 30)
  succeeded(await call('DELETE', `/v1/api/custom-table/${table.id}`))
  isDeleted = true
  assertProblem(await call('POST', table.path, { a: 1 }), 404, 'not_found')
  await Promise.all(writing)
  assert.deepEqual([...new Set(statuses)].sort(), [200, 201, 404])
  assert.deepEqual(succeeded(await call('GET', '/v1/api/custom-table-rows')), [])
  const types = (await feed(service, companyId)).map(({ type }) => type)
  assert.equal(types.at(-1), 'custom-table.deleted')
})

test('a table that extends customers has one live row per customer, also under concurrent creates', async () => {
  const { call } = await service.company()
  const link = { type: 'string', referenceLinkedCollection: 'customers' }
  const table = await makeTable(call, { customer: link, points: 'number' })
  const [ann, bea] = await Promise.all(
    ['Ann', 'Bea'].map(async (firstName) => succeeded(await call('POST', '/v1/customer', { firstName }), 201).id),
  )
  const made = await Promise.all(Array.from({ length: 20 }, () => call('POST', table.path, { customer: ann })))
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 409)])
  const first = made.find(({ status }) => status === 201)?.body.rowId.$oid
  const second = await table.row({ customer: bea })
  assertProblem(await call('PUT', `${table.path}/${second}`, { customer: ann }), 409, 'conflict')
  const unlinked = await table.row({ points: 1 })
  const value = { tableId: table.id, rowId: unlinked, fieldId: table.fields.customer, value: ann }
  assertProblem(await call('POST', '/v1/api/custom-table-value', value), 409, 'conflict')
  assert.equal((await table.read(unlinked)).customer, undefined)
  succeeded(await call('DELETE', `${table.path}/${first}`))
  succeeded(await call('POST', '/v1/api/custom-table-value', value), 201)
  assertProblem(await call('POST', table.path, { customer: ann }), 409, 'conflict')
  succeeded(await call('DELETE', `/v1/api/custom-table-field/${table.fields.customer}`))
  const again = succeeded(
    await call('POST', '/v1/api/custom-table-field', { tableId: oid(table.id), name: 'customer', ...link }),
    201,
  )
  assert.equal(again.name, 'customer')
  succeeded(await call('POST', table.path, { customer: ann }), 201)
})
