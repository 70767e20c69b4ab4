// Sets up row-level security: makes the views and the role, as far as the owner of the tables may, and says what a
// superuser has to do.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import { lockForTransaction } from '../advisory-lock.ts'
import {
  type Connection,
  type Database,
  isRaceFault,
  type Login,
  type Queryable,
  STATEMENT_TIMEOUT_MS,
} from '../connect.ts'
import { parseUrl } from '../connection-error.ts'
import { isLost, reasonOf } from '../errors.ts'
import { dropRole, scramVerifier } from '../logins.ts'
import { loginOf } from './login.ts'
import { faultOf, type LoginFault, refusalOf } from './login-checks.ts'
import { rolePrefix, rowSchema } from './names.ts'
import { giveRights, makeRowViews, rolesOf, viewSchemas } from './views.ts'

/**
 * A role that reaches only the views, or why there is none, with the statements that make it if a superuser has to run
 * them.
 */
type SetUpResult = { readonly login: Login } | LoginFault

/** Most milliseconds to wait for a lock. Meanwhile other statements on the same object wait too. */
const LOCK_MS = 2_000
/** Number of attempts while a temporary fault is in the way, and the milliseconds between two attempts. */
const TRIES = 6
const PAUSE_MS = 1_000

/** How it is made. */
interface SetUpOptions {
  /** Called with what the operator should know although row-level security could be set up. */
  readonly warn?: (message: string) => void
  readonly tries?: number
}

/** Whether PostgreSQL refuses a statement for what it is, and not for the moment. */
const isLasting = (error: NodeJS.ErrnoException): boolean =>
  error instanceof pg.DatabaseError && !isRaceFault(error) && !isLost(error)

/** The role of the owner and the database, as SQL names them, and what the owner may do. */
async function placeOf(database: Queryable) {
  const [row] = await database.query(
    `select json_build_object(
       'number', (select oid::text from pg_database where datname = current_database()), 'name', quote_ident(current_database()),
       'schema', quote_ident(current_schema()), 'owner', quote_ident(current_user),
       'mayCreateRoles', rolsuper or rolcreaterole, 'isSuperuser', rolsuper,
       'lacking', array(select schema from unnest($1::text[]) as schema where to_regnamespace(schema) is null),
       'mayCreateSchemas', has_database_privilege(current_database(), 'create')
     )::text from pg_roles where rolname = current_user`,
    [viewSchemas],
  )
  return JSON.parse(row?.[0]) as Record<'number' | 'name' | 'schema' | 'owner', string> &
    Record<'mayCreateRoles' | 'isSuperuser' | 'mayCreateSchemas', boolean> & {
      /** Schemas of views that are missing. */
      readonly lacking: readonly string[]
    }
}

type RolePlace = Awaited<ReturnType<typeof placeOf>>

