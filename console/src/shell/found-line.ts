// The second line of a found record, which the API writes for programs: its amounts, days and statuses as the console shows them.
import type { SearchHit } from '../api/schemas.ts'
import { date, price } from '../parts/format.ts'
import { labelOf } from '../texts/members.ts'

/** The words of the API that such lines contain; names and numbers stay as they are. */
const vocabulary = new Set([
  ...['active', 'draft', 'archived', 'pending', 'parked', 'completed', 'cancelled', 'partial-refund', 'refunded'],
  ...['sale', 'refund', 'void', 'pay-in', 'pay-out', 'drop', 'float'],
  ...['cash', 'card', 'debit_card', 'credit_card', 'gift_card', 'store_credit'],
])

/** “12.5 EUR · draft” → “€12.50 · Draft”. */
export const shownLine = (line: string): string => line.split(' · ').map(shownPart).join(' · ')

/** Payments, refunds and cash movements are called by their amounts; other records by a name, which stays as it is. */
export const shownTitle = ({ resource, title }: SearchHit): string =>
  ['transaction', 'refund', 'cash-movement'].includes(resource) ? shownPart(title) : title

function shownPart(part: string): string {
  const [, least, most, currency] = /^(-?\d+(?:\.\d+)?)(?:–(-?\d+(?:\.\d+)?))? ([A-Z]{3})$/.exec(part) ?? []
  if (least !== undefined) return [least, most].flatMap((amount) => (amount ? [price(amount, currency)] : [])).join('–')
  if (/^\d{4}-\d\d-\d\d$/.test(part)) return date(part, 'UTC')
  return vocabulary.has(part) ? labelOf(part) : part
}
