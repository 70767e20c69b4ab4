// What an import keeps of a file: nothing of one that is refused or breaks off, one import for a file that is sent again, and no more files than a company may have.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { assertColumns } from './support/columns.ts'
import {
  csvOf,
  imported,
  listed,
  longFile,
  mugs,
  noFiles,
  reached,
  send,
  sent,
  shirt,
  storedFiles,
} from './support/imports.ts'
import { sessions } from './support/nodes.ts'
import { person } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Reply, testService } from './support/service.ts'

const service = testService({ importing: { clearingMs: 100 } })

describe('under an Idempotency-Key', () => {
  test('a file that is sent again is the same import, and another file or query is refused', async () => {
    const company = await service.company()
    const { call } = company
    const key = { 'idempotency-key': randomUUID() }
    const file = csvOf(shirt)
    const first = await send(call, file, 'fileName=a.csv', key)
    assert.equal(first.status, 201)
    await reached(call, first.body.id, 'ready')
    const again = await send(call, file, 'fileName=a.csv', key)
    assert.deepEqual([again.status, again.text, again.headers.get('idempotent-replayed')], [201, first.text, 'true'])
    for (const [other, query] of [
      [file.replace('Mug', 'Cup'), 'fileName=a.csv'],
      [file, 'fileName=b.csv'],
      ['a,b\n', 'fileName=a.csv'],
    ] as const)
      assertProblem(await send(call, other, query, key), 422, 'idempotency_conflict')
    assert.deepEqual(await storedFiles(service, company), { imports: 1, chunks: 1 })
  })

  test('a file that was received completely gets the same response even if it could not be accepted now', async () => {
    const company = await service.company()
    const { call } = company
    const { body: outlet } = await call('POST', '/v1/outlet', { name: 'Gone soon' })
    const key = { 'idempotency-key': randomUUID() }
    // More than one chunk, so that a file refused by the first one has to be read to its end.
    const file = longFile(150)
    assert.ok(file.length > 1024 * 1024)
    const first = await send(call, file, `outletId=${outlet.id}`, key)
    assert.equal(first.status, 201, first.text)
    await call('DELETE', `/v1/outlet/${outlet.id}`)
    const again = await send(call, file, `outletId=${outlet.id}`, key)
    assert.deepEqual([again.status, again.text], [201, first.text])
    assertProblem(await send(call, file, `outletId=${outlet.id}`), 404, 'not_found')
    assert.deepEqual(await storedFiles(service, company), { imports: 1, chunks: 2 })
  })

  test('a run that is requested again is the same run', async () => {
    const { call } = await service.company()
    const { id } = await sent(call, csvOf(shirt))
    await reached(call, id, 'ready')
    const key = { 'idempotency-key': randomUUID() }
    const run = () => call('POST', `/v1/imports/${id}/run`, undefined, key)
    const first = await run()
    await reached(call, id, 'done')
    assert.deepEqual([(await run()).text, (await call('GET', `/v1/imports/${id}`)).body.state], [first.text, 'done'])
  })

  test('a run’s response is not repeated to a key that may not request it', async () => {
    const { call, id: companyId } = await service.company()
    const { call: creator } = await service.keyFor(companyId, ['create'])
    const { id } = await sent(call, csvOf(shirt))
    await reached(call, id, 'ready')
    const key = { 'idempotency-key': randomUUID() }
    assert.equal((await call('POST', `/v1/imports/${id}/run`, undefined, key)).status, 200)
    assertProblem(await creator('POST', `/v1/imports/${id}/run`, undefined, key), 403, 'permission_denied')
  })
})

