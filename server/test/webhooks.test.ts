// Webhooks (decisions §9): each event reaches the matching triggers, in order, with retries, and no trigger waits for another's receiver.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Body } from './support/contract.ts'
import { until } from './support/program.ts'
import { type Received, receiver } from './support/receiver.ts'
import { type Caller, testService } from './support/service.ts'

/** Retries without delay, as often as decisions §9 says. */
const webhooks = { retryDelay: (calls: number) => (calls < 10 ? 20 : undefined) }
const settings = { webhookAllow: ['127.0.0.0/8'], webhooks }
const service = testService(settings)

interface Call {
  readonly headers: Received['headers']
  readonly text: string
  readonly body: any
}
interface Hook {
  readonly url: string
  /** All calls so far, in the order in which they arrived completely. */
  readonly calls: readonly Call[]
  /** Resolves once there are that many calls. */
  received(count: number): Promise<readonly Call[]>
}

/** A receiver for the length of the file; by default it answers 200. */
async function listening(
  answer: (response: ServerResponse, calls: readonly Call[]) => unknown = (response) => response.end('ok'),
): Promise<Hook> {
  const calls: Call[] = []
  const { url } = await receiver({ after: (end) => after(end as () => void) }, ({ headers, text }, response) => {
    calls.push({ headers, text, body: JSON.parse(text) })
    answer(response, calls)
  })
  return {
    url,
    calls,
    async received(count) {
      await until(`${count} calls come`, () => calls.length >= count)
      return calls
    },
  }
}

/** Creates a trigger; its record as the create returned it. */
async function trigger(call: Caller, triggerUrl: string, triggerType = '*', more: Body = {}): Promise<Body> {
  const { status, body, text } = await call('POST', '/v1/automation-trigger', { triggerType, triggerUrl, ...more })
  assert.equal(status, 201, text)
  return body
}

