// The time zone of a shop's days and times: its own, or the browser's where it has none.
import { useCompany } from '../api/company.ts'
import { text } from '../texts/company.ts'
import { browserTimeZone, today } from './days.ts'
import { localOf } from './local-time.ts'

/** That of the open company. */
export const useTimeZone = (): string => useCompany().timezone ?? browserTimeZone()

/** The day that it is now in reports, whose days begin at the company’s hour. */
export const useReportDay = (): string => today(useTimeZone(), new Date(), useCompany().dayStartHour)

/** The parameter of reports that names it where the company has none: their days would be those of UTC. */
export const useReportZone = (): { readonly timezone?: string } =>
  useCompany().timezone === undefined ? { timezone: browserTimeZone() } : {}

/** A note that names the time zone of a shop, beside its times; undefined if the browser’s clock shows the same time. */
export const zoneNote = (timeZone: string, now = Date.now()): string | undefined =>
  localOf(now, timeZone) === localOf(now, browserTimeZone()) ? undefined : text.zone(shownZone(timeZone))

/** “Europe/Vienna” as people read it. */
export const shownZone = (timeZone: string): string => timeZone.replaceAll('_', ' ')
