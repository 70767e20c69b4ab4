// What a trigger shows: its secret only to its creator, and whether, since when and why it is switched off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesPattern, patternsOf } from '../src/features/webhooks/subscriptions.ts'
import { openTriggerSecret, sealTriggerSecret } from '../src/features/webhooks/trigger-secrets.ts'
import { switchOff } from '../src/features/webhooks/triggers.ts'
import { maskOf } from '../src/resources/trigger-key.ts'
import { sealOf } from '../src/seal.ts'
import { startService } from '../src/service.ts'
import { testConnection } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { type Company, testService, testSettings } from './support/service.ts'

const service = testService()
const seal = sealOf(testSettings.secretKeys)
const apiKey = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const mask = 'whsec_••••••••LaSw'
// With a type that no event has: no receiver is called.
const hook = { triggerType: 'custom.nothing', triggerUrl: 'https://hooks.example.com/x' }
const under = (key: string) => ({ 'idempotency-key': key })

/** The row of a trigger, and its encrypted secret. */
async function stored(company: Company, id: string) {
  const [row] = await service.database.query(
    `select body, shown, secret, version, position, due_at, failing_since, held_until
     from automation_triggers where company_id = $1 and id = $2`,
    [company.id, id],
  )
  const [end] = await service.database.query('select event_position()')
  const [body, shown, secret, version, position, dueAt, failingSince, heldUntil] = row ?? []
  const opened = secret ? openTriggerSecret(seal, company.id, id, secret) : undefined
  return { body, shown, secret, opened, version, isAtEnd: position === end?.[0], dueAt, failingSince, heldUntil }
}
const events = async ({ id }: Company) =>
  (
    await service.database.query('select type, data, previous from events where company_id = $1 order by sequence', [
      id,
    ])
  ).map(([type, data, previous]) => ({ type, data: JSON.parse(data), previous: previous && JSON.parse(previous) }))

for (const { style, path, many, update } of [
  { style: 'A', path: '/v1/api/automation-triggers', many: undefined, update: 'PUT' },
  { style: 'B', path: '/v1/automation-trigger', many: '/v1/automation-triggers', update: 'PATCH' },
])
  test(`Style ${style}: the response to the create shows the secret, and no other response does`, async () => {
    const company = await service.company()
    const { call } = company
    const created = await call('POST', path, { ...hook, apiKey }, under('k'))
    assert.equal(created.body.apiKey, apiKey)
    const one = `${path}/${created.body.id}`
    const read = await call('GET', one)
    assert.deepEqual(read.body, { ...created.body, apiKey: mask })
    // The creator may change it if no one else has changed it since.
    assert.equal(created.headers.get('etag'), read.headers.get('etag'))
    const replayed = await call('POST', path, { ...hook, apiKey }, under('k'))
    assert.deepEqual([replayed.status, replayed.text], [201, created.text])
    assert.equal(replayed.headers.get('etag'), read.headers.get('etag'))
    const etag = String(created.headers.get('etag'))
    const named = await call(update, one, { customTriggerName: 'Till' }, { 'if-match': etag })
    assert.deepEqual([named.status, named.body.apiKey], [200, mask])
    const list = await call('GET', style === 'A' ? path : '/v1/automation-triggers')
    assert.deepEqual((style === 'A' ? list.body : list.body.data)[0], named.body)
    if (many) {
      const made = await call('POST', many, [{ ...hook, apiKey }, hook, { ...hook, apiKey: 'é' }])
      assert.deepEqual(
        made.body.results.map(({ data, error }: any) => data?.apiKey ?? error?.errors[0].pointer),
        [apiKey, undefined, '/2/apiKey'],
      )
      const id = made.body.results[0].data.id
      assert.equal((await call('PATCH', many, [{ id, maxParallel: 2 }])).body.results[0].data.apiKey, mask)
    }
    assert.equal((await call('DELETE', one)).status, 200)
    for (const event of await events(company))
      assert.ok(!JSON.stringify(event).includes(apiKey.slice(6, 20)), event.type)
  })

