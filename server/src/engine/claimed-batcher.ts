// Carries out requests that write in a transaction: concurrent ones of a company share it, and each keeps its idempotency key.

import type { BatchItem } from '../concurrency/batch.ts'
import type { FairSemaphore } from '../concurrency/fair-semaphore.ts'
import { tenantBatcher } from '../concurrency/tenant-batcher.ts'
import { type Claim, inProgress } from '../core/idempotency-claim.ts'
import { Problem } from '../core/problem.ts'
import type { Database, Queryable } from '../database/connect.ts'
import type { Answer } from '../http/route.ts'
import { retryOnConflict } from './bisect-on-error.ts'
import { holdClaims, keepResponses } from './idempotency.ts'

/** A request that waits for a transaction. */
export interface ClaimedRequest extends BatchItem {
  readonly claim: Claim | undefined
}

/**
 * Makes the function that carries out one request. `carryOut` gets the requests of a company that run together, in order,
 * and returns the answer of each; a problem refuses one request, and must have left nothing of it in the transaction. A
 * request whose key is in use, or was used, is not carried out. Runs wait in `contended`.
 */
export function claimedBatcher<Request extends ClaimedRequest>(
  database: Database,
  contended: FairSemaphore,
  carryOut: (transaction: Queryable, requests: readonly Request[]) => Promise<readonly (Answer | Problem)[]>,
): (request: Request) => Promise<Answer> {
  const batched = tenantBatcher<Request, Answer | Problem>(
    (requests) =>
      retryOnConflict(() =>
        database.transaction(async (transaction) => {
          const claims = requests.flatMap(({ claim }) => claim ?? [])
          const held = await holdClaims(transaction, claims)
          const refused = new Set(claims.filter((_, n) => !held[n]))
          const own = requests.filter(({ claim }) => claim === undefined || !refused.has(claim))
          const answers = await carryOut(transaction, own)
          const done = own.flatMap(({ claim }, n) => {
            const answer = answers[n] as Answer | Problem
            return claim && !(answer instanceof Problem) ? [{ claim, answer }] : []
          })
          await keepResponses(transaction, done)
          const byRequest = new Map(own.map((request, n) => [request, answers[n]]))
          return requests.map((request) => byRequest.get(request) ?? inProgress())
        }),
      ),
    contended,
  )
  return async (request) => {
    const answer = await batched(request)
    if (answer instanceof Problem) throw answer
    return answer
  }
}
