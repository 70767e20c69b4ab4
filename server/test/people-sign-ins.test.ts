// Signing in with a password, and what ends a sign-in: time, signing out, a new password, and the person on another device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearPast } from '../src/features/people/expired-rows.ts'
import { makeLink } from '../src/features/people/links.ts'
import { cookieOf, newUser, password, signIn, tokenIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const path = '/v1/console/sign-in'

test('wrong addresses and wrong passwords get the same answer, and no page can read the cookie', async () => {
  const { email } = await newUser(service)
  const call = service.caller()
  const wrong = await call('POST', path, { email, password: 'something else altogether' })
  const nobody = await call('POST', path, { email: 'nobody@people.example', password })
  for (const reply of [wrong, nobody]) assertProblem(reply, 401, 'invalid_credentials')
  assert.equal(wrong.body.message, nobody.body.message)
  const right = await call('POST', path, { email: email.toUpperCase(), password })
  assert.equal(right.status, 200)
  const [signedIn = '', known = '', ...more] = right.headers.getSetCookie()
  assert.match(signedIn, /^cashwrap_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
  assert.match(known, /^cashwrap_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=7776000$/)
  assert.deepEqual(more, [])
  assert.equal(right.headers.get('cache-control'), 'no-store')
})

test('signing out applies at once on every server, and a sign-in never continues under another one’s token', async () => {
  const company = await service.company()
  const { email } = await newUser(service, { companyId: company.id })
  const first = await signIn(service, email)
  const second = await service.second()
  const there = first.about({ companyId: company.id }, second.url)
  assert.equal((await there('GET', '/v1/products')).status, 200)
  const again = await service.caller({ cookie: first.cookie })('POST', path, { email, password })
  assert.notEqual(cookieOf(again), first.cookie)
  assertProblem(await there('GET', '/v1/products'), 401, 'not_signed_in')
  const headers = { cookie: cookieOf(again), 'x-csrf-token': again.body.csrfToken }
  const out = await service.caller(headers)('DELETE', path)
  assert.equal(out.status, 200)
  assert.match(out.headers.get('set-cookie') ?? '', /^cashwrap_sign_in=; .*Max-Age=0$/)
  assertProblem(
    await service.caller({ ...headers, 'x-company-id': company.id }, second.url)('GET', '/v1/products'),
    401,
    'not_signed_in',
  )
})

test('a sign-in ends after thirty days, or after seven without a request; its last use is written once a minute', async () => {
  const { email } = await newUser(service)
  const seen = async (id: string) =>
    (await service.database.query('select last_seen_at from sign_ins where id = $1', [id]))[0]?.[0]
  for (const [column, ago] of [
    ['expires_at', '1 second'],
    ['last_seen_at', '7 days 1 second'],
  ]) {
    const browser = await signIn(service, email)
    assert.equal((await browser.call('GET', path)).status, 200)
    await service.database.query(`update sign_ins set ${column} = now() - $2::interval where id = $1`, [
      browser.signInId,
      ago,
    ])
    assertProblem(await browser.call('GET', path), 401, 'not_signed_in')
    await clearPast(service.database)
    assert.equal(await seen(browser.signInId), undefined)
  }
  const browser = await signIn(service, email)
  const [row] = await service.database.query(
    'select round(extract(epoch from expires_at - created_at) / 86400) from sign_ins where id = $1',
    [browser.signInId],
  )
  assert.equal(Number(row?.[0]), 30)
  const before = await seen(browser.signInId)
  await browser.call('GET', path)
  assert.equal(await seen(browser.signInId), before)
  await service.database.query("update sign_ins set last_seen_at = now() - interval '2 minutes' where id = $1", [
    browser.signInId,
  ])
  const old = await seen(browser.signInId)
  await browser.call('GET', path)
  await until('it is written', async () => (await seen(browser.signInId)) > old)
})

test('a token that a browser sends is never adopted for a sign-in: each one gets a new token', async () => {
  const { email } = await newUser(service)
  const planted = 'A'.repeat(43)
  const reply = await service.caller({ cookie: `cashwrap_sign_in=${planted}` })('POST', path, { email, password })
  assert.equal(reply.status, 200)
  assert.ok(!cookieOf(reply).includes(planted))
  assertProblem(await service.caller({ cookie: `cashwrap_sign_in=${planted}` })('GET', path), 401, 'not_signed_in')
})

test('a new password ends all other sign-ins and every link, keeps this one, and needs the present password', async () => {
  const { id, email } = await newUser(service)
  const own = await signIn(service, email)
  const other = await signIn(service, email)
  const token = tokenIn(await service.database.transaction((transaction) => makeLink(transaction, id)))
  const change = (body: object) => own.call('PATCH', '/v1/console/user', body)
  const chosen = 'quite another set of words'
  for (const [body, pointer] of [
    [{ password: chosen }, '/currentPassword'],
    [{ email: `x-${email}` }, '/currentPassword'],
    [{ password: chosen, currentPassword: 'wrong wrong wrong' }, '/currentPassword'],
    [{ password: 'short', currentPassword: password }, '/password'],
    [{ password: email, currentPassword: password }, '/password'],
    [{ email: 'no address', currentPassword: password }, '/email'],
  ] as const) {
    const { errors } = assertProblem(await change(body), 400, 'validation_failed')
    assert.equal(errors[0].pointer, pointer)
  }
  assert.equal((await other.call('GET', path)).status, 200)
  const changed = await change({ password: chosen, currentPassword: password, name: 'Ann' })
  assert.deepEqual(changed.body, { id, email, name: 'Ann', hasPassword: true })
  assert.equal((await own.call('GET', path)).status, 200)
  assertProblem(await other.call('GET', path), 401, 'not_signed_in')
  assertProblem(await service.caller()('POST', '/v1/console/link/look', { token }), 401, 'invalid_link')
  assertProblem(await service.caller()('POST', path, { email, password }), 401, 'invalid_credentials')
  assert.equal((await service.caller()('POST', path, { email, password: chosen })).status, 200)
  assert.deepEqual((await change({ name: null })).body, { id, email, hasPassword: true })
  for (const member of ['email', 'password'])
    assertProblem(await change({ [member]: null }), 400, 'validation_failed', member)
})

test('an address belongs to one user, in any case of letters; after a change only the new one signs in', async () => {
  const one = await newUser(service)
  const two = await newUser(service)
  const browser = await signIn(service, one.email)
  const change = (email: string) => browser.call('PATCH', '/v1/console/user', { email, currentPassword: password })
  assertProblem(await change(two.email.toUpperCase()), 409, 'conflict')
  const mine = `Ann-${one.email}`
  assert.equal((await change(mine)).body.email, mine)
  const call = service.caller()
  assertProblem(await call('POST', path, { email: one.email, password }), 401, 'invalid_credentials')
  const typed = mine.toUpperCase()
  assert.equal((await call('POST', path, { email: typed, password })).body.user.email, mine)
})

test('a person sees their own sign-ins, and can end one of them or all others, and no other person’s', async () => {
  const { email } = await newUser(service)
  const stranger = await signIn(service, (await newUser(service)).email)
  const own = await signIn(service, email)
  const second = await signIn(service, email)
  const third = await signIn(service, email)
  const list = async () => (await own.call('GET', '/v1/console/sign-ins')).body.data
  const data = await list()
  assert.deepEqual(data.map(({ id }: any) => id).sort(), [own, second, third].map(({ signInId }) => signInId).sort())
  assert.deepEqual(
    data.filter(({ isCurrent }: any) => isCurrent).map(({ id }: any) => id),
    [own.signInId],
  )
  assert.equal(data[0].address, '127.0.0.1')
  const end = (id: string) => own.call('DELETE', `/v1/console/sign-ins/${id}`)
  for (const id of [stranger.signInId, noId, 'x', '%00']) assertProblem(await end(id), 404, 'not_found')
  assert.equal((await end(second.signInId)).status, 200)
  assertProblem(await second.call('GET', path), 401, 'not_signed_in')
  assert.equal((await own.call('DELETE', '/v1/console/sign-ins')).status, 200)
  assertProblem(await third.call('GET', path), 401, 'not_signed_in')
  assert.equal((await own.call('GET', path)).status, 200)
  assert.equal((await stranger.call('GET', path)).status, 200)
})

test('the newest hundred sign-ins of a user are kept', async () => {
  const { id, email } = await newUser(service)
  const first = await signIn(service, email)
  await service.database.query(
    `insert into sign_ins (id, hash, user_id, created_at, last_seen_at, expires_at, user_agent, address)
     select 'x' || n, 'x' || n || $1, $1, now() + interval '1 second', now(), now() + interval '1 day', '', '' from generate_series(1, 99) as n`,
    [id],
  )
  assert.equal((await first.call('GET', path)).status, 200)
  await service.database.query("update sign_ins set created_at = now() where user_id = $1 and id like 'x%'", [id])
  await signIn(service, email)
  assertProblem(await first.call('GET', path), 401, 'not_signed_in')
  const [count] = await service.database.query('select count(*) from sign_ins where user_id = $1', [id])
  assert.equal(count?.[0], 100)
})

test('a body that needs no sign-in has a small limit', async () => {
  const body = { email: 'a@b.example', password: 'x'.repeat(20_000) }
  for (const at of [path, '/v1/console/link/look', '/v1/console/link/use']) {
    const { message } = assertProblem(await service.caller()('POST', at, body), 413, 'payload_too_large')
    assert.match(message, /16 KB/)
  }
})
