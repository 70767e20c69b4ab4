// Rows of custom tables by the table's name: columns by name with their types, references, versions and retries (decisions §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeClosing } from './support/closing-routes.ts'
import type { Body } from './support/contract.ts'
import { makeTable, succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const everyType = { s: 'string', n: 'number', b: 'boolean', d: 'date', j: 'json-string' }

const pointers = (reply: Reply, about = ''): string[] =>
  assertProblem(reply, 400, 'validation_failed', about).errors.map(({ pointer }: Body) => pointer)

test('columns keep their JSON types, in the order of their fields, and unset ones are left out', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, everyType)
  const created = await call('POST', table.path, { j: '{"a": 1}', d: '2026-11-21', b: false, n: -0.5, s: '' })
  const { rowId, ...nothing } = succeeded(created, 201)
  assert.deepEqual(nothing, {})
  const { text, body } = await call('GET', `${table.path}/${rowId.$oid}`)
  const { _id, createdAt, updatedAt, ...columns } = body
  assert.deepEqual(_id, rowId)
  assert.deepEqual(columns, { s: '', n: -0.5, b: false, d: '2026-11-21T00:00:00.000Z', j: '{"a": 1}' })
  assert.deepEqual(Object.keys(body), ['_id', 's', 'n', 'b', 'd', 'j', 'createdAt', 'updatedAt'])
  assert.equal(createdAt, updatedAt)
  const empty = await table.row()
  assert.deepEqual(Object.keys(await table.read(empty)), ['_id', 'createdAt', 'updatedAt'])
  const same = await call('PUT', `${table.path}/${rowId.$oid}`, JSON.parse(text))
  assert.deepEqual(succeeded(same), { rowId })
  assert.equal((await call('GET', `${table.path}/${rowId.$oid}`)).text, text)
  const [value] = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${rowId.$oid}`)).filter(
    ({ fieldId }: Body) => fieldId.$oid === table.fields.n,
  )
  assert.equal(value.value, '-0.5')
})

test('a wrong type, an unknown column and a missing required one are 400 by name, the unknown one with a suggestion', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { ...everyType, needed: { type: 'string', required: true } })
  const id = await table.row({ needed: 'x' })
  const path = `${table.path}/${id}`
  const wrong: Record<string, unknown[]> = {
    s: [5, true, {}, []],
    n: ['5', true, {}],
    b: ['true', 0, 1],
    d: ['2026-02-30', 'now', 1795253400, '2026-11-21T09:30:00', {}],
    j: ['{', 'text', 5, true],
  }
  for (const [column, values] of Object.entries(wrong))
    for (const value of values) {
      const about = `${column} ${JSON.stringify(value)}`
      assert.deepEqual(pointers(await call('POST', table.path, { needed: 'x', [column]: value }), about), [
        `/${column}`,
      ])
      assert.deepEqual(pointers(await call('PUT', path, { [column]: value }), about), [`/${column}`])
    }
  assert.deepEqual(pointers(await call('POST', table.path, {})), ['/needed'])
  assert.deepEqual(pointers(await call('POST', table.path, { needed: null })), ['/needed'])
  assert.deepEqual(pointers(await call('PUT', path, { needed: null })), ['/needed'])
  assert.deepEqual(pointers(await call('POST', table.path, { needed: 5 })), ['/needed'])
  const meant = await call('PUT', path, { neded: 'x', s: 5 })
  assert.deepEqual(pointers(meant), ['/neded', '/s'])
  assert.match(meant.body.errors[0].message, /did you mean needed\?/)
  for (const body of [[], 5, null, 'x'])
    assert.equal((await call('POST', table.path, JSON.stringify(body))).status, 400)
  for (const lossy of [
    '{"n": 1e400}',
    '{"n": 12345678901234567890}',
    '{"s": "\\u0000"}',
    '{"s": "\\ud800"}',
    '{"s": "a", "s": "b"}',
  ])
    assert.equal((await call('PUT', path, lossy)).status, 400, lossy)
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`column ${n}`, n])))
  assert.equal(assertProblem(await call('PUT', path, many), 400).errors.length, 100)
  assert.deepEqual(Object.keys(await table.read(id)), ['_id', 'needed', 'createdAt', 'updatedAt'])
})

test('members that the service sets are ignored in a row, unless the table has a column of this name', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { s: { type: 'string' }, fromService: { type: 'boolean' } })
  const owned = { _id: 5, id: 'x', companyId: null, createdAt: 'x', updatedAt: {}, isDeleted: true }
  const id = await table.row({ s: 'a', ...owned, fromService: true })
  const { createdAt, updatedAt, ...row } = await table.read(id)
  assert.deepEqual(row, { _id: { $oid: id }, s: 'a', fromService: true })
  assert.equal((await call('PUT', `${table.path}/${id}`, owned)).status, 200)
  assert.deepEqual(await table.read(id), { ...row, createdAt, updatedAt })
  assert.deepEqual(pointers(await call('POST', table.path, { ...owned, fromService: 'x' })), ['/fromService'])
})

test('defaults are given to new rows only, and null leaves a column unset', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, {
    a: { type: 'string', defaultValue: 'one', required: true },
    b: { type: 'number', defaultValue: 2 },
  })
  const shown = async (columns: Body) => {
    const { a, b } = await table.read(await table.row(columns))
    return [a, b]
  }
  assert.deepEqual(await shown({}), ['one', 2])
  assert.deepEqual(await shown({ a: 'x', b: null }), ['x', undefined])
  const id = await table.row()
  succeeded(await call('PUT', `${table.path}/${id}`, { b: null }))
  succeeded(await call('PUT', `${table.path}/${id}`, { a: 'y' }))
  assert.equal((await table.read(id)).b, undefined)
})

test('an update merges, is a no-op without a change, and moves updatedAt otherwise', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'string', b: 'string' })
  const id = await table.row({ a: 'one', b: 'two' })
  const path = `${table.path}/${id}`
  const first = await call('GET', path)
  succeeded(await call('PUT', path, { a: 'one' }))
  assert.equal((await call('GET', path)).text, first.text)
  succeeded(await call('PUT', path, { b: null }))
  const { a, b, createdAt, updatedAt } = await table.read(id)
  assert.deepEqual([a, b, createdAt], ['one', undefined, first.body.createdAt])
  assert.ok(updatedAt >= createdAt)
  const events = await feed(service, companyId, id)
  assert.deepEqual(
    events.map(({ type, data, previous }) => [type, data.columns, previous]),
    [
      ['custom-table-row.created', { a: 'one', b: 'two' }, null],
      ['custom-table-row.updated', { a: 'one' }, { columns: { a: 'one', b: 'two' } }],
    ],
  )
  const { columns, ...record } = events.at(-1)?.data ?? {}
  assert.deepEqual(columns, { a: 'one' })
  assert.deepEqual(record, succeeded(await call('GET', `/v1/api/custom-table-row/${id}`)))
})

test('a row is found only in its table and its company; a table that does not exist is 404, whatever is sent', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const table = await makeTable(call, { a: 'string' }, 'loyalty')
  const sibling = await makeTable(call, { a: 'string' })
  const theirs = await makeTable(other.call, { a: 'string' }, 'loyalty')
  const id = await table.row({ a: 'mine' })
  const paths: [Caller, string][] = [
    [call, `${sibling.path}/${id}`],
    [call, `${table.path}/${noId}`],
    [call, `${table.path}/x`],
    [call, `${table.path}/__proto__`],
    [other.call, `${theirs.path}/${id}`],
    [other.call, `${sibling.path}/${id}`],
    [call, `/v1/api/custom-table-data/none/${id}`],
  ]
  for (const [caller, path] of paths)
    for (const [method, body] of [['GET'], ['PUT', { a: 'x' }], ['DELETE']] as const)
      assertProblem(await caller(method, path, body), 404, 'not_found', `${method} ${path}`)
  for (const name of ['none', '__proto__', 'constructor', 'LOYALTY', '%00', '%E2%82', 'a'.repeat(400), '..%2Floyalty'])
    for (const [method, body] of [['GET'], ['POST', { a: 'x' }]] as const) {
      const { status } = await call(method, `/v1/api/custom-table-data/${name}`, body)
      assert.equal(status, 404, name)
    }
  assert.deepEqual(succeeded(await other.call('GET', theirs.path)), [])
  assert.equal((await table.read(id)).a, 'mine')
})

test('a deleted row is flagged with its values: 404 here, shown as deleted there, and in no list', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const id = await table.row({ a: '"isDeleted":false,"updatedAt":"x"' })
  const kept = await table.row({ a: 'two' })
  const path = `${table.path}/${id}`
  const [value] = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}`))
  assert.deepEqual(succeeded(await call('DELETE', path)), { statusCode: 200, message: 'The row was deleted.' })
  for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
    assertProblem(await call(method, path, body), 404, 'not_found')
  assert.deepEqual(
    succeeded(await call('GET', table.path)).map(({ _id }: Body) => _id.$oid),
    [kept],
  )
  const row = succeeded(await call('GET', `/v1/api/custom-table-row/${id}`))
  assert.equal(row.isDeleted, true)
  const flagged = succeeded(await call('GET', `/v1/api/custom-table-value/${value._id.$oid}`))
  assert.deepEqual({ ...flagged, updatedAt: '' }, { ...value, isDeleted: true, updatedAt: '' })
  assert.deepEqual(succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}`)), [])
  assert.equal(
    succeeded(await call('GET', `/v1/api/custom-table-rows?tableId=${table.id}&includeDeleted=true`)).length,
    2,
  )
  const last = (await feed(service, companyId, id)).at(-1)
  assert.deepEqual(
    [last?.type, last?.previous, last?.data.isDeleted],
    ['custom-table-row.deleted', { isDeleted: false }, true],
  )
  succeeded(await call('DELETE', `/v1/api/custom-table-row/${id}`))
  assert.equal((await feed(service, companyId, id)).length, 2)
})

test('a row has an ETag: If-None-Match is 304, and If-Match accepts only the version that was read', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const path = `${table.path}/${await table.row({ a: 'one' })}`
  const etag = (await call('GET', path)).headers.get('etag') as string
  assert.equal((await call('GET', path, undefined, { 'if-none-match': etag })).status, 304)
  const put = (a: string, match: string) => call('PUT', path, { a }, { 'if-match': match })
  const both = await Promise.all([put('two', etag), put('three', etag)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  assertProblem(await put('four', etag), 412, 'version_mismatch')
  assertProblem(await call('DELETE', path, undefined, { 'if-match': etag }), 412, 'version_mismatch')
  const now = (await call('GET', path)).headers.get('etag') as string
  assert.notEqual(now, etag)
  const [value] = succeeded(await call('GET', '/v1/api/custom-table-values'))
  succeeded(await call('PUT', `/v1/api/custom-table-value/${value._id.$oid}`, { value: 'five' }))
  assertProblem(await put('six', now), 412, 'version_mismatch')
  const last = (await call('GET', path)).headers.get('etag') as string
  succeeded(await call('DELETE', path, undefined, { 'if-match': last }))
})

test('a write under an idempotency key is done once and gets the same response; after an error the key is free', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const under = (key: string) => ({ 'idempotency-key': key })
  assert.equal((await call('POST', table.path, { a: 5 }, under('k'))).status, 400)
  const firsts = await Promise.all(Array.from({ length: 5 }, () => call('POST', table.path, { a: 'one' }, under('k'))))
  for (const { status } of firsts) assert.ok(status === 201 || status === 409)
  const first = await call('POST', table.path, { a: 'one' }, under('k'))
  assert.equal(first.headers.get('idempotent-replayed'), 'true')
  assert.equal(succeeded(await call('GET', table.path)).length, 1)
  const path = `${table.path}/${first.body.rowId.$oid}`
  for (const [key, a] of [
    ['same', 'one'],
    ['other', 'two'],
  ] as const) {
    const done = await call('PUT', path, { a }, under(key))
    succeeded(await call('PUT', path, { a: 'three' }))
    const again = await call('PUT', path, { a }, under(key))
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [done.text, 'true'])
    assert.equal((await table.read(first.body.rowId.$oid)).a, 'three')
    succeeded(await call('PUT', path, { a: 'one' }))
  }
  assertProblem(await call('POST', table.path, { a: 'else' }, under('k')), 422, 'idempotency_conflict')
  const rows = await service.database.query('select key from idempotency_keys where owner_id = $1', [companyId])
  assert.equal(rows.length, 3)
})

test('a value that refers to a built-in resource must find the record, in its company and not deleted', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const table = await makeTable(call, {
    customer: { type: 'string', referenceLinkedCollection: 'customers' },
    product: { type: 'string', referenceLinkedCollection: 'products', referenceLinkedField: 'sku' },
    supplier: { type: 'string', referenceLinkedCollection: 'suppliers' },
  })
  const customer = succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const theirs = succeeded(await other.call('POST', '/v1/customer', { firstName: 'Eve' }), 201)
  succeeded(await call('POST', '/v1/product', { name: 'Cup', sku: 'CUP' }), 201)
  for (const [column, value] of [
    ['customer', noId],
    ['customer', theirs.id],
    ['customer', 'x'],
    ['product', 'cup'],
  ])
    assert.deepEqual(pointers(await call('POST', table.path, { [column as string]: value })), [`/${column}`])
  const id = await table.row({ customer: customer.id, product: 'CUP', supplier: 'anything' })
  assert.deepEqual(pointers(await call('PUT', `${table.path}/${id}`, { product: 'no', customer: noId })).sort(), [
    '/customer',
    '/product',
  ])
  succeeded(await call('DELETE', `/v1/customer/${customer.id}`))
  succeeded(await call('PUT', `${table.path}/${id}`, await table.read(id)))
  succeeded(await call('PUT', `${table.path}/${id}`, { customer: null }))
  assert.deepEqual(pointers(await call('PUT', `${table.path}/${id}`, { customer: customer.id })), ['/customer'])
})

test('references to closings, to the history of stock and to records of custom tables are checked too', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const parent = await makeTable(call, { a: 'string', b: 'string' })
  const row = await parent.row({ a: 'x', b: 'y' })
  const [first, second] = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${row}`))
  const variant = { productId: 'p', manageStock: true, inventory: [{ outletId: 'o', stock: 1 }] }
  succeeded(await call('POST', '/v1/variant', variant), 201)
  const [entry] = succeeded(await call('GET', '/v1/inventory-history')).data
  const targets = {
    'custom-tables': parent.id,
    'custom-table-fields': parent.fields.b,
    'custom-table-rows': row,
    'custom-table-values': first._id.$oid,
    closings: (await makeClosing(call)).id,
    'inventory-history': entry.id,
  }
  const table = await makeTable(
    call,
    Object.fromEntries(Object.keys(targets).map((each) => [each, { type: 'string', referenceLinkedCollection: each }])),
  )
  await table.row(targets)
  const theirs = await makeTable(other.call, {})
  for (const column of Object.keys(targets))
    for (const value of [noId, theirs.id])
      assert.deepEqual(pointers(await call('POST', table.path, { [column]: value })), [`/${column}`])

  succeeded(await call('DELETE', `/v1/api/custom-table-field/${parent.fields.a}`))
  const gone = [first, second].find(({ fieldId }) => fieldId.$oid === parent.fields.a)._id.$oid
  assert.equal(pointers(await call('POST', table.path, { 'custom-table-values': gone }))[0], '/custom-table-values')
  succeeded(await call('DELETE', `/v1/api/custom-table/${parent.id}`))
  for (const [column, value] of Object.entries(targets).slice(0, 4))
    assert.deepEqual(pointers(await call('POST', table.path, { [column]: value })), [`/${column}`])
})

