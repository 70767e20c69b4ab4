// Sign-ins and the browsers that are known by them, as stored, and the response of a sign-in.

import { singleFlight } from '../../concurrency/single-flight.ts'
import { newId } from '../../core/ids.ts'
import { KNOWN_BROWSER_MS, SIGN_IN_MS } from '../../core/limits.ts'
import { lruCache } from '../../core/lru-cache.ts'
import { isAtLeast, type Person, type Role } from '../../core/scope.ts'
import { type Database, hasRow, type Queryable } from '../../database/connect.ts'
import { setCookie, type Visit } from '../../http/auth/cookie.ts'
import { csrfTokenOf } from '../../http/auth/csrf.ts'
import { type FindSignIn, type KnownSignIn, notSignedIn } from '../../http/auth/sign-in.ts'
import { type Answer, type Call, json } from '../../http/route.ts'
import { isToken, newToken, tokenHash } from './links.ts'
import { shownUser, type User, userById } from './users.ts'

/** Milliseconds without a request for which a browser stays signed in: seven days. */
const SIGN_IN_UNUSED_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds between two writes of when a sign-in was last seen: one a minute, however busy the page is. */
const LAST_SEEN_MS = 60_000
/** Sign-ins of one user, the newest: no user has this many browsers, and a program that signs in for each request fills no table. */
const SIGN_INS_OF_USER = 100
/** Sign-ins cached that were valid a short while ago, so that their look-ups do not count as guesses. */
const FAMILIAR_SIGN_INS = 50_000
/** Browsers that are recognized for one user, the newest. */
const KNOWN_BROWSERS_OF_USER = 100

/** SQL condition: the row `stored` is a valid sign-in. */
export const isLasting = `stored.expires_at > now() and stored.last_seen_at > now() - interval '${SIGN_IN_UNUSED_MS / 1000} seconds'`

/**
 * SQL condition: the sign-in `stored` was made without a second factor, and the `company`, or the `organization` where there is no company,
 * requires one. An organization opens all of its companies, so what one of them requires holds there too.
 */
export const lacksFactor = `(not stored.has_second_factor and (
  coalesce(company.requires_second_factor, false) or coalesce(organization.requires_second_factor, false)
  or company.id is null and exists (
    select from companies as own where own.organization_id = organization.id and own.requires_second_factor)))`

const find = {
  name: 'sign_in_by_hash',
  text: `
    select stored.id, stored.user_id, (extract(epoch from stored.last_seen_at) * 1000)::bigint,
      member.role, head.role, company.status, company.suspended_reason, ${lacksFactor}
    from sign_ins as stored
    left join companies as company on company.id = $2
    left join organizations as organization on organization.id = coalesce(company.organization_id, $3)
    left join members as member on member.user_id = stored.user_id and member.company_id = company.id
    left join members as head on head.user_id = stored.user_id and head.organization_id = coalesce(company.organization_id, $3)
    where stored.hash = $1 and ${isLasting}`,
}

/** The greater of two roles that a user may have. */
const greater = (a: Role | null, b: Role | null): Role | undefined => {
  if (a === null || b === null) return a ?? b ?? undefined
  return isAtLeast(a, b) ? a : b
}

