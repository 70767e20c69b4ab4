// POST /mcp: the Model Context Protocol over HTTP, without sessions. Each tool call becomes requests of the API with the same key.

import { fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { companyActivity } from '../../concurrency/tenant-activity.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { REQUEST_DEADLINE_MS } from '../../core/limits.ts'
import { bodyError, invalid } from '../../core/problem.ts'
import { divided } from '../../core/worker-share.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { type AskApi, sentOf, ToolError, TRIES } from './tool.ts'

/** A request to this server itself, made in this process. */
export type AskItself = (asked: {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}) => Promise<OwnAnswer>

/** Requests that a tool makes one after the other. */
const REQUESTS_OF_TOOL = 2
/**
 * Calls of tools at once, each with an answer of some megabytes that is in memory several times over, and calls that
 * wait.
 */
const TOOL_CALLS = { name: 'mcp', atOnce: divided(4, 2), waiting: divided(256, 64) }

const anything: JsonSchema = {}

/** The route. */
export function mcpRoutes(askItself: AskItself): Route[] {
  const turns = fairSemaphore(TOOL_CALLS, companyActivity)
  const waiter = ({ scope, isGone }: Call) => ({ tenant: scope.companyId, isGone })
  return [route((call) => turns(waiter(call), () => answered(call, askItself)))]
}

const route = (handle: Route['handle']): Route => ({
  method: 'POST',
  path: '/mcp',
  surface: 'company',
  forKeys: true,
  // What a tool needs is checked by the requests that it makes.
  limitedKeys: 'always',
  takesBearer: true,
  permission: 'read',
  // It has a semaphore of its own: its requests wait in those of their routes, and in a shared one it could wait for
  // its own requests for ever.
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
  handle,
})

async function answered(call: Call, askItself: AskItself): Promise<Answer> {
  const { headers = {}, query, body } = call
  // A batch, which newer revisions do not have, is refused too.
  if ((body as { jsonrpc?: unknown } | null)?.jsonrpc !== '2.0')
    throw invalid([bodyError('/jsonrpc', 'const', 'must be "2.0", in one message of JSON-RPC')])
  const key = String(headers['x-api-key'])
  const { answerMcp } = await import('./protocol.ts')
  const ask: AskApi = async (asked) => {
    const { url, headers: own, body: payload } = sentOf(asked)
    const answer = await askItself({
      method: asked.method,
      url,
      headers: {
        'x-api-key': key,
        host: String(headers.host),
        ...(headers.traceparent !== undefined && { traceparent: String(headers.traceparent) }),
        ...own,
      },
      ...(payload !== undefined && { payload }),
    })
    return { status: answer.status, text: await readAnswer(answer, asked.method) }
  }
  const settings = {
    readOnly: query.read_only === true,
    tools: query.tools?.split(',').map((name: string) => name.trim()),
  }
  return answerMcp({ headers, body }, ask, settings)
}

/** An answer of this server to itself, which is produced as it is read. */
interface OwnAnswer {
  readonly status: number
  readonly body: AsyncIterable<Buffer>
  /** Ends the answer, as a client does that closes its connection. */
  readonly end: () => void
}

/** Bytes of an answer to a read: two of the longest records, and more than any model takes. */
const READ_BYTES = 4 * 1024 * 1024
/** Bytes of an answer to a write, which cannot be read again: more than that of the largest bulk. */
const WRITE_BYTES = 16 * 1024 * 1024

/** The text of an answer. Throws a ToolError, and ends the answer, where it is too long. */
async function readAnswer({ body, end }: OwnAnswer, method: string): Promise<string> {
  const most = method === 'GET' ? READ_BYTES : WRITE_BYTES
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) {
      end()
      throw new ToolError({ code: 'result_too_long', detail: tooLong(method, most) })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const tooLong = (method: string, most: number): string =>
  `The result has more than ${most / 1024 / 1024} MiB. ${
    method === 'GET'
      ? 'Ask for fewer records with limit, or get them one by one.'
      : 'The call was carried out. Read the parts that you need with list or get.'
  }`
