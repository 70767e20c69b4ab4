// A refresh of a company's sums: what the feed made dirty is summed again, in one transaction under the lock of its cursor.

import type { Database, Queryable, Statement } from '../../../database/connect.ts'
import { FAN_OUT } from './buckets.ts'
import {
  columnsOf,
  isAllScanned,
  isOutdated,
  markDirty,
  replacing,
  storedAt,
  touchedBy,
  unpacked,
  withBlocks,
} from './dirty.ts'
import { REPORT_BLOCKS, REPORT_QUARTERS, REPORT_ROWS_CLEARED, REPORT_SUM_MS, REPORT_UNREAD_DAYS } from './limits.ts'
import { beginOf, quarterOf } from './moment.ts'
import type { Query } from './records.ts'
import { momentColumn, type Source, type SourceName, sources } from './sources.ts'
import { sumChunks } from './sum-chunks.ts'
import type { Facet } from './summing.ts'

/**
 * What was done: nothing, because another refresh is running or there was nothing to do; a part of the work; or all of
 * it.
 */
type Refreshed = 'busy' | 'idle' | 'more' | 'done'

/** Locks the cursor, unless another refresh has it. The transaction need not wait for the disk: the sums are derived. */
const lock: Statement = {
  name: 'reports_lock',
  text: `
  select position, listed_from, read_at < now() - make_interval(days => ${REPORT_UNREAD_DAYS}),
    set_config('synchronous_commit', 'off', true)
  from report_feeds where company_id = $1 for update skip locked`,
}

/** The watermark: every event up to it either can be read by a later statement or will never exist. */
const watermark: Statement = { name: 'reports_watermark', text: 'select settled from events_settled(array[$1])' }

/** What the events after $2 up to $3 touch; the last of the events within the limits, and whether these are all. */
const touched: Statement = {
  name: 'reports_touched',
  text: `
  with ${touchedBy('sequence > $2 and sequence <= $3')}
  select (select max(sequence) from event), ${isAllScanned}, touched.* from (${columnsOf('touched')}) as touched`,
}

/** The quarter up to which the parts of a block have ended at the beginning of the quarter $2. */
const ended = `least((number + 1::bigint) * size, floor($2::int / (size / ${FAN_OUT}.0)) * (size / ${FAN_OUT}))::int`
/** The entries of the parts of each block, added up by their keys and packed. */
const packed = ({ name, keys, sums }: Facet, unpackedFrom: string) => `
  packed_${name} as (
    select size, number, ${[...keys, ...sums].map((one) => `array_agg(${one}) as ${name}_${one}`).join(', ')}
    from (
      select size, number, ${keys.join(', ')}, ${sums.map((sum) => `sum(${sum}) as ${sum}`).join(', ')}
      from (${unpackedFrom}) as entry group by size, number, ${keys.join(', ')} order by ${keys.toReversed().join(', ')}
    ) as entry group by size, number
  )`
const joined = ({ facets }: Source) =>
  facets.map(({ name }) => `left join packed_${name} using (size, number)`).join(' ')

/**
 * Sums blocks from their parts that have ended, if those are clean. A block that contains the present is therefore
 * rarely summed again.
 */
const rollUp = (source: Source): Statement => ({
  name: `reports_roll_up_${source.source}`,
  text: `
  with block as materialized (
    select size, number, nullif(${ended}, (number + 1::bigint) * size)::int as up_to from report_buckets as stored
    where company_id = $1 and source = '${source.source}' and size > 1 and (${isOutdated} or up_to is not null)
      and ${ended} > case when ${isOutdated} then number::bigint * size else up_to end
      and (size, number) not in (
        select size * ${FAN_OUT}, floor(number / ${FAN_OUT}::float8)::int from report_buckets as stored
        where company_id = $1 and source = '${source.source}' and (${isOutdated} or up_to is not null)
          and (number + 1::bigint) * size <= $2::int
      )
    order by size, number desc limit ${REPORT_BLOCKS}
  ), part as materialized (
    select block.size as block_size, block.number as block_number, stored.*
    from block cross join generate_series(0, ${FAN_OUT - 1}) as nth
    cross join ${storedAt(`'${source.source}'`, `block.size / ${FAN_OUT}`, `block.number * ${FAN_OUT} + nth`)}
    where (stored.number + 1::bigint) * stored.size <= $2::int
  ), ${source.facets
    .map((facet) => packed(facet, `select block_size as size, block_number as number, ${unpacked(facet)} from part`))
    .join(',')}
  ${replacing(source, `size, number, '', up_to, null::int`, `block ${joined(source)}`)}
  returning true`,
})

