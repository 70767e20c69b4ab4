// What each way to hold companies' rows costs: the same loads, by turns, on one PostgreSQL, with one company a statement, with row-level security, with a replica, and on Citus.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ending } from '../server/faults/ending.ts'
import { type Connection, connect, type DatabaseMode } from '../server/src/database/connect.ts'
import { createCompany } from '../server/src/features/tenants/tenants.ts'
import { makeDatabase } from '../server/test/support/nodes.ts'
import { type Load, type Request, wrkIsMissing, wrkLoad } from './load.ts'
import { findPrograms, type Node, startCluster, startPair, startPostgres } from './postgres-nodes.ts'
import { treeMicros } from './processor-time.ts'
import { median } from './quantile.ts'
import { idMark, keyMark, lengthMark, numbered, numberMark, sampleBody } from './sample.ts'
import { type Served, startServer, stopServer, thisCheckout } from './served.ts'
import { onceStopped } from './stopped.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    few: { type: 'string', default: '2' },
    many: { type: 'string', default: '100' },
    records: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    folder: { type: 'string', default: join(thisCheckout, 'data') },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/modes.ts [options]'

  --database NAME=URL  a database of your own, migrated and without companies, instead of those that are started here from the packages
                       of Debian or Ubuntu (apt-get install postgresql; Citus if it is installed). Several; the first one is what
                       others are compared with. NAME=URL:citus is in the mode citus
  --only TEXT          loads that begin with TEXT
  --few N, --many N    companies that ask by turns (2, and 100 with 100 customers each)
  --records N          customers of each of the few companies (5000)
  --connections N, --seconds N, --rounds N   of each load (32, 2, 5); one round more warms up
  --folder DIR         where databases are created and removed again (data/)
`

/** A way to hold rows: the server's settings, its database, and the first processes of PostgreSQL, if it was started here. */
interface Way {
  readonly name: string
  readonly connection: Connection
  readonly env: Readonly<Record<string, string>>
  readonly nodes: readonly Node[]
}

/** A way with a server that has companies, and the loads on it. */
interface Side extends Way {
  readonly server: Served
  readonly loads: ReadonlyMap<string, Load>
}

/** Starts PostgreSQL servers for all ways. */
async function ownWays(data: string, all: ReturnType<typeof ending>): Promise<Way[]> {
  const programs = await findPrograms()
  if (programs === undefined) throw new Error('No PostgreSQL of 15 or newer in /usr/lib/postgresql: apt-get install postgresql, or give --database.') // biome-ignore format: one thought
  const place = { ...programs, data, ending: all }
  const way = async (name: string, nodes: readonly Node[], database: string, env: Way['env'] = {}): Promise<Way> => {
    const own = nodes.map(({ connection }) => connection)
    await (await makeDatabase(name.startsWith('Citus') ? own : own.slice(0, 1), database)).close()
    return { name, connection: { ...(own[0] as Connection), database }, env, nodes }
  }
  const one = await startPostgres(place)
  const [primary, replica] = await startPair(place)
  const ways = [
    await way('PostgreSQL', one, 'plain'),
    await way('one company a statement', one, 'one_company', { CASHWRAP_DATABASE_MODE: 'citus' }),
    await way('row-level security', one, 'row_security', { CASHWRAP_ROW_SECURITY: 'on' }),
    await way('with a replica', [primary, replica], 'cashwrap', {
      DATABASE_READ_URL: urlOf({ ...replica.connection, database: 'cashwrap' }),
    }),
  ]
  if (!place.hasCitus) console.log('Citus is not installed beside PostgreSQL: its columns are missing.\n')
  for (const workers of place.hasCitus ? [1, 2] : [])
    ways.push(await way(`Citus, ${workers} worker${workers > 1 ? 's' : ''}`, await startCluster(place, workers), 'cashwrap')) // biome-ignore format: one thought
  return ways
}

/** Databases that are given, whose PostgreSQL is elsewhere. */
const givenWays = (): Way[] =>
  options.database.map((given) => {
    const [, name = '', url = '', mode] = /^(.*?)=(.*?)(:citus)?$/s.exec(given) ?? []
    if (url === '') throw new Error(`--database must be NAME=URL or NAME=URL:citus, not ${given}.`)
    const env: Way['env'] = mode ? { CASHWRAP_DATABASE_MODE: 'citus' } : {}
    return { name, connection: { connectionString: url }, env, nodes: [] }
  })

const urlOf = ({ connectionString, host, port, user, database }: Connection): string =>
  connectionString ?? `postgres://${user}@${host}:${port}/${database}`

