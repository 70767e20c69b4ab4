// Overload of the database: concurrent lookups share a statement, batches are fair to companies, and waiting for a connection has a limit.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { BATCH_ITEMS, BATCH_ITEMS_BESIDE, BATCH_STATEMENTS } from '../../src/concurrency/batch.ts'
import { batcher } from '../../src/concurrency/batcher.ts'
import { singleFlight } from '../../src/concurrency/single-flight.ts'
import { tenantActivity } from '../../src/concurrency/tenant-activity.ts'
import { Problem } from '../../src/core/problem.ts'
import { Scope } from '../../src/core/scope.ts'
import { CONNECTION_WAITING, connect, type Database, type Queryable } from '../../src/database/connect.ts'
import { healthRoutes } from '../../src/features/health/routes.ts'
import { KeyCache } from '../../src/features/keys/key-cache.ts'
import { deleteKey, newKeyValue } from '../../src/features/keys/key-store.ts'
import type { Call } from '../../src/http/route.ts'
import { testConnection } from '../support/database.ts'
import { upTo } from '../support/overload.ts'
import { testService } from '../support/service.ts'

describe('public requests', () => {
  /** A service's database, and its number of statements on reserved connections. Each counts when it is released. */
  function counted(database: Database) {
    let asked = 0
    let gate = Promise.withResolvers<void>()
    const reserved: Queryable = {
      inTransaction: false,
      isSharded: false,
      query: async (statement, values) => {
        asked++
        await gate.promise
        return database.reserved.query(statement, values)
      },
    }
    return {
      database: { ...database, reserved },
      asked: () => asked,
      letGo: () => gate.resolve(),
      stop: () => {
        gate = Promise.withResolvers()
      },
    }
  }
  const service = testService()

  test('waiting health checks share a statement, and each is answered by one that began after it arrived', async () => {
    const { database, asked, letGo } = counted(service.database)
    const [route] = healthRoutes(database)
    const all = upTo(500).map(() => route?.handle({} as Call))
    assert.equal(asked(), 1)
    letGo()
    for (const answer of await Promise.all(all)) assert.equal(answer?.body, '{"status":"ok"}')
    assert.equal(asked(), 2)
  })

  test('concurrent lookups of one key are one, and a request after its deletion does not get the earlier result', async (t) => {
    const { id } = await service.company()
    const key = await service.keyFor(id)
    const { database, asked, letGo, stop } = counted(service.database)
    // Without NOTIFY a cache keeps no keys, so that each find is a lookup.
    const deaf = { ...database, connectAlone: () => Promise.reject(new Error('no connection')) }
    const cache = new KeyCache({ ...deaf, owner: deaf })
    t.after(() => cache.close())
    const first = upTo(500).map(() => cache.find(key.value))
    assert.equal(asked(), 1)
    letGo()
    for (const found of await Promise.all(first)) assert.equal(found?.companyId, id)
    assert.equal(asked(), 2)
    stop()
    const stranger = newKeyValue('company')
    const unknown = upTo(500).map(() => cache.find(stranger))
    await deleteKey(service.database, key.id)
    const late = cache.find(key.value)
    letGo()
    for (const found of await Promise.all(unknown)) assert.equal(found, undefined)
    assert.equal(asked(), 5)
    assert.equal(await late, undefined)
  })
})

