// The quote of a sale over HTTP, and tax tables: which of them applies to a line, and that nothing is stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { person } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const made = async (call: Caller, path: string, body: object): Promise<string> => {
  const { status, body: record, text } = await call('POST', path, body)
  assert.equal(status, 201, text)
  return record.id
}

const quoted = async (call: Caller, sale: object) => {
  const { status, body, text } = await call('POST', '/v1/sale/quote', sale)
  assert.equal(status, 200, text)
  return body
}

test('a quote computes a sale by the settings of its company, lists what differs, and stores nothing', async () => {
  const { id, call } = await service.company()
  await service.database.query("update companies set currency = 'CHF', cash_rounding = '0.05' where id = $1", [id])
  const sale = {
    lineItems: [{ price: '10.99', quantity: 2, total: '21.00', taxes: [{ name: 'VAT', percentage: 7.7 }] }],
    payments: [{ paymentMethod: 'cash', amount: '50.00' }],
    check: 'strict',
  }
  const { order, payments, checks, ...totals } = await quoted(call, sale)
  assert.deepEqual(checks, [{ pointer: '/lineItems/0/total', sent: '21.00', computed: '21.98' }])
  assert.deepEqual(payments, [{ paymentMethod: 'cash', amount: '23.65', change: '26.35' }])
  assert.deepEqual(totals, {
    currency: 'CHF',
    total: '23.67',
    paid: '23.65',
    due: '0.00',
    change: '26.35',
    cashTotal: '23.65',
    cashRounding: '-0.02',
  })
  assert.deepEqual([order.lineItems[0].totalTax, order.summary.cashRounding, order.balance], ['1.69', '-0.02', '0.00'])
  for (const list of ['orders', 'transactions', 'events'])
    assert.deepEqual((await call('GET', `/v1/${list}`)).body.data, [])
  // It only reads, so a viewer may ask for it.
  const viewer = await person(service, { companyId: id }, 'viewer')
  assert.equal((await quoted(viewer.about({ companyId: id }), sale)).total, totals.total)
})

test('a quote names each member that is wrong, and needs the permission to read only', async () => {
  const { id, call } = await service.company()
  const wrong = await call('POST', '/v1/sale/quote', {
    lineItems: [{ quantity: 1 }, { price: '1.00', taxes: [{ percentage: -5 }] }],
  })
  assert.deepEqual(
    assertProblem(wrong, 400, 'validation_failed').errors.map(({ pointer }: any) => pointer),
    ['/lineItems/0/price', '/lineItems/1/taxes/0/percentage'],
  )
  assertProblem(await call('POST', '/v1/sale/quote', { lineItems: [{ price: 1 }] }), 400, 'validation_failed')
  const sale = { lineItems: [{ price: '1.00' }] }
  const reader = await service.keyFor(id, ['read'])
  assert.equal((await quoted(reader.call, sale)).total, '1.00')
  const writer = await service.keyFor(id, ['create'])
  assertProblem(await writer.call('POST', '/v1/sale/quote', sale), 403, 'permission_denied')
})

