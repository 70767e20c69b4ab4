// Measures webhooks: from the answered write to the receiver, when idle and at a fixed rate; and the cost of triggers for writes.
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { type Child, startChild } from './child.ts'
import { wrkLoad } from './load.ts'
import type { Company, Started } from './started.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    rate: { type: 'string', default: '1000' },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
let number = 0

/** A write: when it was sent and answered, in nanoseconds. */
interface Write {
  readonly number: number
  readonly asked: bigint
  readonly answered: bigint
}

/** Writes a customer. */
function write(url: string, { apiKey }: Company): Promise<Write> {
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
const at = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}
const shown = (value: number) => Number(value.toPrecision(3))

/** Writes at a fixed rate for some seconds, however long the responses take. */
async function atRate(url: string, company: Company, perSecond: number, length: number) {
  const writes: Promise<Write>[] = []
  const begun = performance.now()
  for (let n = 0; n < perSecond * length; n++) {
    const early = begun + (n * 1000) / perSecond - performance.now()
    if (early > 1) await delay(early)
    writes.push(write(url, company))
  }
  return Promise.all(writes)
}

/** The companies: one whose writes are received, one without a trigger, one whose trigger never matches, and a pair to compare. */
interface Companies {
  readonly reported: Company
  readonly bare: Company
  readonly other: Company
  readonly busy: Company
  readonly plain: Company
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-webhooks-'))
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const [service, receiver] = [startChild('service-process.ts'), startChild('webhook-receiver.ts')]
  try {
    const started = await service.ask<Started>({ connection: embedded.connection, records: [0, 0, 0, 0, 0] })
    const { url: triggerUrl } = await receiver.ask<{ url: string }>({ ask: 'start' })
    const { url } = started
    const [reported, bare, other, busy, plain] = started.companies as [Company, Company, Company, Company, Company]
    const companies: Companies = { reported, bare, other, busy, plain }
    await createTriggers(url, triggerUrl, companies)
    await measureLatency(url, receiver, companies)
    await measureCost(folder, url, companies)
  } finally {
    agent.destroy()
    await Promise.all([service.stop(), receiver.stop()])
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function createTriggers(url: string, triggerUrl: string, { reported, other, busy }: Companies): Promise<void> {
  for (const [company, triggerType] of [
    [reported, 'new_customer'],
    [other, 'product.*'],
    [busy, 'customer.created'],
  ] as const) {
    const answer = await fetch(`${url}/v1/automation-trigger`, {
      method: 'POST',
      headers: { 'x-api-key': company.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ triggerType, triggerUrl, maxParallel: 10 }),
    })
    if (answer.status !== 201) throw new Error(await answer.text())
  }
}

/** Prints the times from the response of a write to the receiver, when idle and at a fixed rate. */
async function measureLatency(url: string, receiver: Child, { reported }: Companies): Promise<void> {
  const idle: Write[] = []
  for (let n = 0; n < 300; n++) {
    idle.push(await write(url, reported))
    await delay(15)
  }
  const idleMs = await latencies(receiver, idle)
  const busyMs = await latencies(receiver, await atRate(url, reported, Number(options.rate), seconds))
  const row = (values: number[]) => ({
    events: values.length,
    'p50 ms': shown(at(values, 0.5)),
    'p99 ms': shown(at(values, 0.99)),
    'most ms': shown(Math.max(...values)),
  })
  console.log('From the answer of the write to the receiver:')
  console.table({ idle: row(idleMs), [`${options.rate} a second`]: row(busyMs) })
}

/** Milliseconds from the response of each write to its receipt, once all have arrived. */
async function latencies(receiver: Child, writes: readonly Write[]): Promise<number[]> {
  const seen: Record<string, string> = {}
  for (const patience = performance.now() + 30_000; performance.now() < patience; await delay(100)) {
    Object.assign(seen, (await receiver.ask<{ seen: Record<string, string> }>({ ask: 'take' })).seen)
    if (writes.every(({ number }) => seen[number] !== undefined)) break
  }
  return writes.map(({ number, answered }) => ms(BigInt(seen[number] ?? 'missing') - answered))
}

/** Prints what a trigger costs the writes of its company, beside a company without any. */
async function measureCost(folder: string, url: string, { bare, other, busy, plain }: Companies): Promise<void> {
  const body = JSON.stringify({ firstName: 'Anne', email: 'anne@example.com' })
  const load = (company: Company) =>
    wrkLoad(folder, { url, method: 'POST', path: '/v1/customer', apiKey: company.apiKey, body })
  const [withOther, without] = [await load(other), await load(bare)]
  await without(32, 1)
  const ratios = await ratiosOf(withOther, without, async (run) => (await run(32, 2)).perSecond)
  const medians = await ratiosOf(busy, plain, async (company) => {
    const writes = await atRate(url, company, 500, 3)
    await delay(500)
    return at(writes.map(({ asked, answered }) => ms(answered - asked)), 0.5) // biome-ignore format: one thought
  })
  console.log('What a trigger costs the writes, beside a company without any:')
  const row = (values: number[]) => ({ 'median ratio': shown(at(values, 0.5)), all: values.map(shown).join(' ') })
  console.table({
    'writes a second, with one that does not match': row(ratios),
    'median time of a write at 500 a second, with one that does': row(medians),
  })
}

/** The figures of the first as a part of those of the second, round after round, in alternating order. */
async function ratiosOf<T>(first: T, second: T, measure: (one: T) => Promise<number>): Promise<number[]> {
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const figures = new Map<T, number>()
    for (const one of round % 2 ? [first, second] : [second, first]) figures.set(one, await measure(one))
    ratios.push((figures.get(first) as number) / (figures.get(second) as number))
  }
  return ratios
}

await main()
