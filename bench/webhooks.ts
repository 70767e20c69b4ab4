// Measures webhooks: from the answered write to the receiver, when idle and at a fixed rate; events a second when they are
// replayed; and the cost of triggers for writes. Of one checkout, or of several in turn.
import { Agent, request } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type EmbeddedDatabase, openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { type Child, startChild } from './child.ts'
import { wrkLoad } from './load.ts'
import { quantile } from './quantile.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    rate: { type: 'string', default: '1000' },
    checkout: { type: 'string', multiple: true, default: [new URL('..', import.meta.url).pathname] },
    // Leaves out what triggers cost the writes.
    deliveries: { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
let number = 0

/** Writes a customer; returns when it was sent and answered, in nanoseconds. */
function write(url: string, { apiKey }: Company): Promise<{ number: number; asked: bigint; answered: bigint }> {
  const own = ++number
  const body = JSON.stringify({ firstName: `n${own}`, email: `n${own}@example.com` })
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const asked = process.hrtime.bigint()
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/customer`, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode !== 201) reject(new Error(`A write was answered ${response.statusCode}.`))
        else resolve({ number: own, asked, answered: process.hrtime.bigint() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const ms = (nanoseconds: bigint) => Number(nanoseconds) / 1e6
const shown = (value: number) => Number(value.toPrecision(3))

/** Writes at a fixed rate for some seconds, however long the responses take. */
async function atRate(url: string, company: Company, perSecond: number, length: number) {
  const writes: ReturnType<typeof write>[] = []
  const begun = performance.now()
  for (let n = 0; n < perSecond * length; n++) {
    const early = begun + (n * 1000) / perSecond - performance.now()
    if (early > 1) await delay(early)
    writes.push(write(url, company))
  }
  return Promise.all(writes)
}

/** A service of a checkout with a database, five companies and a receiver of its own. */
interface Measured {
  readonly checkout: string
  readonly folder: string
  readonly url: string
  readonly companies: readonly Company[]
  /** The trigger of each company that has one, by its key. */
  readonly triggers: ReadonlyMap<string, string>
  /** What has arrived since the last time, by the number of the record. */
  take(): Promise<Record<string, string>>
  stop(): Promise<void>
}

/** What triggers of the companies match; the others have none. */
const triggerTypes = ['new_customer', undefined, 'product.*', 'customer.created', undefined] as const

async function startMeasured(checkout: string): Promise<Measured> {
  const folder = await temporaryFolder('webhooks')
  const embedded: EmbeddedDatabase = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service: Child = startChild(pathToFileURL(resolve(checkout, 'bench/service-process.ts')).href)
  const receiver: Child = startChild('webhook-receiver.ts')
  const { url, companies } = await service.ask<Started>({ connection: embedded.connection, records: [0, 0, 0, 0, 0] })
  const { url: triggerUrl } = await receiver.ask<{ url: string }>({ ask: 'start' })
  const triggers = new Map<string, string>()
  for (const [n, triggerType] of triggerTypes.entries()) {
    if (triggerType === undefined) continue
    const { apiKey } = companies[n] as Company
    const { id } = await post(`${url}/v1/automation-trigger`, apiKey, { triggerType, triggerUrl, maxParallel: 10 })
    triggers.set(apiKey, id)
  }
  return {
    checkout,
    folder,
    url,
    companies,
    triggers,
    take: async () => (await receiver.ask<{ seen: Record<string, string> }>({ ask: 'take' })).seen,
    async stop() {
      await Promise.all([service.stop(), receiver.stop()])
      await embedded.stop()
    },
  }
}

async function post(url: string, apiKey: string, body: object): Promise<any> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

/** When each of some records arrived, in nanoseconds, once all have. */
async function arrived({ take }: Measured, numbers: readonly number[]): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  for (const patience = performance.now() + 60_000; performance.now() < patience; await delay(100)) {
    Object.assign(seen, await take())
    if (numbers.every((number) => seen[number] !== undefined)) return seen
  }
  throw new Error('Not all events arrived.')
}

/** Milliseconds from the response of each write to its receipt: when idle, and at the fixed rate. Returns the writes too. */
async function latencies(measured: Measured) {
  const [company] = measured.companies as [Company]
  const since = async (writes: Awaited<ReturnType<typeof write>>[]) => {
    const seen = await arrived(
      measured,
      writes.map(({ number }) => number),
    )
    return writes.map(({ number, answered }) => ms(BigInt(seen[number] as string) - answered))
  }
  const idle: Awaited<ReturnType<typeof write>>[] = []
  for (let n = 0; n < 300; n++) {
    idle.push(await write(measured.url, company))
    await delay(15)
  }
  const idleMs = await since(idle)
  const busy = await atRate(measured.url, company, Number(options.rate), seconds)
  return { idleMs, busyMs: await since(busy), numbers: [...idle, ...busy].map(({ number }) => number) }
}

/** Events a second that arrive when all of the first company are sent again. */
async function replayed(measured: Measured, numbers: readonly number[]): Promise<number> {
  const { url, companies, triggers } = measured
  const [{ apiKey }] = companies as [Company]
  await measured.take()
  const begun = process.hrtime.bigint()
  const since = { since: '2020-01-01T00:00:00Z' }
  await post(`${url}/v1/automation-trigger/${triggers.get(apiKey)}/replay`, apiKey, since)
  const times = Object.values(await arrived(measured, numbers)).map((time) => ms(BigInt(time) - begun))
  return (numbers.length * 1000) / Math.max(...times)
}

/** What a trigger costs the writes, beside a company without any: ratios of the writes a second, and of their times. */
async function costs({ folder, url, companies }: Measured): Promise<{ rates: number[]; times: number[] }> {
  const [, bare, other, busy, plain] = companies as [Company, Company, Company, Company, Company]
  const body = JSON.stringify({ firstName: 'Anne', email: 'anne@example.com' })
  const load = (company: Company) =>
    wrkLoad(folder, { url, method: 'POST', path: '/v1/customer', apiKey: company.apiKey, body })
  const withOther = await load(other)
  const without = await load(bare)
  const rates: number[] = []
  await without(32, 1)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 ? [withOther, without] : [without, withOther]
    const figures = new Map<unknown, number>()
    for (const run of order) figures.set(run, (await run(32, 2)).perSecond)
    rates.push((figures.get(withOther) as number) / (figures.get(without) as number))
  }
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 ? [busy, plain] : [plain, busy]
    const figures = new Map<Company, number>()
    for (const company of order) {
      const writes = await atRate(url, company, 500, 3)
      const taken = writes.map(({ asked, answered }) => ms(answered - asked))
      figures.set(company, quantile(taken, 0.5))
      await delay(500)
    }
    times.push((figures.get(busy) as number) / (figures.get(plain) as number))
  }
  return { rates, times }
}

const latencyRow = (values: number[]) => ({
  events: values.length,
  'p50 ms': shown(quantile(values, 0.5)),
  'p99 ms': shown(quantile(values, 0.99)),
  'most ms': shown(Math.max(...values)),
})
const roundsRow = (values: number[]) => ({ median: shown(quantile(values, 0.5)), all: values.map(shown).join(' ') })

async function main(): Promise<void> {
  const all: Measured[] = []
  try {
    for (const checkout of options.checkout) all.push(await startMeasured(checkout))
    const named = (what: string, { checkout }: Measured) => (all.length === 1 ? what : `${what}, ${checkout}`)
    const waits = new Map<string, object>()
    const replays = new Map<Measured, number[]>()
    const written = new Map<Measured, readonly number[]>()
    for (const measured of all) {
      const { idleMs, busyMs, numbers } = await latencies(measured)
      waits.set(named('idle', measured), latencyRow(idleMs))
      waits.set(named(`${options.rate} a second`, measured), latencyRow(busyMs))
      written.set(measured, numbers)
      replays.set(measured, [])
    }
    console.log('From the answer of the write to the receiver:')
    console.table(Object.fromEntries(waits))
    for (let round = 0; round < rounds; round++)
      for (const measured of round % 2 ? all.toReversed() : all)
        replays.get(measured)?.push(await replayed(measured, written.get(measured) ?? []))
    console.log('Events a second when they are replayed, ten calls at once:')
    console.table(Object.fromEntries([...replays].map(([one, values]) => [named('replay', one), roundsRow(values)])))
    if (options.deliveries) return
    const table = new Map<string, object>()
    for (const measured of all) {
      const { rates, times } = await costs(measured)
      table.set(named('writes a second, with one that does not match', measured), roundsRow(rates))
      table.set(named('median time of a write at 500 a second, with one that does', measured), roundsRow(times))
    }
    console.log('What a trigger costs the writes, beside a company without any (ratios):')
    console.table(Object.fromEntries(table))
  } finally {
    agent.destroy()
    await Promise.all(all.map((measured) => measured.stop()))
  }
}

await main()
