// Lists of every resource in both styles: pages, links, counts, filters, sorts and ranges (pos-api.md, decisions §3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAlone, leastBody } from './support/bodies.ts'
import { type Body, type Contract, contractOf, contracts } from './support/contract.ts'
import type { Kind } from './support/kinds.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const idsOf = (records: readonly Body[]) => records.map(({ id }) => id as string)

/** Creates records in one bulk request; all must succeed. */
async function make(call: Caller, contract: Contract, bodies: readonly Body[]): Promise<Body[]> {
  const items = bodies.map((body) => ({ ...leastBody(contract), ...body }))
  const { body, text } = await call('POST', `/v1/${contract.many}`, { items })
  assert.equal(body.summary?.failed, 0, text)
  return body.results.map(({ data }: Body) => data)
}
const query = (parameters: Record<string, string | number>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')

/** A Style B list that must answer 200. */
async function page(call: Caller, many: string, parameters: Record<string, string | number> = {}): Promise<Body> {
  const { status, body, text } = await call('GET', `/v1/${many}?${query(parameters)}`)
  assert.equal(status, 200, text)
  return body
}
async function assertRefused(call: Caller, path: string, parameter: string): Promise<void> {
  const { status, body } = await call('GET', path)
  assert.equal(status, 400, path)
  assert.equal(body.code, 'validation_failed', path)
  assert.deepEqual(
    { in: body.errors[0].in, pointer: body.errors[0].pointer },
    { in: 'query', pointer: parameter },
    path,
  )
}
const linked = ({ headers }: Reply, relation: string) =>
  (headers.get('link') ?? '').match(new RegExp(`<([^>]*)>; rel="${relation}"`))?.[1]

for (const contract of contracts) {
  const { one, many, styleA, members } = contract

  if (styleA)
    test(`/v1/api/${styleA.list}: a bare array in order of creation, by skip and limit, with links to its end and back`, async () => {
      const { call } = await service.company()
      const other = await service.company()
      const path = `/v1/api/${styleA.list}`
      const empty = await call('GET', path)
      assert.equal(empty.status, 200)
      assert.deepEqual(empty.body, [])
      const made = await make(
        call,
        contract,
        upTo(7).map(() => ({})),
      )
      await make(other.call, contract, [{}])
      assert.deepEqual((await call('GET', path)).body, made)
      assert.deepEqual((await call('GET', `${path}?skip=2&limit=3`)).body, made.slice(2, 5))

      const forth: Body[] = []
      let at: string | undefined = `${path}?limit=3&total=true`
      let last = at
      while (at) {
        const answer = await call('GET', at)
        assert.equal(answer.headers.get('x-total-count'), '7')
        assert.equal(linked(answer, 'first'), `${path}?limit=3&total=true&skip=0`)
        forth.push(...answer.body)
        last = at
        at = linked(answer, 'next')
      }
      assert.deepEqual(forth, made)
      const back: Body[] = []
      for (at = last; at; ) {
        const answer = await call('GET', at)
        back.unshift(...answer.body)
        at = linked(answer, 'prev')
      }
      assert.deepEqual(back, made)
    })

  test(`/v1/${many}: data and meta, by skip and limit, with the exact count`, async () => {
    const { call } = await service.company()
    const other = await service.company()
    assert.deepEqual(await page(call, many), { data: [], meta: { count: 0, skip: 0, limit: 100 } })
    const made = await make(
      call,
      contract,
      upTo(5).map(() => ({})),
    )
    await make(other.call, contract, [{}])
    assert.deepEqual(await page(call, many), { data: made, meta: { count: 5, skip: 0, limit: 100 } })
    for (const [parameters, expected, meta] of [
      [{ skip: 1, limit: 2 }, made.slice(1, 3), { skip: 1, limit: 2 }],
      [{ skip: 4, limit: 2 }, made.slice(4), { skip: 4, limit: 2 }],
      [{ skip: 5 }, [], { skip: 5, limit: 100 }],
      [{ skip: 99, limit: 1 }, [], { skip: 99, limit: 1 }],
      [{ limit: 0 }, made, { skip: 0, limit: 100 }],
      [{ limit: 1000 }, made, { skip: 0, limit: 1000 }],
      [{ sortOrder: 'desc' }, made.toReversed(), { skip: 0, limit: 100 }],
    ] as const) {
      const { data, meta: { nextCursor, ...shown } } = await page(call, many, parameters) // biome-ignore format: one thought
      assert.deepEqual(data, expected)
      assert.deepEqual(shown, { count: 5, ...meta })
    }
  })

  test(`/v1/${many}: an unknown or wrong parameter is refused by name`, async () => {
    const { call } = await service.company()
    const wrong: [string, string][] = [
      ['limit=1001', 'limit'],
      ['limit=-1', 'limit'],
      ['limit=x', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['skip=-1', 'skip'],
      ['skip=x', 'skip'],
      ['skip=9999999999999999999', 'skip'],
      ['page=2', 'page'],
      ['includedeleted=true', 'includedeleted'],
      ['__proto__=1', '__proto__'],
    ]
    const styleB: [string, string][] = [
      ['sortBy=companyId', 'sortBy'],
      ['sortOrder=up', 'sortOrder'],
      ['createdAt=2026-11-21', 'createdAt'],
      ['createdAt[gte]=yesterday', 'createdAt[gte]'],
      ['updatedAt[eq]=2026-11-21', 'updatedAt[eq]'],
      ['createdAt[gte]=2026-02-30', 'createdAt[gte]'],
    ]
    for (const [text, parameter] of [...wrong, ...styleB]) await assertRefused(call, `/v1/${many}?${text}`, parameter)
    if (styleA) for (const [text, name] of wrong) await assertRefused(call, `/v1/api/${styleA.list}?${text}`, name)
  })

  test(`/v1/${many}: each exact filter finds exactly its records, and counts them`, async () => {
    const { call } = await service.company()
    const other = await service.company()
    for (const member of contract.exact) {
      const { values, wrong } = members[member] as Kind
      const [mine, another] = values as [string, string]
      const made = await make(call, contract, [{ [member]: mine }, { [member]: another }, { [member]: mine }, {}])
      await make(other.call, contract, [{ [member]: mine }])
      const expected = made.filter((record) => record[member] === mine)
      const { data, meta } = await page(call, many, { [member]: mine })
      assert.deepEqual(data, expected, member)
      assert.equal(meta.count, expected.length, member)
      assert.equal((await page(call, many, { [member]: mine, limit: 1 })).meta.count, expected.length, member)
      const otherCase = mine.toLowerCase() === mine ? mine.toUpperCase() : mine.toLowerCase()
      // A currency and usual words (a status, a type or payment method of a transaction) are accepted in any case, everything else exactly.
      const isAnyCase = ['currency', 'status', 'transaction type', 'transaction paymentMethod'].some((any) =>
        `${one} ${member}`.endsWith(any),
      )
      const inOtherCase = isAnyCase ? expected.length : 0
      // A member of a few words takes no other one.
      const isClosed = wrong.some(([value]) => value === 'another')
      for (const [word, count] of [[`${mine.slice(0, -1)}%`, 0], [otherCase, inOtherCase]] as const) // biome-ignore format: one thought
        if (isClosed) await assertRefused(call, `/v1/${many}?${new URLSearchParams({ [member]: word })}`, member)
        else assert.equal((await page(call, many, { [member]: word })).meta.count, count, member)
      for (const { id } of (await page(call, many, { limit: 1000 })).data) await call('DELETE', `/v1/${one}/${id}`)
    }
  })

  for (const member of contract.any ?? [])
    test(`/v1/${many}: ${member} finds the records with any of a comma-separated list, each once`, async () => {
      const { call } = await service.company()
      const made = await make(call, contract, [
        { [member]: ['a', 'b'] },
        { [member]: ['b', 'c'] },
        { [member]: ['d e', 'ab'] },
        { [member]: [] },
        {},
      ])
      for (const [sought, expected] of [
        ['a', [0]],
        ['b', [0, 1]],
        ['a,c', [0, 1]],
        ['c,d e', [1, 2]],
        ['c, d e ,', [1, 2]],
        [',a,,c', [0, 1]],
        [',', []],
        ['ab', [2]],
        ['B', []],
        ['x,y', []],
        ['%', []],
      ] as const) {
        const { data, meta } = await page(call, many, { [member]: sought })
        assert.deepEqual(
          data,
          expected.map((n) => made[n]),
          sought,
        )
        assert.equal(meta.count, expected.length)
      }
    })

  test(`/v1/${many}: createdAt and updatedAt from a response find their record, and their bounds are exact`, async () => {
    const { call } = await service.company()
    const made: Body[] = []
    for (const _ of upTo(3)) made.push(...(await make(call, contract, [{}])))
    for (const member of ['createdAt', 'updatedAt']) {
      const [, middle] = made as [Body, Body, Body]
      const at = middle[member]
      const same = made.filter((record) => record[member] === at)
      const exactly = await page(call, many, { [`${member}[gte]`]: at, [`${member}[lte]`]: at })
      assert.deepEqual(exactly.data, same)
      assert.equal(exactly.meta.count, same.length)
      for (const [bound, holds] of [
        ['gte', (time: string) => time >= at],
        ['lte', (time: string) => time <= at],
        ['gt', (time: string) => time > at],
        ['lt', (time: string) => time < at],
      ] as const) {
        const { data, meta } = await page(call, many, { [`${member}[${bound}]`]: at, limit: 1 })
        const expected = made.filter((record) => holds(record[member]))
        assert.deepEqual(data, expected.slice(0, 1))
        assert.equal(meta.count, expected.length)
      }
      const none = await page(call, many, { [`${member}[gt]`]: at, [`${member}[lt]`]: at })
      assert.equal(none.meta.count, 0)
    }
  })

  const isRequired = (member: string) => members[member]?.required === true
  for (const sortBy of contract.sort)
    test(`/v1/${many}: sorted by ${sortBy} in both directions, equal values by age, unset ones first`, async () => {
      const { call } = await service.company()
      const isNumber = members[sortBy]?.order === 'number'
      // The other member keeps a customer without e-mail valid.
      const other = contract.oneOf && { [contract.oneOf[1] as string]: members[contract.oneOf[1] as string]?.values[0] }
      const all = valuesOf(members[sortBy] as Kind)
      const values = isAlone(contract, sortBy) ? [...new Set(all)] : all
      const made = await make(
        call,
        contract,
        [...values, ...(isRequired(sortBy) ? [] : [undefined])].map((value) => ({ ...other, [sortBy]: value })),
      )
      const rank = (record: Body) => {
        const value = record[sortBy]
        return isNumber ? Number(value ?? Number.NEGATIVE_INFINITY) : (value ?? '')
      }
      const expected = made.toSorted((a, b) => (rank(a) < rank(b) || (rank(a) === rank(b) && a.id < b.id) ? -1 : 1))
      assert.deepEqual(idsOf((await page(call, many, { sortBy })).data), idsOf(expected))
      const down = await page(call, many, { sortBy, sortOrder: 'desc', limit: 4, skip: 1 })
      assert.deepEqual(idsOf(down.data), idsOf(expected.toReversed().slice(1, 5)))
      assert.equal(down.meta.count, made.length)
    })
}

/** Values of a kind in no order, some of them equal; numbers that would sort otherwise as text. */
function valuesOf({ values: [first], order }: Kind): unknown[] {
  if (order === 'number') {
    const numbers = ['10', '9.5', '-1', '10.00', '100', '-10', '0']
    return typeof first === 'string' ? numbers : numbers.map(Number)
  }
  const text = String(first)
  if (/^\d{4}-/.test(text))
    return [
      '2026-11-21T09:30:00.000Z',
      '2024-01-01T00:00:00.000Z',
      '2026-11-21T09:30:00.000Z',
      '2026-11-21T09:29:59.999Z',
    ]
  return ['m', 'b', 'zz', 'b', 'ba', 'a'].map((letters) => (text.includes('@') ? `${letters}@shop.example` : letters))
}

test('outlets are sorted by their number', async () => {
  const { call } = await service.company()
  const made = await make(
    call,
    contractOf('outlet'),
    upTo(12).map(() => ({})),
  )
  const { data } = await page(call, 'outlets', { sortBy: 'sequenceNumber', sortOrder: 'desc' })
  assert.deepEqual(data, made.toReversed())
})

test('all records, newest changed first: updatedAt sorts', async () => {
  const { call } = await service.company()
  const made = await make(
    call,
    contractOf('customer'),
    upTo(3).map(() => ({})),
  )
  await call('PATCH', `/v1/customer/${made[0]?.id}`, { firstName: 'Later' })
  const { data } = await page(call, 'customers', { sortBy: 'updatedAt', sortOrder: 'desc' })
  assert.deepEqual(idsOf(data), idsOf([made[0], made[2], made[1]] as Body[]))
})

test('sessions: openTime and closeTime take ranges; a session without the time is in none', async () => {
  const { call } = await service.company()
  const times = ['2026-11-20T08:00:00.000Z', '2026-11-21T08:00:00.000Z', '2026-11-22T08:00:00.000Z']
  for (const member of ['openTime', 'closeTime']) {
    const made = await make(call, contractOf('session'), [...times.map((time) => ({ [member]: time })), {}])
    for (const [parameters, expected] of [
      [{ [`${member}[gte]`]: '2026-11-21' }, [1, 2]],
      [{ [`${member}[lt]`]: '2026-11-21T09:00:00+01:00' }, [0]],
      [{ [`${member}[lte]`]: '2026-11-21T09:00:00+01:00' }, [0, 1]],
      [{ [`${member}[gt]`]: times[0] as string, [`${member}[lt]`]: times[2] as string }, [1]],
      [{ [`${member}[lt]`]: '9999-12-31' }, [0, 1, 2]],
      [{ [`${member}[gt]`]: '0001-01-01' }, [0, 1, 2]],
    ] as const) {
      const { data, meta } = await page(call, 'sessions', parameters as Record<string, string>)
      assert.deepEqual(
        data,
        expected.map((n) => made[n]),
      )
      assert.equal(meta.count, expected.length)
    }
  }
})

test('a thousand records fit on one page, and the default limit is a hundred', async () => {
  const { call } = await service.company()
  const customer = contractOf('customer')
  const made = [
    ...(await make(
      call,
      customer,
      upTo(1_000).map(() => ({})),
    )),
    ...(await make(call, customer, [{}])),
  ]
  assert.deepEqual((await page(call, 'customers', { limit: 1_000 })).data, made.slice(0, 1_000))
  assert.equal((await page(call, 'customers')).data.length, 100)
  assert.equal((await page(call, 'customers', { limit: 0 })).data.length, 100)
  for (const text of ['', '?limit=0']) {
    const { body, headers } = await call('GET', `/v1/api/customers${text}`)
    assert.equal(body.length, 100)
    assert.equal(headers.get('x-total-count'), null)
  }
  assert.equal((await call('GET', '/v1/api/customers?limit=1000')).body.length, 1_000)
  assert.equal((await call('GET', '/v1/api/customers?total=true')).headers.get('x-total-count'), '1001')
})

test('customers: filters, searches and ranges combine, and the count is that of all of them', async () => {
  const { call } = await service.company()
  const made = await make(call, contractOf('customer'), [
    { firstName: 'Ann', source: 'pos', outletId: 'o1', tags: ['vip'] },
    { firstName: 'Anna', source: 'pos', outletId: 'o1', tags: ['vip', 'new'] },
    { firstName: 'Hannah', source: 'pos', outletId: 'o2', tags: ['new'] },
    { firstName: 'Bob', source: 'pos', outletId: 'o1', tags: ['vip'] },
    { firstName: 'Ann', source: 'api', outletId: 'o1', tags: ['vip'] },
  ])
  const both = { searchByFirstName: 'ANN', source: 'pos', 'createdAt[lte]': '9999-01-01' }
  for (const [parameters, expected] of [
    [both, [0, 1, 2]],
    [{ ...both, outletId: 'o1' }, [0, 1]],
    [{ ...both, tags: 'new,other' }, [1, 2]],
    [{ ...both, tags: 'new', outletId: 'o1' }, [1]],
    [{ ...both, searchByEmail: 'nobody' }, []],
    [{ ...both, 'updatedAt[lt]': '2001-01-01' }, []],
  ] as const) {
    const { data, meta } = await page(call, 'customers', parameters as Record<string, string>)
    assert.deepEqual(
      data,
      expected.map((n) => made[n]),
    )
    assert.equal(meta.count, expected.length)
    assert.equal((await page(call, 'customers', { ...(parameters as object), limit: 1 })).meta.count, expected.length)
  }
})

test('a filter by a member of a few words refuses any other word, which could match nothing', async () => {
  const { call } = await service.company()
  for (const [query, right] of [
    ['cash-movements?type=payin', 'pay-in, pay-out, drop, float'],
    ['inventory-history?kind=sale', 'SALE, RETURN, RECEIVED, DAMAGE, THEFT, LOSS, TRANSFER, ADJUSTMENT, RECOUNT'],
  ] as const) {
    const [error] = assertProblem(await call('GET', `/v1/${query}`), 400, 'validation_failed', query).errors
    assert.deepEqual([error.code, error.message], ['enum', `must be one of ${right}`])
  }
  assert.equal((await call('GET', '/v1/cash-movements?type=pay-in')).status, 200)
})

test('customers: deleted ones are counted and listed only with includeDeleted', async () => {
  const { call } = await service.company()
  const made = await make(
    call,
    contractOf('customer'),
    upTo(3).map(() => ({ source: 'pos' })),
  )
  await call('DELETE', `/v1/customer/${made[1]?.id}`)
  assert.deepEqual(idsOf((await page(call, 'customers', { source: 'pos' })).data), [made[0]?.id, made[2]?.id])
  for (const [parameters, count] of [
    [{}, 2],
    [{ includeDeleted: 'false' }, 2],
    [{ includeDeleted: 'true' }, 3],
    [{ includeDeleted: 'true', source: 'pos', limit: 1 }, 3],
  ] as const)
    assert.equal((await page(call, 'customers', parameters as Record<string, string>)).meta.count, count)
  await assertRefused(call, '/v1/customers?includeDeleted=maybe', 'includeDeleted')
  assert.equal((await call('GET', '/v1/api/customers?total=true')).headers.get('x-total-count'), '2')
})
