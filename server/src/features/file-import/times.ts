// Dates and times in the cells of a file: with an offset as they are, without one in the company's time zone.

import { canonicalDateTime, isDateTime } from '../../core/date-time.ts'
import { type Cell, refuse } from './values.ts'

const SHAPE = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d?:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i

/** Makes the function that reads a time, such as `2026-05-31 14:30:00 +0200`, as the API returns it. */
export function timesIn(timezone: string | null): (cell: Cell) => string | undefined {
  const clock = clockIn(timezone ?? 'UTC')
  return (cell) => {
    if (cell.text === '') return undefined
    const [, day, time = '00:00:00', zone] = SHAPE.exec(cell.text) ?? []
    const local = `${day}T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}`
    const offset = zone === undefined || /^(utc|gmt)$/i.test(zone) ? 'Z' : zone
    if (day === undefined || !isDateTime(`${local}${offset}`))
      refuse(cell, 'is not a date such as 2026-05-31 14:30 or 2026-05-31 14:30:00 +0200')
    const at = canonicalDateTime(`${local}${offset}`)
    return zone === undefined ? inZone(clock, at) : at
  }
}

/** The clock of a zone; that of UTC if this server does not know the zone. */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return clockIn('UTC')
  }
}

/** The time at which the clocks of a zone show what `shown` says in UTC; if they show it twice, the first time. */
function inZone(clock: Intl.DateTimeFormat, shown: string): string {
  const ms = Date.parse(shown)
  const hour = 60 * 60 * 1000
  // The offset may change in between, so an offset near that time is used first.
  const near = ms - offsetAt(clock, ms - 14 * hour)
  const found = [near, ms - offsetAt(clock, ms + 14 * hour)].find((at) => at + offsetAt(clock, at) === ms)
  return new Date(found ?? near).toISOString()
}

/** Milliseconds by which a zone is ahead of UTC. */
function offsetAt(clock: Intl.DateTimeFormat, ms: number): number {
  const name = clock.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? ['', '+', '0', '0']
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60 * 1000
}
