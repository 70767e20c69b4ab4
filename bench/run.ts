// Measures the service beside its limits, in one run; `npm run bench -- --help` says how.
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { RATE_LIMIT_LEAST, RATE_LIMIT_MOST } from '../server/src/config.ts'
import type { Connection } from '../server/src/database/connect.ts'
import { type EmbeddedDatabase, openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { type Child, startChild } from './child.ts'
import { fsyncMs } from './fsync.ts'
import { wrkIsMissing } from './load.ts'
import type { Measurement, Parts } from './measurement.ts'
import { measurements } from './measurements.ts'
import { refusedBody } from './sample.ts'
import type { Started } from './started.ts'
import { onceStopped } from './stopped.ts'
import { type Line, lineOf, type Round, tableOf } from './table.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    records: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    folder: { type: 'string', default: new URL('../data', import.meta.url).pathname },
    profile: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm run bench -- [options]

  --quick          two short rounds at 32 connections of measurements with a target or without a limit (under 2 minutes, all under 6)
  --only TEXT      only measurements whose name begins with TEXT, such as "read"
  --records N      records of the company for lists, and initially of the other (100000; quick: 50000)
  --rounds N       rounds (5; quick: 2)
  --seconds N      whole seconds of each load (1)
  --folder DIR     where the database is created and removed again: on the disk to be measured (data/)
  --profile DIR    write a CPU profile of the service there
  --json FILE      also write the figures there, such as bench/results/today.json`

let isEnding = false

/** No further round begins if it could end after this. */
const longestMs = (options.quick ? 110 : 330) * 1000

async function main(): Promise<void> {
  const missing = await wrkIsMissing()
  if (missing) throw new Error(missing)
  const folder = await temporaryFolder('bench', options.folder)
  const children: Child[] = []
  let embedded: EmbeddedDatabase | undefined

  async function end(): Promise<void> {
    if (isEnding) return
    isEnding = true
    await Promise.all(children.map((child) => child.stop()))
    await embedded?.stop()
  }
  onceStopped(end)

  const begun = performance.now()
  const say = (text: string) => process.stderr.write(`${Math.round((performance.now() - begun) / 1000)} s: ${text}\n`)
  try {
    // Six services and the bare driver have more connections than one service ever needs.
    embedded = await openEmbedded({ dataDirectory: folder, log: say, settings: { max_connections: '300' } })
    const start = (file: string, flags?: string[]) => {
      const child = startChild(file, flags)
      children.push(child)
      return child
    }
    const records = Number(options.records ?? (options.quick ? 50_000 : 100_000))
    say(`preparing ${records} records to read and as many to change`)
    const chosen = await chosenMeasurements(await startParts(folder, embedded.connection, start, records))
    const rounds = await measure(chosen, begun, say)
    const lines = chosen.map((measurement) => lineOf(measurement, rounds.get(measurement) as Round[]))
    await report(folder, records, rounds.values().next().value?.length, lines)
  } finally {
    await end()
  }
}

/** Starts a program of the benchmark in a process of its own, which ends with it. */
type Start = (file: string, flags?: string[]) => Child

/** The services to be measured, with their records, and what they are compared with. */
async function startParts(folder: string, connection: Connection, start: Start, records: number): Promise<Parts> {
  const flags = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : []
  const service = await start('service-process.ts', flags).ask<Started>({
    connection,
    records: [records, records, 100],
    variants: 8_000,
    extended: 4_000,
  })
  // In separate processes, since several servers in one make its code slower; and compared with one that starts
  // like them, since one that has created 100,000 records before reads faster.
  const without = (part: string) => ['--import', new URL(`without.ts?part=${part}`, import.meta.url).href]
  const beside = async (rateLimit: number, own: string[] = []) =>
    (await start('service-process.ts', own).ask<Started>({ connection, records: [], rateLimit })).url
  const urls = {
    unlimited: await beside(0),
    untagged: await beside(0, without('etag')),
    unstocked: await beside(0, without('inventory')),
    limited: await beside(RATE_LIMIT_MOST),
    refusing: await beside(RATE_LIMIT_LEAST),
  }
  const bare = await start('bare-fastify.ts').ask<{ url: string }>(await samples(service))
  const driver = start('bare-driver.ts')
  await driver.ask({ connection })
  return { folder, service, urls, bareUrl: bare.url, driver, isQuick: options.quick }
}

/** The measurements that the options ask for. */
async function chosenMeasurements(parts: Parts): Promise<Measurement[]> {
  const isQuickOne = ({ target, limit }: Measurement) => target !== undefined || limit === undefined
  const chosen = (await measurements(parts))
    .filter(({ name }) => name.startsWith(options.only))
    .filter((measurement) => !options.quick || options.only !== '' || isQuickOne(measurement))
  if (chosen.length === 0) throw new Error(`No measurement begins with ${JSON.stringify(options.only)}.`)
  return chosen
}

/** Prints the table and the machine, and writes both where the options ask for it. */
async function report(folder: string, records: number, rounds: number | undefined, lines: Line[]): Promise<void> {
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    fsyncMs: await fsyncMs(folder),
    records,
    rounds,
    date: new Date().toISOString().slice(0, 10),
  }
  console.log(tableOf(lines))
  console.log(
    `\n${machine.date}, ${machine.cores} cores (${machine.processor}), ${machine.memoryGB} GB, Node ${machine.node}, ` +
      `PostgreSQL embedded, fsync on (${machine.fsyncMs.toFixed(2)} ms each), ${records} records, medians of ${machine.rounds} rounds.`,
  )
  if (options.json) {
    await mkdir(dirname(options.json), { recursive: true })
    await writeFile(options.json, `${JSON.stringify({ machine, lines }, null, 2)}\n`)
  }
}

/** A record, a page and a problem as the service returns them, for the bare Fastify to send. */
async function samples({ url, companies: [company] }: Started) {
  const ask = async (path: string, status: number, body?: object) => {
    const headers = { 'x-api-key': company?.apiKey ?? '', ...(body && { 'content-type': 'application/json' }) }
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(url + path, { headers, ...sent })
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status}.`)
    return answer.text()
  }
  return {
    record: await ask(`/v1/api/customer/${company?.ids[0]}`, 200),
    page: await ask('/v1/api/customers?limit=100', 200),
    problem: await ask('/v1/customer', 400, refusedBody),
  }
}

