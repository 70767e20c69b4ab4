// Migrations of a database in use: they wait for open transactions, and no request waits behind them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isMigrated, migrate, newestMigration } from '../src/database/migrate.ts'
import { openDatabase } from '../src/database/open.ts'
import { connectedCopy } from './support/database.ts'
import { skipOnCluster } from './support/nodes.ts'
import { until, urlOf } from './support/program.ts'

const name = '0043_phone_digits.sql'

test('a migration that waits for an open transaction says so and delays no writer; of two programs one applies it', {
  skip: skipOnCluster,
}, async (t) => {
  const { database } = await connectedCopy(t, 3)
  await database.query('drop index customers_phone_digits, accounts_phone_digits')
  await database.query(`delete from migrations where name = '${name}'`)
  const reported: string[] = []
  const run = () => migrate(database, (message) => reported.push(message))
  const write = (id: string) =>
    database.query(`insert into customers (company_id, id, version, body) values ('c', $1, 1, $2)`, [
      id,
      JSON.stringify({ id, createdAt: '', updatedAt: '', companyId: 'c', isDeleted: false }),
    ])
  let both: Promise<string[][]> | undefined
  let blocker: unknown
  await database.transaction(async (open) => {
    await open.query('lock table customers in row exclusive mode')
    blocker = (await open.query('select pg_backend_pid()'))[0]?.[0]
    both = Promise.all([run(), run()])
    await until('both wait', () => reported.length === 2)
    for (const id of ['a', 'b']) await write(id)
  })
  assert.deepEqual((await both)?.toSorted(), [[], [name]])
  const waits = reported.filter((message) => message.includes(name) && message.includes('pg_stat_activity'))
  assert.equal(waits.length, 1)
  assert.match(
    String(waits),
    new RegExp(`oldest open transaction is that of process ${blocker} \\(cashwrap, cashwrap\\), since 20`),
  )
  assert.equal(reported.filter((message) => message.includes('another program')).length, 1)
})

test('a migration does not wait for a transaction that has read which ones were applied, such as a dump, and servers stay ready', {
  skip: skipOnCluster,
}, async (t) => {
  const { database } = await connectedCopy(t, 3)
  const last = '0076_prices_and_rates_of_lines.sql'
  await database.query(`delete from migrations where name = '${last}'`)
  await database.transaction(async (open) => {
    await open.query('select count(*) from migrations')
    assert.deepEqual(await Promise.race([migrate(database), delay(20_000)]), [last])
    assert.equal(await isMigrated(database), true)
  })
})

test('a migration that fails is named, and leaves the database as it was', async (t) => {
  const { connection, database } = await connectedCopy(t, 1)
  // The table already has the column that the migration adds, as if somebody had added it by hand.
  await database.query(`delete from migrations where name = '0066_former_secrets.sql'`)
  await assert.rejects(openDatabase(connection), {
    name: 'OperatorError',
    message:
      /: migration 0066_former_secrets\.sql failed and changed nothing: column "former_secret" .* already exists\.$/,
  })
  assert.equal(await isMigrated(database), false)
})

test('an up-to-date database is opened without waiting, also while another program holds the lock of migrations', {
  skip: skipOnCluster,
}, async (t) => {
  const { database } = await connectedCopy(t, 2)
  const messages: string[] = []
  await database.transaction(async (other) => {
    await other.query('select pg_advisory_xact_lock(7270115401)')
    assert.deepEqual(await migrate(database, (message) => messages.push(message)), [])
  })
  assert.deepEqual(messages, [])
})

test('a server starts on the schema of a newer version only if the newer migrations allow that; a running one keeps serving', async (t) => {
  const { database } = await connectedCopy(t, 1)
  const newest = await newestMigration()
  const newer = (number: number, oldest: number | null) =>
    database.query(`insert into migrations (number, name, oldest_server) values ($1, 'newer', $2)`, [number, oldest])
  await newer(newest + 1, newest)
  await newer(newest + 2, newest - 1)
  assert.deepEqual(await migrate(database), [])
  await newer(newest + 3, newest + 1)
  await assert.rejects(migrate(database), /created by a newer version/)
  assert.equal(await isMigrated(database), true)
  await database.query('delete from migrations where number > $1', [newest])
  await newer(newest + 1, null)
  await assert.rejects(migrate(database), /created by a newer version/)
  // A version before this rule has no column for it.
  await database.query('alter table migrations drop column oldest_server')
  await assert.rejects(migrate(database), /created by a newer version/)
  await database.query('delete from migrations where number > $1', [newest])
  assert.deepEqual(await migrate(database), [])
})

test('companies that use reports have sums of a new format before their next request, and a cursor that exists stays', async (t) => {
  const { database } = await connectedCopy(t, 1)
  const asked = '2026-11-01T09:00:00.000Z'
  const insert = (company: string, format: number, position: number) =>
    database.query('insert into sum_cursors (company_id, format, position, asked_at) values ($1, $2, $3, $4)', [company, format, position, asked]) // biome-ignore format: one thought
  await insert('one', 2, 7)
  await insert('two', 2, 7)
  await insert('two', 3, 9)
  await database.query("delete from migrations where name = '0091_sums_of_fine_amounts.sql'")
  assert.deepEqual(await migrate(database), ['0091_sums_of_fine_amounts.sql'])
  const now =
    'select company_id, position, has_unread, asked_at = $1 from sum_cursors where format = 3 order by company_id'
  assert.deepEqual(await database.query(now, [asked]), [['one', null, true, true], ['two', 9, true, true]]) // biome-ignore format: one thought
  assert.deepEqual(await database.query('select position from sum_cursors where format = 2'), [[7], [7]])
})

