// Idempotency keys (decisions §12): the work of a key is done once, however often and wherever it is requested, and each request gets the same response.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Claim, FindKept } from '../src/core/idempotency-claim.ts'
import { permissions } from '../src/core/scope.ts'
import { connect } from '../src/database/connect.ts'
import { clearKept, findKept, once } from '../src/engine/idempotency.ts'
import { KeyCache } from '../src/features/keys/key-cache.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { fingerprintOf, takesIdempotencyKey } from '../src/http/idempotency.ts'
import type { Route } from '../src/http/route.ts'
import { createServer } from '../src/http/server.ts'
import { sealOf } from '../src/seal.ts'
import { startService } from '../src/service.ts'
import { fullBody, leastBody, newReference } from './support/bodies.ts'
import { assertColumns } from './support/columns.ts'
import type { Body, Contract } from './support/contract.ts'
import { customRequest, isOfCustomTables } from './support/custom-table-routes.ts'
import { testConnection } from './support/database.ts'
import { feed } from './support/feed.ts'
import { fileRequest, isOfFiles } from './support/files.ts'
import { importRequest, isOfImports } from './support/imports.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { raw, rawText } from './support/raw.ts'
import { isRestore, restorePath } from './support/restore-routes.ts'
import { eachRoute, pathOf, routes, servedBy } from './support/routes.ts'
import { isOfSales, saleRequest } from './support/sale-routes.ts'
import { type Caller, type Company, type Reply, testService, testSettings } from './support/service.ts'
import { isUpsert, upsertRequest } from './support/upsert-routes.ts'
import { deliveryRequest, isOfDeliveries } from './support/webhook-routes.ts'

// Background work would change the compared state.
const service = testService({ importing: { isWorking: false }, exporting: { isWorking: false } })

async function ownConnection() {
  const [row] = await service.database.query('select current_database()')
  return { ...testConnection(), database: row?.[0] }
}

/** The same company's caller at the second server. */
const atSecond = async ({ key }: Company): Promise<Caller> =>
  service.caller({ 'x-api-key': key }, (await service.second()).url)

const under = (key: string) => ({ 'idempotency-key': key })
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'

function assertReplay(again: Reply, first: Reply): void {
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers.get('etag'), first.headers.get('etag'))
  assert.deepEqual([isReplay(first), isReplay(again)], [false, true])
}

/** A record of a resource, made without a key. */
async function record({ call }: Company, contract: Contract): Promise<string> {
  const { body, text } = await call('POST', `/v1/${contract.one}`, fullBody(contract))
  assert.ok(body.id, text)
  return body.id
}

/** A request that succeeds, and the list that shows its work if that is not the route's own. */
interface Wanted {
  readonly path: string
  readonly body?: Body | string
  readonly headers?: Record<string, string>
  readonly list?: string
}

/** A valid body for a route, single or bulk. */
async function bodyFor(company: Company, route: Route): Promise<Wanted> {
  if (isOfImports(route)) return importRequest(service, company, route)
  if (isOfFiles(route)) return fileRequest(company.call, route)
  if (isOfDeliveries(route)) return deliveryRequest(service, company, route)
  if (isOfCustomTables(route)) return customRequest(company.call, route)
  if (isRestore(route)) return { path: await restorePath(company.call, route) }
  if (isUpsert(route)) return upsertRequest(route)
  const contract = servedBy(route)
  if (isOfSales(route)) return { ...(await saleRequest(company.call, route)), list: '/v1/orders' }
  // An action on many records uses the reference's own example.
  if (contract === undefined) return { path: route.path, body: route.body?.example as Body }
  const { one, unique = [] } = contract
  const change = fullBody(contract, 1)
  for (const member of unique) delete change[member]
  if (route.isBulk) {
    const items =
      route.method === 'POST'
        ? [leastBody(contract), 'no object', leastBody(contract)]
        : [{ ...change, id: await record(company, contract) }, { id: one }]
    return { path: pathOf(route), body: { items } }
  }
  if (route.method === 'POST') return { path: pathOf(route), body: fullBody(contract) }
  return { path: pathOf(route, await record(company, contract)), body: change }
}

const writes = routes.filter((route) => route.surface === 'company' && takesIdempotencyKey(route))

