// Changes of custom tables and their fields: they apply at once, on every server, also to rows that exist.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../src/service.ts'
import type { Body } from './support/contract.ts'
import { dataStatus, fields, makeTable, oid, refused, succeeded, tables } from './support/custom-tables.ts'
import { testConnection } from './support/database.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService, testSettings } from './support/service.ts'

const service = sharedService()

test('renaming a table or a field applies at once, also in data, and existing values stay', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { tier: 'string' }, 'loyalty')
  const id = await table.row({ tier: 'gold' })
  succeeded(await call('PUT', `${fields}/${table.fields.tier}`, { name: 'level' }))
  assert.equal((await table.read(id)).level, 'gold')
  assert.equal((await table.read(id)).tier, undefined)
  assert.equal(refused(await call('PUT', `${table.path}/${id}`, { tier: 'x' }))[0], '/tier')
  succeeded(await call('PUT', `${tables}/${table.id}`, { name: 'club' }))
  assert.equal(await dataStatus(call, 'loyalty'), 404)
  assert.equal(succeeded(await call('GET', `/v1/api/custom-table-data/club/${id}`)).level, 'gold')
  assertProblem(await call('POST', table.path, {}), 404, 'not_found')
})

test('while a table and a column are renamed again and again, every response has one of the two schemas and none is an error', async () => {
  const { call } = await service.company()
  const { id: tableId, fields: ids, path, row } = await makeTable(call, { a: 'number', other: 'string' })
  const rows = await Promise.all(Array.from({ length: 5 }, (_, n) => row({ a: n, other: 'x' })))
  let isDone = false
  const reading = async () => {
    for (let n = 0; !isDone; n++) {
      const list = succeeded(await call('GET', n % 2 ? `${path}?limit=3` : path))
      for (const one of list)
        assert.deepEqual(Object.keys(one), ['_id', 'a' in one ? 'a' : 'b', 'other', 'createdAt', 'updatedAt'])
      assert.equal(new Set(list.map((one: Body) => 'a' in one)).size, 1)
      const { a, b } = succeeded(await call('GET', `${path}/${rows[n % 5]}`))
      assert.equal(a ?? b, n % 5)
    }
  }
  const readers = [reading(), reading(), reading()]
  for (let n = 0; n < 20; n++) succeeded(await call('PUT', `${fields}/${ids.a}`, { name: n % 2 ? 'a' : 'b', tableId }))
  isDone = true
  await Promise.all(readers)
})

test('a change on one server applies on another by the time it is answered', async (t) => {
  const { call, key } = await service.company()
  const [row] = await service.database.query('select current_database()')
  const second = await startService({ ...testConnection(), database: row?.[0] }, testSettings)
  t.after(() => second.close())
  const elsewhere = service.caller({ 'x-api-key': key }, second.url)
  const table = await makeTable(call, { a: 'string' }, 'loyalty')
  const id = await table.row({ a: 'x' })
  for (let n = 0; n < 10; n++) {
    const [old, name] = n % 2 ? ['b', 'a'] : ['a', 'b']
    assert.equal(succeeded(await elsewhere('GET', `${table.path}/${id}`))[old as string], 'x')
    succeeded(await call('PUT', `${fields}/${table.fields.a}`, { name }))
    assert.equal(succeeded(await elsewhere('GET', `${table.path}/${id}`))[name as string], 'x')
    assert.equal(refused(await elsewhere('PUT', `${table.path}/${id}`, { [old as string]: 'y' }))[0], `/${old}`)
    succeeded(await elsewhere('PUT', `${table.path}/${id}`, { [name as string]: 'x' }))
  }
  succeeded(await call('PUT', `${tables}/${table.id}`, { name: 'club' }))
  assertProblem(await elsewhere('GET', table.path), 404, 'not_found')
  assert.equal(succeeded(await elsewhere('GET', '/v1/api/custom-table-data/club')).length, 1)
  succeeded(await elsewhere('DELETE', `${tables}/${table.id}`))
  assertProblem(await call('GET', '/v1/api/custom-table-data/club'), 404, 'not_found')
})

