// The environment, read once into one frozen object; every variable is explained here and in docs/operations.md.
import { resolve } from 'node:path'
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
  /** LOG_LEVEL: fatal, error, warn, info (default), debug (one line a request), trace, silent. */
  readonly logLevel: string
}

const checkout = new URL('../../', import.meta.url).pathname
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the settings. Throws OperatorError naming the variable that is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { HOST, PORT, CASHWRAP_DATA, DATABASE_URL, LOG_LEVEL } = environment
  const port = PORT || '8080'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new OperatorError(`PORT is ${JSON.stringify(port)}; it must be a number from 0 to 65535.`)
  if (DATABASE_URL && !(/^postgres(ql)?:\/\//.test(DATABASE_URL) && URL.canParse(DATABASE_URL)))
    throw new OperatorError('DATABASE_URL must be of the form postgres://user:password@host:5432/database.')
  if (LOG_LEVEL && !levels.includes(LOG_LEVEL))
    throw new OperatorError(`LOG_LEVEL is ${JSON.stringify(LOG_LEVEL)}; it must be one of ${levels.join(', ')}.`)
  return Object.freeze({
    host: HOST || '127.0.0.1',
    port: Number(port),
    dataDirectory: resolve(CASHWRAP_DATA || `${checkout}data`),
    databaseUrl: DATABASE_URL || undefined,
    logLevel: LOG_LEVEL || 'info',
  })
}
