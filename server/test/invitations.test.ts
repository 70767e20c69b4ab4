// Invitations (decision 19): an address is a label, the account that opens the link becomes the member, and no response reveals whether an address has an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { clearPast } from '../src/features/people/expired-rows.ts'
import { deleteUser } from '../src/features/people/operator.ts'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { deadlocksIn } from './support/deadlocks.ts'
import {
  type Browser,
  browserOf,
  newUser,
  type Place,
  password,
  person,
  signIn,
  someoneWaits,
  tokenIn,
} from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Reply, sharedService } from './support/service.ts'

const service = sharedService()
const someone = () => `${newId()}@invited.example`
const look = (token: string) => service.caller()('POST', '/v1/console/link/look', { token })
const makeAccount = (token: string, more: object = {}) =>
  service.caller()('POST', '/v1/console/link/use', { token, password, ...more })
const accept = ({ call }: Browser, token: string) => call('POST', '/v1/console/link/accept', { token })

/** An owner of a place, with the owner's actions on its members. */
async function ownerOf(place: Place) {
  const browser = await person(service, place)
  const call = browser.about(place)
  const path = 'companyId' in place ? '/v1/members' : '/v1/organization-api/members'
  return {
    browser,
    list: async (): Promise<any[]> => (await call('GET', path)).body.data,
    invite: (email: string, more: object = {}) => call('POST', path, { email, role: 'admin', ...more }),
    change: (id: string, role: string) => call('PATCH', `${path}/${id}`, { role }),
    remove: (id: string) => call('DELETE', `${path}/${id}`),
    link: (id: string) => call('POST', `${path}/${id}/link`),
  }
}

/** A company with an owner. */
async function shop() {
  const { id, organizationId } = await service.company()
  const place = { companyId: id }
  return { place, organizationId, owner: await ownerOf(place) }
}

/** What a response shows besides ids, times and what the test itself sent. */
const shapeOf = ({ status, body }: Reply): unknown => [status, Object.keys(body).sort(), body.state, body.role]

test('an owner cannot invite the own address, nor one that is invited already', async () => {
  const { place, organizationId } = await shop()
  const { email, id } = await newUser(service, { organizationId })
  const call = (await signIn(service, email)).about(place)
  const invite = (address: string) => call('POST', '/v1/members', { email: address, role: 'viewer' })
  for (const own of [email, email.toUpperCase()])
    assert.equal(assertProblem(await invite(own), 409, 'conflict').reason, 'already_member')
  const other = someone()
  assert.equal((await invite(other)).status, 201)
  assert.equal(assertProblem(await invite(other), 409, 'conflict').reason, 'already_invited')
  assert.equal((await service.database.query('select from invitations where user_id = $1', [id])).length, 0)
})

test('inviting returns the same response whether the address has an account or not, in a company and in an organization', async () => {
  const { place, organizationId } = await shop()
  const elsewhere = await shop()
  const { email: taken } = await newUser(service, elsewhere.place)
  for (const each of [place, { organizationId }]) {
    const owner = await ownerOf(each)
    const free = await owner.invite(someone())
    const has = await owner.invite(taken)
    assert.deepEqual(shapeOf(has), shapeOf(free))
    assert.equal(has.status, 201, has.text)
    // Nothing of the account is revealed: not its id, not its name.
    const [row] = await service.database.query('select id from users where email = $1', [taken])
    assert.notEqual(has.body.userId, row?.[0])
    const renewed = await owner.link(has.body.id)
    assert.deepEqual([renewed.status, Object.keys(renewed.body)], [201, ['link']])
  }
})

