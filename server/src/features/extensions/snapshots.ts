// The whole published list in memory: one snapshot per list version, read once, in chunks shared by all readers,
// however slow they are.
import { setImmediate as turn } from 'node:timers/promises'
import {
  PUBLISHED_BYTES,
  PUBLISHED_PIECE_BYTES,
  STREAMED_CHARACTERS,
  STREAMED_ROWS,
  STREAMED_ROWS_FIRST,
} from '../../core/limits.ts'
import type { Part, Position } from './published.ts'

/** A chunk as it is sent: some whole extensions. */
interface Piece {
  readonly bytes: Buffer
  /** The position of its last extension; undefined for an empty list. */
  readonly end: Position | undefined
  readonly isLast: boolean
}

/** A snapshot of the list in one version, as far as it was read. */
interface Edition {
  readonly state: string
  readonly total: number
  readonly pieces: readonly Piece[]
  /** Whether no further chunk is cached: there is no capacity for it, or the list has a newer version. */
  readonly isClosed: boolean
}

/** The cache. */
interface Editions {
  /** The list in a version, or in a newer one: at least its first chunk. */
  open(state: string): Promise<Edition>
  /**
   * Its chunks, read on as they are consumed. If no further one is cached, the rest is read for this caller alone,
   * after its last extension: an extension that is published throughout comes once. `alone` is called first; if it
   * throws, the list ends.
   */
  sent(edition: Edition, alone: () => void): AsyncGenerator<Buffer | string>
  /** Bytes in memory. */
  held(): number
}

/** Reads up to `limit` extensions after a position. */
type ReadPart = (after: Position | undefined, limit: number, wantsTotal: boolean) => Promise<Part>

/** A snapshot as only this file changes it. */
interface Growing extends Edition {
  pieces: Piece[]
  isClosed: boolean
  bytes: number
  /** The intended number of extensions in the next part. */
  next: number
  readers: number
  growing: Promise<void> | undefined
}

/** Makes the cache, of at most `capacity` bytes. Older snapshots stay in it while they have readers and there is capacity. */
export function snapshots(read: ReadPart, capacity = PUBLISHED_BYTES): Editions {
  // All snapshots in memory, oldest first; the current one is the last that was begun.
  const all = new Set<Growing>()
  let current: Growing | undefined
  let beginning: { readonly state: string; readonly edition: Promise<Growing> } | undefined
  let held = 0

  /** Drops a snapshot. Its readers get the rest of the list by themselves. */
  function drop(edition: Growing): void {
    if (!all.delete(edition)) return
    held -= edition.bytes
    edition.isClosed = true
    edition.pieces = []
  }

  function hasRoom(edition: Growing, bytes: number): boolean {
    for (const older of all) if (held + bytes > capacity && older !== edition && older !== current) drop(older)
    return held + bytes <= capacity
  }

  function add(edition: Growing, part: Part): void {
    if (!all.has(edition)) return
    const isFirst = edition.pieces.length === 0
    const pieces = piecesOf(part, isFirst)
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)
    // The beginning is always cached: it is on its way to the callers.
    if (!hasRoom(edition, bytes) && !isFirst) edition.isClosed = true
    else {
      edition.pieces.push(...pieces)
      edition.bytes += bytes
      held += bytes
      edition.next = nextLimit(part.texts.length, bytes)
    }
  }

  async function begin(state: string): Promise<Growing> {
    const part = await read(undefined, STREAMED_ROWS_FIRST, true)
    const edition: Growing = {
      ...{ state: part.state ?? state, total: part.total ?? 0, pieces: [], isClosed: false, bytes: 0 },
      ...{ next: 0, readers: 0, growing: undefined },
    }
    const last = current
    current = edition
    all.add(edition)
    if (last?.readers === 0) drop(last)
    add(edition, part)
    return edition
  }

  async function readOn(edition: Growing): Promise<void> {
    // Other requests come first.
    await turn()
    const part = await read(edition.pieces.at(-1)?.end, edition.next, false)
    // Chunks of different versions are never combined.
    if (part.texts.length === 0 || part.state !== edition.state) edition.isClosed = true
    else add(edition, part)
  }

  function grow(edition: Growing): Promise<void> {
    edition.growing ??= readOn(edition).finally(() => {
      edition.growing = undefined
    })
    return edition.growing
  }

  return {
    async open(state) {
      if (current?.state === state) return current
      if (beginning?.state === state) return beginning.edition
      const own = { state, edition: begin(state) }
      beginning = own
      try {
        return await own.edition
      } finally {
        if (beginning === own) beginning = undefined
      }
    },

    async *sent(given, alone) {
      const edition = given as Growing
      let end: Position | undefined
      let isBegun = false
      edition.readers++
      try {
        for (let n = 0; ; n++) {
          while (edition.pieces[n] === undefined && !edition.isClosed) await grow(edition)
          const piece = edition.pieces[n]
          if (piece === undefined) break
          isBegun = true
          end = piece.end
          yield piece.bytes
          if (piece.isLast) return
        }
      } finally {
        edition.readers--
        if (edition.readers === 0 && edition !== current) drop(edition)
      }
      alone()
      if (!isBegun) yield '['
      yield* rest(read, end, STREAMED_ROWS_FIRST, isBegun)
    },

    held: () => held,
  }
}

/** A part of the list as chunks, of `PUBLISHED_PIECE_BYTES` or one extension more. */
function piecesOf({ texts, ends, hasMore }: Part, isFirst: boolean): Piece[] {
  const pieces: Piece[] = []
  let [from, characters] = [0, 0]
  for (const [n, { length }] of texts.entries()) {
    characters += length
    if (characters >= PUBLISHED_PIECE_BYTES) cut(n + 1)
  }
  if (from < texts.length || pieces.length === 0) cut(texts.length)
  return pieces

  function cut(to: number): void {
    const isLast = !hasMore && to === texts.length
    const text = `${isFirst && from === 0 ? '[' : ','}${texts.slice(from, to).join(',')}${isLast ? ']' : ''}`
    pieces.push({ bytes: Buffer.from(text), end: ends[to - 1], isLast })
    from = to
    characters = 0
  }
}

/**
 * The rest of a list after a position, and its end; first `limit` extensions, then as many as fit into a chunk.
 * `isBegun`: there is an extension before.
 */
async function* rest(
  read: ReadPart,
  position: Position | undefined,
  limit: number,
  isBegun = true,
): AsyncGenerator<string> {
  let comma = isBegun ? ',' : ''
  for (let [after, next, hasMore] = [position, limit, true]; hasMore; ) {
    await turn()
    const part = await read(after, next, false)
    if (part.texts.length > 0) {
      const text = comma + part.texts.join(',')
      yield text
      comma = ','
      after = part.ends.at(-1)
      next = nextLimit(part.texts.length, text.length, STREAMED_CHARACTERS / 4)
    }
    hasMore = part.hasMore
  }
  yield ']'
}

/** The number of extensions that should make `wanted` characters, estimated from previous ones. */
const nextLimit = (extensions: number, characters: number, wanted = STREAMED_CHARACTERS): number =>
  Math.max(1, Math.min(STREAMED_ROWS, extensions * 4, Math.floor((wanted * extensions) / characters)))
