// Every company becomes exactly one customer of the payment processor: through any failures of the processor and the servers, with any number of servers (decisions §10).
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import pino from 'pino'
import { growingPause } from '../src/concurrency/growing-pause.ts'
import { type Connection, connect, type Database } from '../src/database/connect.ts'
import type { ProcessorCustomer } from '../src/features/payment-processor/customers.ts'
import {
  PROCESSOR_AT_ONCE,
  PROCESSOR_PAUSE_MOST_MS,
  PROCESSOR_PAUSE_MS,
} from '../src/features/payment-processor/registering.ts'
import { resumeOutsideCalls, silenceOutsideCalls } from '../src/features/restores/outside-calls.ts'
import { createCompany, createOrganization, readCompany } from '../src/features/tenants/tenants.ts'
import { type ServiceSettings, startService } from '../src/service.ts'
import { copyDatabase } from './support/database.ts'
import { cashwrap, serve, until, urlOf } from './support/program.ts'
import { testSettings } from './support/service.ts'
import { type StripeDouble, stripeDouble, stripeError, type Trouble } from './support/stripe-double.ts'

const secretKey = 'sk_test_a_key_that_nobody_may_see_51Hx'

/** What lives as long as a test, or the file. */
type Lived = Pick<TestContext, 'after'>

/** A database of the test's own. */
async function ownDatabase(t: Lived): Promise<Connection> {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  return connection
}

/** A server with Stripe's double, which retries at once; `timeoutMs` for a call. */
async function started(
  t: Lived,
  { timeoutMs, ...settings }: Partial<ServiceSettings> & { timeoutMs?: number } = {},
  connection?: Connection,
) {
  const double = await stripeDouble(t)
  const registering = { pauseMs: () => 0 }
  const stripe = { secretKey, apiBase: double.url, timeoutMs }
  const service = await startService(connection ?? (await ownDatabase(t)), {
    ...testSettings,
    ...{ stripe, registering },
    ...settings,
  })
  t.after(() => service.close())
  return { double, database: service.database }
}

/** Does something in a database that no server has open. */
async function unserved<T>(connection: Connection, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect(connection, { size: 1 })
  return work(database).finally(() => database.close())
}

async function newCompany(database: Database): Promise<string> {
  const { organizationId } = await createOrganization(database, { name: 'Test' })
  const { companyId } = await createCompany(database, { name: 'Söhne & Co', currency: 'EUR', organizationId })
  return companyId
}

const standing = async (database: Database, companyId: string): Promise<ProcessorCustomer> => {
  const { paymentCustomer } = await readCompany(database, companyId)
  assert.ok(paymentCustomer, 'the company is registered')
  return paymentCustomer
}
const done = (database: Database, companyId: string) =>
  until('the customer is there', async () => (await readCompany(database, companyId)).paymentCustomer?.state === 'done')

/** Checks that the one customer of a company at the double is the one that we know of. */
async function assertOne(double: StripeDouble, database: Database, companyId: string): Promise<void> {
  await done(database, companyId)
  const own = double.customers.filter(({ metadata }) => metadata.company_id === companyId)
  assert.equal(own.length, 1)
  const { customerId, processor, lastError } = await standing(database, companyId)
  assert.deepEqual([customerId, processor, lastError], [own[0]?.id, 'stripe', undefined])
}

test('a new company becomes a customer by one call, with its name, its ids and an idempotency key of its own', async (t) => {
  const { double, database } = await started(t)
  const companyId = await newCompany(database)
  await assertOne(double, database, companyId)
  const { organizationId } = (
    await database.query(`select json_build_object('organizationId', organization_id) from companies`)
  ).map(([text]) => JSON.parse(text))[0]
  const [call, ...more] = double.seen
  assert.deepEqual(more, [])
  assert.deepEqual([call?.method, call?.path], ['POST', '/v1/customers'])
  assert.deepEqual(call?.form, {
    name: 'Söhne & Co',
    'metadata[company_id]': companyId,
    'metadata[organization_id]': organizationId,
  })
  assert.equal(call?.headers['content-type'], 'application/x-www-form-urlencoded')
  assert.match(String(call?.headers['idempotency-key']), new RegExp(companyId))
  assert.equal(call?.headers['x-stripe-client-telemetry'], undefined)
  assert.equal((await standing(database, companyId)).tries, 1)
})

