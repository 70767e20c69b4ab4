// Later payments of a sale that are taken once: a till that was offline sends them again, whenever it is, and no money counts twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { refused } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

/** A sale of 30.00 on account, and payments of it. */
async function onAccount() {
  const company = await service.company()
  const { call } = company
  const sale = { lineItems: [{ name: 'Menu', price: '30.00' }] }
  const orderId: string = succeeded(await call('POST', '/v1/sale', sale), 201).order.id
  const cash = (number: string, amount: string): Body => ({ paymentMethod: 'cash', amount, externalId: number })
  const pay = (payments: Body[], more: Body = {}, query = '?mode=once', by = call) =>
    by('POST', `/v1/sale/${orderId}/payments${query}`, { payments, ...more })
  return { ...company, orderId, cash, pay }
}

test('payments that a till sends again store nothing and get the order as it is, also once it is paid, and with an old ETag', async () => {
  const { call, orderId: id, cash, pay } = await onAccount()
  const occurredAt = '2026-11-20T12:00:00.000Z'
  const etag = String((await call('GET', `/v1/order/${id}`)).headers.get('etag'))
  const payments = [cash('P-1', '6.00'), { ...cash('P-2', '7.00'), tip: { amount: '2.00' } }]
  const made = succeeded(await pay(payments, { occurredAt }), 201)
  assert.deepEqual([made.order.paid, made.order.due, made.order.summary.total], ['13.00', '19.00', '32.00'])
  const path = `/v1/sale/${id}/payments?mode=once`
  const again = succeeded(await call('POST', path, { payments, occurredAt }, { 'if-match': etag }))
  assert.deepEqual(again, { order: made.order, transactions: [] })
  succeeded(await pay([cash('P-3', '19.00')]), 201)
  assert.equal(succeeded(await pay(payments)).order.due, '0.00')
  succeeded(await call('PATCH', `/v1/transaction/${made.transactions[0].id}`, { type: 'void' }))
  assert.equal(
    succeeded(await pay([cash('P-1', '6.00')])).order.due,
    '6.00',
    'a payment that was cancelled stays cancelled',
  )
  assert.equal(succeeded(await call('GET', `/v1/transactions?orderId=${id}`)).meta.count, 3)
})

test('of equal payments at once one is taken, and a number counts for its own sale only', async () => {
  const { call, cash, pay } = await onAccount()
  const replies = await Promise.all(Array.from({ length: 6 }, () => pay([cash('P-1', '6.00')])))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201])
  const other = succeeded(await call('POST', '/v1/sale', { lineItems: [{ name: 'Tea', price: '6.00' }] }), 201).order.id
  const payments = [cash('P-1', '6.00')]
  succeeded(await call('POST', `/v1/sale/${other}/payments?mode=once`, { payments }), 201)
  // Without the mode a number is no more than a text.
  assert.equal(succeeded(await pay(payments, {}, ''), 201).order.paid, '12.00')
})

test('other payments under the same numbers are refused, as are payments without a number of their own, and keys that may not read', async () => {
  const { id: companyId, cash, pay } = await onAccount()
  const occurredAt = '2026-11-20T12:00:00.000Z'
  succeeded(await pay([cash('P-1', '6.00')], { occurredAt }), 201)
  const later = { occurredAt: '2026-11-20T12:00:01.000Z' }
  refused(await pay([cash('P-1', '6.00')], later), 409, 'conflict', '/occurredAt')
  refused(await pay([cash('P-1', '6.00'), cash('P-2', '1.00')]), 409, 'conflict', '/payments/1/externalId')
  refused(
    await pay([cash('P-2', '1.00'), { paymentMethod: 'cash' }]),
    400,
    'validation_failed',
    '/payments/1/externalId',
  )
  refused(await pay([cash('P-2', '1.00'), cash('P-2', '2.00')]), 400, 'validation_failed', '/payments/1/externalId')
  assertProblem(await pay([cash('P-2', '1.00')], {}, '?mode=twice'), 400, 'validation_failed')
  const { call: writing } = await service.keyFor(companyId, ['create', 'update'])
  assertProblem(await pay([cash('P-2', '1.00')], {}, '?mode=once', writing), 403, 'permission_denied')
})
