// One open session per station, the setting that switches this rule on, and taking over a station.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { deadlocksIn } from './support/deadlocks.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

async function shop() {
  const company = await service.company()
  const { call } = company
  const newStation = async (name = 'Till 1'): Promise<string> =>
    succeeded(await call('POST', '/v1/station', { name, outletId: 'o', status: 'AVAILABLE' }), 201).id
  const opened = async (stationId: string, body: Body = {}, query = ''): Promise<Body> =>
    succeeded(await call('POST', `/v1/session${query}`, { stationId, ...body }), 201)
  const read = async (id: string): Promise<Body> => succeeded(await call('GET', `/v1/session/${id}`))
  const settings = (body: Body) => call('PATCH', '/v1/settings', body)
  return { ...company, newStation, opened, read, settings }
}

test('a second open session of a station is refused, whatever opens it, and names the open one; a closed one is not', async () => {
  const { call, newStation, opened } = await shop()
  const a = await newStation()
  const b = await newStation()
  const first = await opened(a)
  for (const path of ['/v1/session', '/v1/api/session']) {
    const { message, errors } = assertProblem(await call('POST', path, { stationId: a }), 409, 'conflict')
    assert.match(message, new RegExp(`"${first.id}" is open.*add \\?takeOver=true to the URL`))
    const [{ pointer, code, id }] = errors
    assert.deepEqual([pointer, code, id], ['/stationId', 'open_session', first.id])
  }
  const old = await opened(a, { closeTime: '2026-11-20T18:00:00Z' })
  const other = await opened(b)
  for (const [path, body] of [
    [`/v1/session/${old.id}`, { closeTime: null }],
    [`/v1/session/${other.id}`, { stationId: a }],
  ] as const)
    assertProblem(await call('PATCH', path, body), 409, 'conflict')
  assertProblem(await call('PUT', `/v1/api/session/${old.id}`, { closeTime: null }), 409, 'conflict')
  succeeded(await call('PATCH', `/v1/session/${first.id}`, { closeTime: '2026-11-21T18:00:00Z', openingNote: 'x' }))
  succeeded(await call('PATCH', `/v1/session/${other.id}`, { stationId: a }))
  assertProblem(await call('POST', '/v1/session', { stationId: a }), 409, 'conflict')
  // Another company's station, and one that is no record, have no rule.
  const foreign = await shop()
  for (const stationId of [a, 'till-7']) for (let n = 0; n < 2; n++) await foreign.opened(stationId)
})

test('a list has only the open sessions, or only the closed ones, of a company', async () => {
  const { call, newStation, opened } = await shop()
  const other = await shop()
  await other.opened(await other.newStation())
  const first = await opened(await newStation())
  const second = await opened(await newStation())
  succeeded(await call('POST', `/v1/session/${first.id}/close`, {}), 201)
  const ids = async (query: string) =>
    succeeded(await call('GET', `/v1/sessions?${query}`)).data.map(({ id }: Body) => id)
  assert.deepEqual([await ids('isOpen=true'), await ids('isOpen=false')], [[second.id], [first.id]])
  assert.deepEqual(await ids(`isOpen=true&stationId=${first.stationId}`), [])
  assertProblem(await call('GET', '/v1/sessions?isOpen=maybe'), 400, 'validation_failed')
})

test('each item of a bulk is refused by itself: the first of a station wins, also where another is closed by the same request', async () => {
  const { call, newStation, opened } = await shop()
  const a = await newStation()
  const b = await newStation()
  const c = await newStation()
  const items = [a, b, a, 'none', 'none', c].map((stationId) => ({ stationId }))
  const { results } = succeeded(await call('POST', '/v1/sessions', { items }))
  assert.deepEqual(
    results.map(({ status, error }: Body) => error?.code ?? status),
    ['success', 'success', 'conflict', 'success', 'success', 'success'],
  )
  const closed = await opened(a, { closeTime: '2026-11-20T18:00:00Z' })
  const ids = results.map(({ data }: Body) => data?.id)
  const changes = [
    { id: ids[0], closeTime: '2026-11-21T18:00:00Z' },
    { id: ids[1], stationId: c },
    { id: closed.id, closeTime: null },
  ]
  const updated = succeeded(await call('PATCH', '/v1/sessions', { items: changes }))
  assert.deepEqual(
    updated.results.map(({ status, error }: Body) => error?.code ?? status),
    ['success', 'conflict', 'success'],
  )
})

