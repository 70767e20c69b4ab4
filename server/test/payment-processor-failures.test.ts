// Every company becomes exactly one customer of the payment processor, however the processor fails: it is asked again, and a customer that it made is found (decisions §10).
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ProcessorCustomer } from '../src/features/payment-processor/customers.ts'
import { PROCESSOR_AT_ONCE } from '../src/features/payment-processor/registering.ts'
import { assertOne, done, newCompany, standing, started } from './support/payment-processor.ts'
import { until } from './support/program.ts'
import { type StripeDouble, stripeError, type Trouble } from './support/stripe-double.ts'

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
const usual = shared({})
const hasty = shared({ timeoutMs: 500 })
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
const page = (data: unknown) => ({ body: JSON.stringify({ object: 'list', data, has_more: true }) })
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
    let isMended = false
    const pauseMs = (tries: number) => {
      tried.push(tries)
      // On a loaded machine a call may take longer than its lease, and is then tried again.
      return isMended ? 0 : 1_000_000
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
    isMended = true
    await database.query('update payment_customers set next_try_at = now()')
    for (const companyId of stuck) await assertOne(double, database, companyId)
  })
