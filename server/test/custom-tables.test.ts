// The schema of custom tables: tables and fields, their names, their references, and that a change applies at once (decisions §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { dataStatus, fields, makeTable, oid, refused, succeeded, tables } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('a table shows _id and companyId as objects and no id, and can be sent back unchanged', async () => {
  const { id: companyId, call } = await service.company()
  const sent = { name: 'loyalty', description: 'Points', metadata: [{ key: 'a', value: 1 }] }
  const created = await call('POST', tables, sent)
  const { _id, createdAt, updatedAt, ...own } = succeeded(created, 201)
  assert.deepEqual(own, { ...sent, companyId: oid(companyId) })
  assert.match(_id.$oid, /^[0-9a-f]{24}$/)
  assert.equal(createdAt, updatedAt)
  const path = `${tables}/${_id.$oid}`
  const read = await call('GET', path)
  assert.equal(read.text, created.text)
  assert.equal((await call('PUT', path, read.body)).text, created.text)
  assert.equal(read.headers.get('etag'), created.headers.get('etag'))
  const known = { 'if-none-match': read.headers.get('etag') as string }
  assert.equal((await call('GET', path, undefined, known)).status, 304)
  const changed = await call('PUT', path, { description: null })
  assert.equal(succeeded(changed).description, undefined)
  assertProblem(await call('PUT', path, { description: 'x' }, { 'if-match': '"other"' }), 412, 'version_mismatch')
  assert.deepEqual(succeeded(await call('GET', `${tables}s`)), [changed.body])
})

test('a name of a table is kebab-case of 1 to 63 characters', async () => {
  const { call } = await service.company()
  for (const name of [
    '',
    'Loyalty',
    'a_b',
    'a b',
    '-a',
    'a-',
    'a--b',
    'ä',
    '__proto__',
    'a'.repeat(64),
    5,
    null,
    undefined,
  ])
    assert.equal(refused(await call('POST', tables, { name }), String(name))[0], '/name')
  for (const name of ['a', 'a'.repeat(63), '2nd-table', 'constructor'])
    succeeded(await call('POST', tables, { name }), 201)
  assert.equal(await dataStatus(call, 'constructor'), 200)
})

test('two tables with one name are 409, also by a rename; names are free in other companies, and again after a delete', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const { _id } = succeeded(await call('POST', tables, { name: 'loyalty' }), 201)
  assertProblem(await call('POST', tables, { name: 'loyalty' }), 409, 'conflict')
  const second = succeeded(await call('POST', tables, { name: 'pets' }), 201)
  assertProblem(await call('PUT', `${tables}/${second._id.$oid}`, { name: 'loyalty' }), 409, 'conflict')
  succeeded(await other.call('POST', tables, { name: 'loyalty' }), 201)
  succeeded(await call('DELETE', `${tables}/${_id.$oid}`))
  const again = succeeded(await call('POST', tables, { name: 'loyalty' }), 201)
  assert.notEqual(again._id.$oid, _id.$oid)
  assert.deepEqual(succeeded(await call('GET', '/v1/api/custom-table-data/loyalty')), [])
})

test('twenty concurrent creates of one table name create one table, and of one field name one field', async () => {
  const { call } = await service.company()
  const made = await Promise.all(Array.from({ length: 20 }, () => call('POST', tables, { name: 'loyalty' })))
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 409)])
  const tableId = made.find(({ status }) => status === 201)?.body._id
  const body = { tableId, name: 'tier', type: 'string' }
  const columns = await Promise.all(Array.from({ length: 20 }, () => call('POST', fields, body)))
  assert.equal(columns.filter(({ status }) => status === 201).length, 1)
  assert.equal(columns.filter(({ status }) => status === 409).length, 19)
  assert.equal(succeeded(await call('GET', `${fields}s?tableId=${tableId.$oid}`)).length, 1)
})

test('a field accepts the id of its table as an object or as a text, shows it as an object, and names a wrong one', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const { id } = await makeTable(call, {})
  const theirs = await makeTable(other.call, {})
  const first = succeeded(await call('POST', fields, { tableId: id, name: 'a', type: 'string' }), 201)
  const second = succeeded(await call('POST', fields, { tableId: oid(id), name: 'b', type: 'string' }), 201)
  for (const { tableId } of [first, second]) assert.deepEqual(tableId, oid(id))
  for (const tableId of [
    'x',
    id.toUpperCase().replace(/[0-9]/g, 'A'),
    {},
    { $oid: 5 },
    { $oid: 'x' },
    { $oid: id, more: 1 },
    [id],
    5,
    null,
    undefined,
  ]) {
    const [pointer] = refused(
      await call('POST', fields, { tableId, name: 'c', type: 'string' }),
      JSON.stringify(tableId),
    )
    assert.match(pointer, /^\/tableId/)
  }
  for (const missing of [noId, theirs.id])
    assert.deepEqual(refused(await call('POST', fields, { tableId: missing, name: 'c', type: 'string' })), [
      '/tableId',
      'reference',
    ])
  const path = `${fields}/${first._id.$oid}`
  const { id: elsewhere } = await makeTable(call, {})
  assert.deepEqual(refused(await call('PUT', path, { tableId: elsewhere })), ['/tableId', 'immutable'])
  assert.equal(succeeded(await call('PUT', path, { tableId: id, name: 'z' })).name, 'z')
})

