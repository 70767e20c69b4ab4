// Grouped sales as the reference shows them: parameters, and what each sum means.
import type { JsonSchema } from '../../core/json-schema.ts'
import { type Dimension, dimensions } from './dimensions.ts'
import { amount, count, date, head, heading, object } from './documents.ts'
import { nameMembers } from './group-names.ts'
import { REPORT_GROUPS } from './groups.ts'
import { REPORT_RECORDS } from './sums/records.ts'

/** The query parameters besides the period. */
export const groupParameters: Readonly<Record<string, JsonSchema>> = {
  groupBy: {
    type: 'string',
    maxLength: 200,
    examples: ['outletId,productId'],
    'x-separated': true,
    description: `One to three dimensions, separated by commas: ${Object.keys(dimensions)
      .map((name) => `\`${name}\``)
      .join(
        ', ',
      )}. \`paymentMethod\` cannot be combined with a dimension of lines (\`productId\`, \`variantId\`, \`categoryId\`, \`taxRate\`). At most ${REPORT_GROUPS} groups. Combinations for which no sums are kept, such as \`employee,productId\`, read the records themselves, at most ${REPORT_RECORDS} of a period.`,
  },
  compare: {
    type: 'string',
    enum: ['previous'],
    description:
      'Each group also has the sums of the period before. That period has the same weekdays: it begins as many whole weeks earlier as are needed for the two not to overlap. If the last day is not over, the period before ends at the same time of day, to the quarter of an hour.',
  },
  format: {
    type: 'string',
    enum: ['json', 'csv'],
    description:
      '`csv` returns a line for each group, with names beside ids. Texts that a spreadsheet could take for a formula begin with an apostrophe. While a report is incomplete, `csv` is answered 503.',
  },
}

const sums = {
  grossSales: amount(
    '`subTotal` of the lines, or `price` × `quantity` where they have none, as for custom sales (or their `total`, if it differs only by rounding); before discounts, with the tax that prices contain.',
  ),
  discounts: amount(
    'All discounts on lines and carts: `subTotal` minus `total` of the lines, and what only the summary or the cart has.',
  ),
  netSales: amount(
    '`grossSales` minus `discounts` and minus the tax that prices contain, so without tax. Refunds are not subtracted.',
  ),
  tax: amount(
    '`totalTax` of the lines, contained in prices or added to them, and what `totalTaxes` of the summary has beyond them, such as a tax on delivery. Taxes of refunds are not subtracted.',
  ),
  tips: amount('`summary.tip.amount` of the orders.'),
  shipping: amount('Delivery: `summary.shippingTotal` of the orders. Refunds are not subtracted.'),
  fees: amount('Fees: `amount` in `cartFees` of the orders and in `fee` of their lines. Refunds are not subtracted.'),
  totalSales: amount(
    '`netSales` + `tax` + `tips` + `shipping` + `fees`: what customers had to pay. It equals `summary.total` of orders whose amounts add up. Refunds are not subtracted.',
  ),
  cashRounding: amount(
    '`summary.cashRounding` of the orders: what rounding to the smallest coin added to `totalSales`, also when a sale was paid later; negative if it reduced it. It is in no other sum.',
  ),
  refunded: amount(
    'The amount refunded, with tax: `summary.total` of refunds at their own time, without refunds of orders that do not count. For payments, transactions with the type `refund`.',
  ),
  refundedNet: amount(
    '`refunded` − `refundedTax` − `refundedTips` − `refundedShipping` − `refundedFees`: what was refunded for goods, without tax. `netSales` − `refundedNet` is the net sales after returns.',
  ),
  refundedTax: amount('How much of `refunded` was tax: by `taxRate`, at that rate.'),
  refundedTips: amount('How much of `refunded` was for tips.'),
  refundedShipping: amount('How much of `refunded` was for delivery.'),
  refundedFees: amount('How much of `refunded` was for fees: what refunds pay back beyond lines, tip and delivery.'),
  refundedCashRounding: amount(
    'What rounding to the smallest coin added to the refunds. `refunded` does not include it.',
  ),
  quantity: {
    type: 'number',
    description:
      'Units sold: `quantity` of the lines, 1 where it is missing; goods given in exchange in the same sale are subtracted, later returns are not.',
    examples: [42],
  },
  refundedQuantity: {
    type: 'number',
    description: 'Units that came back: `quantity` of the lines of refunds.',
    examples: [1],
  },
  count: count('The number of orders; with a dimension of lines, of lines; with `paymentMethod`, of payments.'),
  average: amount(
    '`netSales` (by `paymentMethod`, `paid`) divided by `count`, rounded half up. Missing if `count` is 0.',
  ),
  cost: amount(
    'By a dimension of lines: `quantity` times `costPrice` of the variants, as it is now. Missing if no variant has one.',
  ),
  margin: amount(
    '`netSales` of the lines whose variant has a `costPrice`, minus `cost`, before returns. Missing if `cost` is missing.',
  ),
  refundedCost: amount(
    'The cost of the units that came back, but for those with the `action` `REFUND_DAMAGE`: what returned to stock. Missing if `cost` is missing.',
  ),
  grossProfit: amount(
    '`margin` minus `refundedNet` of lines whose variant has a `costPrice`, plus `refundedCost`: the profit on goods after returns. Missing if `cost` is missing.',
  ),
  paid: amount(
    'By `paymentMethod`: transactions whose type is `sale` or unset, tips included. It replaces the sums of orders.',
  ),
} satisfies Record<string, JsonSchema>

