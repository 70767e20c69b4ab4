// A company's local days, by quarter-hours: the days of every time zone begin and end at one.

/** Milliseconds of a quarter-hour and of a day; quarter-hours of a day without a change of the clock. */
const quarterMs = 15 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
const dayQuarters = 96
/** Quarter-hours by which a local day may begin earlier or later than the same date in UTC. */
const mostAhead = 64
/** Days that a zone remembers: those of a few reports. */
const mostRemembered = 4_000

/** A time zone, and when days begin in it. */
export interface Zone {
  readonly name: string
  readonly clock: Intl.DateTimeFormat
  /** The hour at which days begin. */
  readonly dayStartHour: number
  /** The first quarter-hours of days that were asked for, by the local time at which they begin. */
  readonly begins: Map<number, number>
}

/** By their names in lower-case letters: callers may write a name in many ways. */
const zones = new Map<string, Pick<Zone, 'clock' | 'begins'>>()

/** The zone by its IANA name; UTC if a company has none, or one unknown to this server. Its days begin at `dayStartHour`. */
export function zoneOf(own: string | null, dayStartHour = 0): Zone {
  const name = own ?? 'UTC'
  const known = zones.get(name.toLowerCase())
  if (known !== undefined) return { ...known, name, dayStartHour }
  try {
    const clock = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
    zones.set(name.toLowerCase(), { clock, begins: new Map() })
  } catch {
    return zoneOf('UTC', dayStartHour)
  }
  return zoneOf(name, dayStartHour)
}

/** A quarter-hour of local time, counted from 1970-01-01 there. */
function localQuarter({ clock }: Zone, quarter: number): number {
  const offset = clock.formatToParts(quarter * quarterMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(offset) ?? ['', '+', '0', '0']
  return quarter + (sign === '-' ? -1 : 1) * (Number(hours) * 4 + Math.round(Number(minutes) / 15))
}

/** The day of a quarter-hour, counted from 1970-01-01. */
const dayOfQuarter = (zone: Zone, quarter: number): number =>
  Math.floor((localQuarter(zone, quarter) - zone.dayStartHour * 4) / dayQuarters)

/**
 * The hours of a day: the first quarter-hour of each, and the hour on the clock. An hour that comes twice is listed
 * twice.
 */
export function hoursOfDay(zone: Zone, day: number): { readonly first: number; readonly hour: number }[] {
  const first = beginOfDay(zone, day)
  const end = beginOfDay(zone, day + 1)
  const hourAt = (local: number) => Math.floor(local / 4) - Math.floor(local / dayQuarters) * 24
  if (end - first === dayQuarters)
    return Array.from({ length: 24 }, (_, n) => ({ first: first + n * 4, hour: (zone.dayStartHour + n) % 24 }))
  const quarters = Array.from({ length: end - first }, (_, n) => ({
    first: first + n,
    hour: hourAt(localQuarter(zone, first + n)),
  }))
  return quarters.filter(({ hour }, n) => hour !== quarters[n - 1]?.hour)
}

/** The day of a time in milliseconds. */
export const dayOf = (zone: Zone, ms: number): number => dayOfQuarter(zone, quarterAt(ms))

/** The first quarter-hour of a day; that of the next one if a zone left the day out, as Samoa did at the date line. */
export function beginOfDay(zone: Zone, day: number): number {
  const { begins, dayStartHour } = zone
  const local = day * dayQuarters + dayStartHour * 4
  const remembered = begins.get(local)
  if (remembered !== undefined) return remembered
  let before = local - mostAhead
  let first = local + mostAhead
  while (first - before > 1) {
    const between = Math.floor((before + first) / 2)
    if (dayOfQuarter(zone, between) >= day) first = between
    else before = between
  }
  if (begins.size >= mostRemembered) begins.clear()
  begins.set(local, first)
  return first
}

/** The quarter-hour of a time in milliseconds. */
export const quarterAt = (ms: number): number => Math.floor(ms / quarterMs)

/** The time at which a quarter-hour begins, in the format of records. */
export const timeOf = (quarter: number): string => new Date(quarter * quarterMs).toISOString()

/** `2026-11-21` as a day, and back. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** The day with the same date some months later, or the last day of that month. */
export function monthsLater(day: number, months: number): number {
  const from = new Date(day * dayMs)
  const first = new Date(from)
  first.setUTCMonth(from.getUTCMonth() + months, 1)
  const next = new Date(first)
  next.setUTCMonth(first.getUTCMonth() + 1)
  return Math.min(first.getTime() / dayMs + from.getUTCDate(), next.getTime() / dayMs) - 1
}

/** The number of whole calendar months from the first day to the last; 0 if they are others. */
export function wholeMonths(firstDay: number, lastDay: number): number {
  const first = new Date(firstDay * dayMs)
  const next = new Date((lastDay + 1) * dayMs)
  if (first.getUTCDate() !== 1 || next.getUTCDate() !== 1) return 0
  return (next.getUTCFullYear() - first.getUTCFullYear()) * 12 + next.getUTCMonth() - first.getUTCMonth()
}
