// Where the service's role may not create roles, row-level security is off, and the service says so and serves; what a
// superuser then runs turns it on.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { connectionAs, loginOf } from '../src/database/row-security/login.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import { countedFamilies } from '../src/metrics/instruments.ts'
import { startService } from '../src/service.ts'
import { cashwrap, json, until } from './support/program.ts'
import { testSettings } from './support/service.ts'
import { operatorsPlace } from './support/sql-access.ts'

const place = operatorsPlace({ rowSecurity: false })

/** Serves a company on the operator's PostgreSQL, and returns the warnings, and the roles that have read or written rows for it. */
async function sell(
  t: TestContext,
  { secretKeys = testSettings.secretKeys, mode }: { secretKeys?: readonly string[]; mode?: 'citus' } = {},
) {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) })
  const connection = { connectionString: place.environment.DATABASE_URL as string, mode }
  const { url, database, close } = await startService(connection, {
    ...testSettings,
    log,
    secretKeys,
    rowSecurity: true,
  })
  let closing: Promise<void> | undefined
  const end = () => {
    closing ??= close()
    return closing
  }
  t.after(end)
  const { organizationId } = await createOrganization(database, { name: 'Chain' })
  const { apiKey } = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const made = await fetch(`${url}/v1/customer`, { method: 'POST', headers, body: '{"firstName":"Ann"}' })
  const { id } = (await made.json()) as { id: string }
  assert.equal((await fetch(`${url}/v1/customer/${id}`, { headers })).status, 200)
  const roles = await place.asSuperuser(
    `select distinct usename::text from pg_stat_activity where starts_with(usename, 'cashwrap_rows_') and state is not null`,
  )
  const shown = countedFamilies().find(({ name }) => name === 'cashwrap_row_security')?.values[0]?.value
  assert.equal(shown, Math.min(1, roles.length), 'the metric')
  await end()
  return { warnings, roles: roles.map(({ usename }) => usename) }
}

/** Starts a server behind row-level security, and returns its warnings. */
async function startWarned(
  t: TestContext,
  secretKeys: readonly string[],
  rowSecurity: true | 'required' = true,
): Promise<string[]> {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) })
  const connection = { connectionString: place.environment.DATABASE_URL as string }
  const { close } = await startService(connection, { ...testSettings, log, secretKeys, rowSecurity })
  t.after(close)
  return warnings
}

/** As an operator calls it, who has not decided about row-level security. */
const migrate = () => json(place.environment, 'migrate')

