// Challenges of passkeys: made without a row, sealed with their purpose and end, and accepted once on all servers together.

import { randomBytes } from 'node:crypto'
import type { Seal } from '../../core/idempotency-claim.ts'
import type { Queryable } from '../../database/connect.ts'
import { CHALLENGE_MS } from './limits.ts'
import { tokenHash } from './sign-ins.ts'

/** What a challenge is for: only that accepts it. */
export type Purpose = 'sign-in' | `registration ${string}`

const contextOf = (purpose: Purpose): string => `challenge ${purpose}`

/** A new challenge of 256 random bits in base64url, and the token that the caller sends back with the response. */
export function newChallenge(seal: Seal, purpose: Purpose): { challenge: string; token: string } {
  const challenge = randomBytes(32).toString('base64url')
  return { challenge, token: seal.close(`${challenge} ${Date.now() + CHALLENGE_MS}`, contextOf(purpose)) }
}

/** A challenge that was opened. */
interface Challenge {
  readonly challenge: string
  readonly expiresAt: number
}

/** The challenge in a token; undefined for one that is forged, expired, or of another purpose, person or sign-in. */
export function openChallenge(seal: Seal, purpose: Purpose, token: string): Challenge | undefined {
  let text: string
  try {
    text = seal.open(token, contextOf(purpose))
  } catch {
    return undefined
  }
  const [challenge = '', end = ''] = text.split(' ')
  return Number(end) > Date.now() ? { challenge, expiresAt: Number(end) } : undefined
}

/** Uses a challenge up, in the transaction that it allows. Returns whether it was not used before. */
export async function spendChallenge(transaction: Queryable, { challenge, expiresAt }: Challenge): Promise<boolean> {
  const [spent] = await transaction.query(
    'insert into used_challenges (hash, expires_at) values ($1, $2) on conflict (hash) do nothing returning 1',
    [tokenHash(challenge), new Date(expiresAt).toISOString()],
  )
  return spent !== undefined
}
