// Dry runs: dryRun=true answers what a write would, and changes nothing, in any table; where it is not offered, it is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDryRuns } from '../src/engine/dry-run.ts'
import { type Call, neededPermissions, type Route } from '../src/http/route.ts'
import { fullBody } from './support/bodies.ts'
import { closingRequest, closingResourceOf } from './support/closing-routes.ts'
import type { Contract } from './support/contract.ts'
import { customRequest, isOfCustomTables } from './support/custom-table-routes.ts'
import { makeTable, succeeded } from './support/custom-tables.ts'
import { isOfOrganization, organizationRequest } from './support/organization-routes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { isRestore, restorePath } from './support/restore-routes.ts'
import { eachRoute, every, inOneStyle, inTurn, keyed, pathOf, routes, servedBy } from './support/routes.ts'
import { isOfSales, saleRequest } from './support/sale-routes.ts'
import { type Company, type Reply, testService } from './support/service.ts'
import { isUpsert, upsertRequest } from './support/upsert-routes.ts'

const service = testService()

const writes = every.filter(({ method }) => method !== 'GET')
const isDry = ({ query = {} }: Route): boolean => Object.hasOwn(query, 'dryRun')
/** What a key may try; what only people do is tried in own-company.test.ts. */
const dry = inOneStyle(writes.filter((route) => isDry(route) && route.forPeople === undefined))

/** What identifies the contents of each table, except when keys were last used, and with which requests. */
async function digests(): Promise<Record<string, unknown>> {
  await until('deleted tables are purged', async () => {
    const [left] = await service.database.query('select count(*) from custom_purges')
    return left?.[0] === 0
  })
  // A partitioned table has the rows of its partitions.
  const tables = await service.database.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> 'key_requests' order by 1`,
  )
  const all: Record<string, unknown> = {}
  for (const [table] of tables) {
    const row = table === 'api_keys' ? `to_jsonb(stored) - 'last_used_at'` : 'stored'
    const [found] = await service.database.query(
      `select count(*), md5(string_agg(digest, '' order by digest)) from (select md5((${row})::text) as digest from ${table} as stored) as each`,
    )
    all[table] = found
  }
  return all
}

/** A request that a route answers with success, and what has to be there before. */
async function requestOf(route: Route, company: Company): Promise<{ path: string; body?: unknown }> {
  const { call } = company
  if (isOfOrganization(route)) return organizationRequest(company, route)
  if (isOfCustomTables(route)) return customRequest(call, route)
  if (closingResourceOf(route)) return closingRequest(call, route)
  if (isRestore(route)) return { path: await restorePath(call, route) }
  if (isUpsert(route)) return upsertRequest(route)
  if (isOfSales(route)) return saleRequest(call, route)
  const contract = servedBy(route)
  if (contract === undefined) return { path: route.path, body: route.body?.example }
  return recordRequest(route, contract, company)
}

async function recordRequest({ method, path, isBulk }: Route, contract: Contract, { call }: Company) {
  if (method === 'POST') return { path, body: isBulk ? [fullBody(contract), { bogus: 1 }] : fullBody(contract) }
  const { id } = succeeded(await call('POST', `/v1/${contract.one}`, fullBody(contract)), 201)
  const change = method === 'DELETE' ? {} : fullBody(contract, 1)
  if (isBulk) return { path, body: [{ id, ...change }, { bogus: 1 }] }
  return { path: path.replace('{id}', id), body: method === 'DELETE' ? undefined : change }
}

/** An answer without what differs between two runs, and without what only a dry run says. */
const comparable = ({ text }: Reply): unknown =>
  JSON.parse(text.replaceAll(/[0-9a-f]{24}/g, 'id').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'), (_, value) => {
    if (typeof value !== 'object' || value === null) return value
    const { before: _before, after: _after, apiKey: _apiKey, etag: _etag, ...rest } = value
    return Array.isArray(value) ? value : rest
  })

/** The parts of an answer that can be a record, or name one, without what differs between two runs. */
function partsOf(reply: Reply): any[] {
  assert.ok(reply.status < 300, reply.text)
  const body = JSON.parse(reply.text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'))
  const { before: _before, after: _after, ...shown } = body
  const within = Object.values(shown).flat()
  return [body, ...within.filter((part) => typeof part === 'object' && part !== null)]
}

/** A value without ids: those of new records, such as payments, differ between two runs. */
const withoutIds = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{24}/g, 'id'))

/** Checks that a dry run with a key that may not read shows nothing of a record that the write does not answer; returns how many records it shows. */
function assertShowsNoMore(tried: Reply, done: Reply): { changed: number; gone: number } {
  const answered = partsOf(done)
  const count = { changed: 0, gone: 0 }
  for (const [n, { before, after }] of partsOf(tried).entries()) {
    if (!after) assert.equal(before, undefined)
    if (after === null) count.gone++
    if (!after) continue
    count.changed++
    const record = answered[n].data ?? answered[n]
    // What it was is answered to an update of no member.
    assert.ok(record.createdAt, JSON.stringify(before))
    assert.deepEqual(Object.keys(before), Object.keys(after))
    for (const member of Object.keys(after))
      assert.deepEqual(withoutIds(after[member]), withoutIds(record[member] ?? null), member)
  }
  return count
}

test('a dry run of every write that has one changes nothing in any table, and is answered like the write itself, to a key that may not read with no more of a record', async () => {
  const prepared = new Map<Route, { company: Company; path: string; body?: unknown }>()
  await eachRoute(dry, async (route) => {
    const company = await service.company()
    prepared.set(route, { company, ...(await requestOf(route, company)) })
  })
  const before = await digests()
  const answers = new Map<Route, Reply>()
  await eachRoute(dry, async (route) => {
    const { company, path, body } = prepared.get(route) as { company: Company; path: string; body?: unknown }
    const reply = await company.call(route.method, `${path}?dryRun=true`, body, {
      'idempotency-key': route.operationId,
    })
    assert.ok(reply.status < 300, reply.text)
    assert.equal(reply.headers.get('dry-run'), 'true')
    assert.equal(reply.headers.get('etag'), null)
    answers.set(route, reply)
  })
  assert.deepEqual(await digests(), before)
  const shown = { changed: 0, gone: 0 }
  await eachRoute(dry, async (route) => {
    const { company, path, body } = prepared.get(route) as { company: Company; path: string; body?: unknown }
    const blind = route.surface === 'company' ? await service.keyFor(company.id, neededPermissions(route)) : undefined
    const blindly = await blind?.call(route.method, `${path}?dryRun=true`, body)
    const reply = await company.call(route.method, `${path}?dryRun=false`, body, {
      'idempotency-key': route.operationId,
    })
    assert.equal(reply.headers.get('dry-run'), null)
    assert.equal(reply.headers.get('idempotent-replayed'), null)
    const answer = answers.get(route) as Reply
    assert.equal(answer.status, reply.status)
    assert.deepEqual(comparable(answer), comparable(reply))
    if (blindly === undefined) return
    const { changed, gone } = assertShowsNoMore(blindly, reply)
    shown.changed += changed
    shown.gone += gone
  })
  assert.ok(shown.changed > 30 && shown.gone > 30, JSON.stringify(shown))
})

test('every other write refuses dryRun, whatever its value, and does nothing', async () => {
  const { call } = await service.company()
  const before = await digests()
  const others = writes.filter((route) => !isDry(route))
  assert.ok(others.length > 20)
  await eachRoute(others, async (route) => {
    for (const value of ['=true', '=false', '=', '']) {
      const reply = await call(route.method, `${pathOf(route)}?dryRun${value}`, route.body && {})
      assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status} ${reply.text}`)
      if (!keyed.includes(route) || route.takesFile) continue
      assertProblem(reply, 400, 'validation_failed')
      assert.equal(reply.body.errors[0].pointer, 'dryRun')
      assert.match(reply.body.message, /dryRun/)
    }
  })
  assert.deepEqual(await digests(), before)
})

