// Ways around the resources of a key (decision 82): answers to repeated sales, other spellings of paths, other headers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions } from '../src/core/scope.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

/** A caller by a further key of a company, limited to some resources. */
async function limitedTo(
  companyId: string,
  resources: readonly string[],
  allowed: readonly Permission[] = permissions,
) {
  const wanted = { name: 'Kiosk', permissions: allowed, resources }
  const { value } = await createKey(service.database, { companyId }, wanted)
  return { value, call: service.caller({ 'x-api-key': value }) }
}

const tea = { customSales: [{ name: 'Tea', price: '3.00', quantity: 1 }] }
const paid = { ...tea, payments: [{ paymentMethod: 'cash', amount: '3.00' }] }

test('mode=once shows a key without access to orders which sale was made before, and nothing of what is in it', async () => {
  const { id, call } = await service.company()
  const { id: outletId } = (await call('POST', '/v1/outlet', { name: 'Harbour' })).body
  const { id: customerId } = (await call('POST', '/v1/customer', { firstName: 'Ada' })).body
  const number = { source: 'shopify', externalId: '1001', occurredAt: '2026-11-21T09:30:00.000Z' }
  const details = { customerId, billing: { firstName: 'Ada', street: 'Secret 1' }, customerNote: 'At the back door' }
  const sold = await call('POST', '/v1/sale', { ...paid, ...number, ...details, outletId, receiptId: 'R-1' })
  assert.equal(sold.status, 201, sold.text)
  const { order } = sold.body
  const { call: kiosk } = await limitedTo(id, ['sale', 'product'], ['read', 'create'])
  const { call: office } = await limitedTo(id, ['sale', 'order'])
  const { createdAt, updatedAt, completedAt } = order
  const shown = {
    id: order.id,
    receiptId: 'R-1',
    status: 'completed',
    occurredAt: number.occurredAt,
    completedAt,
    currency: 'EUR',
    outletId,
    source: 'shopify',
    externalId: '1001',
    fromService: false,
    companyId: id,
    createdAt,
    updatedAt,
  }
  const guess = { source: number.source, externalId: number.externalId }
  for (const body of [guess, { ...paid, ...number, outletId }]) {
    const one = await kiosk('POST', '/v1/sale?mode=once', body)
    assert.deepEqual([one.status, one.body], [200, { order: shown, transactions: [], stock: [] }])
    const many = await kiosk('POST', '/v1/sales?mode=once', { items: [body, body] })
    assert.deepEqual(
      many.body.results.map(({ outcome, data }: any) => [outcome, data.order]),
      [
        ['unchanged', shown],
        ['unchanged', shown],
      ],
    )
    assert.deepEqual((await office('POST', '/v1/sale?mode=once', body)).body.order, order)
  }
})

test('a repeated sale of its own is answered under mode=once, and under an idempotency key of the key that it replaces', async () => {
  const { id, call } = await service.company()
  const { id: outletId } = (await call('POST', '/v1/outlet', { name: 'Harbour' })).body
  const { call: kiosk } = await limitedTo(id, ['sale'], ['read', 'create'])
  const number = { source: 'kiosk', externalId: '1', occurredAt: '2026-11-21T09:30:00.000Z' }
  const made = await kiosk('POST', '/v1/sale?mode=once', { ...paid, ...number, outletId })
  assert.equal(made.status, 201, made.text)
  const again = await kiosk('POST', '/v1/sale?mode=once', { ...paid, ...number, outletId })
  assert.deepEqual([again.status, again.body.order.id], [200, made.body.order.id])
  const once = { 'idempotency-key': 'sale 2' }
  const before = await call('POST', '/v1/sale', { ...paid, outletId }, once)
  const after = await kiosk('POST', '/v1/sale', { ...paid, outletId }, once)
  assert.deepEqual([after.status, after.body], [201, before.body])
})

test('an idempotency key does not replay a sale with a new customer to a key without access to customers', async () => {
  const { id, call } = await service.company()
  const { id: outletId } = (await call('POST', '/v1/outlet', { name: 'Harbour' })).body
  const { call: kiosk } = await limitedTo(id, ['sale'])
  const { id: open } = (await call('POST', '/v1/order', { ...tea, status: 'parked', outletId })).body
  const customer = { firstName: 'Ada' }
  for (const [path, body] of [
    ['/v1/sale', { ...paid, outletId, customer }],
    [`/v1/sale/${open}/complete`, { payments: paid.payments, customer }],
  ] as const) {
    const once = { 'idempotency-key': path }
    const made = await call('POST', path, body, once)
    assert.ok(made.status < 300, made.text)
    const { reason } = assertProblem(await kiosk('POST', path, body, once), 403, 'permission_denied')
    assert.equal(reason, 'resource_denied')
    assert.deepEqual((await call('POST', path, body, once)).body, made.body)
  }
})

test('other spellings of a path, the older header and the methods of browsers lead to no other resource', async () => {
  const { id, call } = await service.company()
  const { id: customerId } = (await call('POST', '/v1/customer', { firstName: 'Ada' })).body
  const { call: kiosk, value } = await limitedTo(id, ['product', 'sale'])
  const older = service.caller({ apiKey: value })
  for (const path of [
    ...['/v1/customers', '/v1/customers/', '//v1/customers', '/v1//customers', '/V1/Customers', '/v1/%63ustomers'],
    ...['/v1/api/customers', '/v1/product/../customers', '/v1/products;/../customers', '/v1/products%2F..%2Fcustomers'],
    ...[`/v1/customer/${customerId}`, `/v1/api/customer/${customerId}`, `/v1/product/..%2Fcustomer%2F${customerId}`],
  ])
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE'])
      for (const caller of [kiosk, older]) {
        const { status, text } = await caller(method, path)
        assert.ok([400, 401, 403, 404, 405].includes(status), `${method} ${path}: ${status}`)
        assert.ok(!text.includes('Ada'))
      }
  assert.equal((await call('GET', `/v1/customer/${customerId}`)).status, 200)
})

test('a limited key neither makes keys nor acts for the organization', async () => {
  const { id } = await service.company()
  const { call: kiosk, value } = await limitedTo(id, ['product', 'company', 'setting'])
  const wanted = { name: 'All', permissions }
  assertProblem(await kiosk('POST', '/v1/keys', wanted), 403, 'permission_denied')
  const asOrganization = service.caller({ 'x-org-api-key': value })
  for (const path of ['/v1/organization-api/keys', `/v1/organization-api/companies/${id}/keys`])
    assertProblem(await asOrganization('POST', path, wanted), 403, 'key_not_bound')
})
