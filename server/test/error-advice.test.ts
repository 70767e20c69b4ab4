// Errors that say where a request belongs: the likely path, the route that takes many records, the member or route that has a value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('a wrong path is refused with the path that was probably meant, if that takes the method', async () => {
  const { call } = await service.company()
  for (const [path, meant] of [
    ['/V1/products', '/v1/products'],
    ['/v1/prodcts', '/v1/products'],
    ['/products', '/v1/products'],
    ['/api/v1/products', '/v1/products'],
    ['/v1/products.json', '/v1/products'],
    ['/v1/tax_tables', '/v1/tax-tables'],
    [`/products/${noId}`, `/v1/product/${noId}`],
    ['/favicon.ico', undefined],
    // A word of this API that is no misspelt other one.
    ['/v1/reports', undefined],
    ['/v1/reports/groups', undefined],
    ['/v1/customers/1/attachment', undefined],
    [`/v1/customers/${noId}`, `/v1/customer/${noId}`],
    ['//v1/products', '/v1/products'],
    // In the other style.
    ['/v1/api/inventories', '/v1/inventories'],
    [`/v1/api/inventory/${noId}`, `/v1/inventory/${noId}`],
    ['/v1/custom-tables', '/v1/api/custom-tables'],
    ['/v1/api/whoami', '/v1/whoami'],
    // What others call it.
    ['/v1/webhooks', '/v1/automation-triggers'],
    ['/v1/webhook_endpoints', '/v1/automation-triggers'],
    ['/v2/locations', '/v1/outlets'],
    [`/v1/api/payments/${noId}`, `/v1/transaction/${noId}`],
    ['/v1/taxes', '/v1/tax-tables'],
    ['/v1/tills', '/v1/stations'],
    ['/v1/products/count', '/v1/products'],
    ['/v2/catalog/search', undefined],
    ['/payments/search', '/v1/transactions'],
    ['/openapi.json', '/v1/openapi.json'],
    ['/reference', '/v1/openapi.json'],
    [`/v1/sale/${noId}`, `/v1/order/${noId}`],
    // An upsert's path is not read.
    ['/v1/products/external/erp/P-1', '/v1/products?source=erp&externalId=P-1'],
    ['/v1/categories/external/erp/a%2Fb', '/v1/categories?source=erp&externalId=a%2Fb'],
    ['/v1/variants/external/V-1', '/v1/variants?externalId=V-1'],
    ['/v1/p/external/erp/P-1', undefined],
  ] as const) {
    const { message } = assertProblem(await call('GET', path), 404, 'not_found')
    assert.equal(message, `The path ${path} does not exist.${meant === undefined ? '' : ` Did you mean ${meant}?`}`)
  }
  for (const [path, meant] of [
    ['/v1/webhooks', '/v1/automation-trigger'],
    ['/v1/products/batch', '/v1/products'],
    [`/v1/order/${noId}/refund`, `/v1/sale/${noId}/refund`],
  ] as const) {
    const { message } = assertProblem(await call('POST', path, {}), 404, 'not_found')
    assert.equal(message, `The path ${path} does not exist. Did you mean ${meant}?`)
  }
  const upsert = assertProblem(await call('PUT', '/v1/products/external/erp/P-1', {}), 404, 'not_found')
  assert.match(upsert.message, /Did you mean \/v1\/product\/external\/erp\/P-1\?$/)
  const twoSlashes = assertProblem(await call('GET', '/v1/customers//'), 404, 'not_found')
  assert.equal(twoSlashes.message, 'The path /v1/customers/ does not exist. Did you mean /v1/customers?')
  // A word of another path is no id.
  const levels = assertProblem(await call('GET', '/v1/inventories/set-levels'), 405, 'method_not_allowed')
  assert.equal(levels.message, 'GET is not allowed for this path; use POST.')
  const quote = assertProblem(await call('DELETE', '/v1/sale/quote'), 405, 'method_not_allowed')
  assert.equal(quote.message, 'DELETE is not allowed for this path; use POST.')
  const other = assertProblem(await call('GET', '/v1/customers/set-levels'), 404, 'not_found')
  assert.equal(other.message, 'The path /v1/customers/set-levels does not exist.')
  for (const [method, path, allowed] of [
    ['PATCH', '/v1/api/customer', 'DELETE, GET, HEAD, PUT, or PATCH /v1/customer'],
    ['PUT', '/v1/customer', 'DELETE, GET, HEAD, PATCH, or PUT /v1/api/customer'],
  ] as const) {
    const { message } = assertProblem(await call(method, `${path}/${noId}`, {}), 405, 'method_not_allowed')
    assert.equal(message, `${method} is not allowed for this path; use ${allowed}/${noId}.`)
  }
  const refused = assertProblem(await call('GET', '/v1/product'), 405, 'method_not_allowed')
  assert.equal(refused.message, 'GET is not allowed for this path; use POST, or GET /v1/products.')
  const plural = assertProblem(await call('GET', '/v1/category'), 405, 'method_not_allowed')
  assert.equal(plural.message, 'GET is not allowed for this path; use POST, or GET /v1/categories.')
  const sales = assertProblem(await call('GET', '/v1/sales'), 405, 'method_not_allowed')
  assert.equal(sales.message, 'GET is not allowed for this path; use POST, or GET /v1/orders.')
  const long = `/v1/${'x'.repeat(300)}`
  assert.ok(assertProblem(await call('GET', long), 404, 'not_found').message.endsWith('xx does not exist.'))
})

