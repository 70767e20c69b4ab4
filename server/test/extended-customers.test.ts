// Customers that a company's own tables extend (decisions §7): columns in requests, responses, lists, bulk, events and the reference, by the current schema.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { assertColumns } from './support/columns.ts'
import type { Body } from './support/contract.ts'
import { makeTable, oid, succeeded } from './support/custom-tables.ts'
import { assertAgrees, extendedBy, link, loyal, upTo } from './support/extended-customers.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const { extended, elsewhereOf } = extendedBy(service)

/** The wrong members of a refused body. */
function refused(reply: Reply): string[] {
  return assertProblem(reply, 400).errors.map(({ pointer }: Body) => pointer)
}

test('columns of a table that refers to customers are in each customer: in requests and responses of both styles, in lists and in the table', async () => {
  const { call, table } = await extended()
  const loyalty = { tier: 'gold', points: 120.5, since: '2026-01-02T03:04:05.000Z', isVip: true, more: '{"a":[1]}' }
  const sent = { ...loyalty, since: '2026-01-02T04:04:05+01:00', more: { a: [1] } }
  const made = succeeded(await call('POST', '/v1/customer', { email: 'ann@example.com', loyalty: sent }), 201)
  assert.deepEqual(made.loyalty, loyalty)
  const { id } = made
  await assertAgrees(call, table, id, loyalty)
  const plain = succeeded(await call('POST', '/v1/api/customers', { email: 'ben@example.com' }), 201)
  assert.equal(plain.loyalty, undefined)
  for (const path of [`/v1/customer/${id}`, `/v1/api/customer/${id}`, `/v1/api/customers/${id}`])
    assert.deepEqual(succeeded(await call('GET', path)), made)
  for (const { data } of [
    succeeded(await call('GET', '/v1/customers?searchByEmail=ANN&sortBy=email')),
    { data: succeeded(await call('GET', '/v1/api/customers?limit=1')) },
  ])
    assert.deepEqual(data, [made])
  assert.deepEqual(succeeded(await call('GET', '/v1/customers')).data, [made, plain])

  const tier = succeeded(await call('PATCH', `/v1/customer/${id}`, { loyalty: { tier: 'silver', isVip: null } }))
  const { isVip, ...others } = loyalty
  assert.deepEqual(tier.loyalty, { ...others, tier: 'silver' })
  await assertAgrees(call, table, id, { ...others, tier: 'silver' })
  const points = succeeded(await call('PUT', `/v1/api/customer/${id}`, { firstName: 'Ann', loyalty: { points: 0 } }))
  assert.deepEqual([points.firstName, points.loyalty], ['Ann', { ...others, tier: 'silver', points: 0 }])
  // The record can be sent back as read.
  const again = succeeded(await call('PATCH', `/v1/customer/${id}`, points))
  assert.deepEqual(again, points)
  const cleared = succeeded(await call('PATCH', `/v1/customer/${id}`, { loyalty: null }))
  assert.equal(cleared.loyalty, undefined)
  await assertAgrees(call, table, id, undefined)
  const emptied = succeeded(await call('PATCH', `/v1/customer/${id}`, { loyalty: {} }))
  assert.deepEqual(emptied.loyalty, {})
  await assertAgrees(call, table, id, {})
})

