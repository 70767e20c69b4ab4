// Many concurrent writers, on one server and on two that share a database: nothing is lost or written twice, and no
// write fails because of another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newReference } from './support/bodies.ts'
import type { Body } from './support/contract.ts'
import { type FeedRow, feed } from './support/feed.ts'
import { type Caller, type Company, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** A new company, called through both servers. */
async function onBoth(): Promise<Company & { calls: [Caller, Caller] }> {
  const company = await service.company()
  return {
    ...company,
    calls: [company.call, service.caller({ 'x-api-key': company.key }, (await service.second()).url)],
  }
}
const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> => Promise.all(upTo(count).map(work))
async function made(call: Caller, many: string, items: readonly Body[]): Promise<Body[]> {
  const { body, text } = await call('POST', `/v1/${many}`, { items })
  assert.equal(body.summary?.failed, 0, text)
  return body.results.map(({ data }: Body) => data)
}
const count = <T>(all: readonly T[], one: T) => all.filter((each) => each === one).length
const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status)

/** Checks that each event starts from the record of the one before. The last must be the current record. */
function assertChain(events: readonly FeedRow[], last: Body): void {
  let record: Body | undefined
  for (const { type, data, previous } of events) {
    if (record !== undefined && !type.endsWith('.deleted')) {
      const before = { ...data, ...previous, updatedAt: record.updatedAt }
      const unset = Object.entries(previous ?? {}).flatMap(([member, value]) => (value === null ? [member] : []))
      assert.deepEqual(Object.fromEntries(Object.entries(before).filter(([member]) => !unset.includes(member))), record)
      assert.ok(data.updatedAt >= record.updatedAt)
    }
    record = data
  }
  assert.deepEqual(record, last)
}

for (const servers of [1, 2])
  test(`two hundred updates of one record at once through ${servers} server(s): each is answered, none is lost, each has its event`, async () => {
    const { id: companyId, calls } = await onBoth()
    const { body: customer } = await calls[0]('POST', '/v1/customer', { email: 'a@b.example' })
    const members = ['firstName', 'lastName', 'phone', 'outletId', 'externalId', 'source', 'metadata', 'billing']
    const sent = upTo(200).map((n) => {
      const member = members[n % members.length] as string
      const value = `value ${n}`
      return {
        [member]: member === 'metadata' ? [{ key: value, value }] : member === 'billing' ? { city: value } : value,
      }
    })
    const replies = await atOnce(200, (n) => {
      const call = calls[n % servers] as Caller
      if (n % 3 === 0) return call('PUT', `/v1/api/customers/${customer.id}`, sent[n])
      return call('PATCH', `/v1/customer/${customer.id}`, sent[n])
    })
    assert.equal(
      count(statusesOf(replies), 200),
      200,
      JSON.stringify(replies.find(({ status }) => status !== 200)?.body),
    )
    replies.forEach(({ body }, n) => {
      assert.deepEqual({ ...body, ...sent[n] }, body)
    })

    const events = await feed(service, companyId, customer.id)
    assert.equal(events.length, 201)
    const { body: last } = await calls[1]('GET', `/v1/customer/${customer.id}`)
    assertChain(events, last)
    // Each value was the record's once, in the event of its own update, and its caller got it.
    const reported = events.slice(1).map(({ data }) => JSON.stringify(data))
    assert.deepEqual(new Set(reported), new Set(replies.map(({ body }) => JSON.stringify(body))))
    for (const member of members) {
      const setter = events.findLast(({ previous }) => previous && member in previous)
      assert.deepEqual(last[member], setter?.data[member])
    }
  })

