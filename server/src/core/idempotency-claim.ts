// A claim: an idempotency key in use, in the form that the work done under it needs (decisions §12).

import type { IsGone } from './is-gone.ts'
import { RETRY_AFTER_SECONDS } from './limits.ts'
import { Problem } from './problem.ts'

/** What a write stores in its own transaction, so that its work is done once; the database grants only one claim per key. */
export interface Claim {
  /** The company that the key belongs to; on an organization's endpoint, the organization. */
  readonly ownerId: string
  readonly key: string
  /**
   * Digest of method, path and body, and of the caller if the response holds a secret: identifies the request that the
   * key is bound to.
   */
  readonly fingerprint: string
  /** The parameters of the query as JSON, which the key is bound to as well; empty without any. */
  readonly query: string
  /** The status of the success that is kept. */
  readonly status: number
  /**
   * Present if the request or the response holds a secret. The response is then stored sealed, and so is the
   * fingerprint, from which the secret could be guessed.
   */
  readonly seal?: ((text: string) => string) | undefined
}

/** What is stored under a key. */
export interface KeptAnswer {
  readonly fingerprint: string
  readonly query: string
  readonly status: number
  readonly answer: string
}

/** Looks up what is stored under a claim's key; skips the look-up once no client waits for it. */
export type FindKept = (claim: Claim, isGone?: IsGone) => Promise<KeptAnswer | undefined>

/**
 * Seals what holds a secret, so that readers of the database cannot see it, and opens it again. `context` is part of
 * the seal. A sealed text begins with `sealedPrefix`. `open` throws for a text that was sealed with another secret or
 * in another context.
 */
export interface Seal {
  close(text: string, context: string): string
  open(sealed: string, context: string): string
}

/** Identifies a claim. */
export const contextOf = ({ ownerId, key }: Pick<Claim, 'ownerId' | 'key'>): string => `${ownerId} ${key}`

/** The prefix of a sealed text; no JSON begins like this. */
export const sealedPrefix = 'sealed:'

/** 409: the request of this key is in progress, on this or another server, or its result is not known yet. */
export const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still in progress. Send this request again to get its result.',
    [],
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  )
