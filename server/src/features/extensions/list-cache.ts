// The whole published list in memory: its text in one version, read once for all callers, and sent in chunks that all
// of them share, however slow they are.

import { setImmediate as turn } from 'node:timers/promises'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { STREAMED_CHARACTERS, STREAMED_ROWS, STREAMED_ROWS_FIRST } from '../../core/limits.ts'
import { divided } from '../../core/worker-share.ts'
import type { ListPart, PartRequest, PublishedPosition } from './published.ts'

/**
 * Bytes of the cached published list and of the previous one, which may still be read: 50,000 extensions of 1 KB,
 * twice.
 */
const PUBLISHED_BYTES = divided(128 * 1024 * 1024, 32 * 1024 * 1024)
/** Bytes of one chunk of the published list: what a stalled connection keeps of a list that is replaced. */
const PUBLISHED_CHUNK_BYTES = 64 * 1024

/** A chunk as it is sent: some whole extensions. */
interface ListChunk {
  readonly bytes: Buffer
  /** The position of its last extension; undefined for an empty list. */
  readonly end: PublishedPosition | undefined
  readonly isLast: boolean
}

/** The list in one version, from its beginning as far as it is in memory. */
interface ListText {
  readonly version: string
  readonly total: number
  /** Empty once the list is dropped. */
  chunks: readonly ListChunk[]
}

/** Whether all of the list is in memory. */
export const isWhole = ({ chunks }: ListText): boolean => chunks.at(-1)?.isLast === true

type ReadPart = (request: PartRequest) => Promise<ListPart>

interface Sources {
  readonly readPart: ReadPart
  readonly readVersion: () => Promise<string>
}

/**
 * The text of the current version, and the previous one for callers that are still reading it; each has at most half of
 * `room` bytes. An older text is dropped, however many callers read it: each of them then reads the rest of the list
 * separately.
 */
export class ListCache {
  readonly #sources: Sources
  readonly #bytes: number
  readonly #once = singleFlight<ListText>()
  #current: ListText = { version: '', total: 0, chunks: [] }
  #previous = this.#current

  constructor(sources: Sources, room = PUBLISHED_BYTES) {
    this.#sources = sources
    this.#bytes = room / 2
  }

  /** The list in the version that was read last, or in a newer one. Callers that have to wait share a read. */
  async open(version: string): Promise<ListText> {
    return this.#current.version === version ? this.#current : this.#once('list', () => this.#refresh())
  }

  async #refresh(): Promise<ListText> {
    const version = await this.#sources.readVersion()
    if (this.#current.version === version) return this.#current
    this.#previous.chunks = []
    const text = await readText(this.#sources.readPart, version, this.#bytes)
    this.#previous = this.#current
    this.#current = text
    return text
  }

  /**
   * The chunks of a list. What is not in memory (any more) is read for this caller alone, after the last extension that
   * it got, so that an extension that stays published appears once. `alone` is called first; if it throws, the list
   * ends.
   */
  async *send(list: ListText, alone: () => void): AsyncGenerator<Buffer | string> {
    let last: ListChunk | undefined
    for (let n = 0; list.chunks[n] !== undefined; n++) {
      last = list.chunks[n] as ListChunk
      yield last.bytes
      if (last.isLast) return
    }
    alone()
    if (last === undefined) yield '['
    yield* rest(this.#sources.readPart, last?.end)
  }
}

const sizeOf = (chunks: readonly ListChunk[]): number => chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** Reads the list up to a number of bytes, and as long as it stays in one version. */
async function readText(read: ReadPart, asked: string, most: number): Promise<ListText> {
  let part = await read({ limit: STREAMED_ROWS_FIRST, wantsTotal: true })
  const { version = asked, total = 0 } = part
  const chunks = chunksOf(part, true)
  for (let size = sizeOf(chunks); part.hasMore; ) {
    // Other requests come first.
    await turn()
    part = await read({ after: chunks.at(-1)?.end, limit: nextLimit(part) })
    const more = chunksOf(part, false)
    size += sizeOf(more)
    if (part.version !== version || size > most) break
    chunks.push(...more)
  }
  return { version, total, chunks }
}

/** A part of the list as chunks, of `PUBLISHED_CHUNK_BYTES` or one extension more. */
function chunksOf({ texts, ends, hasMore }: ListPart, isFirst: boolean): ListChunk[] {
  const chunks: ListChunk[] = []
  let from = 0
  let characters = 0
  for (const [n, { length }] of texts.entries()) {
    characters += length
    if (characters >= PUBLISHED_CHUNK_BYTES) cut(n + 1)
  }
  if (from < texts.length || chunks.length === 0) cut(texts.length)
  return chunks

  function cut(to: number): void {
    const isLast = !hasMore && to === texts.length
    const text = `${isFirst && from === 0 ? '[' : ','}${texts.slice(from, to).join(',')}${isLast ? ']' : ''}`
    chunks.push({ bytes: Buffer.from(text), end: ends[to - 1], isLast })
    from = to
    characters = 0
  }
}

/** The rest of a list after a position, undefined for its beginning, and its end. */
async function* rest(read: ReadPart, position: PublishedPosition | undefined): AsyncGenerator<string> {
  for (let [after, limit, hasMore] = [position, STREAMED_ROWS_FIRST, true]; hasMore; ) {
    await turn()
    const part = await read({ after, limit })
    if (part.texts.length > 0) {
      yield `${after === undefined ? '' : ','}${part.texts.join(',')}`
      after = part.ends.at(-1)
      limit = nextLimit(part, STREAMED_CHARACTERS / 4)
    }
    hasMore = part.hasMore
  }
  yield ']'
}

/** The number of extensions that should make `wanted` characters, estimated from a part. */
function nextLimit({ texts }: ListPart, wanted = STREAMED_CHARACTERS): number {
  const characters = texts.reduce((sum, { length }) => sum + length, 1)
  return Math.max(1, Math.min(STREAMED_ROWS, texts.length * 4, Math.floor((wanted * texts.length) / characters)))
}
