// Closing (Z): the figures of a session at its end, numbered for each station, and never changed.

import type { Queryable } from '../database/connect.ts'
import {
  choice,
  currency,
  dateTime,
  decimal,
  flag,
  integer,
  list,
  name,
  number,
  object,
  reference,
  required,
  text,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { paymentMethod } from './sale-shapes.ts'

/** Late records that a closing names; it counts all of them. */
export const LATE_LISTED = 1_000

/** The kinds of records that closings add up, as events name them, with their tables. */
export const closedTables = {
  order: 'orders',
  transaction: 'transactions',
  refund: 'refunds',
  'cash-movement': 'cash_movements',
} as const
export type ClosedResource = keyof typeof closedTables

/** Whether a closing took one of these records of a session, which may be open again. */
export async function isInClosing(
  transaction: Queryable,
  companyId: string,
  records: Readonly<Partial<Record<ClosedResource, readonly string[]>>>,
): Promise<boolean> {
  const all = Object.entries(records).flatMap(([resource, ids]) => ids.map((id) => ({ resource, id })))
  const rows = await transaction.query(
    {
      name: 'closing_records_counted',
      text: `
      select 1 from unnest($2::text[], $3::text[]) as record(resource, id)
      join closing_records as taken on taken.company_id = $1 and taken.resource = record.resource and taken.record_id = record.id
      limit 1`,
    },
    [companyId, all.map(({ resource }) => resource), all.map(({ id }) => id)],
  )
  return rows.length > 0
}

const most = Number.MAX_SAFE_INTEGER
const money = (description: string, example: string) => required(decimal({ description, example }))
/** A sum that closings from before it was added do not have. */
const later = (description: string, example: string) => decimal({ description, example })
const count = (description: string, example: number) => required(integer(0, most, { description, example }))
const sales = { sales: money('What was sold, with tax and tip.', '830.40'), salesCount: count('How many sales.', 41) }
const refunds = {
  refunds: money('What was refunded, a positive amount.', '12.50'),
  refundsCount: count('How many refunds.', 1),
}

/** The records of one currency, added up. */
const figures = object(
  {
    currency: required(
      currency({ description: 'ISO 4217 code of the amounts; records without one have the company’s.' }),
    ),
    late: required(
      flag({
        description:
          'Whether these are late records: records of sessions that were closed before, or made during such a session. The session’s own records are in the entry where it is false.',
        example: false,
      }),
    ),
    sales: money(
      '`summary.total` of all orders that are neither pending, parked nor cancelled (without it, what the lines come to), without tips that later payments added to them; and the tips that payments of this session added to earlier sales.',
      '830.40',
    ),
    salesCount: count('How many such orders there are.', 41),
    discounts: money('All discounts of these orders.', '21.00'),
    tax: money('All taxes of these orders.', '104.10'),
    tips: money(
      'All tips of these orders, and those that these payments added to earlier sales. They are in `sales`.',
      '18.00',
    ),
    shipping: later('Delivery of these orders, their `summary.shippingTotal`.', '4.90'),
    cashRounding: later(
      'What rounding of cash added to `sales` of these orders, and to what these payments of earlier sales paid; negative if it reduced them. If everything is paid, payments add up to `sales` + `cashRounding`.',
      '-0.02',
    ),
    refunds: money(
      '`summary.total` of all refunds, a positive amount; of a refund without it, what its lines come to.',
      '12.50',
    ),
    refundsCount: count('How many refunds there are.', 1),
    refundedTips: later('Tips in these refunds.', '0.00'),
    refundedShipping: later('Delivery in these refunds.', '0.00'),
    refundedCashRounding: later(
      'What rounding of cash added to these refunds, also that of their sales; negative if it reduced them. Repayments add up to `refunds` + `refundedCashRounding`.',
      '0.00',
    ),
    voids: money('All transactions of the type `void`, which count nowhere else.', '0.00'),
    voidsCount: count('How many such transactions there are.', 0),
    payments: required(
      list(
        object(
          {
            paymentMethod: required(paymentMethod('How it was paid.')),
            sales: money('All transactions of the type `sale`, or without a type.', '420.00'),
            salesCount: count('How many such transactions there are.', 23),
            refunds: money('All transactions of the type `refund`, a positive amount.', '12.50'),
            refundsCount: count('How many such transactions there are.', 1),
          },
          { title: 'ClosingPayments', description: 'The transactions of one payment method.' },
        ),
        { description: 'The payments by method; those beyond the 500 with the most sales together as `other`.' },
      ),
    ),
    taxes: required(
      list(
        object(
          {
            name: name({ description: 'What receipts call the tax.', example: 'VAT' }),
            percentage: number({ description: 'The rate in percent.', example: 20 }),
            net: money(
              'Sales at this rate, after discounts and without tax. A rate that only the summary of an order names has a net only if the rates of the summary, on all goods, add up to its taxes.',
              '520.50',
            ),
            tax: money('The tax that was charged at this rate.', '104.10'),
            refundedNet: money('The same for refunds, as a positive amount.', '10.42'),
            refundedTax: money('The tax that was paid back at this rate, a positive amount.', '2.08'),
          },
          { title: 'ClosingTax', description: 'The sales and refunds at one rate of tax.' },
        ),
        {
          description:
            'The taxes by rate and name: those of the lines, and those that only the summary has, which have no rate if its rates do not add up to its taxes.',
        },
      ),
    ),
    employees: required(
      list(
        object(
          {
            employee: reference({
              description:
                'The employee of the orders or refunds; absent for those that name none, and for all beyond the 500 with the most sales.',
            }),
            ...sales,
            ...refunds,
          },
          { title: 'ClosingEmployee', description: 'The sales and refunds of one employee.' },
        ),
        { description: 'The sales by `employee` of the order, the refunds by `refundedBy`.' },
      ),
    ),
    categories: required(
      list(
        object(
          {
            categoryId: reference({
              description: 'The first category of the product; absent for products without one and for custom sales.',
            }),
            name: name({ description: 'Name of the category at the time.', example: 'Coffee' }),
            quantity: required(number({ description: 'Units sold.', example: 58 })),
            sales: money('`total` of all lines sold.', '612.00'),
            refundedQuantity: required(number({ description: 'Units returned.', example: 1 })),
            refunds: money('`total` of all lines returned, a positive amount.', '12.50'),
          },
          { title: 'ClosingCategory', description: 'The lines of one category that were sold and returned.' },
        ),
        { description: 'The lines by category. Each product counts in its first category.' },
      ),
    ),
    movements: required(
      list(
        object(
          {
            type: required(
              choice(['pay-in', 'pay-out', 'drop', 'float'], { description: 'The type of the movements.' }),
            ),
            amount: money('What was moved, a positive amount.', '20.00'),
            count: count('How many movements there are.', 1),
          },
          { title: 'ClosingMovements', description: 'The cash movements of one type.' },
        ),
        { description: 'The cash movements by type.' },
      ),
    ),
  },
  {
    title: 'ClosingFigures',
    description: 'The records of one currency, added up: those of the session, or the late ones.',
  },
)

const balance = object(
  {
    currency: required(currency({ description: 'ISO 4217 code of the amounts.' })),
    paymentMethod: required(paymentMethod('What is counted.')),
    expected: money(
      'The expected amount: payments minus refunds, and for `cash` also the opening amount and the movements.',
      '347.00',
    ),
    counted: decimal({ description: 'The counted amount; absent if nothing was counted.', example: '347.50' }),
    difference: decimal({
      description: '`counted` − `expected`: negative if something is missing.',
      example: '0.50',
    }),
  },
  { title: 'ClosingBalance', description: 'The expected and the counted amount of one payment method.' },
)

const lateRecord = object(
  {
    resource: required(
      choice(Object.keys(closedTables) as ClosedResource[], { description: 'What it is, as its events name it.' }),
    ),
    id: required(reference({ description: 'Identifies the record.' })),
    sessionId: required(reference({ description: 'The session that the record names.' })),
    occurredAt: required(dateTime({ description: 'When it happened: its `occurredAt`, or else its `createdAt`.' })),
  },
  { title: 'LateRecord', description: 'A record that arrived after the session that it belongs to was closed.' },
)

/** What a session report and a closing have in common. */
export const reportFields = {
  stationId: required(reference({ description: 'The till that the session was opened at.' })),
  sessionId: required(reference({ description: 'The session that is reported or was closed.' })),
  sessionNumber: name({ description: '`sessionNumber` of the session at the time.', example: '17' }),
  openTime: dateTime({ description: 'When the till was opened.', example: '2026-11-21T08:00:00.000Z' }),
  closeTime: dateTime({ description: 'When the till was closed.', example: '2026-11-21T18:30:00.000Z' }),
  openedBy: reference({ description: 'Who opened the till.' }),
  closedBy: reference({ description: 'Who counted and closed the till.' }),
  closingNote: text({ description: 'A remark by the employee who closed it.', example: '0.50 too much' }),
  openingAmount: required(
    decimal({
      description:
        'The cash that the drawer began with, in the company’s currency: `openingAmount` of the session. If the session was closed before and is open again, its report and its next closing have the amount that the previous closing counted.',
      example: '100.00',
    }),
  ),
  figures: required(
    list(figures, {
      description:
        'The sums, with an entry for each currency, and separate entries for the late records of each. Entries of different currencies are never added together.',
    }),
  ),
  balances: required(
    list(balance, {
      description: 'The expected and the counted amount of each payment method, for each currency.',
    }),
  ),
  lateCount: count('How many late records there are.', 0),
  lateRecords: required(list(lateRecord, { description: `The first ${LATE_LISTED} late records, by time.` })),
}

export const closing = resource(
  {
    name: { one: 'closing', many: 'closings' },
    title: 'Closings',
    description:
      'The closing report (Z) of a session. Its figures are copies, so later changes of the session, its orders and its payments do not affect them. A closing includes everything of its station that no earlier closing included, so each record is in one closing.',
    fields: {
      number: required(
        integer(1, most, {
          description: 'The number of the closing, 1, 2, 3 … for each station, without gaps.',
          example: 214,
        }),
      ),
      outletId: reference({
        description:
          'The outlet of the till at the time of the closing. Absent if the till has no record, and in closings made before this member was added.',
      }),
      ...reportFields,
      closeTime: required(reportFields.closeTime),
    },
    remove: 'hard',
    list: { sort: ['number', 'closeTime'], exact: ['stationId', 'sessionId'], range: ['closeTime'] },
    columns: 'generated',
    styleA: null,
    styleB: null,
    example: {
      number: 214,
      outletId: '6740a1f2c3d4e5f6a7b8c9d2',
      stationId: '6740a1f2c3d4e5f6a7b8c9d3',
      sessionId: '6740a1f2c3d4e5f6a7b8c9d6',
      sessionNumber: '17',
      openTime: '2026-11-21T08:00:00.000Z',
      closeTime: '2026-11-21T18:30:00.000Z',
      closedBy: 'ann',
      openingAmount: '100.00',
      figures: [
        {
          currency: 'EUR',
          late: false,
          sales: '260.00',
          salesCount: 12,
          discounts: '5.00',
          tax: '43.33',
          tips: '0.00',
          refunds: '12.50',
          refundsCount: 1,
          voids: '0.00',
          voidsCount: 0,
          payments: [{ paymentMethod: 'cash', sales: '260.00', salesCount: 12, refunds: '12.50', refundsCount: 1 }],
          taxes: [
            { name: 'VAT', percentage: 20, net: '216.67', tax: '43.33', refundedNet: '10.42', refundedTax: '2.08' },
          ],
          employees: [{ employee: 'ann', sales: '260.00', salesCount: 12, refunds: '12.50', refundsCount: 1 }],
          categories: [
            {
              categoryId: '6740a1f2c3d4e5f6a7b8c9d0',
              name: 'Coffee',
              quantity: 20,
              sales: '260.00',
              refundedQuantity: 1,
              refunds: '12.50',
            },
          ],
          movements: [],
        },
      ],
      balances: [
        { currency: 'EUR', paymentMethod: 'cash', expected: '347.50', counted: '347.00', difference: '-0.50' },
      ],
      lateCount: 0,
      lateRecords: [],
    },
  },
  { isAppendOnly: true },
)
