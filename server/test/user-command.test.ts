// `cashwrap user …`: the operator gives people access, lists them, and deletes them, beside a running server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { codeAt, stepAt } from '../src/features/people/second-factor.ts'
import { copyDatabase } from './support/database.ts'
import { cashwrap, cashwrapEach, type Environment, urlOf } from './support/program.ts'
import { serveHere } from './support/served.ts'

const password = 'four words of my own'

/** Runs a command with --json and returns the one document that it prints. */
async function json(environment: Environment, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await cashwrap([...args, '--json'], environment)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test('users are created, listed, reset and deleted, each at once on a running server', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection) }
  const server = await serveHere(t, connection)
  const { companyId, organizationId } = server.first
  assert.match(String(server.link), /^\/console\/link#token=[\w-]{43}$/)
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${server.url}/v1/console/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return {
      status: reply.status,
      body: (await reply.json()) as any,
      cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '',
    }
  }
  const use = (link: string) => call('POST', 'link/use', { token: link.split('#token=')[1], password })

  const create = ['user', 'create', '--email', 'Ann@example.com']
  const withAddress = { ...environment, CASHWRAP_PUBLIC_URL: 'https://pos.example.com' }
  const made = await json(withAddress, ...create, '--name', 'Ann', '--company', companyId, '--role', 'admin')
  assert.equal(made.url, `https://pos.example.com${made.link}`)
  assert.deepEqual([made.email, made.role, made.companyId], ['Ann@example.com', 'admin', companyId])
  // The first link from the log gives no access any more.
  const first = await call('POST', 'link/use', {
    token: server.link?.split('#token=')[1],
    password,
    email: 'x@example.com',
  })
  assert.equal(first.status, 401)
  const more = await json(
    environment,
    ...create,
    '--organization',
    organizationId,
    '--role',
    'owner',
    '--existing',
    made.userId,
  )
  assert.equal((await use(made.link)).status, 401)
  const used = await use(more.link)
  assert.equal(used.status, 200)
  const seen = await call('GET', 'sign-in', undefined, { cookie: used.cookie })
  assert.deepEqual(
    [seen.body.organizations[0].role, seen.body.companies[0].role, seen.body.user.name],
    ['owner', 'admin', 'Ann'],
  )
  const [listed, ...others] = await json(environment, 'user', 'list')
  assert.deepEqual(others, [])
  assert.deepEqual(
    [listed.email, listed.hasPassword, listed.members],
    [
      'Ann@example.com',
      true,
      [
        { companyId, role: 'admin' },
        { organizationId, role: 'owner' },
      ],
    ],
  )
  assert.ok(!JSON.stringify(listed).includes('argon2'))

  const reset = await json(environment, 'user', 'reset-password', 'ann@example.com')
  assert.equal((await call('GET', 'sign-in', undefined, { cookie: used.cookie })).status, 401)
  assert.equal((await call('POST', 'sign-in', { email: 'ann@example.com', password })).status, 401)
  const back = await use(reset.link)
  assert.equal(back.status, 200)

  assert.equal((await json(environment, 'user', 'delete', 'ANN@example.com')).deleted, true)
  assert.equal((await call('GET', 'sign-in', undefined, { cookie: back.cookie })).status, 401)
  assert.deepEqual(await json(environment, 'user', 'list'), [])
  assert.doesNotMatch(server.log(), /four words|token/)
})

