// An undo of an import while tills work: an order that stays has all of its payments, and one that goes leaves none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../src/database/connect.ts'
import type { Body } from './support/contract.ts'
import { shopifyOrders } from './support/history.ts'
import { csvOf, imported, reached } from './support/imports.ts'
import { until } from './support/program.ts'
import { type Company, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const list = async ({ call }: Company, kind: string): Promise<Body[]> =>
  (await call('GET', `/v1/${kind}?limit=1000`)).body.data

/** Imports six orders, and undoes them while another transaction holds a refund: `work` with a paid and the refunded one is done before it ends. */
async function undoneMeanwhile(
  company: Company,
  work: (orders: readonly [Body, Body], holder: Queryable, refundId: string) => Promise<void>,
): Promise<{ orders: readonly [Body, Body]; undo: Body }> {
  const { call } = company
  const { id } = await imported(call, csvOf(shopifyOrders))
  const all = await list(company, 'orders')
  const orders = ['#1', '#6'].map((name) => all.find(({ receiptId }) => receiptId === name)) as [Body, Body]
  const refund = (await list(company, 'refunds')).find(({ orderId }) => orderId === orders[1].id) as Body
  await service.database.transaction(async (holder) => {
    await holder.query('select from refunds where company_id = $1 and id = $2 for update', [company.id, refund.id])
    assert.equal((await call('POST', `/v1/imports/${id}/undo`)).status, 200)
    await until('the undo waits for the refund', async () => {
      const [row] = await service.database.query(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return row?.[0] > 0
    })
    await work(orders, holder, refund.id)
  })
  const { undo } = await reached(call, id, 'undone')
  return { orders, undo }
}

const money = ({ id, paid, due, refunded, returned }: Body) => [id, paid, due, refunded, returned]

test('an order that is changed while an undo is at its payments is gone with them, or stays with them', async () => {
  const company = await service.company()
  let changing: Promise<Reply> | undefined
  const { orders: before, undo } = await undoneMeanwhile(company, async ([{ id }]) => {
    changing = company.call('PATCH', `/v1/order/${id}`, { customerNote: 'Mine' })
    // Whether it waits for the undo or not, others are answered.
    await list(company, 'orders')
  })
  const { status } = (await changing) as Reply
  const orders = await list(company, 'orders')
  const payments = await list(company, 'transactions')
  assert.deepEqual(orders.map(money), status === 200 ? [money(before[0])] : [])
  assert.equal(payments.length, orders.length)
  assert.equal(undo.orders.left, orders.length)
})

test('an order whose refund is changed while the undo waits for it keeps its refund and its payments', async () => {
  const company = await service.company()
  const { orders, undo } = await undoneMeanwhile(company, async (_, holder, id) => {
    await holder.query('update refunds set version = version + 1 where company_id = $1 and id = $2', [company.id, id])
  })
  assert.deepEqual((await list(company, 'orders')).map(money), [money(orders[1])])
  assert.deepEqual(
    ['orders', 'transactions', 'refunds'].map((kind) => [undo[kind].deleted, undo[kind].left]),
    [
      [5, 1],
      [5, 2],
      [1, 1],
    ],
  )
  assert.equal((await list(company, 'transactions')).length, 2)
})
