// What the statements over events read: as much as they give, however long the log is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../src/database/connect.ts'
import { feedReader } from '../src/features/events/pages.ts'
import { findBehind, readEvents } from '../src/features/webhooks/trigger-leases.ts'
import { bodyOf } from './support/event-reader.ts'
import { testService } from './support/service.ts'

const service = testService({ webhooks: { isSending: false } })

test('where one company has nearly all events, no page and no look for what its triggers are to be told reads through the log, whatever plan is kept', async () => {
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
    const reader = feedReader(transaction as Database, (_passenger, work) => work())
    const after = await reader.tip(id)
    const { events, isHeld } = await reader.page({ companyId: id, after: after - 10, limit: 100, filters: {} })
    assert.deepEqual([events.length, isHeld], [10, false])
    const wanted = { companyId: id, after: after - 10, settled: after - 5, patterns: ['*'], most: 100 }
    const [found] = await readEvents(transaction, [wanted])
    assert.deepEqual([found?.events.length, found?.isHeld], [5, true])
    await findBehind(transaction, { companyId: '', triggerId: '' }, 100)
    const [row] = await transaction.query(
      `select sum(seq_tup_read)::int from pg_stat_xact_user_tables where relname ~ '^events'`,
    )
    assert.equal(row?.[0], 0)
  })
})