test('the database never contains a trigger’s secret in plain text', async () => {
  const company = await service.company()
  const { call } = company
  const first = 'first-0123456789-secret'
  const second = 'second-0123456789-secret'
  const { id } = (await call('POST', '/v1/automation-trigger', { ...hook, apiKey: first }, under('a'))).body
  await call('PATCH', `/v1/automation-trigger/${id}`, { apiKey: second }, under('b'))
  const tables = await service.database.query(
    "select quote_ident(tablename) from pg_tables where schemaname = 'public'",
  )
  const holding = async (text: string) => {
    const found = []
    for (const [table] of tables)
      if (
        (await service.database.query(`select 1 from ${table} as one where position($1 in one::text) > 0`, [text]))
          .length
      )
        found.push(table)
    return found
  }
  assert.ok((await holding(maskOf(second))).includes('automation_triggers'))
  for (const secret of [first, second]) assert.deepEqual(await holding(secret), [])
  assert.equal((await stored(company, id)).opened, second)
})

test('a secret can be decrypted only for its own trigger', async () => {
  const company = await service.company()
  const { id } = (await company.call('POST', '/v1/automation-trigger', { ...hook, apiKey })).body
  const { secret } = await stored(company, id)
  const other = (await service.company()).id
  const strange = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
  assert.throws(() => openTriggerSecret(seal, other, id, secret))
  assert.throws(() => openTriggerSecret(seal, company.id, strange, secret))
})

test('a trigger whose secret was encrypted with another key gets no calls, and blocks no other trigger', async (t) => {
  const [row] = await service.database.query('select current_database()')
  const sending = { ...testSettings, webhookAllow: ['127.0.0.0/8'], webhooks: { isSending: true } }
  const server = await startService({ ...testConnection(), database: row?.[0] }, sending)
  t.after(() => server.close())
  const { id: companyId, key } = await service.company()
  const call = service.caller({ 'x-api-key': key }, server.url)
  const calls = { lost: [] as string[], good: [] as string[] }
  const made = async (name: 'lost' | 'good') => {
    const { url } = await receiver(t, ({ text }, response) => {
      calls[name].push(JSON.parse(text).customer.email)
      response.end()
    })
    const body = { triggerType: 'customer.created', triggerUrl: url, apiKey: 'known' }
    return (await call('POST', '/v1/automation-trigger', body)).body.id
  }
  const [id] = [await made('lost'), await made('good')]
  const write = async (email: string) => assert.equal((await call('POST', '/v1/customer', { email })).status, 201)
  const other = sealOf(['another key of thirty-two characters or more'])
  await service.database.query(
    'update automation_triggers set secret = $3, version = version + 1, due_at = now() where company_id = $1 and id = $2',
    [companyId, id, sealTriggerSecret(other, companyId, id, 'known')],
  )
  const emails = ['1@example.com', '2@example.com', '3@example.com']
  for (const email of emails) await write(email)
  await until('the other one is sent', () => calls.good.length === 3)
  assert.deepEqual(calls, { lost: [], good: emails })
  // Once it is sent again no event was skipped.
  await call('PATCH', `/v1/automation-trigger/${id}`, { apiKey: 'known' })
  await until('it is sent', () => calls.lost.length === 3)
  assert.deepEqual(calls.lost, emails)
})

