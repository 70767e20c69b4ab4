// Versions (decisions §12): a record's ETag identifies its content, saves repeated reads, and prevents overwriting unseen changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullBody, leastBody, newReference } from './support/bodies.ts'
import { type Body, contracts } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const tagOf = ({ headers }: Reply): string => headers.get('etag') ?? ''
const ifMatch = (tag: string) => ({ 'if-match': tag })

for (const contract of contracts) {
  const { one, styleA, unique = [] } = contract
  const paths = [`/v1/${one}`, ...(styleA?.one ?? []).map((name) => `/v1/api/${name}`)]

  test(`${one}: its ETag is the same under every path, at create, read and update, and differs exactly when the response does`, async () => {
    const { call } = await service.company()
    for (const path of paths) {
      const update = path.startsWith('/v1/api/') ? 'PUT' : 'PATCH'
      const body = fullBody(contract)
      const created = await call('POST', path, body)
      assert.match(tagOf(created), /^"[\w-]{22}"$/)
      const { id } = created.body
      for (const each of paths) {
        const read = await call('GET', `${each}/${id}`)
        assert.deepEqual([tagOf(read), read.text], [tagOf(created), created.text])
        assert.equal(tagOf(await call('HEAD', `${each}/${id}`)), tagOf(created))
      }
      assert.equal(tagOf(await call(update, `${path}/${id}`, body)), tagOf(created))
      const change = fullBody(contract, 1)
      for (const member of unique) delete change[member]
      const updated = await call(update, `${path}/${id}`, change)
      assert.equal(tagOf(updated) === tagOf(created), updated.text === created.text, updated.text)
      assert.equal(tagOf(await call('GET', `${path}/${id}`)), tagOf(updated))
    }
  })

  test(`${one}: an update and a delete with another version’s If-Match are 412 in each style and change nothing`, async () => {
    const company = await service.company()
    const { call } = company
    for (const path of paths) {
      const update = path.startsWith('/v1/api/') ? 'PUT' : 'PATCH'
      const created = await call('POST', path, leastBody(contract))
      const { id } = created.body
      const events = await feed(service, company.id, id)
      const change = fullBody(contract, 1)
      for (const member of unique) delete change[member]
      for (const tag of [`"${'x'.repeat(22)}"`, `W/${tagOf(created)}`, '"a", "b"']) {
        assertProblem(await call(update, `${path}/${id}`, change, ifMatch(tag)), 412, 'version_mismatch')
        assertProblem(await call('DELETE', `${path}/${id}`, undefined, ifMatch(tag)), 412, 'version_mismatch')
      }
      const weak = await call(update, `${path}/${id}`, change, ifMatch(`W/${tagOf(created)}`))
      assert.match(
        weak.body.message,
        /^A weak ETag .* a proxy or the client has made it weak/,
        'It has not changed since it was read.',
      )
      assert.equal((await call('GET', `${path}/${id}`)).text, created.text)
      assert.deepEqual(await feed(service, company.id, id), events)
      const updated = await call(update, `${path}/${id}`, change, ifMatch(`"a", ${tagOf(created)}`))
      assert.equal(updated.status, 200, updated.text)
      const gone = await call('DELETE', `${path}/${id}`, undefined, ifMatch(tagOf(updated)))
      assert.equal(gone.status, 200, gone.text)
    }
  })
}

test('a reader with the current version gets 304 without a body, for a weak tag, a list of tags, or *', async () => {
  const { call } = await service.company()
  const created = await call('POST', '/v1/customer', { firstName: 'Ann' })
  const tag = tagOf(created)
  for (const path of ['/v1/customer', '/v1/api/customer', '/v1/api/customers'])
    for (const known of [tag, `W/${tag}`, `"a", W/"b", ${tag}`, '*']) {
      const reply = await call('GET', `${path}/${created.body.id}`, undefined, { 'if-none-match': known })
      assert.deepEqual([reply.status, reply.text, tagOf(reply)], [304, '', tag])
      assert.ok(reply.headers.get('x-request-id'))
    }
  for (const other of ['"a"', 'W/"a"', '', 'nonsense, "'])
    assert.equal(
      (await call('GET', `/v1/customer/${created.body.id}`, undefined, { 'if-none-match': other })).status,
      200,
    )
  assertProblem(await call('GET', `/v1/customer/${noId}`, undefined, { 'if-none-match': '*' }), 404, 'not_found')
  const changed = await call('PATCH', `/v1/customer/${created.body.id}`, { firstName: 'Bea' })
  const reply = await call('GET', `/v1/customer/${created.body.id}`, undefined, { 'if-none-match': tag })
  assert.deepEqual([reply.status, reply.body], [200, changed.body])
})

