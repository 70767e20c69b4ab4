// Sign-ins in PostgreSQL. Nothing is cached: each request asks, so that signing out, a removal or a new role takes
// effect on every server with the next request.
import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { newId } from '../../core/ids.ts'
import { FAMILIAR_SIGN_INS, LAST_SEEN_MS, SIGN_IN_MS, SIGN_IN_UNUSED_MS, SIGN_INS_OF_USER } from '../../core/limits.ts'
import { isAtLeast, type Role } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import type { Visit } from '../../http/auth/cookie.ts'
import type { FindSignIn, KnownSignIn } from '../../http/auth/session.ts'
import { suspended } from '../keys/key-store.ts'

/** A new token: 256 random bits, as 43 characters of base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token. It is random, so a fast hash is enough. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex')

/** Whether a text can be a token; nothing else is looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** SQL condition: the row `stored` is a valid sign-in. */
export const isLasting = `stored.expires_at > now() and stored.last_seen_at > now() - interval '${SIGN_IN_UNUSED_MS / 1000} seconds'`

const find = {
  name: 'sign_in_by_hash',
  text: `
    select stored.id, stored.user_id, (extract(epoch from stored.last_seen_at) * 1000)::bigint,
      member.role, head.role, company.status, company.suspended_reason
    from sign_ins as stored
    left join companies as company on company.id = $2
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
  const familiar = new LRUCache<string, true>({ max: FAMILIAR_SIGN_INS })
  // Concurrent look-ups of one token share a statement; a call during a statement waits for the next one.
  const askOnce = singleFlight<KnownSignIn | undefined>()

  async function lookUp(hash: string, companyId?: string, organizationId?: string): Promise<KnownSignIn | undefined> {
    const [row] = await database.reserved.query(find, [hash, companyId ?? null, organizationId ?? null])
    if (row === undefined) {
      familiar.delete(hash)
      return undefined
    }
    familiar.set(hash, true)
    const [id, userId, seenAt, own, head, status, reason] = row
    if (Date.now() - seenAt > LAST_SEEN_MS) note(id)
    return {
      id,
      userId,
      role: greater(own, head),
      suspended: status === 'suspended' ? suspended(reason) : undefined,
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
    if (!familiar.has(hash) && mayGuess?.() === false) return null
    const question = `${hash} ${companyId ?? ''} ${organizationId ?? ''}`
    return askOnce(question, () => lookUp(hash, companyId, organizationId))
  }
}

/** Signs a user in, with a new token each time, whatever the browser had before. In a transaction. */
export async function signIn(
  transaction: Queryable,
  userId: string,
  { address, userAgent }: Visit,
): Promise<{ id: string; token: string }> {
  const [id, token, now] = [newId(), newToken(), new Date()]
  const end = new Date(now.getTime() + SIGN_IN_MS)
  await transaction.query(
    `insert into sign_ins (id, hash, user_id, created_at, last_seen_at, expires_at, user_agent, address)
     values ($1, $2, $3, $4, $4, $5, $6, $7)`,
    [id, tokenHash(token), userId, now.toISOString(), end.toISOString(), userAgent, address],
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

/** Signs a user out everywhere, except in the named sign-in; all other browsers are forgotten. */
export async function signOutAll(database: Queryable, userId: string, but?: string): Promise<void> {
  await database.query(
    `with strangers as (delete from known_browsers where user_id = $1 and sign_in_id is distinct from $2)
     delete from sign_ins where user_id = $1 and id is distinct from $2`,
    [userId, but ?? null],
  )
}

/** Ends one sign-in of a user and forgets its browser. Returns whether it existed. */
export async function endSignIn(database: Queryable, userId: string, id: string): Promise<boolean> {
  const ended = await database.query(
    `with ended as (delete from sign_ins where user_id = $1 and id = $2 returning id),
       strangers as (delete from known_browsers where user_id = $1 and sign_in_id in (select id from ended))
     select 1 from ended`,
    [userId, id],
  )
  return ended.length > 0
}
