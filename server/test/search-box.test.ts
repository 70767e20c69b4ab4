// One search over all resources: what a person remembers of a record finds it, first, and in no other company.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searched } from '../src/features/search/searched.ts'
import { soughtOf } from '../src/features/search/sought.ts'
import { wordsStatement } from '../src/features/search/statements.ts'
import { resources } from '../src/resources/index.ts'
import { leastBody } from './support/bodies.ts'
import { type Body, contracts } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

async function results(call: Caller, q: string): Promise<Body[]> {
  const { status, body, text } = await call('GET', `/v1/search?q=${encodeURIComponent(q)}`)
  assert.equal(status, 200, text)
  return body.data
}
const titles = async (call: Caller, q: string) => (await results(call, q)).map(({ title }) => title)

async function made(call: Caller, many: string, items: readonly object[]): Promise<Body[]> {
  const { body, text } = await call('POST', `/v1/${many}`, { items })
  assert.equal(body.summary?.failed, 0, text)
  return body.results.map(({ data }: Body) => data)
}

test('the words of a name find a customer in any order and in any case, complete words first', async () => {
  const { call } = await service.company()
  await made(call, 'customers', [
    { firstName: 'Annalena', lastName: 'Gruberová' },
    { firstName: 'Anna', lastName: 'Gruber', email: 'anna@example.com' },
    { firstName: 'Anna', lastName: 'Gruber', phone: '+43 679 1', billing: { city: 'Graz' } },
    { firstName: 'Johanna', lastName: 'Gruber' },
    { firstName: 'Anna', lastName: 'Huber' },
  ])
  for (const q of ['anna gruber', 'Gruber Anna', 'GRUBER, ANNA', ' gruber  anna ']) {
    const found = await results(call, q)
    assert.deepEqual(
      found.map(({ title, match }) => [title, match]),
      [
        ['Anna Gruber', 'exact'],
        ['Anna Gruber', 'exact'],
        ['Annalena Gruberová', 'words'],
        ['Johanna Gruber', 'part'],
      ],
      q,
    )
    // The second line distinguishes two of one name.
    assert.deepEqual(
      found
        .slice(0, 2)
        .map(({ subtitle }) => subtitle)
        .sort(),
      ['+43 679 1 · Graz', 'anna@example.com'],
    )
    assert.deepEqual(found[0]?.matchedBy.toSorted(), ['firstName', 'lastName'])
  }
  assert.deepEqual(await titles(call, 'gruber h'), [])
  assert.deepEqual(await titles(call, 'anna h'), ['Anna Huber'])
  assert.deepEqual(await titles(call, 'gruber schmidt'), [])
})

test('a phone number is found by its digits, with the code of the country or without, however it is written', async () => {
  const { call } = await service.company()
  const numbers = ['+43 679 123 45 67', '0043 (0)679 1234567', '0679/1234567', '679-1234567', '+43 (0)679/123-4567']
  await made(
    call,
    'customers',
    [...numbers, '+43 680 1234567'].map((phone) => ({ phone })),
  )
  for (const q of [
    '+436791234567',
    '+43 679 1234567',
    '0679 123 4567',
    '06791234567',
    '0043 679 1234567',
    '0679 123',
    '+43 679 12',
  ])
    assert.deepEqual((await titles(call, q)).toSorted(), numbers.toSorted(), q)
  const [whole] = await results(call, '0679 1234567')
  assert.deepEqual([whole?.match, whole?.matchedBy], ['exact', ['phone']])
  assert.deepEqual(await titles(call, '0681'), [])
})