test('the mask sent back leaves the secret; null or an empty text clears it; another one replaces it, though its mask looks the same', async () => {
  const company = await service.company()
  const { call } = company
  const created = (await call('POST', '/v1/automation-trigger', { ...hook, apiKey: 'short-1' })).body
  const path = `/v1/automation-trigger/${created.id}`
  const read = (await call('GET', path)).body
  assert.equal(read.apiKey, '••••••••')
  const back = await call('PATCH', path, read)
  assert.deepEqual(back.body, read)
  assert.equal((await stored(company, created.id)).opened, 'short-1')
  const other = await call('PATCH', path, { apiKey: 'short-2' })
  assert.equal(other.body.apiKey, '••••••••')
  assert.ok(other.body.updatedAt > read.updatedAt)
  assert.equal((await stored(company, created.id)).opened, 'short-2')
  // Sending the current values is no change, singly or in bulk.
  const again = await call('PATCH', path, { apiKey: 'short-2' })
  assert.equal(again.text, other.text)
  const items = [
    { id: created.id, apiKey: 'short-2' },
    { id: created.id.replace(/^./, 'f'), apiKey: 'short-2' },
  ]
  const { results } = (await call('PATCH', '/v1/automation-triggers', items)).body
  assert.deepEqual([results[0].data, results[1].error.statusCode], [other.body, 404])
  assert.equal((await events(company)).filter(({ type }) => type === 'automation-trigger.updated').length, 1)
  for (const unset of [null, '']) {
    assert.equal((await call('PATCH', path, { apiKey: 'short-3' })).body.apiKey, '••••••••')
    const cleared = await call('PATCH', path, { apiKey: unset })
    assert.deepEqual([cleared.status, cleared.body.apiKey], [200, undefined])
  }
  const without = await call('POST', '/v1/automation-trigger', { ...hook, apiKey: '' })
  assert.deepEqual([without.status, without.body.apiKey], [201, undefined])
  const { secret, shown } = await stored(company, created.id)
  assert.deepEqual([secret, shown], [null, '{}'])
  assertProblem(await call('PATCH', path, { apiKey: '••••••••' }), 400, 'validation_failed')
  assertProblem(await call('POST', '/v1/automation-trigger', { ...hook, apiKey: mask }), 400, 'validation_failed')
})

test('after many concurrent changes of a trigger, the secret belongs to the change that the record shows', async () => {
  const company = await service.company()
  const { call } = company
  const { id } = (await call('POST', '/v1/automation-trigger', { ...hook, apiKey })).body
  const tries = Array.from({ length: 40 }, (_, n) => `0123456789-0123456789-${1000 + n}`)
  const path = `/v1/automation-trigger/${id}`
  const replies = await Promise.all(tries.map((apiKey) => call('PATCH', path, { apiKey })))
  assert.ok(replies.every(({ status }) => status === 200))
  const { opened } = await stored(company, id)
  assert.equal((await call('GET', path)).body.apiKey, maskOf(String(opened)))
})

test('a mask shows at most a quarter of the secret', () => {
  for (let length = 1; length <= 100; length++)
    for (const prefix of ['', 'whsec_']) {
      const secret = Array.from({ length }, (_, n) => String.fromCharCode(65 + (n % 26))).join('')
      const shown = maskOf(prefix + secret)
      assert.match(shown, /^(whsec_)?•{8}[A-Z]{0,4}$/)
      assert.ok(shown.slice(shown.lastIndexOf('•') + 1).length <= length / 4)
    }
})

test('a secret that no header can contain is refused when it is written', async () => {
  const { call } = await service.company()
  for (const bad of [' a', 'a ', 'a\nb', 'a\u007f', 'schlüssel', '鍵', 'x'.repeat(501), 5, {}]) {
    const { errors } = assertProblem(await call('POST', '/v1/automation-trigger', { ...hook, apiKey: bad }), 400)
    assert.equal(errors?.[0]?.pointer, '/apiKey', JSON.stringify(bad))
  }
  for (const good of ['a', 'a b', 'x'.repeat(500), '<API_KEY>', 'whsec', 'whsec-!'])
    assert.equal((await call('POST', '/v1/automation-trigger', { ...hook, apiKey: good })).body.apiKey, good)
})

test('a secret with whsec_ and no key in base64 is refused: receivers would decode it to another key', async () => {
  const { call } = await service.company()
  for (const bad of ['whsec_', 'whsec_!', 'whsec_my-secret', 'whsec_a', 'whsec_YQ=', 'whsec_YWJj=', 'whsec_YW Jj']) {
    const reply = await call('POST', '/v1/automation-trigger', { ...hook, apiKey: bad })
    const [error] = assertProblem(reply, 400, 'validation_failed', bad).errors
    assert.deepEqual([error.pointer, error.message.includes('base64 after whsec_')], ['/apiKey', true])
  }
  for (const good of ['whsec_YQ==', 'whsec_YQ', 'whsec_YWI=', 'whsec_YWJj', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])
    assert.equal((await call('POST', '/v1/automation-trigger', { ...hook, apiKey: good })).body.apiKey, good)
})

