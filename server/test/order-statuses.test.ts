// Lists of records with any of several words, such as orders in the statuses of open tabs: pages, counts and order are those of one list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('orders are listed in several statuses at once, in every order, from a cursor on, with an exact count and with other filters', async () => {
  const { call } = await service.company()
  const statuses = ['parked', 'completed', 'pending', 'parked', 'cancelled', 'pending', 'parked', 'layaway']
  const items = statuses.map((status, n) => ({
    status,
    receiptId: `R-${n}`,
    outletId: n < 4 ? 'bar' : 'shop',
    lineItems: [{ name: 'Tea' }],
  }))
  assert.equal(succeeded(await call('POST', '/v1/orders', { items })).summary.failed, 0)
  const all: Body[] = succeeded(await call('GET', '/v1/orders')).data
  const listed = async (query: string) => {
    const { data, meta } = succeeded(await call('GET', `/v1/orders?${query}`))
    return { ids: data.map(({ id }: Body) => id), count: meta.count, next: meta.nextCursor }
  }
  const open = all.filter(({ status }) => ['parked', 'pending'].includes(status)).map(({ id }) => id)
  for (const several of [
    'status=parked,pending',
    'status=pending&status=Parked',
    'status=pending,%20parked,,%20nothing',
  ]) {
    assert.deepEqual(await listed(several), { ids: open, count: 5, next: undefined })
    assert.deepEqual((await listed(`${several}&sortOrder=desc`)).ids, open.toReversed())
    const first = await listed(`${several}&limit=2`)
    assert.deepEqual([first.ids, first.count], [open.slice(0, 2), 5])
    assert.deepEqual((await listed(`${several}&limit=2&cursor=${first.next}`)).ids, open.slice(2, 4))
    assert.deepEqual((await listed(`${several}&skip=1&limit=3`)).ids, open.slice(1, 4))
    assert.deepEqual((await listed(`${several}&skip=1200`)).ids, [])
    const sorted = await listed(`${several}&sortBy=occurredAt&sortOrder=desc`)
    assert.deepEqual([sorted.ids, sorted.count], [open.toReversed(), 5])
    const bar = all.filter(({ id, outletId }) => open.includes(id) && outletId === 'bar').map(({ id }) => id)
    assert.deepEqual(await listed(`${several}&outletId=bar`), { ids: bar, count: 3, next: undefined })
    assert.deepEqual((await listed(`${several}&createdAt[gte]=2000-01-01`)).ids, open)
    assert.deepEqual((await listed(`${several}&id=${all[1]?.id},${all[2]?.id}`)).ids, [all[2]?.id])
    assert.deepEqual((await listed(`${several}&search=R-3`)).ids, [all[3]?.id])
  }
  // Blanks and commas around one status change nothing, and a list of none has no records.
  for (const one of ['status=layaway', 'status=,%20layaway']) {
    assert.deepEqual((await listed(one)).ids, [all[7]?.id])
    assert.deepEqual((await listed(`${one}&createdAt[gte]=2000-01-01`)).ids, [all[7]?.id])
  }
  assert.deepEqual((await listed('status=,')).ids, [])
  assert.deepEqual(await listed('status=nothing,none'), { ids: [], count: 0, next: undefined })
})

test('payments are listed by several types and methods, products by several statuses, and a word with a comma is found', async () => {
  const { call } = await service.company()
  const words = [
    'sale cash',
    'refund cash',
    'void credit_card',
    'sale gift_card',
    'sale Visa, debit',
    'refund gift_card',
  ]
  const payments = words.map((text) => {
    const [type, ...paymentMethod] = text.split(' ')
    return { type, paymentMethod: paymentMethod.join(' '), amount: '1.00' }
  })
  const products = ['draft', 'active', 'archived', 'active'].map((status, n) => ({ name: `P${n}`, status }))
  assert.equal(succeeded(await call('POST', '/v1/transactions', { items: payments })).summary.failed, 0)
  assert.equal(succeeded(await call('POST', '/v1/products', { items: products })).summary.failed, 0)
  const listed = async (path: string, shown: (record: Body) => string) => {
    const { data, meta } = succeeded(await call('GET', path))
    assert.equal(meta.count, data.length)
    return data.map(shown)
  }
  const paid = (query: string) =>
    listed(`/v1/transactions?${query}`, ({ type, paymentMethod }) => `${type} ${paymentMethod}`)
  for (const several of ['paymentMethod=cash,gift_card', 'paymentMethod=Cash&paymentMethod=gift_card'])
    assert.deepEqual(await paid(several), ['sale cash', 'refund cash', 'sale gift_card', 'refund gift_card'])
  assert.deepEqual(await paid('type=refund,void'), ['refund cash', 'void credit_card', 'refund gift_card'])
  assert.deepEqual(await paid('type=refund,void&paymentMethod=credit_card,gift_card&sortOrder=desc'), [
    'refund gift_card',
    'void credit_card',
  ])
  assert.deepEqual(await paid('paymentMethod=Visa,%20debit'), ['sale Visa, debit'])
  assert.deepEqual(await listed('/v1/products?status=draft,archived', ({ status }) => status), ['draft', 'archived'])
})
