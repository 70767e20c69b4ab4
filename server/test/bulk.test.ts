// Bulk requests (decisions §5): one result per item in the order of the request, and no item that affects another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertRecord, fullBody, leastBody, newReference } from './support/bodies.ts'
import { assertColumns } from './support/columns.ts'
import { type Body, contracts } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const emails = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `${n}@shop.example` }))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const ids = ({ body }: Reply) => body.results.map((result: Body) => result.data.id) as string[]
const statuses = ({ body }: Reply) =>
  body.results.map((result: Body) => result.error?.code ?? result.status) as string[]
const total = async (call: Caller, many: string) => (await call('GET', `/v1/${many}?limit=1`)).body.meta.count

/** Checks the envelope: one result per item, in order, and a summary that counts them. */
function assertEnvelope({ status, body, text }: Reply, items: number, failed: number): void {
  assert.equal(status, 200, text)
  assert.deepEqual(Object.keys(body), ['summary', 'results'])
  assert.deepEqual(body.summary, { total: items, succeeded: items - failed, failed })
  assert.deepEqual(
    body.results.map(({ index }: Body) => index),
    upTo(items),
  )
  assert.equal(body.results.filter(({ status }: Body) => status === 'error').length, failed)
}

for (const contract of contracts) {
  const { one, many, isSoft } = contract
  const path = `/v1/${many}`
  const outlet = one === 'outlet' && { sequenceNumber: 1 }

  test(`${many}: create, update and delete many, each item with its result and its clientRef, beside invalid items`, async () => {
    const { id: companyId, call } = await service.company()
    const good = [fullBody(contract), leastBody(contract), fullBody(contract, 1)] as [Body, Body, Body]
    const created = await call('POST', path, {
      items: [
        { ...good[0], clientRef: 'first' },
        { ...good[1], zzzzzzzz: 1, clientRef: 'wrong' },
        null,
        'text',
        { ...good[1], id: newReference(), clientRef: '' },
        [],
        { ...good[2], clientRef: 'é'.repeat(200) },
      ],
    })
    assertEnvelope(created, 7, 4)
    const results = created.body.results as Body[]
    for (const [at, body, clientRef] of [
      [0, good[0], 'first'],
      [4, good[1], ''],
      [6, good[2], 'é'.repeat(200)],
    ] as const) {
      const { index, status, data, ...rest } = results[at] as Body
      assert.deepEqual({ status, rest }, { status: 'success', rest: { clientRef } })
      assertRecord({ ...data, ...outlet }, contract, body, companyId)
      assert.deepEqual((await call('GET', `/v1/${one}/${data.id}`)).body, data)
    }
    const { error, ...rest } = results[1] as Body
    assert.deepEqual(rest, { index: 1, status: 'error', clientRef: 'wrong' })
    const { message, errors, ...coded } = error
    assert.deepEqual(coded, { statusCode: 400, code: 'validation_failed' })
    assert.equal(errors[0].pointer, '/items/1/zzzzzzzz')
    assert.equal(results[3]?.error.errors[0].pointer, '/items/3')

    const [a, b, c] = [results[0]?.data, results[4]?.data, results[6]?.data] as [Body, Body, Body]
    const change = fullBody(contract, 1)
    const updated = await call('PATCH', path, [
      { id: b.id, ...change, clientRef: 'b' },
      { id: newReference(), ...change },
      { ...change, clientRef: 'no id' },
      { id: a.id, qqqqqqqq: true },
      { id: c.id },
    ])
    assertEnvelope(updated, 5, 3)
    assert.deepEqual(statuses(updated), ['success', 'not_found', 'validation_failed', 'validation_failed', 'success'])
    const [first, second, third, fourth, last] = updated.body.results
    assert.equal(first.clientRef, 'b')
    assertRecord({ ...first.data, ...outlet }, contract, { ...change }, companyId)
    assert.equal(second.id.length, 24)
    assert.equal(second.error.statusCode, 404)
    assert.equal(third.error.errors[0].pointer, '/2/id')
    assert.equal(fourth.id, a.id)
    assert.equal(fourth.error.errors[0].pointer, '/3/qqqqqqqq')
    assert.deepEqual(last.data, c)
    assert.deepEqual((await call('GET', `/v1/${one}/${a.id}`)).body, a)

    const deleted = await call('DELETE', path, {
      items: [{ id: c.id, clientRef: 'c' }, { id: 'x' }, { id: a.id }, { id: a.id }, 7, { id: 8 }],
    })
    assertEnvelope(deleted, 6, 4)
    assert.deepEqual(deleted.body.results[0], { index: 0, status: 'success', clientRef: 'c', id: c.id })
    assert.deepEqual(statuses(deleted).slice(1), [
      'not_found',
      'success',
      'duplicate_item',
      'validation_failed',
      'validation_failed',
    ])
    assert.equal(await total(call, many), 1)
    const again = await call('DELETE', path, [{ id: a.id }, { id: b.id }])
    assert.deepEqual(statuses(again), [isSoft ? 'success' : 'not_found', 'success'])
  })

  test(`${many}: another company's ids are not found, in update and in delete, and its records are unchanged`, async () => {
    const { call } = await service.company()
    const other = await service.company()
    const [mine] = ids(await call('POST', path, [leastBody(contract)]))
    const made = await other.call('POST', path, [leastBody(contract), leastBody(contract)])
    const theirs = ids(made)
    const change = fullBody(contract, 1)
    const updated = await call('PATCH', path, [
      { id: theirs[0], ...change },
      { id: mine, ...change },
      { id: theirs[1] },
    ])
    assert.deepEqual(statuses(updated), ['not_found', 'success', 'not_found'])
    const deleted = await call('DELETE', path, [{ id: theirs[0] }, { id: mine }, { id: theirs[1] }])
    assert.deepEqual(statuses(deleted), ['not_found', 'success', 'not_found'])
    const { body } = await other.call('GET', path)
    assert.deepEqual(
      body.data,
      made.body.results.map(({ data }: Body) => data),
    )
  })
}