test('a value other than true and false is 400 at dryRun, also an empty one', async () => {
  const { call } = await service.company()
  const before = await digests()
  const queries = inTurn(['dryRun=', 'dryRun', 'dryRun=1', 'dryRun=TRUE', 'dryRun=true&dryRun=false', 'dryRun[x]=true'])
  await eachRoute(dry, async (route) => {
    for (const query of queries(route)) {
      const reply = await call(route.method, `${pathOf(route)}?${query}`, route.body && {})
      assertProblem(reply, 400, 'validation_failed', query)
      assert.match(reply.body.errors[0].pointer, /^dryRun/)
    }
  })
  assert.deepEqual(await digests(), before)
})

test('the routes without a dry run are those whose rollback could not tell the truth', () => {
  const offered = (path: string) =>
    routes.some((route) => route.path === path && route.method !== 'GET' && isDry(route))
  for (const path of [
    ...['/v1/product', '/v1/products', '/v1/api/product/{id}', '/v1/customer/{id}/restore', '/v1/sale', '/v1/sales'],
    ...['/v1/product/external/{source}/{externalId}', '/v1/inventories/set-levels', '/v1/inventories/adjust'],
    ...['/v1/sale/{orderId}/refund', '/v1/sale/{orderId}/void', '/v1/session/{id}/close', '/v1/settings'],
    ...[
      '/v1/sale/{orderId}/complete',
      '/v1/sale/{orderId}/split',
      '/v1/sale/{orderId}/merge',
      '/v1/sale/{orderId}/payments',
    ],
    ...['/v1/api/custom-table', '/v1/api/custom-table-field', '/v1/api/custom-table-data/{tableName}'],
    '/v1/organization-api/company/company-workflow/onboard',
  ])
    assert.ok(offered(path), path)
  for (const path of ['/v1/imports', '/v1/events/custom', '/v1/organization-api/keys', '/v1/sale/quote'])
    assert.ok(!offered(path), path)
})

