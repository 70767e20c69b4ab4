// Statements of a transaction take effect in their order, though its savepoints are sent with the next one, and several share a round trip.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { connect } from '../src/database/connect.ts'
import { together } from '../src/database/pipeline.ts'
import { connectionOf } from './support/event-reader.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()
const sampleTable = 'create temp table sample (name text primary key) on commit drop'
const add = { name: 'sample_add', text: 'insert into sample values ($1)' }

test('what a savepoint undoes is gone, and what came before it stays, whether or not a statement was sent after it', {
  skip: skipOnCluster,
}, async () => {
  // The second time, the connection has prepared them.
  for (let n = 0; n < 2; n++)
    await service.database.owner.transaction(async (transaction) => {
      await transaction.query(sampleTable)
      await transaction.query(add, ['before'])
      await transaction.query('savepoint part')
      await transaction.query(add, ['undone'])
      await transaction.query('savepoint part')
      await assert.rejects(transaction.query(add, ['before']), { code: '23505' })
      await transaction.query('rollback to savepoint part; release savepoint part')
      await transaction.query('rollback to savepoint part; release savepoint part')
      await transaction.query('savepoint part')
      await transaction.query('rollback to savepoint part; release savepoint part')
      await transaction.query('savepoint part')
      await transaction.query(add, ['after'])
      await transaction.query('release savepoint part')
      assert.deepEqual(await transaction.query('select name from sample order by name'), [['after'], ['before']])
    })
})

test('a transaction that failed leaves nothing, and its connection serves the next one', async () => {
  const { database } = service
  for (let n = 0; n < 3; n++) {
    await assert.rejects(
      database.transaction((transaction) => transaction.query('select 1 / 0')),
      { code: '22012' },
    )
    await assert.rejects(
      database.transaction(async () => Promise.reject(new Error('before any statement'))),
      /before any statement/,
    )
    await database.transaction(async () => {})
    assert.deepEqual(await database.transaction((transaction) => transaction.query('select 1')), [[1]])
  }
})

test('a transaction that is refused before its first statement sends nothing, so PostgreSQL logs no warning', {
  skip: skipOnCluster,
}, async (t) => {
  const database = connect(await connectionOf(service), { size: 1 })
  t.after(() => database.close())
  await database.transaction((transaction) => transaction.query('select 1'))
  const sent = t.mock.method(pg.Client.prototype, 'query')
  const refused = new Error('refused')
  await assert.rejects(
    database.transaction(() => Promise.reject(refused)),
    refused,
  )
  await database.transaction((transaction) => transaction.query(`select 'after a refusal'`))
  const calls = sent.mock.calls.map(({ this: client, arguments: [query] }) => {
    return { client, text: (query as unknown as pg.QueryConfig).text }
  })
  const own = calls.find(({ text }) => text === `select 'after a refusal'`)?.client
  const texts = calls.flatMap(({ client, text }) => (client === own ? text : []))
  assert.deepEqual(texts, [`select 'after a refusal'`, 'commit'])
})

test('begin and savepoints take no round trip', { skip: skipOnCluster }, async (t) => {
  const database = connect(await connectionOf(service), { size: 1 })
  t.after(() => database.close())
  const work = () =>
    database.transaction(async (transaction) => {
      await transaction.query('savepoint part')
      await transaction.query('select 1')
      await transaction.query('release savepoint part')
      await transaction.query('savepoint part')
      await transaction.query('select 2')
      await transaction.query('release savepoint part')
    })
  await work()
  const sent = t.mock.method(pg.Client.prototype, 'query')
  await work()
  const calls = sent.mock.calls.map(({ this: client, arguments: [query] }) => {
    return { client, text: (query as unknown as pg.QueryConfig).text }
  })
  // Other clients of the process may send statements too.
  const own = calls.find(({ text }) => text === 'select 1')?.client
  const texts = calls.flatMap(({ client, text }) => (client === own ? text : []))
  assert.deepEqual(texts, ['select 1', 'select 2', 'commit'])
})

