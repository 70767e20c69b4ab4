// Holds companies apart in the database: makes the policies and the role, as far as the owner of the tables may, and says what a superuser has to do.
import pg from 'pg'
import { lockForTransaction } from '../advisory-lock.ts'
import {
  type Connection,
  type Database,
  isRaceFault,
  type Login,
  type Queryable,
  STATEMENT_TIMEOUT_MS,
} from '../connect.ts'
import { reasonOf } from '../errors.ts'
import { scramVerifier } from '../scram.ts'
import { connectionAs, loginOf } from './login.ts'
import { rolePrefix } from './names.ts'
import { heldTables, holdingStatements, notedIn, rightsStatements } from './policies.ts'

/** A role that the policies bind, or why there is none; then with the statements that make it, if they are for a superuser. */
type Raised =
  | { readonly login: Login }
  | { readonly problem: string; readonly statements?: readonly string[] | undefined }

/** Milliseconds that a table may be waited for, and times. Statements on it wait behind the wait. */
const LOCK_MS = 2_000
const TRIES = 5

/** The role of the owner and the database, as SQL names them. */
async function placeOf(database: Queryable) {
  const [row] = await database.query(
    `select (select oid::text from pg_database where datname = current_database()), quote_ident(current_database()),
       quote_ident(current_schema()), quote_ident(current_user), rolsuper or rolcreaterole, rolsuper
     from pg_roles where rolname = current_user`,
  )
  const [number, name, schema, owner, mayCreateRoles, isSuperuser] = row as [
    string,
    string,
    string,
    string,
    boolean,
    boolean,
  ]
  return { number, name, schema, owner, mayCreateRoles, isSuperuser }
}

type Place = Awaited<ReturnType<typeof placeOf>>

/** The statements that make the role. The password is in none of them: they hold a verifier of it. */
function roleStatements({ user, password }: Login, { schema, owner, name, isSuperuser }: Place, exists: boolean) {
  // Connections through a pooler make no settings, so the role has them (pool.ts).
  const settings = {
    search_path: schema,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS + 2_000,
    jit: 'off',
    timezone: 'UTC',
    synchronous_commit: 'on',
  }
  return [
    `${exists ? 'alter' : 'create'} role ${user} login password '${scramVerifier(password)}'`,
    `grant connect on database ${name} to ${user}`,
    // So that reads at a replica can take the role on.
    ...(isSuperuser ? [] : [`grant ${user} to ${owner}`]),
    ...Object.entries(settings).map(
      ([setting, value]) => `alter role ${user} set ${setting} = ${setting === 'search_path' ? value : `'${value}'`}`,
    ),
  ]
}

/**
 * Makes what is missing: policies, role, rights. With two secret keys either's role will do where none may be made. What cannot be done
 * is a problem of the result, and changes nothing for the owner of the tables.
 */
export async function raise(owner: Database, connection: Connection, secretKeys: readonly string[]): Promise<Raised> {
  if (owner.isSharded) return { problem: 'tables are distributed over nodes, where settings do not reach' }
  try {
    await holdTables(owner)
    const place = await placeOf(owner)
    const logins = secretKeys.map((secretKey) => loginOf(secretKey, place.number))
    const [login] = logins as [Login]
    const refusal = await refusalOf(connection, login)
    if (refusal !== undefined && place.mayCreateRoles) await makeRole(owner, login, place)
    for (const usable of logins) {
      const problem = await refusalOf(connection, usable)
      if (problem !== undefined) continue
      await giveRights(owner, usable, place)
      const unbound = await unboundBy(owner, usable)
      if (unbound !== undefined) return { problem: unbound }
      if (place.mayCreateRoles) await dropOthers(owner, logins, place)
      const statements = await functionsFor(owner, usable)
      return statements.length === 0
        ? { login: usable }
        : { problem: `the role ${usable.user} may not use locks`, statements }
    }
    const statements = place.mayCreateRoles ? undefined : roleStatements(login, place, false).map((each) => `${each};`)
    const why = place.mayCreateRoles
      ? `the role ${login.user} cannot connect (${await refusalOf(connection, login)})`
      : `the role ${place.owner} may not create roles`
    return { problem: why, statements }
  } catch (error) {
    const { message } = reasonOf(error)
    return { problem: message }
  }
}

/** Binds the readers of each table that are not its owner. */
async function holdTables(owner: Database): Promise<void> {
  for (const table of await heldTables(owner)) {
    if (table.isHeld) continue
    for (let tries = 1; ; tries++)
      try {
        await owner.transaction(async (transaction) => {
          await transaction.query(`set local lock_timeout = ${LOCK_MS}`)
          await transaction.query(holdingStatements(table))
        })
        break
      } catch (error) {
        if (!isRaceFault(error) || tries === TRIES) throw error
      }
  }
}

/** Roles are changed one after the other: PostgreSQL refuses two changes at once of rights on one table. */
const inTurn = (owner: Database, work: (transaction: Queryable) => Promise<void>): Promise<void> =>
  owner.transaction(async (transaction) => {
    await lockForTransaction(transaction, rolePrefix)
    await work(transaction)
  })

const makeRole = (owner: Database, login: Login, place: Place): Promise<void> =>
  inTurn(owner, async (transaction) => {
    const exists = (await transaction.query('select from pg_roles where rolname = $1', [login.user])).length > 0
    for (const statement of roleStatements(login, place, exists)) await transaction.query(statement)
  })

const giveRights = (owner: Database, { user }: Login, { schema }: Place): Promise<void> =>
  inTurn(owner, async (transaction) => {
    const tables = await heldTables(transaction)
    const lacking = await transaction.query(
      `select from unnest($2::text[]) as name where not has_table_privilege($1, name, case name when $3 then 'insert' else 'select' end)`,
      [user, [notedIn, ...tables.map(({ name }) => name)], notedIn],
    )
    if (lacking.length === 0) return
    await transaction.query(`set local lock_timeout = ${LOCK_MS}`)
    for (const statement of rightsStatements(user, schema, tables)) await transaction.query(statement)
  })

/** Removes the roles of secret keys that are no longer in use; not those that a superuser has made, which only a superuser may. */
async function dropOthers(owner: Database, logins: readonly Login[], { number }: Place): Promise<void> {
  const others = await owner.query(
    `select rolname from pg_roles where starts_with(rolname, $1) and rolname <> all ($2::text[]) and pg_has_role(oid, 'usage')`,
    [`${rolePrefix}${number}_`, logins.map(({ user }) => user)],
  )
  for (const [role] of others) {
    const drop = inTurn(owner, async (transaction) => {
      await transaction.query(`drop owned by ${role}`)
      await transaction.query(`drop role ${role}`)
    })
    await drop.catch((error) => {
      if (error.code !== '42501') throw error
    })
  }
}

/** Why a login cannot connect; undefined if it can. */
async function refusalOf(connection: Connection, login: Login): Promise<string | undefined> {
  const { connectionString, host, port, user, password, database } = connectionAs(connection, login)
  const how =
    connectionString === undefined ? { host, port, user, password, database, ssl: false } : { connectionString }
  const client = new pg.Client({ ...how, connectionTimeoutMillis: 4_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return reasonOf(error).message
  } finally {
    client.end().catch(() => {})
  }
}

/** Functions of locks, which a superuser may have taken from everybody (operations.md, SQL access). */
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

/** Why the policies would not bind a role; undefined if they do. */
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
