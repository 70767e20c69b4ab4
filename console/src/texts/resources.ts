// What resources are called; in English mostly as the server declares them.
import { translated } from '../language.ts'

interface Names {
  readonly title: string
  readonly singular: string
}

/** By their plural path names. */
export const names: Readonly<Record<string, Partial<Names>>> = translated('resources', {
  'automation-triggers': { singular: 'trigger' },
})

/** What the records of a list are and where they come from, for an empty one; by their plural path names. */
export const purposes: Readonly<Record<string, string>> = translated('purposes', {
  customers: 'People and businesses that buy from you.',
  products: 'What you sell. Each product has one or more variants, with a price, a barcode and a stock.',
  variants:
    'The forms in which you sell a product, such as sizes or colours. Each variant belongs to a product and has a price, a barcode and a stock.',
  outlets: 'Your shops, stands and storerooms. Tills and stock belong to an outlet.',
  stations: 'A station is a till or kiosk at an outlet. Sessions are opened and closed at it.',
  sessions: 'A session is the time from opening a till to counting its drawer. Its report adds up what was sold.',
  'cash-movements': 'Cash that is put into a drawer or taken out of it without a sale, such as change from the bank.',
  orders: 'What was sold, with items, sums and payments. Tills add their sales here.',
  transactions:
    'What customers paid and what they got back. Tills add the payments of their sales here; take payment for any other order on its page, under Orders.',
  refunds: 'What customers returned, and what they got back for it. A sale is refunded on its own page, under Orders.',
  'tax-tables': 'Tax rates for what you sell, such as a standard and a reduced rate.',
  roles: 'A role says what employees may do at the tills.',
  accounts: 'The people who work at your tills. People who sign in to this console are listed under Members.',
  attachments: 'Files of your company, such as pictures of products.',
})
