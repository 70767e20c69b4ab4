// Lists of rows of custom tables: pages, and complete lists of any length, to slow clients and during writes.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { type MadeTable, makeTable, succeeded } from './support/custom-tables.ts'
import { until } from './support/program.ts'
import { raw } from './support/raw.ts'
import { type Reply, sharedService } from './support/service.ts'

const service = sharedService()

/** Creates many rows at once; some share their millisecond. */
const fill = async ({ row }: MadeTable, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 100)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(100, count - n) }, (_, k) => row({ n: n + k })))))
  return ids
}

test('without a limit all rows are returned, each once, in the order of the pages; with skip and limit a page with links', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { n: 'number' })
  assert.equal((await call('GET', table.path)).text, '[]')
  await fill(table, 1_234)
  const whole = await call('GET', table.path)
  assert.equal(whole.headers.get('content-type'), 'application/json; charset=utf-8')
  const all = succeeded(whole)
  assert.equal(new Set(all.map(({ _id }: Body) => _id.$oid)).size, 1_234)
  const paged: Body[] = []
  for (let next: string | undefined = `${table.path}?limit=500&total=true`; next !== undefined; ) {
    const reply: Reply = await call('GET', next)
    assert.equal(reply.headers.get('x-total-count'), '1234')
    paged.push(...succeeded(reply))
    next = /<([^>]*)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1]
  }
  assert.deepEqual(paged, all)
  assert.deepEqual(succeeded(await call('GET', `${table.path}?skip=1200`)), all.slice(1200))
  assert.deepEqual(succeeded(await call('GET', `${table.path}?skip=100`)), all.slice(100))
  assert.deepEqual(succeeded(await call('GET', `${table.path}?skip=5&limit=2`)), all.slice(5, 7))
  assert.deepEqual(succeeded(await call('GET', `${table.path}?skip=5000&limit=2`)), [])
  assert.equal(succeeded(await call('GET', `${table.path}?limit=0`)).length, 100)
  for (const query of ['limit=1001', 'limit=-1', 'limit=x', 'skip=-1', 'skip=1.5', 'total=yes', 'sortBy=n', 'a=1'])
    assert.equal((await call('GET', `${table.path}?${query}`)).status, 400, query)
  const head = await call('HEAD', table.path)
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('a row that exists throughout appears once in a complete list that is read while others are created, changed and deleted', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { n: 'number' })
  const ids = await fill(table, 1_500)
  const doomed = new Set(ids.filter((_, n) => n % 7 === 0))
  let isDone = false
  const disturbing = (async () => {
    for (const id of doomed) {
      if (isDone) break
      await Promise.all([
        call('DELETE', `${table.path}/${id}`),
        table.row({ n: -1 }),
        call('PUT', `${table.path}/${ids[1]}`, { n: Math.random() }),
      ])
    }
  })()
  for (let n = 0; n < 5; n++) {
    const seen = succeeded(await call('GET', table.path)).map(({ _id }: Body) => _id.$oid)
    assert.equal(new Set(seen).size, seen.length)
    const found = new Set(seen)
    for (const id of ids) assert.ok(doomed.has(id) || found.has(id))
  }
  isDone = true
  await disturbing
})

test('a client that reads a complete list slowly or disconnects occupies no database connection and delays no other', async () => {
  const { id: companyId, key, call } = await service.company()
  const table = await makeTable(call, { s: 'string' })
  const id = await table.row({ s: 'x'.repeat(2_000) })
  await service.database.query(
    `insert into custom_table_rows (company_id, id, body, cells)
     select company_id, lpad(n::text, 24, '0'), body, cells from custom_table_rows, generate_series(1, 15000) as n
     where company_id = $1 and id = $2`,
    [companyId, id],
  )
  const open = () =>
    new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      request(`${service.url}${table.path}`, { headers: { 'x-api-key': key } }, resolve)
        .on('error', reject)
        .end()
    })
  const slow = await Promise.all(Array.from({ length: 8 }, open))
  for (const response of slow) response.pause()
  assert.equal((await call('GET', `${table.path}?limit=1`)).status, 200)
  for (const response of slow.slice(1)) response.destroy()
  const busy = async () =>
    (
      await service.database.query(
        `select 1 from pg_stat_activity where datname = current_database() and state <> 'idle' and query like '%custom_table_rows%' and pid <> pg_backend_pid()`,
      )
    ).length
  await until('nothing is read for the disconnected client', async () => (await busy()) === 0)
  // A client that was only slow gets all of it.
  let bytes = 0
  for await (const chunk of slow[0] as AsyncIterable<Buffer>) bytes += chunk.length
  assert.ok(bytes > 15_000 * 2_000)
})

