// Sales that are made once: by their number in another system, whatever is repeated, in whatever request, whenever.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../src/core/scope.ts'
import type { Queryable } from '../src/database/connect.ts'
import { makeSales } from '../src/features/sales/once.ts'
import type { SaleParts } from '../src/features/sales/sell.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { lineOf, recordCounts, refused, shop, stockOf } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

/** A shop, and the sale of a receipt there. */
async function till() {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 20)
  const saleOf = (externalId: string, more: object = {}) => ({
    source: 'till-1',
    externalId,
    receiptId: externalId,
    outletId,
    occurredAt: '2026-11-20T10:00:00Z',
    ...lineOf(variantId, 1),
    payments: [{ paymentMethod: 'cash', amount: '25.00' }],
    ...more,
  })
  return { call, variantId, saleOf }
}

test('a sale that is sent again under its number stores nothing and is answered with its order, without any key', async () => {
  const { call, variantId, saleOf } = await till()
  const first = succeeded(await call('POST', '/v1/sale?mode=once', saleOf('R-1')), 201)
  assert.equal(first.transactions.length, 1)
  const again = succeeded(await call('POST', '/v1/sale?mode=once', saleOf('R-1')))
  assert.deepEqual(again, { order: first.order, transactions: [], stock: [] })
  // The same instant in another zone is the same sale; so is one that names no time.
  const elsewhere = saleOf('R-1', { occurredAt: '2026-11-20T11:00:00+01:00' })
  assert.equal(succeeded(await call('POST', '/v1/sale?mode=once', elsewhere)).order.id, first.order.id)
  const timeless = saleOf('R-1', { occurredAt: undefined })
  assert.equal(succeeded(await call('POST', '/v1/sale?mode=once', timeless)).order.id, first.order.id)
  assert.deepEqual(await recordCounts(call), [1, 1, 0, 2])
  assert.equal(await stockOf(call, variantId), 19)
  // Without the mode it is another sale, as before.
  succeeded(await call('POST', '/v1/sale', saleOf('R-1')), 201)
  assert.equal(succeeded(await call('POST', '/v1/sale?mode=once', saleOf('R-1'))).order.id, first.order.id)
  assert.equal(await stockOf(call, variantId), 18)
})

test('in a bulk, and over several, each number is one sale, and what is refused is made once it is right', async () => {
  const { call, variantId, saleOf } = await till()
  const items = [saleOf('R-1'), saleOf('R-2'), saleOf('R-1'), saleOf('R-3', { status: 'parked' }), saleOf('R-3')]
  const { summary, results } = succeeded(await call('POST', '/v1/sales?mode=once', { items }))
  assert.deepEqual(summary, { total: 5, succeeded: 4, failed: 1, created: 3, unchanged: 1 })
  const outcomes = results.map(({ outcome, error }: any) => outcome ?? error.errors[0].pointer)
  assert.deepEqual(outcomes, ['created', 'created', 'unchanged', '/items/3/status', 'created'])
  assert.equal(results[2].data.order.id, results[0].data.order.id)
  const later = { items: [saleOf('R-2'), saleOf('R-4')] }
  assert.deepEqual(succeeded(await call('POST', '/v1/sales?mode=once', later)).summary, {
    total: 2,
    succeeded: 2,
    failed: 0,
    created: 1,
    unchanged: 1,
  })
  assert.equal((await recordCounts(call))[0], 4)
  assert.equal(await stockOf(call, variantId), 16)
  assert.equal('created' in succeeded(await call('POST', '/v1/sales', later)).summary, false)
})

test('of many that send one number at once, one makes the sale', async () => {
  const { call, variantId, saleOf } = await till()
  const replies = await Promise.all([
    ...Array.from({ length: 8 }, () => call('POST', '/v1/sale?mode=once', saleOf('R-1'))),
    ...Array.from({ length: 4 }, () => call('POST', '/v1/sales?mode=once', { items: [saleOf('R-2'), saleOf('R-1')] })),
  ])
  const ids = replies.map(({ body }) => body.order?.id ?? body.results[1].data.order.id)
  assert.equal(new Set(ids).size, 1)
  assert.equal((await recordCounts(call))[0], 2)
  assert.equal(await stockOf(call, variantId), 18)
})

test('another sale under a number is refused, so that it is not taken for the first one and lost', async () => {
  const { call, saleOf } = await till()
  const first = succeeded(await call('POST', '/v1/sale?mode=once', saleOf('R-1')), 201).order.id
  const other = saleOf('R-1', { occurredAt: '2026-11-20T10:05:00Z' })
  refused(await call('POST', '/v1/sale?mode=once', other), 409, 'conflict', '/occurredAt')
  assert.match((await call('POST', '/v1/sale?mode=once', other)).text, new RegExp(first))
  // Another source has numbers of its own.
  succeeded(await call('POST', '/v1/sale?mode=once', { ...other, source: 'till-2' }), 201)
})

test('an order that was never sold is not taken for the sale of its number, whose money and goods would be lost', async () => {
  const { call, saleOf } = await till()
  const sale = saleOf('R-1')
  const { payments: _, oversell: __, ...order } = sale as Record<string, unknown>
  const path = '/v1/order/external/till-1/R-1'
  for (const status of ['pending', 'parked', 'cancelled']) {
    const { id } = (await call('PUT', path, { ...order, status })).body
    const reply = await call('POST', '/v1/sale?mode=once', sale)
    const { errors } = assertProblem(reply, 409, 'conflict')
    assert.deepEqual([errors[0].pointer, errors[0].code], ['/externalId', 'not_sold'])
    assert.match(errors[0].message, new RegExp(`${id}.*${status}`))
  }
  const { id } = (await call('PUT', path, { status: 'completed' })).body
  assert.equal(succeeded(await call('POST', '/v1/sale?mode=once', sale)).order.id, id)
  // A sale that was voided was sold.
  const voided = succeeded(await call('POST', '/v1/sale?mode=once', saleOf('R-2')), 201).order.id
  succeeded(await call('POST', `/v1/sale/${voided}/void`, {}))
  assert.equal(succeeded(await call('POST', '/v1/sale?mode=once', saleOf('R-2'))).order.id, voided)
})

