// Time as a dimension of reports: each part of the period is labelled with the group of time that it belongs to.

import type { Dimension } from './dimensions.ts'
import { beginOfDay, dateOf, hoursOfDay, type Zone } from './local-days.ts'
import type { Period, Segment } from './period.ts'

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
  const { firstDay, lastDay, first, end, previous } = period
  const known = new Map<string, number>()
  const values: TimeValue[][] = []
  const labelOf = (day: number, hour: number): number => {
    const own = timed.map((dimension) => timeValue(dimension, day, hour))
    const key = own.join()
    if (!known.has(key)) known.set(key, values.push(own) - 1)
    return known.get(key) as number
  }
  /** The beginnings of groups, `earlier` days before the groups whose labels they get. */
  function labelled(earlier: number, from: number, to: number): Segment[] {
    if (timed.length === 0) return [{ first: from, end: to, label: labelOf(firstDay, 0) }]
    const begins: { first: number; label: number }[] = []
    for (let day = firstDay; day <= lastDay; day++) {
      const parts = timed.includes('hour')
        ? hoursOfDay(zone, day - earlier)
        : [{ first: beginOfDay(zone, day - earlier), hour: 0 }]
      for (const { first, hour } of parts) begins.push({ first, label: labelOf(day, hour) })
    }
    const changes = begins.filter(({ first, label }, n) => first < to && label !== begins[n - 1]?.label)
    return changes.map(({ first, label }, n) => ({ first, end: Math.min(changes[n + 1]?.first ?? to, to), label }))
  }
  const segments = labelled(0, first, end)
  return { values, segments, before: previous ? labelled(previous.days, previous.first, previous.end) : [] }
}
