// The ordinary requests of tills, one at a time: in a shop of many sales, and in a new company beside it, which PostgreSQL's statistics do not know. Shows which of them are slow.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { caller } from './caller.ts'
import { startChild } from './child.ts'
import { treeMicros } from './processor-time.ts'
import { quantile } from './quantile.ts'
import { randomSale, type Shop } from './sales-books.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    sales: { type: 'string', default: '20000' },
    products: { type: 'string', default: '2000' },
    requests: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    folder: { type: 'string', default: tmpdir() },
  },
})
const TILLS = 8
const DAYS = 60
/** How many times as many records the shop has as the new company. */
const TIMES = 20
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const say = (line: string) => process.stderr.write(`${line}\n`)

/** A company with what its requests name. */
interface Filled extends Shop, Company {
  readonly sessions: readonly string[]
  readonly orders: readonly string[]
}
type Asked = readonly [method: string, path: string, body?: unknown]

const some = <T>(of: readonly T[], n: number): T => of[(n * 7_919) % of.length] as T
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const period = (days: number) => `from=${daysAgo(days).slice(0, 10)}&to=${daysAgo(0).slice(0, 10)}`

/** The body of a sale that happens now. */
function sale(shop: Filled, n: number): object {
  const till = n % TILLS
  const { occurredAt: _, ...body } = randomSale(shop, {
    till,
    day: 1,
    n,
    sessionId: shop.sessions[till] as string,
  }).body
  return { ...body, receiptId: `now-${n}` }
}

const requests: Readonly<Record<string, (shop: Filled, n: number) => Asked>> = {
  'variant by SKU': ({ products }, n) => ['GET', `/v1/variants?sku=SKU-${n % products.length}`],
  'products, first page': () => ['GET', '/v1/products?limit=50'],
  'products of an outlet': ({ outlets }, n) => ['GET', `/v1/products?visibleAt=${some(outlets, n)}&limit=50`],
  'variants of an outlet': ({ outlets }, n) => ['GET', `/v1/variants?visibleAt=${some(outlets, n)}&limit=50`],
  'search by SKU': ({ products }, n) => ['GET', `/v1/search?q=SKU-${n % products.length}`],
  'search by receipt': (_, n) => ['GET', `/v1/search?q=R-${n % TILLS}-1-${n % 50}`],
  'search by name': (_, n) => ['GET', `/v1/search?q=product%20${n % 50}`],
  'customer by phone': (_, n) => ['GET', `/v1/customers?searchByPhone=${String(n).padStart(8, '0')}&limit=10`],
  'orders, newest': () => ['GET', '/v1/orders?sortBy=createdAt&sortOrder=desc&limit=20'],
  'orders of a customer': ({ ids }, n) => ['GET', `/v1/orders?customerId=${some(ids, n)}`],
  'orders of two days': () => ['GET', `/v1/orders?occurredAt[gte]=${daysAgo(2)}&limit=50`],
  'completed orders of a week': () => [
    'GET',
    `/v1/orders?status=completed&occurredAt[gte]=${daysAgo(8)}&occurredAt[lt]=${daysAgo(1)}&limit=50`,
  ],
  'orders of two months': () => ['GET', `/v1/orders?occurredAt[gte]=${daysAgo(DAYS + 1)}&limit=50`],
  'orders changed since': () => ['GET', `/v1/orders?updatedAt[gte]=${daysAgo(0.001)}&limit=50`],
  'payments of an order': ({ orders }, n) => ['GET', `/v1/transactions?orderId=${some(orders, n)}`],
  'events of an order': ({ orders }, n) => ['GET', `/v1/events?recordId=${some(orders, n)}`],
  'stock of a variant': ({ variants }, n) => ['GET', `/v1/inventories?variantId=${some(variants, n)}`],
  quote: (shop, n) => ['POST', '/v1/sale/quote', sale(shop, n)],
  sale: (shop, n) => ['POST', '/v1/sale', sale(shop, n)],
  'sale, once': (shop, n) => ['POST', '/v1/sale?mode=once', { ...sale(shop, n), source: 'till', externalId: `${n}` }],
  'parked order': () => ['POST', '/v1/order', { status: 'parked', lineItems: [{ name: 'Tea', quantity: 1, price: '2.50' }] }], // biome-ignore format: one thought
  'customer changed': ({ ids }, n) => ['PATCH', `/v1/customer/${some(ids, n)}`, { phone: `+49 ${n}` }],
  'customer upserted': (_, n) => ['PUT', `/v1/customer/external/till/${n}`, { firstName: 'Ann' }],
  'price changed': ({ variants }, n) => ['PATCH', `/v1/variant/${some(variants, n)}`, { price: n }],
  'stock adjusted': ({ variants, outlets }, n) => ['POST', '/v1/inventories/adjust', { items: [{ variantId: some(variants, n), outletId: some(outlets, n), by: 1 }] }], // biome-ignore format: one thought
  'report of sales, 30 days': () => ['GET', `/v1/reports/sales?${period(30)}`],
  'report of a customer': ({ ids }, n) => ['GET', `/v1/reports/customers/${some(ids, n)}`],
  'report of a session': ({ sessions }, n) => ['GET', `/v1/session/${some(sessions, n)}/report`],
}

