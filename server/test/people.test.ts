// People (decision 19): signing in with a password, what a sign-in gives access to and when it ends, and protection from other sites.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { firstLink, makeLink, makeOwner } from '../src/features/people/links.ts'
import { deleteUser } from '../src/features/people/operator.ts'
import { clearPast } from '../src/features/people/sign-ins.ts'
import { createUser } from '../src/features/people/users.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import { makeTable } from './support/custom-tables.ts'
import { cookieOf, join, newUser, password, person, signIn, tokenIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { noId } from './support/routes.ts'
import { testService } from './support/service.ts'

const service = testService()
const path = '/v1/console/sign-in'

test('a first link that a server makes while the first owner is created is void', async () => {
  const { database } = service
  const { organizationId } = await createOrganization(database, { name: 'First' })
  const email = 'early@first.example'
  for (const hasOlder of [false, true]) {
    if (hasOlder) await firstLink(database)
    const making = Promise.withResolvers<string | undefined>()
    await database.transaction(async (transaction) => {
      const { id } = await createUser(transaction, { email })
      await makeOwner(transaction, { userId: id, email, organizationId })
      const made = firstLink(database)
      made.then(making.resolve, making.reject)
      // With an older link it waits for this transaction.
      await Promise.race([made, setTimeout(300)])
    })
    const link = await making.promise
    assert.equal(link === undefined, hasOlder)
    if (link) {
      const body = { token: tokenIn(link), password, email: 'late@first.example' }
      assertProblem(await service.caller()('POST', '/v1/console/link/use', body), 401, 'invalid_link')
    }
    await deleteUser(database, email)
  }
})

test('the first link creates one owner, once: of two concurrent uses one succeeds, and none afterwards', async () => {
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

test('a sign-in gives access to its user’s companies, with the role that the user has there, and to nothing else', async () => {
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

test('a viewer reads and writes nothing; a member of the organization has access to each of its companies', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const viewer = await person(service, place, 'viewer')
  assert.equal((await viewer.about(place)('GET', '/v1/products')).status, 200)
  const refused = assertProblem(
    await viewer.about(place)('POST', '/v1/product', { name: 'x' }),
    403,
    'permission_denied',
  )
  assert.match(refused.message, /role is viewer; POST requires the role admin/)
  const head = await person(service, { organizationId: company.organizationId }, 'admin')
  assert.equal((await head.about(place)('POST', '/v1/product', { name: 'x' })).status, 201)
  await join(service, viewer.userId, { organizationId: company.organizationId }, 'admin')
  assert.equal((await viewer.about(place)('POST', '/v1/product', { name: 'y' })).status, 201)
})

test('wrong addresses and wrong passwords get the same answer, and no page can read the cookie', async () => {
  const { email } = await newUser(service)
  const call = service.caller()
  const wrong = await call('POST', path, { email, password: 'something else altogether' })
  const nobody = await call('POST', path, { email: 'nobody@people.example', password })
  for (const reply of [wrong, nobody]) assertProblem(reply, 401, 'invalid_credentials')
  assert.equal(wrong.body.message, nobody.body.message)
  const right = await call('POST', path, { email: email.toUpperCase(), password })
  assert.equal(right.status, 200)
  const [signedIn = '', known = '', ...more] = right.headers.getSetCookie()
  assert.match(signedIn, /^cashwrap_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
  assert.match(known, /^cashwrap_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=7776000$/)
  assert.deepEqual(more, [])
  assert.equal(right.headers.get('cache-control'), 'no-store')
})

test('responses to a person, also refusals, are not cached, and keep their declared content type', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const about = (await person(service, place, 'viewer')).about(place)
  const { body: made } = await company.call('POST', '/v1/product', { name: 'Beans' })
  const replies = [
    await about('GET', '/v1/products'),
    await about('GET', `/v1/product/${made.id}`),
    await about('HEAD', '/v1/products'),
    await about('GET', `/v1/product/${noId}`),
    await about('POST', '/v1/product', { name: 'x' }),
    await about('GET', '/v1/products?bogus=1'),
  ]
  for (const { status, headers } of replies)
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('x-content-type-options')],
      ['no-store', 'nosniff'],
      String(status),
    )
})

test('signing out applies at once on every server, and a sign-in never continues under another one’s token', async () => {
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

test('a sign-in ends after thirty days, or after seven without a request; its last use is written once a minute', async () => {
  const { email } = await newUser(service)
  const seen = async (id: string) =>
    (await service.database.query('select last_seen_at from sign_ins where id = $1', [id]))[0]?.[0]
  for (const [column, ago] of [
    ['expires_at', '1 second'],
    ['last_seen_at', '7 days'],
  ]) {
    const browser = await signIn(service, email)
    assert.equal((await browser.call('GET', path)).status, 200)
    await service.database.query(`update sign_ins set ${column} = now() - $2::interval where id = $1`, [
      browser.signInId,
      ago,
    ])
    assertProblem(await browser.call('GET', path), 401, 'not_signed_in')
    await clearPast(service.database)
    assert.equal(await seen(browser.signInId), undefined)
  }
  const browser = await signIn(service, email)
  const [row] = await service.database.query(
    'select round(extract(epoch from expires_at - created_at) / 86400) from sign_ins where id = $1',
    [browser.signInId],
  )
  assert.equal(Number(row?.[0]), 30)
  const before = await seen(browser.signInId)
  await browser.call('GET', path)
  assert.equal(await seen(browser.signInId), before)
  await service.database.query("update sign_ins set last_seen_at = now() - interval '2 minutes' where id = $1", [
    browser.signInId,
  ])
  const old = await seen(browser.signInId)
  await browser.call('GET', path)
  await until('it is written', async () => (await seen(browser.signInId)) > old)
})

test('a token that a browser sends is never adopted for a sign-in: each one gets a new token', async () => {
  const { email } = await newUser(service)
  const planted = 'A'.repeat(43)
  const reply = await service.caller({ cookie: `cashwrap_sign_in=${planted}` })('POST', path, { email, password })
  assert.equal(reply.status, 200)
  assert.ok(!cookieOf(reply).includes(planted))
  assertProblem(await service.caller({ cookie: `cashwrap_sign_in=${planted}` })('GET', path), 401, 'not_signed_in')
})

test('another role, a removal and the deletion of a user apply with the next request on a server that used the former state', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const second = await service.second()
  const { id, email } = await newUser(service, place, 'admin')
  const browser = await signIn(service, email)
  const there = browser.about(place, second.url)
  assert.equal((await there('POST', '/v1/product', { name: 'a' })).status, 201)
  await service.database.query("update members set role = 'viewer' where user_id = $1", [id])
  assertProblem(await there('POST', '/v1/product', { name: 'a' }), 403, 'permission_denied')
  assert.equal((await there('GET', '/v1/products')).status, 200)
  await service.database.query('delete from members where user_id = $1', [id])
  assertProblem(await there('GET', '/v1/products'), 404, 'not_found')
  await deleteUser(service.database, email)
  assertProblem(await there('GET', '/v1/products'), 401, 'not_signed_in')
  assertProblem(await service.caller()('POST', path, { email, password }), 401, 'invalid_credentials')
})

test('a new password ends all other sign-ins and every link, keeps this one, and needs the present password', async () => {
  const { id, email } = await newUser(service)
  const [own, other] = [await signIn(service, email), await signIn(service, email)]
  const token = tokenIn(await service.database.transaction((transaction) => makeLink(transaction, id)))
  const change = (body: object) => own.call('PATCH', '/v1/console/user', body)
  const chosen = 'quite another set of words'
  for (const [body, pointer] of [
    [{ password: chosen }, '/currentPassword'],
    [{ email: `x-${email}` }, '/currentPassword'],
    [{ password: chosen, currentPassword: 'wrong wrong wrong' }, '/currentPassword'],
    [{ password: 'short', currentPassword: password }, '/password'],
    [{ password: email, currentPassword: password }, '/password'],
    [{ email: 'no address', currentPassword: password }, '/email'],
  ] as const) {
    const { errors } = assertProblem(await change(body), 400, 'validation_failed')
    assert.equal(errors[0].pointer, pointer)
  }
  assert.equal((await other.call('GET', path)).status, 200)
  const changed = await change({ password: chosen, currentPassword: password, name: 'Ann' })
  assert.deepEqual(changed.body, { id, email, name: 'Ann', hasPassword: true })
  assert.equal((await own.call('GET', path)).status, 200)
  assertProblem(await other.call('GET', path), 401, 'not_signed_in')
  assertProblem(await service.caller()('POST', '/v1/console/link/look', { token }), 401, 'invalid_link')
  assertProblem(await service.caller()('POST', path, { email, password }), 401, 'invalid_credentials')
  assert.equal((await service.caller()('POST', path, { email, password: chosen })).status, 200)
  assert.deepEqual((await change({ name: null })).body, { id, email, hasPassword: true })
  for (const member of ['email', 'password'])
    assertProblem(await change({ [member]: null }), 400, 'validation_failed', member)
})

test('an address belongs to one user, in any case of letters; after a change only the new one signs in', async () => {
  const [one, two] = [await newUser(service), await newUser(service)]
  const browser = await signIn(service, one.email)
  const change = (email: string) => browser.call('PATCH', '/v1/console/user', { email, currentPassword: password })
  assertProblem(await change(two.email.toUpperCase()), 409, 'conflict')
  const mine = `Ann-${one.email}`
  assert.equal((await change(mine)).body.email, mine)
  const call = service.caller()
  assertProblem(await call('POST', path, { email: one.email, password }), 401, 'invalid_credentials')
  const typed = mine.toUpperCase()
  assert.equal((await call('POST', path, { email: typed, password })).body.user.email, mine)
})

test('a person sees their own sign-ins, and can end one of them or all others, and no other person’s', async () => {
  const { email } = await newUser(service)
  const stranger = await signIn(service, (await newUser(service)).email)
  const [own, second, third] = [
    await signIn(service, email),
    await signIn(service, email),
    await signIn(service, email),
  ]
  const list = async () => (await own.call('GET', '/v1/console/sign-ins')).body.data
  const data = await list()
  assert.deepEqual(data.map(({ id }: any) => id).sort(), [own, second, third].map(({ signInId }) => signInId).sort())
  assert.deepEqual(
    data.filter(({ isCurrent }: any) => isCurrent).map(({ id }: any) => id),
    [own.signInId],
  )
  assert.equal(data[0].address, '127.0.0.1')
  const end = (id: string) => own.call('DELETE', `/v1/console/sign-ins/${id}`)
  for (const id of [stranger.signInId, noId, 'x', '%00']) assertProblem(await end(id), 404, 'not_found')
  assert.equal((await end(second.signInId)).status, 200)
  assertProblem(await second.call('GET', path), 401, 'not_signed_in')
  assert.equal((await own.call('DELETE', '/v1/console/sign-ins')).status, 200)
  assertProblem(await third.call('GET', path), 401, 'not_signed_in')
  assert.equal((await own.call('GET', path)).status, 200)
  assert.equal((await stranger.call('GET', path)).status, 200)
})

test('a link can be viewed any number of times and used once; used, expired, replaced and mistyped ones say what to do', async () => {
  const { id, email } = await newUser(service)
  const browser = await signIn(service, email)
  const make = () => service.database.transaction((transaction) => makeLink(transaction, id))
  const call = service.caller()
  const look = (token: string) => call('POST', '/v1/console/link/look', { token })
  const use = (token: string, more: object = {}) =>
    call('POST', '/v1/console/link/use', { token, password: 'words chosen by a link', ...more })
  const old = tokenIn(await make())
  const token = tokenIn(await make())
  for (const wrong of [old, `${token}x`, 'x', token.slice(1)])
    for (const reply of [await look(wrong), await use(wrong)])
      assert.match(assertProblem(reply, 401, 'invalid_link').message, /not valid.*reset-password/)
  for (let n = 0; n < 2; n++) assert.deepEqual((await look(token)).body.email, email)
  for (const more of [{ email }, { name: 'Ann' }, { password: 'short' }, { password: email }])
    assertProblem(await use(token, more), 400, 'validation_failed')
  const replies = await Promise.all([use(token), use(token), use(token)])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401])
  assertProblem(await browser.call('GET', path), 401, 'not_signed_in')
  for (const reply of [await look(token), await use(token)])
    assert.match(assertProblem(reply, 401, 'invalid_link').message, /already used/)
  const late = tokenIn(await make())
  await service.database.query('update sign_in_links set expires_at = now() where user_id = $1', [id])
  for (const reply of [await look(late), await use(late)])
    assert.match(assertProblem(reply, 401, 'invalid_link').message, /expired at .* Ask for a new one/)
})

test('an account without a password has one as soon as a link has set it', async () => {
  const { id, email } = await newUser(service)
  await service.database.query('update users set password_hash = null where id = $1', [id])
  const token = tokenIn(await service.database.transaction((transaction) => makeLink(transaction, id)))
  const used = await service.caller()('POST', '/v1/console/link/use', { token, password: 'words chosen by a link' })
  assert.deepEqual(used.body.user, { id, email, hasPassword: true })
})

test('the database contains neither passwords nor tokens of any kind', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const browser = await person(service, place)
  const about = browser.about(place)
  const link = await about(
    'POST',
    '/v1/members',
    { email: 'new@secrets.example', role: 'admin' },
    {
      'idempotency-key': 'a member',
    },
  )
  const key = await about('POST', '/v1/keys', { name: 'Till', permissions: ['read'] }, { 'idempotency-key': 'a key' })
  const rotated = await about('POST', `/v1/keys/${key.body.id}/rotate`, {}, { 'idempotency-key': 'rotated' })
  const token = tokenIn(link.body.link)
  const secret = [
    password,
    browser.cookie.split('=')[1],
    browser.knownCookie.split('=')[1],
    browser.csrfToken,
    token,
    key.body.apiKey,
    rotated.body.apiKey,
  ]
  const tables = await service.database.query(
    "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  assert.ok(tables.some(([name]) => name === 'sign_ins'))
  for (const [table] of tables)
    for (const text of secret) {
      assert.ok(text)
      const found = await service.database.query(
        `select 1 from ${table} as stored where position($1 in to_json(stored)::text) > 0 limit 1`,
        [text],
      )
      assert.deepEqual(found, [], table)
    }
})

test('a stream that was opened by sign-in ends when the person signs out', async () => {
  const company = await service.company()
  const browser = await person(service, { companyId: company.id })
  const headers = { cookie: browser.cookie, 'x-company-id': company.id }
  const reply = await fetch(`${service.url}/v1/events/stream`, { headers })
  assert.equal(reply.status, 200)
  const reader = reply.body?.getReader()
  assert.ok(reader)
  await reader.read()
  assert.equal((await browser.call('DELETE', path)).status, 200)
  await company.call('POST', '/v1/category', { name: 'after signing out' })
  let text = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += Buffer.from(piece.value)
  assert.doesNotMatch(text, /after signing out/)
})

test('a stream ends once its person is removed, has no membership any more, or the company is suspended', async () => {
  const company = await service.company()
  const endings = [
    (userId: string) => service.database.query('delete from members where user_id = $1', [userId]),
    (userId: string) => service.database.query('delete from users where id = $1', [userId]),
    () => service.database.query("update companies set status = 'suspended' where id = $1", [company.id]),
  ]
  for (const end of endings) {
    const browser = await person(service, { companyId: company.id }, 'viewer')
    const headers = { cookie: browser.cookie, 'x-company-id': company.id }
    const reply = await fetch(`${service.url}/v1/events/stream`, { headers })
    const reader = reply.body?.getReader()
    assert.ok(reader)
    await reader.read()
    await end(browser.userId)
    // Nothing happens in the company: it is polled, without a notification.
    for (let piece = await reader.read(); !piece.done; ) piece = await reader.read()
  }
})

test('a suspended company is closed to its members with its reason, and readable for those of its organization', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const [own, head] = [
    await person(service, place),
    await person(service, { organizationId: company.organizationId }, 'admin'),
  ]
  const about = { organizationId: company.organizationId }
  const suspend = { status: 'suspended', suspendedReason: 'The invoice is open.' }
  const suspended = await head.about(about)('PATCH', `/v1/organization-api/companies/${company.id}`, suspend)
  assert.equal(suspended.status, 200, suspended.text)
  for (const reply of [
    await own.about(place)('GET', '/v1/products'),
    await head.about(place)('POST', '/v1/product', {}),
  ])
    assert.match(assertProblem(reply, 403, 'permission_denied').message, /The invoice is open/)
  assert.equal((await head.about(place)('GET', '/v1/products')).status, 200)
  const { companies } = (await own.call('GET', path)).body
  assert.equal(companies[0].status, 'suspended')
})