test('single and bulk updates of the same records through two servers: each leaves its event, and each record’s chain is complete', async () => {
  const { id: companyId, calls } = await onBoth()
  const customers = await made(
    calls[0],
    'customers',
    upTo(20).map((n) => ({ email: `${n}@b.example` })),
  )
  const replies = await atOnce(60, (n) => {
    const call = calls[n % 2] as Caller
    const of = customers[n % 20] as Body
    if (n % 4) return call('PATCH', `/v1/customer/${of.id}`, { phone: String(n) })
    return call('PATCH', '/v1/customers', { items: customers.map(({ id }) => ({ id, firstName: `bulk ${n}` })) })
  })
  assert.deepEqual(new Set(statusesOf(replies)), new Set([200]))
  for (const { body } of replies) assert.equal(body.summary?.failed ?? 0, 0)
  for (const [n, { id }] of customers.entries()) {
    const events = await feed(service, companyId, id)
    // Fifteen bulk updates change each record, and its own single ones.
    assert.equal(events.length, 1 + 15 + upTo(60).filter((each) => each % 4 && each % 20 === n).length)
    assertChain(events, (await calls[0]('GET', `/v1/customer/${id}`)).body)
  }
})

test('bulk updates over the same ids in opposite orders through two servers all succeed, and none is lost', async () => {
  const { id: companyId, calls } = await onBoth()
  const categories = await made(
    calls[0],
    'categories',
    upTo(400).map((n) => ({ name: `c${n}` })),
  )
  const ids = categories.map(({ id }) => id)
  // Moves rows on the disk, so that they are not stored in the order of their ids.
  await calls[0]('PATCH', '/v1/categories', {
    items: ids.filter((_, n) => n % 3 === 0).map((id) => ({ id, menuOrder: 1 })),
  })
  const orders = [ids, ids.toReversed(), [...ids.slice(200), ...ids.slice(0, 200)]]
  const replies = await atOnce(9, (n) => {
    const items = (orders[n % 3] as string[]).map((id) => ({ id, description: `by ${n}` }))
    return (calls[n % 2] as Caller)('PATCH', '/v1/categories', { items })
  })
  for (const { status, body, text } of replies) {
    assert.equal(status, 200, text.slice(0, 500))
    assert.equal(body.summary.succeeded, 400)
  }
  const events = Map.groupBy(await feed(service, companyId), ({ recordId }) => recordId)
  const { body } = await calls[0]('GET', '/v1/categories?limit=1000')
  for (const record of body.data) {
    const own = events.get(record.id) ?? []
    assert.equal(own.filter(({ data }) => data.description !== undefined).length, 9)
    assertChain(own, record)
  }
})

test('bulk deletes of the same ids in opposite orders, amid bulk updates, through two servers: each record is deleted once', async () => {
  const { id: companyId, calls } = await onBoth()
  const categories = await made(
    calls[0],
    'categories',
    upTo(600).map((n) => ({ name: `c${n}` })),
  )
  const ids = categories.map(({ id }) => id)
  await calls[0]('PATCH', '/v1/categories', {
    items: ids.filter((_, n) => n % 2 === 0).map((id) => ({ id, menuOrder: 1 })),
  })
  const replies = await atOnce(8, (n) => {
    const items = (n % 2 ? ids : ids.toReversed()).map((id) => ({ id, ...(n > 3 && { menuOrder: n }) }))
    return (calls[n % 2] as Caller)(n > 3 ? 'PATCH' : 'DELETE', '/v1/categories', { items })
  })
  for (const { status, text } of replies) assert.equal(status, 200, text.slice(0, 500))
  const deleted = replies
    .slice(0, 4)
    .flatMap(({ body }) => body.results.flatMap(({ status, id }: Body) => (status === 'success' ? [id] : [])))
  assert.deepEqual(deleted.toSorted(), ids.toSorted())
  const reported = (await feed(service, companyId)).filter(({ type }) => type === 'category.deleted')
  assert.equal(reported.length, 600)
})

test('a bulk write that PostgreSQL aborts to break a deadlock is retried and answered', async () => {
  const { id: companyId, call } = await service.company()
  for (const method of ['PATCH', 'DELETE']) {
    const [a, b] = (await made(call, 'roles', [{ name: 'a' }, { name: 'b' }])) as [Body, Body]
    const { waiting } = await service.database.transaction(async (transaction) => {
      // The other transaction detects the deadlock; this one's timeout is longer than the test.
      await transaction.query(`set local citus.propagate_set_commands = 'local'; set local deadlock_timeout = '60s'`)
      const lock = 'select 1 from roles where company_id = $1 and id = $2 for update'
      await transaction.query(lock, [companyId, b.id])
      const waiting = call(method, '/v1/roles', [
        { id: a.id, name: 'new' },
        { id: b.id, name: 'new' },
      ])
      // Once a can no longer be locked, it has locked a and waits for b.
      await transaction.query('savepoint free')
      for (let isFree = true; isFree; ) {
        isFree = (await transaction.query(`${lock} skip locked`, [companyId, a.id])).length > 0
        await transaction.query('rollback to savepoint free')
      }
      await transaction.query(lock, [companyId, a.id])
      return { waiting }
    })
    const answer = await waiting
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.summary, { total: 2, succeeded: 2, failed: 0 })
  }
})