/** The newest moment of each source's records before another moment. */
const newest = (before: string) =>
  sources.map(
    ({ source, table }) =>
      `(select max(${momentColumn}) from ${table} as stored where stored.company_id = $1 and ${momentColumn} < ${before}) as ${source}`,
  )
const names = sources.map(({ source }) => source)
/** The beginning of the newest quarter that one of these moments is in. */
const begin = beginOf(`greatest(${names.map((name) => `newest.${name}`)})`)

/** The quarters before the moment $2 that have records, the newest first, and their blocks: a hop through the indexes for each. */
const list: Statement = {
  name: 'reports_list',
  text: `
  with recursive hop as (
    select newest.*, ${begin} as begin, 1 as nth from (select ${newest('$2')}) as newest
    union all
    select newest.*, ${begin}, nth + 1 from hop cross join lateral (select ${newest('hop.begin')}) as newest
    where hop.begin is not null and nth < ${REPORT_QUARTERS}
  ), found as materialized (
    select source, ${quarterOf('begin')} as number, '' as chunk
    from hop cross join lateral (values ${names.map((name) => `('${name}', ${name})`)}) as found(source, moment)
    where moment >= begin
  )
  select coalesce((select begin from hop where nth = ${REPORT_QUARTERS}), ''), quarter.*
  from (${columnsOf(`(${withBlocks('found')}) as quarter`)}) as quarter`,
}

/** Removes a part of the older sums: the first of their keys. */
const clearSome: Statement = {
  name: 'reports_clear',
  text: `
  delete from report_buckets where company_id = $1 and (source, size, number, chunk) <= (
    select source, size, number, chunk from (
      select * from report_buckets where company_id = $1 order by source, size, number, chunk limit ${REPORT_ROWS_CLEARED}
    ) as first order by source desc, size desc, number desc, chunk desc limit 1
  ) returning true`,
}

/** Removes older sums; once none are left, all is listed from the start, and the feed is read from `settled` on. */
async function clear(query: Query, settled: number): Promise<void> {
  const cleared = await query(clearSome)
  await query({ text: 'delete from report_products_sold where company_id = $1' })
  const text = `
    update report_feeds set position = $2, listed_from = '~', has_more = true, read_at = now() where company_id = $1`
  await query({ name: 'reports_cleared', text }, cleared.length < REPORT_ROWS_CLEARED ? settled : null)
}

/** Moves the cursor. Notes the time only if all events up to the watermark were read ($5). */
const move: Statement = {
  name: 'reports_move',
  text: `
  update report_feeds set position = $2, listed_from = $3, has_more = $4, read_at = case when $5 then now() else read_at end
  where company_id = $1`,
}

/**
 * Brings the sums of some sources a part of the way up to date. Each step is a statement, which sees what the earlier
 * steps wrote, and all events up to a watermark that was read before it. After a crash, the next refresh does the same.
 */
export function refresh(database: Database, companyId: string, names: readonly SourceName[]): Promise<Refreshed> {
  return database.transaction(async ({ query }: Queryable) => {
    const queryOf: Query = (statement, ...values) => query(statement, [companyId, ...values])
    const ask = async (statement: Statement, ...values: unknown[]): Promise<any[]> =>
      (await queryOf(statement, ...values))[0] ?? []
    const mark = (columns: readonly (string | null)[]) => columns[0] === null || queryOf(markDirty, ...columns)
    const [position, listedFrom, isTooOld] = await ask(lock)
    if (position === undefined) return 'busy'
    const [settled] = await ask(watermark)
    if (position === null || isTooOld) {
      await clear(queryOf, settled)
      return 'more'
    }
    const [last, isAll, ...dirty] = await ask(touched, position, settled)
    await mark(dirty)
    const [reached, ...listed] = listedFrom === '' ? [''] : await ask(list, listedFrom)
    if (listed.length > 0) await mark(listed)
    // The watermark may move backwards; a cursor must not.
    const moved = Math.max(position, isAll ? settled : last)
    let hasMore: boolean = moved < settled || reached !== ''
    for (const source of sources) {
      if (!names.includes(source.source)) continue
      const until = performance.now() + REPORT_SUM_MS
      let hasRest = true
      while (hasRest && performance.now() < until) hasRest = await sumChunks(queryOf, source, companyId)
      const [isRolledUp = false] = await ask(rollUp(source), Math.floor(Date.now() / 900_000))
      hasMore ||= hasRest || isRolledUp
    }
    await queryOf(move, moved, reached, hasMore || names.length < sources.length, isAll)
    return hasMore ? 'more' : last === null ? 'idle' : 'done'
  })
}
