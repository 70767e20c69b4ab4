// A claim: an idempotency key in use, as the work that is done under it has to know it (decisions §12).

import { RETRY_AFTER_SECONDS } from './limits.ts'
import { Problem } from './problem.ts'

/** What a write leaves behind in its own transaction, so that its work is done once; the database lets only one be had. */
export interface Claim {
  /** The company whose key it is; of an organization's endpoint, the organization. */
  readonly ownerId: string
  readonly key: string
  /** Digest of method, path and body, and who asked where a secret is answered: the request that the key is bound to. */
  readonly fingerprint: string
  /** The status of the success that is kept. */
  readonly status: number
  /** There where request or answer hold a secret: the fingerprint, by which it could be guessed, and the answer are kept sealed. */
  readonly seal?: ((text: string) => string) | undefined
}

/** What is kept under a key. */
export interface Kept {
  readonly fingerprint: string
  readonly status: number
  readonly answer: string
}

/** Looks up what is kept under a claim's key; not any more once nobody waits for it. */
export type FindKept = (claim: Claim, isGone?: () => boolean) => Promise<Kept | undefined>

/**
 * Hides what holds a secret from whoever reads the database, and shows it again; `context` is part of the lock. A sealed
 * text begins with `sealedPrefix`. `open` throws for one that was closed with another secret or in another context.
 */
export interface Seal {
  close(text: string, context: string): string
  open(sealed: string, context: string): string
}

/** What tells one claim from all others. */
export const contextOf = ({ ownerId, key }: Pick<Claim, 'ownerId' | 'key'>): string => `${ownerId} ${key}`

/** How a sealed text begins, and no JSON does. */
export const sealedPrefix = 'sealed:'

/** 409: the work of this key is under way, here or on another server, or it is not known yet how it ended. */
export const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'A request under this Idempotency-Key is still being worked on. Send this one again to hear how it ended.',
    [],
    { 'retry-after': String(RETRY_AFTER_SECONDS) },
  )