test('takeOver closes the open session with its events, in both styles and in bulk, and a refused create closes none', async () => {
  const { id: companyId, call, newStation, opened, read } = await shop()
  const station = await newStation()
  const first = await opened(station, {}, '?takeOver=true')
  assertProblem(await call('POST', '/v1/session?takeOver=true', { stationId: station, openTime: 'x' }), 400)
  const inBody = assertProblem(await call('POST', '/v1/session', { stationId: station, takeOver: true }), 400)
  assert.match(inBody.message, /takeOver: is not known; it is a query parameter, as in \?takeOver=true/)
  assert.equal((await read(first.id)).closeTime, undefined)
  const second = await opened(station, {}, '?takeOver=true')
  const closed = await read(first.id)
  assert.ok(closed.closeTime >= first.createdAt && closed.updatedAt > first.updatedAt)
  const events = await feed(service, companyId, first.id)
  assert.deepEqual(
    events.map(({ type, previous }) => [type, previous]),
    [
      ['session.created', null],
      ['session.opened', null],
      ['session.updated', { closeTime: null }],
      ['session.closed', { closeTime: null }],
    ],
  )
  assert.deepEqual(events.at(-1)?.data, closed)
  const items = [{ stationId: station }, { stationId: station, openTime: 'x' }, { stationId: station }]
  const { results } = succeeded(await call('POST', '/v1/sessions?takeOver=true', { items }))
  const isOpen = async (id: string) => (await read(id)).closeTime === undefined
  assert.deepEqual(
    results.map(({ status }: Body) => status),
    ['success', 'error', 'success'],
  )
  assert.deepEqual(
    [await isOpen(second.id), await isOpen(results[0].data.id), await isOpen(results[2].data.id)],
    [false, false, true],
  )
  succeeded(await call('PUT', `/v1/api/session/${first.id}?takeOver=true`, { closeTime: null }))
  assert.deepEqual([await isOpen(first.id), await isOpen(results[2].data.id)], [true, false])
})

test('a bulk that opens a thousand long sessions at one station closes all but the last', async () => {
  const { call, newStation, opened } = await shop()
  const stationId = await newStation()
  const first = await opened(stationId)
  // Reading each of them once per session would be 9 GB.
  const items = Array(1_000).fill({ stationId, openingNote: 'x'.repeat(9_000) })
  const { summary, results } = succeeded(await call('POST', '/v1/sessions?takeOver=true', { items }))
  assert.equal(summary.succeeded, 1_000)
  const { data, meta } = succeeded(await call('GET', `/v1/sessions?stationId=${stationId}&isOpen=true`))
  assert.deepEqual([data.map(({ id }: Body) => id), meta.count], [[results.at(-1).data.id], 1])
  assert.ok(succeeded(await call('GET', `/v1/session/${first.id}`)).closeTime)
})

test('of many sessions opened at once at a station, one stays open, and there is no deadlock', async () => {
  const { call, key, newStation } = await shop()
  const elsewhere = service.caller({ 'x-api-key': key }, (await service.second()).url)
  const stations = [await newStation(), await newStation()]
  const before = await deadlocksIn(service.database)
  const bodies = Array.from({ length: 24 }, (_, n) => ({ stationId: stations[n % 2] as string }))
  const replies = await Promise.all([
    ...bodies.map((body, n) => (n % 3 ? call : elsewhere)('POST', '/v1/session', body)),
    call('POST', '/v1/sessions', { items: bodies }),
    elsewhere('POST', '/v1/sessions', { items: bodies.toReversed() }),
  ])
  const singles = replies.slice(0, 24).filter(({ status }) => status === 201).length
  const inBulk = replies.slice(24).reduce((sum, { body }) => sum + body.summary.succeeded, 0)
  assert.equal(singles + inBulk, 2)
  await Promise.all(bodies.map((body, n) => (n % 3 ? call : elsewhere)('POST', '/v1/session?takeOver=true', body)))
  const { data } = succeeded(await call('GET', '/v1/sessions?limit=100'))
  const open = data.filter(({ closeTime }: Body) => closeTime === undefined).map(({ stationId }: Body) => stationId)
  assert.deepEqual(open.sort(), stations.sort())
  assert.equal(await deadlocksIn(service.database), before)
})