test('a trigger is active and ordered by default; only the service sets since when and why it is inactive', async () => {
  const { call } = await service.company()
  const made = (await call('POST', '/v1/automation-trigger', { ...hook, inactiveReason: 'mine' })).body
  assert.deepEqual(
    [made.isActive, made.maxParallel, made.inactiveSince, made.inactiveReason],
    [true, 1, undefined, undefined],
  )
  const path = `/v1/automation-trigger/${made.id}`
  const off = (await call('PATCH', path, { isActive: false, maxParallel: 20 })).body
  assert.deepEqual([off.isActive, off.maxParallel, off.inactiveReason], [false, 20, 'Switched off by request.'])
  assert.ok(off.inactiveSince >= made.createdAt)
  assert.deepEqual((await call('PATCH', path, { isActive: false, inactiveReason: 'mine' })).body, off)
  const on = (await call('PATCH', path, { isActive: null, maxParallel: null })).body
  assert.deepEqual([on.isActive, on.maxParallel, on.inactiveSince, on.inactiveReason], [true, 1, undefined, undefined])
  for (const bad of [{ isActive: 'no' }, { maxParallel: 0 }, { maxParallel: 21 }, { maxParallel: 1.5 }])
    assertProblem(await call('PATCH', path, bad), 400)
  const born = (await call('POST', '/v1/automation-trigger', { ...hook, isActive: false })).body
  assert.deepEqual([born.isActive, born.inactiveReason], [false, 'Switched off by request.'])
})

test('a trigger that is switched on again begins with new events; a changed address is called without delay', async () => {
  const company = await service.company()
  const { call } = company
  const { id } = (await call('POST', '/v1/automation-trigger', hook)).body
  const path = `/v1/automation-trigger/${id}`
  // Another server has the lease, so that this one leaves it alone.
  const spoil = () =>
    service.database.query(
      `update automation_triggers set position = 1, failing_since = now(), held_until = now(), due_at = now(),
         leased_by = 'another', leased_until = now() + interval '20 seconds'
       where company_id = $1 and id = $2`,
      [company.id, id],
    )
  await spoil()
  await call('PATCH', path, { customTriggerName: 'Till' })
  const named = await stored(company, id)
  assert.ok(named.failingSince && named.heldUntil && named.dueAt && !named.isAtEnd)
  await call('PATCH', path, { triggerUrl: 'https://hooks.example.com/y' })
  const moved = await stored(company, id)
  assert.deepEqual([moved.failingSince, moved.heldUntil, moved.isAtEnd], [null, null, false])
  await spoil()
  await call('PATCH', path, { isActive: false })
  assert.equal((await stored(company, id)).dueAt, null)
  await call('PATCH', path, { isActive: true })
  const on = await stored(company, id)
  assert.deepEqual([on.failingSince, on.heldUntil, on.isAtEnd], [null, null, true])
})

/** Deliveries of a trigger in the log: one that is pending, and one that is done. */
async function deliver(companyId: string, triggerId: string) {
  const at = '2026-11-21T09:30:00.000Z'
  const body = (id: string, rest: object) =>
    JSON.stringify({
      id,
      companyId,
      triggerId,
      eventId: 'e',
      eventType: 'customer.created',
      state: 'pending',
      attempts: [{ at, status: 500 }],
      ...rest,
      createdAt: at,
      updatedAt: at,
    })
  await service.database.query(
    `insert into webhook_deliveries (company_id, id, body, next_at) values
     ($1, 'a', $2, now() + interval '1 hour'), ($1, 'b', $3, null)`,
    [companyId, body('a', { nextAttemptAt: at }), body('b', { state: 'succeeded' })],
  )
}
const versionOf = async ({ id: companyId }: Company, id: string): Promise<number> => {
  const [row] = await service.database.query(
    'select version from automation_triggers where company_id = $1 and id = $2',
    [companyId, id],
  )
  return row?.[0]
}
const deliveries = ({ id }: Company) =>
  service.database.query('select body, next_at from webhook_deliveries where company_id = $1 order by id', [id])

