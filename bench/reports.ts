// Measures reports over a million payments and orders: the first one, later ones, idle and while tills write, and their cost for writes.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { connect } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { startChild } from './child.ts'
import { wrkLoad } from './load.ts'
import { quantile } from './quantile.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '30' },
    products: { type: 'string', default: '5000' },
    outlets: { type: 'string', default: '3' },
    levels: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    rate: { type: 'string', default: '200' },
    folder: { type: 'string', default: tmpdir() },
    keep: { type: 'string' },
  },
})
const [records, days, products, levels, outlets] = [options.records, options.days, options.products, options.levels, options.outlets].map(Number) as [number, number, number, number, number] // biome-ignore format: one thought
const portion = 20_000
/** Milliseconds for which reports are asked for beside tills: a refresh sums the newest chunk, whose 500 orders come within 5 s, so it is short after a chunk is full, and long before. */
const besideMs = 15_000

const shown = (value: number) => Number(value.toPrecision(3))
const say = (text: string) => process.stderr.write(`${text}\n`)

/** Times of the records: spread over the days, from nine to nine; `n` of them in all. */
const timeOf = `to_char(date_trunc('day', now() at time zone 'UTC')
  - make_interval(days => (n * $3::bigint / $4)::int) + interval '9 hours'
  + make_interval(secs => (n * 7919 % 43200)::int), 'YYYY-MM-DD"T"HH24:MI:SS"."000"Z"')`
const id = `'6' || lpad(to_hex(n + $2::bigint), 23, '0')`

/** Like old records of an integration: rows without events. Products sell unevenly: a few of them a lot. */
const fills = {
  transactions: `select $1::text, ${id}, json_build_object('id', ${id}, 'paymentMethod', (array['cash', 'credit_card', 'gift_card'])[1 + n % 3],
    'amount', (n % 10000 / 100.0)::numeric(12, 2)::text, 'type', case when n % 50 = 0 then 'refund' else 'sale' end,
    'createdAt', ${timeOf}, 'updatedAt', ${timeOf}, 'companyId', $1::text)`,
  orders: `select $1::text, ${id}, json_build_object('id', ${id}, 'status', case when n % 40 = 0 then 'parked' else 'completed' end,
    'outletId', '5' || lpad((n % ${outlets})::text, 23, '0'), 'stationId', 's' || n % 8, 'employee', 'e' || n % 9,
    'lineItems', (select json_agg(json_build_object('productId', '7' || lpad(to_hex((power(random(), 3) * ${products})::int), 23, '0'),
      'name', 'Product', 'quantity', 1 + line, 'price', '2.50', 'total', (2.5 * (1 + line))::text)) from generate_series(0, n % 3) as line),
    'summary', json_build_object('total', '7.50'), 'fromService', false,
    'createdAt', ${timeOf}, 'updatedAt', ${timeOf}, 'companyId', $1::text)`,
} as const

/** The service, its database, and the companies: a shop with records, one that asks for reports, and one that never does. */
interface Parts {
  readonly folder: string
  readonly url: string
  readonly sql: Client
  readonly shop: Company
  readonly asking: Company
  readonly silent: Company
}

async function main(): Promise<void> {
  const folder = options.keep ?? (await temporaryFolder('reports', options.folder))
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  const database = connect(embedded.connection, { size: 2 })
  const sql = await database.connectAlone()
  try {
    const { url, companies } = await service.ask<Started>({ connection: embedded.connection, records: [0, 0, 0] })
    const [made, asking, silent] = companies as [Company, Company, Company]
    const kept = join(folder, 'shop.json')
    const isFilled = existsSync(kept)
    const shop: Company = isFilled ? JSON.parse(await readFile(kept, 'utf8')) : made
    const parts: Parts = { folder, url, sql, shop, asking, silent }
    if (!isFilled) {
      await fillTables(parts)
      await measureFirstReports(parts)
      await sql.query('vacuum analyze sum_buckets')
      await writeFile(kept, JSON.stringify(shop))
    }
    console.log(`Reports over ${records} payments and as many orders of ${days} days:`)
    console.table(await timesOfReports(parts))
    await measureBesideTills(parts)
    await measureCost(parts)
    console.log(`${cpus().length} cores (${cpus()[0]?.model})`)
  } finally {
    await sql.end().catch(() => {})
    await database.close()
    await service.stop()
    await embedded.stop()
  }
}

/** Writes the records of the shop. */
async function fillTables({ sql, shop: { companyId } }: Parts): Promise<void> {
  for (const [table, select] of Object.entries(fills)) {
    say(`writing ${records} ${table}`)
    for (let first = 0; first < records; first += portion)
      await sql.query({
        text: `insert into ${table} (company_id, id, body) ${select}
          from generate_series(${first}::bigint, ${Math.min(first + portion, records) - 1}) as n`,
        values: [companyId, table === 'orders' ? 2 ** 40 : 0, days, records],
      })
  }
  say(`writing ${levels} levels of stock`)
  await sql.query(
    `insert into variants (company_id, id, body)
     select $1, '8' || lpad(to_hex(n), 23, '0'), json_build_object('id', '8' || lpad(to_hex(n), 23, '0'), 'productId', '7' || lpad(to_hex(n), 23, '0'),
       'manageStock', n % 5 <> 0, 'createdAt', '2026-01-01T00:00:00.000Z', 'updatedAt', '2026-01-01T00:00:00.000Z')
     from generate_series(1, ${levels}) as n`,
    [companyId],
  )
  await sql.query(
    `insert into inventories (company_id, id, body)
     select $1, '9' || lpad(to_hex(n), 23, '0'), json_build_object('id', '9' || lpad(to_hex(n), 23, '0'), 'variantId', '8' || lpad(to_hex(n), 23, '0'),
       'outletId', 'o', 'stock', n % 100, 'isDeleted', false, 'createdAt', '2026-01-01T00:00:00.000Z', 'updatedAt', '2026-01-01T00:00:00.000Z')
     from generate_series(1, ${levels}) as n`,
    [companyId],
  )
  await sql.query('vacuum analyze transactions, orders, variants, inventories')
}

