// The names by which row-level security is known to PostgreSQL.

/** What the names of the roles begin with; the number of the database and a mark of the secret key follow. */
export const rolePrefix = 'cashwrap_rows_'

/** The setting that names the company in reach. */
export const reachSetting = 'cashwrap.company'

/** The policy of each table of companies. */
export const policyName = 'cashwrap_company'
