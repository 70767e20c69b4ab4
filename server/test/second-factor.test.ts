// A second factor: a right password alone signs nobody in, each code works once, guesses are limited, and no link
// bypasses it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLink } from '../src/features/people/links.ts'
import { codeAt, isCode, stepAt, stepOf } from '../src/features/people/second-factor.ts'
import { type Browser, browserOf, newUser, password, person, signIn, tokenIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { currentCode, forgetSteps, setUp, turnOn } from './support/second-factor.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const path = '/v1/console/sign-in'
const own = '/v1/console/second-factor'
let network = 0
/** Another network each time. */
const elsewhere = () => ({ 'x-forwarded-for': `198.51.${100 + (++network >> 8)}.${network & 255}` })
const attempt = (email: string, more: object = {}, at = service.url) =>
  service.caller(elsewhere(), at)('POST', path, { email, password, ...more })
/** A code that is wrong now and for some minutes. */
const wrongFor = (secret: string): string => {
  const near = new Set(Array.from({ length: 21 }, (_, n) => codeAt(secret, stepAt(Date.now()) - 10 + n)))
  return ['111111', '222222', '333333'].find((code) => !near.has(code)) as string
}
/** A user with a second factor, the browser in which it was turned on, and what it showed. */
async function withFactor() {
  const { id, email } = await newUser(service, { companyId: (await service.company()).id })
  const browser = await signIn(service, email)
  return { id, email, browser, ...(await turnOn(browser)) }
}
const linkFor = async (userId: string): Promise<string> =>
  tokenIn(await service.database.transaction((transaction) => makeLink(transaction, userId)))
const redeem = (token: string, code?: string) =>
  service.caller(elsewhere())('POST', '/v1/console/link/use', { token, password: 'five other words of mine', code })
const later = () => service.database.query("update sign_in_failures set since = since - interval '15 minutes'")

test('codes are those of RFC 6238, a code of the steps beside the current one is accepted, and none of a used step', () => {
  // The secret and the times of appendix B, of whose eight digits the last six are the code.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const) {
    const ms = seconds * 1000
    assert.equal(codeAt(secret, stepAt(ms)), code)
    for (const shift of [-1, 0, 1]) assert.equal(stepOf(secret, code, 0, ms + shift * 30_000), stepAt(ms))
    for (const shift of [-2, 2]) assert.equal(stepOf(secret, code, 0, ms + shift * 30_000), undefined)
    assert.equal(stepOf(secret, code, stepAt(ms), ms), undefined)
  }
  for (const text of ['', '12345', '1234567', '12345x', '１２３４５６']) assert.equal(isCode(text), false, text)
})

