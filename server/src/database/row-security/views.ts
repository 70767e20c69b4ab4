// The views that keep companies apart in the database, and the rights of the role that uses them: the SQL, and which
// parts of it a database lacks.
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeLiteral } from 'pg'
import { lockForTransaction } from '../advisory-lock.ts'
import { isRaceFault, type Queryable } from '../connect.ts'
import { coordinatorTables, distributedTables } from '../migrations/distribution.ts'
import { gatheredSchema, gatheredSetting, reachSetting, rolePrefix, rowSchema } from './names.ts'

/** Tables of companies whose column is not called company_id. Keys of requests are of a company or of an organization. */
const otherColumns: Readonly<Record<string, string>> = { companies: 'id', idempotency_keys: 'owner_id' }

/** Tables of no company that requests of companies read: the rows that the one in reach belongs to, by a column of companies. */
const readTables: Readonly<Record<string, string>> = { organizations: 'organization_id', plans: 'plan_id' }

/** Views of tables of companies that migrations make. */
const ownViews = ['import_records', 'export_records']

/** What migrations make: an operator may have other tables beside these. */
const ownTables = [...Object.keys(distributedTables), ...Object.keys(coordinatorTables), ...ownViews]

/** A queue over all companies to which a trigger of their tables adds: the role reads nothing of it. */
const notedIn = 'abandoned_objects'

/**
 * Whether a company is in reach, for the views of each schema. The setting is null before it was ever set, and empty
 * after its transaction: in both cases no company is in reach.
 *
 * For one company, a statement already compares the company's column with a constant, and this is one more constant, so
 * the plan stays the same. For several, a function is used, which uses no index, so that PostgreSQL plans by the
 * company of each item. The object is read once a statement, and its names are sorted.
 */
const isInReach: Readonly<Record<string, (column: string) => string>> = {
  [rowSchema]: (column) => `${column} = current_setting('${reachSetting}', true)`,
  [gatheredSchema]: (column) =>
    `jsonb_exists((select nullif(current_setting('${gatheredSetting}', true), '')::jsonb), ${column})`,
}

/** The schemas of the views. */
export const viewSchemas = Object.keys(isInReach)

/** A view with the rows of a table that are in reach. Statements find it in place of the table, by its name. */
interface CompanyView {
  readonly name: string
  /** The names of the view and its schema as SQL has them. */
  readonly qualified: string
  /** The column that names the company; undefined for a table that the role only reads. */
  readonly column: string | undefined
  /** What the view should select. */
  readonly select: string
  /** What PostgreSQL has made of it; empty if there is no view, or if it is not compared. */
  readonly made: string
  /** The mark that the view has. */
  readonly mark: string | null
}

/**
 * The views of the tables of companies, and of those that are read beside them: not of partitions, which the role
 * cannot name. Reading what PostgreSQL has made of them takes most of the time, so only code that compares it reads it.
 */
export async function rowViews(database: Queryable, { isCompared = true } = {}): Promise<CompanyView[]> {
  const rows = await database.query(
    `select schema, stored.relname, quote_ident(stored.relname), quote_ident(current_schema()), owner.attname,
       array(select quote_ident(attname) from pg_attribute where attrelid = stored.oid and attnum > 0 and not attisdropped order by attnum),
       case when $5 then concat_ws(' ', view.relowner = stored.relowner, view.reloptions::text, pg_get_viewdef(view.oid)) else '' end,
       obj_description(view.oid, 'pg_class')
     from pg_class as stored cross join unnest($1::text[]) as schema
       left join pg_attribute as owner on attrelid = stored.oid and not attisdropped and attname = coalesce($2::jsonb ->> stored.relname, 'company_id')
       left join pg_class as view on view.relname = stored.relname and view.relnamespace = to_regnamespace(schema) and view.relkind = 'v'
     where stored.relnamespace = current_schema()::regnamespace and stored.relkind in ('r', 'p', 'v') and stored.relname = any ($4::text[])
       and pg_has_role(stored.relowner, 'usage')
       and (owner.attname is not null or stored.relname = any ($3::text[])) order by 1, 2`,
    [viewSchemas, JSON.stringify(otherColumns), Object.keys(readTables), ownTables, isCompared],
  )
  return rows.map(([schema, name, quoted, tables, owner, columns, made, mark]) => {
    const readBy = readTables[name]
    const isReached = isInReach[schema] as (column: string) => string
    const condition =
      readBy === undefined
        ? isReached(owner)
        : `id in (select ${readBy} from ${tables}.companies where ${isReached('companies.id')})`
    const select = `select ${columns.join(', ')} from ${tables}.${quoted} where ${condition}`
    return {
      name,
      qualified: `${schema}.${quoted}`,
      column: readBy === undefined ? owner : undefined,
      select,
      made,
      mark,
    }
  })
}