test('every POST, PUT and PATCH repeated under its key returns the same bytes and changes nothing', async () => {
  assert.ok(writes.length >= 16 * 4)
  await eachRoute(writes, async (route) => {
    const company = await service.company()
    const { path, body, list: own, headers } = await bodyFor(company, route)
    const key = { ...under(randomUUID()), ...headers }
    const first = await company.call(route.method, path, body, key)
    assert.ok(Object.hasOwn(route.replies, first.status), first.text)
    const events = await feed(service, company.id)
    const many = servedBy(route)?.many ?? route.path.split('/')[2]
    const list = own ?? (isOfCustomTables(route) ? '/v1/api/custom-table-values' : `/v1/${many}`)
    const before = await company.call('GET', list)
    assertReplay(await company.call(route.method, path, body, key), first)
    assertReplay(await (await atSecond(company))(route.method, path, body, key), first)
    assert.equal((await company.call('GET', list)).text, before.text)
    assert.deepEqual(await feed(service, company.id), events)
  })
})

test('every POST, PUT and PATCH under the key of another request is 422, and does nothing', async () => {
  await eachRoute(writes, async (route) => {
    const company = await service.company()
    const { path, body, headers } = await bodyFor(company, route)
    const key = under(randomUUID())
    assert.equal((await company.call('POST', '/v1/customer', { firstName: 'Ann' }, key)).status, 201)
    const events = await feed(service, company.id)
    assertProblem(await company.call(route.method, path, body, { ...key, ...headers }), 422, 'idempotency_conflict')
    assert.deepEqual(await feed(service, company.id), events)
  })
})

test('a key is bound to path and to the JSON value of the body, whatever the order of its members and its white space', async () => {
  const { call } = await service.company()
  const body = { firstName: 'Ann', billing: { city: 'Bonn', country: 'DE' }, tags: ['a', 'b'], totalSpent: '10.00' }
  const first = await call('POST', '/v1/customer', body, under('k'))
  const turned =
    '{ "totalSpent": "10.00",\n"tags":["a","b"], "billing": {"country":"DE","city":"Bonn"}, "firstName": "\\u0041nn" }'
  assertReplay(await call('POST', '/v1/customer', turned, under('k')), first)
  for (const other of [
    { ...body, tags: ['b', 'a'] },
    { ...body, totalSpent: '10.0' },
    { ...body, lastName: null },
    { firstName: 'Ann' },
  ])
    assertProblem(await call('POST', '/v1/customer', other, under('k')), 422, 'idempotency_conflict')
  assertProblem(await call('POST', '/v1/api/customer', body, under('k')), 422, 'idempotency_conflict')
  assertProblem(await call('POST', '/v1/api/customers', body, under('k')), 422, 'idempotency_conflict')
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 1)
})

test('a body with lossy values is different from the body without what they lose', async () => {
  const { call } = await service.company()
  const pairs = [
    ['{"items":[{"firstName":"b"}]}', '{"items":[{"firstName":"a","firstName":"b"}]}'],
    ['[{"notes":[12345678901234567000]}]', '[{"notes":[12345678901234567001]}]'],
  ]
  for (const [whole, lossy] of pairs)
    for (const [key, first, other] of [
      ['whole', whole, lossy],
      ['lossy', lossy, whole],
    ]) {
      const own = under(`${key} ${whole}`)
      const done = await call('POST', '/v1/customers', first, own)
      assert.equal(done.status, 200, done.text)
      assertProblem(await call('POST', '/v1/customers', other, own), 422, 'idempotency_conflict')
      assertReplay(await call('POST', '/v1/customers', first, own), done)
    }
})

test('a key belongs to a company: another company’s is a different one, and all API keys of the company share it', async () => {
  const [one, two] = [await service.company(), await service.company()]
  const body = { firstName: 'Ann' }
  const first = await one.call('POST', '/v1/customer', body, under('shared'))
  const theirs = await two.call('POST', '/v1/customer', body, under('shared'))
  assert.deepEqual([theirs.status, isReplay(theirs)], [201, false])
  assert.notEqual(theirs.body.id, first.body.id)
  const { call } = await service.keyFor(one.id)
  assertReplay(await call('POST', '/v1/customer', body, under('shared')), first)
  const { call: reader } = await service.keyFor(one.id, ['read'])
  assertProblem(await reader('POST', '/v1/customer', body, under('shared')), 403, 'permission_denied')
})

