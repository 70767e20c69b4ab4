// What a login for SQL could do besides reading its views. This is read from PostgreSQL, since the database may have
// privileges that Cashwrap did not grant.
import type { Queryable } from '../../database/connect.ts'
import { rolePrefix } from '../../database/row-security/names.ts'
import { sqlSchema } from '../../database/sql-readers.ts'

/** Schemas that everybody reads, and the one that the login is for. */
const known = `'pg_catalog', 'information_schema', '${sqlSchema}'`
const ofExtension = (catalog: string, oid: string) =>
  `exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`

/**
 * What no login may have: rights on relations and schemas, other roles, functions with another role's rights. What extensions bring is the
 * operator's choice. $1 is the login.
 */
const forbidden = `
  select 'may use ' || pg_class.oid::regclass
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname not in (${known}) and nspname !~ '^pg_(toast|temp)' and not ${ofExtension('pg_class', 'pg_class.oid')}
    and case when relkind in ('r', 'p', 'v', 'm', 'f')
        then has_table_privilege($1, pg_class.oid, 'insert, update, delete, truncate, references, trigger') or has_any_column_privilege($1, pg_class.oid, 'select, insert, update')
        when relkind = 'S' then has_sequence_privilege($1, pg_class.oid, 'usage, select, update') end
  union all
  select 'may create in the schema ' || nspname from pg_namespace where has_schema_privilege($1, oid, 'create')
  union all
  select 'may create schemas in the database' where has_database_privilege($1, current_database(), 'create')
  union all
  select 'may create temporary tables, which nothing bounds' where has_database_privilege($1, current_database(), 'temporary')
  union all
  select 'is a member of ' || pg_get_userbyid(roleid) from pg_auth_members where member = to_regrole($1)
  union all
  select 'has attributes of an administrator' from pg_roles
  where rolname = $1 and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)
  union all
  select 'may call ' || oid::regprocedure || ', which runs with the rights of its owner' from pg_proc
  where prosecdef and has_function_privilege($1, oid, 'execute') and not ${ofExtension('pg_proc', 'oid')}
  order by 1 limit 20`

/** Which of these rights the login has. */
export async function forbiddenRights(transaction: Queryable, login: string): Promise<string[]> {
  const rows = await transaction.query(forbidden, [login])
  return rows.map(([right]) => right)
}

/** Functions of PostgreSQL itself that everybody may call, and that harm others: locks that the service uses, and data that nothing bounds. */
const harmful = `
  select oid::regprocedure::text from pg_proc
  where pronamespace = 'pg_catalog'::regnamespace and has_function_privilege($1, oid, 'execute')
    and (proname ~ '^pg_(try_)?advisory_(xact_)?lock' or proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'pg_logical_emit_message'))
  order by 1`

/** What only a superuser can change. */
export interface Closable {
  /** Databases of the cluster besides this one that the login may connect to. */
  readonly databases: readonly string[]
  /** Statements that close the rest; empty if it is closed. */
  readonly statements: readonly string[]
  /** A login can leave prepared transactions, which no deadline ends. */
  readonly mayPrepare: boolean
}

/** What is still open to the login, with the statements that close it without taking it from the service. */
export async function closable(transaction: Queryable, login: string, mayLimitFiles: boolean): Promise<Closable> {
  const databases = await transaction.query(
    `select quote_ident(datname) from pg_database
     where datname <> current_database() and datallowconn and has_database_privilege($1, datname, 'connect') order by 1`,
    [login],
  )
  const functions = await transaction.query(harmful, [login])
  const [row] = await transaction.query(
    `select concat_ws(', ', quote_ident(current_user), (select string_agg(rolname, ', ') from pg_roles where starts_with(rolname, $1 || (
         select oid || '_' from pg_database where datname = current_database()
       )))), quote_ident(current_user), current_setting('max_prepared_transactions')::int > 0`,
    [rolePrefix],
  )
  const [roles, own, mayPrepare] = row as [string, string, boolean]
  const names = functions.map(([name]) => name).join(', ')
  return {
    databases: databases.map(([name]) => name),
    statements: [
      ...(functions.length === 0
        ? []
        : [`grant execute on function ${names} to ${roles};`, `revoke execute on function ${names} from public;`]),
      ...(mayLimitFiles ? [] : [`grant set on parameter temp_file_limit to ${own};`]),
    ],
    mayPrepare,
  }
}
