// The whole published list in memory: read once for each of its states, in pieces that all who ask for it share, however slowly they take it.
import { setImmediate as turn } from 'node:timers/promises'
import {
  PUBLISHED_BYTES,
  PUBLISHED_PIECE_BYTES,
  STREAMED_CHARACTERS,
  STREAMED_ROWS,
  STREAMED_ROWS_FIRST,
} from '../../core/limits.ts'
import type { Part, Position } from './published.ts'

/** A piece as it is sent: some whole extensions. */
interface Piece {
  readonly bytes: Buffer
  /** Where its last extension stands; undefined of an empty list. */
  readonly end: Position | undefined
  readonly isLast: boolean
}

/** The list in one state, as far as it was read. */
interface Edition {
  readonly state: string
  readonly total: number
  readonly pieces: readonly Piece[]
  /** Whether no further piece is kept: there is no room for it, or the list is in another state by now. */
  readonly isClosed: boolean
}

/** What is kept. */
interface Editions {
  /** The list in a state, or in a newer one: its first piece at least. */
  open(state: string): Promise<Edition>
  /**
   * Its pieces, read on as they are taken. Where no further one is kept, the rest is read for this caller alone, behind
   * the last extension that he has: what is there throughout he gets once. `alone` is told before; what it throws is the end.
   */
  sent(edition: Edition, alone: () => void): AsyncGenerator<Buffer | string>
  /** Bytes in memory. */
  held(): number
}

/** Reads so many extensions behind a position. */
type ReadPart = (after: Position | undefined, limit: number, wantsTotal: boolean) => Promise<Part>

/** An edition as only this file changes it. */
interface Growing extends Edition {
  pieces: Piece[]
  isClosed: boolean
  bytes: number
  /** Extensions that the next part is meant to have. */
  next: number
  readers: number
  growing: Promise<void> | undefined
}

/** Makes the memory, of so many bytes. Older editions stay in it while somebody reads them and there is room. */
export function editions(read: ReadPart, room = PUBLISHED_BYTES): Editions {
  // All that are in memory, oldest first; the current one is the last that was begun.
  const all = new Set<Growing>()
  let current: Growing | undefined
  let beginning: { readonly state: string; readonly edition: Promise<Growing> } | undefined
  let held = 0

  /** Lets an edition go. Who reads it gets the rest of the list by himself. */
  function drop(edition: Growing): void {
    if (!all.delete(edition)) return
    held -= edition.bytes
    edition.isClosed = true
    edition.pieces = []
  }

  function hasRoom(edition: Growing, bytes: number): boolean {
    for (const older of all) if (held + bytes > room && older !== edition && older !== current) drop(older)
    return held + bytes <= room
  }

  function add(edition: Growing, part: Part): void {
    if (!all.has(edition)) return
    const isFirst = edition.pieces.length === 0
    const pieces = piecesOf(part, isFirst)
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)
    // The beginning is kept in any case: it is on its way to whoever asked.
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
    // Nothing that was read in one state stands beside what was read in another.
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

/** A part of the list as pieces, of `PUBLISHED_PIECE_BYTES` or one extension more. */
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
 * The rest of a list behind a position, and its end; `limit` extensions first, and as many as go into a piece then.
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

/** As many as are meant to make so many characters, after some that made others. */
const nextLimit = (extensions: number, characters: number, wanted = STREAMED_CHARACTERS): number =>
  Math.max(1, Math.min(STREAMED_ROWS, extensions * 4, Math.floor((wanted * extensions) / characters)))