test('the link shows the inviter and the companies, before a password is typed', async () => {
  const { place, organizationId, owner } = await shop()
  await owner.browser.call('PATCH', '/v1/console/user', { name: 'Ann Archer' })
  const email = someone()
  const { body } = await owner.invite(email, { name: 'Ben', role: 'viewer' })
  const shown = (await look(tokenIn(body.link))).body
  const [row] = await service.database.query('select email from users where id = $1', [owner.browser.userId])
  assert.deepEqual(shown, {
    kind: 'invitation',
    email,
    name: 'Ben',
    expiresAt: body.expiresAt,
    role: 'viewer',
    invitedBy: { email: row?.[0], name: 'Ann Archer' },
    organizationName: 'Test',
    companyName: 'Shop',
    companies: ['Shop'],
    companyCount: 1,
  })
  const head = await ownerOf({ organizationId })
  const whole = (await look(tokenIn((await head.invite(someone())).body.link))).body
  const [count] = await service.database.query('select count(*) from companies where organization_id = $1', [
    organizationId,
  ])
  assert.deepEqual(
    [whole.companyName, whole.organizationName, whole.companyCount, whole.companies.length],
    [undefined, 'Test', count?.[0], Math.min(20, count?.[0])],
  )
  assert.ok(place.companyId)
})

test('a person accepts with an existing account, under any address, and its password stays', async () => {
  const { place, owner } = await shop()
  const { email, id } = await newUser(service, (await shop()).place, 'viewer')
  const browser = await signIn(service, email)
  const { body: invited } = await owner.invite(someone(), { name: 'Some label' })
  const accepted = await accept(browser, tokenIn(invited.link))
  assert.equal(accepted.status, 200, accepted.text)
  assert.deepEqual(
    [accepted.body.id, accepted.body.role, accepted.body.companyId],
    [invited.id, 'admin', place.companyId],
  )
  assert.equal((await browser.about(place)('POST', '/v1/product', { name: 'Beans' })).status, 201)
  const listed = (await owner.list()).find((member) => member.id === invited.id)
  assert.deepEqual([listed.userId, listed.email, listed.state], [id, email, 'active'])
  assert.equal((await signIn(service, email)).userId, id)
  for (const reply of [await look(tokenIn(invited.link)), await accept(browser, tokenIn(invited.link))])
    assert.match(assertProblem(reply, 401, 'invalid_link').message, /already used/)
})

test('an address that another company took first does not exclude its owner', async () => {
  const squatter = await shop()
  const honest = await shop()
  const email = someone()
  const squatted = browserOf(service, await makeAccount(tokenIn((await squatter.owner.invite(email)).body.link)))
  const { status, body: invited } = await honest.owner.invite(email)
  assert.equal(status, 201)
  const token = tokenIn(invited.link)
  // The account with the address gets nothing from the invitation.
  assertProblem(await squatted.about(honest.place)('GET', '/v1/products'), 404, 'not_found')
  const { errors } = assertProblem(await makeAccount(token), 400, 'validation_failed')
  assert.deepEqual([errors[0].pointer, errors[0].code], ['/email', 'taken'])
  const own = someone()
  const made = await makeAccount(token, { email: own, name: 'Ben' })
  assert.equal(made.status, 200, made.text)
  const browser = browserOf(service, made)
  assert.equal((await browser.about(honest.place)('GET', '/v1/products')).status, 200)
  assert.deepEqual([made.body.user.email, made.body.user.name, made.body.user.id], [own, 'Ben', invited.userId])
  // The squatter chose that password, and gains nothing with it.
  assertProblem(await squatted.about(honest.place)('GET', '/v1/products'), 404, 'not_found')
})

test('a link is used once: of accounts that accept or are created at once one becomes the member', async () => {
  const { owner } = await shop()
  const { body: invited } = await owner.invite(someone())
  const token = tokenIn(invited.link)
  const others = await Promise.all([0, 1].map(async () => signIn(service, (await newUser(service)).email)))
  const replies = await Promise.all([
    ...others.map((browser) => accept(browser, token)),
    makeAccount(token),
    makeAccount(token, { email: someone() }),
  ])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401])
  assert.equal((await owner.list()).filter(({ id }) => id === invited.id).length, 1)
})

test('of a concurrent acceptance and withdrawal one wins, and a withdrawn invitation gives no access', async () => {
  for (let n = 0; n < 4; n++) {
    const { owner, place } = await shop()
    const browser = await signIn(service, (await newUser(service)).email)
    const { body: invited } = await owner.invite(someone())
    const [accepted, removed] = await Promise.all([accept(browser, tokenIn(invited.link)), owner.remove(invited.id)])
    // The person who accepted first was a member when the removal arrived.
    assert.equal(removed.status, 200)
    assert.ok([200, 401].includes(accepted.status), accepted.text)
    assert.ok([401, 404].includes((await browser.about(place)('GET', '/v1/products')).status))
    assert.deepEqual(
      (await owner.list()).map(({ id }) => id === invited.id),
      [false],
    )
  }
})

