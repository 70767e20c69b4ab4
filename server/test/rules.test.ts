// Refusals about the rules of a shop: each names its rule with a word, so that a client can say it in its own language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from './support/service.ts'
import { sellTea, teaShop } from './support/tea-shop.ts'

const service = sharedService()

test('a refused refund or void names the rule, and how much is left of a line', async () => {
  const shop = await teaShop(service)
  const { call } = shop.company
  const id = await sellTea(shop)
  const tooMany = await call('POST', `/v1/sale/${id}/refund`, { lines: [{ lineItem: 0, quantity: 4 }] })
  const { message, ...left } = tooMany.body.errors[0]
  assert.deepEqual([tooMany.status, left], [409, { in: 'body', pointer: '/lines/0/quantity', code: 'left', limit: 3 }])
  assert.equal(message, 'Only 3 of the line is left.')
  assert.equal((await call('POST', `/v1/sale/${id}/refund`, {})).status, 201)
  const again = await call('POST', `/v1/sale/${id}/refund`, {})
  assert.deepEqual([again.status, again.body.reason], [409, 'sale_refunded'])
  const line = await call('POST', `/v1/sale/${id}/refund`, { lines: [{ lineItem: 0 }] })
  assert.deepEqual([line.status, line.body.errors[0].message], [409, 'Nothing of the line is left.'])
  const refunded = await call('POST', `/v1/sale/${id}/void`, {})
  assert.deepEqual([refunded.status, refunded.body.reason], [409, 'sale_has_refunds'])
  const parked = await call('POST', '/v1/order', { status: 'parked', lineItems: [{ total: '1.00' }] })
  for (const [verb, done] of [
    ['refund', 'refunded'],
    ['void', 'voided'],
  ]) {
    const { status, body } = await call('POST', `/v1/sale/${parked.body.id}/${verb}`, {})
    assert.deepEqual([status, body.reason], [409, 'sale_not_completed'])
    assert.ok(
      body.message.startsWith(`Only a completed sale can be ${done}. The order’s status is "parked". Nothing was`),
    )
  }

  const deposit = await call('POST', `/v1/sale/${parked.body.id}/payments`, { payments: [{ paymentMethod: 'cash' }] })
  assert.deepEqual([deposit.status, deposit.body.reason], [409, 'sale_not_completed'])
  assert.match(
    deposit.body.message,
    /"parked"\. Complete it with the payments \(.+\), or store a deposit as a transaction/,
  )

  const other = await sellTea(shop)
  assert.equal((await call('POST', `/v1/sale/${other}/void`, {})).status, 200)
  const voided = await call('POST', `/v1/sale/${other}/void`, {})
  assert.deepEqual([voided.status, voided.body.reason], [409, 'sale_voided'])
})

test('the refusal of a second closing, and of a bulk item that exists already, names the rule', async () => {
  const { company, sessionId, productId, outletId } = await teaShop(service)
  const { call } = company
  assert.equal((await call('POST', `/v1/session/${sessionId}/close`, { counted: {} })).status, 201)
  const closed = await call('POST', `/v1/session/${sessionId}/close`, { counted: {} })
  assert.deepEqual([closed.status, closed.body.reason], [409, 'session_closed'])
  const rule = { productId, outletId, isVisible: false }
  const { body } = await call('POST', '/v1/catalog-visibilities', { items: [rule, rule] })
  assert.deepEqual(
    body.results.map(({ error }: { error?: { reason?: string } }) => error?.reason),
    [undefined, 'already_exists'],
  )
})
