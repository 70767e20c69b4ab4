// One open session a station: every write that opens a session locks its station, looks for another open one, and refuses or closes it.
//
// The rule holds for stations that are records of a company whose setting `oneOpenSession` is on. The lock order, for every
// transaction: the company (shared, against a change of the setting), stations, sessions, each by id.

import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import { bodyError, Problem } from '../core/problem.ts'
import type { Queryable } from '../database/connect.ts'
import { byCompany } from '../database/one-company.ts'
import { rowsByItem } from '../database/size-limited-query.ts'
import { keepsPlan } from '../database/statement.ts'
import { columnsOf, holdRows } from '../engine/held-rows.ts'
import { lockedRecords } from '../engine/locked-records.ts'
import { insertMany, type ManyRows } from '../engine/many-rows.ts'
import type { JsonObject, Key } from '../engine/record.ts'
import type { RecordChange, Resource, SideEffects } from '../engine/resource.ts'

/** An open session. */
interface OpenSession extends Key {
  readonly version: number
}

/** A station at which several sessions are open. */
interface BusyStation {
  /** The sessions that the request opens there, in its order. */
  readonly changes: readonly RecordChange[]
  /** All that are open there, by id. */
  readonly open: readonly OpenSession[]
}

/** What happens to the open session of a station when another one is opened there. */
type Meeting = (transaction: Queryable, stations: readonly BusyStation[]) => Promise<void>

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
    const busy = await busyStations(transaction, changes)
    if (busy.length > 0) await meet(transaction, busy)
  },
})

/** The rule that refuses a second open session. */
export const refusingSecond: SideEffects = oneOpenSession(async (_, [first]) => {
  const { changes, open } = first as BusyStation
  const [{ after, id: ownId }] = changes as readonly [RecordChange]
  const { id } = open.find((other) => other.id !== ownId) as OpenSession
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
  return oneOpenSession(async (transaction, stations) => {
    const closeTime = new Date().toISOString()
    const others = stations.flatMap(({ changes, open }) => open.filter(({ id }) => id !== changes.at(-1)?.id))
    while (others.length > 0) {
      const bodies = await bodiesOf(transaction, others)
      const closed = others.splice(0, bodies.length).flatMap((other, n) => {
        const [, body] = bodies[n] ?? []
        return body === undefined ? [] : { ...other, before: JSON.parse(body) as JsonObject }
      })
      await write(
        transaction,
        closed.flatMap((other) => changed(other, { closeTime }, ['updated', 'closed'])),
      )
      await beginClosings(transaction, closed)
    }
  })
}

const begin: ManyRows = {
  name: 'closing_numbers_begin',
  into: 'insert into closing_numbers (company_id, station_id, number, began_at)',
  row: (of) => `$1, ${of(0)}, 0, ${of(1)}`,
  rest: 'on conflict do nothing',
}

/** Notes for stations without a closing when the session that is closed was created: their first closing includes its records. */
async function beginClosings(
  transaction: Queryable,
  closed: readonly (Key & { readonly before: JsonObject })[],
): Promise<void> {
  for (const [companyId, own] of Map.groupBy(closed, ({ scope }) => scope.companyId)) {
    const rows = own.map(({ before: { stationId, createdAt } }) => [String(stationId), String(createdAt)])
    await insertMany(transaction, begin, [companyId], rows)
  }
}

/** The bodies of the first of some sessions, as many as one statement should return. */
async function bodiesOf(transaction: Queryable, sessions: readonly OpenSession[]) {
  const rows = await transaction.query(
    {
      name: 'sessions_to_close',
      most: STATEMENT_CHARACTERS,
      text: `
      select item.ordinality::int, stored.body
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join sessions as stored on stored.company_id = item.company_id and stored.id = item.id
      where ${keepsPlan('item.ordinality')} order by item.ordinality`,
    },
    columnsOf(sessions),
  )
  return rowsByItem(rows, sessions.length)
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

/** The locked stations at which other sessions are open too. A request can open many at one, so each session is read once, without its body. */
async function busyStations(transaction: Queryable, changes: readonly RecordChange[]): Promise<BusyStation[]> {
  const stations = [...Map.groupBy(changes, ({ scope, after }) => `${scope.companyId} ${after.stationId}`).values()]
  const firsts = stations.map(([first]) => first as RecordChange)
  const rows = await transaction.query(
    {
      name: 'sessions_open_at',
      text: `
      select item.ordinality::int, stored.id, stored.version
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, station_id, ordinality)
      join companies as company on company.id = item.company_id and company.one_open_session
      join stations as station on station.company_id = item.company_id and station.id = item.station_id
      join sessions as stored on stored.company_id = item.company_id and stored.station_id = item.station_id
        and stored.close_time = ''
      order by item.ordinality, stored.id`,
    },
    [firsts.map(({ scope }) => scope.companyId), firsts.map(({ after }) => after.stationId)],
  )
  const open = Map.groupBy(rows, ([ordinal]) => ordinal as number)
  return stations.flatMap((changes, n) => {
    const { scope } = firsts[n] as RecordChange
    const found = (open.get(n + 1) ?? []).map(([, id, version]) => ({ scope, id, version }))
    return found.some(({ id }) => id !== changes[0]?.id) ? [{ changes, open: found }] : []
  })
}
