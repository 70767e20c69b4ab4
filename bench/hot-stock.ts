// Shows that no unit is lost: fifty clients adjust twenty levels through two servers while levels are set and lists are read; then everything is counted.
import { parseArgs } from 'node:util'
import pino from 'pino'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { createCompany, createOrganization } from '../server/src/features/tenants/tenants.ts'
import { type Service, startService } from '../server/src/service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, clients: { type: 'string', default: '50' } },
})
const outlets = ['a', 'b', 'c', 'd']
const variantCount = 5

/** What the clients were answered. */
interface Reported {
  readonly statuses: Map<string, number>
  /** The sum of the changes of each level, by variant and outlet. */
  readonly sums: Map<string, number>
  moves: number
  sets: number
  refused: number
}

interface Level {
  readonly variantId: string
  readonly outletId: string
}
const keyOf = ({ variantId, outletId }: Level) => `${variantId} ${outletId}`

async function main(): Promise<boolean> {
  const folder = await temporaryFolder('hot-stock')
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const log = pino({ level: 'fatal' })
  const settings = {
    host: '127.0.0.1',
    port: 0,
    log,
    secretKeys: ['a secret that only measurements know of, of 32 characters'],
  }
  const servers = [await startService(embedded.connection, settings), await startService(embedded.connection, settings)]
  try {
    return await race(servers as [Service, Service])
  } finally {
    for (const server of servers) await server.close()
    await embedded.stop()
  }
}

/** The two servers, the company that the clients belong to, and what they were answered. */
interface Race {
  readonly servers: readonly [Service, Service]
  readonly apiKey: string
  readonly companyId: string
  readonly reported: Reported
}

/** Runs the clients and counts; true when nothing is wrong. */
async function race(servers: readonly [Service, Service]): Promise<boolean> {
  const [{ database }] = servers
  const { organizationId } = await createOrganization(database, { name: 'Chain' })
  const { apiKey, companyId } = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
  const reported: Reported = { statuses: new Map(), sums: new Map(), moves: 0, sets: 0, refused: 0 }
  const one: Race = { servers, apiKey, companyId, reported }
  const variants: string[] = []
  for (let n = 0; n < variantCount; n++)
    variants.push((await call(one, n, 'POST', '/v1/variant', { productId: 'p', manageStock: true })).id)
  const levels = variants.flatMap((variantId) => outlets.map((outletId) => ({ variantId, outletId })))
  const end = performance.now() + Number(options.seconds) * 1000
  const isOver = () => performance.now() >= end
  const clients = Array.from({ length: Number(options.clients) }, (_, n) => adjust(one, levels, n, isOver))
  await Promise.all([...clients, setLevels(one, levels, isOver), readVariants(one, isOver)])

  const found = await storedStock(one)
  const wrong = findingsOf(levels.map(keyOf), found, reported)
  const { moves, sets, refused } = reported
  const { entries, deadlocks } = found
  console.table({ moves, 'levels set': sets, 'refused (409)': refused, entries: entries.length, deadlocks, ...wrong })
  console.table(Object.fromEntries(reported.statuses))
  return Object.values(wrong).every((times) => times === 0)
}

/** Sends a request to one of the servers, in turns. */
async function call({ servers, apiKey, reported }: Race, n: number, method: string, path: string, body?: object) {
  const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) }
  const { url } = servers[n % 2] as Service
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const line = `${method} ${path}: ${answer.status}`
  reported.statuses.set(line, (reported.statuses.get(line) ?? 0) + 1)
  return (await answer.json()) as any
}

/** Counts the results of items; returns how many succeeded. */
function count({ reported }: Race, items: readonly Level[], results: readonly any[] = []): number {
  const done = results.filter(({ status }) => status === 'success')
  for (const { index, data } of done) {
    const key = keyOf(items[index] as Level)
    reported.sums.set(key, (reported.sums.get(key) ?? 0) + data.stock - data.previousStock)
  }
  reported.refused += results.length - done.length
  return done.length
}

async function adjust(one: Race, levels: readonly Level[], client: number, isOver: () => boolean): Promise<void> {
  for (let n = client; !isOver(); n += 13) {
    // Two of three are sales, so that many find an empty shelf.
    const items = [0, 1, 2].map((k) => {
      const isSale = (n + k) % 3 > 0
      return {
        ...(levels[(n * 7 + k * 5) % levels.length] as Level),
        delta: isSale ? -1 : 2,
        kind: isSale ? 'SALE' : 'RECEIVED',
      }
    })
    const { results } = await call(one, client, 'POST', '/v1/inventories/adjust', { items })
    one.reported.moves += count(one, items, results)
  }
}

async function setLevels(one: Race, levels: readonly Level[], isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const items = [{ productId: 'p', ...(levels[n % levels.length] as Level), quantity: n % 50 }]
    const { results } = await call(one, n, 'POST', '/v1/inventories/set-levels', { items })
    one.reported.sets += count(one, items, results)
  }
}

async function readVariants(one: Race, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) await call(one, n, 'GET', '/v1/variants')
}

/** What the database holds in the end. */
interface Stored {
  readonly stock: Record<string, number>
  /** The history: the level, and its stock before and after. */
  readonly entries: [string, number, number][]
  readonly shown: Record<string, { outletId: string; stock: number }[]>
  readonly deadlocks: number
}

async function storedStock({ servers: [{ database }], companyId }: Race): Promise<Stored> {
  const [row] = await database.query(
    `select
       (select json_object_agg(variant_id || ' ' || outlet_id, stock) from inventories where company_id = $1 and not is_deleted),
       (select json_agg(json_build_array(variant_id || ' ' || outlet_id, body -> 'previousStock', body -> 'newStock') order by created_at, id)
        from inventory_history where company_id = $1),
       (select json_object_agg(id, shown -> 'inventory') from variants where company_id = $1),
       (select deadlocks from pg_stat_database where datname = current_database())`,
    [companyId],
  )
  const [stock, entries, shown, deadlocks] = row ?? []
  return { stock: JSON.parse(stock), entries: JSON.parse(entries), shown: JSON.parse(shown), deadlocks }
}

/** How often something is wrong, by what it is. */
function findingsOf(keys: readonly string[], { stock, entries, shown }: Stored, reported: Reported) {
  const last = new Map<string, number>()
  let broken = 0
  for (const [key, previous, next] of entries) {
    if (previous !== (last.get(key) ?? 0)) broken++
    last.set(key, next)
  }
  const unlike = (other: (key: string) => number | undefined) =>
    keys.filter((key) => (stock[key] ?? 0) !== (other(key) ?? 0)).length
  return {
    'broken chains': broken,
    'chains that end off the stock': unlike((key) => last.get(key)),
    'levels with lost units': unlike((key) => reported.sums.get(key)),
    'levels that their variant does not show': unlike((key) => {
      const [variant = '', outlet] = key.split(' ')
      return shown[variant]?.find(({ outletId }) => outletId === outlet)?.stock
    }),
    'answers of 5xx': [...reported.statuses].reduce(
      (sum, [line, times]) => sum + (/: 5\d\d$/.test(line) ? times : 0),
      0,
    ),
  }
}

process.exitCode = (await main()) ? 0 : 1
