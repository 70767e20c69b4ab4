// What a sign-in at the OpenID provider needs between two requests, without a row: sealed in a cookie of the browser, then in a token.

import type { Seal } from '../../core/idempotency-claim.ts'
import { SSO_MS } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import type { Begun, OpenIdProvider, ProvenIdentity } from '../openid/provider.ts'
import { type Challenge, newToken, openSealed } from './tokens.ts'

/** Milliseconds for which an identity that the OpenID provider has proven can be used. */
const IDENTITY_MS = 5 * 60 * 1000

/** What the routes of single sign-on share. */
export interface Sso {
  readonly database: Database
  readonly seal: Seal
  readonly provider: OpenIdProvider
}

/** An identity that a person has just proven. */
interface Proven extends Challenge {
  readonly identity: ProvenIdentity
}

/** The value of the cookie with which a browser comes back from the provider. */
export const sealBegun = (seal: Seal, begun: Begun): string =>
  seal.close(JSON.stringify({ ...begun, challenge: begun.state, expiresAt: Date.now() + SSO_MS }), 'sso begun')

/** Opens the cookie's value. Throws 401 for one that is missing, forged or expired, and for the state of another browser. */
export function openBegun(seal: Seal, sealed: string | undefined, state: string): Begun & Challenge {
  const begun = openSealed<Begun & Challenge>(seal, 'sso begun', sealed ?? '')
  if (begun === undefined || begun.state !== state)
    throw invalidSso(
      'This sign-in was begun in another browser or tab, or more than ten minutes ago. Go back to the sign-in page and start again.',
    )
  return begun
}

/** The token of a proven identity: valid for five minutes, and once. */
export const sealProven = (seal: Seal, identity: ProvenIdentity): string =>
  seal.close(JSON.stringify({ identity, challenge: newToken(), expiresAt: Date.now() + IDENTITY_MS }), 'sso identity')

/** Opens the token; undefined for one that is forged or expired. */
export const openProven = (seal: Seal, token: string): Proven | undefined => openSealed(seal, 'sso identity', token)

/** 401: a token of an identity, or an answer of the provider, was used or has expired. */
export const usedUp = (): Problem =>
  invalidSso('This sign-in has expired or was already used. Go back to the sign-in page and start again.')

/** 401 with what is wrong. */
export const invalidSso = (message: string): Problem => new Problem('invalid_sso', message)

/** What the reference says of each route of single sign-on. */
export const absentWithoutProvider = 'If the operator has set up no provider, the path is 404.'
