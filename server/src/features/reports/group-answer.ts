// Grouped sales on the wire. The sums of a group are each declared once: the kept sums that make it, and what the
// reference says about it. Answers (JSON and CSV), their schema and their examples are made from this table.

import { mapInSlices } from '../../concurrency/time-slices.ts'
import { csvLine } from '../../core/csv-line.ts'
import { currencyDigits } from '../../core/currency.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { dateOf } from '../../core/local-days.ts'
import { add, average, type Decimal, rawNumber, subtract, textOf } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import { type Dimension, dimensions, type Grouping } from './dimensions.ts'
import { amount, count, date, head, heading, headingOf, object, requireComplete } from './documents.ts'
import { beforePrefix, type Group, groupedSales, REPORT_GROUPS } from './groups.ts'
import { groupColumns, nameMembers } from './names.ts'
import { REPORT_RECORDS } from './sums/records.ts'

/** A sum of groups. */
interface GroupSum {
  /** The groups that have it. */
  readonly units: readonly Grouping['unit'][]
  /** The kept sums that are added up for it, and those that are subtracted; of a number and an average, those of the grouping. */
  readonly of?: readonly string[]
  readonly less?: readonly string[]
  /** What it is, if not an amount: a cost is an amount that only groups with a cost price have. */
  readonly as?: 'number' | 'integer' | 'average' | 'cost'
  /** Its value in examples, if it is in them. */
  readonly example?: string | number
  readonly description: string
}

const payment = ['payment'] as const
const lines = ['line'] as const
const sales = ['whole', 'line'] as const
const all = ['payment', 'whole', 'line'] as const

