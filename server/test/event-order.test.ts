// The feed's one promise: a client that follows the cursor sees every committed event once and in order, in whatever order writers commit (decisions §9).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { FairSemaphore } from '../src/concurrency/fair-semaphore.ts'
import { Problem } from '../src/core/problem.ts'
import { connect, type Database } from '../src/database/connect.ts'
import { feedReader } from '../src/features/events/pages.ts'
import { testMode } from './support/database.ts'
import { connectionOf, names, page, readOn, writeCategories } from './support/event-reader.ts'
import { until } from './support/program.ts'
import { type Caller, patience, testService } from './support/service.ts'

const service = testService()

const newCategory = async (call: Caller, name: string) => {
  const { status, text } = await call('POST', '/v1/category', { name })
  assert.equal(status, 201, text)
}

test('an event is not visible before an older one of an open write, and then both appear in the order of their numbers', async () => {
  const { id, call } = await service.company()
  await newCategory(call, 'before')
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'open')
    await newCategory(call, 'later')
    const { data, nextCursor, hasMore } = await page(call, 'after=0')
    assert.deepEqual(names(data), ['before'])
    assert.equal(hasMore, false)
    assert.equal(nextCursor, String(data[0]?.sequence))
  })
  const { events } = await readOn(call)
  assert.deepEqual(names(events), ['before', 'open', 'later'])
})

test('an answered write is visible at once, even if a newer one of its company is still open', async () => {
  const { id, call } = await service.company()
  await newCategory(call, 'answered')
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'newer')
    assert.deepEqual(names((await page(call, '')).data), ['answered'])
  })
})

test('an open write delays no other company', async () => {
  const { id } = await service.company()
  const { call } = await service.company()
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'open')
    await newCategory(call, 'theirs')
    assert.deepEqual(names((await page(call, '')).data), ['theirs'])
  })
})

test('a write that is rolled back delays nothing any more, and leaves nothing', async () => {
  const { id, call } = await service.company()
  const undone = service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'undone')
    await newCategory(call, 'later')
    assert.deepEqual((await page(call, '')).data, [])
    throw new Error('undone')
  })
  await assert.rejects(undone, /^Error: undone$/)
  assert.deepEqual(names((await page(call, '')).data), ['later'])
})

test('a reader that begins with after=latest sees a write once that is open then, and nothing older', async () => {
  const { id, call } = await service.company()
  await newCategory(call, 'before')
  const begun = await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'open')
    return page(call, 'after=latest')
  })
  assert.deepEqual([begun.data, begun.hasMore], [[], false])
  assert.deepEqual(names((await readOn(call, begun.nextCursor)).events), ['open'])
})

test('a transaction that writes, rolls back a part and writes again delays its company from its first number on', async () => {
  const { id, call } = await service.company()
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'first')
    await newCategory(call, 'between')
    await transaction.query('savepoint part')
    await writeCategories(transaction, id, 'undone')
    await transaction.query('rollback to savepoint part')
    assert.deepEqual((await page(call, '')).data, [])
    await writeCategories(transaction, id, 'second')
    await newCategory(call, 'last')
    assert.deepEqual((await page(call, '')).data, [])
  })
  assert.deepEqual(names((await page(call, '')).data), ['first', 'between', 'second', 'last'])
})

test('a write under a released savepoint delays its company until its transaction ends', async () => {
  const { id, call } = await service.company()
  await service.database.transaction(async (transaction) => {
    await transaction.query('savepoint part')
    await writeCategories(transaction, id, 'kept')
    await transaction.query('release savepoint part')
    await newCategory(call, 'later')
    assert.deepEqual((await page(call, '')).data, [])
  })
  assert.deepEqual(names((await page(call, '')).data), ['kept', 'later'])
})

test('a writer that is killed after taking a number delays no reader', async () => {
  const { id, call } = await service.company()
  const killed = service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'lost')
    const [row] = await transaction.query('select pg_backend_pid()')
    await newCategory(call, 'later')
    assert.deepEqual((await page(call, '')).data, [])
    await service.database.query('select pg_terminate_backend($1, 5000)', [row?.[0]])
  })
  await assert.rejects(killed)
  assert.deepEqual(names((await page(call, '')).data), ['later'])
})