test('a path that cannot be read is refused with what is right', async () => {
  const { call } = await service.company()
  for (const [id, right] of [
    ['50%', 'The path must be percent-encoded UTF-8; write % itself as %25.'],
    ['%ff', 'The path must be percent-encoded UTF-8; write % itself as %25.'],
  ] as const) {
    const { message } = assertProblem(await call('PUT', `/v1/product/external/shop/${id}`, {}), 404, 'not_found')
    assert.equal(message, right)
  }
})

test('many records are refused where one is sent, as an array or as items, with the path that takes many', async () => {
  const { call } = await service.company()
  const refuse = async (method: string, path: string, body: unknown) =>
    assertProblem(await call(method, path, body), 400, 'validation_failed').errors
  for (const [method, path, many] of [
    ['POST', '/v1/customer', '/v1/customers'],
    ['POST', '/v1/api/customer', '/v1/customers'],
    ['PATCH', `/v1/customer/${noId}`, '/v1/customers'],
    ['POST', '/v1/sale', '/v1/sales'],
  ] as const) {
    const records = [{ firstName: 'Ann' }]
    const array = { in: 'body', pointer: '', code: 'type', message: `must be an object; ${many} takes many` }
    assert.deepEqual(await refuse(method, path, records), [array])
    const isItems = path === '/v1/sale' ? 'is not known; did you mean lineItems?' : 'is not known;'
    const items = { in: 'body', pointer: '/items', code: 'unknown', message: `${isItems} ${many} takes many` }
    assert.deepEqual(await refuse(method, path, { items: records }), [items])
  }
  const messagesOf = async (path: string, body: unknown) =>
    (await refuse('POST', path, body)).map(({ message }: { message: string }) => message)
  assert.deepEqual(await messagesOf('/v1/customer', '"x"'), ['must be an object'])
  // Nothing takes many quotes.
  assert.deepEqual(await messagesOf('/v1/sale/quote', []), ['must be an object'])
  assert.deepEqual(await messagesOf('/v1/product', { name: 'Mug', items: [] }), [
    'is not known; values of your own go into metadata',
  ])
})

