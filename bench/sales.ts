// A month of a shop with eight tills: sells by POST /v1/sales, refunds, voids, closes; compares every level, drawer and report with its own books, and times sales.
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { caller, type Send } from './caller.ts'
import { startChild } from './child.ts'
import { Books, cents, randomSale, refundOfOne, type Shop, type Sold, text } from './sales-books.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    sales: { type: 'string', default: '20000' },
    days: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '5' },
    folder: { type: 'string', default: tmpdir() },
  },
})
const [wanted, days, rounds] = [options.sales, options.days, options.rounds].map(Number) as [number, number, number]
const TILLS = 8
const OUTLETS = 3
const say = (line: string) => process.stderr.write(`${line}\n`)

async function main(): Promise<void> {
  const folder = await temporaryFolder('sales', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  try {
    const { url, companies } = await service.ask<Started>({ connection: embedded.connection, records: [0, 0] })
    const [simulated, timed] = companies as [Company, Company]
    const differences = await simulate(caller(url, simulated))
    console.table(await timesOf(caller(url, timed)))
    if (differences > 0) process.exitCode = 1
  } finally {
    await service.stop()
    await embedded.stop()
  }
}

/** Outlets, stations and variants with stock at each outlet. */
async function opened(send: Send): Promise<Shop> {
  const ids = async (path: string, bodies: object[]): Promise<string[]> =>
    (await send('POST', path, { items: bodies })).results.map(({ data }: any) => data.id)
  const outlets = await ids(
    '/v1/outlets',
    Array.from({ length: OUTLETS }, (_, n) => ({ name: `Outlet ${n}` })),
  )
  const stations = await ids(
    '/v1/stations',
    Array.from({ length: TILLS }, (_, n) => ({ name: `Till ${n}`, outletId: outlets[n % OUTLETS], status: 'IN_USE' })),
  )
  const products = await ids(
    '/v1/products',
    Array.from({ length: 40 }, (_, n) => ({ name: `Product ${n}` })),
  )
  const inventory = outlets.map((outletId) => ({ outletId, stock: 100_000 }))
  const variants = await ids(
    '/v1/variants',
    products.map((productId, n) => ({ productId, sku: `SKU-${n}`, manageStock: true, inventory })),
  )
  return { outlets, stations, products, variants }
}

/** Sells for a month; returns how many figures differ from the books. */
async function simulate(send: Send): Promise<number> {
  const shop = await opened(send)
  const books = new Books()
  const perSession = Math.ceil(wanted / days / TILLS)
  let sellingMs = 0
  let made = 0
  for (let day = days; day > 0; day--) {
    await Promise.all(
      shop.stations.map(async (stationId, till) => {
        const session = await send('POST', '/v1/session', { stationId, openingAmount: '100.00' })
        const drawer = books.open(session.id)
        const sold = Array.from({ length: perSession }, (_, n) =>
          randomSale(shop, { till, day, n, sessionId: session.id }),
        )
        const begun = performance.now()
        const { summary, results } = await send('POST', '/v1/sales', { items: sold.map(({ body }) => body) })
        sellingMs += performance.now() - begun
        if (summary.failed > 0) throw new Error(JSON.stringify(results.find((one: any) => one.error)?.error))
        made += summary.succeeded
        for (const [n, one] of sold.entries()) {
          const { order } = results[n].data
          books.sell(drawer, one)
          if (n % 97 === 5) await voided(send, books, { drawer, order, one })
          else if (n % 31 === 3) await returned(send, books, { drawer, order, one })
        }
        const closing = await send('POST', `/v1/session/${session.id}/close`, { counted: { cash: text(drawer.cash) } })
        books.closed(drawer, closing)
      }),
    )
    if (day % 10 === 1) say(`${made} sales, ${day - 1} days to go`)
  }
  await books.compare(shop, (path) => send('GET', path), days)
  console.log(`${made} sales of ${TILLS} tills at ${OUTLETS} outlets over ${days} days by POST /v1/sales.`)
  console.log(
    `Requests of ${perSession} sales, ${TILLS} at once: ${Math.round(made / (sellingMs / TILLS / 1000))} sales a second.`,
  )
  console.log(`${books.compared} figures compared with the books, ${books.differences.length} differ.`)
  for (const difference of books.differences.slice(0, 20)) console.log(difference)
  return books.differences.length
}

interface Done {
  readonly drawer: ReturnType<Books['open']>
  readonly order: any
  readonly one: Sold
}

async function voided(send: Send, books: Books, { drawer, order, one }: Done): Promise<void> {
  const { order: after } = await send('POST', `/v1/sale/${order.id}/void`)
  books.unsell(drawer, one)
  books.equal(`due of the voided order ${order.id}`, cents(after.due), 0)
}

async function returned(send: Send, books: Books, { drawer, order, one }: Done): Promise<void> {
  const body = {
    lines: [{ lineItem: 0, quantity: 1 }],
    payments: [{ paymentMethod: 'cash', amount: text(refundOfOne(one)) }],
  }
  const { refund, order: after } = await send('POST', `/v1/sale/${order.id}/refund`, body)
  books.refund(drawer, one)
  books.equal(`refund of ${order.id}`, cents(refund.summary.total), refundOfOne(one))
  books.equal(`due of ${order.id}`, cents(after.due), 0)
}

/** Sales a second: one request each, and the three kinds of request that it replaces, eight tills at once, in turn. */
async function timesOf(send: Send): Promise<object[]> {
  const shop = await opened(send)
  const sale = (till: number, n: number) => randomSale(shop, { till, day: 1, n, sessionId: `s-${till}` })
  const ways = {
    'POST /v1/sale': async (till: number, n: number) => {
      await send('POST', '/v1/sale', sale(till, n).body)
    },
    'order, transactions, adjust': async (till: number, n: number) => {
      const { body } = sale(till, n)
      const { payments, check, ...order } = body
      const { id } = await send('POST', '/v1/order', { ...order, status: 'completed' })
      for (const { change, ...payment } of payments)
        await send('POST', '/v1/transaction', { ...payment, type: 'sale', orderId: id, sessionId: order.sessionId })
      const items = order.lineItems.map(({ variantId, quantity }: any) => ({
        variantId,
        outletId: order.outletId,
        delta: -quantity,
        kind: 'SALE',
      }))
      await send('POST', '/v1/inventories/adjust', { items })
    },
    'POST /v1/order alone': async (till: number, n: number) => {
      const { payments, check, ...order } = sale(till, n).body
      await send('POST', '/v1/order', { ...order, status: 'completed' })
    },
  }
  const rates = new Map(Object.keys(ways).map((name) => [name, [] as number[]]))
  for (let round = 0; round <= rounds; round++)
    for (const [name, make] of Object.entries(ways)) {
      const begun = performance.now()
      const each = 100
      await Promise.all(
        Array.from({ length: TILLS }, async (_, till) => {
          for (let n = 0; n < each; n++) await make(till, n)
        }),
      )
      // The first round warms up.
      if (round > 0) rates.get(name)?.push((TILLS * each) / ((performance.now() - begun) / 1000))
    }
  return [...rates].map(([way, all]) => {
    const sorted = all.toSorted((a, b) => a - b)
    const [least, median, most] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((rate) =>
      Math.round(rate ?? 0),
    )
    return { way, 'sales a second': median, least, most }
  })
}

await main()
