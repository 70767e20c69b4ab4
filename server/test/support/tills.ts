// A till whose sessions are reported and closed, and a day on which everything happens that a closing adds up.
import type { Body } from './contract.ts'
import { succeeded } from './custom-tables.ts'
import type { TestService } from './service.ts'

/** A company with a station, and calls that sell and close there. */
export async function newTill(service: TestService) {
  const company = await service.company()
  const { call } = company
  const made = async (path: string, body: Body): Promise<Body> => succeeded(await call('POST', path, body), 201)
  const stationId: string = (await made('/v1/station', { name: 'Till 1', outletId: 'o', status: 'AVAILABLE' })).id
  const opened = async (body: Body = {}): Promise<string> =>
    (await made('/v1/session', { stationId, openTime: '2026-11-20T08:00:00Z', openingAmount: '100.00', ...body })).id
  const paid = (sessionId: string, amount: string, body: Body = {}) =>
    made('/v1/transaction', { sessionId, paymentMethod: 'cash', amount, ...body })
  const close = (sessionId: string, body?: Body) => call('POST', `/v1/session/${sessionId}/close`, body)
  const closed = async (sessionId: string, body?: Body): Promise<Body> => succeeded(await close(sessionId, body), 201)
  const report = async (id: string): Promise<Body> => succeeded(await call('GET', `/v1/session/${id}/report`))
  return { ...company, made, stationId, opened, paid, close, closed, report }
}

/** The receipt of the guide, its refund, and what else a day has; all in one session. */
export async function dayAt({ made, paid, opened }: Awaited<ReturnType<typeof newTill>>) {
  const coffee = (await made('/v1/category', { name: 'Coffee' })).id
  const beans = (await made('/v1/product', { name: 'Beans', categories: [coffee] })).id
  const sessionId = await opened()
  const line = { productId: beans, variantId: 'v', price: '12.50' }
  await made('/v1/order', {
    sessionId,
    status: 'completed',
    employee: 'ann',
    lineItems: [
      { ...line, quantity: 2, total: '20.25', taxes: [{ name: 'Tax', percentage: 5, amount: '1.01' }] },
      {
        productId: 'mug',
        variantId: 'm',
        quantity: 1,
        total: '13.50',
        taxes: [{ name: 'Tax', percentage: 20, amount: '2.70' }],
      },
    ],
    summary: { total: '40.46', discountTotal: '6.25', totalTaxes: '3.71', tip: { amount: '3.00' } },
  })
  // Prices with tax, and a custom sale; another one whose lines name no tax.
  await made('/v1/order', {
    sessionId,
    status: 'completed',
    customSales: [
      { name: 'Wrap', quantity: 0.5, price: '12.00', taxes: [{ name: 'Tax', percentage: 20, amount: '1.00' }] },
    ],
    summary: { total: '6.00', totalTaxes: '1.00', isTaxInclusive: true },
  })
  await made('/v1/order', {
    sessionId,
    status: 'completed',
    employee: 'bob',
    currency: 'JPY',
    lineItems: [{ ...line, total: '500' }],
    summary: { total: '500', totalTaxes: '45', taxes: [{ name: 'Tax', percentage: 10, amount: '45' }] },
  })
  for (const status of ['pending', 'parked', 'cancelled'])
    await made('/v1/order', { sessionId, status, summary: { total: '999.00' } })
  await paid(sessionId, '25.46', { paymentMethod: 'credit_card', currency: 'EUR', type: 'sale' })
  await paid(sessionId, '15.00')
  await paid(sessionId, '6.00', { currency: 'EUR' })
  await paid(sessionId, '500', { currency: 'JPY' })
  await paid(sessionId, '7.00', { type: 'void' })
  await made('/v1/refund', {
    sessionId,
    orderId: 'x',
    refundedBy: 'ann',
    summary: { total: '10.63', totalTaxes: '0.51' },
    lineItems: [{ ...line, quantity: 1, total: '10.12', taxes: [{ name: 'Tax', percentage: 5, amount: '0.51' }] }],
  })
  await paid(sessionId, '10.63', { type: 'refund' })
  const moved = (type: string, amount: string) => made('/v1/cash-movement', { sessionId, type, amount, reason: 'r' })
  await moved('pay-in', '5.00')
  await moved('pay-out', '2.50')
  await moved('drop', '50.00')
  await moved('drop', '0.10')
  await moved('float', '20.00')
  return { sessionId, coffee }
}
