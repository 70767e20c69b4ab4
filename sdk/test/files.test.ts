// Files through the SDK: a company's export is a stream that no time limit cuts, and that its reader can end.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { until } from '../../server/test/support/program.ts'
import { testService } from '../../server/test/support/service.ts'
import * as sdk from '../src/index.ts'
import { clientOf } from './support.ts'

const service = testService()

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
