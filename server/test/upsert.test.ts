// Upserts by the id of another system: exactly one record, however many requests name it, and a correct outcome for
// each item.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullBody } from './support/bodies.ts'
import { contracts } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { routes } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const at = (externalId: string, source = 'woo') =>
  `/v1/product/external/${encodeURIComponent(source)}/${encodeURIComponent(externalId)}`
const withoutPair = ({ source: _source, externalId: _externalId, ...body }: Record<string, unknown>) => body

test('a PUT creates the record of a pair with 201, then updates it with 200, and raises no event where nothing changes', async () => {
  const { id: companyId, call } = await service.company()
  const created = await call('PUT', at('1'), { name: 'Mug' })
  const { id, createdAt } = succeeded(created, 201)
  assert.deepEqual([created.body.source, created.body.externalId, created.body.name], ['woo', '1', 'Mug'])
  const updated = await call('PUT', at('1'), { name: 'Cup', source: 'woo', externalId: '1', id: 'ignored' })
  assert.deepEqual([updated.status, updated.body.id, updated.body.name], [200, id, 'Cup'])
  assert.equal(updated.body.createdAt, createdAt)
  const unchanged = await call('PUT', at('1'), { name: 'Cup' })
  assert.deepEqual([unchanged.status, unchanged.text], [200, updated.text])
  const read = await call('GET', `/v1/product/${id}`)
  assert.deepEqual([read.text, read.headers.get('etag')], [unchanged.text, unchanged.headers.get('etag')])
  const types = (await feed(service, companyId, id)).map(({ type }) => type)
  assert.deepEqual(types, ['product.created', 'product.updated'])
})

test('every resource with an externalId has such a route, which includes its source where it has one', async () => {
  const { call } = await service.company()
  const { components } = succeeded(await service.caller()('GET', '/v1/openapi.json'))
  const sourced = ['category', 'customer', 'order', 'product']
  const plain = ['cash-movement', 'refund', 'transaction', 'variant']
  const paths = routes.filter(({ path }) => path.includes('/external/')).map(({ path }) => path)
  assert.deepEqual(
    paths.sort(),
    [
      ...sourced.map((one) => `/v1/${one}/external/{source}/{externalId}`),
      ...plain.map((one) => `/v1/${one}/external/{externalId}`),
    ].sort(),
  )
  for (const contract of contracts.filter(({ one }) => [...sourced, ...plain].includes(one))) {
    const path = `/v1/${contract.one}/external/${sourced.includes(contract.one) ? 'woo/' : ''}7`
    const body = withoutPair(fullBody(contract))
    const { id } = succeeded(await call('PUT', path, body), 201)
    assert.equal(succeeded(await call('PUT', path, body)).id, id, contract.one)
    assert.equal((await call('GET', `/v1/${contract.many}?externalId=7`)).body.meta.count, 1)
    const bulk = await call('POST', `/v1/${contract.many}?mode=upsert`, [
      { ...body, source: sourced.includes(contract.one) ? 'woo' : undefined, externalId: '7' },
    ])
    assert.equal(succeeded(bulk).results[0].data.id, id)
    // A record that exists needs the pair alone, and the reference says so.
    const pair = sourced.includes(contract.one) ? { source: 'woo', externalId: '7' } : { externalId: '7' }
    const { outcome } = succeeded(await call('POST', `/v1/${contract.many}?mode=upsert`, [pair])).results[0]
    const { required } =
      components.schemas[`${contract.one.replace(/(^|-)./g, (part) => part.slice(-1).toUpperCase())}UpsertItem`]
    assert.deepEqual([outcome, required], ['unchanged', Object.keys(pair)])
  }
})

test('the reference shows ids of another system as examples of externalId, and a system as that of source', async () => {
  const { paths } = succeeded(await service.caller()('GET', '/v1/openapi.json'))
  const examplesOf = (path: string) =>
    paths[path].put.parameters.flatMap((parameter: { in: string; schema: { examples: string[] } }) =>
      parameter.in === 'path' ? [parameter.schema.examples] : [],
    )
  assert.deepEqual(examplesOf('/v1/product/external/{source}/{externalId}'), [['woo-commerce'], ['woo-118']])
  assert.deepEqual(examplesOf('/v1/variant/external/{externalId}'), [['woo-119']])
})

