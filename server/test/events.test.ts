// What each write leaves in the event feed (decisions §9): its type, the record as the API shows it, and the former values of changed members.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullBody, leastBody, newReference, shown } from './support/bodies.ts'
import { type Body, contractOf, contracts } from './support/contract.ts'
import { type FeedRow, feed } from './support/feed.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

const typesOf = (events: readonly FeedRow[]) => events.map(({ type }) => type)
const typesSince = async (companyId: string, since = 0) => typesOf((await feed(service, companyId)).slice(since))

/** Further types that a full record of the resource raises, by operation. */
const further: Record<string, { created?: string[]; updated?: string[] }> = {
  session: { created: ['session.opened', 'session.closed'] },
  inventory: { created: ['inventory.stock_changed'], updated: ['inventory.stock_changed'] },
}

for (const contract of contracts) {
  const { one, many, isSoft } = contract
  const own = further[one] ?? {}

  test(`${one}: created, updated and deleted each leave one event with the record as it was returned`, async () => {
    const { id: companyId, call } = await service.company()
    const before = fullBody(contract)
    const { body: created } = await call('POST', `/v1/${one}`, before)
    const after = fullBody(contract, 1)
    const { body: updated } = await call('PATCH', `/v1/${one}/${created.id}`, after)
    await call('DELETE', `/v1/${one}/${created.id}`)

    const events = await feed(service, companyId)
    assert.deepEqual(typesOf(events), [
      `${one}.created`,
      ...(own.created ?? []),
      `${one}.updated`,
      ...(own.updated ?? []),
      `${one}.deleted`,
    ])
    for (const { resource, recordId, id, createdAt } of events) {
      assert.deepEqual({ resource, recordId }, { resource: one, recordId: created.id })
      assert.match(id, /^[0-9a-f]{24}$/)
      assert.match(createdAt, /^\d{4}-.*Z$/)
    }
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
    const last = events.pop() as FeedRow
    const madeNow = shown(contract, before)
    const madeLater = shown(contract, after)
    const changed = Object.keys(madeLater).filter(
      (member) => JSON.stringify(madeLater[member]) !== JSON.stringify(madeNow[member]),
    )
    const expected = Object.fromEntries(changed.map((member) => [member, madeNow[member]]))
    events.forEach(({ data, previous }, n) => {
      const isOfCreate = n <= (own.created ?? []).length
      assert.deepEqual(data, isOfCreate ? created : updated)
      assert.deepEqual(previous, isOfCreate ? null : expected)
    })
    if (isSoft) assert.deepEqual({ ...last.data, updatedAt: '' }, { ...updated, isDeleted: true, updatedAt: '' })
    else assert.deepEqual(last.data, updated)
  })

  test(`${one}: refused writes, writes without a change and reads leave no event`, async () => {
    const { id: companyId, call } = await service.company()
    const other = await service.company()
    const { body } = await call('POST', `/v1/${one}`, fullBody(contract))
    const theirs = (await other.call('POST', `/v1/${one}`, fullBody(contract))).body.id
    const count = (await feed(service, companyId)).length
    const theirCount = (await feed(service, other.id)).length
    const path = `/v1/${one}/${body.id}`
    for (const [method, where, sent] of [
      ['POST', `/v1/${one}`, { qqqqqq: 1 }],
      ['PATCH', path, { qqqqqq: 1 }],
      ['PATCH', path, {}],
      ['PATCH', path, body],
      ['PATCH', `/v1/${one}/${newReference()}`, fullBody(contract)],
      ['PATCH', `/v1/${one}/${theirs}`, fullBody(contract)],
      ['DELETE', `/v1/${one}/${theirs}`],
      ['DELETE', `/v1/${one}/x`],
      ['GET', path],
      ['GET', `/v1/${many}`],
      ['POST', `/v1/${many}`, [{ qqqqqq: 1 }, null]],
      ['PATCH', `/v1/${many}`, [{ id: body.id }, { id: theirs, ...fullBody(contract) }, {}]],
      ['DELETE', `/v1/${many}`, [{ id: theirs }, {}]],
    ] as const)
      await call(method, where, sent)
    assert.deepEqual(await typesSince(companyId, count), [])
    assert.equal((await feed(service, other.id)).length, theirCount)
    await call('DELETE', path)
    await call('DELETE', path)
    assert.deepEqual(await typesSince(companyId, count), [`${one}.deleted`])
  })

  test(`${many}: a bulk write leaves one event for each item that succeeded, in the order of the items`, async () => {
    const { id: companyId, call } = await service.company()
    const good = () => leastBody(contract)
    const { body: made } = await call('POST', `/v1/${many}`, [good(), { qqqqqq: 1 }, good(), good()])
    const records = made.results.flatMap(({ data }: Body) => data ?? [])
    const created = (await feed(service, companyId)).filter(({ type }) => type === `${one}.created`)
    // Records with unique values are written in their order.
    if (contract.unique) created.sort((a, b) => (a.recordId < b.recordId ? -1 : 1))
    assert.deepEqual(
      created.map(({ data }) => data),
      records,
    )
    const [a, b, c] = records as [Body, Body, Body]
    const { body: changed } = await call('PATCH', `/v1/${many}`, [
      { id: a.id, ...fullBody(contract, 1) },
      { id: newReference() },
      { id: b.id, qqqqqq: 1 },
      { id: c.id, ...fullBody(contract, 1) },
    ])
    const updated = (await feed(service, companyId)).filter(({ type }) => type === `${one}.updated`)
    assert.deepEqual(
      updated.map(({ data }) => data),
      [changed.results[0].data, changed.results[3].data],
    )
    await call('DELETE', `/v1/${many}`, [{ id: b.id }, { id: b.id }, { id: 'x' }, { id: a.id }])
    const deleted = (await feed(service, companyId)).filter(({ type }) => type === `${one}.deleted`)
    assert.deepEqual(new Set(deleted.map(({ recordId }) => recordId)), new Set([a.id, b.id]))
    assert.equal(deleted.length, 2)
  })
}