test('a write to the table by its name, or value by value, shows in the customer and changes its ETag and its updatedAt', async () => {
  const { call, elsewhere, table } = await extended()
  const customer = succeeded(await call('POST', '/v1/customer', { email: 'ann@example.com' }), 201)
  const path = `/v1/customer/${customer.id}`
  const read = async (caller: Caller) => {
    const reply = await caller('GET', path)
    return { ...succeeded(reply), etag: reply.headers.get('etag') }
  }
  const tags = [(await read(call)).etag]
  let { updatedAt } = customer
  const shows = async (loyalty: Body | undefined) => {
    const here = await read(call)
    const there = await read(elsewhere)
    assert.deepEqual(here, there)
    assert.deepEqual(here.loyalty, loyalty)
    assert.ok(here.updatedAt > updatedAt)
    updatedAt = here.updatedAt
    assert.ok(!tags.includes(here.etag))
    tags.push(here.etag)
  }
  const row = await table.row({ customer: customer.id, tier: 'gold' })
  await shows({ tier: 'gold' })
  assertProblem(await call('POST', table.path, { customer: customer.id }), 409, 'conflict')
  succeeded(await elsewhere('PUT', `${table.path}/${row}`, { points: 5 }))
  await shows({ tier: 'gold', points: 5 })
  const ids = { tableId: oid(table.id), rowId: oid(row), fieldId: oid(table.fields.more as string) }
  const value = succeeded(await call('POST', '/v1/api/custom-table-value', { ...ids, value: '[1]' }), 201)
  await shows({ tier: 'gold', points: 5, more: '[1]' })
  succeeded(await call('PUT', `/v1/api/custom-table-value/${value._id.$oid}`, { value: '[2]' }))
  await shows({ tier: 'gold', points: 5, more: '[2]' })
  succeeded(await elsewhere('DELETE', `/v1/api/custom-table-value/${value._id.$oid}`))
  await shows({ tier: 'gold', points: 5 })
  const stale = await call('PATCH', path, { firstName: 'Ann' }, { 'if-match': tags[1] as string })
  assertProblem(stale, 412, 'version_mismatch')
  succeeded(await call('PATCH', path, { loyalty: { tier: 'tin' } }, { 'if-match': tags.at(-1) as string }))
  const other = succeeded(await call('POST', '/v1/customer', { email: 'ben@example.com' }), 201)
  succeeded(await call('PUT', `${table.path}/${row}`, { customer: other.id }))
  assert.equal((await read(elsewhere)).loyalty, undefined)
  assert.deepEqual(succeeded(await call('GET', `/v1/customer/${other.id}`)).loyalty, { tier: 'tin', points: 5 })
  succeeded(await call('DELETE', `${table.path}/${row}`))
  assert.equal(succeeded(await elsewhere('GET', `/v1/customer/${other.id}`)).loyalty, undefined)
})

