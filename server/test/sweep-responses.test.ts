// What holds for every route of the service: each response matches the reference, and each example of the reference is accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '../src/http/route.ts'
import { fullBody, leastBody } from './support/bodies.ts'
import { closingRequest, closingResourceOf } from './support/closing-routes.ts'
import type { Body, Contract } from './support/contract.ts'
import { customRequest, isOfCustomTables } from './support/custom-table-routes.ts'
import { assertDeclared, assertExamples } from './support/declared.ts'
import { exportSuccess, isOfExports } from './support/exports.ts'
import { extensionRequest, isOfExtensions } from './support/extensions.ts'
import { fileSuccess, isOfFiles } from './support/files.ts'
import { importSuccess, isOfImports } from './support/imports.ts'
import { isOfOrganization, organizationRequest } from './support/organization-routes.ts'
import { isRestore, restorePath } from './support/restore-routes.ts'
import { eachRoute, neededQuery, noId, pathOf, routes, servedBy } from './support/routes.ts'
import { isOfSales, saleRequest } from './support/sale-routes.ts'
import { type Company, type Reply, testService } from './support/service.ts'
import { isUpsert, upsertRequest } from './support/upsert-routes.ts'
import { deliveryRequest, isOfDeliveries } from './support/webhook-routes.ts'

// Its own: the example of an alias belongs to one organization of a server.
const service = testService()

/** Successful calls of a route, with the minimum of members and with all. */
async function successes(route: Route, contract: Contract | undefined, company: Company): Promise<Reply[]> {
  const { method, path } = route
  const { call } = company
  if (isOfOrganization(route)) {
    const request = await organizationRequest(company, route)
    return [await call(method, request.path, request.body)]
  }
  if (isOfCustomTables(route)) {
    const requests = [await customRequest(call, route), await customRequest(call, route, false)]
    return Promise.all(requests.map((request) => call(method, request.path, request.body)))
  }
  if (isOfExtensions(route)) {
    const requests = [await extensionRequest(call, route), await extensionRequest(call, route, false)]
    return Promise.all(requests.map((request) => call(method, request.path, request.body)))
  }
  if (isOfDeliveries(route)) {
    const request = await deliveryRequest(service, company, route)
    return [await call(method, request.path, request.body)]
  }
  if (isOfImports(route)) return [await importSuccess(call, route)]
  if (isOfExports(route)) return [await exportSuccess(call, route)]
  if (isOfFiles(route)) return [await fileSuccess(call, route)]
  if (closingResourceOf(route)) {
    const request = await closingRequest(call, route)
    return [await call(method, request.path, request.body)]
  }
  if (isRestore(route)) return [await call(method, await restorePath(call, route))]
  if (isUpsert(route)) {
    const { path, body } = upsertRequest(route)
    return [await call(method, path, body), await call(method, path, body)]
  }
  if (isOfSales(route)) {
    const request = await saleRequest(call, route)
    return [await call(method, request.path, request.body)]
  }
  if (path.endsWith('/{customerId}')) {
    const { id: customerId } = (await call('POST', '/v1/customer', { firstName: 'Ada' })).body
    await call('POST', '/v1/order', { customerId, lineItems: [{ name: 'Cup', quantity: 1, total: '2.00' }] })
    return [await call(method, pathOf(route, customerId))]
  }
  if (contract === undefined) return [await call(method, path + neededQuery(route), route.body?.example)]
  const fresh = async (n: 0 | 1 = 0) =>
    (await call('POST', `/v1/${contract.one}`, fullBody(contract, n))).body.id as string
  const hasId = path.endsWith('/{id}')
  if (route.isBulk && method === 'POST') {
    const items = [
      { ...fullBody(contract), clientRef: 'a' },
      fullBody(contract, 1),
      leastBody(contract),
      { clientRef: 'b', bogus: 1 },
      7,
    ]
    return [await call(method, path, { items }), await call(method, path, items)]
  }
  if (route.isBulk) {
    const body = method === 'PATCH' ? fullBody(contract, 1) : {}
    const id = await fresh()
    return [
      await call(method, path, {
        items: [{ id, clientRef: 'a', ...body }, { id, clientRef: 'b' }, { id: noId }, {}, 7],
      }),
    ]
  }
  if (method === 'POST')
    return [
      await call(method, path, fullBody(contract)),
      await call(method, path, fullBody(contract, 1)),
      await call(method, path, leastBody(contract)),
    ]
  if (!hasId) {
    await fresh()
    await fresh(1)
    const limited = `${path}?limit=1`
    return [await call(method, path), await call(method, limited), await call(method, `${limited}&skip=1`)]
  }
  if (method === 'PUT' || method === 'PATCH') {
    const id = await fresh()
    return [await call(method, pathOf(route, id), fullBody(contract, 1)), await call(method, pathOf(route, id), {})]
  }
  return [await call(method, pathOf(route, await fresh())), await call(method, pathOf(route, await fresh(1)))]
}

/** Routes that need a company of their own: others would change its limits, its customers' columns, or what a product is sold as. */
const needsOwn = (route: Route): boolean =>
  [isOfOrganization, isOfCustomTables, isOfSales, isOfImports, isOfExports, isRestore].some((isOf) => isOf(route))

test('every success of every route matches its schema in the reference, member for member', async () => {
  const shown = routes.filter(({ isHidden }) => !isHidden)
  const shared = await service.company()
  await eachRoute(shown, async (route) => {
    const company = needsOwn(route) ? await service.company() : shared
    for (const reply of await successes(route, servedBy(route), company)) {
      assert.ok(reply.status < 300, reply.text)
      const { contentType = 'application/json' } = route.replies[reply.status] ?? {}
      if (contentType !== '*/*') assert.equal(reply.headers.get('content-type'), `${contentType}; charset=utf-8`)
      assertDeclared(route, reply)
    }
  })
})

test('every example of the reference is accepted unchanged, and every example response matches its schema', async () => {
  await eachRoute(
    routes.filter(({ isHidden }) => !isHidden),
    async (route) => {
      assertExamples(route)
      if (route.body === undefined || route.path.includes('{')) return
      const { call } = await service.company()
      // What an example refers to has to exist.
      const { tableId, rowId, fieldId } = isOfCustomTables(route) ? ((await customRequest(call, route)).body ?? {}) : {}
      const { example } = route.body
      const there = Object.entries({ tableId, rowId, fieldId }).filter(([, id]) => id !== undefined)
      const sent = there.length > 0 ? { ...(example as Body), ...Object.fromEntries(there) } : example
      const { status, text, body } = await call(route.method, route.path, sent)
      assert.ok(status < 300, text)
      if (route.isBulk && route.method === 'POST') assert.equal(body.summary.failed, 0, text)
    },
  )
})
