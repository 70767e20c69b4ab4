// Shows how long one request can block the event loop, and how long another company's small requests take meanwhile: `npm exec -c 'node bench/event-loop.ts'`.
import { type ChildProcess, fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type EmbeddedDatabase, openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { askProbe } from './ask-probe.ts'
import { accepted, type HostileLoad, refusals, wrongItems } from './hostile-loads.ts'
import type { Held } from './loop-probe.ts'
import { askSmall, type SmallRequests } from './small-requests.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    checkout: { type: 'string', multiple: true, default: [new URL('..', import.meta.url).pathname] },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '2' },
    profile: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/event-loop.ts' [-- options]

  --checkout DIR     measure this folder; may be given twice, such as before and after: each load is sent to one, then the other
  --only TEXT        only loads whose name contains TEXT
  --seconds N        seconds of each load (3)
  --connections N    requests of a load that are sent at once (2)
  --profile DIR      write a CPU profile of each service there
  --json FILE        also write the figures there
`

/** One service that is measured. */
interface Measured {
  readonly folder: string
  readonly started: Started
  readonly probe: string
  readonly end: () => Promise<void>
}

interface Line {
  readonly load: string
  readonly checkout: string
  readonly answered: Record<number, number>
  readonly held: Held
  readonly small: SmallRequests
}

/** Starts the service of a checkout, on a database of its own, with the probe in it. */
async function startMeasured(checkout: string, flags: readonly string[] = []): Promise<Measured> {
  const folder = await temporaryFolder('loop')
  const probe = join(folder, 'probe')
  const database: EmbeddedDatabase = await openEmbedded({ dataDirectory: join(folder, 'data'), log: () => {} })
  const child: ChildProcess = fork(resolve(checkout, 'bench/service-process.ts'), {
    execArgv: ['--import', new URL('loop-probe.ts', import.meta.url).href, ...flags],
    env: { ...process.env, LOOP_PROBE: probe },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = async () => {
    if (child.connected) child.disconnect()
    await ended
    await database.stop()
  }
  const started = await new Promise<Started>((resolve, reject) => {
    child.once('message', (reply: any) => (reply.failed ? reject(new Error(reply.failed)) : resolve(reply)))
    child.once('exit', () => reject(new Error('The service ended before it had begun.')))
    child.send({ connection: database.connection, records: [100, 100] })
  }).catch(async (error) => {
    await end()
    throw error
  })
  return { folder, started, probe, end }
}

let keys = 0
/** Loads that got another status than expected. */
const unexpected: string[] = []
let surprise = ''

/** Sends a load for that many seconds, each connection at least once; counts the responses by status. */
async function send(url: string, { apiKey }: Company, load: HostileLoad, seconds: number): Promise<Line['answered']> {
  const connections = Number(options.connections)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const body = load.body && Buffer.from(load.body())
  const answered: Line['answered'] = {}
  const once = () =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        'x-api-key': load.apiKey?.() ?? apiKey,
        ...(body && { 'content-type': load.contentType ?? 'application/json', 'content-length': body.length }),
        ...(load.isKeyed && { 'idempotency-key': `bench-${++keys}` }),
      }
      const sent = request(url + load.path, { method: load.method ?? 'POST', agent, headers }, (response) => {
        response.once('data', (part) => {
          if (response.statusCode !== load.status) surprise = String(part).slice(0, 300)
        })
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const end = performance.now() + seconds * 1000
  const sender = async () => {
    do {
      const status = await once()
      answered[status] = (answered[status] ?? 0) + 1
    } while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: connections }, sender))
  agent.destroy()
  return answered
}

/** Sends an empty body where a load will go: a schema check is compiled once per process, at its first use. */
async function warmUp(url: string, { apiKey }: Company, { method = 'POST', path, body }: HostileLoad): Promise<void> {
  if (body === undefined) return
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  await (await fetch(url + path, { method, headers, body: path.endsWith('s') ? '{"items":[{}]}' : '{}' })).text()
}

/** A custom table with three columns. */
async function makeTable(url: string, { apiKey }: Company): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { id?: string; _id?: { $oid: string } }
  }
  const { id, _id } = await post('/v1/api/custom-table', { name: 'loyalty' })
  const tableId = _id?.$oid ?? id
  for (const name of ['tier', 'points', 'since'])
    await post('/v1/api/custom-table-field', { tableId, name, type: 'string' })
}

async function measure({ started, probe }: Measured, load: HostileLoad, checkout: string): Promise<Line> {
  const [quiet, hostile] = started.companies as [Company, Company]
  const { url } = started
  const own = { ...load, path: load.path.replace('{table}', 'loyalty') }
  await warmUp(url, hostile, own)
  const endSmall = askSmall({ url, apiKey: quiet.apiKey, ids: quiet.ids })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await askProbe<Held>(probe, 'held')
  try {
    const answered = await send(url, hostile, own, Number(options.seconds))
    if (answered[load.status] === undefined)
      unexpected.push(`${load.name}: ${load.status} was expected, not ${surprise}`)
    const held = await askProbe<Held>(probe, 'held')
    return { load: load.name, checkout, answered, held, small: await endSmall() }
  } catch (error) {
    await endSmall()
    throw error
  }
}

const short = (ms: number) => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)))

function tableOf(lines: readonly Line[]): string {
  const heads = ['load', 'of', 'answers', 'loop max', 'p99', 'turn max', 'other p50', 'p99', 'max']
  const rows = lines.map(({ load, checkout, answered, held, small }) => [
    ...[load, checkout, JSON.stringify(answered).replaceAll('"', '')],
    ...[held.delayMaxMs, held.delayP99Ms, held.turnMaxMs, small.p50Ms, small.p99Ms, small.maxMs].map(short),
  ])
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => (row[at] as string).length)))
  const text = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (at < 3 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number))).join(' | ')} |`
  return [text(heads), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(text)].join('\n')
}

async function main(): Promise<void> {
  const nothing: HostileLoad = { name: 'nothing else', method: 'GET', path: '/v1/public/health', status: 200 }
  const loads = [nothing, ...refusals, ...wrongItems, ...accepted].filter(({ name }) => name.includes(options.only))
  const services = new Map<string, Measured>()
  const lines: Line[] = []
  try {
    for (const checkout of options.checkout) {
      const flags = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : []
      const service = await startMeasured(checkout, flags)
      services.set(checkout, service)
      await makeTable(service.started.url, service.started.companies[1] as Company)
    }
    for (const load of loads)
      for (const [checkout, service] of services) {
        const name = options.checkout.length === 1 ? 'this' : checkout === options.checkout[0] ? 'first' : 'second'
        lines.push(await measure(service, load, name))
        process.stderr.write('.')
      }
  } finally {
    process.stderr.write('\n')
    for (const service of services.values()) await service.end()
    process.stdout.write(
      `${tableOf(lines)}\n\nAll figures but the answers are milliseconds.\n${unexpected.join('\n')}\n`,
    )
    if (options.json) await writeFile(options.json, JSON.stringify(lines, null, 2))
  }
}

if (options.help) process.stdout.write(help)
else await main()