test('each wrong column is named by its pointer, and nothing of the request is written', async () => {
  const { id: companyId, call } = await extended({
    ...loyal,
    tier: { type: 'string', required: true },
    level: { type: 'number', required: true, defaultValue: 1 },
    product: { type: 'string', referenceLinkedCollection: 'products' },
  })
  const post = (loyalty: unknown) => call('POST', '/v1/customer', { email: 'ann@example.com', loyalty })
  for (const [loyalty, ...pointers] of [
    [{ tier: 5 }, '/tier'],
    [{ tier: 'a', points: '5', since: 'soon', isVip: 'yes', more: 'no' }, '/points', '/since', '/isVip', '/more'],
    [{}, '/tier'],
    [{ points: 1 }, '/tier'],
    [{ tier: null }, '/tier'],
    [{ tier: 'a', level: null }, '/level'],
    [{ tier: 'a', teir: 'b' }, '/teir'],
    [{ tier: 'a', customer: '6740a1f2c3d4e5f6a7b8c9d0' }, '/customer'],
    [{ tier: 'a', constructor: 1 }, '/constructor'],
    [{ tier: 'a', toString: 'b' }, '/toString'],
    [{ tier: 'a', product: '6740a1f2c3d4e5f6a7b8c9d0' }, '/product'],
    [{ tier: 'a', level: '' }, '/level'],
    ['gold', ''],
    [[], ''],
    [5, ''],
  ] as [unknown, ...string[]][]) {
    const errors = refused(await post(loyalty))
    assert.deepEqual(errors.sort(), pointers.map((pointer) => `/loyalty${pointer}`).sort())
  }
  const hostile = '{"email":"a@b.ch","loyalty":{"tier":"a","__proto__":1}}'
  assert.deepEqual(refused(await call('POST', '/v1/customer', hostile)), ['/loyalty/__proto__'])
  assert.deepEqual(refused(await call('POST', '/v1/customer', { email: 'ann@example.com', loyalti: {} })), ['/loyalti'])
  assert.equal((await feed(service, companyId)).filter(({ resource }) => resource === 'customer').length, 0)

  const good = succeeded(await post({ tier: 'a', product: '' }), 201)
  assert.deepEqual(good.loyalty, { tier: 'a', level: 1 })
  const path = `/v1/customer/${good.id}`
  assert.deepEqual(refused(await call('PATCH', path, { loyalty: { tier: null } })), ['/loyalty/tier'])
  assert.deepEqual(refused(await call('PATCH', path, { firstName: 'A', loyalty: { points: 'x' } })), [
    '/loyalty/points',
  ])
  const bulk = succeeded(
    await call('POST', '/v1/customers', {
      items: [
        { email: 'b@example.com', loyalty: { tier: 'b', product: '' } },
        { email: 'c@example.com', loyalty: { tier: 3 } },
        { email: 'd@example.com', loyalty: { points: 3 } },
        { email: 'e@example.com', loyalty: { tier: 'e', product: '6740a1f2c3d4e5f6a7b8c9d0' } },
        { email: 'f@example.com' },
      ],
    }),
  )
  assert.deepEqual(
    bulk.results.map(({ data, error }: Body) => data?.loyalty ?? error?.errors.map(({ pointer }: Body) => pointer)),
    [{ tier: 'b', level: 1 }, ['/items/1/loyalty/tier'], ['/items/2/loyalty/tier'], ['/items/3/loyalty/product'], undefined], // biome-ignore format: one thought
  )
  const updated = succeeded(
    await call('PATCH', '/v1/customers', [
      { id: good.id, loyalty: { tier: null } },
      { id: bulk.results[0].data.id, loyalty: { level: 2, points: '', product: '' } },
      { id: bulk.results[4].data.id, loyalty: { level: 2 } },
      { id: bulk.results[4].data.id.replace(/.$/, (last: string) => (last === 'f' ? '0' : 'f')), loyalty: {} },
    ]),
  )
  assert.deepEqual(
    updated.results.map(({ data, error }: Body) => data?.loyalty ?? error?.errors?.[0].pointer ?? error?.statusCode),
    ['/0/loyalty/tier', { tier: 'b', level: 2 }, '/2/loyalty/tier', 404],
  )
  const customers = succeeded(await call('GET', '/v1/customers')).data
  assert.deepEqual(
    customers.map(({ email, loyalty }: Body) => [email, loyalty]),
    [
      ['ann@example.com', { tier: 'a', level: 1 }],
      ['b@example.com', { tier: 'b', level: 2 }],
      ['f@example.com', undefined],
    ],
  )
})

test('columns in a customer’s body raise the customer’s event and no row’s; columns by the table’s name raise the row’s, then the customer’s', async () => {
  const { id: companyId, call, table } = await extended()
  const begun = (await feed(service, companyId)).length
  const made = succeeded(await call('POST', '/v1/customer', { email: 'a@example.com', loyalty: { tier: 'gold' } }), 201)
  const patched = succeeded(await call('PATCH', `/v1/customer/${made.id}`, { loyalty: { points: 1 } }))
  succeeded(await call('PATCH', `/v1/customer/${made.id}`, { loyalty: { points: 1 } }))
  const [row] = succeeded(await call('GET', table.path))
  succeeded(await call('PUT', `${table.path}/${row._id.$oid}`, { points: 2 }))
  const named = succeeded(await call('PATCH', `/v1/customer/${made.id}`, { firstName: 'Ann' }))
  assert.deepEqual(named.loyalty, { tier: 'gold', points: 2 })
  const cleared = succeeded(await call('PATCH', `/v1/customer/${made.id}`, { loyalty: null }))
  succeeded(await call('DELETE', `/v1/customer/${made.id}`))
  const events = (await feed(service, companyId)).slice(begun)
  assert.deepEqual(
    events.map(({ type, previous }) => [type, previous?.loyalty]),
    [
      ['customer.created', undefined],
      ['customer.updated', { tier: 'gold' }],
      ['custom-table-row.updated', undefined],
      ['customer.updated', { tier: 'gold', points: 1 }],
      ['customer.updated', undefined],
      ['customer.updated', { tier: 'gold', points: 2 }],
      ['customer.deleted', undefined],
    ],
  )
  assert.deepEqual(
    [0, 1, 4, 5].map((n) => events[n]?.data),
    [made, patched, named, cleared],
  )
  assert.ok(patched.updatedAt > made.updatedAt)
})

