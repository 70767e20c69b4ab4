// A remembered count is exact: whatever is written meanwhile, it is what counting the rows in the same snapshot gives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type Database, type Queryable, type Statement } from '../src/database/connect.ts'
import { type Counted, hasEventPerRow } from '../src/engine/lists/event-changes.ts'
import { listQuery } from '../src/engine/lists/list-query.ts'
import { type Outside, outsideOf } from '../src/engine/lists/range-counts.ts'
import { RememberedCounts } from '../src/engine/lists/remembered-counts.ts'
import type { Resource } from '../src/engine/resource.ts'
import {
  customTable,
  customTableField,
  customTableRow,
  customTableValue,
} from '../src/features/custom-tables/resources.ts'
import { category } from '../src/resources/category.ts'
import { closing } from '../src/resources/closing.ts'
import { customer } from '../src/resources/customer.ts'
import { resources } from '../src/resources/index.ts'
import { inventoryHistory } from '../src/resources/inventory-history.ts'
import { order } from '../src/resources/order.ts'
import { product } from '../src/resources/product.ts'
import { variant } from '../src/resources/variant.ts'
import { connectionOf, writeCategories } from './support/event-reader.ts'
import { type Caller, type Company, testService } from './support/service.ts'

const service = testService()

interface Counting {
  readonly resource: Resource
  /** The filters, as a list takes them. */
  readonly parameters: Readonly<Record<string, unknown>>
}
const unfiltered: readonly Counting[] = [
  { resource: category, parameters: {} },
  { resource: customer, parameters: {} },
  { resource: customer, parameters: { includeDeleted: true } },
]
const outlet = { outletId: 'outlet-1' }
const filtered: readonly Counting[] = [
  { resource: category, parameters: { externalId: '1' } },
  { resource: customer, parameters: outlet },
  { resource: customer, parameters: { ...outlet, source: 'shop' } },
  { resource: customer, parameters: { ...outlet, includeDeleted: true } },
  { resource: customer, parameters: { tags: 'tag-0,tag-1' } },
  {
    resource: customer,
    parameters: { outletId: '', tags: 'tag-2', createdAt: { gte: '2020-01-01', lt: '2100-01-01' } },
  },
]

const ranges: readonly Counting[] = [
  { resource: customer, parameters: { updatedAt: { gte: '2020-01-01' } } },
  { resource: customer, parameters: { createdAt: { gt: '2020-01-01', lte: '2100-01-01' }, includeDeleted: true } },
  { resource: category, parameters: { createdAt: { lt: '2100-01-01' } } },
  { resource: customer, parameters: { ...outlet, updatedAt: { gte: '2020-01-01' } } },
  { resource: customer, parameters: { tags: 'tag-0,tag-1', createdAt: { gte: '2020-01-01' }, includeDeleted: true } },
]

/** Asks for a count as lists do, and counts the rows in the snapshot of the statement that answered. */
class Compared {
  readonly resource: Resource
  readonly counted: Counted
  readonly outside: Outside | undefined
  readonly counts: RememberedCounts
  /** Answers that came from the events alone. */
  corrected = 0
  #rows = -1
  readonly #database: Database

  /**
   * With `mostPart` 0 each range is counted by what is outside of it, with Infinity none is. Two exact filters are always
   * counted by their indexes.
   */
  constructor(counting: Counting, companyId: string, movesOn: number, mostPart = 0, database = service.database) {
    this.#database = database
    const { resource, parameters } = counting
    const { members, outside, ...query } = listQuery(resource, companyId, parameters)
    assert.ok(members || outside || query.changedBy)
    this.resource = resource
    this.counted = { ...query, companyId, members: members ?? [] }
    this.outside = outside
    this.counts = new RememberedCounts(resource, { slowMs: 0, movesOn, mostPart, rowsCost: Infinity })
  }

