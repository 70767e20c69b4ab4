// Measures what one company's load costs another: times of a quiet company alone and beside each load of a loud one, in rounds. `node bench/fairness.ts`
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { connect } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { type Child, startChild } from './child.ts'
import { type FairnessMessage, type LoadName, loads, type Times } from './fairness-load.ts'
import { median, quantile } from './quantile.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    customers: { type: 'string', default: '400000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    // Another checkout of this repository, measured in the same run.
    checkout: { type: 'string' },
    folder: { type: 'string', default: new URL('../data', import.meta.url).pathname },
  },
})
const names = (Object.keys(loads) as LoadName[]).filter((name) => name.startsWith(options.only))
/** Milliseconds for which a load runs before times are measured. */
const warmMs = 1_500

/** A service on its own database. A loud company has many customers, a quiet one few. */
interface Side {
  readonly name: string
  readonly service: Child
  readonly url: string
  readonly loud: Company
  readonly quiet: Company
  /** Stops everything that it started. */
  stop(): Promise<void>
}

/** Pins a process to one core, if the system can and has more than one. */
function pin(child: Child, core: number): void {
  if (availableParallelism() > 1 && child.pid !== undefined)
    spawnSync('taskset', ['-acp', String(core), String(child.pid)])
}

async function side(name: string, root: string): Promise<Side> {
  const folder = await temporaryFolder('fairness', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: (text) => console.error(text) })
  const service = startChild(pathToFileURL(join(root, 'bench/service-process.ts')).href)
  const { url, companies } = await service.ask<Started>({ connection: embedded.connection, records: [1, 100] })
  const [loud, quiet] = companies as [Company, Company]
  const database = connect(embedded.connection, { size: 1 })
  const portion = 5_000
  for (let from = 0; from < Number(options.customers); from += portion)
    await database.query(
      `insert into customers (company_id, id, body)
       select $1, id, json_build_object('id', id, 'companyId', $1::text, 'firstName', 'Ann', 'lastName', md5(n::text),
         'email', md5(n::text) || '@example.com', 'notes', json_build_array(repeat('x', 300)), 'fromService', false,
         'isDeleted', false, 'createdAt', iso_time(now()), 'updatedAt', iso_time(now()))
       from (select n, lpad(to_hex(n + 1700000000000), 24, '0') as id from generate_series($2::bigint, $3::bigint) as n) as made`,
      [loud.companyId, from, Math.min(from + portion, Number(options.customers)) - 1],
    )
  for (const statement of ['vacuum analyze customers', 'checkpoint']) await runStatement(database, statement)
  await database.close()
  pin(service, 0)
  return {
    name,
    service,
    url,
    loud,
    quiet,
    async stop() {
      await service.stop()
      await embedded.stop()
    },
  }
}

/** A statement that may take longer than the service's own. */
async function runStatement(database: ReturnType<typeof connect>, statement: string): Promise<void> {
  const client = await database.connectAlone()
  await client.query(statement).finally(() => client.end())
}

const shown = (ms: number) => Number(ms.toPrecision(3))

const all = (times: Times) => [...times.read, ...times.create, ...times.list]

/** Times of the quiet company in one round, alone or beside a load. */
async function measure(at: Side, load: LoadName | undefined, loud: Child, quiet: Child): Promise<Times> {
  const tail = load === 'deep skip' ? String(Math.floor(Number(options.customers) * 0.95)) : ''
  const after = load === 'long polls' ? await lastEvent(at) : tail
  const start: FairnessMessage = { ask: 'load', url: at.url, key: at.loud.apiKey, load: load as LoadName, tail: after }
  if (load !== undefined) await loud.ask(start)
  await new Promise((done) => setTimeout(done, warmMs))
  const { url, quiet: own } = at
  const times: FairnessMessage = {
    ask: 'times',
    url,
    key: own.apiKey,
    id: own.ids[0] ?? '',
    seconds: Number(options.seconds),
  }
  const taken = await quiet.ask<Times>(times)
  const { answered } = await loud.ask<{ answered: number }>({ ask: 'rest' })
  if (load !== undefined && answered === 0) console.error(`${at.name}: no request of ${load} was answered.`)
  return taken
}

async function lastEvent({ url, loud }: Side): Promise<string> {
  for (let cursor = '0'; ; ) {
    const reply = await fetch(`${url}/v1/events?limit=1000&after=${cursor}`, { headers: { 'x-api-key': loud.apiKey } })
    const { meta } = (await reply.json()) as { meta: { nextCursor: string; hasMore: boolean } }
    cursor = meta.nextCursor
    if (!meta.hasMore) return cursor
  }
}

const sides: Side[] = []
const loud = startChild('fairness-load.ts')
const quiet = startChild('fairness-load.ts')
try {
  for (const child of [loud, quiet]) pin(child, 1)
  if (options.checkout) sides.push(await side('before', resolve(options.checkout)))
  sides.push(await side('now', new URL('..', import.meta.url).pathname))
  const rounds = new Map<string, Times[]>()
  const keyOf = (at: Side, load: LoadName | undefined) => `${at.name} ${load ?? 'alone'}`
  for (let round = 0; round < Number(options.rounds); round++)
    for (const load of [undefined, ...names])
      for (const at of round % 2 ? sides.toReversed() : sides) {
        const key = keyOf(at, load)
        rounds.set(key, [...(rounds.get(key) ?? []), await measure(at, load, loud, quiet)])
      }
  const over = (at: Side, load: LoadName | undefined, part: number, of = all) =>
    median((rounds.get(keyOf(at, load)) ?? []).map((times) => quantile(of(times), part)))
  const lines = [undefined, ...names].flatMap((load) =>
    sides.map((at) => ({
      beside: load ?? 'nothing',
      service: at.name,
      p50: shown(over(at, load, 0.5)),
      p99: shown(over(at, load, 0.99)),
      'p50 ×': shown(over(at, load, 0.5) / over(at, undefined, 0.5)),
      'p99 ×': shown(over(at, load, 0.99) / over(at, undefined, 0.99)),
      'read p99': shown(over(at, load, 0.99, ({ read }) => read)),
      'create p99': shown(over(at, load, 0.99, ({ create }) => create)),
      'list p99': shown(over(at, load, 0.99, ({ list }) => list)),
    })),
  )
  console.table(lines)
  console.log(
    `Milliseconds of the quiet company; medians of ${options.rounds} rounds. The loud one has ${options.customers} customers.`,
  )
} finally {
  await Promise.all([loud.stop(), quiet.stop(), ...sides.map((at) => at.stop())])
}