test('on a restored database companies are onboarded, and become customers once calls are resumed', async (t) => {
  const connection = await ownDatabase(t)
  await unserved(connection, (database) => silenceOutsideCalls(database, new Date().toISOString()))
  const { double, database } = await started(t, {}, connection)
  const companyId = await newCompany(database)
  // A server of another database has looked meanwhile.
  const other = await started(t)
  await assertOne(other.double, other.database, await newCompany(other.database))
  assert.deepEqual(double.seen, [])
  const { state, tries } = await standing(database, companyId)
  assert.deepEqual([state, tries], ['pending', 0])
  assert.equal(await resumeOutsideCalls(database), true)
  await assertOne(double, database, companyId)
})

test('without a Stripe key a company only gets a number', async (t) => {
  const { double, database } = await started(t, { stripe: undefined })
  const companyId = await newCompany(database)
  await done(database, companyId)
  const { processor, customerId } = await standing(database, companyId)
  assert.deepEqual([processor, customerId], ['local', `local_${companyId}`])
  assert.deepEqual(double.seen, [])
})

const troubles: Readonly<Record<string, Trouble>> = {
  'never answers': { silence: 'open' },
  'makes the customer and never answers': { silence: 'open', made: true },
  'cuts the connection': { silence: 'cut' },
  'makes the customer and cuts the connection': { silence: 'cut', made: true },
  'refuses with 400': { status: 400, body: stripeError('invalid_request_error', 'Invalid email address: x') },
  'refuses the key with 401': { status: 401, body: stripeError('invalid_request_error', 'Invalid API Key provided') },
  'refuses with 402': { status: 402, body: stripeError('card_error', 'Declined') },
  'says that the key is in use (409)': { status: 409, body: stripeError('idempotency_error', 'In use') },
  'has too much to do (429)': { status: 429, body: stripeError('invalid_request_error', 'Too many requests') },
  'fails with 500': { status: 500, body: stripeError('api_error', 'Sorry') },
  'fails with 500 and makes the customer': { status: 500, made: true, body: stripeError('api_error', 'Sorry') },
  'answers 200 with HTML': { status: 200, body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } },
  'answers 502 with HTML': { status: 502, body: '<html>Bad gateway</html>' },
  'answers with nothing': { status: 200, body: '' },
  'answers null': { status: 200, body: 'null' },
  'answers with an array': { status: 200, body: '[]' },
  'answers without an id': { status: 200, body: '{"object":"customer"}' },
  'answers with an id that is no id': { status: 200, body: '{"object":"customer","id":["a"]}' },
  'answers with another thing': { status: 200, body: '{"object":"charge","id":"ch_1"}' },
  'answers 500 without an error': { status: 500, body: '{"object":"customer","id":"cus_wrong"}' },
  'sends elsewhere': { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
  'answers with too much': { status: 200, body: `{"object":"customer","id":"cus_1","x":"${'x'.repeat(5_000_000)}"}` },
}
const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends.splice(0)) await end()
})
/** A server for several tests, each with a company of its own. */
function shared(settings: Parameters<typeof started>[1]) {
  let one: ReturnType<typeof started> | undefined
  after(() => {
    one = undefined
  })
  return () => {
    one ??= started({ after: (end) => void ends.unshift(end as () => unknown) }, settings)
    return one
  }
}
const [usual, hasty] = [shared({}), shared({ timeoutMs: 500 })]
for (const [what, trouble] of Object.entries(troubles))
  test(`a processor that ${what} is called again until it succeeds, and then has one customer`, async () => {
    const isSilent = trouble.silence === 'open'
    const { double, database } = await (isSilent ? hasty() : usual())
    // After a failed test one may still be calling.
    const callsFor = (company = '') =>
      double.creates().filter(({ form }) => form['metadata[company_id]'] === company).length
    double.trouble = (_, form) => (callsFor(form['metadata[company_id]']) <= 3 ? trouble : undefined)
    const companyId = await newCompany(database)
    await assertOne(double, database, companyId)
    const calls = callsFor(companyId)
    // A good response may be late too with so short a timeout.
    assert.ok(isSilent ? calls >= 4 : calls === 4)
    assert.equal((await standing(database, companyId)).tries, calls)
  })

