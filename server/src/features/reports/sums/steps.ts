// A refresh of a company's sums: what the feed made dirty is summed again, in one transaction under the lock of its cursor.
import { quarterAt, timeOf } from '../../../core/local-days.ts'
import { type Database, isRaceFault, type Queryable, type Statement } from '../../../database/connect.ts'
import { snapshotSettings } from '../../../database/statement.ts'
import { storedSize } from '../../events/pages.ts'
import { BLOCK_SIZES, companySettings, ofFormat, REPORT_UNREAD_DAYS, SUMS_FORMAT } from './kept-sums.ts'
import { columns, type Query, type SummedCompany } from './records.ts'
import { momentColumn, momentIn, momentMembers, momentOf, type Source, sources } from './sources.ts'
import { REPORT_BLOCKS, sumBlocks, sumChunks } from './sum-buckets.ts'

/** Milliseconds after which a refresh starts no further statement. Other refreshes of the company wait for it. */
const REPORT_SUM_MS = 100
/** Old quarters of an hour that one refresh finds: some 50 ms. */
const REPORT_QUARTERS = 100
/** Rows of old sums that one statement removes: some 50 ms. */
const REPORT_ROWS_CLEARED = 10_000

/** What was done: nothing, because another refresh is running; a part of the work; or all of it. */
type Refreshed = 'busy' | 'more' | 'done'

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
const touchedBuckets: Statement = {
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
const markDirty: Statement = {
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
const newestMoments: Statement = {
  name: 'reports_newest',
  text: `select ${sources
    .map(
      ({ table }) =>
        `(select max(${momentColumn}) from ${table} as stored where stored.company_id = $1 and ${momentColumn} < $2)`,
    )
    .join(', ')}`,
}

/** Locks the cursor, unless another refresh has it. The transaction need not wait for the disk: the sums are derived. */
const lock: Statement = {
  name: 'reports_lock',
  text: `
  select position, listed_from, read_at < now() - make_interval(days => ${REPORT_UNREAD_DAYS}),
    set_config('synchronous_commit', 'off', true)
  from sum_cursors where ${ofFormat} for update skip locked`,
}

/** The watermark: every event up to it either can be read by a later statement or will never exist. */
const watermark: Statement = { name: 'reports_watermark', text: 'select settled from events_settled(array[$1])' }

/** Removes a part of the older sums: the first of their keys. */
const clearSome: Statement = {
  name: 'reports_clear',
  text: `
  delete from sum_buckets where ${ofFormat} and (source, size, number, chunk) <= (
    select source, size, number, chunk from (
      select * from sum_buckets where ${ofFormat} order by source, size, number, chunk limit ${REPORT_ROWS_CLEARED}
    ) as first order by source desc, size desc, number desc, chunk desc limit 1
  ) returning true`,
}

/** Moves the cursor to the position $2. Notes the time only if all events up to the watermark were read ($6). */
const move: Statement = {
  name: 'reports_move',
  text: `
  update sum_cursors set position = $2, listed_from = $3, has_more = $4, has_unread = $5,
    read_at = case when $6 then now() else read_at end
  where ${ofFormat}`,
}

/** Removes older sums; once none are left, all is listed from the start, and the feed is read from `settled` on. */
async function clear(query: Query, settled: number): Promise<void> {
  const cleared = await query(clearSome)
  await query(move, cleared.length < REPORT_ROWS_CLEARED ? settled : null, '~', true, true, true)
}

/** Marks old quarters before a moment that have records, the newest first. Returns the moment at which the last one begins, '' if all are marked. */
async function listQuarters(query: Query, before: string): Promise<string> {
  const marked: { source: string; number: number }[] = []
  let reached = before
  for (let n = 0; n < REPORT_QUARTERS && reached !== ''; n++) {
    const [moments = []] = await query(newestMoments, reached)
    const numbers = moments.map((moment) =>
      moment === null ? Number.NEGATIVE_INFINITY : quarterAt(Date.parse(moment)),
    )
    const newest = Math.max(...numbers)
    reached = Number.isFinite(newest) ? timeOf(newest) : ''
    if (reached !== '')
      marked.push(...sources.flatMap(({ source }, n) => (numbers[n] === newest ? [{ source, number: newest }] : [])))
  }
  await query(
    markDirty,
    ...columns(marked, 'source', 'number'),
    marked.map(() => ''),
  )
  return reached
}

/**
 * Brings the sums a part of the way up to date, with all events of one snapshot. After a crash, the next refresh does
 * the same.
 */
export async function refresh(database: Database, companyId: string): Promise<Refreshed> {
  // Before the snapshot is taken: the events up to the watermark are in it.
  const [row] = await database.query(watermark, [companyId])
  const settled: number = row?.[0]
  try {
    return await database.transaction((transaction) => refreshUpTo(settled, transaction, companyId))
  } catch (error) {
    // Another refresh ended between the snapshot and the lock.
    if (isRaceFault(error)) return 'busy'
    throw error
  }
}

async function refreshUpTo(settled: number, transaction: Queryable, companyId: string): Promise<Refreshed> {
  const { query } = transaction
  await query(snapshotSettings(transaction, 'read write'))
  const queryOf: Query = (statement, ...values) => query(statement, [companyId, ...values])
  const ask = async (statement: Statement, ...values: unknown[]): Promise<any[]> =>
    (await queryOf(statement, ...values))[0] ?? []
  const [position, listedFrom, isTooOld] = await ask(lock)
  if (position === undefined) return 'busy'
  if (position === null || isTooOld) {
    await clear(queryOf, settled)
    return 'more'
  }
  const [last, isAll, ...dirty] = await ask(touchedBuckets, position)
  if (dirty[0] !== null) await queryOf(markDirty, ...dirty)
  const reached = listedFrom === '' ? '' : await listQuarters(queryOf, listedFrom)
  // Events after the watermark are read again: earlier ones may follow. It may move backwards; a cursor must not.
  const moved = Math.max(position, isAll ? settled : Math.min(last, settled))
  // Until an older write has ended, they make their blocks dirty again each time: only a full round of blocks has others.
  const leastBlocks = last > settled ? REPORT_BLOCKS : 1
  let hasMore: boolean = moved < settled || reached !== ''
  const [currency] = await ask(companySettings)
  const company: SummedCompany = { companyId, currency: currency ?? undefined }
  for (const source of sources) {
    const until = performance.now() + REPORT_SUM_MS
    let hasRest = true
    while (hasRest && performance.now() < until) hasRest = await sumChunks(queryOf, source, company)
    const blocks = await sumBlocks(queryOf, source, companyId)
    hasMore ||= hasRest || blocks >= leastBlocks
  }
  await queryOf(move, moved, reached, hasMore, !isAll, moved >= settled)
  return hasMore ? 'more' : 'done'
}
