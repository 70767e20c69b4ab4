// Links for people: each is used once, by the first owner of an installation too, and the database contains neither their tokens nor other secrets of people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { newId } from '../src/core/ids.ts'
import { firstLink, makeLink } from '../src/features/people/links.ts'
import { insertMember } from '../src/features/people/members.ts'
import { deleteUser, resetPassword, resetSecondFactor } from '../src/features/people/operator.ts'
import { createUser } from '../src/features/people/users.ts'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { cookieOf, newUser, password, person, signIn, someoneWaits, tokenIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { testService } from './support/service.ts'

const service = testService()
const path = '/v1/console/sign-in'

test('a first link that a server makes while the first owner is created is void', async () => {
  const { database } = service
  const { organizationId } = await createOrganization(database, { name: 'First' })
  const email = 'early@first.example'
  for (const hasOlder of [false, true]) {
    if (hasOlder) await firstLink(database)
    const making = Promise.withResolvers<string | undefined>()
    await database.transaction(async (transaction) => {
      const user = await createUser(transaction, { email })
      await insertMember(transaction, { companyId: undefined, organizationId }, { id: newId(), user, role: 'owner' })
      const made = firstLink(database)
      made.then(making.resolve, making.reject)
      // With an older link it waits for this transaction.
      await Promise.race([made, setTimeout(300)])
    })
    const link = await making.promise
    assert.equal(link === undefined, hasOlder)
    if (link) {
      const body = { token: tokenIn(link), password, email: 'late@first.example' }
      assertProblem(await service.caller()('POST', '/v1/console/link/use', body), 401, 'invalid_link')
    }
    await deleteUser(database, email)
  }
})

test('the first link creates one owner, once: of two concurrent uses one succeeds, and none afterwards', async () => {
  const link = (await firstLink(service.database)) as string
  const token = link.split('#token=')[1]
  const call = service.caller()
  const looked = await call('POST', '/v1/console/link/look', { token })
  assert.equal(looked.status, 200, looked.text)
  const { expiresAt, ...rest } = looked.body
  assert.deepEqual(rest, { kind: 'first', organizationName: 'Test' })
  const use = (name: string) =>
    call('POST', '/v1/console/link/use', { token, password, email: `${name}@first.example`, name })
  const replies = await Promise.all([use('ann'), use('ben')])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401])
  for (const reply of replies) if (reply.status === 401) assertProblem(reply, 401, 'invalid_link')
  assertProblem(await use('cyd'), 401, 'invalid_link')
  assertProblem(await call('POST', '/v1/console/link/look', { token }), 401, 'invalid_link')
  assert.equal(await firstLink(service.database), undefined)
  const [winner] = replies.filter(({ status }) => status === 200)
  assert.ok(winner)
  const { status, body } = await service.caller({ cookie: cookieOf(winner) })('GET', path)
  assert.equal(status, 200)
  assert.deepEqual(
    body.organizations.map(({ name, role }: any) => [name, role]),
    [['Test', 'owner']],
  )
})

test('a link can be viewed any number of times and used once; used, expired, replaced and mistyped ones say what to do', async () => {
  const { id, email } = await newUser(service)
  const browser = await signIn(service, email)
  const make = () => service.database.transaction((transaction) => makeLink(transaction, id))
  const call = service.caller()
  const look = (token: string) => call('POST', '/v1/console/link/look', { token })
  const use = (token: string, more: object = {}) =>
    call('POST', '/v1/console/link/use', { token, password: 'words chosen by a link', ...more })
  const old = tokenIn(await make())
  const token = tokenIn(await make())
  for (const wrong of [old, `${token}x`, 'x', token.slice(1)])
    for (const reply of [await look(wrong), await use(wrong)])
      assert.match(assertProblem(reply, 401, 'invalid_link').message, /not valid.*reset-password/)
  for (let n = 0; n < 2; n++) assert.deepEqual((await look(token)).body.email, email)
  for (const more of [{ email }, { name: 'Ann' }, { password: 'short' }, { password: email }])
    assertProblem(await use(token, more), 400, 'validation_failed')
  const replies = await Promise.all([use(token), use(token), use(token)])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401])
  assertProblem(await browser.call('GET', path), 401, 'not_signed_in')
  for (const reply of [await look(token), await use(token)])
    assert.match(assertProblem(reply, 401, 'invalid_link').message, /already used/)
  const late = tokenIn(await make())
  await service.database.query('update sign_in_links set expires_at = now() where user_id = $1', [id])
  for (const reply of [await look(late), await use(late)])
    assert.match(assertProblem(reply, 401, 'invalid_link').message, /expired at .* Ask for a new one/)
})