test('a second factor survives a password reset, and the command turns it off and signs the user out', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection) }
  const server = await serveHere(t, connection)
  const email = 'ann@example.com'
  const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${server.url}/v1/console/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { status: reply.status, body: (await reply.json()) as any, cookie }
  }
  const token = server.link?.split('#token=')[1]
  const { cookie, body } = await call('link/use', { token, email, password })
  const own = { cookie, 'x-csrf-token': body.csrfToken }
  const { secret } = (await call('second-factor', { currentPassword: password }, own)).body
  const confirmed = await call('second-factor/confirm', { code: codeAt(secret, stepAt(Date.now())) }, own)
  assert.equal(confirmed.status, 200)

  const reset = await json(environment, 'user', 'reset-password', email)
  const link = { token: reset.link.split('#token=')[1], password }
  assert.equal((await call('link/use', link)).body.code, 'second_factor_required')
  assert.equal((await json(environment, 'user', 'list'))[0].hasSecondFactor, true)
  const signedIn = await call('link/use', { ...link, code: confirmed.body.recoveryCodes[0] })
  assert.equal(signedIn.status, 200)

  assert.equal((await json(environment, 'user', 'reset-second-factor', email.toUpperCase())).secondFactor, 'off')
  assert.equal((await json(environment, 'user', 'list'))[0].hasSecondFactor, false)
  assert.equal((await call('sign-in', { email, password })).status, 200)
  const ended = await fetch(`${server.url}/v1/console/sign-in`, { headers: { cookie: signedIn.cookie } })
  assert.equal(ended.status, 401)
  for (const [address, words] of [
    [email, /has no second factor/],
    ['ben@example.com', /There is no user with the address/],
  ] as const) {
    const { code, stderr } = await cashwrap(['user', 'reset-second-factor', address], environment)
    assert.equal(code, 2)
    assert.match(stderr, words)
  }
})

