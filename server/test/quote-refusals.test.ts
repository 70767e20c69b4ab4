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
})
