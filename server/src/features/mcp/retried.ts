// Repeats requests of tools that met a passing failure: their idempotency keys make that safe, and an agent would only do the same.

import { setTimeout as delay } from 'node:timers/promises'
import type { ApiRequest, AskApi } from './tool.ts'

/** Times that a request is sent, and the pause in between, as the API asks with `Retry-After`. */
export const TRIES = 2
const PAUSE_MS = 1_000

/** Makes requests that are repeated after 503, and after a lost connection, if they are safe to repeat. */
export function retriedRequests(ask: AskApi): AskApi {
  return async (asked: ApiRequest) => {
    const isRead = asked.method === 'GET' || asked.query?.dryRun === true
    const isSafe = isRead || asked.method === 'DELETE' || asked.idempotencyKey !== undefined
    for (let tries = 1; ; tries++) {
      const isLast = tries === TRIES || !isSafe
      try {
        const answer = await ask(asked)
        if (answer.status !== 503 || isLast) return answer
      } catch (error) {
        if (isLast) throw error
      }
      await delay(PAUSE_MS)
    }
  }
}
