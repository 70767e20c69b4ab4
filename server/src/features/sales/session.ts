// The session of a sale: the one that it names, the open one of its station, or a closed one, during or after which the sale was made.
// Money that is taken or paid back later is in the session, and at the outlet, of the till that moves it (decision 86).

import { bodyError, orThrow, Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { keepsPlan } from '../../database/statement.ts'
import type { JsonObject } from '../../engine/record.ts'

/**
 * Days after its end in which a closed session still gets sales, until the next session begins: the station’s next closing includes
 * them. Later sales get no session, since the shop may have stopped using sessions.
 */
const DAYS_AFTER = 31
const DAY_MS = 24 * 60 * 60_000
/** Sessions that are compared at most, since they may be open at once: a till has one, or one for each of its cashiers. */
const OPEN_AT_ONCE = 20

/** What a sale or a refund says of its session. */
export interface SessionAsked {
  readonly sessionId?: string | undefined
  readonly stationId?: string | undefined
  /** When the sale was made. */
  readonly occurredAt: string
  readonly at: string
}

/** Sessions of a company, as far as sales need them. */
interface Sessions {
  /** The session of each station for a sale of each time, by `placeOf`. */
  readonly byPlace: ReadonlyMap<string, string>
  /** When each of the named sessions was closed. */
  readonly closed: ReadonlyMap<string, string>
}

/** One key for a station and a time. */
const placeOf = ({ stationId, occurredAt }: Pick<SessionAsked, 'stationId' | 'occurredAt'>): string =>
  JSON.stringify([stationId, occurredAt])

/**
 * Looks up the sessions that are named, and those of the named stations: the open one, or else the closed one that was open when the sale was
 * made, or was opened last before it. A till that was offline sends sales after its session was closed, and a till may sell once more after its session was closed.
 */
export async function findSessions(
  transaction: Queryable,
  companyId: string,
  asked: readonly SessionAsked[],
): Promise<Sessions> {
  const named = asked.flatMap(({ sessionId }) => sessionId ?? [])
  const stations = asked.filter(({ sessionId, stationId }) => sessionId === undefined && stationId !== undefined)
  const places = [...new Map(stations.map((one) => [placeOf(one), one])).values()]
  if (named.length + places.length === 0) return { byPlace: new Map(), closed: new Map() }
  const rows = await transaction.query(
    {
      name: 'sales_sessions',
      text: `
      select ordinality::int, '', coalesce((
        select stored.id from sessions as stored
        where stored.company_id = $1 and stored.station_id = asked.station_id and stored.close_time = ''
        order by stored.created_at desc limit 1
      ), (
        select id from (
          select stored.id, stored.close_time, stored.created_at from sessions as stored
          where stored.company_id = $1 and stored.station_id = asked.station_id and stored.close_time >= asked.earliest
            and coalesce(nullif(stored.open_time, ''), stored.created_at) <= asked.moment
          order by stored.created_at desc limit ${OPEN_AT_ONCE}
        ) as latest order by close_time >= asked.moment desc, created_at desc limit 1
      )) from unnest($2::text[], $3::text[], $4::text[]) with ordinality as asked(station_id, moment, earliest, ordinality)
      where ${keepsPlan('ordinality')}
      union all
      select 0, id, close_time from sessions where company_id = $1 and id = any($5) and close_time <> ''`,
    },
    [
      companyId,
      places.map(({ stationId }) => stationId),
      places.map(({ occurredAt }) => occurredAt),
      places.map(({ occurredAt }) => new Date(Date.parse(occurredAt) - DAYS_AFTER * DAY_MS).toISOString()),
      [...new Set(named)],
    ],
  )
  const byPlace = rows.flatMap(([n, , id]): [string, string][] =>
    n > 0 && id !== null ? [[placeOf(places[n - 1] as SessionAsked), id]] : [],
  )
  const closed = rows.flatMap(([n, id, closeTime]): [string, string][] => (n === 0 ? [[id, closeTime]] : []))
  return { byPlace: new Map(byPlace), closed: new Map(closed) }
}

/** The session of a sale; undefined if it has none. A problem if it was closed before the sale was made. */
export function sessionOf(asked: SessionAsked, { byPlace, closed }: Sessions): string | undefined | Problem {
  const { sessionId, occurredAt, at } = asked
  if (sessionId === undefined) return byPlace.get(placeOf(asked))
  const closeTime = closed.get(sessionId)
  if (closeTime === undefined || occurredAt <= closeTime) return sessionId
  const message = `The session ${sessionId} was closed at ${closeTime}, before ${occurredAt}. To use the open session of the till, or else its next closing, send stationId without sessionId.`
  return new Problem('conflict', message, [bodyError(`${at}/sessionId`, 'closed', message)])
}

/** Where money of a stored sale is taken or paid back. */
interface MoneyPlace {
  readonly sessionId: string | undefined
  readonly outletId: string | undefined
}

/** What names a till. */
type Till = Pick<SessionAsked, 'sessionId' | 'stationId'>

/** What a request says about the till that moves the money of a sale. */
interface TillAsked {
  readonly sent: Till
  readonly occurredAt: string
  readonly order: Pick<SessionAsked, 'stationId'> & { readonly outletId?: string | undefined }
}

/**
 * The session of the till that a request names, by default the order’s, and the outlet of that till. The outlet is the order’s
 * if the request names no till, or an unknown one. Throws 409.
 */
export async function moneyPlace(
  transaction: Queryable,
  companyId: string,
  { sent, occurredAt, order }: TillAsked,
): Promise<MoneyPlace> {
  const asked = { ...sent, stationId: sent.stationId ?? order.stationId, occurredAt, at: '' }
  const sessionId = orThrow(sessionOf(asked, await findSessions(transaction, companyId, [asked])))
  const outletId = await tillOutlet(transaction, companyId, sent, { ...asked, sessionId })
  return { sessionId, outletId: outletId ?? order.outletId }
}

/** The outlet of the till whose session was found, or else of the station; undefined if the request names no till, or an unknown one. */
export async function tillOutlet(
  transaction: Queryable,
  companyId: string,
  sent: Till,
  till: Till,
): Promise<string | undefined> {
  if ((sent.sessionId ?? sent.stationId) === undefined) return undefined
  return (await outletsOf(transaction, companyId, [till]))(till)
}

/** Gives each sale that names a till and no outlet the outlet of the till. */
export async function tillOutlets(
  database: Queryable,
  companyId: string,
  orders: readonly JsonObject[],
): Promise<<T extends JsonObject>(order: T) => T> {
  // Of two tills, it is the one that reports have the sale at.
  const tillOf = ({ stationId, sessionId }: JsonObject) =>
    (stationId === undefined ? { sessionId } : { stationId }) as Till
  const lacking = orders.filter(({ outletId }) => outletId === undefined)
  const outletOf = await outletsOf(database, companyId, lacking.map(tillOf))
  return (order) => {
    const outletId = order.outletId === undefined ? outletOf(tillOf(order)) : undefined
    return outletId === undefined ? order : { ...order, outletId }
  }
}

/** Looks up the outlets of tills, each of the station of its session or else of its station. */
async function outletsOf(
  database: Queryable,
  companyId: string,
  tills: readonly Till[],
): Promise<(till: Till) => string | undefined> {
  const nameOf = ({ sessionId, stationId }: Till) => JSON.stringify([sessionId ?? null, stationId ?? null])
  const named = tills.filter(({ sessionId, stationId }) => (sessionId ?? stationId) !== undefined)
  const asked = [...new Map(named.map((till) => [nameOf(till), till])).values()]
  if (asked.length === 0) return () => undefined
  const rows = await database.query(
    {
      name: 'sales_till_outlets',
      text: `
      select (
        select outlet_id from stations where company_id = $1 and id = coalesce(
          (select nullif(station_id, '') from sessions where company_id = $1 and id = asked.session_id), asked.station_id
        )
      ) from unnest($2::text[], $3::text[]) with ordinality as asked(session_id, station_id, ordinality)
      where ${keepsPlan('ordinality')} order by ordinality`,
    },
    [companyId, asked.map(({ sessionId }) => sessionId ?? null), asked.map(({ stationId }) => stationId ?? null)],
  )
  const outlets = new Map(asked.map((till, n) => [nameOf(till), rows[n]?.[0] || undefined]))
  return (till) => outlets.get(nameOf(till))
}