test('products, orders and refunds that a person created are marked as made in the console, even after later changes', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const about = (await person(service, place)).about(place)
  const bodies = {
    product: { name: 'Beans' },
    order: { summary: { total: '1.00' } },
    refund: { orderId: 'x', lineItems: [], summary: {} },
  }
  for (const [one, body] of Object.entries(bodies)) {
    const mine = await about('POST', `/v1/${one}`, { ...body, fromService: false })
    assert.equal(mine.body.fromService, true, mine.text)
    const by = await company.call('PATCH', `/v1/${one}/${mine.body.id}`, { externalId: 'x' })
    assert.equal(by.body.fromService, true)
    const bulk = await about('POST', `/v1/${one}s`, [body])
    assert.equal(bulk.body.results[0].data.fromService, true)
    const theirs = await company.call('POST', `/v1/${one}`, body)
    assert.equal((await about('PATCH', `/v1/${one}/${theirs.body.id}`, { externalId: 'y' })).body.fromService, false)
  }
  assert.equal((await about('POST', '/v1/customer', { email: 'a@b.example' })).body.fromService, false)
  assert.equal((await about('POST', '/v1/category', { name: 'x' })).body.fromService, undefined)
})

test('a change of stock shows the person who made it, instead of the key', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const browser = await person(service, place)
  const about = browser.about(place)
  const { body: product } = await about('POST', '/v1/product', { name: 'Beans' })
  const variant = await about('POST', '/v1/variant', { productId: product.id, manageStock: true })
  const items = [{ productId: product.id, variantId: variant.body.id, outletId: 'shop', quantity: 7 }]
  assert.equal((await about('POST', '/v1/inventories/set-levels', { items })).status, 200)
  const { data } = (await about('GET', '/v1/inventory-history')).body
  assert.deepEqual([data[0].userId, data[0].keyId, data[0].newStock], [browser.userId, undefined, 7])
})