  readonly #query: Queryable['query'] = (statement, values = []) => {
    const { text, name } = typeof statement === 'string' ? { text: statement, name: undefined } : statement
    // The watermark comes before the snapshot, as it does outside of a transaction.
    if (name === 'events_settled_of_one' || text.startsWith('explain')) return this.#database.query(statement, values)
    return this.#inSnapshot({ text }, values)
  }

  async #inSnapshot(statement: Statement, values: readonly unknown[]) {
    return this.#database.transaction(async (transaction) => {
      await transaction.query('set transaction isolation level repeatable read')
      const rows = await transaction.query(statement, values)
      const { table } = this.resource
      const count = `select count(*) from ${table} as stored where ${this.counted.where}`
      const [row] = await transaction.query(count, this.counted.filterValues)
      this.#rows = row?.[0]
      if (!statement.text.includes(this.outside ? `stored where ${this.counted.where}` : `from ${table} as`))
        this.corrected++
      return rows
    })
  }

  async ask(): Promise<number> {
    const { where, filterValues } = this.counted
    const observed = { query: this.#query, reads: { ...this.#database, query: this.#query } }
    const answer = await (this.outside
      ? this.counts.countRange(observed, this.outside, { where, filterValues })
      : this.counts.count(observed, this.counted))
    assert.equal(answer, this.#rows, `${this.resource.table}: ${this.counted.where}`)
    return answer
  }
}

const created = async (call: Caller, path: string, body: object): Promise<string> => {
  const { status, text, body: record } = await call('POST', path, body)
  assert.equal(status, 201, text)
  return record.id
}

/** Members that filters depend on, other ones each time. */
const filterable = (n: number) => ({
  outletId: [`outlet-${n % 2}`, null][n % 3],
  tags: n % 5 === 0 ? null : [`tag-${n % 4}`],
  source: n % 7 < 4 ? 'shop' : null,
})

/** One of 64 writers: creates, changes, deletes, restores, bulks, and transactions that stay open or are rolled back. */
async function write({ id, call }: Company, n: number): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const one = await created(call, '/v1/customer', { firstName: `Ann ${n}`, ...filterable(n) })
    if (n % 2 === 0) await call('DELETE', `/v1/customer/${one}`)
    if (n % 4 === 0) await call('POST', `/v1/customer/${one}/restore`)
    if (n % 4 === 2) await call('DELETE', `/v1/customer/${one}`)
    const other = await created(call, '/v1/category', { name: `${n} ${round}`, externalId: `${n % 2}` })
    // Changes of one record that wait for each other are one row and several events.
    await Promise.all(
      [1, 2].map((more) => call('PATCH', `/v1/customer/${one}`, { lastName: 'Archer', ...filterable(n + more) })),
    )
    if (n % 3 === 0) await call('DELETE', `/v1/category/${other}`)
    if (n % 16 === 5) {
      const { body } = await call('POST', '/v1/customers', {
        items: Array.from({ length: 5 }, (_, item) => ({ firstName: 'B', ...filterable(item) })),
      })
      const ids = body.results.slice(0, 3).map((result: { id: string }) => result.id)
      await call('DELETE', '/v1/customers', { ids })
    }
    if (n % 16 === 7)
      await service.database
        .transaction(async (transaction) => {
          await writeCategories(transaction, id, 'open', 'too')
          await delay(20 * round)
          if (round === 1) throw new Error('rolled back')
        })
        .catch(() => {})
  }
}

test('beside 64 writers every answer is the number of rows in its snapshot, whether the count moves on or not', async (t) => {
  const company = await service.company()
  const other = await service.company()
  // Of its own: the connections of the server are busy with the writers.
  const own = connect(await connectionOf(service), { size: 16 })
  t.after(own.close)
  const compared = [
    ...unfiltered.flatMap((counting) =>
      [4, 1_000].map((movesOn) => new Compared(counting, company.id, movesOn, 0, own)),
    ),
    ...[...filtered, ...ranges].map(
      (counting, n) => new Compared(counting, company.id, n % 2 === 0 ? 4 : 1_000, 0, own),
    ),
  ]
  let isOver = false
  const askers = compared.map(async (one) => {
    while (!isOver) {
      await one.ask()
      await delay(10)
    }
  })
  const writers = Array.from({ length: 64 }, (_, n) => write(n === 63 ? other : company, n))
  await Promise.all(writers).finally(() => {
    isOver = true
  })
  await Promise.all(askers)
  for (const one of compared) {
    const { members } = one.outside?.all ?? one.counted
    assert.ok((await one.ask()) > (members.length === 0 ? 50 : 10), one.counted.where)
    assert.ok(one.corrected > 5, String(one.corrected))
  }
})

