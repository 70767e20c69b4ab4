// What shops do with the API, as broadly as tests need that look at every statement.
import { resources } from '../../src/resources/index.ts'
import { succeeded } from './custom-tables.ts'
import type { Caller } from './service.ts'

/** A record of each resource is created, read, listed, changed, and removed; once alone and once in bulk. */
export async function everyResource(call: Caller) {
  for (const { styleB, example, list } of resources) {
    if (styleB === null) continue
    const made = await call('POST', `/v1/${styleB.one}`, example)
    // Some resources are written by routes of their own, or refuse the example without what it refers to.
    if (made.status !== 201) continue
    const { id } = made.body
    const one = `/v1/${styleB.one}/${id}`
    const many = `/v1/${styleB.many}`
    await Promise.all([call('GET', one), call('GET', one)])
    for (const member of list.sort.slice(0, 1)) await call('GET', `${many}?sortBy=${member}&limit=2`)
    await call('GET', `${many}?search=a&limit=2`)
    await call('PATCH', one, { ...example, externalId: 'x-1' })
    await call('POST', many, { items: [example] })
    await call('PATCH', many, { items: [{ id, ...example }] })
    await call('DELETE', many, { items: [{ id }] })
    await call('DELETE', one)
  }
}

/** An outlet with a till and an open session, and a managed variant that it has in stock. */
async function shop(call: Caller) {
  const made = async (path: string, body: object): Promise<string> => succeeded(await call('POST', path, body), 201).id
  const outletId = await made('/v1/outlet', { name: 'Main Street' })
  const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  const sessionId = await made('/v1/session', { stationId })
  const productId = await made('/v1/product', { name: 'Beans' })
  const inventory = [{ outletId, stock: 12 }]
  const variantId = await made('/v1/variant', { productId, price: 2, manageStock: true, inventory })
  return { outletId, stationId, sessionId, productId, variantId }
}

/** A day of a till: stock, sales, a refund, a void, closing, reports, and the feed. */
export async function dayOfTill(call: Caller) {
  const { outletId, stationId, sessionId, productId, variantId } = await shop(call)
  const tuple = { productId, variantId, outletId }
  succeeded(await call('POST', '/v1/inventories/set-levels', { items: [{ ...tuple, quantity: 20 }] }))
  succeeded(await call('POST', '/v1/inventories/adjust', { items: [{ ...tuple, delta: 2, kind: 'RECEIVED' }] }))
  const lineItems = [{ variantId, quantity: 2, price: '2.00' }]
  const sale = { lineItems, outletId, stationId, payments: [{ paymentMethod: 'cash', amount: '4.00' }] }
  const key = { 'idempotency-key': 'sale-1' }
  const { order } = succeeded(
    await call('POST', '/v1/sale', { ...sale, customer: { email: 'a@example.com' } }, key),
    201,
  )
  succeeded(await call('POST', '/v1/sale', { ...sale, customer: { email: 'a@example.com' } }, key), 201)
  const other = succeeded(await call('POST', '/v1/sale', sale), 201).order
  succeeded(await call('POST', `/v1/sale/${order.id}/refund`, {}), 201)
  succeeded(await call('POST', `/v1/sale/${other.id}/void`, {}))
  succeeded(await call('POST', '/v1/cash-movement', { sessionId, type: 'float', amount: '5.00' }), 201)
  succeeded(await call('GET', `/v1/session/${sessionId}/report`))
  succeeded(await call('POST', `/v1/session/${sessionId}/close`, {}), 201)
  // The next closing has a late record, which the journal looks up.
  succeeded(await call('POST', '/v1/transaction', { sessionId, paymentMethod: 'cash', amount: '1.00' }), 201)
  const next = succeeded(await call('POST', '/v1/session', { stationId }), 201)
  succeeded(await call('POST', `/v1/session/${next.id}/close`, {}), 201)
  for (const report of ['sales', 'products', 'customers', 'journal'])
    succeeded(await call('GET', `/v1/reports/${report}?from=2026-01-01&to=2026-12-31`))
  succeeded(await call('GET', '/v1/reports/stock-value'))
  succeeded(await call('GET', '/v1/reports/low-stock'))
  succeeded(await call('GET', '/v1/events?after=0&limit=1000'))
  succeeded(await call('GET', '/v1/search?q=beans'))
  succeeded(await call('PUT', '/v1/product/external/shopify/7', { name: 'Tea' }), 201)
  succeeded(await call('POST', '/v1/customer?dryRun=true', { email: 'b@example.com' }), 201)
  succeeded(await call('POST', '/v1/customer', { email: 'b@example.com' }, { 'idempotency-key': 'customer-1' }), 201)
  succeeded(await call('POST', '/v1/events/custom', { name: 'shift.ended', data: {} }), 201)
}

/** A custom table that extends customers, and a row of it. */
export async function extendedCustomers(call: Caller) {
  const table = succeeded(await call('POST', '/v1/api/custom-table', { name: 'loyalty' }), 201)
  const tableId = table._id
  const of = (name: string, more: object) => ({ tableId, name, type: 'string', required: false, ...more })
  const link = { referenceLinkedCollection: 'customers', referenceLinkedField: 'id' }
  await call('POST', '/v1/api/custom-table-field', of('customer', link))
  const tier = succeeded(await call('POST', '/v1/api/custom-table-field', of('tier', {})), 201)
  const { id } = succeeded(
    await call('POST', '/v1/customer', { email: 'd@example.com', loyalty: { tier: 'gold' } }),
    201,
  )
  await call('PATCH', `/v1/customer/${id}`, { loyalty: { tier: 'silver' } })
  const rows = await call('GET', '/v1/api/custom-table-data/loyalty')
  const row = rows.body[0]?._id.$oid
  await call('GET', `/v1/api/custom-table-data/loyalty/${row}`)
  await call('PATCH', `/v1/api/custom-table-data/loyalty/${row}`, { tier: 'bronze' })
  succeeded(await call('PUT', `/v1/api/custom-table-field/${tier._id.$oid}`, { name: 'level' }))
  await call('DELETE', `/v1/api/custom-table-data/loyalty/${row}`)
}
