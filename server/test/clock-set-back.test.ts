// After a clock that was years ahead is set back, no export, lock-out, webhook or closing of a till waits for years.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { endFarWaits } from '../src/features/clock/set-back.ts'
import type { Body } from './support/contract.ts'
import { newUser } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { testService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = testService()

test('an export that began while the clock was ahead is completed', async () => {
  const { id: companyId, call } = await service.company()
  const { id } = (await call('POST', '/v1/exports')).body
  const state = async () => (await call('GET', `/v1/exports/${id}`)).body.state
  await until('the export is done', async () => (await state()) === 'done')
  // The state after a server was killed during the export.
  await service.database.query(
    `update exports set state = 'running', finished_at = null, leased_until = now() + interval '1 year', next_try_at = now() + interval '1 year'
     where company_id = $1`,
    [companyId],
  )
  await endFarWaits(service.database)
  await until('the export is done again', async () => (await state()) === 'done')
})

test('wrong passwords from while the clock was ahead lock nobody out after it is set back, and later ones do', async () => {
  const { email } = await newUser(service)
  const attempt = () => service.caller({})('POST', '/v1/console/sign-in', { email, password: 'not what was chosen' })
  const tenTimes = async () => {
    for (let n = 0; n < 10; n++) assertProblem(await attempt(), 401, 'invalid_credentials')
    const refused = await attempt()
    assertProblem(refused, 429, 'rate_limited')
    assert.ok(Number(refused.headers.get('retry-after')) <= 900)
  }
  await tenTimes()
  await service.database.query(`update sign_in_failures set since = since + interval '1 day'`)
  await tenTimes()
})

const delivery = (triggerId: string) => {
  const now = new Date().toISOString()
  return {
    id: 'd',
    triggerId,
    eventId: 'e',
    eventType: 'customer.created',
    state: 'pending',
    createdAt: now,
    updatedAt: now,
  }
}

test('a webhook retry that is too far ahead is due now, and one within its regular pause still waits', async () => {
  const { id: companyId, call } = await service.company()
  const trigger = { triggerType: 'customer.created', triggerUrl: 'https://hooks.example.com', apiKey: 'k'.repeat(24) }
  const rows: [triggerId: string, pause: string, isDue: boolean][] = []
  for (const [pause, isDue] of [
    ['1 year', true],
    ['29 hours', false],
  ] as const) {
    const { id } = (await call('POST', '/v1/automation-trigger', trigger)).body
    rows.push([id, pause, isDue])
    await service.database.query(
      `update automation_triggers set due_at = now() + $3::interval, held_until = now() + $3::interval where company_id = $1 and id = $2`,
      [companyId, id, pause],
    )
    await service.database.query(
      'insert into webhook_deliveries (company_id, id, body, next_at) values ($1, $2, $3, now() + $4::interval)',
      [companyId, newId(), delivery(id), pause],
    )
  }
  await endFarWaits(service.database)
  for (const [triggerId, pause, isDue] of rows)
    assert.deepEqual(
      await service.database.query(
        `select due_at <= now(), held_until <= now(), next_at <= now()
         from automation_triggers as trigger join webhook_deliveries as delivery on delivery.company_id = trigger.company_id and delivery.trigger_id = trigger.id
         where trigger.company_id = $1 and trigger.id = $2`,
        [companyId, triggerId],
      ),
      [[isDue, isDue, isDue]],
      pause,
    )
})

test('a closing made while the clock was ahead neither hides late records from the next closing nor sets its time', async () => {
  const { id: companyId, stationId, opened, paid, closed, report } = await newTill(service)
  const first = await opened()
  await closed(first)
  const ahead = await opened({ openTime: undefined })
  await paid(ahead, '5.00')
  await closed(ahead)
  const inAYear = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000).toISOString()
  for (const [table, column] of [
    ['closings', 'session_id'],
    ['sessions', 'id'],
  ])
    await service.database.query(
      `update ${table} set body = jsonb_set(body::jsonb, '{closeTime}', to_jsonb($3::text))::json where company_id = $1 and ${column} = $2`,
      [companyId, ahead, inAYear],
    )
  await service.database.query('update closing_numbers set closed_at = $3 where company_id = $1 and station_id = $2', [
    companyId,
    stationId,
    inAYear,
  ])
  const late = await paid(first, '3.00', { occurredAt: '2026-11-20T12:00:00.000Z' })
  for (const number of [3, 4]) {
    const next = await opened({ openTime: undefined })
    const isFirst = number === 3
    const ids = ({ lateRecords }: Body) => lateRecords.map(({ id }: Body) => id)
    assert.deepEqual(ids(await report(next)), isFirst ? [late.id] : [])
    const z = await closed(next)
    assert.deepEqual([z.number, ids(z)], [number, isFirst ? [late.id] : []])
    assert.ok(z.closeTime <= new Date().toISOString())
  }
})