test('an open write at one server delays its company’s readers at the other', async () => {
  const { id, key, call } = await service.company()
  const other = service.caller({ 'x-api-key': key }, (await service.second()).url)
  await (await service.second()).database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'open')
    await newCategory(call, 'here')
    await newCategory(other, 'there')
    for (const reader of [call, other]) assert.deepEqual((await page(reader, '')).data, [])
  })
  for (const reader of [call, other]) assert.deepEqual(names((await readOn(reader)).events), ['open', 'here', 'there'])
})

const isSharded = testMode() === 'citus' && 'Each statement names one company.'

test('one statement that writes for several companies delays each of them, and each company’s events are in the order of its items', {
  skip: isSharded,
}, async () => {
  const one = await service.company()
  const two = await service.company()
  const named = Array.from({ length: 300 }, (_, n) => `${n}`)
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, [one.id, two.id], ...named)
    for (const { call } of [one, two]) {
      await newCategory(call, 'later')
      assert.deepEqual((await page(call, '')).data, [])
    }
  })
  for (const { call } of [one, two])
    assert.deepEqual(names((await readOn(call, '0', 'limit=100')).events), [...named, 'later'])
})

test('with numbers whose lower half is 7, listeners on a channel are still distinguished from writers', async () => {
  const { id, call } = await service.company()
  const [row] = await service.database.query('select event_position()')
  const at = row?.[0]
  const next = (Math.floor(at / 2 ** 32) + 1) * 2 ** 32 + 7
  // The advisory lock that listen.ts holds, on a channel whose name has the hash of this company.
  await service.database.transaction(async (listener) => {
    await listener.query('select pg_advisory_xact_lock_shared(hashtext($1), 7)', [id])
    await newCategory(call, 'heard')
    assert.deepEqual(names((await page(call, '')).data), ['heard'])
    await service.database.query('select setval($1, $2)', ['event_sequence', next])
    await service.database.transaction(async (transaction) => {
      await writeCategories(transaction, id, 'open')
      await newCategory(call, 'later')
      assert.deepEqual(names((await page(call, '')).data), ['heard'])
    })
    assert.deepEqual(names((await page(call, '')).data), ['heard', 'open', 'later'])
  })
})

test('numbers that exceed 32 bits while a write is open delay the right readers', async () => {
  const { id, call } = await service.company()
  const [row] = await service.database.query('select event_position()')
  const edge = (Math.floor(row?.[0] / 2 ** 32) + 1) * 2 ** 32
  for (const at of [edge - 1, edge - 1 + 2 ** 31]) {
    const before = (await readOn(call)).events.length
    await service.database.query('select setval($1, $2)', ['event_sequence', at])
    await service.database.transaction(async (transaction) => {
      await writeCategories(transaction, id, 'open')
      for (const name of ['a', 'b', 'c']) await newCategory(call, name)
      assert.equal((await readOn(call)).events.length, before)
    })
    assert.deepEqual(names((await readOn(call)).events).slice(before), ['open', 'a', 'b', 'c'])
  }
})

test('a page skips no event whose number a new primary assigns again, also of a write that commits late', async () => {
  const { id, call } = await service.company()
  await newCategory(call, 'before')
  const [row] = await service.database.query('select event_position()')
  const last = row?.[0]
  // The former primary gave numbers to writes that were not kept.
  const assignAfter = (number: number) => service.database.query(`select setval('event_sequence', $1)`, [number])
  await assignAfter(last + 50)
  const isRead = Promise.withResolvers<void>()
  let late: Promise<unknown> | undefined
  /** A failover while the page waits for its turn. */
  const lists = async <T>(_waiter: unknown, work: () => Promise<T>): Promise<T> => {
    await assignAfter(last)
    const begun = Promise.withResolvers<void>()
    late = service.database.transaction(async (transaction) => {
      await writeCategories(transaction, id, 'late')
      begun.resolve()
      await isRead.promise
    })
    await begun.promise
    await newCategory(call, 'at once')
    return work()
  }
  const request = { companyId: id, after: 0, limit: 10, filters: {} }
  const { next, events } = await feedReader(service.database, lists as FairSemaphore).page(request)
  isRead.resolve()
  await late
  const rest = await readOn(call, String(next))
  assert.deepEqual(
    [...names(events.map(({ text }) => JSON.parse(text))), ...names(rest.events)],
    ['before', 'late', 'at once'],
  )
})

