// Gives a company a login for SQL, and takes it away: a role of PostgreSQL that reads the views of its company, and nothing else.
import { randomBytes } from 'node:crypto'
import { OperatorError } from '../../core/operator-error.ts'
import { notFound } from '../../core/problem.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { dropRole, scramVerifier } from '../../database/logins.ts'
import { loginPrefix, sqlSchema } from '../../database/sql-readers.ts'
import { type Closable, closable, forbiddenRights } from './exposure.ts'
import { endSessionsBefore, SQL_STATEMENT_SECONDS } from './sessions.ts'
import { keepRights, makeViews } from './views.ts'

/** Connections of one login: a dashboard draws a few charts at once, and PostgreSQL has a hundred for all. */
const SQL_CONNECTIONS = 5
/** Files that one session may fill with rows that it sorts or joins. Only a superuser can set it. */
const SQL_FILES = '1GB'

interface LoginRequest {
  readonly companyId: string
  /** By default a new password. */
  readonly password?: string | undefined
  /** After which the password is refused, or `infinity`; by default as before, and never for a new login. */
  readonly expiresAt?: string | undefined
}

/** A login that exists now. */
export interface GrantedLogin {
  readonly login: string
  readonly password: string
  /** When the password ends; null if it does not. */
  readonly expiresAt: string | null
  /** The company had a login before; its former password and sessions have ended. */
  readonly isRenewed: boolean
  /** Which parts of PostgreSQL itself are still open to it. */
  readonly open: Closable
}

/** A login that cannot read any more. */
export interface RevokedLogin {
  readonly login: string
  /** Why a role without rights and password is left; undefined if the role is gone. */
  readonly left: string | undefined
}

/** The role that the program works as, and its database, as SQL names them. */
async function placeOf(transaction: Queryable) {
  const [row] = await transaction.query(
    `select quote_ident(current_user), rolsuper, rolsuper or rolcreaterole, quote_ident(current_database()),
       rolsuper or coalesce(has_parameter_privilege('temp_file_limit', 'set'), false), current_user = $1
     from pg_roles where rolname = current_user`,
    [sqlSchema],
  )
  const [user, isSuperuser, mayCreateRoles, database, mayLimitFiles, isNamedAsSchema] = row as [
    string,
    boolean,
    boolean,
    string,
    boolean,
    boolean,
  ]
  if (!mayCreateRoles)
    throw new OperatorError(`The role ${user} may not create roles. Run as a superuser: alter role ${user} createrole;`)
  // Its unqualified names would be those of the views.
  if (isNamedAsSchema) throw new OperatorError(`The role of DATABASE_URL must not be called ${sqlSchema}.`)
  return { user, isSuperuser, database, mayLimitFiles }
}

type LoginPlace = Awaited<ReturnType<typeof placeOf>>

/**
 * The name of a company's login, and whether the role exists. Roles are changed one after the other: PostgreSQL refuses two changes at once of
 * rights on one schema or database.
 */
async function lockedLogin(transaction: Queryable, companyId: string): Promise<readonly [string, boolean]> {
  await lockForTransaction(transaction, sqlSchema)
  const [row] = await transaction.query(
    `select login, exists (select from pg_roles where rolname = login) from (select ${loginPrefix} || $1 as login) as wanted`,
    [companyId],
  )
  return row as unknown as [string, boolean]
}

/**
 * A role that is not a superuser can end only sessions of roles whose rights it has. Repeating the grant is no error.
 */
async function join(transaction: Queryable, login: string, { isSuperuser, user }: LoginPlace): Promise<boolean> {
  if (!isSuperuser) await transaction.query(`grant ${login} to ${user}`)
  const [row] = await transaction.query(`select pg_has_role(current_user, $1, 'usage')`, [login])
  return row?.[0]
}

/**
 * Gives a company a login, or the one that it has another password, in one transaction. Throws OperatorError, and changes nothing, if the
 * program's role lacks a right, or the login would have rights that it must not have.
 */