test('If-None-Match on a write is refused and not ignored, and nothing is written', async () => {
  const { call } = await service.company()
  const created = await call('PUT', '/v1/product/external/shop/118', { name: 'Cup' })
  for (const tag of ['*', tagOf(created), '"a"', ''])
    for (const [method, path] of [
      ['PUT', '/v1/product/external/shop/118'],
      ['PATCH', `/v1/product/${created.body.id}`],
      ['PUT', `/v1/api/product/${created.body.id}`],
      ['DELETE', `/v1/product/${created.body.id}`],
      ['POST', '/v1/product'],
      ['POST', '/v1/products'],
    ] as const) {
      const body = { name: 'Mug' }
      const sent = method === 'DELETE' ? undefined : path === '/v1/products' ? [body] : body
      const { errors } = assertProblem(
        await call(method, path, sent, { 'if-none-match': tag }),
        400,
        'validation_failed',
      )
      assert.deepEqual([errors[0].in, errors[0].pointer, errors[0].code], ['header', 'if-none-match', 'unknown'])
    }
  assert.deepEqual((await call('GET', '/v1/products')).body.data, [created.body])
})

test('If-Match: * requires only that the record exists; for a missing record, 404 comes first', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/product', { name: 'Cup' })).body
  assert.equal((await call('PATCH', `/v1/product/${id}`, { name: 'Mug' }, ifMatch('*'))).status, 200)
  assert.equal((await call('DELETE', `/v1/product/${id}`, undefined, ifMatch('*'))).status, 200)
  for (const tag of ['*', '"a"']) {
    assertProblem(await call('PATCH', `/v1/product/${id}`, { name: 'x' }, ifMatch(tag)), 404, 'not_found')
    assertProblem(await call('DELETE', `/v1/product/${id}`, undefined, ifMatch(tag)), 404, 'not_found')
  }
})

test('an If-Match that no version can have is 412 and says so, instead of that the record has changed', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const path = `/v1/customer/${id}`
  const messageOf = async (method: string, tag: string) => {
    const body = method === 'PATCH' ? { firstName: 'Bea' } : undefined
    return assertProblem(await call(method, path, body, ifMatch(tag)), 412, 'version_mismatch').message
  }
  for (const method of ['PATCH', 'DELETE']) {
    for (const tag of ['5', 'latest', '"5"', '"a", W/"b"'])
      assert.match(await messageOf(method, tag), /is not an ETag of this service/, tag)
    for (const tag of [`"${'x'.repeat(22)}"`, 'x'.repeat(22), `"5", "${'x'.repeat(22)}"`])
      assert.match(await messageOf(method, tag), /^The record has changed/, tag)
  }
  const items = [{ id, firstName: 'Bea', ifMatch: '5' }]
  const { error } = (await call('PATCH', '/v1/customers', { items })).body.results[0]
  assert.equal(error.code, 'version_mismatch')
  assert.match(error.message, /is not an ETag of this service/)
})

test('an If-Match without an ETag is 400 and names the header; if no version applies it is refused and not ignored', async () => {
  const { call } = await service.company()
  const created = await call('POST', '/v1/customer', { firstName: 'Ann' })
  const path = `/v1/customer/${created.body.id}`
  for (const tag of ['', ',', '"', 'a b', '"a" "b"', '*, "a"', '"a"b']) {
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { firstName: 'x' } : undefined
      const { errors } = assertProblem(await call(method, path, body, ifMatch(tag)), 400, 'validation_failed', tag)
      assert.deepEqual([errors[0].in, errors[0].pointer], ['header', 'if-match'])
    }
  }
  const refused: [string, string, unknown][] = [
    ['POST', '/v1/customer', { firstName: 'x' }],
    ['POST', '/v1/customers', [{ firstName: 'x' }]],
    ['POST', '/v1/inventories/adjust', { items: [] }],
    ['PATCH', '/v1/customers', [{ id: created.body.id, firstName: 'x' }]],
    ['DELETE', '/v1/customers', [{ id: created.body.id }]],
  ]
  for (const [method, at, body] of refused) {
    const reply = await call(method, at, body, ifMatch(tagOf(created)))
    const { message } = assertProblem(reply, 400, 'validation_failed')
    assert.equal(message.endsWith('send ifMatch with each item'), method !== 'POST')
    assert.equal(
      message.endsWith('with mode=upsert, send ifMatch with the items'),
      at === '/v1/customers' && method === 'POST',
    )
  }
  for (const list of [`, ${tagOf(created)}`, `"a",, ${tagOf(created)},`])
    assert.equal((await call('PATCH', path, { firstName: 'Ann' }, ifMatch(list))).status, 200, 'an empty element')
  // A tag that lost its quotes on the way is still unambiguous.
  const bare = tagOf(created).replaceAll('"', '')
  assert.equal((await call('PATCH', path, { firstName: 'Bea' }, ifMatch(bare))).status, 200)
  assertProblem(await call('PATCH', path, { firstName: 'Cleo' }, ifMatch(bare)), 412, 'version_mismatch')
})