test('a service whose role may not create roles says that row-level security is off, and serves; the SQL that migrate prints turns it on', async (t) => {
  await place.asSuperuser('alter role shop nocreaterole')
  const before = await sell(t)
  assert.deepEqual(before.roles, [])
  assert.match(before.warnings.join(), /^row-level security is off: the role shop may not create roles/)
  // A server that must not serve without it does not start.
  const { secretKeys } = testSettings
  await assert.rejects(startWarned(t, secretKeys, 'required'), {
    name: 'OperatorError',
    message: /^The server did not start: row-level security is off: the role shop .*`cashwrap migrate` says/,
  })
  const { rowSecurity } = await migrate()
  assert.equal(rowSecurity.isOn, false)
  // A verifier stands for the password.
  assert.match(rowSecurity.statements.join(), /create role cashwrap_rows_\w+ login password 'SCRAM-SHA-256\$/)
  for (const statement of rowSecurity.statements) await place.asSuperuser(statement)
  assert.deepEqual((await migrate()).rowSecurity, { isOn: true })
  const after = await sell(t)
  assert.deepEqual([after.warnings, after.roles.length], [[], 1])
  assert.deepEqual(await startWarned(t, secretKeys, 'required'), [])
})

test('a server whose CASHWRAP_DATABASE_MODE is for Citus, which the database does not have, warns and names the setting', async (t) => {
  const { warnings, roles } = await sell(t, { mode: 'citus' })
  assert.deepEqual(roles, [])
  assert.match(
    warnings.join(),
    /^CASHWRAP_DATABASE_MODE is citus, but .*row-level security is off.*Remove the setting$/,
  )
})

test('row-level security is on by default with a PostgreSQL of one’s own, and off where it is switched off and in the embedded one', async () => {
  assert.equal('rowSecurity' in (await json({ ...place.environment, CASHWRAP_ROW_SECURITY: 'off' }, 'migrate')), false)
  // Its password is made of the secret key, which a migration alone does not need.
  const without = await cashwrap(['migrate'], { ...place.environment, CASHWRAP_SECRET_KEY: '' })
  assert.deepEqual([without.code, without.stderr.includes('set CASHWRAP_SECRET_KEY')], [0, true])
  assert.deepEqual(
    [{}, place.environment, { CASHWRAP_ROW_SECURITY: 'required' }].map((set) => readConfig(set).rowSecurity),
    [false, true, 'required'],
  )
})

const [first, second] = ['one', 'another'].map(
  (name) => `${name} secret that only tests know of and of 32 characters`,
) as [string, string]
/** The roles that there are, with those that a superuser has made. */
const roles = async (): Promise<string[]> =>
  (
    await place.asSuperuser(
      `select rolname::text from pg_roles where starts_with(rolname, 'cashwrap_rows_') order by 1`,
    )
  ).map(({ rolname }) => rolname)

test('each secret key has a role of its own, and that of a key that was replaced is removed', async (t) => {
  await place.asSuperuser('alter role shop createrole')
  const made = await roles()
  const [own] = (await sell(t, { secretKeys: [first, ...testSettings.secretKeys] })).roles
  const [next] = (await sell(t, { secretKeys: [second, first] })).roles
  const connection = { connectionString: String(place.environment.DATABASE_URL) }
  assert.deepEqual(await roles(), [...made, own, next].sort())
  // A copy of the database has rights for the role too, and then it cannot be removed: that must not keep the new one from being used.
  await place.asSuperuser(`grant usage on schema public to ${own}`, 'postgres')
  const { warnings, roles: used } = await sell(t, { secretKeys: [second] })
  assert.deepEqual(used, [next])
  assert.match(
    warnings.join(),
    new RegExp(
      `the role ${own} of a former secret key stays, but can neither connect nor read: it still has 1 object in`,
    ),
  )
  const former = connectionAs(connection, loginOf(first, own?.split('_')[2] as string)).connectionString
  await assert.rejects(place.connect(former), /password authentication failed/)
  await place.asSuperuser(`revoke usage on schema public from ${own}`, 'postgres')
  // Servers can come back to the former key. One of them still runs when the next has the new key alone.
  assert.deepEqual((await sell(t, { secretKeys: [first, second] })).roles, [own])
  await sell(t, { secretKeys: [second, first] })
  const server = await place.connect(former)
  assert.match(
    (await sell(t, { secretKeys: [second] })).warnings.join(),
    new RegExp(`the role ${own} .* stays.*it has sessions`),
  )
  await server.end()
  const sessions = () => place.asSuperuser(`select from pg_stat_activity where usename = '${own}'`)
  await until('its sessions have ended', async () => (await sessions()).length === 0)
  // Of two servers that start at once, one removes it, and the other does not say that it stays.
  const both = await Promise.all([1, 2].map(() => startWarned(t, [second])))
  assert.deepEqual(
    both.flat().filter((warning) => warning.includes(String(own))),
    [],
  )
  assert.deepEqual(await roles(), [...made, next].sort())
})

test('where the role of a new secret key lacks a function, that of the former key is used, and a warning has the SQL', async (t) => {
  await place.asSuperuser('alter role shop createrole')
  const [own] = (await sell(t, { secretKeys: [second] })).roles
  const ofLocks = `execute on function ${['', '_shared'].map((kind) => `pg_advisory_xact_lock${kind}(bigint), pg_try_advisory_xact_lock${kind}(bigint), pg_advisory_xact_lock${kind}(integer,integer), pg_try_advisory_xact_lock${kind}(integer,integer)`).join(', ')}`
  await place.asSuperuser(`grant ${ofLocks} to shop, ${own}; revoke ${ofLocks} from public`)
  t.after(() => place.asSuperuser(`grant ${ofLocks} to public`))
  const third = first.replace('one', 'a third')
  const { warnings, roles: used } = await sell(t, { secretKeys: [third, second] })
  assert.deepEqual(used, [own])
  const [, sql = ''] =
    /role of a former secret key is used: .* may not use locks; (grant .*)/.exec(warnings.join('\n')) ?? []
  await place.asSuperuser(sql)
  const [next, ...others] = (await sell(t, { secretKeys: [third, second] })).roles
  assert.deepEqual([next === own, others], [false, []])
  for (const secretKeys of [[second, third], [second]]) await sell(t, { secretKeys })
})

test('where the role of a new secret key may not be made, that of the former key is used, and a warning has the SQL', async (t) => {
  await place.asSuperuser('alter role shop createrole')
  const [own] = (await sell(t, { secretKeys: [second] })).roles
  await place.asSuperuser('alter role shop nocreaterole')
  t.after(() => place.asSuperuser('alter role shop createrole'))
  const fourth = first.replace('one', 'a fourth')
  const { warnings, roles: used } = await sell(t, { secretKeys: [fourth, second] })
  assert.deepEqual(used, [own])
  const [, sql = ''] =
    /role of a former secret key is used: .* may not create roles; (create role .*)/.exec(warnings.join('\n')) ?? []
  await place.asSuperuser(sql)
  const [next, ...others] = (await sell(t, { secretKeys: [fourth] })).roles
  assert.deepEqual([next === own, others], [false, []])
  await place.asSuperuser('alter role shop createrole')
  for (const secretKeys of [[second, fourth], [second]]) await sell(t, { secretKeys })
})

test('the role of a replaced secret key that a superuser gave functions is closed, and a warning has the SQL that removes it', async (t) => {
  const [own] = (await sell(t, { secretKeys: [second] })).roles
  await place.asSuperuser(`grant execute on function pg_advisory_xact_lock(bigint) to ${own}`)
  await sell(t, { secretKeys: [first, second] })
  const { warnings, roles: used } = await sell(t, { secretKeys: [first] })
  assert.notDeepEqual(used, [own])
  const former = loginOf(second, own?.split('_')[2] as string)
  const connection = { connectionString: String(place.environment.DATABASE_URL) }
  await assert.rejects(
    place.connect(connectionAs(connection, former).connectionString),
    /password authentication failed/,
  )
  const [, owned = '', dropped = ''] =
    new RegExp(
      `the role ${own} .* still has privileges for function .*: (drop owned by .*;) and then: (drop role .*;)`,
    ).exec(warnings.join('\n')) ?? []
  for (const sql of [owned, dropped]) await place.asSuperuser(sql)
  assert.equal((await roles()).includes(String(own)), false)
  await sell(t, { secretKeys: [second, first] })
  await sell(t, { secretKeys: [second] })
})

test('while PostgreSQL refuses the role, a request of a company is 503, and works again afterwards', async (t) => {
  const connection = { connectionString: String(place.environment.DATABASE_URL) }
  const { url, database, close } = await startService(connection, {
    ...testSettings,
    secretKeys: [second],
    rowSecurity: true,
  })
  t.after(close)
  const { organizationId } = await createOrganization(database, { name: 'Chain' })
  const { apiKey } = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
  const list = async () => (await fetch(`${url}/v1/customers`, { headers: { 'x-api-key': apiKey } })).status
  assert.equal(await list(), 200)
  for (const role of await roles()) {
    await place.asSuperuser(`alter role ${role} nologin`)
    await place.asSuperuser(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}'`)
  }
  assert.equal(await list(), 503)
  for (const role of await roles()) await place.asSuperuser(`alter role ${role} login`)
  assert.equal(await list(), 200)
})

test('a role that has rights beyond its own is not used', async (t) => {
  for (const role of await roles()) await place.asSuperuser(`alter role ${role} bypassrls`)
  const { warnings, roles: used } = await sell(t, { secretKeys: [second] })
  assert.match(warnings.join(), /has attributes of an administrator/)
  assert.deepEqual(used, [])
})

test('the SQL of the documentation for leaving row-level security removes the views and the roles', async () => {
  const docs = await readFile('docs/postgresql.md', 'utf8')
  const [statement] = /do \$\$ declare named record[\s\S]*?end \$\$;/.exec(docs) ?? []
  assert.ok((await roles()).length > 0)
  await place.asSuperuser(statement as string)
  const left = await place.asSuperuser(
    `select nspname::text from pg_namespace where starts_with(nspname, 'cashwrap_rows')`,
  )
  assert.deepEqual([left, await roles()], [[], []])
})