test('the link of an invitation that was withdrawn says so', async () => {
  const { id } = await service.company()
  const owner = (await person(service, { companyId: id })).about({ companyId: id })
  const { body: invited } = await owner('POST', '/v1/members', { email: `${newId()}@people.example`, role: 'viewer' })
  const { body: members } = await owner('GET', '/v1/members')
  const member = members.data.find(({ role }: { role: string }) => role === 'viewer')
  assert.equal((await owner('DELETE', `/v1/members/${member.id}`)).status, 200)
  const reply = await service.caller()('POST', '/v1/console/link/look', { token: tokenIn(invited.link) })
  assert.match(assertProblem(reply, 401, 'invalid_link').message, /the invitation was withdrawn/)
})

test('an account without a password has one as soon as a link has set it', async () => {
  const { id, email } = await newUser(service)
  await service.database.query('update users set password_hash = null where id = $1', [id])
  const token = tokenIn(await service.database.transaction((transaction) => makeLink(transaction, id)))
  const used = await service.caller()('POST', '/v1/console/link/use', { token, password: 'words chosen by a link' })
  assert.deepEqual(used.body.user, { id, email, hasPassword: true })
})

test('the operator’s commands leave an account alone whose address changes meanwhile', async () => {
  const { database } = service
  for (const command of [deleteUser, resetPassword, resetSecondFactor]) {
    const { id, email } = await newUser(service)
    const ended = Promise.withResolvers<unknown>()
    // From the start: the command may end before the transaction that it waits for has returned.
    const refused = assert.rejects(ended.promise, { code: 'not_found' }, command.name)
    await database.transaction(async (transaction) => {
      const other = `${newId()}@people.example`
      await transaction.query('update users set email = $2, address = $2 where id = $1', [id, other])
      command(database, email).then(ended.resolve, ended.reject)
      await someoneWaits(service)
    })
    await refused
    const [stored] = await database.query('select password_hash is not null from users where id = $1', [id])
    assert.deepEqual(stored, [true], command.name)
  }
})

test('the database contains neither passwords nor tokens of any kind', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const browser = await person(service, place)
  const about = browser.about(place)
  const link = await about(
    'POST',
    '/v1/members',
    { email: 'new@secrets.example', role: 'admin' },
    {
      'idempotency-key': 'a member',
    },
  )
  const key = await about('POST', '/v1/keys', { name: 'Till', permissions: ['read'] }, { 'idempotency-key': 'a key' })
  const rotated = await about('POST', `/v1/keys/${key.body.id}/rotate`, {}, { 'idempotency-key': 'rotated' })
  const token = tokenIn(link.body.link)
  const secret = [
    password,
    browser.cookie.split('=')[1],
    browser.knownCookie.split('=')[1],
    browser.csrfToken,
    token,
    key.body.apiKey,
    rotated.body.apiKey,
  ]
  const tables = await service.database.query(
    "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  assert.ok(tables.some(([name]) => name === 'sign_ins'))
  for (const [table] of tables)
    for (const text of secret) {
      assert.ok(text)
      const found = await service.database.query(
        `select 1 from ${table} as stored where position($1 in to_json(stored)::text) > 0 limit 1`,
        [text],
      )
      assert.deepEqual(found, [], table)
    }
})