test('fifty upserts of one pair at once make one record, and each is answered as created, updated or unchanged', async () => {
  const { id: companyId, call } = await service.company()
  const other = service.caller({ 'x-api-key': (await service.keyFor(companyId)).value }, (await service.second()).url)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => (n % 2 ? call : other)('PUT', at('one'), { name: `Mug ${n % 10}` })),
  )
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  assert.equal(replies.filter(({ status }) => status === 200).length, 49)
  assert.equal(new Set(replies.map(({ body }) => body.id)).size, 1)
  assert.equal((await call('GET', '/v1/products')).body.meta.count, 1)
})

test('bulk upserts of the same pairs at once, in any order, make one record each', async () => {
  const { id: companyId, call } = await service.company()
  const other = service.caller({ 'x-api-key': (await service.keyFor(companyId)).value }, (await service.second()).url)
  const items = Array.from({ length: 100 }, (_, n) => ({ source: 'woo', externalId: `${n}`, name: `P${n}` }))
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      (n % 2 ? call : other)('POST', '/v1/products?mode=upsert', n % 3 ? items : items.toReversed()),
    ),
  )
  const summaries = replies.map((reply) => succeeded(reply).summary)
  const sum = (member: string) => summaries.reduce((total, summary) => total + summary[member], 0)
  assert.deepEqual([sum('created'), sum('unchanged'), sum('failed')], [100, 700, 0])
  assert.equal((await call('GET', '/v1/products')).body.meta.count, 100)
})

test('a record that leaves its pair during an upsert of it is not pulled back', async () => {
  const { call } = await service.company()
  for (let round = 0; round < 10; round++) {
    const { id } = succeeded(await call('PUT', at(`${round}`), { name: 'Mug' }), 201)
    const [upserted, moved] = await Promise.all([
      call('PUT', at(`${round}`), { name: 'Cup' }),
      call('PATCH', `/v1/product/${id}`, { externalId: `moved ${round}` }),
    ])
    assert.ok(upserted.status < 300 && moved.status === 200)
    assert.equal((await call('GET', `/v1/product/${id}`)).body.externalId, `moved ${round}`)
  }
})

test('a bulk upsert answers each item in its order: created, updated, unchanged, duplicate, ambiguous, invalid', async () => {
  const { call } = await service.company()
  const old = succeeded(await call('PUT', at('old'), { name: 'Old' }), 201)
  const same = succeeded(await call('PUT', at('same'), { name: 'Same' }), 201)
  const twice = await Promise.all(
    [1, 2].map(async () =>
      succeeded(await call('POST', '/v1/product', { name: 'T', source: 'woo', externalId: 'two' }), 201),
    ),
  )
  const reply = await call('POST', '/v1/products?mode=upsert', {
    items: [
      { source: 'woo', externalId: 'new', name: 'New', clientRef: 'a' },
      { source: 'woo', externalId: 'old', name: 'Newer', clientRef: 'b' },
      { source: 'woo', externalId: 'same', name: 'Same' },
      { source: 'woo', externalId: 'new', name: 'Again', clientRef: 'd' },
      { source: 'woo', externalId: 'two', name: 'Which' },
      { source: 'woo', name: 'No id' },
      { source: 'woo', externalId: 7, name: 'Number' },
      { source: 'woo', externalId: 'nameless' },
      { source: 'woo', externalId: 'old2', colour: 'red', name: 'X' },
      { source: 'shop', externalId: 'old', name: 'Another source' },
      { source: 'woo', externalId: 'same2', ifMatch: '"x"', name: 'Bound' },
      7,
    ],
  })
  const { summary, results } = succeeded(reply)
  assert.deepEqual(summary, { total: 12, succeeded: 4, failed: 8, created: 2, updated: 1, unchanged: 1 })
  assert.deepEqual(
    results.map(({ index, outcome, clientRef, error }: any) => [
      index,
      outcome ?? error.code,
      clientRef,
      error?.errors?.[0]?.pointer,
    ]),
    [
      [0, 'created', 'a', undefined],
      [1, 'updated', 'b', undefined],
      [2, 'unchanged', undefined, undefined],
      [3, 'duplicate_item', 'd', undefined],
      [4, 'conflict', undefined, '/items/4/externalId'],
      [5, 'validation_failed', undefined, '/items/5/externalId'],
      [6, 'validation_failed', undefined, '/items/6/externalId'],
      [7, 'validation_failed', undefined, '/items/7/name'],
      [8, 'validation_failed', undefined, '/items/8/colour'],
      [9, 'created', undefined, undefined],
      [10, 'version_mismatch', undefined, undefined],
      [11, 'validation_failed', undefined, '/items/11'],
    ],
  )
  for (const { id } of twice) assert.ok(results[4].error.message.includes(id))
  assert.deepEqual([results[1].data.id, results[2].data.id], [old.id, same.id])
  assert.equal(results[2].data.updatedAt, same.updatedAt)
})