/** The statements that make the role. The password is in none of them: they hold a verifier of it. */
function roleStatements({ user, password }: Login, { schema, owner, name, isSuperuser }: RolePlace, exists: boolean) {
  // Connections through a pooler make no settings, so the role has them (pool.ts).
  const settings = {
    // Names of tables lead to the views.
    search_path: `${rowSchema}, ${schema}`,
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
 * Makes what is missing: views, role, rights. With two secret keys, the role of either is enough if none may be made.
 * If something is not allowed, the result says so, and nothing changes for the owner of the tables. Throws
 * OperatorError if anything else is in the way: whether row-level security is on must not depend on a temporary fault.
 */
export async function setUpRowSecurity(
  owner: Database,
  connection: Connection,
  secretKeys: readonly string[],
  { warn = () => {}, tries = TRIES }: SetUpOptions = {},
): Promise<SetUpResult> {
  if (owner.isSharded)
    return {
      problem: 'with citus, tables are distributed over nodes, where settings do not reach',
    }
  for (let left = tries - 1; ; left--)
    try {
      return await tryToRaise(owner, connection, secretKeys, warn)
    } catch (error) {
      const reason = reasonOf(error)
      if (reason.code === '42501') return { problem: reason.message }
      if (left <= 0 || isLasting(reason))
        throw new OperatorError(
          `Row-level security cannot be set up or checked at the moment: ${reason.message}. Start again when this no longer fails, or set CASHWRAP_ROW_SECURITY=off.`,
        )
      warn(`row-level security is tried again in ${PAUSE_MS / 1000} s: ${reason.message}`)
      await delay(PAUSE_MS)
    }
}

async function tryToRaise(
  owner: Database,
  connection: Connection,
  secretKeys: readonly string[],
  warn: (message: string) => void,
): Promise<SetUpResult> {
  const place = await placeOf(owner)
  const logins = secretKeys.map((secretKey) => loginOf(secretKey, place.number))
  const [login] = logins as [Login]
  const exists = (await owner.query('select from pg_roles where rolname = $1', [login.user])).length > 0
  const isLacking = !exists || (await refusalOf(connection, login)) !== undefined
  const statements = [
    ...(place.mayCreateSchemas
      ? []
      : place.lacking.map((name) => `create schema ${name} authorization ${place.owner}`)),
    ...(isLacking && !place.mayCreateRoles ? roleStatements(login, place, exists) : []),
  ].map((statement) => `${statement};`)
  if (place.lacking.length > 0 && !place.mayCreateSchemas)
    return { problem: `the role ${place.owner} may not create schemas in the database`, statements }
  await inTurn(owner, async (transaction) => {
    // Only what is missing: where a schema exists, the owner may lack the right to create it.
    for (const schema of place.lacking) await transaction.query(`create schema if not exists ${schema}`)
    await makeRowViews(transaction)
  })
  const unmade = isLacking && place.mayCreateRoles ? await makeRole(owner, login, place) : undefined
  let fault: LoginFault | undefined
  for (const usable of logins) {
    const refusal = await refusalOf(connection, usable)
    if (refusal !== undefined) {
      if (usable !== login) continue
      const problem = place.mayCreateRoles
        ? (unmade ??
          `the role ${login.user} cannot connect (${refusal}); PostgreSQL must accept its password, and a pooler must know it`)
        : `the role ${place.owner} may not create roles`
      fault = { problem, ...(statements.length > 0 && { statements }) }
      continue
    }
    let isGiven = false
    await inTurn(owner, async (transaction) => {
      isGiven = await giveRights(transaction, usable.user)
    })
    const found = await faultOf(owner, usable, isGiven)
    if (found !== undefined) {
      fault ??= found
      continue
    }
    // The operator can repair the other role until the former key is removed.
    if (fault !== undefined)
      warn(
        `the role of a former secret key is used: ${[fault.problem, ...(fault.statements ? [fault.statements.join(' ')] : [])].join('; ')}`,
      )
    await letReplicaIn(owner, connection, usable, place).catch((error) => warn(reasonOf(error).message))
    if (place.mayCreateRoles)
      await dropOthers(owner, logins, warn).catch((error) => warn(`old roles stay: ${reasonOf(error).message}`))
    return { login: usable }
  }
  return fault ?? { problem: `the role ${login.user} cannot connect` }
}

/** Servers change roles and views one after the other, and give up if something holds a lock for long. */
const inTurn = (owner: Database, work: (transaction: Queryable) => Promise<unknown>): Promise<void> =>
  owner.transaction(async (transaction) => {
    await lockForTransaction(transaction, rolePrefix)
    await transaction.query(`set local lock_timeout = ${LOCK_MS}`)
    await work(transaction)
  })

/** Makes the role. Returns why not, where that is refused, as some hosts of PostgreSQL do. */
async function makeRole(owner: Database, login: Login, place: RolePlace): Promise<string | undefined> {
  try {
    await inTurn(owner, async (transaction) => {
      const exists = (await transaction.query('select from pg_roles where rolname = $1', [login.user])).length > 0
      for (const statement of roleStatements(login, place, exists)) await transaction.query(statement)
    })
  } catch (error) {
    if (!isLasting(reasonOf(error))) throw error
    return `the role ${login.user} cannot be made (${reasonOf(error).message})`
  }
}

/** Lets the user of a replica become the role, where it is not the owner of the tables. Throws with what to do where it may not. */
async function letReplicaIn(
  owner: Database,
  { replica }: Connection,
  { user }: Login,
  place: RolePlace,
): Promise<void> {
  const reader = replica === undefined ? '' : decodeURIComponent(parseUrl(replica).username)
  const [row] = await owner.query(
    `select quote_ident(rolname) from pg_roles where rolname = $1 and not pg_has_role(oid, $2, 'member')`,
    [reader, user],
  )
  if (row === undefined) return
  const statement = `grant ${user} to ${row[0]}`
  if (!place.mayCreateRoles)
    throw new Error(
      `the replica answers no lists of companies, since the user of DATABASE_READ_URL is not a member of ${user}; as a superuser: ${statement}`,
    )
  await inTurn(owner, (transaction) => transaction.query(statement))
}

/**
 * Removes the roles of former secret keys. A role stays if a server with the former key has sessions, or if a superuser made the role. It is closed if
 * another database, such as a copy of this one, has rights for it, or a superuser gave it some (`sql-access` asks for that): a former key may have
 * leaked. A server with the former key that is quiet for a minute has no sessions: it answers 503 from then on.
 */
async function dropOthers(owner: Database, logins: readonly Login[], warn: (message: string) => void): Promise<void> {
  const others = await owner.query(
    `select rolname, exists (select from pg_stat_activity where usename = rolname)
     from (${rolesOf} and rolname <> all ($1::text[]) and pg_has_role(oid, 'usage')) as other`,
    [logins.map(({ user }) => user)],
  )
  const stays = (role: string, why: string) => warn(`the role ${role} of a former secret key stays, ${why}`)
  for (const [role, isConnected] of others) {
    if (isConnected) {
      stays(role, 'and can still connect: it has sessions; the first start after they end removes it')
      continue
    }
    let rest: string | undefined
    const drop = inTurn(owner, async (transaction) => {
      // Servers that start at once take turns: another may have removed it.
      if ((await transaction.query('select from pg_roles where rolname = $1', [role])).length === 0) return
      rest = await dropRole(transaction, role)
    })
    await drop.catch((error) => stays(role, `and can still connect: ${reasonOf(error).message}`))
    if (rest !== undefined)
      stays(
        role,
        `but can neither connect nor read: it still has ${rest}. As a superuser, in each database that has these: drop owned by ${role}; and then: drop role ${role};`,
      )
  }
}
