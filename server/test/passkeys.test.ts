// Passkeys: a device signs its person in without a password, each response once, only from this service's address, and nobody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noOutbox } from '../src/features/mail/outbox.ts'
import { makeMailedLink } from '../src/features/people/links.ts'
import { enrol, resetPassword, resetSecondFactor } from '../src/features/people/operator.ts'
import { peopleRoutes } from '../src/features/people/routes.ts'
import { sealOf } from '../src/seal.ts'
import {
  Authenticator,
  beginPasskey,
  beginSignIn,
  byName,
  named,
  passkeySignIn,
  registerPasskey,
} from './support/authenticator.ts'
import { browserOf, cookieOf, newUser, password, signIn, tokenIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { turnOn } from './support/second-factor.ts'
import { sharedService, testSettings } from './support/service.ts'

const service = sharedService()
const path = '/v1/console/passkeys'
let network = 0
/** Another network each time. */
const elsewhere = () => ({ 'x-forwarded-for': `198.51.99.${++network}` })

/** A person who is signed in, in a place. */
async function someone() {
  const user = await newUser(service, { companyId: (await service.company()).id })
  return { ...user, browser: await signIn(service, user.email) }
}

test('a person registers, renames and removes a passkey, and signs in with it without a password or code', async () => {
  const { id, browser, email } = await someone()
  const { recoveryCodes } = await turnOn(browser)
  const { authenticator, passkey } = await registerPasskey(service, browser, 'Blue phone', recoveryCodes[0])
  assert.deepEqual([passkey.name, passkey.isSynced, passkey.lastUsedAt], ['Blue phone', false, undefined])
  assertProblem(
    await service.caller()('POST', '/v1/console/sign-in', { email, password }),
    401,
    'second_factor_required',
  )

  const reply = await passkeySignIn(service, authenticator)
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual([reply.body.user.id, reply.headers.getSetCookie().length], [id, 2])
  assert.match(cookieOf(reply), /^cashwrap_sign_in=/)
  const again = browserOf(service, reply)
  const { data } = (await again.call('GET', path)).body
  assert.equal(data.length, 1)
  assert.ok(data[0].lastUsedAt)

  const renamed = await again.call('PATCH', `${path}/${passkey.id}`, { name: 'Old phone' })
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Old phone'])
  assertProblem(await again.call('PATCH', `${path}/${passkey.id}`, { name: '' }), 400, 'validation_failed')
  assert.equal((await again.call('DELETE', `${path}/${passkey.id}`)).status, 200)
  assertProblem(await again.call('DELETE', `${path}/${passkey.id}`), 404, 'not_found')
  assertProblem(await passkeySignIn(service, authenticator, {}, elsewhere()), 401, 'invalid_passkey')
})

test('registering needs the password, a response to options of the same sign-in, once, and a device that checks its user', async () => {
  const { browser } = await someone()
  const call = byName(service, browser)
  const wrong = await call('POST', `${path}/options`, { currentPassword: 'not this one at all' })
  assert.equal(assertProblem(wrong, 400, 'validation_failed').errors[0].pointer, '/currentPassword')

  const { options, token } = await beginPasskey(call)
  const authenticator = new Authenticator()
  const origin = named(service)
  const send = (response: unknown, own = token, by = call) => by('POST', path, { token: own, response, name: 'Phone' })
  for (const response of [
    authenticator.create(options, 'https://phishing.example'),
    authenticator.create(options, origin, { host: 'phishing.example' }),
    authenticator.create(options, origin, { challenge: Buffer.alloc(32).toString('base64url') }),
    authenticator.create(options, origin, { isVerified: false }),
    authenticator.create(options, origin, { type: 'webauthn.get' }),
    {},
    'x',
    { id: authenticator.id, rawId: authenticator.id, type: 'public-key', response: { clientDataJSON: 'x' } },
  ])
    assert.equal(assertProblem(await send(response), 400, 'validation_failed').errors[0].pointer, '/response')
  const right = authenticator.create(options, origin)
  const { browser: stranger } = await someone()
  const other = await signIn(
    service,
    (await service.database.query('select email from users where id = $1', [browser.userId]))[0]?.[0],
  )
  for (const [by, own] of [
    [byName(service, stranger), token],
    [byName(service, other), token],
    [call, `${token.slice(0, -4)}AAAA`],
    [call, (await beginSignIn(service)).token],
    [call, sealOf(testSettings.secretKeys).close(`${options.challenge} ${Date.now() - 1}`, 'challenge sign-in')],
  ] as const)
    assert.equal(assertProblem(await send(right, own, by), 400, 'validation_failed').errors[0].pointer, '/token')
  const replies = await Promise.all([send(right), send(right)])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 400])
  // The same device registered by someone else would sign in as either.
  const theirs = await beginPasskey(byName(service, stranger))
  const copied = authenticator.create(theirs.options, origin)
  assertProblem(await send(copied, theirs.token, byName(service, stranger)), 409, 'conflict')
})

