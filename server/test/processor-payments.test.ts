// Payments are found by the processor's id, which settlement files contain, and such a list does not read all payments.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
import { transaction } from '../src/resources/transaction.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { testService } from './support/service.ts'

const service = testService()

test('transactions are listed by one or several ids of the processor, of sales too, with other filters and an exact count', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const card = (processorTransactionId: string) => ({ processor: 'stripe', processorTransactionId })
  const lineItems = [{ name: 'Tea', price: '5.00' }]
  const paid = (id: string) => [{ paymentMethod: 'credit_card', paymentData: card(id) }]
  for (const { call: till } of [{ call }, other])
    succeeded(await till('POST', '/v1/sale', { lineItems, payments: paid('pi_1') }), 201)
  const { order } = succeeded(await call('POST', '/v1/sale', { lineItems, payments: paid('pi,2') }), 201)
  const back = { payments: paid('re_3') }
  succeeded(await call('POST', `/v1/sale/${order.id}/refund`, back), 201)
  succeeded(await call('POST', '/v1/transaction', { paymentMethod: 'cash', amount: '1.00', notes: '"processorTransactionId":"pi_1"' }), 201) // biome-ignore format: one thought
  const listed = async (query: string) => {
    const { data, meta } = succeeded(await call('GET', `/v1/transactions?${query}`))
    assert.equal(meta.count, data.length)
    return data.map(({ paymentData }: Body) => paymentData?.processorTransactionId)
  }
  assert.deepEqual(await listed('processorTransactionId=pi_1'), ['pi_1'])
  assert.deepEqual(await listed('processorTransactionId=pi%2C2'), ['pi,2'])
  const several = 'processorTransactionId=re_3&processorTransactionId=pi_1&processorTransactionId=pi_9'
  assert.deepEqual(await listed(several), ['pi_1', 're_3'])
  assert.deepEqual(await listed(`${several}&sortBy=amount&sortOrder=desc&type=refund`), ['re_3'])
  const many = Array.from({ length: 101 }, (_, n) => `processorTransactionId=${n}`).join('&')
  assertProblem(await call('GET', `/v1/transactions?${many}`), 400, 'validation_failed')
})

test('a list by an id of the processor uses its index, whatever the length and the order of its page', {
  skip: skipOnCluster,
}, async () => {
  const { id } = await service.company()
  await service.database.query(
    `insert into transactions (company_id, id, body)
     select $1, lpad(n::text, 24, '0'), format('{"id":"%s","createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","amount":"1.00","paymentData":{"processorTransactionId":"pi_%s"}}', lpad(n::text, 24, '0'), n)::json
     from generate_series(1, 5000) as n`,
    [id],
  )
  for (const parameters of [
    { limit: 1 },
    { limit: 100 },
    { sortBy: 'amount', sortOrder: 'desc' },
    { cursor: undefined },
  ]) {
    const query = listQuery(transaction, id, { processorTransactionId: ['pi_1', 'pi_2'], ...parameters })
    const statements = [
      [pageStatement(transaction, query).text, query.page.values],
      [`select count(*) from transactions as stored where ${query.where}`, query.filterValues],
    ] as const
    for (const [text, values] of statements) {
      const plan = (await service.database.query(`explain (costs off) ${text}`, values)).join('\n')
      assert.match(plan, /transactions_by_processor_id/, plan)
    }
  }
})
