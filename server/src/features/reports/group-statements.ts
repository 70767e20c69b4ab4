// The SQL of grouped sales: from kept sums, or from the records of the period where no sums are kept by these columns.

import type { Statement } from '../../database/connect.ts'
import type { Dimension, Grouping } from './dimensions.ts'
import { dimensions } from './dimensions.ts'
import { entriesOf } from './dirty.ts'
import { REPORT_GROUPS, REPORT_RECORDS } from './limits.ts'
import { type Facet, momentColumn, type Source, type SourceName, sourceOf } from './sources.ts'

/** The sums that a source adds to a group, in the order of the columns after label, currency and dimensions. */
export const sumsOf = {
  payments: ['gross', 'refund', 'count'],
  orders: ['gross', 'discount', 'net', 'tax', 'tip', 'quantity', 'count'],
  refunds: ['refund'],
} as const satisfies Record<SourceName, readonly string[]>

/** Joins by which a dimension is found from its column; '' if there is nothing. */
const joins: Partial<Record<Dimension, { readonly value: string; readonly join: string }>> = {
  categoryId: {
    value: `coalesce(category.id, '')`,
    join: `left join (
      select product, body -> 'categories' ->> 0 as id from (select distinct product from sold) as sold
      cross join lateral (select body from products where company_id = $1 and id = product offset 0) as record
    ) as category using (product)`,
  },
  tag: {
    value: `coalesce(tag, '')`,
    join: `left join (
      select distinct customer, tag from (select distinct customer from sold) as sold
      cross join lateral (select body -> 'tags' as tags from customers where company_id = $1 and id = customer offset 0) as record
      cross join lateral json_array_elements_text(case json_typeof(tags) when 'array' then tags else '[]' end) as tag
    ) as tagged using (customer)`,
  },
}
const costs = `left join (
      select variant, (body ->> 'costPrice')::numeric as cost from (select distinct variant from sold) as sold
      cross join lateral (select body from variants where company_id = $1 and id = variant offset 0) as record
    ) as priced using (variant)`

/** Sums the entries in `from` by label, currency and dimensions; records without a currency are in the company's. */
function grouped({ stored, columns }: Grouping, source: SourceName, from: string, own: string): string {
  const hasCosts = isCosted(source, stored)
  const keys = [...new Set([...columns, ...(hasCosts ? ['variant'] : [])])]
  const sums = sumsOf[source]
  const values = stored.map((name) => joins[name]?.value ?? dimensions[name].column)
  const keyed = ['label', 'currency', ...keys]
  return `
    sold as materialized (
      select label, coalesce(nullif(currency, ''), ${own}, '') as currency, ${[...keys, ''].join(', ')}
        ${sums.map((sum) => `sum(${sum}) as ${sum}`).join(', ')}
      from ${from} group by ${keyed.map((_, n) => n + 1).join(', ')}
    )
    select label, ${['currency', ...values, ...sums.map((sum) => `sum(${sum})`)].join(', ')}${
      hasCosts
        ? `, sum(quantity * cost) filter (where currency = ${own}), sum(net) filter (where cost is not null)`
        : ''
    }
    from sold ${stored.map((name) => joins[name]?.join ?? '').join(' ')} ${hasCosts ? costs : ''}
    group by ${['label', 'currency', ...values].map((_, n) => n + 1).join(', ')}
    limit ${REPORT_GROUPS + 1}`
}

/** Whether a source's rows end with costs, and the net sales of what has a cost: lines of orders do. */
export const isCosted = (source: SourceName, stored: readonly Dimension[]): boolean =>
  source === 'orders' && stored.some((name) => ['product', 'variant'].includes(dimensions[name].column))

/** The entries of a source that have the dimensions of a choice; undefined if its records must be read. */
function facetOf({ facets }: Source, { unit, columns }: Pick<Grouping, 'unit' | 'columns'>): Facet | undefined {
  const isOfLines = ({ name }: Facet) => name !== 'whole' && name !== 'customer'
  return facets.find(
    (facet) => isOfLines(facet) === (unit === 'line') && columns.every((one) => facet.keys.includes(one)),
  )
}

/** Whether sums are kept by these dimensions. */
export const isKept = (grouping: Grouping): boolean =>
  grouping.sources.every((name) => facetOf(sourceOf(name), grouping) !== undefined)

/** Sums from what is kept of a source; $8 is the company's currency. */
export function keptGroups(grouping: Grouping, name: SourceName): Statement {
  const source = sourceOf(name)
  const facet = facetOf(source, grouping)
  if (facet === undefined) throw new Error(`The source ${name} has no sums by these dimensions.`)
  const columns = [...new Set([...grouping.columns, ...(isCosted(name, grouping.stored) ? ['variant'] : [])])]
  const entries = entriesOf(source, { ...facet, keys: ['currency', ...columns], sums: sumsOf[name] })
  return {
    name: `reports_${name}_by_${grouping.stored.join('_')}_${grouping.unit}`,
    text: `with ${entries}, ${grouped(grouping, name, 'labelled_entry', '$8')}`,
  }
}

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

/**
 * Sums from the records from $2 to before $3; $4 are the beginnings of parts of the period, $5 their labels, $6 is the
 * company's currency.
 */
export function readGroups(grouping: Grouping, name: SourceName): Statement {
  const source: Source = sourceOf(name)
  const { unit, columns } = grouping
  const isPaid = name === 'payments'
  return {
    text: `
    with record as (
      select ($5::int[])[width_bucket(${momentColumn}, $4::text[] collate "C")] as number, '' as chunk, ${momentColumn} as moment,
        stored.id, ${source.columns}${isPaid ? paymentColumns : ''}
      from ${source.table} as stored ${isPaid ? paymentJoin : (source.join ?? '')} where ${isWithin}
    ), ${source.entries}, labelled_entry as (
      select *, number as label from ${isPaid ? 'payment' : unit === 'whole' ? 'whole' : columns.includes('rate') ? 'rated' : 'item'}
    ), ${grouped(grouping, name, 'labelled_entry', '$6')}`,
  }
}