test('a trigger with a new receiver is not switched off because of the former one', async () => {
  const company = await service.company()
  const { id } = (await company.call('POST', '/v1/automation-trigger', hook)).body
  const trigger = { companyId: company.id, triggerId: id, version: await versionOf(company, id) }
  const path = `/v1/automation-trigger/${id}`
  const moved = await company.call('PATCH', path, { triggerUrl: 'https://hooks.example.com/other' })
  assert.equal(await switchOff(service.database, trigger, 'The receiver answered 410 Gone.'), false)
  const { body } = await company.call('GET', path)
  assert.deepEqual([moved.status, body], [200, moved.body])
})

for (const how of ['by the service', 'by request'])
  test(`a trigger that is switched off ${how} shows it in its record and by an event, and nothing more is sent to it`, async () => {
    const company = await service.company()
    const { call } = company
    const { id } = (await call('POST', '/v1/automation-trigger', { ...hook, apiKey })).body
    const path = `/v1/automation-trigger/${id}`
    const before = await call('GET', path)
    await deliver(company.id, id)
    const client = await service.database.connectAlone()
    const heard: unknown[] = []
    client.on('notification', ({ payload }) => heard.push(payload))
    await client.query('listen automation_triggers')
    const reason = how === 'by request' ? 'Switched off by request.' : 'Its receiver answered 410.'
    const trigger = { companyId: company.id, triggerId: id, version: await versionOf(company, id) }
    if (how === 'by request') await call('PATCH', path, { isActive: false })
    else {
      const both = await Promise.all([1, 2].map(() => switchOff(service.database, trigger, reason)))
      assert.deepEqual(both.sort(), [false, true])
      assert.equal(await switchOff(service.database, { ...trigger, companyId: 'x' }, reason), false)
    }
    await client.query('select 1')
    await client.end()
    assert.deepEqual(heard, [company.id])
    const after = await call('GET', path)
    const { inactiveSince, updatedAt } = after.body
    assert.deepEqual(after.body, { ...before.body, isActive: false, inactiveSince, inactiveReason: reason, updatedAt })
    assert.ok(updatedAt > before.body.updatedAt && inactiveSince >= before.body.updatedAt)
    const last = (await events(company)).at(-1)
    assert.deepEqual(last, {
      type: 'automation-trigger.updated',
      data: after.body,
      previous: { isActive: true, inactiveSince: null, inactiveReason: null },
    })
    const [a, b] = await deliveries(company)
    const { state, nextAttemptAt, attempts } = JSON.parse(a?.[0])
    assert.deepEqual(
      [state, nextAttemptAt, attempts],
      ['failed', undefined, [{ at: '2026-11-21T09:30:00.000Z', status: 500 }]],
    )
    assert.deepEqual([a?.[1], JSON.parse(b?.[0]).state], [null, 'succeeded'])
    // A change in the meantime is kept.
    assert.equal((await call('PATCH', path, { isActive: true })).body.inactiveReason, undefined)
    assert.equal((await stored(company, id)).opened, apiKey)
  })

test('a trigger’s type matches one type, a prefix, all types, or none', () => {
  const reported = (triggerType: string, type: string) => matchesPattern(patternsOf(triggerType), type)
  for (const [triggerType, type] of [
    ['*', 'custom.x'],
    ['customer.*', 'customer.created'],
    ['customer.created', 'customer.created'],
    ['new_order', 'order.created'],
    ['stock_changed', 'inventory.stock_changed'],
    ['custom.*', 'custom.a.b'],
    ['custom.a.*', 'custom.a.b'],
    ['catalog-visibility.*', 'catalog-visibility.deleted'],
    ['custom.a_b.c-1', 'custom.a_b.c-1'],
  ] as const)
    assert.ok(reported(triggerType, type), `${triggerType} ${type}`)
  for (const [triggerType, type] of [
    ['customer.*', 'customers.created'],
    ['customer.*', 'custom.er'],
    ['customer', 'customer.created'],
    ['customer*', 'customer.created'],
    ['Customer.Created', 'customer.created'],
    ['custom.a.*', 'custom.ab'],
    ['new_order', 'order.updated'],
    ['**', 'a.b'],
    ['.*', '.x'],
    ['', 'a.b'],
  ] as const)
    assert.ok(!reported(triggerType, type), `${triggerType} ${type}`)
  for (const none of ['customer', 'a b', '*.created', 'customer.*.*', 'Order.*']) assert.deepEqual(patternsOf(none), [])
})
