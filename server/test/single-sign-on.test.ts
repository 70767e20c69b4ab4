// Single sign-on: an identity that a real OpenID provider has proven signs in the account that is linked to it, once, in the same browser, and no other account.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { newId } from '../src/core/ids.ts'
import { openIdProvider as providerOf } from '../src/features/openid/provider.ts'

import { makeMailedLink } from '../src/features/people/links.ts'
import { resetPassword, resetSecondFactor } from '../src/features/people/operator.ts'
import { noteIssuer } from '../src/features/people/ways-in.ts'
import { sealOf } from '../src/seal.ts'
import { identify, identityToken, openIdProvider, returning } from './support/openid-provider.ts'
import { type Browser, browserOf, invitation, newUser, password, person, signIn, tokenIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { currentCode, forgetSteps, turnOn } from './support/second-factor.ts'
import { testService, testSettings } from './support/service.ts'

const provider = await openIdProvider()
const service = testService({ openId: provider.settings, trustProxy: ['127.0.0.1'] })
/** The operator vouches for the second factor of another provider, which says claims at its own endpoint. */
const strict = await openIdProvider({ keepsClaims: true })
const vouched = testService({ openId: { ...strict.settings, isSecondFactor: true } })
const plain = testService()
/** The operator has set the public address. */
const fixed = testService({
  openId: { ...provider.settings, publicOrigin: 'https://pos.example' },
  trustProxy: ['127.0.0.1'],
})
/** The operator has mistyped the secret. */
const clientSecret = 'not-the-secret-of-the-client'
const lines: string[] = []
const mistyped = testService({
  openId: { ...provider.settings, clientSecret },
  log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
})
const path = '/v1/console/identities'
const on = { requiresSecondFactor: true }
let network = 0
/** Another network each time. */
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++network}` })
const signInWith = (token: string, more: object = {}, at = service) =>
  at.caller(elsewhere())('POST', '/v1/console/sso/sign-in', { token, ...more })
const linkTo = (browser: Browser, token: string, more: object = { currentPassword: password }) =>
  browser.call('POST', path, { token, ...more })

/** A person who is signed in, in a company. */
async function someone() {
  const place = { companyId: (await service.company()).id }
  const user = await newUser(service, place)
  return { ...user, place, browser: await signIn(service, user.email) }
}

/** The same, with a linked identity. */
async function linked() {
  const one = await someone()
  const login = newId()
  const reply = await linkTo(one.browser, await identityToken(service, login))
  assert.equal(reply.status, 201, reply.text)
  return { ...one, login, identity: reply.body }
}

/** An account that an invitation has made, without a password. */
async function joined(at = service, of = provider) {
  const email = `${newId()}@people.example`
  const login = newId()
  of.people.set(login, { email: email.toUpperCase(), email_verified: true, name: 'Ann Archer' })
  const body = { token: await identityToken(at, login), invitation: await invitation(at, email) }
  const reply = await at.caller()('POST', '/v1/console/sso/accept', body)
  assert.equal(reply.status, 200, reply.text)
  return { email, login, body, reply, browser: browserOf(at, reply) }
}

test('a person links an identity with the password, and it signs in that account, in no company but its own', async () => {
  const { id, browser, login, place } = await linked()
  const { token, isLinked } = (await identify(service, await returning(service, login))).body
  assert.equal(isLinked, true)
  const reply = await signInWith(token)
  assert.deepEqual([reply.status, reply.body.user.id, reply.headers.getSetCookie().length], [200, id, 2])
  const again = browserOf(service, reply)
  assert.equal((await again.about(place)('GET', '/v1/products')).status, 200)
  const other = await service.company()
  assertProblem(await again.about({ companyId: other.id })('GET', '/v1/products'), 404, 'not_found')
  const { data } = (await browser.call('GET', path)).body
  assert.deepEqual([data.length, data[0].issuer, data[0].isSecondFactor], [1, provider.settings.issuer, false])
  assert.ok(data[0].lastUsedAt)
})

test('an identity that is linked to no account signs in none, also not the account with its address', async () => {
  const { email } = await someone()
  const login = newId()
  provider.people.set(login, { email, email_verified: true })
  const reply = await identify(service, await returning(service, login))
  assert.deepEqual([reply.body.isLinked, reply.body.email], [false, email])
  assert.match(assertProblem(await signInWith(reply.body.token), 401, 'invalid_sso').message, /No account is linked/)
})

test('what comes back is redeemed once, in the browser in which it was begun, within ten minutes, with its own state', async () => {
  const [mine, other] = [await returning(service, newId()), await returning(service, newId())]
  const { state } = mine.answer
  const late = sealOf(testSettings.secretKeys).close(
    JSON.stringify({
      state,
      nonce: 'x',
      verifier: 'x',
      redirectUri: service.url,
      challenge: state,
      expiresAt: Date.now() - 1,
    }),
    'sso begun',
  )
  for (const wrong of [
    { ...mine, cookie: other.cookie },
    { ...mine, cookie: `cashwrap_sso=${late}` },
    { ...mine, cookie: `${mine.cookie}; ${mine.cookie}` },
    { ...mine, cookie: '' },
    { ...mine, answer: { ...mine.answer, state: other.answer.state } },
  ])
    assert.match(assertProblem(await identify(service, wrong), 401, 'invalid_sso').message, /another browser/)

  // The code of another browser, with one's own state and cookie.
  const swapped = { ...other, answer: { ...other.answer, code: mine.answer.code } }
  assertProblem(await identify(service, swapped), 401, 'invalid_sso')
  const [foreign, unsent] = [await returning(service, newId()), await returning(service, newId())]
  assertProblem(await identify(service, foreign, { iss: 'https://other.example' }), 401, 'invalid_sso')
  assertProblem(await identify(service, unsent, { code: 7 }), 400, 'validation_failed')
  const right = await returning(service, newId())
  const replies = await Promise.all([identify(service, right), identify(service, right), identify(service, right)])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401, 401])
  const [cookie = ''] = replies.find(({ status }) => status === 200)?.headers.getSetCookie() ?? []
  assert.match(cookie, /^cashwrap_sso=; .*HttpOnly; SameSite=Strict; Max-Age=0$/)
})

test('a token of an identity is accepted once, within five minutes, on all servers together', async () => {
  const { login, browser } = await linked()
  const token = await identityToken(service, login)
  const second = (await service.second()).url
  const replies = await Promise.all([
    signInWith(token),
    signInWith(token),
    service.caller({}, second)('POST', '/v1/console/sso/sign-in', { token }),
  ])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401, 401])
  const identity = { issuer: provider.settings.issuer, subject: login, isEmailVerified: false }
  const seal = sealOf(testSettings.secretKeys)
  const late = seal.close(JSON.stringify({ identity, challenge: 'x', expiresAt: Date.now() - 1 }), 'sso identity')
  for (const wrong of ['x', token, late, `${token.slice(0, -4)}AAAA`]) {
    assertProblem(await signInWith(wrong), 401, 'invalid_sso')
    const [error] = assertProblem(await linkTo(browser, wrong), 400, 'validation_failed').errors
    assert.deepEqual([error.pointer, error.code], ['/token', 'expired'])
  }
})

test('linking needs the password, and a code while the second factor is on; an identity belongs to one account', async () => {
  const { browser } = await someone()
  const token = await identityToken(service, newId())
  const refused = async (more: object) => {
    const [error] = assertProblem(await linkTo(browser, token, more), 400, 'validation_failed').errors
    return [error.pointer, error.code]
  }
  assert.deepEqual(await refused({}), ['/currentPassword', 'required'])
  assert.deepEqual(await refused({ currentPassword: 'not this one at all' }), ['/currentPassword', 'wrong'])
  const { recoveryCodes } = await turnOn(browser)
  assert.deepEqual(await refused({ currentPassword: password }), ['/code', 'required'])
  assert.deepEqual(await refused({ currentPassword: password, code: 'abcd' }), ['/code', 'wrong'])
  const right = { currentPassword: password, code: recoveryCodes[0] }
  assert.equal((await linkTo(browser, token, right)).status, 201)

  const { login, browser: owner, identity } = await linked()
  const { browser: stranger } = await someone()
  assertProblem(await linkTo(stranger, await identityToken(service, login)), 409, 'conflict')
  for (const id of [identity.id, 'x', '6740a1f2c3d4e5f6a7b8c9d0'])
    assertProblem(await stranger.call('DELETE', `${path}/${id}`), 404, 'not_found')
  assert.deepEqual((await stranger.call('GET', path)).body.data, [])
  const name = newId()
  const both = await Promise.all([owner, stranger].map(async (one) => linkTo(one, await identityToken(service, name))))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409])
})

test('an unlinked identity signs in nobody, and the only way to sign in is not unlinked', async () => {
  const { login, browser, identity } = await linked()
  const token = await identityToken(service, login)
  assert.equal((await browser.call('DELETE', `${path}/${identity.id}`)).status, 200)
  assertProblem(await browser.call('DELETE', `${path}/${identity.id}`), 404, 'not_found')
  assertProblem(await signInWith(token), 401, 'invalid_sso')

  const { browser: bare } = await joined()
  const [{ id }] = (await bare.call('GET', path)).body.data
  assertProblem(await bare.call('DELETE', `${path}/${id}`), 409, 'conflict')
  assert.equal((await bare.call('PATCH', '/v1/console/user', { password })).body.hasPassword, true)
  assert.equal((await bare.call('DELETE', `${path}/${id}`)).status, 200)
})

test('the last of passkeys and identities stays, also when both are removed at once, and a passkey alone is a way to sign in', async () => {
  const { browser, email } = await joined()
  const { database } = service
  const { id: userId } = (await browser.call('GET', '/v1/console/sign-in')).body.user
  const [{ id }] = (await browser.call('GET', path)).body.data
  const passkeyId = newId()
  await database.query(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
     values ($1, $2, $1, 'x', 0, '{}', false, 'x', now())`,
    [passkeyId, userId],
  )
  const both = [`${path}/${id}`, `/v1/console/passkeys/${passkeyId}`]
  const replies = await Promise.all(both.map((each) => browser.call('DELETE', each)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
  // The operator's reset of the second factor says what it leaves.
  await database.query('delete from identities where user_id = $1', [userId])
  await database.query(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
     values ($1, $2, $1, 'x', 0, '{}', false, 'x', now())`,
    [newId(), userId],
  )
  assert.equal((await resetSecondFactor(database, email)).hasWayIn, false)
})

test('identities of a former provider are no way to sign in and no second factor, until it is set up again', async () => {
  const { browser: guest, email } = await joined(vouched, strict)
  const { user, companies } = (await guest.call('GET', '/v1/console/sign-in')).body
  const place = { companyId: companies[0].id }
  const owner = await person(vouched, place)
  const { database } = vouched
  const states = async () =>
    (await owner.about(place)('GET', '/v1/members')).body.data
      .filter((member: { userId: string }) => member.userId === user.id)
      .map(({ state }: { state: string }) => state)
  assert.deepEqual(await states(), ['active'])
  const own = (await owner.call('GET', '/v1/console/sign-in')).body.user.id
  await database.query(
    `update members set role = case when user_id = any ($1) then 'owner' else 'admin' end
     where company_id = $2 or organization_id = (select organization_id from companies where id = $2)`,
    [[user.id, own], place.companyId],
  )
  await noteIssuer(database, 'https://other.example')
  assert.deepEqual(await states(), ['invited'])
  // The person who is signed in is the last owner who can sign in.
  const [[memberId]] = (await database.query('select id from members where user_id = $1', [own])) as [[string]]
  const remove = () => owner.about(place)('PATCH', `/v1/members/${memberId}`, { role: 'admin' })
  assertProblem(await remove(), 409, 'conflict')
  await noteIssuer(database, strict.settings.issuer)
  assert.equal((await remove()).status, 200)
  assert.deepEqual((await resetSecondFactor(database, email)).identitiesRemoved, 1)
})

test('an invited person without an account gets one by a verified identity of the same address, and no other way', async () => {
  const { email, login, body, reply, browser } = await joined()
  assert.deepEqual(
    [reply.body.user.email, reply.body.user.name, reply.body.user.hasPassword],
    [email, 'Ann Archer', false],
  )
  assert.equal((await browser.call('GET', '/v1/console/sign-in')).body.companies.length, 1)
  assertProblem(await service.caller()('POST', '/v1/console/sso/accept', body), 401, 'invalid_link')
  assert.equal((await signInWith(await identityToken(service, login))).body.user.email, email)

  const accept = async (claims: object, invited = `${newId()}@people.example`) => {
    const own = newId()
    provider.people.set(own, { email: invited, ...claims })
    const asked = { token: await identityToken(service, own), invitation: await invitation(service, invited) }
    return service.caller(elsewhere())('POST', '/v1/console/sso/accept', asked)
  }
  for (const wrong of [
    { email_verified: false },
    { email_verified: 'true' },
    {},
    { email: undefined, email_verified: true },
    { email: 'other@people.example', email_verified: true },
  ])
    assertProblem(await accept(wrong), 403, 'permission_denied')
  const { email: taken } = await someone()
  assert.match(assertProblem(await accept({ email_verified: true }, taken), 409, 'conflict').message, /has an account/)
  // An identity with an account signs in to that, and accepts there.
  const again = { token: await identityToken(service, login), invitation: await invitation(service, email) }
  assertProblem(await service.caller()('POST', '/v1/console/sso/accept', again), 409, 'conflict')
  const known = browserOf(service, await signInWith(again.token))
  assert.equal((await known.call('POST', '/v1/console/link/accept', { token: again.invitation })).status, 200)
})

test('an account without a password changes how it signs in only soon after a sign-in', async () => {
  const { email, browser } = await joined()
  const attempts = [
    ['POST', '/v1/console/second-factor', {}],
    ['POST', path, { token: await identityToken(service, newId()) }],
    ['PATCH', '/v1/console/user', { password: 'four other words of mine' }],
    ['PATCH', '/v1/console/user', { email: `${newId()}@people.example` }],
  ] as const
  await service.database.query("update sign_ins set created_at = created_at - interval '11 minutes'")
  for (const [method, to, body] of attempts) {
    const [error] = assertProblem(await browser.call(method, to, body), 400, 'validation_failed').errors
    assert.deepEqual([error.pointer, error.code], ['/currentPassword', 'sign_in_again'])
  }
  assertProblem(await service.caller()('POST', '/v1/console/sign-in', { email, password }), 401, 'invalid_credentials')
  await service.database.query("update sign_ins set created_at = created_at + interval '11 minutes'")
  for (const [method, to, body] of attempts) {
    const { status, text } = await browser.call(method, to, body)
    assert.ok(status < 300, text)
    // Each is tried by the same account, which has a password after the third.
    if (method === 'PATCH') break
  }
})

test('a second factor is asked for after single sign-on, its refusal leaves the token valid, and alone it is no second factor', async () => {
  const { login, browser, place } = await linked()
  const bare = browserOf(service, await signInWith(await identityToken(service, login)))
  const { secret } = await turnOn(browser)
  await browser.about(place)('PATCH', '/v1/sign-in-rules', on)
  assertProblem(await bare.about(place)('GET', '/v1/products'), 401, 'not_signed_in')
  const token = await identityToken(service, login)
  assertProblem(await signInWith(token), 401, 'second_factor_required')
  assertProblem(await signInWith(token, { code: 'abcd' }), 401, 'invalid_second_factor')
  await forgetSteps(service)
  const reply = await signInWith(token, { code: currentCode(secret) })
  assert.equal((await browserOf(service, reply).about(place)('GET', '/v1/products')).status, 200)

  const { id } = await newUser(service, place, 'viewer')
  const name = newId()
  const email = (await service.database.query('select email from users where id = $1', [id]))[0]?.[0]
  await linkTo(await signIn(service, email), await identityToken(service, name))
  const without = browserOf(service, await signInWith(await identityToken(service, name)))
  assertProblem(await without.about(place)('GET', '/v1/products'), 403, 'second_factor_missing')
  await turnOn(without)
  assert.equal((await without.about(place)('GET', '/v1/products')).status, 200)
})

test('where the operator vouches for the provider, it counts as the second factor, and a password alone replaces it nowhere', async () => {
  const { browser: guest, login } = await joined(vouched, strict)
  const [{ id: companyId }] = (await guest.call('GET', '/v1/console/sign-in')).body.companies
  const place = { companyId }
  const owner = await person(vouched, place)
  await turnOn(owner)
  assert.equal((await owner.about(place)('PATCH', '/v1/sign-in-rules', on)).status, 200)
  assert.equal((await guest.about(place)('GET', '/v1/products')).status, 200)
  await guest.call('PATCH', '/v1/console/user', { password })
  const { email, id } = (await guest.call('GET', '/v1/console/sign-in')).body.user

  const learned = await signIn(vouched, email)
  assertProblem(await learned.about(place)('GET', '/v1/products'), 403, 'second_factor_missing')
  const more = { token: await identityToken(vouched, newId()), currentPassword: password }
  const [{ id: identityId }] = (await learned.call('GET', path)).body.data
  for (const [method, to, body] of [
    ['POST', path, more],
    ['DELETE', `${path}/${identityId}`, undefined],
    ['POST', '/v1/console/second-factor', { currentPassword: password }],
  ] as const)
    assertProblem(await learned.call(method, to, body), 403, 'second_factor_missing')
  const link = await vouched.database.transaction((transaction) => makeMailedLink(transaction, id))
  const used = await vouched.caller()('POST', '/v1/console/link/use', { token: tokenIn(link), password })
  assertProblem(used, 403, 'second_factor_missing')

  const again = browserOf(vouched, await signInWith(await identityToken(vouched, login), {}, vouched))
  assert.equal((await again.about(place)('GET', '/v1/products')).status, 200)
  assertProblem(await again.call('DELETE', `${path}/${identityId}`), 409, 'conflict')
  await turnOn(again)
  assert.equal((await again.call('DELETE', `${path}/${identityId}`)).status, 200)
  assert.equal((await again.about(place)('GET', '/v1/products')).status, 200)
})

test('a password that is set with a link, and the operator’s reset, end linked identities, which a stranger may have linked', async () => {
  const one = await linked()
  const link = await service.database.transaction((transaction) => makeMailedLink(transaction, one.id))
  const body = { token: tokenIn(link), password: 'four other words of mine' }
  assert.equal((await service.caller()('POST', '/v1/console/link/use', body)).status, 200)
  assertProblem(await signInWith(await identityToken(service, one.login)), 401, 'invalid_sso')
  const other = await linked()
  await resetPassword(service.database, other.email)
  assertProblem(await signInWith(await identityToken(service, other.login)), 401, 'invalid_sso')
})

test('a provider that is away is 503 at the beginning and on the way back, counts as no guess, and works again when it is back', async () => {
  const before = await returning(service, newId())
  const from = elsewhere()
  const [network] = Object.values(from)
  await provider.down()
  // This server has not asked the provider before.
  const begin = () => service.second().then(({ url }) => service.caller(from, url)('POST', '/v1/console/sso'))
  for (const reply of [await begin(), await begin(), await identify(service, before, {}, from)]) {
    const { reason, message } = assertProblem(reply, 503, 'unavailable')
    assert.deepEqual([reason, /Acme Login cannot be reached/.test(message)], ['provider_unreachable', true])
    assert.ok(reply.headers.get('retry-after'))
  }
  const counted = 'select failures from sign_in_failures where name = $1'
  assert.deepEqual(await service.database.query(counted, [`sso ${network}`]), [[0]])
  await provider.up()
  assert.equal((await begin()).status, 200)
  assert.equal((await identify(service, await returning(service, newId()))).status, 200)
})

test('a provider that refuses this service as its client is 503, and the log says why and shows no secret', async () => {
  const back = await returning(mistyped, newId())
  const { reason } = assertProblem(await identify(mistyped, back), 503, 'unavailable')
  assert.equal(reason, 'provider_unreachable')
  const said = lines.join('')
  assert.match(said, /sign-in at the OpenID provider failed/)
  assert.match(said, /invalid_client/)
  for (const secret of [clientSecret, back.answer.code, back.answer.state]) assert.ok(!said.includes(secret))
})

test('fifty wrong answers from a network are 429, and pages of other sites are refused', async () => {
  const from = elsewhere()
  const attempt = async () => {
    const begun = await service.caller(from)('POST', '/v1/console/sso')
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] as string
    const state = new URL(begun.body.url).searchParams.get('state')
    return service.caller({ ...from, cookie })('POST', '/v1/console/sso/identify', { code: 'x', state })
  }
  for (let n = 0; n < 50; n++) assertProblem(await attempt(), 401, 'invalid_sso')
  assertProblem(await attempt(), 429, 'rate_limited')
  // Of single sign-on alone: passwords and codes have counts of their own.
  const { email } = await newUser(service, { companyId: (await service.company()).id })
  assert.equal((await service.caller(from)('POST', '/v1/console/sign-in', { email, password })).status, 200)
  for (const to of ['', '/identify', '/sign-in', '/accept'])
    assertProblem(
      await service.caller({ origin: 'https://phishing.example' })('POST', `/v1/console/sso${to}`, {}),
      403,
      'permission_denied',
    )
})

test('without a provider all of its paths are 404 and the console has no button; behind a proxy the way back is the public name', async () => {
  const { browser } = await someone()
  for (const [method, to] of [
    ['POST', '/v1/console/sso'],
    ['POST', '/v1/console/sso/identify'],
    ['POST', '/v1/console/sso/sign-in'],
    ['POST', '/v1/console/sso/accept'],
    ['GET', path],
    ['POST', path],
    ['DELETE', `${path}/6740a1f2c3d4e5f6a7b8c9d0`],
  ] as const)
    for (const call of [plain.caller(), plain.caller({ cookie: browser.cookie, 'x-csrf-token': browser.csrfToken })])
      assertProblem(await call(method, to, method === 'POST' ? {} : undefined), 404, 'not_found')
  const button = /<meta name="cashwrap-sso" content="Acme Login">/
  assert.doesNotMatch((await plain.caller()('GET', '/console/sign-in')).text, button)
  assert.match((await service.caller()('GET', '/console/sign-in')).text, button)
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'pos.example' }
  const { body, headers } = await service.caller(proxied)('POST', '/v1/console/sso')
  const { searchParams } = new URL(body.url)
  assert.equal(searchParams.get('redirect_uri'), 'https://pos.example/console/sso')
  assert.deepEqual(
    [searchParams.get('response_type'), searchParams.get('code_challenge_method'), searchParams.get('scope')],
    ['code', 'S256', 'openid email profile'],
  )
  assert.match(
    headers.getSetCookie()[0] as string,
    /^__Host-cashwrap_sso=.*HttpOnly; SameSite=Strict; Secure; Max-Age=600$/,
  )
})

test('a browser is sent back only to an address that is one, and to the operator’s where it is set', async () => {
  const begin = (host: string, at = service) =>
    at.caller({ 'x-forwarded-proto': 'https', 'x-forwarded-host': host })('POST', '/v1/console/sso')
  const { body } = await begin('pos.example:443')
  assert.equal(new URL(body.url).searchParams.get('redirect_uri'), 'https://pos.example/console/sso')
  for (const host of ['%00', 'x:99999']) assertProblem(await begin(host), 409, 'conflict')
  assert.equal((await begin('pos.example:443', fixed)).status, 200)
  for (const host of ['evil.example', 'pos.example:8443', 'pos.example.evil.example'])
    assert.match(assertProblem(await begin(host, fixed), 409, 'conflict').message, /https:\/\/pos\.example\./)
})

test('a person who is to sign in again at the provider is asked to, and an older sign-in there is refused', async () => {
  const promptOf = async (body?: object) =>
    new URL((await service.caller()('POST', '/v1/console/sso', body)).body.url).searchParams.get('prompt')
  assert.deepEqual([await promptOf(), await promptOf({ reauthenticate: true })], [null, 'login'])
  assertProblem(await service.caller()('POST', '/v1/console/sso', { reauthenticate: 1 }), 400, 'validation_failed')
  const seal = sealOf(testSettings.secretKeys)
  const since = async (seconds: number) => {
    const back = await returning(service, newId())
    const begun = JSON.parse(seal.open(back.cookie.replace('cashwrap_sso=', ''), 'sso begun'))
    const signedInSince = Math.floor(Date.now() / 1000) + seconds
    const cookie = `cashwrap_sso=${seal.close(JSON.stringify({ ...begun, signedInSince }), 'sso begun')}`
    return identify(service, { ...back, cookie })
  }
  assert.equal((await since(-60)).status, 200)
  assertProblem(await since(60), 401, 'invalid_sso')
})

test('a provider whose metadata names no endpoint, or is endless, is unavailable', async (t) => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const issuer = `http://127.0.0.1:${port}${request.url?.startsWith('/bare') ? '/bare' : '/endless'}`
    response.end(JSON.stringify({ issuer, ...(issuer.endsWith('endless') && { more: 'x'.repeat(1_100_000) }) }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const reasons: string[] = []
  const log = pino({}, { write: (line: string) => void reasons.push(JSON.parse(line).reason) })
  for (const name of ['bare', 'endless']) {
    const broken = providerOf({ ...provider.settings, issuer: `http://127.0.0.1:${port}/${name}` }, log)
    await assert.rejects(broken.begin('https://pos.example/console/sso', false), { status: 503 })
  }
  assert.match(reasons[1] as string, /more than 1048576 bytes/)
})

test('wrong settings stop the start, name the variable and show no secret', () => {
  const right = {
    CASHWRAP_OIDC_ISSUER: 'https://login.example/realms/shops',
    CASHWRAP_OIDC_CLIENT_ID: 'cashwrap',
    CASHWRAP_OIDC_CLIENT_SECRET: 'four-secret-words',
  }
  const { CASHWRAP_OIDC_ISSUER: issuer, CASHWRAP_OIDC_CLIENT_ID: clientId } = right
  assert.deepEqual(readConfig(right).openId, {
    ...{ issuer, clientId, clientSecret: 'four-secret-words', label: 'Single sign-on', isSecondFactor: false },
    publicOrigin: undefined,
  })
  const at = (text: string) => readConfig({ ...right, CASHWRAP_PUBLIC_URL: text }).openId?.publicOrigin
  assert.deepEqual([at(''), at('https://pos.example:443/')], [undefined, 'https://pos.example'])
  assert.equal(readConfig({ ...right, CASHWRAP_OIDC_ISSUER: '' }).openId, undefined)
  assert.equal(
    readConfig({ ...right, CASHWRAP_OIDC_ISSUER: 'http://localhost:8081' }).openId?.issuer,
    'http://localhost:8081',
  )
  for (const [name, value] of [
    ['CASHWRAP_OIDC_ISSUER', 'http://login.example'],
    ['CASHWRAP_OIDC_ISSUER', 'login.example'],
    ['CASHWRAP_OIDC_ISSUER', 'https://user:four-secret-words@login.example'],
    ['CASHWRAP_OIDC_ISSUER', 'https://login.example/.well-known/openid-configuration'],
    ['CASHWRAP_OIDC_ISSUER', 'https://login.microsoftonline.com/common/v2.0'],
    ['CASHWRAP_OIDC_ISSUER', 'https://login.microsoftonline.com/organizations/v2.0'],
    ['CASHWRAP_OIDC_ISSUER', 'https://login.microsoftonline.com/Consumers/v2.0'],
    ['CASHWRAP_PUBLIC_URL', 'https://pos.example/console'],
    ['CASHWRAP_OIDC_CLIENT_ID', ' '],
    ['CASHWRAP_OIDC_CLIENT_SECRET', ''],
    ['CASHWRAP_OIDC_LABEL', 'x'.repeat(41)],
    ['CASHWRAP_OIDC_IS_SECOND_FACTOR', 'yes'],
  ] as const)
    assert.throws(
      () => readConfig({ ...right, [name]: value }),
      ({ message }: Error) => message.startsWith(name) && !message.includes('four-secret'),
      `${name}=${value}`,
    )
})