test('the drawer is expected to hold what is left after goods were sold and came back: money that moves the wrong way is refused', async () => {
  const { call } = await service.company()
  const sessionId = await made(call, '/v1/session', { stationId: 's', openingAmount: '100.00' })
  const sell = (lineItems: object[], payments: object[], more: object = {}) =>
    call('POST', '/v1/sale', { sessionId, lineItems, payments, ...more })
  const back = { price: '5.00', quantity: -1 }
  const cash = (amount: string, more: object = {}) => ({ paymentMethod: 'cash', amount, ...more })
  const card = { paymentMethod: 'credit_card', amount: '15.00' }
  const cases: [object[], object[], number, string][] = [
    [[back], [cash('5.00')], 0, '-5.00'],
    [[back], [cash('5.00', { change: '0.00' })], 0, '-5.00'],
    [[back], [{ paymentMethod: 'store_credit', amount: '5.00', type: 'SALE' }], 0, '-5.00'],
    [[back, { price: '2.00' }], [cash('0.00'), cash('3.00')], 1, '-3.00'],
    [[{ price: '10.00' }], [card, cash('5.00')], 1, '-5.00'],
    // Money back where the customer pays, too.
    [[{ price: '10.00' }], [cash('10.00', { type: 'refund' })], 0, '10.00'],
    [[{ price: '10.00' }], [{ ...card, amount: '-10.00' }], 0, '10.00'],
    [[back, { price: '5.00' }], [cash('5.00', { type: 'Refund' })], 0, '0.00'],
    [[{ price: '20.00' }], [card, cash('5.00', { type: 'refund' })], 1, '5.00'],
  ]
  for (const [lines, payments, n, due] of cases)
    for (const path of ['/v1/sale', '/v1/sale/quote']) {
      const reply = await call('POST', path, { sessionId, lineItems: lines, payments })
      const [error] = assertProblem(reply, 400, 'validation_failed').errors
      assert.deepEqual([error.pointer, error.code], [`/payments/${n}/amount`, 'direction'])
      assert.match(error.message, new RegExp(`since (the other payments leave )?${due}`))
    }
  const unknown = await sell([{}], [cash('5.00')], { summary: { total: '-5.00' } })
  assert.equal(assertProblem(unknown, 400, 'validation_failed').errors[0].code, 'direction')

  const due = async (...sale: Parameters<typeof sell>): Promise<string> => {
    const reply = await sell(...sale)
    assert.equal(reply.status, 201, reply.text)
    return reply.body.order.due
  }
  assert.equal(await due([back], [cash('5.00', { type: 'refund' })]), '0.00')
  assert.equal(await due([back], [cash('-5.00')]), '0.00')
  assert.equal(await due([back], []), '-5.00')
  assert.equal(await due([{ price: '10.00' }], [card, cash('5.00', { type: 'refund' })]), '0.00')
  // Ten came in and fifteen went out.
  assert.equal(await due([back], [cash('10.00'), cash('15.00', { type: 'refund' })]), '0.00')
  assert.equal(await due([{ price: '15.00' }], [card, cash('20.00')]), '0.00')
  const { balances } = (await call('GET', `/v1/session/${sessionId}/report`)).body
  assert.equal(balances[0].expected, '80.00')
})

test('a payment of a type of the till’s own pays nothing: the balance is what the order says is due', async () => {
  const { call } = await service.company()
  for (const [type, due] of [
    ['deposit', '10.00'],
    ['VOID', '10.00'],
    ['Sale', '0.00'],
  ]) {
    const body = { lineItems: [{ price: '10.00' }], payments: [{ paymentMethod: 'cash', amount: '10.00', type }] }
    const { order } = (await call('POST', '/v1/sale', body)).body
    assert.deepEqual([order.balance, order.due], [due, due])
    assert.equal((await quoted(call, body)).due, due)
  }
})

