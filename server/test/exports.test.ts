// States what an export over HTTP guarantees: one file with everything, made once, downloaded only by those who may,
// and kept for seven days.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { importCompany } from '../src/features/company-file/import.ts'
import { storeChunk } from '../src/features/exports/chunks.ts'
import { EXPORTS_KEPT, leaseExport } from '../src/features/exports/export.ts'
import { keepExporting } from '../src/features/exports/worker.ts'
import { exportDone, exportEnded } from './support/exports.ts'
import { assertProblem } from './support/problem.ts'
import { dataFolder, until } from './support/program.ts'
import { testService } from './support/service.ts'

const service = testService({ exporting: { clearingMs: 100 } })
/** A server that writes no exports, so that they wait. */
const idle = testService({ exporting: { isWorking: false } })
const target = testService()

const chunks = async (companyId: string) =>
  (await service.database.query('select count(*)::int from export_pieces where company_id = $1', [companyId]))[0]?.[0]

/** Writes the exports of the service that writes none itself, until it is stopped. */
const exportsKept = (failed: (error: unknown) => void) =>
  keepExporting({ database: idle.database, objects: undefined }, { failed, lookFailed: failed })

test('the file of an export is the one that the command imports: its sizes and hashes are right, and no secret is in it', async (t) => {
  const { id: companyId, key, call } = await service.company()
  for (const firstName of ['Ada', 'Béa']) await call('POST', '/v1/customer', { firstName })
  const secret = 'a secret of the receiver'
  const trigger = { triggerType: 'customer.*', triggerUrl: 'https://hooks.example.com/a', apiKey: secret }
  assert.equal((await call('POST', '/v1/automation-trigger', trigger)).status, 201)
  const id = await exportDone(call)
  const { body: job } = await call('GET', `/v1/exports/${id}`)
  const file = await call('GET', `/v1/exports/${id}/file`)
  assert.equal(file.status, 200)
  const bytes = Buffer.from(file.text)
  assert.deepEqual(
    [job.bytes, job.sha256, job.counts.customers, job.secretsLeftOut],
    [bytes.length, createHash('sha256').update(bytes).digest('hex'), 2, 1],
  )
  assert.equal(Date.parse(job.expiresAt) - Date.parse(job.finishedAt), 7 * 24 * 60 * 60 * 1000)
  const { headers } = file
  assert.equal(headers.get('content-length'), String(bytes.length))
  assert.equal(headers.get('content-disposition'), `attachment; filename="company-${companyId}.ndjson"`)
  assert.ok(!file.text.includes(secret) && !file.text.includes(key))
  const head = await call('HEAD', `/v1/exports/${id}/file`)
  assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, String(bytes.length), ''])

  const path = join(await dataFolder(t), 'shop.ndjson')
  await writeFile(path, bytes)
  await importCompany(target.database, { file: path })
  const there = target.caller({ 'x-api-key': key })
  assert.equal((await there('GET', '/v1/customers')).text, (await call('GET', '/v1/customers')).text)
})

test('a file of many chunks is sent completely', async () => {
  const { call } = await service.company()
  const body = { items: Array.from({ length: 1_000 }, (_, n) => ({ name: `${n}`, description: 'x'.repeat(4_000) })) }
  for (let n = 0; n < 2; n++) assert.equal((await call('POST', '/v1/products', body)).status, 200)
  const id = await exportDone(call)
  const { body: job } = await call('GET', `/v1/exports/${id}`)
  const { text } = await call('GET', `/v1/exports/${id}/file`)
  assert.ok(job.bytes > 8_000_000)
  assert.equal(createHash('sha256').update(text).digest('hex'), job.sha256)
})

test('an export whose server died is begun again by another one, which leaves nothing of the first; the first can store nothing more', async () => {
  const { call, id: companyId } = await idle.company()
  const { body } = await call('POST', '/v1/exports')
  const dead = await leaseExport(idle.database, 0)
  assert.equal(dead?.id, body.id)
  await storeChunk(idle.database, dead as never, 0, Buffer.from('of a dead server'))
  await storeChunk(idle.database, dead as never, 7, Buffer.from('of a dead server'))
  const another = await leaseExport(idle.database, 0)
  assert.equal(another?.lease, 2)
  await assert.rejects(storeChunk(idle.database, dead as never, 1, Buffer.from('late')), /lease 1 .* was lost/)
  const exporting = exportsKept((error) => assert.fail(String(error)))
  try {
    assert.equal((await exportEnded(call, body.id)).state, 'done')
  } finally {
    await exporting.stop()
  }
  const { text } = await call('GET', `/v1/exports/${body.id}/file`)
  assert.ok(!text.includes('of a dead server'))
  const rows = await idle.database.query('select sum(length(bytes))::int from export_pieces where company_id = $1', [
    companyId,
  ])
  assert.equal(rows[0]?.[0], Buffer.byteLength(text))
})

