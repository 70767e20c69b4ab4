// The memory that request bodies take: counted by company from before they are read until they are dealt with, so that no pile of them, sent fast or waiting, exhausts it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { memoryBudget } from '../../concurrency/memory-budget.ts'
import { SMALL_BODY_BYTES } from '../../core/limits.ts'
import { busy } from '../../core/problem.ts'

/** A body that is counted. */
export interface Held {
  /** Counts more of it. Throws 503 `unavailable` when there is no room. */
  grow(bytes: number): void
  /** Keeps it counted until the work on it has settled, whether or not the caller still hears of it. */
  during(work: Promise<unknown>): void
}

export interface Bodies {
  /** Counts a body that is about to be read; its count ends with the answer. Throws 503 `unavailable` when there is no room. */
  hold(line: string, bytes: number, response: ServerResponse): Held
}

/** Room for so many bytes of bodies, and half as much again for those of `SMALL_BODY_BYTES` at most. */
export function bodies(bytes: number): Bodies {
  const room = memoryBudget(bytes)
  return {
    hold(line, bytes, response) {
      const counted: (() => void)[] = []
      const release = () => {
        for (const giveBack of counted) giveBack()
      }
      let isWorking = false
      response.once('close', () => {
        if (!isWorking) release()
      })
      function grow(bytes: number): void {
        if (!room.has(line, bytes, bytes <= SMALL_BODY_BYTES)) throw busy()
        counted.push(room.take(line, bytes))
      }
      grow(bytes)
      return {
        grow,
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
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
}

/** Passes on a body whose length nobody said; once it turns out not to be small, `grow` is called, and what it throws is the end. */
export function measured(body: Readable, grow: () => void): Readable {
  let left = SMALL_BODY_BYTES
  const counter = new Transform({
    transform(chunk, _encoding, done) {
      const wasSmall = left >= 0
      left -= chunk.length
      try {
        if (wasSmall && left < 0) grow()
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
