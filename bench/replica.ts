// What a replica takes off the primary: lists and searches of one server without and of one with DATABASE_READ_URL, alone and beside writes.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { ending } from '../server/faults/ending.ts'
import { freePorts } from '../server/faults/failover/process.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { urlOf } from '../server/test/support/program.ts'
import { openPair } from '../server/test/support/replica.ts'
import { fill } from './fill.ts'
import { type Load, wrkIsMissing, wrkLoad } from './load.ts'
import { treeMicros } from './processor-time.ts'
import { median } from './quantile.ts'
import { sampleBody } from './sample.ts'
import { type Served, startServer, stopServer, thisCheckout } from './served.ts'
import { onceStopped } from './stopped.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    records: { type: 'string', default: '20000' },
    folder: { type: 'string', default: join(thisCheckout, 'data') },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/replica.ts [options]'

  --connections N      connections of each load (16)
  --rounds N           rounds of each load, of a second each, in alternating order (5)
  --records N          customers of the company (20000)
  --folder DIR         where both databases are created and removed again (data/)`

const paths: Readonly<Record<string, string>> = {
  'list of 100': '/v1/api/customers?limit=100',
  'page of 100 with count': '/v1/customers?limit=100',
  'filter by one member': '/v1/customers?externalId=shop-00000017',
  search: '/v1/search?q=00000017',
}
/** Milliseconds between two creates of the writer. */
const writeMs = 20

/** Creates customers until it is stopped. */
function startWriter({ url }: Served, apiKey: string): () => Promise<void> {
  let isOver = false
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  async function write(): Promise<void> {
    for (; !isOver; await delay(writeMs))
      await fetch(`${url}/v1/customer`, { method: 'POST', headers, body: JSON.stringify(sampleBody) })
  }
  const writing = write()
  return () => {
    isOver = true
    return writing
  }
}

/** A round of a load: processor times are of a request. */
interface Round {
  readonly perSecond: number
  readonly p50Ms: number
  readonly primaryMicros: number
  readonly serviceMicros: number
}

/** The processes of the primary that serve a server, by the name that its connections have. */
async function backendsOf(client: pg.Client, name: string): Promise<number[]> {
  const text = 'select pid from pg_stat_activity where application_name = $1'
  const { rows } = await client.query(text, [name])
  return rows.map(({ pid }) => pid)
}

/** Runs a load for a second. */
async function measure(client: pg.Client, { process: child }: Served, load: Load, name: string): Promise<Round> {
  const service = child.pid as number
  const spent = async () => new Map((await backendsOf(client, name)).map((pid) => [pid, treeMicros(pid)]))
  const before = [await spent(), treeMicros(service)] as const
  const { requests, perSecond, p50Ms } = await load(Number(options.connections), 1)
  const after = [await spent(), treeMicros(service)] as const
  return {
    perSecond,
    p50Ms,
    // Backends that were started meanwhile are counted from their beginning.
    primaryMicros: [...after[0]].reduce((sum, [pid, micros]) => sum + micros - (before[0].get(pid) ?? 0), 0) / requests,
    serviceMicros: (after[1] - before[1]) / requests,
  }
}

/** How many reads the replica answered, and how many might have gone to it. */
async function readsOf(metrics: string): Promise<readonly [number, number]> {
  const text = await (await fetch(`http://${metrics}/metrics`)).text()
  const counts = [...text.matchAll(/^cashwrap_replica_reads_total\{result="(\w+)"\} (\d+)/gm)]
  const sum = (some: typeof counts) => some.reduce((total, [, , count]) => total + Number(count), 0)
  return [sum(counts.filter(([, result]) => result === 'replica')), sum(counts)]
}

async function main(): Promise<void> {
  const missing = await wrkIsMissing()
  if (missing) throw new Error(missing)
  const all = ending()
  onceStopped(all.end)
  const folder = await temporaryFolder('replica', options.folder)
  try {
    const folders = [join(folder, 'primary'), join(folder, 'replica')] as const
    const first = await openEmbedded({ dataDirectory: folders[0], log: () => {} })
    await first.stop()
    // With its owner and modes, which only cp keeps.
    await promisify(execFile)('cp', ['-a', folders[0], folders[1]])
    const { primary, replica } = await openPair(all, folders, { autovacuum: 'off' })
    const names = ['alone', 'with a replica'] as const
    const start = async (name: string, env: object) => {
      const url = `${urlOf(primary.connection)}&application_name=${encodeURIComponent(name)}`
      const server = await startServer(url, { env })
      all.after(() => stopServer(server))
      return server
    }
    const metrics = `127.0.0.1:${(await freePorts(1))[0]}`
    const alone = await start(names[0], {})
    const apiKey = alone.said.companyKey as string
    await fill(alone.url, apiKey, Number(options.records))
    // Otherwise PostgreSQL would do so sometime between the loads.
    const client = new pg.Client({ connectionString: urlOf(primary.connection) })
    await client.connect()
    await client.query('vacuum analyze customers')
    await client.query('vacuum analyze events')
    all.after(() => client.end())
    const both = await start(names[1], { DATABASE_READ_URL: urlOf(replica.connection), CASHWRAP_METRICS: metrics })
    console.log(
      '| load | writes | replica | answered by it | a second | p50 ms | primary, µs each | service, µs each |',
    )
    console.log('|---|--:|---|--:|--:|--:|--:|--:|')
    for (const writes of [false, true])
      for (const [name, path] of Object.entries(paths)) {
        const rounds: [Round[], Round[]] = [[], []]
        const before = await readsOf(metrics)
        for (let round = 0; round < Number(options.rounds); round++)
          for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
            const server = side === 0 ? alone : both
            const load = await wrkLoad(folder, { method: 'GET', path, url: server.url, apiKey }, [])
            const stop = writes ? startWriter(server, apiKey) : async () => {}
            await load(Number(options.connections), 1)
            rounds[side as 0 | 1].push(await measure(client, server, load, names[side as 0 | 1]))
            await stop()
          }
        const after = await readsOf(metrics)
        const share = (after[0] - before[0]) / (after[1] - before[1])
        for (const side of [0, 1] as const) {
          const of = (value: (round: Round) => number, digits = 0) => median(rounds[side].map(value)).toFixed(digits)
          const cells = [
            ...[name, writes ? 1000 / writeMs : 0, side === 0 ? 'no' : 'yes'],
            side === 0 ? '' : `${Math.round(share * 100)} %`,
            of(({ perSecond }) => perSecond),
            of(({ p50Ms }) => p50Ms, 1),
            of(({ primaryMicros }) => primaryMicros),
            of(({ serviceMicros }) => serviceMicros),
          ]
          console.log(`| ${cells.join(' | ')} |`)
        }
      }
  } finally {
    await all.end()
  }
}

if (options.help) console.log(help)
else await main()