/** The form in which this version makes views. It grows with each change of that form: servers of a version before leave newer views alone. */
const FORM = 1

/** The mark of a view: it changes with what it should select, and with what PostgreSQL has made of it, so that another view is seen. */
const markOf = ({ select, made }: CompanyView): string =>
  `cashwrap ${FORM} ${createHash('sha256').update(`${select}\n${made}`).digest('hex').slice(0, 32)}`

/** Whether a view has to be made: it is missing or another one, and not that of a newer version, which may serve at the same time. */
const isDue = (view: CompanyView): boolean =>
  view.mark !== markOf(view) && !(Number(/^cashwrap (\d+) /.exec(view.mark ?? '')?.[1]) > FORM)

/** The roles of this database. */
export const rolesOf = `select rolname from pg_roles where starts_with(rolname, '${rolePrefix}' || (select oid from pg_database where datname = current_database()) || '_')`

/**
 * Makes the views that are missing or outdated, and gives the roles of the database their rights, in the existing
 * schemas. It waits only for statements that use a view which it makes again.
 */
export async function makeRowViews(transaction: Queryable): Promise<void> {
  await lockForTransaction(transaction, rolePrefix)
  const missing = (await rowViews(transaction)).filter(isDue)
  if (missing.length > 0) {
    // The check refuses a row of another company.
    const statements = missing.map(
      ({ qualified, column, select }) => `drop view if exists ${qualified};
      create view ${qualified} as ${select}${column === undefined ? '' : ' with check option'}`,
    )
    await transaction.query(statements.join(';\n'))
    const names = new Set(missing.map(({ qualified }) => qualified))
    const made = (await rowViews(transaction)).filter(({ qualified }) => names.has(qualified))
    const marks = made.map((view) => `comment on view ${view.qualified} is '${markOf(view)}'`)
    await transaction.query(marks.join(';\n'))
  }
  for (const [role] of await transaction.query(rolesOf)) await giveRights(transaction, role)
}

/**
 * After a migration, and in its transaction, makes the views and rights again for the changed tables, if the database
 * has views, so that servers can continue to use them.
 */
export async function keepRowViews(transaction: Queryable): Promise<void> {
  const text = 'select bool_and(to_regnamespace(schema) is not null) from unnest($1::text[]) as schema'
  const [row] = await transaction.query(text, [viewSchemas])
  if (row?.[0]) await makeRowViews(transaction)
}

/** How often a migration tries to get the views that it drops, and the milliseconds of a try, and between two. */
const DROP_TRIES = 50
const DROP_MS = 100

/**
 * Drops views, and waits for all their locks together no longer than DROP_MS. Only waiting has a deadline: PostgreSQL reports a `statement_timeout`
 * that passes at the end of a statement with the next one, whose transaction then fails.
 */
const dropTogether = (views: readonly string[]): string => `
  do $$ declare
    view text;
    milliseconds text := current_setting('lock_timeout');
    ends timestamptz := clock_timestamp() + interval '${DROP_MS} ms';
  begin
    foreach view in array array[${views.map((view) => escapeLiteral(view)).join(', ')}] loop
      perform set_config('lock_timeout', greatest(1, ceil(1000 * extract(epoch from ends - clock_timestamp())))::text, true);
      execute 'drop view ' || view;
    end loop;
    perform set_config('lock_timeout', milliseconds, true);
  end $$`

