// What sales can be grouped by: the dimensions, and what is summed for a choice of them.
import { wrongQuery } from './period.ts'
import type { SourceName } from './sums/sources.ts'

/**
 * The dimensions, each with the column of entries that it is made from; those of time are made from labels. `whole` is
 * known for each order, `line` only for each of its lines, `payment` only for each payment.
 */
// biome-ignore format: a table
export const dimensions = {
  outletId: { of: 'whole', column: 'outlet', description: 'The outlet of the order; for a refund, the outlet of its order; with `paymentMethod`, the outlet of the payment.' },
  stationId: { of: 'whole', column: 'station', description: 'The station of the order; for a refund, the station of its order.' },
  sessionId: { of: 'whole', column: 'session', description: 'The session of the order, refund or payment itself.' },
  employee: { of: 'whole', column: 'employee', description: '`employee` of the order or payment, `refundedBy` of a refund.' },
  categoryId: { of: 'line', column: 'product', description: 'The first of the product’s `categories`, as it is now.' },
  productId: { of: 'line', column: 'product', description: 'The product of the line.' },
  variantId: { of: 'line', column: 'variant', description: 'The variant of the line.' },
  paymentMethod: { of: 'payment', column: 'method', description: '`paymentMethod` of the transaction.' },
  taxRate: { of: 'line', column: 'rate', description: 'The rate in percent. A line with several rates counts in each of their groups, with its tax at that rate.' },
  customerId: { of: 'whole', column: 'customer', description: 'The customer of the order; for a refund, the customer of its order.' },
  tag: { of: 'whole', column: 'customer', description: 'A tag of the customer, one of the first 20, as it is now. A sale to a customer with several tags counts in each of their groups.' },
  hour: { of: 'time', column: 'label', description: 'The hour of the day, 0 to 23, in the company’s time zone. When clocks are set back, the repeated hour is one group.' },
  weekday: { of: 'time', column: 'label', description: 'The day of the week, 1 (Monday) to 7 (Sunday).' },
  day: { of: 'time', column: 'label', description: 'The date.' },
  week: { of: 'time', column: 'label', description: 'The week of ISO 8601, such as `2026-W47`; it begins on Monday.' },
  month: { of: 'time', column: 'label', description: 'The month, such as `2026-11`.' },
} as const
export type Dimension = keyof typeof dimensions
const names = Object.keys(dimensions) as Dimension[]

/** Dimensions of one request. */
const MOST_DIMENSIONS = 3

/** How a choice of dimensions is answered. */
export interface Grouping {
  readonly by: readonly Dimension[]
  /** Those that keys of entries hold, and those that labels of time hold. */
  readonly stored: readonly Dimension[]
  readonly timed: readonly Dimension[]
  /** What is summed: payments, whole orders and refunds, or their lines. */
  readonly unit: 'payment' | 'whole' | 'line'
  /** The columns of entries that are needed. */
  readonly columns: readonly string[]
  /** The sources that are summed. */
  readonly sources: readonly SourceName[]
}

const wrong = (message: string) => wrongQuery('groupBy', 'invalid', message)

/** The dimensions of a request, separated by commas. Throws 400 at `groupBy`. */
export function groupingOf(text: string): Grouping {
  const by = text.split(',').map((name) => name.trim()) as Dimension[]
  const unknown = by.find((name) => !names.includes(name))
  if (unknown !== undefined) throw wrong(`has "${unknown.slice(0, 100)}"; the dimensions are ${names.join(', ')}`)
  if (by.length > MOST_DIMENSIONS) throw wrong(`has ${by.length} dimensions; at most ${MOST_DIMENSIONS} are possible`)
  if (new Set(by).size < by.length) throw wrong('has a dimension twice; name each one once')
  const ofKind = (kind: string) => by.filter((name) => dimensions[name].of === kind)
  const lines = ofKind('line')
  const timed = ofKind('time')
  const isPaid = by.includes('paymentMethod')
  if (isPaid && lines.length > 0)
    throw wrong(
      `has paymentMethod and ${lines[0]}, but a payment pays for an order and not for its lines; leave one out`,
    )
  const unit = isPaid ? 'payment' : lines.length > 0 ? 'line' : 'whole'
  const stored = by.filter((name) => !timed.includes(name))
  const columns = [...new Set(stored.map((name) => dimensions[name].column))]
  return { by, stored, timed, unit, columns, sources: isPaid ? ['payments'] : ['orders', 'refunds'] }
}
