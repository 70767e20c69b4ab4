// Times at seven tenths of what the service can do: first as many requests as 32 in flight give, then that rate times 0.7, each sent at its time whether or not earlier ones were answered. Reads are compared with a bare Fastify at the same rate, whose times are those of the machine and of this program.
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { type Child, startChild } from './child.ts'
import { quantile } from './quantile.ts'
import { idMark, lengthMark, numbered, numberMark, sampleBody } from './sample.ts'
import { openSockets } from './sockets.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', default: '0.7' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    records: { type: 'string', default: '20000' },
    folder: { type: 'string', default: tmpdir() },
    only: { type: 'string', default: '' },
  },
})
const kinds = {
  'read one': { method: 'GET', path: `/v1/api/customer/${idMark}` },
  'list of 100': { method: 'GET', path: `/v1/api/customers?limit=${lengthMark}` },
  'create one': { method: 'POST', path: '/v1/customer', body: { ...sampleBody, firstName: `n${numberMark}` } },
  'update one': { method: 'PATCH', path: `/v1/customer/${idMark}`, body: { phone: `+49 30 ${numberMark}` } },
} as const
type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]
let number = 0

type Sockets = ReturnType<typeof openSockets>

async function send(sockets: Sockets, { apiKey, ids }: Company, kind: Kind): Promise<void> {
  number++
  const { method, path } = kinds[kind]
  const body = 'body' in kinds[kind] ? numbered(JSON.stringify(kinds[kind].body), number) : ''
  const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) }
  const target = path
    .replace(idMark, ids[(number * 7_919) % ids.length] as string)
    .replace(lengthMark, String(76 + (number % 50)))
  const status = await sockets.send(method, target, headers, body)
  if (status >= 300) throw new Error(`${kind} was answered ${status}.`)
}

/** Requests a second with 32 in flight. */
async function capacity(one: () => Promise<void>, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let answered = 0
  const loop = async () => {
    for (; performance.now() < until; answered++) await one()
  }
  await Promise.all(Array.from({ length: 32 }, loop))
  return answered / seconds
}

/** Milliseconds of each request from the moment when it was due, at a rate. */
async function timesAt(one: () => Promise<void>, rate: number, seconds: number): Promise<number[]> {
  const begun = performance.now()
  const times: number[] = []
  const sent: Promise<unknown>[] = []
  while (sent.length < rate * seconds) {
    const due = begun + (sent.length * 1_000) / rate
    const early = due - performance.now()
    if (early > 1) await delay(early)
    // A request that the timer lets out early is counted from there, a late one from when it was due.
    const from = Math.min(due, performance.now())
    sent.push(one().then(() => times.push(performance.now() - from)))
  }
  await Promise.all(sent)
  return times
}

/** What the times at one rate were, round by round. */
type Rounds = { readonly rate: number; readonly p50: number; readonly p99: number }[]

function rowOf(rounds: Rounds): object {
  const middle = (of: (round: Rounds[number]) => number) => Number(quantile(rounds.map(of), 0.5).toPrecision(3))
  return {
    'requests a second': middle(({ rate }) => rate),
    'p50, ms': middle(({ p50 }) => p50),
    'p99, ms': middle(({ p99 }) => p99),
    'p99 / p50': middle(({ p50, p99 }) => p99 / p50),
  }
}

/** A server without keys and database that sends the bytes of one record and of one page. */
async function startBare(child: Child, url: string, { apiKey, ids }: Company): Promise<string> {
  const text = async (path: string) => (await fetch(url + path, { headers: { 'x-api-key': apiKey } })).text()
  const record = await text(`/v1/api/customer/${ids[0]}`)
  const page = await text('/v1/api/customers?limit=100')
  return (await child.ask<{ url: string }>({ record, page })).url
}

async function main(): Promise<void> {
  const folder = await temporaryFolder('steady', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  const bare = startChild('bare-fastify.ts')
  const seconds = Number(options.seconds)
  const opened: Sockets[] = []
  try {
    const wanted = { connection: embedded.connection, records: [Number(options.records)] }
    const { url, companies } = await service.ask<Started>(wanted)
    const company = companies[0] as Company
    const served = openSockets(url)
    const bareServed = openSockets(await startBare(bare, url, company))
    opened.push(served, bareServed)
    const rows: Record<string, object> = {}
    for (const kind of names.filter((name) => name.includes(options.only))) {
      const one = () => send(served, company, kind)
      const oneBare = () => send(bareServed, company, kind)
      const isRead = kinds[kind].method === 'GET'
      await capacity(one, 3)
      if (isRead) await capacity(oneBare, 3)
      const rounds: Rounds = []
      const bareRounds: Rounds = []
      for (let round = 0; round < Number(options.rounds); round++) {
        const rate = Number(options.part) * (await capacity(one, 3))
        const times = await timesAt(one, rate, seconds)
        rounds.push({ rate, p50: quantile(times, 0.5), p99: quantile(times, 0.99) })
        if (!isRead) continue
        const bareTimes = await timesAt(oneBare, rate, seconds)
        bareRounds.push({ rate, p50: quantile(bareTimes, 0.5), p99: quantile(bareTimes, 0.99) })
      }
      rows[kind] = rowOf(rounds)
      if (isRead) rows[`${kind}, bare Fastify`] = rowOf(bareRounds)
    }
    console.log(`At ${options.part} of the rate that 32 requests in flight give; medians of ${options.rounds} rounds.`)
    console.table(rows)
  } finally {
    for (const { close } of opened) close()
    await service.stop()
    await bare.stop()
    await embedded.stop()
  }
}

await main()
