// Shows what observing costs: the same loads on servers without metrics, with them, while Prometheus reads them each second, and with traces; interleaved on one database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { fill } from './fill.ts'
import { type Load, type Request, wrkIsMissing, wrkLoad } from './load.ts'
import { cpuMicros, treeOf } from './processor-time.ts'
import { median } from './quantile.ts'
import { idMark, lengthMark, sampleBody } from './sample.ts'
import { readSteadily } from './steady-load.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    checkout: { type: 'string' },
    connections: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    warm: { type: 'string', default: '3' },
    records: { type: 'string', default: '5000' },
    only: { type: 'string', default: '' },
    rate: { type: 'string' },
    folder: { type: 'string', default: fileURLToPath(new URL('../data', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/observed.ts' [-- options]

  --checkout DIR    another checkout, such as one from before, as the first server: the others are compared with it
  --connections N   connections of each load (32)
  --rounds N        rounds, in alternating order (9)
  --seconds N       whole seconds of each load (1)
  --warm N          whole seconds of the load before its first round (3)
  --records N       records before the measurements (5000)
  --only TEXT       only loads whose name begins with TEXT
  --rate N          instead, N reads a second: the part of a core that each server takes
  --folder DIR      where the database is created and removed again (data/)
`

const secretKey = 'a secret that only measurements know and that is long enough'
const scrapeMs = 1_000

/** A kind of server that is measured. */
interface Variant {
  readonly name: string
  readonly checkout: string
  readonly environment: Readonly<Record<string, string>>
  readonly isScraped?: boolean
  readonly isTraced?: boolean
}

/** A running server of that kind. */
interface Server extends Variant {
  readonly process: ChildProcess
  readonly url: string
  readonly said: { readonly companyKey?: string; readonly metrics?: string }
}

const own = fileURLToPath(new URL('..', import.meta.url))
const metrics = { CASHWRAP_METRICS: '127.0.0.1:0' }
const variants: readonly Variant[] = [
  ...(options.checkout === undefined
    ? []
    : [{ name: 'the other checkout', checkout: options.checkout, environment: {} }]),
  { name: 'off', checkout: own, environment: {} },
  { name: 'metrics', checkout: own, environment: metrics },
  { name: 'metrics, scraped', checkout: own, environment: metrics, isScraped: true },
  { name: 'traces of 1 %', checkout: own, environment: { OTEL_TRACES_SAMPLER_ARG: '0.01' }, isTraced: true },
  { name: 'traces of all', checkout: own, environment: {}, isTraced: true },
]

async function startServer(variant: Variant, databaseUrl: string, collector: string): Promise<Server> {
  const child = spawn(process.execPath, [join(variant.checkout, 'server/bin/cashwrap.js'), 'serve', '--json'], {
    env: {
      // It ends with this process, however that ends.
      CASHWRAP_FOLLOWS_PARENT: '1',
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      LOG_LEVEL: 'error',
      DATABASE_URL: databaseUrl,
      CASHWRAP_SECRET_KEY: secretKey,
      CASHWRAP_RATE_LIMIT: '0',
      CASHWRAP_ROW_SECURITY: 'off',
      ...variant.environment,
      ...(variant.isTraced && { OTEL_EXPORTER_OTLP_ENDPOINT: collector }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await once(child.stdout, 'data')
  const said = JSON.parse(String(text))
  return { ...variant, process: child, url: said.url, said }
}

/** Reads the metrics each second, as Prometheus would, until it is stopped; returns how long each took. */
function scrapeEachSecond({ said, isScraped }: Server): () => number[] {
  const took: number[] = []
  if (!isScraped || said.metrics === undefined) return () => took
  const { metrics: url } = said
  const timer = setInterval(async () => {
    const begun = performance.now()
    await (await fetch(url)).text()
    took.push(performance.now() - begun)
  }, scrapeMs)
  return () => {
    clearInterval(timer)
    return took
  }
}

interface Measured {
  readonly name: string
  readonly loads: readonly (readonly [Server, Load])[]
}

async function loadsOf(folder: string, servers: readonly Server[], apiKey: string, ids: string[]): Promise<Measured[]> {
  const on = async (name: string, request: Omit<Request, 'url' | 'apiKey'>): Promise<Measured> => ({
    name,
    loads: await Promise.all(
      servers.map(async (server) => {
        const marked = request.path.includes(idMark) ? ids : []
        return [server, await wrkLoad(folder, { url: server.url, apiKey, ...request }, marked)] as const
      }),
    ),
  })
  const all = [
    await on('read one', { method: 'GET', path: `/v1/api/customer/${idMark}` }),
    await on('create one', { method: 'POST', path: '/v1/customer', body: JSON.stringify(sampleBody) }),
    await on('list of 100', { method: 'GET', path: `/v1/api/customers?limit=${lengthMark}` }),
  ]
  return all.filter(({ name }) => name.startsWith(options.only))
}

/** Measures a load on all servers in turn; prints a line for each. The processor time is that of the service. */
async function compare({ name, loads }: Measured): Promise<void> {
  const rounds = loads.map((): { perSecond: number; micros: number; p99Ms: number; scrapes: number[] }[] => [])
  const connections = Number(options.connections)
  const seconds = Number(options.seconds)
  for (const [, load] of loads) await load(connections, Number(options.warm))
  for (let round = 0; round < Number(options.rounds); round++) {
    const order = loads.map((_, index) => (round % 2 === 0 ? index : loads.length - 1 - index))
    for (const index of order) {
      const [server, load] = loads[index] as readonly [Server, Load]
      const stop = scrapeEachSecond(server)
      const tree = treeOf(server.process.pid as number)
      const before = cpuMicros(tree)
      const { requests, refused, perSecond, p99Ms } = await load(connections, seconds)
      const micros = (cpuMicros(tree) - before) / (requests + refused)
      rounds[index]?.push({ perSecond, micros, p99Ms, scrapes: stop() })
    }
  }
  for (const [index, [server]] of loads.entries()) {
    const of = rounds[index] ?? []
    const ratios = of.map(({ micros }, n) => micros / (rounds[0]?.[n]?.micros as number))
    const scrapes = of.flatMap((round) => round.scrapes)
    const cells = [
      ...[name, server.name, median(of.map(({ perSecond }) => perSecond)).toFixed(0)],
      ...[median(of.map(({ micros }) => micros)).toFixed(1), median(ratios).toFixed(3)],
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      median(of.map(({ p99Ms }) => p99Ms)).toFixed(1),
      scrapes.length === 0 ? '' : median(scrapes).toFixed(0),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

/** The part of a core that a server takes under a steady load. */
async function partOfCore(server: Server, load: { rate: number; apiKey: string; ids: string[] }) {
  const stop = scrapeEachSecond(server)
  const tree = treeOf(server.process.pid as number)
  const before = cpuMicros(tree)
  const begun = performance.now()
  await readSteadily(server.url, { ...load, seconds: Number(options.seconds) })
  return { part: (cpuMicros(tree) - before) / 1_000 / (performance.now() - begun), scrapes: stop() }
}

/** Measures a steady load on all servers in turn; prints a line for each. */
async function compareSteady(servers: readonly Server[], load: { rate: number; apiKey: string; ids: string[] }) {
  const rounds = servers.map((): { part: number; scrapes: number[] }[] => [])
  for (let round = 0; round <= Number(options.rounds); round++)
    for (const [index, server] of servers.entries()) {
      const measured = await partOfCore(server, load)
      // The first one warms it up.
      if (round > 0) rounds[index]?.push(measured)
    }
  console.log(`| ${load.rate} reads a second | % of a core | min–max | scrape ms |\n|---|--:|--:|--:|`)
  for (const [index, { name }] of servers.entries()) {
    const of = rounds[index] ?? []
    const parts = of.map(({ part }) => part * 100)
    const scrapes = of.flatMap((round) => round.scrapes)
    const range = `${Math.min(...parts).toFixed(1)}–${Math.max(...parts).toFixed(1)}`
    const scraped = scrapes.length === 0 ? '' : median(scrapes).toFixed(0)
    console.log(`| ${name} | ${median(parts).toFixed(1)} | ${range} | ${scraped} |`)
  }
}

async function main(): Promise<void> {
  const missing = await wrkIsMissing()
  if (missing) throw new Error(missing)
  const folder = await temporaryFolder('observed', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {}, settings: { max_connections: '300' } })
  const servers: Server[] = []
  // Takes spans and throws them away.
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  try {
    const { host, user, database } = embedded.connection
    const databaseUrl = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`
    for (const variant of variants) servers.push(await startServer(variant, databaseUrl, collectorUrl))
    const apiKey = servers[0]?.said.companyKey as string
    const ids = await fill(servers[0]?.url as string, apiKey, Number(options.records))
    if (options.rate !== undefined) return await compareSteady(servers, { rate: Number(options.rate), apiKey, ids })
    console.log('| load | server | /s | service µs | ratio | min–max | p99 ms | scrape ms |')
    console.log('|---|---|--:|--:|--:|--:|--:|--:|')
    for (const measured of await loadsOf(folder, servers, apiKey, ids)) await compare(measured)
  } finally {
    for (const { process: each } of servers) each.kill('SIGTERM')
    await Promise.all(servers.map(({ process: each }) => each.exitCode ?? once(each, 'exit')))
    collector.close()
    collector.closeAllConnections()
    await embedded.stop()
  }
}

if (options.help) console.log(help)
else await main()
