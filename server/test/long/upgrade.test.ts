// An upgrade without a pause: the previous version keeps serving while this one migrates the database and serves beside
// it, and no write is lost or done twice.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect } from '../../src/database/connect.ts'
import { assertColumns } from '../support/columns.ts'
import { copyDatabase } from '../support/database.ts'
import { dataFolder, type Program, serve, until, urlOf } from '../support/program.ts'
import { receiver } from '../support/receiver.ts'

/** The version before: the last commit without migration 0038. Each release sets it to the release before. */
const VERSION_BEFORE = '0970e0441510d526f884f9f360aee26b952eba72'
const WRITERS = 8
/** Rounds of each writer once both versions serve. */
const ROUNDS = 25
/** Customers from before the upgrade: without them the migrations would be over before a write comes. */
const STORED = 20_000
const IN_STOCK = 100_000

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

/** Unpacks the version before into a folder; returns its program. */
async function unpack(t: TestContext): Promise<string> {
  const folder = await dataFolder(t)
  await run('/bin/sh', ['-c', `git archive ${VERSION_BEFORE} server console package.json | tar -x -C "$0"`, folder], {
    cwd: root,
  })
  await mkdir(join(folder, 'node_modules'))
  // Without its bundler it builds no console, which this test does not open.
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== 'vite') await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  return join(folder, 'server/bin/cashwrap.js')
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly isReplay: boolean
}

/** Sends a request as a till does: after a 503 again, with the same key, at the next server. */
class Till {
  readonly servers: string[]
  readonly key: string
  refusals = 0
  #next = 0

  constructor(servers: string[], key: string) {
    this.servers = servers
    this.key = key
  }

