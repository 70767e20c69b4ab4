// People (decision 19): who is let in by a password, what a sign-in opens and when it ends, and that no other site acts in a browser's name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstLink } from '../src/features/people/links.ts'
import { cookieOf, join, newUser, password, person, signIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { testService } from './support/service.ts'

const service = testService()
const path = '/v1/console/sign-in'

test('the first link makes one owner, once: of two who use it at once one is let in, and nobody after', async () => {
  const link = (await firstLink(service.database)) as string
  const token = link.split('#token=')[1]
  const call = service.caller()
  const looked = await call('POST', '/v1/console/link/look', { token })
  assert.equal(looked.status, 200, looked.text)
  const { expiresAt, ...rest } = looked.body
  assert.deepEqual(rest, { kind: 'first', organizationName: 'Test' })
  const use = (name: string) =>
    call('POST', '/v1/console/link/use', { token, password, email: `${name}@first.example`, name })
  const replies = await Promise.all([use('ann'), use('ben')])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401])
  for (const reply of replies) if (reply.status === 401) assertProblem(reply, 401, 'invalid_link')
  assertProblem(await use('cyd'), 401, 'invalid_link')
  assertProblem(await call('POST', '/v1/console/link/look', { token }), 401, 'invalid_link')
  assert.equal(await firstLink(service.database), undefined)
  const [winner] = replies.filter(({ status }) => status === 200)
  assert.ok(winner)
  const { status, body } = await service.caller({ cookie: cookieOf(winner) })('GET', path)
  assert.equal(status, 200)
  assert.deepEqual(
    body.organizations.map(({ name, role }: any) => [name, role]),
    [['Test', 'owner']],
  )
})

test('a sign-in opens what its user is a member of, with the role that the user has there, and nothing else', async () => {
  const [own, other] = [await service.company(), await service.company()]
  const browser = await person(service, { companyId: own.id }, 'admin')
  const made = await browser.about({ companyId: own.id })('POST', '/v1/product', { name: 'Beans' })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.companyId, own.id)
  assert.equal(made.body.fromService, true)
  assert.equal((await browser.about({ companyId: own.id })('GET', '/v1/products')).body.meta.count, 1)
  for (const id of [other.id, noId, 'x', own.organizationId])
    assertProblem(await browser.about({ companyId: id })('GET', '/v1/products'), 404, 'not_found')
  assertProblem(
    await browser.about({ organizationId: own.organizationId })('GET', '/v1/organization-api/companies'),
    404,
    'not_found',
  )
  assertProblem(await browser.call('GET', '/v1/products'), 400, 'validation_failed')
})

test('a viewer reads and writes nothing; a member of the organization opens each of its companies', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const viewer = await person(service, place, 'viewer')
  assert.equal((await viewer.about(place)('GET', '/v1/products')).status, 200)
  const refused = assertProblem(
    await viewer.about(place)('POST', '/v1/product', { name: 'x' }),
    403,
    'permission_denied',
  )
  assert.match(refused.message, /role here is viewer; POST needs the role admin/)
  const head = await person(service, { organizationId: company.organizationId }, 'admin')
  assert.equal((await head.about(place)('POST', '/v1/product', { name: 'x' })).status, 201)
  await join(service, viewer.userId, { organizationId: company.organizationId }, 'admin')
  assert.equal((await viewer.about(place)('POST', '/v1/product', { name: 'y' })).status, 201)
})

test('wrong addresses and wrong passwords are answered alike, and the cookie can be read by no page', async () => {
  const { email } = await newUser(service)
  const call = service.caller()
  const wrong = await call('POST', path, { email, password: 'something else altogether' })
  const nobody = await call('POST', path, { email: 'nobody@people.example', password })
  for (const reply of [wrong, nobody]) assertProblem(reply, 401, 'invalid_credentials')
  assert.equal(wrong.body.message, nobody.body.message)
  const right = await call('POST', path, { email: email.toUpperCase(), password })
  assert.equal(right.status, 200)
  assert.match(
    right.headers.get('set-cookie') ?? '',
    /^cashwrap_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
  )
  assert.equal(right.headers.get('cache-control'), 'no-store')
})

test('signing out holds at once on every server, and a sign-in never goes on under the token of another', async () => {
  const company = await service.company()
  const { email } = await newUser(service, { companyId: company.id })
  const first = await signIn(service, email)
  const second = await service.second()
  const there = first.about({ companyId: company.id }, second.url)
  assert.equal((await there('GET', '/v1/products')).status, 200)
  const again = await service.caller({ cookie: first.cookie })('POST', path, { email, password })
  assert.notEqual(cookieOf(again), first.cookie)
  assertProblem(await there('GET', '/v1/products'), 401, 'not_signed_in')
  const headers = { cookie: cookieOf(again), 'x-csrf-token': again.body.csrfToken }
  const out = await service.caller(headers)('DELETE', path)
  assert.equal(out.status, 200)
  assert.match(out.headers.get('set-cookie') ?? '', /^cashwrap_sign_in=; .*Max-Age=0$/)
  assertProblem(
    await service.caller({ ...headers, 'x-company-id': company.id }, second.url)('GET', '/v1/products'),
    401,
    'not_signed_in',
  )
})
