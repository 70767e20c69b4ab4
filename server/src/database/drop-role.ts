// Removes a role of PostgreSQL, or closes it where something keeps it from being removed.
import type { Queryable } from './connect.ts'

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
