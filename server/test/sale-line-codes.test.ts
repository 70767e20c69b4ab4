// Lines of a sale that name a variant by a code, such as its SKU: they move its stock, or are refused where nobody would notice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { refused, shop, stockOf } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const price = '5.00'

test('a line without ids is that of the variant with its external id, SKU or barcode: in a sale, a bulk and a quote, and what was sent stays', async () => {
  const { call } = await service.company()
  const codes = { externalId: 'shop-17', sku: 'MUG-1', barcode: '4006381333931' }
  const { outletId, productId, variantId } = await shop(call, 20, codes)
  const elsewhere = await service.company()
  await shop(elsewhere.call, 5, codes)
  const lines = [
    { variantExternalId: 'shop-17' },
    { sku: 'MUG-1' },
    { barcode: '4006381333931' },
    { barcode: 4006381333931 },
    { sku: 'MUG-1', productId },
    // A code of another system, and one that the variant has.
    { variantExternalId: 'other-17', sku: 'MUG-1', variant_id: '17' },
  ].map((line) => ({ ...line, price }))
  const body = { outletId, lineItems: lines }
  const { order, stock } = succeeded(await call('POST', '/v1/sale', body), 201)
  const completed = lines.map((line) => ({ ...line, variantId, productId, name: 'Beans' }))
  const shown = ({ lineItems }: any) => lines.map((line, n) => Object.fromEntries(Object.keys({ ...line, ...completed[n] }).map((member) => [member, lineItems[n][member]]))) // biome-ignore format: one thought
  assert.deepEqual(shown(order), completed)
  assert.deepEqual(stock.map(({ lineItem }: any) => lineItem), [0, 1, 2, 3, 4, 5]) // biome-ignore format: one thought
  const [many] = succeeded(await call('POST', '/v1/sales', { items: [body] })).results
  assert.deepEqual(shown(many.data.order), completed)
  assert.deepEqual(shown(succeeded(await call('POST', '/v1/sale/quote', body)).order), completed)
  assert.equal(await stockOf(call, variantId), 20 - 12)
  succeeded(await call('POST', `/v1/sale/${order.id}/refund`, {}), 201)
  assert.equal(await stockOf(call, variantId), 20 - 6)
})

test('a line whose code no variant has, or none of its product, is kept as it is and moves no stock; an order never gets a variant', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 9, { sku: 'MUG-1' })
  const lines = [
    { sku: 'unknown' },
    { sku: 'mug-1' },
    { sku: '', barcode: '' },
    { sku: 'MUG-1', productId: 'of another system' },
    { sku: 'MUG-1', variantId: 'of another system' },
    { barcode: { of: 'a box' } },
  ].map((line) => ({ ...line, name: 'Mug', price }))
  const { order, stock } = succeeded(await call('POST', '/v1/sale', { outletId, lineItems: lines }), 201)
  assert.deepEqual(stock, [])
  assert.deepEqual(order.lineItems.map(({ variantId }: any) => variantId), lines.map((line: any) => line.variantId)) // biome-ignore format: one thought
  // The goods of an order did not leave by this service, so a refund finds no variant to put back.
  const kept = { status: 'completed', outletId, lineItems: [{ sku: 'MUG-1', price, total: price, product_id: 17 }] }
  const written = succeeded(await call('POST', '/v1/order', kept), 201)
  assert.deepEqual(written.lineItems, kept.lineItems)
  const returned = succeeded(await call('POST', `/v1/sale/${written.id}/refund`, { payments: [] }), 201)
  assert.deepEqual(returned.stock, [])
  assert.equal(await stockOf(call, variantId), 9)
})

test('a line with only the product sells the stock of its one variant; of several, it is refused if stock of any is counted', async () => {
  const { call } = await service.company()
  const { outletId, productId, variantId } = await shop(call, 9, { sku: 'MUG-1' })
  const body = (line: object) => ({ outletId, lineItems: [{ productId, price, ...line }] })
  const { order, stock } = succeeded(await call('POST', '/v1/sale', body({ sku: '', quantity: 2 })), 201)
  assert.equal(order.lineItems[0].variantId, variantId)
  assert.deepEqual(stock.map(({ lineItem, stock }: any) => [lineItem, stock]), [[0, 7]]) // biome-ignore format: one thought
  assert.equal(succeeded(await call('POST', '/v1/sale/quote', body({}))).order.lineItems[0].variantId, variantId)
  succeeded(await call('POST', `/v1/sale/${order.id}/refund`, {}), 201)
  assert.equal(await stockOf(call, variantId), 9)
  // A code that no variant has may be that of a variant which is not in the catalogue yet.
  for (const line of [{ sku: 'MUG-2' }, { variantExternalId: '17' }, { productId: 'of another system' }]) {
    const kept = succeeded(await call('POST', '/v1/sale', body(line)), 201)
    assert.deepEqual([kept.stock, kept.order.lineItems[0].variantId], [[], undefined])
  }
  const { id: second } = succeeded(await call('POST', '/v1/variant', { productId }), 201)
  const ambiguous = await call('POST', '/v1/sale', body({}))
  refused(ambiguous, 409, 'conflict', '/lineItems/0/productId')
  assert.equal(ambiguous.body.errors[0].code, 'ambiguous')
  for (const id of [variantId, second]) assert.match(ambiguous.body.detail, new RegExp(id))
  succeeded(await call('PATCH', `/v1/variant/${variantId}`, { manageStock: false }))
  assert.deepEqual(succeeded(await call('POST', '/v1/sale', body({})), 201).stock, [])
  // An order is stored as sent.
  const written = succeeded(await call('POST', '/v1/order', { status: 'completed', ...body({}) }), 201)
  assert.equal(written.lineItems[0].variantId, undefined)
})

