// A shop that sells tea, for tests that follow a sale: what is in the drawer, on the shelf and on the receipt.
import type { TestService } from './service.ts'

/** A shop with an outlet, a till that is open, and ten units of tea. */
export async function teaShop(service: TestService) {
  const company = await service.company()
  await service.database.query(`update companies set currency = 'EUR' where id = $1`, [company.id])
  const made = async (path: string, body: object) => (await company.call('POST', path, body)).body.id as string
  const outletId = await made('/v1/outlet', { name: 'Harbour' })
  const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  const sessionId = await made('/v1/session', { stationId, openedBy: 'ann', openingAmount: '100.00' })
  const productId = await made('/v1/product', { name: 'Tea' })
  const variantId = await made('/v1/variant', { productId, manageStock: true, sku: 'TEA-1' })
  const level = { productId, variantId, outletId, quantity: 10 }
  await company.call('POST', '/v1/inventories/set-levels', { items: [level] })
  return { company, outletId, stationId, sessionId, productId, variantId }
}

type TeaShop = Awaited<ReturnType<typeof teaShop>>

/** Three teas for 12.00, paid in cash; the total of the line is off by a cent. */
export async function sellTea({ company, outletId, stationId, productId, variantId }: TeaShop, more: object = {}) {
  const { body } = await company.call('POST', '/v1/sale', {
    outletId,
    stationId,
    receiptId: 'R-1',
    currency: 'EUR',
    lineItems: [{ productId, variantId, name: 'Tea', price: '4.00', quantity: 3, total: '12.01' }],
    payments: [{ paymentMethod: 'cash', amount: '12.00' }],
    ...more,
  })
  return body.order.id as string
}
