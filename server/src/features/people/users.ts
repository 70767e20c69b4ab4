// Users: the people who sign in. A user belongs to no company; memberships give access.

import { newId } from '../../core/ids.ts'
import { bodyError, Problem } from '../../core/problem.ts'
import { isUniqueFault, type Queryable, type Row } from '../../database/connect.ts'
import { addressOf } from './address.ts'

/** A user, with what only the service may see. */
export interface User {
  readonly id: string
  readonly email: string
  readonly name?: string
  readonly passwordHash?: string
}

const columns = 'stored.id, stored.email, stored.name, stored.password_hash'

function userOf([id, email, name, passwordHash]: Row): User {
  return { id, email, ...(name !== null && { name }), ...(passwordHash !== null && { passwordHash }) }
}

/** A user as shown to themselves. */
export const shownUser = ({ id, email, name }: User) => ({ id, email, ...(name !== undefined && { name }) })

/** The user with an address in any notation; undefined if there is none. */
export async function userByAddress(database: Queryable, email: string): Promise<User | undefined> {
  const [row] = await database.query(`select ${columns} from users as stored where stored.address = $1`, [
    addressOf(email),
  ])
  return row && userOf(row)
}

/** The user with an id, locked until the transaction ends if `isHeld`; undefined if it no longer exists. */
export async function userById(database: Queryable, id: string, isHeld = false): Promise<User | undefined> {
  const [row] = await database.query(
    `select ${columns} from users as stored where stored.id = $1 ${isHeld ? 'for no key update' : ''}`,
    [id],
  )
  return row && userOf(row)
}

/** A new user; without an id, one is generated. */
interface NewUser {
  readonly id?: string
  readonly email: string
  readonly name?: string | undefined
  readonly passwordHash?: string | undefined
}

/** Creates a user and invalidates the first owner's link (the next start prints another if needed). Throws 409 for a taken address. */
export async function createUser(
  transaction: Queryable,
  { id = newId(), email, name, passwordHash }: NewUser,
): Promise<User> {
  const now = new Date().toISOString()
  await transaction.query("delete from sign_in_links where kind = 'first' and used_at is null")
  try {
    await transaction.query(
      `insert into users (id, email, address, name, password_hash, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6)`,
      [id, email, addressOf(email), name ?? null, passwordHash ?? null, now],
    )
  } catch (error) {
    throw isUniqueFault(error) ? takenAddress() : error
  }
  return { id, email, ...(name !== undefined && { name }), ...(passwordHash !== undefined && { passwordHash }) }
}

/** The code of the only refusal that reveals that an address has an account. */
const TAKEN = 'taken'

/** Whether an error is that refusal. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Problem && error.errors.some(({ code }) => code === TAKEN)

/** 409: an address belongs to one user. */
export const takenAddress = (): Problem => new Problem('conflict', taken, [bodyError('/email', TAKEN, taken)])
const taken = 'This e-mail address cannot be used: another account signs in with it.'

/** Stores a user's new password. */
export async function setPassword(transaction: Queryable, id: string, passwordHash: string): Promise<void> {
  await transaction.query('update users set password_hash = $2, updated_at = $3 where id = $1', [
    id,
    passwordHash,
    new Date().toISOString(),
  ])
}

/** Stores a user's new values. Throws the unique index's error if the address is another user's. */
export async function changeUser(transaction: Queryable, { id, email, name, passwordHash }: User): Promise<void> {
  await transaction.query(
    'update users set email = $2, address = $3, name = $4, password_hash = $5, updated_at = $6 where id = $1',
    [id, email, addressOf(email), name ?? null, passwordHash ?? null, new Date().toISOString()],
  )
}