const isUnconnected = ({ reason, cause }: Problem): boolean =>
  reason === 'connections_in_use' || /connection timeout/.test(String(cause))

/** Writers that take their numbers and commit at random, or never; returns the names that were committed. */
async function writers(
  database: Database,
  { companyIds, count, goesOn }: { companyIds: string[]; count: number; goesOn: (round: number) => boolean },
) {
  const committed = new Set<string>()
  const write = async (n: number) => {
    for (let round = 0; goesOn(round); round++) {
      const companyId = companyIds[(n + round) % companyIds.length] as string
      const own = Array.from({ length: 1 + ((n + round) % 3) }, (_, part) => `${companyId} ${n} ${round} ${part}`)
      const fate = (n * 7 + round * 3) % 10
      try {
        await database.transaction(async (transaction) => {
          for (const name of own) {
            await writeCategories(transaction, companyId, name)
            // Others take their numbers and commit meanwhile.
            for (let turns = Math.floor(Math.random() * 30); turns > 0; turns--) await turn()
          }
          if (fate === 0) throw new Error('undone')
          if (fate === 1) await transaction.query('select pg_terminate_backend(pg_backend_pid())')
        })
        for (const name of own) committed.add(name)
      } catch (error) {
        // On a loaded machine a writer may wait too long for a free or a new connection: nothing was written then.
        if (error instanceof Problem && isUnconnected(error)) round--
        else if (fate > 1) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: count }, (_, n) => write(n)))
  return committed
}

test('readers at two servers that follow 64 writers, which commit out of order, roll back or are killed, see each committed event once and in order', async (t) => {
  const database = connect(await connectionOf(service), { size: 40 })
  t.after(() => database.close())
  const companies = await Promise.all([service.company(), service.company(), service.company()])
  const { url } = await service.second()
  let isWriting = true
  const pagesRead: number[] = Array(4 * companies.length).fill(0)
  /** Pages with another length each time, until the writers have ended and nothing is left. */
  const follow = async (call: Caller, filter: string, n: number) => {
    const seen: string[] = []
    let last = 0
    for (let cursor = '0'; ; pagesRead[n] = (pagesRead[n] as number) + 1) {
      const wasWriting = isWriting
      const limit = 1 + ((pagesRead[n] as number) % 50)
      const { data, nextCursor, hasMore } = await page(call, `after=${cursor}&limit=${limit}${filter}`)
      for (const { sequence, data: record } of data) {
        assert.ok(sequence > last, `${sequence} came behind ${last}`)
        last = sequence
        seen.push(record.name)
      }
      assert.ok(Number(nextCursor) >= last)
      cursor = nextCursor
      if (!wasWriting && !hasMore) return seen
    }
  }
  const reading = companies.flatMap(({ key, call }, company) =>
    [call, service.caller({ 'x-api-key': key }, url)].flatMap((reader, server) =>
      ['', '&type=category.*&since=2026-01-01'].map((filter, n) =>
        follow(reader, filter, 4 * company + 2 * server + n),
      ),
    ),
  )
  // On a loaded machine the readers may begin when few writes are left; one that fails reads no more.
  const goesOn = (round: number) => round < 8 || (round < 100 && pagesRead.some((pages) => pages < 20))
  const companyIds = companies.map(({ id }) => id)
  const committed = await writers(database, { companyIds, count: 64, goesOn }).finally(() => {
    isWriting = false
  })
  const readers = await Promise.all(reading)
  assert.ok(committed.size > 500)
  readers.forEach((seen, n) => {
    const { id } = companies[Math.floor(n / 4)] as { id: string }
    const own = [...committed].filter((name) => name.startsWith(id))
    assert.equal(new Set(seen).size, seen.length, 'none twice')
    assert.deepEqual(seen.toSorted(), own.toSorted())
    assert.ok((pagesRead[n] as number) >= 20, 'it read while they wrote')
  })
})