test('a failure that the processor stores under the key is resolved with another key, after no customer was found', async (t) => {
  const { double, database } = await started(t)
  const fault = { status: 500, body: stripeError('api_error', 'Sorry'), kept: true } as const
  double.trouble = (create) => (create === 1 ? fault : undefined)
  const companyId = await newCompany(database)
  await assertOne(double, database, companyId)
  const calls = double.seen.map(({ method, headers }) => [method, headers['idempotency-key']])
  const key = `cashwrap-company-${companyId}`
  assert.deepEqual(calls, [
    ['POST', key],
    ['POST', key],
    ['GET', undefined],
    ['POST', `${key}-2`],
  ])
})

test('a customer whose response was lost is found after the key expired, on a later page, and none is created', async (t) => {
  let pauseMs = 1_000_000
  const { double, database } = await started(t, { registering: { pauseMs: () => pauseMs } })
  double.trouble = () => ({ silence: 'cut', made: true })
  const companyId = await newCompany(database)
  await until('it was tried', async () => (await standing(database, companyId)).lastError !== undefined)
  const [first] = double.customers
  assert.ok(first)
  for (let n = 0; n < 150; n++) double.customers.push({ ...first, id: `cus_other${n}`, metadata: { company_id: 'x' } })
  double.forgetKeys()
  double.trouble = () => undefined
  pauseMs = 0
  // A day passes.
  await database.query(
    `update payment_customers set sent_at = sent_at - interval '25 hours', created_at = created_at - interval '25 hours',
       next_try_at = now()`,
  )
  await assertOne(double, database, companyId)
  assert.equal(double.creates().length, 1)
  assert.equal(double.seen.filter(({ method }) => method === 'GET').length, 2)
})

const otherCustomer = (n: number) => ({ id: `cus_other${n}`, object: 'customer', metadata: { company_id: 'other' } })
const page = (data: unknown, has_more = true) => ({ body: JSON.stringify({ object: 'list', data, has_more }) })
const lists: Readonly<Record<string, () => StripeDouble['listTrouble']>> = {
  'never answers': () => () => ({ silence: 'open' }),
  'gives the same page for ever': () => () => page([otherCustomer(1)]),
  'goes round': () => (query) => page([otherCustomer(query.get('starting_after') === 'cus_other1' ? 2 : 1)]),
  'gives new pages for ever': () => {
    let pages = 0
    return () => page([otherCustomer(++pages)])
  },
  'gives empty pages for ever': () => () => page([]),
  'gives no customers': () => () => page([{ id: 'cus_1', object: 'charge' }]),
  'gives no list': () => () => page(undefined),
}
for (const [what, trouble] of Object.entries(lists))
  test(`a list that ${what} postpones its companies, with a reason and growing delays, and blocks no other company`, async (t) => {
    const tried: number[] = []
    const pauseMs = (tries: number) => {
      tried.push(tries)
      return 1_000_000
    }
    const { double, database } = await started(t, {
      timeoutMs: 600_000,
      registering: { pauseMs, leaseMs: 2_000, lookMs: 100 },
    })
    double.trouble = () => ({ status: 400, body: stripeError('invalid_request_error', 'Invalid') })
    double.listTrouble = trouble()
    const stuck = await Promise.all(Array.from({ length: PROCESSOR_AT_ONCE }, () => newCompany(database)))
    const all = async (holds: (customer: ProcessorCustomer) => boolean) =>
      (await Promise.all(stuck.map((id) => standing(database, id)))).every(holds)
    await until('all were refused', () => all(({ lastError }) => lastError?.includes('Invalid') ?? false))
    double.trouble = () => undefined
    await database.query('update payment_customers set next_try_at = now()')
    await until('the list has been asked for', () => double.seen.some(({ method }) => method === 'GET'))
    await done(database, await newCompany(database))
    await until('all were put off', () => all(({ lastError }) => !lastError?.includes('Invalid')))
    assert.ok(await all(({ state, tries }) => state === 'pending' && tries === 2))
    assert.deepEqual(tried.sort(), [...stuck.map(() => 1), ...stuck.map(() => 2)])
    assert.equal(double.customers.length, 1)
    double.listTrouble = () => undefined
    await database.query('update payment_customers set next_try_at = now()')
    for (const companyId of stuck) await assertOne(double, database, companyId)
  })

