// Triggers and their deliveries, and the requests for them.
import { type RecordData, recordQuery } from '../../api/records.ts'
import { type CompanyScope, get, send } from '../../api/request.ts'
import type { Event, EventPage, Redelivered, WebhookAttempt, WebhookDelivery } from '../../api/schemas.ts'
import type { Values } from '../../parts/draft.ts'

/** An event as the feed shows it; its data are members of any record. */
export type FeedEvent = Event & Readonly<{ data: Values; previous?: Values }>
export type DeliveryState = WebhookDelivery['state']

/** The latest calls to a receiver, if all of them failed. */
export interface Failing {
  readonly count: number
  readonly since: string
  readonly last: WebhookAttempt
}

/** Milliseconds after which the page of a trigger reads its state and its deliveries again: while a receiver is set up, each call is watched. */
export const lookMs = 3_000

/** Number of recent deliveries whose calls count. */
export const recentDeliveries = { limit: 20 } as const

const isSuccess = ({ status }: WebhookAttempt): boolean => status !== undefined && status >= 200 && status < 300

/** The latest failed calls; undefined if the last call succeeded or there was none. */
export function failingOf(deliveries: readonly WebhookDelivery[]): Failing | undefined {
  const attempts = deliveries
    .flatMap((delivery) => delivery.attempts)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  const end = attempts.findIndex(isSuccess)
  const failed = end < 0 ? attempts : attempts.slice(0, end)
  const last = failed[0]
  const first = failed.at(-1)
  return last && first && { count: failed.length, since: first.at, last }
}

/** The plural path name of a trigger's deliveries. */
export const deliveriesOf = (triggerId: string) => `automation-trigger/${triggerId}/deliveries` as const

export const triggerQuery = (scope: CompanyScope, id: string) =>
  recordQuery(scope, 'automation-trigger', 'automation-triggers', id)

const act = <T>(scope: CompanyScope, path: string, body?: unknown): Promise<T> =>
  get<T>(scope, `/v1/automation-trigger/${path}`, { method: 'POST', body })

export const sendTest = (scope: CompanyScope, id: string): Promise<WebhookDelivery> => act(scope, `${id}/test`)

export const redeliver = (scope: CompanyScope, id: string, deliveryId: string): Promise<WebhookDelivery> =>
  act(scope, `${id}/deliveries/${deliveryId}/redeliver`)

/** Repeats the request until nothing is left; calls `progress` with the count so far. */
export async function redeliverFailed(
  scope: CompanyScope,
  id: string,
  since: string,
  progress: (count: number) => void,
): Promise<number> {
  for (let all = 0; ; ) {
    const { count, hasMore } = await act<Redelivered>(scope, `${id}/redeliver`, { since })
    all += count
    if (!hasMore || count === 0) return all
    progress(all)
  }
}

export const replay = (scope: CompanyScope, id: string, since: string): Promise<unknown> =>
  act(scope, `${id}/replay`, { since })

export const switchTrigger = (scope: CompanyScope, id: string, isActive: boolean): Promise<RecordData> =>
  get<RecordData>(scope, `/v1/automation-trigger/${id}`, { method: 'PATCH', body: { isActive } })

export const removeTrigger = (scope: CompanyScope, id: string): Promise<Response> =>
  send(scope, `/v1/automation-trigger/${id}`, { method: 'DELETE' })

/** The event of a delivery, as long as it is kept. */
export async function eventAt(scope: CompanyScope, sequence: number, signal?: AbortSignal): Promise<FeedEvent | null> {
  const query = { after: Math.max(0, sequence - 1), limit: 1 }
  const { data } = await get<EventPage>(scope, '/v1/events', { query, signal })
  return data[0]?.sequence === sequence ? data[0] : null
}

/** A secret in the form of Standard Webhooks: 256 random bits. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/** What the server shows instead of a secret. */
export const isMask = (secret: string): boolean => secret.includes('•')
