// Fragments of SQL that say which sums are dirty, and sum the records of dirty chunks.

import { storedSize } from '../events/pages.ts'
import { BLOCK_SIZES } from './buckets.ts'
import { REPORT_CHARACTERS, REPORT_CHUNK_CHARACTERS, REPORT_EVENTS } from './limits.ts'
import { beginOf, endOf, momentColumn, momentMembers, momentOf, quarterOf } from './moment.ts'
import { type Source, sources, sumColumns } from './sources.ts'

const typesOf = (resource: string) => ['created', 'updated', 'deleted'].map((what) => `'${resource}.${what}'`)
const concerned = `type in (${[...new Set(sources.flatMap(({ resource }) => typesOf(resource)))].join(', ')})`

/** A member after an event, and before: in a change, `previous` lacks those that are unchanged, and null was unset. */
const after = (name: string) => `(data ->> '${name}')`
const before = (name: string) =>
  `(case when previous -> '${name}' is null then data ->> '${name}' else previous ->> '${name}' end)`

/** The keys of a source's records whose change or creation its sums depend on. */
const keysOf = ({ report, resource, members }: Source) => `
      select '${report}' as report, key from moved
      where type in (${typesOf(resource).join(', ')}) and (type <> '${resource}.updated'
        or ${[...members, ...momentMembers].map((name) => `previous -> '${name}' is not null`).join(' or ')})`

/** Adds the blocks that contain the quarters in `from`. */
const withBlocks = (from: string) => `
      select report, 1 as size, number, chunk from ${from}
      union all
      select distinct report, size, floor(number / size::float8)::int, ''
      from ${from} cross join unnest('{${BLOCK_SIZES.join(', ')}}'::int[]) as size`

/**
 * Common table expressions: `scanned`, the first events of the company $1 where `which` is true; `event`, those within
 * the limit of characters; `touched`, the chunks and blocks that they make dirty.
 */
export const touchedBy = (which: string): string => `
    scanned as materialized (
      select *, sum(size) over (order by sequence) - size as before
      from (
        select sequence, type, record_id, data, previous, case when ${concerned} then ${storedSize} else 0 end as size
        from events where company_id = $1 and ${which} order by sequence limit ${REPORT_EVENTS}
      ) as event
    ), event as materialized (
      select * from scanned where before <= ${REPORT_CHARACTERS}
    ), moved as materialized (
      select type, previous, moment || record_id as key
      from event cross join lateral (
        select ${momentOf(after)} as moment union all select ${momentOf(before)} where previous is not null
      ) as side
      where ${concerned}
    ), leaf as materialized (
      select distinct report, number, coalesce((
        select max(chunk) from report_sums as sums
        where company_id = $1 and sums.report = touch.report and size = 1 and sums.number = touch.number and chunk <= key
      ), '') as chunk
      from (select report, key, ${quarterOf('left(key, 24)')} as number from (${sources.map(keysOf).join('\n      union all')}
      ) as touch) as touch
    ), touched as materialized (${withBlocks('leaf')}
    )`

/** Whether all events were looked at where `scanned` was not cut off. */
export const isAllScanned = `(
    select count(*) < ${REPORT_EVENTS} and count(*) = (select count(*) from event) from scanned
  )`

/** Inserts rows as dirty, or makes those that exist dirty; `from` has the columns of `touched`. */
export const markDirty = (from: string): string => `
      insert into report_sums as stored (company_id, report, size, number, chunk, is_dirty)
      select $1, report, size, number, chunk, true from ${from} order by 2, 3, 4, 5
      on conflict (company_id, report, size, number, chunk) do update set is_dirty = true where not stored.is_dirty`

/** The quarters in `from`, for all reports of their table, with their blocks. */
export const allReportsOf = (from: string): string =>
  withBlocks(`(
        select report, number, '' as chunk from ${from}
        join (values ${sources.map(({ report, table }) => `('${report}', '${table}')`).join(', ')}) as source(report, name) using (name)
      ) as quarter`)

/**
 * Common table expressions: `chunk`, those in `from` (number, chunk) with their first and last keys; `record`, their
 * records, as many as a chunk holds if `isLimited`; `left_over`, the first key that was left out; `entry`.
 */
export function summed(source: Source, from: string, isLimited: boolean): string {
  const { report, table, columns, size, chunk, entries } = source
  const isWithin = isLimited ? `nth <= ${chunk} and before <= ${REPORT_CHUNK_CHARACTERS}` : 'true'
  return `
    chunk as materialized (
      select part.*, coalesce(nullif(chunk, ''), ${beginOf('number')}) as first, coalesce((
        select min(next.chunk) from report_sums as next
        where company_id = $1 and report = '${report}' and size = 1 and next.number = part.number and next.chunk > part.chunk
      ), ${endOf('number')} || '~') as last
      from ${from} as part
    ), read as materialized (
      select chunk.number, chunk.chunk, stored.*, row_number() over in_order as nth,
        sum(size) over in_order - size as before
      from chunk cross join lateral (
        select ${momentColumn} as moment, id, ${size} as size, ${columns} from ${table}
        where company_id = $1 and (${momentColumn}, id) >= (left(first, 24), substr(first, 25))
          and (${momentColumn}, id) < (left(last, 24), substr(last, 25))
        order by ${momentColumn}, id ${isLimited ? `limit ${chunk + 1}` : ''}
      ) as stored
      window in_order as (partition by number, chunk order by moment, id)
    ), record as (
      select * from read where ${isWithin}
    ), ${entries}${
      isLimited
        ? `, left_over as (
      select number, min(moment || id) as chunk from read where not (${isWithin}) group by number, read.chunk
    )`
        : ''
    }`
}

/** A bucket's rows, for each row before it: with `offset 0` PostgreSQL looks them up by key, however old its statistics are. */
export const storedAt = (report: string, size: string, number: string): string => `lateral (
        select * from report_sums where company_id = $1 and report = ${report} and size = ${size} and number = ${number} offset 0
      ) as stored`

/** The entries of a bucket's arrays. */
export const unpacked = (sums: Source['sums']): string =>
  `unnest(currencies) as currency, unnest(items) as item, ${sums.map((sum) => `unnest(${sumColumns[sum]}) as ${sum}`).join(', ')}`

/**
 * Common table expressions of an answer: `entry_of_day`, the entries of stored buckets ($2 sizes, $3 numbers, $4 days),
 * and those of the records of dirty chunks ($5 numbers, $6 chunks, $7 days).
 */
export const entriesOf = (source: Source): string => `
    dirty as materialized (
      select * from unnest($5::int[], $6::text[], $7::int[]) as dirty(number, chunk, day)
    ), ${summed(source, 'dirty', false)}, entry_of_day as (
      select bucket.day, ${unpacked(source.sums)}
      from unnest($2::int[], $3::int[], $4::int[]) as bucket(size, number, day)
      cross join ${storedAt(`'${source.report}'`, 'bucket.size', 'bucket.number')}
      where bucket.size > 1 or (stored.number, stored.chunk) not in (select number, chunk from dirty)
      union all
      select day, currency, item, ${source.sums.join(', ')} from entry join dirty using (number, chunk)
    )`
