// Shows what several worker processes give: throughput with each number of workers, interleaved on one database, and the processor time of service and PostgreSQL for each request.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { fill } from './fill.ts'
import { type Load, type Request, wrkIsMissing, wrkLoad } from './load.ts'
import { treeOf } from './processor-time.ts'
import { median } from './quantile.ts'
import { idMark, lengthMark, sampleBody } from './sample.ts'
import { measure, type Round, type Served, startServer, stopServer } from './served.ts'
import { temporaryFolder } from './temporary-folder.ts'

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

/** Before anything is pinned. */
const cores = Array.from({ length: availableParallelism() }, (_, core) => core)

/** A server, and its number of workers. */
interface Server extends Served {
  readonly workers: number
}

/** One load, for each server. */
interface Measured {
  readonly name: string
  readonly records: number
  readonly loads: readonly (readonly [Server, Load])[]
}

/** The loads; the limited servers are alike but for their rate limit, which is never reached. */
async function loadsOf(
  folder: string,
  { servers, limited, apiKey, ids }: { servers: Server[]; limited: Server[]; apiKey: string; ids: string[] },
): Promise<Measured[]> {
  const on = async (name: string, some: readonly Server[], request: Omit<Request, 'url' | 'apiKey'>, records = 1) => ({
    name,
    records,
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
    await on('list of 100', servers, { method: 'GET', path: `/v1/api/customers?limit=${lengthMark}` }),
    await on('create one', servers, { method: 'POST', path: '/v1/customer', body }),
    await on('bulk create 100', servers, { method: 'POST', path: '/v1/customers', body: `{"items":${items}}` }, 100),
  ]
  return all.filter(({ name }) => name.startsWith(options.only))
}

/** Measures a load on all servers in turn; prints a line for each. */
async function compare({ name, records, loads }: Measured, postgres: number, connections: number): Promise<void> {
  const rounds = loads.map((): Round[] => [])
  for (const [{ workers }, load] of loads) await load(connections, Number(options.warm) * workers)
  for (let round = 0; round < Number(options.rounds); round++) {
    const order = loads.map((_, index) => (round % 2 === 0 ? index : loads.length - 1 - index))
    for (const index of order) {
      const [server, load] = loads[index] as readonly [Server, Load]
      const measured = await measure(server.process.pid as number, load, postgres, {
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
  const folder = await temporaryFolder('workers', options.folder)
  const settings = { max_connections: '300' }
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {}, settings })
  const servers: Server[] = []
  const limited: Server[] = []
  try {
    const { host, user, database } = embedded.connection
    const databaseUrl = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`
    for (const workers of options.workers.split(',').map(Number)) {
      const flags = ['--workers', String(workers)]
      const env = { CASHWRAP_RATE_LIMIT: '1000000' }
      servers.push({ workers, ...(await startServer(databaseUrl, { flags })) })
      limited.push({ workers, ...(await startServer(databaseUrl, { flags, env })) })
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
    await Promise.all([...servers, ...limited].map(stopServer))
    await embedded.stop()
  }
}

if (options.help) console.log(help)
else await main()