test('of statements that share a round trip, each sees what those before it wrote, and the failure of the first that failed is thrown', {
  skip: skipOnCluster,
}, async () => {
  const { owner } = service.database
  /** Sends statements of a transaction together; then the pool has a connection that works. */
  const rejects = async (texts: readonly string[], code: string) => {
    const failing = owner.transaction(
      (transaction) =>
      together(transaction, texts.map((text) => () => transaction.query(text))), // biome-ignore format: one thought
    )
    await assert.rejects(failing, { code })
    assert.deepEqual(await owner.transaction((transaction) => transaction.query('select 1')), [[1]])
  }
  await owner.transaction(async (transaction) => {
    await transaction.query(sampleTable)
    const count = async () => (await transaction.query('select count(*)::int from sample'))[0]?.[0]
    const addAnd = (name: string) => async () => {
      await transaction.query(add, [name])
      return count()
    }
    const results = await together(transaction, [count, addAnd('one'), addAnd('two'), count])
    assert.deepEqual(results, [0, 2, 2, 2])
    const inner = () => together(transaction, [addAnd('three'), count])
    assert.deepEqual(await together(transaction, [inner, count]), [[3, 3], 3])
  })
  await rejects(['select 1', 'select 1 / 0', 'select no_such_column'], '22012')
  await rejects(['select 1', 'select pg_terminate_backend(pg_backend_pid())', 'select 2'], 'unavailable')
})

test('a transaction sees what others commit meanwhile, also in a database whose default is repeatable read', async (t) => {
  const options = '-c default_transaction_isolation=repeatable\\ read'
  const database = connect({ ...(await connectionOf(service)), options } as never, { size: 2 })
  t.after(() => database.close())
  assert.deepEqual(await database.query('show default_transaction_isolation'), [['repeatable read']])
  await database.transaction(async (transaction) => {
    const count = { name: 'companies_count', text: 'select count(*)::int from companies' }
    const [[before] = []] = await transaction.query(count)
    await service.company()
    const [[after] = []] = await transaction.query(count)
    assert.equal(after, before + 1)
  })
})

test('a statement that is read in portions and fails leaves its connection to the next one', async (t) => {
  const database = connect(await connectionOf(service), { size: 1 })
  t.after(() => database.close())
  const text = 'select 1 / (n - 600) from generate_series(1, 1000) as n'
  const portions = { text, most: 1_000_000, expected: 1_000 }
  for (let n = 0; n < 2; n++) {
    await assert.rejects(database.query(portions), { code: '22012' })
    await assert.rejects(
      database.transaction((transaction) => transaction.query(portions)),
      { code: '22012' },
    )
    assert.deepEqual(await database.query('select 1'), [[1]])
  }
})

test('a transaction that continues after a failure is rolled back, and leaves a connection that works', {
  skip: skipOnCluster,
}, async (t) => {
  const database = connect(await connectionOf(service), { size: 1 })
  t.after(() => database.close())
  await database.query('create temp table kept (name text)')
  const insert = { text: 'insert into kept values ($1)' }
  // The second time, the connection has prepared what waits.
  for (let n = 0; n < 2; n++) {
    const goesOn = database.transaction(async (transaction) => {
      await transaction.query('savepoint part')
      await transaction.query('release savepoint part')
      await transaction.query(insert, ['lost'])
      await transaction.query('select 1 / 0').catch(() => {})
      await transaction.query('savepoint part')
      throw new Error('after a savepoint of a failed transaction')
    })
    await assert.rejects(goesOn, /after a savepoint/)
    assert.deepEqual(await database.query('select * from kept'), [])
    // The driver refuses a value that it cannot write, and what was to be sent before it with it.
    const value = {
      toPostgres() {
        throw new Error('no such value')
      },
    }
    const unsent = database.transaction(async (transaction) => {
      await transaction.query('select $1', [value]).catch(() => {})
      await transaction.query(insert, ['outside'])
    })
    await assert.rejects(unsent, /no such value/)
    assert.deepEqual(await database.query('select * from kept'), [])
  }
})

test('statements that share a round trip are refused a savepoint, and end together', async (t) => {
  const database = connect(await connectionOf(service), { size: 1 })
  t.after(() => database.close())
  const portions = { text: 'select n from generate_series(1, 1000) as n', most: 1_000_000, expected: 1_000 }
  await database.transaction(async (transaction) => {
    const asked = () =>
      together(transaction, [() => transaction.query('select 1'), () => transaction.query('select 2')])
    assert.deepEqual(await Promise.all([asked(), asked()]), [
      [[[1]], [[2]]],
      [[[1]], [[2]]],
    ])
    assert.equal((await transaction.query(portions)).length, 1_000)
    const withSavepoint = together(transaction, [() => transaction.query('savepoint part')])
    await assert.rejects(withSavepoint, /A savepoint cannot share a round trip/)
  })
})