/** Makes the function that finds sign-ins; it also stores when they were last seen. */
export function signInFinder(database: Database): FindSignIn {
  // Tokens that were recently valid: looking them up is not guessing.
  const familiar = lruCache<string, true>(FAMILIAR_SIGN_INS)
  // Concurrent look-ups of one token share a statement; a call during a statement waits for the next one.
  const askOnce = singleFlight<KnownSignIn | 'removed' | undefined>()

  async function lookUp(
    hash: string,
    companyId?: string,
    organizationId?: string,
  ): Promise<KnownSignIn | 'removed' | undefined> {
    const [row] = await database.reserved.query(find, [hash, companyId ?? null, organizationId ?? null])
    if (row === undefined) {
      familiar.delete(hash)
      const wasRemoved = 'select 1 from removed_sign_ins where hash = $1'
      return (await hasRow(database.reserved, wasRemoved, [hash])) ? 'removed' : undefined
    }
    familiar.set(hash, true)
    const [id, userId, seenAt, own, head, status, reason, lacksSecondFactor] = row
    if (Date.now() - seenAt > LAST_SEEN_MS) note(id)
    return {
      id,
      userId,
      role: greater(own, head),
      suspended: status === 'suspended' ? (reason ?? '') : undefined,
      lacksSecondFactor,
      isOfOrganization: head !== null,
    }
  }

  /** Not awaited; of several servers the first one writes. */
  function note(id: string): void {
    database
      .query(`update sign_ins set last_seen_at = $2 where id = $1 and last_seen_at < $3`, [
        id,
        new Date().toISOString(),
        new Date(Date.now() - LAST_SEEN_MS).toISOString(),
      ])
      .catch(() => {})
  }

  return async (token, { companyId, organizationId }, mayGuess) => {
    if (!isToken(token)) return undefined
    const hash = tokenHash(token)
    if (!familiar.has(hash) && (await mayGuess?.()) === false) return null
    const question = `${hash} ${companyId ?? ''} ${organizationId ?? ''}`
    return askOnce(question, () => lookUp(hash, companyId, organizationId))
  }
}

/** Signs a user in, with a new token each time, whatever the browser had before. In a transaction. */
async function signIn(
  transaction: Queryable,
  userId: string,
  { address, userAgent }: Visit,
  hasSecondFactor: boolean,
): Promise<{ id: string; token: string }> {
  const id = newId()
  const token = newToken()
  const now = new Date()
  const end = new Date(now.getTime() + SIGN_IN_MS)
  await transaction.query(
    `insert into sign_ins (id, hash, user_id, created_at, last_seen_at, expires_at, user_agent, address, has_second_factor)
     values ($1, $2, $3, $4, $4, $5, $6, $7, $8)`,
    [id, tokenHash(token), userId, now.toISOString(), end.toISOString(), userAgent, address, hasSecondFactor],
  )
  await transaction.query(
    `delete from sign_ins where id in (
       select id from sign_ins where user_id = $1 order by created_at desc, id desc offset $2
     )`,
    [userId, SIGN_INS_OF_USER],
  )
  await transaction.query('update users set last_sign_in_at = $2 where id = $1', [userId, now.toISOString()])
  return { id, token }
}

/** Notes that the user of a sign-in has shown a second factor since. */
export async function noteSecondFactor(transaction: Queryable, signInId: string): Promise<void> {
  await transaction.query('update sign_ins set has_second_factor = true where id = $1', [signInId])
}

/** Whether a browser with a sign-in's token is signed in as a user, with a second factor. */
export const showsFactor = async (database: Queryable, userId: string, token: string | undefined): Promise<boolean> =>
  token !== undefined &&
  hasRow(
    database,
    `select 1 from sign_ins as stored where hash = $1 and user_id = $2 and has_second_factor and ${isLasting}`,
    [tokenHash(token), userId],
  )

/** Deletes a user with all their data. Until their sign-ins would have expired, requests with one learn that the account was deleted. */
export async function removeUser(transaction: Queryable, id: string): Promise<void> {
  await transaction.query(
    `insert into removed_sign_ins (hash, expires_at)
     select hash, expires_at from sign_ins as stored where user_id = $1 and ${isLasting}`,
    [id],
  )
  await transaction.query('delete from users where id = $1', [id])
}

/** Whether a sign-in has not ended. */
export const signInLasts = (database: Queryable, signInId: string): Promise<boolean> =>
  hasRow(database, `select 1 from sign_ins as stored where id = $1 and ${isLasting}`, [signInId])

/** Signs a user out everywhere, except in the named sign-in; all other browsers are forgotten. */
export async function signOutAll(database: Queryable, userId: string, but?: string): Promise<void> {
  await database.query(
    `with strangers as (delete from known_browsers where user_id = $1 and sign_in_id is distinct from $2)
     delete from sign_ins where user_id = $1 and id is distinct from $2`,
    [userId, but ?? null],
  )
}

