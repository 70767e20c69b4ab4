// Paging through lists by cursor: every record once, in order, during concurrent writes; and invalid cursors (decisions §3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacters } from './support/any-characters.ts'
import { isAlone, leastBody } from './support/bodies.ts'
import { type Body, contracts } from './support/contract.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const idsOf = (records: readonly Body[]) => records.map(({ id }) => id as string)

/** Follows nextCursor to the end; `meanwhile` runs in between the pages. */
async function walk(
  call: Caller,
  path: string,
  meanwhile: (page: number) => Promise<unknown> = async () => {},
): Promise<Body[]> {
  const records: Body[] = []
  let cursor = ''
  for (let n = 0; ; n++) {
    const { status, body, text } = await call('GET', path + cursor)
    assert.equal(status, 200, text)
    records.push(...body.data)
    if (body.meta.nextCursor === undefined) return records
    assert.equal(typeof body.meta.nextCursor, 'string')
    assert.ok(n < 1_000, 'a walk ends')
    cursor = `&cursor=${encodeURIComponent(body.meta.nextCursor)}`
    await meanwhile(n)
  }
}
async function make(call: Caller, many: string, items: readonly Body[]): Promise<Body[]> {
  const { body, text } = await call('POST', `/v1/${many}`, { items })
  assert.equal(body.summary?.failed, 0, text)
  return body.results.map(({ data }: Body) => data)
}

for (const contract of contracts)
  test(`/v1/${contract.many}: in each sort and direction paging returns every record once, in the order of the list`, async () => {
    const { call } = await service.company()
    const repeated = contract.sort.filter((member) => !isAlone(contract, member))
    const values = repeated.map((member) => contract.members[member]?.values)
    // Few values among many records: most are equal, and some unset.
    const items = upTo(17).map((n) => ({
      ...leastBody(contract),
      ...Object.fromEntries(repeated.flatMap((member, m) => (n % 3 < 2 ? [[member, values[m]?.[n % 3]]] : []))),
    }))
    await make(call, contract.many, items.slice(0, 9))
    const made = await make(call, contract.many, items.slice(9))
    await call('PATCH', `/v1/${contract.one}/${made[0]?.id}`, { [Object.keys(contract.members)[0] as string]: null })
    const numbered = contract.one === 'outlet' ? ['sequenceNumber'] : []
    for (const sortBy of ['createdAt', 'updatedAt', ...contract.sort, ...numbered])
      for (const sortOrder of ['asc', 'desc']) {
        const path = `/v1/${contract.many}?sortBy=${sortBy}&sortOrder=${sortOrder}`
        const { body } = await call('GET', path)
        assert.equal(body.data.length, 17)
        assert.equal(body.meta.nextCursor, undefined)
        for (const limit of sortOrder === 'asc' ? [1, 17] : [5])
          assert.deepEqual(await walk(call, `${path}&limit=${limit}`), body.data, path)
      }
  })

const sorts = ['createdAt', 'updatedAt', 'email', 'firstName', 'lastName'] as const

test('whatever the values, paging in any sort, direction and page size returns the whole list', async () => {
  const { call } = await service.company()
  const word = fc.oneof(
    fc.constantFrom('a', 'b', ''),
    fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !text.includes('\0')),
  )
  const customer = fc.record({ firstName: word, lastName: word }, { noNullPrototype: true, requiredKeys: [] })
  await fc.assert(
    fc.asyncProperty(
      fc.array(customer, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...sorts),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 9 }),
      async (customers, sortBy, sortOrder, limit) => {
        await make(
          call,
          'customers',
          customers.map((each) => ({ externalId: 'E', ...each })),
        )
        const path = `/v1/customers?sortBy=${sortBy}&sortOrder=${sortOrder}`
        const { body } = await call('GET', `${path}&limit=1000`)
        assert.deepEqual(await walk(call, `${path}&limit=${limit * 7}`), body.data)
      },
    ),
    { numRuns: 25 },
  )
})

test('numbers far apart in size are paged in their order', async () => {
  const { call } = await service.company()
  const prices = [1e300, -1e300, 1e-300, -1e-300, 0, 5e-324, 1.5, 1.25, Number.MAX_SAFE_INTEGER, -1]
  await make(call, 'variants', [...prices.map((price) => ({ productId: 'p', price })), { productId: 'p' }])
  const walked = await walk(call, '/v1/variants?sortBy=price&limit=2')
  assert.deepEqual(
    walked.map(({ price }) => price),
    [undefined, ...prices.toSorted((a, b) => a - b)],
  )
})

test('a record with the longest values of a sort does not end the paging', async () => {
  const { call } = await service.company()
  const names = ['\u0001'.repeat(500), '🦊'.repeat(500), '"\\'.repeat(250), 'x']
  await make(
    call,
    'customers',
    names.map((firstName) => ({ firstName })),
  )
  for (const sortOrder of ['asc', 'desc'])
    assert.equal((await walk(call, `/v1/customers?sortBy=firstName&sortOrder=${sortOrder}&limit=1`)).length, 4)
})

