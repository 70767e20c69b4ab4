// Groups of sales: reads the entries of a report and adds them up by its dimensions, for the period and the previous
// one.
import { timeOf } from '../../core/local-days.ts'
import type { Statement } from '../../database/connect.ts'
import { ascending, type Decimal, descending } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import { type Dimension, dimensions, type Grouping, type TimeLabels, timeLabels } from './dimensions.ts'
import { lookUpsOf } from './group-lookups.ts'
import { type Segment, wrongQuery } from './period.ts'
import { type Entries, Groups, inCurrencies } from './sums/entries.ts'
import { chunksOf, REPORT_RECORDS, sumRecords } from './sums/records.ts'
import {
  type Facet,
  joinOrders,
  momentColumn,
  orderColumn,
  type Source,
  type SourceName,
  sourceOf,
} from './sums/sources.ts'

/** Groups of a report: some 6 MB. A company could have any number of customers or sessions. */
export const REPORT_GROUPS = 20_000

/** A group of an answer: a place in `sums`. */
export interface Group {
  readonly place: number
  /** The values of the dimensions, in their order. */
  readonly values: readonly (string | number | null)[]
  readonly currency: string
}

/** The groups of an answer, and their sums by name; those of the previous period are named with `before`. */
interface GroupedSales {
  readonly groups: readonly Group[]
  readonly sum: (name: string, group: Group) => Decimal
}
export const beforePrefix = 'before '

const wrong = (message: string) => wrongQuery('groupBy', 'range', message)

/** The key of entries that is a dimension's value. */
const keyOf = (dimension: Dimension): string =>
  dimension === 'categoryId' || dimension === 'tag' ? dimension : dimensions[dimension].column

/** The records of a source from the moment $2 to before $3. */
const isWithin = `stored.company_id = $1 and ${momentColumn} >= $2 and ${momentColumn} < $3`

/** The number of these records, up to the limit and one more. */
const countOf = (name: SourceName): Statement => ({
  name: `reports_count_${name}`,
  text: `select count(*)::int from (
    select from ${sourceOf(name).table} as stored where ${isWithin} limit ${REPORT_RECORDS + 1}
  ) as record`,
})

/** Payments, with members that only their orders have. */
const payments = sourceOf('payments')
const withOrders: Source = {
  ...payments,
  columns: { ...payments.columns, station: orderColumn('station_id'), customer: orderColumn('customer_id') },
  join: joinOrders,
}

/** The facet of a source that a choice of dimensions needs: one whose sums are kept, or one of its own, with the variants that costs need. */
const facetFor = ({ columns }: Grouping, { facets }: Source): Facet =>
  facets.find(({ keys }) => columns.every((one) => keys.includes(one))) ?? {
    name: 'line',
    keys: [...new Set(['label', 'currency', 'variant', ...columns])],
  }

/** Whether sums are kept by these dimensions. */
export const isKept = (grouping: Grouping): boolean =>
  grouping.sources.map(sourceOf).every((source) => source.facets.includes(facetFor(grouping, source)))

/** Reads the entries of a source in parts of the period, and calls `add` with those of each label. */
async function read(
  { companyId, currency: own, readEntries, query, check }: Snapshot,
  grouping: Grouping,
  name: SourceName,
  segments: readonly Segment[],
  add: (entries: Entries) => Promise<void>,
): Promise<void> {
  const source = sourceOf(name)
  const facet = facetFor(grouping, source)
  if (source.facets.includes(facet)) {
    await readEntries([name, facet.name], segments, add)
    return
  }
  const first = segments[0]
  const last = segments.at(-1)
  if (first === undefined || last === undefined) return
  const range = [timeOf(first.first), timeOf(last.end)] as const
  const [row] = await query(countOf(name), ...range)
  if (row?.[0] > REPORT_RECORDS)
    throw wrong(
      `has dimensions that are computed from each record, and the period has more than ${REPORT_RECORDS} ${name}; choose a shorter period, or fewer dimensions`,
    )
  const begins = segments.map(({ first, label }) => ({ moment: timeOf(first), label: String(label) }))
  let segment = 0
  // Records come in the order of their moments.
  const labelAt = (moment: string): string => {
    while ((begins[segment + 1]?.moment ?? '~') <= moment) segment++
    return begins[segment]?.label ?? ''
  }
  for await (const records of chunksOf(query, name === 'payments' ? withOrders : source, ...range)) {
    check()
    const labels = records.map((record) => ({ ...record, label: labelAt(record.moment ?? '') }))
    await sumRecords(source, labels, { companyId, currency: own }, [facet], (entries) =>
      add(inCurrencies(entries, own)),
    )
  }
}

/** The company's currency first; groups of time in their order; otherwise those with the most sales first. */
function inOrder({ groups, sum }: GroupedSales, { by, timed, main }: Grouping, own: string | undefined): Group[] {
  const places = timed.map((dimension) => by.indexOf(dimension))
  const keyed = groups.map((group) => ({
    group,
    currency: group.currency === own ? '' : group.currency,
    times: places.map((place) => group.values[place] ?? ''),
    sales: sum(main, group),
    text: group.values.join(),
  }))
  keyed.sort((a, b) => {
    let order = ascending(a.currency, b.currency)
    for (let n = 0; order === 0 && n < places.length; n++) order = ascending(a.times[n] ?? '', b.times[n] ?? '')
    return order || descending(a.sales, b.sales) || ascending(a.text, b.text)
  })
  return keyed.map(({ group }) => group)
}

/** Makes a group of an answer from the values of its keys: label, currency, and stored dimensions. */
function groupAt(
  place: number,
  [label, currency = '', ...stored]: readonly string[],
  grouping: Grouping,
  { values }: TimeLabels,
): Group {
  const times = values[Number(label)] ?? []
  const own = grouping.by.map((dimension) => {
    const timed = grouping.timed.indexOf(dimension)
    return (timed === -1 ? stored[grouping.stored.indexOf(dimension)] : times[timed]) ?? null
  })
  return { place, values: own.map((value) => (value === '' ? null : value)), currency }
}

/** Adds up the sales of a report by its dimensions. Throws 400 for more groups or records than an answer may have. */
export async function groupedSales(snapshot: Snapshot, grouping: Grouping): Promise<GroupedSales> {
  const { currency: own, zone, period } = snapshot
  const labels = timeLabels(zone, grouping.timed, period)
  const groups = new Groups(['label', 'currency', ...grouping.stored.map(keyOf)])
  for (const name of grouping.sources) {
    const look = lookUpsOf(snapshot, grouping)
    const adding = (prefix: string) => (entries: Entries) =>
      look(entries, (all) => {
        groups.add(all, prefix)
        if (groups.size > REPORT_GROUPS)
          throw wrong(`makes more than ${REPORT_GROUPS} groups; choose fewer dimensions, or a shorter period`)
      })
    await read(snapshot, grouping, name, labels.segments, adding(''))
    if (period.previous) await read(snapshot, grouping, name, labels.before, adding(beforePrefix))
  }
  const all = groups.paths.map((values, place) => groupAt(place, values, grouping, labels))
  const sum = (name: string, { place }: Group) => groups.sum(name, place)
  return { groups: inOrder({ groups: all, sum }, grouping, own), sum }
}
