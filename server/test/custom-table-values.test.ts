// Rows and values of custom tables as records of their own: where they belong, what they may contain, and that cells follow them (decisions §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { makeTable, oid, succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

const values = '/v1/api/custom-table-value'
const rows = '/v1/api/custom-table-row'

test('a row is created with its table’s id, shows ids as objects, and cannot be moved', async () => {
  const { id: companyId, call } = await service.company()
  const other = await service.company()
  const table = await makeTable(call, { a: { type: 'string', required: true } })
  const theirs = await makeTable(other.call, {})
  const created = await call('POST', rows, { tableId: oid(table.id) })
  const { _id, createdAt, updatedAt, ...own } = succeeded(created, 201)
  assert.deepEqual(own, { companyId: oid(companyId), tableId: oid(table.id), isDeleted: false })
  const path = `${rows}/${_id.$oid}`
  assert.equal((await call('GET', path)).text, created.text)
  assert.equal((await call('PUT', path, created.body)).text, created.text)
  assert.deepEqual(await table.read(_id.$oid), { _id, createdAt, updatedAt })
  for (const tableId of [noId, theirs.id, oid(theirs.id)]) {
    const { errors } = assertProblem(await call('POST', rows, { tableId }), 400, 'validation_failed')
    assert.deepEqual([errors[0].pointer, errors[0].code], ['/tableId', 'reference'])
  }
  assert.equal(assertProblem(await call('POST', rows, {}), 400).errors[0].pointer, '/tableId')
  const sibling = await makeTable(call, {})
  assert.equal(assertProblem(await call('PUT', path, { tableId: sibling.id }), 400).errors[0].code, 'immutable')
  assertProblem(await other.call('GET', path), 404, 'not_found')
  assertProblem(await other.call('DELETE', path), 404, 'not_found')
  const list = async (query: string) => succeeded(await call('GET', `${rows}s?${query}`)).length
  assert.deepEqual([await list(`tableId=${table.id}`), await list(`tableId=${sibling.id}`), await list('')], [1, 0, 1])
})

test('rows created in bulk in tables that exist and tables that do not get individual results', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, {})
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, n) => call('POST', rows, { tableId: [table.id, noId, 5][n % 3] })),
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    replies.map((_, n) => (n % 3 === 0 ? 201 : 400)),
  )
  assert.equal(succeeded(await call('GET', `${rows}s?tableId=${table.id}`)).length, 20)
})

test('a value is in the cell of its row and field, in the canonical form of its type, and is removed when it is deleted', async () => {
  const { id: companyId, call } = await service.company()
  const types: [string, string, string, unknown][] = [
    ['string', ' as it is ', ' as it is ', ' as it is '],
    ['number', '1.50e1', '15', 15],
    ['boolean', 'true', 'true', true],
    ['date', '2026-11-21T10:30:00+01:00', '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z'],
    ['json-string', '{"a": [1, 2]}', '{"a": [1, 2]}', '{"a": [1, 2]}'],
  ]
  const table = await makeTable(call, Object.fromEntries(types.map(([type]) => [type, type])))
  const rowId = succeeded(await call('POST', rows, { tableId: table.id }), 201)._id.$oid
  for (const [type, sent, kept, shown] of types) {
    const spot = { tableId: oid(table.id), rowId, fieldId: table.fields[type] as string }
    const created = await call('POST', values, { ...spot, value: sent })
    const { _id, value, fieldId, isDeleted } = succeeded(created, 201)
    assert.deepEqual([value, fieldId, isDeleted], [kept, oid(spot.fieldId), false])
    assert.deepEqual((await table.read(rowId))[type], shown)
    assertProblem(await call('POST', values, { ...spot, value: sent }), 409, 'conflict')
    const path = `${values}/${_id.$oid}`
    assert.equal((await call('GET', path)).text, created.text)
    const { text } = await call('GET', `${table.path}/${rowId}`)
    assert.equal((await call('PUT', path, created.body)).text, created.text)
    assert.equal((await call('GET', `${table.path}/${rowId}`)).text, text)
    succeeded(await call('DELETE', path))
    assert.equal((await table.read(rowId))[type], undefined)
    assert.equal(succeeded(await call('GET', path)).isDeleted, true)
    succeeded(await call('DELETE', path))
    assertProblem(await call('PUT', path, { value: sent }), 404, 'not_found')
    succeeded(await call('POST', values, { ...spot, value: sent }), 201)
  }
  const types2 = (await feed(service, companyId)).map(({ type }) => type).filter((type) => /value/.test(type))
  assert.equal(types2.filter((type) => type === 'custom-table-value.created').length, 10)
  assert.equal(types2.filter((type) => type === 'custom-table-value.deleted').length, 5)
})