/** The keys of new companies. */
async function keysOf({ connection, env }: Way, count: number): Promise<string[]> {
  const mode = env.CASHWRAP_DATABASE_MODE as DatabaseMode | undefined
  const database = connect({ ...connection, mode }, { size: 1 })
  const [row] = await database.query('select id from organizations limit 1')
  const keys: string[] = []
  while (keys.length < count)
    keys.push((await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId: row?.[0] })).apiKey)
  await database.close()
  return keys
}

const body = JSON.stringify(sampleBody)

/** Creates customers of each company; returns a line of an id and a key for each, companies by turns. */
async function filled(url: string, keys: readonly string[], count: number): Promise<string[]> {
  const ids: string[] = []
  for (let first = 0; first < count; first += 100) {
    const items = Array.from({ length: 100 }, (_, n) => JSON.parse(numbered(body, first + n)))
    const made = await Promise.all(
      keys.map(async (key) => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' }
        const response = await fetch(`${url}/v1/customers`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ items }),
        })
        const text = await response.text()
        if (response.status !== 200) throw new Error(`A bulk create was answered ${response.status}: ${text}`)
        return (JSON.parse(text).results as { data: { id: string } }[]).map(({ data }) => `${data.id} ${key}`)
      }),
    )
    for (let n = 0; n < 100; n++) ids.push(...made.map((lines) => lines[n] as string))
  }
  return ids
}

/** A bulk of levels of ten variants, each of which gets another quantity each time. */
const levels = JSON.stringify({
  items: Array.from({ length: 10 }, (_, n) => ({
    productId: '6740a1f2c3d4e5f6a7b8c9d1',
    variantId: `6740a1f2c3d4e5f6a7b8ca0${n}`,
    outletId: '6740a1f2c3d4e5f6a7b8c901',
    quantity: 0,
  })),
}).replaceAll('"quantity":0', `"quantity":1${numberMark}`)

const requests: Readonly<Record<string, Omit<Request, 'url'>>> = {
  'read one': { method: 'GET', path: `/v1/customer/${idMark}`, apiKey: keyMark },
  'list of 100': { method: 'GET', path: `/v1/customers?limit=${lengthMark}`, apiKey: keyMark },
  'create one': { method: 'POST', path: '/v1/customer', apiKey: keyMark, body },
  'bulk create of 100': {
    method: 'POST',
    path: '/v1/customers',
    apiKey: keyMark,
    body: `{"items":[${Array.from({ length: 100 }, () => body).join()}]}`,
  },
  'set-levels of 10': { method: 'POST', path: '/v1/inventories/set-levels', apiKey: keyMark, body: levels },
}

/** Starts a server, makes its companies, and the loads on them. */
async function sideOf(folder: string, way: Way, all: ReturnType<typeof ending>): Promise<Side> {
  const server = await startServer(urlOf(way.connection), { env: way.env })
  all.after(() => stopServer(server))
  const keys = await keysOf(way, Number(options.few) + Number(options.many))
  const few = keys.slice(0, Number(options.few))
  const many = keys.slice(Number(options.few))
  const groups = [
    ['few companies', await filled(server.url, few, Number(options.records))],
    ['many companies', await filled(server.url, many, 100)],
  ] as const
  const database = connect(way.connection, { size: 1 })
  for (const table of ['customers', 'events', 'companies', 'api_keys']) await database.query(`vacuum analyze ${table}`)
  await database.close()
  const loads = new Map<string, Load>()
  for (const [name, request] of Object.entries(requests))
    for (const [group, lines] of groups)
      if (name.startsWith(options.only)) loads.set(`${name}, ${group}`, await wrkLoad(folder, { ...request, url: server.url }, lines)) // biome-ignore format: one thought
  return { ...way, server, loads }
}