async function created(call: Caller, path: string, body: Body): Promise<Body> {
  const reply = await call('POST', path, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

const emails = (calls: Hook['calls']) => calls.map(({ body }) => body.customer?.email)

async function deliveries(call: Caller, id: string): Promise<Body[]> {
  const { body, text, status } = await call('GET', `/v1/api/automation-triggers/${id}/deliveries`)
  assert.equal(status, 200, text)
  return body
}

test('an event reaches the receiver completely, signed according to Standard Webhooks, and is in the log', async () => {
  const { call, id: companyId } = await service.company()
  const hook = await listening()
  const apiKey = `whsec_${Buffer.from('a key of 24 bytes or more').toString('base64')}`
  const made = await trigger(call, hook.url, 'customer.created', { apiKey, customTriggerName: 'CRM' })
  const customer = await created(call, '/v1/customer', { email: 'anne@example.com' })
  const [received] = await hook.received(1)
  assert.ok(received)
  const { id, ...rest } = received.body
  const { timestamp, actor, ...reported } = rest
  assert.equal(actor.type, 'key')
  assert.deepEqual(reported, {
    eventType: 'customer.created',
    companyId,
    triggerId: made.id,
    customTriggerName: 'CRM',
    trigger: { id: made.id },
    customer,
  })
  assert.ok(timestamp >= customer.createdAt, timestamp)
  assert.equal(received.headers['webhook-id'], id)
  assert.equal(received.headers['x-api-key'], apiKey)
  new Webhook(apiKey).verify(received.text, received.headers as Record<string, string>)
  await until('the log says so', async () => (await deliveries(call, made.id)).length === 1)
  const [delivery] = await deliveries(call, made.id)
  assert.equal(delivery?.state, 'succeeded')
  assert.equal(delivery?.eventId, id)
  assert.deepEqual(
    delivery?.attempts.map(({ status, answer }: Body) => [status, answer]),
    [[200, 'ok']],
  )
})

test('a trigger gets the types that it names, by pattern, by an older name and by *; and none of another company', async () => {
  const { call } = await service.company()
  const stranger = await service.company()
  const exact = await listening()
  const pattern = await listening()
  const older = await listening()
  const all = await listening()
  await trigger(call, exact.url, 'customer.updated')
  await trigger(call, pattern.url, 'customer.*')
  await trigger(call, older.url, 'new_customer')
  await trigger(call, all.url, '*')
  await created(stranger.call, '/v1/customer', { email: 'stranger@example.com' })
  const { id } = await created(call, '/v1/customer', { email: 'anne@example.com' })
  await call('PATCH', `/v1/customer/${id}`, { firstName: 'Anne' })
  await created(call, '/v1/product', { name: 'Tea' })
  await all.received(3)
  const types = ({ calls }: Hook) => calls.map(({ body }) => body.eventType)
  const ofOthers = await all.received(3)
  assert.deepEqual(
    ofOthers.map(({ body }) => body.eventType).filter((type) => !type.startsWith('automation')),
    ['customer.created', 'customer.updated', 'product.created'],
  )
  await exact.received(1)
  await pattern.received(2)
  await older.received(1)
  assert.deepEqual(types(exact), ['customer.updated'])
  assert.deepEqual(exact.calls[0]?.body.previous, { firstName: null })
  assert.deepEqual(types(pattern), ['customer.created', 'customer.updated'])
  assert.deepEqual(types(older), ['customer.created'])
})

test('events arrive in the order of the feed, and each once while nothing fails', async () => {
  const { call } = await service.company()
  const hook = await listening()
  await trigger(call, hook.url, 'customer.created')
  await Promise.all(Array.from({ length: 120 }, (_, n) => created(call, '/v1/customer', { email: `${n}@example.com` })))
  await hook.received(120)
  const { body } = await call('GET', '/v1/events?type=customer.created&limit=1000')
  assert.deepEqual(
    hook.calls.map(({ body }) => body.id),
    body.data.map(({ id }: Body) => id),
  )
})

test('a refused event is sent again under the same webhook-id until it is accepted', async () => {
  const { call } = await service.company()
  const hook = await listening((response, calls) => response.writeHead(calls.length < 4 ? 500 : 204).end())
  const { id } = await trigger(call, hook.url, 'customer.created')
  await created(call, '/v1/customer', { email: 'anne@example.com' })
  const calls = await hook.received(4)
  assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1)
  await until('the log says so', async () => (await deliveries(call, id))[0]?.state === 'succeeded')
  const [delivery] = await deliveries(call, id)
  assert.deepEqual(
    delivery?.attempts.map(({ status }: Body) => status),
    [500, 500, 500, 204],
  )
})

test('after ten calls there are no further attempts, and later events were not delayed', async () => {
  const { call } = await service.company()
  const hook = await listening((response, calls) => {
    response.writeHead(calls.at(-1)?.body.customer.email === 'bad@example.com' ? 503 : 200).end()
  })
  const { id } = await trigger(call, hook.url, 'customer.created')
  await created(call, '/v1/customer', { email: 'bad@example.com' })
  await created(call, '/v1/customer', { email: 'good@example.com' })
  await hook.received(11)
  await until('the log says so', async () => (await deliveries(call, id)).some(({ state }) => state === 'failed'))
  const log = await deliveries(call, id)
  assert.deepEqual(log.map(({ state, attempts }) => [state, attempts.length]).sort(), [
    ['failed', 10],
    ['succeeded', 1],
  ])
  assert.equal(emails(hook.calls).filter((email) => email === 'good@example.com').length, 1)
})

test('a hanging receiver delays no other receiver, no other company and no write', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const hanging = await listening(() => {})
  const well = await listening()
  const elsewhereWell = await listening()
  await trigger(call, hanging.url, 'customer.created', { maxParallel: 20 })
  await trigger(call, well.url, 'customer.created')
  await trigger(other.call, elsewhereWell.url, 'customer.created')
  for (let n = 0; n < 30; n++) await created(call, '/v1/customer', { email: `${n}@example.com` })
  await created(other.call, '/v1/customer', { email: 'other@example.com' })
  await well.received(30)
  await elsewhereWell.received(1)
  await hanging.received(20)
  assert.equal(hanging.calls.length, 20)
})

test('a trigger gets at most its number of parallel calls, from any number of servers', async () => {
  const { call, key } = await service.company()
  const there = service.caller({ 'x-api-key': key }, (await service.second()).url)
  let now = 0
  let most = 0
  const hook = await listening((response) => {
    most = Math.max(most, ++now)
    setImmediate(() => {
      now--
      response.end()
    })
  })
  await trigger(call, hook.url, 'customer.created', { maxParallel: 3 })
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => created(n % 2 ? call : there, '/v1/customer', { email: `${n}@example.com` })),
  )
  await hook.received(60)
  assert.ok(most <= 3, `${most} at once`)
  assert.equal(new Set(emails(hook.calls)).size, 60)
})

