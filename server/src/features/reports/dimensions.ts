// What sales can be grouped by: the dimensions, what is summed for a choice of them, and the labels of parts of a period.
import { beginOfDay, dateOf, hoursOfDay, type Zone } from '../../core/local-days.ts'
import { type Period, type Segment, wrongQuery } from './period.ts'
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
  /** The kept sums that groups are ordered by, and that count what is summed. */
  readonly main: 'gross' | 'net'
  readonly counted: 'orders' | 'count'
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
  const summed = isPaid
    ? ({ main: 'gross', sources: ['payments'] } as const)
    : ({ main: 'net', sources: ['orders', 'refunds'] } as const)
  return { by, stored, timed, unit, columns, counted: unit === 'whole' ? 'orders' : 'count', ...summed }
}

/** A value of a dimension of time. */
type TimeValue = string | number

/** The week of ISO 8601: the year is that of its Thursday. */
function weekOf(day: number): string {
  const thursday = day - ((day + 3) % 7) + 3
  const year = dateOf(thursday).slice(0, 4)
  const nth = Math.floor((thursday - Date.parse(`${year}-01-01T00:00:00Z`) / 86_400_000) / 7) + 1
  return `${year}-W${String(nth).padStart(2, '0')}`
}

const timeValue = (dimension: Dimension, day: number, hour: number): TimeValue => {
  if (dimension === 'hour') return hour
  if (dimension === 'weekday') return ((day + 3) % 7) + 1
  if (dimension === 'week') return weekOf(day)
  return dateOf(day).slice(0, dimension === 'month' ? 7 : 10)
}

/** The groups of time of a report. */
export interface TimeLabels {
  /** The values of each label, in the order of the dimensions. */
  readonly values: readonly TimeValue[][]
  readonly segments: readonly Segment[]
  /** The previous period, with the labels of the days with which it is compared. */
  readonly before: readonly Segment[]
}

/** Labels a period by dimensions of time; with none of them, all of it is one group. */
export function timeLabels(zone: Zone, timed: readonly Dimension[], period: Period): TimeLabels {
  const { firstDay, previous } = period
  const known = new Map<string, number>()
  const values: TimeValue[][] = []
  const labelOf = (day: number, hour: number, weekday = day): number => {
    const own = timed.map((dimension) => timeValue(dimension, dimension === 'weekday' ? weekday : day, hour))
    const key = own.join()
    if (!known.has(key)) known.set(key, values.push(own) - 1)
    return known.get(key) as number
  }
  /** The beginnings of groups, with the labels of the days with which theirs are compared. */
  function labelled(days: Omit<Period, 'previous'>, comparedWith = (day: number) => day): Segment[] {
    const { first, end } = days
    if (timed.length === 0) return [{ first, end, label: labelOf(firstDay, 0) }]
    const begins: { first: number; label: number }[] = []
    for (let own = days.firstDay; own <= days.lastDay; own++) {
      const day = comparedWith(own)
      // Two months have different weekdays; one day of them keeps its own.
      const weekday = timed.includes('day') ? day : own
      const parts = timed.includes('hour') ? hoursOfDay(zone, own) : [{ first: beginOfDay(zone, own), hour: 0 }]
      for (const { first, hour } of parts) begins.push({ first, label: labelOf(day, hour, weekday) })
    }
    const changes = begins.filter(({ first, label }, n) => first < end && label !== begins[n - 1]?.label)
    return changes.map(({ first, label }, n) => ({ first, end: Math.min(changes[n + 1]?.first ?? end, end), label }))
  }
  const segments = labelled(period)
  return { values, segments, before: previous ? labelled(previous, previous.comparedWith) : [] }
}
