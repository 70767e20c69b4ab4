// Writes groups of sales as JSON or CSV: each sum as an exact text.
import { mapInSlices } from '../../concurrency/time-slices.ts'
import { csvLine } from '../../core/csv-line.ts'
import { dateOf } from '../../core/local-days.ts'
import { unavailable } from '../../core/problem.ts'
import { rawNumber } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import type { Dimension, Grouping } from './dimensions.ts'
import { headingOf } from './documents.ts'
import { groupSumNames, groupSumsOf } from './group-sums.ts'
import { beforePrefix, type Group, groupedSales } from './groups.ts'
import { groupColumns } from './names.ts'

const previousName = (name: string) => `previous${name[0]?.toUpperCase()}${name.slice(1)}`

/** The report as JSON or CSV; records of the dimensions `unnamed` are shown by id alone. */
export async function groupedReport(
  snapshot: Snapshot,
  grouping: Grouping,
  { isCsv, unnamed }: { readonly isCsv: boolean; readonly unnamed: readonly Dimension[] },
): Promise<string> {
  const { companyId, currency, period, isComplete } = snapshot
  if (isCsv && !isComplete) throw unavailable(undefined, 'sums_incomplete')
  const sales = await groupedSales(snapshot, grouping)
  const columns = await groupColumns(snapshot, grouping, sales.groups, unnamed)
  const { firstDay, previous } = period
  const names = groupSumNames(grouping)
  const make = groupSumsOf(grouping, isCsv ? (text) => text : rawNumber)
  const sums = (group: Group, prefix = '') =>
    make({
      currency: group.currency,
      kept: (name) => sales.sum(prefix + name, group),
      isOwn: group.currency === currency,
    })
  if (isCsv) {
    const titles = [
      ...columns.map(({ name }) => name),
      'currency',
      ...names,
      ...(previous ? names.map(previousName) : []),
    ]
    const lines = await mapInSlices(sales.groups, companyId, (group) => {
      const texts = csvLine([...columns.map(({ of }) => String(of(group) ?? '')), group.currency]).slice(0, -1)
      return `${[texts, ...sums(group), ...(previous ? sums(group, beforePrefix) : [])].join(',')}\n`
    })
    return `${titles.join(',')}\n${lines.join('')}`
  }
  const named = (values: readonly unknown[]) => Object.fromEntries(names.map((name, n) => [name, values[n]]))
  const texts = await mapInSlices(sales.groups, companyId, (group) => {
    const own = columns.map(({ name, of }) => [name, name === 'taxRate' ? rawNumber(of(group)) : of(group)])
    return JSON.stringify({
      ...Object.fromEntries(own),
      currency: group.currency || undefined,
      ...named(sums(group)),
      previous: previous && named(sums(group, beforePrefix)),
    })
  })
  const earlier = previous && { from: dateOf(firstDay - previous.days), to: dateOf(previous.lastDay) }
  const head = JSON.stringify({ ...headingOf(snapshot), previous: earlier, groupBy: grouping.by })
  return `${head.slice(0, -1)},"groups":[${texts.join(',')}]}`
}
