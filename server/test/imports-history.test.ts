// Imports of customers, and of orders of other shops: what a file says becomes records to the cent, once, and an undo leaves nothing of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { backwards } from './support/bodies.ts'
import type { Body } from './support/contract.ts'
import { makeTable, succeeded } from './support/custom-tables.ts'
import { counted, shopifyCustomers } from './support/history.ts'
import { csvOf, imported, listed as list, type Row, refusedLines, undone } from './support/imports.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

describe('customers', () => {
  test('of Shopify are found again by id, else by e-mail address; a second run changes nothing, and an undo leaves nothing', async () => {
    const company = await service.company()
    const { body: ann } = await company.call('POST', '/v1/customer', {
      email: 'ann@example.com',
      firstName: 'Anne',
      notes: [{ message: 'Called' }],
      metadata: [{ key: 'erp', value: '7' }],
    })
    const job = await imported(company.call, csvOf(shopifyCustomers))
    assert.deepEqual([job.kind, ...counted(job)], ['customers', '1 1 0', '0 0 0', '0 0 0', '0 0 0'])
    const [first, second] = (await list(company, 'customers')) as [Body, Body]
    assert.deepEqual([first.id, first.firstName, first.externalId, first.totalSpent], [ann.id, 'Ann', 'shopify-customer-71', '98.70']) // biome-ignore format: one thought
    assert.deepEqual(
      [first.tags, first.notes],
      [
        ['vip', 'regular'],
        [{ message: 'Called' }, { message: 'Likes tea' }],
      ],
    )
    assert.deepEqual(first.billing, { city: 'Graz', country: 'AT', postCode: '08010' })
    assert.deepEqual(first.metadata.at(-1), { key: 'erp', value: '7' })
    assert.deepEqual([second.externalId, second.phone], ['shopify-customer-72', '+1 217 555 0100'])
    assert.deepEqual(counted(await imported(company.call, csvOf(shopifyCustomers)))[0], '0 0 2')
    const { undo } = await undone(company, job.id)
    assert.deepEqual(undo.customers, { deleted: 1, restored: 1, left: 0 })
    const [left, ...more] = await list(company, 'customers')
    assert.deepEqual(
      [left?.firstName, left?.externalId, left?.notes, more],
      ['Anne', undefined, [{ message: 'Called' }], []],
    )
    // A deleted customer is not found again.
    assert.deepEqual(counted(await imported(company.call, csvOf(shopifyCustomers)))[0], '1 1 0')
  })

  test('are unchanged if another client stored the members of their addresses in another order', async () => {
    const company = await service.company()
    await imported(company.call, csvOf(shopifyCustomers))
    const [first] = (await list(company, 'customers')) as [Body]
    for (const billing of [null, backwards(first.billing)])
      succeeded(await company.call('PATCH', `/v1/customer/${first.id}`, { billing }))
    const [stored] = (await list(company, 'customers')) as [Body]
    assert.deepEqual(Object.keys(stored.billing), Object.keys(first.billing).reverse())
    assert.equal(counted(await imported(company.call, csvOf(shopifyCustomers)))[0], '0 0 2')
  })

  test('keep what the tables of the company add to them, in a run and in its undo', async () => {
    const company = await service.company()
    const link = { type: 'string', required: true, referenceLinkedCollection: 'customers' }
    await makeTable(company.call, { customer: link, tier: 'string' }, 'loyalty')
    const loyalty = { tier: 'gold' }
    const ann = succeeded(await company.call('POST', '/v1/customer', { email: 'ann@example.com', loyalty }), 201)
    const job = await imported(company.call, csvOf(shopifyCustomers))
    assert.equal(counted(job)[0], '1 1 0')
    const now = succeeded(await company.call('GET', `/v1/customer/${ann.id}`))
    assert.deepEqual([now.loyalty, now.firstName], [loyalty, 'Ann'])
    await undone(company, job.id)
    const { updatedAt: _, ...after } = succeeded(await company.call('GET', `/v1/customer/${ann.id}`))
    const { updatedAt: __, ...before } = ann
    assert.deepEqual(after, before)
  })

  test('of Square, WooCommerce and a plain file are recognized by their headings', async () => {
    const company = await service.company()
    const files: [string, Row][] = [
      [
        'square',
        {
          'Square Customer ID': 'SQ1',
          'First Name': 'Sue',
          Surname: 'Smith',
          'Email Address': 'sue@example.com',
          'Phone Number': '+44 20',
          'Street Address 1': '1 High St',
          'Postal Code': 'N1',
          Memo: 'Deaf',
          'Transaction Count': 3,
          'Lifetime Spend': '£1,234.50',
          'First Visit': '2024-01-01',
          'Creation Source': 'Terminal',
        },
      ],
      [
        'woocommerce',
        {
          ID: 5,
          user_login: 'will',
          user_email: 'will@example.com',
          first_name: 'Will',
          user_registered: '2020-01-01',
          billing_city: 'Rome',
          billing_postcode: '00100',
          shipping_city: 'Bari',
        },
      ],
      [
        'plain',
        { ID: 'p-1', Email: 'pam@example.com', 'First name': 'Pam', 'Address 1': 'Hof 1', Tags: 'a,b', Club: 'yes' },
      ],
    ]
    for (const [shop, row] of files) {
      const job = await imported(company.call, csvOf([row]))
      assert.deepEqual([job.kind, job.shop, counted(job)[0], job.rowsRefused], ['customers', shop, '1 0 0', 0])
    }
    const [sue, will, pam] = (await list(company, 'customers')) as [Body, Body, Body]
    assert.deepEqual(
      [sue.externalId, sue.totalSpent, sue.notes],
      ['square-customer-SQ1', '1234.50', [{ message: 'Deaf' }]],
    )
    assert.deepEqual([sue.lastName, sue.billing], ['Smith', { address1: '1 High St', postCode: 'N1' }])
    assert.deepEqual(
      [will.externalId, will.billing.city, will.shipping],
      ['woocommerce-customer-5', 'Rome', { city: 'Bari' }],
    )
    assert.deepEqual([pam.externalId, pam.source, pam.tags, pam.metadata], ['p-1', 'import', ['a', 'b'], [{ key: 'Club', value: 'yes' }]]) // biome-ignore format: one thought
    const wrong = [
      { Email: 'no address', 'First name': 'X', Phone: '' },
      { Email: '', 'First name': 'Y', Phone: '' },
    ]
    const job = await imported(company.call, csvOf(wrong))
    const text = await refusedLines(company.call, job.id)
    assert.match(text, /^2,Email,"email ""no address"" must be an e-mail address/m)
    assert.match(text, /^3,,"?the row has no id, e-mail address or phone number/m)
  })
})

describe('other orders', () => {
  test('of a plain file have several payments, a tip, taxes by line and times in the company’s zone', async () => {
    const company = await service.company()
    await company.call('PATCH', `/v1/organization-api/companies/${company.id}`, { timezone: 'Europe/Vienna' })
    const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
    const order = { Order: 'R-1', 'Ordered at': '2025-10-26 12:00', Currency: 'eur', 'Order total': '40.46' }
    const rows: Row[] = [
      {
        ...order,
        Item: 'Beans',
        SKU: 'ESP',
        Quantity: 2,
        Price: '12.50',
        Discount: '2.50',
        Tax: '1.01',
        'Tax rate': 5,
        'Order discount': '3.75',
        'Order tax': '3.71',
        Tip: '3.00',
        'Payment method': 'Credit card',
        'Payment amount': '25.46',
      },
      {
        Order: 'R-1',
        Item: 'Mug',
        Quantity: 1,
        Price: '15.00',
        Tax: '2.70',
        'Tax rate': '20 %',
        'Payment method': 'Cash',
        'Payment amount': '15.00',
        'Paid at': '2025-10-26T11:05:00Z',
      },
    ]
    const job = await imported(company.call, csvOf(rows), `outletId=${outlet.id}`)
    assert.deepEqual([job.shop, ...counted(job)], ['plain', '0 0 0', '1 0 0', '2 0 0', '0 0 0'])
    const [found] = (await list(company, 'orders')) as [Body]
    assert.deepEqual([found.externalId, found.occurredAt, found.balance, found.outletId], ['R-1', '2025-10-26T11:00:00.000Z', '0.00', outlet.id]) // biome-ignore format: one thought
    // The receipt of the guide "The anatomy of a sale".
    assert.deepEqual(
      found.lineItems.map(({ total, discount }: Body) => [total, discount.cartDiscount.amount]),
      [
        ['20.25', '2.25'],
        ['13.50', '1.50'],
      ],
    )
    assert.deepEqual(found.summary, {
      isTaxInclusive: false,
      subTotal: '40.00',
      discountTotal: '6.25',
      totalTaxes: '3.71',
      taxes: [
        { percentage: 5, amount: '1.01' },
        { percentage: 20, amount: '2.70' },
      ],
      tip: { amount: '3.00' },
      total: '40.46',
    })
    const payments = await list(company, 'transactions')
    assert.deepEqual(
      payments.map(({ paymentMethod, amount, occurredAt }) => [paymentMethod, amount, occurredAt]),
      [
        ['credit_card', '25.46', '2025-10-26T11:00:00.000Z'],
        ['cash', '15.00', '2025-10-26T11:05:00.000Z'],
      ],
    )
  })

  test('of a plain file are refused with a payment that has no amount, so that none is left out unseen', async () => {
    const company = await service.company()
    const of = (Order: string, paid: Row): Row => ({
      Order,
      'Ordered at': '2025-05-01',
      Quantity: 1,
      Price: '9.00',
      'Order total': '9.00',
      ...paid,
    })
    const payment = (method: string, amount: string) => ({ 'Payment method': method, 'Payment amount': amount })
    const rows = [of('1', payment('cash', '')), of('2', payment('cash', '0')), of('3', payment('', ''))]
    const job = await imported(company.call, csvOf(rows))
    assert.deepEqual([counted(job)[1], counted(job)[2], job.rowsRefused], ['2 0 0', '0 0 0', 1])
    const text = await refusedLines(company.call, job.id)
    assert.match(text, /^2,Payment amount,the payment has no amount; write 0 if nothing was paid$/m)
    const paid = { 'Payment method': 'cash', 'Paid at': '2025-05-02 10:00', 'Payment reference': 'r' }
    const more = (Order: string, row: Row): Row => ({ Order, Quantity: 1, Price: '9.00', ...row })
    // A payment that is repeated on each line of the order is one; another one without an amount is refused.
    const repeated = [
      of('5', { ...paid, 'Payment amount': '9.00' }),
      more('5', { ...paid, 'Payment amount': '' }),
      of('6', payment('cash', '')),
      more('6', payment('cash', '9.00')),
      of('7', { ...paid, 'Payment amount': '5.00' }),
      more('7', payment('credit_card', '')),
      of('8', { ...paid, 'Payment amount': '9.00' }),
      more('8', { 'Payment reference': 'another', 'Payment amount': '' }),
    ]
    const later = await imported(company.call, csvOf(repeated))
    assert.deepEqual([counted(later)[1], counted(later)[2], later.rowsRefused], ['2 0 0', '2 0 0', 4])
    const { 'Payment amount': _, ...without } = of('4', payment('cash', '')) as Record<string, string>
    assert.equal((await imported(company.call, csvOf([without]))).rowsRefused, 1)
  })

  test('refuses an order whose earlier payment or refund the file no longer has, until that is deleted or voided', async () => {
    const company = await service.company()
    const of = (...payments: Row[]): Row[] =>
      payments.map((payment, n) => ({
        Order: 'R-1',
        ...(n === 0 && { 'Ordered at': '2025-05-01', Quantity: 1, Price: '40.00', 'Order total': '40.00' }),
        'Payment method': 'cash',
        ...payment,
      }))
    const order = async () => (await company.call('GET', '/v1/orders?externalId=R-1')).body.data[0]
    await imported(company.call, csvOf(of({ 'Payment amount': '25.00' }, { 'Payment amount': '15.00' })))
    const corrected = csvOf(of({ 'Payment amount': '40.00', Refunded: '10.00' }))
    const job = await imported(company.call, corrected)
    const text = await refusedLines(company.call, job.id)
    assert.equal(
      text.split('\n')[1],
      '2,,"the order has ""R-1-payment-2"" from an earlier import, and this file does not; delete it first"',
    )
    assert.equal((await order()).paid, '40.00')
    const { data } = (await company.call('GET', '/v1/transactions?externalId=R-1-payment-2')).body
    await company.call('PATCH', `/v1/transaction/${data[0].id}`, { type: 'void' })
    assert.equal((await imported(company.call, corrected)).rowsRefused, 0)
    const { paid, refunded, due } = await order()
    assert.deepEqual([paid, refunded, due], ['40.00', '10.00', '0.00'])
    assert.equal((await imported(company.call, csvOf(of({ 'Payment amount': '40.00' })))).rowsRefused, 1)
  })

  test('refuses an order that was paid back without an amount, and takes a negative one by its size', async () => {
    const company = await service.company()
    const of = (Order: string, back: Row): Row => ({
      Order,
      'Ordered at': '2025-05-01',
      Quantity: 1,
      Price: '9.00',
      'Order total': '9.00',
      ...back,
    })
    const rows = [
      of('1', { Status: 'refunded', Refunded: '' }),
      of('2', { Status: 'partial-refund', Refunded: '0' }),
      of('3', { 'Refunded at': '2025-05-02', Refunded: '' }),
      of('4', { 'Refunded at': '2025-05-02', Refunded: '0' }),
      of('5', { Refunded: '-9.00' }),
      // A free order has nothing that could be paid back.
      of('6', { Price: '0.00', 'Order total': '0.00', Status: 'refunded', Refunded: '0.00' }),
    ]
    const job = await imported(company.call, csvOf(rows))
    assert.deepEqual([counted(job)[1], counted(job)[3], job.rowsRefused], ['3 0 0', '1 0 0', 3])
    const text = await refusedLines(company.call, job.id)
    assert.deepEqual(text.trim().split('\n').slice(1), [
      '2,Status,"Status ""refunded"" needs an amount in the column Refunded"',
      '3,Status,"Status ""partial-refund"" needs an amount in the column Refunded"',
      '4,Refunded at,"Refunded at ""2025-05-02"" needs an amount in the column Refunded"',
    ])
    const { data } = (await company.call('GET', '/v1/orders?externalId=5')).body
    assert.deepEqual([data[0].status, data[0].returned], ['refunded', '9.00'])
  })

  test('of WooCommerce have their items in columns, and refunds', async () => {
    const company = await service.company()
    const row = {
      order_id: 12,
      order_number: 12,
      order_date: '2025-05-01 10:00:00',
      status: 'wc-processing',
      order_currency: 'EUR',
      order_total: '33.00',
      tax_total: '3.00',
      shipping_total: '5.00',
      payment_method: 'stripe',
      transaction_id: 'ch_1',
      billing_first_name: 'Will',
      billing_city: 'Rome',
      tax_items: 'rate_id:1|code:IT|total:3.00|label:IVA|tax_rate_compound:',
      line_item_1: 'name:Mug|product_id:7|sku:MUG|quantity:3|total:25.00|sub_total:25.00|tax:2.50',
      line_item_2: '',
      refund_items: 'amount:8.00|reason:Broken|date:2025-05-03 10:00:00',
    }
    const job = await imported(company.call, csvOf([row]))
    assert.deepEqual([job.shop, ...counted(job)], ['woocommerce', '0 0 0', '1 0 0', '2 0 0', '1 0 0'])
    const [order] = (await list(company, 'orders')) as [Body]
    const [line] = order.lineItems
    assert.deepEqual([line.price, line.quantity, line.subTotal, line.total, line.productExternalId], ['8.333333', 3, '25.00', '25.00', '7']) // biome-ignore format: one thought
    assert.deepEqual([order.status, order.summary.taxes, order.summary.total], ['partial-refund', [{ name: 'IVA', amount: '3.00' }], '33.00']) // biome-ignore format: one thought
    assert.deepEqual(
      (await list(company, 'refunds')).map(({ summary }) => summary.total),
      ['8.00'],
    )
  })
})

test('an amount with more digits than an amount can have is refused with its column and what it was', async () => {
  const company = await service.company()
  const order = { 'Ordered at': '2025-11-21', Item: 'Mug', Quantity: 1, 'Order total': '5' }
  const job = await imported(
    company.call,
    csvOf([
      { ...order, Order: 'A', Price: '5.12345678' },
      { ...order, Order: 'B', Price: '5.00000000' },
      { ...order, Order: 'C', Price: '5', Quantity: '1000000000000000' },
    ]),
  )
  assert.deepEqual(counted(job)[1], '1 0 0')
  assert.equal(
    await refusedLines(company.call, job.id),
    `line,column,reason
2,Price,"Price ""5.12345678"" has more than six decimals"
4,Quantity,"Quantity ""1000000000000000"" has more digits than can be stored"
`,
  )
})

test('an order that contradicts itself is refused: in no currency, or with more paid back than it was worth', async () => {
  const company = await service.company()
  const order = { 'Ordered at': '2025-11-21', Item: 'Mug', Quantity: 1, Price: '5', 'Order total': '5' }
  const job = await imported(
    company.call,
    csvOf([
      { ...order, Order: 'A', Currency: 'xyz' },
      { ...order, Order: 'B', Currency: 'euro' },
      { ...order, Order: 'C', Currency: 'eur', Refunded: '9.00' },
      // Money of former days, and too much that was paid and given back.
      { ...order, Order: 'D', Currency: 'DEM', 'Payment amount': '9', Refunded: '9.00' },
    ]),
  )
  assert.deepEqual(counted(job)[1], '1 0 0')
  assert.equal(
    await refusedLines(company.call, job.id),
    `line,column,reason
2,Currency,"Currency ""xyz"" is not the code of a currency, such as EUR"
3,Currency,"Currency ""euro"" is not the code of a currency, such as EUR"
4,Refunded,"Refunded ""9.00"" is more than the Order total and the payments"
`,
  )
})