/**
 * Drops the views of the tables that a migration's changes name, or all: before it changes a table, as a statement of a company locks a view before its
 * table. Statements on them wait until its end. A try takes all locks or none, in less time than PostgreSQL waits
 * before it looks for deadlocks (a second). Otherwise a transaction that reads the same views in another order would be
 * cancelled as the victim of a deadlock.
 */
export async function dropRowViews(transaction: Queryable, changes?: string): Promise<void> {
  const rows = await transaction.query(
    `select relname, pg_class.oid::regclass::text from pg_class
     where relnamespace = any (select to_regnamespace(schema) from unnest($1::text[]) as schema) and relkind = 'v' order by 1, 2`,
    [viewSchemas],
  )
  const text = changes?.toLowerCase()
  // Within a longer name too: the index that is dropped begins with the name of its table.
  const named = rows.filter(([name]) => text?.includes(name) ?? true).map(([, view]) => view)
  if (named.length === 0) return
  for (let left = DROP_TRIES; ; left--) {
    await transaction.query('savepoint dropping')
    try {
      await transaction.query(dropTogether(named))
      return
    } catch (error) {
      if (!isRaceFault(error) || left === 0) throw error
      await transaction.query('rollback to savepoint dropping; release savepoint dropping')
      await delay(DROP_MS)
    }
  }
}

/**
 * The statements that give a role the rights that it needs, and take away those on tables; empty if it has exactly the
 * needed rights.
 */
export async function missingRights(database: Queryable, role: string): Promise<string[]> {
  const views = await rowViews(database, { isCompared: false })
  const needed = Object.fromEntries(
    views.map(({ name, column }) => [
      name,
      ['select', ...(column === undefined ? [] : ['insert', 'update', 'delete'])],
    ]),
  )
  const rows = await database.query(
    `select format('grant usage on schema %I to %I', nspname, $1::text) from pg_namespace
     where (nspname = current_schema() or nspname = any ($3::text[])) and not has_schema_privilege($1, oid, 'usage')
     union all select format('grant %s on %s to %I', string_agg(needed, ', '), pg_class.oid::regclass, $1)
     from pg_class, jsonb_array_elements_text($2::jsonb -> relname) as needed
     where relnamespace = any (select to_regnamespace(schema) from unnest($3::text[]) as schema) and relkind = 'v' and not has_table_privilege($1, pg_class.oid, needed) group by pg_class.oid
     union all select format('grant insert on %s to %I', oid::regclass, $1) from pg_class
     where relnamespace = current_schema()::regnamespace and relname = $4 and not has_table_privilege($1, oid, 'insert')
     union all select format('grant usage, select on sequence %s to %I', oid::regclass, $1) from pg_class
     where relnamespace = current_schema()::regnamespace
       and case relkind when 'S' then not (has_sequence_privilege($1, oid, 'usage') and has_sequence_privilege($1, oid, 'select')) end
     union all select format('grant execute on routine %s to %I', oid::regprocedure, $1) from pg_proc
     where pronamespace = current_schema()::regnamespace and pg_get_userbyid(proowner) = current_user and not prosecdef
       and not has_function_privilege($1, oid, 'execute')
     union all select format('revoke all on %s from %I', oid::regclass, $1) from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and relname <> $4 and pg_has_role(relowner, 'usage')
       and (has_any_column_privilege($1, oid, 'select, insert, update') or has_table_privilege($1, oid, 'delete, truncate'))`,
    [role, JSON.stringify(needed), viewSchemas, notedIn],
  )
  return rows.map(([statement]) => statement)
}

/**
 * Gives a role its rights, and returns whether any was missing. They change one role after the other: PostgreSQL refuses two changes at once of
 * rights on one table.
 */
export async function giveRights(transaction: Queryable, role: string): Promise<boolean> {
  await lockForTransaction(transaction, rolePrefix)
  const statements = await missingRights(transaction, role)
  if (statements.length > 0) await transaction.query(statements.join(';\n'))
  return statements.length > 0
}
