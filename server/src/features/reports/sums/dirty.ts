// SQL that finds which sums the events of a company make dirty.
import type { Statement } from '../../../database/connect.ts'
import { storedSize } from '../../events/pages.ts'
import { BLOCK_SIZES, ofFormat, SUMS_FORMAT } from './kept-sums.ts'
import { momentColumn, momentIn, momentMembers, momentOf, type Source, sources } from './sources.ts'

/** Events after a cursor that one statement looks at, and characters of those that concern reports: some 10 ms. */
export const REPORT_EVENTS = 2_000
const REPORT_CHARACTERS = 4 * 1024 * 1024

/** Quarters of an hour in 2,000 years: the calendar repeats after each 400. PostgreSQL has no year 0, so the year 2000 is read in its place. */
const IN_2000_YEARS = 730_485 * 96

/** The number of a moment's quarter of an hour since 1970 UTC. */
const quarterOf = (moment: string): string => {
  const quarters = (text: string) => `floor(date_part('epoch', (${text})::timestamptz) / 900)::int`
  return `case when ${moment} >= '0001' then ${quarters(moment)} else ${quarters(`'2' || substr(${moment}, 2)`)} - ${IN_2000_YEARS} end`
}

const typesOf = (resource: string) => ['created', 'updated', 'deleted'].map((what) => `'${resource}.${what}'`)
const concerned = `type in (${[...new Set(sources.flatMap(({ resource }) => typesOf(resource)))].join(', ')})`

/** A member after an event, and before: in a change, `previous` lacks those that are unchanged, and null was unset. */
const after = (name: string) => `(data ->> '${name}')`
const before = (name: string) =>
  `(case when previous -> '${name}' is null then data ->> '${name}' else previous ->> '${name}' end)`

const isChanged = (members: readonly string[]) =>
  members.map((name) => `previous -> '${name}' is not null`).join(' or ')

/**
 * The keys of a source's records whose change or creation its sums depend on; for refunds also those of an order that
 * appears, disappears or changes.
 */
const keysOf = ({ source, resource, members, orderMembers }: Source) => `
      select '${source}' as source, key from moved
      where type in (${typesOf(resource).join(', ')}) and (type <> '${resource}.updated'
        or ${isChanged([...members, ...momentMembers])})${
          orderMembers === undefined
            ? ''
            : `
      union all
      select '${source}', ${momentIn('refund')} || refund.id
      from event cross join lateral (
        select * from refunds where company_id = $1 and order_id = record_id offset 0
      ) as refund
      where type in (${typesOf('order').join(', ')}) and (type <> 'order.updated' or ${isChanged(orderMembers)})`
        }`

/**
 * What the first events after the position $2 of the company $1 make dirty, up to a limit of events and of their
 * characters; before it, the last of these events, and whether they are all.
 */
export const touchedBuckets: Statement = {
  name: 'reports_touched',
  text: `
  with scanned as materialized (
    select *, sum(size) over (order by sequence) - size as before
    from (
      select sequence, type, record_id, data, previous, case when ${concerned} then ${storedSize} else 0 end as size
      from events where company_id = $1 and sequence > $2 order by sequence limit ${REPORT_EVENTS}
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
    select distinct source, number, coalesce((
      select max(chunk) from sum_buckets as stored
      where ${ofFormat} and stored.source = touch.source and size = 1 and stored.number = touch.number and chunk <= key
    ), '') as chunk
    from (select source, key, ${quarterOf('left(key, 24)')} as number from (${sources.map(keysOf).join('\n      union all')}
    ) as touch) as touch
  )
  select (select max(sequence) from event), (
    select count(*) < ${REPORT_EVENTS} and count(*) = (select count(*) from event) from scanned
  ), array_agg(source), array_agg(number), array_agg(chunk) from leaf`,
}

/** Makes chunks ($2 sources, $3 numbers, $4 chunks) and the blocks that contain them dirty; inserts those that are missing. */
export const markDirty: Statement = {
  name: 'reports_mark_dirty',
  text: `
  insert into sum_buckets as stored (company_id, format, source, size, number, chunk, is_dirty)
  select $1, ${SUMS_FORMAT}, bucket.*, true from (
    select distinct source, size, floor(number / size::float8)::int, case size when 1 then chunk else '' end
    from unnest($2::text[], $3::int[], $4::text[]) as touched(source, number, chunk)
      cross join unnest('{1, ${BLOCK_SIZES.join(', ')}}'::int[]) as size
  ) as bucket order by 3, 4, 5, 6
  on conflict (company_id, format, source, size, number, chunk) do update set is_dirty = true where not stored.is_dirty`,
}

/** The newest moment of each source's records before the moment $2. */
export const newestMoments: Statement = {
  name: 'reports_newest',
  text: `select ${sources
    .map(
      ({ table }) =>
        `(select max(${momentColumn}) from ${table} as stored where stored.company_id = $1 and ${momentColumn} < $2)`,
    )
    .join(', ')}`,
}
