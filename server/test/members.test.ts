// Members (decision 19): owners decide about access, no place loses its last owner, and no member gets access to another's account.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { enrol } from '../src/features/people/operator.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import {
  type Browser,
  browserOf,
  join,
  newUser,
  type Place,
  password,
  person,
  placeHeader,
  signIn,
  someoneWaits,
  tokenIn,
} from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

/** An organization with two companies of its own. */
async function chain() {
  const { organizationId } = await createOrganization(service.database, {
    name: 'Chain',
    ownerEmail: 'a@chain.example',
  })
  const company = async (): Promise<Place> => {
    const { companyId } = await createCompany(service.database, { name: 'Shop', currency: 'EUR', organizationId })
    return { companyId }
  }
  return { organization: { organizationId }, one: await company(), two: await company() }
}

const pathIn = (place: Place) => ('companyId' in place ? '/v1/members' : '/v1/organization-api/members')
/** An owner's actions on members of a place. */
function membersOf(browser: Browser, place: Place) {
  const [call, path] = [browser.about(place), pathIn(place)]
  return {
    list: async (): Promise<any[]> => (await call('GET', path)).body.data,
    add: (body: object, existing?: string) => call('POST', existing ? `${path}?existing=${existing}` : path, body),
    change: (id: string, role: string) => call('PATCH', `${path}/${id}`, { role }),
    remove: (id: string) => call('DELETE', `${path}/${id}`),
    link: (id: string) => call('POST', `${path}/${id}/link`),
  }
}
const someone = () => `${newId()}@members.example`
const use = (link: string, chosen = password): Promise<Reply> =>
  service.caller()('POST', '/v1/console/link/use', { token: tokenIn(link), password: chosen })
const emailOf = async ({ call }: Browser): Promise<string> => (await call('GET', '/v1/console/sign-in')).body.user.email
/** The id of a person's membership. */
const memberId = async (userId: string, place: Place): Promise<string> => {
  const column = 'companyId' in place ? 'company_id' : 'organization_id'
  const [row] = await service.database.query(`select id from members where user_id = $1 and ${column} = $2`, [
    userId,
    Object.values(place)[0],
  ])
  return row?.[0]
}

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
      for (const reply of replies) assertProblem(reply, 403, 'permission_denied', role)
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
    const [a, b] = [await person(service, one), await person(service, one)]
    const [idA, idB] = [await memberId(a.userId, one), await memberId(b.userId, one)]
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
  const [owner, other] = [await person(service, one), await person(service, two)]
  const { id: userId, email } = await newUser(service, one, 'admin')
  const also = await join(service, userId, two, 'viewer')
  const browser = await signIn(service, email)
  assert.equal((await membersOf(owner, one).remove(await memberId(userId, one))).status, 200)
  assertProblem(await browser.about(one)('GET', '/v1/products'), 404, 'not_found')
  assert.equal((await browser.about(two)('GET', '/v1/products')).status, 200)
  assert.equal((await membersOf(other, two).remove(also)).status, 200)
  assertProblem(await browser.about(two)('GET', '/v1/products'), 401, 'not_signed_in')
  const again = await membersOf(owner, one).add({ email, role: 'viewer' })
  assert.equal(again.status, 201)
  assert.notEqual(again.body.userId, userId)
  assert.ok(again.body.link)
})

