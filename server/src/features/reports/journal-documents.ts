// The journal as the reference shows it: its accounts, parameters and answer.
import type { JsonSchema } from '../../core/json-schema.ts'
import { amount, date, head, heading, object } from './documents.ts'

/** What an entry says besides its account. */
export const details = ['taxRate', 'paymentMethod', 'movementType'] as const
export type JournalDetail = (typeof details)[number]

/** The accounts in the order of the answer, with what their entries say besides. */
export const accounts = {
  sales: 'taxRate',
  tax: 'taxRate',
  tips: undefined,
  shipping: undefined,
  fees: undefined,
  'gift-cards': undefined,
  'cash-rounding': undefined,
  payments: 'paymentMethod',
  receivables: undefined,
  'cash-movements': 'movementType',
  'over-short': 'paymentMethod',
  drawer: 'paymentMethod',
} as const satisfies Readonly<Record<string, JournalDetail | undefined>>
export type JournalAccount = keyof typeof accounts

/** Products that a request can name as gift cards. */
const GIFT_CARDS = 100

/** The query parameters besides the period. */
export const journalParameters: Readonly<Record<string, JsonSchema>> = {
  giftCards: {
    type: 'string',
    maxLength: GIFT_CARDS * 30,
    examples: ['6740a1f2c3d4e5f6a7b8c9d1'],
    'x-separated': true,
    description:
      'Ids of products that are gift cards and sold without tax, separated by commas: what they were sold for is in the account `gift-cards`, and not in `sales`.',
  },
  format: {
    type: 'string',
    enum: ['json', 'csv'],
    description: '`csv` returns a line for each entry. While the report is incomplete, `csv` is answered 503.',
  },
}

export const journalSchema: JsonSchema = object(
  'JournalReport',
  {
    ...heading,
    entries: {
      type: 'array',
      description:
        'The entries by day, outlet, currency and account. Debits and credits of a day, outlet and currency are equal.',
      items: object(
        'JournalEntry',
        {
          day: { ...date, description: 'The day in the time zone of the report.' },
          outletId: {
            type: ['string', 'null'],
            description:
              'The outlet: of sales and refunds that of the order, of money that of the till; null if there is none.',
          },
          outletName: { type: ['string', 'null'], description: 'Name of the outlet; null if that is unknown.' },
          currency: { ...heading.currency, description: 'The currency of the entry.' },
          account: {
            type: 'string',
            enum: Object.keys(accounts),
            description:
              'What is booked, less refunds. `receivables`: what customers owe for sales of the day (debit), or paid for other sales (credit). `over-short`: what was missing (debit) or too much (credit) when sessions were closed. `drawer`: how `over-short` and `cash-movements` change what is in drawers.',
          },
          taxRate: {
            type: ['number', 'null'],
            description: 'Of `sales` and `tax`: the rate in percent; null for what has no rate.',
          },
          paymentMethod: {
            type: ['string', 'null'],
            description: 'Of `payments`, `over-short` and `drawer`: the payment method.',
          },
          movementType: { type: ['string', 'null'], description: 'Of `cash-movements`: the `type` of the movements.' },
          debit: { ...amount('The debit; zero if the entry is a credit.'), examples: ['15.00'] },
          credit: { ...amount('The credit; zero if the entry is a debit.'), examples: ['0.00'] },
        },
        'currency',
        'taxRate',
        'paymentMethod',
        'movementType',
      ),
    },
  },
  'currency',
)

const entry = (account: JournalAccount, more: object, debit: string, credit: string) => ({
  day: head.from,
  outletId: '6740a1f2c3d4e5f6a7b8c9d2',
  outletName: 'Main Street',
  currency: 'EUR',
  account,
  ...more,
  debit,
  credit,
})

export const journalExample = {
  ...head,
  entries: [
    entry('sales', { taxRate: 20 }, '0.00', '100.00'),
    entry('tax', { taxRate: 20 }, '0.00', '20.00'),
    entry('tips', {}, '0.00', '3.00'),
    entry('payments', { paymentMethod: 'cash' }, '123.00', '0.00'),
    entry('over-short', { paymentMethod: 'cash' }, '0.50', '0.00'),
    entry('drawer', { paymentMethod: 'cash' }, '0.00', '0.50'),
  ],
}
