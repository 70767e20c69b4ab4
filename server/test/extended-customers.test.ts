// Customers that a company's own tables extend (decisions §7): columns in requests, responses, lists, bulk, events and the reference, by the current schema.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { showRows } from '../src/features/custom-tables/customer-rows.ts'
import { STRUCTURE_LOOKS } from '../src/features/custom-tables/limits.ts'
import { assertColumns } from './support/columns.ts'
import type { Body } from './support/contract.ts'
import { type MadeTable, makeTable, oid, succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

/** The same company through a second server on the same database. */
async function elsewhereOf(key: string): Promise<Caller> {
  return service.caller({ 'x-api-key': key }, (await service.second()).url)
}

const upTo = (end: number) => Array.from({ length: end }, (_, n) => n)

const link = { type: 'string', required: true, referenceLinkedCollection: 'customers' }
const loyal = { customer: link, tier: 'string', points: 'number', since: 'date', isVip: 'boolean', more: 'json-string' }

/** A company with the table `loyalty`, called through either server. */
async function extended(columns: Readonly<Record<string, string | Body>> = loyal, name = 'loyalty') {
  const company = await service.company()
  const table = await makeTable(company.call, columns, name)
  const elsewhere = await elsewhereOf(company.key)
  return { ...company, table, elsewhere }
}

/** The wrong members of a refused body. */
function refused(reply: Reply, status = 400): string[] {
  return assertProblem(reply, status).errors.map(({ pointer }: Body) => pointer)
}

/** Fails unless the rows by the table's name match what the customer shows. */
async function assertAgrees(call: Caller, table: MadeTable, id: string, expected: Body | undefined): Promise<void> {
  const shown = succeeded(await call('GET', `/v1/customer/${id}`))[table.name]
  const own = succeeded(await call('GET', table.path)).filter(({ customer }: Body) => customer === id)
  assert.deepEqual(shown, expected)
  assert.equal(own.length, expected === undefined ? 0 : 1)
  if (expected === undefined) return
  const { _id, createdAt, updatedAt, customer, ...columns } = own[0]
  assert.deepEqual(columns, expected)
  const values = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${_id.$oid}`))
  const texts = values.map(({ fieldId, value }: Body) => [fieldId.$oid, value])
  const wanted = Object.entries({ ...expected, customer: id }).map(([name, value]) => [table.fields[name], `${value}`])
  assert.deepEqual(texts.sort(), wanted.sort())
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
    const [here, there] = [await read(call), await read(elsewhere)]
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

  const good = succeeded(await post({ tier: 'a' }), 201)
  assert.deepEqual(good.loyalty, { tier: 'a', level: 1 })
  const path = `/v1/customer/${good.id}`
  assert.deepEqual(refused(await call('PATCH', path, { loyalty: { tier: null } })), ['/loyalty/tier'])
  assert.deepEqual(refused(await call('PATCH', path, { firstName: 'A', loyalty: { points: 'x' } })), [
    '/loyalty/points',
  ])
  const bulk = succeeded(
    await call('POST', '/v1/customers', {
      items: [
        { email: 'b@example.com', loyalty: { tier: 'b' } },
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
      { id: bulk.results[0].data.id, loyalty: { level: 2 } },
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

test('concurrent writes of columns through customers, rows and values at two servers are all kept, and every reader agrees', async () => {
  const { call, elsewhere, table } = await extended()
  const made = succeeded(
    await call(
      'POST',
      '/v1/customers',
      upTo(4).map((n) => ({ email: `${n}@example.com` })),
    ),
  )
  const ids: string[] = made.results.map(({ data }: Body) => data.id)
  const failed: string[] = []
  const note = (reply: Reply, ...fine: number[]) => {
    if (![200, 201, ...fine].includes(reply.status)) failed.push(`${reply.status} ${reply.text}`)
    return reply
  }
  // Each writer has a column of its own; its last write must be kept.
  const last = new Map<string, Body>()
  const keep = (id: string, column: string, value: unknown) => last.set(id, { ...last.get(id), [column]: value })
  const through = (caller: Caller, column: string, value: (n: number) => unknown) => async () => {
    for (const n of upTo(12)) {
      const id = ids[n % 4] as string
      note(await caller('PATCH', `/v1/customer/${id}`, { loyalty: { [column]: value(n) } }))
      keep(id, column, value(n))
    }
  }
  const bulks = async () => {
    for (const n of upTo(8)) {
      const items = ids.map((id) => ({ id, loyalty: { isVip: n % 2 === 0 } }))
      note(await elsewhere('PATCH', '/v1/customers', n % 2 ? items : items.toReversed()))
      for (const id of ids) keep(id, 'isVip', n % 2 === 0)
    }
  }
  const byName = async () => {
    for (const n of upTo(12)) {
      const id = ids[(n + 1) % 4] as string
      const rows: Body[] = note(await call('GET', table.path)).body
      const row = rows.find(({ customer }) => customer === id)
      // The first writer creates the row; the other one gets a conflict.
      const reply = row
        ? note(await call('PUT', `${table.path}/${row._id.$oid}`, { more: `${n}` }))
        : note(await call('POST', table.path, { customer: id, more: `${n}` }), 409)
      if (reply.status < 300) keep(id, 'more', `${n}`)
    }
  }
  await Promise.all([
    through(call, 'tier', (n) => `t${n}`)(),
    through(elsewhere, 'points', (n) => n)(),
    bulks(),
    byName(),
  ])
  assert.deepEqual(failed, [])
  for (const id of ids) {
    const expected = last.get(id) as Body
    const ordered = Object.fromEntries(Object.keys(loyal).flatMap((name) => (name in expected ? [[name, expected[name]]] : []))) // biome-ignore format: one thought
    await assertAgrees(call, table, id, ordered)
    assert.deepEqual(succeeded(await elsewhere('GET', `/v1/customer/${id}`)).loyalty, ordered)
  }
})

test('readers and writers on both servers see complete customers while the schema changes, and none is refused', async () => {
  const { call, elsewhere, table } = await extended()
  const { id } = succeeded(await call('POST', '/v1/customer', { email: 'a@example.com', loyalty: { tier: 'x' } }), 201)
  let isDone = false
  const reading = async (caller: Caller) => {
    while (!isDone) {
      const one = succeeded(await caller('GET', `/v1/customer/${id}`))
      assert.deepEqual(Object.values(one.loyalty ?? one.club), ['x'])
      const [listed] = succeeded(await caller('GET', '/v1/customers')).data
      assert.deepEqual(Object.values(listed.loyalty ?? listed.club), ['x'])
    }
  }
  const writing = async (caller: Caller) => {
    for (let n = 0; !isDone; n++) {
      const { firstName, ...one } = succeeded(await caller('PATCH', `/v1/customer/${id}`, { firstName: `${n}` }))
      assert.deepEqual(Object.values(one.loyalty ?? one.club), ['x'])
    }
  }
  const busy = [reading(call), reading(elsewhere), writing(elsewhere)]
  for (const n of upTo(10)) {
    succeeded(await call('PUT', `/v1/api/custom-table-field/${table.fields.tier}`, { name: n % 2 ? 'tier' : 'rank' }))
    succeeded(await elsewhere('PUT', `/v1/api/custom-table/${table.id}`, { name: n % 2 ? 'loyalty' : 'club' }))
  }
  isDone = true
  await Promise.all(busy)
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

test('a bulk request is written once, including refused items, however often the schema changes meanwhile, with a key and without', async () => {
  const columns = { ...loyal, product: { type: 'string', referenceLinkedCollection: 'products' } }
  const { id: companyId, call, elsewhere, table } = await extended(columns)
  let isDone = false
  const changing = (async () => {
    // Fewer times than a write retries: a continuous change would block all others.
    for (let n = 0; !isDone && n < STRUCTURE_LOOKS / 2; n++)
      succeeded(await elsewhere('PUT', `/v1/api/custom-table-field/${table.fields.points}`, { name: `points${n % 2}` }))
  })()
  for (const headers of [{}, { 'idempotency-key': 'a' }]) {
    const before = succeeded(await call('GET', '/v1/customers?limit=1')).meta.count
    const items = upTo(60).map((n) => ({
      email: `${before}-${n}@example.com`,
      loyalty: n === 37 ? { product: '6740a1f2c3d4e5f6a7b8c9d0' } : { tier: `${n}` },
    }))
    const { summary, results } = succeeded(await call('POST', '/v1/customers', { items }, headers))
    assert.deepEqual([summary.succeeded, summary.failed], [59, 1])
    assert.deepEqual(results[37].error.errors[0].pointer, '/items/37/loyalty/product')
    const { data, meta } = succeeded(await call('GET', `/v1/customers?limit=1000&skip=${before}`))
    assert.equal(meta.count, before + 59)
    assert.equal(new Set(data.map(({ email }: Body) => email)).size, 59)
    const changed = data.map(({ id }: Body, n: number) => ({ id, loyalty: { tier: n === 5 ? 7 : 'x' } }))
    const updated = succeeded(await call('PATCH', '/v1/customers', changed, headers['idempotency-key'] ? { 'idempotency-key': 'b' } : {})) // biome-ignore format: one thought
    assert.deepEqual([updated.summary.succeeded, updated.summary.failed], [58, 1])
  }
  isDone = true
  await changing
  const types = (await feed(service, companyId)).filter(({ resource }) => resource === 'customer')
  assert.equal(types.filter(({ type }) => type === 'customer.created').length, 118)
  assert.equal(types.filter(({ type }) => type === 'customer.updated').length, 116)
})

test('a read during a rename of a column and a write of the customer shows the column by one name or the other, never without it', async () => {
  const { id: companyId, call, elsewhere, table } = await extended()
  const { id } = succeeded(await call('POST', '/v1/customer', { email: 'a@example.com', loyalty: { tier: 'x' } }), 201)
  for (const path of ['/v1/customers', `/v1/customer/${id}`]) {
    const name = path.endsWith('s') ? 'level' : 'tier'
    const locked = Promise.withResolvers<void>()
    const renamed = Promise.withResolvers<void>()
    const writing = service.database.transaction(async (transaction) => {
      await transaction.query('lock table customers in access exclusive mode')
      locked.resolve()
      await renamed.promise
      // Like a writer of the row.
      await showRows(transaction, [{ companyId, id }])
    })
    await locked.promise
    const reading = call('GET', path)
    await until('the read waits', async () => {
      const [row] = await service.database.query(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return row?.[0] > 0
    })
    succeeded(await elsewhere('PUT', `/v1/api/custom-table-field/${table.fields.tier}`, { name }))
    renamed.resolve()
    await writing
    const body = succeeded(await reading)
    assert.deepEqual((body.data?.[0] ?? body).loyalty, { [name]: 'x' })
  }
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

test('a thousand extended customers are updated in one request', async () => {
  const wide = Object.fromEntries(upTo(10).map((n) => [`c${n}`, 'string']))
  const { call } = await extended({ customer: link, ...wide })
  const loyalty = Object.fromEntries(Object.keys(wide).map((name) => [name, 'a']))
  const items = upTo(1_000).map((n) => ({ email: `${n}@example.com`, loyalty }))
  const made = succeeded(await call('POST', '/v1/customers', { items }))
  assert.equal(made.summary.succeeded, 1_000)
  const other = Object.fromEntries(Object.keys(wide).map((name) => [name, 'b']))
  const changes = made.results.map(({ data }: Body) => ({ id: data.id, loyalty: other }))
  const { summary, results } = succeeded(await call('PATCH', '/v1/customers', changes))
  assert.equal(summary.succeeded, 1_000)
  assert.deepEqual(results[999].data.loyalty, other)
})

test('the columns of all records that were written equal the records', () => assertColumns(service.database))