for (const servers of [1, 2])
  test(`twenty equal concurrent creates under one key through ${servers} server(s) create one record; the others are replays or 409`, async () => {
    const company = await service.company()
    const calls = [company.call, await atSecond(company)]
    for (const path of ['/v1/customer', '/v1/outlet', '/v1/inventory', '/v1/customers']) {
      const plain: Body = { firstName: 'Ann', name: undefined }
      const body: Body =
        path === '/v1/customers'
          ? { items: [plain, plain] }
          : path === '/v1/outlet'
            ? { name: 'Main' }
            : path === '/v1/inventory'
              ? { variantId: newReference(), outletId: newReference() }
              : plain
      const send = (n: number) => (calls[n % servers] as Caller)('POST', path, body, under(path))
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
      const done = replies.filter(({ status }) => status < 300)
      assert.equal(done.filter((reply) => !isReplay(reply)).length, 1, replies.map(({ text }) => text).join('\n'))
      assert.equal(new Set(done.map(({ text }) => text)).size, 1)
      for (const reply of replies.filter(({ status }) => status >= 300)) {
        assertProblem(reply, 409, 'idempotency_in_progress')
        assert.equal(reply.headers.get('retry-after'), '1')
      }
      assert.ok(isReplay(await send(1)))
    }
    const types = (await feed(service, company.id)).map(({ type }) => type).sort()
    const expected = ['customer.created', 'customer.created', 'customer.created', 'inventory.created', 'outlet.created']
    assert.deepEqual(
      types.filter((type) => type !== 'inventory.stock_changed'),
      expected,
    )
    // A skipped number would mean work that was done twice and rolled back.
    assert.equal((await company.call('POST', '/v1/outlet', { name: 'Next' })).body.sequenceNumber, 2)
  })

test('an error is not stored: the key may be used again, for other work too', async () => {
  const { call } = await service.company()
  const pair = { variantId: newReference(), outletId: newReference() }
  await call('POST', '/v1/inventory', pair)
  const wrong: [string, string, unknown, number, Record<string, string>?][] = [
    ['POST', '/v1/customer', { emial: 'a@b.example' }, 400],
    ['POST', '/v1/customer', '{', 400],
    ['PATCH', `/v1/customer/${'0'.repeat(24)}`, { firstName: 'x' }, 404],
    ['POST', '/v1/inventory', pair, 409],
    ['POST', '/v1/customers', { items: [] }, 400],
    ['POST', '/v1/customer', Array.from({ length: 3 }, () => 1), 400],
    ['POST', '/v1/customer', { notes: ['a', 'b', 'c'].map((n) => n.repeat(1_000_000)), firstName: 'Big' }, 413],
  ]
  for (const [method, path, body, status] of wrong)
    for (let n = 0; n < 2; n++) assert.equal((await call(method, path, body, under('k'))).status, status)
  const { body: customer, headers } = await call('POST', '/v1/customer', { firstName: 'Ann' })
  const stale = { ...under('k'), 'if-match': '"another"' }
  assert.equal((await call('PATCH', `/v1/customer/${customer.id}`, { firstName: 'x' }, stale)).status, 412)
  const fresh = { ...under('k'), 'if-match': headers.get('etag') as string }
  const done = await call('PATCH', `/v1/customer/${customer.id}`, { firstName: 'x' }, fresh)
  assert.deepEqual([done.status, isReplay(done)], [200, false])
})

