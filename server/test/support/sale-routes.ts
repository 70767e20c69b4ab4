// Requests that the routes of sales, and of closing a session, take, for the sweeps over all routes.
import type { Route } from '../../src/http/route.ts'
import type { Caller } from './service.ts'

/** Whether a route makes, splits, merges, completes, pays, refunds or voids sales, or closes a session. */
export const isOfSales = ({ path, method }: Route): boolean =>
  method === 'POST' && /^\/v1\/(sales?(\/|$)|session\/\{id\}\/close)/.test(path)

/** The path and body of a success; the orders of a split, a merge or a completion, and the sale of payments, a refund or a void, are made first. */
export async function saleRequest(call: Caller, { path, body }: Route): Promise<{ path: string; body: any }> {
  const lineItems = [{ productId: 'p', variantId: 'v', price: '2.00', quantity: 3 }]
  const example: any = path.endsWith('/void') ? {} : body?.example
  if (!path.includes('{')) return { path, body: example }
  if (path.includes('{id}')) {
    const session = (await call('POST', '/v1/session', { stationId: 's' })).body
    return { path: path.replace('{id}', session.id), body: {} }
  }
  if (/\/(complete|split|merge)$/.test(path)) {
    const open = async () => (await call('POST', '/v1/order', { lineItems, status: 'parked' })).body
    const order = await open()
    if (path.endsWith('/merge'))
      return { path: path.replace('{orderId}', order.id), body: { orderId: (await open()).id } }
    const completion = { payments: [{ paymentMethod: 'cash' }] }
    return { path: path.replace('{orderId}', order.id), body: path.endsWith('/split') ? example : completion }
  }
  const payments = [{ paymentMethod: 'cash', amount: '6.00' }]
  const paid = path.endsWith('/payments') ? {} : { payments }
  const { order } = (await call('POST', '/v1/sale', { lineItems, ...paid })).body
  return { path: path.replace('{orderId}', order.id), body: example }
}