test('a value that does not match its field’s type is refused, on create and on update, and changes nothing', async () => {
  const { call } = await service.company()
  const wrong: Record<string, unknown[]> = {
    string: [5, null, {}],
    number: [
      '',
      ' 1',
      '1 ',
      '+1',
      '.5',
      '1.',
      '01',
      '0x10',
      'NaN',
      'Infinity',
      '1e400',
      '12345678901234567890',
      '1,5',
      '١',
      5,
    ],
    boolean: ['', 'TRUE', '1', 'yes', true],
    date: ['', '2026-02-30', 'now', '2026-11-21T09:30:00'],
    'json-string': ['', '{', 'undefined', "{'a': 1}"],
  }
  const good: Record<string, string> = {
    string: 'x',
    number: '1',
    boolean: 'true',
    date: '2026-11-21',
    'json-string': '[]',
  }
  const table = await makeTable(call, Object.fromEntries(Object.keys(wrong).map((type) => [type, type])))
  const rowId = await table.row()
  for (const [type, all] of Object.entries(wrong)) {
    const spot = { tableId: table.id, rowId, fieldId: table.fields[type] }
    for (const value of all) {
      const { errors } = assertProblem(
        await call('POST', values, { ...spot, value }),
        400,
        'validation_failed',
        `${type} ${value}`,
      )
      assert.equal(errors[0].pointer, '/value')
    }
    const made = succeeded(await call('POST', values, { ...spot, value: good[type] }), 201)
    for (const value of all)
      assert.equal((await call('PUT', `${values}/${made._id.$oid}`, { value })).status, 400, `${type} ${value}`)
    assert.deepEqual(succeeded(await call('GET', `${values}/${made._id.$oid}`)), made)
  }
})

test('table, row and field of a value must exist, belong together and to the company, and cannot be changed', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const a = await makeTable(call, { x: 'string' })
  const b = await makeTable(call, { x: 'string', y: 'string' })
  const theirs = await makeTable(other.call, { x: 'string' })
  const inA = await a.row()
  const inB = await b.row()
  const deleted = await a.row()
  const away = await theirs.row()
  succeeded(await call('DELETE', `${rows}/${deleted}`))
  const good = { tableId: a.id, rowId: inA, fieldId: a.fields.x, value: 'v' }
  for (const [more, pointer] of [
    [{ tableId: noId }, '/tableId'],
    [{ tableId: theirs.id }, '/tableId'],
    [{ rowId: noId }, '/rowId'],
    [{ rowId: inB }, '/rowId'],
    [{ rowId: deleted }, '/rowId'],
    [{ rowId: away }, '/rowId'],
    [{ fieldId: noId }, '/fieldId'],
    [{ fieldId: b.fields.x }, '/fieldId'],
    [{ fieldId: theirs.fields.x }, '/fieldId'],
    [{ rowId: { $oid: 'x' } }, '/rowId/$oid'],
    [{ fieldId: null }, '/fieldId'],
    [{ value: undefined }, '/value'],
    [{ bogus: 1 }, '/bogus'],
  ] as [Body, string][]) {
    const { errors } = assertProblem(
      await call('POST', values, { ...good, ...more }),
      400,
      'validation_failed',
      pointer,
    )
    assert.equal(errors[0].pointer, pointer)
  }
  const made = succeeded(await call('POST', values, good), 201)
  const path = `${values}/${made._id.$oid}`
  for (const [member, value] of [
    ['tableId', b.id],
    ['rowId', inB],
    ['fieldId', b.fields.y],
  ])
    assert.deepEqual(
      assertProblem(await call('PUT', path, { [member as string]: value }), 400).errors.map(
        ({ pointer }: Body) => pointer,
      ),
      [`/${member}`],
    )
  for (const method of ['GET', 'PUT', 'DELETE'])
    assertProblem(await other.call(method, path, method === 'PUT' ? { value: 'x' } : undefined), 404, 'not_found')
  assert.deepEqual(succeeded(await other.call('GET', `${values}s?tableId=${a.id}`)), [])
  assert.equal((await a.read(inA)).x, 'v')
})