/** Ends one sign-in of a user and forgets its browser. Returns whether it existed. */
export const endSignIn = (database: Queryable, userId: string, id: string): Promise<boolean> =>
  hasRow(
    database,
    `with ended as (delete from sign_ins where user_id = $1 and id = $2 returning id),
       strangers as (delete from known_browsers where user_id = $1 and sign_in_id in (select id from ended))
     select 1 from ended`,
    [userId, id],
  )

/** SQL condition: the row `stored` still makes a browser known. */
export const isKnown = `stored.seen_at > now() - interval '${KNOWN_BROWSER_MS / 1000} seconds'`

/** The id of a browser known to the user with an address; undefined if it is unknown, or there is no such user. */
export async function knownBrowser(
  database: Queryable,
  token: string | undefined,
  address: string,
): Promise<string | undefined> {
  if (token === undefined || !isToken(token)) return undefined
  const [row] = await database.query(
    `select stored.id from known_browsers as stored
     where stored.hash = $1 and ${isKnown} and stored.user_id = (select id from users where address = $2)`,
    [tokenHash(token), address],
  )
  return row?.[0]
}

/**
 * Makes a browser known to the user that signs in there, and returns its token: a new one each time, so that a token
 * planted or copied before is worthless afterwards. Users to whom the browser was already known keep it, each under the
 * same id, even if a copy of its cookie is used first. A copy gives no access, only a separate number of tries.
 */
async function rememberBrowser(
  transaction: Queryable,
  { userId, signInId, before }: { userId: string; signInId: string; before: string | undefined },
): Promise<string> {
  const token = newToken()
  const hash = tokenHash(token)
  if (before !== undefined && isToken(before))
    await transaction.query('update known_browsers set hash = $2 where hash = $1', [tokenHash(before), hash])
  await transaction.query(
    `insert into known_browsers (id, hash, user_id, sign_in_id, seen_at) values ($1, $2, $3, $4, $5)
     on conflict (hash, user_id) do update set sign_in_id = excluded.sign_in_id, seen_at = excluded.seen_at`,
    [newId(), hash, userId, signInId, new Date().toISOString()],
  )
  await transaction.query(
    `delete from known_browsers where id in (
       select id from known_browsers where user_id = $1 order by seen_at desc, id desc offset $2
     )`,
    [userId, KNOWN_BROWSERS_OF_USER],
  )
  return token
}

/** The person of a call on the person surface, or on any other surface by sign-in. */
export const personOf = ({ scope }: Pick<Call, 'scope'>): Person => scope.user as Person

/** The user of such a call. Throws 401 if it was deleted since the request arrived. */
export async function ownUser(database: Database, call: Call): Promise<User> {
  const user = await userById(database, personOf(call).id)
  if (user === undefined) throw notSignedIn()
  return user
}

/**
 * Signs a user in within a transaction, in place of the browser's previous sign-in; sets the cookies. `hasSecondFactor`: with a code
 * or a passkey.
 */
export async function answerSignedIn(
  transaction: Queryable,
  user: User,
  call: Pick<Call, 'visit'>,
  hasSecondFactor = false,
): Promise<Answer> {
  const visit = call.visit()
  if (visit.token !== undefined && isToken(visit.token))
    await transaction.query('delete from sign_ins where hash = $1', [tokenHash(visit.token)])
  const { id: signInId, token } = await signIn(transaction, user.id, visit, hasSecondFactor)
  const browserToken = await rememberBrowser(transaction, { userId: user.id, signInId, before: visit.browserToken })
  return {
    ...json({ user: shownUser(user), csrfToken: csrfTokenOf(token), signInId }),
    headers: {
      'set-cookie': [setCookie('sign_in', token, visit.isSecure), setCookie('browser', browserToken, visit.isSecure)],
      'cache-control': 'no-store',
    },
  }
}