test('it is set up with the password and confirmed with a code, shows secret and recovery codes once, and ends other sign-ins', async () => {
  const { email } = await newUser(service, { companyId: (await service.company()).id })
  const browser = await signIn(service, email)
  const other = await signIn(service, email)
  assert.deepEqual((await browser.call('GET', own)).body, { isOn: false })
  const { secret, uri } = await setUp(browser)
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const { protocol, host, pathname, searchParams } = new URL(uri)
  assert.deepEqual(
    [protocol, host, decodeURIComponent(pathname), searchParams.get('secret'), searchParams.get('issuer')],
    ['otpauth:', 'totp', `/Cashwrap:${email}`, secret, 'Cashwrap'],
  )
  // Until it is confirmed, nothing changes.
  assert.deepEqual((await browser.call('GET', own)).body, { isOn: false })
  assert.equal((await attempt(email)).status, 200)
  const { errors } = assertProblem(
    await browser.call('POST', `${own}/confirm`, { code: wrongFor(secret) }),
    400,
    'validation_failed',
  )
  assert.deepEqual([errors[0].pointer, errors[0].code], ['/code', 'wrong'])
  const confirmed = await browser.call('POST', `${own}/confirm`, { code: currentCode(secret) })
  const { recoveryCodes } = confirmed.body
  assert.equal(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) assert.match(code, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const { confirmedAt, ...rest } = (await browser.call('GET', own)).body
  assert.deepEqual([Date.parse(confirmedAt) > 0, rest], [true, { isOn: true, recoveryCodesLeft: 10 }])
  assertProblem(await other.call('GET', path), 401, 'not_signed_in')
  assert.equal((await browser.call('GET', path)).status, 200)
  assertProblem(await attempt(email), 401, 'second_factor_required')
})

test('setting up needs the right password, replaces an unconfirmed secret, and is refused while the factor is on', async () => {
  const browser = await person(service, { companyId: (await service.company()).id })
  assertProblem(await browser.call('POST', own, {}), 400, 'validation_failed')
  const { errors } = assertProblem(await browser.call('POST', own, { currentPassword: 'x' }), 400, 'validation_failed')
  assert.deepEqual([errors[0].pointer, errors[0].code], ['/currentPassword', 'wrong'])
  assertProblem(await browser.call('POST', `${own}/confirm`, { code: '123456' }), 409, 'conflict')
  const first = await setUp(browser)
  const second = await setUp(browser)
  const code = codeAt(first.secret, stepAt(Date.now()))
  if (stepOf(second.secret, code, 0) === undefined)
    assertProblem(await browser.call('POST', `${own}/confirm`, { code }), 400, 'validation_failed')
  const confirm = () => browser.call('POST', `${own}/confirm`, { code: currentCode(second.secret) })
  const replies = await Promise.all([confirm(), confirm()])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
  assertProblem(await browser.call('POST', own, { currentPassword: password }), 409, 'conflict')
})

test('a sign-in needs the password and a code; without the right password nothing shows that there is a second factor', async () => {
  const { email, secret } = await withFactor()
  await forgetSteps(service)
  for (const code of [undefined, currentCode(secret), '000000'])
    assertProblem(await attempt(email, { password: 'not the one', code }), 401, 'invalid_credentials')
  assertProblem(await attempt(email), 401, 'second_factor_required')
  assertProblem(await attempt(email, { code: wrongFor(secret) }), 401, 'invalid_second_factor')
  const signedIn = await attempt(email, { code: ` ${currentCode(secret).replace(/^.../, '$& ')}` })
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.equal((await browserOf(service, signedIn).call('GET', path)).status, 200)
  // An account without a second factor takes any code, since it may have just been turned off.
  const { email: plain } = await newUser(service)
  assert.equal((await attempt(plain, { code: '123456' })).status, 200)
})

test('a code is accepted once: of two concurrent sign-ins on two servers one succeeds, and the code is worthless afterwards', async () => {
  const { email, secret } = await withFactor()
  const second = await service.second()
  await forgetSteps(service)
  const code = currentCode(secret)
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) => attempt(email, { code }, n % 2 === 0 ? service.url : second.url)),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401])
  for (const reply of replies) if (reply.status === 401) assertProblem(reply, 401, 'invalid_second_factor')
  assertProblem(await attempt(email, { code }), 401, 'invalid_second_factor')
})

test('the code that turned the second factor on signs nobody in', async () => {
  const { email, code } = await withFactor()
  assertProblem(await attempt(email, { code }), 401, 'invalid_second_factor')
})

test('a recovery code works once, in any notation, also under concurrent use, and only for its user', async () => {
  const one = await withFactor()
  const other = await withFactor()
  const [first, second, third] = one.recoveryCodes as [string, string, string]
  assertProblem(await attempt(other.email, { code: first }), 401, 'invalid_second_factor')
  assert.equal((await attempt(one.email, { code: first })).status, 200)
  assertProblem(await attempt(one.email, { code: first }), 401, 'invalid_second_factor')
  assert.equal((await attempt(one.email, { code: second.toUpperCase().replaceAll('-', ' ') })).status, 200)
  const replies = await Promise.all(Array.from({ length: 4 }, () => attempt(one.email, { code: third })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401])
  assert.equal((await one.browser.call('GET', own)).body.recoveryCodesLeft, 7)
})

test('of many concurrent wrong codes ten are checked, right passwords between them give no more, and other users are not affected', async () => {
  const { email, secret, recoveryCodes } = await withFactor()
  await forgetSteps(service)
  const code = wrongFor(secret)
  for (let n = 0; n < 5; n++) {
    assertProblem(await attempt(email, { code }), 401, 'invalid_second_factor')
    assertProblem(await attempt(email), 401, 'second_factor_required')
  }
  const replies = await Promise.all(Array.from({ length: 12 }, () => attempt(email, { code })))
  assert.equal(replies.filter(({ status }) => status === 401).length, 5)
  for (const right of [currentCode(secret), recoveryCodes[0]]) {
    const reply = await attempt(email, { code: right })
    assert.match(assertProblem(reply, 429, 'rate_limited').message, /wrong codes for this account/)
    assert.ok(Number(reply.headers.get('retry-after')) > 0)
  }
  const other = await withFactor()
  assert.equal((await attempt(other.email, { code: other.recoveryCodes[0] })).status, 200)
  await later()
  assert.equal((await attempt(email, { code: currentCode(secret) })).status, 200)
})

