// The session of a sale: the one that it names, or the open one of its station.

import { bodyError, Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'

/** What a sale or a refund says of its session. */
export interface SessionAsked {
  readonly sessionId?: string | undefined
  readonly stationId?: string | undefined
  /** When the sale was made. */
  readonly occurredAt: string
  readonly at: string
}

/** Sessions of a company, as far as sales need them. */
export interface Sessions {
  /** The open session of each station. */
  readonly open: ReadonlyMap<string, string>
  /** When each of the named sessions was closed. */
  readonly closed: ReadonlyMap<string, string>
}

/** Looks up the sessions that are named, and those that are open at the named stations. */
export async function openSessions(
  transaction: Queryable,
  companyId: string,
  asked: readonly SessionAsked[],
): Promise<Sessions> {
  const named = asked.flatMap(({ sessionId }) => sessionId ?? [])
  const stations = asked.flatMap(({ sessionId, stationId }) => (sessionId === undefined ? (stationId ?? []) : []))
  if (named.length + stations.length === 0) return { open: new Map(), closed: new Map() }
  const rows = await transaction.query(
    {
      name: 'sales_sessions',
      text: `
      select 'open', station_id, open.id from unnest($2::text[]) as asked(station_id)
      cross join lateral (
        select stored.id from sessions as stored
        where stored.company_id = $1 and stored.station_id = asked.station_id and stored.close_time = ''
        order by stored.created_at desc limit 1
      ) as open
      union all
      select 'closed', id, close_time from sessions where company_id = $1 and id = any($3) and close_time <> ''`,
    },
    [companyId, [...new Set(stations)], [...new Set(named)]],
  )
  const of = (kind: string) => new Map(rows.filter(([is]) => is === kind).map(([, key, value]) => [key, value]))
  return { open: of('open'), closed: of('closed') }
}

/** The session of a sale; undefined if it has none. A problem if it was closed before the sale was made. */
export function sessionOf(
  { sessionId, stationId, occurredAt, at }: SessionAsked,
  { open, closed }: Sessions,
): string | undefined | Problem {
  if (sessionId === undefined) return stationId === undefined ? undefined : open.get(stationId)
  const closeTime = closed.get(sessionId)
  if (closeTime === undefined || occurredAt <= closeTime) return sessionId
  const message = `The session ${sessionId} was closed at ${closeTime}, before the sale was made.`
  return new Problem('conflict', message, [bodyError(`${at}/sessionId`, 'closed', message)])
}
