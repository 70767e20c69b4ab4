// The ways to sign in to an account: a password, a passkey or an identity; its own person cannot remove the last one.

import { conflict } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'

/** SQL condition: the row of `users` has a password, a passkey or an identity at the operator's provider of today. */
export const canSignIn = `(users.password_hash is not null
  or exists (select from passkeys where passkeys.user_id = users.id)
  or exists (select from identities where identities.user_id = users.id and identities.is_current))`

/** Whether an account can sign in. */
export async function hasWayIn(database: Queryable, userId: string): Promise<boolean> {
  const [row] = await database.query(`select 1 from users where id = $1 and ${canSignIn}`, [userId])
  return row !== undefined
}

/** After a way was removed from an account whose row is locked. Throws 409 if it was the only one. */
export async function requireWayIn(transaction: Queryable, userId: string): Promise<void> {
  if (!(await hasWayIn(transaction, userId)))
    throw conflict(
      'only_way_in',
      'This is your only way to sign in. Choose a password, or add another way, and then remove this one.',
    )
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