test('a concurrent update and delete of one record: the update is answered or not found, and nothing follows the delete', async () => {
  const { id: companyId, calls } = await onBoth()
  for (const [one, many, isSoft] of [
    ['role', 'roles', false],
    ['customer', 'customers', true],
  ] as const) {
    const member = one === 'role' ? 'name' : 'firstName'
    const records = await made(
      calls[0],
      many,
      upTo(30).map((n) => ({ [member]: `n${n}` })),
    )
    await Promise.all(
      records.map(async ({ id }, n) => {
        const path = `/v1/${one}/${id}`
        const [first, removed, later, again] = (await Promise.all([
          (calls[n % 2] as Caller)('PATCH', path, { [member]: 'first' }),
          (calls[0] as Caller)('DELETE', path),
          (calls[1] as Caller)('PATCH', path, { [member]: 'later' }),
          (calls[1] as Caller)('DELETE', path),
        ])) as [Reply, Reply, Reply, Reply]
        const deletes = statusesOf([removed, again]).toSorted()
        assert.deepEqual(deletes, isSoft ? [200, 200] : [200, 404])
        for (const { status } of [first, later]) assert.ok(status === 200 || status === 404, String(status))
        const events = await feed(service, companyId, id)
        assert.equal(
          count(
            events.map(({ type }) => type),
            `${one}.deleted`,
          ),
          1,
        )
        assert.equal(events.at(-1)?.type, `${one}.deleted`)
        assert.equal(events.length - 2, count(statusesOf([first, later]), 200))
        const lastName = events.at(-2)?.data[member]
        assert.equal(events.at(-1)?.data[member], lastName)
      }),
    )
  }
})

test('of many concurrent creates of one inventory pair through two servers, exactly one is 201 and the others are 409', async () => {
  const { id: companyId, calls } = await onBoth()
  for (const round of upTo(5)) {
    const pair = { variantId: `v${round}`, outletId: 'o' }
    const replies = await atOnce(40, (n) => (calls[n % 2] as Caller)('POST', '/v1/inventory', { ...pair, stock: n }))
    assert.equal(count(statusesOf(replies), 201), 1)
    assert.equal(count(statusesOf(replies), 409), 39)
    const { body } = await calls[0]('GET', `/v1/inventories?variantId=v${round}`)
    assert.deepEqual(
      body.data,
      replies.filter(({ status }) => status === 201).map(({ body }) => body),
    )
  }
  assert.equal((await feed(service, companyId)).filter(({ type }) => type === 'inventory.created').length, 5)
})

test('concurrent bulk creates of the same pairs in opposite orders: each pair is created once, every other item is 409', async () => {
  const { calls } = await onBoth()
  const pairs = upTo(60).map((n) => ({ variantId: `v${n}`, outletId: 'o' }))
  const replies = await atOnce(6, (n) =>
    (calls[n % 2] as Caller)('POST', '/v1/inventories', { items: n % 2 ? pairs : pairs.toReversed() }),
  )
  const results = replies.flatMap(({ status, body, text }) => {
    assert.equal(status, 200, text.slice(0, 500))
    return body.results as Body[]
  })
  const won = results.flatMap(({ data }) => data?.variantId ?? [])
  assert.deepEqual(won.toSorted(), pairs.map(({ variantId }) => variantId).toSorted())
  assert.equal(
    count(
      results.map(({ error }) => error?.code),
      'conflict',
    ),
    5 * 60,
  )
})