test('a person’s idempotency keys are the company’s; a response with a secret is repeated only to that person', async () => {
  const company = await service.company()
  const place = { companyId: company.id }
  const [one, two] = [await person(service, place), await person(service, place)]
  const key = { 'idempotency-key': 'the same' }
  const made = await one.about(place)('POST', '/v1/product', { name: 'Beans' }, key)
  for (const call of [two.about(place), company.call]) {
    const again = await call('POST', '/v1/product', { name: 'Beans' }, key)
    assert.deepEqual([again.headers.get('idempotent-replayed'), again.text], ['true', made.text])
  }
  const secret = { 'idempotency-key': 'a secret' }
  const body = { name: 'Till', permissions: ['read'] }
  const own = await one.about(place)('POST', '/v1/keys', body, secret)
  assert.equal((await one.about(place)('POST', '/v1/keys', body, secret)).text, own.text)
  assertProblem(await two.about(place)('POST', '/v1/keys', body, secret), 422, 'idempotency_conflict')
})

test('the list of companies has all that a person can access, by name, page by page, with the higher of two roles', async () => {
  const { organizationId } = await createOrganization(service.database, { name: 'Chain' })
  const names = ['Zürich', 'aachen', 'Ärzte', 'Berlin 100%', 'berlin_2', 'Chur']
  const made: string[] = []
  for (const name of names)
    made.push((await createCompany(service.database, { name, organizationId, currency: 'EUR' })).companyId)
  const other = await service.company()
  const browser = await person(service, { organizationId }, 'admin')
  await join(service, browser.userId, { companyId: made[0] as string }, 'owner')
  await join(service, browser.userId, { companyId: other.id }, 'viewer')
  const list = async (query = '') => (await browser.call('GET', `/v1/console/companies${query}`)).body
  const all = await list()
  assert.deepEqual(
    all.data.map(({ name, role, organizationName }: any) => [name, role, organizationName]),
    [
      ['aachen', 'admin', 'Chain'],
      ['Ärzte', 'admin', 'Chain'],
      ['Berlin 100%', 'admin', 'Chain'],
      ['berlin_2', 'admin', 'Chain'],
      ['Chur', 'admin', 'Chain'],
      ['Shop', 'viewer', 'Test'],
      ['Zürich', 'owner', 'Chain'],
    ],
  )
  const walked: unknown[] = []
  for (let query = '?limit=2'; ; ) {
    const { data, meta } = await list(query)
    walked.push(...data)
    if (meta.nextCursor === undefined) break
    query = `?limit=2&cursor=${meta.nextCursor}`
  }
  assert.deepEqual(walked, all.data)
  const found = async (search: string) =>
    (await list(`?search=${encodeURIComponent(search)}`)).data.map(({ name }: any) => name)
  assert.deepEqual(await found('BERLIN'), ['Berlin 100%', 'berlin_2'])
  assert.deepEqual(await found('0%'), ['Berlin 100%'])
  assert.deepEqual(await found('_'), ['berlin_2'])
  assert.deepEqual(await found('nothing'), [])
  for (const cursor of ['x', 'W10', Buffer.from('["a\\u0000","x"]').toString('base64url')])
    assertProblem(await browser.call('GET', `/v1/console/companies?cursor=${cursor}`), 400, 'validation_failed')
})

