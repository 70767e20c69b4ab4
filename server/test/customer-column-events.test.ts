// A customer's updatedAt and customer.updated when its columns change other than through the customer (decisions §7): by table data, rows and values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { makeTable, oid, succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

const link = { type: 'string', required: true, referenceLinkedCollection: 'customers' }

/** A company with the table `loyalty` and a customer. */
async function shop() {
  const company = await service.company()
  const { call } = company
  const table = await makeTable(call, { customer: link, tier: 'string', points: 'number' }, 'loyalty')
  const newCustomer = async (more: Body = {}): Promise<string> =>
    succeeded(await call('POST', '/v1/customer', { firstName: 'Ann', ...more }), 201).id
  const id = await newCustomer()
  const read = async (of = id): Promise<Body> => {
    const reply = await call('GET', `/v1/customer/${of}`)
    return { ...succeeded(reply), etag: reply.headers.get('etag') }
  }
  const updates = async (of = id) =>
    (await feed(service, company.id, of)).filter(({ type }) => type === 'customer.updated')
  return { ...company, table, id, newCustomer, read, updates }
}
type Shop = Awaited<ReturnType<typeof shop>>

/** Makes a write that changes a customer's columns, and checks it. It raises one event, with the same record. */
async function changes({ call, read, updates }: Shop, of: string, write: () => Promise<unknown>): Promise<void> {
  const before = await read(of)
  const reported = (await updates(of)).length
  await write()
  const after = await read(of)
  const events = await updates(of)
  assert.equal(events.length, reported + 1)
  assert.ok(after.updatedAt > before.updatedAt)
  assert.notEqual(after.etag, before.etag)
  const { etag, ...record } = after
  const last = events.at(-1)
  assert.deepEqual(last?.data, record)
  assert.deepEqual(last?.previous, { loyalty: before.loyalty ?? null })
  const query = `updatedAt[gte]=${encodeURIComponent(after.updatedAt)}`
  const { data } = succeeded(await call('GET', `/v1/customers?${query}`))
  assert.deepEqual(
    data.filter(({ id }: Body) => id === of),
    [record],
  )
}

test('each write of table data, a row or a value that changes the columns is one customer.updated, and moves updatedAt and the ETag', async () => {
  const company = await shop()
  const { call, table, id } = company
  const rows: string[] = []
  await changes(company, id, async () => rows.push(await table.row({ customer: id, tier: 'gold' })))
  const [row = ''] = rows
  await changes(company, id, async () => succeeded(await call('PUT', `${table.path}/${row}`, { points: 5 })))
  await changes(company, id, async () => succeeded(await call('DELETE', `${table.path}/${row}`)))

  const one = succeeded(await call('POST', '/v1/api/custom-table-row', { tableId: oid(table.id) }), 201)
  const ids = { tableId: oid(table.id), rowId: one._id }
  const value = (field: string, text: string) => ({ ...ids, fieldId: oid(table.fields[field] as string), value: text })
  const make = async (field: string, text: string): Promise<string> =>
    succeeded(await call('POST', '/v1/api/custom-table-value', value(field, text)), 201)._id.$oid
  await changes(company, id, () => make('customer', id))
  const made: string[] = []
  await changes(company, id, async () => made.push(await make('tier', 'tin')))
  const path = `/v1/api/custom-table-value/${made[0]}`
  await changes(company, id, async () => succeeded(await call('PUT', path, { value: 'gold' })))
  await changes(company, id, async () => succeeded(await call('DELETE', path)))
  await changes(company, id, async () => succeeded(await call('DELETE', `/v1/api/custom-table-row/${one._id.$oid}`)))
})

test('moving a row to another customer is an event of both', async () => {
  const company = await shop()
  const { call, table, id, newCustomer } = company
  const other = await newCustomer()
  const row = await table.row({ customer: id, tier: 'gold' })
  await changes(company, other, () =>
    changes(company, id, async () => succeeded(await call('PUT', `${table.path}/${row}`, { customer: other }))),
  )
  assert.deepEqual((await company.read(other)).loyalty, { tier: 'gold' })
})