test('a person with other memberships can be deleted only by an owner of those too, or the operator', async () => {
  const [mine, theirs] = [await chain(), await chain()]
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

test('an owner gets no link to an account that has access to more than the owner', async () => {
  const { organization, one, two } = await chain()
  const owner = await person(service, one)
  const { id: userId, email } = await newUser(service, one, 'viewer')
  const members = membersOf(owner, one)
  const id = await memberId(userId, one)
  assert.equal((await members.link(id)).status, 201)
  const also = await join(service, userId, two, 'viewer')
  assertProblem(await members.link(id), 403, 'permission_denied')
  // An owner of both has authority over that person.
  const head = await person(service, organization)
  const { link } = (await membersOf(head, one).link(id)).body
  assert.equal((await use(link, 'another set of words')).status, 200)
  await service.database.query('delete from members where id = $1', [also])
  await join(service, userId, organization, 'admin')
  assertProblem(await members.link(id), 403, 'permission_denied')
  assertProblem(await service.caller()('POST', '/v1/console/sign-in', { email, password }), 401, 'invalid_credentials')
})

test('an owner cannot make a link for themselves: it would set a new password without the present one', async () => {
  const { one } = await chain()
  const owner = await person(service, one)
  assertProblem(await membersOf(owner, one).link(await memberId(owner.userId, one)), 409, 'conflict')
})

test('an invitation gives no access to an account that gets its address elsewhere', async () => {
  const [mine, theirs] = [await chain(), await chain()]
  const owner = await person(service, mine.one)
  const email = someone()
  const invited = (await membersOf(owner, mine.one).add({ email, role: 'viewer' })).body
  // The operator gives the same address access to other companies: the holder of the older link must not get there.
  const { link } = await enrol(service.database, { email, role: 'admin' }, theirs.organization)
  const { errors } = assertProblem(await use(invited.link), 400, 'validation_failed')
  assert.deepEqual([errors[0].pointer, errors[0].code], ['/email', 'taken'])
  assert.equal((await use(link as string)).status, 200)
})

test('links that an owner made are void once the owner is removed or demoted, and after the owner’s new password', async () => {
  for (const end of ['remove', 'demote', 'password'] as const) {
    const { one } = await chain()
    const [leaving, staying] = [await person(service, one), await person(service, one)]
    const { link } = (await membersOf(leaving, one).add({ email: someone(), role: 'owner' })).body
    const id = await memberId(leaving.userId, one)
    const ended = {
      remove: () => membersOf(staying, one).remove(id),
      demote: () => membersOf(staying, one).change(id, 'admin'),
      password: () =>
        leaving.call('PATCH', '/v1/console/user', { password: 'another set of words', currentPassword: password }),
    }[end]
    assert.equal((await ended()).status, 200)
    assertProblem(await use(link), 401, 'invalid_link', end)
  }
})

test('a link that an owner requests while choosing another password is not made', async () => {
  const { organization, one } = await chain()
  const owner = await person(service, one)
  const { id } = await newUser(service, one, 'admin')
  const target = await memberId(id, one)
  let asked: Promise<Reply> | undefined
  await service.database.transaction(async (transaction) => {
    // Another change of members in the organization makes it wait, long after it was admitted.
    await transaction.query('select 1 from organizations where id = $1 for no key update', [
      organization.organizationId,
    ])
    asked = membersOf(await signIn(service, await emailOf(owner)), one).link(target)
    await someoneWaits(service)
    const change = { password: 'another set of words', currentPassword: password }
    assert.equal((await owner.call('PATCH', '/v1/console/user', change)).status, 200)
  })
  assertProblem((await asked) as Reply, 401, 'not_signed_in')
})

test('two owners who use each other’s links at once get no server error', async () => {
  const { one } = await chain()
  for (let n = 0; n < 5; n++) {
    const owners = [await newUser(service, one), await newUser(service, one)] as const
    const [ann, ben] = [await signIn(service, owners[0].email), await signIn(service, owners[1].email)]
    const [forBen, forAnn] = [
      await membersOf(ann, one).link(await memberId(ben.userId, one)),
      await membersOf(ben, one).link(await memberId(ann.userId, one)),
    ]
    const replies = await Promise.all([use(forBen.body.link), use(forAnn.body.link)])
    // The first one revokes what they gave away.
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401])
  }
})

