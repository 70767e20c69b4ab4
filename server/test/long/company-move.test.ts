// The move of a company of 100,000 records to a second server: 32 clients write until it is suspended, and each record is compared over the API.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fullBody, leastBody } from '../support/bodies.ts'
import { exported, placeWith } from '../support/company-files.ts'
import { contracts } from '../support/contract.ts'
import { json, serve } from '../support/program.ts'

const RECORDS = 100_000
const WRITERS = 32
/** What most records of a shop are. */
const large = ['customer', 'product', 'variant', 'order', 'transaction']
const lists = [...contracts.map(({ many }) => `/v1/${many}`), '/v1/inventory-history', '/v1/closings']

type Json = any

/** Calls with one key. As tills do, it sends a request again, under its idempotency key, while it is answered 503. */
function client(url: string, key: string) {
  async function send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const headers = { 'x-api-key': key, ...(method !== 'GET' && { 'idempotency-key': randomUUID() }) }
    const json = { 'content-type': 'application/json' }
    const request = body === undefined ? { headers } : { headers: { ...headers, ...json }, body: JSON.stringify(body) }
    for (;;) {
      const response = await fetch(url + path, { method, ...request })
      const text = await response.text()
      if (response.status !== 503) return { status: response.status, text }
    }
  }
  async function call(method: string, path: string, body?: unknown): Promise<Json> {
    const { status, text } = await send(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${text}`)
    return JSON.parse(text)
  }
  /** Creates a customer; false if the company is suspended. */
  async function create(firstName: string): Promise<boolean> {
    const { status, text } = await send('POST', '/v1/customer', { firstName })
    assert.ok([201, 403].includes(status), text)
    return status === 201
  }
  /** All records of a list by id, as text. */
  async function all(path: string): Promise<Map<string, string>> {
    const records = new Map<string, string>()
    for (let cursor = ''; ; ) {
      const { data, meta } = await call('GET', `${path}?limit=1000${cursor && `&cursor=${cursor}`}`)
      for (const record of data) records.set(record.id, JSON.stringify(record))
      if (meta.nextCursor === undefined) return records
      cursor = meta.nextCursor
    }
  }
  return { call, create, all }
}

type Client = ReturnType<typeof client>

/** Fills a company: a full record of each resource, many of some, moved stock, and a custom table with rows. */
async function fill({ call }: Client): Promise<void> {
  for (const contract of contracts) await call('POST', `/v1/${contract.one}`, fullBody(contract))
  for (const contract of contracts.filter(({ one }) => large.includes(one)))
    for (let n = 0; n < RECORDS / large.length; n += 1_000) {
      const items = Array.from({ length: 1_000 }, () => leastBody(contract))
      const { summary } = await call('POST', `/v1/${contract.many}`, { items })
      assert.equal(summary.failed, 0)
    }
  const { data: variants } = await call('GET', '/v1/variants?limit=500')
  const { data: outlets } = await call('GET', '/v1/outlets?limit=1')
  for (const quantity of [5, 7]) {
    const level = { outletId: outlets[0].id, quantity }
    const items = variants.map(({ id, productId }: Json) => ({ productId, variantId: id, ...level }))
    assert.equal((await call('POST', '/v1/inventories/set-levels', { items })).summary.failed, 0)
  }
  const table = await call('POST', '/v1/api/custom-table', { name: 'visits' })
  await call('POST', '/v1/api/custom-table-field', { tableId: table._id, name: 'reason', type: 'string' })
  for (let n = 0; n < 200; n++) await call('POST', '/v1/api/custom-table-data/visits', { reason: `reason ${n}` })
}

/** What a file has: rows by table, and the customers of its rows and of its events. */
async function contentsOf(file: string) {
  const counts: Record<string, number> = {}
  const customers = new Set<string>()
  const created = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { table, row } = JSON.parse(line)
    if (table === undefined) continue
    counts[table] = (counts[table] ?? 0) + 1
    if (table === 'customers') customers.add(row.id)
    if (table === 'events' && row.type === 'customer.created') created.add(row.record_id)
  }
  return { counts, customers, created }
}

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)

test('a company of 100,000 records moves completely after 32 clients have written, and its key still works at the second server', async (t) => {
  const from = await placeWith(t)
  const to = await placeWith(t)
  const { companyId, apiKey } = await from.company()
  const unlimited = { CASHWRAP_RATE_LIMIT: '0' }
  const old = await serve(t, { ...from.environment, ...unlimited })
  const next = await serve(t, { ...to.environment, ...unlimited })
  const source = client(old.url, apiKey)
  await fill(source)

  // They write until the company is suspended.
  let written = 0
  const writer = async () => {
    for (; ; written++) if (!(await source.create(`written ${written}`))) return
  }
  const writers = Array.from({ length: WRITERS }, writer)
  // One snapshot, however many write meanwhile.
  const exporting = performance.now()
  const live = await exported(t, from, companyId)
  const exportSeconds = seconds(exporting)
  const { counts, customers, created } = await contentsOf(live.file)
  for (const [table, count] of Object.entries(live.printed.counts)) assert.equal(counts[table] ?? 0, count, table)
  assert.deepEqual(customers, created)
  assert.ok(written > WRITERS)

  const begun = performance.now()
  await json(from.environment, 'company', 'suspend', companyId)
  await Promise.all(writers)
  const { file, printed } = await exported(t, from, companyId)
  const importing = performance.now()
  const { cursor } = await json(to.environment, 'company', 'import', file)
  const importSeconds = seconds(importing)
  await json(to.environment, 'company', 'unsuspend', companyId)
  const closedSeconds = seconds(begun)

  // Only to read what it had.
  await json(from.environment, 'company', 'unsuspend', companyId)
  const before = new Map<string, Map<string, string>>()
  for (const path of lists) before.set(path, await source.all(path))
  const values = await source.call('GET', '/v1/api/custom-table-values')
  const stock = await source.call('GET', '/v1/reports/stock-value')
  const feed = (await source.call('GET', '/v1/events?limit=1000')).data

  const target = client(next.url, apiKey)
  let compared = 0
  for (const [path, records] of before) {
    const there = await target.all(path)
    assert.deepEqual([...there.keys()], [...records.keys()], path)
    // A trigger that had a secret is switched off.
    if (path !== '/v1/automation-triggers')
      for (const [id, text] of records) assert.equal(there.get(id), text, `${path} ${id}`)
    compared += records.size
  }
  assert.ok(compared > RECORDS)
  assert.deepEqual(await target.call('GET', '/v1/api/custom-table-values'), values)
  assert.deepEqual(await target.call('GET', '/v1/reports/stock-value'), stock)
  const withoutNumber = ({ sequence: _, ...event }: Json) => event
  assert.deepEqual((await target.call('GET', '/v1/events?limit=1000')).data.map(withoutNumber), feed.map(withoutNumber))
  const { id } = await target.call('POST', '/v1/customer', { firstName: 'After the move' })
  const { data } = await target.call('GET', `/v1/events?after=${cursor}`)
  assert.deepEqual(
    data.map(({ recordId }: Json) => recordId),
    [id],
  )
  const megabytes = ((await stat(file)).size / 1e6).toFixed(0)
  t.diagnostic(
    `${compared} records compared; ${printed.rows} rows, ${megabytes} MB: export of the open company ${exportSeconds} s, import ${importSeconds} s, closed for ${closedSeconds} s; ${written} customers were written`,
  )
})
