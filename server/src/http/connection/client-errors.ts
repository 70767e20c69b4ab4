// Answers what is not a valid request: malformed HTTP, requests that arrive too slowly, CONNECT.
import { randomUUID } from 'node:crypto'
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, problemBody, problemJson } from '../../core/problem.ts'
import type { Pipelining } from './pipelining.ts'

/** Answers what is not a valid request. After valid ones on the connection, only their own responses are sent. */
export function answerUnread(pipelined: Pipelining, { code }: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  pipelined.endBehind(socket, () => writeProblem(socket, unread(code)))
}

/** Answers directly on the socket, and ends the connection. */
export function writeProblem(socket: Socket, problem: Problem): void {
  const id = randomUUID()
  const body = problemBody(problem, id)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `content-type: ${problemJson}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'x-content-type-options: nosniff',
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function unread(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(
      'headers_too_large',
      `Path, query and headers must not be larger than ${maxHeaderSize / 1024} KB together.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout', 'The request arrived too slowly.')
  return new Problem('malformed_body', 'The request is not valid HTTP/1.1 (RFC 9112).')
}