test('names that rows need for themselves are refused for fields; any other name of 1 to 63 characters is accepted', async () => {
  const { call } = await service.company()
  const { id: tableId, path, row, read } = await makeTable(call, {})
  const reserved = ['_id', 'id', 'companyId', 'createdAt', 'updatedAt', '__proto__', 'constructor', 'prototype']
  for (const name of [...reserved, '', 'x'.repeat(64), 'a\nb', 'a\u0000', '\u007f', 7])
    assert.equal(refused(await call('POST', fields, { tableId, name, type: 'string' }), String(name))[0], '/name')
  const odd = [
    'toString',
    'hasOwnProperty',
    '10',
    '2',
    'a/b~c',
    'Größe 👕',
    '"quoted\\"',
    '$oid',
    'isDeleted',
    ' ',
    '字'.repeat(63),
  ]
  for (const name of odd) succeeded(await call('POST', fields, { tableId, name, type: 'string' }), 201)
  const id = await row(Object.fromEntries(odd.map((name) => [name, `value of ${name}`])))
  const shown = await read(id)
  for (const name of odd) assert.equal(shown[name], `value of ${name}`)
  const { text } = await call('GET', `${path}/${id}`)
  const places = odd.map((name) => text.lastIndexOf(`${JSON.stringify(name)}:`))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  for (const name of reserved.slice(5)) {
    const reply = await call('POST', path, `{${JSON.stringify(name)}: {"isAdmin": true}}`)
    assert.deepEqual(refused(reply, name), [`/${name}`, 'unknown'])
  }
  const field = succeeded(await call('GET', `${fields}s?tableId=${tableId}`))[0]
  assert.equal(refused(await call('PUT', `${fields}/${field._id.$oid}`, { name: 'constructor' }))[0], '/name')
})

test('a default value must fit the type, as JSON or as a text, and is stored in canonical form', async () => {
  const { call } = await service.company()
  const { id: tableId, row, read } = await makeTable(call, {})
  const good: [string, unknown, string, unknown][] = [
    ['string', '5', '5', '5'],
    ['number', 5, '5', 5],
    ['number', '5.0', '5', 5],
    ['boolean', false, 'false', false],
    ['boolean', 'true', 'true', true],
    ['date', '2026-11-21T10:30:00+01:00', '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z'],
    ['json-string', { a: [1] }, '{"a":[1]}', '{"a":[1]}'],
    ['json-string', '[ 1 ]', '[ 1 ]', '[ 1 ]'],
  ]
  for (const [n, [type, defaultValue, kept]] of good.entries()) {
    const body = succeeded(await call('POST', fields, { tableId, name: `c${n}`, type, defaultValue }), 201)
    assert.equal(body.defaultValue, kept)
  }
  const shown = await read(await row())
  for (const [n, [, , , value]] of good.entries()) assert.deepEqual(shown[`c${n}`], value)
  for (const [type, defaultValue] of [
    ['string', 5],
    ['string', {}],
    ['number', 'five'],
    ['number', '1e400'],
    ['number', '12345678901234567890'],
    ['number', true],
    ['boolean', 'yes'],
    ['boolean', 1],
    ['date', 'tomorrow'],
    ['json-string', '{'],
    ['json-string', 5],
  ])
    assert.equal(refused(await call('POST', fields, { tableId, name: 'd', type, defaultValue }))[0], '/defaultValue')
  for (const type of ['text', 'String', '', null, 5])
    assert.equal(refused(await call('POST', fields, { tableId, name: 'd', type }))[0], '/type')
  const [first] = succeeded(await call('GET', `${fields}s?tableId=${tableId}`))
  const wrong = await call('PUT', `${fields}/${first._id.$oid}`, { type: 'number', defaultValue: 'x' })
  assert.equal(refused(wrong)[0], '/defaultValue')
})