test('an update shows the changed members before and after, a delete the record, a create and an unchanged record neither', async () => {
  const { call } = await service.company()
  const { id, ...record } = succeeded(await call('POST', '/v1/product', { name: 'Mug', sku: 'M' }), 201)
  const updated = succeeded(
    await call('PATCH', `/v1/product/${id}?dryRun=true`, { name: 'Cup', sku: null, status: 'draft' }),
  )
  assert.deepEqual(updated.before, { name: 'Mug', sku: 'M', status: null })
  assert.deepEqual(updated.after, { name: 'Cup', sku: null, status: 'draft' })
  assert.deepEqual([updated.id, updated.name, updated.sku], [id, 'Cup', undefined])
  for (const path of [`/v1/product/${id}`, `/v1/api/product/${id}`]) {
    const deleted = succeeded(await call('DELETE', `${path}?dryRun=true`))
    assert.deepEqual([deleted.before, deleted.after], [{ id, ...record }, null])
  }
  const unchanged = succeeded(await call('PATCH', `/v1/product/${id}?dryRun=true`, { name: 'Mug' }))
  assert.deepEqual(unchanged, { id, ...record })
  assert.equal(succeeded(await call('POST', '/v1/product?dryRun=true', { name: 'B' }), 201).before, undefined)
  const { id: customerId } = succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const soft = succeeded(await call('DELETE', `/v1/customer/${customerId}?dryRun=true`))
  assert.deepEqual([soft.before, soft.after], [{ isDeleted: false }, { isDeleted: true }])
  assert.deepEqual((await call('GET', `/v1/product/${id}`)).body, { id, ...record })
})

test('bulk items are answered one by one: what succeeds with before and after, what fails with its error', async () => {
  const { call } = await service.company()
  const { id } = succeeded(await call('PUT', '/v1/product/external/woo/1', { name: 'Mug' }), 201)
  const items = [
    { source: 'woo', externalId: '1', name: 'Cup' },
    { source: 'woo', externalId: '2', name: 'New' },
    { source: 'woo', externalId: '1', name: 'Twice' },
    { source: 'woo', externalId: '3' },
  ]
  const { summary, results } = succeeded(await call('POST', '/v1/products?mode=upsert&dryRun=true', items))
  assert.deepEqual(summary, { total: 4, succeeded: 2, failed: 2, created: 1, updated: 1, unchanged: 0 })
  assert.deepEqual([results[0].data.id, results[0].before, results[0].after], [id, { name: 'Mug' }, { name: 'Cup' }])
  assert.deepEqual([results[1].outcome, results[1].before], ['created', undefined])
  assert.deepEqual([results[2].error.code, results[3].error.code], ['duplicate_item', 'validation_failed'])
  const removed = succeeded(await call('DELETE', '/v1/products?dryRun=true', [{ id }]))
  assert.deepEqual([removed.results[0].before.name, removed.results[0].after], ['Mug', null])
  assert.equal((await call('GET', '/v1/products')).body.meta.count, 1)
})

test('a dry run of a sale says what the stock would be and what is missing, and takes nothing out of stock', async () => {
  const { call } = await service.company()
  const { id: outletId } = succeeded(await call('POST', '/v1/outlet', { name: 'Shop' }), 201)
  const variant = { productId: 'p', manageStock: true, price: 5 }
  const { id: variantId } = succeeded(await call('POST', '/v1/variant', variant), 201)
  const tuple = { productId: 'p', variantId, outletId }
  succeeded(await call('POST', '/v1/inventories/set-levels', [{ ...tuple, quantity: 3 }]))
  const set = succeeded(await call('POST', '/v1/inventories/set-levels?dryRun=true', [{ ...tuple, quantity: 9 }]))
  assert.deepEqual([set.results[0].before, set.results[0].after], [{ stock: 3 }, { stock: 9 }])
  const adjusted = succeeded(
    await call('POST', '/v1/inventories/adjust?dryRun=true', [
      { ...tuple, delta: -1, kind: 'DAMAGE' },
      { ...tuple, delta: -1, kind: 'DAMAGE' },
      { ...tuple, delta: -2, kind: 'DAMAGE' },
    ]),
  )
  assert.deepEqual(
    adjusted.results.map((item: any) => item.data?.stock ?? item.error.code),
    [2, 1, 'conflict'],
  )
  const sale = (quantity: number) => ({
    outletId,
    lineItems: [{ productId: 'p', variantId, price: '5.00', quantity }],
    payments: [{ paymentMethod: 'cash', amount: '50.00' }],
  })
  const sold = succeeded(await call('POST', '/v1/sale?dryRun=true', sale(2)), 201)
  assert.equal(sold.order.status, 'completed')
  assertProblem(await call('POST', '/v1/sale?dryRun=true', sale(4)), 409, 'conflict')
  const { data } = (await call('GET', `/v1/inventories?variantId=${variantId}`)).body
  assert.equal(data[0].stock, 3)
  assert.equal((await call('GET', '/v1/orders')).body.meta.count, 0)
})

