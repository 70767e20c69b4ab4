// Identities: who a person is at the OpenID provider, as stored. Issuer and subject identify the person; the address is only a label.

import { newId } from '../../core/ids.ts'
import { conflict, notFound, type Problem } from '../../core/problem.ts'
import { hasRow, isUniqueFault, namedValues, type Queryable, type Row } from '../../database/connect.ts'
import type { ProvenIdentity } from '../openid/provider.ts'
import { requireWayIn } from './ways-in.ts'

/** Identities of one user: more than anyone has. */
const IDENTITIES_OF_USER = 10

/** An identity as its person sees it. */
interface Identity {
  readonly id: string
  readonly issuer: string
  readonly email?: string
  readonly isSecondFactor: boolean
  readonly createdAt: string
  readonly lastUsedAt?: string
}

const columns =
  'stored.id, stored.issuer, stored.email, stored.is_second_factor, iso_time(stored.created_at), iso_time(stored.last_used_at)'
const identityOf = (row: Row): Identity =>
  namedValues(row, ['id', 'issuer', 'email', 'isSecondFactor', 'createdAt', 'lastUsedAt'])

/** A user's identities, oldest first. */
export async function identitiesOf(database: Queryable, userId: string): Promise<Identity[]> {
  const ofUser = `select ${columns} from identities as stored where user_id = $1 order by created_at, id`
  return (await database.query(ofUser, [userId])).map(identityOf)
}

/** The id of the user with an identity; undefined if no account has it. */
export async function userOfIdentity(
  database: Queryable,
  { issuer, subject }: ProvenIdentity,
): Promise<string | undefined> {
  const ofIdentity = 'select user_id from identities where issuer = $1 and subject = $2'
  const [row] = await database.query(ofIdentity, [issuer, subject])
  return row?.[0]
}

/** Notes the use of a user's identity. Returns whether the user still has it. */
export const noteUse = (
  transaction: Queryable,
  userId: string,
  { issuer, subject, email }: ProvenIdentity,
  isSecondFactor: boolean,
): Promise<boolean> =>
  hasRow(
    transaction,
    `update identities set last_used_at = $4, email = $5, is_second_factor = $6
     where user_id = $1 and issuer = $2 and subject = $3 returning 1`,
    [userId, issuer, subject, new Date().toISOString(), email ?? null, isSecondFactor],
  )

/** Links an identity to a user whose row is locked. Throws 409 if an account has it already, and for too many. */
export async function addIdentity(
  transaction: Queryable,
  userId: string,
  { issuer, subject, email }: ProvenIdentity,
  isSecondFactor: boolean,
): Promise<Identity> {
  const [count] = await transaction.query('select count(*)::int from identities where user_id = $1', [userId])
  if (count?.[0] >= IDENTITIES_OF_USER)
    throw conflict(
      'identities_full',
      `You have ${IDENTITIES_OF_USER} linked identities, the maximum. Unlink one first.`,
    )
  const [row] = await transaction
    .query(
      `with made as (
         insert into identities (id, user_id, issuer, subject, email, is_second_factor, created_at)
         values ($1, $2, $3, $4, $5, $6, $7) returning *
       ) select ${columns} from made as stored`,
      [newId(), userId, issuer, subject, email ?? null, isSecondFactor, new Date().toISOString()],
    )
    .catch((error) => {
      throw isUniqueFault(error) ? linkedAlready() : error
    })
  return identityOf(row as Row)
}

/** 409: an identity signs in one account. */
export const linkedAlready = (): Problem =>
  conflict('identity_linked', 'This identity is already linked to an account.')

/**
 * Unlinks a user's identity. Returns whether it was a second factor. Throws `not_found`, and 409 if it is the user's only way to sign
 * in.
 */
export async function removeIdentity(transaction: Queryable, userId: string, id: string): Promise<boolean> {
  const [removed] = await transaction.query(
    'delete from identities where user_id = $1 and id = $2 returning is_second_factor',
    [userId, id],
  )
  if (removed === undefined) throw notFound('identity', id)
  await requireWayIn(transaction, userId)
  return removed[0]
}

/** Unlinks a user's identities that are a second factor. Returns how many there were. */
export async function removeVouchedIdentities(transaction: Queryable, userId: string): Promise<number> {
  const removed = await transaction.query(
    'delete from identities where user_id = $1 and is_second_factor returning 1',
    [userId],
  )
  return removed.length
}

/** Unlinks all identities of a user. */
export async function removeIdentities(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query('delete from identities where user_id = $1', [userId])
}

/**
 * Notes at a start which provider the operator has set up: identities of another provider sign in nobody, and count
 * neither as a way in nor as a second factor. Servers that start together change the rows in the same order.
 */
export async function noteIssuer(database: Queryable, issuer: string | undefined): Promise<void> {
  await database.query(
    `update identities as stored set is_current = not stored.is_current from (
       select id from identities where is_current <> (issuer is not distinct from $1::text) order by id for update
     ) as changed where stored.id = changed.id`,
    [issuer ?? null],
  )
}