test('paging keeps its filters, and a page after a cursor counts all matches only on request', async () => {
  const { call } = await service.company()
  const made = await make(
    call,
    'customers',
    upTo(20).map((n) => ({ firstName: `Ann ${n}`, source: n % 2 ? 'pos' : 'api' })),
  )
  const expected = idsOf(made.filter(({ source }) => source === 'pos'))
  const path = '/v1/customers?source=pos&searchByFirstName=ANN&limit=3'
  assert.deepEqual(idsOf(await walk(call, path)), expected)
  const first = await call('GET', path)
  const second = await call('GET', `${path}&cursor=${first.body.meta.nextCursor}`)
  assert.equal(first.body.meta.count, 10)
  const { nextCursor, ...meta } = second.body.meta
  assert.deepEqual(meta, { skip: 0, limit: 3 })
  const counted = await call('GET', `${path}&count=true&cursor=${first.body.meta.nextCursor}`)
  assert.deepEqual(counted.body, { data: second.body.data, meta: { count: 10, skip: 0, limit: 3, nextCursor } })
  // Without a cursor the count is always there, and so it is on the last page if it was requested.
  assert.equal((await call('GET', `${path}&count=false`)).body.meta.count, 10)
  const last = await call('GET', `${path}&limit=1000&count=true&cursor=${nextCursor}`.replace('limit=3&', ''))
  assert.deepEqual(last.body.meta, { count: 10, skip: 0, limit: 1000 })
  assert.equal((await call('GET', `${path}&count=yes`)).status, 400)
})

/** Writes between two pages. */
const act = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'delete', 'touch'),
  at: fc.nat(),
  name: fc.constantFrom('a', 'b', 'c', ''),
})

test('records that exist throughout are returned exactly once in order, whatever is inserted and deleted between the pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sorts.filter((sort) => sort !== 'updatedAt')),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.array(act, { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      async (sortBy, sortOrder, limit, acts) => {
        const { call } = await service.company()
        const name = (n: number) => ['a', 'b', 'c', ''][n % 4] as string
        const there = await make(
          call,
          'customers',
          upTo(14).map((n) => ({
            externalId: 'E',
            firstName: name(n),
            lastName: name(n >> 1),
            ...(n % 3 && { email: `${n % 3}@a.example` }),
          })),
        )
        const path = `/v1/customers?sortBy=${sortBy}&sortOrder=${sortOrder}`
        const before = idsOf((await call('GET', path)).body.data)
        const gone = new Set<string>()
        const added: string[] = []
        const walked = await walk(call, `${path}&limit=${limit}`, async (n) => {
          for (const { kind, at, name } of acts[n] ?? []) {
            const id = there[at % there.length]?.id
            if (kind === 'insert')
              added.push(
                (await call('POST', '/v1/customer', { externalId: 'E', firstName: name, lastName: name })).body.id,
              )
            else if (kind === 'touch') await call('PATCH', `/v1/customer/${id}`, { phone: String(at) })
            else {
              await call('DELETE', `/v1/customer/${id}`)
              gone.add(id)
            }
          }
        })
        const ids = idsOf(walked)
        assert.equal(new Set(ids).size, ids.length, 'no record twice')
        assert.deepEqual(
          ids.filter((id) => before.includes(id) && !gone.has(id)),
          before.filter((id) => !gone.has(id)),
        )
        // In the default order, records inserted meanwhile are at the end.
        if (sortBy === 'createdAt' && sortOrder === 'asc')
          assert.deepEqual(
            ids.filter((id) => added.includes(id)),
            added,
          )
      },
    ),
    { numRuns: 25 },
  )
})

test('paging during parallel inserts and deletes returns each record that exists throughout exactly once', async () => {
  const { call } = await service.company()
  const there = await make(
    call,
    'categories',
    upTo(300).map((n) => ({ name: `n${n % 7}` })),
  )
  let walking = true
  const writers = upTo(4).map(async () => {
    for (let n = 0; walking; n++) {
      const { body } = await call('POST', '/v1/category', { name: `n${n % 7}` })
      if (n % 2) await call('DELETE', `/v1/category/${body.id}`)
    }
  })
  try {
    for (const order of ['sortBy=createdAt', 'sortBy=name&sortOrder=desc', 'sortBy=name'] as const) {
      // Newest first, the end comes soon however fast the writers are; oldest first, paging stops after all expected records.
      const met: string[] = []
      let cursor = ''
      while (cursor !== undefined && !there.every(({ id }) => met.includes(id))) {
        const { body } = await call('GET', `/v1/categories?${order}&limit=37${cursor && `&cursor=${cursor}`}`)
        met.push(...idsOf(body.data))
        cursor = body.meta.nextCursor
      }
      assert.equal(new Set(met).size, met.length)
      assert.deepEqual(new Set(there.map(({ id }) => id)).difference(new Set(met)), new Set())
    }
  } finally {
    walking = false
    await Promise.all(writers)
  }
})

