// Requests byte by byte over TCP, for what no HTTP client would send.
import { connect } from 'node:net'

interface RawReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The connection broke while bytes were being sent: most clients would show that and no response. */
  readonly isBroken: boolean
}

/** Writes bytes unchanged, part after part, and reads until the server closes the connection. */
async function exchange(url: string, parts: Iterable<string | Uint8Array>) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  let isBroken = false
  socket.on('data', (bytes) => received.push(bytes))
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('error', () => {
      isBroken = true
      resolve()
    })
  })
  for (const part of parts) {
    if (socket.destroyed) break
    await new Promise((resolve) => socket.write(part, resolve))
  }
  await closed
  return { text: Buffer.concat(received).toString(), isBroken }
}

/** Everything that some bytes are answered with, unparsed. */
export const rawText = async (url: string, parts: Iterable<string | Uint8Array>): Promise<string> =>
  (await exchange(url, parts)).text

/** The response to one request. Send `connection: close`, or something else that makes the server close the connection. */
export async function raw(url: string, ...parts: (string | Uint8Array)[]): Promise<RawReply> {
  const { text, isBroken } = await exchange(url, parts)
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1] ?? 0), headers, text: rest.join('\r\n\r\n'), isBroken }
}

/** The text of a GET after whose response the connection is closed. */
export const get = (path: string, ...headers: string[]): string =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`