test('a member that belongs elsewhere is refused with where that is', async () => {
  const { call } = await service.company()
  const stocked = /^is not known; stock .* POST \/v1\/inventories\/adjust or \/v1\/inventories\/set-levels$/
  const directly = /^is not known; send its members directly, at the top level of the record$/
  const line = { variantId: noId, quantity: 1 }
  for (const [path, body, pointer, message] of [
    ['/v1/sale', { outletId: noId, items: [line] }, '/items', /^is not known; did you mean lineItems\?$/],
    ['/v1/sale', { sale: { lineItems: [line] } }, '/sale', directly],
    ['/v1/sale', { lineItems: [line], shippingTotal: '4.90' }, '/shippingTotal', /^is not known; send it in summary$/],
    ['/v1/order', { lineItems: [line], total: '4.90' }, '/total', /^is not known; send it in summary$/],
    ['/v1/sale', { lineItems: [{ ...line, price: '1.00' }], payments: [{ paymentMethod: 'card', processorTransactionId: 'pi_1' }] }, '/payments/0/processorTransactionId', /^is not known; send it in paymentData, which stores any member$/], // biome-ignore format: one thought
    ['/v1/transaction', { paymentMethod: 'gift_card', amount: '1.00', gift_card_id: 'GC-1' }, '/gift_card_id', /^is not known; send it in paymentData/], // biome-ignore format: one thought
    ['/v1/refund', { orderId: noId, amount: '4.90' }, '/amount', /POST \/v1\/sale\/\{orderId\}\/refund computes them$/],
    ['/v1/product', { title: 'Mug' }, '/title', /^is not known; did you mean name\?$/],
    ['/v1/variant', { productId: noId, source: 'erp', externalId: '1' }, '/source', /^is not known; externalId alone identifies the record; prefix it/], // biome-ignore format: one thought
    ['/v1/product', { name: 'Mug', price: 5 }, '/price', /prices belong to variants/],
    ['/v1/product', { name: 'Mug', variants: [] }, '/variants', /POST \/v1\/variants/],
    [`/v1/sale/${noId}/refund`, { lineItems: [{ lineItem: 0 }] }, '/lineItems', /^is not known; send .* as lines/],
    [`/v1/sale/${noId}/refund`, { employee: 'ann' }, '/employee', /^is not known; did you mean refundedBy\?$/],
    [`/v1/sale/${noId}/refund`, { quantity: 1 }, '/quantity', /^is not known; send .* as lines/],
    [`/v1/sale/${noId}/refund`, { amount: '5.00' }, '/amount', /^is not known; the amount follows from .* lines,/],
    ['/v1/product', { product: { name: 'Mug' } }, '/product', directly],
    [
      '/v1/product',
      { name: 'Mug', product: { name: 'Mug' } },
      '/product',
      /^is not known; values of your own go into metadata$/,
    ],
    ['/v1/product', { name: 'Mug', stock: 5 }, '/stock', stocked],
    ['/v1/variant', { productId: noId, stock: 5 }, '/stock', stocked],
    ['/v1/customer', { address: { city: 'Graz' } }, '/address', /^is not known; send it as billing, or as shipping$/],
    ['/v1/customer', { name: 'Ann' }, '/name', /^is not known; send firstName and lastName$/],
    ['/v1/customer', { given_name: 'Ann' }, '/given_name', /^is not known; did you mean firstName\?$/],
    ['/v1/sale', { lineItems: [line], tenders: [] }, '/tenders', /^is not known; did you mean payments\?$/],
    ['/v1/sale', { lineItems: [line], location_id: noId }, '/location_id', /^is not known; did you mean outletId\?$/],
    [
      '/v1/sale',
      { lineItems: [line], taxesIncluded: true },
      '/taxesIncluded',
      /; did you mean isTaxInclusive in summary\?$/,
    ],
    ['/v1/variant', { productId: noId, inventory_quantity: 5 }, '/inventory_quantity', stocked],
    ['/v1/session', { stationId: noId, openingFloat: '9.00' }, '/openingFloat', /; did you mean openingAmount\?$/],
    ['/v1/session', { stationId: noId, openedAt: '2026-11-21T08:00:00Z' }, '/openedAt', /; did you mean openTime\?$/],
    ['/v1/session', { stationId: noId, closedAt: '2026-11-21T08:00:00Z' }, '/closedAt', /; did you mean closeTime\?$/],
    ['/v1/session', { stationId: noId, status: 'closed' }, '/status', /POST \/v1\/session\/\{id\}\/close/],
    ['/v1/product', { name: 'Mug', taxRate: 20 }, '/taxRate', /; rates are in tax tables: .* send taxTable/],
    ['/v1/automation-trigger', { target_url: 'https://a.example.com/' }, '/target_url', /; did you mean triggerUrl\?$/],
    ['/v1/automation-trigger', { topic: 'orders/create' }, '/topic', /; did you mean triggerType\?$/],
    ['/v1/automation-trigger', { secret: 's' }, '/secret', /; did you mean apiKey\?$/],
    ['/v1/automation-trigger', { events: ['order.*'] }, '/events', /; send one type or pattern as triggerType; for/],
    ['/v1/customer', { billingAddress: {} }, '/billingAddress', /^is not known; did you mean billing\?$/],
    ['/v1/sale', { lineItems: [line], table: '7' }, '/table', /^is not known; values of your own go into metadata$/],
    ['/v1/sale', { lineItems: [line], date: '2026-11-21' }, '/date', /^is not known; did you mean occurredAt\?$/],
    ['/v1/sale', { lineItems: [line], customerEmail: 'a@example.com' }, '/customerEmail', /; did you mean customer\?$/],
    [
      '/v1/order',
      { lineItems: [line], deliveryFee: '4.90' },
      '/deliveryFee',
      /; did you mean shippingTotal in summary\?$/,
    ],
    [
      '/v1/cash-movement',
      { type: 'drop', amount: '9.00', stationId: noId },
      '/stationId',
      /; send the sessionId of the open session/,
    ],
    [`/v1/sale/${noId}/void`, { reason: 'Mistake' }, '/reason', /^is not known; send it as notes of the order,/],
    // Two members end with it, so neither is more likely.
    ['/v1/session', { amount: '5.00' }, '/amount', /^is not known$/],
  ] as const) {
    const { errors } = assertProblem(await call('POST', path, body), 400, 'validation_failed')
    assert.match(errors.find((error: Body) => error.pointer === pointer)?.message ?? '', message, JSON.stringify(body))
  }
  const { body } = await call('PATCH', `/v1/variants`, { items: [{ id: noId, stock: 5 }, { externalId: 'e' }] })
  assert.match(body.results[0].error.errors[0].message, stocked)
  assert.match(body.results[1].error.errors[0].message, /^must be the id of a record; .* by POST with mode=upsert$/)
  const deleted = await call('DELETE', '/v1/variants', { items: [{ externalId: 'e' }] })
  assert.match(
    deleted.body.results[0].error.message,
    /must be the id of a record; find it first: send GET with its externalId/,
  )
  for (const [path, item, pointer, message] of [
    ['set-levels', { location_id: 'x' }, 'location_id', /; did you mean outletId\?$/],
    ['set-levels', { available: 3 }, 'available', /; did you mean quantity\?$/],
    ['adjust', { quantity: 3 }, 'quantity', /; did you mean delta\?$/],
    ['adjust', { reason: 'PO-9' }, 'reason', /; send it beside items, for all of them;/],
  ] as const) {
    const { results } = (await call('POST', `/v1/inventories/${path}`, { items: [item] })).body
    const { errors } = results[0].error
    assert.match(errors.find((error: Body) => error.pointer === `/items/0/${pointer}`).message, message)
  }
})