async function get(url: string, path: string, { apiKey }: Company) {
  const begun = performance.now()
  const answer = await fetch(url + path, { headers: { 'x-api-key': apiKey } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${text}`)
  return { ms: performance.now() - begun, body: JSON.parse(text) }
}

async function post(url: string, path: string, body: object, { apiKey }: Company): Promise<void> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.arrayBuffer()
  if (answer.status !== 201) throw new Error(`POST ${path} was answered ${answer.status}.`)
}

/** Prints how long the first request for each report takes, and when the report is complete. */
async function measureFirstReports({ url, shop }: Parts): Promise<void> {
  const first: Record<string, object> = {}
  for (const path of ['sales', 'products']) {
    const begun = performance.now()
    const answer = await get(url, `/v1/reports/${path}`, shop)
    let { isComplete } = answer.body
    for (; !isComplete; await delay(200)) isComplete = (await get(url, `/v1/reports/${path}`, shop)).body.isComplete
    first[path] = {
      'first answer, ms': shown(answer.ms),
      'complete after, s': shown((performance.now() - begun) / 1000),
    }
  }
  say('The first report:')
  console.table(first)
}

/** The times of many requests for each report, and of those of some time. */
async function timesOfReports({ url, shop }: Parts, leastMs = 0): Promise<Record<string, object>> {
  const year = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10)
  const reports = {
    'sales, 30 days': '/v1/reports/sales',
    'sales, 366 days': `/v1/reports/sales?from=${year}`,
    'products, 30 days': '/v1/reports/products',
    'products, 366 days': `/v1/reports/products?from=${year}`,
    'by outlet, product': '/v1/reports/sales?groupBy=outletId,productId',
    'by outlet, day': '/v1/reports/sales?groupBy=outletId,day',
    'by hour, weekday': '/v1/reports/sales?groupBy=hour,weekday',
    'by tax rate': '/v1/reports/taxes',
    'low stock': '/v1/reports/low-stock',
  }
  const rows: Record<string, object> = {}
  for (const [name, path] of Object.entries(reports)) {
    for (let n = 0; n < 10; n++) await get(url, path, shop)
    const times: number[] = []
    let complete = 0
    const until = performance.now() + leastMs
    for (let n = 0; n < Number(options.requests) || performance.now() < until; n++) {
      const { ms, body } = await get(url, path, shop)
      times.push(ms)
      if (body.isComplete !== false) complete++
    }
    rows[name] = {
      'p50 ms': shown(quantile(times, 0.5)),
      'p99 ms': shown(quantile(times, 0.99)),
      'most ms': shown(Math.max(...times)),
      complete: `${complete} of ${times.length}`,
    }
  }
  return rows
}

/** Prints the times of reports while four tills write, each pair of an order and its payment at a fixed rate. */
async function measureBesideTills(parts: Parts): Promise<void> {
  const { url, shop } = parts
  let isOver = false
  async function till(): Promise<void> {
    for (let next = performance.now(); !isOver; next += 8_000 / Number(options.rate)) {
      await delay(Math.max(0, next - performance.now()))
      const lineItems = [{ productId: 'p', quantity: 1, total: '2.50' }]
      await post(url, '/v1/order', { lineItems, status: 'completed' }, shop)
      await post(url, '/v1/transaction', { amount: '2.50', paymentMethod: 'cash', type: 'sale' }, shop)
    }
  }
  const tills = [till(), till(), till(), till()]
  console.log(`The same while its tills make ${options.rate} records a second:`)
  console.table(await timesOfReports(parts, besideMs))
  isOver = true
  await Promise.all(tills)
}

/** Prints what reports cost the writes of a company, beside a company that asks for none. */
async function measureCost({ folder, url, asking, silent }: Parts): Promise<void> {
  const body = JSON.stringify({ amount: '2.50', paymentMethod: 'cash' })
  const load = ({ apiKey }: Company) => wrkLoad(folder, { url, method: 'POST', path: '/v1/transaction', apiKey, body })
  const followed = await load(asking)
  const plain = await load(silent)
  /** Payments a second of the one as a part of those of the other, in turns. */
  async function ratios(): Promise<number[]> {
    const all: number[] = []
    for (let round = 0; round < Number(options.rounds); round++) {
      const figures = new Map<unknown, number>()
      for (const run of round % 2 ? [followed, plain] : [plain, followed])
        figures.set(run, (await run(32, 2)).perSecond)
      all.push((figures.get(followed) as number) / (figures.get(plain) as number))
    }
    return all
  }
  await plain(32, 1)
  await followed(32, 1)
  // Two companies are never quite alike.
  const before = await ratios()
  await get(url, '/v1/reports/sales', asking)
  await get(url, '/v1/reports/products', asking)
  const kept = await ratios()
  const { ms, body: report } = await get(url, '/v1/reports/sales', asking)
  console.log(
    'Payments a second of a company as a part of those of one that asks for no report (32 connections, as fast as they go):',
  )
  const row = (values: number[]) => ({ 'median ratio': shown(quantile(values, 0.5)), all: values.map(shown).join(' ') })
  console.table({ 'before it asks for any': row(before), 'while its reports are kept': row(kept) })
  console.log(`A report right behind them: ${shown(ms)} ms, complete: ${report.isComplete}`)
}

await main()
