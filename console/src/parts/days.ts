// The days of a shop: which one it is now, the days of usual periods, and the instants at which a day begins and ends.
import { instantOf, localOf } from './local-time.ts'

const dayMs = 86_400_000

/** The day that it is now in a time zone, where days begin at an hour. */
export function today(timeZone: string, now = new Date(), dayStartHour = 0): string {
  const [date = '', time = ''] = localOf(now.getTime(), timeZone).split('T')
  return dayBefore(date, Number(time.slice(0, 2)) < dayStartHour ? 1 : 0)
}

/** The time zone of the browser. */
export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'

export const periods = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth', 'lastWeek'] as const
export type Period = (typeof periods)[number]

/** The day some days before. */
export const dayBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * dayMs).toISOString().slice(0, 10)

/** The days of a period, the first and the last, as of today in the shop. */
export function daysOf(period: Period, today: string): readonly [string, string] {
  const firstOfMonth = `${today.slice(0, 7)}-01`
  // Weeks begin on Monday, as those of reports do.
  const monday = dayBefore(today, (new Date(today).getUTCDay() + 6) % 7)
  const lastOfBefore = dayBefore(firstOfMonth, 1)
  const days: Readonly<Record<Period, readonly [string, string]>> = {
    today: [today, today],
    yesterday: [dayBefore(today, 1), dayBefore(today, 1)],
    last7: [dayBefore(today, 6), today],
    last30: [dayBefore(today, 29), today],
    lastWeek: [dayBefore(monday, 7), dayBefore(monday, 1)],
    thisMonth: [firstOfMonth, today],
    lastMonth: [`${lastOfBefore.slice(0, 7)}-01`, lastOfBefore],
  }
  return days[period]
}

/** The instant at which a day begins in a time zone. Where the clocks go forward at midnight, as in Chile, it begins with the change. */
const startOfDay = (day: string, timeZone: string): string =>
  new Date(instantOf(`${day}T00:00`, timeZone)).toISOString()

/** The instant at which a day has ended. */
const endOfDay = (day: string, timeZone: string): string => startOfDay(dayBefore(day, -1), timeZone)

/** Whether it is a day, and not one of a year that is still being typed, such as 0002. */
export const isDay = (value: string): boolean =>
  /^[1-8]\d{3}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))

/**
 * A filter by a day as the API takes it: the instant at which the day begins or has ended in the shop. What is no day, or is of a year
 * that is still being typed, such as 0002, is sent as it is.
 */
export function dayBound(parameter: string, value: string, timeZone: string): readonly [string, string] {
  if (!isDay(value)) return [parameter, value]
  if (parameter.endsWith('[gte]')) return [parameter, startOfDay(value, timeZone)]
  if (parameter.endsWith('[lte]')) return [parameter.replace('[lte]', '[lt]'), endOfDay(value, timeZone)]
  return [parameter, value]
}
