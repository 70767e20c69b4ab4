// An import that no server can finish fails and says why; one that makes progress, or only waits, is not given up.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { executeLeased } from '../../src/features/imports/work.ts'
import { keepImporting, worker } from '../../src/features/imports/worker.ts'
import { importServers, never } from '../support/import-servers.ts'
import { csvOf, sent, shirt } from '../support/imports.ts'
import { until } from '../support/program.ts'
import { type Company, testService } from '../support/service.ts'

// No server runs imports here: each test acts as the servers.
const service = testService({ importing: { isWorking: false } })
const { parts, leased, waiting, expire } = importServers(service)
const unheard = { failed: () => {}, lookFailed: () => {} }

/** From now on every write of products times out. */
async function slowed(t: TestContext): Promise<void> {
  // As PostgreSQL says when it cancels a statement.
  await service.database.query(
    `create function too_long() returns trigger language plpgsql as
     $$ begin raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled'; end $$`,
  )
  await service.database.query(
    'create trigger too_long before insert on products for each row execute function too_long()',
  )
  t.after(() => service.database.query('drop function too_long cascade'))
}

test('an import with a statement that always exceeds its time limit fails at the fifth attempt, and says why', async (t) => {
  const company = await service.company()
  const { id } = await waiting(company, shirt)
  await slowed(t)
  for (let tries = 1; tries <= 5; tries++) {
    const job = await leased(company, 'running')
    assert.equal(job.tries, tries)
    await executeLeased(parts(), job, never)
    // It would pause, longer each time.
    await service.database.query('update imports set next_try_at = now() where id = $1', [id])
  }
  const { body } = await company.call('GET', `/v1/imports/${id}`)
  assert.equal(body.state, 'failed')
  assert.match(body.problem, /too long in 5 attempts/)
})

test('an import that made progress is not given up, however often it was started, unless it only creeps', async (t) => {
  const company = await service.company()
  const { id } = await waiting(company, shirt)
  await slowed(t)
  await service.database.query('update imports set tries = 4, progress = 0.01 where id = $1', [id])
  const job = await leased(company, 'running')
  assert.equal(job.tries, 5)
  await executeLeased(parts(), job, never)
  const again = 'update imports set next_try_at = now(), progress = progress - $2, leased_until = null where id = $1'
  await service.database.query(again, [id, 0.005])
  const creeping = await leased(company, 'running')
  assert.equal(creeping.tries, 2)
  await executeLeased(parts(), creeping, never)
  await service.database.query(again, [id, 0])
  assert.equal((await leased(company, 'running')).tries, 3)
})

test('an error in the idle thread of imports is reported', async () => {
  const program = `import { parentPort, workerData } from 'node:worker_threads'
    parentPort.on('message', () => {
      parentPort.postMessage('done')
      setTimeout(() => {
        Atomics.wait(workerData.isIdle, 0, 0)
        throw new Error('much later')
      })
    })`
  const isIdle = new Int32Array(new SharedArrayBuffer(4))
  const reported: string[] = []
  const failed = (error: unknown) => void reported.push(String(error))
  const source = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
  const idle = worker(source, { isIdle } as object, { wrote: () => {}, failed })
  const company = await service.company()
  await sent(company.call, csvOf(shirt))
  await idle.work(await leased(company, 'checking'), never)
  Atomics.store(isIdle, 0, 1)
  Atomics.notify(isIdle, 0)
  await until('it is reported', () => reported.length > 0)
  assert.deepEqual(reported, ['Error: much later'])
  await idle.stop()
})

test('an import that exceeds its memory limit fails with a message, and affects nothing else', async (t) => {
  const company = await service.company()
  const { id } = await sent(company.call, csvOf(shirt))
  const exhausting = new URL('data:text/javascript,const all = []; for (;;) all.push(new Array(100_000).fill(0.5))')
  const importing = keepImporting(
    service.database,
    { worker: () => worker(exhausting, {}, { wrote: () => {}, failed: () => {}, memoryMb: 16 }), ...unheard },
    { lookMs: 20 },
  )
  t.after(() => importing.stop())
  await until('it failed', async () => (await company.call('GET', `/v1/imports/${id}`)).body.state === 'failed')
  const { body } = await company.call('GET', `/v1/imports/${id}`)
  assert.equal(body.problem, 'The file takes more than 16 MB of memory. Split it into several files.')
  assert.equal((await company.call('GET', '/v1/products')).status, 200)
})

test('an import that crashes its server again and again is given up', async (t) => {
  const company = await service.company()
  const { id } = await sent(company.call, csvOf(shirt))
  for (let n = 0; n < 5; n++) await expire(await leased(company, 'checking'))
  await givenUp(t, company, id)
  assert.match((await company.call('GET', `/v1/imports/${id}`)).body.problem, /started 5 times/)
})

/** Waits until the import loop has given one up, which no server may start again. */
async function givenUp(t: TestContext, company: Company, id: string): Promise<void> {
  const importing = keepImporting(
    service.database,
    { worker: () => ({ work: async () => assert.fail('it was begun again'), stop: async () => {} }), ...unheard },
    { lookMs: 20 },
  )
  t.after(() => importing.stop())
  await until('it failed', async () => (await company.call('GET', `/v1/imports/${id}`)).body.state === 'failed')
}