test('a cursor belongs to its order: another sortBy, sortOrder or a skip with it is refused', async () => {
  const { call } = await service.company()
  await make(
    call,
    'customers',
    upTo(4).map((n) => ({ firstName: `n${n}` })),
  )
  const { body } = await call('GET', '/v1/customers?limit=2&sortBy=firstName')
  const cursor = `cursor=${body.meta.nextCursor}`
  assert.equal((await call('GET', `/v1/customers?sortBy=firstName&${cursor}`)).status, 200)
  assert.equal((await call('GET', `/v1/customers?sortBy=firstName&skip=0&${cursor}`)).status, 200)
  for (const query of [
    '',
    'sortBy=lastName',
    'sortBy=firstName&sortOrder=desc',
    'sortBy=firstName&skip=1',
    'sortBy=createdAt',
  ]) {
    const refused = await call('GET', `/v1/customers?${query}&${cursor}`)
    assert.equal(refused.status, 400, query)
    assert.equal(refused.body.errors[0].pointer, 'cursor')
  }
  assert.equal((await call('GET', `/v1/products?${cursor}`)).status, 400)
})

test('a cursor shows no record of another company', async () => {
  const { call } = await service.company()
  const other = await service.company()
  await make(
    other.call,
    'customers',
    upTo(4).map(() => ({ email: 'a@b.example' })),
  )
  const { body } = await other.call('GET', '/v1/customers?limit=1')
  const { status, body: own } = await call('GET', `/v1/customers?cursor=${body.meta.nextCursor}`)
  assert.equal(status, 200)
  assert.deepEqual(own.data, [])
})

const coded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const anId = '6740a1f2c3d4e5f6a7b8c9d0'

test('a cursor that this service did not issue is refused, whatever it is', async () => {
  const { call } = await service.company()
  await make(
    call,
    'transactions',
    upTo(3).map((n) => ({ paymentMethod: 'cash', amount: `${n}.5` })),
  )
  const time = '2026-11-21T09:30:00.000Z'
  for (const [query, cursor] of [
    ['', 'x'],
    ['', '%00'],
    ['', '%F0%9F%A6%8A'],
    ['', coded('[')],
    ['', coded('null')],
    ['', coded('{}')],
    ['', coded([])],
    ['', coded(['createdAt', 'asc', time])],
    ['', coded(['createdAt', 'asc', time, anId, 'more'])],
    ['', coded(['createdAt', 'asc', 5, anId])],
    ['', coded(['createdAt', 'asc', { a: 1 }, anId])],
    ['', coded(['createdAt', 'asc', time, null])],
    ['', coded(['createdAt', 'asc', '\0', anId])],
    ['', coded(['createdAt', 'asc', time, '\0'])],
    ['', 'A'.repeat(9_000)],
    ['sortBy=amount', coded(['amount', 'asc', 'many', anId])],
    ['sortBy=amount', coded(['amount', 'asc', '', anId])],
    ['sortBy=amount', coded(['amount', 'asc', '1e400000', anId])],
    ['sortBy=amount', coded(['amount', 'asc', '1; drop table events', anId])],
  ]) {
    const { status, body, text } = await call('GET', `/v1/transactions?${query}&cursor=${cursor}`)
    assert.equal(
      status,
      400,
      `${query} ${Buffer.from(cursor as string, 'base64url')
        .toString()
        .slice(0, 100)}: ${text.slice(0, 300)}`,
    )
    assert.equal(body.errors[0].pointer, 'cursor')
  }
})

test('any text as a cursor is refused or answered, never a failure', async () => {
  const { call } = await service.company()
  const value = fc.oneof(
    anyCharacters,
    fc.double().map(String),
    fc.constantFrom('Infinity', '-Infinity', 'NaN', '0x10', '\ud800', '9'.repeat(5_000)),
  )
  const forged = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .tuple(fc.constant('amount'), fc.constantFrom('asc', 'desc'), value, fc.oneof(fc.constant(anId), value))
      .map(coded),
    fc.json().map(coded),
  )
  await fc.assert(
    fc.asyncProperty(forged, fc.constantFrom('asc', 'desc'), async (cursor, sortOrder) => {
      const { status, text } = await call(
        'GET',
        `/v1/transactions?sortBy=amount&sortOrder=${sortOrder}&cursor=${encodeURIComponent(cursor)}`,
      )
      assert.ok(status === 200 || status === 400, `${status} ${text}`)
    }),
    { numRuns: 200 },
  )
})
