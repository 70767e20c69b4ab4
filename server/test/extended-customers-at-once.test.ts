// Customers with columns of custom tables, while many write to them or change the tables: nothing is lost, and every reader sees a complete customer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showRows } from '../src/features/custom-tables/customer-rows.ts'
import { STRUCTURE_LOOKS } from '../src/features/custom-tables/customers.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertAgrees, extendedBy, link, loyal, upTo } from './support/extended-customers.ts'
import { feed } from './support/feed.ts'
import { sessions } from './support/nodes.ts'
import { until } from './support/program.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const { extended } = extendedBy(service)

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
        `select count(*) from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
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
