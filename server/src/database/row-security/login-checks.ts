// Whether the service may use the login of row-level security: it connects as itself, and can do no more and no less than it should.
import pg from 'pg'
import type { Connection, Database, Login, Queryable } from '../connect.ts'
import { reasonOf } from '../errors.ts'
import { connectionAs } from './login.ts'
import { rowSchema } from './names.ts'
import { missingRights } from './views.ts'

/** Why a login is not used, with the statements that change it. */
export interface LoginFault {
  readonly problem: string
  readonly statements?: readonly string[] | undefined
}

/** Milliseconds for a connection of the role, and for what it is asked. */
const PROBE_MS = 4_000

/**
 * Whether a login is refused for what it is: unknown, or with another password. Poolers such as PgBouncer use one code
 * for most errors, including that they are full, so the message decides.
 */
const isRefused = ({ code, message }: NodeJS.ErrnoException): boolean =>
  /^(28P01|28000|42501)$/.test(String(code)) ||
  (!/^ECONN|^ENO/.test(String(code)) && /no such user|user.* not found|auth\w* failed/i.test(message))

/** Why a login cannot be used; undefined if it can. Throws what is not about the login. */
export async function refusalOf(connection: Connection, login: Login): Promise<string | undefined> {
  const { connectionString, host, port, user, password, database } = connectionAs(connection, login)
  const how =
    connectionString === undefined ? { host, port, user, password, database, ssl: false } : { connectionString }
  const client = new pg.Client({ ...how, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const text = `select current_setting('search_path'), current_user::text`
    const { rows } = await client.query({ text, rowMode: 'array' })
    const [path, user] = rows[0] as unknown as [string, string]
    // A pooler can be told to connect everybody as one user.
    if (user !== login.user) return `it becomes the role ${user}, as a pooler that forces a user does`
    return path.startsWith(`${rowSchema},`) ? undefined : `its search_path is ${path}, without ${rowSchema}`
  } catch (error) {
    const reason = reasonOf(error)
    if (!isRefused(reason)) throw error
    return reason.message
  } finally {
    client.end().catch(() => {})
  }
}

/** Why a role that can connect is not used; undefined if it is. `isGiven`: it was just given rights. */
export async function faultOf(owner: Database, login: Login, isGiven: boolean): Promise<LoginFault | undefined> {
  const unbound = await unboundBy(owner, login)
  if (unbound !== undefined) return { problem: unbound }
  // Rights on tables that it still has are those of all roles. If nothing had to change, none are left.
  const [wrong] = isGiven ? await missingRights(owner, login.user) : []
  if (wrong !== undefined) return { problem: `other roles have rights that only ${login.user} may have (${wrong})` }
  const statements = await functionsFor(owner, login)
  return statements.length === 0 ? undefined : { problem: `the role ${login.user} may not use locks`, statements }
}

/** Functions of locks, which a superuser may have taken from everybody (docs/guides/sql.md, What a login can do). */
const lockFunctions = ['pg_advisory_xact_lock', 'pg_advisory_xact_lock_shared', 'pg_try_advisory_xact_lock']

/** The statements that give a role back the functions that it needs; empty if it has them. */
async function functionsFor(owner: Queryable, { user }: Login): Promise<string[]> {
  const rows = await owner.query(
    `select oid::regprocedure::text from pg_proc
     where pronamespace = 'pg_catalog'::regnamespace and proname = any ($1::text[]) and not has_function_privilege($2, oid, 'execute')`,
    [lockFunctions, user],
  )
  return rows.map(([name]) => `grant execute on function ${name} to ${user};`)
}

/** Why a role can do more than it should; undefined if it cannot. */
async function unboundBy(owner: Queryable, { user }: Login): Promise<string | undefined> {
  const [row] = await owner.query(
    `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication,
       exists (select from pg_auth_members where member = pg_roles.oid),
       exists (select from pg_class where relowner = pg_roles.oid) or exists (select from pg_proc where proowner = pg_roles.oid)
     from pg_roles where rolname = $1`,
    [user],
  )
  const [isPrivileged, isMember, isOwner] = row as [boolean, boolean, boolean]
  if (isPrivileged) return `the role ${user} has attributes of an administrator`
  if (isMember) return `the role ${user} is a member of another role`
  return isOwner ? `the role ${user} owns something` : undefined
}
