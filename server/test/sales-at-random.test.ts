// Sales, payments, refunds and voids at random, over several sessions: what orders say is due, closings and stock agree to the smallest unit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumText } from '../src/core/exact.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { shop, stockOf } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** Numbers from 0 to below 1 that are the same in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const minus = (amount = '0'): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)
const sumOf = (amounts: readonly (string | undefined)[]): number =>
  Number(
    sumText(
      amounts.flatMap((amount) => amount ?? []),
      0,
    ),
  )

/** A till that does something at random. */
function tillAt(call: Caller, { outletId, stationId, variantId }: Body, decimals: number, random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const amount = (most: number) => (random() * most).toFixed(decimals)
  const line = () => ({
    ...(random() < 0.7 && { variantId }),
    name: 'Tea',
    price: amount(30),
    quantity: pick([1, 2, 3, 0.375, -1]),
    taxes: [{ name: 'VAT', percentage: pick([0, 2.6, 7, 19]) }],
  })
  const sale = () => ({
    outletId,
    stationId,
    lineItems: [line(), line()],
    summary: { isTaxInclusive: random() < 0.5, ...(random() < 0.5 && { tip: { amount: amount(5) } }) },
    ...(random() < 0.4 && { cartDiscount: { percentage: pick([5, 33.3]) } }),
  })
  const payments = (due: string) => {
    const type = Number(due) < 0 ? 'refund' : 'sale'
    const paid = (Math.abs(Number(due)) / 3).toFixed(decimals)
    const small = { paymentMethod: 'credit_card', type, amount: paid, ...(random() < 0.4 && { tip: { amount: paid } }) }
    return pick([[{ paymentMethod: 'cash', type }], [small], [small, { paymentMethod: 'cash', type }]])
  }
  return async (orders: readonly Body[]): Promise<Body | undefined> => {
    const order = pick(orders)
    const what = order === undefined ? 'sell' : pick(['sell', 'sell', 'pay', 'refund', 'void'])
    if (what === 'sell') {
      const body = sale()
      const { total } = succeeded(await call('POST', '/v1/sale/quote', body))
      return succeeded(
        await call('POST', '/v1/sale', { ...body, payments: random() < 0.3 ? [] : payments(total) }),
        201,
      ).order
    }
    const read = succeeded(await call('GET', `/v1/order/${order?.id}`))
    const lines = [{ lineItem: 0, restock: random() < 0.5 }]
    const body =
      what === 'pay' ? { payments: payments(read.due) } : what === 'refund' && random() < 0.6 ? { lines } : {}
    const path = `/v1/sale/${read.id}/${what === 'pay' ? 'payments' : what}`
    const reply = await call('POST', path, body)
    assert.ok([200, 201, 400, 409].includes(reply.status), reply.text)
    return reply.status < 300 ? reply.body.order : undefined
  }
}

/** All records of a company. */
const listOf = async (call: Caller, many: string): Promise<Body[]> =>
  succeeded(await call('GET', `/v1/${many}?limit=1000`)).data

for (const [currency, decimals, cashRounding] of [
  ['CHF', 2, '0.05'],
  ['JPY', 0, null],
  ['KWD', 3, '0.005'],
] as const)
  test(`what is due of sales in ${currency} is what closings miss, and each unit that left the shelf was sold`, async () => {
    const { id, call } = await service.company()
    await service.database.query('update companies set currency = $2 where id = $1', [id, currency])
    succeeded(await call('PATCH', '/v1/settings', { cashRounding }))
    const place = await shop(call, 10_000)
    const act = tillAt(call, place, decimals, numbersFrom(decimals + 7))
    const orders = new Map<string, Body>()
    const figures: Body[] = []
    for (let session = 0; session < 4; session++) {
      const sessionId = succeeded(await call('POST', '/v1/session', { stationId: place.stationId }), 201).id
      for (let n = 0; n < 12; n++) {
        const order = await act([...orders.values()])
        if (order === undefined) continue
        orders.set(order.id, order)
        assert.deepEqual(order, succeeded(await call('GET', `/v1/order/${order.id}`)))
      }
      figures.push(...succeeded(await call('POST', `/v1/session/${sessionId}/close`, {}), 201).figures)
    }
    const sold = await listOf(call, 'orders')
    const refunds = await listOf(call, 'refunds')
    const counted = sold.filter(({ status }) => status !== 'cancelled')
    for (const { summary, due, paid, refunded, returned } of counted) {
      const terms = [summary.total, summary.cashRounding, minus(returned), minus(paid), refunded]
      assert.equal(Number(due), sumOf(terms))
      assert.equal(due.split('.')[1]?.length ?? 0, decimals)
    }
    const kept = figures.flatMap((own) => [
      own.sales,
      own.cashRounding,
      minus(own.refunds),
      minus(own.refundedCashRounding),
    ])
    const money = figures.flatMap(({ payments }) => payments).flatMap((own) => [own.sales, minus(own.refunds)])
    assert.equal(sumOf([...kept, ...money.map(minus)]), sumOf(counted.map(({ due }) => due)))
    const unitsOf = (records: readonly Body[]) =>
      records.flatMap(({ lineItems }) => lineItems).filter(({ variantId, action }) => variantId === place.variantId && action !== 'REFUND_DAMAGE').map(({ quantity }) => String(quantity)) // biome-ignore format: one thought
    assert.equal(
      await stockOf(call, place.variantId),
      10_000 - sumOf([...unitsOf(counted), ...unitsOf(refunds).map(minus)]),
    )
    const toPay = ['unpaid', 'partially-paid'].map((status) => call('GET', `/v1/orders?paymentStatus=${status}`))
    const listed = (await Promise.all(toPay)).reduce((sum, reply) => sum + succeeded(reply).meta.count, 0)
    assert.equal(listed, counted.filter(({ due }) => Number(due) > 0).length)
  })
