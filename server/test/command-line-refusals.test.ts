// What the command line refuses and how it says so: one sentence, an exit code, and nothing changed; and what it explains on request.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { misspeltSettings } from '../src/settings.ts'
import { cashwrap, cashwrapAlone, cashwrapEach, dataFolder, emptyDatabase, json } from './support/program.ts'

const someId = '0123456789abcdef01234567'

describe('refusals', { concurrency: 2 }, () => {
  test('wrong usage is reported in one sentence that names it, with exit code 2, and creates nothing', async (t) => {
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
      [
        ['user', 'create', '--email', 'ann\u0001@example.com', '--company', someId, '--role', 'owner'],
        /An e-mail address/,
      ],
      [[...company, '--name', ' '], /'--name <name>' .* must not be empty/],
      [[...company, '--name', 'n'.repeat(501)], /'--name <name>' .* at most 500 characters; this one has 501/],
      [[...company, '--currency', 'euro'], /'--currency <code>' argument 'euro' .* three-letter ISO 4217 code/],
      [[...company, '--organization', 'acme'], /'--organization <id>' argument 'acme' .* 24 characters/],
      [company, /--organization: There is no organization with id "0123456789abcdef01234567"/],
      [['company', 'list', '--organization', someId], /--organization: There is no organization/],
      [
        ['organization', 'create', '--name', 'A', '--owner-email', 'nobody'],
        /'--owner-email <address>' argument 'nobody'/,
      ],
      [without(key, '--company'), /--company <id> or --organization <id>/],
      [[...key, '--resources', 'product,customers'], /--resources: "customers" is not .*; did you mean customer\?/],
      [
        [...key, '--resources', 'search'],
        /--resources: "search" cannot be in the list: search needs a key for all resources/,
      ],
      [[...key, '--resources', 'custom-table-row'], /--resources must include customer, since it has custom-table-row/],
      [
        [...without(key, '--company'), '--organization', someId, '--resources', 'product'],
        /Only keys of companies can be limited to resources; leave out --resources/,
      ],
      [[...key, '--organization', someId], /'--company <id>' cannot be used with option '--organization <id>'/],
      [
        [...key, '--permissions', 'read,fly'],
        /'--permissions <list>' .* Unknown permission "fly"; the permissions are read, create, update, delete/,
      ],
      [[...key, '--permissions', 'read,'], /'--permissions <list>' .* between two commas/],
      [[...key, '--expires', '2099-02-30'], /'--expires <date>' argument '2099-02-30' .* date does not exist/],
      [[...key, '--expires', '2020-01-01'], /'--expires <date>' .* is in the past/],
      [key, /--company: There is no company with id/],
      [['key', 'list', '--company', someId], /--company: There is no company/],
      [['key', 'delete'], /missing required argument 'id'/],
      [['key', 'delete', 'mine'], /'mine' is invalid for argument 'id'. An id has 24 characters/],
      [['key', 'delete', someId], /<id>: There is no key with id/],
      [['organization', 'show', someId], /<id>: There is no organization with id/],
      [['organization', 'update', someId], /Say what to change/],
      [['organization', 'update', someId, '--name', 'A'], /<id>: There is no organization with id/],
      [['company', 'show', 'mine'], /'mine' is invalid for argument 'id'/],
      [['company', 'show', someId], /<id>: There is no company with id/],
      [['company', 'update', someId], /Say what to change/],
      [['company', 'suspend', someId], /<id>: There is no company with id/],
      [['company', 'unsuspend', someId], /<id>: There is no company with id/],
      [['plan', 'create', '--name', 'P', '--organization', someId], /--organization: There is no organization/],
      [['plan', 'create', '--name', 'P', '--users', '1.5'], /'--users <number>' .* whole number, or none/],
      [['plan', 'create', '--name', 'P', '--users', '9999999999'], /\/limits\/users: must not be more than/],
      [['plan', 'create', '--name', 'P', '--default'], /\/isDefault: cannot be true for a plan of all/],
      [['plan', 'show', someId], /<id>: There is no plan with id/],
      [['plan', 'update', someId], /Say what to change/],
      [['plan', 'update', someId, '--status', 'off'], /'--status <status>' argument 'off' is invalid/],
    ]
    const ended = await cashwrapEach(
      cases.map(([args]) => args),
      environment,
    )
    for (const [n, [args, sentence]] of cases.entries()) {
      const { code, stdout, stderr } = ended[n] as (typeof ended)[number]
      assert.equal(code, 2, args.join(' '))
      assert.equal(stdout, '')
      assert.match(stderr, sentence)
      assert.match(stderr, /^error: [^\n]+\n(\(Did you mean [^\n]+\)\n)?$/)
    }
    assert.deepEqual(await json(environment, 'organization', 'list'), [])
    assert.deepEqual(await json(environment, 'plan', 'list'), [])
  })

  test('an operation’s refusal is reported with exit code 2, as over HTTP, and changes nothing', async (t) => {
    const environment = await emptyDatabase(t)
    const { organizationId, planId } = await json(environment, 'organization', 'create', '--name', 'Acme')
    const company = ['company', 'create', '--name', 'Shop', '--currency', 'EUR', '--organization', organizationId]
    const { companyId } = await json(environment, ...company, '--external-id', 'a')
    // With an owner, which must not exist afterwards.
    const organization = ['organization', 'update', organizationId, '--owner-email', 'boss@acme.example']
    const cases: [string[], RegExp][] = [
      [[...company, '--country', 'XX'], /\/country: must be a country/],
      [[...company, '--timezone', 'Moon'], /\/timezone: must be the IANA name/],
      [[...company, '--email', 'nobody'], /\/email: must be an e-mail address/],
      [[...company, '--plan', someId], /There is no plan with id/],
      [[...company, '--external-id', 'a'], /has the externalId "a"/],
      [['company', 'update', companyId, '--clear', 'name'], /\/name: is required and cannot be cleared/],
      [['company', 'update', companyId, '--clear', 'colour'], /--clear: "colour" cannot be cleared; .* email, phone/],
      [
        ['company', 'update', companyId, '--clear', 'phone,organizationId'],
        /--clear: "organizationId" cannot be cleared/,
      ],
      [['company', 'update', companyId, '--clear', 'createdAt'], /--clear: "createdAt" cannot be cleared/],
      [['company', 'update', companyId, '--clear', '_id'], /--clear: "_id" cannot be cleared/],
      [['company', 'update', companyId, '--clear', 'phone,'], /--clear: "" cannot be cleared/],
      [[...organization, '--alias', 'Bad Alias'], /\/alias: must contain only a-z/],
      [[...organization, '--alias', 'taken'], /Another organization already has the alias "taken"/],
      [[...organization, '--logo', 'javascript:alert(1)'], /\/logo: must be an absolute http or https URL/],
      [[...organization, '--logo', ''], /\/logo: must be an absolute http or https URL/],
      [[...organization, '--clear', 'name'], /'--clear <member>' argument 'name' is invalid. Allowed choices are logo/],
      [[...organization, '--clear', 'logo', '--logo', 'https://a.b'], /cannot be used with/],
      [['company', 'suspend', companyId, '--reason', 'x'.repeat(501)], /\/suspendedReason: .* 500 characters/],
      [['plan', 'update', planId, '--status', 'inactive'], /The default plan must be active/],
    ]
    await json(environment, 'organization', 'create', '--name', 'Taken')
    const everything = async () => [
      await json(environment, 'company', 'list'),
      await json(environment, 'organization', 'list'),
    ]
    const before = await everything()
    const ended = await cashwrapEach(
      cases.map(([args]) => args),
      environment,
    )
    for (const [n, [args, sentence]] of cases.entries()) {
      const { code, stdout, stderr } = ended[n] as (typeof ended)[number]
      assert.deepEqual([code, stdout], [2, ''], args.join(' '))
      assert.match(stderr, sentence)
      assert.match(stderr, /^error: [^\n]+\n$/)
    }
    assert.deepEqual(await everything(), before)
    assert.equal((await json(environment, 'plan', 'show', planId)).status, 'active')
  })

  test('missing options are named all at once, and a misspelt or unknown one with a suggestion', async () => {
    const cases = [
      [
        ['key', 'create'],
        /'--name <name>', '--permissions <list>', '--company <id>' or '--organization <id>' not specified/,
      ],
      [
        ['user', 'create', '--role', 'admin'],
        /'--email <address>', '--company <id>' or '--organization <id>' not specified/,
      ],
      [['serve', '--port', '9000'], /'--port'.* PORT=/],
      [['serve', '--trust-proxy=10.0.0.1'], /CASHWRAP_TRUST_PROXY=/],
      [['serve', '--jsn'], /Did you mean --json/],
      [['sevre'], /unknown command 'sevre' \(Did you mean serve\?\)/],
      [['bogus', '--help'], /unknown command 'bogus'; `cashwrap --help` lists all commands/],
      [['bogus', '--version'], /unknown command 'bogus'/],
      [['user', 'bogus', '--help'], /unknown command 'bogus'/],
      [['help', 'bogus'], /unknown command 'bogus'/],
    ] as const
    const ended = await cashwrapEach(
      cases.map(([args]) => args),
      {},
    )
    for (const [n, [, words]] of cases.entries()) {
      const { code, stdout, stderr } = ended[n] as (typeof ended)[number]
      assert.deepEqual([code, stdout], [2, ''], stderr)
      assert.match(stderr, words)
    }
  })

  test('required options are marked in help', async () => {
    const { code, stdout } = await cashwrap(['key', 'create', '--help'], {})
    assert.equal(code, 0)
    assert.match(stdout, /--name <name> +\(required\)/)
    assert.match(stdout, /--company <id> +\(one is required\)/)
    assert.doesNotMatch(stdout, /--expires <date> +\(/)
  })

  test('a misspelt setting is a warning with the likely name, and the command continues', async () => {
    const environment = { CASHWRAP_TRUSTPROXY: '10.0.0.1', CASHWRAP_COLOUR: 'red' }
    const { code, stdout, stderr } = await cashwrap(['secret'], environment)
    assert.deepEqual([code, stdout.trim().length], [0, 43])
    assert.match(stderr, /CASHWRAP_TRUSTPROXY is not a setting .*Did you mean CASHWRAP_TRUST_PROXY\?/)
    assert.match(stderr, /CASHWRAP_COLOUR is not a setting of Cashwrap and has no effect\.\n/)
    assert.equal((await cashwrap(['secret'], {})).stderr, '')
    // Every setting that the guide has is one.
    const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    const documented = [...guide.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(
      ([, names]) => names?.match(/[A-Z_]+/g) ?? [],
    )
    assert.ok(documented.includes('CASHWRAP_PASSPHRASE') && documented.length > 30)
    assert.deepEqual(misspeltSettings(Object.fromEntries(documented.map((name) => [name, 'x']))), [])
  })

  test('a file that cannot be read is refused with its name and the reason, before a database is created', async (t) => {
    const folder = await dataFolder(t)
    const data = join(folder, 'data')
    const file = join(folder, 'file')
    await writeFile(file, 'text')
    const wrong: [string, string][] = [
      [join(folder, 'none.dump'), 'there is no such file'],
      [folder, 'it is a folder'],
      [join(file, 'shops.dump'), 'a file is where a folder should be'],
      [join(folder, 'a'.repeat(300)), 'its name is too long'],
    ]
    const said = await cashwrapEach(
      wrong.map(([path]) => ['load', path]),
      { CASHWRAP_DATA: data },
    )
    assert.deepEqual(
      said.map(({ code, stderr }) => [code, stderr]),
      wrong.map(([path, reason]) => [1, `error: ${path} cannot be read: ${reason}.\n`]),
    )
    assert.equal(existsSync(data), false)
  })

  test('with --json a failure is also one document, and the exit code is the same', async () => {
    const typed = await cashwrapAlone(['key', 'delete', 'mine', '--json'], {})
    assert.equal(typed.code, 2)
    assert.deepEqual(Object.keys(JSON.parse(typed.stdout).error), ['exitCode', 'message'])
    const around = await cashwrapAlone(['company', 'list', '--json'], {
      DATABASE_URL: 'postgres://user@127.0.0.1:1/shop',
    })
    assert.equal(around.code, 1)
    assert.match(JSON.parse(around.stdout).error.message, /^PostgreSQL cannot be reached/)
  })

  test('every command explains itself, with an example', async () => {
    const commands = ['serve', 'migrate', 'organization create', 'organization list', 'company create', 'company list']
    for (const group of ['organization', 'company', 'plan']) commands.push(`${group} show`, `${group} update`)
    commands.push('company suspend', 'company unsuspend', 'plan create', 'plan list')
    commands.push('user create', 'user list', 'user delete', 'user reset-password')
    commands.push('key create', 'key list', 'key delete', 'backup', 'backup verify', 'restore')
    commands.push('mark-restored', 'resume', 'dump', 'load')
    const explained = await cashwrapEach(
      commands.map((command) => [...command.split(' '), '--help']),
      {},
    )
    for (const [n, command] of commands.entries()) {
      const { code, stdout } = explained[n] as (typeof explained)[number]
      assert.equal(code, 0)
      assert.match(stdout, new RegExp(`Example:\n {2}\\$ .*cashwrap ${command}`))
      assert.match(stdout, /--json/)
    }
    const [printed] = await cashwrapEach([['--version']], { CASHWRAP_COMMIT: 'abc' })
    assert.match(printed?.stdout ?? '', /^\d+\.\d+\.\d+ \(commit abc, schema \d+\)\n$/)
    assert.deepEqual([printed?.code, printed?.stderr], [0, ''])
    for (const { code, stdout, stderr } of await cashwrapEach(
      [[], ['organization'], ['company'], ['plan'], ['key'], ['user']],
      {},
    )) {
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /^Usage: cashwrap/)
    }
  })
})