test('a server that ends waits for no statement of an export, and leaves the export to another one at once', async () => {
  const { call } = await idle.company()
  const { body } = await call('POST', '/v1/exports')
  const exporting = exportsKept((error) => assert.fail(String(error)))
  await idle.database.transaction(async (transaction) => {
    await transaction.query('lock table refunds in access exclusive mode')
    exporting.wake()
    await until('the export counts', async () => {
      const [row] = await transaction.query(
        `select count(*)::int from pg_locks where not granted and relation = 'refunds'::regclass`,
      )
      return row?.[0] > 0
    })
    await exporting.stop()
  })
  const left = await leaseExport(idle.database, 0)
  assert.deepEqual([left?.id, left?.tries], [body.id, 1])
})

test('an export that another server has taken over ends without a failure, and the next one begins, whatever statement is under way', async () => {
  for (const { call } of [await idle.company(), await idle.company()])
    assert.equal((await call('POST', '/v1/exports')).status, 201)
  const failures: unknown[] = []
  const exporting = exportsKept((error) => failures.push(error))
  const underWay = `state = 'running' and leased_until > now()`
  try {
    await idle.database.transaction(async (transaction) => {
      await transaction.query('lock table refunds in access exclusive mode')
      await until('an export counts', async () => {
        const [row] = await idle.database.query(
          `select count(*)::int from pg_locks where not granted and relation = 'refunds'::regclass`,
        )
        return row?.[0] > 0
      })
      const [taken] = await idle.database.query(
        `update exports set lease = lease + 1, leased_until = now() + interval '1 hour' where ${underWay} returning id`,
      )
      await until('the next export begins', async () => {
        const [row] = await idle.database.query(
          `select count(*)::int from exports where ${underWay} and id <> $1`,
          taken ?? [],
        )
        return row?.[0] === 1
      })
    })
  } finally {
    await exporting.stop()
  }
  assert.deepEqual(failures, [])
})

test('of a company two exports can be under way; a repeated request with its idempotency key asks for one', async () => {
  const { call } = await idle.company()
  const key = { 'idempotency-key': randomUUID() }
  const first = await call('POST', '/v1/exports', undefined, key)
  assert.equal((await call('POST', '/v1/exports', undefined, key)).text, first.text)
  const early = assertProblem(await call('GET', `/v1/exports/${first.body.id}/file`), 409, 'conflict')
  assert.equal(early.reason, 'export_running')
  const two = await Promise.all([call('POST', '/v1/exports'), call('POST', '/v1/exports')])
  assert.deepEqual(two.map(({ status }) => status).sort(), [201, 409])
  const refused = two.find(({ status }) => status === 409)
  const { reason, message } = assertProblem(refused as never, 409, 'conflict')
  assert.match(message, /2 exports of this company are under way/)
  assert.equal(reason, 'exports_busy')
  assert.equal((await call('GET', '/v1/exports?state=running')).body.meta.count, 2)
  assertProblem(await call('POST', '/v1/exports', { all: true }), 400, 'validation_failed')
})

test('a key needs both create and read', async () => {
  const { id, call } = await service.company()
  const made = await exportDone(call)
  for (const permission of ['create', 'read'] as const) {
    const { call: own } = await service.keyFor(id, [permission])
    for (const [method, path] of [
      ['POST', '/v1/exports'],
      ['GET', '/v1/exports'],
      ['GET', `/v1/exports/${made}`],
      ['GET', `/v1/exports/${made}/file`],
    ] as const)
      assertProblem(await own(method, path), 403, 'permission_denied')
  }
  const { call: both } = await service.keyFor(id, ['create', 'read'])
  assert.equal((await both('GET', `/v1/exports/${made}/file`)).status, 200)
})

test('an expired export is 404 with its file and is removed; the newest ones of a company are kept', async () => {
  const { id: companyId, call } = await service.company()
  const ids: string[] = []
  for (let n = 0; n <= EXPORTS_KEPT; n++) ids.push(await exportDone(call))
  const [oldest = '', second = ''] = ids
  for (const path of [oldest, `${oldest}/file`])
    assertProblem(await call('GET', `/v1/exports/${path}`), 404, 'not_found')
  const { data } = (await call('GET', '/v1/exports')).body
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    ids.slice(1).toReversed(),
  )
  await service.database.query('update exports set expires_at = now() where company_id = $1', [companyId])
  assertProblem(await call('GET', `/v1/exports/${second}/file`), 404, 'not_found')
  await until('the files are removed', async () => (await chunks(companyId)) === 0)
})
