// The days of a report, in its time zone.
import { aTimezone, timezoneNamed } from '../../core/date-time.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import {
  beginOfDay,
  dateOf,
  dayNumber,
  dayOf,
  monthsLater,
  quarterAt,
  wholeMonths,
  type Zone,
} from '../../core/local-days.ts'
import { invalid } from '../../core/problem.ts'

/** Days of one report (a leap year), and the default. */
const REPORT_DAYS = 366
const REPORT_DAYS_DEFAULT = 30
/** Different products, or methods and currencies by day, that a report adds up in memory: some 20 MB. */
export const REPORT_KEYS = 100_000

/** A range of days, inclusive. */
export interface Period {
  readonly firstDay: number
  readonly lastDay: number
  /** Its first quarter-hour, and the one after its last. */
  readonly first: number
  readonly end: number
  /** The earlier period that it is compared with, if any. */
  readonly previous?: PreviousPeriod
}

/** The same number of calendar months earlier, or some weeks earlier, up to the same time of day. */
interface PreviousPeriod extends Omit<Period, 'previous'> {
  /** The day of the period with which one of these days is compared. */
  readonly comparedWith: (day: number) => number
}

/** Quarter-hours from `first` to before `end`, whose sums are labelled with a number. */
export interface Segment {
  readonly first: number
  readonly end: number
  readonly label: number
}

const date = (description: string): JsonSchema => ({ type: 'string', format: 'date', description })

/** The query parameters. */
export const periodParameters: Readonly<Record<string, JsonSchema>> = {
  from: date(`First day, in the report’s time zone; defaults to ${REPORT_DAYS_DEFAULT - 1} days before the last one.`),
  to: date(`Last day; defaults to today. A report has at most ${REPORT_DAYS} days.`),
  timezone: {
    type: 'string',
    maxLength: 100,
    description: 'The time zone of days and hours, by its IANA name; defaults to the company’s.',
    examples: ['America/New_York'],
  },
  dayStartHour: {
    type: 'integer',
    minimum: 0,
    maximum: 23,
    description:
      'The hour at which days begin, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before, also in weeks and months. Defaults to the company’s `dayStartHour`, or else 0.',
  },
}

/** What a request says of the period: dates, a time zone, and whether the period before is compared. */
export interface ReportQuery {
  readonly from?: string
  readonly to?: string
  readonly timezone?: string
  readonly dayStartHour?: number
  readonly compare?: string
}

/** 400 at a parameter. */
export const wrongQuery = (pointer: string, code: string, message: string) =>
  invalid([{ in: 'query', pointer, code, message }])
const wrong = (message: string) => wrongQuery('from', 'range', message)

/** The time zone that a request names. Throws 400 for an unknown one. */
export function timezoneOf({ timezone }: ReportQuery): string | undefined {
  const known = timezone === undefined ? undefined : timezoneNamed(timezone)
  if (timezone === undefined || known !== undefined) return known
  throw wrongQuery('timezone', 'timezone', `must be ${aTimezone}`)
}

/** 400: a report of the period would add up too many different things. */
export const tooMany = (what: string) =>
  wrong(`makes a report of more than ${REPORT_KEYS} ${what}; choose a shorter period`)

/** The period of a request. Throws 400 for an invalid or too long one. */
export function periodOf({ from, to, compare }: ReportQuery, zone: Zone, nowMs = Date.now()): Period {
  const today = dayOf(zone, nowMs)
  const lastDay = to === undefined ? today : dayNumber(to)
  const firstDay =
    from === undefined ? Math.max(lastDay - REPORT_DAYS_DEFAULT + 1, dayNumber('0000-01-01')) : dayNumber(from)
  if (firstDay > lastDay) throw wrong(`must not be later than the last day, which is ${dateOf(lastDay)}`)
  const days = lastDay - firstDay + 1
  if (days > REPORT_DAYS)
    throw wrong(
      `makes the report ${days} days long, up to ${dateOf(lastDay)}; a report has at most ${REPORT_DAYS} days`,
    )
  const first = beginOfDay(zone, firstDay)
  const end = beginOfDay(zone, lastDay + 1)
  const period = { firstDay, lastDay, first, end }
  return compare === undefined ? period : withPrevious(period, zone, nowMs)
}

/**
 * The period with the previous one. For whole calendar months that are over, that is the same number of months before. For other days, it
 * begins whole weeks earlier, to have the same weekdays. If the period includes today, the previous one ends at the same time of day,
 * to the quarter of an hour.
 */
function withPrevious(period: Period, zone: Zone, nowMs: number): Period {
  const { firstDay, lastDay } = period
  const today = dayOf(zone, nowMs)
  const months = lastDay < today ? wholeMonths(firstDay, lastDay) : 0
  if (months > 0) {
    const firstBefore = monthsLater(firstDay, -months)
    const comparedWith = (day: number) => monthsLater(day, months)
    const quarters = { first: beginOfDay(zone, firstBefore), end: period.first }
    return { ...period, previous: { firstDay: firstBefore, lastDay: firstDay - 1, ...quarters, comparedWith } }
  }
  const days = Math.ceil((lastDay - firstDay + 1) / 7) * 7
  const isOver = today < firstDay || today > lastDay
  const lastBefore = (isOver ? lastDay : today) - days
  const soFar = isOver ? Number.POSITIVE_INFINITY : quarterAt(nowMs) + 1 - beginOfDay(zone, today)
  const end = Math.min(beginOfDay(zone, lastBefore) + soFar, beginOfDay(zone, lastBefore + 1))
  const first = beginOfDay(zone, firstDay - days)
  const comparedWith = (day: number) => day + days
  return { ...period, previous: { firstDay: firstDay - days, lastDay: lastBefore, first, end, comparedWith } }
}
