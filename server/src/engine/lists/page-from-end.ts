// The SQL of a deep page in the second half of a list: it walks from the end, since the number of records is remembered.

import type { Statement } from '../../database/connect.ts'
import type { Resource } from '../resource.ts'
import { type Counted, eventsRead, laterEvents } from './event-changes.ts'
import { type ListQuery, orderOf, pageWithIds } from './list-query.ts'
import type { Remembered } from './remembered-counts.ts'

/**
 * The statement of the page with its values. It also computes the number of records, so that this is the number in the
 * page's snapshot. No rows: the page is beyond the end, or the events no longer show the number.
 */
export function pageFromEnd(
  resource: Resource,
  { where, filterValues, skip, limit, sortOrder, ...of }: ListQuery,
  counted: Counted,
  { position, total }: Remembered,
): readonly [Statement, readonly unknown[]] {
  const values = [...filterValues]
  const bind = (value: number) => `$${values.push(value)}::bigint`
  const place = bind(position)
  const known = bind(total)
  const skipped = bind(skip)
  const most = bind(limit + 1)
  const backward = sortOrder === 'asc' ? 'desc' : 'asc'
  const text = `
    with later as (${laterEvents(resource, counted, '>=', place)}),
    ending as materialized (
      select ${known} + coalesce(sum(change) filter (where sequence > ${place}), 0) - ${skipped} as remaining
      from later having count(*) <= ${eventsRead(counted)} and (${place} = 0 or min(sequence) = ${place})
    ), ${pageWithIds(
      resource,
      // The planner knows the outer limit, and so how few rows of the table it has to read.
      `from (
          select stored.company_id, stored.id from ${resource.table} as stored where ${where}
          ${orderOf(resource, of, backward)}
          limit coalesce((select greatest(0, least(${most}, remaining)) from ending), 0)
          offset (select greatest(0, remaining - ${most}) from ending)
        ) as stored limit ${most}`,
      orderOf(resource, of, sortOrder),
    )}`
  return [{ text }, values]
}
