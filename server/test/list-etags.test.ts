// A list with `etags=true` has the version of each record, so that a client that read it can change these records without reading each again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullBody, leastBody } from './support/bodies.ts'
import { type Body, contracts } from './support/contract.ts'
import { fields, makeTable, oid, refused, succeeded } from './support/custom-tables.ts'
import { link, loyal } from './support/extended-customers.ts'
import { assertProblem } from './support/problem.ts'
import { routes } from './support/routes.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** What a single read returns, with its ETag as the member of a list. */
async function readWithEtag(call: Caller, path: string): Promise<Body> {
  const { body, headers } = await call('GET', path)
  return { ...body, etag: headers.get('etag') }
}

/** The records of a list as they are without their ETags. */
const withoutEtags = (records: readonly Body[]): Body[] => records.map(({ etag: _, ...record }) => record)

for (const contract of contracts) {
  const { one, many, styleA } = contract
  const lists = [`/v1/${many}`, ...(styleA ? [`/v1/api/${styleA.list}`] : [])]

  test(`${many}: lists and bulk results with etags=true have each record with the ETag of its single read, others none`, async () => {
    const { call } = await service.company()
    const items = [fullBody(contract), leastBody(contract)]
    const { results } = succeeded(await call('POST', `/v1/${many}?etags=true`, { items }))
    const made: Body[] = results.map(({ data }: Body) => data)
    const read = await Promise.all(made.map(({ id }) => readWithEtag(call, `/v1/${one}/${id}`)))
    assert.deepEqual(
      made.map(({ etag }) => etag),
      read.map(({ etag }) => etag),
    )
    for (const path of lists) {
      const recordsOf = ({ body }: { body: any }): Body[] => body.data ?? body
      assert.deepEqual(recordsOf(await call('GET', `${path}?etags=true`)), read)
      assert.deepEqual(recordsOf(await call('GET', `${path}?etags=false`)), withoutEtags(read))
      assert.deepEqual(recordsOf(await call('GET', path)), withoutEtags(read))
    }
    const changes = read.map(({ id, etag }) => ({ id, ifMatch: etag }))
    const changed = succeeded(await call('PATCH', `/v1/${many}?etags=true`, { items: changes }))
    assert.deepEqual(
      changed.results.map(({ data }: Body) => data.etag),
      read.map(({ etag }) => etag),
    )
    const plain = succeeded(await call('PATCH', `/v1/${many}`, { items: changes }))
    assert.deepEqual(
      plain.results.map(({ data }: Body) => data),
      withoutEtags(read),
    )
  })
}

test('the ETag of a record that a bulk update or upsert has changed is that of its new version', async () => {
  for (const contract of contracts) {
    const { one, many } = contract
    const { call } = await service.company()
    const { id } = succeeded(await call('POST', `/v1/${one}`, leastBody(contract)), 201)
    const item = { ...fullBody(contract), id }
    const etagIn = async (method: string, path: string, items: readonly Body[]) => {
      const { data, outcome } = succeeded(await call(method, path, { items })).results[0]
      assert.deepEqual(data, await readWithEtag(call, `/v1/${one}/${data.id}`), many)
      return [data.etag, outcome]
    }
    const before = (await readWithEtag(call, `/v1/${one}/${id}`)).etag
    assert.notEqual((await etagIn('PATCH', `/v1/${many}?etags=true`, [item]))[0], before, many)
    const upsertPath = routes.find(({ path }) => path.startsWith(`/v1/${one}/external/`))?.path
    if (upsertPath === undefined) continue
    const pair = { externalId: 'E-1', ...(upsertPath.includes('{source}') && { source: 'woo' }) }
    const upsert = async (body: Body) => (await etagIn('POST', `/v1/${many}?mode=upsert&etags=true`, [body]))[1]
    const outcomes = [
      await upsert({ ...leastBody(contract), ...pair }),
      await upsert({ ...fullBody(contract), ...pair }),
    ]
    assert.deepEqual(outcomes, ['created', 'updated'], many)
  }
})

