// Bounds what an idle client can hold: sockets that send nothing, send slowly, or never take their response.

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { HEADER_FIELDS, IMPORT_SENT_MS, REQUEST_READ_MS, SOCKET_SILENCE_MS } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import { divided } from '../../core/worker-share.ts'

/** Milliseconds within which the headers of a request must arrive, and the first byte of a connection: 16 KB take no longer anywhere. */
const HEADERS_READ_MS = 15_000
/** Milliseconds that a connection waits for its next request: longer than proxies wait (60 s), so that the proxy closes first. */
const KEEP_ALIVE_MS = 72_000
/** Milliseconds within which a client must read the rest of an answer: the longest unstreamed page, 16 MB, at 0.5 Mbit/s. */
const ANSWER_TAKEN_MS = 300_000
/** Milliseconds between two checks of all connections for expired times: some microseconds each. */
const SOCKET_CHECK_MS = 5_000
/** Requests that clients have pipelined, on all connections: parsed, each costs some 3 KB. */
export const SENT_AHEAD = divided(10_000, 1_000)
/** Connections of one server: an idle one costs about 10 KB, and file descriptors must not run out. */
const SOCKETS = divided(10_000, 1_000)

/** The limits of connections; times in milliseconds, each kept to within `checkMs`. */
export interface SocketLimits {
  /** From a connection's opening, or a request's first byte, to the end of its headers. */
  readonly headersMs: number
  /** From a request's headers to its last byte. */
  readonly requestMs: number
  /** The same for a request with a file as its body. */
  readonly fileMs: number
  /** From a response to the next request. */
  readonly keepAliveMs: number
  /** In which nothing is read or written while a request or its response is in progress. */
  readonly silenceMs: number
  /** From when bytes were seen waiting until the client has taken them: those of a response, or of a chunk of a streamed one. */
  readonly answerMs: number
  readonly checkMs: number
  /** Concurrent connections. */
  readonly most: number
  /** Pipelined requests that wait, on all connections together. */
  readonly ahead: number
}

export const socketLimits: SocketLimits = {
  headersMs: HEADERS_READ_MS,
  requestMs: REQUEST_READ_MS,
  fileMs: IMPORT_SENT_MS,
  keepAliveMs: KEEP_ALIVE_MS,
  silenceMs: SOCKET_SILENCE_MS,
  answerMs: ANSWER_TAKEN_MS,
  checkMs: SOCKET_CHECK_MS,
  most: SOCKETS,
  ahead: SENT_AHEAD,
}

/** What waits to be taken: how many bytes the socket had received in all, and when. */
interface WaitingBytes {
  readonly given: number
  readonly since: number
}

const files = new WeakSet<IncomingMessage>()

/** Gives a request with a file as its body the longer time limit of files. */
export const mayComeSlowly = (request: IncomingMessage): void => void files.add(request)

/** A request whose body has not arrived completely. */
interface ArrivingRequest {
  readonly request: IncomingMessage
  readonly since: number
}

/** Sets the limits that Node has no option for. The others are options of the server. */
export function boundSockets(server: Server, limits: SocketLimits, log: Logger): void {
  const { most, answerMs, checkMs } = limits
  let refused = 0
  server.maxConnections = most
  server.on('drop', () => void refused++)

  const sockets = new Map<Socket, WaitingBytes | undefined>()
  const reading = new Map<Socket, ArrivingRequest>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      reading.delete(socket)
    })
  })
  // Of several pipelined ones, the last is being read.
  server.on('request', (request: IncomingMessage) => {
    const { headers, socket } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) reading.delete(socket)
    else reading.set(socket, { request, since: performance.now() })
  })
  const checking = setInterval(() => {
    if (refused > 0) log.warn({ refused, most }, 'connections refused: the limit is reached')
    refused = 0
    const now = performance.now()
    for (const [socket, waiting] of sockets) {
      const given = socket.bytesWritten
      if (socket.writableLength === 0) sockets.set(socket, undefined)
      // Bytes written since then give the earlier ones no more time.
      else if (waiting === undefined || given - socket.writableLength >= waiting.given)
        sockets.set(socket, { given, since: now })
      else if (now - waiting.since > answerMs) socket.destroy()
    }
    for (const [socket, { request, since }] of reading) {
      if (request.complete) reading.delete(socket)
      else if (now - since > (files.has(request) ? limits.fileMs : limits.requestMs)) {
        reading.delete(socket)
        server.emit(
          'clientError',
          Object.assign(new Error('The request arrived too slowly.'), { code: tooSlow }),
          socket,
        )
      }
    }
  }, checkMs)
  checking.unref()
  server.once('close', () => clearInterval(checking))
}

/** Node's code for it. */
const tooSlow = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Whether a request has more header fields than are read: Node would drop some silently. */
export const hasTooManyHeaders = (request: IncomingMessage): boolean => request.rawHeaders.length > 2 * HEADER_FIELDS

export const tooManyHeaders = (): Problem =>
  new Problem('headers_too_large', `The request must have at most ${HEADER_FIELDS} header fields.`)
