// Measures long pages: 1,000 records of 100 KB, one page, 32 in parallel, and 32 that no client reads; the service's memory, and a short list beside them. `node bench/long-pages.ts`
import { type IncomingMessage, request } from 'node:http'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { startChild } from './child.ts'
import type { LongPagesMessage, Memory } from './long-pages-service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: 'data' },
    records: { type: 'string', default: '1000' },
    bytes: { type: 'string', default: '100000' },
  },
})
const records = Number(options.records)
const bytes = Number(options.bytes)

/** Requests a list. */
const ask = (url: string, key: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, headers: { 'x-api-key': key } }, resolve)
    asked.on('error', reject)
    asked.end()
  })

/** Reads a response; throws unless it is a whole page. */
async function take(url: string, key: string): Promise<number> {
  const answer = await ask(url, key)
  let length = 0
  let end = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length
    end = (end + chunk.subarray(-200).toString('latin1')).slice(-200)
  }
  if (answer.statusCode !== 200 || !/\],"meta":\{"count":\d+,[^{}]*\}\}$/.test(end))
    throw new Error(`${answer.statusCode}, ${length} bytes, ends with ${end.slice(-80)}`)
  return length
}

const folder = await temporaryFolder('long-pages', options.folder)
const embedded = await openEmbedded({ dataDirectory: folder, log: (text) => console.error(text) })
const service = startChild('long-pages-service.ts')
try {
  const send = <Reply>(message: LongPagesMessage) => service.ask<Reply>(message)
  const { connection } = embedded
  const { url, long, short } = await send<{ url: string; long: string; short: string }>({
    ask: 'start',
    connection,
    records,
    bytes,
  })
  const page = `${url}/v1/customers?limit=1000`
  const lines: object[] = []
  const run = async (what: string, work: () => Promise<readonly number[]>) => {
    const before = await send<Memory>({ ask: 'memory' })
    const began = performance.now()
    const lengths = await work()
    const seconds = (performance.now() - began) / 1000
    const { peak } = await send<Memory>({ ask: 'memory' })
    const all = lengths.reduce((sum, length) => sum + length, 0)
    lines.push({
      what,
      'MB in all': Math.round(all / 1e6),
      seconds: Math.round(seconds * 10) / 10,
      'memory before MB': Math.round(before.rss / 2 ** 20),
      'growth at most MB': Math.round((peak - before.rss) / 2 ** 20),
    })
  }
  await run('a short list, 200 times', async () => {
    for (let n = 0; n < 200; n++) await take(`${url}/v1/customers`, short)
    return []
  })
  await run('one long page', async () => [await take(page, long)])
  await run('32 long pages at once', () => Promise.all(Array.from({ length: 32 }, () => take(page, long))))
  await run('a short list, 200 times, beside 32 long pages that no client reads', async () => {
    const idle = await Promise.all(Array.from({ length: 32 }, () => ask(page, long)))
    const statuses = new Set(idle.map(({ statusCode }) => statusCode))
    if (statuses.size !== 1 || !statuses.has(200)) throw new Error(`The long pages were answered ${[...statuses]}.`)
    for (let n = 0; n < 200; n++) await take(`${url}/v1/customers`, short)
    for (const answer of idle) answer.destroy()
    return []
  })
  console.table(lines)
} finally {
  await service.stop()
  await embedded.stop()
}
