// Measures how requests slow down as a company grows: the same requests over HTTP for two companies of one database, in turn, and the ratio of their medians. `node bench/growth.ts`
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { connect } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { startChild } from './child.ts'
import { type Asked, type Grown, growthRequests } from './growth-requests.ts'
import { quantile } from './quantile.ts'
import type { Company, Started } from './started.ts'

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
const portion = 10_000
const say = (text: string) => process.stderr.write(`${text}\n`)
const shown = (value: number) => Number(value.toPrecision(3))

/** Records as an integration would have written them a month ago: rows whose events have expired. Every part of a company has the same mix of values. */
const fill = `
  insert into customers (company_id, id, body)
  select $1, id, json_build_object('id', id, 'companyId', $1::text, 'firstName', 'Ann', 'lastName', name, 'email', name || '.' || n || '@example.com',
    'phone', '+49 30 ' || lpad(n::text, 8, '0'), 'outletId', 'outlet-' || n % 50, 'externalId', 'shop-' || n, 'totalSpent', '1234.50',
    'tags', json_build_array('regular', 'tag-' || n % 50), 'source', case when n % 2 = 0 then 'pos' else 'web' end,
    'billing', json_build_object('firstName', 'Ann', 'lastName', 'Archer', 'address1', 'Torstrasse 17', 'city', 'Berlin', 'country', 'DE', 'postCode', '10119'),
    'notes', json_build_array(json_build_object('message', 'Prefers to be called in the morning.', 'createdAt', '2026-11-02T08:15:00.000Z')),
    'fromService', true, 'isDeleted', false, 'createdAt', at, 'updatedAt', at)
  from (
    select n, '6' || lpad(to_hex(n), 23, '0') as id, to_char('2026-01-01'::timestamp + make_interval(secs => n), 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"') as at,
      (select string_agg(substr('bcdfghjklmnpqrstvwxz', 1 + ((n * 61803399 / power(20, k)::bigint) % 20)::int, 1) || substr('aeiou', 1 + ((n * 40503 / power(5, k)::bigint) % 5)::int, 1), '')
       from generate_series(0, 3) as k) as name
    from generate_series($2::bigint, $3::bigint) as n
  ) as made`

async function load(sql: Client, { companyId }: Company, records: number): Promise<void> {
  say(`loading ${records} customers`)
  for (let first = 0; first < records; first += portion)
    await sql.query(fill, [companyId, first, Math.min(first + portion, records) - 1])
}

/** What the run needs of a company besides its key: how many records it has, and cursors into them. */
async function grown(url: string, company: Company, size: number): Promise<Grown> {
  const middle = async (sortBy: string) => {
    const page = await fetch(`${url}/v1/customers?sortBy=${sortBy}&limit=1&skip=${Math.floor(size / 2)}`, {
      headers: { 'x-api-key': company.apiKey },
    })
    return ((await page.json()) as any).meta.nextCursor as string
  }
  return { size, cursors: { createdAt: await middle('createdAt'), lastName: await middle('lastName') } }
}

async function ask(url: string, company: Company, { method = 'GET', path, body }: Asked): Promise<number> {
  const begun = performance.now()
  const reply = await fetch(url + path, {
    method,
    headers: { 'x-api-key': company.apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  const text = await reply.text()
  const ms = performance.now() - begun
  // A statement that the database gave up counts with its time.
  if (reply.status >= 300 && reply.status !== 503)
    throw new Error(`${method} ${path} was answered ${reply.status}: ${text.slice(0, 300)}`)
  return ms
}

/** Measures each kind of request in rounds: in every round both companies' requests of each kind, one after the other. */
async function measure(url: string, companies: readonly [Company, Company]): Promise<Record<string, object>> {
  const large = [await grown(url, companies[0], sizes[0]), await grown(url, companies[1], sizes[1])] as const
  const requests = growthRequests.filter(({ name }) => name.startsWith(options.only))
  const times = new Map(requests.map(({ name }) => [name, [[], []] as [number[], number[]]]))
  for (let round = -1; round < Number(options.rounds); round++)
    for (const { name, make, times: perRound = 1 } of requests)
      for (let n = 0; n < perRound; n++)
        for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const ms = await ask(url, companies[side], make(large[side], round * perRound + n + perRound))
          // The first round warms up.
          if (round >= 0) times.get(name)?.[side].push(ms)
        }
  const rows: Record<string, object> = {}
  for (const { name, bound } of requests) {
    const [small, big] = times.get(name) as [number[], number[]]
    const ratio = quantile(big, 0.5) / quantile(small, 0.5)
    rows[name] = {
      [`${sizes[0]}, ms`]: shown(quantile(small, 0.5)),
      [`${sizes[1]}, ms`]: shown(quantile(big, 0.5)),
      'p10–p90': `${shown(quantile(big, 0.1))}–${shown(quantile(big, 0.9))}`,
      ratio: shown(ratio),
      bound: bound === undefined ? '' : `≤ ${bound}`,
      met: bound === undefined ? '' : ratio <= bound ? 'yes' : 'NO',
    }
  }
  return rows
}

async function main(): Promise<void> {
  const folder = options.keep ?? (await mkdtemp(join(options.folder, 'cashwrap-growth-')))
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
      for (const side of [0, 1] as const) await load(sql, companies[side], sizes[side])
      await writeFile(kept, JSON.stringify(companies))
      say(`loaded in ${shown((performance.now() - begun) / 1000)} s`)
    }
    if (!options.raw) await sql.query('vacuum analyze customers')
    await sql.query('checkpoint')
    console.log(`Customers in a company: ${sizes[0]} and ${sizes[1]}; medians over HTTP, one request at a time.`)
    console.table(await measure(url, companies))
    console.log(`${cpus().length} cores (${cpus()[0]?.model}), ${options.rounds} rounds.`)
  } finally {
    await sql.end().catch(() => {})
    await database.close()
    await service.stop()
    await embedded.stop()
    if (options.keep === undefined) await rm(folder, { recursive: true, force: true })
  }
}

await main()
