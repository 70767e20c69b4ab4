// Rows of custom tables by the table's name: columns by name with their types, pages and whole tables, versions, retries, and many writers at once (decisions §7).
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { type MadeTable, makeTable, oid, succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { raw } from './support/raw.ts'
import { noId } from './support/routes.ts'
import { type Caller, type Reply, testService } from './support/service.ts'

const service = testService()

const everyType = { s: 'string', n: 'number', b: 'boolean', d: 'date', j: 'json-string' }

const pointers = (reply: Reply, about = ''): string[] =>
  assertProblem(reply, 400, 'validation_failed', about).errors.map(({ pointer }: Body) => pointer)

test('columns keep their JSON types, in the order of their fields, and unset ones are left out', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, everyType)
  const created = await call('POST', table.path, { j: '{"a": 1}', d: '2026-11-21', b: false, n: -0.5, s: '' })
  const { rowId, ...nothing } = succeeded(created, 201)
  assert.deepEqual(nothing, {})
  const { text, body } = await call('GET', `${table.path}/${rowId.$oid}`)
  const { _id, createdAt, updatedAt, ...columns } = body
  assert.deepEqual(_id, rowId)
  assert.deepEqual(columns, { s: '', n: -0.5, b: false, d: '2026-11-21T00:00:00.000Z', j: '{"a": 1}' })
  assert.deepEqual(Object.keys(body), ['_id', 's', 'n', 'b', 'd', 'j', 'createdAt', 'updatedAt'])
  assert.equal(createdAt, updatedAt)
  const empty = await table.row()
  assert.deepEqual(Object.keys(await table.read(empty)), ['_id', 'createdAt', 'updatedAt'])
  const same = await call('PUT', `${table.path}/${rowId.$oid}`, JSON.parse(text))
  assert.deepEqual(succeeded(same), { rowId })
  assert.equal((await call('GET', `${table.path}/${rowId.$oid}`)).text, text)
  const [value] = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${rowId.$oid}`)).filter(
    ({ fieldId }: Body) => fieldId.$oid === table.fields.n,
  )
  assert.equal(value.value, '-0.5')
})

test('a wrong type, an unknown column and a missing required one are 400 by name, the unknown one with a suggestion', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { ...everyType, needed: { type: 'string', required: true } })
  const id = await table.row({ needed: 'x' })
  const path = `${table.path}/${id}`
  const wrong: Record<string, unknown[]> = {
    s: [5, true, {}, []],
    n: ['5', true, {}],
    b: ['true', 0, 1],
    d: ['2026-02-30', 'now', 1795253400, '2026-11-21T09:30:00', {}],
    j: ['{', 'text', 5, true],
  }
  for (const [column, values] of Object.entries(wrong))
    for (const value of values) {
      const about = `${column} ${JSON.stringify(value)}`
      assert.deepEqual(pointers(await call('POST', table.path, { needed: 'x', [column]: value }), about), [
        `/${column}`,
      ])
      assert.deepEqual(pointers(await call('PUT', path, { [column]: value }), about), [`/${column}`])
    }
  assert.deepEqual(pointers(await call('POST', table.path, {})), ['/needed'])
  assert.deepEqual(pointers(await call('POST', table.path, { needed: null })), ['/needed'])
  assert.deepEqual(pointers(await call('PUT', path, { needed: null })), ['/needed'])
  assert.deepEqual(pointers(await call('POST', table.path, { needed: 5 })), ['/needed'])
  const meant = await call('PUT', path, { neded: 'x', s: 5 })
  assert.deepEqual(pointers(meant), ['/neded', '/s'])
  assert.match(meant.body.errors[0].message, /did you mean needed\?/)
  for (const body of [[], 5, null, 'x'])
    assert.equal((await call('POST', table.path, JSON.stringify(body))).status, 400)
  for (const lossy of [
    '{"n": 1e400}',
    '{"n": 12345678901234567890}',
    '{"s": "\\u0000"}',
    '{"s": "\\ud800"}',
    '{"s": "a", "s": "b"}',
  ])
    assert.equal((await call('PUT', path, lossy)).status, 400, lossy)
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`column ${n}`, n])))
  assert.equal(assertProblem(await call('PUT', path, many), 400).errors.length, 100)
  assert.deepEqual(Object.keys(await table.read(id)), ['_id', 'needed', 'createdAt', 'updatedAt'])
})

test('defaults are given to new rows only, and null leaves a column unset', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, {
    a: { type: 'string', defaultValue: 'one', required: true },
    b: { type: 'number', defaultValue: 2 },
  })
  const shown = async (columns: Body) => {
    const { a, b } = await table.read(await table.row(columns))
    return [a, b]
  }
  assert.deepEqual(await shown({}), ['one', 2])
  assert.deepEqual(await shown({ a: 'x', b: null }), ['x', undefined])
  const id = await table.row()
  succeeded(await call('PUT', `${table.path}/${id}`, { b: null }))
  succeeded(await call('PUT', `${table.path}/${id}`, { a: 'y' }))
  assert.equal((await table.read(id)).b, undefined)
})

test('an update merges, is a no-op without a change, and moves updatedAt otherwise', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'string', b: 'string' })
  const id = await table.row({ a: 'one', b: 'two' })
  const path = `${table.path}/${id}`
  const first = await call('GET', path)
  succeeded(await call('PUT', path, { a: 'one' }))
  assert.equal((await call('GET', path)).text, first.text)
  succeeded(await call('PUT', path, { b: null }))
  const { a, b, createdAt, updatedAt } = await table.read(id)
  assert.deepEqual([a, b, createdAt], ['one', undefined, first.body.createdAt])
  assert.ok(updatedAt >= createdAt)
  const events = await feed(service, companyId, id)
  assert.deepEqual(
    events.map(({ type, data, previous }) => [type, data.columns, previous]),
    [
      ['custom-table-row.created', { a: 'one', b: 'two' }, null],
      ['custom-table-row.updated', { a: 'one' }, { columns: { a: 'one', b: 'two' } }],
    ],
  )
  const { columns, ...record } = events.at(-1)?.data ?? {}
  assert.deepEqual(columns, { a: 'one' })
  assert.deepEqual(record, succeeded(await call('GET', `/v1/api/custom-table-row/${id}`)))
})

test('a row is found only in its table and its company; a table that does not exist is 404, whatever is sent', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const table = await makeTable(call, { a: 'string' }, 'loyalty')
  const sibling = await makeTable(call, { a: 'string' })
  const theirs = await makeTable(other.call, { a: 'string' }, 'loyalty')
  const id = await table.row({ a: 'mine' })
  const paths: [Caller, string][] = [
    [call, `${sibling.path}/${id}`],
    [call, `${table.path}/${noId}`],
    [call, `${table.path}/x`],
    [call, `${table.path}/__proto__`],
    [other.call, `${theirs.path}/${id}`],
    [other.call, `${sibling.path}/${id}`],
    [call, `/v1/api/custom-table-data/none/${id}`],
  ]
  for (const [caller, path] of paths)
    for (const [method, body] of [['GET'], ['PUT', { a: 'x' }], ['DELETE']] as const)
      assertProblem(await caller(method, path, body), 404, 'not_found', `${method} ${path}`)
  for (const name of ['none', '__proto__', 'constructor', 'LOYALTY', '%00', '%E2%82', 'a'.repeat(400), '..%2Floyalty'])
    for (const [method, body] of [['GET'], ['POST', { a: 'x' }]] as const) {
      const { status } = await call(method, `/v1/api/custom-table-data/${name}`, body)
      assert.equal(status, 404, name)
    }
  assert.deepEqual(succeeded(await other.call('GET', theirs.path)), [])
  assert.equal((await table.read(id)).a, 'mine')
})

test('a deleted row is flagged with its values: 404 here, shown as deleted there, and in no list', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const id = await table.row({ a: '"isDeleted":false,"updatedAt":"x"' })
  const kept = await table.row({ a: 'two' })
  const path = `${table.path}/${id}`
  const [value] = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}`))
  assert.deepEqual(succeeded(await call('DELETE', path)), { statusCode: 200, message: 'The row was deleted.' })
  for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
    assertProblem(await call(method, path, body), 404, 'not_found')
  assert.deepEqual(
    succeeded(await call('GET', table.path)).map(({ _id }: Body) => _id.$oid),
    [kept],
  )
  const row = succeeded(await call('GET', `/v1/api/custom-table-row/${id}`))
  assert.equal(row.isDeleted, true)
  const flagged = succeeded(await call('GET', `/v1/api/custom-table-value/${value._id.$oid}`))
  assert.deepEqual({ ...flagged, updatedAt: '' }, { ...value, isDeleted: true, updatedAt: '' })
  assert.deepEqual(succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}`)), [])
  assert.equal(
    succeeded(await call('GET', `/v1/api/custom-table-rows?tableId=${table.id}&includeDeleted=true`)).length,
    2,
  )
  const last = (await feed(service, companyId, id)).at(-1)
  assert.deepEqual(
    [last?.type, last?.previous, last?.data.isDeleted],
    ['custom-table-row.deleted', { isDeleted: false }, true],
  )
  succeeded(await call('DELETE', `/v1/api/custom-table-row/${id}`))
  assert.equal((await feed(service, companyId, id)).length, 2)
})

test('a row has an ETag: If-None-Match is 304, and If-Match accepts only the version that was read', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const path = `${table.path}/${await table.row({ a: 'one' })}`
  const etag = (await call('GET', path)).headers.get('etag') as string
  assert.equal((await call('GET', path, undefined, { 'if-none-match': etag })).status, 304)
  const put = (a: string, match: string) => call('PUT', path, { a }, { 'if-match': match })
  const both = await Promise.all([put('two', etag), put('three', etag)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  assertProblem(await put('four', etag), 412, 'version_mismatch')
  assertProblem(await call('DELETE', path, undefined, { 'if-match': etag }), 412, 'version_mismatch')
  const now = (await call('GET', path)).headers.get('etag') as string
  assert.notEqual(now, etag)
  const [value] = succeeded(await call('GET', '/v1/api/custom-table-values'))
  succeeded(await call('PUT', `/v1/api/custom-table-value/${value._id.$oid}`, { value: 'five' }))
  assertProblem(await put('six', now), 412, 'version_mismatch')
  const last = (await call('GET', path)).headers.get('etag') as string
  succeeded(await call('DELETE', path, undefined, { 'if-match': last }))
})

test('a write under an idempotency key is done once and gets the same response; after an error the key is free', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'string' })
  const under = (key: string) => ({ 'idempotency-key': key })
  assert.equal((await call('POST', table.path, { a: 5 }, under('k'))).status, 400)
  const firsts = await Promise.all(Array.from({ length: 5 }, () => call('POST', table.path, { a: 'one' }, under('k'))))
  for (const { status } of firsts) assert.ok(status === 201 || status === 409)
  const first = await call('POST', table.path, { a: 'one' }, under('k'))
  assert.equal(first.headers.get('idempotent-replayed'), 'true')
  assert.equal(succeeded(await call('GET', table.path)).length, 1)
  const path = `${table.path}/${first.body.rowId.$oid}`
  for (const [key, a] of [
    ['same', 'one'],
    ['other', 'two'],
  ] as const) {
    const done = await call('PUT', path, { a }, under(key))
    succeeded(await call('PUT', path, { a: 'three' }))
    const again = await call('PUT', path, { a }, under(key))
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [done.text, 'true'])
    assert.equal((await table.read(first.body.rowId.$oid)).a, 'three')
    succeeded(await call('PUT', path, { a: 'one' }))
  }
  assertProblem(await call('POST', table.path, { a: 'else' }, under('k')), 422, 'idempotency_conflict')
  const rows = await service.database.query('select key from idempotency_keys where owner_id = $1', [companyId])
  assert.equal(rows.length, 3)
})

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

test('a row that exists throughout is once in a whole list that is read while others are created, changed and deleted', async () => {
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

test('a client that reads a whole list slowly or disconnects occupies no database connection and delays no other', async () => {
  const { id: companyId, key, call } = await service.company()
  const table = await makeTable(call, { s: 'string' })
  const id = await table.row({ s: 'x'.repeat(2_000) })
  await service.database.query(
    `insert into custom_table_rows (company_id, id, body, cells)
     select company_id, lpad(n::text, 24, '0'), body, cells from custom_table_rows, generate_series(1, 40000) as n
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
  for await (const piece of slow[0] as AsyncIterable<Buffer>) bytes += piece.length
  assert.ok(bytes > 40_000 * 2_000)
})

