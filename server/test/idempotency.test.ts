// Idempotency keys (decisions §12) on every route: the work of a key is done once, however often and wherever it is requested, and keys are kept for a day.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Claim, FindKept } from '../src/core/idempotency-claim.ts'
import { permissions } from '../src/core/scope.ts'
import { findKept, once } from '../src/engine/idempotency.ts'
import { clearKept } from '../src/engine/idempotency-removal.ts'
import { KeyCache } from '../src/features/keys/key-cache.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { takesIdempotencyKey } from '../src/http/idempotency.ts'
import type { Route } from '../src/http/route.ts'
import { createServer } from '../src/http/server.ts'
import { sealOf } from '../src/seal.ts'
import { startService } from '../src/service.ts'
import { fullBody, leastBody, newReference } from './support/bodies.ts'
import { assertColumns } from './support/columns.ts'
import type { Body, Contract } from './support/contract.ts'
import { customRequest, isOfCustomTables } from './support/custom-table-routes.ts'
import { testConnection } from './support/database.ts'
import { feed } from './support/feed.ts'
import { fileRequest, isOfFiles } from './support/files.ts'
import { assertReplay, secondServerOf, under } from './support/idempotency.ts'
import { importRequest, isOfImports } from './support/imports.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { isRestore, restorePath } from './support/restore-routes.ts'
import { eachRoute, inOneStyle, pathOf, routes, servedBy } from './support/routes.ts'
import { isOfSales, saleRequest } from './support/sale-routes.ts'
import { type Company, testService, testSettings } from './support/service.ts'
import { isUpsert, upsertRequest } from './support/upsert-routes.ts'
import { deliveryRequest, isOfDeliveries } from './support/webhook-routes.ts'

// Background work would change the compared state.
const service = testService({ importing: { isWorking: false }, exporting: { isWorking: false } })
const atSecond = secondServerOf(service)

async function ownConnection() {
  const [row] = await service.database.query('select current_database()')
  return { ...testConnection(), database: row?.[0] }
}

/** A record of a resource, made without a key. */
async function record({ call }: Company, contract: Contract): Promise<string> {
  const { body, text } = await call('POST', `/v1/${contract.one}`, fullBody(contract))
  assert.ok(body.id, text)
  return body.id
}

/** A request that succeeds, and the list that shows its work if that is not the route's own. */
interface Wanted {
  readonly path: string
  readonly body?: Body | string
  readonly headers?: Record<string, string>
  readonly list?: string
}

/** A valid body for a route, single or bulk. */
async function bodyFor(company: Company, route: Route): Promise<Wanted> {
  if (isOfImports(route)) return importRequest(service, company, route)
  if (isOfFiles(route)) return fileRequest(company.call, route)
  if (isOfDeliveries(route)) return deliveryRequest(service, company, route)
  if (isOfCustomTables(route)) return customRequest(company.call, route)
  if (isRestore(route)) return { path: await restorePath(company.call, route) }
  if (isUpsert(route)) return upsertRequest(route)
  const contract = servedBy(route)
  if (isOfSales(route)) return { ...(await saleRequest(company.call, route)), list: '/v1/orders' }
  // An action on many records uses the reference's own example.
  if (contract === undefined) return { path: route.path, body: route.body?.example as Body }
  const { one, unique = [] } = contract
  const change = fullBody(contract, 1)
  for (const member of unique) delete change[member]
  if (route.isBulk) {
    const items =
      route.method === 'POST'
        ? [leastBody(contract), 'no object', leastBody(contract)]
        : [{ ...change, id: await record(company, contract) }, { id: one }]
    return { path: pathOf(route), body: { items } }
  }
  if (route.method === 'POST') return { path: pathOf(route), body: fullBody(contract) }
  return { path: pathOf(route, await record(company, contract)), body: change }
}

const writes = routes.filter((route) => route.surface === 'company' && takesIdempotencyKey(route))

test('every POST, PUT and PATCH repeated under its key returns the same bytes and changes nothing; under the key of another request it is 422, and does nothing', async () => {
  assert.ok(writes.length >= 16 * 4)
  await eachRoute(inOneStyle(writes), async (route) => {
    const company = await service.company()
    const { path, body, list: own, headers } = await bodyFor(company, route)
    const key = { ...under(randomUUID()), ...headers }
    const first = await company.call(route.method, path, body, key)
    assert.ok(Object.hasOwn(route.replies, first.status), first.text)
    const events = await feed(service, company.id)
    const many = servedBy(route)?.many ?? route.path.split('/')[2]
    const list = own ?? (isOfCustomTables(route) ? '/v1/api/custom-table-values' : `/v1/${many}`)
    const before = await company.call('GET', list)
    assertReplay(await company.call(route.method, path, body, key), first)
    assertReplay(await (await atSecond(company))(route.method, path, body, key), first)
    assert.equal((await company.call('GET', list)).text, before.text)
    assert.deepEqual(await feed(service, company.id), events)

    const used = under(randomUUID())
    assert.equal((await company.call('POST', '/v1/customer', { firstName: 'Ann' }, used)).status, 201)
    const after = await feed(service, company.id)
    assertProblem(await company.call(route.method, path, body, { ...used, ...headers }), 422, 'idempotency_conflict')
    assert.deepEqual(await feed(service, company.id), after)
  })
})

