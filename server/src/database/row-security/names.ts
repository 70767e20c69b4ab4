// The names by which row-level security is known to PostgreSQL.

/** What the names of the roles begin with; the number of the database and a mark of the secret key follow. */
export const rolePrefix = 'cashwrap_rows_'

/** The schema of the views that the roles read and write in place of tables. */
export const rowSchema = 'cashwrap_rows'

/** The setting that names the company in reach. */
export const reachSetting = 'cashwrap.company'
