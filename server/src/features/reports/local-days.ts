// A company's local days, by quarter-hours: the days of every time zone begin and end at one.

/** Milliseconds of a quarter-hour and of a day. */
const quarterMs = 15 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
/** Quarter-hours of a day without a change of the clock. */
export const DAY_QUARTERS = 96

/**
 * A time zone: the offset of its clocks in quarter-hours, from each change since 1970 UTC on. The day of a quarter-hour
 * `q` is `(q + ahead) / 96`, counted from 1970-01-01; in SQL, `width_bucket` finds the index in the arrays.
 */
export interface Zone {
  /** Its name in lower-case letters, which identifies it. */
  readonly key: string
  readonly from: readonly number[]
  readonly ahead: readonly number[]
}

const known = new Map<string, Zone>()
/** Offsets are checked weekly from 2000 on, for some years ahead: no zone changes its clocks twice in a week. */
const firstMs = Date.UTC(2000, 0)
const yearsAhead = 10
const stepMs = 7 * dayMs
/** Before every quarter-hour with a record. */
const always = -(2 ** 31)

/** The zone by its IANA name; UTC if a company has none, or one unknown to this server. */
export function zoneOf(name: string | null): Zone {
  const key = (name ?? utc).toLowerCase()
  const zone = known.get(key) ?? zoneNamed(key) ?? zoneOf(utc)
  known.set(key, zone)
  return zone
}

const utc = 'UTC'
/** The zone's name as the company has it. */
export const nameOf = ({ key }: Zone, name: string | null): string => (name?.toLowerCase() === key ? name : utc)

function zoneNamed(key: string): Zone | undefined {
  let clock: Intl.DateTimeFormat
  try {
    clock = new Intl.DateTimeFormat('en', { timeZone: key, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
  const aheadAt = (quarter: number): number => {
    const offset = clock.formatToParts(quarter * quarterMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(offset) ?? ['', '+', '0', '0']
    return (sign === '-' ? -1 : 1) * (Number(hours) * 4 + Math.round(Number(minutes) / 15))
  }
  const from = [always]
  const ahead = [aheadAt(firstMs / quarterMs)]
  const end = (Date.now() + yearsAhead * 365 * dayMs) / quarterMs
  const step = stepMs / quarterMs
  for (let at = firstMs / quarterMs; at < end; at += step) {
    const now = aheadAt(at + step)
    if (now === ahead.at(-1)) continue
    // Where in the week the clocks changed.
    let [before, after] = [at, at + step]
    while (after - before > 1) {
      const between = Math.floor((before + after) / 2)
      if (aheadAt(between) === now) after = between
      else before = between
    }
    from.push(after)
    ahead.push(now)
  }
  return { key, from, ahead }
}

/** The day of a time in milliseconds. */
export function dayOf({ from, ahead }: Zone, ms: number): number {
  const quarter = Math.floor(ms / quarterMs)
  const at = from.findLastIndex((first) => first <= quarter)
  return Math.floor((quarter + (ahead[at] as number)) / DAY_QUARTERS)
}

/**
 * The first quarter-hour of a range of days, and the one after its last: equal for a day that a zone left out, as Samoa
 * did when it crossed the date line.
 */
export function quartersOf(zone: Zone, firstDay: number, lastDay: number): [number, number] {
  const { from, ahead } = zone
  let [first, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [n, offset] of ahead.entries()) {
    const begins = Math.max(from[n] as number, firstDay * DAY_QUARTERS - offset)
    const ends = Math.min(from[n + 1] ?? Number.POSITIVE_INFINITY, (lastDay + 1) * DAY_QUARTERS - offset)
    if (begins >= ends) continue
    first = Math.min(first, begins)
    end = Math.max(end, ends)
  }
  if (first < end) return [first, end]
  const [next] = quartersOf(zone, lastDay + 1, lastDay + 1)
  return [next, next]
}

/** The time at which a quarter-hour begins, in the format of records. */
export const timeOf = (quarter: number): string => new Date(quarter * quarterMs).toISOString()

/** `2026-11-21` as a day, and back. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Days in the blocks in which products are summed; migrations use the same. */
export const BLOCKS = [1, 4, 16, 64] as const

/**
 * A range of days as the fewest blocks; one that reaches `today` continues to the end of a block, since no record is in
 * the future.
 */
export function blocksOf(firstDay: number, lastDay: number, today: number): { days: number; firstDay: number }[] {
  const largest = BLOCKS.at(-1) as number
  const end = lastDay === today ? Math.ceil((today + 1) / largest) * largest : lastDay + 1
  const blocks: { days: number; firstDay: number }[] = []
  for (let day = firstDay; day < end; ) {
    const fits = (days: number) => day % days === 0 && day + days <= end
    const days = BLOCKS.findLast(fits) as number
    blocks.push({ days, firstDay: day })
    day += days
  }
  return blocks
}
