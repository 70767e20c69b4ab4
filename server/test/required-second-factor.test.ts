// A required second factor: people without one reach nothing of the company until they set one up; keys and other companies are not affected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMailedLink } from '../src/features/people/links.ts'
import { resetSecondFactor } from '../src/features/people/operator.ts'
import { Authenticator, beginPasskey, byName, named, passkeySignIn, registerPasskey } from './support/authenticator.ts'
import {
  type Browser,
  browserOf,
  join,
  newUser,
  password,
  person,
  signIn,
  someoneWaits,
  tokenIn,
} from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { currentCode, forgetSteps, turnOn } from './support/second-factor.ts'
import { type Reply, sharedService } from './support/service.ts'

const service = sharedService()
const rules = '/v1/sign-in-rules'
const ofOrganization = '/v1/organization-api/sign-in-rules'
const on = { requiresSecondFactor: true }

/** A company whose owner has a second factor. */
async function ruled() {
  const company = await service.company()
  const place = { companyId: company.id }
  const owner = await person(service, place)
  await turnOn(owner)
  return { company, place, owner, set: owner.about(place) }
}

test('an owner requires it; then people without one get 403 in the company at once, on every server, and nowhere else', async () => {
  const { company, place, owner, set } = await ruled()
  const worker = await newUser(service, place, 'admin')
  const before = await signIn(service, worker.email)
  const elsewhere = await service.company()
  await join(service, worker.id, { companyId: elsewhere.id }, 'admin')
  assert.deepEqual((await set('GET', rules)).body, { requiresSecondFactor: false, isRequiredByOrganization: false })
  assert.deepEqual((await set('PATCH', rules, on)).body, { ...on, isRequiredByOrganization: false })

  for (const browser of [before, await signIn(service, worker.email)]) {
    for (const [method, path] of [
      ['GET', '/v1/products'],
      ['POST', '/v1/product'],
      ['GET', '/v1/keys'],
      ['GET', rules],
      ['GET', '/v1/events/stream'],
    ] as const)
      assertProblem(
        await browser.about(place)(method, path, method === 'POST' ? { name: 'Beans' } : undefined),
        403,
        'second_factor_missing',
      )
    // Also at another server, at once.
    assertProblem(
      await browser.about(place, (await service.second()).url)('GET', '/v1/products'),
      403,
      'second_factor_missing',
    )
    assert.equal((await browser.call('GET', '/v1/console/sign-in')).status, 200)
    assert.equal((await browser.about({ companyId: elsewhere.id })('GET', '/v1/products')).status, 200)
  }
  assert.equal((await owner.about(place)('GET', '/v1/products')).status, 200)
  assert.equal((await company.call('GET', '/v1/products')).status, 200)
  assert.equal((await set('PATCH', rules, { requiresSecondFactor: false })).status, 200)
  assert.equal((await before.about(place)('GET', '/v1/products')).status, 200)
})

test('turning on codes, adding a passkey, or signing in with either is enough; codes turned off are not, and a last passkey stays', async () => {
  const { place, set } = await ruled()
  await set('PATCH', rules, on)
  const codes = await newUser(service, place, 'viewer')
  const browser = await signIn(service, codes.email)
  const { secret, recoveryCodes } = await turnOn(browser)
  assert.equal((await browser.about(place)('GET', '/v1/products')).status, 200)
  await forgetSteps(service)
  const reply = await service.caller()('POST', '/v1/console/sign-in', {
    email: codes.email,
    password,
    code: currentCode(secret),
  })
  assert.equal((await browserOf(service, reply).about(place)('GET', '/v1/products')).status, 200)
  await browser.call('POST', '/v1/console/second-factor/turn-off', {
    currentPassword: password,
    code: recoveryCodes[0],
  })
  assertProblem(await browser.about(place)('GET', '/v1/products'), 403, 'second_factor_missing')

  const keys = await newUser(service, place, 'viewer')
  const first = await signIn(service, keys.email)
  const { authenticator, passkey } = await registerPasskey(service, first)
  assert.equal((await first.about(place)('GET', '/v1/products')).status, 200)
  const withKey = browserOf(service, await passkeySignIn(service, authenticator))
  assert.equal((await withKey.about(place)('GET', '/v1/products')).status, 200)
  // The password alone is no second factor, though there is a passkey.
  assertProblem(
    await (await signIn(service, keys.email)).about(place)('GET', '/v1/products'),
    403,
    'second_factor_missing',
  )
  // Otherwise a minute at an unlocked browser would be enough to remove it, and then the password to add another.
  const removal = await byName(service, withKey)('DELETE', `/v1/console/passkeys/${passkey.id}`)
  assert.match(assertProblem(removal, 409, 'conflict').message, /Add another first/)
  assert.equal((await withKey.about(place)('GET', '/v1/products')).status, 200)
})