/** In the order of the answers. */
// biome-ignore format: a table
const table: Readonly<Record<string, GroupSum>> = {
  paid: { units: payment, of: ['gross'], example: '15.00', description: 'By `paymentMethod`: transactions whose type is `sale` or unset, tips included. It replaces the sums of orders.' },
  grossSales: { units: sales, of: ['gross'], example: '40.00', description: '`subTotal` of the lines, or `price` × `quantity` where they have none, as for custom sales (or their `total`, if it differs only by rounding); before discounts, with the tax that prices contain.' },
  discounts: { units: sales, of: ['discount'], example: '6.25', description: 'All discounts on lines and carts: `subTotal` minus `total` of the lines, and what only the summary or the cart has.' },
  netSales: { units: sales, of: ['net'], example: '33.75', description: '`grossSales` minus `discounts` and minus the tax that prices contain, so without tax. Refunds are not subtracted.' },
  tax: { units: sales, of: ['tax'], example: '3.71', description: '`totalTax` of the lines, contained in prices or added to them, and what `totalTaxes` of the summary has beyond them, such as a tax on delivery. Taxes of refunds are not subtracted.' },
  tips: { units: sales, of: ['tip'], example: '0.00', description: '`summary.tip.amount` of the orders.' },
  shipping: { units: sales, of: ['shipping'], example: '0.00', description: 'Delivery: `summary.shippingTotal` of the orders. Refunds are not subtracted.' },
  fees: { units: sales, of: ['fee'], example: '0.00', description: 'Fees: `amount` in `cartFees` of the orders and in `fee` of their lines. Refunds are not subtracted.' },
  totalSales: { units: sales, of: ['net', 'tax', 'tip', 'shipping', 'fee'], example: '37.46', description: '`netSales` + `tax` + `tips` + `shipping` + `fees`: what customers had to pay. It equals `summary.total` of orders whose amounts add up. Refunds are not subtracted.' },
  cashRounding: { units: sales, of: ['rounding'], example: '-0.01', description: '`summary.cashRounding` of the orders: what rounding to the smallest coin added to `totalSales`, also when a sale was paid later; negative if it reduced it. It is in no other sum.' },
  refunded: { units: all, of: ['refund'], example: '10.63', description: 'The amount refunded, with tax: `summary.total` of refunds at their own time, without refunds of orders that do not count. For payments, transactions with the type `refund`.' },
  refundedNet: { units: sales, of: ['refund'], less: ['refund_tax', 'refund_tip', 'refund_shipping', 'refund_fee'], example: '10.12', description: '`refunded` − `refundedTax` − `refundedTips` − `refundedShipping` − `refundedFees`: what was refunded for goods, without tax. `netSales` − `refundedNet` is the net sales after returns.' },
  refundedTax: { units: sales, of: ['refund_tax'], example: '0.51', description: 'How much of `refunded` was tax: by `taxRate`, at that rate.' },
  refundedTips: { units: sales, of: ['refund_tip'], example: '0.00', description: 'How much of `refunded` was for tips.' },
  refundedShipping: { units: sales, of: ['refund_shipping'], example: '0.00', description: 'How much of `refunded` was for delivery.' },
  refundedFees: { units: sales, of: ['refund_fee'], example: '0.00', description: 'How much of `refunded` was for fees: what refunds pay back beyond lines, tip and delivery.' },
  refundedCashRounding: { units: sales, of: ['refund_rounding'], example: '0.00', description: 'What rounding to the smallest coin added to the refunds. `refunded` does not include it.' },
  quantity: { units: sales, of: ['quantity'], as: 'number', example: 3, description: 'Units sold: `quantity` of the lines, 1 where it is missing; goods given in exchange in the same sale are subtracted, later returns are not.' },
  refundedQuantity: { units: sales, of: ['refund_quantity'], as: 'number', example: 1, description: 'Units that came back: `quantity` of the lines of refunds.' },
  count: { units: all, as: 'integer', example: 2, description: 'The number of orders; with a dimension of lines, of lines; with `paymentMethod`, of payments.' },
  average: { units: all, as: 'average', example: '16.88', description: '`netSales` (by `paymentMethod`, `paid`) divided by `count`, rounded half up. Missing if `count` is 0.' },
  cost: { units: lines, of: ['cost'], as: 'cost', description: 'By a dimension of lines: `quantity` times `costPrice` of the variants, as it is now. Missing if no variant has one.' },
  margin: { units: lines, of: ['margin'], as: 'cost', description: '`netSales` of the lines whose variant has a `costPrice`, minus `cost`, before returns. Missing if `cost` is missing.' },
  refundedCost: { units: lines, of: ['refund_cost'], as: 'cost', description: 'The cost of the units that came back, but for those with the `action` `REFUND_DAMAGE`: what returned to stock. Missing if `cost` is missing.' },
  grossProfit: { units: lines, of: ['margin'], less: ['refund_margin'], as: 'cost', description: '`margin` minus `refundedNet` of lines whose variant has a `costPrice`, plus `refundedCost`: the profit on goods after returns. Missing if `cost` is missing.' },
}
const sums = Object.entries(table)

