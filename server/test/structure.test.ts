// A company's cached schema: it needs no statement while it is current, its version increases with each change, and it
// never mixes two moments (decisions §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { BATCH_STATEMENTS } from '../src/concurrency/batch.ts'
import { fairSemaphore } from '../src/concurrency/fair-semaphore.ts'
import { SEMAPHORES } from '../src/core/limits.ts'
import type { Database } from '../src/database/connect.ts'
import type { Item } from '../src/engine/record.ts'
import { type Extensions, SchemaCache, schemaVersion } from '../src/features/custom-tables/schema-cache.ts'
import { EXTENDING_TABLES, FORMER_NAMES, serializedWrites } from '../src/features/custom-tables/schema-changes.ts'
import { makeTable, oid, succeeded } from './support/custom-tables.ts'
import { sessions } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const link = { type: 'string', referenceLinkedCollection: 'customers' }
const field = '/v1/api/custom-table-field'
const table = '/v1/api/custom-table'
const ofCompany = (companyId: string) => ({ scope: { companyId } })

/** The database, with a count of its statements. */
function counted(database: Database): Database & { asked: number } {
  const counting = {
    ...database,
    asked: 0,
    query: (...args: Parameters<Database['query']>) => {
      counting.asked++
      return database.query(...args)
    },
  }
  return counting
}

test('a cached schema needs no statement, and each change of an extending table increments the version, another table’s does not', async (t) => {
  const { id: companyId, call } = await service.company()
  const database = counted(service.database)
  const schemas = new SchemaCache(database)
  t.after(() => schemas.close())
  schemas.listen()
  const remembered = async (): Promise<Extensions> => {
    let found: Extensions | Promise<Extensions> = schemas.extensions(companyId)
    await until('it is remembered', async () => {
      await found
      found = schemas.extensions(companyId)
      return !(found instanceof Promise)
    })
    return found
  }
  assert.deepEqual(await remembered(), { tables: [], version: 0 })
  const asked = database.asked
  for (let n = 0; n < 10; n++) assert.deepEqual(schemas.extensions(companyId), { tables: [], version: 0 })
  assert.equal(database.asked, asked)

  let version = 0
  const grown = async (names: readonly string[]) => {
    const now = await schemas.currentVersion(ofCompany(companyId))
    assert.ok(now > version, `${now} after ${version}`)
    version = now
    const fresh = await schemas.extensions(companyId, { fresh: true })
    assert.equal(fresh.version, now)
    assert.deepEqual(fresh.tables.map(({ name }) => name), names) // biome-ignore format: one thought
    await until('the change was heard of', async () => (await schemas.extensions(companyId)).version === now)
    assert.deepEqual(await remembered(), fresh)
    assert.equal(await service.database.transaction((transaction) => schemaVersion(transaction, companyId)), now)
  }
  const made = await makeTable(call, { points: 'number' }, 'loyalty')
  succeeded(await call('PUT', `${table}/${made.id}`, { description: 'What regular customers have earned' }))
  assert.equal(await schemas.currentVersion(ofCompany(companyId)), 0)
  const owner = succeeded(await call('POST', field, { tableId: oid(made.id), name: 'owner', ...link }), 201)._id.$oid
  await grown(['loyalty'])
  succeeded(await call('PUT', `${field}/${owner}`, { name: 'customer' }))
  await grown(['loyalty'])
  succeeded(await call('PUT', `${table}/${made.id}`, { name: 'club' }))
  await grown(['club'])
  assertProblem(await call('PUT', `${table}/${made.id}`, { name: 'email' }), 400, 'validation_failed')
  assert.equal(await schemas.currentVersion(ofCompany(companyId)), version)
  succeeded(await call('DELETE', `${field}/${owner}`))
  await grown([])
  succeeded(await call('DELETE', `${table}/${made.id}`))
  assert.equal(await schemas.currentVersion(ofCompany(companyId)), version)
  const other = await service.company()
  const versions = [companyId, other.id].map((id) => schemas.currentVersion(ofCompany(id)))
  assert.deepEqual(await Promise.all(versions), [version, 0])
})

