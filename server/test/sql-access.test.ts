// A login for SQL reads the records of its company, all of them with the values of the API, within its limits and until
// it is revoked.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from 'pg'
import { snakeCase } from '../src/engine/resource.ts'
import { deleteCompany } from '../src/features/company-file/delete.ts'
import { endLongSessions } from '../src/features/sql-access/sessions.ts'
import { keepViews, viewsOf } from '../src/features/sql-access/views.ts'
import { fullBody } from './support/bodies.ts'
import { type Body, contracts } from './support/contract.ts'
import { cashwrap, dataFolder, until } from './support/program.ts'
import { type Login, operatorsPlace, refusal, refusedAccess, rowsOf, type Shop } from './support/sql-access.ts'

const place = operatorsPlace()

const newShop = (name?: string) => place.newShop(name)

/** Two records of each resource, a sale whose session is closed, and moves of stock. */
async function filled(name?: string): Promise<Shop> {
  const shop = await newShop(name)
  for (const contract of contracts)
    for (const n of [0, 1] as const) await shop.call('POST', `/v1/${contract.one}`, fullBody(contract, n))
  await sell(shop)
  await shop.call('POST', '/v1/tax-table', { name: 'Standard', rates: [{ name: 'VAT', percentage: 20 }] })
  // An amount that it does not come to, which is listed in `checks`.
  const line = { productId: 'beans', name: 'Beans', quantity: 2, price: '10.00', total: '999.00' }
  await shop.call('POST', '/v1/sale', { lineItems: [line] })
  return shop
}

/** A product in stock, of which two are sold in a session that is closed then. */
async function sell({ call }: Shop): Promise<void> {
  const outlet = await call('POST', '/v1/outlet', { name: 'Main Street' })
  const station = await call('POST', '/v1/station', { name: 'Till', outletId: outlet.id, status: 'AVAILABLE' })
  const session = await call('POST', '/v1/session', { stationId: station.id, openingAmount: '100.00' })
  const category = await call('POST', '/v1/category', { name: 'Coffee' })
  const product = await call('POST', '/v1/product', { name: 'Beans', categories: [category.id] })
  const variant = await call('POST', '/v1/variant', { productId: product.id, price: 12.5, manageStock: true })
  const key = { productId: product.id, variantId: variant.id, outletId: outlet.id }
  await call('POST', '/v1/inventories/set-levels', { items: [{ ...key, quantity: 40 }] })
  await call('POST', '/v1/sale', {
    outletId: outlet.id,
    stationId: station.id,
    sessionId: session.id,
    employee: 'ann',
    lineItems: [{ variantId: variant.id, name: 'Beans', quantity: 2, price: '12.50' }],
    payments: [{ paymentMethod: 'cash', amount: '25.00' }],
  })
  await call('POST', `/v1/session/${session.id}/close`, { counted: { cash: '125.00' } })
}

/** Whether a value of a column is that of the record. */
function isSame(value: any, shown: any): boolean {
  if (value instanceof Date) return value.toISOString() === shown
  if (typeof shown === 'string' && typeof value === 'string')
    return value === shown || (/^-?[\d.]+$/.test(shown) && Number(value) === Number(shown))
  if (typeof shown === 'number') return Number(value) === shown
  if (shown === '') return value === null
  return isDeepStrictEqual(value, shown)
}

/** Compares a row with a record: members, those of objects in it, and lists of objects with the rows of their views. Returns how many values it compared. */
async function compared(client: Client, { record, row, view, of }: Comparison): Promise<number> {
  let count = 0
  for (const [member, shown] of Object.entries<any>(record)) {
    // Samples of members that no declaration names: they have no column.
    if (member === 'ourOwn') continue
    const name = snakeCase(of.path === '' ? member : `${of.path}_${member}`)
    const isList = Array.isArray(shown) && shown.length > 0 && typeof shown[0] === 'object'
    const nested = `${snakeCase(of.one)}_${name}`
    if (name in row) {
      assert.ok(isSame(row[name], shown), `${view}.${name}: ${JSON.stringify(row[name])} for ${JSON.stringify(shown)}`)
      count++
    } else if (isList && viewNames.has(nested)) {
      const rows = await rowsOf(
        client,
        `select * from ${nested} where ${snakeCase(of.one)}_id = '${row.id}' order by item_index`,
      )
      assert.equal(rows.length, shown.length, nested)
      for (const [n, item] of shown.entries())
        count += await compared(client, { record: item, row: rows[n], view: nested, of: { one: '', path: '' } })
    } else if (typeof shown === 'object' && shown !== null && !isList)
      count += await compared(client, { record: shown, row, view, of: { one: of.one, path: name } })
    else assert.ok(['inventory'].includes(member), `${view} has no column ${name}`)
  }
  return count
}
interface Comparison {
  readonly record: Body
  readonly row: Body
  readonly view: string
  readonly of: { readonly one: string; readonly path: string }
}
const viewNames = new Set(viewsOf().map(({ name }) => name))

