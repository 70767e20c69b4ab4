// Imports of orders from Shopify: they become orders, payments and refunds to the cent, once, and an undo leaves nothing of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatOf } from '../src/features/file-import/formats.ts'
import { loadFile } from '../src/features/file-import/load.ts'
import { scopeOf } from '../src/features/tenants/tenants.ts'
import { csvFiles } from './support/catalog.ts'
import { openCsv } from './support/catalog-files.ts'
import type { Body } from './support/contract.ts'
import { counted, shopifyOrders } from './support/history.ts'
import {
  csvOf,
  imported,
  listed as list,
  type Row,
  reached,
  refusedLines,
  send,
  sent,
  undone,
} from './support/imports.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const csvFile = csvFiles()

/** Amounts as cents, so that sums are exact. */
const cents = (amount: unknown): number => Math.round(Number(amount) * 100)
const sum = (rows: readonly Row[], column: string): number =>
  rows.reduce((all, row) => all + cents(row[column] ?? 0), 0)
const sumOf = (records: readonly Body[], amount: (record: Body) => unknown): number =>
  records.reduce((all, record) => all + cents(amount(record)), 0)

describe('an orders export of Shopify', () => {
  test('becomes orders, payments and refunds at their own times, equal to the file to the cent', async () => {
    const company = await service.company()
    const { body: ann } = await company.call('POST', '/v1/customer', { email: 'ann@example.com' })
    const { body: mug } = await company.call('POST', '/v1/product', { name: 'Mug', status: 'active' })
    const { body: variant } = await company.call('POST', '/v1/variant', { productId: mug.id, sku: 'MUG', price: 12.5 })
    const job = await imported(company.call, csvOf(shopifyOrders))
    assert.deepEqual([job.kind, job.shop, job.rowsRefused, job.outletId], ['orders', 'shopify', 0, undefined])
    assert.deepEqual(counted(job), ['0 0 0', '6 0 0', '7 0 0', '2 0 0'])
    const orders = await list(company, 'orders')
    const payments = await list(company, 'transactions')
    const refunds = await list(company, 'refunds')
    const paid = payments.filter(({ type }) => type === 'sale')
    const back = payments.filter(({ type }) => type === 'refund')
    assert.equal(
      sumOf(orders, ({ summary }) => summary.total),
      sum(shopifyOrders, 'Total'),
    )
    assert.equal(
      sumOf(orders, ({ summary }) => summary.totalTaxes),
      sum(shopifyOrders, 'Taxes'),
    )
    assert.equal(sumOf(paid, ({ amount }) => amount), sum(shopifyOrders, 'Total') - sum(shopifyOrders, 'Outstanding Balance')) // biome-ignore format: one thought
    assert.equal(
      sumOf(back, ({ amount }) => amount),
      sum(shopifyOrders, 'Refunded Amount'),
    )
    assert.equal(
      sumOf(refunds, ({ summary }) => summary.total),
      sum(shopifyOrders, 'Refunded Amount'),
    )
    const [one, two, three, four, five, six] = orders as [Body, Body, Body, Body, Body, Body]
    assert.deepEqual(
      [one.externalId, one.receiptId, one.occurredAt, one.customerId, one.source],
      ['shopify-order-901', '#1', '2025-03-30T00:30:00.000Z', ann.id, 'shopify'],
    )
    assert.deepEqual(one.summary, {
      isTaxInclusive: false,
      subTotal: '98.00',
      discountTotal: '15.00',
      shippingTotal: '4.90',
      totalTaxes: '10.80',
      taxes: [
        { name: 'VAT 20%', percentage: 20, amount: '9.80' },
        { name: 'VAT 5%', percentage: 5, amount: '1.00' },
      ],
      total: '98.70',
    })
    assert.deepEqual(one.cartDiscount, { label: 'SPRING', amount: '10.00' })
    assert.equal(
      sumOf(one.lineItems, ({ total }) => total),
      8300,
    )
    assert.deepEqual(
      one.lineItems.map(({ name, sku, quantity, productId, variantId }: Body) => [
        name,
        sku,
        quantity,
        productId,
        variantId,
      ]),
      [
        ['Mug', 'MUG', 2, mug.id, variant.id],
        ['Gift Card - $50', undefined, 1, undefined, undefined],
        ['Poster', 'NONE', 1, undefined, undefined],
      ],
    )
    assert.deepEqual(one.billing, {
      email: 'ANN@example.com',
      firstName: 'Ann van',
      lastName: 'Archer',
      city: 'Graz',
      postCode: '0810',
    })
    assert.deepEqual(one.metadata, [{ key: 'Risk Level', value: 'Low' }])
    assert.deepEqual(four.metadata, [{ key: 'Financial Status', value: 'pending' }])
    assert.equal(two.summary.isTaxInclusive, true)
    assert.deepEqual([three.balance, paid[2]?.amount, four.balance], ['0.01', '189.79', '7.00'])
    assert.deepEqual(
      orders.map(({ status }) => status),
      ['completed', 'completed', 'completed', 'pending', 'partial-refund', 'refunded'],
    )
    // The shop takes the money before it sends the goods, so that only goods that came back are certain.
    assert.deepEqual(
      orders.map(({ paymentStatus, fulfilmentStatus }) => [paymentStatus, fulfilmentStatus]),
      [
        ['paid', undefined],
        ['paid', undefined],
        ['partially-paid', undefined],
        [undefined, undefined],
        ['partially-refunded', undefined],
        ['refunded', 'returned'],
      ],
    )
    assert.deepEqual(
      [paid[0]?.paymentMethod, paid[0]?.paymentData, paid[0]?.orderId, paid[0]?.occurredAt],
      [
        'credit_card',
        { processor: 'shopify_payments', processorTransactionId: 'pi_1' },
        one.id,
        '2025-03-30T00:31:00.000Z',
      ],
    )
    const [part, whole] = refunds as [Body, Body]
    assert.deepEqual([part.orderId, part.lineItems, part.balance], [five.id, [], '20.00'])
    assert.deepEqual(
      [whole.orderId, whole.occurredAt, whole.summary.total],
      [six.id, '2025-04-02T08:00:00.000Z', '40.00'],
    )
    assert.deepEqual(
      whole.lineItems.map(({ productId, variantId, quantity }: Body) => [productId, variantId, quantity]),
      [
        [mug.id, variant.id, 2],
        ['1', '1', 1],
      ],
    )
    assert.deepEqual(
      back.map(({ refundId }) => refundId),
      [part.id, whole.id],
    )
    assert.deepEqual([await list(company, 'outlets'), await list(company, 'inventory-history')], [[], []])
  })

  test('has an order without taxes that waits to be paid: it gets none when it is completed, whatever the tax tables', async () => {
    const { call } = await service.company()
    const rates = [{ name: 'Standard', percentage: 20 }]
    assert.equal((await call('POST', '/v1/tax-table', { name: 'Standard', rates, isDefault: true })).status, 201)
    await imported(call, csvOf(shopifyOrders))
    const [waiting] = (await call('GET', '/v1/orders?status=pending')).body.data as [Body]
    const { status, body } = await call('POST', `/v1/sale/${waiting.id}/complete`, {
      payments: [{ paymentMethod: 'cash' }],
    })
    assert.equal(status, 200)
    const { lineItems, summary, checks } = body.order
    assert.deepEqual([lineItems[0].totalTax, summary.total, checks], ['0.00', '7.00', undefined])
  })

  test('is written once: a second run changes nothing, and a later export only what it says otherwise', async () => {
    const company = await service.company()
    await imported(company.call, csvOf(shopifyOrders))
    const before = await list(company, 'orders')
    assert.deepEqual(counted(await imported(company.call, csvOf(shopifyOrders))), ['0 0 0', '0 0 6', '0 0 7', '0 0 2'])
    assert.deepEqual(await list(company, 'orders'), before)
    const later = shopifyOrders.map((row) =>
      row.Name === '#4'
        ? { ...row, 'Financial Status': 'paid', 'Outstanding Balance': '0.00', 'Paid at': row['Created at'] ?? '' }
        : row,
    )
    assert.deepEqual(counted(await imported(company.call, csvOf(later))), ['0 0 0', '0 1 5', '1 0 7', '0 0 2'])
    const [, , , four] = (await list(company, 'orders')) as [Body, Body, Body, Body]
    assert.deepEqual([four.status, four.balance], ['completed', '0.00'])
  })

  test('that stopped between its orders and their payments is finished by the next run, with nothing twice', async () => {
    const company = await service.company()
    const { database } = service
    const file = await openCsv(csvFile(shopifyOrders))
    const scope = await scopeOf(database, company.id)
    let steps = 0
    const stopped = loadFile({
      database,
      scope,
      file,
      format: formatOf(file),
      outletId: '',
      defaultOutlet: async () => '',
      dryRun: false,
      refused: () => {},
      transact: (write) => (steps++ === 0 ? write() : Promise.reject(new Error('It was killed.'))),
    })
    await assert.rejects(stopped, /killed/)
    assert.equal((await list(company, 'orders')).length, 6)
    assert.deepEqual(await list(company, 'transactions'), [])
    const job = await imported(company.call, csvOf(shopifyOrders))
    assert.deepEqual(counted(job), ['0 0 0', '0 0 6', '7 0 0', '2 0 0'])
    const [order] = (await list(company, 'orders')) as [Body]
    assert.deepEqual([order.paid, order.due], ['98.70', '0.00'])
  })

  test('can be undone: nothing of it is left but orders that were changed since, or whose payments or refunds were, each with all of its payments', async () => {
    const company = await service.company()
    const { id } = await imported(company.call, csvOf(shopifyOrders))
    const wanted = { deleted: 6, restored: 0, left: 0 }
    assert.deepEqual((await company.call('GET', `/v1/imports/${id}/undo`)).body.orders, wanted)
    const { undo } = await undone(company, id)
    assert.deepEqual([undo.orders, undo.transactions.deleted, undo.refunds.deleted], [wanted, 7, 2])
    for (const kind of ['orders', 'transactions', 'refunds']) assert.deepEqual(await list(company, kind), [])
    const again = await imported(company.call, csvOf(shopifyOrders))
    // The first order is changed; a payment of the one that was returned in part, which is no change of the order.
    const before = (await list(company, 'orders')) as Body[]
    const [changed, returned] = ['#1', '#5'].map((name) => before.find(({ receiptId }) => receiptId === name)) as [
      Body,
      Body,
    ]
    await company.call('PATCH', `/v1/order/${changed.id}`, { customerNote: 'Mine' })
    const [payment] = (await list(company, 'transactions')).filter(({ orderId }) => orderId === returned.id) as [Body]
    await company.call('PATCH', `/v1/transaction/${payment.id}`, { notes: 'Mine' })
    const planned = (await company.call('GET', `/v1/imports/${again.id}/undo`)).body
    const second = await undone(company, again.id)
    assert.deepEqual([planned, second.undo.orders], [second.undo, { deleted: 4, restored: 0, left: 2 }])
    assert.deepEqual([second.undo.transactions.left, second.undo.refunds.left], [3, 1])
    const { text } = await company.call('GET', `/v1/imports/${again.id}/left`)
    assert.match(text, /^order,\w{24},#1,It was changed since the import\.$/m)
    assert.match(
      text,
      /^transaction,\w{24},[^,]*,"Its order stays: it, or a payment or refund of it, was changed since the import\."$/m,
    )
    const money = ({ id, paid, due, refunded, returned }: Body) => [id, paid, due, refunded, returned]
    assert.deepEqual((await list(company, 'orders')).map(money), [changed, returned].map(money))
  })

  test('refuses an order with all its lines, each with its column and reason, and writes the others', async () => {
    const company = await service.company()
    const rows = [
      ...shopifyOrders.slice(0, 4),
      { ...shopifyOrders[4], 'Created at': 'yesterday' },
      ...shopifyOrders.slice(5, 7),
    ]
    rows[1] = { ...rows[1], 'Lineitem price': 'dear' }
    rows.push({ ...shopifyOrders[3] })
    rows.push({ ...shopifyOrders[7], 'Created at': '2999-01-01 10:00:00 +0000', 'Cancelled at': '' })
    const job = await imported(company.call, csvOf(rows as Row[]))
    assert.deepEqual(counted(job), ['0 0 0', '2 0 0', '2 0 0', '1 0 0'])
    const text = await refusedLines(company.call, job.id)
    const lines = text.trim().split('\n').slice(1)
    assert.deepEqual(lines.slice(0, 6), [
      '3,Lineitem price,"Lineitem price ""dear"" is not a number"',
      '2,,the order was refused in line 3',
      '4,,the order was refused in line 3',
      '5,Name,"the order ""#2"" continues in line 9, after another order; its lines must follow each other"',
      '6,Created at,"Created at ""yesterday"" is not a date such as 2026-05-31 14:30 or 2026-05-31 14:30:00 +0200"',
      '9,Name,"the order ""#2"" is already in line 5; its lines must follow each other"',
    ])
    assert.match(
      lines[6] ?? '',
      /^10,Created at,"occurredAt ""2999-01-01T10:00:00\.000Z"" must be at most 10 minutes ahead of the service/,
    )
  })

  test('shows its first orders and counts before anything is written, and which records a run would change', async () => {
    const company = await service.company()
    const { id, kind, state } = await sent(company.call, csvOf(shopifyOrders), 'fileName=orders.csv')
    assert.deepEqual([kind, state], ['orders', 'checking'])
    assert.deepEqual(counted(await reached(company.call, id, 'ready')), ['0 0 0', '6 0 0', '7 0 0', '2 0 0'])
    const { body } = await company.call('GET', `/v1/imports/${id}/preview`)
    assert.deepEqual([body.preview, body.customers, body.orders.length, body.changes], [[], [], 6, []])
    assert.deepEqual([body.orders[0].outcome, body.orders[0].summary.total], ['created', '98.70'])
    assert.ok(body.columns.some((own: Body) => own.column === 'Total' && own.as === 'summary.total'))
    assert.deepEqual(await list(company, 'orders'), [])
    assert.equal((await company.call('GET', '/v1/imports?kind=orders')).body.meta.count, 1)
    assert.equal((await company.call('GET', '/v1/imports?kind=catalog')).body.meta.count, 0)
    const other = await service.company()
    assert.equal((await other.call('GET', `/v1/imports/${id}/preview`)).status, 404)
    const { status, body: problem } = await send(company.call, csvOf(shopifyOrders), 'shop=woocommerce')
    assert.deepEqual(
      [status, /looks like an orders export of Shopify, not of WooCommerce/.test(problem.message)],
      [400, true],
    )
  })
})
