// What reports have in common, in answers and in the reference.
import { boolean, type JsonSchema, string } from '../../core/json-schema.ts'
import { dateOf } from '../../core/local-days.ts'
import { unavailable } from '../../core/problem.ts'
import type { Snapshot } from './answer.ts'

/** The chapter of the reference. */
export const reportsTag = 'Reports'
export const reportChapter = {
  [reportsTag]:
    'The company’s sales by day, in its time zone and currency. Sums are exact and include every write that was answered before. The first report of a company with many records is computed from those records, newest first; until it reaches back far enough, `isComplete` is false.',
}

export const count = (description: string): JsonSchema => ({ type: 'integer', description })
export const amount = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^-?\\d+(\\.\\d+)?$',
  description,
})
export const date: JsonSchema = { type: 'string', format: 'date' }
export const currency: JsonSchema = { type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] }

/** The common beginning of reports over days. */
export const heading = {
  currency: { ...currency, description: 'The company’s currency; records without a currency count in it.' },
  timezone: string('The time zone that defines the days: that of the request, else the company’s, else UTC.'),
  dayStartHour: {
    type: 'integer',
    description: 'The hour at which the days begin: that of the request, else the company’s, else 0.',
  },
  from: { ...date, description: 'The first day of the report.' },
  to: { ...date, description: 'The last day of the report, included.' },
  isComplete: boolean('Whether the report is complete. While it is false, ask again soon.'),
}

/** How many orders count. */
export const countedOrders = count('Orders that are neither pending, parked nor cancelled, in all currencies.')
/** An object that has all of these members but the optional ones. */
export const object = (title: string, properties: Record<string, JsonSchema>, ...optional: string[]): JsonSchema => ({
  title,
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

/** The same of a report in examples. */
export const head = {
  currency: 'EUR',
  timezone: 'Europe/Vienna',
  dayStartHour: 0,
  from: '2026-11-20',
  to: '2026-11-21',
  isComplete: true,
}

/** The same of an answer. */
export const headingOf = ({ currency, zone, period, isComplete }: Snapshot) => ({
  currency,
  timezone: zone.name,
  dayStartHour: zone.dayStartHour,
  from: dateOf(period.firstDay),
  to: dateOf(period.lastDay),
  isComplete,
})

/** Throws 503 for a report that is not complete: CSV could not say so. */
export function requireComplete({ isComplete }: Snapshot): void {
  if (!isComplete) throw unavailable('The sums are still being calculated. Try again in a minute.', 'sums_incomplete')
}