test('settings are read and changed by the company alone; wrong values are 400 at their member', async () => {
  const { id, call, settings } = await shop()
  const first = { oneOpenSession: true, taxRounding: 'line' }
  const { body, headers } = await call('GET', '/v1/settings')
  assert.deepEqual(body, first)
  assert.deepEqual(succeeded(await settings({ cashRounding: '0.05', taxRounding: 'receipt' })), {
    ...first,
    cashRounding: '0.05',
    taxRounding: 'receipt',
  })
  const stale = await call('PATCH', '/v1/settings', { taxRounding: 'line' }, { 'if-match': headers.get('etag') ?? '' })
  assertProblem(stale, 412, 'version_mismatch')
  assert.deepEqual(succeeded(await settings({ cashRounding: null, taxRounding: 'line' })), first)
  for (const [member, value] of [
    ['oneOpenSession', 'yes'],
    ['oneOpenSession', null],
    ['taxRounding', 'none'],
    ['cashRounding', '0.00'],
    ['cashRounding', '-0.05'],
    ['cashRounding', 0.05],
    ['cashRounding', '0.001'],
    ['cashRounding', '0.055'],
    ['roundCash', true],
  ] as const) {
    const { errors } = assertProblem(await settings({ [member]: value }), 400)
    assert.equal(errors?.[0]?.pointer, `/${member}`)
  }
  const reader = await service.keyFor(id, ['read'])
  assertProblem(await reader.call('PATCH', '/v1/settings', { taxRounding: 'receipt' }), 403)
  assert.deepEqual((await reader.call('GET', '/v1/settings')).body, first)
})

test('cash is rounded to a multiple of the smallest unit of the currency; the setting for a former currency stays without effect', async () => {
  const { id, call, settings } = await shop()
  const setCurrency = (currency: string) =>
    service.database.query('update companies set currency = $2 where id = $1', [id, currency])
  for (const [currency, good, wrong, right] of [
    ['JPY', ['1', '5', '10.00'], ['0.5', '1.5', '0.05'], 'a multiple of 1, the smallest unit of JPY, such as "5"'],
    ['KWD', ['0.001', '0.25'], ['0.0005'], 'a multiple of 0.001, the smallest unit of KWD, such as "0.005"'],
    ['EUR', ['0.01', '0.050', '1'], ['0.001', '0.025'], 'a multiple of 0.01, the smallest unit of EUR, such as "0.05"'],
  ] as const) {
    await setCurrency(currency)
    for (const unit of good) assert.equal(succeeded(await settings({ cashRounding: unit })).cashRounding, unit)
    for (const unit of wrong) {
      const { errors } = assertProblem(await settings({ cashRounding: unit }), 400)
      assert.deepEqual([errors?.[0]?.pointer, errors?.[0]?.message], ['/cashRounding', `must be ${right}`])
    }
  }
  succeeded(await settings({ cashRounding: '2.50' }))
  await setCurrency('JPY')
  assert.equal(succeeded(await settings({ taxRounding: 'receipt' })).cashRounding, '2.50')
  const quote = { lineItems: [{ productId: 'tea', price: '7' }], payments: [{ paymentMethod: 'cash', amount: '10' }] }
  assert.equal(succeeded(await call('POST', '/v1/sale/quote', quote)).change, '3')
})

test('the rule is switched on once no station has several open sessions: 409 lists them', async () => {
  const { call, newStation, opened, settings } = await shop()
  const stationId = await newStation()
  succeeded(await settings({ oneOpenSession: false }))
  const a = await opened(stationId)
  const b = await opened(stationId)
  const { errors } = assertProblem(await settings({ oneOpenSession: true }), 409, 'conflict')
  assert.equal(errors?.length, 1)
  for (const text of [stationId, a.id, b.id]) assert.match(String(errors?.[0]?.message), new RegExp(text))
  succeeded(await call('DELETE', `/v1/session/${a.id}`))
  // While it is switched on, sessions are opened: none slips through.
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, () => call('POST', '/v1/session', { stationId })),
    settings({ oneOpenSession: true }),
    ...Array.from({ length: 6 }, () => call('POST', '/v1/session', { stationId })),
  ])
  const isOn = succeeded(await call('GET', '/v1/settings')).oneOpenSession
  assert.equal(isOn, replies[6]?.status === 200)
  const made = replies.filter(({ status }) => status === 201).length
  if (isOn) assert.equal(made, 0)
  else assert.ok(made > 0)
})