test('410 switches the trigger off; the record shows why and since when, an event is raised, and it gets events again once it is switched on', async () => {
  const { call } = await service.company()
  const hook = await listening((response, calls) => response.writeHead(calls.length === 1 ? 410 : 200).end())
  const watching = await listening()
  const { id } = await trigger(call, hook.url, 'customer.created')
  await trigger(call, watching.url, 'automation-trigger.updated')
  await created(call, '/v1/customer', { email: 'first@example.com' })
  const [reported] = await watching.received(1)
  assert.equal(reported?.body.automationTrigger.id, id)
  assert.equal(reported?.body.automationTrigger.isActive, false)
  const { body: off } = await call('GET', `/v1/automation-trigger/${id}`)
  assert.equal(off.inactiveReason, 'The receiver answered 410 Gone.')
  assert.ok(Date.parse(off.inactiveSince) > 0)
  await created(call, '/v1/customer', { email: 'missed@example.com' })
  const { body: on } = await call('PATCH', `/v1/automation-trigger/${id}`, { isActive: true })
  assert.equal(on.inactiveReason, undefined)
  await created(call, '/v1/customer', { email: 'second@example.com' })
  await hook.received(2)
  assert.deepEqual(emails(hook.calls), ['first@example.com', 'second@example.com'])
})

test('a trigger that only failed for five days is switched off; one with a success is not', async () => {
  const { call } = await service.company()
  const hook = await listening((response) => response.writeHead(500).end())
  const { id } = await trigger(call, hook.url, 'customer.created')
  await service.database.query(
    `update automation_triggers set failing_since = now() - interval '5 days 1 minute', version = version + 1 where id = $1`,
    [id],
  )
  await created(call, '/v1/customer', { email: 'anne@example.com' })
  await until(
    'the log says so',
    async () => (await call('GET', `/v1/automation-trigger/${id}`)).body.isActive === false,
  )
  const { body } = await call('GET', `/v1/automation-trigger/${id}`)
  assert.equal(body.inactiveReason, 'Every call failed for 5 days.')
})

test('a receiver that echoes its request brings no secret into the log, in any form and cut anywhere', async () => {
  const { call } = await service.company()
  const apiKey = 'a "quoted" secret'
  const forms = [apiKey, JSON.stringify(apiKey), encodeURIComponent(apiKey)]
  const fills = ['', 'x'.repeat(4096 - 10)]
  for (const said of forms.flatMap((form) => fills.map((fill) => fill + form))) {
    const hook = await listening((response) => response.end(said))
    const { id } = await trigger(call, hook.url, 'customer.created', { apiKey })
    await created(call, '/v1/customer', { email: 'anne@example.com' })
    await until('the log says so', async () => (await deliveries(call, id))[0]?.attempts.length === 1)
    const [delivery] = await deliveries(call, id)
    const answer = String(delivery?.attempts[0].answer)
    assert.match(answer, /\*\*\*/)
    assert.ok(!/quot|a%20/.test(answer), answer.slice(-20))
    await call('DELETE', `/v1/automation-trigger/${id}`)
  }
})

test('Retry-After is respected: the receiver gets no call of this trigger until then', async () => {
  const { call } = await service.company()
  const hook = await listening((response) => response.writeHead(429, { 'retry-after': '3600' }).end())
  const { id } = await trigger(call, hook.url, 'customer.created')
  await created(call, '/v1/customer', { email: 'first@example.com' })
  await hook.received(1)
  await until('the log says so', async () => (await deliveries(call, id)).length === 1)
  await created(call, '/v1/customer', { email: 'second@example.com' })
  const [delivery] = await deliveries(call, id)
  assert.ok(Date.parse(delivery?.nextAttemptAt) - Date.now() > 3_500_000)
  const [row] = await service.database.query(
    `select held_until > now() + interval '59 minutes' from automation_triggers where id = $1`,
    [id],
  )
  assert.deepEqual(row, [true])
  assert.equal(hook.calls.length, 1)
})

