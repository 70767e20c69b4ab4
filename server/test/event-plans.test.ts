// Statements over events read only as much as they return, however long the log is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, Queryable, Statement } from '../src/database/connect.ts'
import { listQuery } from '../src/engine/lists/list-query.ts'
import { RememberedCounts } from '../src/engine/lists/remembered-counts.ts'
import type { EventFilters } from '../src/features/events/filters.ts'
import { FEED_SCANNED, feedReader } from '../src/features/events/pages.ts'
import { replay } from '../src/features/webhooks/actions.ts'
import { findForgotten } from '../src/features/webhooks/pending-companies.ts'
import { readEvents } from '../src/features/webhooks/reads.ts'
import { category } from '../src/resources/category.ts'
import { bodyOf } from './support/event-reader.ts'
import { skipOnCluster } from './support/nodes.ts'
import { connectAsOwner } from './support/row-security.ts'
import { testService } from './support/service.ts'

const service = testService()

/** What reads a page in a transaction of its own reads it in this one. */
const within = (transaction: Pick<Queryable, 'query'>) =>
  ({ ...transaction, transaction: (work: (own: unknown) => unknown) => work(transaction) }) as unknown as Database
const addEvents = `insert into events (company_id, id, type, created_at, resource, record_id, data)
  select $1, 'later ' || n, 'x.made', now(), 'x', 'later', '{}' from generate_series(1, $2::int) as n`
const readerOf = (transaction: Pick<Queryable, 'query'>) =>
  feedReader(within(transaction), (_passenger, work) => work())