for (const [what, method] of [
  ['updates', 'PATCH'],
  ['deletes', 'DELETE'],
] as const)
  test(`of ten concurrent ${what} with one version’s If-Match, through two servers, one is done`, async () => {
    const { id: companyId, call, key } = await service.company()
    const calls: Caller[] = [call, service.caller({ 'x-api-key': key }, (await service.second()).url)]
    for (const resource of ['customer', 'product', 'variant']) {
      const made = await call('POST', `/v1/${resource}`, leastOf(resource))
      const { id } = made.body
      const change = (n: number) => (method === 'DELETE' ? undefined : { [nameOf(resource)]: String(n) })
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (calls[n % 2] as Caller)(method, `/v1/${resource}/${id}`, change(n), ifMatch(tagOf(made))),
        ),
      )
      const statuses = replies.map(({ status }) => status).sort()
      assert.equal(statuses[0], 200)
      for (const status of statuses.slice(1))
        assert.ok(status === 412 || (status === 404 && method === 'DELETE'), String(statuses))
      assert.equal((await feed(service, companyId, id)).length, 2)
    }
  })

const nameOf = (resource: string): string => ({ customer: 'firstName', product: 'name' })[resource] ?? 'sku'
const leastOf = (resource: string): Body => ({
  [nameOf(resource)]: 'a',
  ...(resource === 'variant' && { productId: 'p' }),
})

test('an item of a bulk update or delete with another version fails alone with version_mismatch', async () => {
  const { call } = await service.company()
  for (const [one, many] of [
    ['customer', 'customers'],
    ['product', 'products'],
  ] as const) {
    const made = await Promise.all([0, 1, 2, 3].map((n) => call('POST', `/v1/${one}`, { [nameOf(one)]: `${n}` })))
    const items = (wrong: number) =>
      made.map((reply, n) => ({ id: reply.body.id, ifMatch: n === wrong ? '"other"' : tagOf(reply) }))
    const updated = await call(
      'PATCH',
      `/v1/${many}`,
      items(2).map((item) => ({ ...item, [nameOf(one)]: 'new' })),
    )
    assert.deepEqual(updated.body.summary, { total: 4, succeeded: 3, failed: 1 })
    const { statusCode, code } = updated.body.results[2].error
    assert.deepEqual([statusCode, code], [412, 'version_mismatch'])
    assert.equal(updated.body.results[0].data.ifMatch, undefined)
    // The earlier versions: only the record that was not updated still has its one.
    const removed = await call('DELETE', `/v1/${many}`, items(-1))
    assert.deepEqual(
      removed.body.results.map(({ status, error }: Body) => error?.code ?? status),
      ['version_mismatch', 'version_mismatch', 'success', 'version_mismatch'],
    )
    assert.equal((await call('GET', `/v1/${many}`)).body.meta.count, 3)
  }
})

test('an ifMatch of an item that is not an ETag is that item’s error, and for creates an unknown member', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/customer', { firstName: 'Ann' })).body
  for (const wrong of [5, {}, '', 'a b', ['"a"']]) {
    const { body } = await call('PATCH', '/v1/customers', { items: [{ id, ifMatch: wrong, firstName: 'x' }] })
    const { code, errors } = body.results[0].error
    assert.deepEqual([code, errors[0].pointer], ['validation_failed', '/items/0/ifMatch'])
  }
  const created = await call('POST', '/v1/customers', [{ firstName: 'x', ifMatch: '*' }])
  assert.equal(created.body.results[0].error.errors[0].pointer, '/0/ifMatch')
  assert.equal((await call('GET', `/v1/customer/${id}`)).body.firstName, 'Ann')
})

test('a variant’s ETag follows every change of its stock, and its updatedAt does not', async () => {
  const { call } = await service.company()
  const outletId = newReference()
  const made = await call('POST', '/v1/variant', { productId: 'p', inventory: [{ outletId, stock: 1 }] })
  const path = `/v1/variant/${made.body.id}`
  const [level] = (await call('GET', `/v1/inventories?variantId=${made.body.id}`)).body.data
  await call('PATCH', `/v1/inventory/${level.id}`, { stock: 2 })
  const after = await call('GET', path)
  assert.notEqual(tagOf(after), tagOf(made))
  assert.equal(after.body.updatedAt, made.body.updatedAt)
  assertProblem(await call('PATCH', path, { sku: 'x' }, ifMatch(tagOf(made))), 412, 'version_mismatch')
  await call('PATCH', `/v1/inventory/${level.id}`, { stock: 1 })
  assert.equal((await call('PATCH', path, { sku: 'x' }, ifMatch(tagOf(made)))).status, 200)
})

test('lists and bulk results have no ETag of their own', async () => {
  const { call } = await service.company()
  assert.equal(tagOf(await call('POST', '/v1/customers', [{ firstName: 'Ann' }])), '')
  for (const path of ['/v1/customers', '/v1/api/customers']) assert.equal(tagOf(await call('GET', path)), '')
})
