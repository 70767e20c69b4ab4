// The SQL that reads from the feed how the events of a company have changed the number of records that a list counts.

import { unseenCompany } from '../../database/statement.ts'
import { type Resource, snakeCase } from '../resource.ts'

/** What is counted: the records of a company that match filters. */
export interface Counted {
  readonly companyId: string
  /** The conditions over the row `stored`, with their values; $1 is the company. */
  readonly where: string
  readonly filterValues: readonly unknown[]
  /** The member that is the only filter, if its index is walked for the records of one value (`walkedMember`). */
  readonly walked?: string | undefined
  /** The conditions for each exact filter alone, if the list has several and nothing else (`conditionsOfEach`). */
  readonly ofEach?: readonly string[] | undefined
  /** Whether records that are flagged as deleted count too. */
  readonly includesDeleted: boolean
  /** The members that the filters depend on. With none, all records count. */
  readonly members: readonly string[]
  /** If events cannot tell which records match: the resources without whose events their number stays (`countedResources`). */
  readonly changedBy?: readonly string[] | undefined
}

/**
 * Whether each row is added and removed with an event, so that events show the number of rows. Rows of custom tables
 * are removed without an event when their table is deleted, and append-only records have none.
 */
export const hasEventPerRow = ({ ids, existsCondition, eventTypes }: Resource): boolean =>
  ids === 'plain' && existsCondition === undefined && eventTypes.length > 0

/** Events that a statement reads at most, some 5 ms, or 30 with the records that filters need. With more, records are counted again. */
export const eventsRead = ({ members }: Counted): number => (members.length > 0 ? 2_000 : 5_000)

/** SQL: the number of the last event of company $1 up to a place. If PostgreSQL saw a company that its statistics lack, it would sort all events. */
export const lastEvent = (place: string): string =>
  `select sequence from events where company_id = ${unseenCompany} and sequence <= ${place} order by sequence desc limit 1`

/** Events of company $1 from a place on, in order, each with the change of the number; with `changedBy`, 1 if it may have changed. */
export function laterEvents(resource: Resource, counted: Counted, from: '>' | '>=', place: string): string {
  const { one } = resource.name
  const events = `from events
    where company_id = $1 and sequence ${from} ${place} order by sequence limit ${eventsRead(counted) + 1}`
  if (counted.changedBy) {
    const names = counted.changedBy.map((name) => `'${name}'`).join(', ')
    return `select sequence, (resource in (${names}))::int as change ${events}`
  }
  const changes = counted.members.length > 0 ? changesOfMatches(resource, counted) : changesOfAll(resource, counted)
  const cases = Object.entries(changes).map(([verb, change]) => `when '${one}.${verb}' then ${change}`)
  return `select sequence, case type ${cases.join(' ')} else 0 end as change ${events}`
}

type CountChanges = Readonly<Partial<Record<'created' | 'updated' | 'deleted', string>>>

/** The change of the number of all records, by type of event. */
function changesOfAll({ remove }: Resource, { includesDeleted }: Counted): CountChanges {
  if (remove === 'hard') return { created: '1', deleted: '-1' }
  if (includesDeleted) return { created: '1' }
  const restored = `case when previous ->> 'isDeleted' = 'true' then 1 else 0 end`
  return { created: '1', deleted: '-1', updated: restored }
}

/**
 * The change of the number of records that match: whether the record matches after the event, minus whether it matched
 * before.
 */
function changesOfMatches(resource: Resource, { where, members }: Counted): CountChanges {
  const match = (memberOf: (member: string) => MemberSql) =>
    `(select coalesce((${where})::int, 0) from (select ${rowColumns(resource, members, memberOf)}) as stored)`
  const after = match((member) => ({ json: `data -> '${member}'`, text: `data ->> '${member}'` }))
  // `previous` has the former values of members that have changed; unset ones as JSON's null, not SQL's.
  const before = match((member) => {
    const former = (operator: string) =>
      `case when previous -> '${member}' is null then data ${operator} '${member}' else previous ${operator} '${member}' end`
    return { json: former('->'), text: former('->>') }
  })
  const change = `${after} - ${before}`
  return { created: after, updated: change, deleted: resource.remove === 'hard' ? `-${after}` : change }
}

/** A member of a record, as SQL: as JSON, and as text. */
interface MemberSql {
  readonly json: string
  readonly text: string
}

/** The columns of a record's row that filters by these members compare: as the table makes them of its body. */
function rowColumns(
  { fields, list, remove }: Resource,
  members: readonly string[],
  memberOf: (member: string) => MemberSql,
): string {
  const column = (member: string) => {
    const { json, text } = memberOf(member)
    if (list.any.includes(member)) return `(${json})::jsonb`
    if (fields[member]?.comparison === 'number') return `coalesce((${text})::numeric, '-Infinity')`
    return `coalesce(${text}, '') collate "C"`
  }
  return [
    '$1::text as company_id',
    ...members.map((member) => `${column(member)} as ${snakeCase(member)}`),
    ...(remove === 'soft' ? [`(${memberOf('isDeleted').text})::boolean as is_deleted`] : []),
  ].join(', ')
}