test('a write that changes nothing, or is refused, and a schema change leave customers unchanged', async () => {
  const company = await shop()
  const { call, table, id, read, updates } = company
  const row = await table.row({ customer: id, tier: 'gold' })
  const before = await read()
  const reported = await updates()
  succeeded(await call('PUT', `${table.path}/${row}`, { tier: 'gold' }))
  assertProblem(await call('PUT', `${table.path}/${row}`, { points: 'many' }), 400, 'validation_failed')
  assertProblem(await call('POST', table.path, { customer: id }), 409, 'conflict')
  const stranger = await service.company()
  assertProblem(await stranger.call('PUT', `${table.path}/${row}`, { tier: 'x' }), 404, 'not_found')
  assert.deepEqual(await read(), before)
  succeeded(await call('PUT', `/v1/api/custom-table-field/${table.fields.tier}`, { name: 'level' }))
  succeeded(await call('DELETE', `/v1/api/custom-table-field/${table.fields.points}`))
  assert.deepEqual([(await read()).loyalty, (await read()).updatedAt], [{ level: 'gold' }, before.updatedAt])
  succeeded(await call('DELETE', `/v1/api/custom-table/${table.id}`))
  assert.equal((await read()).updatedAt, before.updatedAt)
  assert.deepEqual(await updates(), reported)
})

test('a write through the customer is one event as before, which also contains columns of other tables', async () => {
  const company = await shop()
  const { call, table, id, updates, read } = company
  await makeTable(call, { customer: link, size: 'string' }, 'shoes')
  succeeded(
    await call('PATCH', `/v1/customer/${id}`, { firstName: 'Bea', shoes: { size: '38' }, loyalty: { points: 1 } }),
  )
  assert.equal((await updates()).length, 1)
  await changes(company, id, async () => {
    const [row] = succeeded(await call('GET', table.path))
    succeeded(await call('PUT', `${table.path}/${row._id.$oid}`, { points: 2 }))
  })
  assert.deepEqual((await read()).shoes, { size: '38' })
})

test('concurrent writes of one customer’s columns, in all ways, end with one event each, in order, and without deadlock', async () => {
  const company = await shop()
  const { call, table, id, updates, read } = company
  const row = await table.row({ customer: id, points: 0 })
  const fieldId = oid(table.fields.tier as string)
  const value = { tableId: oid(table.id), rowId: oid(row), fieldId, value: 'a' }
  const valueId = succeeded(await call('POST', '/v1/api/custom-table-value', value), 201)._id.$oid
  const begun = (await updates()).length
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, n) => {
      if (n % 3 === 0) return call('PATCH', `/v1/customer/${id}`, { loyalty: { points: n + 1 } })
      if (n % 3 === 1) return call('PUT', `${table.path}/${row}`, { points: n + 1 })
      return call('PUT', `/v1/api/custom-table-value/${valueId}`, { value: `${n}` })
    }),
  )
  for (const reply of replies) succeeded(reply)
  const events = await updates()
  assert.equal(events.length, begun + 30)
  for (const [n, { data, previous }] of events.entries())
    if (n > 0) assert.deepEqual(previous?.loyalty, events[n - 1]?.data.loyalty, data.updatedAt)
  const { etag, ...record } = await read()
  assert.deepEqual(events.at(-1)?.data, record)
})

test('concurrent moves of rows between many customers end consistent', async () => {
  const company = await shop()
  const { call, table, newCustomer, updates, read } = company
  const people = await Promise.all(Array.from({ length: 6 }, () => newCustomer()))
  const rows = await Promise.all(people.map((customer, n) => table.row({ customer, points: n })))
  await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      call('PUT', `${table.path}/${rows[n % 6]}`, { customer: people[(n * 5) % 6], points: n }),
    ),
  )
  for (const one of people) assert.deepEqual((await updates(one)).at(-1)?.data.loyalty, (await read(one)).loyalty)
})
