// Groups of sales have the names of their records beside the ids, and show names of people only to those who may read them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from '../src/core/csv-line.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import type { Body } from './support/contract.ts'
import { made, report } from './support/report-groups.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** The members of groups that are neither sums nor the currency. */
const keysOf = ({ groups }: Body): Body[] =>
  groups.map((group: Body) =>
    Object.fromEntries(Object.entries(group).slice(0, Object.keys(group).indexOf('currency'))),
  )
const keys = async (call: Caller, groupBy: string): Promise<Body[]> => keysOf(await report(call, `groupBy=${groupBy}`))

/** A key that is limited to some resources. */
async function limitedTo(companyId: string, ...resources: string[]): Promise<Caller> {
  const { value } = await createKey(
    service.database,
    { companyId },
    { name: 'Books', permissions: ['read'], resources },
  )
  return service.caller({ 'x-api-key': value })
}

/** A shop with a sale whose ids all have records. */
async function soldShop() {
  const company = await service.company()
  const { call } = company
  const outlet = await made(call, '/v1/outlet', { name: 'Main Street' })
  const station = await made(call, '/v1/station', { name: 'Till 1', outletId: outlet.id, status: 'IN_USE' })
  const openTime = '2026-11-21T08:00:00.000Z'
  const session = await made(call, '/v1/session', { stationId: station.id, sessionNumber: '17', openTime })
  const account = await made(call, '/v1/account', { email: 'olga@example.com', name: 'Olga Owner' })
  const category = await made(call, '/v1/category', { name: 'Coffee' })
  const product = await made(call, '/v1/product', { name: 'Espresso beans', categories: [category.id] })
  const attributes = [
    { name: 'Size', value: '250 g' },
    { name: 'Roast', value: 'dark' },
  ]
  const variant = await made(call, '/v1/variant', { productId: product.id, sku: 'ESP-250', attributes })
  const customer = await made(call, '/v1/customer', { firstName: 'Ann', lastName: 'Archer', email: 'a@example.com' })
  const order = await made(call, '/v1/order', {
    outletId: outlet.id,
    stationId: station.id,
    sessionId: session.id,
    employee: account.id,
    customerId: customer.id,
    lineItems: [
      { productId: product.id, variantId: variant.id, name: 'Beans', sku: 'OLD', quantity: 1, total: '12.50' },
    ],
  })
  return { company, call, outlet, station, session, account, category, product, variant, customer, order }
}

test('each id of a group has the names of its record after it, as it is called now', async () => {
  const shop = await soldShop()
  const { call, outlet, station, session, account, category, product, variant, customer } = shop
  const outletName = 'Main Street'
  const stationName = 'Till 1'
  const productName = 'Espresso beans'
  const goods = { variantId: variant.id, productName, variantName: '250 g / dark', sku: 'ESP-250' }
  const cases: [string, Body][] = [
    ['outletId', { outletId: outlet.id, outletName }],
    ['stationId', { stationId: station.id, stationName, outletName }],
    ['stationId,outletId', { stationId: station.id, stationName, outletId: outlet.id, outletName }],
    ['sessionId', { sessionId: session.id, sessionNumber: '17', openTime: session.openTime }],
    ['employee', { employee: account.id, employeeName: 'Olga Owner' }],
    ['categoryId', { categoryId: category.id, categoryName: 'Coffee' }],
    ['variantId', goods],
    ['productId,variantId', { productId: product.id, productName, variantId: variant.id, variantName: '250 g / dark', sku: 'ESP-250' }], // biome-ignore format: a table
    ['customerId', { customerId: customer.id, customerName: 'Ann Archer' }],
  ]
  // In order too: columns of CSV are the members of JSON.
  for (const [groupBy, expected] of cases)
    assert.deepEqual((await keys(call, groupBy)).map(Object.entries), [Object.entries(expected)], groupBy)
  await call('PATCH', `/v1/product/${product.id}`, { name: '=Beans, "dark"' })
  await call('PATCH', `/v1/account/${account.id}`, { name: null })
  const { text } = await call('GET', '/v1/reports/sales?groupBy=productId,employee&format=csv')
  const [titles, line] = text.split('\n')
  assert.ok(titles?.startsWith('productId,productName,employee,employeeName,currency,grossSales,'), titles)
  const cells = csvLine([product.id, '=Beans, "dark"', account.id, 'olga@example.com', 'EUR'])
  assert.match(cells, /"'=Beans, ""dark"""/)
  assert.ok(line?.startsWith(`${cells.trim()},12.50,`), line)
})