test('beside writers of the catalogue the count of a search is the number of rows in its snapshot, and afterwards nothing is counted again', async (t) => {
  const { id, call } = await service.company()
  const own = connect(await connectionOf(service), { size: 16 })
  t.after(own.close)
  const compared = [
    ...['oak', 'sh', 'oak sh', 's'].map((search) => ({ resource: product, parameters: { search } })),
    { resource: product, parameters: { searchByName: 'OAK', status: 'active', createdAt: { gte: '2020-01-01' } } },
    { resource: product, parameters: { search: 'oak', updatedAt: { gte: '2020-01-01' } } },
    { resource: variant, parameters: { searchBySku: 'oak' } },
  ].map((counting, n) => new Compared(counting, id, n % 2 === 0 ? 4 : 1_000, 0, own))
  let isOver = false
  const askers = compared.map(async (one) => {
    while (!isOver) {
      await one.ask()
      await delay(3)
    }
  })
  const names = ['Oak shelf', 'oak', 'Shelf', 'pine']
  const writers = Array.from({ length: 16 }, async (_, n) => {
    for (let round = 0; round < 6; round++) {
      const name = names[(n + round) % 4] as string
      const status = n % 3 === 0 ? 'draft' : 'active'
      const productId = await created(call, '/v1/product', { name, status })
      await created(call, '/v1/variant', { productId, sku: `${name} ${n} ${round}` })
      await call('PATCH', `/v1/product/${productId}`, { name: names[(n + 2 * round + 1) % 4] })
      if (n % 4 === 1) await call('DELETE', `/v1/product/${productId}`)
    }
  })
  await Promise.all(writers).finally(() => {
    isOver = true
  })
  await Promise.all(askers)
  for (const one of compared) {
    for (let n = 0; n < 2; n++) assert.ok((await one.ask()) > 5, one.counted.where)
    const before = one.corrected
    await created(call, '/v1/customer', { firstName: 'Oak' })
    await one.ask()
    assert.equal(one.corrected, before + 1)
  }
})

test('a count neither begins nor moves on beyond a write that is still open', async () => {
  const { id, call } = await service.company()
  const before = new Compared(unfiltered[0] as Counting, id, 0)
  const meanwhile = new Compared(unfiltered[0] as Counting, id, 0)
  for (let n = 0; n < 2; n++) await before.ask()
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'open')
    await created(call, '/v1/category', { name: 'later' })
    for (let n = 0; n < 2; n++) {
      assert.equal(await before.ask(), 1)
      assert.equal(await meanwhile.ask(), 1)
    }
  })
  for (const one of [before, meanwhile]) assert.equal(await one.ask(), 2)
})