test('a browser in which the user signed in before has ten codes of its own', async () => {
  const { email, secret, browser } = await withFactor()
  await forgetSteps(service)
  const code = wrongFor(secret)
  for (let n = 0; n < 10; n++) assertProblem(await attempt(email, { code }), 401, 'invalid_second_factor')
  assertProblem(await attempt(email, { code }), 429, 'rate_limited')
  const here = (typed: string) =>
    service.caller({ ...elsewhere(), cookie: browser.knownCookie })('POST', path, { email, password, code: typed })
  assert.equal((await here(currentCode(secret))).status, 200)
  assertProblem(await attempt(email, { code }), 429, 'rate_limited')
})

test('a password link needs the code too; a refused one changes nothing and leaves the link valid', async () => {
  const { id, email, secret, browser, recoveryCodes } = await withFactor()
  const token = await linkFor(id)
  assertProblem(await redeem(token), 401, 'second_factor_required')
  for (let n = 0; n < 10; n++) assertProblem(await redeem(token, wrongFor(secret)), 401, 'invalid_second_factor')
  assertProblem(await redeem(token, recoveryCodes[0]), 429, 'rate_limited')
  await later()
  assert.equal((await browser.call('GET', path)).status, 200)
  assert.equal((await attempt(email, { code: recoveryCodes[0] })).status, 200)
  const replies = await Promise.all([redeem(token, recoveryCodes[1]), redeem(token, recoveryCodes[2])])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401])
  assertProblem(await browser.call('GET', path), 401, 'not_signed_in')
  assertProblem(await attempt(email), 401, 'invalid_credentials')
  assertProblem(await attempt(email, { password: 'five other words of mine' }), 401, 'second_factor_required')
})

test('turning it off needs the password and a code, counts wrong codes, and removes everything', async () => {
  const { id, email, secret, browser, recoveryCodes } = await withFactor()
  const off = (body: object, at: Browser = browser) => at.call('POST', `${own}/turn-off`, body)
  const pointers = async (body: object) =>
    assertProblem(await off(body), 400, 'validation_failed').errors.map(({ pointer }: { pointer: string }) => pointer)
  const right = { currentPassword: password, code: recoveryCodes[0] as string }
  assert.deepEqual(await pointers({}), ['/code'])
  assert.deepEqual(await pointers({ code: right.code }), ['/currentPassword'])
  assert.deepEqual(await pointers({ ...right, currentPassword: 'x' }), ['/currentPassword'])
  for (let n = 0; n < 10; n++) assert.deepEqual(await pointers({ ...right, code: wrongFor(secret) }), ['/code'])
  assertProblem(await off(right), 429, 'rate_limited')
  await later()
  const another = await person(service, { companyId: (await service.company()).id })
  assertProblem(await off(right, another), 409, 'conflict')
  const replies = await Promise.all([off(right), off({ ...right, code: recoveryCodes[1] as string })])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
  assert.deepEqual((await browser.call('GET', own)).body, { isOn: false })
  assert.equal((await attempt(email)).status, 200)
  const left = await service.database.query('select 1 from recovery_codes where user_id = $1', [id])
  assert.deepEqual(left, [])
})

test('neither the secret nor a recovery code is stored in plain text, and a secret opens for no other user', async () => {
  const one = await withFactor()
  const other = await withFactor()
  const tables = await Promise.all(
    ['second_factors', 'recovery_codes'].map((table) =>
      service.database.query(`select stored::text from ${table} as stored`),
    ),
  )
  const text = JSON.stringify(tables).toLowerCase()
  for (const code of [one.secret, ...one.recoveryCodes])
    assert.ok(!text.includes(code.toLowerCase()) && !text.includes(code.replaceAll('-', '')))
  await service.database.query(
    'update second_factors set last_step = 0, secret = (select secret from second_factors where user_id = $1) where user_id = $2',
    [one.id, other.id],
  )
  assertProblem(await attempt(other.email, { code: currentCode(one.secret) }), 401, 'invalid_second_factor')
  assert.equal((await attempt(other.email, { code: other.recoveryCodes[0] })).status, 200)
})
