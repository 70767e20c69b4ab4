// What each member of each resource accepts and refuses (decisions §1, §2), and that accepted values are returned unchanged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertRecord, fullBody, leastBody, newReference } from './support/bodies.ts'
import { type Body, type Contract, contracts } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** Parts small enough for one bulk request each. */
function* parts<T>(items: readonly T[]): Generator<readonly T[]> {
  let from = 0
  let size = 0
  for (let at = 0; at < items.length; at++) {
    const own = JSON.stringify(items[at]).length
    if (at > from && (at - from === 1_000 || size + own > 3_000_000)) {
      yield items.slice(from, at)
      from = at
      size = 0
    }
    size += own
  }
  if (from < items.length) yield items.slice(from)
}

async function bulk(call: Caller, method: string, path: string, items: readonly Body[]): Promise<Body[]> {
  const results: Body[] = []
  for (const part of parts(items)) {
    const { status, body, text } = await call(method, path, { items: part })
    assert.equal(status, 200, text)
    results.push(...body.results)
  }
  return results
}

const withMember = (contract: Contract, member: string, value: unknown) => ({ ...leastBody(contract), [member]: value })

for (const contract of contracts) {
  const { one, many, members } = contract
  const each = Object.entries(members)

  test(`${one}: each member accepts its minimum and maximum values and returns them exactly`, async () => {
    const { id: companyId, call } = await service.company()
    const items = each.flatMap(([member, { values, edges }]) =>
      [...values, ...edges].map((value) => withMember(contract, member, value)),
    )
    // Another member provides what may not be empty on create.
    for (const item of items) if (one === 'customer' && item.externalId === undefined) item.externalId = 'E-1'
    const results = await bulk(call, 'POST', `/v1/${many}`, items)
    results.forEach(({ status, data, error }, n) => {
      assert.equal(status, 'success', JSON.stringify(error))
      const own = { ...data, ...(one === 'outlet' && { sequenceNumber: 1 }) }
      assertRecord(own, contract, items[n] as Body, companyId)
    })
    const last = results.at(-1)?.data
    assert.deepEqual((await call('GET', `/v1/${one}/${last.id}`)).body, last)
  })

  test(`${one}: each member refuses values of another kind, with its pointer, on create and on update`, async () => {
    const { call } = await service.company()
    const wrong = each.flatMap(([member, kind]) => kind.wrong.map(([value, at]) => ({ member, value, at })))
    const created = await bulk(
      call,
      'POST',
      `/v1/${many}`,
      wrong.map(({ member, value }) => withMember(contract, member, value)),
    )
    const { body: record } = await call('POST', `/v1/${one}`, fullBody(contract))
    const refusedUpdates: Body[] = []
    // An id may appear only once in a request, so each wrong value is an update in a request of its own.
    for (const { member, value } of wrong.filter((_, n) => wrong.length < 150 || n % 10 === 0)) {
      const answer = await call('PATCH', `/v1/${one}/${record.id}`, { [member]: value })
      assert.equal(answer.status, 400, `${member} ${JSON.stringify(value).slice(0, 100)}`)
      refusedUpdates.push(answer.body)
    }
    wrong.forEach(({ member, value, at }, n) => {
      const reported = `${member} ${JSON.stringify(value).slice(0, 100)}: ${JSON.stringify(created[n]).slice(0, 300)}`
      assert.equal(created[n]?.status, 'error', reported)
      assert.equal(created[n]?.error.statusCode, 400, reported)
      assert.equal(created[n]?.error.code, 'validation_failed', reported)
      const pointers = created[n]?.error.errors.map(({ pointer }: Body) => pointer)
      assert.ok(
        pointers.some((pointer: string) => pointer.endsWith(`/${member}${at}`)),
        reported,
      )
    })
    for (const problem of refusedUpdates) assert.ok(problem.errors[0].pointer.length > 1)
    assert.deepEqual((await call('GET', `/v1/${one}/${record.id}`)).body, record)
    assert.equal((await call('GET', `/v1/${many}?limit=1`)).body.meta.count, 1)
  })
}

for (const contract of contracts) {
  const { one, many, members } = contract
  const empty = Object.entries(members).filter(([, { emptyIsUnset }]) => emptyIsUnset)

  test(`${one}: an empty text unsets each member whose kind has no empty value, and is an error if it is required`, async () => {
    const { call } = await service.company()
    const items = empty.map(([member]) => {
      const body = { ...leastBody(contract), ...(one === 'customer' && { phone: '1' }) }
      return { ...body, [member]: '' }
    })
    const created = items.length === 0 ? [] : await bulk(call, 'POST', `/v1/${many}`, items)
    const { body: full } = await call('POST', `/v1/${one}`, fullBody(contract))
    for (const [n, [member, { required }]] of empty.entries()) {
      const updated = await call('PATCH', `/v1/${one}/${full.id}`, { [member]: '' })
      if (required) {
        assert.equal(updated.status, 400, member)
        for (const { errors } of [created[n]?.error, updated.body])
          assert.deepEqual(
            errors.map(({ code }: Body) => code),
            ['required'],
            member,
          )
      } else {
        assert.equal(created[n]?.status, 'success', JSON.stringify(created[n]))
        // A level without stock has 0.
        const unset = member === 'stock' ? 0 : undefined
        assert.equal(created[n]?.data[member], unset, member)
        assert.equal(updated.status, 200, updated.text)
        assert.equal(updated.body[member], unset, member)
      }
    }
  })
}