test('a code that several variants have is refused at the line, unless its product tells them apart; other sales of the bulk are made', async () => {
  const { call } = await service.company()
  const { outletId, productId, variantId } = await shop(call, 9, { sku: 'MUG-1' })
  const other = await shop(call, 9, { sku: 'MUG-1' })
  const sale = (line: object) => ({
    outletId,
    lineItems: [
      { name: 'Bag', price },
      { ...line, price },
    ],
  })
  const ambiguous = await call('POST', '/v1/sale', sale({ sku: 'MUG-1' }))
  refused(ambiguous, 409, 'conflict', '/lineItems/1/sku')
  assert.equal(ambiguous.body.errors[0].code, 'ambiguous')
  for (const id of [variantId, other.variantId]) assert.match(ambiguous.body.detail, new RegExp(id))
  refused(await call('POST', '/v1/sale/quote', sale({ sku: 'MUG-1' })), 409, 'conflict', '/lineItems/1/sku')
  const items = [sale({ sku: 'MUG-1' }), sale({ sku: 'MUG-1', productId })]
  const { results } = succeeded(await call('POST', '/v1/sales', { items }))
  assert.equal(results[0].error.errors[0].pointer, '/items/0/lineItems/1/sku')
  assert.equal(results[1].data.order.lineItems[1].variantId, variantId)
  assert.deepEqual([await stockOf(call, variantId), await stockOf(call, other.variantId)], [8, 9])
  // However many products have the code.
  const inventory = [{ outletId, stock: 9 }]
  const many = Array.from({ length: 12 }, (_, n) => ({ productId: `p${n}`, sku: 'NONE', manageStock: true, inventory }))
  succeeded(await call('POST', '/v1/variants', { items: many }))
  const lineItems = many.map(({ productId, sku }) => ({ productId, sku, price }))
  const { stock } = succeeded(await call('POST', '/v1/sale', { outletId, lineItems }), 201)
  assert.equal(stock.length, many.length)
})

test('an id of a line under the name of another system is refused with the right name; beside the right one it is kept', async () => {
  const { call } = await service.company()
  const { outletId, productId, variantId } = await shop(call, 9)
  for (const [member, meant] of [
    ['variant_id', 'variantId'],
    ['variantID', 'variantId'],
    ['VariantId', 'variantId'],
    ['variation_id', 'variantId'],
    ['catalog_object_id', 'variantId'],
    ['product_id', 'productId'],
    ['productID', 'productId'],
  ] as const)
    for (const [path, at] of [
      ['/v1/sale', ''],
      ['/v1/sale/quote', ''],
    ] as const) {
      const reply = await call('POST', path, { outletId, lineItems: [{ [member]: variantId, price }] })
      refused(reply, 400, 'validation_failed', `${at}/lineItems/0/${member}`)
      assert.match(reply.body.errors[0].message, new RegExp(`did you mean ${meant}\\?`))
    }
  const missed = await call('POST', '/v1/sale', { outletId, lineItems: [{ productId, variant_id: variantId, price }] })
  assertProblem(missed, 400, 'validation_failed')
  const kept = [
    { variantId, variant_id: 17, product_id: 4 },
    { productId, product_id: 4 },
    { name: 'Bag', variant_id: null, product_id: 0, variation_id: '' },
    // The ids of a shop whose products are not in the catalogue.
    { name: 'Bag', productExternalId: '4', product_id: 4, variantExternalId: '17', variation_id: 17 },
    { name: 'Bag', productExternalId: '4', product_id: 4, variation_id: '0' },
  ].map((line) => ({ ...line, price }))
  const { order } = succeeded(await call('POST', '/v1/sale', { outletId, lineItems: kept }), 201)
  for (const [n, line] of kept.entries()) assert.deepEqual({ ...order.lineItems[n], ...line }, order.lineItems[n])
})