test('an empty text unsets a number, a date and a reference, is a value for a text, and counts as missing where a value is required', async () => {
  const { call } = await service.company()
  const valued = {
    n: { type: 'number', defaultValue: 2 },
    d: { type: 'date' },
    customer: { type: 'string', referenceLinkedCollection: 'customers' },
    supplier: { type: 'string', referenceLinkedCollection: 'suppliers' },
  }
  const { id: customer } = succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const values = { n: 5, d: '2026-11-21T00:00:00.000Z', customer, supplier: 'x' }
  const empty = Object.fromEntries(Object.keys(valued).map((column) => [column, '']))
  const table = await makeTable(call, { ...valued, s: 'string', b: 'boolean', j: 'json-string' })
  const columnsOf = async (id: string) => {
    const { _id, createdAt, updatedAt, ...columns } = await table.read(id)
    return columns
  }
  assert.deepEqual(await columnsOf(await table.row({ ...empty, s: '' })), { s: '' })
  const id = await table.row({ ...values, s: 'x' })
  for (const column of ['b', 'j'])
    assert.deepEqual(pointers(await call('PUT', `${table.path}/${id}`, { [column]: '' })), [`/${column}`])
  assert.deepEqual(await columnsOf(id), { ...values, s: 'x' })
  succeeded(await call('PUT', `${table.path}/${id}`, { ...empty, s: '' }))
  assert.deepEqual(await columnsOf(id), { s: '' })
  for (const column of Object.keys(valued)) {
    const spot = { tableId: table.id, rowId: id, fieldId: table.fields[column], value: '' }
    const [error] = assertProblem(await call('POST', '/v1/api/custom-table-value', spot), 400).errors
    assert.deepEqual([error.pointer, error.code], ['/value', 'required'], column)
  }

  const needed = Object.entries(valued).map(([column, { type, ...of }]) => [column, { type, ...of, defaultValue: '', required: true }]) // biome-ignore format: one thought
  const strict = await makeTable(call, Object.fromEntries(needed))
  const row = await strict.row(values)
  for (const column of Object.keys(valued)) {
    const refusals = [
      await call('POST', strict.path, { ...values, [column]: '' }),
      await call('POST', strict.path, { ...values, [column]: undefined }),
      await call('PUT', `${strict.path}/${row}`, { [column]: '' }),
    ]
    for (const reply of refusals)
      assert.deepEqual(
        assertProblem(reply, 400).errors.map(({ pointer, code }: Body) => [pointer, code]),
        [[`/${column}`, 'required']],
      )
  }
})

test('a row has at most 200 columns, a cell at most a megabyte, and a row at most the length of a record', async () => {
  const { call } = await service.company()
  const names = Array.from({ length: 5 }, (_, n) => `c${n}`)
  const table = await makeTable(call, Object.fromEntries(names.map((name) => [name, 'string'])))
  const long = 'x'.repeat(1_048_576)
  const id = await table.row({ c0: long, c1: 'short' })
  assert.equal((await table.read(id)).c0.length, long.length)
  assert.equal((await call('PUT', `${table.path}/${id}`, { c1: `${long}x` })).status, 400)
  assertProblem(await call('PUT', `${table.path}/${id}`, { c1: long }), 413, 'payload_too_large')
  const value = { tableId: table.id, rowId: id, fieldId: table.fields.c2, value: long }
  assertProblem(await call('POST', '/v1/api/custom-table-value', value), 413, 'payload_too_large')
  assert.deepEqual(Object.keys(await table.read(id)), ['_id', 'c0', 'c1', 'createdAt', 'updatedAt'])
})