test('a parameter of the route that is sent in the body is refused with where it belongs', async () => {
  const { call } = await service.company()
  for (const [path, member, sent, meant] of [
    ['/v1/product', 'dryRun', true, '?dryRun=true'],
    ['/v1/products', 'dry_run', true, '?dryRun=true'],
    ['/v1/products', 'mode', 'upsert', '?mode=upsert'],
    ['/v1/products', 'etags', true, '?etags=true'],
    ['/v1/sale', 'mode', 'once', '?mode=once'],
    ['/v1/sales', 'mode', 'once', '?mode=once'],
    [`/v1/sale/${noId}/refund`, 'mode', 'once', '?mode=once'],
    [`/v1/sale/${noId}/void`, 'dryRun', true, '?dryRun=true'],
    [`/v1/session/${noId}/close`, 'dryRun', true, '?dryRun=true'],
    ['/v1/session', 'takeOver', true, '?takeOver=true'],
    ['/v1/inventories/adjust', 'dryRun', true, '?dryRun=true'],
    ['/v1/customer', 'dryRun', true, '?dryRun=true'],
    // The route takes no such parameter.
    ['/v1/session', 'mode', 'upsert', undefined],
  ] as const) {
    const { errors } = assertProblem(await call('POST', path, { [member]: sent }), 400, 'validation_failed')
    const { message } = errors.find(({ pointer }: Body) => pointer === `/${member}`)
    const advice = meant === undefined ? '' : `; it is a query parameter, as in ${meant}`
    assert.equal(message, `is not known${advice}`, path)
  }
})