describe('a schema change applies at once on another server', () => {
  test('for customers of a company that had no such table a moment ago', async () => {
    for (const n of upTo(5)) {
      const company = await service.company()
      const elsewhere = await elsewhereOf(company.key)
      const customer = succeeded(await elsewhere('POST', '/v1/customer', { email: 'ann@example.com' }), 201)
      assert.deepEqual(refused(await elsewhere('PATCH', `/v1/customer/${customer.id}`, { loyalty: {} })), ['/loyalty'])
      const table = await makeTable(company.call, loyal, 'loyalty')
      if (n % 2) await table.row({ customer: customer.id, points: n })
      const expected = n % 2 ? { points: n } : undefined
      assert.deepEqual(succeeded(await elsewhere('GET', `/v1/customer/${customer.id}`)).loyalty, expected)
      assert.deepEqual(succeeded(await elsewhere('GET', '/v1/customers')).data[0].loyalty, expected)
      const patched = await elsewhere('PATCH', '/v1/customers', [{ id: customer.id, loyalty: { tier: 'x' } }])
      assert.deepEqual(succeeded(patched).results[0].data.loyalty, { tier: 'x', ...expected })
    }
  })

  test('when columns or the table are renamed, added, removed, and when the table no longer refers to customers', async () => {
    const { call, elsewhere, table } = await extended()
    const { id } = succeeded(
      await call('POST', '/v1/customer', { email: 'a@example.com', loyalty: { tier: 'x' } }),
      201,
    )
    const path = `/v1/customer/${id}`
    const shown = async () => {
      const { data } = succeeded(await elsewhere('GET', '/v1/customers'))
      const one = succeeded(await elsewhere('GET', path))
      assert.deepEqual(data, [one])
      const { email, fromService, isDeleted, createdAt, updatedAt, companyId, ...others } = one
      return others
    }
    const fields = '/v1/api/custom-table-field'
    for (let n = 0; n < 6; n++) {
      const [name, old] = n % 2 ? ['tier', 'rank'] : ['rank', 'tier']
      succeeded(await call('PUT', `${fields}/${table.fields.tier}`, { name }))
      assert.deepEqual(await shown(), { id, loyalty: { [name]: 'x' } })
      assert.deepEqual(refused(await elsewhere('PATCH', path, { loyalty: { [old]: 'y' } })), [`/loyalty/${old}`])
      succeeded(await elsewhere('PATCH', path, { loyalty: { [name]: 'x' } }))
    }
    succeeded(await call('POST', fields, { tableId: oid(table.id), name: 'extra', type: 'number' }), 201)
    succeeded(await elsewhere('PATCH', path, { loyalty: { extra: 1 } }))
    succeeded(await call('PUT', `/v1/api/custom-table/${table.id}`, { name: 'club' }))
    assert.deepEqual(await shown(), { id, club: { tier: 'x', extra: 1 } })
    assert.deepEqual(refused(await elsewhere('PATCH', path, { loyalty: {} })), ['/loyalty'])
    succeeded(await call('DELETE', `${fields}/${table.fields.tier}`))
    assert.deepEqual(await shown(), { id, club: { extra: 1 } })
    succeeded(await call('DELETE', `${fields}/${table.fields.customer}`))
    assert.deepEqual(await shown(), { id })
    assert.deepEqual(refused(await elsewhere('PATCH', path, { club: {} })), ['/club'])
    succeeded(await elsewhere('PATCH', path, { firstName: 'Ann' }))
    const again = { tableId: oid(table.id), name: 'owner', type: 'string', referenceLinkedCollection: 'customers' }
    succeeded(await call('POST', fields, again), 201)
    assert.deepEqual(succeeded(await elsewhere('PATCH', path, { club: { points: 3 } })).club, { points: 3 })
    succeeded(await call('DELETE', `/v1/api/custom-table/${table.id}`))
    assert.deepEqual(await shown(), { id, firstName: 'Ann' })
    assert.deepEqual(refused(await elsewhere('PATCH', path, { club: {} })), ['/club'])
  })
})

