// The role of row-level security and its views: it can do nothing else, and starts and migrations leave each table with a company its views.
import assert from 'node:assert/strict'
import { test as run, type TestContext } from 'node:test'
import { queryable } from '../src/database/alone.ts'
import { applyMigration } from '../src/database/migrate.ts'
import { gatheredSchema, rowSchema } from '../src/database/row-security/names.ts'
import { setUpRowSecurity } from '../src/database/row-security/set-up.ts'
import { dropRowViews, viewSchemas } from '../src/database/row-security/views.ts'
import { succeeded } from './support/custom-tables.ts'
import { skipOnCluster } from './support/nodes.ts'
import { until } from './support/program.ts'
import { connectAsOwner, connectionOf, reach, rolesOf, ways } from './support/row-security.ts'
import { testService, testSettings } from './support/service.ts'

const service = testService({ rowSecurity: true, mode: undefined })
const roleOf = rolesOf(service)

const skip = skipOnCluster && 'row-level security is off where tables are distributed'
const test = (name: string, work: (t: TestContext) => Promise<void>) => run(name, { skip }, work)

test('the role can neither get past its views, nor become another role, nor use a table itself', async (t) => {
  const [own, other] = await Promise.all([service.company(), service.company()])
  const role = await roleOf(t)
  const [partition] = await service.database.query(
    `select inhrelid::regclass::text from pg_inherits where inhparent = 'events'::regclass limit 1`,
  )
  const [owner] = await service.database.query('select quote_ident(current_user), quote_ident($1)', [role.user])
  const [ownerName, roleName] = owner as [string, string]
  const refused = [
    'select from public.customers',
    'update public.customers set version = 0',
    `create or replace view ${rowSchema}.companies as select * from public.companies`,
    ...viewSchemas.flatMap((schema) => [
      `alter view ${schema}.customers owner to ${roleName}`,
      `drop view ${schema}.customers`,
      `create function ${schema}.lower(text) returns text language sql as 'select $1'`,
    ]),
    'create table public.mine (id text)',
    `alter role ${roleName} bypassrls`,
    `alter role ${roleName} superuser`,
    `grant ${ownerName} to ${roleName}`,
    `set role ${ownerName}`,
    `set session authorization ${ownerName}`,
    'select from users',
    'select from sign_ins',
    'select from migrations',
    'truncate customers',
    'delete from organizations',
    `select from public.${partition?.[0]}`,
  ]
  for (const statement of refused)
    await assert.rejects(
      role.query(statement),
      ({ code }: { code?: string }) => code === '42501' || code === '42809',
      statement,
    )
  // A row of another company is refused too, also one that is there.
  for (const way of ways) {
    await role.query('begin')
    await way(role, own.id)
    for (const statement of [
      `insert into sum_cursors (company_id, format) values ('${other.id}', 1)`,
      `insert into companies select * from companies on conflict (id) do update set id = 'another'`,
      `update companies set id = 'another'`,
    ]) {
      await role.query('savepoint before')
      await assert.rejects(role.query(statement), ({ code }: { code?: string }) => code === '44000', statement)
      await role.query('rollback to before')
    }
    await role.query('rollback')
  }
})

test('without a setting nothing is read, and a setting ends with its transaction', async (t) => {
  const { id, call } = await service.company()
  succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const role = await roleOf(t)
  for (const [n, schema] of viewSchemas.entries()) {
    const count = async () => (await role.query(`select count(*)::int as all from ${schema}.customers`)).rows[0].all
    assert.equal(await count(), 0)
    await role.query('begin')
    await ways[n]?.(role, id)
    assert.equal(await count(), 1)
    await role.query('commit')
    assert.equal(await count(), 0)
  }
})

/** What a view selects, without the end of its condition. */
const definitionOf = async (view: string): Promise<string> =>
  (await service.database.owner.query(`select rtrim(pg_get_viewdef($1::regclass), ';')`, [view]))[0]?.[0]

