// Pages of long records have as many as `limit` says: they are streamed, each from one snapshot, within the memory budget for responses (decisions §3).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { fairSemaphore } from '../src/concurrency/fair-semaphore.ts'
import { STREAMED_CHARACTERS } from '../src/core/limits.ts'
import { connect } from '../src/database/connect.ts'
import { cursors } from '../src/database/cursors.ts'
import type { Route } from '../src/http/route.ts'
import type { Body } from './support/contract.ts'
import { makeTable, oid, succeeded } from './support/custom-tables.ts'
import { copyDatabase } from './support/database.ts'
import { makeExtension } from './support/extensions.ts'
import { listeningServer } from './support/http-server.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Company, type TestService, testService } from './support/service.ts'

const service = testService({ pageCharacters: 2_000_000 })
/** With these, `many` records are more than the longest page of the service that is not streamed. */
const long = `ä${'x'.repeat(20_000)}`
/** With these, they are also more than the kernel takes from a server whose client reads nothing. */
const longer = `ä${'x'.repeat(100_000)}`
const many = 200

/** Copies a stored record until there are `many`, and returns all ids in order: that of the record may be the last. */
async function copies(
  { database }: TestService,
  table: string,
  id: string,
  columns: readonly string[] = [],
): Promise<string[]> {
  const more = columns.map((column) => `, ${column}`).join('')
  const rows = await database.query(
    `insert into ${table} as copied (company_id, id, body${more})
     select company_id, made, replace(body::text, $1, made)::json${more}
     from ${table} as original, (select $1::text, left($1, 18) || 'ff' || to_char(n, 'FM0000') as made from generate_series(1, $2::int) as n) as ids
     where id = $1 returning id`,
    [id, many - 1],
  )
  return [id, ...rows.map(([made]) => made)].sort()
}

/** A company with `many` long customers, and their ids. */
async function filled(of = service, note = longer): Promise<Company & { ids: string[] }> {
  const company = await of.company()
  const { id } = succeeded(await company.call('POST', '/v1/customer', { firstName: 'Anne', notes: [note] }), 201)
  return { ...company, ids: await copies(of, 'customers', id) }
}

const idsOf = (records: readonly Body[]): string[] => records.map(({ id, _id }) => id ?? _id.$oid)

/** A response after its head was read. */
async function begun({ key }: Company, path: string, of = service) {
  const abort = new AbortController()
  const response = await fetch(of.url + path, { headers: { 'x-api-key': key }, signal: abort.signal })
  assert.equal(response.status, 200)
  return { rest: () => response.text(), abort: () => abort.abort() }
}

