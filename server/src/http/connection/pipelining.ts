// Handles one request at a time on each connection: pipelined requests wait until the client has taken the earlier responses (RFC 9112 9.3.2), so that no client makes the service prepare responses that it does not read.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { beginRequest, endRequest } from '../metrics.ts'
import { beginTrace } from '../request-trace.ts'

export interface Pipelining {
  /** Handles a request at its turn; where too many are pipelined, the connection is closed instead. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Lets the connection end after the responses to the requests that arrived completely; at once if the current one did
   * not. Calls `answer` if no request is being handled, or if the current one has no response yet.
   */
  endBehind(socket: Socket, answer: () => void): void
  /** From now on, the last response of each connection says that it is the last, so that busy clients leave by themselves. */
  readonly endAll: () => void
}

/** A request that is being handled or waits for the earlier ones of its connection. */
interface PipelinedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Whether the connection ends behind it. */
  isLast: boolean
}

/** Makes the pipelining of a server. Of `capacity`, for all pipelined requests, a connection gets as much as is left for all. */
export const pipelining = (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  capacity: number,
): Pipelining => new PipelinedRequests(handle, capacity)

/** Makes a response the last of its connection if no request waits behind it. */
function endAfterLast([first, second]: readonly PipelinedRequest[]): void {
  if (first && !second && !first.response.headersSent) first.response.shouldKeepAlive = false
}

/** The requests of all connections that are being handled or wait. */
class PipelinedRequests implements Pipelining {
  readonly #handle: (request: IncomingMessage, response: ServerResponse) => void
  readonly #capacity: number
  /** By connection; the first request is being handled. */
  readonly #requests = new WeakMap<Socket, PipelinedRequest[]>()
  /** The same of the open connections, for `endAll`. */
  readonly #open = new Set<PipelinedRequest[]>()
  #waiting = 0
  #isEnding = false

  constructor(handle: (request: IncomingMessage, response: ServerResponse) => void, capacity: number) {
    this.#handle = handle
    this.#capacity = capacity
  }

  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    // The rest of what arrived at once is refused even then.
    if (socket.destroyed) return
    const own = this.#requests.get(socket) ?? this.#follow(socket)
    const pipelined = { request, response, isLast: false }
    if (own.length === 0) {
      own.push(pipelined)
      this.#begin(own, pipelined)
    } else if (own.length > this.#capacity - this.#waiting) socket.destroy()
    else {
      own.push(pipelined)
      this.#waiting++
      socket.pause()
    }
  }

  endBehind(socket: Socket, answer: () => void): void {
    const own = this.#requests.get(socket) ?? []
    const broken = own.findIndex(({ request }) => !request.complete)
    if (broken === 0) {
      const { response } = own[0] as PipelinedRequest
      // A request that was refused before its body is read gets its response at the end of this turn (unread-body.ts).
      return void setImmediate(() => {
        if (!response.headersSent) answer()
        else if (response.writableEnded) socket.destroySoon()
        // In the middle of a response, another one would be read as part of it.
        else socket.destroy()
      })
    }
    if (broken > 0) this.#waiting -= own.splice(broken).length
    const last = own.at(-1)
    if (last === undefined) return void answer()
    last.isLast = true
    if (!last.response.headersSent) last.response.shouldKeepAlive = false
  }

  readonly endAll = (): void => {
    this.#isEnding = true
    for (const own of this.#open) endAfterLast(own)
  }

  #follow(socket: Socket): PipelinedRequest[] {
    const own: PipelinedRequest[] = []
    this.#requests.set(socket, own)
    this.#open.add(own)
    socket.once('close', () => this.#open.delete(own))
    // Node continues to read once a request has been handled; what it reads then would only wait.
    socket.on('resume', () => {
      if (own.length > 1) socket.pause()
    })
    return own
  }

  #begin(own: PipelinedRequest[], { request, response }: PipelinedRequest): void {
    const begun = beginRequest(request)
    beginTrace(request)
    if (this.#isEnding) endAfterLast(own)
    response.on('close', () => {
      endRequest(request, response, begun)
      this.#next(own, request.socket)
    })
    this.#handle(request, response)
  }

  #next(own: PipelinedRequest[], socket: Socket): void {
    const ended = own.shift()
    if (ended?.isLast) socket.destroySoon()
    if (socket.destroyed || ended?.isLast) {
      this.#waiting -= own.length
      own.length = 0
    }
    const [following] = own
    if (following === undefined) return
    this.#waiting--
    if (own.length === 1) socket.resume()
    this.#begin(own, following)
  }
}
