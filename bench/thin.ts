// What a read would cost with less around it: the service, its key check and statement behind Fastify alone and behind plain node:http, and a plain node:http server that only sends the bytes. Processor time of each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { startChild } from './child.ts'
import { fill } from './fill.ts'
import { wrkIsMissing, wrkLoad } from './load.ts'
import { median } from './quantile.ts'
import { idMark } from './sample.ts'
import { measure, type Round, startServer, stopServer, thisCheckout } from './served.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '32' },
    processes: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    records: { type: 'string', default: '20000' },
    folder: { type: 'string', default: join(thisCheckout, 'data') },
  },
})
/** The service, and what `thin-service.ts` starts. */
const kinds = { service: 'the service', fastify: 'Fastify alone', http: 'node:http', bytes: 'node:http, bytes only' }
type Kind = keyof typeof kinds

/** Measures one after the other, round by round, with fresh processes. */
async function measureAll(
  databaseUrl: string,
  { apiKey, ids, postgres }: { apiKey: string; ids: string[]; postgres: number },
  rounds: ReadonlyMap<Kind, Round[]>,
): Promise<void> {
  const service = await startServer(databaseUrl)
  const path = `/v1/api/customer/${idMark}`
  const one = await fetch(service.url + path.replace(idMark, ids[0] as string), { headers: { 'x-api-key': apiKey } })
  const record = await one.text()
  const children = (['fastify', 'http', 'bytes'] as const).map((kind) => ({
    kind,
    child: startChild('thin-service.ts'),
  }))
  const served: { kind: Kind; url: string; pid: number | undefined }[] = [
    { kind: 'service', url: service.url, pid: service.process.pid },
  ]
  for (const { kind, child } of children)
    served.push({ kind, pid: child.pid, ...(await child.ask<{ url: string }>({ kind, databaseUrl, record })) })
  const loads = await Promise.all(
    served.map(({ url }) => wrkLoad(options.folder, { method: 'GET', url, path, apiKey }, ids)),
  )
  const connections = Number(options.connections)
  try {
    for (const load of loads) await load(connections, 3)
    for (let round = 0; round < Number(options.rounds); round++)
      for (const n of served.keys()) {
        const { kind, pid } = served[(n + round) % served.length] as (typeof served)[number]
        const load = loads[(n + round) % served.length] as (typeof loads)[number]
        rounds.get(kind)?.push(await measure(pid as number, load, postgres, { connections, seconds: 1 }))
      }
  } finally {
    await Promise.all([stopServer(service), ...children.map(({ child }) => child.stop())])
  }
}

function print(rounds: ReadonlyMap<Kind, readonly Round[]>): void {
  console.log('| read one | conns | requests a second | service, µs | PostgreSQL, µs | p50 ms |')
  console.log('|---|--:|--:|--:|--:|--:|')
  for (const [kind, all] of rounds) {
    const middle = (of: (round: Round) => number, digits: number) => median(all.map(of)).toFixed(digits)
    const cells = [
      ...[kinds[kind], options.connections, middle(({ perSecond }) => perSecond, 0)],
      ...[middle(({ serviceMicros }) => serviceMicros, 1), middle(({ postgresMicros }) => postgresMicros, 1)],
      middle(({ p50Ms }) => p50Ms, 2),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

async function main(): Promise<void> {
  const missing = await wrkIsMissing()
  if (missing) throw new Error(missing)
  const folder = await temporaryFolder('thin', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  try {
    const { host, user, database } = embedded.connection
    const databaseUrl = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`
    const filler = await startServer(databaseUrl)
    const apiKey = filler.said.companyKey as string
    const ids = await fill(filler.url, apiKey, Number(options.records))
    await stopServer(filler)
    const postgres = Number.parseInt(readFileSync(join(embedded.directory, 'postmaster.pid'), 'utf8'), 10)
    const rounds = new Map((Object.keys(kinds) as Kind[]).map((kind) => [kind, [] as Round[]]))
    for (let n = 0; n < Number(options.processes); n++) await measureAll(databaseUrl, { apiKey, ids, postgres }, rounds)
    print(rounds)
  } finally {
    await embedded.stop()
  }
}

await main()