test('columns that a dry run adds to customers exist for no request', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { tier: 'string' })
  const field = { tableId: table.id, name: 'customer', type: 'string', referenceLinkedCollection: 'customers' }
  succeeded(await call('POST', '/v1/api/custom-table-field?dryRun=true', field), 201)
  assertProblem(
    await call('POST', '/v1/customer', { firstName: 'A', [table.name]: { tier: 'x' } }),
    400,
    'validation_failed',
  )
  succeeded(await call('POST', '/v1/api/custom-table-field', field), 201)
  succeeded(await call('POST', '/v1/customer?dryRun=true', { firstName: 'A', [table.name]: { tier: 'x' } }), 201)
})

test('If-Match, permissions, plans and other companies hold, and refusals say that it was a dry run', async () => {
  const { id: companyId, call } = await service.company()
  const other = await service.company()
  const { id } = succeeded(await call('POST', '/v1/product', { name: 'A' }), 201)
  const path = `/v1/product/${id}?dryRun=true`
  const refused = await call('PATCH', path, { name: 'B' }, { 'if-match': '"x"' })
  assertProblem(refused, 412, 'version_mismatch')
  assert.equal(refused.headers.get('dry-run'), 'true')
  assertProblem(await other.call('PATCH', path, { name: 'B' }), 404, 'not_found')
  assertProblem(
    await (await service.keyFor(companyId, ['read'])).call('PATCH', path, { name: 'B' }),
    403,
    'permission_denied',
  )
  assertProblem(await call('PATCH', path, { colour: 'B' }), 400, 'validation_failed')
})

test('no secret is shown, single and in bulk, and no name is looked up', async () => {
  const { call } = await service.company()
  const trigger = { triggerType: '*', triggerUrl: 'https://receiver.example.com/hook', apiKey: 'a-secret-of-its-own' }
  const one = await call('POST', '/v1/automation-trigger?dryRun=true', trigger)
  const many = await call('POST', '/v1/automation-triggers?dryRun=true', [trigger])
  for (const reply of [one, many]) {
    assert.ok(reply.status < 300, reply.text)
    assert.ok(!reply.text.includes(trigger.apiKey))
  }
  const local = { ...trigger, triggerUrl: 'http://127.0.0.1/' }
  assertProblem(await call('POST', '/v1/automation-trigger?dryRun=true', local), 400, 'validation_failed')
})

test('a statement that a handler leaves behind is not carried out after the end of its dry run', async () => {
  const [route] = routes.filter(({ operationId }) => operationId === 'createProduct') as [Route]
  const gate = Promise.withResolvers<void>()
  const left: Promise<unknown>[] = []
  const [tried] = withDryRuns({ database: service.database, contended: (_, work) => work() }, ({ database }) => [
    {
      ...route,
      handle: async () => {
        left.push(gate.promise.then(() => database.query('create table left_behind ()')))
        return { status: 201, body: '{}' }
      },
    },
  ]) as [Route]
  const call = { query: { dryRun: true }, scope: { companyId: '' }, params: {}, isGone: () => false }
  assert.equal((await tried.handle(call as unknown as Call)).status, 201)
  gate.resolve()
  await assert.rejects(Promise.all(left), /has ended/)
})

test('real writes beside dry runs of the same records are all kept, and nothing of a dry run is', async () => {
  const { call } = await service.company()
  const { id } = succeeded(await call('POST', '/v1/product', { name: '0' }), 201)
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      n % 2
        ? call('PUT', `/v1/product/external/woo/${n % 6}${n % 4 === 1 ? '?dryRun=true' : ''}`, { name: `${n}` })
        : call('PATCH', `/v1/product/${id}${n % 4 === 0 ? '?dryRun=true' : ''}`, { description: `${n}` }),
    ),
  )
  for (const { status, text } of replies) assert.ok(status < 300, text)
  const real = replies.filter(({ headers }) => headers.get('dry-run') === null)
  const { data } = (await call('GET', '/v1/products')).body
  assert.deepEqual(
    new Set(data.map((one: { id: string }) => one.id)),
    new Set([id, ...real.map(({ body }) => body.id)]),
  )
  for (const { name, description } of data) assert.ok(Number(description ?? name) % 4 >= 2 || name === '0', name)
})
