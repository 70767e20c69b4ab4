// Server-sent events: one response that ends when the client disconnects, the key ends, or the server stops.

import { HELD_LOOK_MOST_MS, LONG_ANSWER_BYTES } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { FeedSubscriber } from './feed-subscribers.ts'
import type { FeedEvent } from './pages.ts'
import { following, type ReadPage } from './subscribe.ts'

/**
 * Milliseconds between two checks of the key of a stream, or of a waiting request, while nothing is sent: both end
 * within a second of its deletion.
 */
export const STREAM_CHECK_MS = 500
/** Characters of events that are sent at once: what is in transit when a key is deleted. */
const STREAMED_EVENT_CHARACTERS = 16 * 1024
/** Milliseconds of silence on a stream before a comment is sent: proxies close silent connections after 30 to 60 s. */
const STREAM_COMMENT_MS = 15_000
/** Milliseconds that a stream's reader waits before it reconnects. */
const STREAM_RETRY_MS = 2_000

/** What a stream needs. */
interface StreamParts {
  readonly read: ReadPage
  readonly after: number
  /** The subscriber; it ends with the stream. */
  readonly follower: FeedSubscriber
  /** `Call.authorizeAgain`. */
  readonly authorizeAgain: () => void | Promise<void>
  /** Called with the number of characters that wait to be read; if it throws, the stream ends. */
  readonly expect: (characters: number) => void
  /** Aborts the stream even if its client does not read what waits. */
  readonly cut: () => void
}

/**
 * The chunks of the response. Nothing is read before it is asked for, so a client that does not read leaves at most one
 * chunk waiting. Each chunk is yielded right after its key was checked, in the same turn of the event loop.
 */
export function eventStream(parts: StreamParts): AsyncIterable<string> {
  const { read, after, follower, authorizeAgain, expect } = parts

  async function* chunks(): AsyncGenerator<string, void, undefined> {
    const feed = following(read, follower, after)
    // The position, so that a client that loses the connection before the first event misses none.
    yield `retry: ${STREAM_RETRY_MS}\nid: ${after}\n\n`
    let saidAt = performance.now()
    // The length of the previous chunk, which may still be in flight.
    let before = 0
    while (!follower.isOver) {
      const page = await feed.next(STREAM_CHECK_MS).catch(unlessAway)
      const waiting: string[] = page ? [...inChunks(page.events)] : []
      if (waiting.length === 0 && performance.now() - saidAt >= STREAM_COMMENT_MS)
        waiting.push(`: waiting\nid: ${feed.after}\n\n`)
      if (page === undefined) await follower.woken(HELD_LOOK_MOST_MS)
      if (!hasRoom(waiting.reduce((characters, { length }) => characters + length, before))) return
      if (!(await mayGoOn(authorizeAgain, follower))) return
      for (const chunk of waiting) {
        if (follower.isOver || !(await mayGoOn(authorizeAgain, follower))) return
        yield chunk
        before = chunk.length
        saidAt = performance.now()
      }
    }
  }

  /** Short chunks do no harm: a client that keeps up is not cut off because of others that do not. */
  function hasRoom(characters: number): boolean {
    try {
      expect(characters)
      return true
    } catch (error) {
      if (error instanceof Problem) return characters <= LONG_ANSWER_BYTES
      throw error
    }
  }

  const made = chunks()
  let isMaking = false
  // While a client does not read its chunk, the generator cannot check whether the key is still valid.
  const watching = setInterval(async () => {
    if (follower.isOver) clearInterval(watching)
    else if (!isMaking && !(await mayGoOn(authorizeAgain, follower)) && !isMaking) parts.cut()
  }, STREAM_CHECK_MS).unref()
  const end = () => {
    // A generator learns of the end only when what it awaits has settled.
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

/**
 * While the database cannot be reached, the stream stays open and silent, since the client can only wait.
 */
function unlessAway(error: unknown): undefined {
  if (error instanceof Problem && error.status === 503) return undefined
  throw error
}

/** False once the key is no longer valid. While that cannot be checked, nothing is sent. */
export async function mayGoOn(
  authorizeAgain: StreamParts['authorizeAgain'],
  follower: FeedSubscriber,
): Promise<boolean> {
  for (let lookUps = 0; !follower.isOver; )
    try {
      const authorized = authorizeAgain()
      // A look-up may be older than a deletion that was answered meanwhile; the cache is not.
      if (authorized === undefined) return true
      if (lookUps === 2) {
        // Not awaited.
        authorized.catch(() => {})
        return true
      }
      await authorized
      lookUps++
    } catch (error) {
      if (!(error instanceof Problem) || error.status < 500) return false
      await follower.woken(HELD_LOOK_MOST_MS)
    }
  return false
}

/** Several short events go in one chunk, so that a client that catches up does not get them one by one. */
function* inChunks(events: readonly FeedEvent[]): Generator<string> {
  let chunk = ''
  for (const { sequence, type, text } of events) {
    // JSON composed by PostgreSQL may have line breaks between its values, which would end the field.
    chunk += `id: ${sequence}\nevent: ${type}\ndata: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`
    if (chunk.length < STREAMED_EVENT_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
