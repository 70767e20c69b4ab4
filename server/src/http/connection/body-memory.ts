// The memory budget of request bodies: counted by company from before they are read until they are handled, so that they never exhaust the memory.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { memoryBudget } from '../../concurrency/memory-budget.ts'
import { busy } from '../../core/problem.ts'

/**
 * Bytes of a body up to which it may use the extra half of the memory budget, so that bulk requests never cause a
 * single record to be refused.
 */
export const SMALL_BODY_BYTES = 64 * 1024

/** A body that is counted. */
export interface Held {
  /** Counts more of it. Throws 503 `unavailable` when the budget is used up. */
  grow(bytes: number): void
  /** Keeps it counted until the work on it has ended, even when its client has gone. */
  during(work: Promise<unknown>): void
}

export interface Bodies {
  /** Counts a body that is about to be read; the count ends with the response. Throws 503 `unavailable` when the budget is used up. */
  hold(tenant: string, bytes: number, response: ServerResponse): Held
}

/** A budget of bytes for bodies, and half as much again for those of at most `SMALL_BODY_BYTES`. */
export function bodies(bytes: number): Bodies {
  const budget = memoryBudget(bytes, 'bodies')
  return {
    hold(tenant, bytes, response) {
      const counted: (() => void)[] = []
      const release = () => {
        for (const giveBack of counted) giveBack()
      }
      let isWorking = false
      response.once('close', () => {
        if (!isWorking) release()
      })
      function grow(bytes: number): void {
        if (!budget.has(tenant, bytes, bytes <= SMALL_BODY_BYTES)) throw busy('memory_full')
        counted.push(budget.take(tenant, bytes))
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

/** The length of a request's body: 0 without a body, undefined when it is not declared. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
}

/** Passes on a body of undeclared length. Once it exceeds a small size, it calls `grow`; an error that this throws ends the body. */
export function measuredBody(body: Readable, grow: () => void): Readable {
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
  // A reader stops listening once it has all; a later break does not matter.
  counter.on('error', () => {})
  const broken = () => counter.destroy(new Error('The body ended early.'))
  body.on('error', broken)
  body.on('close', () => {
    if (!body.readableEnded) broken()
  })
  return body.pipe(counter)
}
