// The place of a request in its trace: from its header, or a new one where traces are on; and the span of the request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readTraceparent, type TraceContext } from '../core/trace-context.ts'
import { type OpenSpan, tracing } from '../tracing/tracer.ts'

/** A request with its place in a trace. */
interface TracedRequest extends IncomingMessage {
  trace?: TraceContext | undefined
  span?: OpenSpan
}

/** The place of a request in its trace, if it has one. */
export const traceOf = (request: IncomingMessage): TraceContext | undefined => (request as TracedRequest).trace

/** The member of a log line that names the trace. */
export const traceMember = (request: IncomingMessage): { readonly traceId?: string } => {
  const trace = traceOf(request)
  return trace === undefined ? {} : { traceId: trace.traceId }
}

/** Reads the header, and begins the span of the request if traces are on. */
export function beginTrace(request: TracedRequest): void {
  const { headers, method = '' } = request
  const parent = headers.traceparent === undefined ? undefined : readTraceparent(headers.traceparent)
  if (tracing.tracer) request.span = tracing.tracer.begin({ name: method, kind: 'server', parent })
  const trace = request.span?.context ?? parent
  if (trace !== undefined) request.trace = trace
}

/** Ends the span of a request, whose route is known then: the path that the reference shows, or none. */
export function endTrace({ span, method = '' }: TracedRequest, response: ServerResponse, route: string): void {
  if (span === undefined) return
  const { headersSent, statusCode } = response
  const attributes = {
    'http.request.method': method,
    ...(route !== '' && { 'http.route': route }),
    ...(headersSent && { 'http.response.status_code': statusCode }),
  }
  const failed = headersSent ? (statusCode >= 500 ? String(statusCode) : undefined) : 'aborted'
  span.end({ name: route === '' ? method : `${method} ${route}`, attributes, error: failed })
}
