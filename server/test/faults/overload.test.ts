// Overload by one company: another company with little load is served beside it, and what exceeds the capacity is refused at once and not done.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BATCH_ITEMS, BATCH_STATEMENTS, BATCH_WAITING } from '../../src/concurrency/batch.ts'
import { SEMAPHORES } from '../../src/core/limits.ts'
import { CONNECTIONS } from '../../src/database/connect.ts'
import { companyConnections } from '../../src/database/row-security/isolated.ts'
import { testsRowSecurity } from '../support/database.ts'
import {
  arrivals,
  assertBusy,
  bulk,
  create,
  hold,
  list,
  sendMany,
  statuses,
  twoCompanies,
  upTo,
  written,
} from '../support/overload.ts'
import { until } from '../support/program.ts'
import { type Company, type Reply, type TestService, testService } from '../support/service.ts'

/** How many records of the busy company were written before the one of the quiet company. */
async function takenBefore({ database }: TestService, busy: Company, quiet: Company): Promise<number> {
  // A record's time is that at which its statement was composed.
  const [row] = await database.query(
    `select count(*)::int from customers
     where company_id = $1 and created_at < (select min(created_at) from customers where company_id = $2)`,
    [busy.id, quiet.id],
  )
  return row?.[0]
}

describe('one company with too much load', () => {
  const service = testService()

  test('while 700 creates of one company wait, another’s is in one of the next two statements', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const arrived = arrivals(t)
    const many = await sendMany(arrived, 700, () => create(busy))
    await isHanging(BATCH_STATEMENTS)
    const one = create(quiet)
    await arrived.come(701)
    await release()
    assert.deepEqual(statuses([await one, ...(await Promise.all(many))]), [201])
    // Those in flight when it arrived, and one more.
    assert.ok((await takenBefore(service, busy, quiet)) <= (BATCH_STATEMENTS + 1) * BATCH_ITEMS)
    assert.equal(await written(service, busy), 700)
  })

  test('while bulk requests of one company wait, another’s is the next but one', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const { come } = arrivals(t)
    const many = upTo(20).map(() => bulk(busy))
    await come(20)
    await isHanging(SEMAPHORES.bulk.atOnce)
    const one = bulk(quiet)
    await come(21)
    await release()
    assert.deepEqual(statuses([await one, ...(await Promise.all(many))]), [200])
    assert.ok((await takenBefore(service, busy, quiet)) <= (SEMAPHORES.bulk.atOnce + 1) * 2)
  })

  test('creates beyond the capacity get 503 at once and nothing of them is written; all others are done, and another company is served', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const arrived = arrivals(t)
    const refused: Reply[] = []
    // One company may use half of the capacity.
    const sent = BATCH_WAITING / 2 + BATCH_STATEMENTS * BATCH_ITEMS + 50
    const many = await sendMany(arrived, sent, async () => {
      const reply = await create(busy)
      if (reply.status !== 201) refused.push(reply)
    })
    await isHanging(BATCH_STATEMENTS)
    const one = create(quiet)
    await arrived.come(sent + 1)
    await until('those beyond it are answered while the others wait', () => refused.length >= 50)
    await release()
    assert.equal((await one).status, 201)
    await Promise.all(many)
    for (const reply of refused) assertBusy(reply)
    assert.equal(await written(service, busy), sent - refused.length)
    assert.ok(sent - refused.length >= BATCH_WAITING / 2)
  })

  test('bulk requests beyond the capacity get 503 at once and nothing of them is written; all others are done, and another company is served', async (t) => {
    const [busy, quiet] = await twoCompanies(service)
    const { release, isHanging } = await hold(t, service)
    const room = SEMAPHORES.bulk.atOnce + SEMAPHORES.bulk.waiting / 2
    const replies: Reply[] = []
    const many = upTo(room + 5).map(async () => void replies.push(await bulk(busy)))
    await until('five are answered', () => replies.length === 5)
    await isHanging(SEMAPHORES.bulk.atOnce)
    for (const reply of replies) assertBusy(reply)
    const one = bulk(quiet)
    await release()
    await Promise.all(many)
    assert.deepEqual(statuses([await one, ...replies.slice(5)]), [200])
    assert.deepEqual([await written(service, busy), await written(service, quiet)], [room * 2, 2])
  })

  test('while all connections hang, health answers and an unknown key is looked up', async (t) => {
    const [busy] = await twoCompanies(service)
    const { body } = await create(busy)
    const stranger = await service.keyFor(busy.id)
    const { release, isHanging } = await hold(t, service)
    const path = `/v1/customer/${body.id}`
    const singles = [
      () => create(busy),
      () => busy.call('GET', path),
      () => busy.call('PATCH', path, { lastName: 'Lovelace' }),
      () => busy.call('DELETE', path),
    ]
    const all: Promise<Reply>[] = []
    for (const ask of upTo(BATCH_STATEMENTS).flatMap(() => singles)) {
      all.push(ask())
      await isHanging(all.length)
    }
    all.push(
      ...upTo(SEMAPHORES.list.atOnce).map(() => list(busy)),
      ...upTo(SEMAPHORES.bulk.atOnce).map(() => bulk(busy)),
    )
    await isHanging(testsRowSecurity() ? companyConnections(CONNECTIONS) : CONNECTIONS)
    assert.equal((await service.caller()('GET', '/v1/public/health')).status, 200)
    assert.equal((await stranger.call('GET', '/v1/customer/none')).status, 404)
    await release()
    await Promise.all(all)
  })
})