test('a changed URL applies from the response on; a deleted trigger gets no more calls, also if one is in flight', async () => {
  const { call } = await service.company()
  const before = await listening()
  const now = await listening()
  const { id } = await trigger(call, before.url, 'customer.created')
  await created(call, '/v1/customer', { email: 'first@example.com' })
  await before.received(1)
  await call('PATCH', `/v1/automation-trigger/${id}`, { triggerUrl: now.url })
  await created(call, '/v1/customer', { email: 'second@example.com' })
  await now.received(1)
  assert.deepEqual(emails(before.calls), ['first@example.com'])

  const release = Promise.withResolvers<void>()
  const slow = await listening((response) => release.promise.then(() => response.writeHead(500).end()))
  const deleted = await trigger(call, slow.url, 'customer.created')
  await created(call, '/v1/customer', { email: 'third@example.com' })
  await slow.received(1)
  const reply = await call('DELETE', `/v1/automation-trigger/${deleted.id}`)
  assert.equal(reply.status, 200)
  release.resolve()
  await created(call, '/v1/customer', { email: 'fourth@example.com' })
  await now.received(3)
  assert.equal(slow.calls.length, 1)
})

test('a call that fails while its trigger is switched off is not retried, even when that is switched on', async () => {
  const { call } = await service.company()
  const release = Promise.withResolvers<void>()
  const hook = await listening((response, { length }) =>
    length === 1 ? release.promise.then(() => response.writeHead(500).end()) : response.end(),
  )
  const { id } = await trigger(call, hook.url, 'customer.created')
  await created(call, '/v1/customer', { email: 'first@example.com' })
  await hook.received(1)
  await call('PATCH', `/v1/automation-trigger/${id}`, { isActive: false })
  release.resolve()
  await until('the log says so', async () => (await deliveries(call, id)).length === 1)
  assert.equal((await deliveries(call, id))[0]?.state, 'failed')
  await call('PATCH', `/v1/automation-trigger/${id}`, { isActive: true })
  await created(call, '/v1/customer', { email: 'second@example.com' })
  await hook.received(2)
  assert.deepEqual(emails(hook.calls), ['first@example.com', 'second@example.com'])
})

test('the lease of a dead server expires, also if the clock was set back meanwhile', async () => {
  const { call } = await service.company()
  const hook = await listening()
  const { id } = await trigger(call, hook.url, 'customer.created')
  await service.database.query(
    `update automation_triggers set leased_by = 'gone', leased_until = now() + interval '1 hour' where id = $1`,
    [id],
  )
  await created(call, '/v1/customer', { email: 'anne@example.com' })
  await hook.received(1)
})

test('events from a time without a dispatching server are sent by the next one', async () => {
  const { call, id: companyId } = await service.company()
  const hook = await listening()
  await trigger(call, hook.url, 'sample')
  await trigger(call, hook.url, 'custom.sample')
  // No notification is sent for these, as if the writer's server had died.
  await service.database.query(
    `with begun as materialized (select begin_events($1))
     insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, 'a' || lpad(n::text, 23, '0'), 'custom.sample', now(), 'custom', '', json_build_object('n', n)
     from begun, generate_series(1, 1200) as n`,
    [companyId],
  )
  const calls = await hook.received(1200)
  assert.deepEqual(
    calls.map(({ body }) => body.data.n),
    Array.from({ length: 1200 }, (_, n) => n + 1),
  )
})

test('a replay sends again the events that the server had already sent', async () => {
  const { call } = await service.company()
  const hook = await listening()
  const { id } = await trigger(call, hook.url, 'customer.created')
  await created(call, '/v1/customer', { email: 'first@example.com' })
  await created(call, '/v1/customer', { email: 'second@example.com' })
  await hook.received(2)
  // Recorded, so that only the replay sends them again.
  await until('the log says so', async () => (await deliveries(call, id)).length === 2)
  const reply = await call('POST', `/v1/automation-trigger/${id}/replay`, { since: '2020-01-01T00:00:00Z' })
  assert.equal(reply.status, 200, reply.text)
  await hook.received(4)
  await created(call, '/v1/customer', { email: 'third@example.com' })
  await hook.received(5)
  const first = 'first@example.com'
  const second = 'second@example.com'
  const third = 'third@example.com'
  assert.deepEqual(emails(hook.calls), [first, second, first, second, third])
  const ids = hook.calls.map(({ headers }) => headers['webhook-id'])
  assert.deepEqual(ids.slice(2, 4), ids.slice(0, 2))
})
