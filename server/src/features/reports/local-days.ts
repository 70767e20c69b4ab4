// A company's local days, by quarter-hours: the days of every time zone begin and end at one.

/** Milliseconds of a quarter-hour and of a day; quarter-hours of a day without a change of the clock. */
const quarterMs = 15 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
const dayQuarters = 96
/** Quarter-hours by which a local day may begin earlier or later than the same date in UTC. */
const mostAhead = 64
/** Days that a zone remembers: those of a few reports. */
const mostRemembered = 4_000

/** A time zone. */
export interface Zone {
  readonly name: string
  readonly clock: Intl.DateTimeFormat
  /** The first quarter-hours of days that were asked for. */
  readonly begins: Map<number, number>
}

/** By their names in lower-case letters: callers may write a name in many ways. */
const zones = new Map<string, Zone>()

/** The zone by its IANA name; UTC if a company has none, or one unknown to this server. */
export function zoneOf(own: string | null): Zone {
  const name = own ?? 'UTC'
  const known = zones.get(name.toLowerCase())
  if (known !== undefined) return { ...known, name }
  try {
    const clock = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
    zones.set(name.toLowerCase(), { name, clock, begins: new Map() })
  } catch {
    return zoneOf('UTC')
  }
  return zoneOf(name)
}

/** A quarter-hour of local time, counted from 1970-01-01 there. */
function localQuarter({ clock }: Zone, quarter: number): number {
  const offset = clock.formatToParts(quarter * quarterMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(offset) ?? ['', '+', '0', '0']
  return quarter + (sign === '-' ? -1 : 1) * (Number(hours) * 4 + Math.round(Number(minutes) / 15))
}

/** The day of a quarter-hour, counted from 1970-01-01. */
const dayOfQuarter = (zone: Zone, quarter: number): number => Math.floor(localQuarter(zone, quarter) / dayQuarters)

/**
 * The hours of a day: the first quarter-hour of each, and the hour on the clock. An hour that comes twice is listed
 * twice.
 */
export function hoursOfDay(zone: Zone, day: number): { readonly first: number; readonly hour: number }[] {
  const first = beginOfDay(zone, day)
  const end = beginOfDay(zone, day + 1)
  if (end - first === dayQuarters) return Array.from({ length: 24 }, (_, hour) => ({ first: first + hour * 4, hour }))
  const quarters = Array.from({ length: end - first }, (_, n) => ({
    first: first + n,
    hour: Math.floor(localQuarter(zone, first + n) / 4) - day * 24,
  }))
  return quarters.filter(({ hour }, n) => hour !== quarters[n - 1]?.hour)
}

/** The day of a time in milliseconds. */
export const dayOf = (zone: Zone, ms: number): number => dayOfQuarter(zone, quarterAt(ms))

/** The first quarter-hour of a day; that of the next one if a zone left the day out, as Samoa did at the date line. */
export function beginOfDay(zone: Zone, day: number): number {
  const { begins } = zone
  const remembered = begins.get(day)
  if (remembered !== undefined) return remembered
  let before = day * dayQuarters - mostAhead
  let first = day * dayQuarters + mostAhead
  while (first - before > 1) {
    const between = Math.floor((before + first) / 2)
    if (dayOfQuarter(zone, between) >= day) first = between
    else before = between
  }
  if (begins.size >= mostRemembered) begins.clear()
  begins.set(day, first)
  return first
}

/** The quarter-hour of a time in milliseconds. */
export const quarterAt = (ms: number): number => Math.floor(ms / quarterMs)

/** The time at which a quarter-hour begins, in the format of records. */
export const timeOf = (quarter: number): string => new Date(quarter * quarterMs).toISOString()

/** `2026-11-21` as a day, and back. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)
