// Leases on triggers cost what is stored, however many triggers a server has and whatever PostgreSQL knows of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseCompanies, leaseDue, saveStates } from '../src/features/webhooks/leases.ts'
import { testMode } from './support/database.ts'
import { dispatchOf, newIds } from './support/dispatcher.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()
const { companiesWithTriggers } = dispatchOf(service)

test('a server with thousands of triggers stores the state of some by reading these, also if none was leased when statistics were made', {
  skip: skipOnCluster,
}, async () => {
  const me = 'this server'
  const companies = await companiesWithTriggers(newIds(4_000))
  await service.database.query('analyze automation_triggers')
  const { leased } = await leaseCompanies(service.database, me, companies, [])
  assert.equal(leased.length, companies.length)
  const states = leased.map((trigger) => ({
    ...trigger,
    storedCursor: trigger.cursor,
    dueTimeChanged: false,
    isReleased: false,
  }))
  await service.database.transaction(async (transaction) => {
    const read = async (): Promise<number> => {
      const [row] = await transaction.query(
        `select (seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname = 'automation_triggers'`,
      )
      return row?.[0]
    }
    const before = await read()
    const some = states.slice(0, 200)
    assert.equal((await saveStates(transaction, me, some)).length, some.length)
    const rows = (await read()) - before
    assert.ok(rows < 3 * some.length, `${rows} triggers were read`)
    // As when all leases are renewed.
    assert.equal((await saveStates(transaction, me, states)).length, states.length)
  })
})

test('of two servers that look for due deliveries at the same moment, each leases as many triggers as it may', {
  // Where tables are distributed, the triggers of several companies are looked for before they are locked.
  skip: testMode() === 'citus',
}, async () => {
  const companies = await companiesWithTriggers(newIds(5))
  await service.database.query('update automation_triggers set due_at = now() where company_id = any($1)', [companies])
  const ids = await service.database.transaction(async (transaction) => {
    const first = await leaseDue(transaction, 'first', { most: 2, but: [] })
    const second = await leaseDue(service.database, 'second', { most: 2, but: [] })
    return [first, second].map((leased) => leased.map(({ triggerId }) => triggerId))
  })
  assert.deepEqual(ids.map(({ length }) => length), [2, 2]) // biome-ignore format: one thought
  assert.equal(new Set(ids.flat()).size, 4)
})