  /** The server of the next request. */
  server(): string {
    return this.servers[this.#next++ % this.servers.length] as string
  }

  async at(url: string, method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': this.key,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const isReplay = response.headers.get('idempotent-replayed') === 'true'
    return { status: response.status, text: await response.text(), isReplay }
  }

  async call(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<any> {
    for (;;) {
      const { status, text } = await this.at(this.server(), method, path, body, idempotencyKey)
      if (status < 300) return JSON.parse(text)
      const isAgain = status === 503 || (status === 409 && JSON.parse(text).code === 'idempotency_in_progress')
      assert.ok(isAgain, `${method} ${path}: ${status} ${text}`)
      this.refusals++
      await delay(100)
    }
  }

  /** All of a list, page by page, at one server. */
  async all(url: string, path: string): Promise<any[]> {
    const records: any[] = []
    for (let query = '?limit=1000&cursor='; ; ) {
      const { text } = await this.at(url, 'GET', path + query)
      const { data, meta } = JSON.parse(text)
      records.push(...data)
      if (meta.nextCursor === undefined) return records
      query = `?limit=1000&cursor=${meta.nextCursor}`
    }
  }

  async feed(url: string): Promise<any[]> {
    const events: any[] = []
    for (let after = '0'; ; ) {
      const { data, meta } = JSON.parse((await this.at(url, 'GET', `/v1/events?limit=1000&after=${after}`)).text)
      events.push(...data)
      after = meta.nextCursor
      if (!meta.hasMore) return events
    }
  }
}

/** What writers have written: the last state of each record, the answers under their keys, and the units sold. */
interface Written {
  readonly customers: Map<string, any>
  readonly answers: Map<string, { method: string; path: string; body: unknown; record: any }>
  sold: number
}

interface Shop {
  readonly outletId: string
  readonly variantId: string
}

/** What writes need, and how this version is started. */
interface Upgrade {
  readonly key: string
  readonly shop: Shop
  readonly start: () => Promise<Program>
}

interface Upgraded {
  readonly after: Program
  readonly written: Written
}

/** One round of a writer: a customer that is created and changed twice, read wherever it was not written, and a sale. */
async function round(till: Till, name: string, shop: Shop, written: Written) {
  const keyed = async (method: string, path: string, body: unknown, key: string) => {
    const record = await till.call(method, path, body, key)
    written.answers.set(key, { method, path, body, record })
    return record
  }
  const { id } = await keyed(
    'POST',
    '/v1/customer',
    { firstName: name, tags: ['new'], email: `${name}@example.com` },
    `${name} a`,
  )
  await keyed('PATCH', `/v1/customer/${id}`, { lastName: 'Ünal', tags: ['new', 'changed'] }, `${name} b`)
  const last = await keyed('PATCH', `/v1/customer/${id}`, { externalId: name }, `${name} c`)
  written.customers.set(id, last)
  assert.deepEqual(await till.call('GET', `/v1/customer/${id}`), last)
  const { data } = await till.call('GET', `/v1/customers?externalId=${name}`)
  assert.deepEqual(data, [last])
  const searched = await till.call('GET', `/v1/customers?limit=5&searchByEmail=${name}@&sortBy=createdAt`)
  assert.deepEqual(searched.data, [last])
  const lineItems = [{ variantId: shop.variantId, price: '12.50', quantity: 1 }]
  const payments = [{ paymentMethod: 'cash', amount: '20.00' }]
  await keyed('POST', '/v1/sale', { outletId: shop.outletId, lineItems, payments }, `${name} d`)
  written.sold++
}

/** A shop from before the upgrade, with a webhook for its customers. */
async function openShop(till: Till, hook: string): Promise<Shop> {
  const [{ id: outletId }] = (await till.call('GET', '/v1/outlets')).data
  const { id: productId } = await till.call('POST', '/v1/product', { name: 'Beans', status: 'active', tags: ['sold'] })
  const { id: variantId } = await till.call('POST', '/v1/variant', {
    productId,
    sku: 'ESP',
    price: 12.5,
    manageStock: true,
  })
  const items = [{ productId, variantId, outletId, quantity: IN_STOCK }]
  await till.call('POST', '/v1/inventories/set-levels', { items })
  for (let n = 0; n < STORED; n += 1_000) {
    const customers = Array.from({ length: 1_000 }, (_, one) => ({
      firstName: `stored ${n + one}`,
      tags: ['stored', '日本'],
    }))
    await till.call('POST', '/v1/customers', { items: customers })
  }
  await till.call('POST', '/v1/automation-trigger', { triggerType: 'customer.*', triggerUrl: hook })
  return { outletId, variantId }
}

/** Writes at the version before while this one starts, and then at both; resolves once every writer is done. */
async function writeThrough(t: TestContext, servers: string[], { key, shop, start }: Upgrade): Promise<Upgraded> {
  const written: Written = { customers: new Map(), answers: new Map(), sold: 0 }
  const tills = Array.from({ length: WRITERS }, () => new Till(servers, key))
  let isJoined = false
  const writers = tills.map(async (till, writer) => {
    for (let n = 0, left = ROUNDS; left > 0; n++) {
      if (isJoined) left--
      await round(till, `w${writer}-${n}`, shop, written)
    }
  })
  const allWritten = Promise.all(writers)
  await Promise.race([allWritten, until('all writers write', () => written.customers.size >= WRITERS)])
  const atStart = written.answers.size
  const after = await start()
  const meanwhile = written.answers.size - atStart
  assert.ok(meanwhile > 0)
  servers.push(after.url)
  isJoined = true
  await allWritten
  const refusals = tills.reduce((sum, one) => sum + one.refusals, 0)
  t.diagnostic(
    `${written.answers.size} writes, ${meanwhile} of them while this version started; ${refusals} refused with 503, repeated`,
  )
  return { after, written }
}

/** Asserts that both servers show all that was answered, once, and what was stored before as it was. */
async function assertWritten(till: Till, servers: string[], stored: readonly any[], { customers, sold }: Written) {
  const expected = new Map([...stored.map((record) => [record.id, record] as const), ...customers])
  for (const url of servers) {
    const shown = await till.all(url, '/v1/customers')
    assert.equal(shown.length, expected.size)
    for (const record of shown) assert.deepEqual(record, expected.get(record.id))
    const [level] = await till.all(url, '/v1/inventories')
    assert.equal(level.stock, IN_STOCK - sold)
    assert.equal((await till.all(url, '/v1/orders')).length, sold)
    const found = JSON.parse((await till.at(url, 'GET', '/v1/customers?tags=stored&limit=1')).text)
    assert.equal(found.meta.count, STORED)
  }
}

/** Asserts that a request that is repeated does nothing, at either server, and gets the same answer. */
async function assertRepeated(till: Till, servers: string[], { answers }: Written) {
  for (const [n, [key, { method, path, body, record }]] of [...answers].entries()) {
    if (n % 13 !== 0) continue
    for (const url of servers) {
      const { isReplay, text } = await till.at(url, method, path, body, key)
      assert.deepEqual([isReplay, JSON.parse(text)], [true, record])
    }
  }
}

const isInClone = await run('git', ['cat-file', '-e', `${VERSION_BEFORE}^{commit}`], { cwd: root }).then(
  () => true,
  () => false,
)
const skip = !isInClone && `The commit ${VERSION_BEFORE} is not in this clone: git fetch --unshallow`

test('while this version migrates and serves, the previous one keeps serving: no write is lost or done twice, and each sees the other’s', {
  skip,
}, async (t) => {
  const program = await unpack(t)
  const { connection, drop } = await copyDatabase('template0')
  t.after(drop)
  const environment = {
    DATABASE_URL: urlOf(connection),
    CASHWRAP_WEBHOOK_ALLOW: '127.0.0.1',
    CASHWRAP_RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
  }
  const before = await serve(t, environment, ['--json'], program)
  const hooks = await receiver(t)
  const servers = [before.url]
  const first = new Till(servers, before.said.companyKey)
  const shop = await openShop(first, hooks.url)
  const stored = await first.all(before.url, '/v1/customers')
  assert.equal(stored.length, STORED)

  const start = () => serve(t, environment)
  const { after, written } = await writeThrough(t, servers, { key: first.key, shop, start })
  await assertWritten(first, servers, stored, written)

  // The feed has each change once, the same at both, and the receiver got each event.
  const events = await first.feed(after.url)
  // The version before does not show who made a write. Events are compared one by one: a diff of all of them takes gigabytes.
  const known = events.map(({ actor: _, ...event }) => event)
  const shown = await first.feed(before.url)
  assert.equal(shown.length, known.length)
  for (const [n, event] of shown.entries()) assert.deepEqual(event, known[n])
  const ofWritten = events.filter(({ recordId }) => written.customers.has(recordId))
  assert.equal(ofWritten.length, 3 * written.customers.size)
  await until('all webhooks came', () => {
    const came = new Set(hooks.received.map(({ headers }) => headers['webhook-id']))
    return ofWritten.every(({ id }) => came.has(id))
  })

  await assertRepeated(first, servers, written)
  await assertWritten(first, servers, stored, written)
  const database = connect(connection, { size: 1 })
  await assertColumns({ database }).finally(() => database.close())
  for (const server of [before, after]) assert.equal((await server.stop()).code, 0)

  // It runs on, and does not start on the newer schema: that is promised from v0.2.0 on.
  await assert.rejects(serve(t, environment, ['--json'], program), /code 1: .*created by a newer version/s)
})
