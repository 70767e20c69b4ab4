// Alerts of the open company: read from time to time, and marked as read.
import { queryOptions } from '@tanstack/react-query'
import { get, send } from './request.ts'
import type { Alerts } from './schemas.ts'

export type Alert = Alerts['data'][number]

/** Milliseconds between two looks: an alert itself takes up to half a minute to appear. */
const LOOK_MS = 60_000

export const alertsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [companyId, 'alerts'],
    queryFn: ({ signal }) => get<Alerts>({ companyId }, '/v1/alerts', { signal }),
    staleTime: LOOK_MS / 2,
    refetchInterval: LOOK_MS,
    meta: { isBackground: true },
  })

/** Marks alerts as read: those named, or all. */
export const markRead = (companyId: string, ids?: readonly string[]): Promise<Response> =>
  send({ companyId }, '/v1/alerts/read', { method: 'POST', body: ids === undefined ? {} : { ids } })
