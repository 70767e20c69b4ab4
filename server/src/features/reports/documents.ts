// Reports as the reference shows them.
import type { JsonSchema } from '../../core/json-schema.ts'

/** The chapter of the reference. */
export const reportsTag = 'Reports'
export const reportChapter = {
  [reportsTag]:
    'The company’s sales by day, in its time zone and currency. Sums are exact and include every write that was answered before. The first report of a company with many records is computed from those records, newest first; until it reaches back far enough, `isComplete` is false.',
}

export const count = (description: string): JsonSchema => ({ type: 'integer', description })
export const amount = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^-?\\d+(\\.\\d+)?$',
  description,
})
export const date: JsonSchema = { type: 'string', format: 'date' }
const currency: JsonSchema = { type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] }

/** The common beginning of reports over days. */
export const heading = {
  currency: { ...currency, description: 'The company’s currency; records without a currency count in it.' },
  timezone: {
    type: 'string',
    description: 'The time zone that defines the days: that of the request, else the company’s, else UTC.',
  },
  dayStartHour: {
    type: 'integer',
    description: 'The hour at which the days begin: that of the request, else the company’s, else 0.',
  },
  from: { ...date, description: 'The first day of the report.' },
  to: { ...date, description: 'The last day of the report, included.' },
  isComplete: { type: 'boolean', description: 'Whether the report is complete. While it is false, ask again soon.' },
}

const sums = {
  sales: amount('The sum of transactions whose type is `sale`, or unset.'),
  salesCount: count('The number of these transactions.'),
  refunds: amount('The sum of transactions whose type is `refund`, without their signs.'),
  refundsCount: count('The number of these transactions.'),
  net: amount('Sales minus refunds.'),
  orders: count('Orders that are neither pending, parked nor cancelled, in all currencies.'),
}
/** An object that has all of these members but the optional ones. */
export const object = (title: string, properties: Record<string, JsonSchema>, ...optional: string[]): JsonSchema => ({
  title,
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

/** What a customer has bought, ever. */
export const customerSchema: JsonSchema = object(
  'CustomerSpending',
  {
    customerId: { type: 'string', description: 'The customer whose orders and refunds are summed.' },
    currency: heading.currency,
    orders: sums.orders,
    firstOrderAt: { type: 'string', format: 'date-time', description: '`occurredAt` (or else `createdAt`) of the first one.' }, // biome-ignore format: a table
    lastOrderAt: { type: 'string', format: 'date-time', description: 'The same for the last one.' },
    spending: {
      type: 'array',
      description: 'The sums in each currency, the company’s first; empty without orders.',
      items: object(
        'CustomerSpendingInCurrency',
        {
          currency: { ...currency, description: 'The currency of the sums: currencies are never added together.' },
          count: count('These orders in this currency.'),
          netSales: amount('Their sum after discounts, without tax and tips.'),
          tax: amount('Their tax.'),
          tips: amount('Their tips.'),
          refunded: amount('The amount refunded for these orders, with tax; refunds of a cancelled order do not count.'), // biome-ignore format: a table
          spent: amount(
            'What the customer has spent on goods: `netSales` plus `tax`, minus what was refunded for goods, without tips, delivery and fees.',
          ),
        },
        'currency',
      ),
    },
  },
  ...['currency', 'firstOrderAt', 'lastOrderAt'],
)

export const customerExample = {
  customerId: '6740a1f2c3d4e5f6a7b8c9d3',
  currency: 'EUR',
  orders: 2,
  firstOrderAt: '2026-11-20T09:30:00.000Z',
  lastOrderAt: '2026-11-24T16:05:00.000Z',
  spending: [
    { currency: 'EUR', count: 2, netSales: '33.75', tax: '3.71', tips: '3.00', refunded: '10.63', spent: '26.83' },
  ],
}

export const salesSchema: JsonSchema = object(
  'SalesReport',
  {
    ...heading,
    totals: { ...object('SalesTotals', sums), description: 'The sums of all days together.' },
    days: {
      type: 'array',
      items: object('SalesDay', { date: { ...date, description: 'A day in the time zone of the report.' }, ...sums }),
      description: 'One entry for each day, also for days without sales, the oldest first.',
    },
    paymentMethods: {
      type: 'array',
      items: object('SalesPaymentMethod', {
        paymentMethod: { type: 'string', description: '`paymentMethod` of the transactions.' },
        sales: sums.sales,
        salesCount: sums.salesCount,
      }),
      description: 'Highest sales first, at most 100.',
    },
    otherCurrencies: {
      type: 'array',
      items: object('SalesInOtherCurrency', {
        currency: { ...currency, description: 'ISO 4217 code of the transactions.' },
        sales: sums.sales,
        refunds: sums.refunds,
      }),
      description: 'Payments in other currencies, which none of the sums above include.',
    },
  },
  'currency',
)

export const head = {
  currency: 'EUR',
  timezone: 'Europe/Vienna',
  dayStartHour: 0,
  from: '2026-11-20',
  to: '2026-11-21',
  isComplete: true,
}
export const salesExample = {
  ...head,
  totals: { sales: '1250.50', salesCount: 61, refunds: '12.50', refundsCount: 1, net: '1238.00', orders: 58 },
  days: [
    { date: head.from, sales: '800.00', salesCount: 40, refunds: '0.00', refundsCount: 0, net: '800.00', orders: 38 },
    { date: head.to, sales: '450.50', salesCount: 21, refunds: '12.50', refundsCount: 1, net: '438.00', orders: 20 },
  ],
  paymentMethods: [
    { paymentMethod: 'credit_card', sales: '1000.50', salesCount: 45 },
    { paymentMethod: 'cash', sales: '250.00', salesCount: 16 },
  ],
  otherCurrencies: [{ currency: 'CHF', sales: '30.00', refunds: '0.00' }],
}

export const productsSchema: JsonSchema = object(
  'ProductsReport',
  {
    ...heading,
    data: {
      type: 'array',
      description: 'The best-selling products, in the order of `sortBy`.',
      items: object(
        'SoldProduct',
        {
          productId: { type: 'string', description: 'The product, as lines of orders name it.' },
          name: {
            type: 'string',
            description:
              'The name of the product. If it has no record, that of its last line among the last 5,000 orders of the period.',
          },
          total: amount('The amount of its lines: `total`, or else price times quantity.'),
          quantity: { type: 'number', description: 'The number sold; a line without a quantity counts as one.' },
        },
        'name',
      ),
    },
  },
  'currency',
)
export const productsExample = {
  ...head,
  data: [{ productId: '6740a1f2c3d4e5f6a7b8c9d1', name: 'Espresso beans', total: '525.00', quantity: 42 }],
}
