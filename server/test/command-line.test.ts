// The command line as people and scripts use it: results, refusals, exit codes, with and without a running server.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { copyDatabase, testConnection } from './support/database.ts'
import { cashwrap, dataFolder, type Environment, serve, until, urlOf } from './support/program.ts'

/** Settings of a migrated, empty database of the test's own. */
async function emptyDatabase(t: TestContext): Promise<Environment> {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  return { DATABASE_URL: urlOf(connection) }
}

/** Runs a command with --json and gives the one document that it prints. */
async function json(environment: Environment, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await cashwrap([...args, '--json'], environment)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

/** The status that a server answers to a key. */
async function whoami(url: string, key: string, header = 'x-api-key'): Promise<number> {
  const response = await fetch(`${url}/v1/whoami`, { headers: { [header]: key } })
  await response.body?.cancel()
  return response.status
}

const someId = '0123456789abcdef01234567'

describe('results', { concurrency: 2 }, () => {
  test('organizations, companies and keys are made and listed, and their keys open what they should', async (t) => {
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
      ],
    )
    assert.match(key.apiKey, /^posk_\w{36}$/)
    assert.deepEqual([key.permissions, key.expiresAt], [['read', 'delete'], '2099-12-31T00:00:00.000Z'])
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
    assert.equal((await json(environment, 'key', 'list')).length, 4)
    assert.doesNotMatch(JSON.stringify(keys), /posk_\w{5}/, 'a key is shown once, when it is made')

    const server = await serve(t, environment)
    assert.equal(server.said.companyKey, undefined, 'a database with an organization gets no first company')
    const read = (path: string, value: string) => fetch(server.url + path, { headers: { 'x-api-key': value } })
    const outlets: any = await (await read('/v1/outlets', company.apiKey)).json()
    assert.deepEqual(
      outlets.data.map(({ id, name }: any) => [id, name]),
      [[company.outletId, 'Corner Shop']],
    )
    assert.equal((await read('/v1/outlets', key.apiKey)).status, 200)
    const refused = await fetch(`${server.url}/v1/customer`, { method: 'POST', headers: { 'x-api-key': key.apiKey } })
    assert.equal(refused.status, 403)
    assert.equal((await server.stop()).code, 0)
  })

  test('a deleted key is refused at once, on every running server', async (t) => {
    const environment = await emptyDatabase(t)
    const first = await serve(t, environment)
    const second = await serve(t, environment)
    const { companyId } = first.said
    const made = await json(
      environment,
      'key',
      'create',
      '--company',
      companyId,
      '--name',
      'Lost',
      '--permissions',
      'read',
    )
    // Used twice, so that both servers know it by heart.
    for (const { url } of [first, second, first, second]) assert.equal(await whoami(url, made.apiKey), 200)
    assert.deepEqual(await json(environment, 'key', 'delete', made.id), { id: made.id, deleted: true })
    for (const { url } of [first, second]) {
      await until('the key is refused', async () => (await whoami(url, made.apiKey)) === 401)
      assert.equal(await whoami(url, first.said.companyKey), 200)
    }
  })

  test('without --json the same is readable', async (t) => {
    const environment = await emptyDatabase(t)
    assert.equal((await cashwrap(['company', 'list'], environment)).stdout, 'There is no company yet.\n')
    const made = await cashwrap(['organization', 'create', '--name', 'Two\nlines'], environment)
    assert.match(made.stdout, /^ {2}Organization id {3}[0-9a-f]{24}$/m)
    assert.match(made.stdout, /^ {2}Organization key {2}poso_\w{36}$/m)
    const { stdout } = await cashwrap(['organization', 'list'], environment)
    const [headings = '', row = '', ...rest] = stdout.trimEnd().split('\n')
    assert.deepEqual(rest, [], 'a name with a line break stays on its line')
    assert.equal(row.indexOf('Two lines'), headings.indexOf('name'))
  })

  test('migrate says what it did', async (t) => {
    const database = connect(testConnection(), { size: 1 })
    const name = `test_${randomBytes(6).toString('hex')}`
    await database.query(`create database ${name}`)
    t.after(() => database.query(`drop database ${name} with (force)`).finally(() => database.close()))
    const environment = { DATABASE_URL: urlOf({ ...testConnection(), database: name }) }
    const { applied } = await json(environment, 'migrate')
    assert.equal(applied[0], '0001_foundation.sql')
    assert.deepEqual((await json(environment, 'migrate')).applied, [])
  })

  test('the first start prints a line that works when pasted, and a second start one line', async (t) => {
    const environment = await emptyDatabase(t)
    const server = await serve(t, environment, [])
    const printed = server.printed()
    assert.ok(printed.includes(`${server.url}/docs`) && printed.includes(`${server.url}/v1/public/health`))
    const line = printed.split('\n').find((text) => text.trim().startsWith('curl ')) ?? ''
    // What a shell would hand to curl.
    const words = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${line}`], {
      encoding: 'utf8',
    }).split('\0')
    const after = (option: string) => words.flatMap((word, n) => (words[n - 1] === option ? [word] : []))
    const headers = after('-H').map((text) => text.split(': ') as [string, string])
    const answer = await fetch(words[0] ?? '', { method: 'POST', headers, body: after('-d')[0] ?? '' })
    assert.equal(answer.status, 201)
    assert.equal((await server.stop()).code, 0)

    const second = await serve(t, environment, [])
    assert.match(second.printed(), /^Cashwrap \S+ is ready at http:\S+ with 1 company, on the PostgreSQL at \S+\n$/)
    assert.doesNotMatch(second.log(), /pos[ko]_/)
    assert.equal((await second.stop()).code, 0)
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

  test('a command beside a server works on the same data and leaves the server as it was', async (t) => {
    const environment = { CASHWRAP_DATA: await dataFolder(t) }
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

describe('refusals', { concurrency: 2 }, () => {
  test('what was typed wrong is told in one sentence that names it, with exit code 2, and nothing is made', async (t) => {
    const environment = await emptyDatabase(t)
    const company = ['company', 'create', '--name', 'Shop', '--currency', 'EUR', '--organization', someId]
    const key = ['key', 'create', '--company', someId, '--name', 'K', '--permissions', 'read']
    const without = (args: readonly string[], option: string) => args.toSpliced(args.indexOf(option), 2)
    const cases: [string[], RegExp][] = [
      [['companies'], /unknown command 'companies'/],
      [['company', 'make'], /unknown command 'make'/],
      [[...company, '--colour', 'red'], /unknown option '--colour'/],
      [[...company, 'more'], /too many arguments/],
      [without(company, '--name'), /'--name <name>' not specified/],
      [without(company, '--currency'), /'--currency <code>' not specified/],
      [[...company, '--name', ' '], /'--name <name>' .* must not be empty/],
      [[...company, '--name', 'n'.repeat(501)], /'--name <name>' .* at most 500 characters; this one has 501/],
      [[...company, '--currency', 'eur'], /'--currency <code>' argument 'eur' .* three upper-case letters/],
      [[...company, '--organization', 'acme'], /'--organization <id>' argument 'acme' .* 24 characters/],
      [company, /--organization: There is no organization with id "0123456789abcdef01234567"/],
      [['company', 'list', '--organization', someId], /--organization: There is no organization/],
      [
        ['organization', 'create', '--name', 'A', '--owner-email', 'nobody'],
        /'--owner-email <address>' argument 'nobody'/,
      ],
      [without(key, '--company'), /--company <id> or --organization <id>/],
      [[...key, '--organization', someId], /'--company <id>' cannot be used with option '--organization <id>'/],
      [
        [...key, '--permissions', 'read,fly'],
        /'--permissions <list>' .* no permission "fly"; there are read, create, update, delete/,
      ],
      [[...key, '--permissions', 'read,'], /'--permissions <list>' .* between two commas/],
      [[...key, '--expires', '2099-02-30'], /'--expires <date>' argument '2099-02-30' .* no date that exists/],
      [[...key, '--expires', '2020-01-01'], /'--expires <date>' .* already past/],
      [key, /--company: There is no company with id/],
      [['key', 'list', '--company', someId], /--company: There is no company/],
      [['key', 'delete'], /missing required argument 'id'/],
      [['key', 'delete', 'mine'], /'mine' is invalid for argument 'id'. An id has 24 characters/],
      [['key', 'delete', someId], /<id>: There is no key with id/],
    ]
    for (const [args, sentence] of cases) {
      const { code, stdout, stderr } = await cashwrap(args, environment)
      assert.equal(code, 2, args.join(' '))
      assert.equal(stdout, '')
      assert.match(stderr, sentence)
      assert.match(stderr, /^error: [^\n]+\n(\(Did you mean [^\n]+\)\n)?$/)
    }
    assert.deepEqual(await json(environment, 'organization', 'list'), [])
  })

  test('with --json a failure is one document too, and the exit code is the same', async () => {
    const typed = await cashwrap(['key', 'delete', 'mine', '--json'], {})
    assert.equal(typed.code, 2)
    assert.deepEqual(Object.keys(JSON.parse(typed.stdout).error), ['exitCode', 'message'])
    const around = await cashwrap(['company', 'list', '--json'], { DATABASE_URL: 'postgres://user@127.0.0.1:1/shop' })
    assert.equal(around.code, 1)
    assert.match(JSON.parse(around.stdout).error.message, /^PostgreSQL cannot be reached/)
  })

  test('every command explains itself, with an example', async () => {
    const commands = ['serve', 'migrate', 'organization create', 'organization list', 'company create', 'company list']
    for (const command of [...commands, 'key create', 'key list', 'key delete']) {
      const { code, stdout } = await cashwrap([...command.split(' '), '--help'], {})
      assert.equal(code, 0)
      assert.match(stdout, new RegExp(`Example:\n {2}\\$ .*cashwrap ${command}`))
      assert.match(stdout, /--json/)
    }
    for (const group of [[], ['organization'], ['company'], ['key']]) {
      const { code, stdout, stderr } = await cashwrap(group, {})
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /^Usage: cashwrap/)
    }
  })
})

test('the log is JSON lines that hold no key and nothing of a body', async (t) => {
  const server = await serve(t, { ...(await emptyDatabase(t)), LOG_LEVEL: 'trace' })
  const key: string = server.said.companyKey
  const send = (body: string, value = key) =>
    fetch(`${server.url}/v1/customer?apiKey=${value}`, {
      method: 'POST',
      headers: { 'x-api-key': value, 'content-type': 'application/json', 'x-request-id': 'my-request' },
      body,
    })
  for (const body of ['{"firstName": "Confidential"}', '{"Confidential": 1}', '{"firstName": "Confidential', ''])
    await send(body)
  await send('{"firstName": "Confidential"}', `${key.slice(0, -1)}!`)
  await fetch(`${server.url}/v1/customers?searchByEmail=Confidential`, { headers: { 'x-api-key': key } })
  const { stderr } = await server.stop()
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.ok(lines.some(({ requestId, status }) => requestId === 'my-request' && status === 400))
  assert.doesNotMatch(stderr, /Confidential/)
  assert.doesNotMatch(stderr, new RegExp(key.slice(5, 20)))
})
