// What holds for every route of the service: that it exists once, its methods, and the headers of its responses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathsOf } from '../src/http/paths.ts'
import type { Route } from '../src/http/route.ts'
import { contracts } from './support/contract.ts'
import { customRequest, isOfCustomTables } from './support/custom-table-routes.ts'
import { isOfOrganization, organizationRequest } from './support/organization-routes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { each, eachRoute, every, inTurn, noId, pathOf, personal, routes } from './support/routes.ts'
import { awayProvider, type Reply, testService } from './support/service.ts'
import { companiesOf, idOf, nowhere, someBody } from './support/sweep.ts'
import { isThorough } from './support/variants.ts'

const service = testService({ openId: awayProvider })
const { stocked } = companiesOf(service)

test('the routes are those of all resources in both styles, whoami, health and the reference, each once', () => {
  const names = every.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(names).size, names.length)
  assert.equal(new Set(every.map(({ operationId }) => operationId)).size, every.length)
  for (const name of ['GET /v1/whoami', 'GET /v1/public/health', 'GET /v1/openapi.json', 'GET /docs'])
    assert.ok(names.includes(name), name)
  for (const { one, many, styleA } of contracts) {
    const single = (path: string, update: string) =>
      ['POST', 'GET', update, 'DELETE'].map((method) => `${method} ${path}${method === 'POST' ? '' : '/{id}'}`)
    const bulk = ['POST', 'GET', 'PATCH', 'DELETE'].map((method) => `${method} /v1/${many}`)
    const all = [...single(`/v1/${one}`, 'PATCH'), ...bulk]
    for (const path of styleA?.one ?? []) all.push(...single(`/v1/api/${path}`, 'PUT'))
    if (styleA) all.push(`GET /v1/api/${styleA.list}`)
    for (const name of all) assert.ok(names.includes(name), name)
  }
})

test('every path answers 405 to a method that it does not support, and Allow lists those that it does', async () => {
  const { call } = await service.company()
  const callers = inTurn([call, service.caller()])
  const known = pathsOf(every)
  let turns = 0
  const paths = [...Map.groupBy(every, ({ path }) => path)]
  const patternOf = (path: string) =>
    new RegExp(
      `^${path
        .split(/\{\w+\}/)
        .map(RegExp.escape)
        .join('[^/{]+')}$`,
    )
  await each(
    paths,
    ([path]) => path,
    async ([path, own]) => {
      // Another method may reach a path that has a parameter in place of a word: /passkeys/{id} for /passkeys/options.
      const others = every.filter((other) => other.path !== path && patternOf(other.path).test(path))
      const elsewhere: string[] = others.map(({ method }) => method)
      const taken: string[] = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      const at = pathOf(own[0] as Route)
      const wrong = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'].filter(
        (method) => !taken.includes(method) && !elsewhere.includes(method),
      )
      // One function makes all of these answers; a third of them is requested, another third at each path.
      for (const method of wrong) {
        const { code, headers } = known.wrongPath(method, at)
        assert.deepEqual([code, headers.allow?.split(', ')], ['method_not_allowed', taken.toSorted()], method)
      }
      const turn = turns++
      for (const method of wrong.filter((_, n) => isThorough || n % 3 === turn % Math.min(3, wrong.length))) {
        for (const caller of callers(own[0] as Route)) {
          const reply = await caller(method, at, method === 'GET' ? undefined : '{')
          assertProblem(reply, 405, 'method_not_allowed', method)
          assert.deepEqual(reply.headers.get('allow')?.split(', '), taken.toSorted())
          assert.equal(reply.headers.get('cache-control'), 'no-store')
        }
      }
      if (taken.includes('HEAD')) return
      const { status, headers, text } = await call('HEAD', at)
      assert.deepEqual([status, headers.get('allow'), text], [405, taken.toSorted().join(', '), ''])
    },
  )
})

const unfitIds = inTurn(['', 'a b', 'x'.repeat(129), 'ä'])
/** The request ids that the service made: none twice. */
const madeIds = new Set<string>()

/** Asserts that a response has the request id that was sent, or a new one. */
function assertRequestId({ headers, status, body }: Reply, sent?: string): void {
  const id = headers.get('x-request-id') ?? ''
  if (sent === undefined) {
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.ok(!madeIds.has(id))
    madeIds.add(id)
  } else assert.equal(id, sent)
  if (status >= 400) assert.equal(body.requestId, id)
}