test('a replay is the first response even if the record was changed and deleted since, and has another version', async () => {
  const { call } = await service.company()
  const first = await call('POST', '/v1/product', { name: 'Cup' }, under('create'))
  const { id } = first.body
  const headers = { ...under('update'), 'if-match': first.headers.get('etag') as string }
  const update = await call('PATCH', `/v1/product/${id}`, { name: 'Mug' }, headers)
  assert.equal(update.status, 200, update.text)
  assertReplay(await call('PATCH', `/v1/product/${id}`, { name: 'Mug' }, headers), update)
  const many = await call(
    'PATCH',
    '/v1/products',
    [{ id, sku: 'MUG', ifMatch: update.headers.get('etag') }],
    under('many'),
  )
  assert.equal(many.body.summary.succeeded, 1, many.text)
  assert.equal((await call('DELETE', `/v1/product/${id}`)).status, 200)
  assertReplay(await call('POST', '/v1/product', { name: 'Cup' }, under('create')), first)
  assertReplay(await call('PATCH', `/v1/product/${id}`, { name: 'Mug' }, headers), update)
  const again = await call(
    'PATCH',
    '/v1/products',
    [{ id, sku: 'MUG', ifMatch: update.headers.get('etag') }],
    under('many'),
  )
  assertReplay(again, many)
  assertProblem(await call('GET', `/v1/product/${id}`), 404, 'not_found')
})

test('an update that changes nothing keeps its response too: repeated after a change it does not undo that', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const first = await call('PATCH', `/v1/customer/${id}`, { firstName: 'Ann' }, under('k'))
  await call('PATCH', `/v1/customer/${id}`, { firstName: 'Bea' })
  assertReplay(await call('PATCH', `/v1/customer/${id}`, { firstName: 'Ann' }, under('k')), first)
  assert.equal((await call('GET', `/v1/customer/${id}`)).body.firstName, 'Bea')
})

test('a hundred concurrent updates of one record, each under its own key, are all done, and none twice', async () => {
  const company = await service.company()
  const calls = [company.call, await atSecond(company)]
  const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const send = (n: number, from = n) =>
    (calls[from % 2] as Caller)('PATCH', `/v1/customer/${id}`, { phone: String(n) }, under(`update ${n}`))
  const firsts = await Promise.all(Array.from({ length: 100 }, (_, n) => send(n)))
  assert.deepEqual(new Set(firsts.map(({ status }) => status)), new Set([200]))
  const replays = await Promise.all(firsts.map((_, n) => send(n, n + 1)))
  replays.forEach((replay, n) => {
    assertReplay(replay, firsts[n] as Reply)
  })
  assert.equal((await feed(service, company.id, id)).length, 101)
})

/** Requests with bodies on one connection, sent at once. The server has received all before it begins any. */
async function atOnce(key: string, requests: readonly { path: string; under: string; body: Body }[]) {
  const parts = requests.map(({ path, under, body }, n) => {
    const text = JSON.stringify(body)
    const connection = n === requests.length - 1 ? 'close' : 'keep-alive'
    return (
      `PATCH ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\nx-api-key: ${key}\r\nidempotency-key: ${under}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    )
  })
  const answered = (await rawText(service.url, [parts.join('')])).split(/(?=HTTP\/1\.1 )/)
  return answered.map((text) => {
    const [head = '', body = '{}'] = text.split('\r\n\r\n')
    return {
      status: Number(head.split(' ')[1]),
      isReplay: /idempotent-replayed: true/i.test(head),
      body: JSON.parse(body),
    }
  })
}

test('of concurrent updates of one record, each under its own key, only one that was done before is a replay: all others are written', async () => {
  const company = await service.company()
  const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const path = `/v1/customer/${id}`
  const request = (n: number) => ({ path, under: `update ${n}`, body: { phone: String(n) } })
  assert.equal((await company.call('PATCH', path, { phone: '0' }, under('update 0'))).status, 200)
  const sent = [1, 2, 0, 3, 4, 5, 6]
  const replies = await atOnce(company.key, sent.map(request))
  assert.deepEqual(
    replies.map(({ status, isReplay, body }) => [status, isReplay, body.phone]),
    sent.map((n) => [200, n === 0, String(n)]),
  )
  const updates = (await feed(service, company.id, id)).filter(({ type }) => type === 'customer.updated')
  assert.deepEqual(updates.map(({ data }) => data.phone).sort(), ['0', '1', '2', '3', '4', '5', '6'])
})

test('stock that is sent with a variant is written once under a key', async () => {
  const company = await service.company()
  const outletId = newReference()
  const body = { productId: newReference(), inventory: [{ outletId, stock: 5 }] }
  const first = await company.call('POST', '/v1/variant', body, under('create'))
  const { id } = first.body
  const more = await company.call('PATCH', `/v1/variant/${id}`, { inventory: [{ outletId, stock: 7 }] }, under('more'))
  await company.call('PATCH', `/v1/variant/${id}`, { inventory: [{ outletId, stock: 9 }] })
  assertReplay(await company.call('POST', '/v1/variant', body, under('create')), first)
  const again = await company.call('PATCH', `/v1/variant/${id}`, { inventory: [{ outletId, stock: 7 }] }, under('more'))
  assertReplay(again, more)
  assert.deepEqual((await company.call('GET', `/v1/variant/${id}`)).body.inventory, [{ outletId, stock: 9 }])
})

test('work in progress on another server is 409 with Retry-After, singly and in bulk, and can be done after that server died', async () => {
  const company = await service.company()
  const other = connect(await ownConnection(), { size: 1 })
  const requests: [string, string, unknown][] = [
    ['POST', '/v1/customer', { firstName: 'Ann' }],
    ['POST', '/v1/outlet', { name: 'Main' }],
    ['POST', '/v1/customers', [{ firstName: 'Ann' }]],
  ]
  const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Bea' })).body
  requests.push(['PATCH', `/v1/customer/${id}`, { firstName: 'Cleo' }], ['PATCH', `/v1/customer/${id}`, { phone: '1' }])
  for (const [n, [method, path, body]] of requests.entries()) {
    const send = () => company.call(method, path, body, under(`key ${n}`))
    const died = new Error('died before its commit')
    const end = await other
      .transaction(async (transaction) => {
        await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${company.id} key ${n}`])
        const waiting = await send()
        assertProblem(waiting, 409, 'idempotency_in_progress', `${method} ${path}`)
        assert.equal(waiting.headers.get('retry-after'), '1')
        throw died
      })
      .catch((error) => error)
    assert.equal(end, died, String(end))
    const done = await send()
    assert.ok(done.status < 300 && !isReplay(done), done.text)
  }
  await other.close()
})

