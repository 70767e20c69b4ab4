// A report as a CSV file: all groups in the order of the table, the names of records beside their ids.
import type { SalesGroup, SalesGroups } from '../../api/sales-report.ts'
import { csvFile, csvLine, numberText } from '../../parts/csv.ts'
import { text as records } from '../../texts/records.ts'
import { text } from '../../texts/reports.ts'
import { keyOf, mainOf, nameOf, resourceOf, sumsOf, sumTitle, titleOf } from './groups.ts'

export function csvOf(report: SalesGroups, groups: readonly SalesGroup[]): Blob {
  const { groupBy, previous } = report
  const sums = sumsOf(report)
  const main = mainOf(report)
  const isRecord = (dimension: string) => resourceOf(dimension) !== undefined
  // A number or a date stays what programs read.
  const shown = (dimension: string, group: SalesGroup) => {
    const key = keyOf(group, dimension)
    return isRecord(dimension) || key === null || key === undefined ? nameOf(dimension, group) : key
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
    ...sums.map((sum) => numberText(group[sum])),
    ...(previous ? [numberText(group.previous?.[main])] : []),
  ])
  return csvFile([head, ...rows].map((cells) => csvLine(cells)))
}