test('an empty text inside a member unsets values without an empty form, and stays in texts', async () => {
  const { call } = await service.company()
  const { body: order } = await call('POST', '/v1/order', {
    lineItems: [{ productId: '', variantId: 'v', price: '', name: '', taxes: [{ amount: '', name: 'VAT', ours: '' }] }],
    summary: { total: '', tip: { amount: '', percentage: '' } },
    paymentMethods: [{ paymentType: '', amount: '1.00', processor: '' }],
    billing: { email: '' },
  })
  assert.deepEqual(
    [order.lineItems, order.summary, order.paymentMethods, order.billing],
    [
      [{ variantId: 'v', name: '', taxes: [{ name: 'VAT', ours: '' }] }],
      { tip: {} },
      [{ amount: '1.00', processor: '' }],
      { email: '' },
    ],
  )
  const { body: session } = await call('POST', '/v1/session', {
    stationId: 's',
    closingAmounts: { cash: '', card: '1' },
  })
  assert.deepEqual(session.closingAmounts, { card: '1' })
  const refund = { orderId: 'o', summary: {}, lineItems: [{ productId: '', variantId: 'v' }] }
  const refused = await call('POST', '/v1/refund', refund)
  assert.equal(refused.status, 400)
  assert.equal(refused.body.errors[0].pointer, '/lineItems/0/productId')
})

test('a currency is accepted in any case, stored in capitals, and filtered in any case', async () => {
  const { call } = await service.company()
  const { body } = await call('POST', '/v1/transaction', { amount: '1', paymentMethod: 'cash', currency: 'eUr' })
  assert.equal(body.currency, 'EUR')
  for (const currency of ['EUR', 'eur', 'Eur'])
    assert.equal((await call('GET', `/v1/transactions?currency=${currency}`)).body.meta.count, 1, currency)
  // The stored value is sent again in another case: nothing changes.
  const again = await call('PATCH', `/v1/transaction/${body.id}`, { currency: 'eur' })
  assert.deepEqual(again.body, body)
})

test('a usual status, type of product, or type of a tax table is accepted in any case, stored in its usual spelling, and found in any case; other words stay', async () => {
  const { call } = await service.company()
  const station = { name: 'Till 1', outletId: 'o', status: 'available' }
  for (const [one, body, shown, query] of [
    ['product', { name: 'Mug', status: 'ACTIVE', productType: 'Simple' }, ['active', 'simple'], 'status=Active'],
    ['product', { name: 'Mug', status: 'On Sale', productType: 'Kit' }, ['On Sale', 'Kit'], 'status=On%20Sale'],
    ['station', station, ['AVAILABLE'], 'status=Available'],
    ['tax-table', { name: 'A', productTypes: ['Simple', 'Kit'] }, [['simple', 'Kit']], 'productTypes=SIMPLE'],
  ] as const) {
    const made = await call('POST', `/v1/${one}`, body)
    assert.deepEqual([made.body.status, made.body.productType, made.body.productTypes].filter(Boolean), shown)
    assert.deepEqual((await call('GET', `/v1/${one}s?${query}`)).body.data, [made.body])
  }
})

test('every wrong member of one body is named at once', async () => {
  const { call } = await service.company()
  const { status, body } = await call('POST', '/v1/api/product', {
    name: 5,
    minPrice: '1',
    metadata: [{ key: 'a' }],
    colour: 'red',
  })
  assert.equal(status, 400)
  assert.deepEqual(body.errors.map(({ pointer }: Body) => pointer).sort(), [
    '/colour',
    '/metadata/0/value',
    '/minPrice',
    '/name',
  ])
})

test('any decimal string of up to 15 digits before and 6 after the point keeps its digits, its sign and its scale', async () => {
  const { call } = await service.company()
  const decimal = fc.stringMatching(/^-?\d{1,15}(\.\d{1,6})?$/)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: decimal, b: decimal }, { noNullPrototype: true }), { minLength: 1, maxLength: 50 }),
      async (pairs) => {
        const items = pairs.map(({ a, b }) => ({ paymentMethod: 'cash', amount: a, balance: b }))
        const { body } = await call('POST', '/v1/transactions', { items })
        const back = body.results.map(({ data }: Body) => ({ a: data.amount, b: data.balance }))
        assert.deepEqual(back, pairs)
      },
    ),
    { numRuns: 20 },
  )
})

test('any price that a double holds comes back as the same number', async () => {
  const { call } = await service.company()
  const price = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0))
  await fc.assert(
    fc.asyncProperty(fc.array(price, { minLength: 1, maxLength: 50 }), async (prices) => {
      const items = prices.map((value) => ({ productId: 'p', price: value }))
      const { body, text } = await call('POST', '/v1/variants', { items })
      assert.equal(body.summary?.failed, 0, text)
      assert.deepEqual(
        body.results.map(({ data }: Body) => data.price),
        prices,
      )
    }),
    { numRuns: 20 },
  )
})

