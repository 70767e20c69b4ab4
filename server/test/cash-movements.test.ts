// Cash movements of a till that was offline: each counts once, in the closing of the time in which it was made, and lists find those of a till.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()

test('movements that a till sends again after two days, one by one or in bulk, count once, also if a closing has them', async () => {
  const { call, made, opened, report, closed } = await newTill(service)
  const sessionId = await opened()
  const movement = (number: number, amount: string) => ({
    externalId: `till-1-M-${number}`,
    sessionId,
    type: 'pay-out',
    amount,
    occurredAt: '2026-11-20T12:00:00.000Z',
  })
  await made('/v1/cash-movement', movement(1, '20.00'))
  const items = [movement(1, '20.00'), movement(2, '5.50'), { ...movement(3, '1.00'), amount: '-1' }]
  const send = () => call('POST', '/v1/cash-movements?mode=upsert', { items })
  const outcomes = ({ body }: any) => body.results.map(({ outcome }: any) => outcome)
  assert.deepEqual(outcomes(await send()), ['unchanged', 'created', undefined])
  assert.deepEqual(outcomes(await send()), ['unchanged', 'unchanged', undefined])
  const expected = ({ balances }: any) => balances.map((one: any) => [one.paymentMethod, one.expected])
  assert.deepEqual(expected(await report(sessionId)), [['cash', '74.50']])
  assert.deepEqual(expected(await closed(sessionId)), [['cash', '74.50']])
  succeeded(await call('PUT', '/v1/cash-movement/external/till-1-M-2', movement(2, '5.50')))
  const next = await opened({ openTime: '2026-11-22T08:00:00Z' })
  const late = await call('PUT', '/v1/cash-movement/external/till-1-M-4', movement(4, '2.00'))
  assert.equal(late.status, 201)
  // The late one was in the drawer that was counted then.
  const z = await closed(next)
  assert.deepEqual([expected(z), z.lateCount], [[['cash', '100.00']], 1])
  assert.deepEqual(z.figures.flatMap(({ movements }: any) => movements), [{ type: 'pay-out', amount: '2.00', count: 1 }]) // biome-ignore format: one thought
  assert.equal(succeeded(await call('GET', '/v1/cash-movements?externalId=till-1-M-4')).meta.count, 1)
})

test('a till that uses the number of a movement again in another session is refused, so that no closing misses a movement', async () => {
  const { call, opened, closed } = await newTill(service)
  const path = '/v1/cash-movement/external/M-1'
  const first = { sessionId: await opened(), type: 'drop', amount: '10.00' }
  const { id } = succeeded(await call('PUT', path, first), 201)
  await closed(first.sessionId)
  const again = { ...first, sessionId: await opened(), amount: '50.00' }
  const { errors } = assertProblem(await call('PUT', path, again), 400, 'validation_failed')
  assert.deepEqual([errors?.[0]?.pointer, errors?.[0]?.code], ['/sessionId', 'immutable'])
  const many = succeeded(await call('POST', '/v1/cash-movements?mode=upsert', { items: [{ ...again, externalId: 'M-1' }, { ...again, externalId: 'M-2' }] })) // biome-ignore format: one thought
  assert.deepEqual(many.results.map(({ outcome, error }: any) => outcome ?? error.code), ['validation_failed', 'created']) // biome-ignore format: one thought
  assertProblem(
    await call('PATCH', `/v1/cash-movement/${id}`, { sessionId: again.sessionId }),
    400,
    'validation_failed',
  )
  assert.equal(succeeded(await call('GET', `/v1/cash-movement/${id}`)).amount, '10.00')
  succeeded(await call('PATCH', `/v1/cash-movement/${id}`, { ...first, reason: 'Safe' }))
})

test('lists of cash movements by station and outlet find those of their sessions, and never another company’s', async () => {
  const { call, made } = await newTill(service)
  const outletId = (await made('/v1/outlet', { name: 'North' })).id
  const sessions: string[] = []
  const stations: string[] = []
  for (const name of ['Till 1', 'Till 2']) {
    stations.push((await made('/v1/station', { name, outletId, status: 'IN_USE' })).id)
    sessions.push((await made('/v1/session', { stationId: stations.at(-1) })).id)
    await made('/v1/cash-movement', { sessionId: sessions.at(-1), type: 'drop', amount: '1.00' })
  }
  await made('/v1/cash-movement', { sessionId: 'unknown', type: 'drop', amount: '1.00' })
  const found = async (query: string, by = call) =>
    succeeded(await by('GET', `/v1/cash-movements?${query}`)).data.map(({ sessionId }: any) => sessionId)
  assert.deepEqual(await found(`stationId=${stations[1]}`), [sessions[1]])
  assert.deepEqual(await found(`outletId=${outletId}`), sessions)
  assert.deepEqual(await found(`outletId=${outletId}&stationId=${stations[0]}&type=drop`), [sessions[0]])
  assert.deepEqual(await found(`outletId=${outletId}&type=float`), [])
  assert.deepEqual(await found(`outletId=${outletId}`, (await service.company()).call), [])
  assertProblem(await call('GET', '/v1/cash-movements?outlet=1'), 400, 'validation_failed')
})
