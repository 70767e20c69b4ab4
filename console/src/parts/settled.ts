// What pages only show, and do not offer to delete, because money was counted with it: such a record is corrected by another one.
import type { RecordData } from '../api/records.ts'

/** What is known only later, and written by other pages: a session is closed with its count and a note. */
const later: Readonly<Record<string, readonly string[]>> = {
  sessions: ['closedBy', 'closeTime', 'closingAmount', 'closingAmounts', 'closingNote', 'closingReportData'],
}

/** The only members of a stored record that people may edit: a payment is refunded or voided, not overwritten. */
const noted: Readonly<Record<string, readonly string[]>> = {
  transactions: ['notes'],
  'cash-movements': ['reason', 'employee', 'externalId'],
  refunds: ['reason', 'refundedBy', 'notes', 'metadata'],
}

/** What the closing of a session was computed from, or has written. */
const closed: readonly string[] = ['stationId', 'openTime', 'openingAmount', ...(later.sessions ?? [])]

/** Where a sale was made: the closing of that till has counted it, and its goods left that outlet. */
const places: readonly string[] = ['sessionId', 'stationId', 'outletId']

/** Its number is on the printed receipt: a sale without one can still get one. */
const receipt = 'receiptId'

/** The statuses that a sale and its refunds write. */
const written: ReadonlySet<unknown> = new Set(['completed', 'refunded', 'partial-refund'])

/** Whether an order is a sale, or was one until it was voided. */
export const isSold = ({ status, completedAt, voidedAt }: RecordData): boolean =>
  completedAt !== undefined || voidedAt !== undefined || written.has(status)

/** The statuses of orders that no closing counts: it counts one with a word of another system, or without any. */
const uncounted: ReadonlySet<unknown> = new Set(['pending', 'parked', 'cancelled'])

const isCounted = (order: RecordData): boolean => isSold(order) || !uncounted.has(order.status)

/** Whether pages only show a member of a stored record; without the record, whether they do so of some. */
export function isSettled(many: string, name: string, record?: RecordData): boolean {
  if (many === 'sessions') return record?.closeTime !== undefined && closed.includes(name)
  if (many === 'orders')
    return record === undefined
      ? name === receipt || places.includes(name)
      : isCounted(record) && (places.includes(name) || (name === receipt && record.receiptId !== undefined))
  return noted[many]?.includes(name) === false
}

/** Whether a member is known, and shown, only once a session is closed. */
export const isOfClosing = (many: string, name: string): boolean => later[many]?.includes(name) === true

/** Whether pages offer to delete records of a kind, also many at once: some of the others may be counted. */
export const isDeletable = (many: string): boolean => !(many in noted) && many !== 'orders' && many !== 'sessions'

/** Whether pages offer to delete a record. A sale is voided or refunded, and a payment with its sale. */
export function canBeDeleted(many: string, record: RecordData): boolean {
  if (many === 'orders') return !isCounted(record) && Number(record.paid ?? 0) === 0
  if (many === 'sessions') return record.closeTime === undefined
  return isDeletable(many)
}
