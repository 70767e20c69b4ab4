// Reports and closings of sessions, as the API returns them.
import { queryOptions } from '@tanstack/react-query'
import { someQuery } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type { Closing, SessionClose, SessionReport } from '../../api/schemas.ts'

interface Scope {
  readonly companyId: string
}

/** The report of a session, read again while a till may be selling. */
export const reportQuery = ({ companyId }: Scope, id: string) =>
  queryOptions({
    queryKey: [companyId, 'sessions', 'report', id],
    queryFn: ({ signal }) =>
      get<SessionReport>({ companyId }, `/v1/session/${encodeURIComponent(id)}/report`, { signal }),
    refetchInterval: ({ state }) => state.data?.closeTime === undefined && 30_000,
  })

/** The closings of a session, the last one first: one for each time that it was closed with what was counted. */
export const closingsQuery = (scope: Scope, sessionId: string) =>
  someQuery(scope, 'closings', { sessionId, sortBy: 'createdAt', sortOrder: 'desc' })

/** A closing, which never changes. */
export const closingQuery = ({ companyId }: Scope, id: string) =>
  queryOptions({
    queryKey: [companyId, 'closings', 'one', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => get<Closing>({ companyId }, `/v1/closing/${encodeURIComponent(id)}`, { signal }),
  })

/** Closes a session with what was counted. `key` is the idempotency key. */
export const closeSession = (scope: Scope, id: string, body: SessionClose, key: string): Promise<Closing> =>
  get<Closing>(scope, `/v1/session/${encodeURIComponent(id)}/close`, {
    method: 'POST',
    body,
    headers: { 'idempotency-key': key },
  })
