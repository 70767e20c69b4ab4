// Logins of PostgreSQL: a password's verifier, and the removal of a role, which is only closed if something prevents its removal.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { Queryable } from './connect.ts'

/** PostgreSQL's own number of rounds. */
const ROUNDS = 4_096

/** A SCRAM-SHA-256 verifier (RFC 5803) of an ASCII password. It is made here, so that the password itself is in no statement and no log. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest()
  const [salt64, stored64, server64] = [salt, storedKey, keyOf('Server Key')].map((bytes) => bytes.toString('base64'))
  return `SCRAM-SHA-256$${ROUNDS}:${salt64}$${stored64}:${server64}`
}

/**
 * Removes a role with its rights in this database, in a transaction of the caller. A role that owns something in another database, or that a superuser
 * has given rights, cannot be removed: it is left without password and without the rights that it had from the caller. Returns what it still has;
 * undefined if it is gone.
 */
export async function dropRole(transaction: Queryable, role: string): Promise<string | undefined> {
  await transaction.query(`alter role ${role} nologin password null`)
  await transaction.query(`drop owned by ${role}`)
  await transaction.query('savepoint before_drop')
  try {
    await transaction.query(`drop role ${role}`)
    return undefined
  } catch (error) {
    const { code, detail = '' } = error as { code?: string; detail?: string }
    if (code !== '2BP01') throw error
    await transaction.query('rollback to savepoint before_drop')
    return detail.replaceAll('\n', ', ')
  }
}
