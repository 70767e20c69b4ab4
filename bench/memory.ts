// Shows how much memory 100 MB files and a peak of 10 MB bodies need, and what keeps it afterwards: `npm exec -c 'node bench/memory.ts'`.
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { askProbe } from './ask-probe.ts'
import type { Held } from './loop-probe.ts'
import type { Company, Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    checkout: { type: 'string', default: new URL('..', import.meta.url).pathname },
    env: { type: 'string', multiple: true, default: [] },
    flag: { type: 'string', multiple: true, default: [] },
    megabytes: { type: 'string', default: '100' },
    bulks: { type: 'string', default: '40' },
    idle: { type: 'string', default: '10,30,60' },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/memory.ts' [-- options]

  --checkout DIR      measure this folder
  --env NAME=VALUE    an environment variable of the service, such as MALLOC_ARENA_MAX=2; may be given several times
  --flag FLAG         a flag of its Node, such as --max-semi-space-size=8; may be given several times
  --megabytes N       size of a file (100)
  --bulks N           10 MB bodies sent at once in the storm (40)
  --idle A,B,C        seconds after the storm at which memory is read (10,30,60)
`

const megabyte = 1024 * 1024
const size = Number(options.megabytes) * megabyte
const bulks = Number(options.bulks)

/** A catalogue file of products of 1 KB. */
function* catalogue(): Generator<Buffer> {
  const header = Buffer.from('ID,Type,SKU,Name,Published,Description,Regular price,Categories,Images\n')
  yield header
  const description = 'What one says of a mug. '.repeat(40)
  for (let sent = header.length, id = 1; sent < size; ) {
    let text = ''
    for (let n = 0; n < 100; n++, id++) text += `${id},simple,SKU-${id},Mug ${id},1,"${description}",9.90,Mugs,\n`
    const rows = Buffer.from(text)
    if (sent + rows.length > size) break
    sent += rows.length
    yield rows
  }
}

/** One bulk create of 1,000 products of 10 KB. */
function bulk(): Buffer {
  const metadata = Array.from({ length: 100 }, () => ({ key: 'colour', value: 'red, and then some more text' }))
  const items = Array.from({ length: 1_000 }, (_, n) => ({
    name: `Mug ${n}`,
    description: 'd'.repeat(4_000),
    metadata,
  }))
  return Buffer.from(JSON.stringify({ items }))
}

interface Sent {
  readonly path: string
  readonly contentType: string
  readonly body: Buffer | Iterable<Buffer>
}

const agent = new Agent()

/** Sends a body no faster than the service reads it; returns the status and the text of the response. */
function send(url: string, { apiKey }: Company, { path, contentType, body }: Sent): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-api-key': apiKey,
      'content-type': contentType,
      ...(Buffer.isBuffer(body) && { 'content-length': body.length }),
    }
    const sent = request(url + path, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve([response.statusCode ?? 0, text]))
    })
    sent.on('error', reject)
    if (Buffer.isBuffer(body)) sent.end(body)
    else Readable.from(body).pipe(sent)
  })
}

/** Sends a file and cancels its import at once, so that only the upload is measured. */
async function upload(url: string, company: Company): Promise<number> {
  const [status, text] = await send(url, company, { path: '/v1/imports', contentType: 'text/csv', body: catalogue() })
  if (status === 201) {
    const path = `${url}/v1/imports/${JSON.parse(text).id}`
    await fetch(path, { method: 'DELETE', headers: { 'x-api-key': company.apiKey } })
  }
  return status
}

/** Resident memory by its mapping, in bytes. The brk heap is glibc's main arena; then its further arenas. */
function mapped(pid: number): { brk: number; arenas: number } {
  let brk = 0
  let arenas = 0
  let kind = ''
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const [, from, to, path] = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \S+ *(.*)$/.exec(line) ?? []
    // An arena begins at a multiple of 64 MB and is writable at its beginning only.
    if (from && to) {
      const isArena = path === '' && Number.parseInt(from, 16) % (64 * megabyte) === 0 && line.includes(' rw-p ')
      kind = path === '[heap]' ? 'brk' : isArena ? 'arena' : ''
    }
    const resident = Number(/^Rss: +(\d+)/.exec(line)?.[1] ?? 0) * 1024
    if (kind === 'brk') brk += resident
    else if (kind === 'arena') arenas += resident
  }
  return { brk, arenas }
}

/** Seconds of processor time that a process has taken. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const lines: object[] = []
let spent = 0

/** A line of the table: memory now, and the maximum since the last line. */
async function note(what: string, { probe, pid }: { probe: string; pid: number }, question = 'held'): Promise<void> {
  const { memory, peakRss } = await askProbe<Held>(probe, question)
  const { brk, arenas } = mapped(pid)
  const now = processorTime(pid)
  const megabytes = (bytes: number) => Math.round(bytes / megabyte)
  lines.push({
    what,
    'peak RSS': megabytes(peakRss),
    RSS: megabytes(memory.rss),
    heapUsed: megabytes(memory.heapUsed),
    heapTotal: megabytes(memory.heapTotal),
    external: megabytes(memory.external),
    arrayBuffers: megabytes(memory.arrayBuffers),
    brk: megabytes(brk),
    arenas: megabytes(arenas),
    'CPU s': Math.round((now - spent) * 10) / 10,
  })
  spent = now
  process.stderr.write('.')
}

/** Counts statuses. */
const counted = (statuses: readonly number[]) =>
  [...new Set(statuses)].map((status) => `${statuses.filter((other) => other === status).length} × ${status}`).join()

async function measure(service: { probe: string; pid: number }, { url, companies }: Started): Promise<void> {
  const at = (n: number) => companies[n % companies.length] as Company
  const small = { path: '/v1/product', contentType: 'application/json', body: Buffer.from('{"name":"Mug"}') }
  for (let n = 0; n < 300; n++) await send(url, at(n), small)
  await wait(3_000)
  await note('at rest', service)
  await note('at rest, collected', service, 'gc')
  for (const round of ['one file', 'one file again']) {
    const status = await upload(url, at(0))
    await note(`${round} (${status})`, service)
    await wait(2_000)
    await note('collected', service, 'gc')
  }
  const four = await Promise.all([0, 1, 2, 3].map((n) => upload(url, at(n))))
  await note(`four files at once (${counted(four)})`, service)
  await wait(2_000)
  await note('collected', service, 'gc')
  const body = bulk()
  const began = performance.now()
  const storm = await Promise.all([
    ...Array.from({ length: bulks }, async (_, n) => {
      const [status] = await send(url, at(n), {
        path: '/v1/products',
        contentType: 'application/json',
        body,
      })
      return status
    }),
    ...[0, 1, 2].map((n) => upload(url, at(n))),
  ])
  const seconds = Math.round((performance.now() - began) / 1000)
  await note(`storm of ${seconds} s (${counted(storm)})`, service)
  let waited = 0
  for (const idle of options.idle.split(',').map(Number)) {
    await wait((idle - waited) * 1_000)
    waited = idle
    await note(`${idle} s later`, service)
  }
  for (let n = 0; n < 300; n++) await send(url, at(n), small)
  await note('300 small requests', service)
  await note('collected', service, 'gc')
}

async function main(): Promise<void> {
  const folder = await temporaryFolder('memory')
  const probe = join(folder, 'probe')
  const database = await openEmbedded({ dataDirectory: join(folder, 'data'), log: () => {} })
  const child: ChildProcess = fork(resolve(options.checkout, 'bench/service-process.ts'), {
    execArgv: ['--expose-gc', ...options.flag, '--import', new URL('loop-probe.ts', import.meta.url).href],
    env: { ...process.env, ...Object.fromEntries(options.env.map((text) => text.split('='))), LOOP_PROBE: probe },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    const started = await new Promise<Started>((resolve, reject) => {
      child.once('message', (reply: any) => (reply.failed ? reject(new Error(reply.failed)) : resolve(reply)))
      child.once('exit', () => reject(new Error('The service ended before it had begun.')))
      child.send({ connection: database.connection, records: [100, 100, 100, 100] })
    })
    await measure({ probe, pid: child.pid as number }, started)
  } finally {
    process.stderr.write('\n')
    console.table(lines)
    agent.destroy()
    if (child.connected) child.disconnect()
    await ended
    await database.stop()
  }
}

if (options.help) process.stdout.write(help)
else await main()