test('a request that is repeated while the first is in progress on the same server is 409, and a replay afterwards', async () => {
  const company = await service.company()
  const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const other = connect(await ownConnection(), { size: 1 })
  const send = () => company.call('PATCH', `/v1/customer/${id}`, { firstName: 'Bea' }, under('k'))
  let first: Promise<Reply> | undefined
  await other.transaction(async (transaction) => {
    await transaction.query('select 1 from customers where company_id = $1 and id = $2 for update', [company.id, id])
    first = send()
    // The first of the two waits for the row; the other one gets a conflict.
    assertProblem(await Promise.race([first, send()]), 409, 'idempotency_in_progress')
  })
  const done = (await first) as Reply
  assert.equal(done.status, 200, done.text)
  assertReplay(await send(), done)
  await other.close()
})

test('a bulk request under a key is one transaction with its response: failed items stay failed, and are not retried', async () => {
  const company = await service.company()
  const pair = { variantId: newReference(), outletId: newReference() }
  const taken = (await company.call('POST', '/v1/inventory', pair)).body
  const items = [{ variantId: newReference(), outletId: newReference(), clientRef: 'a' }, pair, { nonsense: 1 }]
  const first = await company.call('POST', '/v1/inventories', { items }, under('k'))
  assert.deepEqual(first.body.summary, { total: 3, succeeded: 1, failed: 2 })
  await company.call('DELETE', `/v1/inventory/${taken.id}`)
  assertReplay(await company.call('POST', '/v1/inventories', { items }, under('k')), first)
  assertProblem(await company.call('POST', '/v1/inventories', items, under('k')), 422, 'idempotency_conflict')
})

test('a key that is empty, longer than 255 characters, not printable ASCII, or sent twice is 400 and names the header', async () => {
  const { call, key } = await service.company()
  const bad = ['', 'x'.repeat(256), 'a\tb', 'schlüssel'.normalize('NFC')]
  for (const value of bad)
    for (const [method, path] of [
      ['POST', '/v1/customer'],
      ['POST', '/v1/customers'],
      ['PATCH', `/v1/customer/${'0'.repeat(24)}`],
    ] as const) {
      const { errors } = assertProblem(
        await call(method, path, { firstName: 'x' }, under(value)),
        400,
        'validation_failed',
      )
      assert.deepEqual([errors[0].in, errors[0].pointer], ['header', 'idempotency-key'])
    }
  const head = `POST /v1/customer HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n`
  const twice = await raw(service.url, `${head}idempotency-key: a\r\nidempotency-key: b\r\n\r\n{}`)
  assertProblem(twice, 400, 'validation_failed')
  const longest = under(`${'~ '.repeat(127)}!`)
  const first = await call('POST', '/v1/customer', { firstName: 'x' }, longest)
  assertReplay(await call('POST', '/v1/customer', { firstName: 'x' }, longest), first)
})

