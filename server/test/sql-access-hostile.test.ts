// A login for SQL stays revocable, limited and isolated, whatever it, another role or a copy of the database does.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Client } from 'pg'
import { OperatorError } from '../src/core/operator-error.ts'
import { deleteCompany } from '../src/features/company-file/delete.ts'
import { grantLogin, revokeLogin } from '../src/features/sql-access/login.ts'
import { endLongSessions } from '../src/features/sql-access/sessions.ts'
import { keepViews } from '../src/features/sql-access/views.ts'
import { cashwrap, until } from './support/program.ts'
import { type Login, operatorsPlace, refusal, refusedAccess, rowsOf } from './support/sql-access.ts'

const place = operatorsPlace()

const revoke = (id: string) => cashwrap(['company', 'sql-access', id, '--revoke'], place.environment)
const suspend = (id: string) =>
  place.service.database.query(
    `update companies set status = 'suspended', updated_at = now() - interval '1 day' where id = $1`,
    [id],
  )
const isOver = (client: Client) => assert.rejects(client.query('select 1'))

describe('a login for SQL', () => {
  test('cannot read, write or create anything else, take another role, or see a row before it is filtered', async () => {
    const shop = await place.newShop()
    const other = await place.newShop()
    const { user: theirs } = await place.grant(other.id)
    await other.call('POST', '/v1/customer', { firstName: 'Secret', tags: ['secret'] })
    const login = await place.grant(shop.id)
    const client = await place.connect(login)
    await client.query('set default_transaction_read_only = off')
    for (const sql of [
      ...['public.customers', 'public.companies', 'public.api_keys', 'public.events', 'public.migrations'].map(
        (table) => `select * from ${table}`,
      ),
      `insert into customers (id) values ('x')`,
      'delete from customers',
      `update company set name = 'x'`,
      'select nextval($$public.event_sequence$$)',
      `select public.begin_events('${other.id}')`,
      'create table cashwrap_sql.mine (a int)',
      'create table public.mine (a int)',
      'create schema mine',
      'create temp table mine (a int)',
      `create function cashwrap_sql.mine() returns int language sql as 'select 1'`,
      'create view cashwrap_sql.mine as select 1',
      'drop view customers',
      'create database mine',
      'create role mine',
      'create extension dblink',
      'set role shop',
      `set role ${theirs}`,
      'set session authorization shop',
      `alter role ${login.user} superuser`,
      `alter role ${login.user} connection limit -1`,
      `alter role ${login.user} rename to ${theirs}x`,
      `alter role ${theirs} password 'x'`,
      `copy (select 1) to '/var/lib/postgresql/x'`,
      `copy (select 1) to program 'id'`,
      `select pg_read_file('postgresql.conf')`,
      `select lo_import('/etc/passwd')`,
      'select * from pg_authid',
      'select * from pg_statistic',
      'select pg_reload_conf()',
      `alter system set work_mem = '1GB'`,
      `set temp_file_limit = -1`,
      'select pg_stat_reset()',
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $$shop$$',
      `set session_replication_role = replica`,
    ])
      assert.match(String(await refusal(client, sql)), /^(42501|0LP01|55000|22023|42704|XX000|0A000)$/, sql)
    // What PostgreSQL would evaluate first if it might: an error would show the value.
    for (const sql of [
      `select * from customers where first_name::int = 1`,
      `select * from customers where 1 / (length(first_name) - 6) = 1`,
      `select * from customers where to_number(first_name, '9') = 1`,
    ])
      assert.deepEqual(await rowsOf(client, sql), [], sql)
    // The plan may have been lucky: what keeps it so is declared.
    const open = await place.asSuperuser(
      `select relname from pg_class where relnamespace = 'cashwrap_sql'::regnamespace and not coalesce('security_barrier=true' = any (reloptions), false)`,
    )
    assert.deepEqual(open, [])
    // A setting of the same name as one that a policy might use means nothing.
    await client.query(`set cashwrap.company = '${other.id}'; set search_path = public, cashwrap_sql`)
    assert.deepEqual(await rowsOf(client, 'select * from cashwrap_sql.customers'), [])
    const seen = await rowsOf(client, `select query from pg_stat_activity where usename = 'shop'`)
    assert.deepEqual(
      seen.filter(({ query }) => query !== '<insufficient privilege>'),
      [],
    )
  })

  test('can send false notifications, and the service keeps working', async () => {
    const shop = await place.newShop()
    const client = await place.connect(await place.grant(shop.id))
    for (const channel of ['events', 'keys', 'plan_limits'])
      for (const payload of ['x {', 'x [1,{"a":2},["b"],null]', 'mark x', 'heard', ''])
        await client.query(`notify ${channel}, '${payload}'`)
    await shop.call('POST', '/v1/customer', { firstName: 'Ada' })
    const feed = await shop.call('GET', '/v1/events?after=0&wait=5')
    assert.ok(feed.data.length > 0)
  })

  test('that owns something in another database is revoked, and goes with its company', async () => {
    const shop = await place.newShop()
    const other = await place.newShop('Going')
    for (const { id } of [shop, other]) {
      const login = await place.grant(id)
      const client = await place.connect({ ...login, database: 'postgres' })
      await client.query('set default_transaction_read_only = off')
      await client.query('alter default privileges grant select on tables to public')
      const reader = await place.connect(login)
      if (id === shop.id) {
        const { code, stdout, stderr } = await revoke(id)
        assert.deepEqual(
          [code, /was closed/.test(stdout), /It was not removed, since it owns/.test(stderr)],
          [0, true, true],
        )
      } else {
        await suspend(id)
        const { revoked } = await deleteCompany(place.service.database, {
          companyId: id,
          confirmed: 'Going',
          waits: () => assert.fail(),
        })
        assert.match(revoked?.left ?? '', /neither connect nor read/)
      }
      await Promise.all([isOver(client), isOver(reader)])
      await assert.rejects(place.connect(login), { code: '28P01' })
      assert.deepEqual(
        await place.asSuperuser(
          `select rolcanlogin, has_schema_privilege(oid, 'cashwrap_sql', 'usage') as reads from pg_roles where rolname = '${login.user}'`,
        ),
        [{ rolcanlogin: false, reads: false }],
      )
    }
    // It can be given again.
    await place.connect(await place.grant(shop.id))
  })

  test('of a database is not that of its copy in the same PostgreSQL: neither reads there, nor ends with the other', async () => {
    const shop = await place.newShop('Original')
    const login = await place.grant(shop.id)
    const client = await place.connect(login)
    // A template carries rights and views as a dump does.
    await place.asSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shop' and pid <> pg_backend_pid()`,
      'postgres',
    )
    await until('the copy is made', () =>
      place.asSuperuser('create database copied owner shop template shop', 'postgres').then(
        () => true,
        async () => {
          await place.asSuperuser(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shop'`,
            'postgres',
          )
          return false
        },
      ),
    )
    await isOver(client)
    const there = await place.connect({ ...login, database: 'copied' })
    assert.deepEqual(await rowsOf(there, 'select * from cashwrap_sql.company'), [])
    const again = await place.connect(login)
    const copied = { DATABASE_URL: String(place.environment.DATABASE_URL).replace(/shop$/, 'copied') }
    const commands = [
      ['company', 'sql-access', shop.id, '--json'],
      ['company', 'sql-access', shop.id, '--revoke'],
    ]
    const granted = await cashwrap(commands[0] ?? [], copied)
    const revoked = await cashwrap(commands[1] ?? [], copied)
    assert.deepEqual([granted.code, revoked.code], [0, 0], granted.stderr + revoked.stderr)
    assert.notEqual(JSON.parse(granted.stdout).user, login.user)
    assert.deepEqual(await rowsOf(again, 'select name from company'), [{ name: 'Original' }])
    await there.end()
    await place.asSuperuser('drop database copied', 'postgres')
  })

  test('gets the same estimate for each company, one that exists and one that does not', async () => {
    const shop = await place.newShop()
    const busy = await place.newShop()
    const items = Array.from({ length: 50 }, (_, n) => ({ firstName: `Customer ${n}` }))
    await busy.call('POST', '/v1/customers', { items })
    await place.asSuperuser('analyze public.customers')
    const client = await place.connect(await place.grant(shop.id))
    const estimate = async (id: string) =>
      JSON.stringify(await rowsOf(client, `explain select * from customers where company_id = '${id}'`)).replaceAll(
        id,
        '',
      )
    assert.equal(await estimate(busy.id), await estimate('0'.repeat(24)))
  })

  test('ends sessions that began with the former password, those of an expired login, and those that are too old', async () => {
    const shop = await place.newShop()
    const { database } = place.service
    const login = await place.grant(shop.id)
    // As one that began before the password and was authenticated after it.
    const late = await place.connect(login)
    const { user } = login
    await place.asSuperuser(
      `do $$ begin execute format('comment on role ${user} is %L', 'Cashwrap ends sessions from before ' || extract(epoch from clock_timestamp())); end $$`,
    )
    const now = await place.connect(login)
    assert.equal(await endLongSessions(database), 1)
    await isOver(late)
    assert.equal(await endLongSessions(database), 0)
    // Another password keeps the expiry.
    const expiring = await place.grant(shop.id, '--expires', '2999-12-31')
    assert.equal(expiring.expiresAt, '2999-12-31T00:00:00.000Z')
    await isOver(now)
    assert.equal((await place.grant(shop.id)).expiresAt, '2999-12-31T00:00:00.000Z')
    const forever = await place.grant(shop.id, '--expires', 'never')
    assert.equal(forever.expiresAt, null)
    const client = await place.connect(forever)
    await place.asSuperuser(`alter role ${user} valid until '2020-01-01'`)
    assert.equal(await endLongSessions(database), 1)
    await isOver(client)
    await place.asSuperuser(`alter role ${user} valid until 'infinity'`)
    const old = await place.connect(forever)
    assert.ok((await endLongSessions(database, { sessionHours: 0 })) > 0)
    await isOver(old)
  })

  test('has its limits in other databases too, also beside roles of the same names on which the service has no rights', async () => {
    const shop = await place.newShop()
    const { stderr } = await cashwrap(['company', 'sql-access', shop.id], place.environment)
    assert.match(stderr, /revoke connect, temporary on database .*postgres, template1 from public;/)
    const login = await place.grant(shop.id)
    const foreign = login.user.replace(/[^_]*$/, 'foreign')
    await place.asSuperuser(`create role ${foreign} login password 'foreign'`)
    const theirs = await place.connect({ ...login, user: foreign, password: 'foreign' })
    const client = await place.connect({ ...login, database: 'postgres' })
    for (const session of [theirs, client]) await session.query('begin; select 1')
    assert.equal(await endLongSessions(place.service.database, { transactionSeconds: 0 }), 1)
    await isOver(client)
    await theirs.query('commit')
    await place.asSuperuser('alter role shop noinherit')
    // PostgreSQL 16 and later keep this with each grant.
    assert.match(
      await refusedAccess(place, (await place.newShop()).id),
      /could not end their sessions.*alter role shop inherit/,
    )
    await place.asSuperuser('alter role shop inherit')
    await theirs.end()
    await place.asSuperuser(`drop role ${foreign}`)
  })

  test('delays no migration by reading, while a session of the operator does, and an object that depends on the views is named', async () => {
    const shop = await place.newShop()
    const login = await place.grant(shop.id)
    const { database } = place.service
    const older = () => place.asSuperuser(`comment on schema cashwrap_sql is '1 of a version before'`)
    const oldest = 'drop index public.key_requests_by_time; delete from public.migrations where number = 52'
    const reading = async (as: Login | string) => {
      const client = await place.connect(as)
      await client.query('begin; select * from cashwrap_sql.customers')
      return client
    }
    const reader = await reading(login)
    await place.asSuperuser(oldest)
    const { code, stderr } = await cashwrap(['migrate'], place.environment)
    assert.deepEqual([code, stderr], [0, ''])
    await isOver(reader)
    const another = await reading(login)
    await older()
    await keepViews(database)
    await isOver(another)
    const operators = await reading(String(place.environment.DATABASE_URL))
    await older()
    await assert.rejects(
      keepViews(database),
      (error) => error instanceof OperatorError && /a session still uses/.test(error.message),
    )
    await operators.query('commit')
    await operators.end()
    await place.asSuperuser('create view public.mine as select * from cashwrap_sql.customers')
    const named = /view mine depends on view cashwrap_sql.customers.*Drop them/
    await assert.rejects(keepViews(database), (error) => error instanceof OperatorError && named.test(error.message))
    await place.asSuperuser(oldest)
    const refused = await cashwrap(['migrate'], place.environment)
    assert.match(refused.stderr, /0052.* cannot be applied.*view mine depends on view cashwrap_sql.customers/)
    await place.asSuperuser('drop view public.mine')
    assert.equal((await cashwrap(['migrate'], place.environment)).code, 0)
    assert.deepEqual(await rowsOf(await place.connect(login), 'select name from company'), [{ name: 'Shop' }])
  })

  test('reads after a restore that left out the rights, once it is given again', async () => {
    const shop = await place.newShop()
    await place.grant(shop.id)
    await place.asSuperuser(
      `revoke select on all tables in schema cashwrap_sql from public;
       grant execute on all functions in schema public to public`,
    )
    const client = await place.connect(await place.grant(shop.id))
    assert.deepEqual(await rowsOf(client, 'select name from company'), [{ name: 'Shop' }])
    await assert.rejects(client.query(`select public.begin_events('${shop.id}')`), { code: '42501' })
    const superuser = '(select rolname from pg_roles where oid = 10)'
    await place.asSuperuser(
      `do $$ begin execute format('alter view cashwrap_sql.orders owner to %I', ${superuser}); revoke select on cashwrap_sql.orders from public; end $$`,
    )
    assert.match(await refusedAccess(place, shop.id), /could not read cashwrap_sql.orders/)
    await place.asSuperuser('alter view cashwrap_sql.orders owner to shop')
    await place.grant(shop.id)
  })

  test('is given and revoked concurrently with others, and not given to a company that is being deleted', async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, () => place.newShop()))
    const { database } = place.service
    const grants = await Promise.all(shops.map(({ id }) => grantLogin(database, { companyId: id })))
    assert.equal(new Set(grants.map(({ login }) => login)).size, 6)
    const [going, ...staying] = shops
    assert.ok(going)
    await suspend(going.id)
    const deleting = deleteCompany(database, { companyId: going.id, confirmed: 'Shop', waits: () => assert.fail() })
    const ended = await Promise.allSettled([
      deleting,
      ...staying.map(({ id }) => database.transaction((transaction) => revokeLogin(transaction, id))),
      grantLogin(database, { companyId: going.id }),
    ])
    // The last one is refused, or removed by the delete.
    for (const { status } of ended.slice(0, -1)) assert.equal(status, 'fulfilled')
    assert.deepEqual(await place.asSuperuser(`select rolname from pg_roles where rolname like '%\\_${going.id}'`), [])
    await assert.rejects(grantLogin(database, { companyId: going.id }), { code: 'not_found' })
  })
})
