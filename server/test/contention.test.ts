// Locked rows: only writers of the same row wait; and records so long that few fit into one statement.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { STATEMENT_CHARACTERS } from '../src/core/limits.ts'
import type { Body } from './support/contract.ts'
import { sessions } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Company, type Reply, sharedService } from './support/service.ts'

const service = sharedService()
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))]

/** Keeps a transaction open after a statement. */
async function holding(t: TestContext, statement: string, values: readonly unknown[]): Promise<() => Promise<void>> {
  const client = await service.database.connectAlone()
  t.after(() => client.end())
  await client.query('begin')
  await client.query(statement, [...values])
  return async () => void (await client.query('rollback'))
}

const waitsForLock = () =>
  until('something waits for a lock', async () => {
    const rows = await service.database.query(
      `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  })

const category = async ({ call }: Company) => (await call('POST', '/v1/category', { name: 'Tea' })).body.id

test('while a transaction holds a record of one company, its other records and all of another company are written', async (t) => {
  const busy = await service.company()
  const quiet = await service.company()
  const held = await category(busy)
  const free = await category(busy)
  const gone = await category(busy)
  const theirs = [await category(quiet), await category(quiet)]
  const release = await holding(t, 'select from categories where company_id = $1 and id = $2 for update', [
    busy.id,
    held,
  ])
  const waiting = upTo(300).map((n) => busy.call('PATCH', `/v1/category/${held}`, { menuOrder: n }))
  const deleting = busy.call('DELETE', `/v1/category/${held}`, undefined, { 'if-match': '"another"' })
  await waitsForLock()
  const others = [
    busy.call('PATCH', `/v1/category/${free}`, { name: 'Coffee' }),
    busy.call('DELETE', `/v1/category/${gone}`),
    quiet.call('PATCH', `/v1/category/${theirs[0]}`, { name: 'Coffee' }),
    quiet.call('DELETE', `/v1/category/${theirs[1]}`),
    quiet.call('POST', '/v1/category', { name: 'Milk' }),
  ]
  assert.deepEqual(statuses(await Promise.all(others.filter((_, n) => n !== 0))).sort(), [200, 201])
  assertProblem(await deleting, 412, 'version_mismatch')
  await release()
  assert.deepEqual(statuses(await Promise.all([...waiting, ...others])).sort(), [200, 201])
  assert.equal((await busy.call('GET', '/v1/categories')).body.meta.count, 2)
})

test('while a transaction holds a record, deleting it waits, and succeeds when it is free', async (t) => {
  const busy = await service.company()
  const quiet = await service.company()
  const held = await category(busy)
  const theirs = await category(quiet)
  const release = await holding(t, 'select from categories where company_id = $1 and id = $2 for update', [
    busy.id,
    held,
  ])
  const waiting = upTo(5).map(() => busy.call('DELETE', `/v1/category/${held}`))
  await waitsForLock()
  assert.equal((await quiet.call('DELETE', `/v1/category/${theirs}`)).status, 200)
  await release()
  assert.deepEqual((await Promise.all(waiting)).map(({ status }) => status).sort(), [200, 404, 404, 404, 404])
})

test('a bulk delete locks records in one order, with or without versions in its items', async (t) => {
  const busy = await service.company()
  const [held, bound] = [await category(busy), await category(busy)].toSorted()
  const { headers } = await busy.call('GET', `/v1/category/${bound}`)
  const release = await holding(t, 'select from categories where company_id = $1 and id = $2 for update', [
    busy.id,
    held,
  ])
  const items = [{ id: held }, { id: bound, ifMatch: headers.get('etag') }]
  const deleting = busy.call('DELETE', '/v1/categories', { items })
  await waitsForLock()
  const free = 'select id from categories where company_id = $1 and id = $2 for update skip locked'
  assert.equal((await service.database.query(free, [busy.id, bound])).length, 1)
  await release()
  assert.equal((await deleting).body.summary.succeeded, 2)
})

test('while one company’s level is locked, another’s stock moves, and the first one’s moves when it is free', async (t) => {
  const busy = await service.company()
  const quiet = await service.company()
  const item = { variantId: 'v', outletId: 'o', delta: 1, kind: 'RECEIVED' }
  const adjust = ({ call }: Company) => call('POST', '/v1/inventories/adjust', { items: [item] })
  for (const company of [busy, quiet]) assert.equal((await adjust(company)).body.summary.created, 1)
  const release = await holding(t, 'select from inventories where company_id = $1 for update', [busy.id])
  const waiting = upTo(20).map(() => adjust(busy))
  const records = (await busy.call('GET', '/v1/inventories')).body.data as Body[]
  const changing = upTo(20).map((n) => busy.call('PATCH', `/v1/inventory/${records[0]?.id}`, { productId: `${n}` }))
  const creating = busy.call('POST', '/v1/variant', { productId: 'p' })
  await waitsForLock()
  assert.equal((await adjust(quiet)).body.results[0].data.stock, 2)
  assert.equal((await quiet.call('POST', '/v1/inventory', { variantId: 'v', outletId: 'p' })).status, 201)
  await release()
  assert.equal((await creating).status, 201)
  assert.deepEqual(statuses(await Promise.all(changing)), [200])
  const stocks = (await Promise.all(waiting)).map(({ body }) => body.results[0].data.stock)
  assert.deepEqual(stocks.sort((a, b) => a - b), upTo(20).map((n) => n + 2)) // biome-ignore format: one thought
})

/** That many customers, of a size that four fit into one statement. */
async function longCustomers({ call }: Company, count: number): Promise<string[]> {
  const ids: string[] = []
  for (const n of upTo(count)) {
    const notes = [`${n}`.padEnd(STATEMENT_CHARACTERS / 4 - 500, 'x')]
    const { body, text } = await call('POST', '/v1/customer', { firstName: `${n}`, notes })
    assert.ok(body.id, text.slice(0, 200))
    ids.push(body.id)
  }
  return ids
}

test('records that do not fit into one statement together are read and changed in parallel, and none is mixed up with another', async () => {
  const company = await service.company()
  const { call } = company
  const ids = await longCustomers(company, 9)
  const changes = await Promise.all(ids.map((id, n) => call('PATCH', `/v1/customer/${id}`, { lastName: `to ${n}` })))
  const reads = await Promise.all(ids.map((id) => call('GET', `/v1/customer/${id}`)))
  for (const replies of [changes, reads])
    replies.forEach(({ status, body }, n) => {
      assert.deepEqual([status, body.id, body.firstName, body.lastName], [200, ids[n], `${n}`, `to ${n}`])
      assert.ok(body.notes[0].startsWith(`${n}x`))
    })
  const many = await Promise.all(upTo(6).map((n) => call('PATCH', `/v1/customer/${ids[0]}`, { phone: `${n}` })))
  assert.deepEqual(statuses(many), [200])
  const few = ids.slice(0, 6)
  const { body } = await call('PATCH', '/v1/customers', { items: few.map((id, n) => ({ id, phone: `+${n}` })) })
  assert.deepEqual(body.results.map(({ data }: Body) => [data.id, data.phone]), few.map((id, n) => [id, `+${n}`])) // biome-ignore format: one thought
})
