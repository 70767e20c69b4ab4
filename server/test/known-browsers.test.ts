// Known browsers (decision 19): guessing elsewhere does not block them, and they allow no further guesses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearPast } from '../src/features/people/expired-rows.ts'
import { makeLink } from '../src/features/people/links.ts'
import { deleteUser, resetPassword } from '../src/features/people/operator.ts'
import {
  type Browser,
  browserOf,
  countWrong,
  knownCookieOf,
  newUser,
  password,
  signIn,
  tokenIn,
} from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { type Reply, testService } from './support/service.ts'

const service = testService({ trustProxy: ['127.0.0.1'] })
const path = '/v1/console/sign-in'
const wrong = 'not at all what was chosen'
let networks = 0
/** Another network each time. */
const network = () => `198.51.${100 + (++networks >> 8)}.${networks & 255}`
const elsewhere = () => ({ 'x-forwarded-for': network() })

const attempt = (email: string, typed: string, headers: Record<string, string> = {}, at = service.url) =>
  service.caller({ ...elsewhere(), ...headers }, at)('POST', path, { email, password: typed })
/** An attempt in a browser with this cookie. */
const attemptIn = (cookie: string, email: string, typed = password, at = service.url): Promise<Reply> =>
  attempt(email, typed, { cookie }, at)

/** Blocks the account, as ten guesses do, each from another network. */
async function holdUp(email: string): Promise<void> {
  await countWrong(service, email, { times: 10, network })
  assertProblem(await attempt(email, password), 429, 'rate_limited')
}

/** Blocks a network, as five guesses at each of ten accounts do. */
async function fill(from: Record<'x-forwarded-for', string>): Promise<void> {
  for (let n = 0; n < 10; n++)
    await countWrong(service, `m${n}@people.example`, { times: 5, network: () => from['x-forwarded-for'] })
}

const failuresOf = async (): Promise<unknown[]> =>
  service.database.query("select name, failures from sign_in_failures where name like 'account %' order by name")
const knownRows = async (userId: string): Promise<number> =>
  (await service.database.query('select 1 from known_browsers where user_id = $1', [userId])).length

test('guessing at an account blocks no browser in which its user signed in before, on any server', async () => {
  const { email } = await newUser(service)
  const { knownCookie } = await signIn(service, email)
  for (let n = 0; n < 10; n++) assertProblem(await attempt(email, wrong), 401, 'invalid_credentials')
  assertProblem(await attempt(email, password), 429, 'rate_limited')
  const reply = await attemptIn(knownCookie, email, password, (await service.second()).url)
  assert.equal(reply.status, 200, reply.text)
  // A sign-in there does not help a person who guesses elsewhere.
  assertProblem(await attempt(email, password), 429, 'rate_limited')
})

test('a blocked network blocks no known browser in it', async () => {
  const { email } = await newUser(service)
  const { knownCookie } = await signIn(service, email)
  const from = elsewhere()
  await fill(from)
  assertProblem(await attempt(email, password, from), 429, 'rate_limited')
  assert.equal((await attempt(email, password, { ...from, cookie: knownCookie })).status, 200)
})

test('a known browser has ten attempts, concurrent or not, and guessing there blocks no other browser', async () => {
  const { email } = await newUser(service)
  const { knownCookie } = await signIn(service, email)
  const replies = await Promise.all(Array.from({ length: 30 }, () => attemptIn(knownCookie, email, wrong)))
  assert.equal(replies.filter(({ status }) => status === 401).length, 10)
  assert.equal(replies.filter(({ status }) => status === 429).length, 20)
  assertProblem(await attemptIn(knownCookie, email), 429, 'rate_limited')
  assert.equal((await attempt(email, password)).status, 200)
})

test('each sign-in replaces the cookie, the former one is worthless, and the browser’s attempts keep counting', async () => {
  const { email } = await newUser(service)
  const { email: thief } = await newUser(service)
  const { knownCookie: stolen } = await signIn(service, email)
  for (let n = 0; n < 9; n++) assertProblem(await attemptIn(stolen, email, wrong), 401, 'invalid_credentials')
  // With a sign-in to their own account the thief gets another cookie for both, but no more attempts.
  const own = await attemptIn(stolen, thief)
  const cookie = knownCookieOf(own)
  assert.notEqual(cookie, stolen)
  assertProblem(await attemptIn(cookie, email, wrong), 401, 'invalid_credentials')
  assertProblem(await attemptIn(cookie, email, wrong), 429, 'rate_limited')
  await holdUp(email)
  assertProblem(await attemptIn(stolen, email), 429, 'rate_limited')
})

