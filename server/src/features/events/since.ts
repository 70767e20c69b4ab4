// Where the events of a company since a time begin, found in some thirty look-ups by number: no index has their times.

import { unseenCompany } from '../../database/statement.ts'

/**
 * How much earlier than an event with a lower number an event can be: by the length of a transaction, and by the difference of two servers' clocks.
 */
const DISORDER = `interval '1 hour'`
/** Numbers between which the search ends: reading as many events costs less than further look-ups. */
const NUMBERS_READ = 100

/**
 * SQL, to be put after `with recursive`: the largest `low` of the rows `search` is a number after which all events of the company $1 since a
 * time are, among those after `from` and up to `to`. Each row halves the numbers between which the search continues.
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
