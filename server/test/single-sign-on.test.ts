// Single sign-on: an identity that a real OpenID provider has proven signs in the account that is linked to it, once, in the same browser, and no other account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { makeMailedLink } from '../src/features/people/links.ts'
import { resetPassword, resetSecondFactor } from '../src/features/people/operator.ts'
import { sealOf } from '../src/seal.ts'
import { identify, identityToken, openIdProvider, returning } from './support/openid-provider.ts'
import { browserOf, invitation, newUser, password, signIn, tokenIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { currentCode, forgetSteps, turnOn } from './support/second-factor.ts'
import { testService, testSettings } from './support/service.ts'
import { elsewhere, linkTo, on, path, singleSignOn } from './support/single-sign-on.ts'

const provider = await openIdProvider()
const service = testService({ openId: provider.settings, trustProxy: ['127.0.0.1'] })
const { signInWith, someone, linked, joined } = singleSignOn(service, provider)

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
  const mine = await returning(service, newId())
  const other = await returning(service, newId())
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
  const foreign = await returning(service, newId())
  const unsent = await returning(service, newId())
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
