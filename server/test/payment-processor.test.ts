// Every company becomes exactly one customer of the payment processor: at any time, with any number of servers, and
// whenever one of them ends (decisions §10).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { growingPause } from '../src/concurrency/growing-pause.ts'
import { PROCESSOR_PAUSE_MOST_MS, PROCESSOR_PAUSE_MS } from '../src/features/payment-processor/registering.ts'
import { resumeOutsideCalls, silenceOutsideCalls } from '../src/features/restores/restored.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import { startService } from '../src/service.ts'
import {
  assertOne,
  done,
  newCompany,
  ownDatabase,
  secretKey,
  standing,
  started,
  unserved,
} from './support/payment-processor.ts'
import { cashwrap, serve, until, urlOf } from './support/program.ts'
import { serveHere } from './support/served.ts'
import { testSettings } from './support/service.ts'
import { stripeDouble, stripeError, type Trouble } from './support/stripe-double.ts'

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
  const second = await serveHere(t, connection, { stripe: { secretKey, apiBase: double.url } })
  await until('the customer is there', async () => (await listed()).paymentCustomer.state === 'done')
  assert.deepEqual(
    double.customers.map(({ id, metadata }) => [id, metadata.company_id]),
    [[(await listed()).paymentCustomer.customerId, companyId]],
  )
  assert.equal(double.creates().length, 2)
  assert.match((await cashwrap(['company', 'list'], environment)).stdout, /cus_00000000000001/)
  await second.stop()
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
