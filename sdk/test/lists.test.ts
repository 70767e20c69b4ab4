// Lists through the SDK: loops over all pages of each kind, one page alone, and going on after an error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../server/test/support/service.ts'
import { ConnectionError } from '../src/index.ts'
import { clientOf, faultProxy } from './support.ts'

const service = sharedService()

/** A client of a company with `count` categories, `C-0` and on. */
async function withCategories(count: number) {
  const company = await service.company()
  const client = clientOf(service, company)
  await client.categories.createMany(Array.from({ length: count }, (_, n) => ({ name: `C-${n}` })))
  return { company, client, expected: Array.from({ length: count }, (_, n) => `C-${n}`) }
}

test('a loop meets every record once, a page has its count, and toArray stops at its limit', async () => {
  const { client, expected } = await withCategories(25)
  const names: (string | undefined)[] = []
  for await (const category of client.categories.list({ limit: 10 })) names.push(category.name)
  assert.deepEqual(names, expected)
  const page = await client.categories.list({ limit: 10, skip: 5, sortOrder: 'desc' }).page()
  assert.deepEqual([page.data[0]?.name, page.data.length, page.count], ['C-19', 10, 25])
  const next = await client.categories.list({ limit: 10, sortOrder: 'desc', cursor: page.nextCursor as string }).page()
  assert.deepEqual([next.data[0]?.name, next.count], ['C-9', undefined])
  const [last] = page.data.slice(-1)
  const since = new Date(last?.createdAt as string)
  const bounded = client.categories.list({ createdAt: { gte: since }, limit: 10 })
  assert.ok((await bounded.toArray(3)).length === 3)
  const skipped = await client.categories.list({ limit: 10, skip: 20 }).toArray()
  assert.deepEqual(
    skipped.map(({ name }) => name),
    expected.slice(20),
  )
})

test('a list of several ids of another system takes them as an array, also with commas', async () => {
  const client = clientOf(service, await service.company())
  const ids = ['P-1', 'P,2', 'P-3']
  await client.products.createMany(
    ids.map((externalId) => ({ name: 'Tea', source: 'erp', externalId, tags: [externalId] })),
  )
  const externalIds = async (options: object) =>
    (await client.products.list(options).toArray()).map(({ externalId }) => externalId)
  assert.deepEqual(await externalIds({ source: 'erp', externalId: ['P,2', 'P-1', 'nothing'] }), ['P-1', 'P,2'])
  assert.deepEqual(await externalIds({ externalId: ['P-3'] }), ['P-3'])
  assert.deepEqual(await externalIds({ externalId: 'P,2' }), ['P,2'])
  assert.deepEqual(await externalIds({ tags: ['P-3', 'P-1'] }), ['P-1', 'P-3'])
})

test('a list of no ids is refused, not one of all records', async () => {
  const { client } = await withCategories(1)
  for (const empty of [{ id: [] }, { externalId: [] }])
    await assert.rejects(client.categories.list(empty).toArray(), /must not be an empty array/)
})

test('after an error, the list goes on from its cursor, and nothing is missed', async (t) => {
  const { company, expected } = await withCategories(45)
  const proxy = await faultProxy(t, service.url, (request) => (request === 2 ? 'refused' : 'passed'))
  const client = clientOf(service, company, { baseUrl: proxy.url, maxRetries: 0 })
  const seen = new Set<string | undefined>()
  const list = client.categories.list({ limit: 10 })
  const loop = async () => {
    for await (const { name } of list) seen.add(name)
  }
  await assert.rejects(loop, ConnectionError)
  assert.equal(seen.size, 20)
  assert.ok(list.cursor)
  const rest = client.categories.list({ limit: 10, cursor: list.cursor as string })
  for await (const { name } of rest) {
    assert.ok(!seen.has(name), 'No record of a page that was finished comes again.')
    seen.add(name)
  }
  assert.deepEqual([...seen], expected)
})

test('lists of bare arrays and the event feed are loops too', async () => {
  const { client } = await withCategories(0)
  for (let n = 0; n < 5; n++) await client.customTables.create({ name: `table-${n}` })
  const tables = client.customTables.list({ limit: 2, total: true })
  assert.equal((await tables.page()).count, 5)
  assert.deepEqual(
    (await tables.toArray()).map(({ name }) => name),
    ['table-0', 'table-1', 'table-2', 'table-3', 'table-4'],
  )
  const events = client.events.list({ limit: 2, type: 'custom-table.*' })
  const types = (await events.toArray()).map(({ type }) => type)
  assert.deepEqual(types, new Array(5).fill('custom-table.created'))
  await client.customTables.create({ name: 'later' })
  // The feed's cursor goes on where the loop ended.
  const later = await client.events.list({ after: events.cursor as string, type: 'custom-table.*' }).toArray()
  assert.deepEqual(
    later.map(({ data }) => 'name' in data && data.name),
    ['later'],
  )
})