test('while the second factor is on, registering needs a code too, which is accepted once; ten wrong ones are 429', async () => {
  const { browser } = await someone()
  const { recoveryCodes } = await turnOn(browser)
  const begin = (code?: string) =>
    byName(service, browser)('POST', `${path}/options`, { currentPassword: password, ...(code && { code }) })
  const refused = async (code?: string) => {
    const [error] = assertProblem(await begin(code), 400, 'validation_failed').errors
    return [error.pointer, error.code]
  }
  assert.deepEqual(await refused(), ['/code', 'required'])
  assert.equal((await begin(recoveryCodes[0])).status, 200)
  for (let n = 0; n < 10; n++) assert.deepEqual(await refused(recoveryCodes[0]), ['/code', 'wrong'])
  assertProblem(await begin(recoveryCodes[1]), 429, 'rate_limited')
})

test('a response whose transports are not a list still registers its passkey', async () => {
  const { browser } = await someone()
  const call = byName(service, browser)
  const { options, token } = await beginPasskey(call)
  const made = new Authenticator().create(options, named(service)) as { response: object }
  const response = { ...made, response: { ...made.response, transports: 'usb' } }
  const reply = await call('POST', path, { token, response, name: 'Phone' })
  assert.equal(reply.status, 201, reply.text)
})

test('a sign-in refuses another site, another challenge, an unchecked user, a forged signature, a copied device and a second use', async () => {
  const { browser } = await someone()
  const { authenticator } = await registerPasskey(service, browser)
  const other = await someone()
  for (const wrong of [
    { origin: 'https://phishing.example' },
    { origin: service.url },
    { host: 'phishing.example' },
    { challenge: Buffer.alloc(32).toString('base64url') },
    { isVerified: false },
    { type: 'webauthn.create' },
    { userHandle: Buffer.from(other.id).toString('base64url') },
  ])
    assertProblem(await passkeySignIn(service, authenticator, wrong, elsewhere()), 401, 'invalid_passkey')
  const { options, token } = await beginSignIn(service)
  const send = (response: unknown, own = token) =>
    service.caller(elsewhere(), named(service))('POST', '/v1/console/passkey-sign-in', { token: own, response })
  // Signed by another device under this one's id.
  const forged = { ...new Authenticator().get(options, named(service)), id: authenticator.id, rawId: authenticator.id }
  for (const response of [forged, {}, 7, { id: ['x'] }, { id: authenticator.id, response: null }])
    assertProblem(await send(response), 401, 'invalid_passkey')
  await service.database.query('delete from sign_in_failures')
  const right = authenticator.get(options, named(service))
  assertProblem(await send(right, 'x'), 401, 'invalid_passkey')
  const replies = await Promise.all([send(right), send(right), send(right)])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401, 401])
  // A count that does not grow is that of a copy.
  assertProblem(await passkeySignIn(service, authenticator, { counter: 1 }, elsewhere()), 401, 'invalid_passkey')
  assert.equal((await passkeySignIn(service, authenticator)).status, 200)
})

