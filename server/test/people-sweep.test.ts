// What holds for every route and a signed-in person: access to companies, roles, protection from other sites, and routes that keys cannot use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAtLeast, roles } from '../src/core/scope.ts'
import { neededRole, type Route } from '../src/http/route.ts'
import { named } from './support/authenticator.ts'
import { assertDeclared, assertExamples } from './support/declared.ts'
import { mailSettings } from './support/mail-server.ts'
import { openIdProvider } from './support/openid-provider.ts'
import { join, type Place, person } from './support/people.ts'
import { personRequest, placeOf } from './support/person-routes.ts'
import { assertProblem } from './support/problem.ts'
import { eachRoute, every, inTurn, neededQuery, noId, pathOf, personal } from './support/routes.ts'
import { testService } from './support/service.ts'

// Its mail server is down: a request for a link needs one, but no mail is read here.
const service = testService({
  mail: mailSettings(9),
  mailing: { pauseMs: () => 3_600_000 },
  openId: (await openIdProvider()).settings,
})

const someBody = ({ body }: Route) => (body ? {} : undefined)
const ofTenants = every.filter(({ surface }) => surface === 'company' || surface === 'organization')
const forPersons = every.filter(({ surface }) => surface === 'person')
/** Those of tenants that people can call. */
const open = ofTenants.filter(({ forKeys }) => !forKeys)

test('two routes are for keys only, and no key can use a route for people', async () => {
  assert.deepEqual(
    ofTenants.filter(({ forKeys }) => forKeys).map(({ path }) => path),
    ['/v1/whoami', '/mcp'],
  )
  const company = await service.company()
  const browser = await person(service, { companyId: company.id })
  assertProblem(await browser.about({ companyId: company.id })('GET', '/v1/whoami'), 403, 'permission_denied')
  await eachRoute(personal, async (route) => {
    if (route.isForOwnPages) return
    const reply = await company.call(route.method, pathOf(route), someBody(route))
    if (route.surface === 'person') assertProblem(reply, 401, 'not_signed_in')
    else assert.match(assertProblem(reply, 403, 'permission_denied').message, /API keys cannot do this/)
  })
})

test('with a key, even an empty or a wrong one, the cookie is ignored', async () => {
  const { id, organizationId } = await service.company()
  const browser = await person(service, { organizationId })
  const keysFor = inTurn(['x-api-key', 'x-org-api-key', 'apikey'].flatMap((name) => [{ [name]: '' }, { [name]: 'x' }]))
  await eachRoute(open, async (route) => {
    const call = browser.about(placeOf({ id, organizationId } as never, route))
    for (const key of keysFor(route)) {
      const { status, body } = await call(route.method, pathOf(route), someBody(route), key)
      assert.equal(status, 401, JSON.stringify(key))
      assert.ok(['missing_key', 'invalid_key'].includes(body.code), body.code)
    }
  })
  await eachRoute(
    forPersons,
    async (route) =>
      void assertProblem(
        await browser.call(route.method, pathOf(route), someBody(route), { 'x-api-key': 'x' }),
        401,
        'not_signed_in',
      ),
  )
})

test('without a valid sign-in every route is 401, and without the company or organization 400 where it is needed', async () => {
  const company = await service.company()
  const browser = await person(service, { organizationId: company.organizationId })
  const csrf = { 'x-csrf-token': browser.csrfToken }
  const wrong = [
    'x',
    browser.cookie.slice(0, -1),
    `${browser.cookie}x`,
    browser.cookie.replace('=', '=A').slice(0, browser.cookie.length),
    browser.cookie.toLowerCase(),
    `${browser.cookie}; ${browser.cookie}`,
    browser.cookie.replace('cashwrap', '__Host-cashwrap'),
  ].filter((cookie) => cookie !== browser.cookie)
  const cookiesFor = inTurn(wrong)
  await eachRoute([...open, ...forPersons], async (route) => {
    const place = { 'x-company-id': company.id, 'x-organization-id': company.organizationId }
    const none = await service.caller({ ...place, ...csrf })(route.method, pathOf(route), someBody(route))
    assertProblem(none, 401, route.surface === 'person' ? 'not_signed_in' : 'missing_key')
    for (const cookie of cookiesFor(route)) {
      const by = await service.caller({ ...place, cookie })(route.method, pathOf(route), someBody(route))
      assert.ok([401, 403].includes(by.status), `${cookie} ${by.text}`)
    }
    if (route.surface === 'person') return
    const reply = await browser.call(route.method, pathOf(route), someBody(route))
    const { errors } = assertProblem(reply, 400, 'validation_failed')
    assert.deepEqual([errors[0].in, errors[0].pointer], ['header', `x-${route.surface}-id`])
  })
})

test('a sign-in reaches no route of another company or organization: 404 as for a missing one, and nothing is changed', async () => {
  const own = await service.company()
  const other = await service.company()
  const browser = await person(service, { companyId: own.id })
  const before = await service.database.query('select count(*) from events where company_id = $1', [other.id])
  await eachRoute(open, async (route) => {
    const places: Place[] =
      route.surface === 'organization'
        ? [{ organizationId: own.organizationId }, { organizationId: noId }, { organizationId: own.id }]
        : [{ companyId: other.id }, { companyId: noId }, { companyId: own.organizationId }]
    for (const place of places) {
      const reply = await browser.about(place)(route.method, pathOf(route), route.body?.example)
      assertProblem(reply, 404, 'not_found', JSON.stringify(place))
    }
  })
  assert.deepEqual(
    await service.database.query('select count(*) from events where company_id = $1', [other.id]),
    before,
  )
})

