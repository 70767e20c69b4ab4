// Compares another checkout with this one: the same loads on copies of the same data, interleaved, by several fresh processes of each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { type FilledShop, fill, fillShop } from './fill.ts'
import { type Load, type Request, wrkIsMissing, wrkLoad } from './load.ts'
import { median } from './quantile.ts'
import { idMark, lengthMark, numberMark, refusedBody, sampleBody } from './sample.ts'
import { measure, type Round, type Served, startServer, stopServer, thisCheckout } from './served.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    checkout: { type: 'string' },
    env: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    connections: { type: 'string', default: '32' },
    processes: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    warm: { type: 'string', default: '2' },
    together: { type: 'boolean', default: false },
    records: { type: 'string', default: '20000' },
    folder: { type: 'string', default: join(thisCheckout, 'data') },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/checkouts.ts --checkout PATH [options]'

  --checkout PATH      the checkout before the change, with its dependencies installed
  --env NAME=VALUE     environment of this checkout's servers alone: with --checkout . it compares a setting
  --only A,B           only loads whose name begins with A or B: read, list, same, filter, range, search, page, create, refused, update, bulk, sale
  --connections A,B    connections of each load (32)
  --processes N        fresh processes of each checkout, one pair after the other (3)
  --rounds N           rounds of each pair, in alternating order (5)
  --seconds N          whole seconds of each load (1)
  --warm N             whole seconds of each load before its first round (2)
  --together           both checkouts under load at once, so that other work on the machine slows both: compare only the service's µs
  --records N          records before the measurements (20000)
  --folder DIR         where the database is created and removed again (data/)
