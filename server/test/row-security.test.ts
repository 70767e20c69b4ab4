// Where row-level security is on, PostgreSQL itself holds companies apart: a statement that forgets its company, or names a wrong one, reads and writes nothing of another.
import assert from 'node:assert/strict'
import { test as run, type TestContext } from 'node:test'
import type pg from 'pg'
import { batcher } from '../src/concurrency/batcher.ts'
import { currentReach, reachingCompanies, reachingCompany } from '../src/core/reach.ts'
import type { Queryable } from '../src/database/connect.ts'
import { applyMigration } from '../src/database/migrate.ts'
import { connectBehind } from '../src/database/row-security/behind.ts'
import { gatheredSchema, rowSchema } from '../src/database/row-security/names.ts'
import { raise } from '../src/database/row-security/raise.ts'
import { rowViews, viewSchemas } from '../src/database/row-security/views.ts'
import { succeeded } from './support/custom-tables.ts'
import { skipOnCluster } from './support/nodes.ts'
import { until } from './support/program.ts'
import {
  connectAsOwner,
  connectAsRole,
  connectionOf,
  reach,
  reachGathered,
  type Sent,
  watchRole,
  withoutCondition,
} from './support/row-security.ts'
import { type Company, testService, testSettings } from './support/service.ts'
import { dayOfTill, everyResource, extendedCustomers } from './support/shop-days.ts'

const service = testService({ rowSecurity: true, mode: undefined })

const skip = skipOnCluster && 'row-level security is off where tables are distributed'
const test = (name: string, work: (t: TestContext) => Promise<void>) => run(name, { skip }, work)

/** A session of the role that has views in place of tables. It ends with the test. */
async function roleOf(t: TestContext): Promise<pg.Client> {
  const role = await connectAsRole(service.database)
  t.after(() => role.end())
  return role
}

const tableNames = async () => [...new Set((await rowViews(service.database.owner)).map(({ name }) => name))]

/** How a session gets its reach: by the views of one company, or by those of several, of which the other one has no rows. */
const ways: readonly ((client: pg.Client, companyId: string) => Promise<unknown>)[] = [
  reach,
  (client, companyId) => reachGathered(client, [companyId, 'ffffffffffffffffffffffff']),
]

/** Statements of the role with one company in reach, in transactions that are rolled back, and what they do to another one. */
class Trial {
  readonly #role: pg.Client
  readonly #own: string
  readonly #other: string
  readonly #tables: readonly string[]

  constructor(role: pg.Client, own: Company, other: Company, tables: readonly string[]) {
    this.#role = role
    this.#own = own.id
    this.#other = other.id
    this.#tables = tables
  }