/** A round of a load: processor times are of a request, of the service and of each node of PostgreSQL. */
interface Round {
  readonly perSecond: number
  readonly service: number
  readonly nodes: readonly number[]
}

async function roundOf({ server, nodes }: Side, load: Load): Promise<Round> {
  const pids = [server.process.pid as number, ...nodes.map(({ pid }) => pid)]
  const before = pids.map(treeMicros)
  const { requests, refused, perSecond } = await load(Number(options.connections), Number(options.seconds))
  const [service = 0, ...own] = pids.map((pid, n) => (treeMicros(pid) - (before[n] as number)) / (requests + refused))
  return { perSecond, service, nodes: own }
}

/** The rounds of each side, by turns in alternating order. */
async function roundsOf(sides: readonly Side[], load: string): Promise<Round[][]> {
  const rounds: Round[][] = sides.map(() => [])
  for (let round = -1; round < Number(options.rounds); round++) {
    const order = [...sides.entries()]
    for (const [n, side] of round % 2 === 0 ? order : order.reverse()) {
      const measured = await roundOf(side, side.loads.get(load) as Load)
      // The first one warms up.
      if (round >= 0) (rounds[n] as Round[])[round] = measured
    }
  }
  return rounds
}

const line = (cells: readonly unknown[]) => console.log(`| ${cells.join(' | ')} |`)
const whole = (value: number) => Math.round(value).toLocaleString('en-US')

async function measure(sides: readonly Side[]): Promise<void> {
  const names = [...(sides[0] as Side).loads.keys()]
  const times: string[][] = []
  line(['requests a second', sides[0]?.name, ...sides.slice(1).map(({ name }) => `${name}: of the first`)])
  line(['---', ...sides.map(() => '--:')])
  for (const name of names) {
    const [first = [], ...others] = await roundsOf(sides, name)
    const ratios = others.map((rounds) => {
      const each = rounds.map(({ perSecond }, n) => perSecond / (first[n] as Round).perSecond)
      return `${median(each).toFixed(2)} (${Math.min(...each).toFixed(2)}–${Math.max(...each).toFixed(2)})`
    })
    line([name, whole(median(first.map(({ perSecond }) => perSecond))), ...ratios])
    const cell = (rounds: readonly Round[]) =>
      [
        ({ service }: Round) => service,
        ...(rounds[0]?.nodes ?? []).map(
          (_, n) =>
            ({ nodes }: Round) =>
              nodes[n] ?? 0,
        ),
      ]
        .map((of) => whole(median(rounds.map(of))))
        .join(' + ')
    times.push([name, ...[first, ...others].map(cell)])
  }
  console.log('\nProcessor time of a request in µs: of the service, and of each PostgreSQL.\n')
  line(['load', ...sides.map(({ name }) => name)])
  line(['---', ...sides.map(() => '--:')])
  for (const cells of times) line(cells)
}

async function main(): Promise<void> {
  const missing = await wrkIsMissing()
  if (missing) throw new Error(missing)
  const all = ending()
  onceStopped(all.end)
  const folder = await temporaryFolder('modes', options.folder)
  try {
    const ways = options.database.length > 0 ? givenWays() : await ownWays(folder, all)
    const sides: Side[] = []
    for (const way of ways) sides.push(await sideOf(folder, way, all))
    await measure(sides)
  } finally {
    await all.end()
  }
}

if (options.help) console.log(help)
else await main()
