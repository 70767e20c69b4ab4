// Shows what several worker processes give: throughput with each number of workers, interleaved on one database, and the processor time of service and PostgreSQL for each request.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { fill } from './fill.ts'
import { type Load, type Request, wrkIsMissing, wrkLoad } from './load.ts'
import { cpuMicros, treeOf } from './processor-time.ts'
import { median } from './quantile.ts'
import { idMark, sampleBody } from './sample.ts'

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    connections: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
    warm: { type: 'string', default: '2' },
    records: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
    pin: { type: 'boolean', default: false },
    folder: { type: 'string', default: fileURLToPath(new URL('../data', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/workers.ts' [-- options]; on some cores only: taskset -c 0,1 npm exec -c 'node bench/workers.ts'

  --workers A,B,C      numbers of workers that are compared with the first one (1,2)
  --connections A,B    connections of each load (32)
  --rounds N           rounds, in alternating order (7)
  --seconds N          whole seconds of each load (1)
  --warm N             whole seconds of the load before its first round, for each worker: a young process is slower (2)
  --records N          records before the measurements (20000)
  --only TEXT          only loads whose name begins with TEXT
  --pin                the services on the first half of the cores, PostgreSQL and the load on the others
  --folder DIR         where the database is created and removed again (data/)
`

const script = fileURLToPath(new URL('../server/bin/cashwrap.js', import.meta.url))
const secretKey = 'a secret that only measurements know and that is long enough'
/** Before anything is pinned. */
const cores = Array.from({ length: availableParallelism() }, (_, core) => core)

/** A running service and its figures. */
interface Server {
  readonly workers: number
  readonly process: ChildProcess
  readonly url: string
  readonly said: { companyKey?: string }
}

async function startServer(databaseUrl: string, workers: number, rateLimit: number): Promise<Server> {
  const child = spawn(process.execPath, [script, 'serve', '--json', '--workers', String(workers)], {
    env: {
      // It ends with this process, however that ends.
      CASHWRAP_FOLLOWS_PARENT: '1',
      ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: '0', LOG_LEVEL: 'error' },
      ...{ DATABASE_URL: databaseUrl, CASHWRAP_SECRET_KEY: secretKey, CASHWRAP_RATE_LIMIT: String(rateLimit) },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await once(child.stdout, 'data')
  const said = JSON.parse(String(text))
  return { workers, process: child, url: said.url, said }
}

/** One load, for each server. */
interface Measured {
  readonly name: string
  readonly records: number
  readonly loads: readonly (readonly [Server, Load])[]
}

/** What a load gave on a server in one round. */
interface Round {
  readonly perSecond: number
  readonly p99Ms: number
  readonly serviceMicros: number
  readonly postgresMicros: number
}

/** The loads; the limited servers are alike but for their rate limit, which is never reached. */
async function loadsOf(
  folder: string,
  { servers, limited, apiKey, ids }: { servers: Server[]; limited: Server[]; apiKey: string; ids: string[] },
): Promise<Measured[]> {
  const on = async (name: string, some: readonly Server[], request: Omit<Request, 'url' | 'apiKey'>, records = 1) => ({
    ...{ name, records },
    loads: await Promise.all(
      some.map(async (server) => {
        const marked = request.path.includes(idMark) ? ids : []
        return [server, await wrkLoad(folder, { url: server.url, apiKey, ...request }, marked)] as const
      }),
    ),
  })
  const one = { method: 'GET', path: `/v1/api/customer/${idMark}` }
  const body = JSON.stringify(sampleBody)
  const items = JSON.stringify(Array.from({ length: 100 }, () => sampleBody))
  const all = [
    await on('read one', servers, one),
    await on('read one, rate limit on', limited, one),
    await on('list of 100', servers, { method: 'GET', path: '/v1/api/customers?limit=100' }),
    await on('create one', servers, { method: 'POST', path: '/v1/customer', body }),
    await on('bulk create 100', servers, { method: 'POST', path: '/v1/customers', body: `{"items":${items}}` }, 100),
  ]
  return all.filter(({ name }) => name.startsWith(options.only))
}

async function measure(
  [server, load]: readonly [Server, Load],
  postgres: number,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Round> {
  const [service, database] = [treeOf(server.process.pid as number), treeOf(postgres)]
  const before = [cpuMicros(service), cpuMicros(database)] as const
  const { requests, refused, perSecond, p99Ms } = await load(connections, seconds)
  const all = requests + refused
  return {
    ...{ perSecond, p99Ms },
    serviceMicros: (cpuMicros(service) - before[0]) / all,
    // Backends that were started meanwhile are counted from their beginning.
    postgresMicros: (cpuMicros([...new Set([...database, ...treeOf(postgres)])]) - before[1]) / all,
  }
}

/** Measures a load on all servers in turn; prints a line for each. */
async function compare({ name, records, loads }: Measured, postgres: number, connections: number): Promise<void> {
  const rounds = loads.map((): Round[] => [])
  for (const [{ workers }, load] of loads) await load(connections, Number(options.warm) * workers)
  for (let round = 0; round < Number(options.rounds); round++) {
    const order = loads.map((_, index) => (round % 2 === 0 ? index : loads.length - 1 - index))
    for (const index of order) {
      const measured = await measure(loads[index] as readonly [Server, Load], postgres, {
        connections,
        seconds: Number(options.seconds),
      })
      rounds[index]?.push(measured)
    }
  }
  for (const [index, [{ workers }]] of loads.entries()) {
    const own = rounds[index] as Round[]
    const speeds = own.map(({ perSecond }) => perSecond * records)
    const ratios = own.map(({ perSecond }, n) => perSecond / (rounds[0]?.[n]?.perSecond as number))
    const micros = (of: (round: Round) => number) => (median(own.map(of)) / records).toFixed(0)
    const cells = [
      ...[name, connections, workers, median(speeds).toFixed(0)],
      `${Math.min(...speeds).toFixed(0)}–${Math.max(...speeds).toFixed(0)}`,
      ...[median(ratios).toFixed(2), `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`],
      ...[micros((round) => round.serviceMicros), micros((round) => round.postgresMicros)],
      median(own.map(({ p99Ms }) => p99Ms)).toFixed(1),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

/** Keeps the processes of services off the cores of PostgreSQL and the load, which is started by this process. */
function pin(servers: readonly Server[], postgres: number): void {
  const half = Math.max(1, cores.length >> 1)
  const set = (some: readonly number[], pid: number) =>
    execFileSync('taskset', ['-a', '-p', '-c', some.join(','), String(pid)], { stdio: 'ignore' })
  for (const server of servers) for (const pid of treeOf(server.process.pid as number)) set(cores.slice(0, half), pid)
  for (const pid of [...treeOf(postgres), process.pid]) set(cores.slice(half), pid)
}

async function main(): Promise<void> {
  const missing = await wrkIsMissing()
  if (missing) throw new Error(missing)
  await mkdir(options.folder, { recursive: true })
  const folder = await mkdtemp(join(options.folder, 'bench-workers-'))
  await chmod(folder, 0o755)
  const settings = { max_connections: '300' }
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {}, settings })
  const servers: Server[] = []
  const limited: Server[] = []
  try {
    const { host, user, database } = embedded.connection
    const databaseUrl = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`
    for (const workers of options.workers.split(',').map(Number)) {
      servers.push(await startServer(databaseUrl, workers, 0))
      limited.push(await startServer(databaseUrl, workers, 1_000_000))
    }
    const apiKey = servers[0]?.said.companyKey as string
    const ids = await fill(servers[0]?.url as string, apiKey, Number(options.records))
    const postgres = Number.parseInt(readFileSync(join(embedded.directory, 'postmaster.pid'), 'utf8'), 10)
    if (options.pin) pin([...servers, ...limited], postgres)
    console.log(`${cores.length} cores${options.pin ? ', half of them for the services' : ''}\n`)
    console.log('| load | conns | workers | /s | min–max | ratio | min–max | service µs | PostgreSQL µs | p99 ms |')
    console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|')
    for (const connections of options.connections.split(',').map(Number))
      for (const measured of await loadsOf(folder, { servers, limited, apiKey, ids }))
        await compare(measured, postgres, connections)
  } finally {
    for (const { process: each } of [...servers, ...limited]) each.kill('SIGTERM')
    await Promise.all([...servers, ...limited].map(({ process: each }) => each.exitCode ?? once(each, 'exit')))
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

if (options.help) console.log(help)
else await main()
