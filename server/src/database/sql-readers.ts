// The views that people read by SQL, as migrations see them: which roles read them, and how they make way for a change of tables.

/** The schema of the views. */
export const sqlSchema = 'cashwrap_sql'

/**
 * SQL of what the names of this database's logins begin with; the company's id follows. Roles belong to all databases of a PostgreSQL, so the
 * number of the database is in their names: a copy of it has another, and neither sees nor ends the logins of the original.
 */
export const loginPrefix = `(select '${sqlSchema}_' || oid || '_' from pg_database where datname = current_database())`

/**
 * SQL of the company in the name of the authenticated login: the part after the schema, which has one underscore, and
 * the number.
 */
export const companyOfLogin = `split_part(session_user::text, '_', 4)`

/**
 * Whether a row of pg_stat_activity is of a login whose sessions the service may end. Ending any other session is an
 * error, after which the rest would not be ended, and anybody who may create roles can give them such names.
 */
export const isReader = `starts_with(usename::text, ${loginPrefix}) and pg_has_role(usesysid, 'usage')`

/**
 * Drops the views, since a column that a view reads cannot be changed. They are made again after the migrations
 * (features/sql-access/views.ts). Sessions of logins that read them are ended, since readers who take turns would delay
 * a migration for ever. The list of sessions is read again for each view: PostgreSQL keeps it for the length of a
 * transaction.
 */
export const dropViews = `
  do $$ declare view record; begin
    for view in select oid, relname from pg_class where relnamespace = to_regnamespace('${sqlSchema}') and relkind = 'v' loop
      perform pg_stat_clear_snapshot();
      perform pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
        where relation = view.oid and datname = current_database() and ${isReader};
      execute format('drop view ${sqlSchema}.%I; comment on schema ${sqlSchema} is null', view.relname);
    end loop;
  end $$;`

/** What to do when something of the operator's own depends on what is dropped; undefined for any other error. */
export function dependentsOf(error: unknown): string | undefined {
  const { code, detail } = error as { code?: string; detail?: string }
  return code === '2BP01'
    ? `Other objects of the database depend on what Cashwrap changes: ${detail} Drop them, and make them again after that.`
    : undefined
}
