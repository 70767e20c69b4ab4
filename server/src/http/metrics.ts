// What the service counts of requests: how long they take, how many are refused and why, and what is replayed.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { reasons } from '../core/problem.ts'
import { counter, type Distribution, gauge, HTTP_SECONDS, histogram } from '../metrics/instruments.ts'
import { requestEnded } from './request-note.ts'
import { endTrace } from './request-trace.ts'

const durations = histogram(
  {
    name: 'http_server_request_duration_seconds',
    help: 'Seconds from the arrival of a request to the end of its response, or of its connection.',
    labels: ['http_request_method', 'http_route', 'http_response_status_code'],
  },
  HTTP_SECONDS,
)
const active = gauge({
  name: 'http_server_active_requests',
  help: 'Requests in progress, from their arrival to the end of their response.',
  labels: ['http_request_method', 'url_scheme'],
})
const refusals = counter({
  name: 'cashwrap_refusals_total',
  help: 'Requests answered 503 or 429, by the reason that the response has.',
  labels: ['http_response_status_code', 'reason'],
})

/** Responses that were replayed, for an Idempotency-Key whose work was done before. */
export const replays = counter({
  name: 'cashwrap_idempotent_replays_total',
  help: 'Responses replayed for an Idempotency-Key whose work had been done before.',
})

const refusedBy = Object.fromEntries(
  Object.entries(reasons).map(([reason, status]) => [reason, refusals.of(String(status), reason)]),
)

/** Counts a 503 or a 429 by its reason; a rule of a shop is not such a reason. */
export function countRefusal(reason: string): void {
  const count = refusedBy[reason]
  if (count !== undefined) count.value++
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const otherMethod = '_OTHER'
const activeBy = new Map([...methods, otherMethod].map((method) => [method as string, active.of(method, 'http')]))

/** The series of a route by method and status, so that a request looks up no text. */
class RouteDurations {
  readonly route: string
  readonly #byStatus = new Map<string, Map<number, Distribution>>()

  constructor(route: string) {
    this.route = route
  }

  observe(method: string, status: number, seconds: number): void {
    let ofMethod = this.#byStatus.get(method)
    if (ofMethod === undefined) {
      ofMethod = new Map()
      this.#byStatus.set(method, ofMethod)
    }
    let own = ofMethod.get(status)
    if (own === undefined) {
      own = durations.of(method, this.route, status === 0 ? '' : String(status))
      ofMethod.set(status, own)
    }
    own.observe(seconds)
  }
}

/** Requests for paths that no route has. */
const withoutRoute = new RouteDurations('')
const routes = new Map<string, RouteDurations>()

/** The durations of a route, by its path as the reference shows it. */
export function durationsOf(path: string): RouteDurations {
  let own = routes.get(path)
  if (own === undefined) {
    own = new RouteDurations(path)
    routes.set(path, own)
  }
  return own
}

/** A request with what is measured of its route, once that is known. */
interface MeasuredRequest extends IncomingMessage {
  durations?: RouteDurations
}

/** Notes the route of a request. */
export const noteRoute = (request: IncomingMessage, durations: RouteDurations): void => {
  ;(request as MeasuredRequest).durations = durations
}

/** Counts a request that begins; returns when. */
export function beginRequest({ method = '' }: IncomingMessage): number {
  const count = activeBy.get(method) ?? activeBy.get(otherMethod)
  if (count !== undefined) count.value++
  return performance.now()
}

/** Measures a request that has ended. One whose client left before the response began has no status. */
export function endRequest(request: MeasuredRequest, response: ServerResponse, begun: number): void {
  const { method = '', durations: own = withoutRoute } = request
  const known = activeBy.has(method) ? method : otherMethod
  const count = activeBy.get(known)
  if (count !== undefined) count.value--
  endTrace(request, response, own.route)
  const status = response.headersSent ? response.statusCode : undefined
  const ms = performance.now() - begun
  requestEnded(request, status, ms)
  own.observe(known, status ?? 0, ms / 1000)
}