test('a bulk request that is not a list of 1 to 1,000 items is refused as a whole, and nothing of it is written', async () => {
  const { call } = await service.company()
  for (const method of ['POST', 'PATCH', 'DELETE'])
    for (const [body, pointer] of [
      [{}, '/items'],
      [{ items: null }, '/items'],
      [{ items: {} }, '/items'],
      [{ items: 'x' }, '/items'],
      [{ items: [] }, '/items'],
      [[], ''],
      ['"text"', ''],
      ['7', ''],
      ['null', ''],
      [{ items: [{ email: 'a@b.example' }], more: 1 }, '/more'],
      [{ item: [{ email: 'a@b.example' }] }, '/item'],
    ] as const) {
      const { status, body: problem } = await call(method, '/v1/customers', body)
      assert.equal(status, 400, `${method} ${JSON.stringify(body)}`)
      assert.equal(problem.code, 'validation_failed')
      assert.equal(problem.errors[0].pointer, pointer)
    }
  for (const method of ['POST', 'PATCH', 'DELETE'])
    for (const body of [{ items: emails(1_001) }, emails(1_001)]) {
      const { status, body: problem } = await call(method, '/v1/customers', body)
      assert.equal(status, 400)
      assert.equal(problem.code, 'too_many_items')
    }
  assert.equal(await total(call, 'customers'), 0)
})

test('a thousand items are created, updated and deleted in one request each, in order', async () => {
  const { id: companyId, call } = await service.company()
  const items = emails(1_000)
  const created = await call('POST', '/v1/customers', { items })
  assertEnvelope(created, 1_000, 0)
  assert.deepEqual(
    created.body.results.map(({ data }: Body) => data.email),
    items.map(({ email }) => email),
  )
  const list = await call('GET', '/v1/customers?limit=1000')
  assert.deepEqual(
    list.body.data,
    created.body.results.map(({ data }: Body) => data),
  )
  const all = ids(created)
  const updated = await call(
    'PATCH',
    '/v1/customers',
    all.toReversed().map((id, n) => ({ id, firstName: `No ${n}` })),
  )
  assertEnvelope(updated, 1_000, 0)
  assert.deepEqual(ids(updated), all.toReversed())
  const deleted = await call('DELETE', '/v1/customers', { items: all.map((id) => ({ id })) })
  assertEnvelope(deleted, 1_000, 0)
  assert.equal(await total(call, 'customers'), 0)
  assert.equal((await feed(service, companyId)).length, 3_000)
})

