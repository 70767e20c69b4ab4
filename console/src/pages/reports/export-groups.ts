// A report as a CSV file: all groups in the order of the table, the names of records beside their ids.
import type { SalesGroup, SalesGroups } from '../../api/schemas.ts'
import { text as records } from '../../texts/records.ts'
import { text } from '../../texts/reports.ts'
import { cell } from '../records/export.ts'
import { keyOf, mainOf, nameOf, resourceOf, sumsOf, sumTitle, titleOf } from './groups.ts'
import type { RecordName } from './report-names.ts'

const line = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

/** Amounts are decimals with a point, as the API has them. */
export function csvOf(report: SalesGroups, groups: readonly SalesGroup[], recordName: RecordName): Blob {
  const { groupBy, previous } = report
  const sums = sumsOf(report)
  const main = mainOf(report)
  const isRecord = (dimension: string) => resourceOf(dimension) !== undefined
  // A number or a date stays what programs read.
  const shown = (dimension: string, group: SalesGroup) => {
    const key = keyOf(group, dimension)
    return isRecord(dimension) || key === null || key === undefined ? nameOf(dimension, key, recordName) : key
  }
  const titles = groupBy.flatMap((dimension) =>
    isRecord(dimension) ? [titleOf(dimension), records.idOf(titleOf(dimension))] : [titleOf(dimension)],
  )
  const head = [
    ...titles,
    text.currency,
    ...sums.map((sum) => sumTitle(report, sum)),
    ...(previous ? [text.before(text.sums[main])] : []),
  ]
  const rows = groups.map((group) => [
    ...groupBy.flatMap((dimension) =>
      isRecord(dimension) ? [shown(dimension, group), keyOf(group, dimension)] : [shown(dimension, group)],
    ),
    group.currency,
    ...sums.map((sum) => group[sum]),
    ...(previous ? [group.previous?.[main]] : []),
  ])
  return new Blob(['\ufeff', line(head), ...rows.map(line)], { type: 'text/csv;charset=utf-8' })
}