test('several tables extend a customer together, with any names of tables and columns', async () => {
  const { call } = await service.company()
  const odd = { '2': 'string', '10': 'string', b: 'number', a: 'number', 'é "x"/~': 'string', toString: 'string' }
  const pets = await makeTable(call, { customer: link, ...odd }, '7')
  await makeTable(call, { of: link, a: 'string' }, 'a-1')
  const columns = { b: 1, a: 2, '10': 'ten', '2': 'two', 'é "x"/~': 'odd', toString: 'plain' }
  const body = { email: 'a@example.com', 'a-1': { a: 'x' }, '7': columns }
  const made = await call('POST', '/v1/customer', body)
  const { id } = succeeded(made, 201)
  // The same bytes, however the record was read.
  const read = await call('GET', `/v1/customer/${id}`)
  assert.equal(read.text, made.text)
  assert.equal(read.headers.get('etag'), made.headers.get('etag'))
  assert.deepEqual(read.body['7'], columns)
  assert.deepEqual(read.body['a-1'], { a: 'x' })
  assert.equal((await call('PATCH', `/v1/customer/${id}`, { '7': { b: 1 } })).text, made.text)
  await assertAgrees(call, pets, id, columns)
  assert.deepEqual(
    refused(await call('PATCH', `/v1/customer/${id}`, { '7': { 'é "x"/~': 1 } })),
    ['/7/é "x"~1~0'],
  ) // biome-ignore format: one thought
})

test('a deleted customer shows its columns when it is read, and accepts none', async () => {
  const { call, table } = await extended()
  const { id } = succeeded(await call('POST', '/v1/customer', { email: 'a@example.com', loyalty: { tier: 'x' } }), 201)
  succeeded(await call('DELETE', `/v1/customer/${id}`))
  const { isDeleted, loyalty } = succeeded(await call('GET', `/v1/customer/${id}`))
  assert.deepEqual([isDeleted, loyalty], [true, { tier: 'x' }])
  assert.deepEqual(succeeded(await call('GET', '/v1/customers')).data, [])
  assert.equal(succeeded(await call('GET', '/v1/customers?includeDeleted=true')).data[0].loyalty.tier, 'x')
  assertProblem(await call('PATCH', `/v1/customer/${id}`, { loyalty: { tier: 'y' } }), 404, 'not_found')
  const rows = succeeded(await call('GET', table.path))
  assert.equal(rows.length, 1)
  assert.equal(refused(await call('POST', table.path, { customer: id }))[0], '/customer')
})

test('customers of other companies are not affected by a company’s tables', async () => {
  const { call, table } = await extended()
  const other = await service.company()
  const { id } = succeeded(await other.call('POST', '/v1/customer', { email: 'b@example.com' }), 201)
  assert.deepEqual(refused(await other.call('PATCH', `/v1/customer/${id}`, { loyalty: { tier: 'x' } })), ['/loyalty'])
  assert.deepEqual(refused(await call('POST', table.path, { customer: id, tier: 'x' })), ['/customer'])
  assertProblem(await call('PATCH', `/v1/customer/${id}`, { loyalty: { tier: 'x' } }), 404, 'not_found')
  assert.equal(succeeded(await other.call('GET', `/v1/customer/${id}`)).loyalty, undefined)
})

