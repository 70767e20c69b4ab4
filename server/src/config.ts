// The environment, read once into one frozen object; every variable is explained here and in docs/operations.md.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseUrl } from './database/explain.ts'
import { OperatorError } from './operator-error.ts'

/** What the program is told by its environment. */
export interface Config {
  /** HOST: address to listen on. Default 127.0.0.1. */
  readonly host: string
  /** PORT: TCP port, 0 for any free one. Default 8080. */
  readonly port: number
  /** CASHWRAP_DATA: folder of the embedded database. Default `data` in the checkout. */
  readonly dataDirectory: string
  /** DATABASE_URL: a PostgreSQL of one's own, 15 to 18, instead of the embedded one. */
  readonly databaseUrl: string | undefined
  /** CASHWRAP_SECRET: seals what must not be readable in the database. Default: the file `secret` of the data folder, made at the first start. */
  readonly secret: string | undefined
  /** LOG_LEVEL: fatal, error, warn, info (default), debug (one line a request), trace, silent. */
  readonly logLevel: string
}

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the settings. Throws OperatorError naming the variable that is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { HOST, PORT, CASHWRAP_DATA, DATABASE_URL, CASHWRAP_SECRET, LOG_LEVEL } = environment
  const port = PORT || '8080'
  const host = HOST || '127.0.0.1'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new OperatorError(`PORT is ${JSON.stringify(port)}; it must be a number from 0 to 65535.`)
  if (isIP(host) === 0 && !/^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/i.test(host))
    throw new OperatorError(`HOST is ${JSON.stringify(host)}; it must be an address or a name, such as 127.0.0.1.`)
  if (CASHWRAP_DATA?.includes('://'))
    throw new OperatorError('CASHWRAP_DATA must be a folder. For a PostgreSQL of your own, set DATABASE_URL.')
  // The value is not shown: it may hold a password.
  if (DATABASE_URL && !isDatabaseUrl(DATABASE_URL))
    throw new OperatorError('DATABASE_URL must be of the form postgres://user:password@host:5432/database.')
  if (CASHWRAP_SECRET && CASHWRAP_SECRET.length < 32)
    throw new OperatorError(
      'CASHWRAP_SECRET must have at least 32 characters, such as `openssl rand -base64 32` makes.',
    )
  if (LOG_LEVEL && !levels.includes(LOG_LEVEL))
    throw new OperatorError(`LOG_LEVEL is ${JSON.stringify(LOG_LEVEL)}; it must be one of ${levels.join(', ')}.`)
  return Object.freeze({
    host,
    port: Number(port),
    dataDirectory: resolve(CASHWRAP_DATA || `${checkout}data`),
    databaseUrl: DATABASE_URL || undefined,
    secret: CASHWRAP_SECRET || undefined,
    logLevel: LOG_LEVEL || 'info',
  })
}

function isDatabaseUrl(text: string): boolean {
  try {
    const { protocol, pathname } = parseUrl(text)
    return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1
  } catch {
    return false
  }
}
