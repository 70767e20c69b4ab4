// Points in time: accepted as ISO 8601 in many forms, returned as one fixed-width UTC text that sorts like time (decisions §1).

const shape = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?))?$/
/** The canonical form, on a day that every month has: most times have it, and need no parsing. */
const canonical = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/**
 * The milliseconds since 1970 of an ISO 8601 text; undefined when there is no such time. The text is a date-time with
 * offset or Z, or a bare date (midnight UTC). A leap second, which computers do not count, is the second after it.
 */
function milliseconds(value: string): number | undefined {
  const match = shape.exec(value)
  if (match === null) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const isLeap = second === '60'
  if (Number(hour) > 23 || Number(minute) > 59 || (Number(second) > 59 && !isLeap)) return undefined
  const local = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${isLeap ? '59' : second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`,
  )
  // V8 reads the 30th of February as the 2nd of March, so a date that does not exist changes its day.
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) return undefined
  const offset = zone === 'Z' || zone === 'z' ? 0 : offsetMinutes(zone)
  if (offset === undefined) return undefined
  const time = local - offset * 60_000
  if (!isLeap) return time
  return new Date(time).toISOString().includes('T23:59:59.') ? time + 1_000 : undefined
}

/** The minutes of an offset such as `+01:00`; undefined for one that is no time of a day. */
function offsetMinutes(zone: string): number | undefined {
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** True when `value` is a date-time that exists and lies in the years 0000 to 9999 UTC. */
export function isDateTime(value: string): boolean {
  if (canonical.test(value)) return true
  const time = milliseconds(value)
  return time !== undefined && new Date(time).toISOString().length === 24
}

/** The canonical form, `2026-11-21T09:30:00.000Z`, of a value for which `isDateTime` holds. */
export function canonicalDateTime(value: string): string {
  if (canonical.test(value)) return value
  const time = milliseconds(value)
  return time === undefined ? value : new Date(time).toISOString()
}

/** A canonical time for PostgreSQL, which has no year 0: no time that it stores is before the year 1. */
export const sqlTime = (time: string): string => (time < '0001' ? '-infinity' : time)

/**
 * The time of a write, in canonical form: `now`, but always later than the previous write, even if the clocks of
 * servers differ.
 */
export const later = (now: string, before: string): string =>
  now > before ? now : new Date(Date.parse(before) + 1).toISOString()

/** What a time zone must be, in words. */
export const aTimezone = 'the IANA name of a time zone, such as "Europe/Vienna"'

/**
 * A time zone's IANA name in its usual case; undefined for an unknown zone, and for offsets such as `+01:00`. If a zone has
 * several names, it is the one that was sent.
 */
export function timezoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    const usual = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    return usual.toLowerCase() === name.toLowerCase() ? usual : name
  } catch {
    return undefined
  }
}