test('Style A and Style B writes leave the same events', async () => {
  const { id: companyId, call } = await service.company()
  const { body } = await call('POST', '/v1/api/customers', { email: 'a@b.example' })
  await call('PUT', `/v1/api/customer/${body.id}`, { firstName: 'Ann' })
  await call('DELETE', `/v1/api/customers/${body.id}`)
  const events = await feed(service, companyId)
  assert.deepEqual(typesOf(events), ['customer.created', 'customer.updated', 'customer.deleted'])
  assert.deepEqual(events[1]?.previous, { firstName: null })
})

test('previous has only changed members: null for one that was unset, and the old value for one that was cleared', async () => {
  const { id: companyId, call } = await service.company()
  const { body } = await call('POST', '/v1/customer', {
    email: 'a@b.example',
    firstName: 'Ann',
    tags: ['x'],
    externalId: 'E',
  })
  await call('PATCH', `/v1/customer/${body.id}`, {
    email: 'a@b.example',
    firstName: null,
    tags: ['x', 'y'],
    phone: '1',
    externalId: null,
  })
  const [, event] = await feed(service, companyId)
  assert.deepEqual(event?.previous, { firstName: 'Ann', tags: ['x'], phone: null, externalId: 'E', fromService: true })
  assert.deepEqual(Object.keys(event?.data ?? {}).includes('firstName'), false)
})

test('an order raises an event when it becomes completed, refunded or partly refunded, also at create, and only then', async () => {
  const { id: companyId, call } = await service.company()
  const types = async (work: () => Promise<unknown>) => {
    const since = (await feed(service, companyId)).length
    await work()
    return typesSince(companyId, since)
  }
  const create = (status?: string) => call('POST', '/v1/order', { summary: { total: '1.00' }, status })
  assert.deepEqual(await types(() => create()), ['order.created'])
  assert.deepEqual(await types(() => create('pending')), ['order.created'])
  assert.deepEqual(await types(() => create('completed')), ['order.created', 'order.completed'])
  assert.deepEqual(await types(() => create('refunded')), ['order.created', 'order.refunded'])
  assert.deepEqual(await types(() => create('partial-refund')), ['order.created', 'order.refunded'])
  const { body } = await create('parked')
  const path = `/v1/order/${body.id}`
  for (const [status, expected] of [
    ['pending', ['order.updated']],
    ['completed', ['order.updated', 'order.completed']],
    ['completed', []],
    ['partial-refund', ['order.updated', 'order.refunded']],
    ['refunded', ['order.updated', 'order.refunded']],
    ['completed', ['order.updated', 'order.completed']],
    [null, ['order.updated']],
    // A usual status is known in any case.
    ['COMPLETED', ['order.updated', 'order.completed']],
    ['Done', ['order.updated']],
  ] as const)
    assert.deepEqual(await types(() => call('PATCH', path, { status })), expected, String(status))
  await call('PATCH', path, { status: 'completed' })
  assert.deepEqual(await types(() => call('PATCH', path, { receiptId: 'R-1' })), ['order.updated'])
  const events = await feed(service, companyId, body.id)
  const reported = events.find(({ type }) => type === 'order.completed') as FeedRow
  assert.equal(reported.data.status, 'completed')
  assert.deepEqual(reported.previous, { status: 'pending' })
})

