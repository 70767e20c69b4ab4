// Where tables are distributed by company, webhooks of all companies share a server: a company whose node is down stops
// no other's, and all of them together stay within the memory limit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import type { Database, Queryable } from '../src/database/connect.ts'
import { readEvents } from '../src/features/webhooks/reads.ts'
import { succeeded } from './support/custom-tables.ts'
import { startDispatcher, taken } from './support/dispatcher.ts'
import { until } from './support/program.ts'
import { testService } from './support/service.ts'

const service = testService({ mode: 'citus', webhookAllow: ['127.0.0.1'] })

/** The database without the nodes of the companies in `away`; the coordinator still answers. */
function without(away: ReadonlySet<string>): Database {
  const { database } = service
  const within = ({ inTransaction, isSharded, query }: Queryable): Queryable => ({
    inTransaction,
    isSharded,
    query: async (statement, values = []) => {
      const ofCoordinator = typeof statement !== 'string' && statement.name === 'events_settled'
      if (!ofCoordinator && values.flat().some((value) => away.has(value as string)))
        throw new Error('The node is away.')
      return query(statement, values)
    },
  })
  return {
    ...database,
    ...within(database),
    transaction: (work) => database.transaction((transaction) => work(within(transaction))),
  }
}

test('a company whose node is down stops no other’s webhooks, and its own continue when the node is back', async (t) => {
  const away = new Set<string>()
  const bad = await service.company()
  const good = await service.company()
  const calls = { [bad.id]: 0, [good.id]: 0 }
  let called = () => {}
  const { wake } = startDispatcher(t, without(away), async ({ url }) => {
    const id = url.split('/').at(-1) as string
    calls[id] = (calls[id] ?? 0) + 1
    called()
    return taken()
  })
  const write = async () => {
    for (const { id, call } of [bad, good]) {
      succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
      wake(id)
    }
  }
  const stored = async ({ id }: typeof bad) => {
    const [row] = await service.database.query(
      'select count(*)::int from webhook_deliveries where company_id = $1 and next_at is null',
      [id],
    )
    return row?.[0]
  }
  for (const { id, call } of [bad, good]) {
    const triggerUrl = `http://127.0.0.1/${id}`
    succeeded(await call('POST', '/v1/automation-trigger', { triggerType: 'customer.*', triggerUrl }), 201)
  }
  away.add(bad.id)
  await write()
  await until('the other company’s call is stored', async () => (await stored(good)) === 1)
  assert.equal(calls[bad.id], 0)
  away.clear()
  await until('both calls are stored', async () => (await stored(bad)) === 1)

  // The node fails during a call, whose result then cannot be stored.
  const begun = calls[bad.id] as number
  called = () => {
    if ((calls[bad.id] as number) > begun) away.add(bad.id)
  }
  await write()
  await until('the other company’s second call is stored', async () => (await stored(good)) === 2)
  await until('the call was made', () => away.size > 0)
  succeeded(await good.call('POST', '/v1/customer', { firstName: 'Ben' }), 201)
  wake(good.id)
  await until('the other company’s third call is stored', async () => (await stored(good)) === 3)
  assert.equal(await stored(bad), 1)
  called = () => {}
  away.clear()
  await until('the result is stored', async () => (await stored(bad)) === 2)
  assert.equal(calls[bad.id], 2)
})

test('events of many companies are read at once only up to a total length; the others are read later', async () => {
  const ids = Array.from({ length: 16 }, newId)
  for (const id of ids) {
    await service.database.query(
      `insert into events (company_id, id, type, created_at, resource, record_id, data)
       values ($1, $1, 'custom.sample', now(), 'custom', '', to_json(repeat('x', 1000000)))`,
      [id],
    )
  }
  const unread = new Map(ids.map((companyId) => [companyId, { companyId, cursor: 0, patterns: ['*'], most: 200 }])) // biome-ignore format: one thought
  for (let looks = 0; unread.size > 0; looks++) {
    assert.ok(looks < 16)
    const reads = [...unread.values()]
    const { pages } = await readEvents(service.database, reads)
    const characters = pages.flatMap((page) => page?.events ?? []).reduce((sum, { data }) => sum + data.length, 0)
    assert.ok(characters > 0 && characters < 8_000_000, String(characters))
    for (const [n, page] of pages.entries()) {
      if (page?.events.length === 1) unread.delete(reads[n]?.companyId as string)
      else assert.deepEqual(page, { events: [], upTo: 0, hasMore: true, isBlocked: false })
    }
  }
})
