// The role of PostgreSQL that reads and writes the rows of companies in reach, and its password. Both are derived from
// the secret key, so no table stores them.
import { hkdfSync } from 'node:crypto'
import type { Connection, Login } from '../connect.ts'
import { parseUrl } from '../connection-error.ts'
import { rolePrefix } from './names.ts'

const derived = (secretKey: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, bytes))

/**
 * The login of a secret key in a database. Another key has another role: while keys are exchanged, servers with either of them can
 * connect. Roles belong to all databases of a PostgreSQL, so the number of the database is in the name.
 */
export const loginOf = (secretKey: string, databaseNumber: string): Login => ({
  user: `${rolePrefix}${databaseNumber}_${derived(secretKey, 'cashwrap row security name', 4).toString('hex')}`,
  password: derived(secretKey, 'cashwrap row security password', 24).toString('base64url'),
})

/** A connection of a login: to the same database, on the same route. */
export function connectionAs<T extends Connection>(connection: T, login: Login): T & Login {
  const { connectionString, direct } = connection
  return {
    ...connection,
    ...login,
    ...(connectionString !== undefined && { connectionString: urlAs(connectionString, login) }),
    // The way past a pooler is taken too, where statements have a time of their own.
    ...(direct !== undefined && { direct: urlAs(direct, login) }),
  }
}

function urlAs(given: string, { user, password }: Login): string {
  const url = parseUrl(given)
  // A URL may also name the user in its query, which would take precedence.
  for (const name of ['user', 'password']) url.searchParams.delete(name)
  url.username = user
  url.password = password
  return url.href
}
