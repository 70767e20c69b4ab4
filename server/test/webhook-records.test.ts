// Which calls contain records (decisions §9): those of a trigger whose last writer was allowed to read; all others contain only ids.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Body } from './support/contract.ts'
import { makeTable, oid, succeeded } from './support/custom-tables.ts'
import { person } from './support/people.ts'
import { until } from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { type Caller, testService } from './support/service.ts'

const service = testService({
  webhookAllow: ['127.0.0.0/8'],
  webhooks: { retryDelay: (calls) => (calls < 10 ? 20 : undefined) },
})

/** A receiver that fails its first `failures` calls; the bodies that it got. */
async function hook(failures = 0) {
  const bodies: Body[] = []
  const { url } = await receiver({ after: (end) => after(end as () => void) }, ({ text }, response) => {
    bodies.push(JSON.parse(text))
    response.writeHead(bodies.length > failures ? 204 : 500).end()
  })
  const received = async (count: number): Promise<readonly Body[]> => {
    await until(`${count} calls come`, () => bodies.length >= count)
    return bodies
  }
  return { url, bodies, received }
}

/** A company, and the calls of its key that may write and not read. */
async function shop() {
  const company = await service.company()
  const blind = await service.keyFor(company.id, ['create', 'update'])
  return { ...company, blind: blind.call }
}

const made = async (call: Caller, path: string, body: Body): Promise<Body> =>
  succeeded(await call('POST', path, body), 201)

/** The content of a call without its head, which is checked. */
function reported({ id, timestamp, companyId, triggerId, eventType, actor: _, ...rest }: Body): Body {
  for (const member of [id, timestamp, companyId, triggerId, eventType]) assert.equal(typeof member, 'string')
  return rest
}

test('a call names its trigger: by id, and by the member triggerId if its owner set one', async () => {
  const { call } = await shop()
  const with_ = await hook()
  const without = await hook()
  const common = { triggerType: 'customer.created' }
  const named = await made(call, '/v1/automation-trigger', { ...common, triggerUrl: with_.url, triggerId: 'zap-7' })
  const plain = await made(call, '/v1/automation-trigger', { ...common, triggerUrl: without.url })
  const customer = await made(call, '/v1/customer', { email: 'ann@example.com' })
  const [first] = await with_.received(1)
  const [second] = await without.received(1)
  assert.deepEqual([first?.triggerId, first?.trigger], [named.id, { id: named.id, triggerId: 'zap-7' }])
  assert.deepEqual([second?.triggerId, second?.trigger], [plain.id, { id: plain.id }])
  assert.deepEqual(first?.customer, customer)
})

test('a trigger created by a key without read is called with ids only: first calls, retries, redeliveries, replays and tests, whichever key requests them', async () => {
  const { call, blind } = await shop()
  const { url, received, bodies } = await hook(1)
  const body = { triggerType: 'customer.*', triggerUrl: url, apiKey: 'whsec_c2VjcmV0', customTriggerName: 'CRM' }
  const { id } = await made(blind, '/v1/automation-trigger', body)
  const ofCustom = await hook()
  const aimed = { triggerType: 'custom.*', triggerUrl: ofCustom.url }
  const other = await made(blind, '/v1/automation-trigger', aimed)
  const trigger = { id }
  const head = { customTriggerName: 'CRM', trigger }
  const customer = await made(call, '/v1/customer', { email: 'ann@example.com' })
  const [failed, again] = await received(2)
  for (const one of [failed, again]) assert.deepEqual(reported(one as Body), { ...head, customer: { id: customer.id } })
  succeeded(await call('PATCH', `/v1/customer/${customer.id}`, { firstName: 'Ann' }))
  assert.deepEqual(reported((await received(3))[2] as Body), { ...head, customer: { id: customer.id } })
  await made(call, '/v1/events/custom', { name: 'loyalty', data: { secret: 'gold' } })
  const [custom] = await ofCustom.received(1)
  assert.deepEqual([custom?.eventType, reported(custom as Body)], ['custom.loyalty', { trigger: { id: other.id } }])

  const log = `/v1/automation-trigger/${id}/deliveries`
  await until('all is in the log', async () => {
    const { data } = succeeded(await call('GET', log))
    return data.length === 2 && data.every(({ state }: Body) => state === 'succeeded')
  })
  const { data } = succeeded(await call('GET', log))
  const redelivered = data.find(({ eventType }: Body) => eventType === 'customer.updated')
  succeeded(await call('POST', `${log}/${redelivered.id}/redeliver`))
  assert.deepEqual(reported((await received(4))[3] as Body), { ...head, customer: { id: customer.id } })
  await made(call, `/v1/automation-trigger/${id}/test`, {})
  const tried = (await received(5))[4] as Body
  assert.deepEqual(
    [tried.eventType, reported(tried)],
    ['automation-trigger.test', { ...head, automationTrigger: { id } }],
  )
  const stored = await service.database.query('select event from webhook_deliveries where event is not null and trigger_id = $1', [id]) // biome-ignore format: one thought
  assert.deepEqual(
    stored.map(([event]) => JSON.parse(event).data),
    [{ id }],
  )
  succeeded(await call('POST', `/v1/automation-trigger/${id}/replay`, { since: '2020-01-01T00:00:00Z' }))
  await received(7)
  for (const one of bodies) assert.ok(!JSON.stringify(one).match(/ann@|gold|whsec|previous/), JSON.stringify(one))
})

