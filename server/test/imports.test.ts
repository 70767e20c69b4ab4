// States what an import over HTTP guarantees: it says what it would do before it does it, does that, once, and leaves nothing behind of what it did not take.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Body } from './support/contract.ts'
import { csvOf, imported, reached, send, sent, shirt } from './support/imports.ts'
import { assertProblem } from './support/problem.ts'
import { type Company, testService } from './support/service.ts'

const service = testService()

const counts = ({ summary }: Body) => [
  ...['products', 'variants', 'categories'].map((kind) => Object.values(summary[kind]).join(' ')),
  summary.stockSet,
]
const list = async ({ call }: Company, kind: string): Promise<Body[]> =>
  (await call('GET', `/v1/${kind}?limit=1000`)).body.data

describe('an import', () => {
  test('is checked by itself, says what it would do and shows it, writes nothing until it is run, and then does that', async () => {
    const company = await service.company()
    const { call } = company
    const job = await sent(call, csvOf(shirt), 'fileName=shirts.csv')
    const { id, createdAt, updatedAt, keptUntil, ...members } = job
    assert.deepEqual(members, {
      ...{ fileName: 'shirts.csv', bytes: Buffer.byteLength(csvOf(shirt)), shop: 'woocommerce', state: 'checking' },
      ...{ progress: 0, companyId: company.id },
    })
    assert.equal(Date.parse(keptUntil) - Date.parse(updatedAt), 7 * 24 * 60 * 60 * 1000)
    assert.equal(createdAt, updatedAt)
    const ready = await reached(call, id, 'ready')
    assert.deepEqual(counts(ready), ['2 0 0', '3 0 0', '2 0 0', 3])
    assert.deepEqual([ready.progress, ready.rowsRefused, ready.startedAt], [1, 0, undefined])
    assert.deepEqual([await list(company, 'products'), await list(company, 'outlets')], [[], []])

    const { body } = await call('GET', `/v1/imports/${id}/preview`)
    const as = (heading: string) => body.columns.find(({ column }: Body) => column === heading)?.as
    assert.deepEqual(
      [as('ID'), as('Regular price'), as('Attribute 1 name'), as('Stock'), as('Parent')],
      ['externalId', 'price', 'attributes', 'stock', 'productId'],
    )
    const [tee, mug] = body.preview
    assert.deepEqual(
      [tee.outcome, tee.name, tee.categories, tee.minPrice, tee.maxPrice, tee.variantsCount],
      ['created', 'T-Shirt', ['Clothing > Shirts'], 20, 22, 2],
    )
    assert.deepEqual(
      tee.variants.map(({ sku, price, stock, outcome }: Body) => [sku, price, stock, outcome]),
      [
        ['TEE-R', 20, 3, 'created'],
        ['TEE-B', 22, 0, 'created'],
      ],
    )
    assert.deepEqual([mug.name, mug.variants[0].stock], ['Mug', 1.5])

    const { status, body: running } = await call('POST', `/v1/imports/${id}/run`)
    assert.deepEqual([status, running.state, running.progress, running.summary], [200, 'running', 0, undefined])
    const done = await reached(call, id, 'done')
    assert.deepEqual(done.summary, ready.summary)
    assert.ok(done.startedAt <= done.finishedAt)
    const [outlet] = await list(company, 'outlets')
    assert.equal(done.outletId, outlet?.id)
    assert.deepEqual((await list(company, 'products')).map(({ name }) => name).sort(), ['Mug', 'T-Shirt'])
    assert.deepEqual(
      (await list(company, 'variants')).map(({ inventory }) => inventory[0]).sort((a, b) => a.stock - b.stock),
      [0, 1.5, 3].map((stock) => ({ stock, outletId: outlet?.id })),
    )
  })

  test('with run=true runs without being asked, and again it writes nothing', async () => {
    const { call } = await service.company()
    assert.deepEqual(counts(await imported(call, csvOf(shirt))), ['2 0 0', '3 0 0', '2 0 0', 3])
    const again = await imported(call, csvOf(shirt))
    assert.deepEqual(counts(again), ['0 0 2', '0 0 3', '0 0 2', 0])
    const { body } = await call('POST', `/v1/imports/${again.id}/run`)
    assert.equal(body.finishedAt, undefined)
    assert.deepEqual(counts(await reached(call, again.id, 'done')), ['0 0 2', '0 0 3', '0 0 2', 0])
  })

  test('of Shopify is known by its header', async () => {
    const company = await service.company()
    const row = { Handle: 'cap', Title: 'Cap', 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Variant Price': 9 }
    const job = await imported(company.call, csvOf([row, { ...row, 'Option1 Value': 'M', Title: '' }]))
    assert.deepEqual([job.shop, ...counts(job)], ['shopify', '1 0 0', '2 0 0', '0 0 0', 0])
  })

  test('puts the stock at the outlet that is named, and refuses one that is not there', async () => {
    const company = await service.company()
    const { call } = company
    await call('POST', '/v1/outlet', { name: 'First' })
    const { body: second } = await call('POST', '/v1/outlet', { name: 'Second' })
    const job = await imported(call, csvOf(shirt), `outletId=${second.id}`)
    assert.equal(job.outletId, second.id)
    assert.ok((await list(company, 'variants')).every(({ inventory }) => inventory[0].outletId === second.id))
    assertProblem(await send(call, csvOf(shirt), `outletId=${'0'.repeat(24)}`), 404, 'not_found')
  })

  test('tells lines that it does not take, with column and reason, and takes all others', async () => {
    const { call } = await service.company()
    const rows = [...shirt, { ...shirt[3], ID: 50, 'Regular price': 'a "lot"' }] as typeof shirt
    const { id } = await sent(call, csvOf(rows))
    const refused = 'line,column,reason\n6,Regular price,"Regular price ""a ""lot"""" is not a number"\n'
    for (const state of ['ready', 'done']) {
      assert.equal((await reached(call, id, state)).rowsRefused, 1)
      const { status, text, headers } = await call('GET', `/v1/imports/${id}/refused`)
      assert.deepEqual([status, text], [200, refused])
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="import-\w+-refused\.csv"$/)
      if (state === 'ready') await call('POST', `/v1/imports/${id}/run`)
    }
  })

  test('writes as the key that had it run', async () => {
    const company = await service.company()
    const { call, id: keyId } = await service.keyFor(company.id)
    const { id } = await sent(company.call, csvOf(shirt))
    await reached(company.call, id, 'ready')
    await call('POST', `/v1/imports/${id}/run`)
    await reached(company.call, id, 'done')
    const { body } = await call('GET', '/v1/inventory-history')
    assert.ok(body.data.length > 0)
    assert.ok(body.data.every((entry: Body) => entry.keyId === keyId))
  })
})