describe('a login for SQL', () => {
  test('reads each record of its company with the values of the API, and no row of another company', async () => {
    const shop = await filled('Corner Shop')
    const other = await filled('Other Shop')
    const client = await place.connect(await place.grant(shop.id))
    const others = await place.connect(await place.grant(other.id))
    let values = 0
    for (const { one, many } of [...contracts, ...apart]) {
      if (one === 'automation-trigger') continue
      const { data } = await shop.call('GET', `/v1/${many}?limit=100`)
      const rows = new Map((await rowsOf(client, `select * from ${snakeCase(many)}`)).map((row) => [row.id, row]))
      assert.ok(data.length >= (one === 'closing' ? 1 : 2) && rows.size >= data.length, many)
      for (const record of data) {
        const row = rows.get(record.id)
        assert.ok(row, `${many} ${record.id}`)
        values += await compared(client, { record, row, view: snakeCase(many), of: { one, path: '' } })
      }
    }
    assert.ok(values > 600, String(values))
    assert.equal(viewNames.has('automation_triggers'), false)
    const ids = async (reader: Client, view: string) =>
      new Set((await rowsOf(reader, `select row(v.*)::text as row from ${view} as v`)).map(({ row }) => row))
    for (const view of viewNames) {
      const own = await ids(client, view)
      const theirs = await ids(others, view)
      // Nothing here is late.
      assert.equal(own.size > 0 && theirs.size > 0, view !== 'closing_late_records', view)
      for (const row of own) assert.ok(!row.includes(other.id), view)
      // Items of lists name their record.
      for (const row of theirs) if (/[0-9a-f]{24}/.test(row)) assert.ok(!own.has(row), view)
    }
    assert.deepEqual(await rowsOf(client, 'select name, currency from company'), [
      { name: 'Corner Shop', currency: 'EUR' },
    ])
  })

  test('of another database is of no use here, and none is made while everybody has a right to a table', async () => {
    const shop = await newShop()
    await place.asSuperuser('grant select on public.customers to public')
    assert.match(await refusedAccess(place, shop.id), /Nothing was done.*may use customers.*Revoke them from public/)
    await place.asSuperuser('revoke select on public.customers from public; grant all on schema public to public')
    assert.deepEqual(await place.asSuperuser(`select from pg_roles where rolname like 'cashwrap_sql_%_${shop.id}'`), [])
    // What the service's role owns, it takes away itself.
    const { user } = await place.grant(shop.id)
    assert.deepEqual(
      await place.asSuperuser(
        `select has_schema_privilege('${user}', 'public', 'create') as a, has_database_privilege('${user}', 'shop', 'temporary') as b`,
      ),
      [{ a: false, b: false }],
    )
    await place.asSuperuser('alter role shop nocreaterole')
    assert.match(await refusedAccess(place, (await newShop()).id), /may not create roles.*alter role shop createrole/)
    await place.asSuperuser('alter role shop createrole')
  })

  test('works no longer than its limits, whatever it sets, and holds no lock of the service', async () => {
    const shop = await newShop()
    const login = await place.grant(shop.id)
    const { database } = place.service
    const client = await place.connect(login)
    assert.deepEqual(await rowsOf(client, 'show statement_timeout'), [{ statement_timeout: '1min' }])
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const state = async (wanted: string) =>
      (await place.asSuperuser(`select from pg_stat_activity where usename = '${login.user}' and state = '${wanted}'`))
        .length > 0
    const block = `do $$ begin loop begin perform pg_sleep(60); exception when query_canceled then null; end; end loop; end $$`
    const working = assert.rejects(client.query(block))
    await until('it works', () => state('active'))
    assert.equal(await endLongSessions(database), 0)
    assert.equal(await endLongSessions(database, { statementSeconds: 0 }), 1)
    await working
    const idle = await place.connect(login)
    await idle.query('begin; select 1')
    assert.equal(await endLongSessions(database, { statementSeconds: 0 }), 0)
    assert.equal(await endLongSessions(database, { transactionSeconds: 0 }), 1)
    await assert.rejects(idle.query('select 1'))
    const locking = await place.connect(login)
    await locking.query('select pg_advisory_lock(7270115402)')
    assert.equal(await endLongSessions(database), 1)
    // A session that was ended counts until its process is gone.
    const own = () => place.asSuperuser(`select from pg_stat_activity where usename = '${login.user}'`)
    await until('its sessions are gone', async () => (await own()).length === 0)
    const many = await Promise.allSettled(Array.from({ length: 6 }, () => place.connect(login)))
    assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 5)
  })

  test('takes no lock and fills no disk once a superuser has run what the command printed; the service keeps working', async () => {
    const shop = await newShop()
    const { statements, user } = await place.grant(shop.id)
    assert.equal(statements.length, 3)
    const client = await place.connect(await place.grant(shop.id))
    await client.query('set default_transaction_read_only = off')
    const harmful = [
      'select pg_advisory_lock(1)',
      'select pg_try_advisory_xact_lock_shared(1, 2)',
      `select pg_logical_emit_message(false, 'x', 'y')`,
      'select lo_create(0)',
    ]
    for (const sql of harmful.slice(1)) assert.equal(await refusal(client, sql), undefined, sql)
    await place.asSuperuser(statements.join(' '))
    for (const sql of harmful) assert.equal(await refusal(client, sql), '42501', sql)
    await shop.call('POST', '/v1/customer', { firstName: 'Ada' })
    assert.equal((await rowsOf(client, 'select * from customers')).length, 1)
    const { statements: left } = await place.grant(shop.id)
    assert.deepEqual(left, [])
    const renewed = await place.grant(shop.id)
    const bounded = await place.connect(renewed)
    await bounded.query('set default_transaction_read_only = off')
    await bounded.query('alter role current_user reset all')
    for (const sql of ['set temp_file_limit = -1', 'alter role current_user set temp_file_limit = -1'])
      assert.equal(await refusal(bounded, sql), '42501', sql)
    assert.deepEqual(await rowsOf(await place.connect(renewed), 'show temp_file_limit'), [{ temp_file_limit: '1GB' }])
    // The large object of before is the login's: it goes with it.
    assert.equal((await cashwrap(['company', 'sql-access', shop.id, '--revoke'], place.environment)).code, 0)
    assert.deepEqual(await place.asSuperuser(`select from pg_roles where rolname = '${user}'`), [])
    assert.deepEqual(await place.asSuperuser('select from pg_largeobject_metadata'), [])
  })

  test('sees nothing while its company is suspended, and is gone with its company', async () => {
    const shop = await newShop('Going')
    await shop.call('POST', '/v1/customer', { firstName: 'Ada' })
    const login = await place.grant(shop.id)
    const client = await place.connect(login)
    const customers = async () => (await rowsOf(client, 'select * from customers')).length
    assert.equal(await customers(), 1)
    const { database } = place.service
    const set = (status: string) =>
      database.query(`update companies set status = $2, updated_at = now() - interval '1 day' where id = $1`, [
        shop.id,
        status,
      ])
    await set('suspended')
    assert.deepEqual([await customers(), await rowsOf(client, 'select * from company')], [0, []])
    await set('active')
    assert.equal(await customers(), 1)
    await set('suspended')
    await deleteCompany(database, { companyId: shop.id, confirmed: 'Going', waits: () => assert.fail() })
    await assert.rejects(client.query('select 1'))
    await assert.rejects(place.connect(login), { code: '28P01' })
  })

  test('has one password at a time, its own or one of a file, and its views are made again by a migration', async (t) => {
    const shop = await newShop()
    const first = await place.grant(shop.id)
    const client = await place.connect(first)
    const file = join(await dataFolder(t), 'password')
    await writeFile(file, 'too short\n')
    assert.match(await refusedAccess(place, shop.id, '--password-file', file), /at least 20 characters/)
    await writeFile(file, 'a-password-of-a-file-of-ours\n')
    const second = await place.grant(shop.id, '--password-file', file, '--expires', '2999-12-31')
    assert.equal(second.password, undefined)
    await assert.rejects(client.query('select 1'))
    await assert.rejects(place.connect(first), { code: '28P01' })
    const login: Login = { ...second, password: 'a-password-of-a-file-of-ours' }
    const now = await place.connect(login)
    assert.deepEqual(
      await place.asSuperuser(
        `select rolvaliduntil::date::text as until from pg_roles where rolname = '${login.user}'`,
      ),
      [{ until: '2999-12-31' }],
    )
    const oldest = 'drop index public.key_requests_by_time; delete from public.migrations where number = 52'
    await place.asSuperuser(`${oldest}; comment on schema cashwrap_sql is '1 of a version before'`)
    const { code, stderr } = await cashwrap(['migrate'], place.environment)
    assert.equal(code, 0, stderr)
    for (const view of viewNames) await now.query(`select * from ${view}`)
    // A server of the version before that starts beside them leaves the views of a newer one.
    const edition = () =>
      place.asSuperuser(`select obj_description('cashwrap_sql'::regnamespace, 'pg_namespace') as is`)
    const [{ is }] = await edition()
    await place.asSuperuser(`comment on schema cashwrap_sql is '9999 of a version to come'`)
    await keepViews(place.service.database)
    assert.deepEqual(await edition(), [{ is: '9999 of a version to come' }])
    await place.asSuperuser(`comment on schema cashwrap_sql is '${is}'`)
  })

  test('ends with --revoke, which can be repeated; the embedded PostgreSQL has none, and says so', async () => {
    const shop = await newShop()
    const login = await place.grant(shop.id)
    const client = await place.connect(login)
    const revoke = () => cashwrap(['company', 'sql-access', shop.id, '--revoke'], place.environment)
    assert.match((await revoke()).stdout, /was removed/)
    await assert.rejects(client.query('select 1'))
    await assert.rejects(place.connect(login), { code: '28P01' })
    assert.match((await revoke()).stdout, /has no SQL access/)
    assert.match(await refusedAccess(place, '0'.repeat(24)), /<id>: .*company/)
    assert.match(await refusedAccess({ environment: {} }, shop.id), /The embedded PostgreSQL has no port.*DATABASE_URL/)
  })

  test('gets the answers of the guide with the queries of the guide', async () => {
    const shop = await newShop()
    await sell(shop)
    // A line without a quantity is one of it.
    await shop.call('POST', '/v1/sale', { lineItems: [{ name: 'Bag', price: '0.20' }] })
    const client = await place.connect(await place.grant(shop.id))
    const guide = readFileSync(new URL('../../docs/guides/sql.md', import.meta.url), 'utf8')
    // Grafana replaces the name of the time range.
    const queries = [...guide.matchAll(/(?:^ {4}.*\n)+/gm)].flatMap(([block]) =>
      /^ {4}select/i.test(block) ? block.replace(/\$__timeFilter(\(.*?\)\))/, "$1 > now() - interval '1 hour'") : [],
    )
    const answers = []
    for (const query of queries) answers.push(await rowsOf(client, query))
    const [days, products, stock, hours] = answers
    assert.deepEqual(
      days?.map(({ sales, orders }) => [sales, orders]),
      [['25.20', '2']],
    )
    assert.deepEqual(
      products?.map(({ product, category, quantity, total }) => [product, category, Number(quantity), total]),
      [
        ['Beans', 'Coffee', 2, '25.00'],
        ['Bag', null, 1, '0.20'],
      ],
    )
    assert.deepEqual(
      stock?.map(({ outlet, product, stock: left, sold }) => [outlet, product, Number(left), Number(sold)]),
      [['Main Street', 'Beans', 38, 2]],
    )
    assert.deepEqual(
      hours?.map(({ sales }) => sales),
      ['25.20'],
    )
  })
})

/** Resources that are no contracts: nobody creates them by a request. */
const apart = [
  { one: 'inventory-history', many: 'inventory-history' },
  { one: 'closing', many: 'closings' },
]
