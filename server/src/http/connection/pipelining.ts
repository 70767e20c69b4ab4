// One request at a time on each connection: those that a client sends ahead wait until the answers before theirs were taken (RFC 9112 9.3.2), so that nobody makes the service prepare answers that he does not read.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Pipelining {
  /** Handles a request when its turn has come; where too many were sent ahead the connection is closed instead. */
  take(request: IncomingMessage, response: ServerResponse): void
  /**
   * Lets the connection end behind the answers to the requests that have come whole, at once when the one that is being
   * answered has not. False when nothing is being answered, so that something else may be.
   */
  endBehind(socket: Socket): boolean
}

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  isLast: boolean
}

/** Makes the turns of a server. Of `room`, for all requests sent ahead, a connection gets as much as is left for all. */
export function pipelining(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  room: number,
): Pipelining {
  // The first of a line is being handled.
  const lines = new WeakMap<Socket, Turn[]>()
  let waiting = 0

  function open(socket: Socket): Turn[] {
    const line: Turn[] = []
    lines.set(socket, line)
    // Node reads on once a request has been dealt with; what it reads then would only wait.
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
      // Of what has come at once, the rest is told even then.
      if (socket.destroyed) return
      const turn = { request, response, isLast: false }
      const line = lines.get(socket) ?? open(socket)
      if (line.length === 0) {
        line.push(turn)
        begin(line, turn)
      } else if (line.length > room - waiting) socket.destroy()
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
        // In the middle of an answer another one would be read as part of it.
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
