// Requests over plain sockets, one at a time on each: a fraction of the processor time of node:http, so that a load measures the service and not its sender.
import { connect, type Socket } from 'node:net'

/** A response: its status code. Its body is read and dropped. */
type Sent = (status: number) => void

interface Connection {
  readonly socket: Socket
  done: Sent | undefined
  fail: ((error: Error) => void) | undefined
  status: number
  /** Bytes of the response that are still to come; -1 before its headers have ended. */
  rest: number
  head: string
}

const headEnd = '\r\n\r\n'

/** Takes in bytes of a response, which has a `content-length`; reports it once it is whole. */
function take(connection: Connection, bytes: Buffer, release: () => void): void {
  if (connection.rest < 0) {
    connection.head += bytes.toString('latin1')
    const end = connection.head.indexOf(headEnd)
    if (end < 0) return
    connection.status = Number(connection.head.slice(9, 12))
    const length = Number(/content-length: (\d+)/i.exec(connection.head.slice(0, end + 2))?.[1] ?? 0)
    connection.rest = length - (connection.head.length - end - headEnd.length)
    connection.head = ''
  } else connection.rest -= bytes.length
  if (connection.rest > 0) return
  const { done, status } = connection
  Object.assign(connection, { rest: -1, done: undefined, fail: undefined })
  release()
  done?.(status)
}

/** A sender to one address; requests wait for a free connection when all are in use. */
export function openSockets(url: string, most = 256) {
  const { hostname, port, host } = new URL(url)
  const free: Connection[] = []
  const waiting: ((connection: Connection) => void)[] = []
  const all = new Set<Socket>()

  const open = (): Connection => {
    const socket = connect(Number(port), hostname).setNoDelay()
    const connection: Connection = { socket, done: undefined, fail: undefined, status: 0, rest: -1, head: '' }
    const release = () => (waiting.length > 0 ? waiting.shift()?.(connection) : free.push(connection))
    socket.on('data', (bytes) => take(connection, bytes, release))
    socket.on('error', (error) => connection.fail?.(error))
    // A server closes what was idle for long; the next request opens another one.
    socket.on('close', () => {
      all.delete(socket)
      const place = free.indexOf(connection)
      if (place >= 0) free.splice(place, 1)
      connection.fail?.(new Error('The connection was closed before the response was whole.'))
    })
    all.add(socket)
    return connection
  }

  return {
    /** Sends a request; resolves to its status once the whole response is there. */
    send: (method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<number> =>
      new Promise((resolve, reject) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
        const on = (connection: Connection) => {
          connection.done = resolve
          connection.fail = reject
          connection.socket.write(
            `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}${length}\r\n${body}`,
          )
        }
        const connection = free.pop() ?? (all.size < most ? open() : undefined)
        if (connection) on(connection)
        else waiting.push(on)
      }),
    close: () => {
      for (const socket of all) socket.destroy()
    },
  }
}