test('a new organization prints the command that lets its owner sign in: the address alone makes no account', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection) }
  const server = await serveHere(t, connection)
  const email = 'o.boss+pos@second.example'
  const made = await cashwrap(['organization', 'create', '--name', 'Second', '--owner-email', email], environment)
  assert.equal(made.code, 0, made.stderr)
  const [, printed = ''] = made.stdout.match(/First sign-in +npx cashwrap (user create .+)$/m) ?? []
  const args = printed.split(' ').map((word) => word.replaceAll("'", ''))
  const { link } = await json(environment, ...args)
  const used = await fetch(`${server.url}/v1/console/link/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.split('#token=')[1], password }),
  })
  assert.equal(used.status, 200)
  const cookie = used.headers.get('set-cookie')?.split(';')[0] ?? ''
  const signedIn = await fetch(`${server.url}/v1/console/sign-in`, { headers: { cookie } })
  const { user, organizations } = (await signedIn.json()) as any
  assert.deepEqual([user.email, organizations.map(({ role }: any) => role)], [email, ['owner']])

  const without = await cashwrap(['organization', 'create', '--name', 'Third'], environment)
  assert.doesNotMatch(without.stdout, /First sign-in/, 'an organization without an owner has no address to name')
})

test('an operation that PostgreSQL aborts because of a concurrent write is repeated, and nothing is done twice', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection) }
  const { organizationId } = await json(environment, 'organization', 'create', '--name', 'Acme')
  const database = connect(connection, { size: 1 })
  t.after(() => database.close())
  const tables = ['users', 'members', 'sign_in_links']
  for (const code of ['40P01', '40001']) {
    const email = `ann-${code}@example.com`
    for (const args of [
      ['user', 'create', '--email', email, '--organization', organizationId, '--role', 'owner'],
      ['user', 'reset-password', email],
      ['user', 'delete', email],
    ]) {
      // The first write to any of them is chosen as a deadlock's victim; sequence numbers are not returned.
      await database.query(`
        create sequence refusals;
        create function refuse_once() returns trigger language plpgsql as $$ begin
          if nextval('refusals') = 1 then raise exception using errcode = '${code}'; end if;
          return null;
        end $$`)
      for (const table of tables)
        await database.query(
          `create trigger refuse_once after insert or update or delete on ${table} for each statement execute function refuse_once()`,
        )
      await json(environment, ...args)
      const [refused] = await database.query('select last_value > 1 from refusals')
      assert.deepEqual(refused, [true], args.join(' '))
      await database.query('drop function refuse_once cascade; drop sequence refusals')
    }
  }
  assert.deepEqual(await json(environment, 'user', 'list'), [])
})

test('wrong usage is reported in one sentence, with exit code 2, and creates no user', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection) }
  const { organizationId } = await json(environment, 'organization', 'create', '--name', 'Acme')
  const create = ['user', 'create', '--email', 'ann@example.com']
  const noId = '0'.repeat(24)
  await json(environment, ...create, '--organization', organizationId, '--role', 'admin')
  const cases = [
    [[...create, '--role', 'admin'], /--company <id> or --organization <id>/],
    [[...create, '--company', noId], /--role/],
    [[...create, '--company', noId, '--role', 'boss'], /viewer, admin, owner/],
    [[...create, '--company', noId, '--role', 'admin'], /--company: There is no company/],
    [[...create, '--organization', noId, '--role', 'admin'], /--organization: There is no organization/],
    [[...create, '--organization', organizationId, '--role', 'viewer'], /owners and admins/],
    [[...create, '--organization', organizationId, '--role', 'owner'], /is already a member/],
    [[...create, '--company', noId, '--role', 'admin', '--existing', noId, '--reset-password'], /cannot be used with/],
    [
      [
        'user',
        'create',
        '--email',
        'ben@example.com',
        '--organization',
        organizationId,
        '--role',
        'admin',
        '--existing',
        noId,
      ],
      /No account has/,
    ],
    [['user', 'create', '--email', 'ann', '--organization', organizationId, '--role', 'admin'], /e-mail/],
    [['user', 'delete', 'ben@example.com'], /There is no user with the address/],
    [['user', 'reset-password', 'ben@example.com'], /There is no user with the address/],
  ] as const
  const ended = await cashwrapEach(
    cases.map(([args]) => args),
    environment,
  )
  for (const [n, [, words]] of cases.entries()) {
    const { code, stdout, stderr } = ended[n] as (typeof ended)[number]
    assert.deepEqual([code, stdout], [2, ''], stderr)
    assert.match(stderr, words)
  }
  assert.equal((await json(environment, 'user', 'list')).length, 1)
})

test('an account that already has the address is attached only by its id, or without its password and sign-ins', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection) }
  const server = await serveHere(t, connection)
  const { companyId, organizationId } = server.first
  const call = (path: string, body: object | undefined, headers = {}) =>
    fetch(`${server.url}/v1/console/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const email = 'ann@example.com'
  const create = ['user', 'create', '--email', email, '--role', 'admin']
  const first = await json(environment, ...create, '--company', companyId)
  const used = await call('link/use', { token: first.link.split('#token=')[1], password })
  const cookie = used.headers.get('set-cookie')?.split(';')[0] as string
  const attach = [...create, '--organization', organizationId]
  const noId = '0'.repeat(24)
  for (const [more, words] of [
    [[], [`--existing ${first.userId}`, '--reset-password', `company ${companyId} (admin)`]],
    [
      ['--existing', noId],
      [first.userId, noId],
    ],
  ] as const) {
    const { code, stderr } = await cashwrap([...attach, ...more], environment)
    assert.equal(code, 2, stderr)
    for (const word of words) assert.ok(stderr.includes(word), stderr)
  }
  const attached = await json(environment, ...attach, '--existing', first.userId)
  assert.deepEqual(
    [attached.userId, attached.openedBefore, attached.link],
    [first.userId, [{ companyId, role: 'admin' }], undefined],
  )
  assert.equal((await call('sign-in', undefined, { cookie })).status, 200)

  const other = (await json(environment, 'organization', 'create', '--name', 'Other')).organizationId
  const reset = await json(environment, ...create, '--organization', other, '--reset-password')
  assert.equal(reset.userId, first.userId)
  assert.equal((await call('sign-in', undefined, { cookie })).status, 401)
  assert.equal((await call('sign-in', { email, password })).status, 401)
  assert.equal((await call('link/use', { token: reset.link.split('#token=')[1], password })).status, 200)
})

test('a start prints the first link until there is an owner, also if viewers and admins already sign in', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection) }
  const organization = await json(environment, 'organization', 'create', '--name', 'Acme')
  const company = [
    'company',
    'create',
    '--name',
    'Shop',
    '--currency',
    'EUR',
    '--organization',
    organization.organizationId,
  ]
  const { companyId } = await json(environment, ...company)
  await json(environment, 'user', 'create', '--email', 'v@example.com', '--company', companyId, '--role', 'viewer')
  const server = await serveHere(t, connection)
  const token = server.link?.split('#token=')[1]
  const use = (email: string) =>
    fetch(`${server.url}/v1/console/link/use`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password, email }),
    })
  assert.equal((await use('owner@example.com')).status, 200)
  assert.equal((await use('late@example.com')).status, 401)
  const second = await serveHere(t, connection)
  assert.equal(second.link, undefined)
})