test('an e-mail address, receipt number, SKU, barcode, external id and id each find their record, first', async () => {
  const { call } = await service.company()
  const [customer] = await made(call, 'customers', [{ email: 'anna@example.com', externalId: 'woo-7' }])
  await made(call, 'customers', [{ email: 'anna@example.com.au', firstName: 'R-1001' }])
  const [product] = await made(call, 'products', [{ name: 'Espresso beans', sku: 'ESP-1' }])
  const [variant] = await made(call, 'variants', [
    {
      productId: product?.id,
      sku: 'ESP-1-250',
      barcode: '4006381333931',
      attributes: [{ name: 'Size', value: '250 g' }],
    },
  ])
  const [order] = await made(call, 'orders', [
    {
      receiptId: 'R-1001',
      summary: { total: '25.00' },
      customerId: customer?.id,
      occurredAt: '2026-11-20T17:45:00.000Z',
    },
  ])
  const firstOf = async (q: string) => (await results(call, q))[0]
  for (const [q, record, member] of [
    ['anna@example.com', customer, 'email'],
    ['ANNA@Example.com', customer, 'email'],
    ['woo-7', customer, 'externalId'],
    ['esp-1', product, 'sku'],
    ['ESP-1-250', variant, 'sku'],
    ['4006381333931', variant, 'barcode'],
    ['r-1001', order, 'receiptId'],
    [String(order?.id).toUpperCase(), order, 'id'],
  ] as const) {
    const first =
      q === 'r-1001' ? (await results(call, q)).find(({ resource }) => resource === 'order') : await firstOf(q)
    assert.deepEqual([first?.id, first?.match, first?.matchedBy], [record?.id, 'exact', [member]], q)
  }
  assert.equal((await firstOf('ESP-1-250'))?.title, 'Espresso beans 250 g')
  assert.equal(
    (await results(call, 'R-1001')).find(({ resource }) => resource === 'order')?.subtitle.slice(0, 10),
    '2026-11-20',
  )
})

test('a result has the day of the company’s time zone, as its lists and reports have', async () => {
  const { call, id } = await service.company()
  const dayOf = async (timezone: string | null) => {
    const { status, text } = await call('PATCH', `/v1/organization-api/companies/${id}`, { timezone })
    assert.equal(status, 200, text)
    const [found] = await results(call, 'R-1')
    return found?.subtitle.slice(0, 10)
  }
  await made(call, 'orders', [{ receiptId: 'R-1', summary: { total: '2.00' }, occurredAt: '2026-11-21T02:30:00.000Z' }])
  assert.equal(await dayOf('America/St_Johns'), '2026-11-20')
  assert.equal(await dayOf('Asia/Tokyo'), '2026-11-21')
  assert.equal(await dayOf(null), '2026-11-21')
})

test('every resource is found by its id', async () => {
  const { call } = await service.company()
  for (const contract of contracts.filter(({ many }) => resources.some(({ name }) => name.many === many))) {
    const { body, text } = await call('POST', `/v1/${contract.many}`, { items: [leastBody(contract)] })
    const record = body.results?.[0]?.data
    if (record === undefined) assert.fail(text)
    const id = record.id as string
    const found = await results(call, id)
    assert.ok(
      found.some((each) => each.id === id && each.matchedBy[0] === 'id'),
      contract.many,
    )
  }
})

test('one or two characters find what begins with them, and nothing else', async () => {
  const { call } = await service.company()
  await made(call, 'customers', [{ firstName: 'Wu', lastName: 'Li' }, { firstName: 'Ulrike' }, { firstName: '王伟' }])
  assert.deepEqual(await titles(call, 'w'), ['Wu Li'])
  assert.deepEqual(await titles(call, 'li wu'), ['Wu Li'])
  assert.deepEqual(await titles(call, 'WU'), ['Wu Li'])
  assert.deepEqual(await titles(call, '王'), ['王伟'])
  assert.deepEqual(await titles(call, 'k'), [])
})