test('a whole list is cut off after its key is deleted, even if the client reads slowly', async () => {
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

test('a whole list that cannot be read to its end is cut off, so that the client cannot mistake the part for the whole', async () => {
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
  await service.database.query('alter table custom_table_rows rename to elsewhere')
  const end = await Array.fromAsync(response as AsyncIterable<Buffer>).catch((error) => error)
  await service.database.query('alter table elsewhere rename to custom_table_rows')
  assert.equal(end.code, 'ECONNRESET')
  assert.equal((await call('GET', `${table.path}?limit=1`)).status, 200)
})

test('a table’s whole list over one connection is followed by the next response', async () => {
  const { key, call } = await service.company()
  const table = await makeTable(call, { n: 'number' })
  await fill(table, 300)
  const ask = (path: string, end = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n${end}\r\n`
  const { text } = await raw(service.url, ask(table.path), ask('/v1/whoami', 'connection: close\r\n'))
  assert.match(text, /\r\n0\r\n\r\nHTTP\/1\.1 200 OK/)
})

test('fifty concurrent updates of different columns of one row lose none', async () => {
  const { id: companyId, call } = await service.company()
  const names = Array.from({ length: 50 }, (_, n) => `c${n}`)
  const table = await makeTable(call, Object.fromEntries(names.map((name) => [name, 'number'])))
  const id = await table.row({ c0: -1 })
  const replies = await Promise.all(names.map((name, n) => call('PUT', `${table.path}/${id}`, { [name]: n })))
  for (const reply of replies) succeeded(reply)
  const row = await table.read(id)
  for (const [n, name] of names.entries()) assert.equal(row[name], n)
  assert.equal((await feed(service, companyId, id)).length, 51)
  const values = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}&limit=1000`))
  assert.equal(values.length, 50)
})

test('concurrent writes of rows and values of the same rows, valid and invalid, leave cells that equal the live values', async () => {
  const { call } = await service.company()
  const table = await makeTable(call, { a: 'number', b: 'string', c: 'number' })
  const ids = await Promise.all(Array.from({ length: 4 }, (_, n) => table.row({ a: n })))
  const some = async (n: number) => {
    const id = ids[n % 4] as string
    const path = `${table.path}/${id}`
    const spot = { tableId: table.id, rowId: id }
    switch (n % 7) {
      case 0:
        return call('PUT', path, { a: n, b: `${n}` })
      case 1:
        return call('PUT', path, { b: null, c: n })
      case 2:
        return call('POST', '/v1/api/custom-table-value', { ...spot, fieldId: table.fields.b, value: `${n}` })
      case 3: {
        const [value] = (await call('GET', `/v1/api/custom-table-values?rowId=${id}`)).body
        return value && call('PUT', `/v1/api/custom-table-value/${value._id.$oid}`, { value: `${n}` })
      }
      case 4: {
        const values = (await call('GET', `/v1/api/custom-table-values?rowId=${id}`)).body
        return values.length > 1 && call('DELETE', `/v1/api/custom-table-value/${values.at(-1)._id.$oid}`)
      }
      case 5:
        return call('PUT', path, { a: 'wrong' })
      default:
        return call('POST', '/v1/api/custom-table-value', { ...spot, fieldId: table.fields.c, value: 'wrong' })
    }
  }
  for (let round = 0; round < 4; round++) {
    const replies = await Promise.all(Array.from({ length: 70 }, (_, n) => some(n + round)))
    for (const reply of replies) assert.ok(!reply || reply.status < 500, reply ? reply.text : '')
  }
  for (const id of ids) {
    const { _id, createdAt, updatedAt, ...columns } = await table.read(id)
    const values = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${id}`))
    const byField = new Map(values.map(({ fieldId, value }: Body) => [fieldId.$oid, value]))
    for (const [name, field] of Object.entries(table.fields))
      assert.equal(columns[name] === undefined ? undefined : String(columns[name]), byField.get(field))
  }
})

test('a table that is deleted during writes of rows takes all of them with it, and no writer sees a fault', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, { a: 'number' })
  const id = await table.row({ a: 0 })
  const statuses: number[] = []
  let isDeleted = false
  const writing = Array.from({ length: 6 }, async (_, k) => {
    while (!isDeleted || statuses.length < 50) {
      const body = { a: statuses.length }
      const reply = k % 2 ? await call('POST', table.path, body) : await call('PUT', `${table.path}/${id}`, body)
      statuses.push(reply.status)
      if (reply.status === 404) break
    }
  })
  await until('rows are written', () => statuses.length > 30)
  succeeded(await call('DELETE', `/v1/api/custom-table/${table.id}`))
  isDeleted = true
  assertProblem(await call('POST', table.path, { a: 1 }), 404, 'not_found')
  await Promise.all(writing)
  assert.deepEqual([...new Set(statuses)].sort(), [200, 201, 404])
  assert.deepEqual(succeeded(await call('GET', '/v1/api/custom-table-rows')), [])
  const types = (await feed(service, companyId)).map(({ type }) => type)
  assert.equal(types.at(-1), 'custom-table.deleted')
})

test('a value that refers to a built-in resource must find the record, in its company and not deleted', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const table = await makeTable(call, {
    customer: { type: 'string', referenceLinkedCollection: 'customers' },
    product: { type: 'string', referenceLinkedCollection: 'products', referenceLinkedField: 'sku' },
    supplier: { type: 'string', referenceLinkedCollection: 'suppliers' },
  })
  const customer = succeeded(await call('POST', '/v1/customer', { firstName: 'Ann' }), 201)
  const theirs = succeeded(await other.call('POST', '/v1/customer', { firstName: 'Eve' }), 201)
  succeeded(await call('POST', '/v1/product', { name: 'Cup', sku: 'CUP' }), 201)
  for (const [column, value] of [
    ['customer', noId],
    ['customer', theirs.id],
    ['customer', 'x'],
    ['customer', ''],
    ['product', 'cup'],
    ['product', ''],
  ])
    assert.deepEqual(pointers(await call('POST', table.path, { [column as string]: value })), [`/${column}`])
  const id = await table.row({ customer: customer.id, product: 'CUP', supplier: 'anything' })
  assert.deepEqual(pointers(await call('PUT', `${table.path}/${id}`, { product: 'no', customer: noId })).sort(), [
    '/customer',
    '/product',
  ])
  succeeded(await call('DELETE', `/v1/customer/${customer.id}`))
  succeeded(await call('PUT', `${table.path}/${id}`, await table.read(id)))
  succeeded(await call('PUT', `${table.path}/${id}`, { customer: null }))
  assert.deepEqual(pointers(await call('PUT', `${table.path}/${id}`, { customer: customer.id })), ['/customer'])
})

test('a table that extends customers has one live row per customer, also under concurrent creates', async () => {
  const { call } = await service.company()
  const link = { type: 'string', referenceLinkedCollection: 'customers' }
  const table = await makeTable(call, { customer: link, points: 'number' })
  const [ann, bea] = await Promise.all(
    ['Ann', 'Bea'].map(async (firstName) => succeeded(await call('POST', '/v1/customer', { firstName }), 201).id),
  )
  const made = await Promise.all(Array.from({ length: 20 }, () => call('POST', table.path, { customer: ann })))
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 409)])
  const first = made.find(({ status }) => status === 201)?.body.rowId.$oid
  const second = await table.row({ customer: bea })
  assertProblem(await call('PUT', `${table.path}/${second}`, { customer: ann }), 409, 'conflict')
  const unlinked = await table.row({ points: 1 })
  const value = { tableId: table.id, rowId: unlinked, fieldId: table.fields.customer, value: ann }
  assertProblem(await call('POST', '/v1/api/custom-table-value', value), 409, 'conflict')
  assert.equal((await table.read(unlinked)).customer, undefined)
  succeeded(await call('DELETE', `${table.path}/${first}`))
  succeeded(await call('POST', '/v1/api/custom-table-value', value), 201)
  assertProblem(await call('POST', table.path, { customer: ann }), 409, 'conflict')
  succeeded(await call('DELETE', `/v1/api/custom-table-field/${table.fields.customer}`))
  const again = succeeded(
    await call('POST', '/v1/api/custom-table-field', { tableId: oid(table.id), name: 'customer', ...link }),
    201,
  )
  assert.equal(again.name, 'customer')
  succeeded(await call('POST', table.path, { customer: ann }), 201)
})

test('a row has at most 200 columns, a cell at most a megabyte, and a row at most the length of a record', async () => {
  const { call } = await service.company()
  const names = Array.from({ length: 5 }, (_, n) => `c${n}`)
  const table = await makeTable(call, Object.fromEntries(names.map((name) => [name, 'string'])))
  const long = 'x'.repeat(1_048_576)
  const id = await table.row({ c0: long, c1: 'short' })
  assert.equal((await table.read(id)).c0.length, long.length)
  assert.equal((await call('PUT', `${table.path}/${id}`, { c1: `${long}x` })).status, 400)
  assertProblem(await call('PUT', `${table.path}/${id}`, { c1: long }), 413, 'payload_too_large')
  const value = { tableId: table.id, rowId: id, fieldId: table.fields.c2, value: long }
  assertProblem(await call('POST', '/v1/api/custom-table-value', value), 413, 'payload_too_large')
  assert.deepEqual(Object.keys(await table.read(id)), ['_id', 'c0', 'c1', 'createdAt', 'updatedAt'])
})

test('pages and whole lists of long rows contain each row once, though a statement returns only some of them', async () => {
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