test('fields are listed by their table only, in the order of their creation', async () => {
  const { call } = await service.company()
  const { id } = await makeTable(call, { b: 'string', a: 'number' })
  await makeTable(call, { c: 'string' })
  assert.deepEqual(refused(await call('GET', `${fields}s`)), ['tableId', 'required'])
  const reply = await call('GET', `${fields}s?tableId=${id}&limit=1&total=true`)
  assert.deepEqual([succeeded(reply).map(({ name }: Body) => name), reply.headers.get('x-total-count')], [['b'], '2'])
  assert.match(reply.headers.get('link') ?? '', new RegExp(`tableId=${id}&limit=1&total=true&skip=1>; rel="next"`))
  for (const none of [noId, 'x']) assert.deepEqual(succeeded(await call('GET', `${fields}s?tableId=${none}`)), [])
})

test('a field’s reference to a built-in resource is looked up by members that lists filter exactly, and by no others', async () => {
  const { call } = await service.company()
  const { id: tableId } = await makeTable(call, {})
  const make = (more: Body) => call('POST', fields, { tableId, name: 'r', type: 'string', ...more })
  for (const referenceLinkedField of ['description', 'nonsense', 'createdAt', '__proto__'])
    assert.deepEqual(refused(await make({ referenceLinkedCollection: 'products', referenceLinkedField })), [
      '/referenceLinkedField',
      'reference',
    ])
  for (const [name, meant] of [
    ['customer', 'customers'],
    ['Customers', 'customers'],
    ['taxTable', 'tax-tables'],
    ['custom-table-row', 'custom-table-rows'],
    ['customTables', 'custom-tables'],
    ['closing', 'closings'],
    ['inventoryHistory', 'inventory-history'],
  ]) {
    const [error] = assertProblem(await make({ referenceLinkedCollection: name }), 400, 'validation_failed').errors
    assert.deepEqual(
      [error.pointer, error.message.endsWith(`did you mean ${meant}?`)],
      ['/referenceLinkedCollection', true],
    )
  }
  const link = { referenceLinkedCollection: 'customers' }
  assert.equal(refused(await make({ ...link, referenceLinkedField: 'externalId' }))[0], '/referenceLinkedField')
  assert.equal(refused(await make({ ...link, type: 'number' }))[0], '/type')
  succeeded(await make({ name: 'p', referenceLinkedCollection: 'products', referenceLinkedField: 'sku' }), 201)
  succeeded(await make({ name: 'q', referenceLinkedCollection: 'suppliers', referenceLinkedField: 'anything' }), 201)
  succeeded(await make(link), 201)
  const second = assertProblem(await make({ ...link, name: 's' }), 409, 'conflict')
  assert.deepEqual([second.reason, second.errors[0].pointer], ['customer_field_exists', '/referenceLinkedCollection'])
})

test('a stored reference that a later version would refuse stays until it is changed', async () => {
  const { call } = await service.company()
  const { id: tableId } = await makeTable(call, {})
  const older = async (name: string, type: string, collection: string): Promise<string> => {
    const link = { referenceLinkedCollection: 'suppliers', referenceLinkedField: 'email' }
    const { _id } = succeeded(await call('POST', fields, { tableId, name, type, ...link }), 201)
    await service.database.query(
      `update custom_table_fields set body = replace(body::text, '"suppliers"', to_json($2::text)::text)::json where id = $1`,
      [_id.$oid, collection],
    )
    return `${fields}/${_id.$oid}`
  }
  const outlet = await older('outlet', 'string', 'outlets')
  const { name, referenceLinkedField } = succeeded(await call('PUT', outlet, { name: 'branch', required: true }))
  assert.deepEqual([name, referenceLinkedField], ['branch', 'email'])
  const whole = succeeded(await call('GET', outlet))
  succeeded(await call('PUT', outlet, { ...whole, name: 'shop' }))
  assert.equal(
    refused(await call('PUT', outlet, { referenceLinkedCollection: 'stations' }))[0],
    '/referenceLinkedField',
  )
  const customer = await older('customer', 'number', 'customers')
  succeeded(await call('PUT', customer, { required: true }))
  assert.equal(refused(await call('PUT', customer, { type: 'boolean' }))[0], '/type')
  succeeded(await call('PUT', outlet, { referenceLinkedField: 'id' }))
})