const schemaOf = ({ as, description, example }: GroupSum): JsonSchema => {
  if (as === 'integer') return count(description)
  return as === 'number' ? { type: 'number', description, examples: [example] } : amount(description)
}
/** The sums as the reference shows them, and an example of each kind of group. */
const groupSumSchemas = Object.fromEntries(sums.map(([name, sum]) => [name, schemaOf(sum)]))
const groupSumExample = (unit: Grouping['unit']): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    sums.flatMap(([name, { units, example }]) =>
      units.includes(unit) && example !== undefined ? [[name, example]] : [],
    ),
  )

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
      'Each group also has the sums of the period before. For whole calendar months that are over, this is the same number of months before them. For other periods, it begins as many whole weeks earlier as are needed for the two not to overlap, so it has the same weekdays. If the last day is not over, the period before ends at the same time of day, to the quarter of an hour.',
  },
  format: {
    type: 'string',
    enum: ['json', 'csv'],
    description:
      '`csv` returns one line per group, with names beside ids. Texts that a spreadsheet could take for a formula begin with an apostrophe. While a report is incomplete, a request for `csv` gets 503.',
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

/** The names of the sums that a grouping has, in order. */
const groupSumNames = ({ unit }: Grouping): string[] =>
  sums.flatMap(([name, { units }]) => (units.includes(unit) ? [name] : []))

/** What the sums of a group are made from. */
interface GroupValues {
  readonly currency: string
  /** A kept sum of the group. */
  readonly kept: (name: string) => Decimal
  /** Whether the group is in the company’s own currency, that of cost prices. */
  readonly isOwn: boolean
}

/**
 * Makes the function that returns the sums of a group, in order: amounts are texts, others as `number` makes them from
 * their text, and what a group does not have is undefined.
 */
function groupSumsOf({ unit, main, counted }: Grouping, number: (text: string) => string | object) {
  const own = sums.flatMap(([, sum]) => (sum.units.includes(unit) ? [sum] : []))
  return ({ currency, kept, isOwn }: GroupValues): (string | object | undefined)[] => {
    const decimals = currencyDigits(currency || undefined)
    const isCosted = isOwn && kept('priced') !== 0
    return own.map(({ of = [], less = [], as }) => {
      if (as === 'integer') return number(textOf(kept(counted), 0))
      if (as === 'average') return average(kept(main), kept(counted), decimals)
      if (as === 'cost' && !isCosted) return undefined
      let value: Decimal = 0
      for (const name of of) value = add(value, kept(name))
      for (const name of less) value = subtract(value, kept(name))
      return as === 'number' ? number(textOf(value, 0)) : textOf(value, decimals)
    })
  }
}

const previousName = (name: string) => `previous${name[0]?.toUpperCase()}${name.slice(1)}`

/** The report as JSON or CSV; records of the dimensions `unnamed` are shown by id alone. */
export async function groupedReport(
  snapshot: Snapshot,
  grouping: Grouping,
  { isCsv, unnamed }: { readonly isCsv: boolean; readonly unnamed: readonly Dimension[] },
): Promise<string> {
  const { companyId, currency, period } = snapshot
  if (isCsv) requireComplete(snapshot)
  const sales = await groupedSales(snapshot, grouping)
  const columns = await groupColumns(snapshot, grouping, sales.groups, unnamed)
  const { previous } = period
  const names = groupSumNames(grouping)
  const make = groupSumsOf(grouping, isCsv ? (text) => text : rawNumber)
  const sums = (group: Group, prefix = '') =>
    make({
      currency: group.currency,
      kept: (name) => sales.sum(prefix + name, group),
      isOwn: group.currency === currency,
    })
  if (isCsv) {
    const titles = [
      ...columns.map(({ name }) => name),
      'currency',
      ...names,
      ...(previous ? names.map(previousName) : []),
    ]
    const lines = await mapInSlices(sales.groups, companyId, (group) => {
      const texts = csvLine([...columns.map(({ of }) => String(of(group) ?? '')), group.currency]).slice(0, -1)
      return `${[texts, ...sums(group), ...(previous ? sums(group, beforePrefix) : [])].join(',')}\n`
    })
    return `${titles.join(',')}\n${lines.join('')}`
  }
  const named = (values: readonly unknown[]) => Object.fromEntries(names.map((name, n) => [name, values[n]]))
  const texts = await mapInSlices(sales.groups, companyId, (group) => {
    const own = columns.map(({ name, of }) => [name, name === 'taxRate' ? rawNumber(of(group)) : of(group)])
    return JSON.stringify({
      ...Object.fromEntries(own),
      currency: group.currency || undefined,
      ...named(sums(group)),
      previous: previous && named(sums(group, beforePrefix)),
    })
  })
  const earlier = previous && { from: dateOf(previous.firstDay), to: dateOf(previous.lastDay) }
  const head = JSON.stringify({ ...headingOf(snapshot), previous: earlier, groupBy: grouping.by })
  return `${head.slice(0, -1)},"groups":[${texts.join(',')}]}`
}
