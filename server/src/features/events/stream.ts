// Events as they come, as server-sent events: one answer that ends when its reader does not, when his key does, or when the server ends.

import {
  HELD_LOOK_MOST_MS,
  LONG_ANSWER_BYTES,
  STREAM_CHECK_MS,
  STREAM_COMMENT_MS,
  STREAM_RETRY_MS,
  STREAMED_EVENT_CHARACTERS,
} from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Follower } from './followers.ts'
import { following, type ReadPage } from './following.ts'
import type { FeedEvent } from './pages.ts'

/** What a stream needs. */
interface StreamParts {
  readonly read: ReadPage
  readonly after: number
  /** Who waits; it is ended with the stream. */
  readonly follower: Follower
  /** Throws the problem that the key is answered by now. At once while the key is in memory. */
  readonly recheck: () => void | Promise<void>
  /** Told how many characters wait to be taken; what it throws is the end. */
  readonly expect: (characters: number) => void
  /** Breaks the stream off though its reader does not take what waits. */
  readonly cut: () => void
}

/**
 * The pieces of the answer. Nothing is read before it is asked for, so that a reader who does not take leaves no more behind
 * than one piece. Each is given right after its key was looked at, in the same turn of the event loop.
 */
export function eventStream(parts: StreamParts): AsyncIterable<string> {
  const { read, after, follower, recheck, expect } = parts

  async function* pieces(): AsyncGenerator<string, void, undefined> {
    const feed = following(read, follower, after)
    // The place, so that a reader who is cut off before the first event misses none.
    yield `retry: ${STREAM_RETRY_MS}\nid: ${after}\n\n`
    let saidAt = performance.now()
    // Of the piece before, which may be on its way still.
    let before = 0
    while (!follower.isOver) {
      const page = await feed.next(STREAM_CHECK_MS).catch(unlessAway)
      const waiting: string[] = page ? [...inPieces(page.events)] : []
      if (waiting.length === 0 && performance.now() - saidAt >= STREAM_COMMENT_MS)
        waiting.push(`: waiting\nid: ${feed.after}\n\n`)
      if (page === undefined) await follower.woken(HELD_LOOK_MOST_MS)
      if (!hasRoom(waiting.reduce((characters, { length }) => characters + length, before))) return
      if (!(await mayGoOn(recheck, follower))) return
      for (const piece of waiting) {
        if (follower.isOver || !(await mayGoOn(recheck, follower))) return
        yield piece
        before = piece.length
        saidAt = performance.now()
      }
    }
  }

  /** Short pieces do no harm, so that one who follows is not sent away for those who do not read. */
  function hasRoom(characters: number): boolean {
    try {
      expect(characters)
      return true
    } catch (error) {
      if (error instanceof Problem) return characters <= LONG_ANSWER_BYTES
      throw error
    }
  }

  const made = pieces()
  let isMaking = false
  // A piece that its reader does not take keeps the generator from looking whether the key still opens anything.
  const watching = setInterval(async () => {
    if (follower.isOver) clearInterval(watching)
    else if (!isMaking && !(await mayGoOn(recheck, follower)) && !isMaking) parts.cut()
  }, STREAM_CHECK_MS).unref()
  const end = () => {
    // A generator is told only when what it waits for has come.
    clearInterval(watching)
    follower.end()
    return made.return()
  }
  const next = () => {
    isMaking = true
    return made.next().finally(() => {
      isMaking = false
    })
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

/** While the database cannot be reached the stream stays open and says nothing: the reader could do nothing better than wait. */
function unlessAway(error: unknown): undefined {
  if (error instanceof Problem && error.status === 503) return undefined
  throw error
}

/** False once the key opens nothing any more. Where it cannot be known, nothing is sent until it is. */
export async function mayGoOn(recheck: StreamParts['recheck'], follower: Follower): Promise<boolean> {
  for (let lookUps = 0; !follower.isOver; )
    try {
      const checked = recheck()
      // A look-up may be older than a deletion that was answered meanwhile; what stands in memory is not.
      if (checked === undefined) return true
      if (lookUps === 2) {
        // Nobody waits for this one.
        checked.catch(() => {})
        return true
      }
      await checked
      lookUps++
    } catch (error) {
      if (!(error instanceof Problem) || error.status < 500) return false
      await follower.woken(HELD_LOOK_MOST_MS)
    }
  return false
}

/** Several short events go together, so that a reader who catches up is not told them one by one. */
function* inPieces(events: readonly FeedEvent[]): Generator<string> {
  let piece = ''
  for (const { sequence, type, text } of events) {
    // JSON that PostgreSQL put together may have line breaks between its values, which would end the field.
    piece += `id: ${sequence}\nevent: ${type}\ndata: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`
    if (piece.length < STREAMED_EVENT_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