test('a sale that is made once needs its number, a deleted order is made again, and the key has to read', async () => {
  const { id, call } = await service.company()
  const body = { lineItems: [{ name: 'Coffee', price: '3.00' }], source: 'till-1', externalId: 'R-1' }
  const unnumbered = await call('POST', '/v1/sale?mode=once', { ...body, externalId: '' })
  refused(unnumbered, 400, 'validation_failed', '/externalId')
  assert.match(unnumbered.body.detail, /externalId: is required, since mode=once /)
  refused(await call('POST', '/v1/sale?mode=once', { ...body, source: 7 }), 400, 'validation_failed', '/source')
  refused(await call('POST', '/v1/sale?mode=once', []), 400, 'validation_failed', '')
  assertProblem(await call('POST', '/v1/sale?mode=upsert', body), 400, 'validation_failed')
  const dry = await call('POST', '/v1/sale?mode=once&dryRun=true', body)
  assert.deepEqual([dry.status, (await recordCounts(call))[0]], [201, 0])
  const { order } = succeeded(await call('POST', '/v1/sale?mode=once', body), 201)
  assert.equal((await call('POST', '/v1/sale?mode=once&dryRun=true', body)).status, 200)
  assert.equal((await call('DELETE', `/v1/order/${order.id}`)).status, 200)
  assert.notEqual(succeeded(await call('POST', '/v1/sale?mode=once', body), 201).order.id, order.id)
  const creates = await service.keyFor(id, ['create'])
  assertProblem(await creates.call('POST', '/v1/sale?mode=once', body), 403, 'permission_denied')
})

test('many wrong sales under one number are refused by a few statements, and a right one among them is made', async () => {
  const { id, call } = await service.company()
  const wrong = { source: 'till-1', externalId: 'R-1', lineItems: [{ name: 'Coffee' }] }
  const right = { ...wrong, lineItems: [{ name: 'Coffee', price: '3.00' }] }
  const items = [...Array(20).fill(wrong), right, wrong, right]
  const { summary, results } = succeeded(await call('POST', '/v1/sales?mode=once', { items }))
  assert.deepEqual(summary, { total: 23, succeeded: 3, failed: 20, created: 1, unchanged: 2 })
  assert.deepEqual(
    results.slice(20).map(({ outcome }: any) => outcome),
    ['created', 'unchanged', 'unchanged'],
  )
  let statements = 0
  await service.database.transaction(async (transaction) => {
    const counting: Queryable = {
      ...transaction,
      query(...given) {
        statements++
        return transaction.query(...given)
      },
    }
    const scope = { companyId: id } as Scope
    const value = { ...wrong, externalId: 'R-2' }
    const sales = Array.from({ length: 200 }, () => ({ scope, value, isOnce: true }))
    // Nothing is written, so no operation is needed.
    await makeSales({} as SaleParts, counting, sales)
  })
  assert.ok(statements < 20, `${statements} statements`)
})

test('a bulk that repeats every sale, as a till with a doubled queue sends it, changes each level once', async () => {
  const { id, call } = await service.company()
  const { outletId, variantId } = await shop(call)
  const sale = (n: number) => ({ source: 'till', externalId: `R-${n}`, outletId, ...lineOf(variantId, 1) })
  const versionOf = () => service.database.query('select version from inventories where company_id = $1', [id])
  const [[before] = []] = await versionOf()
  const items = [1, 1, 2, 2, 3, 3].map(sale)
  const { summary } = succeeded(await call('POST', '/v1/sales?mode=once', { items }))
  assert.deepEqual(summary, { total: 6, succeeded: 6, failed: 0, created: 3, unchanged: 3 })
  assert.deepEqual([await versionOf(), await stockOf(call, variantId)], [[[before + 1]], 9])
})

test('a sale that is made after a refused one of the same number keeps the stock movement of a sale in between', async () => {
  const { call } = await service.company()
  const { outletId, productId, variantId } = await shop(call)
  const soldOut = await shop(call, 0)
  const branch = succeeded(await call('POST', '/v1/outlet', { name: 'Branch' }), 201).id
  await call('POST', '/v1/inventories/set-levels', { items: [{ variantId, productId, outletId: branch, stock: 5 }] })
  const sale = (externalId: string, outletId: string, variantId: string) => ({
    source: 'till',
    externalId,
    outletId,
    lineItems: [{ variantId, quantity: 1, price: '1.00' }],
  })
  const items = [sale('1', outletId, soldOut.variantId), sale('2', outletId, variantId), sale('1', branch, variantId)]
  const { summary } = succeeded(await call('POST', '/v1/sales?mode=once', { items }))
  assert.deepEqual([summary.created, summary.failed], [2, 1])
  const { inventory } = succeeded(await call('GET', `/v1/variant/${variantId}`))
  const stock = Object.fromEntries(inventory.map((level: any) => [level.outletId, level.stock]))
  assert.deepEqual(stock, { [outletId]: 11, [branch]: 4 })
})
