// Measures the published list: 50,000 extensions of 500 organizations; time to the first and the last byte, the service's memory, and the order. `node bench/published.ts`
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { type Child, startChild } from './child.ts'
import type { Memory, PublishedMessage } from './published-service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    extensions: { type: 'string', default: '50000' },
    organizations: { type: 'string', default: '500' },
    folder: { type: 'string', default: new URL('../data', import.meta.url).pathname },
  },
})
const path = '/v1/public/published-extensions'

interface Taken {
  readonly status: number
  readonly etag: string
  readonly firstMs: number
  readonly lastMs: number
  readonly bytes: number
  readonly text: string
}

/** Requests once; keeps the text only on demand, so that many readers load the service and not this process. */
function take(url: string, { etag, isKept = false }: { etag?: string; isKept?: boolean } = {}): Promise<Taken> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: etag ? { 'if-none-match': etag } : {} }, (reply) => {
      let firstMs = 0
      let bytes = 0
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => {
        firstMs ||= performance.now() - begun
        bytes += chunk.length
        if (isKept) chunks.push(chunk)
      })
      reply.on('error', reject)
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const lastMs = performance.now() - begun
        resolve({ status: reply.statusCode ?? 0, etag: reply.headers.etag ?? '', firstMs, lastMs, bytes, text })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** Requests the list, and reads only its headers; the returned function disconnects. */
function hold(url: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { agent: false }, (reply) => {
      reply.on('error', () => {})
      reply.pause()
      resolve(() => asked.destroy())
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** Throws if the list is incomplete, or not in its order. */
function check(text: string, extensions: number): void {
  const { compare } = new Intl.Collator('und')
  const list = JSON.parse(text) as { id: string; name: string; organization: { name: string } }[]
  if (list.length !== extensions) throw new Error(`The list has ${list.length} extensions, not ${extensions}.`)
  if (new Set(list.map(({ id }) => id)).size !== extensions) throw new Error('An extension appears twice.')
  const keys = list.map(
    ({ id, name, organization }) => [organization.name.toUpperCase(), name.toUpperCase(), id] as const,
  )
  for (const [n, key] of keys.entries()) {
    const last = keys[n - 1]
    if (last === undefined) continue
    const far = compare(last[0], key[0]) || compare(last[1], key[1]) || (last[2] < key[2] ? -1 : 1)
    if (far >= 0) throw new Error(`${last.join(' / ')} comes before ${key.join(' / ')}.`)
  }
}

async function measure(service: Child, url: string, extensions: number): Promise<void> {
  const ask = <Reply>(message: PublishedMessage) => service.ask<Reply>(message)
  const lines: object[] = []
  const run = async (what: string, work: () => Promise<Taken[]>) => {
    const before = await ask<Memory>({ ask: 'memory' })
    const all = await work()
    const memory = await ask<Memory>({ ask: 'memory' })
    const middle = (values: number[]) =>
      Math.round((values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0) * 10) / 10
    lines.push({
      what,
      status: [...new Set(all.map(({ status }) => status))].join(' '),
      'MB each': Math.round((all[0]?.bytes ?? 0) / 1e5) / 10,
      'first byte ms': middle(all.map(({ firstMs }) => firstMs)),
      'last byte ms': middle(all.map(({ lastMs }) => lastMs)),
      'memory before MB': Math.round(before.rss / 2 ** 20),
      'growth at most MB': Math.round((memory.peak - before.rss) / 2 ** 20),
    })
    return all
  }
  const many = (count: number, work: () => Promise<Taken>) => Promise.all(Array.from({ length: count }, work))
  const [cold] = await run('one, from the database', async () => [await take(url + path, { isKept: true })])
  check((cold as Taken).text, extensions)
  const [warm] = await run('one, from memory', async () => [await take(url + path, { isKept: true })])
  check((warm as Taken).text, extensions)
  await run('1,000 that have it already, 32 at once', async () => {
    const all: Taken[] = []
    for (let n = 0; n < 1_000; n += 32)
      all.push(...(await many(32, () => take(url + path, { etag: (warm as Taken).etag }))))
    return all
  })
  await run('32 at once, from memory', () => many(32, () => take(url + path)))
  await ask({ ask: 'change' })
  await run('32 at once, after a change', () => many(32, () => take(url + path)))
  await run('one that contains "strasse"', async () => [await take(`${url}${path}?search=strasse`)])
  await run('a page of 100 behind 40,000', async () => [await take(`${url}${path}?skip=40000&limit=100`)])
  await run('32 at once, pages of 1,000 that contain "does"', () =>
    many(32, () => take(`${url}${path}?search=does&limit=1000`)),
  )
  await run('one, beside 200 that take nothing while the list changes 10 times', async () => {
    const idle = await Promise.all(Array.from({ length: 200 }, () => hold(url)))
    const all: Taken[] = []
    for (let n = 0; n < 10; n++) {
      await ask({ ask: 'change' })
      all.push(await take(url + path))
      idle.push(...(await Promise.all(Array.from({ length: 20 }, () => hold(url)))))
    }
    for (const leave of idle) leave()
    return all
  })
  console.table(lines)
  console.log(`${extensions} extensions, each once and in order, from the database and from memory.`)
}

const folder = await temporaryFolder('published', options.folder)
const embedded = await openEmbedded({ dataDirectory: folder, log: (text) => console.error(text) })
const service = startChild('published-service.ts')
try {
  const organizations = Number(options.organizations)
  const extensions = Number(options.extensions)
  const { connection } = embedded
  const start: PublishedMessage = { ask: 'start', connection, organizations, extensions }
  const { url } = await service.ask<{ url: string }>(start)
  await measure(service, url, extensions)
} finally {
  await service.stop()
  await embedded.stop()
}