test('tables that extend customers all have the version that is reported with them, while they change', async (t) => {
  const { id: companyId, call } = await service.company()
  const schemas = new SchemaCache(service.database)
  t.after(() => schemas.close())
  schemas.listen()
  const columns = { customer: link, a: 'string' }
  const one = await makeTable(call, columns)
  const two = await makeTable(call, columns)
  const { version: first } = await schemas.extensions(companyId, { fresh: true })
  let isDone = false
  const seen = new Map<number, string>()
  const readers = Array.from({ length: 4 }, async (_, n) => {
    while (!isDone) {
      const { tables, version } = await schemas.extensions(companyId, { fresh: n % 2 === 0 })
      const names = tables.map(({ columns }) => columns.at(-1)?.name).join(' ')
      assert.equal(seen.get(version) ?? names, names)
      seen.set(version, names)
      // An immediate answer would give nothing else a turn.
      await turn()
    }
  })
  // Each change renames one field, then the other: the version equals the number of changes.
  for (let n = 0; n < 20; n++) {
    const { id } = n % 2 ? two : one
    const { fields } = n % 2 ? two : one
    succeeded(await call('PUT', `${field}/${fields.a}`, { name: `a${n}`, tableId: oid(id) }))
  }
  isDone = true
  await Promise.all(readers)
  for (const [version, names] of seen) {
    const last = version - first - 1
    const name = (n: number) => (n < 0 ? 'a' : `a${n}`)
    const expected = last % 2 === 0 ? [name(last), name(last - 1)] : [name(last - 1), name(last)]
    assert.equal(names, last < 0 ? 'a a' : expected.join(' '))
  }
})

test('a field’s last possible rename is done, the next one is 409 and says what to do, and the field keeps working', async () => {
  const { call, id: companyId } = await service.company()
  const { id, name: tableName, fields } = await makeTable(call, { customer: link, a: 'string' })
  const earlier = Array.from({ length: FORMER_NAMES - 1 }, (_, n) => [`a${n}`, 1])
  const values = [companyId, fields.a, JSON.stringify(earlier)]
  await service.database.query('update custom_table_fields set former = $3::json where company_id = $1 and id = $2', values) // biome-ignore format: one thought
  const renamed = (name: string) => call('PUT', `${field}/${fields.a}`, { name, tableId: oid(id) })
  succeeded(await renamed('last'))
  const { detail } = assertProblem(await renamed('more'), 409, 'conflict')
  assert.match(detail, /limit of 200 renames; create another field/)
  const customer = succeeded(await call('POST', '/v1/customer', { firstName: 'Ann', [tableName]: { last: 'x' } }), 201)
  assert.deepEqual(customer[tableName], { last: 'x' })
})

test('a schema change whose client is gone when its turn comes does not begin', async () => {
  const { id: companyId } = await service.company()
  const begun: unknown[] = []
  const run = serializedWrites(
    service.database,
    fairSemaphore(SEMAPHORES.contended),
    async (_, { value }: Item) => {
      begun.push(value)
      return { id: '', text: '' }
    },
    () => {},
  )
  const values = Array.from({ length: BATCH_STATEMENTS + 1 }, (_, n) => n)
  const isGone = (n: number) => () => n === BATCH_STATEMENTS && begun.length > 0
  const items = values.map((value) => ({ ...ofCompany(companyId), value, isGone: isGone(value) }) as unknown as Item)
  const settled = await Promise.allSettled(items.map(run))
  const last = settled.pop()
  for (const { status } of settled) assert.equal(status, 'fulfilled')
  assert.equal(last?.status === 'rejected' && last.reason.status, 503)
  assert.deepEqual(begun, values.slice(0, BATCH_STATEMENTS))
})

test('a schema change is answered once it is done, while the next ones are in progress or wait', async () => {
  const { id: companyId } = await service.company()
  const first = Promise.withResolvers<void>()
  const work = async (_: unknown, { value }: Item) => {
    if (value !== 'first') await first.promise
    return { id: '', text: '' }
  }
  const run = serializedWrites(service.database, fairSemaphore(SEMAPHORES.contended), work, () => {})
  const [begun, ...others] = ['first', 'second', 'third'].map((value) =>
    run({ ...ofCompany(companyId), value } as Item),
  )
  await begun
  first.resolve()
  await Promise.all(others)
})

test('of two tables that would be the last to extend customers at once, on two servers, one succeeds', async () => {
  const { id: companyId, key, call } = await service.company()
  const other = service.caller({ 'x-api-key': key }, (await service.second()).url)
  const tables = await Promise.all(Array.from({ length: EXTENDING_TABLES + 1 }, () => makeTable(call, {})))
  const extend = (by: Caller, id: string) => by('POST', field, { tableId: oid(id), name: 'customer', ...link })
  const last = tables.splice(-2)
  for (const reply of await Promise.all(tables.map(({ id }) => extend(call, id)))) succeeded(reply, 201)
  // Both are requested before either exists.
  const replies = await service.database.transaction(async (transaction) => {
    const ids = last.map(({ id }) => id)
    await transaction.query('select from custom_tables where company_id = $1 and id = any ($2) for update', [
      companyId,
      ids,
    ])
    const asked = ids.map((id, n) => extend([call, other][n] as Caller, id))
    await until('both wait for what is held', async () => {
      const rows = await service.database.query(
        `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length === asked.length
    })
    return asked
  })
  assert.deepEqual((await Promise.all(replies)).map(({ status }) => status).sort(), [201, 409])
})
