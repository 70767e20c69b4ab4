// Shows whether plans stay good while a company grows from nothing: one service all along, whose tables only autovacuum looks after. `node bench/growing.ts`
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { connect } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { startChild } from './child.ts'
import { ask, grown, justNow, load } from './growth-company.ts'
import { growthRequests } from './growth-requests.ts'
import { quantile } from './quantile.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
    folder: { type: 'string', default: tmpdir() },
  },
})
/** The kinds of requests whose plans could be those of a small table. */
const names = [
  ...['read', 'Style A page', 'cursor page by lastName', 'exact filter', 'Style B page', 'filter of 2 %'],
  ...['search of 4 characters', 'range of 0.1 %', 'skip of 90 %'],
]
const requests = growthRequests.filter(({ name }) => names.includes(name))

/** The median of each kind of request, in milliseconds; the first round warms up. */
async function medians(url: string, company: Company, size: number): Promise<Record<string, number>> {
  const known = await grown(url, company, size)
  const times = new Map(requests.map(({ name }) => [name, [] as number[]]))
  for (let round = -1; round < Number(options.rounds); round++)
    for (const { name, make } of requests) {
      const ms = await ask(url, company, make(known, round + 1))
      if (round >= 0) times.get(name)?.push(ms)
    }
  return Object.fromEntries([...times].map(([name, some]) => [name, Number(quantile(some, 0.5).toPrecision(3))]))
}

/** Sizes at which a growing company is looked at: 1,000, 3,000, 10,000 and so on. */
function sizesUpTo(records: number): number[] {
  const sizes = [1, 10, 100, 1_000].flatMap((power) => [power * 1_000, power * 3_000])
  return [...sizes.filter((size) => size < records), records]
}

async function main(): Promise<void> {
  const folder = await temporaryFolder('growing', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  const database = connect(embedded.connection, { size: 1 })
  const sql = await database.connectAlone()
  try {
    const { url, companies } = await service.ask<Started>({ connection: embedded.connection, records: [0] })
    const company = companies[0] as Company
    const begun = performance.now()
    const rows: Record<string, Record<string, number>> = Object.fromEntries(names.map((name) => [name, {}]))
    let size = 0
    for (const next of sizesUpTo(Number(options.records))) {
      await load(sql, company, size, next, justNow)
      size = next
      for (const [name, ms] of Object.entries(await medians(url, company, size)))
        (rows[name] as Record<string, number>)[String(size)] = ms
    }
    console.log(`Medians in ms over HTTP while a company grew for ${Math.round((performance.now() - begun) / 1000)} s:`)
    console.table(rows)
    const [row] = await database.query(
      `select autovacuum_count::int, autoanalyze_count::int from pg_stat_user_tables where relname = 'customers'`,
    )
    console.log(`Meanwhile autovacuum vacuumed customers ${row?.[0]} times, and analyzed it ${row?.[1]} times.`)
  } finally {
    await sql.end().catch(() => {})
    await database.close()
    await service.stop()
    await embedded.stop()
  }
}

await main()