test('a learned password changes neither factors nor address nor password of a person with a passkey, where one is required', async () => {
  const { place, set } = await ruled()
  const { id, email } = await newUser(service, place, 'admin')
  const { authenticator, passkey } = await registerPasskey(service, await signIn(service, email))
  // Begun before it was required: what counts is the moment of the change.
  const other = await signIn(service, email)
  const call = byName(service, other)
  const begun = await beginPasskey(call)
  const { secret } = (await other.call('POST', '/v1/console/second-factor', { currentPassword: password })).body
  await set('PATCH', rules, on)
  const response = new Authenticator().create(begun.options, named(service))
  for (const [method, path, body] of [
    ['POST', '/v1/console/passkeys', { token: begun.token, response, name: 'Mine' }],
    ['POST', '/v1/console/passkeys/options', { currentPassword: password }],
    ['PATCH', '/v1/console/user', { currentPassword: password, email: 'mine@people.example' }],
    ['PATCH', '/v1/console/user', { currentPassword: password, password: 'another set of words' }],
    ['DELETE', `/v1/console/passkeys/${passkey.id}`, undefined],
    ['POST', '/v1/console/second-factor', { currentPassword: password }],
    ['POST', '/v1/console/second-factor/confirm', { code: currentCode(secret) }],
  ] as const)
    assertProblem(await call(method, path, body), 403, 'second_factor_missing')
  assertProblem(await other.about(place)('GET', '/v1/products'), 403, 'second_factor_missing')

  // A mailbox is no way around it either, and no owner hands out a link that does not work.
  const member = (await set('GET', '/v1/members')).body.data.find(({ userId }: { userId: string }) => userId === id)
  assertProblem(await set('POST', `/v1/members/${member.id}/link`), 409, 'conflict')
  const link = await service.database.transaction((transaction) => makeMailedLink(transaction, id))
  const token = tokenIn(link)
  const look = async (headers = {}) =>
    (await service.caller(headers)('POST', '/v1/console/link/look', { token })).body.needsSecondFactor
  const use = () => service.caller()('POST', '/v1/console/link/use', { token, password })
  for (const browser of [{}, { cookie: other.cookie }]) assert.equal(await look(browser), true)
  assertProblem(await use(), 403, 'second_factor_missing')

  const withKey = browserOf(service, await passkeySignIn(service, authenticator))
  await registerPasskey(service, withKey, 'Second')
  assert.equal((await byName(service, withKey)('DELETE', `/v1/console/passkeys/${passkey.id}`)).status, 200)
  assert.equal((await withKey.about(place)('GET', '/v1/products')).status, 200)

  assert.equal(await look({ cookie: withKey.cookie }), undefined)
  await resetSecondFactor(service.database, email)
  assert.equal(await look(), undefined)
  const used = await use()
  assert.equal(used.status, 200, used.text)
  assertProblem(await browserOf(service, used).about(place)('GET', '/v1/products'), 403, 'second_factor_missing')
})

test('a person who has forgotten the password sets another with a link where they are signed in with the passkey, which stays', async () => {
  const { place, set } = await ruled()
  await set('PATCH', rules, on)
  const { id, email } = await newUser(service, place, 'admin')
  const { authenticator } = await registerPasskey(service, await signIn(service, email))
  const link = await service.database.transaction((transaction) => makeMailedLink(transaction, id))
  const body = { token: tokenIn(link), password: 'another set of words' }
  const stranger = await person(service, place)
  await turnOn(stranger)
  const use = ({ cookie }: Browser) => service.caller({ cookie })('POST', '/v1/console/link/use', body)
  assertProblem(await use(stranger), 403, 'second_factor_missing')
  assertProblem(await use(await signIn(service, email)), 403, 'second_factor_missing')
  const used = browserOf(service, await use(browserOf(service, await passkeySignIn(service, authenticator))))
  assert.equal((await used.about(place)('GET', '/v1/products')).status, 200)
  assert.equal((await passkeySignIn(service, authenticator)).status, 200)
  const credentials = { email, password: body.password }
  assert.equal((await service.caller()('POST', '/v1/console/sign-in', credentials)).status, 200)
})

test('a link to a new password is used with a code, and then no passkey is left, which a stranger may have added', async () => {
  const { place, set } = await ruled()
  await set('PATCH', rules, on)
  const { id, email } = await newUser(service, place, 'admin')
  const browser = await signIn(service, email)
  const { recoveryCodes } = await turnOn(browser)
  const { authenticator } = await registerPasskey(service, browser, 'Phone', recoveryCodes[0])
  const link = await service.database.transaction((transaction) => makeMailedLink(transaction, id))
  const body = { token: tokenIn(link), password, code: recoveryCodes[1] }
  const used = browserOf(service, await service.caller()('POST', '/v1/console/link/use', body))
  assert.equal((await used.about(place)('GET', '/v1/products')).status, 200)
  assertProblem(await passkeySignIn(service, authenticator), 401, 'invalid_passkey')
})

