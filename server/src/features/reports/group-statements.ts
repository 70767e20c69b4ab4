// What grouped sales are summed from: stored sums, or the records of the period if no sums are stored by these columns.

import type { Statement } from '../../database/connect.ts'
import type { Dimension, Grouping } from './dimensions.ts'
import { dimensions } from './dimensions.ts'
import { REPORT_RECORDS } from './limits.ts'
import { momentColumn, type Source, type SourceName, sourceOf } from './sums/sources.ts'
import type { Facet } from './sums/summing.ts'

/** Whether a source's groups have costs: those of lines of orders do. */
export const isCosted = (source: SourceName, stored: readonly Dimension[]): boolean =>
  source === 'orders' && stored.some((name) => ['product', 'variant'].includes(dimensions[name].column))

/** The entries of a source that have the dimensions of a choice; undefined if its records must be read. */
export function facetOf({ facets }: Source, { unit, columns }: Pick<Grouping, 'unit' | 'columns'>): Facet | undefined {
  return facets.find(
    ({ from, keys }) => (from !== 'whole') === (unit === 'line') && columns.every((one) => keys.includes(one)),
  )
}

/** Whether sums are kept by these dimensions. */
export const isKept = (grouping: Grouping): boolean =>
  grouping.sources.every((name) => facetOf(sourceOf(name), grouping) !== undefined)

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
  columns: {
    ...payments.columns,
    ...{ station: `coalesce(sold.station_id, '')`, customer: `coalesce(sold.customer_id, '')` },
  },
  join: 'left join orders as sold on sold.company_id = $1 and sold.id = stored.order_id',
}

/** The source whose records are read for a choice of dimensions, and the facet that is made of them; costs need variants. */
export function readOf(
  { unit, columns }: Grouping,
  name: SourceName,
): { readonly source: Source; readonly facet: Facet } {
  const source = name === 'payments' ? withOrders : sourceOf(name)
  const from = unit !== 'line' ? 'whole' : columns.includes('rate') ? 'rated' : 'item'
  const kept = source.facets.find((facet) => facet.from === from) as Facet
  return { source, facet: { ...kept, keys: [...new Set(['label', 'currency', 'variant', ...columns])] } }
}
