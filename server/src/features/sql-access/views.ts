// The views that people read by SQL: made of the resources, the same for all logins. Each login sees only the rows of its company.
import { createHash } from 'node:crypto'
import { type BackgroundLoop, backgroundLoop, type Failed, firstLookMs } from '../../concurrency/background-loop.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import { type Database, isRaceFault, type Queryable } from '../../database/connect.ts'
import { newestMigration } from '../../database/migrate.ts'
import { rolePrefix } from '../../database/row-security/names.ts'
import { giveRights, rolesOf } from '../../database/row-security/views.ts'
import { companyOfLogin, dependentsOf, dropViews, loginPrefix, sqlSchema } from '../../database/sql-readers.ts'
import { type Resource, snakeCase } from '../../engine/resource.ts'
import { closing } from '../../resources/closing.ts'
import { resources } from '../../resources/index.ts'
import { inventoryHistory } from '../../resources/inventory-history.ts'
import { columnsOf, itemColumns, itemsOf, nestedLists, type ViewColumn } from './columns.ts'

/** Milliseconds until the views are tried again if something depends on the former ones. */
const AGAIN_MS = 60_000

interface View {
  readonly name: string
  readonly description: string
  readonly columns: readonly ViewColumn[]
  /** The source of its rows: `stored` is the row of a company's table. */
  readonly from: string
  /** The column of `stored` that has the company's id. */
  readonly owner?: string
}

/** Receivers of events are left out: their URLs often contain a secret. */
const shownResources: readonly Resource[] = [
  ...resources.filter(({ table }) => table !== 'automation_triggers'),
  inventoryHistory,
  closing,
]

const plain = (name: string, description: string, value = `stored.${name}`): ViewColumn => ({
  name,
  value,
  description,
})

/** The company itself, one row. */
const companyView: View = {
  name: 'company',
  description: 'The company itself: one row.',
  from: 'companies as stored',
  owner: 'id',
  columns: [
    plain('id', 'Identifies the company.', companyOfLogin),
    plain('name', 'Display name of the company.'),
    plain('email', 'E-mail address of the company.'),
    plain('phone', 'Phone number of the company.'),
    plain('country', 'Where the company is: ISO 3166-1 alpha-2.'),
    plain('currency', 'ISO 4217 code of the company’s amounts, including those that name no currency.'),
    plain('timezone', 'The time zone of the company’s days, by its IANA name.', `coalesce(stored.timezone, 'UTC')`),
    plain('day_start_hour', 'The hour at which days begin in reports.', 'coalesce(stored.day_start_hour, 0)'),
    plain('industry', 'What the company sells or does.'),
    plain('tax_id', 'Number under which the company is registered for tax.'),
    plain('created_at', 'When the company was created.'),
    plain('updated_at', 'When the company last changed.'),
  ],
}

/** All views. A record is a row of one of them, and each list of objects in records another view. */
export function viewsOf(): View[] {
  const ofResources = shownResources.flatMap((resource): View[] => {
    const { table, name, description } = resource
    const lists = nestedLists(resource).map((list) => ({
      name: `${snakeCase(name.one)}_${snakeCase(list.member)}`,
      description: list.description ?? `The items of ${list.member} of ${name.many}.`,
      columns: itemColumns(resource, list),
      from: `${table} as stored cross join lateral ${itemsOf(list)}`,
    }))
    return [{ name: table, description, columns: columnsOf(resource), from: `${table} as stored` }, ...lists]
  })
  return [companyView, ...ofResources]
}

/**
 * The condition that every view has: the company's rows, while it is active, for logins of this very database.
 * `session_user` is the authenticated login: no statement of a login can change it, while `current_user` and settings
 * can be changed. Views are security barriers, so that no condition of the reader sees a row before this one has passed
 * it.
 */
const isOwn = (owner: string): string =>
  `stored.${owner} = ${companyOfLogin} and (select status = 'active' from companies where id = ${companyOfLogin}) and starts_with(session_user::text, ${loginPrefix})`

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const viewSql = ({ name, description, columns, from, owner = 'company_id' }: View): string =>
  [
    `create view ${sqlSchema}.${name} with (security_barrier) as select ${columns.map((of) => `${of.value} as "${of.name}"`).join(', ')} from ${from} where ${isOwn(owner)}`,
    `comment on view ${sqlSchema}.${name} is ${quoted(description)}`,
    ...columns.map((of) => `comment on column ${sqlSchema}.${name}."${of.name}" is ${quoted(of.description ?? '')}`),
  ].join(';\n')