test('a planted cookie makes no browser known to the person who planted it', async () => {
  const { email } = await newUser(service)
  const { email: other } = await newUser(service)
  const { knownCookie: planted } = await signIn(service, other)
  const madeUp = `cashwrap_browser=${'A'.repeat(43)}`
  for (const cookie of [planted, madeUp]) {
    const reply = await attemptIn(cookie, email)
    assert.equal(reply.status, 200)
    assert.notEqual(knownCookieOf(reply), cookie)
  }
  await holdUp(email)
  for (const cookie of [planted, madeUp]) assertProblem(await attemptIn(cookie, email), 429, 'rate_limited')
})

test('in one browser each user who signed in there is known, and no other', async () => {
  const users = [await newUser(service), await newUser(service), await newUser(service)]
  const [one, two, three] = users.map(({ email }) => email) as [string, string, string]
  let cookie = (await signIn(service, one)).knownCookie
  cookie = knownCookieOf(await attemptIn(cookie, two))
  for (const email of [one, two, three]) await holdUp(email)
  assertProblem(await attemptIn(cookie, three), 429, 'rate_limited')
  for (const email of [one, two]) {
    const reply = await attemptIn(cookie, email)
    assert.equal(reply.status, 200, reply.text)
    cookie = knownCookieOf(reply)
  }
})

test('the cookie of a known browser does not reveal whether another address has an account', async () => {
  const { email } = await newUser(service)
  const { email: other } = await newUser(service)
  const { knownCookie } = await signIn(service, email)
  const reported = async (address: string) => {
    const replies: unknown[] = []
    for (let n = 0; n < 11; n++) {
      const { status, body } = await attemptIn(knownCookie, address, wrong)
      replies.push([status, body.code, body.message])
    }
    return replies
  }
  assert.deepEqual(await reported(other), await reported('nobody-at-all@people.example'))
})

/** What makes a browser unknown, by a person who is also signed in elsewhere. */
const ends: [string, (user: { id: string; email: string }, lost: Browser, own: Browser) => Promise<unknown>][] = [
  ['a new password', async (_, __, own) => change(own)],
  ['signing out everywhere else', async (_, __, own) => own.call('DELETE', '/v1/console/sign-ins')],
  ['ending its sign-in', async (_, { signInId }, own) => own.call('DELETE', `/v1/console/sign-ins/${signInId}`)],
  ['a reset by the operator', async ({ email }) => resetPassword(service.database, email)],
  ['a link that is used', async ({ id }) => useLink(id)],
  ['a quarter of a year', async ({ id }) => age(id)],
]
const newPassword = 'quite another set of words'
const change = (own: Browser) =>
  own.call('PATCH', '/v1/console/user', { password: newPassword, currentPassword: password })
async function useLink(id: string): Promise<Reply> {
  const link = await service.database.transaction((transaction) => makeLink(transaction, id))
  return service.caller()('POST', '/v1/console/link/use', { token: tokenIn(link), password: newPassword })
}
const age = (id: string) =>
  service.database.query("update known_browsers set seen_at = seen_at - interval '90 days' where user_id = $1", [id])

for (const [what, end] of ends)
  test(`a browser is no longer known after ${what}`, async () => {
    const user = await newUser(service)
    const lost = await signIn(service, user.email)
    const own = await signIn(service, user.email)
    await end(user, lost, own)
    await holdUp(user.email)
    assertProblem(await attemptIn(lost.knownCookie, user.email), 429, 'rate_limited')
  })

test('a browser stays known after a new password that was chosen there, after signing out, and after a sign-in that expired', async () => {
  const { id, email } = await newUser(service)
  const own = await signIn(service, email)
  assert.equal((await change(own)).status, 200)
  assert.equal((await own.call('DELETE', path)).status, 200)
  await service.database.query("update sign_ins set expires_at = now() - interval '1 day' where user_id = $1", [id])
  await clearPast(service.database)
  await holdUp(email)
  assert.equal((await attemptIn(own.knownCookie, email, newPassword)).status, 200)
})