test('stock by product, variant and outlet: levels of existing variants get their product, all others stay; statements of the previous version still work', {
  skip: skipOnCluster,
}, async (t) => {
  const { database } = await connectedCopy(t, 3)
  // As the previous version left it.
  await database.query('drop function inventories_one_level cascade')
  await database.query('drop index inventories_tuple')
  await database.query('create unique index inventories_live on inventories (company_id, variant_id, outlet_id) where not is_deleted') // biome-ignore format: one thought
  await database.query("delete from migrations where name = '0017_stock_by_tuple.sql'")
  const time = '2026-11-01T09:00:00.000Z'
  const insert = (table: string, companyId: string, body: { id: string }) =>
    database.query(`insert into ${table} (company_id, id, body) values ($1, $2, $3)`, [companyId, body.id, JSON.stringify(body)]) // biome-ignore format: one thought
  const level = (id: string, productId: string | undefined, variantId: string, outletId: string, isDeleted = false) =>
    ({ id, productId, variantId, outletId, stock: 2.5, isDeleted, createdAt: time, updatedAt: time, companyId: 'one' }) // biome-ignore format: one thought
  await insert('variants', 'one', { id: 'v', productId: 'p "1"', createdAt: time, updatedAt: time } as { id: string })
  const others = [
    level('right', 'p "1"', 'v', 'a'),
    level('deleted', 'q', 'v', 'b', true),
    level('opaque', 'q', 'default', 'a'),
    level('without', undefined, 'default', 'b'),
  ]
  for (const one of [...others, level('wrong', 'q', 'v', 'b'), level('none', undefined, 'v', 'c')])
    await insert('inventories', 'one', one)
  await insert('inventories', 'two', level('theirs', 'q', 'v', 'a'))

  assert.deepEqual(await migrate(database), ['0017_stock_by_tuple.sql'])
  const stored = async (id: string) => {
    const [row] = await database.query('select body, version, product_id from inventories where id = $1', [id])
    return { text: row?.[0] as string, version: row?.[1], productId: row?.[2] }
  }
  for (const one of [...others, level('theirs', 'q', 'v', 'a')])
    assert.deepEqual(await stored(one.id), { text: JSON.stringify(one), version: 1, productId: one.productId ?? '' })
  for (const one of [level('wrong', 'q', 'v', 'b'), level('none', undefined, 'v', 'c')]) {
    const { text, version, productId } = await stored(one.id)
    const { updatedAt } = JSON.parse(text)
    assert.match(updatedAt, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(updatedAt > time)
    const { id, productId: _, ...rest } = one
    assert.equal(text, JSON.stringify({ id, productId: 'p "1"', ...rest, updatedAt }))
    assert.deepEqual([version, productId], [2, 'p "1"'])
  }

  // How the previous version inserts, looks up and writes levels, word for word except for the events.
  const inserted = (...levels: ReturnType<typeof level>[]) =>
    database.query(
      `with item as materialized (
        select * from rows from (unnest($1::text[]), unnest($2::text[]), json_array_elements($3::json)) with ordinality
          as item(company_id, id, body, number)
      ), written as (insert into inventories (company_id, id, body) select company_id, id, body from item on conflict do nothing returning company_id, id)
      select id from written order by id`,
      [levels.map(() => 'one'), levels.map(({ id }) => id), JSON.stringify(levels)],
    )
  assert.deepEqual(await inserted(level('new', 'p', 'other', 'a'), level('again', 'q', 'default', 'a')), [['new']])
  assert.deepEqual(await inserted(level('second', 'r', 'default', 'a')), [['second']])
  const refused = (error: { code?: string }) => error.code === '23505'
  await assert.rejects(inserted(level('third', 'r', 'v', 'a')), refused)
  const looked = await database.query(
    `select stored.id, stored.version from unnest($1::text[], $2::text[], $3::text[]) as item(company_id, variant_id, outlet_id)
     join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
       and stored.outlet_id = item.outlet_id and not stored.is_deleted
     order by stored.company_id, stored.id for update of stored`,
    [['one', 'one'], ['v', 'default'], ['b', 'a']], // biome-ignore format: one thought
  )
  assert.deepEqual(looked, [['opaque', 1], ['second', 1], ['wrong', 2]]) // biome-ignore format: one thought
  const replaced = (one: ReturnType<typeof level>, version: number) =>
    database.query(
      `update inventories as stored set body = $3, version = stored.version + 1
       where stored.company_id = $1 and stored.id = $2 and stored.version = $4 returning id`,
      ['one', one.id, JSON.stringify(one), version],
    )
  // It does not overwrite what it read before the migration; it stores another product as before.
  assert.deepEqual(await replaced(level('wrong', 'q', 'v', 'b'), 1), [])
  assert.deepEqual(await replaced(level('wrong', 'q', 'v', 'b'), 2), [['wrong']])
  await assert.rejects(replaced(level('wrong', 'q', 'v', 'a'), 3), refused)
  await assert.rejects(replaced(level('second', 'q', 'default', 'a'), 1), refused)
})

test('a role that does not own the tables is told what it lacks, and who has it', async (t) => {
  const { connection, database } = await connectedCopy(t, 1)
  const role = `limited_${Date.now()}`
  await database.query(`create role ${role}`)
  try {
    await assert.rejects(openDatabase({ connectionString: `${urlOf(connection)}&options=-c%20role%3D${role}` }), {
      name: 'OperatorError',
      message:
        /^The user of DATABASE_URL lacks a privilege in .* \(permission denied .*\)\. Name the owner of the database and its tables in DATABASE_URL, or grant the privilege\.$/,
    })
  } finally {
    await database.query(`drop role ${role}`)
  }
})
