// Tokens: random ones, stored only as a hash, and sealed ones, which need no row until they are used, once on
// all servers together.

import { hash, randomBytes } from 'node:crypto'
import type { Seal } from '../../core/idempotency-claim.ts'
import { SSO_MS } from '../../core/limits.ts'
import { bodyError, invalid, Problem } from '../../core/problem.ts'
import { hasRow, type Queryable } from '../../database/connect.ts'
import type { Begun, ProvenIdentity } from '../openid/provider.ts'

/**
 * Milliseconds within which a passkey answers: the library's minute is too short for a person who has to find the
 * phone.
 */
export const CHALLENGE_MS = 5 * 60 * 1000
/** Milliseconds for which an identity that the OpenID provider has proven can be used. */
const IDENTITY_MS = 5 * 60 * 1000

/** A new token: 256 random bits, as 43 characters of base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token. It is random, so a fast hash is enough. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex')

/** Whether a text can be a token; nothing else is looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** What is sealed in a token that expires, and that `spendChallenge` accepts once. */
interface Challenge {
  readonly challenge: string
  readonly expiresAt: number
}

/** Seals a challenge, and more, in a token that is valid for some milliseconds, and only in its context. */
const sealChallenge = <T extends Pick<Challenge, 'challenge'>>(seal: Seal, context: string, content: T, ms: number) =>
  seal.close(JSON.stringify({ ...content, expiresAt: Date.now() + ms }), context)

/** What is sealed in such a token; undefined for one that is forged, expired, or sealed in another context. */
function openSealed<T extends Challenge>(seal: Seal, context: string, token: string): T | undefined {
  try {
    const opened: T = JSON.parse(seal.open(token, context))
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

/** What a passkey answers a challenge for: only that accepts it. It may name a person and a sign-in. */
export type ChallengePurpose = 'sign-in' | `registration ${string}`

/** A new challenge for a passkey, and the token that the caller sends back with the response. */
export function newChallenge(seal: Seal, purpose: ChallengePurpose): { challenge: string; token: string } {
  const challenge = newToken()
  return { challenge, token: sealChallenge(seal, `challenge ${purpose}`, { challenge }, CHALLENGE_MS) }
}

/** The challenge in such a token; undefined as for `openSealed`. */
export const openChallenge = (seal: Seal, purpose: ChallengePurpose, token: string): Challenge | undefined =>
  openSealed(seal, `challenge ${purpose}`, token)

/** The value of the cookie with which a browser comes back from the OpenID provider. */
export const sealBegun = (seal: Seal, begun: Begun): string =>
  sealChallenge(seal, 'sso begun', { ...begun, challenge: begun.state }, SSO_MS)

/** Opens the cookie's value. Throws 401 for one that is missing, forged or expired, and for the state of another browser. */
export function openBegun(seal: Seal, sealed: string | undefined, state: string): Begun & Challenge {
  const begun = openSealed<Begun & Challenge>(seal, 'sso begun', sealed ?? '')
  if (begun === undefined || begun.state !== state)
    throw invalidSso(
      'This sign-in was begun in another browser or tab, or more than ten minutes ago. Go back to the sign-in page and start again.',
    )
  return begun
}

/** An identity that a person has just proven. */
interface Proven extends Challenge {
  readonly identity: ProvenIdentity
}

/** The token of a proven identity: valid for five minutes, and once. */
export const sealProven = (seal: Seal, identity: ProvenIdentity): string =>
  sealChallenge(seal, 'sso identity', { identity, challenge: newToken() }, IDENTITY_MS)

/** Opens the token; undefined for one that is forged or expired. */
export const openProven = (seal: Seal, token: string): Proven | undefined => openSealed(seal, 'sso identity', token)

/** 401: a token of an identity, or an answer of the provider, was used or has expired. */
export const usedUp = (): Problem =>
  invalidSso('This sign-in has expired or was already used. Go back to the sign-in page and start again.')

/** 401 with what is wrong. */
export const invalidSso = (message: string): Problem => new Problem('invalid_sso', message)
