// All that a customer has ever bought is the exact sum of their orders less the refunds of these orders, by currency,
// as of the last answered write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customerStatements } from '../src/features/reports/customer.ts'
import type { Body } from './support/contract.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, testService } from './support/service.ts'

const service = testService()

async function made(call: Caller, path: string, body: Body): Promise<Body> {
  const reply = await call('POST', path, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

const spendingOf = async (call: Caller, customerId: string): Promise<Body> => {
  const { status, body, text } = await call('GET', `/v1/reports/customers/${customerId}`)
  assert.equal(status, 200, text)
  return body
}

test('orders in each currency are summed with tax, without tips and less their refunds; parked and cancelled ones, and those of others, do not count', async () => {
  const { call } = await service.company()
  const customer = await made(call, '/v1/customer', { firstName: 'Ada' })
  const other = await made(call, '/v1/customer', { firstName: 'Béa' }) // biome-ignore format: one thought
  assert.deepEqual(await spendingOf(call, customer.id), {
    customerId: customer.id,
    currency: 'EUR',
    orders: 0,
    spending: [],
  })
  const order = (more: Body) => made(call, '/v1/order', { customerId: customer.id, ...more })
  const line = { name: 'Cup', quantity: 2, price: '10.00', subTotal: '20.00', total: '18.00', totalTax: '3.60' }
  const first = await order({ lineItems: [line], summary: { tip: { amount: '1.00' } }, occurredAt: '2024-01-02T10:00:00.000Z' }) // biome-ignore format: one thought
  await order({ lineItems: [{ ...line, totalTax: '3.00' }], summary: { isTaxInclusive: true }, occurredAt: '2025-03-04T10:00:00.000Z' }) // biome-ignore format: one thought
  await order({ currency: 'JPY', customSales: [{ name: 'Gift', price: '500', total: '500' }], occurredAt: '2023-05-06T10:00:00.000Z' }) // biome-ignore format: one thought
  for (const status of ['parked', 'cancelled', 'pending'])
    await order({ status, lineItems: [line], occurredAt: '2026-01-01T10:00:00.000Z' })
  await made(call, '/v1/order', { customerId: other.id, lineItems: [line] })
  await made(call, '/v1/refund', { orderId: first.id, lineItems: [], summary: { total: '5.50' } })
  assert.deepEqual(await spendingOf(call, customer.id), {
    customerId: customer.id,
    currency: 'EUR',
    orders: 3,
    firstOrderAt: '2023-05-06T10:00:00.000Z',
    lastOrderAt: '2025-03-04T10:00:00.000Z',
    spending: [
      { currency: 'EUR', count: 2, netSales: '33.00', tax: '6.60', tips: '1.00', refunded: '5.50', spent: '34.10' },
      { currency: 'JPY', count: 1, netSales: '500', tax: '0', tips: '0', refunded: '0', spent: '500' },
    ],
  })
  // The next answer has the next write, a cancelled order does not count with its refund, and a deleted customer is still known.
  await call('PATCH', `/v1/order/${first.id}`, { status: 'cancelled' })
  await call('DELETE', `/v1/customer/${customer.id}`)
  const { orders, spending } = await spendingOf(call, customer.id)
  const { count, refunded, spent } = spending[0]
  assert.deepEqual([orders, count, refunded, spent], [2, 1, '0.00', '18.00'])
})

test('a sale that came back whole was not spent, whatever tip, delivery and fees were refunded with it', async () => {
  const { call } = await service.company()
  const { id: customerId } = await made(call, '/v1/customer', { firstName: 'Ada' })
  const line = { price: '10.00', taxes: [{ name: 'VAT', percentage: 20 }], fee: { amount: '0.25' } }
  const sold = await made(call, '/v1/sale', {
    customerId,
    lineItems: [line, line],
    cartFees: [{ amount: '1.00' }],
    summary: { tip: { amount: '2.00' }, shippingTotal: '4.90' },
    payments: [{ paymentMethod: 'cash', amount: '32.40' }],
  })
  const spent = async () => {
    const { refunded, spent } = (await spendingOf(call, customerId)).spending[0]
    return [refunded, spent]
  }
  const refund = (body: Body) => made(call, `/v1/sale/${sold.order.id}/refund`, body)
  await refund({ lines: [{ lineItem: 0 }], tip: '2.00' })
  assert.deepEqual(await spent(), ['14.25', '12.00'])
  await refund({})
  assert.deepEqual(await spent(), ['32.40', '0.00'])
  // A refund that was written as a record may pay back less than its lines cost, or name no amounts of lines.
  const lineItems = [{ productId: 'tea', variantId: 'tea', quantity: 1, total: '12.00' }]
  const order = () => made(call, '/v1/order', { customerId, lineItems, summary: { total: '12.00' } })
  await made(call, '/v1/refund', { orderId: (await order()).id, lineItems, summary: { total: '9.00' } })
  assert.deepEqual(await spent(), ['41.40', '3.00'])
  await made(call, '/v1/refund', {
    orderId: (await order()).id,
    lineItems: [],
    summary: { total: '8.00', tip: { amount: '1.00' } },
  })
  assert.deepEqual(await spent(), ['49.40', '8.00'])
})

test('an exchange with a fee that came back whole was not spent, nor a fee that came back alone', async () => {
  const { call } = await service.company()
  const { id: customerId } = await made(call, '/v1/customer', { firstName: 'Ada' })
  const sell = (lineItems: Body[], amount: string) =>
    made(call, '/v1/sale', {
      customerId,
      lineItems,
      cartFees: [{ amount: '1.00' }],
      payments: [{ paymentMethod: 'cash', amount }],
    })
  const spent = async () => (await spendingOf(call, customerId)).spending[0].spent
  const back = ({ order }: Body, body: Body) => made(call, `/v1/sale/${order.id}/refund`, body)
  await back(await sell([{ price: '10.00', quantity: -1 }, { price: '15.00' }], '6.00'), {})
  assert.equal(await spent(), '0.00')
  await back(await sell([{ price: '10.00', quantity: -1 }, { price: '10.00' }], '1.00'), {})
  assert.equal(await spent(), '0.00')
  const sold = await sell([{ price: '15.00' }, { price: '-5.00' }], '11.00')
  await back(sold, { lines: [], fees: '1.00' })
  assert.equal(await spent(), '10.00')
  await back(sold, {})
  assert.equal(await spent(), '0.00')
  const free = { price: '10.00', discount: { itemDiscount: { percentage: 100 } }, fee: { amount: '0.20' } }
  await back(await sell([free], '1.20'), { lines: [{ lineItem: 0 }] })
  assert.equal(await spent(), '0.00')
  // The fee is worth more than the voucher, which alone is left with it.
  const reduced = await sell([{ price: '5.00' }, { price: '-0.40' }], '5.60')
  await back(reduced, { lines: [{ lineItem: 0 }] })
  await back(reduced, {})
  assert.equal(await spent(), '0.00')
})

test('refunds that were written as records count by what they pay back, whichever of their amounts are negative', async () => {
  const { call } = await service.company()
  const { id: customerId } = await made(call, '/v1/customer', { firstName: 'Ada' })
  const line = (productId: string, total: string) => ({ productId, variantId: productId, quantity: 1, total })
  const order = { customerId, lineItems: [line('tea', '10.00'), line('voucher', '-2.00')], summary: { total: '8.00' } }
  const refundedOf = async () => {
    const { groups } = (await call('GET', '/v1/reports/sales?groupBy=productId')).body
    return Object.fromEntries(groups.map(({ productId, refunded }: Body) => [productId ?? '', Number(refunded)]))
  }
  const unknown = { productId: 'tea', variantId: 'tea', quantity: 1 }
  for (const [n, [lineItems, summary, ...products]] of [
    [[line('tea', '10.00'), line('voucher', '-2.00')], { total: '-8.00' }, 10, -2],
    [[line('tea', '-10.00'), line('voucher', '2.00')], { total: '8.00' }, 10, -2],
    [[line('tea', '-10.00'), line('voucher', '2.00')], {}, 10, -2],
    [[line('tea', '8.00')], { total: '-8.00' }, 8, 0],
    [[unknown], { total: '8.00', subTotal: '0.00', discountTotal: '0.00' }, 0, 0],
  ].entries() as Iterable<[number, [Body[], Body, number, number]]>) {
    const before = n === 0 ? {} : await refundedOf()
    const { id: orderId } = await made(call, '/v1/order', order)
    await made(call, '/v1/refund', { orderId, lineItems, summary })
    const { refunded, spent } = (await spendingOf(call, customerId)).spending[0]
    assert.deepEqual([n, refunded, spent], [n, `${8 * (n + 1)}.00`, '0.00'])
    const after = await refundedOf()
    const added = ['tea', 'voucher'].map((product) => (after[product] ?? 0) - (before[product] ?? 0))
    assert.deepEqual([n, ...added], [n, ...products])
  }
})

test('the sums of a customer are those of the report by customers, over more orders than are read at once, some cancelled after a refund', async () => {
  const { call } = await service.company()
  const customer = await made(call, '/v1/customer', { firstName: 'Ada' })
  const items = Array.from({ length: 600 }, (_, n) => ({
    customerId: customer.id,
    lineItems: [{ name: 'Cup', quantity: 1, price: `${n}.01`, total: `${n}.01`, totalTax: '0.10' }],
  }))
  const { body } = await call('POST', '/v1/orders', { items })
  const back = body.results.slice(0, 550).map(({ data }: Body) => ({ orderId: data.id, lineItems: [], summary: { total: '0.01' } })) // biome-ignore format: one thought
  assert.ok((await call('POST', '/v1/refunds', { items: back })).body.results.every(({ data }: Body) => data))
  const cancelled = body.results.slice(545, 555).map(({ data }: Body) => ({ id: data.id, status: 'cancelled' }))
  assert.equal((await call('PATCH', '/v1/orders', { items: cancelled })).body.summary.succeeded, 10)
  const { spending, orders } = await spendingOf(call, customer.id)
  let groups: Body
  // On a busy machine the first request may run out of time.
  do groups = (await call('GET', '/v1/reports/customers')).body
  while (groups.isComplete === false)
  const { count, netSales, tax, tips, refunded } = groups.groups[0]
  const { spent, ...sums } = spending[0]
  assert.deepEqual({ ...sums }, { currency: 'EUR', count, netSales, tax, tips, refunded })
  assert.deepEqual([orders, refunded, spent], [590, '5.45', '174264.45'])
})

test('another company’s customer, and an id that is not a customer’s, are not found', async () => {
  const own = await service.company()
  const other = await service.company()
  const { id } = await made(own.call, '/v1/customer', { firstName: 'Ada' })
  for (const wrong of [id, 'x', '6740a1f2c3d4e5f6a7b8c9d0'])
    assertProblem(await other.call('GET', `/v1/reports/customers/${wrong}`), 404, 'not_found')
})

test('orders of a customer and refunds of orders are read by their own indexes, whatever plan is kept', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  const { database } = service
  // A kept plan does not know that the company has more refunds than the others.
  const insert = (table: string, member: string) =>
    database.query(
      `insert into ${table} (company_id, id, body)
       select case when n > 3000 then $1 else 'company-' || n % 300 end, '6' || lpad(n::text, 23, '0'), json_build_object('id', '6' || lpad(n::text, 23, '0'), '${member}', 'of-' || n, 'createdAt', at, 'updatedAt', at)
       from (select n, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, 5000) as n) as made`,
      [companyId],
    )
  await insert('orders', 'customerId')
  await insert('refunds', 'orderId')
  await database.query('vacuum analyze orders, refunds')
  const { orders, refunds } = customerStatements
  // Refunds are found by the orders that were just read: to look through all orders of a customer again for each chunk of
  // refunds takes seconds for one with tens of thousands.
  for (const [{ text }, value, index, others] of [
    [orders, `'of-4007'`, /Index Scan using orders_by_customer_id/, /_created_at/],
    [
      refunds,
      `array['of-4007', 'of-4009']`,
      /Index Scan (using|on) refunds_by_order_id/,
      /_created_at|_by_customer_id/,
    ],
  ] as const)
    await database.transaction(async (transaction) => {
      await transaction.query('set local plan_cache_mode = force_generic_plan')
      await transaction.query(`prepare summed (text, text, text, text, text, ${value.startsWith('array') ? 'text[]' : 'text'}) as ${text}`) // biome-ignore format: one thought
      const rows = await transaction.query(`explain (costs off) execute summed ('${companyId}', '', '', '~', '', ${value})`) // biome-ignore format: one thought
      const plan = rows.map(([line]) => line).join('\n')
      assert.match(plan, index, plan)
      assert.doesNotMatch(plan, others, plan)
      await transaction.query('deallocate summed')
    })
})
