// Records for measurements, created over the API: customers in bulk, and a shop that can sell.
import { idMark, numbered, sampleBody } from './sample.ts'

/** Records of one request. */
const BULK = 1_000

/** The outlets that customers belong to in equal parts. */
const outlets = Array.from({ length: 50 }, (_, n) => `6740a1f2c3d4e5f6a7b8c9${String(n).padStart(2, '0')}`)

/** Creates customers, and returns their ids. */
export async function fill(url: string, apiKey: string, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const items = Array.from({ length: BULK }, (_, n) => ({
      ...JSON.parse(numbered(JSON.stringify(sampleBody), ids.length + n)),
      outletId: outlets[n % outlets.length],
    }))
    const response = await fetch(`${url}/v1/customers`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    })
    const { results } = (await response.json()) as { results: { data: { id: string } }[] }
    ids.push(...results.map(({ data }) => data.id))
  }
  return ids
}

/** A shop with an open session: its variants, each with stock for all measurements, and the body of a sale of one of them. */
export interface FilledShop {
  readonly variants: readonly string[]
  readonly sale: string
}

/** Creates an outlet, a station with an open session, and variants with stock. */
export async function fillShop(url: string, apiKey: string): Promise<FilledShop> {
  const send = async (path: string, body: object) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`)
    return (await response.json()) as any
  }
  const outlet = await send('/v1/outlet', { name: 'Shop' })
  const station = await send('/v1/station', { name: 'Till', outletId: outlet.id, status: 'IN_USE' })
  await send('/v1/session', { stationId: station.id, openingAmount: '100.00' })
  const product = await send('/v1/product', { name: 'Coffee' })
  const inventory = [{ outletId: outlet.id, stock: 1_000_000_000 }]
  const items = Array.from({ length: 500 }, (_, n) => ({
    productId: product.id,
    sku: `SKU-${n}`,
    manageStock: true,
    inventory,
  }))
  const { results } = await send('/v1/variants', { items })
  const sale = {
    outletId: outlet.id,
    stationId: station.id,
    lineItems: [{ variantId: idMark, quantity: 1, price: '3.50' }],
    payments: [{ paymentMethod: 'cash', amount: '3.50' }],
  }
  return { variants: results.map(({ data }: any) => data.id), sale: JSON.stringify(sale) }
}
