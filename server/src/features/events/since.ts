// Finds where the events of a company since a time begin, in some thirty look-ups by number, since no index has their times.

import { unseenCompany } from '../../database/statement.ts'

/**
 * An event can be earlier than one with a lower number by at most this much. Transactions last a while, and the clocks of servers differ.
 */
const DISORDER = `interval '1 hour'`
/** The search ends once this many numbers are left: reading their events costs less than further look-ups. */
const NUMBERS_READ = 100

/**
 * SQL for `with recursive`: a binary search among the events of the company $1 after `from` and up to `to`. All events since the time are
 * after the largest `low` of the rows `search`. Each row halves the range of numbers.
 */
export const searchSince = (since: string, from: string, to: string): string => `search(low, high) as (
    select ${from}::bigint, ${to}::bigint
    union all
    select case when probe.is_before then probe.sequence else low end, case when probe.is_before then high else middle end
    from search
    cross join lateral (select (low + high) / 2 as middle offset 0) as half
    left join lateral (
      select sequence, created_at < ${since} - ${DISORDER} as is_before
      from events where company_id = ${unseenCompany} and sequence > middle and sequence <= high order by sequence limit 1
    ) as probe on true
    where high - low > ${NUMBERS_READ}
  )`
/** SQL: that number. */
export const beforeSince = '(select max(low) from search)'