test('keys are kept for 24 hours and cleared afterwards, however many there are, and no younger one with them', async () => {
  const { id, call } = await service.company()
  const first = await call('POST', '/v1/customer', { firstName: 'Ann' }, under('young'))
  await service.database.query(
    `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer)
     select $1, 'old ' || n, 'x', now() - interval '24 hours 1 minute', 200, '{}' from generate_series(1, 12000) as n
     union all select $1, 'day ' || n, 'x', now() - interval '23 hours 59 minutes', 200, '{}' from generate_series(1, 10) as n`,
    [id],
  )
  await Promise.all([clearKept(service.database), clearKept((await service.second()).database)])
  const left = await service.database.query('select key from idempotency_keys where owner_id = $1', [id])
  assert.equal(left.length, 11)
  assertReplay(await call('POST', '/v1/customer', { firstName: 'Ann' }, under('young')), first)
})

test('a server clears old keys when it starts, and repeatedly while it runs', async (t) => {
  const { id } = await service.company()
  const age = (key: string) =>
    service.database.query(
      `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer)
       values ($1, $2, 'x', now() - interval '25 hours', 200, '{}')`,
      [id, key],
    )
  const isCleared = async () =>
    (await service.database.query('select 1 from idempotency_keys where owner_id = $1', [id])).length === 0
  await age('before the start')
  const once = await startService(await ownConnection(), testSettings)
  t.after(() => once.close())
  await until('old keys are cleared at the start', isCleared)
  const often = await startService(await ownConnection(), { ...testSettings, clearingMs: 20 })
  t.after(() => often.close())
  for (let n = 0; n < 3; n++) {
    await age(`while it runs ${n}`)
    await until('old keys are cleared while it runs', isCleared)
  }
})

test('clearing continues in smaller batches if PostgreSQL cannot remove a large one in time', {
  skip: skipOnCluster,
}, async (t) => {
  const { id } = await service.company()
  // Simulates rows so large that more than ten at once exceed the time limit of a statement.
  await service.database.query(`
    create function too_slow() returns trigger language plpgsql as $$ begin
      if (select count(*) from removed) > 10 then raise exception 'too slow' using errcode = 'query_canceled'; end if;
      return null;
    end $$;
    create trigger too_slow after delete on idempotency_keys referencing old table as removed
      for each statement execute function too_slow()`)
  t.after(() => service.database.query('drop function too_slow cascade'))
  await service.database.query(
    `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer)
     select $1, 'old ' || n, 'x', now() - interval '25 hours', 200, '{}' from generate_series(1, 1000) as n`,
    [id],
  )
  await clearKept(service.database)
  assert.deepEqual(await service.database.query('select key from idempotency_keys where owner_id = $1', [id]), [])
})

const claimOf = (key: string): Claim => ({ ownerId: newReference(), key, fingerprint: 'x', query: '', status: 201 })

test('a handler whose response would lose a header or its type in a replay fails at its first run, and leaves nothing', async () => {
  for (const more of [{ headers: { link: '</v1/customers>; rel="next"' } }, { contentType: 'text/plain' }]) {
    const work = once(service.database, claimOf('k'), async (connection) => {
      await connection.query("insert into agreements (name, value) values ('lost headers', '')")
      return { status: 201, body: '{}', ...more }
    })
    await assert.rejects(work, /cannot have headers or a content type/)
  }
  assert.deepEqual(await service.database.query("select 1 from agreements where name = 'lost headers'"), [])
})

test('a stored response is not looked up for a request that no client waits for any more', async () => {
  const find = findKept(service.database)
  assert.equal(await find(claimOf('nobody’s'), () => false), undefined)
  const over = await find(claimOf('nobody’s'), () => true).catch((error) => error)
  assert.equal(over.code, 'unavailable', String(over))
})

test('on an organization’s endpoint a key belongs to the organization, and a failure inside the work leaves nothing', async (t) => {
  const keys = new KeyCache(service.database)
  let done = 0
  const route: Route = {
    method: 'POST',
    path: '/v1/organization-api/example',
    surface: 'organization',
    operationId: 'example',
    tag: 'Example',
    summary: 'An example',
    body: { schema: {} },
    replies: { 201: { description: 'Done.', schema: {} } },
    handle: ({ body, claim }) =>
      once(service.database, claim, async (connection) => {
        assert.ok(connection.inTransaction)
        done++
        await connection.query('insert into agreements (name, value) values ($1, $2)', [`example ${done}`, ''])
        if ((body as Body).fails && done === 1) throw new Error('a fault in the middle')
        return { status: 202, body: JSON.stringify({ done }) }
      }),
  }
  const { secretKeys, log } = testSettings
  const patience: unknown[] = []
  const find: FindKept = (claim, isGone) => {
    patience.push(isGone?.())
    return findKept(service.database)(claim, isGone)
  }
  const parts = { findKey: keys.find, keyUsed: keys.used, findKept: find, seal: sealOf(secretKeys) }
  const server = createServer({ routes: [route], ...parts, log })
  t.after(() => server.close().then(() => keys.close()))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const { organizationId } = await service.company()
  const other = await createKey(service.database, { organizationId }, { name: 'Other', permissions })
  const call = (key: string, body: Body) =>
    service.caller({ 'x-org-api-key': key }, url)('POST', route.path, body, under('k'))
  assertProblem(await call(service.organizationKey, { fails: true }), 500, 'internal_error')
  const first = await call(service.organizationKey, { fails: true })
  assert.deepEqual([first.status, first.body], [202, { done: 2 }])
  assertReplay(await call(other.value, { fails: true }), first)
  assertProblem(await call(other.value, {}), 422, 'idempotency_conflict')
  const left = await service.database.query("select name from agreements where name like 'example%'")
  assert.deepEqual(left, [['example 2']])
  assert.deepEqual(patience, [false, false])
})

test('the columns of all records that were written equal the records', () =>
  assertColumns({ database: service.database }))