test('records of custom tables are named by _id, and extended customers without their columns', async () => {
  const { call, blind } = await shop()
  const link = { type: 'string', required: true, referenceLinkedCollection: 'customers' }
  const table = await makeTable(call, { customer: link, tier: 'string' }, 'loyalty')
  const { url, received } = await hook()
  await made(blind, '/v1/automation-trigger', { triggerType: '*', triggerUrl: url })
  const { id } = await made(call, '/v1/customer', { firstName: 'Ann', loyalty: { tier: 'gold' } })
  const { _id } = await made(call, '/v1/api/custom-table-row', { tableId: oid(table.id) })
  const calls = await received(2)
  const found = new Map(calls.map((one) => [one.eventType, one]))
  assert.deepEqual(found.get('customer.created')?.customer, { id })
  assert.deepEqual(found.get('custom-table-row.created')?.customTableRow, { _id })
})

test('the last writer of the URL or the type decides, in both styles and in bulk; another change, and one that changes nothing, does not', async () => {
  const { id: companyId, call, blind } = await shop()
  const updating = (await service.keyFor(companyId, ['update'])).call
  const here = await hook()
  const there = await hook()
  const carries = async (id: string): Promise<boolean> => {
    const [row] = await service.database.query('select carries_records from automation_triggers where id = $1', [id])
    return row?.[0]
  }
  const body = { triggerType: 'customer.created', triggerUrl: here.url }
  const ways: Record<string, (by: Caller, id: string, change: Body) => Promise<unknown>> = {
    PATCH: async (by, id, change) => succeeded(await by('PATCH', `/v1/automation-trigger/${id}`, change)),
    PUT: async (by, id, change) => succeeded(await by('PUT', `/v1/api/automation-triggers/${id}`, change)),
    bulk: async (by, id, change) => {
      const { summary } = succeeded(await by('PATCH', '/v1/automation-triggers', [{ id, ...change }]))
      assert.equal(summary.succeeded, 1)
    },
  }
  for (const [way, change] of Object.entries(ways)) {
    const { id } = await made(blind, '/v1/automation-trigger', body)
    const steps: [Caller, Body, boolean][] = [
      [call, { customTriggerName: 'A' }, false],
      [call, { ...body, isActive: true }, false],
      [call, { triggerType: 'customer.*' }, true],
      [blind, { customTriggerName: 'B', apiKey: 'x' }, true],
      [updating, { triggerUrl: here.url }, true],
      [updating, { triggerUrl: there.url }, false],
      [call, { triggerUrl: here.url }, true],
      [blind, { triggerType: '*' }, false],
      [call, { isActive: false }, false],
      [call, { isActive: true }, false],
    ]
    for (const [n, [by, sent, expected]] of steps.entries()) {
      await change(by, id, sent)
      assert.equal(await carries(id), expected, `${way} ${n}`)
    }
  }
  const { results } = succeeded(await blind('POST', '/v1/automation-triggers', [body, body]))
  const a = await made(blind, '/v1/api/automation-triggers', body)
  for (const id of [...results.map(({ data }: Body) => data.id), a.id]) assert.equal(await carries(id), false)
  const browser = await person(service, { companyId })
  const own = await made(browser.about({ companyId }), '/v1/automation-trigger', body)
  assert.equal(await carries(own.id), true)
})

test('concurrent changes of one trigger by keys with and without read leave what the last of them says', async () => {
  const { call, blind } = await shop()
  const { url } = await hook()
  const { id } = await made(call, '/v1/automation-trigger', { triggerType: '*', triggerUrl: url })
  for (let round = 0; round < 5; round++) {
    const replies = await Promise.all(
      [call, blind, call, blind].map((by, n) =>
        by('PATCH', `/v1/automation-trigger/${id}`, { triggerUrl: `${url}${round}-${n}` }),
      ),
    )
    for (const reply of replies) succeeded(reply)
    const { triggerUrl } = succeeded(await call('GET', `/v1/automation-trigger/${id}`))
    const [row] = await service.database.query('select carries_records from automation_triggers where id = $1', [id])
    assert.equal(row?.[0], Number(triggerUrl.at(-1)) % 2 === 0, triggerUrl)
  }
})