test('expired known browsers are removed, and those of a deleted user', async () => {
  const { id, email } = await newUser(service)
  await signIn(service, email)
  await age(id)
  const { knownCookie } = await signIn(service, email)
  await clearPast(service.database)
  assert.equal(await knownRows(id), 1)
  await deleteUser(service.database, email)
  assert.equal(await knownRows(id), 0)
  assertProblem(await attemptIn(knownCookie, email), 401, 'invalid_credentials')
})

test('the newest hundred browsers of a user are known: a client without cookies cannot fill the table', async () => {
  const { id, email } = await newUser(service)
  const { knownCookie } = await signIn(service, email)
  await service.database.query(
    `insert into known_browsers (id, hash, user_id, sign_in_id, seen_at)
     select 'x' || n || $1, 'x' || n, $1, 'x', now() + interval '1 second' from generate_series(1, 100) as n`,
    [id],
  )
  const last = await signIn(service, email)
  assert.equal(await knownRows(id), 100)
  await service.database.query("update known_browsers set seen_at = now() - interval '1 day' where hash like 'x%'")
  await holdUp(email)
  assertProblem(await attemptIn(knownCookie, email), 429, 'rate_limited')
  // A sign-in that is not the newest one does not bring those back that were removed.
  assertProblem(await attemptIn(last.knownCookie, email), 429, 'rate_limited')
})

test('of two cookies with the name neither counts, and an invalid token is ignored', async () => {
  const { email } = await newUser(service)
  const { knownCookie } = await signIn(service, email)
  await holdUp(email)
  const tossed = `cashwrap_browser=${'B'.repeat(43)}`
  for (const cookie of [`${tossed}; ${knownCookie}`, `${knownCookie}; ${tossed}`, `${knownCookie}x`, '=', ''])
    assertProblem(await attemptIn(cookie, email), 429, 'rate_limited')
  assert.equal((await attemptIn(`a=b; ${knownCookie}; c=d`, email)).status, 200)
})

test('it gives no access', async () => {
  const { email } = await newUser(service)
  const { knownCookie } = await signIn(service, email)
  const token = knownCookie.split('=')[1]
  for (const cookie of [knownCookie, `cashwrap_sign_in=${token}`])
    assertProblem(await service.caller({ cookie })('GET', path), 401, 'not_signed_in')
})

test('in the settings a known browser has its own attempts for the present password too', async () => {
  const { email } = await newUser(service)
  const browser = await signIn(service, email)
  await holdUp(email)
  const cookie = `${browser.cookie}; ${browser.knownCookie}`
  const body = { password: newPassword, currentPassword: password }
  const call = (sent: string) => browser.call('PATCH', '/v1/console/user', body, { cookie: sent, ...elsewhere() })
  assertProblem(await call(browser.cookie), 429, 'rate_limited')
  assert.equal((await call(cookie)).status, 200)
})

test('while an account is blocked a link to a new password works, unblocks it, and makes its browser known', async () => {
  const { id, email } = await newUser(service)
  await holdUp(email)
  const used = await useLink(id)
  assert.equal(used.status, 200, used.text)
  assert.equal((await attempt(email, newPassword)).status, 200)
  await holdUp(email)
  assert.equal((await attemptIn(browserOf(service, used).knownCookie, email, newPassword)).status, 200)
  assertProblem(await attempt(email, newPassword), 429, 'rate_limited')
  const { link } = await resetPassword(service.database, email)
  const reset = await service.caller()('POST', '/v1/console/link/use', { token: tokenIn(link), password })
  assert.equal(reset.status, 200, reset.text)
})

test('attempts from a network at its limit count for no account', async () => {
  const from = elsewhere()
  await fill(from)
  const before = await failuresOf()
  const { email } = await newUser(service)
  for (const address of [email, 'm0@people.example', 'never@people.example'])
    assertProblem(await attempt(address, wrong, from), 429, 'rate_limited')
  assert.deepEqual(await failuresOf(), before)
})
