// A dump has the whole database as of one moment, whatever is written meanwhile; loaded into another one, everything is as it was, or nothing is there.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { newId } from '../src/core/ids.ts'
import { type Connection, connect, type Database } from '../src/database/connect.ts'
import { type Dumped, writeDump } from '../src/database/dump/dump.ts'
import { DumpReader } from '../src/database/dump/format.ts'
import { type Loaded, loadDump } from '../src/database/dump/load.ts'
import { migrate, newestMigration } from '../src/database/migrate.ts'
import { openDatabase } from '../src/database/open.ts'
import { makeTable, succeeded } from './support/custom-tables.ts'
import { copyDatabase, testConnection } from './support/database.ts'
import { skipOnCluster } from './support/nodes.ts'
import {
  cashwrap,
  cashwrapEach,
  clusterFolder,
  dataFolder,
  emptyDatabase,
  start,
  until,
  urlOf,
} from './support/program.ts'
import { lineOf, shop, stockOf } from './support/sales.ts'
import { serveHere } from './support/served.ts'
import { testService } from './support/service.ts'

const service = testService()

/** The bytes of a database's dump, and what is said of it. */
async function dumped(database: Database, secretKey: string | null = null): Promise<Dumped & { bytes: Buffer }> {
  const chunks: Buffer[] = []
  const write = async (bytes: Buffer) => void chunks.push(Buffer.from(bytes))
  const said = await writeDump(database, { version: '0', secretKey, write, progress: () => {} })
  return { ...said, bytes: Buffer.concat(chunks) }
}

/** Loads a dump, read in pieces of 64 KB. */
function load(connection: Connection, bytes: Buffer): Promise<Loaded> {
  const length = 1 << 16
  const pieces = async function* () {
    for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
  }
  return loadDump(connection, new DumpReader('shops.dump', pieces()), { waits: () => {}, loaded: async () => {} })
}

/** A database without tables, on the same PostgreSQL. */
async function newDatabase(t: Pick<TestContext, 'after'>): Promise<Connection> {
  const admin = connect(testConnection(), { size: 1 })
  const database = `test_${randomBytes(6).toString('hex')}`
  await admin.query(`create database ${database} template template0`)
  t.after(async () => {
    await admin.query(`drop database ${database} with (force)`)
    await admin.close()
  })
  return { ...testConnection(), database }
}

/** A database with tables and without data, with settings of its own. */
async function migratedDatabase(t: Pick<TestContext, 'after'>, ...settings: readonly string[]): Promise<Connection> {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  for (const setting of settings)
    await withConnected(connection, ({ query }) => query(`alter database ${connection.database} ${setting}`))
  return connection
}

async function withConnected<T>(connection: Connection, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect(connection)
  return work(database).finally(() => database.close())
}

/** All that a load changes for a time: indexes, triggers, and the next values of sequences. */
const shapeOf = async ({ query }: Database) => ({
  indexes: await query(
    `select indexdef from pg_indexes where schemaname = 'public' and indexdef !~ '_\\d{8}' order by 1`,
  ),
  triggers: await query(
    'select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2',
  ),
  sequences: await query('select sequencename, last_value from pg_sequences order by 1'),
})

/** The hostile values of a text: what COPY escapes, and what looks like the end of a table. */
const hostile = ['\\.', 'a\\b\n\\.\n\\N\t"', '\u2028😀 Ünï', '{"table":"orders"}']

