// What grouped sales are summed from: kept sums, or the records of the period where no sums are kept by these columns.

import type { Statement } from '../../database/connect.ts'
import type { Dimension, Grouping } from './dimensions.ts'
import { dimensions } from './dimensions.ts'
import { REPORT_ENTRIES, REPORT_RECORDS } from './limits.ts'
import { asTexts } from './read-entries.ts'
import { type Facet, momentColumn, type Source, type SourceName, sourceOf } from './sources.ts'

/** The sums that a source adds to a group. */
const sumsOf = {
  payments: ['gross', 'refund', 'count'],
  orders: ['gross', 'discount', 'net', 'tax', 'tip', 'quantity', 'count'],
  refunds: ['refund'],
} as const satisfies Record<SourceName, readonly string[]>

/** Whether a source's groups have costs: those of lines of orders do. */
export const isCosted = (source: SourceName, stored: readonly Dimension[]): boolean =>
  source === 'orders' && stored.some((name) => ['product', 'variant'].includes(dimensions[name].column))

/** The entries of a source that have the dimensions of a choice; undefined if its records must be read. */
export function facetOf({ facets }: Source, { unit, columns }: Pick<Grouping, 'unit' | 'columns'>): Facet | undefined {
  const isOfLines = ({ name }: Facet) => name !== 'whole' && name !== 'customer'
  return facets.find(
    (facet) => isOfLines(facet) === (unit === 'line') && columns.every((one) => facet.keys.includes(one)),
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

/** Payments with what only their orders say. */
const paymentColumns = `, coalesce(sold.station_id, '') as station, coalesce(sold.customer_id, '') as customer`
const paymentJoin = 'left join orders as sold on sold.company_id = $1 and sold.id = stored.order_id'

/** The columns that are summed by where records are read. */
export const readColumns = (grouping: Grouping, name: SourceName): Pick<Facet, 'keys' | 'sums'> => ({
  keys: ['currency', ...new Set([...grouping.columns, ...(isCosted(name, grouping.stored) ? ['variant'] : [])])],
  sums: sumsOf[name],
})

/**
 * The entries of the records from $2 to before $3, in columns per label and with their number; $4 are the beginnings of
 * parts of the period, $5 their labels.
 */
export function readGroups(grouping: Grouping, name: SourceName): Statement {
  const source: Source = sourceOf(name)
  const { unit, columns } = grouping
  const isPaid = name === 'payments'
  const { keys, sums } = readColumns(grouping, name)
  return {
    text: `
    with record as (
      select ($5::int[])[width_bucket(${momentColumn}, $4::text[] collate "C")] as number, '' as chunk, ${momentColumn} as moment,
        stored.id, ${source.columns}${isPaid ? paymentColumns : ''}
      from ${source.table} as stored ${isPaid ? paymentJoin : (source.join ?? '')} where ${isWithin}
    ), ${source.entries}, entry as (
      select number as label, ${keys.join(', ')}, ${sums.map((sum) => `sum(${sum}) as ${sum}`).join(', ')}
      from ${isPaid ? 'payment' : unit === 'whole' ? 'whole' : columns.includes('rate') ? 'rated' : 'item'}
      group by ${['number', ...keys].join(', ')} limit ${REPORT_ENTRIES + 1}
    )
    select label, count(*)::int, ${asTexts({ keys, sums }, (column) => `array_agg(${column})`)} from entry group by label`,
  }
}
