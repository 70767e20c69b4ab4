// Measures Cashwrap beside other ways to get such an API, in one run; `npm run bench:rivals -- --help` says how.
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type EmbeddedDatabase, openEmbedded } from '../../server/src/database/embedded/embedded.ts'
import { wrkIsMissing } from '../load.ts'
import { onceStopped } from '../stopped.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { bare, bareParticipant } from './bare-participant.ts'
import { cashwrap } from './cashwrap.ts'
import { directus } from './directus.ts'
import { drizzle, prisma } from './hand-written.ts'
import { installCashwrap, pinnedBy, sizeOf, sizeOfCashwrap } from './install.ts'
import { jobs } from './jobs.ts'
import { medusa } from './medusa.ts'
import { enter, type Participant, type Stage } from './participant.ts'
import { customers } from './records.ts'
import * as report from './report.ts'
import type { Rival } from './rival.ts'
import { measure } from './rounds.ts'
import { stopServers } from './server.ts'

const known = [drizzle, prisma, directus, medusa]
const unavailable =
  'PostgREST is not measured: neither npm nor Debian has it, so it cannot be installed like the others.'
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: known.map(({ name }) => name).join() },
    jobs: { type: 'string', default: jobs.map(({ name }) => name).join() },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    records: { type: 'string', default: '20000' },
    folder: { type: 'string', default: join(tmpdir(), 'cashwrap-rivals') },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm run bench:rivals -- [options]

  --only NAMES     rivals beside Cashwrap and bare Fastify: ${known.map(({ name }) => name).join(', ')} (all)
  --jobs NAMES     jobs to measure: ${jobs.map(({ name }) => name).join(', ')} (all)
  --rounds N       rounds; in each of them the services take turns (3)
  --seconds N      whole seconds of each load (2)
  --records N      customers to begin with, a multiple of 5,000 (20000)
  --folder DIR     where the rivals are installed, and stay for the next run (${join(tmpdir(), 'cashwrap-rivals')})
  --json FILE      also write the figures there`

const begun = performance.now()
const say = (text: string) => process.stderr.write(`${Math.round((performance.now() - begun) / 1000)} s: ${text}\n`)

let isEnding = false

async function main(): Promise<void> {
  const missing = await wrkIsMissing()
  if (missing) throw new Error(missing)
  const names = options.only.split(',')
  const stranger = names.find((name) => !known.some((rival) => rival.name === name))
  if (stranger !== undefined) throw new Error(`There is no rival ${JSON.stringify(stranger)}.`)
  const wantedJobs = options.jobs.split(',')
  const noJob = wantedJobs.find((name) => !jobs.some((job) => job.name === name))
  if (noJob !== undefined) throw new Error(`There is no job ${JSON.stringify(noJob)}.`)
  if (Number(options.records) % 5_000 !== 0) throw new Error('--records must be a multiple of 5,000.')
  const folder = await temporaryFolder('run', options.folder)
  const participants: Participant[] = []
  let embedded: EmbeddedDatabase | undefined

  async function end(): Promise<void> {
    if (isEnding) return
    isEnding = true
    await stopServers()
    await embedded?.stop()
  }
  onceStopped(end)

  try {
    embedded = await openEmbedded({ dataDirectory: folder, log: say, settings: { max_connections: '300' } })
    const stage = {
      folder: options.folder,
      connection: embedded.connection,
      records: customers(Number(options.records)),
    }
    const wanted = known.filter(({ name }) => names.includes(name))
    const absent = await enterAll(wanted, stage, folder, participants)
    const load = loadavg()[0] as number
    const rows = await measure(participants, {
      folder,
      say,
      jobs: jobs.filter(({ name }) => wantedJobs.includes(name)),
      rounds: Number(options.rounds),
      seconds: Number(options.seconds),
    })
    await print(participants, rows, absent, load)
  } finally {
    await end()
  }
}

/** Brings in Cashwrap, the yardstick, and then each rival; returns why some could not be had. */
async function enterAll(wanted: readonly Rival[], stage: Stage, folder: string, participants: Participant[]) {
  say('Cashwrap: filling and starting it')
  const ours = await enter(cashwrap, stage)
  participants.push(ours.participant, await bareParticipant(ours.answers, ours.participant, folder))
  const absent: string[] = [unavailable]
  for (const rival of wanted)
    try {
      say(`${rival.label}: installing, filling and starting it`)
      participants.push((await enter(rival, stage)).participant)
    } catch (error) {
      absent.push(`${rival.label} could not be measured: ${(error as Error).message}`)
      say(absent.at(-1) as string)
    }
  return absent
}

async function print(
  participants: readonly Participant[],
  rows: readonly report.Row[],
  absent: string[],
  load: number,
) {
  const facts = await Promise.all(participants.map(factsOf))
  if (options.json)
    await writeFile(options.json, `${JSON.stringify({ rows: rows.map(plain), facts, absent }, null, 2)}\n`)
  const all = [bare, ...participants.map(({ rival }) => rival).filter((rival) => rival !== bare)]
  const rivals = all.filter((rival) => rival !== bare && rival !== cashwrap)
  const ahead = report.faster(rows, rivals, cashwrap)
  const parts = [
    ['Per second, median (least to most); bulk in records:', report.speeds(rows, all)],
    ['Times as fast as bare Fastify with the bytes of Cashwrap:', report.ratios(rows, [cashwrap, ...rivals], bare)],
    ['Times as fast as Cashwrap:', report.ratios(rows, rivals, cashwrap)],
    ['Milliseconds, p50 / p99:', report.latencies(rows, all)],
    ['Processes and packages:', report.footprints(facts)],
    [ahead.length > 0 ? 'Faster than Cashwrap:' : 'No rival was faster than Cashwrap.', ahead.join('\n')],
    [[...report.troubles(rows), ...absent].join('\n'), (await pinnedBy(rivals)).join('\n')],
  ]
  console.log(parts.map(([title, text]) => `${title}\n\n${text}`.trim()).join('\n\n'))
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model}), load average ${load.toFixed(1)} before the ` +
      `first round and ${loadavg()[0]?.toFixed(1)} after the last, Node ${process.versions.node}, PostgreSQL embedded, ` +
      `${options.records} records, medians of ${options.rounds} rounds of ${options.seconds} s.`,
  )
}

const plain = ({ job, connections, outcomes }: report.Row) => ({
  job: job.title,
  connections,
  outcomes: Object.fromEntries([...outcomes].map(([{ name }, all]) => [name, all])),
})

async function factsOf({ rival, server, restMB }: Participant): Promise<report.Facts> {
  const folder = join(options.folder, rival.name)
  const afterMB = await server.memory()
  const measured = { rival, startMs: server.startMs, restMB, afterMB }
  if (rival === bare) return { ...measured, sizeMB: undefined }
  if (rival !== cashwrap) return { ...measured, sizeMB: await sizeOf(join(folder, 'node_modules')) }
  await installCashwrap(folder)
  return { ...measured, sizeMB: await sizeOfCashwrap(folder) }
}

if (options.help) console.log(help)
else
  main().catch((error) => {
    // After a stop, work in progress fails, which is expected.
    if (isEnding && process.exitCode === 130) return
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
