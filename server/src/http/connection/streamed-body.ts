// Files as bodies: read chunk by chunk as they arrive, never whole in memory, and no faster than they are handled.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NAME_CHARACTERS } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import { declaredBytes } from './body-memory.ts'
import { mayComeSlowly } from './socket-limits.ts'
import { continueNow } from './unread-body.ts'

/** What a route accepts in place of JSON. */
export interface TakenFile {
  /** Its media type; `*` for any but JSON, which is read as a body. */
  readonly contentType: 'text/csv' | '*'
  readonly bytes: number
  /** For the reference. */
  readonly description: string
  readonly example?: string
}

/** A body being received. */
export interface FileBody {
  /** Its media type in lower case; the only parameter is the `charset` of a text. */
  readonly contentType: string
  /** The declared length; undefined when the request does not declare it. */
  readonly declaredBytes: number | undefined
  /**
   * The bytes, in chunks of this size and a smaller last one; a further call continues where it stopped. While no one
   * reads, the client waits. The bytes are valid until the next call, which overwrites them. Throws
   * `payload_too_large`, and the error that breaks the connection.
   */
  next(bytes: number): Promise<Buffer>
  /** Reads and drops the rest, so that `digest` covers the whole body. */
  drain(): Promise<void>
  /** Drops what was not read, so that the connection can be reused; beyond the maximum size, the connection is closed. */
  leave(): void
  /** SHA-256 of what was read so far, where the body is digested. */
  digest(): string
}

/** Accepts a body. Throws `unsupported_media_type` or `payload_too_large` before any of it is read. */
export function admitFile(request: IncomingMessage, { contentType, bytes }: TakenFile): void {
  const declared = declaredBytes(request)
  if (declared === 0) return
  const sent = mediaTypeOf(request)
  if (contentType !== '*' && sent !== contentType)
    throw new Problem('unsupported_media_type', `The body must be sent with the header content-type: ${contentType}.`)
  if (!isMediaType.test(sent) || sent.length > NAME_CHARACTERS)
    throw new Problem('unsupported_media_type', 'The body must be sent with its content-type, such as image/png.')
  if (sent === 'application/json')
    throw new Problem('unsupported_media_type', 'A JSON file must be sent with the header content-type: text/plain.')
  if (sent === 'multipart/form-data')
    throw new Problem(
      'unsupported_media_type',
      'The body must be the file itself, with its own content-type such as image/png, and no form (multipart/form-data).',
    )
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Problem('unsupported_media_type', 'The body must not be compressed.')
  if (declared !== undefined && declared > bytes) throw tooLong(bytes)
  mayComeSlowly(request)
}

/** A media type without parameters (RFC 9110, section 8.3.1). */
const isMediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/

/** The media type of a body, without parameters and in lower case; empty if none is declared. */
const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** The media type, with the character set of a text if that is a token (RFC 9110, section 5.6.2). */
function contentTypeOf(request: IncomingMessage): string {
  const type = mediaTypeOf(request)
  const charset = type.startsWith('text/') && charsetOf.exec(request.headers['content-type'] ?? '')?.[2]
  return charset ? `${type}; charset=${charset.toLowerCase()}` : type
}

const charsetOf = /;[ \t]*charset=("?)([\w!#$%&'*+.^`|~-]{1,40})\1[ \t]*(?:;|$)/i

const tooLong = (bytes: number) =>
  new Problem('payload_too_large', `The body must not be larger than ${bytes / 1024 / 1024} MB.`)

/**
 * Frees the memory of bytes that were handled. Leaving this to the garbage collector takes tens of MB more: it runs
 * late, and a fast client sends 100 MB in a second. Bytes that share their memory with others are left to the
 * collector.
 */
function free(arrived: Buffer): void {
  const { buffer } = arrived
  if (
    arrived.byteOffset + arrived.length === buffer.byteLength &&
    buffer.byteLength > Buffer.poolSize &&
    buffer instanceof ArrayBuffer
  )
    buffer.transfer(0)
}

/** Makes the body of a request that has not been read yet; with a digest where required. */
export function fileBody(
  request: IncomingMessage,
  response: ServerResponse,
  { most, isDigested }: { most: number; isDigested: boolean },
): FileBody {
  const hash = isDigested ? createHash('sha256') : undefined
  let received: AsyncIterator<Buffer, undefined> | undefined
  // What arrived beyond the requested chunk.
  let left: Buffer = Buffer.alloc(0)
  let length = 0
  // One buffer for all chunks: new ones would become garbage faster than it is collected.
  let chunk: Buffer = left

  async function more(): Promise<Buffer | undefined> {
    if (received === undefined) {
      continueNow(request, response)
      // Destroying the request would break the connection, which still has to carry the response.
      received = request.iterator({ destroyOnReturn: false })
    }
    const { value, done } = await received.next()
    if (done) return undefined
    length += value.length
    if (length > most) throw tooLong(most)
    hash?.update(value)
    return value
  }

  return {
    contentType: contentTypeOf(request),
    declaredBytes: declaredBytes(request),
    async next(bytes) {
      if (chunk.length < bytes) chunk = Buffer.allocUnsafe(bytes)
      let filled = 0
      while (filled < bytes) {
        const arrived = left.length > 0 ? left : await more()
        if (arrived === undefined) break
        const copied = arrived.copy(chunk, filled)
        filled += copied
        left = arrived.subarray(copied)
        if (left.length === 0) free(arrived)
      }
      return chunk.subarray(0, filled)
    },
    async drain() {
      for (let arrived = await more(); arrived !== undefined; arrived = await more()) free(arrived)
    },
    leave() {
      // A stream does not flow while it is iterated.
      Promise.resolve(received?.return?.())
        .catch(() => {})
        .then(() => {
          let thrownAway = 0
          // A body of undeclared length could go on for ever. The response comes first: it may wait for the end of this turn.
          request.on('data', (arrived: Buffer) => {
            thrownAway += arrived.length
            free(arrived)
            if (thrownAway > most && response.headersSent) request.socket.destroy()
          })
        })
    },
    digest: () => hash?.copy().digest('base64url') ?? '',
  }
}