test('refused creates do not affect concurrent ones', async () => {
  const { calls } = await onBoth()
  await calls[0]('POST', '/v1/inventory', { variantId: 'taken', outletId: 'o' })
  const replies = await atOnce(90, (n) =>
    calls[0](
      'POST',
      '/v1/inventory',
      n % 3 === 0 ? { variantId: 'taken', outletId: 'o' } : { variantId: n % 3 === 1 ? `v${n}` : 5, outletId: 'o' },
    ),
  )
  assert.deepEqual(
    statusesOf(replies),
    upTo(90).map((n) => [409, 201, 400][n % 3]),
  )
})

test('an update that conflicts does not affect concurrent updates of the same record', async () => {
  const { id: companyId, calls } = await onBoth()
  await calls[0]('POST', '/v1/inventory', { variantId: 'v', outletId: 'taken' })
  const { body: record } = await calls[0]('POST', '/v1/inventory', { variantId: 'v', outletId: 'o', stock: 0 })
  const replies = await atOnce(60, (n) =>
    calls[0]('PATCH', `/v1/inventory/${record.id}`, n % 3 === 0 ? { outletId: 'taken' } : { stock: n }),
  )
  assert.deepEqual(
    statusesOf(replies),
    upTo(60).map((n) => (n % 3 === 0 ? 409 : 200)),
  )
  const updated = (await feed(service, companyId, record.id)).filter(({ type }) => type === 'inventory.updated')
  assert.equal(updated.length, 40)
})

test('stock of one variant written for many outlets at once through two servers: every level is kept', async () => {
  const { calls } = await onBoth()
  const { body: variant } = await calls[0]('POST', '/v1/variant', { productId: 'p' })
  const replies = await atOnce(40, (n) =>
    (calls[n % 2] as Caller)('PATCH', `/v1/variant/${variant.id}`, { inventory: [{ outletId: `o${n}`, stock: n }] }),
  )
  assert.deepEqual(new Set(statusesOf(replies)), new Set([200]))
  const { body } = await calls[0]('GET', `/v1/variant/${variant.id}`)
  assert.deepEqual(new Set(body.inventory), new Set(upTo(40).map((n) => ({ outletId: `o${n}`, stock: n }))))
})

test('stock written through a variant is kept even if the inventory record is created at the same moment', async () => {
  const { calls } = await onBoth()
  for (const _ of upTo(15)) {
    const { body: variant } = await calls[0]('POST', '/v1/variant', { productId: newReference() })
    const [written, created] = (await Promise.all([
      calls[0]('PATCH', `/v1/variant/${variant.id}`, { inventory: [{ outletId: 'o', stock: 5 }] }),
      calls[1]('POST', '/v1/inventory', { variantId: variant.id, outletId: 'o', stock: 7 }),
      calls[1]('PATCH', `/v1/variant/${variant.id}`, { sku: 'S' }),
    ])) as [Reply, Reply, Reply]
    assert.equal(written.status, 200, written.text)
    assert.ok(created.status === 201 || created.status === 409)
    const { body } = await calls[0]('GET', `/v1/inventories?variantId=${variant.id}`)
    assert.deepEqual(
      body.data.map(({ stock }: Body) => stock),
      [5],
    )
  }
})

test('concurrent reads give each caller its own record', async () => {
  const { calls } = await onBoth()
  const other = await onBoth()
  const ours = await made(
    calls[0],
    'roles',
    upTo(30).map((n) => ({ name: `ours ${n}` })),
  )
  const theirs = await made(
    other.calls[0],
    'roles',
    upTo(30).map((n) => ({ name: `theirs ${n}` })),
  )
  const replies = await atOnce(120, (n) => {
    const id = (n % 4 < 2 ? ours : theirs)[n % 30]?.id
    return (n % 2 ? other : { calls }).calls[0]('GET', `/v1/role/${id}`)
  })
  replies.forEach(({ status, body }, n) => {
    const isOwn = n % 4 < 2 === (n % 2 === 0)
    assert.equal(status, isOwn ? 200 : 404)
    if (isOwn) assert.deepEqual(body, (n % 4 < 2 ? ours : theirs)[n % 30])
  })
})