test('a request of a person who is removed before its body arrives does nothing, and does not replay others’ responses', async () => {
  const { one } = await chain()
  const staying = await person(service, one)
  const bodies = {
    '/v1/members': { email: someone(), role: 'owner' },
    '/v1/keys': { name: 'Back door', permissions: ['read'] },
    '/v1/product': { name: 'Back door' },
    // Done before, by another person.
    '/v1/customer': { firstName: 'Ann' },
  }
  const key = { 'idempotency-key': 'the same' }
  assert.equal((await staying.about(one)('POST', '/v1/customer', bodies['/v1/customer'], key)).status, 201)
  for (const [path, body] of Object.entries(bodies)) {
    const leaving = await person(service, one)
    const text = JSON.stringify(body)
    const headers = {
      ...{ cookie: leaving.cookie, 'x-csrf-token': leaving.csrfToken, ...placeHeader(one) },
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), expect: '100-continue' },
      ...(path === '/v1/customer' && key),
    }
    const sent = request(service.url + path, { method: 'POST', headers })
    const status = new Promise<number | undefined>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    })
    // 100 Continue arrives once the request was admitted.
    const isLetIn = new Promise((resolve) => sent.on('continue', resolve))
    sent.flushHeaders()
    await isLetIn
    const id = await memberId(leaving.userId, one)
    // Like a person who is also a member elsewhere: their sign-in stays.
    if (path === '/v1/customer') await service.database.query('delete from members where id = $1', [id])
    else assert.equal((await membersOf(staying, one).remove(id)).status, 200)
    sent.end(text)
    assert.ok([401, 403, 404].includes((await status) as number), path)
  }
  for (const table of ['api_keys', 'products']) {
    const [found] = await service.database.query(`select count(*) from ${table} where name = 'Back door'`)
    assert.equal(found?.[0], 0)
  }
})

/** What removes a person's rights while their request waits. */
const takings = {
  'a removal': ['delete from members where user_id = $1', 403],
  'a lesser role': ["update members set role = 'viewer' where user_id = $1 and company_id is not null", 403],
  'signing out': ['delete from sign_ins where user_id = $1', 401],
  'the end of the user': ['delete from users where id = $1', 401],
} as const

test('rights to change keys and members are checked at that moment, not when the request was admitted', async () => {
  const { organization, one } = await chain()
  const companies = `/v1/organization-api/companies/${Object.values(one)[0]}/keys`
  const wanted = { name: 'Back door', permissions: ['read'] }
  const kept = await person(service, organization)
  const keyIn = async (path: string, place: Place) =>
    (await kept.about(place)('POST', path, { name: 'Till', permissions: ['read'] })).body.id
  const [own, ofOrganization] = [await keyIn('/v1/keys', one), await keyIn('/v1/organization-api/keys', organization)]
  const member = await join(service, (await newUser(service)).id, one, 'viewer')
  const writes: [Place, string, string, object?][] = [
    [one, 'POST', '/v1/keys', wanted],
    [one, 'POST', `/v1/keys/${own}/rotate`, {}],
    [one, 'DELETE', `/v1/keys/${own}`],
    [one, 'POST', '/v1/members', { email: someone(), role: 'owner' }],
    [one, 'PATCH', `/v1/members/${member}`, { role: 'owner' }],
    [one, 'DELETE', `/v1/members/${member}`],
    [one, 'POST', `/v1/members/${member}/link`],
    [organization, 'POST', companies, wanted],
    [organization, 'POST', `${companies}/${own}/rotate`, {}],
    [organization, 'DELETE', `${companies}/${own}`],
    [organization, 'POST', '/v1/organization-api/keys', wanted],
    [organization, 'POST', `/v1/organization-api/keys/${ofOrganization}/rotate`, {}],
    [organization, 'DELETE', `/v1/organization-api/keys/${ofOrganization}`],
  ]
  const current = async () =>
    JSON.stringify(
      await service.database.query(
        `select 'key', id, delete_at from api_keys where company_id = $1 or organization_id = $2
         union all select role, id, null from members where company_id = $1 and id = $3 order by 1, 2`,
        [Object.values(one)[0], organization.organizationId, member],
      ),
    )
  const before = await current()
  for (const [what, [taking, status]] of Object.entries(takings))
    for (const [place, method, path, body] of writes) {
      if (what === 'a lesser role' && place === organization) continue
      const browser = await person(service, place)
      let asked: Promise<Reply> | undefined
      await service.database.transaction(async (transaction) => {
        await transaction.query('select 1 from organizations where id = $1 for no key update', [
          organization.organizationId,
        ])
        asked = browser.about(place)(method, path, body)
        await Promise.race([asked, someoneWaits(service)])
        await transaction.query(taking, [browser.userId])
      })
      const code = status === 401 ? 'not_signed_in' : 'permission_denied'
      assertProblem((await asked) as Reply, status, code, `${what}: ${method} ${path}`)
    }
  assert.equal(await current(), before)
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
