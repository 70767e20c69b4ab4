// Password guessing is limited by account and by network, on all servers together; forwarded addresses and protocols count only from trusted proxies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword, refusalOf } from '../src/features/people/users.ts'
import { newUser, type Place, password, person, signIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { type Reply, testService } from './support/service.ts'

const service = testService({ trustProxy: ['127.0.0.1'] })
const path = '/v1/console/sign-in'
let network = 0
/** Another network each time. */
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++network}` })
const wrong = 'not at all what was chosen'

/** A user whose password takes next to no time to check. */
const user = (place?: Place) => newUser(service, place)
/** The addresses of some users: a wrong password of an unknown one takes 35 ms of processor time. */
const users = async (count: number): Promise<string[]> =>
  (await Promise.all(Array.from({ length: count }, () => user()))).map(({ email }) => email)

const attempt = (email: string, typed: string, headers: Record<string, string>, at = service.url): Promise<Reply> =>
  service.caller(headers, at)('POST', path, { email, password: typed })

/** Seconds to wait, as in the refusal. */
function assertHeldUp(reply: Reply): number {
  assertProblem(reply, 429, 'rate_limited')
  const seconds = Number(reply.headers.get('retry-after'))
  assert.ok(seconds > 0 && seconds <= 900, String(seconds))
  return seconds
}

/** Expires the fifteen minutes of all counts. */
const later = () => service.database.query("update sign_in_failures set since = since - interval '15 minutes'")

test('of twenty wrong passwords ten are checked, on two servers together; then the right one is refused too, and existing sign-ins continue', async () => {
  const { email } = await user()
  const before = await signIn(service, email)
  const second = await service.second()
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) {
    const reply = await attempt(email, wrong, elsewhere(), n % 2 === 0 ? service.url : second.url)
    statuses.push(reply.status)
    if (n < 10) assertProblem(reply, 401, 'invalid_credentials')
    else assertHeldUp(reply)
  }
  for (const at of [service.url, second.url]) assertHeldUp(await attempt(email, password, elsewhere(), at))
  assertHeldUp(await attempt(email.toUpperCase(), password, elsewhere()))
  assert.equal((await before.call('GET', path)).status, 200)
  const { email: other } = await user()
  assert.equal((await attempt(other, password, elsewhere())).status, 200)
  await later()
  assert.equal((await attempt(email, password, elsewhere())).status, 200)
})

test('of many concurrent wrong passwords at most ten are checked', async () => {
  // Checking it takes as long as in service, so that attempts overlap.
  const { email } = await newUser(service, undefined, 'owner', await hashPassword(password))
  const replies = await Promise.all(Array.from({ length: 40 }, () => attempt(email, wrong, elsewhere())))
  const statuses = replies.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 10)
  assert.equal(statuses.filter((status) => status === 429).length, 30)
})

test('an unknown address is blocked like a known one, so that neither reveals which it is', async () => {
  for (let n = 0; n < 10; n++)
    assertProblem(await attempt('nobody@people.example', wrong, elsewhere()), 401, 'invalid_credentials')
  assertHeldUp(await attempt('Nobody@people.example', wrong, elsewhere()))
})

test('from one network fifty wrong passwords are checked, for any accounts; another network is not affected', async () => {
  const from = elsewhere()
  for (const other of await users(48)) assertProblem(await attempt(other, wrong, from), 401, 'invalid_credentials')
  for (const unknown of ['one@people.example', 'two@people.example'])
    assertProblem(await attempt(unknown, wrong, from), 401, 'invalid_credentials')
  const { email } = await user()
  assertHeldUp(await attempt(email, password, from))
  assert.equal((await attempt(email, password, elsewhere())).status, 200)
  await later()
  assert.equal((await attempt(email, password, from)).status, 200)
})

test('attempts at a blocked account do not count for the network: others in the shop can still sign in', async () => {
  const { email } = await user()
  const { email: colleague } = await user()
  const from = elsewhere()
  for (let n = 0; n < 10; n++) assertProblem(await attempt(email, wrong, from), 401, 'invalid_credentials')
  for (let n = 0; n < 45; n++) assertHeldUp(await attempt(email, password, from))
  assert.equal((await attempt(colleague, password, from)).status, 200)
  // Attempts that were checked still count.
  for (const other of await users(40)) assertProblem(await attempt(other, wrong, from), 401, 'invalid_credentials')
  assertHeldUp(await attempt(colleague, password, from))
})

test('a success clears the account, and does not count for the network: frequent sign-ins are never blocked', async () => {
  const { email } = await user()
  const from = elsewhere()
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 9; n++) assertProblem(await attempt(email, wrong, from), 401, 'invalid_credentials')
    for (let n = 0; n < 12; n++) assert.equal((await attempt(email, password, from)).status, 200)
  }
})

test('a wrong present password in the settings counts as a wrong sign-in', async () => {
  const { email } = await user()
  const browser = await signIn(service, email)
  const change = (currentPassword: string) =>
    browser.call('PATCH', '/v1/console/user', { email: `new-${email}`, currentPassword }, elsewhere())
  for (let n = 0; n < 10; n++) {
    const { errors } = assertProblem(await change(wrong), 400, 'validation_failed')
    assert.equal(errors[0].pointer, '/currentPassword')
  }
  assertHeldUp(await change(password))
  assertHeldUp(await attempt(email, password, elsewhere()))
})

test('expired entries in the table of failures are removed by later ones', async () => {
  await attempt('old@people.example', wrong, elsewhere())
  await later()
  await attempt('new@people.example', wrong, elsewhere())
  const old = await service.database.query("select 1 from sign_in_failures where since < now() - interval '14 minutes'")
  assert.deepEqual(old, [])
})

test('with https, reported by a trusted proxy, the cookie has the prefix of its host and is returned over https only', async () => {
  const company = await service.company()
  const { email } = await user({ companyId: company.id })
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example', ...elsewhere() }
  const own = { ...https, origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }
  const reply = await attempt(email, password, own)
  assert.equal(reply.status, 200, reply.text)
  const [set = '', known = ''] = reply.headers.getSetCookie()
  assert.match(set, /^__Host-cashwrap_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000$/)
  assert.match(
    known,
    /^__Host-cashwrap_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=7776000$/,
  )
  const cookie = set.split(';')[0] as string
  const about = { cookie, 'x-company-id': company.id }
  const get = (headers: Record<string, string>) => service.caller(headers)('GET', '/v1/products')
  assert.equal((await get({ ...about, ...own })).status, 200)
  assert.equal((await get({ ...about, ...https })).status, 200)
  assertProblem(await get(about), 401, 'missing_key')
  // Under the plain name, which any host of the domain could have set, the cookie is ignored with https.
  assertProblem(await get({ ...about, ...own, cookie: cookie.slice('__Host-'.length) }), 401, 'missing_key')
  for (const origin of ['http://shop.example', 'https://evil.example', 'https://shop.example:8443', service.url])
    assertProblem(await get({ ...about, ...own, origin }), 403, 'permission_denied')
  const write = { ...about, ...own, 'x-csrf-token': reply.body.csrfToken }
  assert.equal((await service.caller(write)('POST', '/v1/product', { name: 'Beans' })).status, 201)
  const out = await service.caller(write)('DELETE', path)
  assert.match(out.headers.get('set-cookie') ?? '', /^__Host-cashwrap_sign_in=; .*Secure; Max-Age=0$/)
})

test('a sign-in shows the address that a trusted proxy forwarded', async () => {
  const { email } = await user()
  const reply = await attempt(email, password, { 'x-forwarded-for': '1.2.3.4, 2001:db8::1', 'user-agent': 'Test' })
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] as string
  const { data } = (await service.caller({ cookie })('GET', '/v1/console/sign-ins')).body
  assert.deepEqual([data[0].address, data[0].userAgent], ['2001:db8::1', 'Test'])
})

const limited = testService({ rateLimit: 5, now: () => 1_000, trustProxy: ['127.0.0.1'] })

test('requests by sign-in are limited like those of a key, each sign-in separately', async () => {
  const company = await limited.company()
  const browsers = [
    await person(limited, { companyId: company.id }),
    await person(limited, { companyId: company.id }),
  ] as const
  for (const browser of browsers) {
    const list = () => browser.about({ companyId: company.id })('GET', '/v1/products')
    for (let left = 9; left >= 0; left--) {
      const reply = await list()
      assert.deepEqual([reply.status, reply.headers.get('ratelimit')], [200, `"key";r=${left};t=1`])
    }
    assertProblem(await list(), 429, 'rate_limited')
    assertProblem(await browser.call('GET', path), 429, 'rate_limited')
  }
})

test('guessed sign-ins are limited by address, and known ones keep working from there', async () => {
  const company = await limited.company()
  const browser = await person(limited, { companyId: company.id })
  const from = { 'x-forwarded-for': '203.0.113.9', 'x-company-id': company.id }
  assert.equal((await limited.caller({ ...from, cookie: browser.cookie })('GET', '/v1/products')).status, 200)
  const guess = (n: number) =>
    limited.caller({ ...from, cookie: `cashwrap_sign_in=${String(n).padStart(43, 'A')}` })('GET', '/v1/products')
  const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(n)))
  assert.equal(replies.filter(({ status }) => status === 401).length, 10)
  assert.equal(replies.filter(({ status }) => status === 429).length, 20)
  assert.equal((await limited.caller({ ...from, cookie: browser.cookie })('GET', '/v1/products')).status, 200)
})

test('a password has 10 to 200 characters of any script, and is refused if it is easy to guess', async () => {
  const good = [
    'ten chars!',
    'пароль из слов',
    '暗証番号は長いほうがよい',
    '🔑🔓🗝🚪🏠🐕🐈🌙⭐☀',
    `1${'word '.repeat(40)}`.slice(0, 200),
  ]
  for (const text of good) assert.equal(refusalOf(text, ['ann@example.com', 'Ann Archer']), undefined, text)
  const bad = [
    ...['', 'short', '123456789', '🔑'.repeat(9), 'x'.repeat(201), 'y'.repeat(10), 'abababababab', 'abcdabcdabcd'],
    ...['1234567890', '0987654321', 'ABCDEFGHIJ', 'Password123', 'PasswordPassword', 'qwertyuiop', 'Passwort123'],
    ...['ann@example.com', 'ANN@example.com', ' ann@example.com ', 'Ann Archer'],
  ]
  for (const text of bad) assert.ok(refusalOf(text, ['ann@example.com', 'Ann Archer']), text)
  assert.ok(refusalOf('long.local.part', ['long.local.part@example.com']))
})

test('a hash contains its costs, differs each time, matches its password in any Unicode form, and no other', async () => {
  const hash = await hashPassword('Köln am Rhein')
  const again = await hashPassword('Köln am Rhein')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(hash, again)
  assert.equal(await isPassword('Köln am Rhein'.normalize('NFD'), hash), true)
  assert.equal(await isPassword('Koln am Rhein', hash), false)
  assert.equal(await isPassword('köln am rhein', hash), false)
  for (const stored of [undefined, '', 'x', hash.replace('argon2id', 'argon2i'), hash.slice(0, -5)])
    assert.equal(await isPassword('Köln am Rhein', stored), false)
})