/** Warms everything up, then measures each together with its limit, round after round, in alternating order. */
async function measure(chosen: readonly Measurement[], begun: number, say: (text: string) => void) {
  const seconds = Number(options.seconds ?? 1)
  const wanted = Number(options.rounds ?? (options.quick ? 2 : 5))
  const rounds = new Map<Measurement, Round[]>(chosen.map((measurement) => [measurement, []]))
  for (const { ours, prepareLimit, limit } of chosen) {
    await ours(1)
    await (prepareLimit ? prepareLimit(0.5) : limit?.(1))
  }
  let longestRoundMs = 0
  for (let round = 1; round <= wanted; round++) {
    const start = performance.now()
    if (round > 1 && start - begun + longestRoundMs > longestMs) {
      say(`stopping after ${round - 1} rounds; another would take too long`)
      break
    }
    say(`round ${round} of ${wanted}`)
    for (const measurement of chosen) {
      const { ours, limit } = measurement
      const before = round % 2 === 0 ? await limit?.(seconds) : undefined
      const result = await ours(seconds)
      rounds.get(measurement)?.push({ ours: result, limit: before ?? (await limit?.(seconds)) })
    }
    longestRoundMs = Math.max(longestRoundMs, performance.now() - start)
  }
  return rounds
}

if (options.help) console.log(help)
else
  main().catch((error) => {
    // After a stop, work in progress fails, which is expected.
    if (isEnding && process.exitCode === 130) return
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
