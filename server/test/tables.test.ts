// Each resource has the table, the columns and the indexes that its lists need; missing ones are printed as the SQL of a migration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type Database } from '../src/database/connect.ts'
import { dateTime, decimal, description, list, name, required } from '../src/engine/field.ts'
import { type Resource, resource } from '../src/engine/resource.ts'
import { closing } from '../src/resources/closing.ts'
import { resources } from '../src/resources/index.ts'
import { inventoryHistory } from '../src/resources/inventory-history.ts'
import { copyDatabase } from './support/database.ts'
import { missingOf, type Table } from './support/tables.ts'

/** What each resource is missing in the database. */
async function missing(database: Database, of: readonly Resource[]) {
  const columns = await database.query(
    "select table_name::text, array_agg(column_name::text) from information_schema.columns where table_schema = 'public' group by 1",
  )
  const indexes = await database.query('select tablename::text, array_agg(indexdef) from pg_indexes group by 1')
  const indexesOf = new Map(indexes as unknown as [string, string[]][])
  const tables = new Map(
    (columns as unknown as [string, string[]][]).map(([name, columns]): [string, Table] => [
      name,
      { columns, indexes: indexesOf.get(name) ?? [] },
    ]),
  )
  const each = of.map((resource) => missingOf(resource, tables.get(resource.table)))
  return [each.flatMap(({ next }) => next), each.flatMap(({ after }) => after)].filter(({ length }) => length > 0)
}

test('the migrations create what the lists of each resource filter, search and sort by', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 1 })
  t.after(() => database.close().finally(drop))
  const files = await missing(database, resources)
  const what =
    files.length > 1
      ? 'the SQL above --- under the next number, and the SQL below it under the one after. Leave out the update of a member that is new. Begin both files'
      : 'this SQL under the next number. Begin the file'
  assert.ok(
    files.length === 0,
    `Lists need more than the migrations make. In server/src/database/migrations, save ${what} with a sentence that says why, and the line "-- Oldest server" of the newest migration:\n\n${files.map((statements) => statements.join('\n')).join('\n\n---\n\n')}\n`,
  )
})

test('a declaration whose lists would compare a text that is too long for an index is refused', () => {
  for (const list of [{ exact: ['notes'] }, { sort: ['notes'] }] as const)
    assert.throws(
      () =>
        resource({
          name: { one: 'voucher', many: 'vouchers' },
          title: 'Vouchers',
          description: 'What is declared by this test.',
          fields: { notes: description() },
          remove: 'hard',
          list,
          styleA: null,
          styleB: null,
          example: {},
        }),
      /cannot compare notes of voucher/,
    )
})

test('the printed SQL creates a table, and adds members to one without rewriting all its rows, also if some rows already have them', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 1 })
  t.after(() => database.close().finally(drop))
  const voucher = (abilities: Pick<Resource['list'], 'sort' | 'search' | 'exact' | 'any' | 'range'>) =>
    resource({
      name: { one: 'voucher', many: 'vouchers' },
      title: 'Vouchers',
      description: 'What is declared by this test.',
      fields: {
        code: required(name()),
        text: description(),
        value: decimal(),
        tags: list(name()),
        brand: name(),
        endsAt: dateTime(),
      },
      unique: ['code'],
      remove: 'soft',
      list: abilities as object,
      styleA: null,
      styleB: { one: 'voucher', many: 'vouchers' },
      example: { code: 'V-1' },
    })
  const apply = async (of: Resource) => {
    const files = await missing(database, [of])
    for (const statement of files.flat()) await database.query(statement)
    assert.deepEqual(await missing(database, [of]), [])
    return files
  }
  const few = { sort: ['value'], search: ['text'], exact: [], any: ['tags'], range: [] }
  assert.equal((await apply(voucher(few))).length, 1)
  const write = (id: string, body: object) =>
    database.query('insert into vouchers (company_id, id, body) values ($1, $2, $3)', [
      'one',
      id,
      JSON.stringify({ createdAt: 'now', updatedAt: 'now', isDeleted: false, ...body }),
    ])
  await write('a', { code: 'A', brand: 'Acme' })
  const file = async () => (await database.query("select pg_relation_filenode('vouchers')")).flat()
  const before = await file()
  const more = { ...few, sort: ['value', 'code'], search: ['text', 'brand'], exact: ['brand'], range: ['endsAt'] }
  assert.equal((await apply(voucher(more))).length, 2)
  await write('b', { code: 'B', brand: 'Best', endsAt: 'then' })
  assert.deepEqual(await file(), before)
  assert.deepEqual(await database.query('select id, code, brand, ends_at from vouchers order by id'), [
    ['a', 'A', 'Acme', ''],
    ['b', 'B', 'Best', 'then'],
  ])
  await assert.rejects(write('c', { code: 'B' }), 'The code is there already.')
})

test('PostgreSQL renews the statistics of a table once a fiftieth of its records has changed, so that lists of a new company are planned well', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 1 })
  t.after(() => database.close().finally(drop))
  const renewed = await database.query(
    `select relname::text from pg_class where relnamespace = 'public'::regnamespace and reloptions @> '{autovacuum_analyze_scale_factor=0.02}'`,
  )
  const tables = [...resources, closing, inventoryHistory].map(({ table }) => table)
  assert.deepEqual([...tables, 'closing_records'].toSorted(), renewed.flat().toSorted())
})
