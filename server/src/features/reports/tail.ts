// What stands in the feed behind a reader's position: who follows adds it to the sums, and each answer reads it beside them.
import { REPORT_CHARACTERS, REPORT_EVENTS } from '../../core/limits.ts'
import { storedSize } from '../events/pages.ts'
import type { Reader } from './readers.ts'

/** Which events are of a reader's records. */
export const isConcerned = ({ resource }: Reader) =>
  `type in ('${resource}.created', '${resource}.updated', '${resource}.deleted')`

/** The facts of events in `from`: what is so now, and of a change what was so before, to be taken back. */
export function factsOf({ resource, members, columns, ofEvent }: Reader, from: string): string {
  // Of a change, a member that was unset before is null in `previous`, and one that stayed is not there.
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

/** Parts of a WITH: `scanned`, the first events of the company $1 for which `which` is true; `seen`, those of them within so many characters. */
export const seenEvents = (reader: Reader, { which, most, characters }: Which) => `scanned as materialized (
      select *, sum(size) over (order by sequence) - size as before
      from (
        select sequence, type, record_id, data, previous, case when ${isConcerned(reader)} then ${storedSize} else 0 end as size
        from events where company_id = $1 and ${which} order by sequence limit ${most}
      ) as event
    ), seen as materialized (
      select * from scanned where before <= ${characters}
    )`

/** A further part: `fact`, what the events in `seen` say of the records that are in the sums. `reader` names a row with the frontier. */
export const factsSeen = (reader: Reader, row: string) => `concerned as (
      select * from seen where ${isConcerned(reader)}
    ), fact as materialized (
      select told.* from (${factsOf(reader, 'concerned')}
      ) as told, ${row}
      -- What was made before the frontier is added with its table.
      where (told.created_at, told.record_id) >= (${row}.frontier_at, ${row}.frontier_id)
    )`

/**
 * Parts of a WITH for an answer: `reader`, a row where its sums may be shown, with whether they reach back to $3; and `fact`,
 * what they lack. Sums and events are seen by one statement: what an older write holds up for those who follow is in the
 * answer as soon as it is committed. `isWhole` says whether nothing was left out.
 */
export const tailOf = (reader: Reader, condition = 'true') => `
    reader as materialized (
      select position, frontier_at, frontier_id, state = 'ready' or frontier_at < $3 as reaches from report_readers
      where company_id = $1 and report = '${reader.report}' and state <> 'clearing' and ${condition}
    ), ${seenEvents(reader, { which: 'sequence > (select position from reader)', most: `${REPORT_EVENTS}`, characters: `${REPORT_CHARACTERS}` })},
    ${factsSeen(reader, 'reader')}`

/** Whether an answer says all: null where there are no sums to be shown. */
export const isWhole = `(
    select reaches and (select count(*) from seen) < ${REPORT_EVENTS}
      and (select count(*) from seen) = (select count(*) from scanned)
    from reader
  )`