test('reads and deletes ignore keys: each is done whenever it is sent', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/product', { name: 'Cup' }, under('k'))).body
  for (const bad of ['k', '']) assert.equal((await call('GET', `/v1/product/${id}`, undefined, under(bad))).status, 200)
  assert.equal((await call('DELETE', `/v1/product/${id}`, undefined, under('k'))).status, 200)
  assert.equal((await call('DELETE', `/v1/product/${id}`, undefined, under('k'))).status, 404)
})

test('a response that contains a secret is stored encrypted, and can be decrypted only for its own key', async () => {
  const company = await service.company()
  const apiKey = `whsec_${newReference()}`
  const body = { triggerType: '*', triggerUrl: 'https://hooks.example.com/x', apiKey }
  const first = await company.call('POST', '/v1/automation-trigger', body, under('one'))
  const many = await company.call('POST', '/v1/automation-triggers', [body], under('many'))
  const kept = await service.database.query('select key, answer from idempotency_keys where owner_id = $1', [
    company.id,
  ])
  assert.equal(kept.length, 2)
  for (const [, answer] of kept) assert.ok(answer.startsWith('sealed:') && !answer.includes(apiKey))
  assertReplay(await company.call('POST', '/v1/automation-trigger', body, under('one')), first)
  assertReplay(await company.call('POST', '/v1/automation-triggers', [body], under('many')), many)
  const seal = sealOf(testSettings.secretKeys)
  assert.equal(
    seal.open(kept[0]?.[1], `${company.id} ${kept[0]?.[0]}`),
    kept[0]?.[0] === 'one' ? first.text : many.text,
  )
  assert.throws(() => seal.open(kept[0]?.[1], `${company.id} other`))
  assert.throws(() => sealOf([`${testSettings.secretKeys[0]}!`]).open(kept[0]?.[1], `${company.id} ${kept[0]?.[0]}`))
})

test('a key is bound to the query: with another one it is refused, and what the previous version kept without one is returned', async () => {
  const company = await service.company()
  const { id, call } = company
  const body = { stationId: newReference() }
  const open = (search: string, key: string, from: Caller = call) => from('POST', `/v1/session${search}`, body, under(key)) // biome-ignore format: one thought
  const plain = await open('', 'plain')
  const taking = await open('?takeOver=true', 'taking')
  assert.deepEqual([plain.status, taking.status], [201, 201])
  for (const from of [call, await atSecond(company)]) {
    assertReplay(await open('', 'plain', from), plain)
    assertReplay(await open('?_=1', 'plain', from), plain)
    assertReplay(await open('?_=2&takeOver=true', 'taking', from), taking)
    for (const [search, key] of [['?takeOver=true', 'plain'], ['', 'taking'], ['?takeOver=false', 'taking']] as const) // biome-ignore format: one thought
      assertProblem(await open(search, key, from), 422, 'idempotency_conflict')
  }
  const [many, changed] = [under('many'), under('changed')]
  const list = await call('POST', '/v1/sessions?takeOver=true', [body], many)
  assertReplay(await call('POST', '/v1/sessions?takeOver=true', [body], many), list)
  assertProblem(await call('POST', '/v1/sessions', [body], many), 422, 'idempotency_conflict')
  const one = `/v1/session/${plain.body.id}`
  const change = await call('PATCH', one, { openingNote: 'Noon' }, changed)
  assertReplay(await call('PATCH', one, { openingNote: 'Noon' }, changed), change)
  assertProblem(
    await call('PATCH', `${one}?takeOver=true`, { openingNote: 'Noon' }, changed),
    422,
    'idempotency_conflict',
  )
  // As the previous version kept them: without a query.
  await service.database.query('update idempotency_keys set query = null where owner_id = $1', [id])
  assertReplay(await open('?takeOver=true', 'taking'), taking)
  assertReplay(await open('', 'plain'), plain)
  assertReplay(await call('POST', '/v1/sessions?takeOver=true', [body], many), list)
})