test('a server does not claim a company that it is still working on, even if the lease has expired', async (t) => {
  const { double, database } = await started(t, { registering: { leaseMs: 60_000, lookMs: 20 } })
  double.trouble = () => ({ silence: 'open' })
  const companyId = await newCompany(database)
  await until('it is asked for', () => double.creates().length === 1)
  await database.query('update payment_customers set next_try_at = now()')
  double.trouble = () => undefined
  // The server checks again because of another company.
  await done(database, await newCompany(database))
  assert.equal((await standing(database, companyId)).tries, 1)
  assert.equal(double.creates().length, 2)
})

test('the parameters under a key stay the same when the company changes meanwhile', async (t) => {
  const { double, database } = await started(t)
  double.trouble = () => ({ silence: 'cut', made: true })
  const companyId = await newCompany(database)
  await until('it was asked for', () => double.creates().length > 0)
  await database.query(`update companies set name = 'Another', email = 'new@example.com'`)
  const before = double.creates().length
  await until('it was asked for again', () => double.creates().length > before + 1)
  double.trouble = () => undefined
  await assertOne(double, database, companyId)
  assert.equal(new Set(double.creates().map(({ form }) => JSON.stringify(form))).size, 1)
})

test('delays grow up to an hour, with jitter, and Retry-After is respected', async (t) => {
  for (let tries = 1; tries < 100; tries++) {
    const longest = Math.min(PROCESSOR_PAUSE_MOST_MS, PROCESSOR_PAUSE_MS * 2 ** (tries - 1))
    const pauses = new Set(
      Array.from({ length: 20 }, () => growingPause(PROCESSOR_PAUSE_MS, PROCESSOR_PAUSE_MOST_MS)(tries)),
    )
    assert.ok(pauses.size > 10)
    for (const pause of pauses) assert.ok(pause >= longest / 2 && pause <= longest)
  }
  const { double, database } = await started(t)
  const body = stripeError('invalid_request_error', 'Too many requests')
  const pauseAfter = async (trouble: Trouble) => {
    double.trouble = () => trouble
    const companyId = await newCompany(database)
    await until('it was refused', async () => (await standing(database, companyId)).lastError !== undefined)
    const [row] = await database.query(
      'select extract(epoch from next_try_at - updated_at)::int from payment_customers where company_id = $1',
      [companyId],
    )
    return row?.[0]
  }
  assert.equal(await pauseAfter({ status: 429, headers: { 'retry-after': '1800' }, body }), 1800)
  assert.equal(await pauseAfter({ status: 503, headers: { 'retry-after': '1800' }, body: '<html>' }), 1800)
  assert.equal(await pauseAfter({ status: 429, headers: { 'retry-after': '999999' }, body }), 3600)
})

test('the secret key is in no error, no log and no row, whatever the processor says', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { double, database } = await started(t, { log })
  const said = `You sent ${secretKey}, sk_live_abc***def,\n${'and so on '.repeat(100)}`
  double.trouble = () => ({ status: 403, body: stripeError('invalid_request_error', said), headers: { x: secretKey } })
  const companyId = await newCompany(database)
  await until('it was refused twice', async () => (await standing(database, companyId)).tries > 2)
  const [row] = await database.query('select row_to_json(payment_customers)::text from payment_customers')
  assert.match(row?.[0], /You sent/)
  for (const text of [row?.[0], ...lines]) assert.doesNotMatch(text, /sk_(test|live)_/)
  assert.match(lines.join(''), /"reason":"Stripe refused the request \(status 403\): You sent/)
  assert.ok(((await standing(database, companyId)).lastError ?? '').length < 250)
})