const numeric: readonly string[] = ['hour', 'weekday', 'taxRate'] satisfies Dimension[]
const grouped: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(dimensions).map(([name, { description }]) => [
    name,
    { type: [numeric.includes(name) ? 'number' : 'string', 'null'], description },
  ]),
)
const names: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(nameMembers).map(([name, description]) => [name, { type: ['string', 'null'], description }]),
)

export const groupsSchema: JsonSchema = object(
  'SalesGroups',
  {
    ...heading,
    previous: {
      ...object('SalesPeriod', {
        from: { ...date, description: 'The first day of the period before.', examples: ['2026-11-18'] },
        to: { ...date, description: 'The last day of the period before, included.', examples: ['2026-11-19'] },
      }),
      description: 'The period of comparison; only with `compare`.',
    },
    groupBy: {
      type: 'array',
      items: { type: 'string', enum: Object.keys(dimensions) },
      description: 'The dimensions, in the order of the request.',
    },
    groups: {
      type: 'array',
      description:
        'Groups with sales or refunds: the company’s currency first, then by time, then the highest sales first.',
      items: {
        title: 'SalesGroup',
        type: 'object',
        properties: {
          ...grouped,
          ...names,
          currency: {
            ...heading.currency,
            description: 'The currency of the sums: currencies are never added together.',
          },
          ...sums,
          previous: {
            title: 'SalesGroupSums',
            type: 'object',
            properties: sums,
            description: 'The same sums in the period before; only with `compare`.',
          },
        },
        required: ['refunded', 'count'],
        description:
          'A member for each dimension; null for amounts without such a value. Beside an id, what its record is called now; null if that is unknown. With a dimension of lines, these are custom sales, tips, delivery, fees, and amounts that only the summary of an order or refund has.',
      },
    },
  },
  'currency',
  'previous',
)

const sold = {
  currency: 'EUR',
  grossSales: '40.00',
  discounts: '6.25',
  netSales: '33.75',
  tax: '3.71',
  tips: '0.00',
  shipping: '0.00',
  fees: '0.00',
  totalSales: '37.46',
  cashRounding: '-0.01',
  refunded: '10.63',
  refundedNet: '10.12',
  refundedTax: '0.51',
  refundedTips: '0.00',
  refundedShipping: '0.00',
  refundedFees: '0.00',
  refundedCashRounding: '0.00',
  quantity: 3,
  refundedQuantity: 1,
  count: 2,
  average: '16.88',
}
const exampleOf = (groupBy: Dimension, value: string | number, more: object) => ({
  ...head,
  groupBy: [groupBy],
  groups: [{ [groupBy]: value, ...more }],
})
/** Answers by one dimension. */
export const groupExamples = {
  taxRate: exampleOf('taxRate', 20, sold),
  customerId: exampleOf('customerId', '6740a1f2c3d4e5f6a7b8c9d3', {
    customerName: 'Ann Archer',
    ...sold,
    tips: '3.00',
    totalSales: '40.46',
    count: 1,
    average: '33.75',
  }),
  paymentMethod: exampleOf('paymentMethod', 'cash', {
    currency: 'EUR',
    paid: '15.00',
    refunded: '10.63',
    count: 1,
    average: '15.00',
  }),
}
