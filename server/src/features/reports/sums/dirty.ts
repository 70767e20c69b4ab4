// SQL that finds which sums are dirty, and reads the stored ones.

import type { Statement } from '../../../database/connect.ts'
import { storedSize } from '../../events/pages.ts'
import { BLOCK_SIZES } from './buckets.ts'
import { REPORT_CHARACTERS, REPORT_EVENTS } from './limits.ts'
import { momentIn, momentMembers, momentOf, quarterOf } from './moment.ts'
import { type Source, sources } from './sources.ts'
import type { Facet } from './summing.ts'

/** Whether a server that sums neither delivery nor fees was the last to sum a row: it leaves those of before, or none (decision 74). */
export const lacksCharges = `(stored.source <> 'payments' and coalesce(stored.charges_summed_at <> stored.summed_at, true))`
/** Whether the sums of a row must be computed again. */
export const isOutdated = `(stored.is_dirty or ${lacksCharges})`

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

/** The quarters in `from` (source, number, chunk), and the blocks that contain them, each with the first of these. */
export const withBlocks = (from: string) => `
      select source, 1 as size, number, chunk, number as first from ${from}
      union all
      select source, size, floor(number / size::float8)::int, '', min(number)
      from ${from} cross join unnest('{${BLOCK_SIZES.join(', ')}}'::int[]) as size group by 1, 2, 3`

/**
 * Common table expressions: `scanned`, the first events of the company $1 where `which` is true; `event`, those within
 * the limit of characters; `touched`, the chunks and blocks that they make dirty, with the records of a chunk when it was
 * last summed. A block that ends before what is touched stays clean.
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
      select distinct source, number, coalesce((
        select max(chunk) from report_buckets as stored
        where company_id = $1 and stored.source = touch.source and size = 1 and stored.number = touch.number and chunk <= key
      ), '') as chunk
      from (select source, key, ${quarterOf('left(key, 24)')} as number from (${sources.map(keysOf).join('\n      union all')}
      ) as touch) as touch
    ), touched as materialized (
      select block.*, case when stored.company_id is null then 0 else records end as records
      from (${withBlocks('leaf')}
      ) as block left join ${storedAt('block.source', 'block.size', 'block.number')} on stored.chunk = block.chunk
      where stored.up_to is null or stored.up_to > block.first or stored.is_dirty
    )`

/** Whether all events were examined, if `scanned` was not cut off. */
export const isAllScanned = `(
    select count(*) < ${REPORT_EVENTS} and count(*) = (select count(*) from event) from scanned
  )`

/** The columns of `from`, which are those of `touched`, as one row of arrays in text notation; null without rows. */
export const columnsOf = (from: string): string =>
  `select ${['source', 'size', 'number', 'chunk'].map((name) => `array_agg(${name})::text`).join(', ')} from ${from}`

/** Inserts rows as dirty, or makes those that exist dirty: $2 sources, $3 sizes, $4 numbers, $5 chunks. */
export const markDirty: Statement = {
  name: 'reports_mark_dirty',
  text: `
  insert into report_buckets as stored (company_id, source, size, number, chunk, is_dirty)
  select $1, touched.*, true from unnest($2::text[], $3::int[], $4::int[], $5::text[]) as touched order by 2, 3, 4, 5
  on conflict (company_id, source, size, number, chunk) do update set is_dirty = true where not stored.is_dirty`,
}

/**
 * A bucket's rows, for each preceding row: with `offset 0` PostgreSQL looks them up by key, however old its statistics
 * are.
 */
export function storedAt(source: string, size: string, number: string): string {
  return `lateral (
        select * from report_buckets where company_id = $1 and source = ${source} and size = ${size} and number = ${number} offset 0
      ) as stored`
}

/** The columns of a facet's keys and sums in `report_buckets`. */
export const arraysOf = ({ name, keys, sums }: Facet): string[] => [...keys, ...sums].map((one) => `${name}_${one}`)
/** The entries of a bucket's arrays. */
export const unpacked = ({ name, keys, sums }: Facet): string =>
  [...keys, ...sums].map((one) => `unnest(${name}_${one}) as ${one}`).join(', ')

/** Stores sums in `from`; `keys` are size, number, chunk, up_to, records. An insert finds rows by key with any statistics. */
export const replacing = ({ source, facets }: Source, keys: string, from: string) => {
  const arrays = facets.flatMap(arraysOf).join(', ')
  return `
    insert into report_buckets (company_id, source, is_dirty, summed_at, charges_summed_at, size, number, chunk, up_to, records, ${arrays})
    select $1, '${source}', false, statement_timestamp(), statement_timestamp(), ${keys}, ${arrays} from ${from}
    on conflict (company_id, source, size, number, chunk) do update set (is_dirty, summed_at, charges_summed_at, up_to, records, ${arrays}) =
      (false, excluded.summed_at, excluded.charges_summed_at, excluded.up_to, excluded.records, ${arrays.replaceAll(/\w+/g, 'excluded.$&')})`
}