test('an unknown member of an item of a bulk delete is refused with the members that items take', async () => {
  const { call } = await service.company()
  const messages = []
  for (const item of [
    { id: noId, reason: 'x' },
    { id: noId, ifmatch: 'x' },
  ])
    messages.push((await call('DELETE', '/v1/customers', { items: [item] })).body.results[0].error.errors[0].message)
  assert.deepEqual(messages, [
    'is not known; the members are id, clientRef, ifMatch',
    'is not known; did you mean ifMatch?',
  ])
})

test('reading and deleting by the id of another system is refused; the error names the list that finds the record', async () => {
  const { call } = await service.company()
  for (const [path, list] of [
    ['/v1/category/external/shop/a%201', '/v1/categories?source=shop&externalId=a%201'],
    ['/v1/variant/external/119', '/v1/variants?externalId=119'],
    ['/v1/product/external/my+shop/a&b%2B', '/v1/products?source=my%2Bshop&externalId=a%26b%2B'],
  ] as const) {
    const { message } = assertProblem(await call('GET', path), 405, 'method_not_allowed')
    assert.equal(message, `GET is not allowed for this path; use PUT, or GET ${list}.`)
    assert.deepEqual(succeeded(await call('GET', list)).data, [])
    const deleted = assertProblem(await call('DELETE', path), 405, 'method_not_allowed')
    assert.equal(deleted.message, `DELETE is not allowed for this path; use PUT, or find its id by GET ${list}.`)
  }
})

