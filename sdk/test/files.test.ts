// Files through the SDK: exports are streams that no time limit cuts and that their reader can end; attachments' files come back as sent.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { until } from '../../server/test/support/program.ts'
import { sharedService } from '../../server/test/support/service.ts'
import * as sdk from '../src/index.ts'
import { clientOf } from './support.ts'

const service = sharedService()

/** An export of two megabytes, more than what waits in buffers on its way. */
async function exported() {
  const company = await service.company()
  const client = clientOf(service, company)
  const note = 'n'.repeat(20_000)
  await client.customers.createMany(Array.from({ length: 100 }, () => ({ firstName: 'Ann', notes: [{ note }] })))
  const { id } = await client.exports.create()
  await until('the export is written', async () => (await client.exports.get(id)).state === 'done')
  return { company, client, job: await client.exports.get(id) }
}

/** Timers of this length that are set and not cleared. */
function timersOf(t: TestContext, length: number): Set<unknown> {
  const timers = new Set<unknown>()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  t.mock.method(globalThis, 'setTimeout', (work: () => void, ms?: number) => {
    const timer = set(work, ms)
    if (ms === length) timers.add(timer)
    return timer
  })
  t.mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout) => {
    timers.delete(timer)
    clear(timer)
  })
  return timers
}

test('an export is a stream with the bytes of the file, and the time limit ends where the file begins', async (t) => {
  const { client, job } = await exported()
  const timers = timersOf(t, 54_321)
  const asked = client.exports.download(job.id, { timeoutMs: 54_321 })
  assert.equal(timers.size, 1)
  const { data, headers } = await asked.withResponse()
  assert.equal(timers.size, 0)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of data) {
    hash.update(chunk)
    bytes += chunk.length
  }
  assert.ok(bytes > 2_000_000)
  assert.deepEqual([String(bytes), hash.digest('hex')], [headers.get('content-length'), job.sha256])
})

test('a signal ends a download under way, and an export that is not there is an error', async () => {
  const { client, job } = await exported()
  const stopping = new AbortController()
  const reader = (await client.exports.download(job.id, { signal: stopping.signal })).getReader()
  assert.equal((await reader.read()).done, false)
  stopping.abort(new Error('enough'))
  await assert.rejects(async () => {
    while (!(await reader.read()).done);
  }, /enough/)
  await assert.rejects(client.exports.download('6740a1f2c3d4e5f6a7b8c9d0'), sdk.NotFoundError)
})

test("an attachment's file is sent as a Blob, read as a stream and by its link, and removed", async () => {
  const client = clientOf(service, await service.company())
  const { id } = await client.attachments.create({ name: 'cup.png' })
  const { file } = await client.attachments.upload(id, new Blob(['a cup'], { type: 'image/png' }))
  assert.deepEqual([file?.bytes, file?.contentType], [5, 'image/png'])
  assert.equal(await new Response(await client.attachments.download(id)).text(), 'a cup')
  const { path } = await client.attachments.fileLink(id)
  assert.equal(await (await fetch(service.url + path)).text(), 'a cup')
  const token = path.slice(path.lastIndexOf('/') + 1)
  assert.equal(await new Response(await client.attachments.downloadLinked(token)).text(), 'a cup')
  assert.equal((await client.attachments.deleteFile(id)).file, undefined)
  await assert.rejects(async () => client.attachments.download(id), sdk.NotFoundError)
  // A Blob without a type: the service does not guess.
  await assert.rejects(async () => client.attachments.upload(id, new Blob(['?'])), sdk.UnsupportedMediaTypeError)
})