test('the fingerprint of a request with a secret is stored encrypted, so that a reader of the database cannot test guesses', async () => {
  const { id, call } = await service.company()
  const [path, guess] = ['/v1/automation-trigger', 'summer2026']
  const { key } = (await call('GET', '/v1/whoami')).body
  const made = { triggerType: '*', triggerUrl: 'https://hooks.example.com/x', apiKey: guess }
  const first = await call('POST', path, made, under('made'))
  const one = `${path}/${first.body.id}`
  const sent = [
    ['POST', path, made, 'made'],
    ['PATCH', one, { apiKey: guess }, 'changed'],
    ['POST', `${path}s`, [made], 'many'],
  ] as const
  for (const [method, path, body, key] of sent.slice(1)) await call(method, path, body, under(key))
  const kept = await service.database.query('select fingerprint from idempotency_keys where owner_id = $1', [id])
  assert.equal(kept.length, sent.length)
  const guessed = sent.map(([method, path, body]) => fingerprintOf(method, path, body, [], key.id))
  for (const [fingerprint] of kept) {
    assert.ok(fingerprint.startsWith('sealed:'), fingerprint)
    assert.ok(!guessed.includes(fingerprint))
  }
  for (const [method, path, body, key] of sent) assert.ok(isReplay(await call(method, path, body, under(key))))
  for (const [method, path, , key] of sent)
    assertProblem(await call(method, path, { ...made, apiKey: 'winter2026' }, under(key)), 422, 'idempotency_conflict')
  // As a previous version stored it.
  await service.database.query('update idempotency_keys set fingerprint = $2 where owner_id = $1 and key = $3', [
    ...[id, guessed[0], 'made'],
  ])
  assertReplay(await call('POST', path, made, under('made')), first)
})

test('a response that was not encrypted is returned as stored, whatever JSON it is', async () => {
  const { id, call } = await service.company()
  for (const [n, answer] of ['"sealed"', 'true', '12', 'null', ' {"a": 1}'].entries()) {
    await call('POST', '/v1/customer', { firstName: 'Ann' }, under(`key ${n}`))
    const change = 'update idempotency_keys set answer = $3 where owner_id = $1 and key = $2'
    await service.database.query(change, [id, `key ${n}`, answer])
    const { status, text } = await call('POST', '/v1/customer', { firstName: 'Ann' }, under(`key ${n}`))
    assert.deepEqual([status, text], [201, answer])
  }
})

test('keys are kept for 24 hours and cleared afterwards, however many there are, and no younger one with them', async () => {
  const { id, call } = await service.company()
  const first = await call('POST', '/v1/customer', { firstName: 'Ann' }, under('young'))
  await service.database.query(
    `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer)
     select $1, 'old ' || n, 'x', now() - interval '24 hours 1 minute', 200, '{}' from generate_series(1, 12000) as n
     union all select $1, 'day ' || n, 'x', now() - interval '23 hours 59 minutes', 200, '{}' from generate_series(1, 10) as n`,
    [id],
  )
  await Promise.all([clearKept(service.database), clearKept((await service.second()).database)])
  const left = await service.database.query('select key from idempotency_keys where owner_id = $1', [id])
  assert.equal(left.length, 11)
  assertReplay(await call('POST', '/v1/customer', { firstName: 'Ann' }, under('young')), first)
})

test('a server clears old keys when it starts, and repeatedly while it runs', async (t) => {
  const { id } = await service.company()
  const age = (key: string) =>
    service.database.query(
      `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer)
       values ($1, $2, 'x', now() - interval '25 hours', 200, '{}')`,
      [id, key],
    )
  const isCleared = async () =>
    (await service.database.query('select 1 from idempotency_keys where owner_id = $1', [id])).length === 0
  await age('before the start')
  const once = await startService(await ownConnection(), testSettings)
  t.after(() => once.close())
  await until('old keys are cleared at the start', isCleared)
  const often = await startService(await ownConnection(), { ...testSettings, clearingMs: 20 })
  t.after(() => often.close())
  for (let n = 0; n < 3; n++) {
    await age(`while it runs ${n}`)
    await until('old keys are cleared while it runs', isCleared)
  }
})

