// What grouped sales are summed from: stored sums, or the records of the period if no sums are stored by these columns.

import type { Statement } from '../../database/connect.ts'
import type { Grouping } from './dimensions.ts'
import { REPORT_RECORDS } from './limits.ts'
import { joinOrders, momentColumn, ofOrder, type Source, type SourceName, sourceOf } from './sums/sources.ts'
import type { Facet } from './sums/summing.ts'

/** The records of a source from the moment $2 to before $3. */
const isWithin = `stored.company_id = $1 and ${momentColumn} >= $2 and ${momentColumn} < $3`

/** The number of these records, up to the limit and one more. */
export const countOf = (name: SourceName): Statement => ({
  name: `reports_count_${name}`,
  text: `select count(*)::int from (
    select from ${sourceOf(name).table} as stored where ${isWithin} limit ${REPORT_RECORDS + 1}
  ) as record`,
})

/** Payments, with members that only their orders have. */
const payments = sourceOf('payments')
const withOrders: Source = {
  ...payments,
  columns: { ...payments.columns, station: ofOrder('station_id'), customer: ofOrder('customer_id') },
  join: joinOrders,
}

/** How the entries of a source are read: as kept sums of a facet, or made of the records as a facet of their own. */
interface Reading {
  readonly source: Source
  readonly facet: Facet
  readonly isKept: boolean
}

/** How a source is read for a choice of dimensions. Lines made of records have variants, which costs need. */
export function readingOf({ unit, columns }: Grouping, name: SourceName): Reading {
  const source = sourceOf(name)
  const facets = source.facets.filter(({ from }) => (from !== 'whole') === (unit === 'line'))
  const kept = facets.find(({ keys }) => columns.every((one) => keys.includes(one)))
  if (kept !== undefined) return { source, facet: kept, isKept: true }
  const similar = facets.find(({ from }) => (from === 'rated') === columns.includes('rate')) as Facet
  const facet = { ...similar, keys: [...new Set(['label', 'currency', 'variant', ...columns])] }
  return { source: name === 'payments' ? withOrders : source, facet, isKept: false }
}

/** Whether sums are kept by these dimensions. */
export const isKept = (grouping: Grouping): boolean =>
  grouping.sources.every((name) => readingOf(grouping, name).isKept)
