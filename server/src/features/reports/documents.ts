// Reports as the reference shows them.
import type { JsonSchema } from '../../core/json-schema.ts'

/** The chapter of the reference. */
export const title = 'Reports'
export const reportChapter = {
  [title]:
    'What the company sold, by the days of its time zone and in its currency. Each write that was answered before is in the sums, which are exact. The first report of a company with many records is made from them, the newest first: until it goes back far enough, `isComplete` is false.',
}

const count = (description: string): JsonSchema => ({ type: 'integer', description })
const amount = (description: string): JsonSchema => ({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$', description })
const date: JsonSchema = { type: 'string', format: 'date' }
const currency: JsonSchema = { type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] }

/** What every report over days begins with. */
const heading = {
  currency: { ...currency, description: 'The company’s; records without a currency count as in it.' },
  timezone: { type: 'string', description: 'Whose days these are; UTC where the company has none.' },
  from: date,
  to: date,
  isComplete: { type: 'boolean', description: 'Whether nothing is missing. While it is false, ask again soon.' },
}
const needed = ['timezone', 'from', 'to', 'isComplete']

const sums = {
  sales: amount('Amounts of transactions whose type is `sale`, or unset.'),
  salesCount: count('How many these are.'),
  refunds: amount('Amounts of transactions whose type is `refund`, without their signs.'),
  refundsCount: count('How many these are.'),
  net: amount('Sales less refunds.'),
  orders: count('Orders that are neither pending, parked nor cancelled, of all currencies.'),
}
const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

export const salesSchema: JsonSchema = {
  title: 'SalesReport',
  type: 'object',
  properties: {
    ...heading,
    totals: { title: 'SalesTotals', ...object(sums) },
    days: { type: 'array', items: { title: 'SalesDay', ...object({ date, ...sums }) }, description: 'Each day.' },
    paymentMethods: {
      type: 'array',
      items: object({ paymentMethod: { type: 'string' }, sales: sums.sales, salesCount: sums.salesCount }),
      description: 'Those with the most sales first, 100 at most.',
    },
    otherCurrencies: {
      type: 'array',
      items: object({ currency, sales: sums.sales, refunds: sums.refunds }),
      description: 'What was paid in other currencies, which is in none of the sums above.',
    },
  },
  required: [...needed, 'totals', 'days', 'paymentMethods', 'otherCurrencies'],
}

const head = { currency: 'EUR', timezone: 'Europe/Vienna', from: '2026-11-20', to: '2026-11-21', isComplete: true }
export const salesExample = {
  ...head,
  totals: { sales: '1250.50', salesCount: 61, refunds: '12.50', refundsCount: 1, net: '1238.00', orders: 58 },
  days: [
    {
      date: '2026-11-20',
      ...{ sales: '800.00', salesCount: 40, refunds: '0.00', refundsCount: 0, net: '800.00', orders: 38 },
    },
    {
      date: '2026-11-21',
      ...{ sales: '450.50', salesCount: 21, refunds: '12.50', refundsCount: 1, net: '438.00', orders: 20 },
    },
  ],
  paymentMethods: [
    { paymentMethod: 'credit_card', sales: '1000.50', salesCount: 45 },
    { paymentMethod: 'cash', sales: '250.00', salesCount: 16 },
  ],
  otherCurrencies: [{ currency: 'CHF', sales: '30.00', refunds: '0.00' }],
}

export const productsSchema: JsonSchema = {
  title: 'ProductsReport',
  type: 'object',
  properties: {
    ...heading,
    data: {
      type: 'array',
      items: {
        title: 'SoldProduct',
        ...object(
          {
            productId: { type: 'string' },
            name: { type: 'string', description: 'As the product is called, or else the last line that had one.' },
            total: amount('What was taken for it: `total` of the lines, or else price times quantity.'),
            quantity: { type: 'number', description: 'How many; a line without a quantity is one.' },
          },
          ['name'],
        ),
      },
    },
  },
  required: [...needed, 'data'],
}
export const productsExample = {
  ...head,
  data: [{ productId: '6740a1f2c3d4e5f6a7b8c9d1', name: 'Espresso beans', total: '525.00', quantity: 42 }],
}

const id: JsonSchema = { type: 'string' }
const optionalOfLevel = ['productId', 'productName', 'variantName', 'sku', 'outletName']
export const lowStockSchema: JsonSchema = {
  title: 'LowStockReport',
  type: 'object',
  properties: {
    data: {
      type: 'array',
      items: {
        title: 'LowLevel',
        ...object(
          {
            inventoryId: id,
            variantId: id,
            productId: id,
            outletId: id,
            productName: { type: 'string' },
            variantName: { type: 'string', description: 'The values of its attributes.' },
            sku: { type: 'string' },
            outletName: { type: 'string' },
            stock: { type: 'number' },
          },
          optionalOfLevel,
        ),
      },
    },
    meta: object({ count: count('How many there are in all.') }),
  },
  required: ['data', 'meta'],
}
export const lowStockExample = {
  data: [
    {
      inventoryId: '6740a1f2c3d4e5f6a7b8c9d8',
      variantId: '6740a1f2c3d4e5f6a7b8c9d4',
      productId: '6740a1f2c3d4e5f6a7b8c9d1',
      outletId: '6740a1f2c3d4e5f6a7b8c9d2',
      productName: 'Espresso beans',
      variantName: '250 g',
      sku: 'ESP-1-250',
      outletName: 'Main Street',
      stock: 2,
    },
  ],
  meta: { count: 1 },
}
