// The bounds of a login for SQL: how many connections it has, and for how long it may work.

/** Connections of one login: a dashboard draws a few charts at once, and PostgreSQL has a hundred for all. */
export const SQL_CONNECTIONS = 5
/** Seconds of one statement: PostgreSQL cancels it, and the service ends sessions that switched this off. */
export const SQL_STATEMENT_SECONDS = 60
/** Seconds of one transaction: an open one keeps PostgreSQL from removing rows of every company. */
export const SQL_TRANSACTION_SECONDS = 300
/** Hours of one session: an idle one keeps the files of a cursor that outlives its transaction. */
export const SQL_SESSION_HOURS = 12
/** Files that one session may fill with rows that it sorts or joins. Only a superuser can set it. */
export const SQL_FILES = '1GB'
/** Least characters of a given password: anyone who can reach PostgreSQL can try to guess it. */
export const PASSWORD_CHARACTERS = 20