test('records that were read with their ETags are changed in bulk, and only one that was changed meanwhile fails', async () => {
  const { call } = await service.company()
  const { id: productId } = succeeded(await call('POST', '/v1/product', { name: 'Tea' }), 201)
  const levels = [{ outletId: 'main', stock: 4 }]
  const items = ['A', 'B', 'C'].map((sku) => ({ sku, productId, price: 5, manageStock: true, inventory: levels }))
  await call('POST', '/v1/variants', { items })
  const { data } = succeeded(await call('GET', '/v1/variants?etags=true'))
  // A sale changes what the second shows, and another user the third.
  const { id: sold } = data[1]
  succeeded(
    await call('POST', '/v1/inventories/adjust', {
      items: [{ variantId: sold, outletId: 'main', delta: -1, kind: 'SALE' }],
    }),
  )
  succeeded(await call('PATCH', `/v1/variant/${data[2].id}`, { price: 6 }))
  const changes = data.map(({ id, etag }: Body) => ({ id, ifMatch: etag, price: 7 }))
  const { results } = succeeded(await call('PATCH', '/v1/variants', { items: changes }))
  assert.deepEqual(
    results.map(({ status, error }: Body) => error?.code ?? status),
    ['success', 'version_mismatch', 'version_mismatch'],
  )
})

test('every way to read a page has the ETags: a cursor, a skip, a look-up, a search, ids', async () => {
  const { call } = await service.company()
  const items = Array.from({ length: 30 }, (_, n) => ({ firstName: `Ann ${n}`, externalId: `C-${n}` }))
  succeeded(await call('POST', '/v1/customers', { items }))
  const { data } = succeeded(await call('GET', '/v1/customers?limit=1000&etags=true'))
  const last = await readWithEtag(call, `/v1/customer/${data[29].id}`)
  const { meta } = succeeded(await call('GET', '/v1/customers?etags=true&limit=29'))
  for (const query of [
    `limit=29&cursor=${meta.nextCursor}`,
    'externalId=C-29',
    'skip=29',
    'searchByFirstName=nn 29',
    'search=29',
    `id=${last.id}`,
  ])
    assert.deepEqual(succeeded(await call('GET', `/v1/customers?etags=true&${query}`)).data, [last], query)
})

test('the ETag covers the columns of custom tables, and no table can take its name', async () => {
  const { call } = await service.company()
  await makeTable(call, loyal, 'loyalty')
  const { id } = succeeded(await call('POST', '/v1/customer', { firstName: 'Ann', loyalty: { points: 3 } }), 201)
  const { data } = succeeded(await call('GET', '/v1/customers?etags=true'))
  assert.deepEqual(data, [await readWithEtag(call, `/v1/customer/${id}`)])
  const { id: tableId } = await makeTable(call, {}, 'etag')
  const customers = await call('POST', fields, { tableId: oid(tableId), name: 'customer', ...link })
  assert.deepEqual(refused(customers), ['/referenceLinkedCollection', 'reserved'])
})