const closedFunctions = `
  do $$ declare function regprocedure; begin
    for function in
      select oid from pg_proc
      where pronamespace = current_schema()::regnamespace and pg_get_userbyid(proowner) = current_user
        and exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0)
    loop execute format('revoke execute on function %s from public', function); end loop;
  end $$`

/**
 * Nobody but the service needs to call its functions: some take locks that feeds wait for. A later migration's are revoked when the views are made
 * again. The roles behind row-level security had them as everybody has, so in the same transaction they get them by name.
 */
async function closeFunctions(transaction: Queryable): Promise<void> {
  await lockForTransaction(transaction, rolePrefix)
  await transaction.query(closedFunctions)
  for (const [role] of await transaction.query(rolesOf)) await giveRights(transaction, role)
}

/** What the views of this version are: the newest migration that it knows, and a digest of their SQL. */
async function viewsVersionOf(sql: string): Promise<string> {
  return `${await newestMigration()} ${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`
}

/** The version of the views that the database has: undefined without the schema, '' without views. */
async function storedVersion(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query(
    `select coalesce(obj_description(oid, 'pg_namespace'), '') from pg_namespace where nspname = $1`,
    [sqlSchema],
  )
  return row?.[0]
}

/** Makes the schema and its views in a transaction of the caller, unless they are as this version has them. */
export async function makeViews(transaction: Queryable): Promise<void> {
  await lockForTransaction(transaction, sqlSchema)
  const sql = viewsOf().map(viewSql).join(';\n')
  const version = await viewsVersionOf(sql)
  const stored = await storedVersion(transaction)
  // A server of the version before leaves those of a newer one.
  if (stored === version || Number.parseInt(stored || '0', 10) > (await newestMigration())) return
  await transaction.query(`set local lock_timeout = '2s'`)
  if (stored === undefined)
    await transaction.query(`create schema ${sqlSchema}; revoke all on schema ${sqlSchema} from public`)
  await closeFunctions(transaction)
  await transaction.query(dropViews)
  await transaction.query(`${sql}; ${openViews}`)
  await transaction.query(`comment on schema ${sqlSchema} is ${quoted(version)}`)
}

/** Everyone who may use the schema may read its views, which show nothing to a role that is not a company's login. */
const openViews = `
  do $$ declare view regclass; begin
    for view in select oid from pg_class where relnamespace = '${sqlSchema}'::regnamespace and relkind = 'v' and pg_has_role(relowner, 'usage')
    loop execute format('grant select on %s to public', view); end loop;
  end $$`

/** Gives and takes the rights that views and functions of all logins have, which a restore may have left out. Returns the views that the login still cannot read. */
export async function keepRights(transaction: Queryable, login: string): Promise<string[]> {
  await transaction.query(openViews)
  await closeFunctions(transaction)
  const rows = await transaction.query(
    `select oid::regclass::text from pg_class where relnamespace = $1::regnamespace and relkind = 'v' and not has_table_privilege($2, oid, 'select') order by 1`,
    [sqlSchema, login],
  )
  return rows.map(([view]) => view)
}

/**
 * Makes the views again after an upgrade, where a company has a login. Throws OperatorError if something depends on the
 * former views.
 */
export async function keepViews(database: Database): Promise<void> {
  const stored = await storedVersion(database)
  if (stored === undefined) return
  await database.transaction(makeViews).catch((error) => {
    const dependents = dependentsOf(error)
    if (dependents !== undefined) throw new OperatorError(`The views of SQL access are not renewed. ${dependents}`)
    if (isRaceFault(error))
      throw new OperatorError(
        'The views for SQL access are not replaced yet, since a session still uses the old ones; servers try again every minute. pg_stat_activity shows open sessions.',
      )
    throw error
  })
}

/** Makes the views again in the background, once, after as many attempts as that takes. */
export function keepRenewingViews(database: Database, failed: Failed): BackgroundLoop {
  const work = async () => {
    await keepViews(database)
    return Number.POSITIVE_INFINITY
  }
  const loop = backgroundLoop(work, failed, AGAIN_MS)
  loop.schedule(firstLookMs())
  return loop
}