test('a person who accepts invitations of two organizations at once becomes a member of both, without a deadlock', async () => {
  const browser = await signIn(service, (await newUser(service)).email)
  const tokens = await Promise.all(
    ['First', 'Second'].map(async (name) => {
      const { organizationId } = await createOrganization(service.database, { name })
      const owner = await ownerOf({ organizationId })
      return tokenIn((await owner.invite(someone())).body.link)
    }),
  )
  const before = await deadlocksIn(service.database)
  const replies: Promise<Reply>[] = []
  await service.database.transaction(async (transaction) => {
    await transaction.query('select 1 from users where id = $1 for no key update', [browser.userId])
    for (const token of tokens) replies.push(accept(browser, token))
    await someoneWaits(service, 2)
  })
  for (const { status, text } of await Promise.all(replies)) assert.equal(status, 200, text)
  assert.equal(await deadlocksIn(service.database), before)
})

test('invitations are listed, changed, renewed and withdrawn like members; a renewed link replaces the one before', async () => {
  const { owner } = await shop()
  const email = someone()
  const { body: invited } = await owner.invite(email, { name: 'Ben' })
  assertProblem(await owner.invite(email.toUpperCase()), 409, 'conflict')
  const [listed] = (await owner.list()).filter(({ id }) => id === invited.id)
  const { link, ...record } = invited
  assert.deepEqual(listed, record)
  assert.equal(Math.round((Date.parse(listed.expiresAt) - Date.parse(listed.createdAt)) / 86_400_000), 7)
  assert.equal((await owner.change(invited.id, 'viewer')).body.role, 'viewer')
  const renewed = (await owner.link(invited.id)).body.link
  assertProblem(await look(tokenIn(link)), 401, 'invalid_link')
  assert.equal((await look(tokenIn(renewed))).body.role, 'viewer')
  assert.equal((await owner.remove(invited.id)).status, 200)
  assertProblem(await look(tokenIn(renewed)), 401, 'invalid_link')
  for (const reply of [
    await owner.change(invited.id, 'admin'),
    await owner.link(invited.id),
    await owner.remove(invited.id),
  ])
    assertProblem(reply, 404, 'not_found')
  assert.equal((await owner.invite(email)).status, 201)
})

test('an invitation of another company is 404 for changing, renewing and withdrawing it', async () => {
  const mine = await shop()
  const theirs = await shop()
  const { body: invited } = await theirs.owner.invite(someone())
  for (const id of [invited.id, noId, 'x', '%00'])
    for (const reply of [await mine.owner.change(id, 'viewer'), await mine.owner.link(id), await mine.owner.remove(id)])
      assertProblem(reply, 404, 'not_found')
  assert.equal((await look(tokenIn(invited.link))).body.role, 'admin')
  assert.ok(!(await mine.owner.list()).some(({ id }) => id === invited.id))
})

test('a link ends with the rights of the owner who made it, and another owner can renew it', async () => {
  const ends: Record<string, (owner: Browser, place: Place) => Promise<unknown>> = {
    demoted: ({ userId }) => service.database.query("update members set role = 'admin' where user_id = $1", [userId]),
    removed: ({ userId }) => service.database.query('delete from members where user_id = $1', [userId]),
    deleted: async ({ userId }) => {
      const [row] = await service.database.query('select email from users where id = $1', [userId])
      return deleteUser(service.database, row?.[0])
    },
    'with a new password': ({ call }) =>
      call('PATCH', '/v1/console/user', { password: 'another set of words', currentPassword: password }),
  }
  for (const [how, end] of Object.entries(ends)) {
    const { place, owner } = await shop()
    const other = await ownerOf(place)
    const { body: invited } = await owner.invite(someone())
    const token = tokenIn(invited.link)
    await end(owner.browser, place)
    const browser = await signIn(service, (await newUser(service)).email)
    for (const reply of [await look(token), await makeAccount(token), await accept(browser, token)])
      assertProblem(reply, 401, 'invalid_link', how)
    const { link } = (await other.link(invited.id)).body
    assert.equal((await accept(browser, tokenIn(link))).status, 200, how)
  }
})

