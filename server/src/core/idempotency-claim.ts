// A claim: an idempotency key in use, as the work that is done under it has to know it (decisions §12).

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