describe('connections', () => {
  /** Takes the one connection of a pool until the test releases it. */
  async function taken(t: TestContext) {
    const database = connect(testConnection(), { size: 1 })
    const released = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const work = database.transaction(async () => {
      begun.resolve()
      await released.promise
    })
    const release = async () => {
      released.resolve()
      await work
    }
    t.after(async () => {
      await release()
      await database.close()
    })
    await begun.promise
    return { database, release }
  }
  const unavailable = (message: RegExp) => (error: unknown) =>
    error instanceof Problem &&
    error.status === 503 &&
    error.headers['retry-after'] === '1' &&
    message.test(error.message)

  test('a statement beyond the maximum number of waiting ones is refused at once, and the waiting ones are answered', async (t) => {
    const { database, release } = await taken(t)
    const waiting = upTo(CONNECTION_WAITING).map((n) => database.query('select $1::int', [n]))
    await assert.rejects(database.query('select 1'), unavailable(/All connections to the database are in use/))
    assert.deepEqual(await database.reserved.query('select 1'), [[1]])
    await release()
    const rows = await Promise.all(waiting)
    assert.deepEqual(rows.flat(2), upTo(CONNECTION_WAITING))
  })

  test('at most the given size of a statement’s rows is kept, and one value beyond it', async () => {
    const database = connect(testConnection(), { size: 1 })
    const text = `select repeat('a', 1000) from generate_series(1, 100)`
    const rows = await database.query({ name: 'rows', text, most: 4_500 }).finally(() => database.close())
    assert.deepEqual(
      rows.map(([value]) => value?.length),
      upTo(100).map((n) => (n < 5 ? 1_000 : undefined)),
    )
  })

  test('the error for busy connections differs from the one for an unreachable database', async (t) => {
    const { database } = await taken(t)
    const none = connect({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' })
    t.after(() => none.close())
    await Promise.all([
      assert.rejects(database.query('select 1'), unavailable(/All connections to the database are in use/)),
      assert.rejects(none.query('select 1'), unavailable(/cannot be reached/)),
    ])
  })
})

describe('batching', () => {
  /** A batcher whose batches end on command, and the items of each. */
  function batching() {
    // For the whole test, a company that sent one request counts as active.
    const presence = tenantActivity({ now: () => 0 })
    const runs: string[][] = []
    const ends: (() => void)[] = []
    const ask = batcher(
      async (items: { scope: Scope; name: string; isGone?: () => boolean }[]) => {
        runs.push(items.map(({ name }) => name))
        await new Promise<void>((resolve) => ends.push(resolve))
        return items.map(({ name }) => name)
      },
      { presence },
    )
    const endAll = async () => {
      for (; ends.length > 0; await new Promise(setImmediate)) ends.shift()?.()
    }
    return { runs, ask, endAll }
  }
  const a = Scope.grant('a')
  const b = Scope.grant('b')
  const turn = () => new Promise(setImmediate)

  test('with five hundred waiting items of one company, another’s is in the very next batch', async () => {
    const { runs, ask, endAll } = batching()
    const under = upTo(BATCH_STATEMENTS * BATCH_ITEMS + 500).map((n) => ask({ scope: a, name: `a${n}` }))
    await turn()
    const one = ask({ scope: b, name: 'b' })
    await turn()
    assert.equal(runs.length, BATCH_STATEMENTS)
    await endAll()
    assert.equal(await one, 'b')
    assert.deepEqual(
      await Promise.all(under),
      upTo(under.length).map((n) => `a${n}`),
    )
    assert.ok(runs[BATCH_STATEMENTS]?.includes('b'))
    for (const run of runs.slice(BATCH_STATEMENTS)) assert.ok(run.length <= BATCH_ITEMS_BESIDE)
  })

  test('a batch contains no item that no client waits for any more', async () => {
    const { runs, ask, endAll } = batching()
    const under = upTo(BATCH_STATEMENTS * BATCH_ITEMS).map((n) => ask({ scope: a, name: `a${n}` }))
    await turn()
    const left = ask({ scope: a, name: 'left', isGone: () => true })
    const refused = assert.rejects(left, { code: 'unavailable' })
    const one = ask({ scope: a, name: 'waited for', isGone: () => false })
    await endAll()
    await Promise.all([refused, one, ...under])
    assert.deepEqual(runs.slice(BATCH_STATEMENTS), [['waited for']])
  })

  test('a shared response is looked up until the last of its waiters is gone', async () => {
    const ends: (() => void)[] = []
    const reported: (() => boolean)[] = []
    const asking = (allAreGone: () => boolean) => {
      reported.push(allAreGone)
      return new Promise<number>((resolve) => ends.push(() => resolve(reported.length)))
    }
    const shared = singleFlight<number>()
    const gone = new Set<string>()
    const join = (name: string) => shared('how many', asking, () => gone.has(name))
    const first = join('first')
    const others = ['second', 'third', 'fourth'].map(join)
    ends.shift()?.()
    assert.equal(await first, 1)
    await turn()
    const left = ['second', 'fourth', 'first', 'third'].map((name) => {
      gone.add(name)
      return reported[1]?.()
    })
    assert.deepEqual(left, [false, false, false, true])
    ends.shift()?.()
    assert.deepEqual(await Promise.all(others), [2, 2, 2])
  })
})
