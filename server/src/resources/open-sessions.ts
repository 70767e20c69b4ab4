// One open session a station: every write that opens a session locks its station, looks for another open one, and refuses or closes it.
//
// The rule holds for stations that are records of a company whose setting `oneOpenSession` is on. The lock order, for every
// transaction: the company (shared, against a change of the setting), stations, sessions, each by id.

import { bodyError, Problem } from '../core/problem.ts'
import type { Queryable } from '../database/connect.ts'
import { byCompany } from '../database/one-company.ts'
import { holdRows } from '../engine/held-rows.ts'
import { lockedRecords } from '../engine/locked-records.ts'
import type { Key } from '../engine/record.ts'
import type { RecordChange, Resource, SideEffects } from '../engine/resource.ts'

/** Another open session of a station, as it is stored. */
interface OtherOpen extends Key {
  readonly version: number
  readonly body: string
}

/** What happens to the open session of a station when another one is opened there. */
type Meeting = (transaction: Queryable, found: readonly (readonly [RecordChange, OtherOpen])[]) => Promise<void>

/** The rule over the writes of a session's resource, with what it does where there is another open session. */
const oneOpenSession = (meet: Meeting): SideEffects => ({
  applies: (before, after) =>
    after.closeTime === undefined &&
    (before === undefined || before.closeTime !== undefined || before.stationId !== after.stationId),
  locksFirst: {
    isNeeded: ({ set, clear }) => clear.includes('closeTime') || set.stationId !== undefined,
    keysOf: ({ scope, after }) => [{ scope, id: String(after.stationId) }],
    lock: holdStations,
  },
  async write(transaction, changes) {
    // If another transaction moved a session before it was locked, its station is not locked yet.
    const changed = changes.filter(({ before }) => before !== undefined)
    if (changed.length > 0) await holdStations(transaction, changed.map(stationOf), false)
    const found = await othersOf(transaction, changes)
    if (found.length > 0) await meet(transaction, found)
  },
})

/** The rule that refuses a second open session. */
export const refusingSecond: SideEffects = oneOpenSession(async (_, [first]) => {
  const [{ after }, { id }] = first as readonly [RecordChange, OtherOpen]
  const message = `has the open session ${JSON.stringify(id)}; close it first, or add ?takeOver=true to the URL, which closes it`
  throw new Problem(
    'conflict',
    `The session ${JSON.stringify(id)} is open at the station ${JSON.stringify(after.stationId)}. Close it first, or add ?takeOver=true to the URL, which closes it.`,
    [{ ...bodyError('/stationId', 'open_session', message), id }],
  )
})

/** The rule that closes the open session of the station. If one request opens several, the last stays open. */
export function closingFirst(session: Resource): SideEffects {
  const { changed, write } = lockedRecords(session)
  return oneOpenSession(async (transaction, found) => {
    const opened = [...new Set(found.map(([{ id }]) => id))]
    const isLater = (other: string, id: string) => opened.indexOf(other) > opened.indexOf(id)
    const others = new Map(found.flatMap(([{ id }, other]) => (isLater(other.id, id) ? [] : [[other.id, other]])))
    const closeTime = new Date().toISOString()
    const rows = [...others.values()].flatMap(({ body, ...key }) =>
      changed({ ...key, before: JSON.parse(body) }, { closeTime }, ['updated', 'closed']),
    )
    await write(transaction, rows)
  })
}

const stationOf = ({ scope, after }: RecordChange): Key => ({ scope, id: String(after.stationId) })

/**
 * Locks the stations that have the rule until the transaction ends. `waits: false` throws instead of waiting, and the
 * transaction begins again. Where tables are distributed by company, the companies are on the coordinator, and their
 * stations on a node.
 */
async function holdStations(transaction: Queryable, keys: readonly Key[], waits = true): Promise<void> {
  const rows = await transaction.query(
    {
      name: 'companies_share',
      text: 'select id, one_open_session from companies where id = any($1::text[]) order by id for key share',
    },
    [keys.map(({ scope }) => scope.companyId)],
  )
  const ruled = new Set(rows.flatMap(([id, hasRule]) => (hasRule ? [id as string] : [])))
  const stations = keys.filter(({ scope }) => ruled.has(scope.companyId))
  for (const own of byCompany(transaction, stations, ({ scope }) => scope.companyId))
    await holdRows(transaction, 'stations', own, { waits })
}

/** The other open sessions at the locked stations of some sessions, in the order of the changes. */
async function othersOf(transaction: Queryable, changes: readonly RecordChange[]) {
  const rows = await transaction.query(
    {
      name: 'sessions_open_at',
      text: `
      select item.ordinality::int, other.id, other.version, other.body
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as item(company_id, id, station_id, ordinality)
      join companies as company on company.id = item.company_id and company.one_open_session
      join stations as station on station.company_id = item.company_id and station.id = item.station_id
      join sessions as other on other.company_id = item.company_id and other.station_id = item.station_id
        and other.close_time = '' and other.id <> item.id
      order by item.ordinality, other.id`,
    },
    [
      changes.map(({ scope }) => scope.companyId),
      changes.map(({ id }) => id),
      changes.map(({ after }) => after.stationId),
    ],
  )
  return rows.map(([ordinal, id, version, body]): readonly [RecordChange, OtherOpen] => {
    const change = changes[ordinal - 1] as RecordChange
    return [change, { scope: change.scope, id, version, body }]
  })
}
