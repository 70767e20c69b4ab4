// Carries out requests that write in a transaction: concurrent ones of a company share it, and each keeps its idempotency key.

import type { BatchItem } from '../concurrency/batch.ts'
import type { FairSemaphore } from '../concurrency/fair-semaphore.ts'
import { tenantBatcher } from '../concurrency/tenant-batcher.ts'
import { type Claim, inProgress } from '../core/idempotency-claim.ts'
import { orThrow, Problem } from '../core/problem.ts'
import type { Database, Queryable } from '../database/connect.ts'
import type { Answer } from '../http/route.ts'
import { retriedTransaction } from './bisect-on-error.ts'
import { holdClaims, keepResponses } from './idempotency.ts'

/** A request that waits for a transaction: its work, and the function that makes the answer from the results. */
interface ClaimedRequest<Work, Result> extends BatchItem {
  readonly claim: Claim | undefined
  readonly works: readonly Work[]
  /** A problem refuses the request, and keeps no key: nothing of it may have been done. */
  readonly answer: (results: readonly Result[]) => Promise<Answer | Problem>
}

/**
 * Makes the function that carries out one request. `carryOut` gets the work of all requests of a company that run
 * together, in order, and returns the result of each. A request whose key is in use, or was used, is not carried out.
 * Runs wait in `contended`.
 */
export function claimedBatcher<Work, Result>(
  database: Database,
  contended: FairSemaphore,
  carryOut: (transaction: Queryable, works: readonly Work[]) => Promise<readonly Result[]>,
): (request: ClaimedRequest<Work, Result>) => Promise<Answer> {
  type Request = ClaimedRequest<Work, Result>
  const runAll = async (transaction: Queryable, requests: readonly Request[]) => {
    const claims = requests.flatMap(({ claim }) => claim ?? [])
    const held = await holdClaims(transaction, claims)
    const refused = new Set(claims.filter((_, n) => !held[n]))
    const own = requests.filter(({ claim }) => claim === undefined || !refused.has(claim))
    const results = await carryOut(
      transaction,
      own.flatMap(({ works }) => works),
    )
    const answers = new Map<Request, Answer | Problem>()
    let from = 0
    for (const request of own) {
      const to = from + request.works.length
      answers.set(request, await request.answer(results.slice(from, to)))
      from = to
    }
    const done = [...answers].flatMap(([{ claim }, answer]) =>
      claim && !(answer instanceof Problem) ? [{ claim, answer }] : [],
    )
    await keepResponses(transaction, done)
    return requests.map((request) => answers.get(request) ?? inProgress())
  }
  const batched = tenantBatcher<Request, Answer | Problem>(
    (requests) => retriedTransaction(database, (transaction) => runAll(transaction, requests)),
    contended,
  )
  return async (request) => orThrow(await batched(request))
}