test('a count whose place the feed no longer has, or that is too far behind, is made again', async () => {
  const { id, call } = await service.company()
  for (let n = 0; n < 3; n++) await created(call, '/v1/category', { name: 'c' })
  const compared = new Compared(unfiltered[0] as Counting, id, 1_000)
  for (const wanted of [0, 0, 1]) {
    assert.equal(await compared.ask(), 3)
    assert.equal(compared.corrected, wanted)
  }
  await service.database.query('delete from events where company_id = $1', [id])
  await writeCategories(service.database, id, 'one', 'two')
  assert.equal(await compared.ask(), 5)
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, n::text, 'custom.x', now(), 'custom', '', '{}' from generate_series(1, 6000) as n`,
    [id],
  )
  assert.equal(await compared.ask(), 5)
  const before = compared.corrected
  await created(call, '/v1/category', { name: 'c' })
  assert.equal(await compared.ask(), 6)
  assert.equal(compared.corrected, before + 1)
})

test('a count that found many records is remembered from the second time on, however quick it was, and one that found few is not', async () => {
  const { id, call } = await service.company()
  for (let n = 0; n < 3; n++) await created(call, '/v1/category', { name: 'c' })
  const { members = [], ...query } = listQuery(category, id, {})
  const counted = { ...query, companyId: id, members }
  for (const manyRecords of [3, 4]) {
    const counts = new RememberedCounts(category, { slowMs: Number.POSITIVE_INFINITY, manyRecords })
    for (let n = 0; n < 2; n++)
      assert.equal(await counts.count({ ...service.database, reads: service.database }, counted), 3)
    assert.equal(counts.known(counted)?.total, manyRecords === 3 ? 3 : undefined)
  }
})

test('resources whose rows come or go without an event are never counted by events', () => {
  for (const resource of resources) assert.ok(hasEventPerRow(resource), resource.table)
  for (const resource of [closing, inventoryHistory, customTable, customTableField, customTableRow, customTableValue])
    assert.ok(!hasEventPerRow(resource), resource.table)
})

test('a range is counted by what is outside of it or inside, whatever its bounds are', async () => {
  const { id, call } = await service.company()
  const times: string[] = []
  for (let n = 0; n < 12; n++) {
    // Each has a time of its own, also where several are created within a millisecond.
    while (new Date().toISOString() <= (times.at(-1) ?? '')) await delay(1)
    const { createdAt } = (await call('POST', '/v1/category', { name: 'c' })).body
    times.push(createdAt)
    await call('POST', '/v1/order', { occurredAt: createdAt, lineItems: [] })
  }
  const since = { gte: times[1] }
  assert.ok(outsideOf(order, id, { occurredAt: since }))
  assert.equal(outsideOf(order, id, { occurredAt: since, createdAt: since }), undefined)
  for (const [bounds, wanted] of [
    [since, 11],
    [{ gt: times[1] }, 10],
    [{ lte: times[10] }, 11],
    [{ lt: times[10] }, 10],
    [{ gte: times[1], lt: times[11] }, 10],
    [{ gt: times[5], lte: times[6] }, 1],
    [{ gte: times[6], lte: times[5] }, 0],
    [{ gte: times[1], gt: times[3] }, 8],
    [{ gte: times[5], lte: times[5] }, 1],
  ] as const) {
    for (const counting of [
      { resource: category, parameters: { updatedAt: bounds } },
      { resource: order, parameters: { occurredAt: bounds } },
    ] as const)
      if (outsideOf(counting.resource, id, counting.parameters))
        for (const mostPart of [0, Number.POSITIVE_INFINITY]) {
          const compared = new Compared(counting, id, 4, mostPart)
          for (let n = 0; n < 4; n++) assert.equal(await compared.ask(), wanted)
          // All records are counted once in either case.
          assert.equal(compared.corrected > 1, mostPart === 0)
        }
    const { body } = await call(
      'GET',
      `/v1/categories?limit=1&${Object.entries(bounds)
        .map(([bound, time]) => `createdAt[${bound}]=${time}`)
        .join('&')}`,
    )
    assert.equal(body.meta.count, wanted)
  }
})

test('a small range beside a filter is counted directly, also while the number of all that match the filter is unknown', async () => {
  const { call, id } = await service.company()
  const created = async (count: number) => {
    const items = Array.from({ length: count }, () => ({ ...outlet, lastName: 'any' }))
    const { body } = await call('POST', '/v1/customers', { items })
    return body.results[0].data.createdAt
  }
  await created(950)
  const from = await created(50)
  await service.database.query('analyze customers')
  const parameters = { ...outlet, createdAt: { gte: from } }
  const { outside, where, filterValues } = listQuery(customer, id, parameters)
  assert.ok(outside)
  const counts = new RememberedCounts(customer, { slowMs: 0 })
  const texts: string[] = []
  const query: Queryable['query'] = (statement, values) => {
    texts.push(typeof statement === 'string' ? statement : statement.text)
    return service.database.query(statement, values)
  }
  for (let n = 0; n < 2; n++)
    assert.equal(
      await counts.countRange({ query, reads: { ...service.database, query } }, outside, { where, filterValues }),
      50,
    )
  assert.deepEqual(
    texts.filter((text) => text.includes('events')),
    [],
  )
})