test('a quantity with at most six decimals comes back as the same number, one with more is refused', async () => {
  const { call } = await service.company()
  const quantity = fc.integer({ min: -1e12, max: 1e12 }).map((millionths) => millionths / 1e6)
  await fc.assert(
    fc.asyncProperty(fc.array(quantity, { minLength: 1, maxLength: 50 }), async (stocks) => {
      const items = stocks.map((stock) => ({ variantId: newReference(), outletId: 'o', stock }))
      const { body, text } = await call('POST', '/v1/inventories', { items })
      assert.equal(body.summary?.failed, 0, text)
      assert.deepEqual(
        body.results.map(({ data }: Body) => data.stock),
        stocks.map((stock) => stock + 0),
      )
    }),
    { numRuns: 20 },
  )
})

test('a date-time in any offset and precision comes back in UTC with milliseconds', async () => {
  const { call } = await service.company()
  const moment = fc.record({
    time: fc.date({
      min: new Date('0100-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    }),
    minutes: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    digits: fc.integer({ min: 0, max: 9 }),
  })
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 50 }), async (moments) => {
      const cases = moments.map(({ time, minutes, digits }) => {
        const local = new Date(time.getTime() + minutes * 60_000).toISOString()
        const fraction = `${local.slice(20, 23)}000000`.slice(0, digits)
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
        const kept = time.toISOString().slice(0, 20) + fraction.slice(0, 3).padEnd(3, '0')
        return { sent: `${local.slice(0, 19)}${digits > 0 ? `.${fraction}` : ''}${offset}`, back: `${kept}Z` }
      })
      const items = cases.map(({ sent }) => ({ stationId: 's', openTime: sent }))
      const { body, text } = await call('POST', '/v1/sessions', { items })
      assert.equal(body.summary?.failed, 0, text)
      assert.deepEqual(
        body.results.map(({ data }: Body) => data.openTime),
        cases.map(({ back }) => back),
      )
    }),
    { numRuns: 30 },
  )
})

test('a bare date means midnight UTC, and Z, short offsets and leap seconds are read', async () => {
  const { call } = await service.company()
  for (const [sent, back] of [
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-21T09:30Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00+0530', '2026-11-21T04:00:00.000Z'],
    ['2026-11-21T00:30:00+01', '2026-11-20T23:30:00.000Z'],
    ['2026-11-21T09:30:00.123456Z', '2026-11-21T09:30:00.123Z'],
    // A leap second is the second after it.
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T05:29:60.25+05:30', '2017-01-01T00:00:00.250Z'],
  ]) {
    const { status, body } = await call('POST', '/v1/customer', { email: 'a@b.example', lastAction: sent })
    assert.equal(status, 201, sent)
    assert.equal(body.lastAction, back)
  }
  // No day has a leap second elsewhere than at its end in UTC, and none fits into the years after 9999.
  for (const sent of ['2016-12-31T23:58:60Z', '2016-12-31T23:59:60+01:00', '9999-12-31T23:59:60Z'])
    assertProblem(await call('POST', '/v1/customer', { lastAction: sent, phone: '1' }), 400, 'validation_failed')
})

test('any text is returned exactly, in every script, in members and in nested values', async () => {
  const { call } = await service.company()
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((value) => !value.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 40 }), async (texts) => {
      const items = texts.map((value) => ({
        externalId: 'E',
        firstName: value,
        tags: [value],
        notes: [{ [value]: value }],
      }))
      const { body, text: raw } = await call('POST', '/v1/customers', { items })
      assert.equal(body.summary?.failed, 0, raw)
      for (const [n, { data }] of body.results.entries()) {
        const { firstName, tags, notes } = data
        assert.deepEqual(
          { firstName, tags, notes },
          { firstName: items[n]?.firstName, tags: items[n]?.tags, notes: items[n]?.notes },
        )
      }
    }),
    { numRuns: 30 },
  )
})

test('nested objects and arrays are replaced as a whole, and keep unknown members', async () => {
  const { call } = await service.company()
  const { body: made } = await call('POST', '/v1/api/customer', {
    email: 'a@b.example',
    billing: { city: 'Łódź', geo: { lat: 51.77, lon: [19.45, null] }, firstName: 'Ann' },
    tags: ['a', 'b', 'c'],
  })
  const path = `/v1/api/customers/${made.id}`
  const first = await call('PUT', path, { billing: { city: 'Gdańsk' } })
  assert.deepEqual(first.body.billing, { city: 'Gdańsk' })
  assert.deepEqual(first.body.tags, ['a', 'b', 'c'])
  const second = await call('PUT', path, { tags: ['c'], billing: {} })
  assert.deepEqual(second.body.tags, ['c'])
  assert.deepEqual(second.body.billing, {})
  const third = await call('PUT', path, { tags: [] })
  assert.deepEqual(third.body.tags, [])
})
