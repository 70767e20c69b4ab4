// One request of the Model Context Protocol over HTTP, answered at once and without a session, in the revision that its client speaks.

import type { IncomingHttpHeaders } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { invalid } from '../../core/problem.ts'
import type { Answer } from '../../http/route.ts'
import { type Narrowed, toolServer, wrongTools } from './protocol.ts'
import { type AskApi, retriedRequests } from './tool.ts'

/**
 * Answers a request by the revision of 2026-07-28 if the request names it, otherwise by the revision of its
 * `initialize`, from 2025 on. Throws 400 for a tool that does not exist.
 */
export async function answerMcp(
  { headers, body }: { readonly headers: IncomingHttpHeaders; readonly body: unknown },
  ask: AskApi,
  settings: Narrowed,
): Promise<Answer> {
  const wrong = wrongTools(settings)
  if (wrong !== undefined) throw invalid([{ in: 'query', pointer: 'tools', code: 'enum', message: wrong }])
  // A client has nothing to listen for: there are no subscriptions, and each request has its own server.
  const handler = createMcpHandler(() => toolServer(retriedRequests(ask), settings), { maxSubscriptions: 0 })
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    isPassed(name) ? [[name, String(value)] as const] : [],
  )
  const request = new Request('http://cashwrap/mcp', {
    method: 'POST',
    headers: [...sent] as [string, string][],
    body: '{}',
  })
  const response = await handler.fetch(request, { parsedBody: body })
  const answer = { status: response.status, body: await response.text() }
  await handler.close()
  const contentType = response.headers.get('content-type')
  return contentType === null ? answer : { ...answer, contentType }
}

/** Headers of the protocol; no others are passed on, least of all the key. */
const isPassed = (name: string): boolean => name === 'accept' || name === 'content-type' || name.startsWith('mcp-')