test('the ETag of a record whose create shows a secret is that of the masked record', async () => {
  const { call } = await service.company()
  const items = [
    { triggerType: 'customer.*', triggerUrl: 'https://example.com/', apiKey: 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQ=' },
  ]
  const { results } = succeeded(await call('POST', '/v1/automation-triggers?etags=true', { items }))
  const { data } = results[0]
  assert.match(data.apiKey, /^whsec_c2/)
  assert.equal(data.etag, (await readWithEtag(call, `/v1/automation-trigger/${data.id}`)).etag)
})

test('a dry run has no ETags, since its records are no versions', async () => {
  const { call } = await service.company()
  const reply = await call('POST', '/v1/customers?etags=true&dryRun=true', { items: [{ firstName: 'Ann' }] })
  assert.equal(succeeded(reply).results[0].data.etag, undefined)
})

test('an etag in a body is refused, with the place where it belongs, and not ignored', async () => {
  const { call } = await service.company()
  const { id } = succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const { data } = succeeded(await call('GET', '/v1/customers?etags=true'))
  const message = '/etag: is not known; to change only that version, send it as If-Match, or as ifMatch of an item'
  const single = await call('PATCH', `/v1/customer/${id}`, data[0])
  assert.equal(assertProblem(single, 400, 'validation_failed').message, message)
  const { results } = succeeded(await call('PATCH', '/v1/customers', { items: data }))
  assert.match(results[0].error.message, /send it as If-Match, or as ifMatch of an item$/)
})

test('a list with ids has these records of the company alone, whatever else it is told to filter and sort by', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const { id: foreign } = succeeded(await other.call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const items = ['Ann', 'Bea', 'Cleo', 'Dora'].map((firstName) => ({ firstName, outletId: 'main' }))
  const { results } = succeeded(await call('POST', '/v1/customers', { items }))
  const [ann, bea, cleo] = results.map(({ data }: Body) => data.id)
  succeeded(await call('DELETE', `/v1/customer/${cleo}`))
  const namesOf = async (query: string) => {
    const { data, meta } = succeeded(await call('GET', `/v1/customers?${query}`))
    assert.equal(meta.count, data.length)
    return data.map(({ firstName }: Body) => firstName)
  }
  const ids = [bea, foreign, ann, 'nobody', cleo].join(',')
  assert.deepEqual(await namesOf(`id=${ids}`), ['Ann', 'Bea'])
  assert.deepEqual(await namesOf(`id=${bea}&id=${ann}`), ['Ann', 'Bea'])
  assert.deepEqual(await namesOf(`id=${bea}, ${ann}&sortBy=updatedAt&sortOrder=desc&outletId=main`), ['Bea', 'Ann'])
  assert.deepEqual(await namesOf(`id=${ids}&includeDeleted=true&createdAt[gte]=2020-01-01`), ['Ann', 'Bea', 'Cleo'])
  assert.deepEqual(await namesOf(`id=${ids}&searchByFirstName=be`), ['Bea'])
  const { errors } = assertProblem(await call('GET', `/v1/customers?id=${'a,'.repeat(100)}b`), 400, 'validation_failed')
  assert.deepEqual([errors[0].pointer, errors[0].message], ['id', 'must not name more than 100 records'])
  const none = assertProblem(await call('GET', '/v1/customers?id='), 400, 'validation_failed')
  assert.deepEqual([none.errors[0].pointer, none.errors[0].message], ['id', 'must not be empty'])
})

test('a list with several external ids has the records of each, whatever characters an id has, and counts them', async () => {
  const { call } = await service.company()
  const make = (source: string, externalId: string) => ({ name: 'Tea', source, externalId })
  const items = [make('erp', 'P-1'), make('erp', 'P,2'), make('erp', 'P-3'), make('shop', 'P-1')]
  succeeded(await call('POST', '/v1/products', { items }))
  const found = async (query: string) => {
    const { data, meta } = succeeded(await call('GET', `/v1/products?${query}`))
    return { pairs: data.map(({ source, externalId }: Body) => `${source} ${externalId}`), count: meta.count }
  }
  const wanted = 'externalId=P-1&externalId=P%2C2&externalId=nothing'
  assert.deepEqual((await found(`${wanted}&source=erp`)).pairs, ['erp P-1', 'erp P,2'])
  assert.deepEqual((await found(`${wanted}&sortOrder=desc`)).pairs, ['shop P-1', 'erp P,2', 'erp P-1'])
  assert.deepEqual((await found('externalId=P,2')).pairs, ['erp P,2'])
  assert.deepEqual((await found('externalId=P-1&externalId=P-1&source=shop')).pairs, ['shop P-1'])
  for (let n = 0; n < 2; n++) assert.deepEqual(await found(`${wanted}&limit=1`), { pairs: ['erp P-1'], count: 3 })
  succeeded(await call('POST', '/v1/product', make('erp', 'nothing')), 201)
  assert.equal((await found(`${wanted}&limit=1`)).count, 4)
  const tooMany = await call('GET', `/v1/products?${'externalId=a&'.repeat(101)}`)
  const { errors } = assertProblem(tooMany, 400, 'validation_failed')
  assert.deepEqual([errors[0].pointer, errors[0].code, errors[0].limit], ['externalId', 'maxItems', 100])
  const twice = assertProblem(await call('GET', '/v1/products?source=a&source=b'), 400, 'validation_failed')
  assert.equal(twice.errors[0].code, 'duplicate')
})