test('a session raises an event when it is created, and when closeTime is first set', async () => {
  const { id: companyId, call } = await service.company()
  const { body } = await call('POST', '/v1/session', { stationId: 's' })
  const path = `/v1/api/session/${body.id}`
  await call('PUT', path, { openingNote: 'x' })
  await call('PUT', path, { closeTime: '2026-11-21T18:00:00+01:00' })
  await call('PUT', path, { closeTime: '2026-11-21T19:00:00+01:00' })
  assert.deepEqual(await typesSince(companyId), [
    'session.created',
    'session.opened',
    'session.updated',
    'session.updated',
    'session.closed',
    'session.updated',
  ])
  const closed = (await feed(service, companyId)).find(({ type }) => type === 'session.closed')
  assert.equal(closed?.data.closeTime, '2026-11-21T17:00:00.000Z')
  assert.deepEqual(closed?.previous, { closeTime: null })
})

test('an inventory record raises an event when its stock changes, and for no other change', async () => {
  const { id: companyId, call } = await service.company()
  const { body } = await call('POST', '/v1/inventory', { variantId: 'v', outletId: 'o', stock: 2 })
  const path = `/v1/inventory/${body.id}`
  await call('PATCH', path, { stock: 3.5 })
  await call('PATCH', path, { stock: 3.5 })
  await call('PATCH', path, { outletId: 'p' })
  await call('PATCH', path, { stock: null })
  await call('DELETE', path)
  const events = await feed(service, companyId)
  assert.deepEqual(typesOf(events), [
    'inventory.created',
    'inventory.stock_changed',
    'inventory.updated',
    'inventory.stock_changed',
    'inventory.updated',
    'inventory.updated',
    'inventory.stock_changed',
    'inventory.deleted',
  ])
  assert.deepEqual(
    events
      .filter(({ type }) => type === 'inventory.stock_changed')
      .map(({ data, previous }) => [previous?.stock, data.stock]),
    [
      [undefined, 2],
      [2, 3.5],
      [3.5, 0],
    ],
  )
})

test('the sequence only increases, across companies and parallel writes', async () => {
  const companies = await Promise.all([service.company(), service.company(), service.company()])
  let last = 0
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      companies.flatMap(({ call }) => Array.from({ length: 5 }, () => call('POST', '/v1/role', { name: 'r' }))),
    )
    const rounds = (await Promise.all(companies.map(({ id }) => feed(service, id)))).map((events) =>
      events.slice(round * 5),
    )
    const sequences = rounds.flat().map(({ sequence }) => sequence)
    assert.equal(sequences.length, 15)
    assert.equal(new Set(sequences).size, 15)
    // Each write was answered before the next round began.
    assert.ok(Math.min(...sequences) > last)
    last = Math.max(...sequences)
  }
})

test('a write and its event are in the same transaction', async () => {
  const { id: companyId, call } = await service.company()
  await call('POST', '/v1/customers', { items: Array.from({ length: 20 }, (_, n) => ({ firstName: String(n) })) })
  const rows = await service.database.query(
    `select count(*) from customers as record join events as event
       on event.company_id = record.company_id and event.record_id = record.id and event.xmin = record.xmin
     where record.company_id = $1`,
    [companyId],
  )
  assert.equal(rows[0]?.[0], 20)
})

test('an event contains the numbers, texts and unknown nested members of the record exactly', async () => {
  const { id: companyId, call } = await service.company()
  const contract = contractOf('order')
  const body = {
    ...fullBody(contract),
    balance: '007.10',
    notes: [1e-7, 1e21, 'line\u2028sep "quoted" \\ 🦊', { __proto__x: [null] }],
    summary: { total: '1.0', deep: { er: [1.5, ''] } },
  }
  const created = await call('POST', '/v1/order', body)
  const [row] = await service.database.query('select data from events where company_id = $1', [companyId])
  assert.equal(row?.[0], created.text)
})