/** Fills a company with products, open sessions and sales of two months. */
async function fill(url: string, company: Company, part: number): Promise<Filled> {
  const send = caller(url, company)
  const ids = async (path: string, bodies: object[]): Promise<string[]> => {
    const made: string[] = []
    for (let n = 0; n < bodies.length; n += 1_000) {
      const { results } = await send('POST', path, { items: bodies.slice(n, n + 1_000) })
      made.push(...results.map(({ data }: any) => data.id ?? data.order.id))
    }
    return made
  }
  const many = <T>(count: number, make: (n: number) => T): T[] =>
    Array.from({ length: Math.ceil(count) }, (_, n) => make(n))
  const outlets = await ids(
    '/v1/outlets',
    many(3, (n) => ({ name: `Outlet ${n}` })),
  )
  const stations = await ids('/v1/stations', many(TILLS, (n) => ({ name: `Till ${n}`, outletId: some(outlets, n), status: 'IN_USE' }))) // biome-ignore format: one thought
  const sessions = await Promise.all(stations.map(async (stationId) => (await send('POST', '/v1/session', { stationId })).id)) // biome-ignore format: one thought
  const products = await ids(
    '/v1/products',
    many(Number(options.products) / part, (n) => ({ name: `Product ${n}` })),
  )
  const inventory = outlets.map((outletId) => ({ outletId, stock: 1_000_000 }))
  const variants = await ids('/v1/variants', products.map((productId, n) => ({ productId, sku: `SKU-${n}`, price: 9.5, manageStock: true, inventory }))) // biome-ignore format: one thought
  const shop = { ...company, outlets, stations, products, variants }
  const sales = Number(options.sales) / part
  const orders: string[] = []
  for (let n = 0; n < sales; n += 100) {
    const day = DAYS - Math.floor((n * DAYS) / sales)
    const bodies = many(100, (m) => {
      const till = m % TILLS
      const { body } = randomSale(shop, { till, day, n: n + m, sessionId: sessions[till] as string })
      return {
        ...body,
        receiptId: `R-${till}-${day}-${m}`,
        ...(m % 2 === 0 && { customerId: some(company.ids, n + m) }),
      }
    })
    orders.push(...(await ids('/v1/sales', bodies)))
  }
  return { ...shop, sessions, orders }
}

/** Sends a request and waits for the end of its response. */
const send = (url: string, { apiKey }: Company, [method, path, body]: Asked): Promise<void> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = { 'x-api-key': apiKey, ...(text && { 'content-type': 'application/json' }) }
    const sent = request(url + path, { method, agent, headers }, (response) => {
      response.resume()
      if ((response.statusCode as number) >= 300) reject(new Error(`${method} ${path}: ${response.statusCode}`))
      response.on('end', resolve)
    })
    sent.on('error', reject).end(text)
  })

let number = 0

async function main(): Promise<void> {
  const folder = await temporaryFolder('till', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const database = connect(embedded.connection, { size: 1 })
  const service = startChild('service-process.ts')
  const postgres = Number.parseInt(readFileSync(join(embedded.directory, 'postmaster.pid'), 'utf8'), 10)
  try {
    const { url, companies } = await service.ask<Started>({ connection: embedded.connection, records: [20_000, 1_000] })
    say('filling the shop')
    const large = await fill(url, companies[0] as Company, 1)
    await database.query('analyze')
    const added = await fill(url, companies[1] as Company, TIMES)
    const rows: Record<string, Record<string, number>> = {}
    for (const [name, make] of Object.entries(requests).filter(([name]) => name.includes(options.only))) {
      const row: Record<string, number> = {}
      for (const [of, shop] of [
        ['', large],
        ['new: ', added],
      ] as const) {
        // biome-ignore format: one thought
        for (let n = 0; n < 8; n++) await send(url, shop, make(shop, ++number))
        const before = [treeMicros(service.pid as number), treeMicros(postgres)]
        const times: number[] = []
        for (let n = 0; n < Number(options.requests); n++) {
          const asked = make(shop, ++number)
          const begun = performance.now()
          await send(url, shop, asked)
          times.push(performance.now() - begun)
        }
        const [ofService, ofPostgres] = [service.pid as number, postgres].map((pid, n) => Math.round((treeMicros(pid) - (before[n] as number)) / times.length)) as [number, number] // biome-ignore format: one thought
        row[`${of}ms`] = Number(quantile(times, 0.5).toPrecision(3))
        row[`${of}service µs`] = ofService
        row[`${of}PostgreSQL µs`] = ofPostgres
      }
      rows[name] = row
    }
    console.table(rows)
  } finally {
    await database.close()
    await service.stop()
    await embedded.stop()
  }
}

await main()