test('without mode=upsert a bulk create makes new records, and another mode is 400', async () => {
  const { call } = await service.company()
  const items = [{ source: 'woo', externalId: '1', name: 'A' }]
  for (const path of ['/v1/products', '/v1/products?mode=create', '/v1/products'])
    assert.equal(succeeded(await call('POST', path, items)).results[0].outcome, undefined)
  assert.equal((await call('GET', '/v1/products')).body.meta.count, 3)
  assertProblem(await call('POST', '/v1/products?mode=replace', items), 400, 'validation_failed')
  assertProblem(await call('POST', '/v1/outlets?mode=upsert', [{ name: 'A' }]), 400, 'validation_failed')
})

test('If-Match binds an upsert to a version of an existing record', async () => {
  const { call } = await service.company()
  const etag = (await call('PUT', at('1'), { name: 'A' })).headers.get('etag') as string
  const bound = (externalId: string, tag: string) => call('PUT', at(externalId), { name: 'B' }, { 'if-match': tag })
  for (const tag of ['"other"', '*']) {
    const { message } = assertProblem(await bound('2', tag), 412, 'version_mismatch')
    assert.equal(message, 'There is no product with the source "woo" and externalId "2", so no version matches.')
  }
  assertProblem(await bound('1', '"other"'), 412, 'version_mismatch')
  assert.equal((await bound('1', etag)).status, 200)
  assertProblem(await bound('1', etag), 412, 'version_mismatch')
  assert.equal((await call('GET', '/v1/products')).body.meta.count, 1)
})

test('segments are percent-encoded, an empty one is 400, and a body of another pair is 400', async () => {
  const { call } = await service.company()
  for (const id of [
    'a/b',
    'a b',
    '100%',
    'ü',
    '?x=1#y',
    'a+b',
    '...',
    '~',
    '{x}',
    "'; drop table products",
    '😀',
    'x'.repeat(500),
  ]) {
    const { externalId, source } = succeeded(await call('PUT', at(id, 'my shop/1'), { name: 'A' }), 201)
    assert.deepEqual([externalId, source], [id, 'my shop/1'])
    assert.equal((await call('PUT', at(id, 'my shop/1'), { name: 'A' })).status, 200)
  }
  for (const [path, pointer] of [
    ['/v1/product/external/woo/', 'externalId'],
    ['/v1/product/external//7', 'source'],
    ['/v1/product/external//', 'source'],
    ['/v1/product/external/', 'source'],
    ['/v1/product/external', 'source'],
    ['/v1/product/external/woo', 'externalId'],
    ['/v1/variant/external/', 'externalId'],
    ['/v1/product/external/woo/%00', 'externalId'],
    [at('7', 'x'.repeat(101)), 'source'],
    [at('x'.repeat(501)), 'externalId'],
    [at('x'.repeat(9_000)), 'externalId'],
  ] as const) {
    const reply = await call('PUT', path, { name: 'A' })
    assertProblem(reply, 400, 'validation_failed', path)
    assert.deepEqual([reply.body.errors[0].in, reply.body.errors[0].pointer], ['path', pointer], path)
  }
  assertProblem(await call('PUT', '/v1/product/external/woo/%ff', { name: 'A' }), 404, 'not_found')
  // A path without a source, and one with a source that variants do not have, say what the path is.
  const short = await call('PUT', '/v1/product/external/7', { name: 'A' })
  assert.match(
    short.body.message,
    /must not be empty; the path is \/v1\/product\/external\/\{source\}\/\{externalId\}$/,
  )
  const long = assertProblem(await call('PUT', '/v1/variant/external/woo/7', {}), 404, 'not_found')
  assert.match(
    long.message,
    /does not exist; the path is \/v1\/variant\/external\/\{externalId\}, with \/ in an id as %2F\.$/,
  )
  for (const body of [
    { externalId: '8' },
    { source: 'shop' },
    { externalId: null },
    { externalId: '' },
    { source: 7 },
  ]) {
    const reply = await call('PUT', at('7'), { name: 'A', ...body })
    assertProblem(reply, 400, 'validation_failed')
    assert.equal(reply.body.errors[0].pointer, `/${Object.keys(body)[0]}`)
  }
  assertProblem(await call('PUT', at('7'), {}), 400, 'validation_failed')
  assertProblem(await call('PUT', at('7'), [1]), 400, 'validation_failed')
})

