// The names by which row-level security is known to PostgreSQL.

/** What the names of the roles begin with; the number of the database and a mark of the secret key follow. */
export const rolePrefix = 'cashwrap_rows_'

/** The schema of the views that the roles read and write in place of tables: the rows of one company. */
export const rowSchema = 'cashwrap_rows'

/** The schema of the same views for statements over items of several companies: the rows of those. */
export const gatheredSchema = 'cashwrap_rows_gathered'

/** The setting that names the company in reach, and the one that has several as the names of a JSON object. */
export const reachSetting = 'cashwrap.company'
export const gatheredSetting = 'cashwrap.companies'