test('without it, neither an open stream nor the list of an organization’s companies shows more of the organization', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const organization = { organizationId: company.organizationId }
  const worker = await person(service, organization, 'admin')
  const list = async () =>
    (await worker.call('GET', '/v1/console/companies?limit=100')).body.data.map(({ id }: { id: string }) => id)
  assert.ok((await list()).includes(company.id))
  const headers = { cookie: worker.cookie, 'x-company-id': company.id }
  const reader = (await fetch(`${service.url}/v1/events/stream`, { headers })).body?.getReader()
  assert.ok(reader)
  await reader.read()

  const head = await person(service, organization)
  await turnOn(head)
  await head.about(organization)('PATCH', ofOrganization, on)
  // Nothing happens in the company: it is polled, without a notification.
  for (let chunk = await reader.read(); !chunk.done; ) chunk = await reader.read()
  assert.deepEqual(await list(), [])
  await turnOn(worker)
  assert.ok((await list()).includes(company.id))
  assert.equal((await worker.about(place)('GET', '/v1/products')).status, 200)
  await head.about(organization)('PATCH', ofOrganization, { requiresSecondFactor: false })
})

test('a request that was let in before it is required makes no key, invitation or link, and switches nothing off', async () => {
  const { company, place, set } = await ruled()
  const bare = (await person(service, place)).about(place)
  const { id } = (await bare('POST', '/v1/members', { email: 'ann@people.example', role: 'viewer' })).body
  const off = { requiresSecondFactor: false }
  // Two by two: behind row-level security a server has few connections for what people do.
  for (const late of [
    [
      () => bare('POST', '/v1/keys', { name: 'Back door', permissions: ['read'] }),
      () => bare('POST', '/v1/members', { email: 'ben@people.example', role: 'owner' }),
    ],
    [() => bare('POST', `/v1/members/${id}/link`), () => bare('PATCH', rules, off)],
  ]) {
    await set('PATCH', rules, off)
    const asked: Promise<Reply>[] = []
    await service.database.transaction(async (transaction) => {
      await transaction.query('select 1 from organizations where id = $1 for no key update', [company.organizationId])
      asked.push(set('PATCH', rules, on))
      await someoneWaits(service)
      asked.push(...late.map((ask) => ask()))
      await someoneWaits(service, asked.length)
    })
    const [changed, ...replies] = await Promise.all(asked)
    assert.equal(changed?.status, 200)
    for (const reply of replies) assertProblem(reply, 403, 'second_factor_missing')
    assert.equal((await set('GET', rules)).body.requiresSecondFactor, true)
  }
})

test('only owners change it, none without a second factor, and an organization’s holds in all of its companies', async () => {
  const { company, place } = await ruled()
  const bare = await person(service, place)
  assert.match(assertProblem(await bare.about(place)('PATCH', rules, on), 409, 'conflict').message, /lock you out/)
  const admin = await person(service, place, 'admin')
  await turnOn(admin)
  assertProblem(await admin.about(place)('PATCH', rules, on), 403, 'permission_denied')
  assertProblem(await company.call('PATCH', rules, on), 403, 'permission_denied')

  const organization = { organizationId: company.organizationId }
  const head = await person(service, organization)
  await turnOn(head)
  assertProblem(await head.about(organization)('PATCH', ofOrganization, {}), 400, 'validation_failed')
  assert.deepEqual((await head.about(organization)('PATCH', ofOrganization, on)).body, {
    ...on,
    isRequiredByOrganization: true,
  })
  assertProblem(await bare.about(place)('GET', '/v1/products'), 403, 'second_factor_missing')
  assertProblem(
    await (await person(service, organization)).about(organization)('GET', '/v1/organization-api/companies'),
    403,
    'second_factor_missing',
  )
  assert.deepEqual((await admin.about(place)('GET', rules)).body, {
    requiresSecondFactor: false,
    isRequiredByOrganization: true,
  })
  await head.about(organization)('PATCH', ofOrganization, { requiresSecondFactor: false })
})

test('a person whose factor the operator has reset signs in with the password and sets up another', async () => {
  const { place, set } = await ruled()
  await set('PATCH', rules, on)
  const { email } = await newUser(service, place, 'viewer')
  await turnOn(await signIn(service, email))
  await resetSecondFactor(service.database, email)
  const again = await signIn(service, email)
  assertProblem(await again.about(place)('GET', '/v1/products'), 403, 'second_factor_missing')
  await turnOn(again)
  assert.equal((await again.about(place)('GET', '/v1/products')).status, 200)
})