test('a loaded database has every row, index and trigger of the dumped one, and serves its keys', {
  skip: skipOnCluster,
}, async (t) => {
  const { key, call } = await service.company()
  const { outletId, variantId } = await shop(call)
  succeeded(
    await call('POST', '/v1/sale', { outletId, ...lineOf(variantId), payments: [{ paymentMethod: 'card' }] }),
    201,
  )
  for (const firstName of hostile) succeeded(await call('POST', '/v1/customer', { firstName }), 201)
  await (await makeTable(call, { reason: 'string' }, 'visits')).row({ reason: hostile[1] as string })
  const { bytes, manifest, rows } = await dumped(service.database, 'fingerprint')
  assert.deepEqual([manifest.secretKey, manifest.migration], ['fingerprint', await newestMigration()])
  assert.deepEqual([rows.orders, rows.customers, rows.migrations], [1, hostile.length, undefined])

  const connection = await migratedDatabase(t, `set datestyle = 'SQL, DMY'`, `set timezone = 'Asia/Tokyo'`)
  assert.deepEqual((await load(connection, bytes)).rows, rows)
  const before = await shapeOf(service.database)
  await withConnected(connection, async (database) => {
    assert.deepEqual(await shapeOf(database), before)
    const again = await dumped(database, 'fingerprint')
    assert.deepEqual(again.rows, rows)
    const contents = (dump: Buffer) => dump.toString().split('\n').slice(1)
    assert.deepEqual(contents(again.bytes).slice(0, -2), contents(bytes).slice(0, -2))
  })

  const served = await serveHere(t, connection)
  const there = service.caller({ 'x-api-key': key }, served.url)
  const names = async (caller: typeof there) =>
    succeeded(await caller('GET', '/v1/customers')).data.map(({ firstName }: { firstName: string }) => firstName)
  assert.deepEqual((await names(there)).toSorted(), hostile.toSorted())
  // Triggers fill the columns that lists filter by; events go on.
  succeeded(
    await there('POST', '/v1/sale', { outletId, ...lineOf(variantId), payments: [{ paymentMethod: 'card' }] }),
    201,
  )
  assert.deepEqual([await stockOf(there, variantId), await stockOf(call, variantId)], [8, 10])
  succeeded(await there('POST', '/v1/customer', { externalId: 'new' }), 201)
  assert.equal(succeeded(await there('GET', '/v1/customers?externalId=new')).meta.count, 1)
  assert.equal((await there('GET', '/v1/orders?count=true')).body.meta.count, 2)
})

test('a dump is read right in pieces of any length', { skip: skipOnCluster }, async () => {
  const { bytes, rows } = await dumped(service.database)
  for (const length of [1, 2, 3, 5, 4096]) {
    const pieces = async function* () {
      for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
    }
    const reader = new DumpReader('shops.dump', pieces())
    const { tables } = await reader.manifest()
    const lines: Record<string, number> = {}
    for (const { name } of tables) {
      await reader.table(name)
      let read = ''
      for await (const piece of reader.rows()) read += piece.toString('latin1')
      lines[name] = read.split('\n').length - 1
    }
    assert.deepEqual(lines, rows)
    await reader.end(rows)
  }
})

