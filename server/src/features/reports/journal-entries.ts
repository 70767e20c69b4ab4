// The entries of a journal as they are booked: debits and credits by place, account and detail.
import { add, type Decimal, negated } from '../sold-items/decimals.ts'
import type { JournalAccount } from './journal-documents.ts'

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