export async function grantLogin(database: Database, wanted: LoginRequest): Promise<GrantedLogin> {
  if (database.isSharded)
    throw new OperatorError(
      'A company has no SQL access where tables are distributed over nodes: its views read one PostgreSQL.',
    )
  const { companyId, password = randomBytes(24).toString('base64url') } = wanted
  const granted = await database.transaction(async (transaction) => {
    // A company that is being deleted gets none. A delete takes these locks in the same order.
    const company = await transaction.query('select from companies where id = $1 for share', [companyId])
    if (company.length === 0) throw notFound('company', companyId)
    const [login, isRenewed] = await lockedLogin(transaction, companyId)
    const place = await placeOf(transaction)
    if (!isRenewed) await transaction.query(`create role ${login}`)
    if (!(await join(transaction, login, place)))
      throw new OperatorError(
        `The role ${place.user} does not have the rights of the logins that it creates, so it could not end their sessions. Run as a superuser: alter role ${place.user} inherit;`,
      )
    await makeViews(transaction)
    await setUp(transaction, login, place, wanted.expiresAt)
    await transaction.query(`alter role ${login} password '${scramVerifier(password)}'`)
    await checkRights(transaction, login)
    const open = await closable(transaction, login, place.mayLimitFiles)
    if (place.isSuperuser) for (const statement of open.statements) await transaction.query(statement)
    const expiresAt = await expiryOf(transaction, login)
    return { login, password, expiresAt, isRenewed, open: place.isSuperuser ? { ...open, statements: [] } : open }
  })
  await endSessionsBefore(database, granted.login)
  return granted
}

/** Throws OperatorError unless the login can read all views, and do nothing else. */
async function checkRights(transaction: Queryable, login: string): Promise<void> {
  const unreadable = await keepRights(transaction, login)
  if (unreadable.length > 0)
    throw new OperatorError(
      `Nothing was done, since the login could not read ${unreadable.join(', ')}. The schema ${sqlSchema} and its views must belong to the role of DATABASE_URL. Run as a superuser: drop schema ${sqlSchema} cascade;`,
    )
  const rights = await forbiddenRights(transaction, login)
  if (rights.length > 0)
    throw new OperatorError(
      `Nothing was done, since every role of the database has rights that a login for SQL must not have. The login ${rights.join('; ')}. Revoke them from public.`,
    )
}

const expiryOf = async (transaction: Queryable, login: string): Promise<string | null> => {
  const [row] = await transaction.query(
    `select case when isfinite(rolvaliduntil) then to_char(rolvaliduntil at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end
     from pg_roles where rolname = $1`,
    [login],
  )
  return row?.[0]
}

/** Sets what the role may do and for how long, and so reverts what the login has changed about itself. */
async function setUp(transaction: Queryable, login: string, place: LoginPlace, expiresAt?: string): Promise<void> {
  const { database, mayLimitFiles } = place
  const settings = {
    search_path: sqlSchema,
    default_transaction_read_only: 'on',
    statement_timeout: `${SQL_STATEMENT_SECONDS}s`,
    idle_in_transaction_session_timeout: `${SQL_STATEMENT_SECONDS}s`,
    ...(mayLimitFiles && { temp_file_limit: SQL_FILES }),
  }
  const statements = [
    `alter role ${login} login connection limit ${SQL_CONNECTIONS}${expiresAt === undefined ? '' : ` valid until '${expiresAt}'`}`,
    `alter role ${login} reset all`,
    `alter role ${login} in database ${database} reset all`,
    ...Object.entries(settings).map(([name, value]) => `alter role ${login} set ${name} = '${value}'`),
    `revoke temporary on database ${database} from public`,
    `revoke create on schema ${await currentSchema(transaction)} from public`,
    `grant connect on database ${database} to ${login}`,
    `grant usage on schema ${sqlSchema} to ${login}`,
  ]
  for (const statement of statements) await transaction.query(statement)
}

const currentSchema = async (transaction: Queryable): Promise<string> =>
  (await transaction.query('select quote_ident(current_schema())'))[0]?.[0]

/**
 * Removes a company's login in a transaction of the caller, and ends its sessions. Returns undefined if there is none.
 * A login can own something in another database, so that its role cannot be dropped: then the role is left without
 * password and rights.
 */
export async function revokeLogin(transaction: Queryable, companyId: string): Promise<RevokedLogin | undefined> {
  const [login, isThere] = await lockedLogin(transaction, companyId)
  if (!isThere) return undefined
  await join(transaction, login, await placeOf(transaction))
  await transaction.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login])
  const rest = await dropRole(transaction, login)
  const left = `The role ${login} can neither connect nor read. It was not removed, since it owns something (${rest}).`
  return { login, left: rest === undefined ? undefined : left }
}