test('clearing continues in smaller batches if PostgreSQL cannot remove a large one in time', {
  skip: skipOnCluster,
}, async (t) => {
  const { id } = await service.company()
  // Simulates rows so large that more than ten at once exceed the time limit of a statement.
  await service.database.query(`
    create function too_slow() returns trigger language plpgsql as $$ begin
      if (select count(*) from removed) > 10 then raise exception 'too slow' using errcode = 'query_canceled'; end if;
      return null;
    end $$;
    create trigger too_slow after delete on idempotency_keys referencing old table as removed
      for each statement execute function too_slow()`)
  t.after(() => service.database.query('drop function too_slow cascade'))
  await service.database.query(
    `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer)
     select $1, 'old ' || n, 'x', now() - interval '25 hours', 200, '{}' from generate_series(1, 1000) as n`,
    [id],
  )
  await clearKept(service.database)
  assert.deepEqual(await service.database.query('select key from idempotency_keys where owner_id = $1', [id]), [])
})

const claimOf = (key: string): Claim => ({ ownerId: newReference(), key, fingerprint: 'x', query: '', status: 201 })

test('a handler whose response would lose a header or its type in a replay fails at its first run, and leaves nothing', async () => {
  for (const more of [{ headers: { link: '</v1/customers>; rel="next"' } }, { contentType: 'text/plain' }]) {
    const work = once(service.database, claimOf('k'), async (connection) => {
      await connection.query("insert into agreements (name, value) values ('lost headers', '')")
      return { status: 201, body: '{}', ...more }
    })
    await assert.rejects(work, /cannot have headers or a content type/)
  }
  assert.deepEqual(await service.database.query("select 1 from agreements where name = 'lost headers'"), [])
})

test('a stored response is not looked up for a request that no client waits for any more', async () => {
  const find = findKept(service.database)
  assert.equal(await find(claimOf('nobody’s'), () => false), undefined)
  const over = await find(claimOf('nobody’s'), () => true).catch((error) => error)
  assert.equal(over.code, 'unavailable', String(over))
})

test('on an organization’s endpoint a key belongs to the organization, and a failure inside the work leaves nothing', async (t) => {
  const keys = new KeyCache(service.database)
  let done = 0
  const route: Route = {
    method: 'POST',
    path: '/v1/organization-api/example',
    surface: 'organization',
    operationId: 'example',
    tag: 'Example',
    summary: 'An example',
    body: { schema: {} },
    replies: { 201: { description: 'Done.', schema: {} } },
    handle: ({ body, claim }) =>
      once(service.database, claim, async (connection) => {
        assert.ok(connection.inTransaction)
        done++
        await connection.query('insert into agreements (name, value) values ($1, $2)', [`example ${done}`, ''])
        if ((body as Body).fails && done === 1) throw new Error('a fault in the middle')
        return { status: 202, body: JSON.stringify({ done }) }
      }),
  }
  const { secretKeys, log } = testSettings
  const patience: unknown[] = []
  const find: FindKept = (claim, isGone) => {
    patience.push(isGone?.())
    return findKept(service.database)(claim, isGone)
  }
  const parts = { findKey: keys.find, keyUsed: keys.used, findKept: find, seal: sealOf(secretKeys) }
  const server = createServer({ routes: [route], ...parts, log })
  t.after(() => server.close().then(() => keys.close()))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const { organizationId } = await service.company()
  const other = await createKey(service.database, { organizationId }, { name: 'Other', permissions })
  const call = (key: string, body: Body) =>
    service.caller({ 'x-org-api-key': key }, url)('POST', route.path, body, under('k'))
  assertProblem(await call(service.organizationKey, { fails: true }), 500, 'internal_error')
  const first = await call(service.organizationKey, { fails: true })
  assert.deepEqual([first.status, first.body], [202, { done: 2 }])
  assertReplay(await call(other.value, { fails: true }), first)
  assertProblem(await call(other.value, {}), 422, 'idempotency_conflict')
  const left = await service.database.query("select name from agreements where name like 'example%'")
  assert.deepEqual(left, [['example 2']])
  assert.deepEqual(patience, [false, false])
})

test('the columns of all records that were written equal the records', () => assertColumns(service.database))