test('a member who accepts again gets 409 and uses up no link; an expired sign-in accepts nothing', async () => {
  const { owner } = await shop()
  const { body: invited } = await owner.invite(someone())
  const token = tokenIn(invited.link)
  assertProblem(await accept(owner.browser, token), 409, 'conflict')
  const browser = await signIn(service, (await newUser(service)).email)
  await service.database.query('delete from sign_ins where id = $1', [browser.signInId])
  assertProblem(await accept(browser, token), 401, 'not_signed_in')
  assertProblem(await accept(owner.browser, `${token}x`), 401, 'invalid_link')
  assertProblem(await owner.browser.call('POST', '/v1/console/link/accept', {}), 400, 'validation_failed')
  assert.equal((await look(token)).status, 200)
})

test('a link to a new password is void once its account accepts an invitation elsewhere', async () => {
  const first = await shop()
  const second = await shop()
  const made = await makeAccount(tokenIn((await first.owner.invite(someone())).body.link))
  const browser = browserOf(service, made)
  const [member] = (await first.owner.list()).filter(({ userId }) => userId === browser.userId)
  const { link } = (await first.owner.link(member.id)).body
  assert.equal((await accept(browser, tokenIn((await second.owner.invite(someone())).body.link))).status, 200)
  assertProblem(await makeAccount(tokenIn(link)), 401, 'invalid_link')
  assertProblem(await first.owner.link(member.id), 403, 'permission_denied')
})

test('after ten taken addresses no further one is checked for the organization; free ones do not count', async () => {
  await service.database.query('delete from sign_in_failures')
  const { owner } = await shop()
  const taken = (await newUser(service)).email
  const token = tokenIn((await owner.invite(someone())).body.link)
  for (let n = 0; n < 3; n++)
    assert.equal((await makeAccount(tokenIn((await owner.invite(someone())).body.link))).status, 200)
  const replies = await Promise.all(Array.from({ length: 14 }, () => makeAccount(token, { email: taken })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(10).fill(400), ...Array(4).fill(429)])
  const held = await makeAccount(token)
  assertProblem(held, 429, 'rate_limited')
  assert.ok(Number(held.headers.get('retry-after')) > 0)
  // A person with an account can continue, and so can other organizations.
  const browser = await signIn(service, (await newUser(service)).email)
  assert.equal((await accept(browser, token)).status, 200)
  await service.database.query('delete from sign_in_failures')
})

test('after ten changes of one’s own address to taken ones no further one is checked', async () => {
  const taken = (await newUser(service)).email
  const browser = await signIn(service, (await newUser(service)).email)
  const change = (email: string) => browser.call('PATCH', '/v1/console/user', { email, currentPassword: password })
  for (let n = 0; n < 10; n++) {
    assertProblem(await change(taken), 409, 'conflict')
    // Successes in between give no attempts back.
    if (n === 5) assert.equal((await change(someone())).status, 200)
  }
  assertProblem(await change(taken), 429, 'rate_limited')
  assertProblem(await change(someone()), 429, 'rate_limited')
  await service.database.query('delete from sign_in_failures')
})

test('used invitations are deleted when their links would have expired; others stay until they are withdrawn, or for 90 days more', async () => {
  const { owner } = await shop()
  const used = (await owner.invite(someone())).body
  const open = (await owner.invite(someone())).body
  assert.equal((await makeAccount(tokenIn(used.link))).status, 200)
  await service.database.query("update invitations set expires_at = now() - interval '8 days' where id = any($1)", [
    [used.id, open.id],
  ])
  await clearPast(service.database)
  const left = await service.database.query('select id from invitations where id = any($1)', [[used.id, open.id]])
  assert.deepEqual(left, [[open.id]])
  assert.match(assertProblem(await look(tokenIn(open.link)), 401, 'invalid_link').message, /expired at/)
  assert.equal((await owner.link(open.id)).status, 201)
  await service.database.query("update invitations set expires_at = now() - interval '91 days' where id = $1", [
    open.id,
  ])
  await clearPast(service.database)
  assert.equal((await owner.link(open.id)).status, 404)
})