describe('a file that is no catalogue', () => {
  const files: [string, RegExp, string | Uint8Array][] = [
    ['nothing', /is empty/, ''],
    ['a blank file', /is empty/, '\n \n'],
    ['a workbook', /Excel workbook/, Buffer.from('PK\x03\x04 workbook')],
    ['JSON', /is JSON, not CSV/, '[{"id":1}]'],
    ['a picture', /is not text/, Buffer.alloc(5_000)],
    ['another table', /no product export of WooCommerce in English: it has no column "Name"/, 'a,b\n1,2\n'],
    ['too many columns', /has 3002 columns; at most 2000/, `Name,Regular price,${'x,'.repeat(2_999)}\n`],
  ]
  for (const [what, message, file] of files)
    test(`is refused with what was expected: ${what}`, async () => {
      const company = await service.company()
      const { message: told } = assertProblem(await send(company.call, file, 'fileName=a.csv'), 400, 'malformed_body')
      assert.match(told, message)
      assert.match(told, /a\.csv/)
      assert.deepEqual(await list(company, 'imports'), [])
    })

  test('is told which shop it is of, where another one was named', async () => {
    const { call } = await service.company()
    const { message } = assertProblem(await send(call, csvOf(shirt), 'shop=shopify'), 400, 'malformed_body')
    assert.match(message, /looks like a product export of WooCommerce, not of Shopify. Send it with shop=woocommerce/)
  })
})