test('if one company has nearly all events, no page and no read for its triggers scans the log, whatever plan is kept', {
  skip: skipOnCluster,
}, async () => {
  const { id, call } = await service.company()
  bodyOf(await call('POST', '/v1/automation-trigger', { triggerType: '*', triggerUrl: 'https://8.8.8.8/' }))
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, lpad(n::text, 24, '0'), 'x.made', now(), 'x', n::text, '{}' from generate_series(1, 20000) as n`,
    [id],
  )
  await service.database.query('analyze events')
  await service.database.transaction(async (transaction) => {
    await transaction.query('set local plan_cache_mode = force_generic_plan')
    const reader = readerOf(transaction)
    const after = await reader.tip(id)
    const { events, isHeld } = await reader.page({ companyId: id, after: after - 10, limit: 100, filters: {} })
    assert.deepEqual([events.length, isHeld], [10, false])
    const filtered = {
      companyId: id,
      after: after - 10,
      limit: 100,
      filters: { types: ['x.made', 'y.*'], resource: 'x' },
    }
    assert.equal((await reader.page(filtered)).events.length, 10)
    const wanted = { companyId: id, cursor: after - 10, patterns: ['*'], most: 100 }
    const {
      pages: [found],
    } = await readEvents(within(transaction), [wanted])
    assert.deepEqual([found?.events.length, found?.isBlocked], [10, false])
    // A writer that has not committed holds back the events of a later one.
    const holder = await connectAsOwner(service.database)
    try {
      await holder.query('begin')
      await holder.query('select begin_events($1)', [id])
      await holder.query(addEvents, [id, 1])
      await service.database.query(addEvents, [id, 5])
      const {
        pages: [held],
      } = await readEvents(within(transaction), [wanted])
      assert.deepEqual([held?.events.length, held?.isBlocked], [10, true])
    } finally {
      await holder.end()
    }
    await findForgotten(transaction, { companyId: '', triggerId: '' }, 100)
    const [row] = await transaction.query(
      `select sum(seq_tup_read)::int from pg_stat_xact_user_tables where relname ~ '^events'`,
    )
    assert.equal(row?.[0], 0)
  })
})

test('a reader at the end of the feed has a plan that is kept, with and without filters', {
  skip: skipOnCluster,
}, async () => {
  const { id } = await service.company()
  await service.database.query(addEvents, [id, 5000])
  await service.database.query('analyze events')
  await service.database.transaction(async (transaction) => {
    const reader = readerOf(transaction)
    const after = await reader.tip(id)
    const read = (filters: EventFilters) => reader.page({ companyId: id, after, limit: 100, filters })
    for (const filters of [{}, { types: ['x.made'] }, { types: ['x.*'], since: '2026-01-01T00:00:00.000Z' }])
      for (let n = 0; n < 7; n++) assert.deepEqual((await read(filters)).events, [])
    const kept = await transaction.query(
      `select custom_plans::int from pg_prepared_statements where name like 'events_page%'`,
    )
    // PostgreSQL makes five plans for values before it compares them with a plan for all values.
    assert.ok(kept.length >= 3 && kept.every(([plans]) => plans <= 5), JSON.stringify(kept))
  })
})

test('the history of a record reads its own events only, however many the company has, whatever plan is kept', {
  skip: skipOnCluster,
}, async () => {
  const { id } = await service.company()
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, lpad(n::text, 24, '0'), 'x.made', now(), 'x', 'record ' || n % 4000, '{}' from generate_series(1, 20000) as n`,
    [id],
  )
  await service.database.query('analyze events')
  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    await service.database.transaction(async (transaction) => {
      await transaction.query(`set local plan_cache_mode = ${mode}`)
      const reader = readerOf(transaction)
      const filters = { recordIds: ['record 7', 'record 8', 'another'] }
      const { events, hasMore } = await reader.page({ companyId: id, after: 0, limit: 100, filters })
      assert.deepEqual([events.length, hasMore], [10, false])
      const [row] = await transaction.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ '^events'`,
      )
      assert.ok(row?.[0] < 100, `${row?.[0]} rows were read`)
    })
})

test('each page of a record with many long events reads hardly more than it returns, in order and without a gap', async () => {
  const { id } = await service.company()
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, lpad(n::text, 24, '0'), case n % 2 when 0 then 'x.made' else 'x.changed' end, now(), 'x', 'record ' || n % 100 / 98, '{}'
     from generate_series(1, 20000) as n`,
    [id],
  )
  await service.database.query('analyze events')
  for (const filters of [{}, { types: ['x.*'], resource: 'x', since: '2020-01-01T00:00:00.000Z' }])
    await service.database.transaction(async (transaction) => {
      const reader = readerOf(transaction)
      const recordIds = ['record 0', 'record 1', 'record 0', 'none']
      const first = await reader.page({ companyId: id, after: 0, limit: 50, filters: { recordIds, ...filters } })
      const second = await reader.page({
        companyId: id,
        after: first.next,
        limit: 50,
        filters: { recordIds, ...filters },
      })
      const sequences = [...first.events, ...second.events].map(({ sequence }) => sequence)
      const begin = sequences[0] ?? 0
      assert.deepEqual(
        sequences,
        Array.from({ length: 100 }, (_, n) => begin + n),
      )
      const [row] = await transaction.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ '^events'`,
      )
      if (!('types' in filters)) assert.ok(row?.[0] < 500, `${row?.[0]} rows were read`)
    })
})

test('a page of many records filtered by type scans no more than a page of all events, and a walk finds each match once and in order', async () => {
  const { id } = await service.company()
  // Ten records, the last with nineteen times as many events as the first.
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, lpad(n::text, 24, '0'), case n % 97 when 0 then 'x.made' else 'x.changed' end, now(), 'x',
       'record ' || floor(sqrt(n % 100)), '{}' from generate_series(1, 45000) as n`,
    [id],
  )
  await service.database.query('analyze events')
  const recordIds = [...Array.from({ length: 10 }, (_, n) => `record ${n}`), 'none']
  await service.database.transaction(async (transaction) => {
    const reader = readerOf(transaction)
    const filters = { recordIds, types: ['x.made'] }
    const read = async (): Promise<number> => {
      const [row] = await transaction.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ '^events'`,
      )
      return row?.[0]
    }
    const matches = await transaction.query(
      `select sequence from events where company_id = $1 and type = 'x.made' order by sequence`,
      [id],
    )
    for (const limit of [50, 1_000]) {
      const found: number[] = []
      for (let after = 0, hasMore = true; hasMore; ) {
        const before = await read()
        const page = await reader.page({ companyId: id, after, limit, filters })
        const rows = (await read()) - before
        assert.ok(rows < FEED_SCANNED + 1_000, `${rows} rows were read`)
        found.push(...page.events.map(({ sequence }) => sequence))
        assert.ok(page.next > after)
        ;({ next: after, hasMore } = page)
      }
      assert.deepEqual(found, matches.flat())
    }
  })
})

test('a page filtered by type reads no more than it scans, also where the other companies have few events', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  await service.database.query(addEvents, [companyId, 3 * FEED_SCANNED])
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select 'small ' || n, 'one', 'x.made', now(), 'x', 'one', '{}' from generate_series(1, 300) as n`,
  )
  await service.database.query('analyze events')
  await service.database.transaction(async (transaction) => {
    const rowsRead = async (): Promise<number> => {
      const [row] = await transaction.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ '^events'`,
      )
      return row?.[0]
    }
    for (const since of [undefined, '2026-01-01T00:00:00.000Z']) {
      const earlier = await rowsRead()
      const filters = { types: ['y.*'], ...(since && { since }) }
      const page = await readerOf(transaction).page({ companyId, after: 0, limit: 10, filters })
      assert.deepEqual([page.events.length, page.hasMore], [0, true])
      const rows = (await rowsRead()) - earlier
      // Once for the matches, and once for where the page ends.
      assert.ok(rows < 2 * FEED_SCANNED + 1_000, `${rows} rows were read`)
    }
  })
})

test('for long events, compressed or not, the database sends hardly more than one page contains', async () => {
  for (const data of [
    `repeat('x', 2000000)`,
    `(select string_agg(md5(i::text), '') from generate_series(1, 60000) as i)`,
  ]) {
    const { id } = await service.company()
    await service.database.query(
      `insert into events (company_id, id, type, created_at, resource, record_id, data)
       select $1, lpad(n::text, 24, '0'), 'x.made', now(), 'x', n::text, json_build_object('x', ${data})
       from generate_series(1, 20) as n`,
      [id],
    )
    // Rows that this side of the connection discards are not counted.
    const all = {
      query: (statement: Statement | string, values: unknown[]) =>
        service.database.query(typeof statement === 'string' ? statement : { text: statement.text }, values),
    }
    const reader = readerOf(all)
    const after = (await reader.tip(id)) - 20
    const { events, hasMore } = await reader.page({ companyId: id, after, limit: 100, filters: {} })
    const wanted = { companyId: id, cursor: after, patterns: ['*'], most: 100 }
    const {
      pages: [found],
    } = await readEvents(within(all), [wanted])
    assert.deepEqual([hasMore, found?.hasMore], [true, true])
    for (const read of [events.length, found?.events.length ?? 0]) assert.ok(read >= 1 && read < 12, String(read))
  }
})

test('of a company that PostgreSQL has no statistics of, neither the events of a record nor a count read all events', {
  skip: skipOnCluster,
}, async () => {
  await service.database.query(addEvents, [(await service.company()).id, 5_000])
  await service.database.query('analyze events')
  const { id: companyId } = await service.company()
  await service.database.query(addEvents, [companyId, 1_000])
  const { where, filterValues } = listQuery(category, companyId, {})
  const counted = { companyId, where, filterValues, members: [], includesDeleted: false }
  await service.database.transaction(async (transaction) => {
    const rowsRead = async () => {
      const [row] = await transaction.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ '^events'`,
      )
      return row?.[0]
    }
    const counts = new RememberedCounts(category, { slowMs: 0 })
    const earlier = await rowsRead()
    for (let n = 0; n < 2; n++) assert.equal(await counts.count({ ...transaction, reads: transaction }, counted), 0)
    const reader = readerOf(transaction)
    const filters = { recordIds: ['none'] }
    assert.deepEqual((await reader.page({ companyId, after: 0, limit: 100, filters })).events, [])
    assert.ok((await rowsRead()) - earlier < 20, `${(await rowsRead()) - earlier} rows`)
  })
})

test('a new reader of the feed, a reader since a time and a replay do not read the events before, even in a company without statistics in PostgreSQL', {
  skip: skipOnCluster,
}, async () => {
  await service.database.query(addEvents, [(await service.company()).id, 5_000])
  await service.database.query('analyze events')
  const { id: companyId, call } = await service.company()
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, 'e' || n, 'x.made', now() - make_interval(mins => 10000 - n), 'x', 'one', '{}' from generate_series(1, 10000) as n`,
    [companyId],
  )
  // The last event.
  const { id: triggerId } = bodyOf(await call('POST', '/v1/automation-trigger', { triggerType: 'z.*', triggerUrl: 'https://8.8.8.8/' })) // biome-ignore format: one thought
  const since = new Date(Date.now() - 99.5 * 60_000).toISOString()
  await service.database.transaction(async (transaction) => {
    const rowsRead = async () => {
      const [row] = await transaction.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ '^events'`,
      )
      return row?.[0]
    }
    const reader = readerOf(transaction)
    const earlier = await rowsRead()
    // The replay comes first, since the reader changes how the transaction plans.
    const begin = await replay(transaction, { companyId, triggerId }, since)
    const tip = await reader.tip(companyId)
    const read = (filters: EventFilters) => reader.page({ companyId, after: 0, limit: 1_000, filters })
    assert.equal((await read({ since })).events.length, 101)
    assert.equal((await read({ since, types: ['y.*'] })).events.length, 0)
    assert.equal(begin, tip - 101)
    // Events of another hour, since those of two servers are not in the order of their times, and the look-ups of the search.
    assert.ok((await rowsRead()) - earlier < 2_000, `${(await rowsRead()) - earlier} rows`)
  })
})