test('a person sees the company’s reference, with the columns that its tables add to customers', async () => {
  const company = await service.company()
  const columns = { customer: { type: 'string', referenceLinkedCollection: 'customers' }, tier: 'string' }
  await makeTable(company.call, columns, 'stamp-cards')
  const browser = await person(service, { companyId: company.id }, 'viewer')
  const read = (headers: Record<string, string>) => service.caller(headers)('GET', '/v1/openapi.json')
  const own = await read({ cookie: browser.cookie, 'x-company-id': company.id })
  assert.ok(own.text.includes('stamp-cards'))
  assert.equal(own.headers.get('cache-control'), 'no-store')
  assert.ok(!(await read({ cookie: browser.cookie })).text.includes('stamp-cards'))
  assertProblem(await read({ cookie: browser.cookie, 'x-company-id': noId }), 404, 'not_found')
  assert.equal((await read({ 'x-company-id': company.id })).status, 200)
})

test('the newest hundred sign-ins of a user are kept', async () => {
  const { id, email } = await newUser(service)
  const first = await signIn(service, email)
  await service.database.query(
    `insert into sign_ins (id, hash, user_id, created_at, last_seen_at, expires_at, user_agent, address)
     select 'x' || n, 'x' || n || $1, $1, now() + interval '1 second', now(), now() + interval '1 day', '', '' from generate_series(1, 99) as n`,
    [id],
  )
  assert.equal((await first.call('GET', path)).status, 200)
  await service.database.query("update sign_ins set created_at = now() where user_id = $1 and id like 'x%'", [id])
  await signIn(service, email)
  assertProblem(await first.call('GET', path), 401, 'not_signed_in')
  const [count] = await service.database.query('select count(*) from sign_ins where user_id = $1', [id])
  assert.equal(count?.[0], 100)
})

test('a body that needs no sign-in has a small limit', async () => {
  const body = { email: 'a@b.example', password: 'x'.repeat(20_000) }
  for (const at of [path, '/v1/console/link/look', '/v1/console/link/use']) {
    const { message } = assertProblem(await service.caller()('POST', at, body), 413, 'payload_too_large')
    assert.match(message, /16 KB/)
  }
})
