// Requests of tools to a server elsewhere, for an agent that starts a program instead of calling a URL.

import { type AskApi, ToolError } from './tool.ts'

/** Milliseconds after which a request is given up; the server answers sooner. */
const DEADLINE_MS = 20_000

/** Makes requests to a server with a key. */
export function remoteServer(base: URL, key: string): AskApi {
  return async ({ method, path, query = {}, body, idempotencyKey }) => {
    const url = new URL(`${base.href.replace(/\/$/, '')}${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value))
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
      headers: {
        'x-api-key': key,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(({ message, cause }: Error) => {
      const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
      throw new ToolError({ code: 'unreachable', detail: `${base.origin} cannot be reached: ${reason}.` })
    })
    return { status: response.status, text: await response.text() }
  }
}
