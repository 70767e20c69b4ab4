// Single sign-on as its operator sets it up: providers that are vouched for, former, down or mistyped, the public
// address, and services without a provider.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { newId } from '../src/core/ids.ts'
import { openIdProvider as providerOf } from '../src/features/openid/provider.ts'
import { clearPast } from '../src/features/people/expired-rows.ts'
import { noteIssuer } from '../src/features/people/identities.ts'
import { makeMailedLink } from '../src/features/people/links.ts'
import { resetSecondFactor } from '../src/features/people/operator.ts'
import { sealOf } from '../src/seal.ts'
import { identify, identityToken, openIdProvider, returning } from './support/openid-provider.ts'
import { browserOf, newUser, password, person, signIn, tokenIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { turnOn } from './support/second-factor.ts'
import { sharedService, testService, testSettings } from './support/service.ts'
import { elsewhere, on, path, singleSignOn } from './support/single-sign-on.ts'

const provider = await openIdProvider()
const service = testService({ openId: provider.settings, trustProxy: ['127.0.0.1'] })
const { signInWith, someone, joined } = singleSignOn(service, provider)
/** The operator vouches for the second factor of another provider, which says claims at its own endpoint. */
const strict = await openIdProvider({ keepsClaims: true })
const vouched = testService({ openId: { ...strict.settings, isSecondFactor: true } })
const plain = sharedService()
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

test('once the provider, or its second factor, is no longer the operator’s, earlier sign-ins by it soon do not count as made with one', async () => {
  const { browser: guest, login } = await joined(vouched, strict)
  const [{ id: companyId }] = (await guest.call('GET', '/v1/console/sign-in')).body.companies
  const place = { companyId }
  const owner = await person(vouched, place)
  const other = await person(vouched, place)
  for (const one of [owner, other]) await turnOn(one)
  assert.equal((await owner.about(place)('PATCH', '/v1/sign-in-rules', on)).status, 200)
  const statusOf = async (one: typeof guest) => (await one.about(place)('GET', '/v1/products')).status
  assert.equal(await statusOf(guest), 200)
  await noteIssuer(vouched.database, 'https://other.example')
  await clearPast(vouched.database)
  assert.deepEqual([await statusOf(guest), await statusOf(other)], [403, 200])
  await noteIssuer(vouched.database, strict.settings.issuer)
  const again = browserOf(vouched, await signInWith(await identityToken(vouched, login), {}, vouched))
  assert.equal(await statusOf(again), 200)
  // A later sign-in, once the operator does not vouch for the provider any more, notes that.
  const { id } = (await again.call('GET', '/v1/console/sign-in')).body.user
  await vouched.database.query('update identities set is_second_factor = false where user_id = $1', [id])
  await clearPast(vouched.database)
  assert.equal(await statusOf(again), 403)
})

test('while a provider is down, the way there and back is 503 and counts as no guess; afterwards both work again', async () => {
  const before = await returning(service, newId())
  const from = elsewhere()
  const [network] = Object.values(from)
  await provider.down()
  const begin = (at = service.url) => service.caller(from, at)('POST', '/v1/console/sso')
  // Another server has not asked the provider before.
  const other = (await service.second()).url
  for (const reply of [
    await begin(),
    await begin(other),
    await begin(other),
    await identify(service, before, {}, from),
  ]) {
    const { reason, message } = assertProblem(reply, 503, 'unavailable')
    assert.deepEqual([reason, /Acme Login cannot be reached/.test(message)], ['provider_unreachable', true])
    assert.ok(reply.headers.get('retry-after'))
  }
  const counted = 'select failures from sign_in_failures where name = $1'
  assert.deepEqual(await service.database.query(counted, [`sso ${network}`]), [[0]])
  await provider.up()
  assert.deepEqual([(await begin()).status, (await begin(other)).status], [200, 200])
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

test('a browser is sent back only to a valid address, and to the operator’s where that is set', async () => {
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
    issuer,
    clientId,
    clientSecret: 'four-secret-words',
    label: 'Single sign-on',
    isSecondFactor: false,
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
