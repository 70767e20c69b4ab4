// The log of a key: its last requests are shown without what may name a person, are bounded, and never hold a request up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearKeyRequests, KeyRequestLog } from '../src/features/keys/request-log.ts'
import { person } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Company, type TestService, testService } from './support/service.ts'

const service = testService()

interface Shown {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status?: number
  readonly ms: number
  readonly requestId: string
}

/** A company with a further key, and how its owner reads the key's log. */
async function logged() {
  const company = await service.company()
  const key = await service.keyFor(company.id, ['read', 'create'])
  const owner = (await person(service, { companyId: company.id })).about({ companyId: company.id })
  const path = `/v1/keys/${key.id}/requests`
  const shown = async (query = ''): Promise<Shown[]> => (await owner('GET', `${path}${query}`)).body.data
  /** The log once it has that many requests. */
  async function having(count: number): Promise<Shown[]> {
    let found: Shown[] = []
    await until(`the log has ${count} requests`, async () => {
      found = await shown('?limit=1000')
      return found.length >= count
    })
    return found
  }
  return { company, key, owner, path, shown, having }
}

/** Rows of a key, `count` of them, one each second before now. */
const fill = ({ database }: TestService, { id }: Company, keyId: string, count: number) =>
  database.query(
    `insert into key_requests (company_id, key_id, id, at, method, path, status, ms, request_id)
     select $1, $2, lpad(to_hex(n), 24, '0'), now() - n * interval '1 second', 'GET', '/v1/orders', 200, 1, n::text
     from generate_series(1, $3::int) as n`,
    [id, keyId, count],
  )

