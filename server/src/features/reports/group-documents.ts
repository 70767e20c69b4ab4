// Grouped sales as the reference shows them: parameters, and the answer.
import type { JsonSchema } from '../../core/json-schema.ts'
import { type Dimension, dimensions } from './dimensions.ts'
import { date, head, heading, object } from './documents.ts'
import { groupSumExample, groupSumSchemas } from './group-answer.ts'
import { REPORT_GROUPS } from './groups.ts'
import { nameMembers } from './names.ts'
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
          ...groupSumSchemas,
          previous: {
            title: 'SalesGroupSums',
            type: 'object',
            properties: groupSumSchemas,
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

const exampleOf = (groupBy: Dimension, value: string | number, more: object) => ({
  ...head,
  groupBy: [groupBy],
  groups: [{ [groupBy]: value, ...more }],
})
const sold = groupSumExample('whole')
const ofCustomer = { ...sold, tips: '3.00', totalSales: '40.46', count: 1, average: '33.75' }
const ofMethod = { ...groupSumExample('payment'), count: 1, average: '15.00' }
/** Answers by one dimension. */
export const groupExamples = {
  taxRate: exampleOf('taxRate', 20, { currency: 'EUR', ...sold }),
  customerId: exampleOf('customerId', '6740a1f2c3d4e5f6a7b8c9d3', { customerName: 'Ann Archer', currency: 'EUR', ...ofCustomer }), // biome-ignore format: one thought
  paymentMethod: exampleOf('paymentMethod', 'cash', { currency: 'EUR', ...ofMethod }),
}