test('deleted goods keep the name and SKU of their last line, a deleted customer keeps the name, and other unknown ids have null', async () => {
  const { call, outlet, account, product, variant, customer } = await soldShop()
  for (const path of [`variant/${variant.id}`, `product/${product.id}`, `outlet/${outlet.id}`, `account/${account.id}`, `customer/${customer.id}`]) // biome-ignore format: a table
    assert.equal((await call('DELETE', `/v1/${path}`)).status, 200, path)
  assert.deepEqual(await keys(call, 'productId'), [{ productId: product.id, productName: 'Beans' }])
  const lost = { variantId: variant.id, productName: 'Beans', variantName: null, sku: 'OLD' }
  assert.deepEqual(await keys(call, 'variantId'), [lost])
  assert.deepEqual(await keys(call, 'outletId,employee'), [
    { outletId: outlet.id, outletName: null, employee: account.id, employeeName: null },
  ])
  assert.deepEqual(await keys(call, 'customerId'), [{ customerId: customer.id, customerName: 'Ann Archer' }])
  // A sale of goods that only another system knows, a week ago: the group of the period before is named too.
  const occurredAt = new Date(Date.now() - 7 * 86_400_000 - 60_000).toISOString()
  const lineItems = [{ productId: 'theirs', name: 'Cake', total: '2.00' }, { productId: 'nameless', total: '1.00' }] // biome-ignore format: a table
  await made(call, '/v1/order', { occurredAt, lineItems })
  const today = new Date().toISOString().slice(0, 10)
  const compared = keysOf(await report(call, `groupBy=productId&compare=previous&from=${today}&to=${today}&timezone=UTC`)) // biome-ignore format: one thought
  assert.deepEqual(
    compared.map(({ productId, productName }) => [productId, productName]).toSorted(),
    [
      [product.id, 'Beans'],
      ['nameless', null],
      ['theirs', 'Cake'],
    ].toSorted(),
  )
})

test('a company sees no name of another company, also under the same id', async () => {
  const { product, customer, variant, outlet } = await soldShop()
  const { call } = await service.company()
  const lineItems = [{ productId: product.id, variantId: variant.id, total: '1.00' }]
  await made(call, '/v1/order', { customerId: customer.id, outletId: outlet.id, lineItems })
  assert.deepEqual(await keys(call, 'productId,variantId'), [
    { productId: product.id, productName: null, variantId: variant.id, variantName: null, sku: null },
  ])
  assert.deepEqual(await keys(call, 'customerId,outletId'), [
    { customerId: customer.id, customerName: null, outletId: outlet.id, outletName: null },
  ])
})

test('a key without customers and accounts gets their ids without names, also while a key for everything asks the same', async () => {
  const { company, call, outlet, account, customer } = await soldShop()
  const books = await limitedTo(company.id, 'report')
  const place = { outletId: outlet.id, outletName: 'Main Street' }
  const path = 'groupBy=customerId,employee,outletId'
  await report(call, path)
  // Requests at the same time share answers.
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => report(n % 2 ? call : books, path).then(keysOf)),
  )
  for (const [n, [group]] of answers.entries())
    assert.deepEqual(
      group,
      n % 2
        ? { customerId: customer.id, customerName: 'Ann Archer', employee: account.id, employeeName: 'Olga Owner', ...place } // biome-ignore format: a table
        : { customerId: customer.id, employee: account.id, ...place },
    )
  const { text } = await books('GET', `/v1/reports/sales?${path}&format=csv`)
  assert.ok(text.startsWith('customerId,employee,outletId,outletName,currency,'), text)
  assert.doesNotMatch(text + (await books('GET', '/v1/reports/customers')).text, /Archer|Olga|example\.com/)
  const both = await limitedTo(company.id, 'report', 'customer')
  assert.deepEqual(await keys(both, 'customerId,employee'), [
    { customerId: customer.id, customerName: 'Ann Archer', employee: account.id },
  ])
})