test('it shows the last requests of a key, refused ones too, newest first, and filters them by status', async () => {
  const { key, having, shown } = await logged()
  const { body: made } = await key.call('POST', '/v1/category', { name: 'Coffee' })
  await key.call('GET', `/v1/category/${made.id}`, undefined, { 'x-request-id': 'mine' })
  await key.call('GET', '/v1/category/6740a1f2c3d4e5f6a7b8c9d0')
  await key.call('DELETE', `/v1/category/${made.id}`)
  await key.call('POST', '/v1/category', {})
  const all = await having(5)
  assert.deepEqual(
    all.map(({ method, path, status }) => [method, path, status]).toSorted(),
    [
      ['POST', '/v1/category', 201],
      ['GET', `/v1/category/${made.id}`, 200],
      ['GET', '/v1/category/6740a1f2c3d4e5f6a7b8c9d0', 404],
      ['DELETE', `/v1/category/${made.id}`, 403],
      ['POST', '/v1/category', 400],
    ].toSorted(),
  )
  assert.deepEqual(
    all.map(({ at }) => at),
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  assert.equal(all.find(({ status }) => status === 200)?.requestId, 'mine')
  assert.ok(all.every(({ ms }) => typeof ms === 'number' && ms >= 0))
  assert.deepEqual((await shown('?status=4xx')).map(({ status }) => status).toSorted(), [400, 403, 404])
  assert.deepEqual(
    (await shown('?status=404')).map(({ status }) => status),
    [404],
  )
  assert.equal((await shown('?limit=2')).length, 2)
})

test('it shows ids, whole numbers, booleans and named choices of a query', async () => {
  const { key, having } = await logged()
  const id = '6740a1f2c3d4e5f6a7b8c900'
  const other = '6740a1f2c3d4e5f6a7b8c901'
  const paths = [`/v1/customers?outletId=${id}&limit=5&count=true&sortOrder=desc`, `/v1/events?recordId=${id},${other}`]
  for (const path of paths) await key.call('GET', path)
  assert.deepEqual((await having(2)).map(({ path }) => path).toSorted(), paths)
})

test('it shows neither a body, nor a key, nor a value of a path or query that may name a person', async () => {
  const { key, having } = await logged()
  const name = 'Gruberova'
  for (const path of [
    `/v1/customers?search=${name}&limit=5&sortOrder=desc&searchByEmail=${name}%40example.com`,
    `/v1/customers?${name}=1`,
    `/v1/customers?limit=${name}`,
    `/v1/customers?createdAt[gte]=1990-01-01`,
    `/v1/customer/${name}`,
    `/v1/customers?search=${name}${'x'.repeat(3000)}`,
  ])
    await key.call('GET', path)
  await key.call('PUT', `/v1/customer/external/${name}/${name}`, { firstName: name })
  const all = await having(7)
  const text = JSON.stringify(all)
  assert.ok(!text.includes(name) && !text.includes('1990') && !text.includes(key.value), text)
  const paths = all.map(({ path }) => path)
  for (const path of [
    '/v1/customers?search={search}&limit=5&sortOrder=desc&searchByEmail={searchByEmail}',
    '/v1/customers?…',
    '/v1/customers?limit={limit}',
    '/v1/customers?createdAt[gte]={createdAt}',
    '/v1/customer/external/{source}/{externalId}',
    '/v1/customer/{id}',
    '/v1/customers',
  ])
    assert.ok(paths.includes(path), `${path} in ${paths.join(' ')}`)
})

test('admins and the organization read it, viewers, keys and other companies do not', async () => {
  const { company, key, having, path } = await logged()
  await key.call('GET', '/v1/orders')
  await having(1)
  const place = { companyId: company.id }
  assertProblem(await (await person(service, place, 'viewer')).about(place)('GET', path), 403, 'permission_denied')
  assertProblem(await key.call('GET', path), 403, 'permission_denied')
  const byOrganization = `/v1/organization-api/companies/${company.id}/keys/${key.id}/requests`
  assert.deepEqual(
    (await company.call('GET', byOrganization)).body.data.map(({ status }: Shown) => status).toSorted(),
    [200, 403],
  )
  const other = await service.company()
  const stranger = (await person(service, { companyId: other.id })).about({ companyId: other.id })
  assertProblem(await stranger('GET', path), 404, 'not_found')
  assertProblem(await company.call('GET', byOrganization.replace(company.id, other.id)), 404, 'not_found')
  assertProblem(await company.call('GET', byOrganization.replace(company.id, 'x')), 404, 'not_found')
})

test('requests at another server are in it, and it keeps the last 1,000', async () => {
  const { company, key, shown } = await logged()
  const elsewhere = service.caller({ 'x-api-key': key.value }, (await service.second()).url)
  await fill(service, company, key.id, 1_200)
  // After 500 of its own rows a server removes what is too old.
  for (let round = 0; round < 25; round++)
    await Promise.all(Array.from({ length: 20 }, () => elsewhere('GET', '/v1/products?limit=1')))
  const stored = async () =>
    (await service.database.query('select count(*) from key_requests where key_id = $1', [key.id]))[0]?.[0]
  await until('older requests are removed', async () => (await stored()) === 1_000)
  const all = await shown('?limit=1000')
  assert.equal(all.filter(({ path }) => path !== '/v1/orders').length, 500)
  assert.deepEqual(
    all.slice(500).map(({ requestId }) => requestId),
    Array.from({ length: 500 }, (_, n) => String(n + 1)),
  )
})

test('a company’s requests are bounded over all of its keys, and those of deleted keys and of last month are removed', async () => {
  const { company, key } = await logged()
  await fill(service, company, key.id, 20_100)
  await fill(service, company, '6740a1f2c3d4e5f6a7b8c9d0', 10)
  const other = await service.company()
  const { id } = await service.keyFor(other.id)
  await fill(service, other, id, 2)
  await service.database.query(
    `update key_requests set at = at - interval '31 days' where key_id = $1 and request_id = '2'`,
    [id],
  )
  await clearKeyRequests(service.database)
  const counts = await service.database.query(
    'select key_id, count(*) from key_requests where company_id = any ($1) group by 1',
    [[company.id, other.id]],
  )
  assert.deepEqual(Object.fromEntries(counts), { [key.id]: 20_000, [id]: 1 })
})

test('a request is answered while its log cannot be written', async () => {
  const { key, having } = await logged()
  let end = () => {}
  const isOver = new Promise<void>((resolve) => {
    end = resolve
  })
  const locked = service.database.transaction(async (transaction) => {
    await transaction.query('lock table key_requests in access exclusive mode')
    for (let n = 0; n < 50; n++) assert.equal((await key.call('GET', '/v1/orders')).status, 200)
    await isOver
  })
  end()
  await locked
  await having(50)
})

/** Notes one request of each of these keys in a log of its own, over and over, and then writes what waits. */
async function noteAll(company: Company, keyIds: readonly string[], times: number): Promise<void> {
  const log = new KeyRequestLog(service.database, { warn: assert.fail } as never)
  for (let n = 0; n < times; n++)
    for (const keyId of keyIds)
      log.note({
        companyId: company.id,
        keyId,
        method: 'GET',
        url: '/v1/orders',
        route: { path: '/v1/orders' },
        requestId: `${n}`,
        status: 200,
        ms: 1,
        at: Date.now(),
      })
  await log.close()
}

/** Makes keys that nobody uses: requests of keys that do not exist are removed at any time. */
const keysOf = async ({ id }: Company, count: number): Promise<string[]> => {
  const rows = await service.database.query(
    `insert into api_keys (id, company_id, name, hash, prefix, last_four, permissions, created_at)
     select left(md5($1 || n), 24), $1, 'Till', md5($1 || n), 'posk_', 'abcd', array['read'], now() from generate_series(1, $2::int) as n returning id`,
    [id, count],
  )
  return rows.map(([id]) => id)
}

const storedOf = async ({ id }: Company) =>
  (await service.database.query('select count(*)::int from key_requests where company_id = $1', [id]))[0]?.[0]

test('no more than 20,000 requests wait, whether they are of many keys or each key already has some', async () => {
  const company = await service.company()
  await noteAll(company, await keysOf(company, 25), 1_000)
  assert.equal(await storedOf(company), 20_000)
})

test('of thousands of keys with few requests, a process trims those that it counted first and counts them no longer', async () => {
  const company = await service.company()
  const keyIds = await keysOf(company, 5_001)
  await fill(service, company, String(keyIds[0]), 1_100)
  await noteAll(company, keyIds, 1)
  assert.equal(await storedOf(company), 1_000 + 5_000)
})

test('the limit over all keys removes the oldest requests, in batches, also when several processes clear at once', async () => {
  const company = await service.company()
  const { id } = await service.keyFor(company.id)
  await service.database.query('delete from key_requests')
  await fill(service, company, id, 100)
  const bounds = { inAll: 40, rows: 7 }
  await Promise.all(Array.from({ length: 3 }, () => clearKeyRequests(service.database, undefined, bounds)))
  const kept = await service.database.query('select request_id from key_requests order by at desc')
  assert.deepEqual(
    kept.map(([requestId]) => requestId),
    Array.from({ length: 40 }, (_, n) => String(n + 1)),
  )
  await clearKeyRequests(service.database, () => true, { inAll: 10 })
  assert.equal(await storedOf(company), 40)
})