test('records that several requests made for one pair are 409 with their ids, until one is left', async () => {
  const { call } = await service.company()
  const made = await Promise.all(
    Array.from({ length: 12 }, async () =>
      succeeded(await call('POST', '/v1/variant', { productId: 'p', externalId: 'v' }), 201),
    ),
  )
  const refused = await call('PUT', '/v1/variant/external/v', { sku: 'S' })
  assertProblem(refused, 409, 'conflict')
  assert.equal(refused.body.errors.length, 10)
  for (const { id } of made.slice(1)) await call('DELETE', `/v1/variant/${id}`)
  assert.equal(succeeded(await call('PUT', '/v1/variant/external/v', { sku: 'S' })).id, made[0]?.id)
})

test('deleted customers do not count, and another company’s records are never found', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const path = '/v1/customer/external/woo/9'
  const { id } = succeeded(await call('PUT', path, { firstName: 'Ann' }), 201)
  await call('DELETE', `/v1/customer/${id}`)
  const again = succeeded(await call('PUT', path, { firstName: 'Ann' }), 201)
  assert.notEqual(again.id, id)
  assert.notEqual(succeeded(await other.call('PUT', path, { firstName: 'Bob' }), 201).id, again.id)
  assert.equal(succeeded(await call('PUT', path, {})).firstName, 'Ann')
})

test('an upsert needs the permissions create and update, single and in bulk', async () => {
  const { id } = await service.company()
  for (const allowed of [['create'], ['update'], ['read', 'delete']] as const) {
    const { call } = await service.keyFor(id, allowed)
    assertProblem(await call('PUT', at('1'), { name: 'A' }), 403, 'permission_denied')
    const bulk = await call('POST', '/v1/products?mode=upsert', [{ source: 'woo', externalId: '1', name: 'A' }])
    assertProblem(bulk, 403, 'permission_denied')
  }
  const { call } = await service.keyFor(id, ['create', 'update'])
  succeeded(await call('PUT', at('1'), { name: 'A' }), 201)
  const { paths } = (await service.caller()('GET', '/v1/openapi.json')).body
  const { description } = paths['/v1/product/external/{source}/{externalId}'].put
  assert.match(description, /The key needs the permissions `create` and `update` for `product`\.$/)
})

test('an Idempotency-Key returns the first answer with its status, and another body under it is 422', async () => {
  const { call } = await service.company()
  const headers = { 'idempotency-key': 'k1' }
  const first = await call('PUT', at('1'), { name: 'A' }, headers)
  const again = await call('PUT', at('1'), { name: 'A' }, headers)
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assertProblem(await call('PUT', at('1'), { name: 'B' }, headers), 422, 'idempotency_conflict')
  const update = await call('PUT', at('1'), { name: 'B' }, { 'idempotency-key': 'k2' })
  const updateAgain = await call('PUT', at('1'), { name: 'B' }, { 'idempotency-key': 'k2' })
  assert.deepEqual([update.status, updateAgain.status, updateAgain.text], [200, 200, update.text])
  const items = [{ source: 'woo', externalId: '2', name: 'C' }]
  const bulk = await call('POST', '/v1/products?mode=upsert', items, { 'idempotency-key': 'k3' })
  assert.equal((await call('POST', '/v1/products?mode=upsert', items, { 'idempotency-key': 'k3' })).text, bulk.text)
  assertProblem(await call('POST', '/v1/products', items, { 'idempotency-key': 'k3' }), 422, 'idempotency_conflict')
})

test('an upsert in a table of many records finds its pair by an index', { skip: skipOnCluster }, async () => {
  const { id, call } = await service.company()
  const items = Array.from({ length: 500 }, (_, n) => ({ source: 'woo', externalId: `x${n}`, name: 'P' }))
  succeeded(await call('POST', '/v1/products', items))
  await service.database.query('analyze products')
  const rows = await service.database.query(
    `explain select found.id from unnest(array['${id}'], array['x7'], array['woo']) with ordinality as item(company_id, external_id, source, number)
     cross join lateral (select stored.id from products as stored where stored.company_id = item.company_id and stored.external_id = item.external_id
       and stored.source = item.source order by stored.created_at, stored.id limit 10) as found`,
  )
  const plan = rows.map(([line]) => line).join('\n')
  assert.match(plan, /Index Scan using products_by_external_id/)
  assert.doesNotMatch(plan, /Seq Scan/)
})
