// Handles one request at a time on each connection: pipelined requests wait until the client has taken the earlier responses (RFC 9112 9.3.2), so that no client makes the service prepare responses that it does not read.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Pipelining {
  /** Handles a request at its turn; where too many are pipelined, the connection is closed instead. */
  take(request: IncomingMessage, response: ServerResponse): void
  /**
   * Lets the connection end after the responses to the requests that arrived whole; at once when the current one did
   * not. False when no request is being handled, so that another response may be sent.
   */
  endBehind(socket: Socket): boolean
}

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  isLast: boolean
}

/** Makes the turns of a server. Of `capacity`, for all pipelined requests, a connection gets as much as is left for all. */
export function pipelining(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  capacity: number,
): Pipelining {
  // The first of a line is being handled.
  const lines = new WeakMap<Socket, Turn[]>()
  let waiting = 0

  function open(socket: Socket): Turn[] {
    const line: Turn[] = []
    lines.set(socket, line)
    // Node reads on once a request has been handled; what it reads then would only wait.
    socket.on('resume', () => {
      if (line.length > 1) socket.pause()
    })
    return line
  }

  function begin(line: Turn[], { request, response }: Turn): void {
    response.once('close', () => next(line, request.socket))
    handle(request, response)
  }

  function next(line: Turn[], socket: Socket): void {
    const ended = line.shift()
    if (ended?.isLast) socket.destroySoon()
    if (socket.destroyed || ended?.isLast) {
      waiting -= line.length
      line.length = 0
    }
    const [turn] = line
    if (turn === undefined) return
    waiting--
    if (line.length === 1) socket.resume()
    begin(line, turn)
  }

  return {
    take(request, response) {
      const { socket } = request
      // The rest of what arrived at once is refused even then.
      if (socket.destroyed) return
      const turn = { request, response, isLast: false }
      const line = lines.get(socket) ?? open(socket)
      if (line.length === 0) {
        line.push(turn)
        begin(line, turn)
      } else if (line.length > capacity - waiting) socket.destroy()
      else {
        line.push(turn)
        waiting++
        socket.pause()
      }
    },
    endBehind(socket) {
      const line = lines.get(socket) ?? []
      const broken = line.findIndex(({ request }) => !request.complete)
      if (broken === 0) {
        const { headersSent } = (line[0] as Turn).response
        // In the middle of a response, another one would be read as part of it.
        if (headersSent) socket.destroy()
        return headersSent
      }
      if (broken > 0) waiting -= line.splice(broken).length
      const last = line.at(-1)
      if (last === undefined) return false
      last.isLast = true
      if (!last.response.headersSent) last.response.shouldKeepAlive = false
      return true
    },
  }
}
