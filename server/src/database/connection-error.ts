// Says in one sentence why a database cannot be used and what to do, for the operator.
import { OperatorError } from '../core/operator-error.ts'
import type { Connection } from './connect.ts'
import { reasonOf } from './errors.ts'

/** Where a database is, without the password: `db.example.com:5432/shop`, or the folder of the embedded one. */
export function placeOf({ connectionString, host = '' }: Connection): string {
  if (connectionString === undefined) return host
  const url = parseUrl(connectionString)
  const server = url.searchParams.get('host') ?? (url.host || 'localhost')
  return `${server}${url.pathname}`
}

/** The URL of a database; one without a host (`postgres://user@/shop?host=/run/postgresql`) is allowed. */
export function parseUrl(text: string): URL {
  return new URL(text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#])/, '$1localhost'))
}

/** The sentence for an error on the way to a database, whose URL is in the `setting`. */
export function connectionError(error: unknown, connection: Connection, setting = 'DATABASE_URL'): OperatorError {
  if (error instanceof OperatorError) return error
  const { code = '', message = '' } = reasonOf(error)
  const place = placeOf(connection)
  const sentence = sentences.find(([pattern]) => pattern.test(code) || pattern.test(message))?.[1]
  const said = message.replace(/\.$/, '')
  return new OperatorError(
    sentence ? sentence({ place, said, setting }) : `The database ${place} cannot be used: ${said}.`,
  )
}

/** By error code or message: SQLSTATE (PostgreSQL manual, appendix A), Node's codes, and messages of the driver without a code. */
const sentences: [RegExp, (of: { place: string; said: string; setting: string }) => string][] = [
  [
    /^E[A-Z]+: .*, (open|read)/,
    ({ said, setting }) =>
      `A file that ${setting} names cannot be read (${said}). Correct its sslrootcert, sslcert or sslkey.`,
  ],
  [
    /does not support SSL/,
    ({ place, setting }) =>
      `PostgreSQL at ${place} does not offer TLS, which sslmode in ${setting} requires. Set ssl = on in its postgresql.conf, or sslmode=disable in ${setting}.`,
  ],
  [
    // PostgreSQL says so of each user that it has no line for; on a socket there is no TLS.
    /^(?!.*\[local\]).*no encryption/,
    ({ place, said, setting }) =>
      `PostgreSQL at ${place} refuses the user of ${setting} without TLS (${said}). If its pg_hba.conf has a line with TLS for it, add ?sslmode=verify-full to ${setting}; otherwise add a line there.`,
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    ({ place }) =>
      `The certificate of PostgreSQL at ${place}, or that of its certificate authority, has expired. Renew it and reload PostgreSQL.`,
  ],
  [
    /^(.*CERT.*|UNABLE_TO_.*)$/,
    ({ place, said, setting }) =>
      `The certificate of PostgreSQL at ${place} is not trusted (${said}). Name the certificate of its authority in ${setting}, as in ?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem, and a host that the certificate is for.`,
  ],
  [
    /^(ECONNREFUSED|ENOENT|ECONNRESET|EPIPE|EHOSTUNREACH|ENETUNREACH|EACCES)$/,
    ({ place, said, setting }) =>
      `PostgreSQL cannot be reached at ${place} (${said}). Check that it runs there and that ${setting} is correct.`,
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    ({ place, setting }) => `This machine does not know the host of ${place}. Check the host in ${setting}.`,
  ],
  [
    /^(ETIMEDOUT|timeout e.*|Connection terminated.*)$/,
    ({ place, setting }) =>
      `PostgreSQL does not answer at ${place}. Check that it runs there and that ${setting} is correct.`,
  ],
  [
    /^28...$|SASL|password must be/,
    ({ place, said, setting }) => `PostgreSQL at ${place} refuses the user or the password of ${setting} (${said}).`,
  ],
  [
    /^3D000$/,
    ({ place, said, setting }) => `The database ${place} does not exist (${said}). Create it, or correct ${setting}.`,
  ],
  [
    /^42501$/,
    ({ place, said, setting }) =>
      `The user of ${setting} lacks a privilege in ${place} (${said}). Name the owner of the database and its tables in ${setting}, or grant the privilege.`,
  ],
  [
    /^25006$/,
    ({ place, setting }) =>
      `PostgreSQL at ${place} is read-only. Check that ${setting} points to the primary, not to a standby.`,
  ],
  [
    /^53100$|No space left on device/,
    ({ place }) => `The disk of PostgreSQL at ${place} is full. Free some space on it.`,
  ],
  [
    /^53300$/,
    ({ place, said }) =>
      `PostgreSQL at ${place} has no free connection (${said}). Raise its max_connections, or the limit of the role or the database.`,
  ],
  [/^(57P0[123]|57014)$/, ({ place, said }) => `PostgreSQL at ${place} is not ready (${said}). Try again when it is.`],
]
