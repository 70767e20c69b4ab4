// No member gets more than its rights: links of owners reach no further than their owners, and rights are checked when a request is carried out.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { enrol } from '../src/features/people/operator.ts'
import { membersOf, placesOn, someone } from './support/members.ts'
import {
  type Browser,
  join,
  newUser,
  type Place,
  password,
  person,
  placeHeader,
  signIn,
  someoneWaits,
} from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { type Reply, sharedService } from './support/service.ts'

const service = sharedService()
const { chain, use, memberId } = placesOn(service)
const emailOf = async ({ call }: Browser): Promise<string> => (await call('GET', '/v1/console/sign-in')).body.user.email

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
  const mine = await chain()
  const theirs = await chain()
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
    const leaving = await person(service, one)
    const staying = await person(service, one)
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
    const ann = await signIn(service, owners[0].email)
    const ben = await signIn(service, owners[1].email)
    const forBen = await membersOf(ann, one).link(await memberId(ben.userId, one))
    const forAnn = await membersOf(ben, one).link(await memberId(ann.userId, one))
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
      cookie: leaving.cookie,
      'x-csrf-token': leaving.csrfToken,
      ...placeHeader(one),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      expect: '100-continue',
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
    const text = `select count(*) from ${table} where name = 'Back door' and company_id = $1`
    const [found] = await service.database.query(text, [one.companyId])
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
  const own = await keyIn('/v1/keys', one)
  const ofOrganization = await keyIn('/v1/organization-api/keys', organization)
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
