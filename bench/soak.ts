// Hours of a shop in one run: reads, lists, writes, sales, webhooks, reports and imports at fixed rates; shows whether times, memory or dead rows drift.
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect, type Database } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { type Child, startChild } from './child.ts'
import { quantile } from './quantile.ts'
import { megabytesOf } from './resident-memory.ts'
import { idMark, numbered, numberMark, sampleBody } from './sample.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    load: { type: 'string', default: '1' },
    records: { type: 'string', default: '20000' },
    folder: { type: 'string', default: tmpdir() },
    patient: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/soak.ts' [-- options]

  --minutes N   how long the load lasts (30)
  --load N      the rates of all kinds of requests times N (1)
  --records N   customers before the load (20000)
  --folder DIR  where the database is
  --patient     statements and requests may take minutes: a test on a loaded machine, which measures nothing
`

/** What is sent, how often a second, and the path and body; marks are replaced. */
const kinds = {
  read: { perSecond: 100, method: 'GET', path: `/v1/customer/${idMark}` },
  list: { perSecond: 10, method: 'GET', path: '/v1/customers?limit=50&sortBy=createdAt&sortOrder=desc' },
  search: { perSecond: 5, method: 'GET', path: '/v1/customers?searchByFirstName=ann&limit=20' },
  create: { perSecond: 10, method: 'POST', path: '/v1/customer', body: { ...sampleBody, firstName: `n${numberMark}` } },
  update: { perSecond: 10, method: 'PATCH', path: `/v1/customer/${idMark}`, body: { notes: [`at ${numberMark}`] } },
  sale: {
    perSecond: 10,
    method: 'POST',
    path: '/v1/sale',
    body: {
      lineItems: [{ productId: 'beans', variantId: 'v', name: 'Beans', quantity: 1, price: '2.50', total: '2.50' }],
      summary: { total: '2.50' },
      payments: [{ paymentMethod: 'cash', amount: '2.50' }],
    },
  },
  report: { perSecond: 1, method: 'GET', path: '/v1/reports/sales?groupBy=productId' },
  import: { perSecond: 1 / 60, method: 'POST', path: '/v1/imports?fileName=products.csv&run=true' },
} as const
type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]
const ROWS = 2_000

/** A catalogue file in which some prices have changed. */
function catalogue(): string {
  const price = (n: number) => `${(n % 100) + Math.floor(Math.random() * 9)}.90`
  const rows = Array.from({ length: ROWS }, (_, n) => `${n + 1},simple,SKU-${n},Mug ${n},1,,${price(n)},Mugs,\n`)
  return `ID,Type,SKU,Name,Published,Description,Regular price,Categories,Images\n${rows.join('')}`
}

/** The times of requests since the last look, by kind, and what was not answered with success. */
const times = Object.fromEntries(names.map((kind) => [kind, []])) as unknown as Record<Kind, number[]>
const failures = new Map<string, number>()
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
let number = 0
let created = 0

function send(url: string, company: Company, kind: Kind): Promise<void> {
  const { apiKey, ids } = company
  number++
  const { method, path } = kinds[kind]
  const body = 'body' in kinds[kind] ? numbered(JSON.stringify(kinds[kind].body), number) : undefined
  const sent = kind === 'import' ? catalogue() : body
  const type = kind === 'import' ? 'text/csv' : 'application/json'
  const headers = { 'x-api-key': apiKey, ...(sent !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(sent) }) } // biome-ignore format: one thought
  const target = url + path.replace(idMark, ids[number % ids.length] as string)
  const begun = performance.now()
  return new Promise((resolve) => {
    const done = (failure?: string) => {
      times[kind].push(performance.now() - begun)
      if (failure !== undefined) failures.set(`${kind}: ${failure}`, (failures.get(`${kind}: ${failure}`) ?? 0) + 1)
      else if (kind === 'create') created++
      resolve()
    }
    const call = request(target, { method, agent, headers }, (response) => {
      const isRefused = (response.statusCode ?? 0) >= 300
      let text = ''
      response.on('data', (part) => {
        if (isRefused) text += part
      })
      response.on('end', () => done(isRefused ? `${response.statusCode} ${text.slice(0, 300)}` : undefined))
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The service may close a connection that was idle just when it is used again: a read is sent once more.
      if (method === 'GET' && call.reusedSocket && error.code === 'ECONNRESET') send(url, company, kind).then(resolve)
      else done(error.message)
    })
    call.end(sent)
  })
}

/** Sends a kind at its rate until the end, however long the answers take. */
async function keepSending(url: string, company: Company, kind: Kind, untilMs: number): Promise<void> {
  const pauseMs = 1000 / (kinds[kind].perSecond * Number(options.load))
  const sent = new Set<Promise<void>>()
  for (let at = performance.now() + Math.random() * Math.min(pauseMs, 5_000); at < untilMs; at += pauseMs) {
    const early = at - performance.now()
    if (early > 1) await delay(early)
    const own = send(url, company, kind).finally(() => sent.delete(own))
    sent.add(own)
  }
  await Promise.all(sent)
}

/** What is looked at in each tenth of the time. */
interface Look {
  readonly memory: number[]
  readonly times: Record<Kind, number[]>
}

async function lookAt(pid: number | undefined, looks: Look[], untilMs: number): Promise<void> {
  const lengthMs = (untilMs - performance.now()) / 10
  for (let n = 1; n <= 10; n++) {
    const memory: number[] = []
    for (const until = performance.now() + lengthMs; performance.now() < until; await delay(1_000))
      memory.push(megabytesOf(pid))
    looks.push({
      memory,
      times: Object.fromEntries(names.map((kind) => [kind, times[kind].splice(0)])) as Look['times'],
    })
    process.stderr.write(`${n * 10} %: ${Math.round(quantile(memory, 0.5))} MB, read p99 ${quantile(looks.at(-1)?.times.read ?? [], 0.99).toFixed(1)} ms\n`) // biome-ignore format: one thought
  }
}

/** Prints the middle and the end of the run side by side: tenths 3 to 5 and 8 to 10, since the first ones warm up. */
function printDrift(looks: readonly Look[]): void {
  const parts = [looks.slice(2, 5), looks.slice(7, 10)]
  const shown = (values: readonly number[], part: number) => Number(quantile(values, part).toPrecision(3))
  const rows = names.map((kind) => {
    const [middle, end] = parts.map((some) => some.flatMap((look) => look.times[kind])) as [number[], number[]]
    return { kind, requests: middle.length + end.length, 'p50, middle': shown(middle, 0.5), 'p50, end': shown(end, 0.5), 'p99, middle': shown(middle, 0.99), 'p99, end': shown(end, 0.99) } // biome-ignore format: a table
  })
  console.log('Milliseconds in tenths 3 to 5 and 8 to 10 of the run:')
  console.table(rows)
  const memory = looks.map((look) => Math.round(quantile(look.memory, 0.5)))
  console.log(`Memory of the service in each tenth, MB: ${memory.join(' ')}`)
}

/** Waits until each created customer was reported, at most two minutes; counts those that were, and further calls. */
async function takeReported(receiver: Child): Promise<{ reported: number; twice: number }> {
  const reported = new Set<string>()
  let twice = 0
  for (const until = performance.now() + 120_000; ; await delay(1_000)) {
    const taken = await receiver.ask<{ seen: object; twice: number }>({ ask: 'take' })
    const numbers = Object.keys(taken.seen)
    twice += taken.twice + numbers.filter((number) => reported.has(number)).length
    for (const number of numbers) reported.add(number)
    if (reported.size >= created || performance.now() > until) return { reported: reported.size, twice }
  }
}

async function printTables(database: Database): Promise<void> {
  const rows = await database.query(`select relname, n_live_tup::int, n_dead_tup::int, autovacuum_count::int,
    pg_size_pretty(pg_total_relation_size(relid)) from pg_stat_user_tables order by n_dead_tup desc limit 8`)
  console.log('The tables with the most dead rows:')
  console.table(rows.map(([table, live, dead, vacuums, size]) => ({ table, live, dead, vacuums, size })))
}

async function main(): Promise<void> {
  if (options.help) return console.log(help)
  const folder = await temporaryFolder('soak', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  const receiver = startChild('webhook-receiver.ts')
  const database = connect(embedded.connection, { size: 1 })
  try {
    const { url, companies } = await service.ask<Started>({
      connection: embedded.connection,
      records: [Number(options.records)],
      isPatient: options.patient,
    })
    const company = companies[0] as Company
    const { url: triggerUrl } = await receiver.ask<{ url: string }>({ ask: 'start' })
    const headers = { 'x-api-key': company.apiKey, 'content-type': 'application/json' }
    const trigger = JSON.stringify({ triggerType: 'customer.created', triggerUrl, maxParallel: 10 })
    await fetch(`${url}/v1/automation-trigger`, { method: 'POST', headers, body: trigger })
    const looks: Look[] = []
    const untilMs = performance.now() + Number(options.minutes) * 60_000
    await Promise.all([
      lookAt(service.pid, looks, untilMs),
      ...names.map((kind) => keepSending(url, company, kind, untilMs)),
    ])
    printDrift(looks)
    const { reported, twice } = await takeReported(receiver)
    console.log(`Webhooks: ${created} customers created, ${reported} reported, ${twice} of them twice.`)
    console.log(failures.size === 0 ? 'Every request succeeded.' : failures)
    await printTables(database)
    if (failures.size > 0 || reported !== created) process.exitCode = 1
  } finally {
    agent.destroy()
    await database.close()
    await Promise.all([service.stop(), receiver.stop()])
    await embedded.stop()
  }
}

await main()