test('a request under an idempotency key is carried out once, including columns, singly and in bulk', async () => {
  const { id: companyId, call, table } = await extended()
  const keyed = { 'idempotency-key': 'a' }
  const body = { email: 'a@example.com', loyalty: { points: 1 } }
  const replies = await Promise.all(upTo(8).map(() => call('POST', '/v1/customer', body, keyed)))
  const first = replies.find(({ status }) => status === 201) as Reply
  for (const reply of replies) if (reply.status === 201) assert.equal(reply.text, first.text)
    else assertProblem(reply, 409, 'idempotency_in_progress') // biome-ignore format: one thought
  const items = upTo(3).map((n) => ({ id: first.body.id, loyalty: { points: n } })).slice(0, 1) // biome-ignore format: one thought
  const bulk = [1, 2].map(() => call('PATCH', '/v1/customers', { items }, { 'idempotency-key': 'b' }))
  const [one, two] = await Promise.all(bulk)
  assert.ok([one, two].some((reply) => reply?.status === 200))
  const replayed = succeeded(await call('PATCH', '/v1/customers', { items }, { 'idempotency-key': 'b' }))
  assert.deepEqual(replayed.results[0].data.loyalty, items[0]?.loyalty)
  await assertAgrees(call, table, first.body.id, items[0]?.loyalty)
  const written = (await feed(service, companyId)).filter(({ resource }) => resource === 'customer')
  assert.equal(written.length, items[0]?.loyalty.points === 1 ? 1 : 2)
})

test('the company’s reference shows the columns in the customer’s schemas, at once after each change, and another company’s does not', async () => {
  const { call, elsewhere, table } = await extended()
  const other = await service.company()
  const document = async (caller: Caller) => succeeded(await caller('GET', '/v1/openapi.json'))
  const own = await document(elsewhere)
  assert.deepEqual(await new Validator().validate(structuredClone(own)), { valid: true })
  const { Customer, CustomerCreate, CustomerUpdate } = own.components.schemas
  const types = { tier: 'string', points: 'number', since: 'string', isVip: 'boolean', more: 'string' }
  assert.deepEqual(
    Object.entries(Customer.properties.loyalty.properties).map(([name, schema]) => [name, (schema as Body).type]),
    Object.entries(types),
  )
  for (const { properties } of [Customer, CustomerCreate, CustomerUpdate])
    assert.match(properties.loyalty.properties.points.description, /^A number: the column `points` of the custom table/)
  assert.deepEqual(CustomerCreate.properties.loyalty.properties.points.type, ['number', 'null'])
  assert.deepEqual(CustomerUpdate.properties.loyalty.type, ['object', 'null'])
  assert.equal((await document(other.call)).components.schemas.Customer.properties.loyalty, undefined)
  succeeded(await call('PUT', `/v1/api/custom-table/${table.id}`, { name: 'club' }))
  const renamed = (await document(elsewhere)).components.schemas.Customer.properties
  assert.deepEqual([renamed.loyalty, renamed.club.type], [undefined, 'object'])
  succeeded(await call('DELETE', `/v1/api/custom-table/${table.id}`))
  const plain = await document(other.call)
  assert.deepEqual((await document(elsewhere)).components.schemas, plain.components.schemas)
})

test('a customer’s columns cannot make it too long, and one of maximum length can be shortened and deleted', async () => {
  const { call, table } = await extended()
  const notes = ['n'.repeat(1_000_000), 'n'.repeat(300_000)]
  const { id } = succeeded(await call('POST', '/v1/customer', { email: 'a@example.com', notes }), 201)
  const row = await table.row({ customer: id, tier: 't'.repeat(700_000) })
  assertProblem(await call('PUT', `${table.path}/${row}`, { tier: 't'.repeat(900_000) }), 413, 'payload_too_large')
  assertProblem(await call('PATCH', `/v1/customer/${id}`, { loyalty: { more: `"${'m'.repeat(200_000)}"` } }), 413)
  succeeded(await call('PUT', `${table.path}/${row}`, { tier: 't'.repeat(650_000) }))
  succeeded(await call('PATCH', `/v1/customer/${id}`, { firstName: 'Ann' }))
  succeeded(await call('DELETE', `/v1/customer/${id}`))
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
