// The views that hold companies apart in the database, and the rights of the role that uses them: the SQL, and what of it a database lacks.
import { createHash } from 'node:crypto'
import { lockForTransaction } from '../advisory-lock.ts'
import type { Queryable } from '../connect.ts'
import { reachSetting, rolePrefix, rowSchema } from './names.ts'

/** Tables of companies whose column is not called company_id. Keys of requests are of a company or of an organization. */
const otherColumns: Readonly<Record<string, string>> = { companies: 'id', idempotency_keys: 'owner_id' }

/** Tables of no company that requests of companies read: the rows that the one in reach belongs to, by a column of companies. */
const readTables: Readonly<Record<string, string>> = { organizations: 'organization_id', plans: 'plan_id' }

/** System columns that statements read: a view has those alone that it names. */
const systemColumns: Readonly<Record<string, string>> = { report_buckets: 'xmin' }

/** A queue over all companies to which a trigger of their tables adds: the role reads nothing of it. */
const notedIn = 'abandoned_objects'

/**
 * The company in reach. A statement compares its company's column with a constant anyway, and this is one more, so its plan stays as it is.
 * Without a setting it is null, and after one it is empty: in both cases no row is of it.
 */
const inReach = `current_setting('${reachSetting}', true)`

/** A view with the rows of a table that are in reach. Statements find it in place of the table, by its name. */
export interface RowView {
  readonly name: string
  /** The name as SQL has it. */
  readonly quoted: string
  /** The column that names the company; undefined for a table that the role only reads. */
  readonly column: string | undefined
  /** What the view should select. */
  readonly select: string
  /** What PostgreSQL has made of it; empty where it has no view. */
  readonly made: string
  /** The mark that the view has. */
  readonly mark: string | null
}

/** The views of the tables of companies, and of those that are read beside them: without partitions, which the role cannot name. */
export async function rowViews(database: Queryable): Promise<RowView[]> {
  const rows = await database.query(
    `select stored.relname, quote_ident(stored.relname), quote_ident(current_schema()), owner.attname,
       array(select quote_ident(attname) from pg_attribute where attrelid = stored.oid and attnum > 0 and not attisdropped order by attnum),
       concat_ws(' ', view.relowner = stored.relowner, view.reloptions::text, pg_get_viewdef(view.oid)), obj_description(view.oid, 'pg_class')
     from pg_class as stored
       left join pg_attribute as owner on attrelid = stored.oid and not attisdropped and attname = coalesce($2::jsonb ->> stored.relname, 'company_id')
       left join pg_class as view on view.relname = stored.relname and view.relnamespace = to_regnamespace($1) and view.relkind = 'v'
     where stored.relnamespace = current_schema()::regnamespace and stored.relkind in ('r', 'p', 'v') and not stored.relispartition
       and pg_has_role(stored.relowner, 'usage')
       and (owner.attname is not null or stored.relname = any ($3::text[])) order by 1`,
    [rowSchema, JSON.stringify(otherColumns), Object.keys(readTables)],
  )
  return rows.map(([name, quoted, schema, owner, columns, made, mark]) => {
    const readBy = readTables[name]
    const condition =
      readBy === undefined
        ? `${owner} = ${inReach}`
        : `id in (select ${readBy} from ${schema}.companies where id = ${inReach})`
    const listed = [systemColumns[name] ?? [], columns].flat().join(', ')
    const select = `select ${listed} from ${schema}.${quoted} where ${condition}`
    return { name, quoted, column: readBy === undefined ? owner : undefined, select, made, mark }
  })
}

/** The mark of a view: it changes with what it should select, and with what PostgreSQL has made of it, so that another view is seen. */
const markOf = ({ select, made }: RowView): string =>
  `cashwrap ${createHash('sha256').update(`${select}\n${made}`).digest('hex').slice(0, 32)}`

/** The roles of this database. */
export const rolesOf = `select rolname from pg_roles where starts_with(rolname, '${rolePrefix}' || (select oid from pg_database where datname = current_database()) || '_')`

/**
 * Makes the views that are missing, or are not as this version makes them, and gives the roles of the database their rights: in a schema that is
 * there. It waits for nothing but statements that use a view which it makes again.
 */
export async function makeRowViews(transaction: Queryable): Promise<void> {
  await lockForTransaction(transaction, rolePrefix)
  const missing = (await rowViews(transaction)).filter((view) => view.mark !== markOf(view))
  if (missing.length === 0) return
  // The check refuses a row of another company.
  const statements = missing.map(
    ({ quoted, column, select }) => `drop view if exists ${rowSchema}.${quoted};
      create view ${rowSchema}.${quoted} as ${select}${column === undefined ? '' : ' with check option'}`,
  )
  await transaction.query(statements.join(';\n'))
  const names = new Set(missing.map(({ name }) => name))
  const made = (await rowViews(transaction)).filter(({ name }) => names.has(name))
  const marks = made.map((view) => `comment on view ${rowSchema}.${view.quoted} is '${markOf(view)}'`)
  await transaction.query(marks.join(';\n'))
  for (const [role] of await transaction.query(rolesOf)) await giveRights(transaction, role)
}

/** Makes the views as the tables are after a migration, in its transaction, if there are any: servers that use them go on. */
export async function keepRowViews(transaction: Queryable): Promise<void> {
  const [row] = await transaction.query('select to_regnamespace($1) is not null', [rowSchema])
  if (row?.[0]) await makeRowViews(transaction)
}

/**
 * Drops the views of the tables that a migration names, or all: before it changes a table, as a statement of a company locks a view before its table,
 * and in one order. Statements on them wait until its end.
 */
export async function dropRowViews(transaction: Queryable, migration?: string): Promise<void> {
  const rows = await transaction.query(
    `select relname, format('drop view ${rowSchema}.%I', relname) from pg_class where relnamespace = to_regnamespace($1) and relkind = 'v' order by 1`,
    [rowSchema],
  )
  const isNamed = (name: string) => migration?.includes(name) ?? true
  const statements = rows.filter(([name]) => isNamed(name)).map(([, statement]) => statement)
  if (statements.length > 0) await transaction.query(statements.join(';\n'))
}

/** The statements by which a role gets the rights that it needs, and loses those on tables; empty if it has just the former. */
export async function missingRights(database: Queryable, role: string): Promise<string[]> {
  const views = await rowViews(database)
  const needed = Object.fromEntries(
    views.map(({ name, column }) => [
      name,
      ['select', ...(column === undefined ? [] : ['insert', 'update', 'delete'])],
    ]),
  )
  const rows = await database.query(
    `select format('grant usage on schema %I to %I', nspname, $1::text) from pg_namespace
     where nspname in (current_schema(), $3) and not has_schema_privilege($1, oid, 'usage')
     union all select format('grant %s on %s to %I', string_agg(needed, ', '), pg_class.oid::regclass, $1)
     from pg_class, jsonb_array_elements_text($2::jsonb -> relname) as needed
     where relnamespace = to_regnamespace($3) and relkind = 'v' and not has_table_privilege($1, pg_class.oid, needed) group by pg_class.oid
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
    [role, JSON.stringify(needed), rowSchema, notedIn],
  )
  return rows.map(([statement]) => statement)
}

/** Gives a role its rights. They change one role after the other: PostgreSQL refuses two changes at once of rights on one table. */
export async function giveRights(transaction: Queryable, role: string): Promise<void> {
  await lockForTransaction(transaction, rolePrefix)
  const statements = await missingRights(transaction, role)
  if (statements.length > 0) await transaction.query(statements.join(';\n'))
}
