// Refunds that are made once: a repeated request finds the refund of the sale by its externalId, whenever it comes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { shop, stockOf } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

/** A company, a sale of three units, and a refund of one of them under a number. */
async function sold() {
  const company = await service.company()
  const { call } = company
  const { outletId, variantId } = await shop(call)
  const body = {
    outletId,
    lineItems: [{ variantId, price: '5.00', quantity: 3 }],
    payments: [{ paymentMethod: 'credit_card', amount: '15.00' }],
  }
  const sell = async (): Promise<string> => succeeded(await call('POST', '/v1/sale', body), 201).order.id
  const refund = (id: string, more: Body = {}, query = '?mode=once') =>
    call('POST', `/v1/sale/${id}/refund${query}`, {
      externalId: 're_1',
      lines: [{ lineItem: 0, quantity: 1 }],
      ...more,
    })
  return { ...company, outletId, variantId, sell, refund }
}

test('a refund that is sent again stores nothing, and is answered with the one that was made and the order as it is', async () => {
  const { id: companyId, call, sell, refund, variantId } = await sold()
  const id = await sell()
  const made = succeeded(await refund(id), 201)
  const stock = await stockOf(call, variantId)
  const events = (await feed(service, companyId)).length
  const again = succeeded(await refund(id))
  assert.deepEqual(again, { refund: made.refund, transactions: [], order: made.order, stock: [] })
  assert.deepEqual(again, succeeded(await refund(id, {}, '?mode=once&dryRun=true')))
  succeeded(await call('PATCH', `/v1/order/${id}`, { status: 'cancelled' }))
  assert.equal(succeeded(await refund(id)).order.status, 'cancelled')
  assert.deepEqual([await stockOf(call, variantId), (await feed(service, companyId)).length], [stock, events + 1])
})

test('of several equal refunds at once one is made, and a number counts for its own sale only', async () => {
  const { call, sell, refund } = await sold()
  const id = await sell()
  const other = await sell()
  const replies = await Promise.all(Array.from({ length: 6 }, () => refund(id)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201])
  succeeded(await refund(other), 201)
  succeeded(await refund(id, { externalId: 're_2' }), 201)
  // Without the mode a number is no more than a text.
  succeeded(await refund(id, {}, ''), 201)
  const { data } = succeeded(await call('GET', `/v1/refunds?orderId=${id}`))
  assert.deepEqual(data.map(({ externalId }: any) => externalId), ['re_1', 're_2', 're_1']) // biome-ignore format: one thought
})

test('another refund under the same number is refused, as are one without a number and a key that may not read', async () => {
  const { id: companyId, sell, refund } = await sold()
  const id = await sell()
  const occurredAt = '2026-11-20T10:00:00Z'
  succeeded(await refund(id, { occurredAt }), 201)
  succeeded(await refund(id, { occurredAt: '2026-11-20T11:00:00+01:00' }))
  succeeded(await refund(id, { occurredAt: undefined }))
  const wrong = assertProblem(await refund(id, { occurredAt: '2026-11-20T10:00:01Z' }), 409, 'conflict')
  assert.deepEqual([wrong.errors[0].pointer, wrong.errors[0].code], ['/occurredAt', 'other_refund'])
  const missing = assertProblem(await refund(id, { externalId: undefined }), 400, 'validation_failed')
  assert.deepEqual([missing.errors[0].pointer, missing.errors[0].code], ['/externalId', 'required'])
  const blind = await service.keyFor(companyId, ['update'])
  assertProblem(await blind.call('POST', `/v1/sale/${id}/refund?mode=once`, { externalId: 're_1' }), 403, 'permission_denied') // biome-ignore format: one thought
})
