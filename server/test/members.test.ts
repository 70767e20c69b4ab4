// Members (decision 19): owners decide about access, and no place loses its last owner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enrol } from '../src/features/people/operator.ts'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { membersOf, pathIn, placesOn, someone } from './support/members.ts'
import { browserOf, join, newUser, password, person, signIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()
const { chain, use, memberId } = placesOn(service)

test('an owner invites a person with a link; the person who uses it is signed in with the given role', async () => {
  const { organization, one } = await chain()
  for (const place of [one, organization]) {
    const members = membersOf(await person(service, place), place)
    const email = someone()
    const made = await members.add({ email, name: 'Ben', role: 'admin' })
    assert.equal(made.status, 201, made.text)
    const { link, ...member } = made.body
    assert.deepEqual([member.email, member.name, member.role, member.state], [email, 'Ben', 'admin', 'invited'])
    assertProblem(
      await service.caller()('POST', '/v1/console/sign-in', { email, password }),
      401,
      'invalid_credentials',
    )
    const used = await use(link)
    assert.equal(used.status, 200, used.text)
    const browser = browserOf(service, used)
    assert.equal((await browser.about(place)('GET', pathIn(place))).status, 200)
    const listed = (await members.list()).find(({ id }) => id === member.id)
    assert.deepEqual([listed.state, typeof listed.lastSignInAt], ['active', 'string'])
    assert.equal((await signIn(service, email)).userId, member.userId)
  }
})

test('the list of members shows only those of the place, by page, name and part of the address', async () => {
  const { organization, one, two } = await chain()
  const members = membersOf(await person(service, one), one)
  await person(service, organization)
  await person(service, two)
  for (const name of ['Cyd', 'Ann', 'Ben']) await members.add({ email: `${name}-${someone()}`, name, role: 'viewer' })
  const call = (await person(service, one, 'admin')).about(one)
  const list = async (query: string) => (await call('GET', `/v1/members${query}`)).body
  assert.equal((await list('')).meta.count, 5)
  const { data } = await list('?sortBy=name&sortOrder=desc&limit=3')
  assert.deepEqual(
    data.map(({ name }: any) => name),
    ['Cyd', 'Ben', 'Ann'],
  )
  assert.deepEqual(
    (await list('?searchByEmail=BEN-')).data.map(({ name }: any) => name),
    ['Ben'],
  )
  const walked: string[] = []
  for (let query = '?limit=2&sortBy=email'; ; ) {
    const { data, meta } = await list(query)
    walked.push(...data.map(({ id }: any) => id))
    if (meta.nextCursor === undefined) break
    query = `?limit=2&sortBy=email&cursor=${meta.nextCursor}`
  }
  assert.equal(new Set(walked).size, 5)
})

test('only owners change members: admins and viewers get 403, in a company and in an organization', async () => {
  const { organization, one } = await chain()
  for (const [place, roles] of [
    [one, ['admin', 'viewer']],
    [organization, ['admin']],
  ] as const) {
    const owner = await person(service, place)
    const { id } = (await membersOf(owner, place).add({ email: someone(), role: 'admin' })).body
    for (const role of roles) {
      const members = membersOf(await person(service, place, role), place)
      const replies = [
        await members.add({ email: someone(), role: 'admin' }),
        await members.change(id, 'owner'),
        await members.link(id),
        await members.remove(id),
      ]
      for (const reply of replies)
        assert.equal(assertProblem(reply, 403, 'permission_denied', role).reason, 'owner_required')
    }
    assertProblem(await membersOf(owner, place).add({ email: someone(), role: 'boss' }), 400, 'validation_failed')
  }
  const members = membersOf(await person(service, organization), organization)
  assertProblem(await members.add({ email: someone(), role: 'viewer' }), 400, 'validation_failed')
})

test('members of another place are 404 for reading, changing, linking and removing them', async () => {
  const { organization, one, two } = await chain()
  const stranger = await person(service, two, 'viewer')
  const ids = [await memberId(stranger.userId, two), noId, 'x']
  for (const place of [one, organization]) {
    const members = membersOf(await person(service, place), place)
    for (const id of ids)
      for (const reply of [await members.change(id, 'owner'), await members.link(id), await members.remove(id)])
        assertProblem(reply, 404, 'not_found')
  }
  assert.equal((await stranger.about(two)('GET', '/v1/products')).status, 200)
})

test('the last owner who can sign in cannot be removed or demoted; for a company the owners of its organization count', async () => {
  const { organization, one } = await chain()
  const owner = await person(service, one)
  const members = membersOf(owner, one)
  const id = await memberId(owner.userId, one)
  // A person without a password cannot take over.
  await members.add({ email: someone(), role: 'owner' })
  for (const reply of [await members.remove(id), await members.change(id, 'admin'), await members.change(id, 'viewer')])
    assertProblem(reply, 409, 'conflict')
  const head = await person(service, organization)
  assert.equal((await members.change(id, 'admin')).body.role, 'admin')
  const own = membersOf(head, organization)
  const headId = await memberId(head.userId, organization)
  for (const reply of [await own.remove(headId), await own.change(headId, 'admin')])
    assertProblem(reply, 409, 'conflict')
  await person(service, organization)
  assert.equal((await own.remove(headId)).status, 200)
})

test('of two owners who remove or demote each other at once one remains', async () => {
  for (const act of ['remove', 'change'] as const) {
    const { one } = await chain()
    const a = await person(service, one)
    const b = await person(service, one)
    const idA = await memberId(a.userId, one)
    const idB = await memberId(b.userId, one)
    const replies = await Promise.all([membersOf(a, one)[act](idB, 'admin'), membersOf(b, one)[act](idA, 'admin')])
    const statuses = replies.map(({ status }) => status).sort()
    assert.equal(statuses[0], 200)
    // Not an owner any more, not a member, or not a user.
    assert.ok([401, 403, 404].includes(statuses[1] as number), String(statuses))
    const [owners] = await service.database.query(
      "select count(*) from members where company_id = $1 and role = 'owner'",
      Object.values(one),
    )
    assert.equal(owners?.[0], 1)
  }
})

test('a removed member has no access any more, and their user is deleted with the last membership, so that the address is free', async () => {
  const { one, two } = await chain()
  const owner = await person(service, one)
  const other = await person(service, two)
  const { id: userId, email } = await newUser(service, one, 'admin')
  const also = await join(service, userId, two, 'viewer')
  const browser = await signIn(service, email)
  assert.equal((await membersOf(owner, one).remove(await memberId(userId, one))).status, 200)
  assertProblem(await browser.about(one)('GET', '/v1/products'), 404, 'not_found')
  assert.equal((await browser.about(two)('GET', '/v1/products')).status, 200)
  assert.equal((await membersOf(other, two).remove(also)).status, 200)
  // Their browser is told why, and any other token is not.
  const ended = assertProblem(await browser.about(two)('GET', '/v1/products'), 401, 'not_signed_in')
  assert.equal(ended.reason, 'membership_removed')
  const cookie = browser.cookie.replace(/.{4}$/, 'AAAA')
  assert.equal((await service.caller({ cookie })('GET', '/v1/console/sign-in')).body.reason, undefined)
  const again = await membersOf(owner, one).add({ email, role: 'viewer' })
  assert.equal(again.status, 201)
  assert.notEqual(again.body.userId, userId)
  assert.ok(again.body.link)
})

test('a person with other memberships can be deleted only by an owner of those too, or the operator', async () => {
  const mine = await chain()
  const theirs = await chain()
  const { email, id: userId } = await newUser(service, theirs.organization)
  const owners = [
    [await person(service, mine.one), mine.one],
    [await person(service, mine.organization), mine.organization],
    // An owner of one of their companies has no authority over the organization's owner; but the organization knows that person.
    [await person(service, theirs.two, 'owner'), theirs.two],
  ] as const
  const refusals: string[] = []
  for (const [owner, place] of owners.slice(0, 2))
    for (const asked of [email, someone()]) {
      const reply = await membersOf(owner, place).add({ email: asked, role: 'admin' }, userId)
      refusals.push(assertProblem(reply, 409, 'conflict').message)
    }
  const [owner, place] = owners[2]
  const wrong = await membersOf(owner, place).add({ email, role: 'admin' }, '0'.repeat(24))
  refusals.push(assertProblem(wrong, 409, 'conflict').message)
  // The same words, whether the address has an account or not.
  assert.equal(new Set(refusals).size, 1)
  const known = await membersOf(owner, place).add({ email, role: 'admin' }, userId)
  assert.deepEqual([known.status, known.body.link, known.body.userId], [201, undefined, userId])
  assertProblem(await membersOf(owner, place).add({ email: email.toUpperCase(), role: 'admin' }), 409, 'conflict')
  const shop = mine.one as { companyId: string }
  await assert.rejects(enrol(service.database, { email, role: 'viewer' }, shop), /--existing .* or --reset-password/)
  const { link } = await enrol(service.database, { email, role: 'viewer', existing: userId }, shop)
  assert.equal(link, undefined)
})

test('the first owner of an organization without one becomes the owner of its onboarded companies', async () => {
  const { organizationId } = await createOrganization(service.database, { name: 'Bare' })
  const email = someone()
  const { link } = await enrol(service.database, { email, role: 'owner' }, { organizationId })
  const used = await use(link as string)
  const call: Caller = browserOf(service, used).about({ organizationId })
  const made = await call('POST', '/v1/organization-api/company/company-workflow/onboard', { name: 'First' })
  assert.deepEqual([made.status, made.body.email], [200, email])
})