test('one of two servers registers a company, and each company is registered once', async (t) => {
  const connection = await ownDatabase(t)
  const { double, database } = await started(t, {}, connection)
  const second = await startService(connection, {
    ...testSettings,
    stripe: { secretKey, apiBase: double.url },
  })
  t.after(() => second.close())
  const { organizationId } = await createOrganization(database, { name: 'Test' })
  const make = () => createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
  const companies = await Promise.all(Array.from({ length: 40 }, make))
  for (const { companyId } of companies) await assertOne(double, database, companyId)
  assert.equal(double.creates().length, 40)
})

test('companies that an older version created become customers too', async (t) => {
  const connection = await ownDatabase(t)
  const companyId = await unserved(connection, async (database) => {
    const made = await newCompany(database)
    await database.query('delete from payment_customers')
    return made
  })
  const { double, database } = await started(t, {}, connection)
  await assertOne(double, database, companyId)
})

test('a server that is stopped while it waits for the processor releases the company to the next one at once', async (t) => {
  const connection = await ownDatabase(t)
  const double = await stripeDouble(t)
  const settings = { ...testSettings, stripe: { secretKey, apiBase: double.url } }
  double.trouble = (create) => (create === 1 ? { silence: 'open', made: true } : undefined)
  const first = await startService(connection, settings)
  const companyId = await newCompany(first.database)
  await until('it is asked', () => double.creates().length === 1)
  await first.close()
  const second = await startService(connection, settings)
  t.after(() => second.close())
  await assertOne(double, second.database, companyId)
  assert.equal(double.creates().length, 2)
})

test('a server that is killed between the call and the write leaves one customer, found by the next server once the lease has expired', async (t) => {
  const connection = await ownDatabase(t)
  const double = await stripeDouble(t)
  double.trouble = () => ({ silence: 'open', made: true })
  const environment = {
    DATABASE_URL: urlOf(connection),
    CASHWRAP_STRIPE_SECRET_KEY: secretKey,
    CASHWRAP_STRIPE_API_BASE: double.url,
  }
  const listed = async () => JSON.parse((await cashwrap(['company', 'list', '--json'], environment)).stdout)[0]
  const first = await serve(t, environment)
  await until('the customer was made', () => double.customers.length === 1)
  await first.stop('SIGKILL')
  const { id: companyId, paymentCustomer } = await listed()
  assert.deepEqual([companyId, paymentCustomer.state], [first.said.companyId, 'pending'])
  // While the lease runs no other server calls.
  assert.ok(Date.parse(paymentCustomer.nextTryAt) > Date.now() + 30_000)
  await unserved(connection, (database) => database.query('update payment_customers set next_try_at = now()'))
  double.trouble = () => undefined
  const second = await serve(t, environment)
  await until('the customer is there', async () => (await listed()).paymentCustomer.state === 'done')
  assert.deepEqual(
    double.customers.map(({ id, metadata }) => [id, metadata.company_id]),
    [[(await listed()).paymentCustomer.customerId, companyId]],
  )
  assert.equal(double.creates().length, 2)
  assert.match((await cashwrap(['company', 'list'], environment)).stdout, /cus_00000000000001/)
  assert.equal((await second.stop()).code, 0)
  assert.doesNotMatch(first.log() + second.log(), /sk_test/)
})

test('a wrong key or address of Stripe is refused at the start, with a message that does not contain the key', async (t) => {
  const environment = { DATABASE_URL: urlOf(await ownDatabase(t)) }
  const wrong = [
    { CASHWRAP_STRIPE_SECRET_KEY: 'pk_test_publishable' },
    { CASHWRAP_STRIPE_SECRET_KEY: `${secretKey} x` },
    { CASHWRAP_STRIPE_API_BASE: 'api.stripe.com' },
    { CASHWRAP_STRIPE_API_BASE: 'https://example.com/v1' },
    { CASHWRAP_STRIPE_API_BASE: 'https://user:password@example.com' },
    { CASHWRAP_STRIPE_API_BASE: secretKey },
  ]
  for (const settings of wrong) {
    const { code, stderr } = await cashwrap(['company', 'list'], { ...environment, ...settings } as Record<
      string,
      string
    >)
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(Object.keys(settings)[0] as string))
    assert.doesNotMatch(stderr, /nobody_may_see|publishable|user:password/)
  }
})
