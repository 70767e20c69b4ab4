// A journal: its accounts, the entries as they are booked, and how the reference shows them.
import type { JsonSchema } from '../../core/json-schema.ts'
import { add, type Decimal, negated } from '../sold-items/decimals.ts'
import { amount, date, head, heading, object } from './documents.ts'

/** Members that only entries of some accounts have. */
export const details = ['taxRate', 'paymentMethod', 'movementType'] as const
export type JournalDetail = (typeof details)[number]

/** The accounts in the order of the answer, each with the further member of its entries. */
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

/** Where an entry is booked: a day, an outlet ('' if there is none) and a currency. */
export type JournalPlace = readonly [day: string, outletId: string, currency: string]

export interface JournalEntry {
  readonly place: JournalPlace
  readonly account: JournalAccount
  /** The rate, method or type, as the account has it; '' for none. */
  readonly detail: string
  /** Above zero it is a debit, below zero a credit. */
  amount: Decimal
}

/** The entries of a journal, added up by place, account and detail. */
export class Journal {
  readonly entries = new Map<string, JournalEntry>()

  debit(place: JournalPlace, account: JournalAccount, amount: Decimal, detail = ''): void {
    if (amount === 0) return
    const key = JSON.stringify([...place, account, detail])
    const entry = this.entries.get(key)
    if (entry === undefined) this.entries.set(key, { place, account, detail, amount })
    else entry.amount = add(entry.amount, amount)
  }

  credit(place: JournalPlace, account: JournalAccount, amount: Decimal, detail = ''): void {
    this.debit(place, account, negated(amount), detail)
  }
}

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
      'Ids of the products that are gift cards, separated by commas. They must be sold without tax. Their sales are in the account `gift-cards` instead of `sales`.',
  },
  format: {
    type: 'string',
    enum: ['json', 'csv'],
    description: '`csv` returns one line per entry. While the report is incomplete, a request for `csv` gets 503.',
  },
}

export const journalSchema: JsonSchema = object(
  'JournalReport',
  {
    ...heading,
    entries: {
      type: 'array',
      description:
        'The entries, sorted by day, outlet, currency and account. For each day, outlet and currency, debits equal credits.',
      items: object(
        'JournalEntry',
        {
          day: { ...date, description: 'The day in the time zone of the report.' },
          outletId: {
            type: ['string', 'null'],
            description:
              'The outlet: for sales and refunds, the outlet of the order; for money, the outlet of the till. Null if there is none.',
          },
          outletName: { type: ['string', 'null'], description: 'Name of the outlet; null if that is unknown.' },
          currency: { ...heading.currency, description: 'The currency of the entry.' },
          account: {
            type: 'string',
            enum: Object.keys(accounts),
            description:
              'What is booked, less refunds. `receivables`: what customers owe for sales of the day (debit), or have paid for sales of other days or outlets (credit). `over-short`: what was missing (debit) or surplus (credit) when sessions were closed. `drawer`: the counter-entry of `cash-movements` and `over-short`, since both change what the drawers hold.',
          },
          taxRate: {
            type: ['number', 'null'],
            description: 'For `sales` and `tax`: the rate in percent; null for amounts without a rate.',
          },
          paymentMethod: {
            type: ['string', 'null'],
            description: 'For `payments`, `over-short` and `drawer`: the payment method.',
          },
          movementType: { type: ['string', 'null'], description: 'For `cash-movements`: the `type` of the movements.' },
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
