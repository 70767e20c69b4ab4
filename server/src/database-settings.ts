// The settings of the database: its URLs, where its tables are, and whether it keeps companies apart itself.
import { OperatorError } from './core/operator-error.ts'
import type { DatabaseMode } from './database/connect.ts'
import { parseUrl } from './database/connection-error.ts'

/** What the environment says of the database. */
export interface DatabaseSettings {
  /** DATABASE_URL: your own PostgreSQL, 15 to 18, instead of the embedded one. */
  readonly databaseUrl: string | undefined
  /** DATABASE_DIRECT_URL: past the pooler that DATABASE_URL leads through. Default none: there is no pooler. */
  readonly directUrl: string | undefined
  /** DATABASE_READ_URL: a replica of it that answers lists and searches. Default none: the primary answers all. */
  readonly readUrl: string | undefined
  /**
   * CASHWRAP_DATABASE_MODE: `postgresql`, or `citus` where the tables of companies are distributed over nodes. Default: what the
   * database is.
   */
  readonly databaseMode: DatabaseMode | undefined
  /**
   * CASHWRAP_ROW_SECURITY: `on`, `off` or `required`: whether the database itself keeps companies apart; with
   * `required`, no server starts where it cannot. Default: on with DATABASE_URL, off with the embedded database.
   */
  readonly rowSecurity: boolean | 'required'
}

/** What PostgreSQL's driver understands of `sslmode`. */
const tlsModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']

/** Reads the settings of the database. Throws an OperatorError that names the invalid variable. */
export function databaseOf(environment: NodeJS.ProcessEnv): DatabaseSettings {
  const databaseUrl = urlIn(environment, 'DATABASE_URL')
  const [readUrl, directUrl] = (['DATABASE_READ_URL', 'DATABASE_DIRECT_URL'] as const).map((name) => {
    const url = urlIn(environment, name)
    if (url && !databaseUrl)
      throw new OperatorError(`${name} belongs to the database that DATABASE_URL names; set both.`)
    return url
  })
  return {
    databaseUrl,
    readUrl,
    directUrl,
    databaseMode: modeIn(environment.CASHWRAP_DATABASE_MODE || undefined),
    rowSecurity: rowSecurityIn(environment.CASHWRAP_ROW_SECURITY || (databaseUrl ? 'on' : 'off')),
  }
}

/** The URL of a database. It is not shown: it may contain a password. */
function urlIn(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = environment[name] || undefined
  if (text === undefined) return undefined
  const url = parsed(text)
  // After a password with a slash, the @ before the host is in the name of the database.
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || !/^\/[^@]+$/.test(url.pathname))
    throw new OperatorError(
      `${name} must be of the form postgres://user:password@host:5432/database, with one host, and with special characters in the password encoded (%40 for @).`,
    )
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !tlsModes.includes(mode))
    throw new OperatorError(
      `${name} has sslmode=${mode}; it must be verify-full for TLS, disable for none, or one of ${tlsModes.slice(1, -1).join(', ')}.`,
    )
  return withoutOldModes(text)
}

/**
 * The same URL with the mode that the driver uses for these anyway; it warns of them, since they will mean less in a later
 * version. `uselibpqcompat=true` asks for that meaning already.
 */
const withoutOldModes = (text: string): string =>
  /[?&]uselibpqcompat=true(&|$)/.test(text)
    ? text
    : text.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full')

function parsed(text: string): URL | undefined {
  try {
    return parseUrl(text)
  } catch {
    return undefined
  }
}

function modeIn(text: string | undefined): DatabaseMode | undefined {
  if (text === undefined || text === 'postgresql' || text === 'citus') return text
  throw new OperatorError(`CASHWRAP_DATABASE_MODE is ${JSON.stringify(text)}; it must be postgresql or citus.`)
}

function rowSecurityIn(text: string): DatabaseSettings['rowSecurity'] {
  if (text === 'required') return text
  if (text === 'on' || text === 'off') return text === 'on'
  throw new OperatorError(`CASHWRAP_ROW_SECURITY is ${JSON.stringify(text)}; it must be on, required or off.`)
}