  /** What a statement returns by each way, and whether it changes what the other company has; nothing of those that are refused. */
  async carryOut({ text, values }: Sent) {
    const mayWrite = /\b(insert|update|delete)\b/.test(text)
    const results: { rows: string; hasChanged: boolean }[] = []
    // What the service does meanwhile in the background is not seen.
    await this.#role.query('begin isolation level repeatable read')
    try {
      const before = mayWrite && (await this.#state())
      for (const way of ways) {
        await this.#role.query('savepoint before')
        await way(this.#role, this.#own)
        const query = { text, values: [...values], rowMode: 'array' as const }
        const { rows } = await this.#role.query(query).catch(() => ({ rows: undefined }))
        if (rows !== undefined)
          results.push({ rows: JSON.stringify(rows), hasChanged: mayWrite && (await this.#state()) !== before })
        await this.#role.query('rollback to savepoint before')
      }
    } finally {
      await this.#role.query('rollback')
    }
    return results
  }

  /** All that the other company has, as one text. */
  async #state(): Promise<string> {
    await reach(this.#role, this.#other)
    await this.#role.query(`set local search_path = ${rowSchema}, public`)
    const parts = this.#tables.map(
      (name) => `select '${name}' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') from ${name} as t`,
    )
    const { rows } = await this.#role.query({ text: parts.join(' union all '), rowMode: 'array' })
    return String(rows)
  }
}

/** What statements of the role return with one company in reach, where nothing of another one exists; undefined for one that is refused. */
async function withoutOther({ id: own }: Company, { id: other }: Company, statements: readonly Sent[], user: string) {
  const client = await connectAsOwner(service.database)
  const results: (string | undefined)[] = []
  try {
    await client.query('begin; set local session_replication_role = replica')
    for (const { name, column } of await rowViews(service.database.owner))
      if (column !== undefined) await client.query(`delete from public.${name} where ${column} = $1`, [other])
    await client.query(
      `set local session_replication_role = origin; set local role ${user}; set local search_path = ${rowSchema}, public`,
    )
    await reach(client, own)
    for (const { text, values } of statements) {
      await client.query('savepoint before')
      const query = { text, values: [...values], rowMode: 'array' as const }
      const { rows } = await client.query(query).catch(() => ({ rows: undefined }))
      results.push(rows && JSON.stringify(rows))
      await client.query('rollback to savepoint before')
    }
  } finally {
    await client.end()
  }
  return results
}

/** What a statement returns to the owner of the tables, who reads the tables themselves; empty where it is refused. */
async function byOwner({ text, values }: Sent): Promise<string> {
  let shown = ''
  const work = service.database.transaction(async (transaction) => {
    shown = JSON.stringify(await transaction.query(text, values))
    throw new Error('Nothing of it is kept.')
  })
  await work.catch(() => {})
  return shown
}

test('no statement reads or writes anything of another company, without its condition or with the wrong company', async (t) => {
  const [own, other] = await Promise.all([service.company(), service.company()])
  const sent = new Map<string, Sent>()
  const stop = watchRole(sent, (values) => values.flat().includes(other.id))
  for (const work of [everyResource, dayOfTill, extendedCustomers]) await work(other.call)
  stop()
  succeeded(await own.call('POST', '/v1/customer', { email: 'own@example.com' }), 201)
  const tables = await tableNames()
  const mentions = new RegExp(`\\b(?:from|into|update|join|using) (?:${tables.join('|')})\\b`)
  const statements = [...sent.values()].filter(({ text }) => mentions.test(text))
  const role = await roleOf(t)
  const trial = new Trial(role, own, other, tables)
  const [freed, answered]: [Sent[], (Sent & { readonly returned: string })[]] = [[], []]
  for (const statement of statements) {
    const free = withoutCondition(statement)
    if (free.text !== statement.text) freed.push(free)
    for (const each of new Set([statement, free]))
      for (const { rows, hasChanged } of await trial.carryOut(each)) {
        answered.push({ ...each, returned: rows })
        assert.ok(!hasChanged, each.text)
      }
  }
  const alone = await withoutOther(own, other, answered, role.user as string)
  for (const [n, { text, returned }] of answered.entries()) {
    // A row of the other company that is there is not refused, as a new one is, where a conflict means that nothing is written.
    const mayIgnore = /on conflict (do nothing|\([\w, ]+\) do update set [^;]*\bwhere stored\.)/.test(text)
    const isIgnored = alone[n] === undefined && returned === '[]' && mayIgnore
    if (!isIgnored) assert.equal(returned, alone[n], text)
  }
  // So that this can fail: there are many, most have lost a condition and are carried out, and many do leak without the views.
  assert.ok(
    statements.length > 200 && freed.length > 150 && answered.length > 600,
    `${statements.length} ${freed.length}`,
  )
  let leaking = 0
  for (const [n, each] of answered.entries()) if ((await byOwner(each)) !== alone[n]) leaking++
  assert.ok(leaking > 200, String(leaking))
})

/** The indexes of the plan of a statement, in the order of the plan. */
async function indexesOf(client: pg.Client, { text, values }: Sent): Promise<string[]> {
  const { rows } = await client.query({ text: `explain (format json) ${text}`, values: [...values], rowMode: 'array' })
  return [...JSON.stringify(rows[0]?.[0]).matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name as string)
}

test('searches, filters by tags and deep pages use the indexes that they use without row-level security', async (t) => {
  const { id, call } = await service.company()
  for (let n = 0; n < 2; n++) {
    const items = Array.from({ length: 1_000 }, (_, i) => ({
      email: `${n}-${i}@example.com`,
      tags: [`tag-${i}`],
      firstName: 'Ann',
    }))
    succeeded(await call('POST', '/v1/customers', { items }))
    const products = items.map((_, i) => ({ name: `Tea ${n} ${i}`, minPrice: i }))
    succeeded(await call('POST', '/v1/products', { items: products }))
  }
  await service.database.owner.query('vacuum analyze customers, products')
  const { meta } = succeeded(await call('GET', '/v1/products?limit=5&sortBy=minPrice'))
  const sent = new Map<string, Sent>()
  const stop = watchRole(sent, (values) => values.includes(id))
  for (const path of [
    '/v1/customers?search=1-777@&limit=5',
    '/v1/customers?searchByEmail=1-777@&limit=5',
    '/v1/customers?tags=tag-7&limit=5',
    '/v1/customers?skip=1500&limit=5&sortBy=email',
    '/v1/products?skip=1500&limit=5&sortBy=minPrice',
    `/v1/products?limit=5&sortBy=minPrice&cursor=${encodeURIComponent(meta.nextCursor)}`,
    '/v1/search?q=1-777@',
  ])
    succeeded(await call('GET', path))
  stop()
  const role = await roleOf(t)
  const owner = await connectAsOwner(service.database)
  t.after(() => owner.end())
  await role.query('begin')
  await reach(role, id)
  const used = new Set<string>()
  for (const statement of sent.values()) {
    if (!/^\s*(select|with)\b/.test(statement.text)) continue
    const indexes = await indexesOf(role, statement)
    assert.deepEqual(indexes, await indexesOf(owner, statement), statement.text)
    for (const index of indexes) used.add(index)
  }
  for (const index of ['customers_search', 'products_min_price']) assert.ok(used.has(index), `${index}: ${[...used]}`)
})

test('a statement over many items of one company finds the gathered views, so that no estimate of the company’s rows misleads its plan', async (t) => {
  const { id } = await service.company()
  const database = connectBehind(await connectionOf(service.database), { size: 2 })
  t.after(database.close)
  const text = `select starts_with(current_setting('search_path'), '${gatheredSchema}'), count(stored.id)::int
    from unnest($1::text[]) as item left join customers as stored on stored.id = item group by 1`
  const asked = async ({ query }: Queryable, items: number) => (await query(text, [Array(items).fill('x')]))[0]?.[0]
  await reachingCompany(id, async () => {
    assert.deepEqual([await asked(database, 51), await asked(database, 50)], [true, false])
    const both = await database.transaction(async (one) => [
      await asked(one, 50),
      await asked(one, 51),
      await asked(one, 50),
    ])
    assert.deepEqual(both, [false, true, true])
  })
})

test('requests of two companies that are gathered get each its own', async () => {
  const companies = await Promise.all([service.company(), service.company()])
  const ids = await Promise.all(
    companies.map(async ({ call }) => succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201).id),
  )
  const asked = companies.flatMap(({ id: companyId, call }, n) =>
    // Few enough that neither company gets statements of its own.
    Array.from({ length: 6 }, async (_, times) => {
      const isOwn = times % 3 !== 2
      const { status, body } = await call('GET', `/v1/customer/${ids[isOwn ? n : 1 - n]}`)
      assert.equal(status, isOwn ? 200 : 404)
      if (isOwn) assert.deepEqual([body.companyId, body.id], [companyId, ids[n]])
      const changed = await call('PATCH', `/v1/customer/${ids[isOwn ? n : 1 - n]}`, { lastName: `Smith ${times}` })
      assert.equal(changed.status, isOwn ? 200 : 404)
    }),
  )
  await Promise.all(asked)
})

test('a batch reaches the companies of its items alone, and an item that names another one than its caller reaches is refused', async () => {
  const ask = batcher(async (items: { scope: { companyId: string } }[]) => items.map(() => currentReach()))
  const [a, b, c] = ['a', 'b', 'c'].map((companyId) => ({ scope: { companyId } })) as [Item, Item, Item]
  type Item = { scope: { companyId: string } }
  assert.deepEqual(await Promise.all([reachingCompany('a', () => ask(a)), reachingCompany('a', () => ask(a))]), [
    'a',
    'a',
  ])
  const both = new Set(['a', 'b'])
  const all = [reachingCompany('a', () => ask(a)), reachingCompanies(['a', 'b', 'c'], () => ask(b))]
  assert.deepEqual(await Promise.all(all), [both, both])
  for (const asking of [() => reachingCompany('a', () => ask(b)), () => reachingCompanies(['a', 'b'], () => ask(c))])
    await assert.rejects(asking, /another company/)
})

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
      `insert into report_feeds (company_id) values ('${other.id}')`,
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

test('a statement of a service without a reach is not sent', async (t) => {
  const { id: companyId } = await service.company()
  const database = await apart(t)
  const count = 'select count(*)::int from customers'
  await assert.rejects(database.query(count), /has no reach/)
  await assert.rejects(
    database.transaction(async () => {}),
    /has no reach/,
  )
  assert.deepEqual(await reachingCompany(companyId, () => database.query(count)), [[0]])
})

/** A database of the service's companies, with so many connections of the role. It is closed with the test. */
async function apart(t: TestContext, size?: number) {
  const database = connectBehind(await connectionOf(service.database), size === undefined ? {} : { size })
  t.after(() => database.close())
  return database
}

test('a statement over several companies reads those in reach alone, by turns with one of a single company on the same connection', async (t) => {
  const companies = await Promise.all([1, 2, 3].map(() => service.company()))
  for (const { call } of companies) succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const [a, b, c] = companies.map(({ id }) => id) as [string, string, string]
  const database = await apart(t, 1)
  const all = { name: 'customers_all', text: 'select company_id from customers order by 1' }
  const read = async (...reached: string[]) =>
    (await reachingCompanies(reached, () => database.query(all))).map(([company]) => company)
  for (const reached of [[a], [a, b], [c], [b, c], [a]]) assert.deepEqual(await read(...reached), [...reached].sort())
  const written = await reachingCompanies([a, b], () =>
    database.transaction(async (transaction) => {
      await transaction.query('savepoint one')
      return [await transaction.query(all), await transaction.query('select count(*)::int from companies')]
    }),
  )
  assert.deepEqual(written, [[a, b].sort().map((id) => [id]), [[2]]])
  // Lists are of one company.
  await assert.rejects(
    reachingCompanies([a, b], () => database.beginRead()),
    /of one company/,
  )
})

test('a long page that fails ends no other page, also of another company', async (t) => {
  const [one, another] = await Promise.all([service.company(), service.company()])
  for (const { call } of [one, another])
    succeeded(await call('POST', '/v1/customers', { items: [{ firstName: 'Ann' }, { firstName: 'Ben' }] }), 200)
  const database = await apart(t)
  const open = ({ id: tenant }: Company, text: string) =>
    reachingCompany(tenant, () => database.openCursor({ tenant, isGone: () => false }, text, []))
  const page = await open(one, 'select company_id from customers')
  try {
    await assert.rejects(open(another, 'select 1 / 0'), ({ code }: { code?: string }) => code === '22012')
    const next = await open(another, 'select company_id from customers')
    // By turns on one connection, each reads the rows of its own company.
    assert.deepEqual([await page.fetch(5), await next.fetch(5)], [[[one.id]], [[another.id]]])
    assert.deepEqual([page.first, next.first], [[one.id], [another.id]])
    next.close()
  } finally {
    page.close()
  }
})

test('a transaction that fails before it reads leaves nothing on its connection', async (t) => {
  const { id } = await service.company()
  const database = await apart(t, 1)
  await reachingCompany(id, async () => {
    const failing = database.transaction((transaction) => transaction.query(`set local lock_timeout = 'x'`))
    await assert.rejects(failing, ({ code }: { code?: string }) => code === '22023')
    assert.deepEqual(await database.query('select 1'), [[1]])
  })
})

test('a session that has lost what was prepared in it is replaced', async (t) => {
  const { id } = await service.company()
  const database = await apart(t, 1)
  await reachingCompany(id, async () => {
    assert.deepEqual(await database.query('select id from companies'), [[id]])
    await database.query('deallocate all')
    await assert.rejects(database.query('select 1'), ({ status }: { status?: number }) => status === 503)
    assert.deepEqual(await database.query('select id from companies'), [[id]])
  })
})

/** What a view selects, without the end of its condition. */
const definitionOf = async (view: string): Promise<string> =>
  (await service.database.owner.query(`select rtrim(pg_get_viewdef($1::regclass), ';')`, [view]))[0]?.[0]

/** Makes what is missing, as the start of a server does. */
async function raiseAgain(how: Parameters<typeof raise>[3]) {
  const connection = await connectionOf(service.database)
  const result = await raise(service.database.owner, connection, testSettings.secretKeys, how)
  return 'login' in result ? result.login.user : result
}

test('a start mends views, rights and the role, and refuses a role with rights that everybody has', async (t) => {
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
    /rights of the role \w+ are not its own alone \(revoke all on users/,
  )
  await owner.query('revoke select on users from public; alter table customers drop column added cascade')
  assert.equal(await raiseAgain({ tries: 1 }), user)
})

test('a migration leaves the role views of the tables as it makes them, also where it drops a column', async (t) => {
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

test('a migration that changes no view gives the role what it makes besides', async (t) => {
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

test('a migration that meets a transaction which uses the tables in another order lets it go on', async (t) => {
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

test('a migration that only writes rows and makes indexes waits for nothing that reads the tables it names', async (t) => {
  const { id } = await service.company()
  const role = await roleOf(t)
  const migrating = await connectAsOwner(service.database)
  t.after(() => migrating.end())
  await role.query('begin')
  await reach(role, id)
  await role.query('select from orders, customers, refunds')
  const sql = `-- Drops nothing of customers; alter table customers is a comment.
    update orders set version = version where id in (select order_id from refunds where body ->> 'note' = 'drop table refunds; --');
    create index orders_named on orders (company_id);`
  assert.equal(await applyMigration(migrating, { number: 9005, name: '9005_test.sql' }, sql), true)
  t.after(() => service.database.owner.query('drop index orders_named; delete from migrations where number > 9000'))
  assert.equal((await role.query('select from orders')).rowCount, 0)
  await role.query('rollback')
})

test('a table that an operator has made beside those of the migrations has no view', async () => {
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

test('a view that a newer version has made stays as it is', async () => {
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
