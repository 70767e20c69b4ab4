// Many companies in one service: what they cost while nothing happens, what each request of one of them costs, and whether memory grows with them.
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect, type Database } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { createOrganization } from '../server/src/features/tenants/tenants.ts'
import { startChild } from './child.ts'
import { treeMicros } from './processor-time.ts'
import { median, quantile } from './quantile.ts'
import { megabytesOf } from './resident-memory.ts'
import { numbered, sampleBody } from './sample.ts'
import type { Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    companies: { type: 'string', default: '10000' },
    few: { type: 'string', default: '10' },
    folder: { type: 'string', default: tmpdir() },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/companies.ts' [-- options]

  --companies N  how many companies are onboarded (10000)
  --few N        the number that they are compared with (10)
  --folder DIR   where the database is
`

/** Requests that are under way at once while companies are onboarded. */
const AT_ONCE = 16
/** Customers of each company, and requests of which the times are taken. */
const CUSTOMERS = 20
const REQUESTS = 500

const customer = (n: number): object => JSON.parse(numbered(JSON.stringify(sampleBody), n))
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

function send<Reply>(method: string, url: string, headers: Record<string, string>, body?: object): Promise<Reply> {
  const text = body && JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const type = text === undefined ? {} : { 'content-type': 'application/json' }
    const call = request(url, { method, agent, headers: { ...headers, ...type } }, (response) => {
      let answer = ''
      response.on('data', (part) => {
        answer += part
      })
      response.on('end', () =>
        (response.statusCode ?? 0) < 300
          ? resolve(JSON.parse(answer))
          : reject(new Error(`${method} ${url}: ${answer}`)),
      )
    })
    call.on('error', reject)
    call.end(text)
  })
}

/** Onboards a company with a key, a trigger that no event reaches, and customers. Returns its key. */
async function onboard(url: string, organizationKey: string, n: number): Promise<string> {
  const ofOrganization = { 'x-org-api-key': organizationKey }
  const root = `${url}/v1/organization-api`
  const name = `Shop ${n}`
  const { id } = await send<{ id: string }>('POST', `${root}/company/company-workflow/onboard`, ofOrganization, {
    name,
  })
  const wanted = { name: 'Till', permissions: ['read', 'create'] }
  const { apiKey } = await send<{ apiKey: string }>('POST', `${root}/companies/${id}/keys`, ofOrganization, wanted)
  const own = { 'x-api-key': apiKey }
  const trigger = { triggerType: 'closing.*', triggerUrl: 'http://127.0.0.1:9/' }
  await send('POST', `${url}/v1/automation-trigger`, own, trigger)
  await send('POST', `${url}/v1/customers`, own, {
    items: Array.from({ length: CUSTOMERS }, (_, own) => customer(own)),
  })
  return apiKey
}

/** Runs `work` for each number up to `end`, some at once. */
async function each(from: number, end: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = from
  const worker = async () => {
    while (next < end) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

interface Measured {
  readonly database: Database
  readonly postgres: number
  readonly pid: number | undefined
  readonly url: string
  readonly keys: readonly string[]
}

/** What a minute without requests costs, and requests of the companies in turn. */
async function measure({ database, postgres, pid, url, keys }: Measured): Promise<object> {
  const commits = async () =>
    Number(
      (await database.query(`select xact_commit from pg_stat_database where datname = current_database()`))[0]?.[0],
    )
  const costs = () => [treeMicros(pid as number), treeMicros(postgres)] as [number, number]
  // What was written is vacuumed and swept first.
  await delay(30_000)
  const before = [await commits(), ...costs()] as [number, number, number]
  await delay(60_000)
  const after = [await commits(), ...costs()] as [number, number, number]
  const [statements, service, server] = after.map((value, n) => value - (before[n] as number)) as [
    number,
    number,
    number,
  ]
  const timed = async (method: string, path: string, body?: object) => {
    const times: number[] = []
    for (let n = 0; n < REQUESTS; n++) {
      const begun = performance.now()
      await send(method, url + path, { 'x-api-key': keys[(n * 7) % keys.length] as string }, body)
      times.push(performance.now() - begun)
    }
    return `${median(times).toFixed(2)}, ${quantile(times, 0.99).toFixed(1)}`
  }
  return {
    'idle minute: transactions': statements,
    'service, ms of processor time': Math.round(service / 1_000),
    'PostgreSQL, ms': Math.round(server / 1_000),
    'list of 20, ms (p50, p99)': await timed('GET', '/v1/customers?limit=20'),
    create: await timed('POST', '/v1/customer', customer(CUSTOMERS)),
    'service, MB': Math.round(megabytesOf(pid)),
  }
}

async function main(): Promise<void> {
  if (options.help) return console.log(help)
  const few = Number(options.few)
  const many = Number(options.companies)
  const folder = await temporaryFolder('companies', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  const database = connect(embedded.connection, { size: 1 })
  try {
    const { url } = await service.ask<Started>({ connection: embedded.connection, records: [] })
    const owner = { name: 'Platform', ownerEmail: 'owner@example.com' }
    const { apiKey } = await createOrganization(database, owner)
    const [postgres] = await database.query('select split_part(pg_read_file($1), chr(10), 1)::int', ['postmaster.pid'])
    const keys: string[] = []
    const add = async (n: number) => void keys.push(await onboard(url, apiKey, n))
    const parts = { database, postgres: postgres?.[0], pid: service.pid, url, keys }
    const rows: Record<string, object> = {}
    await each(0, few, add)
    rows[few] = await measure(parts)
    const begun = performance.now()
    await each(few, many, add)
    const rate = (many - few) / ((performance.now() - begun) / 1_000)
    rows[many] = await measure(parts)
    console.table(rows)
    console.log(
      `Onboarded: ${rate.toFixed(0)} companies a second, ${AT_ONCE} at once, each with a key, a trigger and ${CUSTOMERS} customers.`,
    )
    for (const round of [1, 2]) {
      await each(0, many, async (n) => {
        await send('GET', `${url}/v1/customers?limit=20`, { 'x-api-key': keys[n] as string })
      })
      console.log(`After round ${round} of a list by each company: ${Math.round(megabytesOf(service.pid))} MB.`)
    }
  } finally {
    agent.destroy()
    await database.close()
    await service.stop()
    await embedded.stop()
  }
}

await main()
