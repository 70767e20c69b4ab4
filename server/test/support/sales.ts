// Sales for tests: a shop that has one variant in stock, and what a sale leaves there.
import assert from 'node:assert/strict'
import type { Body } from './contract.ts'
import { succeeded } from './custom-tables.ts'
import { assertProblem } from './problem.ts'
import type { Caller, Reply } from './service.ts'

/** An outlet with a till, and a managed variant that it has in stock. */
export async function shop(call: Caller, stock = 12, more: object = {}) {
  const made = async (path: string, body: object): Promise<string> => succeeded(await call('POST', path, body), 201).id
  const outletId = await made('/v1/outlet', { name: 'Main Street' })
  const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  const productId = await made('/v1/product', { name: 'Beans' })
  const managed = { productId, manageStock: true, ...(stock > 0 && { inventory: [{ outletId, stock }] }), ...more }
  const variantId = await made('/v1/variant', managed)
  return { outletId, stationId, productId, variantId }
}

/** The stock of a variant in its first outlet. */
export const stockOf = async (call: Caller, variantId: string): Promise<number> =>
  succeeded(await call('GET', `/v1/variant/${variantId}`)).inventory[0]?.stock ?? 0

/** How many orders, payments, customers and changes of stock a company has. */
export const recordCounts = async (call: Caller) =>
  Promise.all(
    ['orders', 'transactions', 'customers', 'inventory-history'].map(
      async (list) => succeeded(await call('GET', `/v1/${list}`)).meta.count,
    ),
  )

/** Checks a refusal: its status, and the pointer of the wrong member. */
export function refused(reply: Reply, status: number, code: string, pointer: string) {
  const body = assertProblem(reply, status, code)
  assert.equal(body.errors?.[0]?.pointer, pointer, reply.text)
}

/** A sale of one variant. */
export const lineOf = (variantId: string, quantity = 2) => ({ lineItems: [{ variantId, quantity, subTotal: '25.00' }] })

/** An order of a till, as a record, that was paid in cash. */
export async function written(call: Caller, order: Body, amount: string = order.summary.total): Promise<Body> {
  const stored = succeeded(await call('POST', '/v1/order', { status: 'completed', ...order }), 201)
  const payment = {
    orderId: stored.id,
    type: 'sale',
    paymentMethod: 'cash',
    amount,
    sessionId: order.sessionId,
    currency: order.currency,
  }
  succeeded(await call('POST', '/v1/transaction', payment), 201)
  return stored
}