test('a role can call its routes, and gets 403 that names the needed role everywhere else', async () => {
  const company = await service.company()
  // Fastify answers HEAD with the handler of GET.
  const turn = inTurn(roles)
  const heading = new Map(open.map((route) => [route, turn(route)]))
  for (const role of roles) {
    const browser = await person(service, { companyId: company.id }, role)
    if (isAtLeast(role, 'admin')) await join(service, browser.userId, { organizationId: company.organizationId }, role)
    await eachRoute(open, async (route) => {
      if (route.surface === 'organization' && role === 'viewer') return
      const least = neededRole(route)
      const call = browser.about(placeOf(company, route))
      const reply = await call(route.method, pathOf(route) + neededQuery(route), someBody(route))
      if (isAtLeast(role, least)) assert.ok(![401, 403].includes(reply.status), reply.text)
      else
        assert.match(
          assertProblem(reply, 403, 'permission_denied').message,
          new RegExp(`Your role is ${role}; .* ${least}`),
        )
      if (route.method === 'GET' && heading.get(route)?.includes(role))
        assert.equal((await call('HEAD', pathOf(route) + neededQuery(route))).status, reply.status)
    })
  }
})

test('where a second factor is required, a sign-in without one is 403 on every route of the company, and of its organization', async () => {
  const company = await service.company()
  const browser = await person(service, { organizationId: company.organizationId })
  const set = (value: boolean) =>
    service.database.query('update companies set requires_second_factor = $2 where id = $1', [company.id, value])
  await set(true)
  await eachRoute(open, async (route) => {
    const call = browser.about(placeOf(company, route))
    const reply = await call(route.method, pathOf(route) + neededQuery(route), someBody(route))
    assertProblem(reply, 403, 'second_factor_missing')
  })
  await set(false)
})

test('a write by sign-in needs the matching token, and cross-site requests of a browser are refused', async () => {
  const company = await service.company()
  const own = await person(service, { organizationId: company.organizationId })
  const other = await person(service, { organizationId: company.organizationId })
  const { host } = new URL(service.url)
  const originsFor = inTurn([
    ...['http://evil.example', 'null', `https://${host}`],
    ...[`http://${host}.evil.example`, `http://x@${host}`, ''],
  ])
  const sitesFor = inTurn(['cross-site', 'same-site', 'x'])
  const tokensFor = inTurn([{ 'x-csrf-token': '' }, { 'x-csrf-token': other.csrfToken }, { 'x-csrf-token': 'x' }])
  const sitesForWrite = inTurn(['cross-site', 'same-site', 'x', 'none'])
  await eachRoute([...open, ...forPersons], async (route) => {
    const place = { 'x-company-id': company.id, 'x-organization-id': company.organizationId }
    const call = service.caller({ cookie: own.cookie, ...place })
    const ask = (headers: Record<string, string>) => call(route.method, pathOf(route), someBody(route), headers)
    if (route.method !== 'GET')
      for (const headers of [{}, ...tokensFor(route)])
        assert.match(assertProblem(await ask(headers as never), 403, 'permission_denied').message, /x-csrf-token/)
    const csrf = { 'x-csrf-token': own.csrfToken }
    for (const origin of originsFor(route))
      assert.match(assertProblem(await ask({ ...csrf, origin }), 403, 'permission_denied').message, /Origin/)
    for (const site of (route.method === 'GET' ? sitesFor : sitesForWrite)(route)) {
      const answer = await ask({ ...csrf, 'sec-fetch-site': site })
      assert.match(assertProblem(answer, 403, 'permission_denied').message, /Sec-Fetch-Site/)
    }
  })
  await eachRoute(
    every.filter(({ isForOwnPages }) => isForOwnPages),
    async (route) => {
      const call = service.caller({}, named(service))
      const ask = (headers: Record<string, string>) => call(route.method, route.path, someBody(route), headers)
      assertProblem(await ask({ origin: 'http://evil.example' }), 403, 'permission_denied')
      assertProblem(await ask({ 'sec-fetch-site': 'cross-site' }), 403, 'permission_denied')
      const reply = await ask({ origin: named(service), 'sec-fetch-site': 'same-origin' })
      if (route.body && !route.body.isOptional) assertProblem(reply, 400, 'validation_failed')
      else assert.equal(reply.status, 200, reply.text)
    },
  )
})

test('every success of the console’s routes matches its schema, is not cached, and its example is valid', async () => {
  await eachRoute(personal, async (route) => {
    const company = await service.company()
    const browser = await person(service, { organizationId: company.organizationId })
    const { call, path, body, origin = service.url } = await personRequest(service, company, browser, route)
    const own: Record<string, string> = { origin, 'sec-fetch-site': 'same-origin' }
    const unknown = assertProblem(await call(route.method, `${path}?bogus=1`, body, own), 400, 'validation_failed')
    assert.equal(unknown.errors[0].pointer, 'bogus')
    const reply = await call(route.method, path, body, own)
    assert.ok(reply.status < 300, reply.text)
    assertDeclared(route, reply)
    assertExamples(route)
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    if (route.surface === 'person') assert.equal(reply.headers.get('vary'), 'cookie')
  })
})
