// Measures how requests slow down as a company grows: the same requests over HTTP for two companies of one database, in turn, and the ratio of their medians. `node bench/growth.ts`
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { startChild } from './child.ts'
import { ask, grown, load } from './growth-company.ts'
import { growthRequests } from './growth-requests.ts'
import { treeMicros } from './processor-time.ts'
import { quantile } from './quantile.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '15' },
    // Only requests whose names begin with this.
    only: { type: 'string', default: '' },
    // An existing folder in which the database is kept, so that the next run with it need not load the records.
    keep: { type: 'string' },
    // Leaves the tables as loading left them: neither vacuumed nor analyzed.
    raw: { type: 'boolean', default: false },
    folder: { type: 'string', default: tmpdir() },
  },
})
const sizes = [Number(options.small), Number(options.large)] as const
const say = (text: string) => process.stderr.write(`${text}\n`)
const shown = (value: number) => Number(value.toPrecision(3))

/** What the requests of one kind took in one company: milliseconds, and milliseconds of processor time. */
interface Taken {
  readonly ms: number[]
  readonly processor: number[]
}

/** Measures each kind of request in rounds: in every round both companies' requests of each kind, one after the other. */
async function measure(
  url: string,
  companies: readonly [Company, Company],
  processes: readonly number[],
): Promise<Record<string, object>> {
  const large = [await grown(url, companies[0], sizes[0]), await grown(url, companies[1], sizes[1])] as const
  const requests = growthRequests.filter(({ name }) => name.startsWith(options.only))
  const none = (): Taken => ({ ms: [], processor: [] })
  const taken = new Map(requests.map(({ name }) => [name, [none(), none()] as const]))
  const used = () => processes.reduce((sum, pid) => sum + treeMicros(pid), 0)
  for (let round = -1; round < Number(options.rounds); round++)
    for (const { name, make, times: perRound = 1 } of requests)
      for (let n = 0; n < perRound; n++)
        for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const before = used()
          const ms = await ask(url, companies[side], make(large[side], round * perRound + n + perRound))
          const processor = (used() - before) / 1_000
          // The first round warms up.
          if (round < 0) continue
          taken.get(name)?.[side].ms.push(ms)
          taken.get(name)?.[side].processor.push(processor)
        }
  return Object.fromEntries(requests.map(({ name, bound }) => [name, rowOf(taken.get(name) as [Taken, Taken], bound)]))
}

/** A line of the table. The bound is met if times meet it; on a busy machine only the ratio of processor times says something. */
function rowOf([small, big]: readonly [Taken, Taken], bound?: number): object {
  const ratio = (kind: keyof Taken) => quantile(big[kind], 0.5) / quantile(small[kind], 0.5)
  return {
    [`${sizes[0]}, ms`]: shown(quantile(small.ms, 0.5)),
    [`${sizes[1]}, ms`]: shown(quantile(big.ms, 0.5)),
    'p10–p90': `${shown(quantile(big.ms, 0.1))}–${shown(quantile(big.ms, 0.9))}`,
    ratio: shown(ratio('ms')),
    [`${sizes[0]}, cpu`]: shown(quantile(small.processor, 0.5)),
    [`${sizes[1]}, cpu`]: shown(quantile(big.processor, 0.5)),
    'cpu ratio': shown(ratio('processor')),
    bound: bound === undefined ? '' : `≤ ${bound}`,
    met: bound === undefined ? '' : ratio('ms') <= bound ? 'yes' : 'NO',
  }
}

async function main(): Promise<void> {
  const folder = options.keep ?? (await temporaryFolder('growth', options.folder))
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  const database = connect(embedded.connection, { size: 1 })
  const sql = await database.connectAlone()
  try {
    const kept = join(folder, 'growth.json')
    const isLoaded = existsSync(kept)
    const records = isLoaded ? [] : [0, 0]
    const { url, companies: made } = await service.ask<Started>({ connection: embedded.connection, records })
    const companies: [Company, Company] = isLoaded ? JSON.parse(await readFile(kept, 'utf8')) : made
    if (!isLoaded) {
      const begun = performance.now()
      for (const side of [0, 1] as const) await load(sql, companies[side], 0, sizes[side])
      await writeFile(kept, JSON.stringify(companies))
      say(`loaded in ${shown((performance.now() - begun) / 1000)} s`)
    }
    if (!options.raw) await sql.query('vacuum analyze customers')
    await sql.query('checkpoint')
    console.log(
      `Customers in a company: ${sizes[0]} and ${sizes[1]}; medians over HTTP, one request at a time; cpu is milliseconds of processor time of the service and PostgreSQL.`,
    )
    const postmaster = Number.parseInt(await readFile(join(embedded.directory, 'postmaster.pid'), 'utf8'), 10)
    console.table(await measure(url, companies, [service.pid as number, postmaster]))
    console.log(`${cpus().length} cores (${cpus()[0]?.model}), ${options.rounds} rounds.`)
  } finally {
    await sql.end().catch(() => {})
    await database.close()
    await service.stop()
    await embedded.stop()
  }
}

await main()
