// Events after an aggregator's cursor: the aggregator will add them to the sums, and each answer reads them beside the
// sums.
import { REPORT_CHARACTERS, REPORT_EVENTS } from '../../core/limits.ts'
import { storedSize } from '../events/pages.ts'
import type { Aggregator } from './aggregators.ts'

/** The events of an aggregator's records. */
export const isConcerned = ({ resource }: Aggregator) =>
  `type in ('${resource}.created', '${resource}.updated', '${resource}.deleted')`

/** The facts of events in `from`: the new state and, for a change, the previous state to subtract. */
export function factsOf({ resource, members, columns, ofEvent }: Aggregator, from: string): string {
  // In a change, a member that was unset before is null in `previous`, and an unchanged one is absent.
  const member = (name: string) => {
    const of = (get: string) =>
      `case when side.previous -> '${name}' is null then ${from}.data ${get} '${name}' else side.previous ${get} '${name}' end`
    return { json: of('->'), text: of('->>') }
  }
  const values = ofEvent(member).map((value, n) => `${value} as ${columns[n]}`)
  const touched = members.map((name) => `${from}.previous -> '${name}' is not null`).join(' or ')
  return `
      select side.sign, (${from}.data ->> 'createdAt') collate "C" as created_at, ${from}.record_id, ${values.join(', ')}
      from ${from} cross join lateral (
        select case when ${from}.type = '${resource}.deleted' then -1 else 1 end as sign, null::json as previous
        union all
        select -1, ${from}.previous where ${from}.type = '${resource}.updated'
      ) as side
      where ${from}.type <> '${resource}.updated' or ${touched}`
}

interface Which {
  readonly which: string
  readonly most: string
  readonly characters: string
}

/**
 * Common table expressions: `scanned`, the first events of the company $1 for which `which` is true; `seen`, those
 * within the limit of characters.
 */
export const seenEvents = (reader: Aggregator, { which, most, characters }: Which) => `scanned as materialized (
      select *, sum(size) over (order by sequence) - size as before
      from (
        select sequence, type, record_id, data, previous, case when ${isConcerned(reader)} then ${storedSize} else 0 end as size
        from events where company_id = $1 and ${which} order by sequence limit ${most}
      ) as event
    ), seen as materialized (
      select * from scanned where before <= ${characters}
    )`

/**
 * Another one: `fact`, what the events in `seen` say of records that are in the sums. `reader` is a row with the
 * backfill cursor.
 */
export const factsSeen = (reader: Aggregator, row: string) => `concerned as (
      select * from seen where ${isConcerned(reader)}
    ), fact as materialized (
      select told.* from (${factsOf(reader, 'concerned')}
      ) as told, ${row}
      -- Records before the backfill cursor are added with their table.
      where (told.created_at, told.record_id) >= (${row}.frontier_at, ${row}.frontier_id)
    )`

/**
 * Common table expressions of an answer: `reader`, a row if its sums may be shown, with whether they reach back to $3;
 * and `fact`, what they lack. One statement sees both sums and events: events that an older write blocks for the
 * aggregator are in the answer as soon as that commits. `isWhole` says whether nothing was left out.
 */
export const unaggregatedOf = (reader: Aggregator, condition = 'true') => `
    reader as materialized (
      select position, frontier_at, frontier_id, state = 'ready' or frontier_at < $3 as reaches from report_readers
      where company_id = $1 and report = '${reader.report}' and state <> 'clearing' and ${condition}
    ), ${seenEvents(reader, { which: 'sequence > (select position from reader)', most: `${REPORT_EVENTS}`, characters: `${REPORT_CHARACTERS}` })},
    ${factsSeen(reader, 'reader')}`

/** Whether an answer is complete: null if there are no sums to show. */
export const isWhole = `(
    select reaches and (select count(*) from seen) < ${REPORT_EVENTS}
      and (select count(*) from seen) = (select count(*) from scanned)
    from reader
  )`
