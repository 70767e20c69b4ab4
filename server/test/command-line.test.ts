// The command line as people and scripts use it: what its commands do and print, with and without a running server.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { migrate, newestMigration } from '../src/database/migrate.ts'
import { copyDatabase } from './support/database.ts'
import { sessions } from './support/nodes.ts'
import {
  cashwrap,
  clusterFolder,
  dataFolder,
  type Environment,
  emptyDatabase,
  json,
  type Program,
  serve,
  until,
  urlOf,
} from './support/program.ts'
import { serveHere } from './support/served.ts'

/** The status that a server returns for a key. */
async function whoami(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/whoami`, { headers: { 'x-api-key': key } })
  await response.body?.cancel()
  return response.status
}

/** Sends requests of all kinds to a server, stops it, and asserts that its log at the level `trace` has no key and no body. */
async function assertLogIsClean({ url, stop }: Program, key: string): Promise<void> {
  const send = (body: string, value = key) =>
    fetch(`${url}/v1/customer?apiKey=${value}`, {
      method: 'POST',
      headers: { 'x-api-key': value, 'content-type': 'application/json', 'x-request-id': 'my-request' },
      body,
    })
  for (const body of ['{"firstName": "Confidential"}', '{"Confidential": 1}', '{"firstName": "Confidential', ''])
    await send(body)
  await send('{"firstName": "Confidential"}', `${key.slice(0, -1)}!`)
  await fetch(`${url}/v1/customers?searchByEmail=Confidential`, { headers: { 'x-api-key': key } })
  const { code, stderr } = await stop()
  assert.equal(code, 0)
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.ok(lines.some(({ requestId, status }) => requestId === 'my-request' && status === 400))
  assert.doesNotMatch(stderr, /Confidential/)
  assert.match(key, /^posk_\w{36}$/)
  assert.doesNotMatch(stderr, new RegExp(key.slice(5, 20)))
}

const connectionOf = ({ DATABASE_URL }: Environment) => ({ connectionString: String(DATABASE_URL) })

describe('results', { concurrency: 2 }, () => {
  test('migrate says what it did, and another command that migrates an older database says so, once', async (t) => {
    const older = await copyDatabase('template0')
    t.after(older.drop)
    const database = connect(older.connection)
    await migrate(database, () => {}, (await newestMigration()) - 1)
    await database.close()
    const { connection, drop } = await copyDatabase(older.connection.database)
    t.after(drop)
    const { applied } = await json({ DATABASE_URL: urlOf(older.connection) }, 'migrate')
    assert.deepEqual(applied.map(Number.parseFloat), [await newestMigration()])
    assert.deepEqual((await json({ DATABASE_URL: urlOf(older.connection) }, 'migrate')).applied, [])

    const environment = { DATABASE_URL: urlOf(connection) }
    const first = await cashwrap(['company', 'list', '--json'], environment)
    assert.match(first.stderr, /^The database was migrated to \d{4}_\w+\.sql\.\n$/)
    assert.deepEqual(JSON.parse(first.stdout), [])
    assert.equal((await cashwrap(['company', 'list', '--json'], environment)).stderr, '')
  })

  test('organizations, companies and keys are created and listed, and their keys work with their permissions', async (t) => {
    const environment = await emptyDatabase(t)
    const organization = await json(
      environment,
      'organization',
      'create',
      '--name',
      'Acme',
      '--owner-email',
      'a@b.example',
    )
    const { organizationId } = organization
    assert.deepEqual(Object.keys(organization).sort(), [
      'apiKey',
      'keyId',
      'name',
      'organizationId',
      'ownerId',
      'planId',
    ])
    assert.match(organization.apiKey, /^poso_\w{36}$/)
    const company = await json(
      environment,
      ...['company', 'create', '--name', 'Corner Shop', '--currency', 'EUR', '--organization', organizationId],
    )
    const { companyId } = company
    const key = await json(
      environment,
      ...[
        'key',
        'create',
        '--company',
        companyId,
        '--name',
        'ERP',
        '--permissions',
        'delete, read',
        '--expires',
        '2099-12-31',
        '--resources',
        'sale, outlet',
      ],
    )
    assert.match(key.apiKey, /^posk_\w{36}$/)
    assert.deepEqual([key.permissions, key.expiresAt], [['read', 'delete'], '2099-12-31T00:00:00.000Z'])
    assert.deepEqual(key.resources, ['outlet', 'sale'])
    const organizationKey = await json(
      environment,
      ...['key', 'create', '--organization', organizationId, '--name', 'Partner', '--permissions', 'read'],
    )
    assert.match(organizationKey.apiKey, /^poso_/)

    const [listed] = await json(environment, 'organization', 'list')
    assert.deepEqual([listed.id, listed.name, listed.companies], [organizationId, 'Acme', 1])
    const companies = await json(environment, 'company', 'list', '--organization', organizationId)
    assert.deepEqual(
      companies.map(({ id, name, currency }: any) => [id, name, currency]),
      [[companyId, 'Corner Shop', 'EUR']],
    )
    const keys = await json(environment, 'key', 'list', '--company', companyId)
    assert.deepEqual(
      keys.map(({ id }: any) => id),
      [key.id, company.keyId],
    )
    assert.deepEqual(
      keys.map(({ resources }: any) => resources),
      [['outlet', 'sale'], undefined],
    )
    assert.equal((await json(environment, 'key', 'list')).length, 4)
    assert.doesNotMatch(JSON.stringify(keys), /posk_\w{5}/, 'a key is shown once, when it is made')

    const server = await serveHere(t, connectionOf(environment))
    assert.equal(server.first, undefined, 'a database with an organization gets no first company')
    const read = (path: string, value: string) => fetch(server.url + path, { headers: { 'x-api-key': value } })
    const outlets: any = await (await read('/v1/outlets', company.apiKey)).json()
    assert.deepEqual(
      outlets.data.map(({ id, name }: any) => [id, name]),
      [[company.outletId, 'Corner Shop']],
    )
    assert.equal((await read('/v1/outlets', key.apiKey)).status, 200)
    assert.equal((await read('/v1/customers', key.apiKey)).status, 403)
    const refused = await fetch(`${server.url}/v1/customer`, { method: 'POST', headers: { 'x-api-key': key.apiKey } })
    assert.equal(refused.status, 403)
  })

  test('two concurrent changes of a plan each keep the limits of the other', async (t) => {
    const environment = await emptyDatabase(t)
    const { planId, organizationId } = await json(environment, 'organization', 'create', '--name', 'Acme')
    const { id: shared } = await json(environment, 'plan', 'create', '--name', 'Shared', '--outlets', '1')
    const database = connect({ connectionString: environment.DATABASE_URL as string }, { size: 2 })
    try {
      for (const id of [planId, shared]) {
        const changes = await database.transaction(async (transaction) => {
          await transaction.query('select 1 from organizations where id = $1 for update', [organizationId])
          await transaction.query('select 1 from plans where id = $1 for update', [id])
          const begun = Promise.all(
            ['--users', '--products'].map((limit) => json(environment, 'plan', 'update', id, limit, '5')),
          )
          await until('both wait', async () => {
            const waiting = await database.query(
              `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
            )
            return waiting.length === 2
          })
          return { begun }
        })
        await changes.begun
        const { users, products } = (await json(environment, 'plan', 'show', id)).limits
        assert.deepEqual([users, products], [5, 5])
      }
    } finally {
      await database.close()
    }
  })

  test('organizations, companies and plans are shown and changed, and a change or a deleted key applies on a running server at once', async (t) => {
    const environment = await emptyDatabase(t)
    const organization = await json(environment, 'organization', 'create', '--name', 'Acme')
    const { organizationId } = organization
    const of = ['--organization', organizationId]
    assert.equal((await json(environment, 'organization', 'show', organizationId)).ownerEmail, undefined)
    const owned = await json(
      environment,
      ...['organization', 'update', organizationId, '--owner-email', 'boss@acme.example', '--name', 'Acme 2'],
    )
    assert.deepEqual([owned.name, owned.ownerEmail, owned.companies], ['Acme 2', 'boss@acme.example', 0])
    const again = await json(environment, 'organization', 'update', organizationId, '--owner-email', 'new@acme.example')
    assert.deepEqual([again.name, again.ownerEmail], ['Acme 2', 'new@acme.example'])

    const logo = 'https://acme.example/logo.png'
    const shown = await json(environment, 'organization', 'update', organizationId, '--logo', logo, '--alias', 'acme-3')
    assert.deepEqual([shown.logo, shown.alias], [logo, 'acme-3'])
    const bare = await json(environment, 'organization', 'update', organizationId, '--clear', 'logo')
    assert.deepEqual(['logo' in bare, bare.alias], [false, 'acme-3'])

    const plan = await json(environment, 'plan', 'create', '--name', 'Small', '--outlets', '1', '--users', '3', ...of)
    assert.deepEqual(plan.limits, { outlets: 1, users: 3 })
    const shared = await json(environment, 'plan', 'create', '--name', 'Shared')
    assert.equal('organizationId' in shared, false)
    const changed = await json(
      environment,
      ...['plan', 'update', plan.id, '--users', 'none', '--products', '9', '--default'],
    )
    assert.deepEqual([changed.limits, changed.isDefault], [{ outlets: 1, products: 9 }, true])
    assert.deepEqual(await json(environment, 'plan', 'show', plan.id), changed)
    assert.equal((await json(environment, 'plan', 'update', shared.id, '--status', 'inactive')).status, 'inactive')
    assert.deepEqual(
      (await json(environment, 'plan', 'list', ...of)).map(({ name, isDefault }: any) => [name, isDefault]),
      [
        ['Unlimited', false],
        ['Small', true],
        ['Shared', false],
      ],
    )

    const made = await json(
      environment,
      ...['company', 'create', '--name', 'Corner Shop', '--currency', 'EUR', ...of, '--country', 'AT'],
    )
    const { companyId, apiKey } = made
    const company = await json(environment, 'company', 'show', companyId)
    assert.deepEqual(
      [company.country, company.email, company.planId, typeof company.accountId],
      ['AT', 'new@acme.example', plan.id, 'string'],
    )
    assert.equal(company.paymentCustomer.state, 'pending')
    const server = await serveHere(t, connectionOf(environment))
    await until('the company has its customer', async () => {
      const { stdout } = await cashwrap(['company', 'show', companyId], environment)
      return new RegExp(`^ {2}Payment customer +local_${companyId}$`, 'm').test(stdout)
    })
    assert.equal(await whoami(server.url, apiKey), 200)
    const suspended = await json(environment, 'company', 'suspend', companyId, '--reason', 'Not paid')
    assert.deepEqual([suspended.status, suspended.suspendedReason], ['suspended', 'Not paid'])
    await until('the key is refused', async () => (await whoami(server.url, apiKey)) === 403)
    assert.equal((await json(environment, 'company', 'unsuspend', companyId)).status, 'active')
    await until('the key is taken', async () => (await whoami(server.url, apiKey)) === 200)
    const key = await json(
      environment,
      ...['key', 'create', '--company', companyId, '--name', 'Lost', '--permissions', 'read'],
    )
    // Used twice, so that the server has cached it.
    for (let n = 0; n < 2; n++) assert.equal(await whoami(server.url, key.apiKey), 200)
    assert.deepEqual(await json(environment, 'key', 'delete', key.id), { id: key.id, deleted: true })
    await until('the deleted key is refused', async () => (await whoami(server.url, key.apiKey)) === 401)
    assert.equal(await whoami(server.url, apiKey), 200)
    const updated = await json(
      environment,
      ...['company', 'update', companyId, '--name', 'Shop', '--clear', 'country', '--plan', organization.planId],
    )
    assert.deepEqual([updated.name, updated.country, updated.planId], ['Shop', undefined, organization.planId])
    assert.deepEqual(await json(environment, 'company', 'show', companyId), updated)
    for (const [what, id] of [
      ['organization', organizationId],
      ['company', companyId],
      ['plan', plan.id],
    ]) {
      const { stdout } = await cashwrap([what, 'show', id], environment)
      assert.match(stdout, new RegExp(`^ {2}Id +${id}$`, 'm'))
    }
    assert.match((await cashwrap(['plan', 'list'], environment)).stdout, /Small +1 outlets, 9 products +/)
  })

  test('without --json the output is readable text', async (t) => {
    const environment = await emptyDatabase(t)
    assert.equal((await cashwrap(['company', 'list'], environment)).stdout, 'There are no companies yet.\n')
    const made = await cashwrap(['organization', 'create', '--name', 'Two\nlines'], environment)
    assert.match(made.stdout, /^ {2}Organization id {3}[0-9a-f]{24}$/m)
    assert.match(made.stdout, /^ {2}Organization key {2}poso_\w{36}$/m)
    const { stdout } = await cashwrap(['organization', 'list'], environment)
    const [headings = '', row = '', ...rest] = stdout.trimEnd().split('\n')
    assert.deepEqual(rest, [], 'a name with a line break stays on its line')
    assert.equal(row.indexOf('Two lines'), headings.indexOf('name'))
  })

  test('the first start prints a line that works when pasted, and each start a link until a user can sign in; the log is JSON lines without keys and bodies', async (t) => {
    const environment = await emptyDatabase(t)
    const server = await serve(t, environment, [])
    const printed = server.printed()
    assert.ok(printed.includes(`${server.url}/docs`) && printed.includes(`${server.url}/v1/public/health`))
    const line = printed.split('\n').find((text) => text.trim().startsWith('curl ')) ?? ''
    // As a shell passes it to curl.
    const words = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${line}`], {
      encoding: 'utf8',
    }).split('\0')
    const after = (option: string) => words.flatMap((word, n) => (words[n - 1] === option ? [word] : []))
    const headers = after('-H').map((text) => text.split(': ') as [string, string])
    const answer = await fetch(words[0] ?? '', { method: 'POST', headers, body: after('-d')[0] ?? '' })
    assert.equal(answer.status, 201)
    const [, another = ''] = /Another key +npx cashwrap (.*)/.exec(printed) ?? []
    assert.match((await json(environment, ...another.split(' '))).apiKey, /^posk_/)
    assert.equal((await server.stop()).code, 0)

    const oneLine = /^Cashwrap \S+ is ready at http:\S+ with 1 company, on the PostgreSQL at \S+\n$/
    const token = (text: string) => /Console +http\S+\/console\/link#token=([\w-]{43})\n/.exec(text)?.[1]
    // Where people open the console, if that is set: nobody else reaches HOST and PORT behind a proxy.
    const second = await serve(t, { ...environment, CASHWRAP_PUBLIC_URL: 'https://pos.example.com' }, [])
    const withLink = /^Cashwrap \S+ is ready at http:.*\n\n {2}Console +https:\/\/pos\.example\.com\/console\/link#/
    assert.match(second.printed(), withLink)
    assert.doesNotMatch(second.log(), /pos[ko]_|token/)
    const use = (token: string | undefined) =>
      fetch(`${second.url}/v1/console/link/use`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, email: 'ann@example.com', password: 'four words of my own' }),
      })
    assert.equal((await use(token(printed))).status, 401)
    assert.equal((await use(token(second.printed()))).status, 200)
    assert.equal((await second.stop()).code, 0)

    const third = await serve(t, { ...environment, LOG_LEVEL: 'trace' }, [])
    assert.match(third.printed(), oneLine)
    await assertLogIsClean(third, Object.fromEntries(headers)['x-api-key'] ?? '')
  })
})

describe('embedded database', { concurrency: 2 }, () => {
  test('a command without a server starts PostgreSQL, does its work, and stops it', async (t) => {
    const folder = await dataFolder(t)
    const environment = { CASHWRAP_DATA: folder }
    const { organizationId } = await json(environment, 'organization', 'create', '--name', 'Acme')
    assert.equal(existsSync(join(folder, 'postgres', 'postmaster.pid')), false)
    // Settings of the machine's other databases do not matter.
    const others = { PGSSLMODE: 'require', PGHOST: 'elsewhere', PGPORT: '1', PGUSER: 'else', PGDATABASE: 'other' }
    const [listed] = await json({ ...environment, ...others }, 'organization', 'list')
    assert.equal(listed.id, organizationId)
  })

  test('a command without DATABASE_URL and without an embedded database says so, and creates none', async (t) => {
    const folder = await dataFolder(t)
    const missing = join(folder, 'data')
    for (const place of [folder, missing]) {
      const { code, stderr } = await cashwrap(['key', 'list', '--company', '6740a1f2c3d4e5f6a7b8c900'], {
        CASHWRAP_DATA: place,
      })
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`There is no database in ${place}\\. Set DATABASE_URL or CASHWRAP_DATA`))
      assert.equal(existsSync(join(place, 'postgres')), false)
    }
    assert.equal(existsSync(missing), false)
  })

  test('a command beside a server works on the same data and leaves the server as it was', async (t) => {
    const environment = { CASHWRAP_DATA: await clusterFolder(t) }
    const server = await serve(t, environment)
    const { organizationId } = server.said
    const made = await json(
      environment,
      ...['company', 'create', '--name', 'Second', '--currency', 'CHF', '--organization', organizationId],
    )
    assert.equal(await whoami(server.url, made.apiKey), 200)
    assert.equal((await json(environment, 'company', 'list')).length, 2)
    assert.equal(await whoami(server.url, server.said.companyKey), 200)
    assert.equal((await server.stop()).code, 0)
  })
})
