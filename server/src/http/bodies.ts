// The memory that request bodies take: counted by company from before they are read until they are dealt with, so that no pile of large ones, sent fast or waiting, exhausts it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { BODY_BYTES, SMALL_BODY_BYTES } from '../limits.ts'
import { busy } from './problem.ts'

/** A body that is counted. */
export interface Held {
  /** Keeps it counted until the work on it has settled, whether or not the caller still hears of it. */
  during(work: Promise<unknown>): void
}

export interface Bodies {
  /** Counts a body that is about to be read; its count ends with the answer. Throws 503 `unavailable` when there is no room. */
  hold(line: string, bytes: number, response: ServerResponse): Held
}

/** Room for so many bytes. A company may hold as much as is left for all, so that one alone gets half of it. */
export function bodies(room: number): Bodies {
  const held = new Map<string, number>()
  let total = 0
  return {
    hold(line, bytes, response) {
      const own = (held.get(line) ?? 0) + bytes
      if (own > room - total) throw busy()
      held.set(line, own)
      total += bytes
      let isCounted = true
      let isWorking = false
      function release(): void {
        if (!isCounted) return
        isCounted = false
        total -= bytes
        const left = (held.get(line) as number) - bytes
        if (left > 0) held.set(line, left)
        else held.delete(line)
      }
      response.once('close', () => {
        if (!isWorking) release()
      })
      return {
        during(work) {
          isWorking = true
          work.then(release, release)
        },
      }
    },
  }
}

/** The bytes that a request says its body has: none when there is none, undefined when it does not say. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Math.min(Number(headers['content-length'] ?? 0), BODY_BYTES)
}

/** Passes on a body whose length nobody said; once it turns out not to be small, `hold` is called, and what it throws is the end. */
export function measured(body: Readable, hold: () => void): Readable {
  let left = SMALL_BODY_BYTES
  const counter = new Transform({
    transform(chunk, _encoding, done) {
      const wasSmall = left >= 0
      left -= chunk.length
      try {
        if (wasSmall && left < 0) hold()
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
  // Whoever reads stops to listen once he has all; what breaks after that is no news.
  counter.on('error', () => {})
  const broken = () => counter.destroy(new Error('The body broke off.'))
  body.on('error', broken)
  body.on('close', () => {
    if (!body.readableEnded) broken()
  })
  return body.pipe(counter)
}
