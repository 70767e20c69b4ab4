// POST /mcp: the Model Context Protocol over HTTP, without sessions. Each tool call becomes requests of the API with the same key.

import type { JsonSchema } from '../../core/json-schema.ts'
import { REQUEST_DEADLINE_MS } from '../../core/limits.ts'
import { bodyError, invalid } from '../../core/problem.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { TRIES } from './retried.ts'
import type { Ask } from './tool.ts'

/** A request to this server itself, made in this process. */
export type AskItself = (asked: {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}) => Promise<{ readonly status: number; readonly text: string }>

/** Requests that a tool makes one after the other. */
const REQUESTS_OF_TOOL = 2

const anything: JsonSchema = {}

/** The route. */
export const mcpRoutes = (askItself: AskItself): Route[] => [
  {
    method: 'POST',
    path: '/mcp',
    surface: 'company',
    forKeys: true,
    takesBearer: true,
    // What a tool needs is checked by the requests that it makes.
    permission: 'read',
    // Its own requests wait there: two in line behind one another could wait for ever.
    semaphore: 'none',
    // Later than the last repetition of its last request: a write that is refused as late is never carried out afterwards.
    deadlineMs: (REQUESTS_OF_TOOL * TRIES + 1) * REQUEST_DEADLINE_MS,
    isHeldBack: true,
    isHidden: true,
    operationId: 'mcp',
    tag: 'Agents',
    summary: 'Speak the Model Context Protocol',
    query: {
      read_only: { type: 'boolean', default: false, description: 'Offer only tools that read.' },
      tools: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'The only tools to offer, separated by commas.',
      },
    },
    body: { schema: anything },
    replies: { 200: { description: 'The response.', schema: anything } },
    handle: (call) => answered(call, askItself),
  },
]

async function answered(call: Call, askItself: AskItself): Promise<Answer> {
  const { headers = {}, query, body } = call
  // A batch, which newer revisions do not have, is refused too.
  if ((body as { jsonrpc?: unknown } | null)?.jsonrpc !== '2.0')
    throw invalid([bodyError('/jsonrpc', 'const', 'must be "2.0", in one message of JSON-RPC')])
  const key = String(headers['x-api-key'])
  const { answerMcp } = await import('./over-http.ts')
  const ask: Ask = ({ method, path, query = {}, body, idempotencyKey }) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) search.append(name, String(value))
    return askItself({
      method,
      url: search.size > 0 ? `${path}?${search}` : path,
      headers: {
        'x-api-key': key,
        host: String(headers.host),
        ...(headers.traceparent !== undefined && { traceparent: String(headers.traceparent) }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
  }
  const settings = { readOnly: query.read_only === true, tools: query.tools?.split(',') }
  return answerMcp({ headers, body }, ask, settings)
}