test('a complete list is cut off after its key is deleted, even if the client reads slowly', async () => {
  const company = await service.company()
  const { id: keyId, value: key } = await service.keyFor(company.id)
  const table = await makeTable(company.call, { s: 'string' })
  const id = await table.row({ s: 'x'.repeat(2_000) })
  await service.database.query(
    `insert into custom_table_rows (company_id, id, body, cells)
     select company_id, lpad('d' || n::text, 24, '0'), body, cells from custom_table_rows, generate_series(1, 20000) as n
     where company_id = $1 and id = $2`,
    [company.id, id],
  )
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(`${service.url}${table.path}`, { headers: { 'x-api-key': key } }, resolve)
      .on('error', reject)
      .end()
  })
  response.pause()
  const path = `/v1/organization-api/companies/${company.id}/keys/${keyId}`
  assert.equal((await company.call('DELETE', path)).status, 200)
  const end = await Array.fromAsync(response as AsyncIterable<Buffer>).catch((error) => error)
  assert.equal(end.code, 'ECONNRESET')
})

test('a list that cannot be read to its end is cut off, so that the client cannot mistake a part for the complete list', async () => {
  const { id: companyId, key, call } = await service.company()
  const table = await makeTable(call, { s: 'string' })
  const id = await table.row({ s: 'x'.repeat(2_000) })
  await service.database.query(
    `insert into custom_table_rows (company_id, id, body, cells)
     select company_id, lpad('c' || n::text, 24, '0'), body, cells from custom_table_rows, generate_series(1, 20000) as n
     where company_id = $1 and id = $2`,
    [companyId, id],
  )
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(`${service.url}${table.path}`, { headers: { 'x-api-key': key } }, resolve)
      .on('error', reject)
      .end()
  })
  response.pause()
  // With row-level security, pages are read through a view.
  const rename = async (from: string, to: string) => {
    await service.database.query(`alter table ${from} rename to ${to}`)
    await service.database.query(`alter view if exists cashwrap_rows.${from} rename to ${to}`)
  }
  await rename('custom_table_rows', 'elsewhere')
  const end = await Array.fromAsync(response as AsyncIterable<Buffer>).catch((error) => error)
  await rename('elsewhere', 'custom_table_rows')
  assert.equal(end.code, 'ECONNRESET')
  assert.equal((await call('GET', `${table.path}?limit=1`)).status, 200)
})

test('a table’s complete list over one connection is followed by the next response', async () => {
  const { key, call } = await service.company()
  const table = await makeTable(call, { n: 'number' })
  await fill(table, 300)
  const ask = (path: string, end = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n${end}\r\n`
  const { text } = await raw(service.url, ask(table.path), ask('/v1/whoami', 'connection: close\r\n'))
  assert.match(text, /\r\n0\r\n\r\nHTTP\/1\.1 200 OK/)
})

test('pages and complete lists of long rows contain each row once, though a statement returns only some of them', async () => {
  const { call } = await service.company()
  await call('POST', '/v1/api/custom-table', { name: 'long' })
  const { body: tables } = await call('GET', '/v1/api/custom-tables')
  const tableId = tables[0]._id
  await call('POST', '/v1/api/custom-table-field', { tableId, name: 'text', type: 'string' })
  const sizes = [10, 10, 900_000, 10, 1_000_000, 1_000_000, 1_000_000, 10]
  for (const [n, size] of sizes.entries())
    assert.equal((await call('POST', '/v1/api/custom-table-data/long', { text: `${n}`.padEnd(size, 'x') })).status, 201)
  for (const query of ['', '?limit=1000', '?limit=1000&skip=2']) {
    const { body } = await call('GET', `/v1/api/custom-table-data/long${query}`)
    const from = query.endsWith('skip=2') ? 2 : 0
    assert.deepEqual(body.map(({ text }: { text: string }) => text.length), sizes.slice(from)) // biome-ignore format: one thought
  }
})

test('concurrent reads and writes of long rows all succeed, though a statement contains only some of them', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { text: 'string', n: 'number', m: 'number' })
  const text = 'x'.repeat(900_000)
  const ids = await Promise.all(Array.from({ length: 5 }, () => table.row({ text })))
  const short = await Promise.all(Array.from({ length: 5 }, () => table.row({ n: 0 })))
  const all = ids.flatMap((id, n) => [short[n] as string, id])
  const writes = all.flatMap((rowId, n) => [
    call('PUT', `${table.path}/${rowId}`, { n }),
    call('POST', table.path, { n }),
    call('POST', '/v1/api/custom-table-value', { tableId: table.id, rowId, fieldId: table.fields.m, value: `${n}` }),
  ])
  for (const { status, text } of await Promise.all(writes)) assert.ok(status < 300, text)
  const asked = [...all, ...all]
  const found = await Promise.all(asked.map((id) => table.read(id)))
  for (const [k, row] of found.entries()) {
    const n = k % all.length
    assert.deepEqual([row._id.$oid, row.n, row.m, row.text?.length], [asked[k], n, n, n % 2 ? text.length : undefined])
  }
  // Several writes of one row follow each other, whatever they leave for the next statement.
  const [id = ''] = ids
  const many = await Promise.all(Array.from({ length: 6 }, (_, n) => call('PUT', `${table.path}/${id}`, n % 2 ? { n: 50 + n } : { m: 50 + n }))) // biome-ignore format: one thought
  for (const reply of many) succeeded(reply)
  const last = await table.read(id)
  assert.ok(last.n > 50 && last.m >= 50 && last.text.length === text.length)
})