test('no event appears below a watermark later, at thousands of commits per second', async (t) => {
  const database = connect({ ...(await connectionOf(service)), statementMs: patience.statementMs }, { size: 9 })
  t.after(() => database.close())
  const { id } = await service.company()
  // In the database itself, so that writers come between any two steps of a reader.
  const write = async (writer: number) => {
    for (let round = 0; round < 8; round++)
      await database.query(`
      do $$ begin
        for n in 1..500 loop
          with begun as materialized (select begin_events('${id}'))
          insert into events (company_id, id, type, created_at, resource, record_id, data)
          select '${id}', '${writer} ${round} ' || n, 'x.created', now(), 'x', 'r', '{}' where (select count(*) from begun) >= 0;
          commit;
        end loop;
      end $$`)
  }
  let isWriting = true
  const writing = Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer))).finally(() => {
    isWriting = false
  })
  const behind =
    'select sequence from events where company_id = $1 and sequence > $2 and sequence <= $3 order by sequence'
  const seen: number[] = []
  let after = 0
  let looks = 0
  for (let wasWriting = true; wasWriting; looks++) {
    wasWriting = isWriting
    const [[upTo] = []] = await database.query('select settled from events_settled(array[$1])', [id])
    const rows = await database.query({ name: 'behind', text: behind }, [id, after, upTo])
    seen.push(...rows.map(([sequence]) => sequence))
    // Up to the watermark, and no further: this reader would miss an event that is added below it.
    after = Math.max(after, upTo)
  }
  await writing
  const all = await database.query('select sequence from events where company_id = $1 order by sequence', [id])
  assert.deepEqual(
    seen,
    all.map(([sequence]) => sequence),
  )
  assert.equal(seen.length, 24_000)
  assert.ok(looks > 10)
})

test('a watermark read while a writer begins does not include that writer’s number', async (t) => {
  const { id, call } = await service.company()
  const [reader, holder] = await Promise.all([service.database.connectAlone(), service.database.connectAlone()])
  t.after(() => Promise.all([reader.end(), holder.end()]))
  // The statement that reads the locks is prolonged: after reading them it waits for the test.
  await reader.query(`
    create function pg_temp.hold() returns boolean language plpgsql as $$ begin perform pg_advisory_lock_shared(424242); return true; end $$;
    create temp view pg_locks as select locks.* from pg_catalog.pg_locks as locks where pg_temp.hold()`)
  // The second lock is that of a writer of another company, so that there is something to read.
  await holder.query('select pg_advisory_lock(424242), pg_advisory_lock_shared(1, 1)')
  const looking = reader.query({ text: 'select settled from events_settled($1)', values: [[id]], rowMode: 'array' })
  await until('it waits', async () => {
    const [row] = await service.database.query(
      `select count(*) from pg_locks where locktype = 'advisory' and not granted`,
    )
    return row?.[0] === 1
  })
  await newCategory(call, 'meanwhile')
  await holder.query('select pg_advisory_unlock(424242)')
  const { rows } = await looking
  const [event] = (await page(call, '')).data
  const [[settled] = []] = rows as unknown as number[][]
  assert.ok(Number(settled) < event?.sequence, `${settled} was promised, ${event?.sequence} came`)
})

test('a transaction locks its company’s events once, for any number of statements; rolling back a savepoint releases its locks', async () => {
  const { id } = await service.company()
  await service.database.transaction(async (transaction) => {
    const begin = () => transaction.query('select begin_events($1)', [id])
    const held = async () => {
      const [row] = await transaction.query(
        `select count(*) from pg_locks where locktype = 'advisory' and objsubid = 2 and pid = pg_backend_pid()
           and classid = (hashtext($1)::bigint & 4294967295)::oid`,
        [id],
      )
      return row?.[0]
    }
    await transaction.query('savepoint part')
    await begin()
    await transaction.query(`select nextval('event_sequence')`)
    await begin()
    assert.equal(await held(), 1)
    await transaction.query('rollback to savepoint part')
    assert.equal(await held(), 0)
    await transaction.query('savepoint part')
    await begin()
    await transaction.query('release savepoint part')
    await transaction.query(`select nextval('event_sequence')`)
    await begin()
    assert.equal(await held(), 1)
  })
})