test('values are listed by table and by row, deleted ones only on request', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { a: 'string', b: 'string' })
  const other = await makeTable(call, { a: 'string' })
  const one = await table.row({ a: '1', b: '2' })
  const two = await table.row({ a: '3' })
  await other.row({ a: '4' })
  succeeded(await call('PUT', `${table.path}/${one}`, { b: null }))
  const list = async (query: string) =>
    succeeded(await call('GET', `${values}s?${query}`)).map(({ value }: Body) => value)
  assert.deepEqual(await list(`tableId=${table.id}`), ['1', '3'])
  assert.deepEqual((await list(`tableId=${table.id}&includeDeleted=true`)).sort(), ['1', '2', '3'])
  assert.deepEqual(await list(`rowId=${two}`), ['3'])
  assert.deepEqual(await list(`rowId=${one}&tableId=${other.id}`), [])
  assert.equal((await list('')).length, 3)
  assert.equal((await call('GET', `${values}s?fieldId=x`)).status, 400)
})

test('twenty concurrent creates of one cell’s value leave one; concurrent updates of one value lose no event', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'number' })
  const rowId = await table.row()
  const spot = { tableId: table.id, rowId, fieldId: table.fields.a }
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => call('POST', values, { ...spot, value: `${n}` })))
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 409)])
  const id = made.find(({ status }) => status === 201)?.body._id.$oid
  const changed = await Promise.all(
    Array.from({ length: 20 }, (_, n) => call('PUT', `${values}/${id}`, { value: `${100 + n}` })),
  )
  for (const reply of changed) succeeded(reply)
  assert.equal((await feed(service, companyId, id)).length, 21)
  const { value } = succeeded(await call('GET', `${values}/${id}`))
  assert.equal((await table.read(rowId)).a, Number(value))
})

test('a value under an idempotency key is written once, and its replay reverts no later change', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const spot = { tableId: table.id, rowId: await table.row(), fieldId: table.fields.a, value: 'one' }
  const key = (of: string) => ({ 'idempotency-key': of })
  const first = await call('POST', values, spot, key('c'))
  assert.equal((await call('POST', values, spot, key('c'))).text, first.text)
  const path = `${values}/${succeeded(first, 201)._id.$oid}`
  const update = await call('PUT', path, { value: 'two' }, key('u'))
  succeeded(await call('PUT', path, { value: 'three' }))
  assert.equal((await call('PUT', path, { value: 'two' }, key('u'))).text, update.text)
  assert.equal((await table.read(spot.rowId)).a, 'three')
  const etag = (await call('GET', path)).headers.get('etag') as string
  assertProblem(await call('PUT', path, { value: 'x' }, { 'if-match': update.headers.get('etag') as string }), 412)
  succeeded(await call('PUT', path, { value: 'four' }, { 'if-match': etag }))
})
