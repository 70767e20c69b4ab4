// Tokens and links. Random tokens are stored only as a hash; sealed ones need no row until they are used. Both work once, on all
// servers together. A link to choose a password has a random one: a person or the operator hands it on, or it is mailed.

import { hash, randomBytes } from 'node:crypto'
import type { Seal } from '../../core/idempotency-claim.ts'
import { SSO_MS } from '../../core/limits.ts'
import { bodyError, invalid, Problem } from '../../core/problem.ts'
import { type Database, hasRow, type Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
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

/** Milliseconds for which the first link, which `serve` prints, and any other link are valid. */
const FIRST_LINK_MS = 24 * 60 * 60 * 1000
export const LINK_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds for which a mailed link to a new password is valid. */
export const MAILED_LINK_MS = 60 * 60 * 1000

/** A valid link. */
export interface Link {
  readonly kind: 'first' | 'password'
  readonly expiresAt: string
  /** The user whose password is chosen. */
  readonly userId?: string
  readonly email?: string
  /** The organization whose owner the first person becomes. */
  readonly organizationId?: string
  readonly organizationName?: string
}

/** The console's address for links; the token is after `#`, so that it never reaches a server's log. */
export const linkPath = (token: string): string => `/console/link#token=${token}`

/**
 * Makes a link for a user, in place of older ones. Returns its path. `madeBy` is the person who hands it on, if any.
 */
export async function makeLink(transaction: Queryable, userId: string, madeBy?: string): Promise<string> {
  await transaction.query('delete from sign_in_links where user_id = $1', [userId])
  return insert(transaction, { kind: 'password', userId, madeBy, ms: LINK_MS })
}

/**
 * Makes a link for a user that is mailed to the user's own address. Returns its path. It replaces no other link: anyone can ask for
 * one. The first that is used ends all others.
 */
export const makeMailedLink = (transaction: Queryable, userId: string): Promise<string> =>
  insert(transaction, { kind: 'password', userId, ms: MAILED_LINK_MS })

/** A link to be made; it is valid for some milliseconds. */
interface WantedLink extends Pick<Link, 'kind' | 'userId' | 'organizationId'> {
  readonly madeBy?: string | undefined
  readonly ms: number
}

async function insert(
  transaction: Queryable,
  { kind, userId, organizationId, madeBy, ms }: WantedLink,
): Promise<string> {
  const token = newToken()
  const now = Date.now()
  await transaction.query(
    `insert into sign_in_links (hash, kind, user_id, organization_id, made_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[tokenHash(token), kind, userId ?? null, organizationId ?? null, madeBy ?? null],
      ...[new Date(now).toISOString(), new Date(now + ms).toISOString()],
    ],
  )
  return linkPath(token)
}

/** SQL condition: there is no owner yet. */
const hasNoOwner = `not exists (select from members where role = 'owner')`

/**
 * The path of a new link for the first owner of the oldest organization; it replaces older ones. Undefined if there
 * is already an owner, or no organization.
 */
export async function firstLink(database: Database): Promise<string | undefined> {
  return retriedTransaction(database, async (transaction) => {
    // If several servers start at once, the link of the last one counts.
    await transaction.query('select pg_advisory_xact_lock(7270115404)')
    // Waits for a request that uses the current link, so that the owner it creates is seen below.
    await transaction.query("delete from sign_in_links where kind = 'first' and used_at is null")
    const [organization] = await transaction.query(
      `select id from organizations where ${hasNoOwner} order by created_at, id limit 1`,
    )
    if (organization === undefined) return undefined
    return insert(transaction, { kind: 'first', organizationId: organization[0], ms: FIRST_LINK_MS })
  })
}

/** A 401 that says what to do. */
export const invalidLink = (why: string): Problem =>
  new Problem(
    'invalid_link',
    `${why} Ask for a new one: an owner makes one under Members, and the operator with \`cashwrap user reset-password\`. For the first owner, the service prints one at the next start.`,
  )

/** The link of a token. Throws 401 if it was used, has expired, or never existed. */
export async function findLink(database: Queryable, token: string): Promise<Link> {
  const [row] = isToken(token)
    ? await database.query(
        `select stored.kind, iso_time(stored.expires_at), stored.expires_at > now(), stored.used_at is not null,
           stored.user_id, users.email, stored.organization_id, organization.name
         from sign_in_links as stored left join users on users.id = stored.user_id
         left join organizations as organization on organization.id = stored.organization_id
         where stored.hash = $1`,
        [tokenHash(token)],
      )
    : []
  if (row === undefined)
    throw invalidLink(
      'This link is not valid: it is mistyped, a newer link replaced it, or the invitation was withdrawn.',
    )
  const [kind, expiresAt, isLasting, isUsed, userId, email, organizationId, organizationName] = row.map(
    (value) => value ?? undefined,
  )
  if (isUsed) throw invalidLink('This link was already used.')
  if (!isLasting) throw invalidLink(`This link expired at ${expiresAt}.`)
  return { kind, expiresAt, userId, email, organizationId, organizationName }
}

/**
 * Marks a link as used: of two concurrent requests, one succeeds and the other gets 401. A `first` link works only
 * while there is no owner, since a server that started meanwhile may have made another.
 */
export async function spendLink(transaction: Queryable, token: string): Promise<void> {
  const [row] = await transaction.query(
    `update sign_in_links set used_at = $2 where hash = $1 and used_at is null and expires_at > now()
       and (kind <> 'first' or ${hasNoOwner}) returning 1`,
    [tokenHash(token), new Date().toISOString()],
  )
  if (row === undefined) throw invalidLink('This link was used a moment ago, or an owner exists without it.')
}

/**
 * Invalidates the links of a user and those that the user made. People with such a link then need one from another
 * owner.
 */
export async function dropLinks(transaction: Queryable, userId: string): Promise<void> {
  await dropOwnLinks(transaction, userId)
  await takeBackLinks(transaction, userId)
}

/** Invalidates the links of a user alone, which may be in the mailbox of an earlier address. */
export async function dropOwnLinks(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query('delete from sign_in_links where used_at is null and user_id = $1', [userId])
}

/** Invalidates the links that a user made for others. Invitations stay in the list, so that another owner can renew them. */
export async function takeBackLinks(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query('delete from sign_in_links where used_at is null and made_by = $1', [userId])
  await transaction.query('update invitations set hash = null where used_at is null and invited_by = $1', [userId])
}