test('ten wrong responses of a passkey, from any networks, and pages of other sites are refused', async () => {
  const { browser } = await someone()
  const { authenticator } = await registerPasskey(service, browser)
  for (let n = 0; n < 10; n++)
    assertProblem(
      await passkeySignIn(service, authenticator, { isVerified: false }, elsewhere()),
      401,
      'invalid_passkey',
    )
  assertProblem(await passkeySignIn(service, authenticator, {}, elsewhere()), 429, 'rate_limited')
  const foreign = { origin: 'https://phishing.example' }
  const call = service.caller(foreign, named(service))
  assertProblem(await call('POST', '/v1/console/passkey-sign-in/options'), 403, 'permission_denied')
  assertProblem(await call('POST', '/v1/console/passkey-sign-in', {}), 403, 'permission_denied')
})

test('at an IP address passkeys are 409, and behind a proxy they belong to the public name', async () => {
  const { browser } = await someone()
  const reply = await service.caller()('POST', '/v1/console/passkey-sign-in/options')
  assert.match(assertProblem(reply, 409, 'conflict').message, /host name/)
  assertProblem(await browser.call('POST', `${path}/options`, { currentPassword: password }), 409, 'conflict')
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'pos.example' }
  const { options } = (await service.caller(proxied)('POST', '/v1/console/passkey-sign-in/options')).body
  assert.deepEqual(
    [options.rpId, options.userVerification, options.allowCredentials],
    ['pos.example', 'required', undefined],
  )
})

test('another person’s passkeys are neither shown, renamed nor removed', async () => {
  const { browser } = await someone()
  const { passkey } = await registerPasskey(service, browser)
  const { browser: stranger } = await someone()
  assert.deepEqual((await stranger.call('GET', path)).body.data, [])
  for (const id of [passkey.id, 'x', '6740a1f2c3d4e5f6a7b8c9d0']) {
    assertProblem(await stranger.call('PATCH', `${path}/${id}`, { name: 'Mine' }), 404, 'not_found')
    assertProblem(await stranger.call('DELETE', `${path}/${id}`), 404, 'not_found')
  }
  assert.equal((await browser.call('GET', path)).body.data.length, 1)
})

test('a password that is set with a link ends the passkeys, which another person may have added', async () => {
  const { id, browser } = await someone()
  const { authenticator } = await registerPasskey(service, browser)
  const link = await service.database.transaction((transaction) => makeMailedLink(transaction, id))
  const reply = await service.caller()('POST', '/v1/console/link/use', {
    token: tokenIn(link),
    password: 'four other words of mine',
  })
  assert.equal(reply.status, 200, reply.text)
  assertProblem(await passkeySignIn(service, authenticator, {}, elsewhere()), 401, 'invalid_passkey')
})

test('the shared semaphore bounds each route of passkeys, except the one that waits for hashing', () => {
  const all = peopleRoutes(service.database, sealOf(testSettings.secretKeys), noOutbox)
  const routes = all.filter(({ path }) => path.includes('passkey'))
  const free = routes.filter(({ semaphore }) => semaphore === 'none').map(({ operationId }) => operationId)
  assert.deepEqual([routes.length, free], [7, ['beginPasskey']])
})

test('what the operator ends with a password or a second factor ends the passkeys too', async () => {
  const { companyId } = { companyId: (await service.company()).id }
  for (const end of [
    (email: string) => resetPassword(service.database, email),
    (email: string) => resetSecondFactor(service.database, email),
    (email: string) => enrol(service.database, { email, role: 'viewer', resetsPassword: true }, { companyId }),
  ]) {
    const { email, browser } = await someone()
    const { authenticator } = await registerPasskey(service, browser)
    assert.equal((await end(email)).passkeysRemoved, 1)
    assertProblem(await passkeySignIn(service, authenticator, {}, elsewhere()), 401, 'invalid_passkey')
  }
})