/** Makes what is missing, as the start of a server does. */
async function raiseAgain(how: Parameters<typeof setUpRowSecurity>[3]) {
  const connection = await connectionOf(service.database)
  const result = await setUpRowSecurity(service.database.owner, connection, testSettings.secretKeys, how)
  return 'login' in result ? result.login.user : result
}

test('a start repairs views, rights and the role, and does not use the role while everybody has a right to a table', async (t) => {
  const role = await roleOf(t)
  const user = role.user as string
  const { owner } = service.database
  const isLacking = async (change: string, lacks: string) => {
    const ask = async () => (await owner.query(`select ${lacks}`))[0]?.[0]
    await owner.query(change)
    assert.equal(await ask(), true, lacks)
    assert.equal(await raiseAgain({ tries: 1 }), user)
    assert.equal(await ask(), false, lacks)
  }
  const view = `${rowSchema}.customers`
  const columns = `columns.column_name from information_schema.columns where table_name = 'customers'`
  for (const each of [view, `${gatheredSchema}.customers`])
    await isLacking(`drop view ${each}`, `to_regclass('${each}') is null`)
  await isLacking(
    `create or replace view ${view} as ${await definitionOf(view)} or true`,
    `pg_get_viewdef('${view}'::regclass) like '% true)%' and pg_get_viewdef('${view}'::regclass) like '% OR %'`,
  )
  await isLacking(
    `alter view ${view} reset (check_option)`,
    `reloptions is null from pg_class where oid = '${view}'::regclass`,
  )
  await isLacking(
    `alter table customers add column added text`,
    `not exists (select ${columns} and table_schema = '${rowSchema}' and column_name = 'added')`,
  )
  await isLacking(`revoke update on ${view} from ${user}`, `not has_table_privilege('${user}', '${view}', 'update')`)
  await isLacking(`grant select on users to ${user}`, `has_table_privilege('${user}', 'users', 'select')`)
  await isLacking(
    `revoke execute on function begin_events(text) from public, ${user}`,
    `not has_function_privilege('${user}', 'begin_events(text)', 'execute')`,
  )
  await isLacking(
    `revoke usage on all sequences in schema public from ${user}`,
    `not bool_and(has_sequence_privilege('${user}', oid, 'usage')) from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`,
  )
  await isLacking(
    `alter role ${user} set search_path = public`,
    `not exists (select from pg_roles where rolname = '${user}' and 'search_path=cashwrap_rows, public' = any (rolconfig))`,
  )
  // What everybody has cannot be taken from one role.
  await owner.query('grant select on users to public')
  assert.match(
    JSON.stringify(await raiseAgain({ tries: 1 })),
    /other roles have rights that only \w+ may have \(revoke all on users/,
  )
  await owner.query('revoke select on users from public; alter table customers drop column added cascade')
  assert.equal(await raiseAgain({ tries: 1 }), user)
})

test('after a migration the role’s views match the tables, also where a column was dropped', async (t) => {
  const { id, call } = await service.company()
  succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const role = await roleOf(t)
  const migrating = await connectAsOwner(service.database)
  t.after(() => migrating.end())
  const read = async (columns: string) => {
    await role.query('begin')
    await reach(role, id)
    const { rows } = await role.query(`select ${columns} from customers`).finally(() => role.query('rollback'))
    return rows
  }
  const apply = (number: number, sql: string) => applyMigration(migrating, { number, name: `${number}_test.sql` }, sql)
  t.after(() => service.database.owner.query('delete from migrations where number > 9000'))
  assert.equal(await apply(9001, `alter table customers add column added text default 'new'`), true)
  assert.deepEqual(await read('first_name, added'), [{ first_name: 'Ann', added: 'new' }])
  assert.equal(await apply(9002, 'alter table customers drop column added'), true)
  assert.deepEqual(await read('first_name'), [{ first_name: 'Ann' }])
  await assert.rejects(read('added'), ({ code }: { code?: string }) => code === '42703')
  succeeded(await call('POST', '/v1/product', { name: 'Tea' }), 201)
})

test('a migration that changes no view gives the role its rights on what it creates', async (t) => {
  const role = await roleOf(t)
  const migrating = await connectAsOwner(service.database)
  t.after(() => migrating.end())
  await service.database.owner.query('revoke execute on function begin_events(text) from public')
  const added =
    'create function added() returns int language sql as $$ select 1 $$; revoke execute on function added() from public'
  assert.equal(await applyMigration(migrating, { number: 9003, name: '9003_test.sql' }, added), true)
  t.after(() => service.database.owner.query('drop function added(); delete from migrations where number > 9000'))
  assert.deepEqual((await role.query('select added() as all')).rows, [{ all: 1 }])
})

test('a migration that meets a transaction which locks the tables in another order lets the transaction continue', async (t) => {
  const { id } = await service.company()
  const role = await roleOf(t)
  const migrating = await connectAsOwner(service.database)
  t.after(() => migrating.end())
  const { processID } = migrating as unknown as { processID: number }
  const isWaiting = async () =>
    (await service.database.owner.query('select cardinality(pg_blocking_pids($1))::int', [processID]))[0]?.[0] > 0
  // An index locks its table too.
  for (const ofOrders of [
    'alter table orders add column given_way text',
    'create index orders_given_way on orders (company_id)',
    'DROP INDEX ORDERS_GIVEN_WAY',
  ]) {
    await role.query('begin')
    await reach(role, id)
    await role.query('update orders set version = version')
    const sql = `alter table customers add column if not exists given_way text; ${ofOrders}`
    const applied = applyMigration(migrating, { number: 9004, name: '9004_test.sql' }, sql)
    // It has the views of customers, and waits for those of orders.
    await until('the migration waits', isWaiting)
    assert.deepEqual((await role.query('select count(*)::int as all from customers')).rows, [{ all: 0 }])
    await role.query('rollback')
    assert.equal(await applied, true)
    await service.database.owner.query('delete from migrations where number > 9000')
  }
})

test('no deadline runs out while a migration drops views: PostgreSQL would report it with the next statement, which would fail', async (t) => {
  const migrating = await connectAsOwner(service.database)
  t.after(() => migrating.end())
  const { query, ...transaction } = queryable(migrating)
  const deadlines = async () =>
    (await query(`select current_setting('statement_timeout'), current_setting('lock_timeout')`))[0]
  await query(`begin; set local statement_timeout = 0; set local lock_timeout = '3s'`)
  const seen: unknown[] = []
  const watched = async (...[statement, values]: Parameters<typeof query>) => {
    seen.push(await deadlines())
    return query(statement, values)
  }
  await dropRowViews({ ...transaction, query: watched })
  assert.ok(seen.length > 1)
  for (const one of [...seen, await deadlines()]) assert.deepEqual(one, ['0', '3s'])
  assert.deepEqual(await query(`select from pg_views where schemaname = any ($1)`, [viewSchemas]), [])
  await query('rollback')
})

test('a migration that only writes rows, makes indexes and sets how tables are vacuumed waits for nothing that reads the tables it names', async (t) => {
  const { id } = await service.company()
  const role = await roleOf(t)
  const migrating = await connectAsOwner(service.database)
  t.after(() => migrating.end())
  await role.query('begin')
  await reach(role, id)
  await role.query('select from orders, customers, refunds')
  const sql = `-- Drops nothing of customers; alter table customers is a comment.
    update orders set version = version where id in (select order_id from refunds where body ->> 'note' = 'drop table refunds; --');
    create index orders_named on orders (company_id);
    alter table orders set (autovacuum_analyze_scale_factor = 0.02);`
  assert.equal(await applyMigration(migrating, { number: 9005, name: '9005_test.sql' }, sql), true)
  t.after(() => service.database.owner.query('drop index orders_named; delete from migrations where number > 9000'))
  assert.equal((await role.query('select from orders')).rowCount, 0)
  await role.query('rollback')
})

test('a table that an operator has added has no view', async () => {
  const { owner } = service.database
  await owner.query('create table own_list (company_id text)')
  const user = await raiseAgain({ tries: 1 })
  const [row] = await owner.query(
    `select to_regclass('${rowSchema}.own_list') is null, has_table_privilege($1, 'own_list', 'select')`,
    [user],
  )
  assert.deepEqual(row, [true, false])
  // Nothing depends on it.
  await owner.query('drop table own_list')
})

test('a view that a newer version made stays unchanged', async () => {
  const { owner } = service.database
  const view = `${rowSchema}.categories`
  const [before] = await owner.query(`select obj_description('${view}'::regclass, 'pg_class')`)
  const newer = String(before?.[0]).replace(/^cashwrap \d+/, 'cashwrap 999')
  await owner.query(
    `create or replace view ${view} as ${await definitionOf(view)} and true with check option; comment on view ${view} is '${newer}'`,
  )
  const definition = await definitionOf(view)
  await raiseAgain({ tries: 1 })
  assert.deepEqual(
    [await definitionOf(view), (await owner.query(`select obj_description('${view}'::regclass, 'pg_class')`))[0]?.[0]],
    [definition, newer],
  )
  await owner.query(`comment on view ${view} is null`)
  await raiseAgain({ tries: 1 })
  assert.deepEqual((await owner.query(`select obj_description('${view}'::regclass, 'pg_class')`))[0], before)
})

test('a server whose PostgreSQL lets nobody in for a moment tries again, and then refuses to start without row-level security', async (t) => {
  const { user } = await roleOf(t)
  const { owner } = service.database
  await owner.query(`alter role ${user} connection limit 0`)
  await assert.rejects(raiseAgain({ tries: 1 }), /^OperatorError: Row-level security cannot .* too many connections/)
  const warnings: string[] = []
  let lifted: Promise<unknown> | undefined
  const warn = (message: string) => {
    warnings.push(message)
    lifted = owner.query(`alter role ${user} connection limit -1`)
  }
  assert.equal(await raiseAgain({ tries: 2, warn }), user)
  await lifted
  assert.match(warnings.join(), /^row-level security is tried again in 1 s: too many connections/)
})

test('each table with a company has its views, and the role has no right on any table', async (t) => {
  const role = await roleOf(t)
  const rows = await service.database.query(
    `select relname, exists (select from pg_attribute where attrelid = pg_class.oid and attname in ('company_id', 'owner_id')),
       array(select to_regclass(schema || '.' || quote_ident(relname)) is not null from unnest($2::text[]) as schema)::text,
       has_any_column_privilege($1, oid, 'select, update') or has_table_privilege($1, oid, 'delete, truncate'),
       has_any_column_privilege($1, oid, 'insert')
     from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition order by 1`,
    [role.user, viewSchemas],
  )
  const besides = ['companies', 'organizations', 'plans']
  for (const [name, hasCompany, hasViews, isUsed, isAddedTo] of rows) {
    assert.equal(hasViews, hasCompany || besides.includes(name) ? '{t,t}' : '{f,f}', name)
    assert.deepEqual([isUsed, isAddedTo], [false, name === 'abandoned_objects'], name)
  }
  const views = await service.database.query(
    `select relname, has_table_privilege($1, oid, 'select'), has_table_privilege($1, oid, 'insert, update, delete'),
       pg_get_viewdef(oid) like case relnamespace when '${rowSchema}'::regnamespace
         then '%current_setting(''cashwrap.company''::text, true)%' else '%current_setting(''cashwrap.companies''::text, true)%' end,
       pg_relation_is_updatable(oid, false)
     from pg_class where relnamespace::regnamespace::text = any ($2) order by 1`,
    [role.user, viewSchemas],
  )
  assert.equal(views.length, 2 * rows.filter(([, , hasViews]) => hasViews === '{t,t}').length)
  const read = ['organizations', 'plans']
  for (const [name, isRead, isWritten, isHeld, events] of views) {
    assert.deepEqual([isRead, isWritten, isHeld], [true, !read.includes(name), true], name)
    // Writes of each kind reach the table.
    assert.equal(events, 28, name)
  }
})