test('the type of a field cannot change while it has values; without values it can', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const path = `${fields}/${table.fields.a}`
  const id = await table.row({ a: 'text' })
  for (const [member, value] of Object.entries({ type: 'number', referenceLinkedCollection: 'products' })) {
    const { errors } = assertProblem(await call('PUT', path, { [member]: value }), 409, 'conflict')
    assert.equal(errors[0].pointer, `/${member}`)
  }
  assert.equal(succeeded(await call('GET', path)).type, 'string')
  succeeded(await call('PUT', path, { required: true, type: 'string' }))
  succeeded(await call('PUT', path, { required: false }))
  succeeded(await call('PUT', `${table.path}/${id}`, { a: null }))
  succeeded(await call('PUT', path, { type: 'number' }))
  succeeded(await call('PUT', `${table.path}/${id}`, { a: 7 }))
  assert.equal((await table.read(id)).a, 7)
})

test('a deleted field is gone at once: from rows, from lists of values, and its name is free', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'string', b: 'string' })
  const id = await table.row({ a: 'one', b: 'two' })
  const values = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}`))
  succeeded(await call('DELETE', `${fields}/${table.fields.a}`))
  assert.deepEqual(Object.keys(await table.read(id)), ['_id', 'b', 'createdAt', 'updatedAt'])
  const gone = values.find(({ fieldId }: Body) => fieldId.$oid === table.fields.a)
  assertProblem(await call('GET', `/v1/api/custom-table-value/${gone._id.$oid}`), 404, 'not_found')
  assertProblem(await call('PUT', `/v1/api/custom-table-value/${gone._id.$oid}`, { value: 'x' }), 404, 'not_found')
  assertProblem(await call('DELETE', `/v1/api/custom-table-value/${gone._id.$oid}`), 404, 'not_found')
  assert.equal(succeeded(await call('GET', '/v1/api/custom-table-values?includeDeleted=true')).length, 1)
  assertProblem(await call('GET', `${fields}/${table.fields.a}`), 404, 'not_found')
  succeeded(await call('POST', fields, { tableId: table.id, name: 'a', type: 'number' }), 201)
  assert.equal((await table.read(id)).a, undefined)
  const types = (await feed(service, companyId)).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'custom-table-field.deleted').length, 1)
  assert.equal(types.filter((type) => type.startsWith('custom-table-value')).length, 0)
})

test('a deleted table is gone at once with everything in it, by one event', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const id = await table.row({ a: 'one' })
  const [value] = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}`))
  const before = (await feed(service, companyId)).length
  succeeded(await call('DELETE', `${tables}/${table.id}`))
  const after = (await feed(service, companyId)).slice(before)
  assert.deepEqual(
    after.map(({ type, recordId, resource, data }) => [type, recordId, resource, data.name]),
    [['custom-table.deleted', table.id, 'custom-table', table.name]],
  )
  for (const path of [
    `${tables}/${table.id}`,
    `${fields}/${table.fields.a}`,
    `/v1/api/custom-table-row/${id}`,
    `/v1/api/custom-table-value/${value._id.$oid}`,
    `${table.path}/${id}`,
    `${tables}/%00`,
    `${fields}/%00`,
  ])
    for (const method of ['GET', 'PUT', 'DELETE'])
      assertProblem(await call(method, path, method === 'PUT' ? {} : undefined), 404, 'not_found', `${method} ${path}`)
  for (const path of [
    `${tables}s`,
    `${fields}s?tableId=${table.id}`,
    '/v1/api/custom-table-rows',
    '/v1/api/custom-table-values',
  ])
    for (const query of [
      'total=true',
      ...(path.includes('-s') || path.includes('rows') ? ['includeDeleted=true&total=true'] : []),
    ]) {
      const reply = await call('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)
      assert.deepEqual([succeeded(reply), reply.headers.get('x-total-count')], [[], '0'], path)
    }
  const body = { tableId: oid(table.id) }
  assert.deepEqual(refused(await call('POST', '/v1/api/custom-table-row', body)), ['/tableId', 'reference'])
})