test('three conflicts among a thousand new records: those three are 409, all others are written, each once', async () => {
  const { id: companyId, call } = await service.company()
  const taken = [0, 499, 999].map((n) => ({ variantId: `v${n}`, outletId: 'o', stock: 1 }))
  await call('POST', '/v1/inventories', taken)
  const items = upTo(1_000).map((n) => ({ variantId: `v${n}`, outletId: 'o', stock: n }))
  const answer = await call('POST', '/v1/inventories', { items })
  assertEnvelope(answer, 1_000, 3)
  for (const n of [0, 499, 999]) {
    assert.equal(answer.body.results[n].error.statusCode, 409)
    assert.equal(answer.body.results[n].error.code, 'conflict')
  }
  assert.equal(await total(call, 'inventories'), 1_000)
  const created = (await feed(service, companyId)).filter(({ type }) => type === 'inventory.created')
  assert.equal(created.length, 1_000)
  assert.equal(new Set(created.map(({ recordId }) => recordId)).size, 1_000)
})

test('three conflicts among a thousand updates: those three are 409 and unchanged, all others are written', async () => {
  const { id: companyId, call } = await service.company()
  await call(
    'POST',
    '/v1/inventories',
    [0, 1, 2].map((n) => ({ variantId: 'taken', outletId: `o${n}` })),
  )
  const made = await call('POST', '/v1/inventories', {
    items: upTo(997).map((n) => ({ variantId: `v${n}`, outletId: 'o' })),
  })
  const spoilt = [3, 500, 996]
  const answer = await call('PATCH', '/v1/inventories', {
    items: ids(made).map((id, n) => {
      const at = spoilt.indexOf(n)
      return at === -1 ? { id, stock: n + 1 } : { id, stock: n + 1, variantId: 'taken', outletId: `o${at}` }
    }),
  })
  assertEnvelope(answer, 997, 3)
  assert.deepEqual(
    answer.body.results.flatMap(({ index, error }: Body) => (error?.code === 'conflict' ? [index] : [])),
    spoilt,
  )
  for (const n of spoilt) {
    const before = made.body.results[n].data
    assert.deepEqual((await call('GET', `/v1/inventory/${before.id}`)).body, before)
  }
  const updated = (await feed(service, companyId)).filter(({ type }) => type === 'inventory.updated')
  assert.equal(updated.length, 994)
})

test('the same unique key twice in one request: the first is written, the second is 409', async () => {
  const { call } = await service.company()
  const pair = { variantId: 'v', outletId: 'o' }
  const answer = await call('POST', '/v1/inventories', [
    { ...pair, stock: 1 },
    { ...pair, outletId: 'p' },
    { ...pair, stock: 2 },
    { ...pair, stock: 3 },
  ])
  assert.deepEqual(statuses(answer), ['success', 'success', 'conflict', 'conflict'])
  const { body } = await call('GET', '/v1/inventories?outletId=o')
  assert.deepEqual(
    body.data.map(({ stock }: Body) => stock),
    [1],
  )
  const shown = { productId: 'p', outletId: 'o', isVisible: true }
  const visibility = await call('POST', '/v1/catalog-visibilities', [shown, { ...shown, isVisible: false }])
  assert.deepEqual(statuses(visibility), ['success', 'conflict'])
})

test('a thousand items that all conflict are a thousand 409s', async () => {
  const { call } = await service.company()
  await call('POST', '/v1/inventory', { variantId: 'v', outletId: 'o' })
  const answer = await call('POST', '/v1/inventories', {
    items: upTo(1_000).map((stock) => ({ variantId: 'v', outletId: 'o', stock })),
  })
  assertEnvelope(answer, 1_000, 1_000)
  assert.deepEqual(new Set(statuses(answer)), new Set(['conflict']))
})

test('a duplicate id in an update: the first item is carried out, later ones are duplicate_item, even if the first is invalid', async () => {
  const { call } = await service.company()
  const [a, b] = ids(await call('POST', '/v1/customers', emails(2)))
  const answer = await call('PATCH', '/v1/customers', [
    { id: a, firstName: 'One' },
    { id: b, firstName: 5 },
    { id: a, firstName: 'Two', clientRef: 'again' },
    { id: b, firstName: 'Three' },
  ])
  assert.deepEqual(statuses(answer), ['success', 'validation_failed', 'duplicate_item', 'duplicate_item'])
  const { error, ...rest } = answer.body.results[2]
  assert.deepEqual(rest, { index: 2, status: 'error', clientRef: 'again', id: a })
  assert.equal(typeof error.message, 'string')
  assert.equal((await call('GET', `/v1/customer/${a}`)).body.firstName, 'One')
  assert.equal((await call('GET', `/v1/customer/${b}`)).body.firstName, undefined)
})