/** Backends that hold cursors. */
const holding = async ({ database }: TestService): Promise<number[]> =>
  (
    await database.query(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and query ~ 'page_|opening'`,
    )
  ).map(([pid]) => pid)

test('a page of long customers is as long as limit says, in both styles, by skip and by cursor', async () => {
  const { call, ids } = await filled(service, long)
  const rich = succeeded(await call('GET', '/v1/customers?limit=190'))
  assert.deepEqual(idsOf(rich.data), ids.slice(0, 190))
  const { nextCursor, ...meta } = rich.meta
  assert.deepEqual(meta, { count: many, skip: 0, limit: 190 })
  const rest = succeeded(await call('GET', `/v1/customers?limit=190&cursor=${nextCursor}`))
  assert.deepEqual(idsOf(rest.data), ids.slice(190))
  assert.equal(rest.meta.nextCursor, undefined)
  const last = succeeded(await call('GET', '/v1/customers?limit=1000&sortOrder=desc&skip=3'))
  assert.deepEqual(idsOf(last.data), ids.slice(0, -3).reverse())
  assert.deepEqual(last.meta, { count: many, skip: 3, limit: 1000 })

  const plain = await call('GET', '/v1/api/customers?limit=185&skip=7&total=true')
  assert.deepEqual(idsOf(plain.body), ids.slice(7, 192))
  assert.equal(plain.headers.get('x-total-count'), String(many))
  const path = '/v1/api/customers?limit=185&skip'
  assert.equal(
    plain.headers.get('link'),
    [
      `<${path}=0&total=true>; rel="first"`,
      `<${path}=0&total=true>; rel="prev"`,
      `<${path}=192&total=true>; rel="next"`,
    ].join(', '),
  )
  assert.equal((await call('HEAD', '/v1/customers?limit=190')).status, 200)
  await until('no cursor is left', async () => (await holding(service)).length === 0)
})

test('pages of products, variants, custom-table values, extended customers, a table’s rows and extensions have their limit too', async () => {
  const { call } = await service.company()
  const product = succeeded(await call('POST', '/v1/product', { name: 'A', description: long }), 201)
  const products = await copies(service, 'products', product.id)
  assert.deepEqual(idsOf(succeeded(await call('GET', '/v1/products?limit=199')).data), products.slice(0, 199))

  const body = {
    productId: product.id,
    metadata: [{ key: 'a', value: long }],
    inventory: [{ outletId: 'o', stock: 3 }],
  }
  const variant = succeeded(await call('POST', '/v1/variant', body), 201)
  const variants = await copies(service, 'variants', variant.id, ['shown'])
  const listed = succeeded(await call('GET', '/v1/variants?limit=195&sortBy=price')).data
  assert.deepEqual(idsOf(listed), variants.slice(0, 195))
  assert.deepEqual(listed[194], { ...variant, id: variants[194] })
  const [record] = succeeded(await call('GET', '/v1/variants?limit=195&skip=1&etags=true')).data
  const { headers } = await call('GET', `/v1/variant/${record.id}`)
  assert.deepEqual(record, { ...variant, id: variants[1], etag: headers.get('etag') })

  const table = await makeTable(
    call,
    { customer: { type: 'string', referenceLinkedCollection: 'customers' }, text: 'string' },
    'loyalty',
  )
  const customer = succeeded(await call('POST', '/v1/customer', { firstName: 'A', loyalty: { text: long } }), 201)
  const customers = await copies(service, 'customers', customer.id, ['shown'])
  const extended = succeeded(await call('GET', '/v1/customers?limit=180')).data
  assert.deepEqual(idsOf(extended), customers.slice(0, 180))
  assert.deepEqual(extended.at(-1), { ...customer, id: customers[179] })

  const row = await table.read((await call('GET', table.path)).body[0]._id.$oid)
  const rows = await copies(service, 'custom_table_rows', row._id.$oid, ['cells'])
  const page = await call('GET', `${table.path}?limit=150&skip=10&total=true`)
  assert.deepEqual(idsOf(page.body), rows.slice(10, 160))
  assert.equal(page.headers.get('x-total-count'), String(many))
  assert.match(page.headers.get('link') ?? '', /skip=160[^,]*>; rel="next"/)
  assert.deepEqual(idsOf(succeeded(await call('GET', table.path))), rows)

  const filters = `tableId=${table.id}&rowId=${row._id.$oid}`
  const found = succeeded(await call('GET', `/v1/api/custom-table-values?${filters}`))
  const value = found.find((one: Body) => one.value === long)
  assert.deepEqual(value.tableId, oid(table.id))
  // A row has one value of a field, so each copy is another row's.
  await service.database.query(
    `insert into custom_table_values (company_id, id, body)
     select company_id, made, replace(replace(body::text, $1, made), $2, copy)::json
     from custom_table_values,
       (select copy, left($1, 18) || substr(copy, 19) as made from unnest($3::text[]) as copy) as ids
     where id = $1`,
    [value._id.$oid, row._id.$oid, rows.slice(1)],
  )
  assert.equal(
    succeeded(await call('GET', `/v1/api/custom-table-values?tableId=${table.id}&limit=1000`)).length,
    many + 1,
  )

  const description = 'x'.repeat(99_000)
  const extension = await makeExtension(call, { name: 'A', description })
  await service.database.query(
    `insert into extensions (organization_id, id, organization_order, body)
     select organization_id, left(id, 18) || 'ff' || to_char(n, 'FM0000'), organization_order, replace(body::text, id, left(id, 18) || 'ff' || to_char(n, 'FM0000'))::json
     from extensions, generate_series(1, 199) as n where id = $1`,
    [extension.id],
  )
  const own = succeeded(await call('GET', '/v1/organization-api/extensions?limit=190'))
  assert.equal(own.data.length, 190)
  assert.equal(own.meta.count, many)
  const published = await call('GET', '/v1/public/published-extensions?limit=190&skip=5')
  assert.deepEqual(idsOf(published.body), idsOf(own.data).slice(5).concat(idsOf(published.body).slice(-5)))
  assert.deepEqual([published.body.length, published.headers.get('x-total-count')], [190, String(many)])
  assert.match(published.headers.get('link') ?? '', /skip=195>; rel="next"/)
})

test('a page of large records contains all of them, and the next page continues after it', async () => {
  const { call } = await service.company()
  // Each is longer than a chunk of a streamed page.
  const notes = ['x'.repeat(STREAMED_CHARACTERS / 2), 'y'.repeat(STREAMED_CHARACTERS / 2)]
  await call(
    'POST',
    '/v1/customers',
    Array.from({ length: 4 }, (_, n) => ({ firstName: `${n}`, notes })),
  )
  const all = (await call('GET', '/v1/customers?limit=1000')).body
  assert.deepEqual([all.data.length, all.meta], [4, { count: 4, skip: 0, limit: 1000 }])
  const first = (await call('GET', '/v1/customers?limit=3')).body
  const rest = (await call('GET', `/v1/customers?limit=3&cursor=${first.meta.nextCursor}`)).body
  assert.deepEqual([...first.data, ...rest.data], all.data)
  assert.equal(rest.meta.nextCursor, undefined)
})

test('a page that cannot be finished closes the connection before its JSON ends; a client that disconnects releases the snapshot; the next page shows the records as they were when it began, whatever is written during its transfer', async () => {
  const company = await filled()
  const { call, ids } = company
  const cut = await begun(company, '/v1/customers?limit=1000')
  const [pid] = await holding(service)
  await service.database.query('select pg_terminate_backend($1::int)', [pid])
  await assert.rejects(cut.rest(), /terminated/)

  const { abort } = await begun(company, '/v1/api/customers?limit=1000')
  assert.equal((await holding(service)).length, 1)
  abort()
  await until('the snapshot is gone', async () => (await holding(service)).length === 0)

  const { rest } = await begun(company, '/v1/customers?limit=190')
  succeeded(await call('PATCH', `/v1/customer/${ids[189]}`, { firstName: 'Later' }))
  await service.database.query('delete from customers where company_id = $1 and id = any($2)', [
    company.id,
    ids.slice(100, 180),
  ])
  const [first] = succeeded(await call('POST', '/v1/customers', [{ firstName: 'New' }])).results
  assert.equal(first.status, 'success')
  const { data, meta } = JSON.parse(await rest())
  assert.deepEqual(idsOf(data), ids.slice(0, 190))
  assert.deepEqual(new Set(data.map(({ firstName }: Body) => firstName)), new Set(['Anne']))
  const next = succeeded(await call('GET', `/v1/customers?limit=190&cursor=${meta.nextCursor}`))
  assert.deepEqual(idsOf(next.data).slice(0, -1), ids.slice(190))
  assert.equal(succeeded(await call('GET', '/v1/customers?limit=1')).meta.count, many - 80 + 1)
})

test('a response that comes after its deadline, or after its client, ends its stream', async (t) => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const ended = new Set<string>()
  const route = (path: string, deadlineMs: number): Route => ({
    method: 'GET',
    path,
    surface: 'public',
    operationId: path,
    tag: '',
    summary: '',
    replies: {},
    semaphore: 'none',
    deadlineMs,
    handle: async () => {
      if (path === '/left') begun.resolve()
      await gate.promise
      const stream: AsyncIterableIterator<Buffer> = {
        next: async () => ({ done: false, value: Buffer.alloc(100_000) }),
        return: async () => {
          ended.add(path)
          return { done: true, value: undefined }
        },
        [Symbol.asyncIterator]: () => stream,
      }
      return { status: 200, body: '', stream }
    },
  })
  const { url, server } = await listeningServer(t, [route('/late', 1), route('/left', 60_000)])
  const response = await fetch(`${url}/late`)
  assert.equal(response.status, 503)
  assert.equal(((await response.json()) as Body).reason, 'deadline')
  const arrived = once(server, 'connection')
  const client = connectSocket(Number(new URL(url).port), '127.0.0.1')
  const [connection] = (await arrived) as [Socket]
  client.write('GET /left HTTP/1.1\r\nhost: a\r\n\r\n')
  await begun.promise
  const gone = once(connection, 'close')
  client.destroy()
  await gone
  gate.resolve()
  await until('both streams have ended', () => ended.size === 2)
})

describe('little memory', () => {
  const small = testService({ bounds: { answersBytes: 10 * 1024 * 1024 } })

  test('a long page without memory is 503 before its first byte, and takes no place of lists', async () => {
    const company = await filled(small)
    const first = await begun(company, '/v1/customers?limit=1000', small)
    assertProblem(await company.call('GET', '/v1/customers?limit=1000'), 503, 'unavailable')
    assertProblem(await company.call('GET', '/v1/api/customers?limit=1000'), 503, 'unavailable')
    // A page that is read slowly takes neither a place of the lists nor another company's budget.
    const other = await small.company()
    assert.deepEqual(succeeded(await other.call('GET', '/v1/customers')).data, [])
    assert.deepEqual(idsOf(JSON.parse(await first.rest()).data), company.ids)
    assert.deepEqual(idsOf(succeeded(await company.call('GET', '/v1/customers?limit=1000')).data), company.ids)
  })
})

test('a cursor ends after its time limit, and an error of one leaves the others unaffected', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection)
  const client = await database.connectAlone()
  t.after(() =>
    client
      .end()
      .then(() => database.close())
      .finally(drop),
  )
  const ask = async (text: string, values?: readonly unknown[]) =>
    (await client.query({ text, values: values as unknown[], rowMode: 'array' })).rows as unknown[][]
  const turn = fairSemaphore({ name: 'test', atOnce: 1, waiting: 1 })
  const open = cursors((work) => turn({ tenant: '', isGone: () => false }, () => work(ask)), 300)
  const waiter = { tenant: 'one', isGone: () => false }
  const good = await open(waiter, 'select n from generate_series($1::int, 9) as n', [1])
  assert.deepEqual(good.first, [1])
  await assert.rejects(open(waiter, 'select 1 / n from generate_series(0, 9) as n', []), /division by zero/)
  await assert.rejects(open(waiter, 'select nothing', []), /does not exist/)
  const other = await open(waiter, 'select n from generate_series(20, 30) as n', [])
  assert.deepEqual(await good.fetch(3), [[2], [3], [4]])
  assert.deepEqual(await other.fetch(1), [[21]])
  other.close()
  await until('its time is over', async () =>
    good.fetch(1).then(
      () => false,
      ({ code }) => code === 'unavailable',
    ),
  )
  await until('the transaction has ended', async () => {
    const [row] = await database.query(
      `select count(*) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    )
    return row?.[0] === 0
  })
})

test('a cursor that is opened at the moment when the last of the others ends gets its rows', async () => {
  const open = cursors((work) => work(async () => [[1]]))
  const waiter = { tenant: '', isGone: () => false }
  for (let turns = 0; turns < 50; turns++) {
    const before = await open(waiter, 'select 1', [])
    before.close()
    for (let turn = 0; turn < turns; turn++) await undefined
    const cursor = await open(waiter, 'select 1', [])
    assert.deepEqual(await cursor.fetch(1), [[1]])
    cursor.close()
    await new Promise(setImmediate)
  }
})