test('a line without taxes gets those of its product’s table, else of the table for its outlet or type, else the default', async () => {
  const { call } = await service.company()
  const table = (name: string, percentage: number, members: object = {}) =>
    made(call, '/v1/tax-table', { name, rates: [{ name: 'VAT', percentage }], isTaxInclusive: true, ...members })
  const outletId = await made(call, '/v1/outlet', { name: 'Airport' })
  const product = (members: object) => made(call, '/v1/product', { name: 'P', ...members })
  const reduced = await table('Reduced', 5)
  await table('Standard', 20, { isDefault: true })
  await table('Airport', 1, { outletIds: [outletId] })
  await table('Variable', 2, { productTypes: ['variable'] })
  // Two tables of one name: the one that is for the outlet applies there.
  await table('Regional', 3)
  await table('Regional', 4, { outletIds: [outletId] })
  const products = [
    await product({ taxTable: reduced }),
    await product({ taxTable: 'Regional' }),
    await product({ taxTable: 'of another system' }),
    await product({ productType: 'variable' }),
    await product({ productType: 'simple' }),
    'unknown',
  ]
  const rates = async (more: object) => {
    const lineItems = products.map((productId) => ({ productId, price: '1.00' }))
    const { order } = await quoted(call, { ...more, lineItems, customSales: [{ price: '1.00', applyTaxes: true }] })
    assert.equal(order.summary.isTaxInclusive, true)
    return [...order.lineItems, ...order.customSales].map(({ taxes }: any) => taxes?.[0]?.percentage)
  }
  assert.deepEqual(await rates({}), [5, 3, undefined, 2, 20, 20, 20])
  assert.deepEqual(await rates({ outletId }), [5, 4, undefined, 1, 1, 1, 1])
  const sold = await call('POST', '/v1/sale', { lineItems: [{ productId: products[0], price: '1.05' }] })
  assert.deepEqual(
    sold.body.order.lineItems[0].taxes.map(({ taxTableName, amount }: any) => [taxTableName, amount]),
    [['Reduced', '0.05']],
  )
  // By its variant alone, in a quote as in a sale.
  const variantId = await made(call, '/v1/variant', { productId: products[0], price: 1.05, manageStock: false })
  const byVariant = { lineItems: [{ variantId, price: '1.05' }] }
  const { order } = (await call('POST', '/v1/sale', byVariant)).body
  for (const { lineItems } of [order, (await quoted(call, byVariant)).order])
    assert.deepEqual([lineItems[0].productId, lineItems[0].name, lineItems[0].totalTax], [products[0], 'P', '0.05'])
  const own = await quoted(call, { lineItems: [{ productId: products[0], price: '1.00', taxes: [] }] })
  assert.equal(own.order.summary.totalTaxes, '0.00')
})

test('another company’s tax table is not used', async () => {
  const one = await service.company()
  const other = await service.company()
  const foreign = await made(other.call, '/v1/tax-table', {
    name: 'Theirs',
    rates: [{ name: 'VAT', percentage: 20 }],
    isDefault: true,
  })
  const productId = await made(one.call, '/v1/product', { name: 'P', taxTable: foreign })
  const { order } = await quoted(one.call, { lineItems: [{ productId, price: '1.00' }, { price: '1.00' }] })
  assert.equal(order.summary.totalTaxes, '0.00')
})

test('the rates of a tax table are within bounds, and a wrong one is named', async () => {
  const { call } = await service.company()
  const refused = async (rates: unknown) =>
    assertProblem(await call('POST', '/v1/tax-table', { name: 'T', rates }), 400, 'validation_failed').errors.map(
      ({ pointer, message }: any) => [pointer, message],
    )
  assert.deepEqual(await refused([{ name: 'VAT' }, { percentage: -1 }, { percentage: '5' }]), [
    ['/rates/0/percentage', 'is required'],
    ['/rates/1/percentage', 'must not be less than 0'],
    ['/rates/2/percentage', 'must be a number'],
  ])
  assert.deepEqual(await refused(Array.from({ length: 21 }, () => ({ percentage: 1 }))), [
    ['/rates', 'must not have more than 20 entries'],
  ])
  const rates = [{ name: 'A', percentage: 0.5, compounding: true, priority: 2, id: 'a', note: 'kept' }]
  const id = await made(call, '/v1/api/tax-table', { name: 'T', rates })
  assert.deepEqual((await call('GET', `/v1/tax-table/${id}`)).body.rates, rates)
})

test('the discount on the cart is not on lines that are returned where anything is sold, also for nothing; it is where all are returned', async () => {
  const { call } = await service.company()
  const total = async (...lineItems: object[]) =>
    (await quoted(call, { lineItems, cartDiscount: { percentage: 10 } })).total
  const returned = { price: '20.00', quantity: -1 }
  const gift = { price: '5.00', quantity: 1, discount: { itemDiscount: { percentage: 100 } } }
  assert.deepEqual(
    [await total(returned, { price: '5.00' }), await total(returned, gift), await total(returned, { price: '0.00' })],
    ['-15.50', '-20.00', '-20.00'],
  )
  assert.deepEqual([await total(returned), await total(returned, { price: '0.00', quantity: -1 })], ['-18.00', '-18.00']) // biome-ignore format: one thought
  const custom = { lineItems: [returned], customSales: [{ price: '100.00' }], cartDiscount: { percentage: 10 } }
  assert.equal((await quoted(call, custom)).total, '80.00')
})