test('a deleted customer in a bulk update is not found, and the other items are updated', async () => {
  const { call } = await service.company()
  const [a, b] = ids(await call('POST', '/v1/customers', emails(2)))
  await call('DELETE', `/v1/customer/${a}`)
  const answer = await call(
    'PATCH',
    '/v1/customers',
    [a, b].map((id) => ({ id, firstName: 'New' })),
  )
  assert.deepEqual(statuses(answer), ['not_found', 'success'])
})

test('a clientRef that is not a string, or longer than 200 characters, is that item’s error', async () => {
  const { call } = await service.company()
  const answer = await call('POST', '/v1/customers', [
    { email: 'a@b.example', clientRef: 5 },
    { email: 'a@b.example', clientRef: 'x'.repeat(201) },
    { email: 'a@b.example', clientRef: '🦊'.repeat(200) },
    { email: 'a@b.example' },
  ])
  assert.deepEqual(statuses(answer), ['validation_failed', 'validation_failed', 'success', 'success'])
  assert.equal(answer.body.results[0].error.errors[0].pointer, '/0/clientRef')
  assert.equal(answer.body.results[2].clientRef, '🦊'.repeat(200))
  assert.equal('clientRef' in answer.body.results[3], false)
})

test('members that mean something to JavaScript are unknown members of an item, and do not reach other items', async () => {
  const { call } = await service.company()
  const answer = await call(
    'POST',
    '/v1/customers',
    '{"items": [{"email": "a@b.example", "__proto__": {"firstName": "x"}}, {"email": "c@b.example"}, {"email": "d@b.example", "constructor": 1}]}',
  )
  assert.deepEqual(statuses(answer), ['validation_failed', 'success', 'validation_failed'])
  assert.equal(answer.body.results[0].error.errors[0].pointer, '/items/0/__proto__')
  assert.equal(answer.body.results[1].data.firstName, undefined)
})

test('for any mix of valid and invalid items, exactly the valid ones are written', async () => {
  const { call } = await service.company()
  const bad: unknown[] = [
    null,
    5,
    [],
    {},
    { variantId: 'v' },
    { variantId: '', outletId: 'o' },
    { variantId: 'v', outletId: 'o', stock: '1' },
  ]
  const item = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record(
        { variantId: fc.constantFrom('a', 'b', 'c'), outletId: fc.nat(6).map(String) },
        { noNullPrototype: true },
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 40 }), async (items) => {
      const { body: before } = await call('GET', '/v1/inventories?limit=1000')
      const live = new Set(before.data.map(({ variantId, outletId }: Body) => `${variantId} ${outletId}`))
      const expected = items.map((each) => {
        if (bad.includes(each)) return 'validation_failed'
        const { variantId, outletId } = each as Body
        const pair = `${variantId} ${outletId}`
        if (live.has(pair)) return 'conflict'
        live.add(pair)
        return 'success'
      })
      const answer = await call('POST', '/v1/inventories', { items })
      assert.deepEqual(statuses(answer), expected)
      const { body: after } = await call('GET', '/v1/inventories?limit=1000')
      assert.deepEqual(new Set(after.data.map(({ variantId, outletId }: Body) => `${variantId} ${outletId}`)), live)
      assert.equal(after.meta.count, live.size)
    }),
    { numRuns: 25 },
  )
})

test('a deletion with further members is refused, and nothing of it is done', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const refused = await call('DELETE', '/v1/customers', { items: [{ id, ifVersion: '"9"' }] })
  assert.equal(refused.body.results[0].error.errors[0].pointer, '/items/0/ifVersion')
  const kept = await call('GET', `/v1/customer/${id}`)
  assert.equal(kept.body.isDeleted, false)
  const sentBack = await call('DELETE', '/v1/customers', { items: [kept.body] })
  assert.equal(sentBack.body.summary.succeeded, 1)
})

test('a record too large for a page is refused alone, at create and at update', async () => {
  const { call } = await service.company()
  const parts = Array.from({ length: 3 }, () => 'x'.repeat(1_000_000))
  const created = await call('POST', '/v1/customers', [{ firstName: 'Big', notes: parts }, { firstName: 'Small' }])
  assert.equal(created.body.results[0].error.code, 'payload_too_large')
  assert.equal(created.body.results[1].status, 'success')
  const { id } = created.body.results[1].data
  assert.equal((await call('PATCH', `/v1/customer/${id}`, { notes: parts })).status, 413)
  assert.equal((await call('GET', `/v1/customer/${id}`)).body.notes, undefined)
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