describe('nothing is left of a file', () => {
  test('whose upload breaks off', async () => {
    const company = await service.company()
    const file = longFile(120)
    const client = connect(Number(new URL(service.url).port), '127.0.0.1')
    client.on('error', () => {})
    client.write(`POST /v1/imports HTTP/1.1\r\nhost: a\r\nx-api-key: ${company.key}\r\ncontent-type: text/csv\r\n`)
    client.write(`content-length: ${file.length}\r\n\r\n${file.slice(0, -10)}`)
    await until('its first chunk is stored', async () => (await storedFiles(service, company)).chunks > 0)
    assert.deepEqual(await listed(company, 'imports'), [])
    client.destroy()
    await until('nothing is left', async () => (await storedFiles(service, company)).imports === 0)
    assert.deepEqual(await storedFiles(service, company), noFiles)
  })

  test('whose key is deleted during the upload', async () => {
    const company = await service.company()
    const { value: key, id } = await service.keyFor(company.id)
    const file = longFile(400)
    const client = connect(Number(new URL(service.url).port), '127.0.0.1')
    client.on('error', () => {})
    const answer = textOf(client)
    client.write(`POST /v1/imports?run=true HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: text/csv\r\n`)
    const middle = Math.floor(file.length / 2)
    client.write(`connection: close\r\ncontent-length: ${file.length}\r\n\r\n${file.slice(0, middle)}`)
    await until('its first chunk is stored', async () => (await storedFiles(service, company)).chunks > 0)
    const path = `/v1/organization-api/companies/${company.id}/keys/${id}`
    assert.equal((await company.call('DELETE', path)).status, 200)
    client.write(file.slice(middle))
    assert.match(await answer, /^HTTP\/1\.1 401 .*"code":"invalid_key"/s)
    assert.deepEqual(await storedFiles(service, company), noFiles)
  })

  test('whose person is removed during the upload, and the rest is not read', async () => {
    const company = await service.company()
    const { cookie, csrfToken, userId } = await person(service, { companyId: company.id })
    const file = longFile(400)
    const client = connect(Number(new URL(service.url).port), '127.0.0.1')
    client.on('error', () => {})
    const answer = new Promise<string>((resolve) => client.once('data', (bytes) => resolve(String(bytes))))
    client.write(`POST /v1/imports HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\nx-csrf-token: ${csrfToken}\r\n`)
    client.write(`x-company-id: ${company.id}\r\nidempotency-key: k\r\ncontent-type: text/csv\r\n`)
    const middle = Math.floor(file.length / 2)
    client.write(`content-length: ${file.length}\r\n\r\n${file.slice(0, middle)}`)
    await until('its first chunk is stored', async () => (await storedFiles(service, company)).chunks > 0)
    await service.database.query('delete from members where user_id = $1', [userId])
    client.write(file.slice(middle, -10))
    assert.match(await answer, /^HTTP\/1\.1 403 .*"code":"permission_denied"/s)
    client.destroy()
    assert.deepEqual(await storedFiles(service, company), noFiles)
  })

  test('that does not fit into the database, and the response says so', async (t) => {
    const company = await service.company()
    const { database } = service
    // As PostgreSQL reports a full disk, from the second chunk on.
    await database.query(
      `create function no_room() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
    )
    await database.query(
      'create trigger no_room before insert on import_pieces for each row when (new.number > 0) execute function no_room()',
    )
    t.after(() => database.query('drop function no_room cascade'))
    const { reason } = assertProblem(await send(company.call, longFile(120)), 503, 'unavailable')
    assert.equal(reason, 'database_full')
    assert.deepEqual(await storedFiles(service, company), noFiles)
  })

  test('whose server died during the upload, once it is cleared', async () => {
    const company = await service.company()
    const { id } = await sent(company.call, csvOf(shirt))
    await reached(company.call, id, 'ready')
    await service.database.query(
      `update imports set state = 'sending', leased_until = now() - interval '1 second' where company_id = $1`,
      [company.id],
    )
    assert.deepEqual(await listed(company, 'imports'), [])
    await until('it is cleared', async () => (await storedFiles(service, company)).imports === 0)
  })

  test('that was kept until its time ended', async () => {
    const company = await service.company()
    const { id } = await imported(company.call, csvOf(shirt))
    await service.database.query('update imports set kept_until = now() where company_id = $1', [company.id])
    await until('it is cleared', async () => (await storedFiles(service, company)).imports === 0)
    assertProblem(await company.call('GET', `/v1/imports/${id}`), 404, 'not_found')
    assert.equal((await listed(company, 'products')).length, 2)
  })
})

describe('a company', () => {
  /** Makes an import look as if it had the given number of megabytes. */
  const weigh = (id: string, megabytes: number) =>
    service.database.query('update imports set bytes = $2 where id = $1', [id, megabytes * 1024 * 1024])

  test('with more files than allowed loses the oldest idle ones', async () => {
    const company = await service.company()
    const ids: string[] = []
    for (let n = 0; n < 6; n++) {
      const { id } = await sent(company.call, csvOf(mugs(1)))
      await reached(company.call, id, 'ready')
      await weigh(id, 120)
      ids.push(id)
    }
    await until('the oldest is gone', async () => (await storedFiles(service, company)).imports === 5)
    assert.deepEqual((await listed(company, 'imports')).map(({ id }) => id), ids.slice(1).toReversed()) // biome-ignore format: one thought
  })

  test('loses none of them for a file that is not received completely', async () => {
    const company = await service.company()
    const { id } = await sent(company.call, csvOf(mugs(1)))
    await reached(company.call, id, 'ready')
    await weigh(id, 450)
    const client = connect(Number(new URL(service.url).port), '127.0.0.1')
    client.on('error', () => {})
    // Without a content length, so that it may have 100 MB.
    const file = longFile(120)
    client.write(`POST /v1/imports HTTP/1.1\r\nhost: a\r\nx-api-key: ${company.key}\r\ncontent-type: text/csv\r\n`)
    client.write(`transfer-encoding: chunked\r\n\r\n${file.length.toString(16)}\r\n${file}\r\n`)
    await until('its first chunk is stored', async () => (await storedFiles(service, company)).chunks > 1)
    client.destroy()
    await until('nothing is left of it', async () => (await storedFiles(service, company)).imports === 1)
    const { body } = await company.call('GET', `/v1/imports/${id}`)
    assert.ok(Date.parse(body.keptUntil) > Date.now() + 1_000, body.keptUntil)
  })

  test('with the maximum number of imports in progress gets 409', async (t) => {
    const company = await service.company()
    const { id } = await sent(company.call, csvOf(shirt))
    await reached(company.call, id, 'ready')
    const busy = (count: number) =>
      service.database.query(
        `insert into imports select (jsonb_populate_record(stored, jsonb_build_object('id', stored.id || n, 'state', 'running',
           'next_try_at', now() + interval '1 day'))).* from imports as stored, generate_series(1, $2) as n where company_id = $1`,
        [company.id, count],
      )
    await busy(20)
    t.after(() => service.database.query('delete from imports where company_id = $1', [company.id]))
    for (const reply of [await send(company.call, csvOf(shirt)), await company.call('POST', `/v1/imports/${id}/run`)])
      assert.match(assertProblem(reply, 409, 'conflict').message, /20/)
  })

  test('can send a file while a run waits for its import', async () => {
    const { call } = await service.company()
    const { id } = await sent(call, csvOf(shirt))
    await reached(call, id, 'ready')
    let run: Promise<Reply> | undefined
    await service.database.transaction(async (step) => {
      await step.query('select 1 from imports where id = $1 for update', [id])
      run = call('POST', `/v1/imports/${id}/run`)
      const waits = `select 1 from ${sessions} where datname = current_database() and wait_event_type = 'Lock' and query ~ 'from imports'`
      await until('it waits', async () => (await service.database.query(waits)).length > 0)
      await sent(call, csvOf(shirt))
    })
    assert.equal((await run)?.status, 200)
  })

  test('with one import below the maximum gets one of two concurrent runs, at two servers', async (t) => {
    const { id: companyId, key, call } = await service.company()
    const other = service.caller({ 'x-api-key': key }, (await service.second()).url)
    const ids: string[] = []
    for (const _ of [1, 2]) ids.push((await sent(call, csvOf(shirt))).id)
    for (const id of ids) await reached(call, id, 'ready')
    // Nothing of them is carried out.
    t.after(() => service.database.query('delete from imports where company_id = $1', [companyId]))
    await service.database.query(
      `insert into imports select (jsonb_populate_record(stored, jsonb_build_object('id', stored.id || n, 'state', 'running',
         'next_try_at', now() + interval '1 day'))).* from imports as stored, generate_series(1, 19) as n where id = $1`,
      [ids[0]],
    )
    // Both are requested before either is counted.
    const replies = service.database.transaction(async (transaction) => {
      await transaction.query('select from imports where id = any ($1) for update', [ids])
      const asked = ids.map((id, n) => [call, other][n]?.('POST', `/v1/imports/${id}/run`))
      await until('both wait for what is held', async () => {
        const [waiting] = await service.database.query(
          `select count(*)::int from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting?.[0] === asked.length
      })
      return asked
    })
    const statuses = (await Promise.all(await replies)).map((reply) => reply?.status)
    assert.deepEqual(statuses.sort(), [200, 409])
  })
})

test('the columns of all records that were written equal the records', () =>
  assertColumns({ database: service.database }))