test('every response to a key, also an error, has the request id that was sent, or a new one, is stored by no shared cache, revalidated by others, and stored by none if it may contain a secret', async () => {
  // Another route can read what one route deletes.
  const toRead = await stocked()
  const toWrite = await stocked()
  // With the right key an unknown parameter or a body that is cut, and a wrong key: all problems get their headers in one place.
  const refusals = inTurn([
    [true, '?bogus=1', false],
    [true, '', true],
    [false, '', false],
  ] as const)
  await eachRoute(routes, async (route) => {
    const { company, records } = route.method === 'GET' ? toRead : toWrite
    const ofCustom = isOfCustomTables(route) && route.isRecord && (await customRequest(company.call, route)).path
    const ofOrganization = isOfOrganization(route) && (await organizationRequest(company, route)).path
    const path = ofOrganization || ofCustom || pathOf(route, idOf(route, records))
    const own =
      route.surface === 'organization' ? { 'x-org-api-key': service.organizationKey } : { 'x-api-key': company.key }
    const wrong = Object.fromEntries(Object.keys(own).map((name) => [name, nowhere]))
    const sent = `our-${route.operationId}`
    const ask = (headers: Record<string, string>, to = path, body: unknown = someBody(route)) =>
      service.caller(headers)(route.method, to, body)
    const replies = [await ask({ ...own, 'x-request-id': sent })]
    assertRequestId(replies[0] as Reply, sent)
    const [unfit = ''] = unfitIds(route)
    for (const [key, query, isCut] of refusals(route)) {
      const headers = { ...(key ? own : wrong), 'x-request-id': unfit }
      const reply = await ask(headers, path + query, isCut ? route.body && '{' : someBody(route))
      assertRequestId(reply)
      replies.push(reply)
    }
    if (route.method === 'GET' && route.isRecord) {
      const known = await company.call('GET', path, undefined, { 'if-none-match': '*' })
      assert.equal(known.status, 304)
      replies.push(known)
    }
    const unkeyed = await ask({})
    assertRequestId(unkeyed)
    for (const { status, headers } of [...replies, unkeyed]) {
      const reported = [headers.get('cache-control'), headers.get('vary')]
      const hadKey = headers !== unkeyed.headers
      const names =
        route.surface === 'company'
          ? 'x-api-key, apikey, cookie, x-company-id'
          : 'x-org-api-key, cookie, x-organization-id'
      if (route.takesCompanyKey)
        assert.deepEqual(
          [reported[0] === 'private, no-cache', reported[1]],
          [hadKey, `x-api-key, cookie, x-company-id${status === 200 ? ', accept-encoding' : ''}`],
        )
      // Some caches keep a response without cache-control for minutes.
      else if (route.surface === 'public')
        assert.match(String(reported[0]), /^(no-store|no-cache|public, max-age=\d+, immutable)$/)
      else assert.deepEqual(reported, [route.hasSecret ? 'no-store' : 'private, no-cache', names], String(status))
    }
  })
})

test('every response of a route for people has the request id that was sent, or a new one, in its header and in its error', async () => {
  const { call } = await service.company()
  await eachRoute(personal, async (route) => {
    const ask = (id: string) => call(route.method, pathOf(route), someBody(route), { 'x-request-id': id })
    const sent = `our-${route.operationId}`
    assertRequestId(await ask(sent), sent)
    for (const unfit of unfitIds(route)) assertRequestId(await ask(unfit))
  })
})

const lengthOf = ({ headers }: Reply) => Number(headers.get('content-length'))

test('HEAD answers every GET route with the status and the headers of GET, and no body', async () => {
  const { company, records } = await stocked()
  // Problems get their headers in one place.
  const refused = inTurn(['', '?bogus=1'])
  await eachRoute(
    routes.filter(({ method }) => method === 'GET'),
    async (route) => {
      const id = idOf(route, records) ?? noId
      for (const path of [pathOf(route, id), ...refused(route).map((query) => pathOf(route) + query)]) {
        const plain = { 'accept-encoding': 'identity' }
        const get = await company.call('GET', path, undefined, plain)
        const head = await company.call('HEAD', path, undefined, plain)
        assert.deepEqual([head.status, head.text], [get.status, ''])
        // A stream has no length. What says when a key was used, or whether sums are complete, may have changed meanwhile.
        if (get.headers.has('content-length') && lengthOf(head) !== Buffer.byteLength(get.text))
          await until(`HEAD and GET of ${path} have one length`, async () => {
            const again = await company.call('HEAD', path, undefined, plain)
            return lengthOf(again) === lengthOf(await company.call('GET', path, undefined, plain))
          })
        for (const name of ['content-type', 'link', 'cache-control'])
          assert.equal(head.headers.get(name), get.headers.get(name))
      }
    },
  )
})