test('a parameter under the name that it has elsewhere is refused with its name here, if the route has that', async () => {
  const { call } = await service.company()
  for (const [query, message] of [
    ['products?q=mug', 'is not known; did you mean search?'],
    // Page 2 is not skip=2.
    ['products?page=2', 'is not known; send skip, the number of records before the page'],
    ['products?offset=50', 'is not known; did you mean skip?'],
    ['transactions?receiptId=R-1', 'is not known; did you mean searchByReceiptId?'],
    ['products?per_page=50', 'is not known; did you mean limit?'],
    ['orders?updated_at_min=2026-11-01', 'is not known; did you mean updatedAt[gte]?'],
    ['orders?created_at_max=2026-11-01', 'is not known; did you mean createdAt[lte]?'],
    ['orders?createdBefore=2026-11-01', 'is not known; did you mean createdAt[lt]?'],
    ['orders?createdAtFrom=2026-11-01', 'is not known; did you mean createdAt[gte]?'],
    ['sessions?openTimeTo=2026-11-01', 'is not known; did you mean openTime[lt]?'],
    ['orders?modified_after=2026-11-01', 'is not known; did you mean updatedAt[gte]?'],
    ['orders?since=2026-11-01', 'is not known; did you mean updatedAt[gte]?'],
    ['orders?since_id=6b02', 'is not known; did you mean cursor?'],
    ['orders?ids=6b02', 'is not known; did you mean id?'],
    ['orders?sort=createdAt', 'is not known; did you mean sortBy?'],
    ['orders?order=desc', 'is not known; did you mean sortOrder?'],
    ['orders?updated_at[gte]=2026-11-01', 'is not known; did you mean updatedAt[gte]?'],
    ['orders?occurredAt_lt=2026-11-01', 'is not known; did you mean occurredAt[lt]?'],
    ['customers?email=ann@example.com', 'is not known; did you mean searchByEmail?'],
    ['products?tags[]=new', 'is not known; did you mean tags?'],
    ['products?tags[0]=new', 'is not known; did you mean tags?'],
    ['products?id%5B0%5D=6b02', 'is not known; did you mean id?'],
    ['events?cursor=12', 'is not known; did you mean after?'],
    ['api/products?limits=5', 'is not known; did you mean limit?'],
    [
      'api/products?name=mug',
      'is not known; the parameters are skip, limit, total, etags; GET /v1/products also has filters, searches and cursors',
    ],
    // These have no other list.
    ['api/custom-tables?name=loyalty', 'is not known; the parameters are skip, limit, total, etags'],
    ['reports/sales?startDate=2026-11-01', 'is not known; did you mean from?'],
    [
      'reports/sales?location_id=1',
      'is not known; a report has no filters: group by it, as in groupBy=outletId, and take its groups',
    ],
    [
      'reports/sales?paid=true',
      'is not known; the parameters are from, to, timezone, dayStartHour, groupBy, compare, format',
    ],
    ['orders?from=2026-11-01', 'is not known; did you mean occurredAt[gte]?'],
    ['refunds?endDate=2026-11-01', 'is not known; did you mean occurredAt[lt]?'],
    ['events?from=2026-11-01', 'is not known; did you mean since?'],
    ['orders?location_id=1', 'is not known; did you mean outletId?'],
    ['orders?financial_status=paid', 'is not known; did you mean paymentStatus?'],
    [
      'reports/sales?page=2',
      'is not known; the parameters are from, to, timezone, dayStartHour, groupBy, compare, format',
    ],
  ])
    assert.equal(assertProblem(await call('GET', `/v1/${query}`), 400, 'validation_failed').errors[0].message, message)
})

test('a sortBy that says the direction too, or spells the member otherwise, is refused with the right parameters', async () => {
  const { call } = await service.company()
  for (const [sent, meant] of [
    ['-createdAt', 'sortBy=createdAt&sortOrder=desc'],
    ['-created_at', 'sortBy=createdAt&sortOrder=desc'],
    ['updatedAt:desc', 'sortBy=updatedAt&sortOrder=desc'],
    ['name,asc', 'sortBy=name&sortOrder=asc'],
    ['name+DESC', 'sortBy=name&sortOrder=desc'],
    ['+name', 'name'],
    ['createdat', 'createdAt'],
    ['-color', undefined],
    ['--createdAt', undefined],
  ] as const) {
    const reply = await call('GET', `/v1/products?sortBy=${sent}`)
    const [error] = assertProblem(reply, 400, 'validation_failed').errors
    assert.deepEqual([error.pointer, error.code], ['sortBy', 'enum'])
    assert.match(error.message, /^must be one of createdAt, updatedAt, name/)
    assert.equal(error.message.split('; ')[1], meant && `did you mean ${meant}?`)
    if (meant?.includes('=')) assert.equal((await call('GET', `/v1/products?${meant}`)).status, 200)
  }
})