test('a dump that is cut off, changed, of a newer version or something else loads nothing, and the right one loads afterwards', {
  skip: skipOnCluster,
}, async (t) => {
  const { call } = await service.company()
  succeeded(await call('POST', '/v1/customer', { firstName: 'Beatrice' }), 201)
  const { bytes, rows } = await dumped(service.database)
  const text = bytes.toString('latin1')
  const connection = await migratedDatabase(t)
  const changedTo = (from: string | RegExp, to: string) => Buffer.from(text.replace(from, to), 'latin1')
  const wrong: [Buffer, RegExp][] = [
    [bytes.subarray(0, -1), /cut off/],
    [bytes.subarray(0, bytes.length / 2), /cut off/],
    [changedTo('Beatrice', 'Beatrix!'), /changed or damaged/],
    [changedTo('"Beatrice"', '"Beatrice'), /changed or damaged: PostgreSQL refuses a row of customers: invalid input/],
    [Buffer.concat([bytes, bytes]), /changed or damaged/],
    [changedTo(/"format":\d+/, '"format":99'), /format 99 of a newer version/],
    [changedTo(/"partitions"/, '"x"'), /changed or damaged/],
    [changedTo(/"migration":\d+/, '"migration":9999'), /newer version of Cashwrap .*9999/],
    [changedTo('"name":"accounts"', '"name":"migrations"'), /does not have: migrations/],
    [changedTo('"name":"accounts"', '"name":"pg_authid\\""'), /does not have: pg_authid"/],
    [changedTo(/FOR VALUES FROM/, 'default; drop table orders; --'), /invalid bounds/],
    [Buffer.from('PGDMP\n'), /not a dump/],
    [Buffer.alloc(0), /cut off/],
    [randomBytes(10_000_000), /not a dump/],
  ]
  for (const [dump, expected] of wrong) await assert.rejects(load(connection, dump), expected)
  const company = () => withConnected(connection, ({ query }) => query('select count(*)::int from companies'))
  assert.deepEqual(await company(), [[0]])
  assert.deepEqual((await load(connection, bytes)).rows, rows)
  // It has data now.
  await assert.rejects(load(connection, bytes), /already contains companies or users/)
  assert.deepEqual(await company(), [[rows.companies]])
})

test('a dump of an earlier version gets the migrations since then', { skip: skipOnCluster }, async (t) => {
  const target = await newDatabase(t)
  const earlier = (await newestMigration()) - 1
  // As after a load that was stopped between two migrations.
  await withConnected(target, (database) => migrate(database, () => {}, earlier - 40))
  const { connection: source, drop } = await copyDatabase(target.database)
  t.after(drop)
  const { bytes, companyId } = await withConnected(source, async (database) => {
    await migrate(database, () => {}, earlier)
    // The code of this version may write columns that the earlier one does not have.
    const companyId = newId()
    await database.query(
      `with organization as (
         insert into organizations (id, name, created_at, updated_at) values ($1, 'Old', now(), now()) returning id
       )
       insert into companies (id, organization_id, name, created_at, updated_at)
       select $2, id, 'Old Shop', now(), now() from organization`,
      [newId(), companyId],
    )
    return { companyId, ...(await dumped(database)) }
  })
  const newer = await migratedDatabase(t)
  await assert.rejects(load(newer, bytes), /has no data, but its tables are those of migration/)
  assert.equal((await load(target, bytes)).manifest.migration, earlier)
  const migrated: string[] = []
  const database = await openDatabase(
    target,
    () => {},
    (names) => migrated.push(...names),
  )
  t.after(() => database.close())
  assert.equal(migrated.length, 1)
  assert.deepEqual(await database.query('select id from companies'), [[companyId]])
})

test('what others drop or rewrite waits for the end of a dump, which has all rows of its snapshot', {
  skip: skipOnCluster,
}, async () => {
  const { call } = await service.company()
  succeeded(await call('POST', '/v1/customer', { firstName: 'Ada' }), 201)
  const { query, transaction } = service.database
  const [[partition, count]] = (await query(
    'select tableoid::regclass::text, count(*)::int from events group by tableoid order by 2 desc',
  )) as [[string, number]]
  const drop = () =>
    transaction(async ({ query }) => {
      await query(`set local lock_timeout = '50ms'`)
      await query(`drop table ${partition}`)
    })
  let tries = 0
  const write = async () => {
    if (tries++ === 0) await assert.rejects(drop(), { code: '55P03' })
  }
  const { rows } = await writeDump(service.database, { version: '0', secretKey: null, write, progress: () => {} })
  assert.ok((rows.events as number) >= count)
})

test('tables, sequences and indexes of the operator are not in a dump, and a load leaves them as they are', {
  skip: skipOnCluster,
}, async (t) => {
  const source = await migratedDatabase(t)
  const target = await newDatabase(t)
  const own = `
    create table bills (number serial primary key, note text); create index bills_by_note on bills (note);
    create table days (day date) partition by range (day); create table day1 partition of days for values from ('2026-01-01') to ('2026-01-02');
    create table "Odd" (id integer generated always as identity); insert into bills (note) values ('a'), ('b')`
  const { bytes, manifest } = await withConnected(source, async (database) => {
    await database.query(own)
    return dumped(database)
  })
  assert.ok(manifest.tables.every(({ name }) => name !== 'bills' && name !== 'Odd'))
  await withConnected(target, ({ query }) => query(own.replace(`('a'), ('b')`, `('mine')`)))
  await load(target, bytes)
  await withConnected(target, async ({ query }) => {
    assert.deepEqual(await query('select * from bills'), [[1, 'mine']])
    assert.deepEqual(await query(`select nextval('bills_number_seq')::int`), [[2]])
  })
})

test('the commands: a file that only its owner reads, a pipe, what they print, and what they refuse', {
  skip: skipOnCluster,
}, async (t) => {
  const folder = await dataFolder(t)
  const file = join(folder, 'shops.dump')
  const environment = await emptyDatabase(t)
  const made = await cashwrap(
    ['organization', 'create', '--name', 'Acme', '--owner-email', 'a@example.com', '--json'],
    environment,
  )
  assert.equal(made.code, 0, made.stderr)
  const [first, second, into, unwritten] = await cashwrapEach(
    [
      ['dump', file, '--json'],
      ['dump', file],
      ['load', file],
      ['dump', join(folder, 'none', 'shops.dump')],
    ],
    environment,
  )
  const bytes = await readFile(file)
  const said = JSON.parse(first?.stdout ?? '')
  assert.equal(said.tables.organizations, 1)
  assert.equal(
    said.sha256,
    createHash('sha256')
      .update(bytes.subarray(0, bytes.lastIndexOf(10, -2) + 1))
      .digest('hex'),
  )
  assert.match(second?.stderr ?? '', /exists already/)
  assert.match(into?.stderr ?? '', /already contains/)
  assert.match(unwritten?.stderr ?? '', /none\/shops\.dump cannot be written: there is no such folder\.\n$/)
  assert.deepEqual([second?.code, into?.code, unwritten?.code], [1, 1, 1])

  const piped = start(['dump', '-'], environment)
  assert.equal((await piped.ended).code, 0)
  assert.equal(piped.written.stdout.split('\n').length, bytes.toString().split('\n').length)
  const target = { CASHWRAP_DATA: await clusterFolder(t) }
  const loaded = JSON.parse((await cashwrap(['load', file, '--json'], target)).stdout)
  assert.deepEqual(loaded.tables, said.tables)
  // No other system is called before `resume`.
  const resumed = await cashwrap(['resume'], target)
  assert.equal(resumed.code, 0)
  assert.doesNotMatch(resumed.stdout, /not silent|Nothing/)
})

test('a load that is killed leaves a database without data, which takes the dump again', {
  skip: skipOnCluster,
}, async (t) => {
  await service.company()
  const { bytes, rows } = await dumped(service.database)
  const connection = await migratedDatabase(t)
  // It gives half of the dump, and never ends.
  const pipe = join(await dataFolder(t), 'half.dump')
  await promisify(execFile)('mkfifo', [pipe])
  const { child, ended, written } = start(['load', pipe], { DATABASE_URL: urlOf(connection) })
  t.after(() => child.kill('SIGKILL'))
  const writer = await open(pipe, 'w')
  await writer.write(bytes.subarray(0, bytes.length / 2))
  // Asked in another database: a load refuses to begin while another session is at work in its own.
  const copying = `select count(*)::int from pg_stat_activity where datname = $1 and query like 'copy %'`
  const sessions = async () => (await service.database.query(copying, [connection.database]))[0]?.[0] as number
  await until('rows are copied', async () => {
    assert.equal(written.stderr, '')
    return (await sessions()) === 1
  })
  child.kill('SIGKILL')
  await ended
  await writer.close()
  await until('PostgreSQL has noticed', async () => (await sessions()) === 0)
  await withConnected(connection, async ({ query }) => {
    assert.deepEqual(await query('select count(*)::int from companies'), [[0]])
  })
  assert.deepEqual((await load(connection, bytes)).rows, rows)
})

test('a load that fails ends at once, also while the writer of its pipe lives on', {
  skip: skipOnCluster,
}, async (t) => {
  const connection = await newDatabase(t)
  const pipe = join(await dataFolder(t), 'no.dump')
  await promisify(execFile)('mkfifo', [pipe])
  const { child, ended } = start(['load', pipe], { DATABASE_URL: urlOf(connection) })
  t.after(() => child.kill('SIGKILL'))
  const writer = await open(pipe, 'w')
  t.after(() => writer.close())
  await writer.write('no dump\n')
  const { code, stderr } = await ended
  assert.match(stderr, /no\.dump is not a dump of Cashwrap/)
  assert.equal(code, 1)
})

test('a dump that is stopped leaves no file', { skip: skipOnCluster }, async (t) => {
  const folder = await dataFolder(t)
  const environment = await emptyDatabase(t)
  const connection = { connectionString: environment.DATABASE_URL as string }
  await withConnected(connection, async (database) => {
    const blocking = await database.connectAlone()
    t.after(() => blocking.end())
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      // The dump waits for this table, with its file begun.
      await blocking.query('begin; lock table users')
      const { child, ended } = start(['dump', join(folder, 'shops.dump')], environment)
      await until('the file is begun', async () => (await readdir(folder)).length === 1)
      child.kill(signal)
      assert.equal((await ended).signal, signal)
      assert.deepEqual(await readdir(folder), [])
      await blocking.query('rollback')
    }
  })
})