test('the default of a reference must find a record too, when it or the reference is new', async () => {
  const { call } = await service.company()
  const { id: tableId } = await makeTable(call, {})
  const { id } = succeeded(await call('POST', '/v1/outlet', { name: 'Shop' }), 201)
  const make = (more: Body) => call('POST', fields, { tableId, type: 'string', ...more })
  const link = { referenceLinkedCollection: 'outlets' }
  for (const referenceLinkedCollection of ['outlets', 'customers'])
    assert.deepEqual(refused(await make({ name: 'a', referenceLinkedCollection, defaultValue: 'x' })), [
      '/defaultValue',
      'reference',
    ])
  succeeded(await make({ name: 'a', referenceLinkedCollection: 'suppliers', defaultValue: 'x' }), 201)
  const made = succeeded(await make({ name: 'b', ...link, defaultValue: id }), 201)
  const plain = succeeded(await make({ name: 'c', defaultValue: 'x' }), 201)
  const change = (field: Body, to: Body) => call('PUT', `${fields}/${field._id.$oid}`, to)
  assert.equal(refused(await change(made, { defaultValue: 'x' }))[0], '/defaultValue')
  assert.equal(refused(await change(plain, link))[0], '/defaultValue')
  succeeded(await call('DELETE', `/v1/outlet/${id}`))
  succeeded(await change(made, { name: 'd', defaultValue: id }))
})

test('a table that extends customers cannot have the name of a customer’s member, whichever comes first', async () => {
  const { call } = await service.company()
  const link = { type: 'string', referenceLinkedCollection: 'customers' }
  const inherited = await makeTable(call, {}, 'constructor')
  assert.deepEqual(refused(await call('POST', fields, { tableId: inherited.id, name: 'customer', ...link })), [
    '/referenceLinkedCollection',
    'reserved',
  ])
  const native = await makeTable(call, {}, 'billing')
  const reply = await call('POST', fields, { tableId: native.id, name: 'customer', ...link })
  assert.deepEqual(refused(reply), ['/referenceLinkedCollection', 'reserved'])
  assert.deepEqual(succeeded(await call('GET', `${fields}s?tableId=${native.id}`)), [])
  const plain = await call('POST', fields, { tableId: native.id, name: 'customer', type: 'string' })
  const update = await call('PUT', `${fields}/${succeeded(plain, 201)._id.$oid}`, {
    referenceLinkedCollection: 'customers',
  })
  assert.deepEqual(refused(update), ['/referenceLinkedCollection', 'reserved'])
  const table = await makeTable(call, { customer: link }, 'loyalty')
  assert.deepEqual(refused(await call('PUT', `${tables}/${table.id}`, { name: 'tags' })), ['/name', 'reserved'])
  assert.equal(succeeded(await call('GET', `${tables}/${table.id}`)).name, 'loyalty')
  succeeded(await call('PUT', `${tables}/${table.id}`, { name: 'club' }))
})

test('a company has at most 200 tables and a table at most 200 fields, also under concurrent creates', async () => {
  const { id: companyId, call } = await service.company()
  const { id: tableId } = await makeTable(call, {})
  const columns = { company: companyId, table: tableId }
  await service.database.query(
    `insert into custom_tables (company_id, id, body)
     select $1, lpad(n::text, 24, '0'), json_build_object('name', 'many-' || n, 'createdAt', '', 'updatedAt', '') from generate_series(1, 197) as n`,
    [columns.company],
  )
  await service.database.query(
    `insert into custom_table_fields (company_id, id, body)
     select $1, lpad(n::text, 24, '0'), json_build_object('tableId', json_build_object('$oid', $2::text), 'name', 'many-' || n, 'type', 'string', 'createdAt', '', 'updatedAt', '')
     from generate_series(1, 198) as n`,
    [columns.company, columns.table],
  )
  for (const [path, body] of [
    [tables, {}],
    [fields, { tableId, type: 'string' }],
  ] as const) {
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, n) => call('POST', path, { ...body, name: `more-${n}` })),
    )
    assert.deepEqual(made.map(({ status }) => status).sort(), [201, 201, 409, 409, 409])
  }
})

test('a create of a table or field under an idempotency key is done once', async () => {
  const { call } = await service.company()
  const key = { 'idempotency-key': 'k' }
  const first = await call('POST', tables, { name: 'loyalty' }, key)
  const again = await call('POST', tables, { name: 'loyalty' }, key)
  assert.deepEqual([again.status, again.text, again.headers.get('idempotent-replayed')], [201, first.text, 'true'])
  const body = { tableId: first.body._id, name: 'a', type: 'string' }
  const field = await call('POST', fields, body, { 'idempotency-key': 'f' })
  assert.equal((await call('POST', fields, body, { 'idempotency-key': 'f' })).text, field.text)
  const rename = { name: 'b' }
  const path = `${fields}/${field.body._id.$oid}`
  const renamed = await call('PUT', path, rename, { 'idempotency-key': 'u' })
  succeeded(await call('PUT', path, { name: 'c' }))
  assert.equal((await call('PUT', path, rename, { 'idempotency-key': 'u' })).text, renamed.text)
  assert.equal(succeeded(await call('GET', path)).name, 'c')
})
