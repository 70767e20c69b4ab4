// Gives a company a login for SQL, and takes it away: a role of PostgreSQL that reads the views of its company, and nothing else.
import { randomBytes } from 'node:crypto'
import { OperatorError } from '../../core/operator-error.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { sqlSchema } from '../../database/migrate.ts'
import { type Closable, closable, forbiddenRights } from './exposure.ts'
import { SQL_CONNECTIONS, SQL_FILES, SQL_STATEMENT_SECONDS } from './limits.ts'
import { scramVerifier } from './scram.ts'
import { loginOf, makeViews } from './views.ts'

interface Wanted {
  readonly companyId: string
  /** By default a new one. */
  readonly password?: string | undefined
  /** After which the password is refused; by default never. */
  readonly expiresAt?: string | undefined
}

/** A login that exists now. */
export interface GrantedLogin {
  readonly login: string
  readonly password: string
  /** It had one before, whose password and sessions are over. */
  readonly isRenewed: boolean
  /** What of PostgreSQL itself is still open to it. */
  readonly open: Closable
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

type Place = Awaited<ReturnType<typeof placeOf>>

const exists = async (transaction: Queryable, login: string): Promise<boolean> =>
  (await transaction.query('select from pg_roles where rolname = $1', [login])).length > 0

/** A role that is no superuser ends sessions of roles only that it is a member of. Repeating it is no error. */
const join = async (transaction: Queryable, login: string, { isSuperuser, user }: Place) =>
  isSuperuser ? undefined : transaction.query(`grant ${login} to ${user}`)

const endSessions = (transaction: Queryable, login: string) =>
  transaction.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login])

/**
 * Gives a company a login, or the one that it has another password, in one transaction. Throws OperatorError, and changes nothing, if the
 * program's role lacks a right, or the login would have rights that it must not have.
 */
export async function grantLogin(database: Database, wanted: Wanted): Promise<GrantedLogin> {
  if (database.isSharded)
    throw new OperatorError(
      'A company has no SQL access where tables are distributed over nodes: its views read one PostgreSQL.',
    )
  const { companyId, password = randomBytes(24).toString('base64url') } = wanted
  const login = loginOf(companyId)
  return database.transaction(async (transaction) => {
    await lockForTransaction(transaction, login)
    const place = await placeOf(transaction)
    const isRenewed = await exists(transaction, login)
    if (!isRenewed) await transaction.query(`create role ${login} login`)
    await join(transaction, login, place)
    await makeViews(transaction)
    await setUp(transaction, login, place, wanted.expiresAt ?? 'infinity')
    await transaction.query(`alter role ${login} password '${scramVerifier(password)}'`)
    const rights = await forbiddenRights(transaction, login)
    if (rights.length > 0)
      throw new OperatorError(
        `Nothing was done, since every role of the database has rights that a login for SQL must not have. The login ${rights.join('; ')}. Revoke them from public.`,
      )
    const open = await closable(transaction, login)
    if (place.isSuperuser) for (const statement of open.statements) await transaction.query(statement)
    if (isRenewed) await endSessions(transaction, login)
    return { login, password, isRenewed, open: place.isSuperuser ? { ...open, statements: [] } : open }
  })
}

/** Sets what the role may do and how long: what the login has changed of itself is as before. */
async function setUp(transaction: Queryable, login: string, place: Place, expiresAt: string): Promise<void> {
  const { database, mayLimitFiles } = place
  const settings = {
    search_path: sqlSchema,
    default_transaction_read_only: 'on',
    statement_timeout: `${SQL_STATEMENT_SECONDS}s`,
    idle_in_transaction_session_timeout: `${SQL_STATEMENT_SECONDS}s`,
    ...(mayLimitFiles && { temp_file_limit: SQL_FILES }),
  }
  const statements = [
    `alter role ${login} login connection limit ${SQL_CONNECTIONS} valid until '${expiresAt}'`,
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
 * Removes a company's login in a transaction of the caller, and ends its sessions. Returns its name; undefined if there is none. Throws
 * OperatorError if another database holds on to it.
 */
export async function revokeLogin(transaction: Queryable, companyId: string): Promise<string | undefined> {
  const login = loginOf(companyId)
  if (!(await exists(transaction, login))) return undefined
  await lockForTransaction(transaction, login)
  const place = await placeOf(transaction)
  await join(transaction, login, place)
  await transaction.query(`alter role ${login} nologin`)
  await endSessions(transaction, login)
  try {
    await transaction.query(`drop owned by ${login}; drop role ${login}`)
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: string }
    if (code !== '2BP01') throw error
    throw new OperatorError(
      `The role ${login} is used by another database too (${detail}). Run there, as a superuser: drop owned by ${login};`,
    )
  }
  return login
}