test('resources take turns, a limit is kept, and hasMore is true exactly when more records match', async () => {
  const { call } = await service.company()
  await made(
    call,
    'customers',
    Array.from({ length: 30 }, (_, n) => ({ firstName: 'Mocha', lastName: `N${n}` })),
  )
  await made(call, 'products', [{ name: 'Mocha pot' }])
  const of = async (q: string, limit: number) => (await call('GET', `/v1/search?q=${q}&limit=${limit}`)).body
  const page = await of('moch', 5)
  assert.equal(page.data.length, 5)
  assert.ok(page.data.some(({ resource }: Body) => resource === 'product'))
  assert.deepEqual(page.meta, { limit: 5, hasMore: true })
  assert.equal((await of('moch', 31)).meta.hasMore, false)
  assert.equal((await of('moch', 30)).meta.hasMore, true)
  // A word that nothing begins with is found inside of others.
  assert.equal((await of('och', 31)).data.length, 31)
})

test('another company’s records, and deleted ones, are never found', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const [record] = await made(call, 'customers', [
    { firstName: 'Zenobia', phone: '+43 679 5554443', externalId: 'woo-9' },
  ])
  for (const q of ['Zenobia', 'nobia', 'zeno', '0679 555', 'woo-9', String(record?.id)]) {
    assert.deepEqual(await results(other.call, q), [])
    assert.equal((await results(call, q)).length, 1, q)
  }
  await call('DELETE', `/v1/customer/${record?.id}`)
  for (const q of ['Zenobia', 'woo-9', String(record?.id)]) assert.deepEqual(await results(call, q), [], q)
})

test('hostile texts are searched literally, and bad ones are refused with 400', async () => {
  const { call } = await service.company()
  const names = ['100% cotton', "O'Brien; drop table customers", 'a_b\\c', '<script>alert(1)</script>', '"quoted"']
  await made(
    call,
    'customers',
    [...names, 'plain'].map((firstName) => ({ firstName })),
  )
  for (const name of names) assert.deepEqual(await titles(call, name), [name])
  for (const q of [
    '%',
    '_',
    '\\',
    '%%%',
    '___',
    "'",
    '";--',
    '\u{10ffff}',
    '(',
    '+',
    '00',
    '+'.repeat(200),
    'a '.repeat(100),
  ])
    assert.ok(!(await titles(call, q)).includes('plain'), q)
  assert.deepEqual(await titles(call, '100%'), ['100% cotton'])
  for (const path of [
    '',
    '?q=',
    '?q=%20',
    `?q=${'x'.repeat(201)}`,
    '?q=a&limit=51',
    '?q=a&q=b',
    '?q=a%00',
    '?q=%ed%a0%80',
    '?q=a&page=2',
  ])
    assertProblem(await call('GET', `/v1/search${path}`), 400, 'validation_failed')
})

test('where nearly all rows are one company’s, the same words find the same records', async () => {
  const { id, call } = await service.company()
  const other = await service.company()
  await made(call, 'customers', [{ firstName: 'Johanna', lastName: 'Ögruber' }, { firstName: 'Anna' }])
  await made(other.call, 'customers', [{ firstName: 'Johanna', lastName: 'Ögruber' }])
  const [deleted] = await made(call, 'customers', [{ firstName: 'Johanna', lastName: 'Ögruber' }])
  await call('DELETE', `/v1/customer/${deleted?.id}`)
  const found = async (held: typeof searched) => {
    const [statement, values] = wordsStatement(id, soughtOf('gruber hanna j'), 5, held) ?? []
    const rows = await service.database.query(statement ?? '', values)
    return rows.map(([resource, id]) => [resource, id])
  }
  const usual = await found([])
  const held = await found(searched)
  assert.equal(usual.length, 1)
  assert.deepEqual(held, usual)
})

test('a search needs the permission to read', async () => {
  const { id } = await service.company()
  const reader = await service.keyFor(id, ['read'])
  assert.deepEqual(await results(reader.call, 'anything'), [])
  const writer = await service.keyFor(id, ['create', 'update', 'delete'])
  assertProblem(await writer.call('GET', '/v1/search?q=anything'), 403, 'permission_denied')
  assertProblem(await service.caller()('GET', '/v1/search?q=anything'), 401, 'missing_key')
})
