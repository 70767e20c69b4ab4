// Tokens: random ones, stored only as a hash, and sealed ones, which need no row until they are used, once on
// all servers together.

import { hash, randomBytes } from 'node:crypto'
import type { Seal } from '../../core/idempotency-claim.ts'
import { bodyError, invalid, type Problem } from '../../core/problem.ts'
import { hasRow, type Queryable } from '../../database/connect.ts'

/**
 * Milliseconds within which a passkey answers: the library's minute is too short for a person who has to find the
 * phone.
 */
export const CHALLENGE_MS = 5 * 60 * 1000

/** A new token: 256 random bits, as 43 characters of base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token. It is random, so a fast hash is enough. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex')

/** Whether a text can be a token; nothing else is looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** What is sealed in a token that expires, and that `spendChallenge` accepts once. */
export interface Challenge {
  readonly challenge: string
  readonly expiresAt: number
}

/** What is sealed in a token; undefined for one that is forged, expired, or sealed in another context. */
export function openSealed<T extends Challenge>(
  seal: Seal,
  context: string,
  token: string,
  read: (text: string) => T = JSON.parse,
): T | undefined {
  try {
    const opened = read(seal.open(token, context))
    return opened.expiresAt > Date.now() ? opened : undefined
  } catch {
    return undefined
  }
}

/** Uses a challenge up, in the transaction that it allows. Returns whether it was not used before. */
export const spendChallenge = (transaction: Queryable, { challenge, expiresAt }: Challenge): Promise<boolean> =>
  hasRow(
    transaction,
    'insert into used_challenges (hash, expires_at) values ($1, $2) on conflict (hash) do nothing returning 1',
    [tokenHash(challenge), new Date(expiresAt).toISOString()],
  )

/** 400 for a token that a signed-in person sends and that cannot be used, or no longer: they stay signed in. */
export const usedToken = (): Problem =>
  invalid([bodyError('/token', 'expired', 'has expired or was already used: start again')])

/** What a passkey answers a challenge for: only that accepts it. */
export type ChallengePurpose = 'sign-in' | `registration ${string}`

/** A new challenge for a passkey, and the token that the caller sends back with the response. */
export function newChallenge(seal: Seal, purpose: ChallengePurpose): { challenge: string; token: string } {
  const challenge = newToken()
  return { challenge, token: seal.close(`${challenge} ${Date.now() + CHALLENGE_MS}`, `challenge ${purpose}`) }
}

/** The challenge in such a token; undefined as for `openSealed`: the purpose may name a person and a sign-in. */
export const openChallenge = (seal: Seal, purpose: ChallengePurpose, token: string): Challenge | undefined =>
  openSealed(seal, `challenge ${purpose}`, token, (text) => {
    const [challenge = '', expiresAt] = text.split(' ')
    return { challenge, expiresAt: Number(expiresAt) }
  })