`

const body = JSON.stringify(sampleBody)
const bulk = JSON.stringify({ items: Array.from({ length: 100 }, () => sampleBody) })
/** A cursor before all records. */
const cursor = Buffer.from(JSON.stringify(['createdAt', 'asc', '2000-01-01T00:00:00.000Z', '0'])).toString('base64url')
/** The loads, by name. A name of several loads begins alike. */
const requests: Readonly<Record<string, Omit<Request, 'url' | 'apiKey'>>> = {
  'read one': { method: 'GET', path: `/v1/api/customer/${idMark}` },
  'list of 100': { method: 'GET', path: `/v1/api/customers?limit=${lengthMark}` },
  'same list of 100': { method: 'GET', path: '/v1/api/customers?limit=100' },
  'filter by one member': { method: 'GET', path: `/v1/customers?externalId=shop-${numberMark}` },
  'filter of 2 %, with count': {
    method: 'GET',
    path: `/v1/customers?outletId=6740a1f2c3d4e5f6a7b8c907&limit=${lengthMark}`,
  },
  'page after a cursor, filter of 2 %': {
    method: 'GET',
    path: `/v1/customers?outletId=6740a1f2c3d4e5f6a7b8c907&limit=${lengthMark}&cursor=${cursor}`,
  },
  'range of createdAt, filter of 2 %': {
    method: 'GET',
    path: `/v1/customers?outletId=6740a1f2c3d4e5f6a7b8c907&createdAt[gte]=2020-01-01&limit=${lengthMark}&cursor=${cursor}`,
  },
  'range of updatedAt that nothing is in': {
    method: 'GET',
    path: `/v1/customers?updatedAt[gte]=2100-01-01&sortBy=updatedAt&limit=${lengthMark}`,
  },
  'search of all members': { method: 'GET', path: '/v1/customers?search=00000017&limit=10' },
  'page of 100 with count': { method: 'GET', path: `/v1/customers?limit=${lengthMark}` },
  'create one': { method: 'POST', path: '/v1/customer', body },
  'refused create': { method: 'POST', path: '/v1/customer', body: JSON.stringify(refusedBody) },
  'update one': { method: 'PATCH', path: `/v1/customer/${idMark}`, body: '{"phone":"+49 30 @NUMBER@"}' },
  'bulk of 100': { method: 'POST', path: '/v1/customers', body: bulk },
}

/** A pair of rounds: of the other checkout, and of this one. */
type Pair = readonly [before: Round, after: Round]
/** The pairs of each load, by load and processes. */
type Pairs = Map<string, Pair[][]>

/** What was filled in before the measurements. */
interface Filled extends FilledShop {
  readonly apiKey: string
  readonly customers: readonly string[]
}

/** The loads on a server, by name and number of connections. */
async function loadsOf(folder: string, { url }: Served, { apiKey, customers, variants, sale }: Filled) {
  const only = options.only.split(',')
  const loads: [name: string, connections: number, load: Load][] = []
  const all = { ...requests, sale: { method: 'POST', path: '/v1/sale', body: sale, idempotencyKey: `s-${numberMark}` } }
  for (const [name, request] of Object.entries(all)) {
    if (!only.some((beginning) => name.startsWith(beginning))) continue
    const isRefused = name.startsWith('refused')
    const ids = name === 'sale' ? variants : request.path.includes(idMark) ? customers : []
    const load = await wrkLoad(folder, { ...request, url, apiKey }, ids, isRefused)
    for (const connections of options.connections.split(',').map(Number)) loads.push([name, connections, load])
  }
  return loads
}

/** Measures both servers in turn, and adds their rounds to `pairs`. */
async function compare(
  servers: readonly [Served, Served],
  { folder, filled, postgres }: { folder: string; filled: Filled; postgres: number },
  pairs: Pairs,
): Promise<void> {
  const [before, after] = await Promise.all(servers.map((server) => loadsOf(folder, server, filled)))
  const seconds = Number(options.seconds)
  for (const [n, [name, connections, own]] of (after ?? []).entries()) {
    const loads = [before?.[n]?.[2] as Load, own] as const
    for (const load of loads) await load(connections, Number(options.warm))
    const rounds: Pair[] = []
    for (let round = 0; round < Number(options.rounds); round++) {
      const run = (side: 0 | 1) =>
        measure(servers[side].process.pid as number, loads[side], postgres, { connections, seconds })
      if (options.together) rounds.push(await Promise.all([run(0), run(1)]))
      else if (round % 2 === 0) rounds.push([await run(0), await run(1)])
      else {
        const second = await run(1)
        rounds.push([await run(0), second])
      }
    }
    const title = `${name} | ${connections}`
    pairs.set(title, [...(pairs.get(title) ?? []), rounds])
  }
}

/** Prints a line for each load: medians of all rounds, and the ratio of each pair of processes. */
function print(pairs: Pairs): void {
  console.log(
    '| load | conns | before /s | after /s | ratio | by processes | p50 ms | p99 ms | service µs | PostgreSQL µs |',
  )
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|')
  for (const [title, byProcess] of pairs) {
    const all = byProcess.flat()
    const ratio = (some: readonly Pair[]) => median(some.map(([a, b]) => b.perSecond / a.perSecond)).toFixed(2)
    const both = (of: (round: Round) => number, digits: number) =>
      [0, 1].map((side) => median(all.map((pair) => of(pair[side as 0 | 1]))).toFixed(digits))
    const cells = [
      ...[title, ...both(({ perSecond }) => perSecond, 0), ratio(all), byProcess.map(ratio).join(' ')],
      both(({ p50Ms }) => p50Ms, 2).join(' → '),
      both(({ p99Ms }) => p99Ms, 1).join(' → '),
      both(({ serviceMicros }) => serviceMicros, 0).join(' → '),
      both(({ postgresMicros }) => postgresMicros, 0).join(' → '),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

async function main(checkout: string): Promise<void> {
  const missing = await wrkIsMissing()
  if (missing) throw new Error(missing)
  const folder = await temporaryFolder('checkouts', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {}, settings: { max_connections: '200' } })
  const { host, user, database } = embedded.connection
  const urlOf = (name: string) => `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`
  const started = new Set<Served>()
  const env = Object.fromEntries(options.env.map((each) => each.split(/=(.*)/s).slice(0, 2)))
  const start = async (name: string, from: string) => {
    const server = await startServer(urlOf(name), { checkout: from, ...(name === 'after' && { env }) })
    started.add(server)
    return server
  }
  const stop = async (server: Served) => {
    started.delete(server)
    await stopServer(server)
  }
  const sql = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: urlOf(database) })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  try {
    await sql('create database before')
    const filler = await start('before', checkout)
    const apiKey = filler.said.companyKey as string
    const customers = await fill(filler.url, apiKey, Number(options.records))
    const filled = { apiKey, customers, ...(await fillShop(filler.url, apiKey)) }
    await stop(filler)
    await sql('create database after template before')
    const postgres = Number.parseInt(readFileSync(join(embedded.directory, 'postmaster.pid'), 'utf8'), 10)
    const pairs: Pairs = new Map()
    for (let n = 0; n < Number(options.processes); n++) {
      const servers = [await start('before', checkout), await start('after', thisCheckout)] as const
      await compare(servers, { folder, filled, postgres }, pairs)
      await Promise.all(servers.map(stop))
    }
    print(pairs)
  } finally {
    await Promise.all([...started].map(stopServer))
    await embedded.stop()
  }
}

if (options.help || options.checkout === undefined) console.log(help)
else await main(options.checkout)