test('a quantity under another name is refused, since one unit would be sold; beside the right one it is kept', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 9)
  const line = { variantId, price }
  for (const [members, pointer] of [
    [{ lineItems: [line, { ...line, qty: 3 }] }, '/lineItems/1/qty'],
    [{ lineItems: [{ ...line, Quantity: '3' }], summary: { total: '15.00' } }, '/lineItems/0/Quantity'],
    [{ customSales: [{ price, qty: 3 }] }, '/customSales/0/qty'],
    [{ lineItems: [line, { ...line, qty: 0 }] }, '/lineItems/1/qty'],
  ] as const)
    for (const path of ['/v1/sale', '/v1/sale/quote'])
      refused(await call('POST', path, { outletId, ...members }), 400, 'validation_failed', pointer)
  const lineItems = [{ ...line, quantity: 3, qty: 'three' }]
  const { order } = succeeded(await call('POST', '/v1/sale', { outletId, lineItems }), 201)
  assert.equal(order.lineItems[0].qty, 'three')
  assert.equal(await stockOf(call, variantId), 6)
})

test('a line of a variant without a price is sold at its current price, in a sale, a bulk and a quote; goods that come back, another currency and a sale with a total never get one', async () => {
  const { call } = await service.company()
  const { outletId, productId, variantId } = await shop(call, 20, { price: 12.5, sku: 'ESP-250' })
  const reduced = { productId, price: 8, salePrice: 7.25, isOnSale: true, sku: 'MUG' }
  succeeded(await call('POST', '/v1/variant', reduced), 201)
  const lineItems = [
    { variantId, quantity: 2 },
    { sku: 'MUG' },
    { variantId, price: '1.00' },
    { variantId, total: '3.00' },
  ]
  const prices = ['12.50', '7.25', '1.00', undefined]
  const shown = ({ lineItems, summary }: any) => [lineItems.map(({ price }: any) => price), summary.total]
  const body = { outletId, currency: 'EUR', lineItems }
  const { order } = succeeded(await call('POST', '/v1/sale', { ...body, check: 'strict' }), 201)
  assert.deepEqual(shown(order), [prices, '36.25'])
  const [many] = succeeded(await call('POST', '/v1/sales', { items: [{ outletId, lineItems }] })).results
  assert.deepEqual(shown(many.data.order), [prices, '36.25'])
  assert.deepEqual(shown(succeeded(await call('POST', '/v1/sale/quote', body)).order), [prices, '36.25'])

  // As programs compute it.
  const computedPrice = succeeded(await call('POST', '/v1/variant', { productId, price: 19.99 * 1.19 }), 201).id
  const one = { outletId, lineItems: [{ variantId: computedPrice }] }
  assert.deepEqual(shown(succeeded(await call('POST', '/v1/sale', one), 201).order), [['23.7881'], '23.79'])

  const none = succeeded(await call('POST', '/v1/variant', { productId }), 201).id
  const sold = [{ variantId }]
  for (const [wrong, why] of [
    [{ lineItems: [{ variantId, quantity: -1 }] }, 'is required for goods that come back (a negative quantity)'],
    [
      { lineItems: [{ variantId: none }] },
      'is required, since no variant of this product with this variantId has a current price',
    ],
    [
      { lineItems: [{ variantId: outletId }] },
      'is required, since no variant of the company with this variantId has a current price',
    ],
    [{ lineItems: [{ sku: 'ESP-520' }] }, 'is required, since no variant of the company has this sku'],
    [
      { lineItems: [{ sku: 'MUG', productId: outletId }] },
      'is required, since no variant of this product has this sku',
    ],
    [{ lineItems: [{ name: 'Mug' }] }, 'is required, unless the line names a variant that has a price'],
    [{ currency: 'CHF', lineItems: sold }, 'is required in CHF, since variants have their prices in EUR'],
    [{ check: 'strict', summary: { total: '9' }, lineItems: sold }, 'is required, since the sale sends summary.total'],
  ] as const) {
    const answer = await call('POST', '/v1/sale', { outletId, ...wrong })
    refused(answer, 400, 'validation_failed', '/lineItems/0/price')
    assert.equal(answer.body.errors[0].message, why)
  }
  // A price under another name is what the customer agreed to; the current price may differ.
  for (const [member, value] of Object.entries({ unitPrice: '11.00', base_price_money: { amount: 1100 } })) {
    const lineItems = [{ variantId, [member]: value }]
    for (const path of ['/v1/sale', '/v1/sale/quote'])
      refused(await call('POST', path, { outletId, lineItems }), 400, 'validation_failed', `/lineItems/0/${member}`)
    assert.deepEqual(shown(succeeded(await call('POST', '/v1/sale', { outletId, lineItems, summary: { total: '11.00' } }), 201).order), [[undefined], '11.00']) // biome-ignore format: one thought
    assert.deepEqual(shown(succeeded(await call('POST', '/v1/sale', { outletId, lineItems: [{ ...lineItems[0], price: '9.00' }] }), 201).order), [['9.00'], '9.00']) // biome-ignore format: one thought
  }
  // The till computed this sale, and its lines are stored as they are.
  const computed = { outletId, lineItems: sold, summary: { total: '10.00' } }
  assert.deepEqual(shown(succeeded(await call('POST', '/v1/sale', computed), 201).order), [[undefined], '10.00'])
})
