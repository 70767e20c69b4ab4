// Sales that cannot be computed: each member that keeps one from it is named, and what tills fill in for nothing is taken.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { quoted, refused } from './support/quoted.ts'

describe('a quote', () => {
  it('names what keeps a sale from being computed', () => {
    assert.deepEqual(
      refused({
        lineItems: [
          { quantity: 1 },
          { price: '1.00', taxes: [{ percentage: -1 }], discount: { itemDiscount: { percentage: 101 } } },
          { price: '1.00', fee: { name: 'Deposit' } },
          { price: '1.00', taxes: [{ name: 'VAT', rate: 20 }], discount: { percentage: 10 } },
        ],
        customSales: [{ name: 'Gift', price: '1.00', taxes: [{ name: 'VAT', amount: '0.20' }, {}] }],
        cartFees: ['Bag'],
      }).sort(),
      [
        ['/cartFees/0/amount', 'type'],
        ['/customSales/0/taxes/1/percentage', 'required'],
        ['/lineItems/0/price', 'required'],
        ['/lineItems/1/discount/itemDiscount/percentage', 'maximum'],
        ['/lineItems/1/taxes/0/percentage', 'minimum'],
        ['/lineItems/2/fee/amount', 'type'],
        ['/lineItems/3/discount/percentage', 'unknown'],
        ['/lineItems/3/taxes/0/percentage', 'required'],
      ],
    )
  })

  it('names a discount or a tip that has a number, but would count as nothing', () => {
    const price = '1.00'
    const named = { name: 'Summer', rates: [{ rate: '10 %' }] }
    const value = { type: 'percent', value: 10 }
    const lineItems = [
      { price, discount: { itemDiscount: value, cartDiscount: named } },
      { price, discount: value },
      { price, discount: { itemDiscount: value, cartDiscount: { amount: '0.50' } } },
    ]
    const payments = [
      { paymentMethod: 'cash', amount: '1.00', tip: { percentage: 10 } },
      { paymentMethod: 'cash', amount: '1.00', tip: value },
    ]
    assert.deepEqual(refused({ lineItems, cartDiscount: { label: 'Summer', off: '1,50' }, payments }), [
      ['/lineItems/0/discount/itemDiscount/amount', 'required'],
      ['/lineItems/0/discount/cartDiscount/amount', 'required'],
      ['/lineItems/1/discount/itemDiscount', 'required'],
      ['/lineItems/2/discount/itemDiscount/amount', 'required'],
      ['/payments/0/tip/amount', 'required'],
      ['/payments/1/tip/amount', 'required'],
    ])
    assert.deepEqual(refused({ lineItems: [{ price }], cartDiscount: value, summary: { tip: value } }), [
      ['/cartDiscount/amount', 'required'],
      ['/summary/tip/amount', 'required'],
    ])
  })

  it('takes a discount or a tip of nothing or of words alone, with which tills fill sales that have none', () => {
    const price = '1.00'
    const totalOf = (sale: object) => quoted({ lineItems: [{ price }], ...sale }).computed.summary.total
    const words = [{ name: '3 for 2', id: 17, discountId: '17' }, { type: 'percent', value: 0 }, { reason: 'none', isManual: true }] // biome-ignore format: one thought
    for (const nothing of [
      {},
      { amount: '0.00', percentage: 0 },
      { value: null, label: '' },
      { value: '0.00' },
      ...words,
    ]) {
      for (const discount of [nothing, { itemDiscount: nothing, cartDiscount: nothing }])
        assert.equal(totalOf({ lineItems: [{ price, discount }] }), price)
      const payments = [{ paymentMethod: 'cash', amount: price, tip: nothing }]
      assert.equal(totalOf({ cartDiscount: nothing, summary: { tip: nothing }, payments }), price)
    }
    const parts = [{ price, discount: { cartDiscount: { amount: '0.25' } } }]
    assert.equal(totalOf({ lineItems: parts, cartDiscount: { value: 25 } }), '0.75')
    const payments = [{ paymentMethod: 'cash', amount: '1.50', tip: { amount: '0.50' } }]
    assert.equal(totalOf({ payments, summary: { tip: { value: 50 } } }), '1.50')
  })

  it('names an amount under the name of another system, which would count as nothing, with the right one', () => {
    const price = '10.00'
    const taxes = [{ name: 'VAT', percentage: 20 }]
    const pointersOf = (sale: object) => refused({ lineItems: [{ price }], ...sale })
    for (const [summary, pointer] of [
      [{ shipping: '4.90' }, 'shipping'],
      [{ total_shipping: '4.90' }, 'total_shipping'],
      [{ delivery: { price: 4.9 } }, 'delivery'],
      [{ tips: '1.00' }, 'tips'],
      [{ discount: { amount: '1.00' } }, 'discount'],
      [{ fees: [{ name: 'Bag', amount: '0.20' }] }, 'fees'],
      [{ tax: '2.00' }, 'tax'],
      [{ totalTax: 2 }, 'totalTax'],
      [{ tax_lines: [{ title: 'VAT', rate: 0.2 }] }, 'tax_lines'],
      [{ taxes }, 'taxes/0'],
    ] as const)
      assert.deepEqual(pointersOf({ summary }), [[`/summary/${pointer}`, 'unknown']])
    for (const member of ['taxesIncluded', 'prices_include_tax']) {
      const summary = { [member]: true }
      assert.deepEqual(pointersOf({ lineItems: [{ price, taxes }], summary }), [[`/summary/${member}`, 'unknown']])
    }
    for (const [line, pointer] of [
      [{ tax: '2.00' }, 'tax'],
      [{ tax_lines: [{ title: 'VAT', rate: 0.2 }] }, 'tax_lines'],
      [{ discounts: [{ amount: '1.00' }] }, 'discounts'],
      [{ discount_percent: '10 %' }, 'discount_percent'],
      [{ taxPercentage: 20 }, 'taxPercentage'],
      [{ fees: [{ amount: '0.20' }] }, 'fees'],
    ] as const)
      assert.deepEqual(pointersOf({ lineItems: [{ price, ...line }] }), [[`/lineItems/0/${pointer}`, 'unknown']])
    assert.deepEqual(pointersOf({ customSales: [{ price, vat: 20 }] }), [['/customSales/0/vat', 'unknown']])
  })

  it('takes such members beside the right one, without a number, and in a sale whose total is sent', () => {
    const price = '10.00'
    const totalOf = (sale: object, more?: object) => quoted({ lineItems: [{ price }], ...sale }, more).computed.summary.total // biome-ignore format: one thought
    const taxes = [{ name: 'VAT', percentage: 20 }]
    for (const [sale, total] of [
      [{ summary: { shipping: '4.90', shippingTotal: '4.90' } }, '14.90'],
      [{ summary: { tips: 1, tip: { amount: '1.00' } } }, '11.00'],
      [{ summary: { discount: '1.00' }, cartDiscount: { amount: '1.00' } }, '9.00'],
      [{ summary: { fees: '0.20' }, cartFees: [{ amount: '0.20' }] }, '10.20'],
      [{ summary: { tax: '2.00', taxes }, lineItems: [{ price, tax: '2.00', taxes }] }, '12.00'],
      [{ lineItems: [{ price, tax: '2.00', totalTax: '2.00' }], summary: { taxes } }, '12.00'],
      [{ lineItems: [{ price: '0.00', taxes }], summary: { taxes } }, '0.00'],
      [{ summary: { shipping: '0.00', fees: null, tax: {}, delivery: { city: 'Ghent', postCode: '9000' } } }, price],
      [{ summary: { taxes: [{ percentage: 20, amount: '0.00' }] } }, price],
      [{ summary: { taxesIncluded: false }, lineItems: [{ price, taxes }] }, '12.00'],
      [{ summary: { taxesIncluded: true, isTaxInclusive: true }, lineItems: [{ price, taxes }] }, price],
      // What counts by another member: tips of payments, fees of lines, and no tax at all.
      [
        { summary: { tips: '1.00' }, payments: [{ paymentMethod: 'cash', amount: '11.00', tip: { amount: '1.00' } }] },
        '11.00',
      ],
      [{ summary: { fees: '0.20' }, lineItems: [{ price, fee: { amount: '0.20' } }] }, '10.20'],
      [{ summary: { taxesIncluded: true } }, price],
      [{ lineItems: [], customSales: [{ price, applyTaxes: false, taxRate: 20 }] }, price],
    ] as const)
      assert.equal(totalOf(sale), total)
    const table = { id: 't', name: 'Standard', rates: taxes }
    assert.equal(totalOf({ lineItems: [{ price, taxRate: 20 }] }, { taxTables: new Map([['', table]]) }), '12.00')
    const gross = new Map([['', { ...table, isTaxInclusive: true }]])
    assert.equal(totalOf({ summary: { taxesIncluded: true } }, { taxTables: gross }), price)
    const sent = quoted(
      { lineItems: [{ price }], summary: { shipping: '4.90', total: '14.90' } },
      { trustsTotal: true },
    )
    assert.deepEqual(sent.checks, [{ pointer: '/summary/total', sent: '14.90', computed: price }])
  })
})
