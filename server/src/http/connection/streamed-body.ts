// Files as bodies: taken piece by piece as they come, never whole in memory, and no faster than they are dealt with.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../core/problem.ts'
import { declaredBytes } from './body-memory.ts'
import { continueNow } from './expect-continue.ts'
import { mayComeSlowly } from './socket-limits.ts'

/** What a route takes in place of JSON. */
export interface TakenText {
  /** A media type that the server has a parser for. */
  readonly contentType: 'text/csv'
  /** Most bytes. */
  readonly bytes: number
  /** For the reference. */
  readonly description: string
  readonly example: string
}

/** A body on its way. */
export interface TextBody {
  /** What the request says that it has; undefined when it does not say. */
  readonly declaredBytes: number | undefined
  /**
   * The bytes, so many at once and the last fewer; asked again it goes on where it stopped. While nobody asks, the caller
   * waits. The bytes are valid until the next call, which writes over them. Throws `payload_too_large`, and what breaks the connection.
   */
  next(bytes: number): Promise<Buffer>
  /** Reads what is left and forgets it, so that `digest` is that of the whole. */
  drain(): Promise<void>
  /** Throws away what was not read, so that the connection can go on; beyond as much as a body may have, it is broken. */
  leave(): void
  /** SHA-256 of what was read so far, where the body is digested. */
  digest(): string
}

/** Lets a body come. Throws `unsupported_media_type` or `payload_too_large` before anything of it is read. */
export function admitText(request: IncomingMessage, { contentType, bytes }: TakenText): void {
  const declared = declaredBytes(request)
  if (declared === 0) return
  const sent = request.headers['content-type'] ?? ''
  if (sent.split(';')[0]?.trim().toLowerCase() !== contentType)
    throw new Problem('unsupported_media_type', `The body must be sent with the header content-type: ${contentType}.`)
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Problem('unsupported_media_type', 'The body must not be compressed.')
  if (declared !== undefined && declared > bytes) throw tooLong(bytes)
  mayComeSlowly(request)
}

const tooLong = (bytes: number) =>
  new Problem('payload_too_large', `The body is larger than ${bytes / 1024 / 1024} MB.`)

/**
 * Gives back the memory of a chunk that was dealt with. To wait for the garbage collector means tens of MB more: it runs when
 * it likes, and a fast client sends 100 MB in a second. A chunk that shares its memory with others is left to the collector.
 */
function free(chunk: Buffer): void {
  const { buffer } = chunk
  if (
    chunk.byteOffset + chunk.length === buffer.byteLength &&
    buffer.byteLength > Buffer.poolSize &&
    buffer instanceof ArrayBuffer
  )
    buffer.transfer(0)
}

/** Makes the body of a request of which nothing was read yet; it is digested where that is asked for. */
export function textBody(
  request: IncomingMessage,
  response: ServerResponse,
  { most, isDigested }: { most: number; isDigested: boolean },
): TextBody {
  const hash = isDigested ? createHash('sha256') : undefined
  let chunks: AsyncIterator<Buffer, undefined> | undefined
  // What came beyond the piece that was asked for.
  let left: Buffer = Buffer.alloc(0)
  let length = 0
  // One for all pieces: a new one each time would be garbage that piles up faster than it is collected.
  let piece: Buffer = left

  async function more(): Promise<Buffer | undefined> {
    if (chunks === undefined) {
      continueNow(request, response)
      // To destroy the request would break the connection, on which the answer is still to be given.
      chunks = request.iterator({ destroyOnReturn: false })
    }
    const { value, done } = await chunks.next()
    if (done) return undefined
    length += value.length
    if (length > most) throw tooLong(most)
    hash?.update(value)
    return value
  }

  return {
    declaredBytes: declaredBytes(request),
    async next(bytes) {
      if (piece.length < bytes) piece = Buffer.allocUnsafe(bytes)
      let filled = 0
      while (filled < bytes) {
        const chunk = left.length > 0 ? left : await more()
        if (chunk === undefined) break
        const copied = chunk.copy(piece, filled)
        filled += copied
        left = chunk.subarray(copied)
        if (left.length === 0) free(chunk)
      }
      return piece.subarray(0, filled)
    },
    async drain() {
      for (let chunk = await more(); chunk !== undefined; chunk = await more()) free(chunk)
    },
    leave() {
      // While somebody iterates, a stream does not flow.
      Promise.resolve(chunks?.return?.())
        .catch(() => {})
        .then(() => {
          let thrownAway = 0
          // Who is not told how long it is could be sending for ever.
          request.on('data', (chunk: Buffer) => {
            thrownAway += chunk.length
            free(chunk)
            if (thrownAway > most) request.socket.destroy()
          })
        })
    },
    digest: () => hash?.copy().digest('base64url') ?? '',
  }
}
