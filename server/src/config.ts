// The environment, read once into one frozen object. `settings.ts` lists all variables, and docs/operations.md explains them.
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from './core/operator-error.ts'
import { type DatabaseSettings, databaseOf } from './database-settings.ts'
import { type ObjectStoreSettings, objectStoreOf } from './features/files/settings.ts'
import { type MailSettings, mailOf } from './features/mail/settings.ts'
import { type OpenIdSettings, openIdOf } from './features/openid/settings.ts'
import type { StripeSettings } from './features/payment-processor/stripe.ts'
import type { MetricsAddress } from './metrics/listener.ts'
import { secretKeysIn } from './secret-key.ts'

/**
 * Default requests a second for each key: with an external database, and with the embedded one, which is for one shop
 * or a trial. 0 means no limit.
 */
const RATE_LIMIT_OWN_DATABASE = 1_000
const RATE_LIMIT_EMBEDDED = 0
/** Smallest and largest rate that can be set: one in 100 seconds, and more than a process answers. */
export const RATE_LIMIT_LEAST = 0.01
export const RATE_LIMIT_MOST = 1_000_000

/** Most worker processes of one server: more than any machine's cores are of use to. */
const WORKERS_MOST = 64

/** The program's settings. */
export interface Config extends DatabaseSettings {
  /** HOST: address to listen on. Default 127.0.0.1. */
  readonly host: string
  /** PORT: TCP port, 0 for any free one. Default 8080. */
  readonly port: number
  /** CASHWRAP_WORKERS: processes that serve, 1 to 64, or `auto`: half of the cores. Default 1. */
  readonly workers: number
  /** CASHWRAP_DATA: folder of the embedded database. Default `data` in the checkout. */
  readonly dataDirectory: string
  /**
   * CASHWRAP_SECRET_KEY: encrypts secrets in the database; of two separated by a comma, the first encrypts and both decrypt.
   * Empty if unset.
   */
  readonly secretKeys: readonly string[]
  /** CASHWRAP_PASSPHRASE: encrypts triggers' secrets in the file of a company. Default none: they are left out. */
  readonly passphrase: string | undefined
  /** LOG_LEVEL: fatal, error, warn, info (default), debug (one line a request), trace, silent. */
  readonly logLevel: string
  /**
   * CASHWRAP_RATE_LIMIT: requests per second for each key, 0 for no limit. Default none on the embedded database, else
   * 1000.
   */
  readonly rateLimit: number
  /**
   * CASHWRAP_TRUST_PROXY: reverse proxies whose X-Forwarded-For is trusted, as addresses or networks separated by
   * commas. Default none.
   */
  readonly trustProxy: readonly string[]
  /**
   * CASHWRAP_CORS_ORIGINS: origins, separated by commas, whose pages may call private endpoints from a browser. Default
   * none.
   */
  readonly corsOrigins: readonly string[]
  /**
   * CASHWRAP_WEBHOOK_ALLOW: non-public addresses or networks, separated by commas, that webhooks may be sent to.
   * Default none.
   */
  readonly webhookAllow: readonly string[]
  /** CASHWRAP_ARCHIVE: folder to which the embedded PostgreSQL archives its log. Default none. */
  readonly archive: string | undefined
  /** CASHWRAP_METRICS: address and port at which Prometheus reads metrics. Default none. */
  readonly metrics: MetricsAddress | undefined
  /**
   * OTEL_EXPORTER_OTLP_ENDPOINT: where traces are sent by OTLP over HTTP; its other variables are the exporter's.
   * OTEL_SERVICE_NAME: default cashwrap. OTEL_TRACES_SAMPLER_ARG: the part of the traces that begin here, 0 to 1. Default
   * all.
   */
  readonly traces: { readonly serviceName: string; readonly ratio: number } | undefined
  /**
   * CASHWRAP_STRIPE_SECRET_KEY: makes companies customers at Stripe. Without it they are only numbered.
   * CASHWRAP_STRIPE_API_BASE: another base URL of its API.
   */
  readonly stripe: StripeSettings | undefined
  /**
   * CASHWRAP_SMTP_URL: sends mail, as smtp://user:password@host:587 or smtps://…:465. Default none: links are shown to copy.
   * CASHWRAP_MAIL_FROM: its sender. CASHWRAP_PUBLIC_URL: where people open the console, for links in mails. Both are then
   * required.
   */
  readonly mail: MailSettings | undefined
  /**
   * CASHWRAP_OIDC_ISSUER: an OpenID provider at which people sign in, by its issuer. Default none: no single sign-on.
   * CASHWRAP_OIDC_CLIENT_ID, CASHWRAP_OIDC_CLIENT_SECRET: this service as its client; both are then required.
   * CASHWRAP_OIDC_LABEL: what people call it. Default `single sign-on`. CASHWRAP_OIDC_IS_SECOND_FACTOR: whether it requires a
   * second factor of each person, `true` or `false`. Default false.
   */
  readonly openId: OpenIdSettings | undefined
  /** CASHWRAP_PUBLIC_URL: where people open the console, for links that commands print. Default none: HOST and PORT. */
  readonly publicUrl: string | undefined
  /**
   * CASHWRAP_FILES: a bucket for files of attachments, as s3://bucket/prefix?endpoint=https://…&region=…. Default none: they are in
   * the database. AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: the key to it; both are then required.
   */
  readonly files: ObjectStoreSettings | undefined
}

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * Reads the settings. Throws an OperatorError that names the invalid variable, also where nothing uses it yet: the error would
 * otherwise wait for the day on which something does.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { HOST, PORT, CASHWRAP_DATA, DATABASE_URL, LOG_LEVEL } = environment
  const secretKeys = secretKeysIn(environment.CASHWRAP_SECRET_KEY ?? '')
  const { CASHWRAP_RATE_LIMIT, CASHWRAP_TRUST_PROXY, CASHWRAP_WEBHOOK_ALLOW, CASHWRAP_WORKERS, CASHWRAP_ARCHIVE } =
    environment
  const workers = workersIn(CASHWRAP_WORKERS || '1')
  const port = PORT || '8080'
  const host = HOST || '127.0.0.1'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new OperatorError(`PORT is ${JSON.stringify(port)}; it must be a number from 0 to 65535.`)
  if (!isHost(host))
    throw new OperatorError(`HOST is ${JSON.stringify(host)}; it must be an address or a name, such as 127.0.0.1.`)
  if (workers === undefined)
    throw new OperatorError(`CASHWRAP_WORKERS is ${JSON.stringify(CASHWRAP_WORKERS)}; it must be ${workersExpected}.`)
  if (CASHWRAP_DATA?.includes('://'))
    throw new OperatorError('CASHWRAP_DATA must be a folder. For a PostgreSQL of your own, set DATABASE_URL.')
  if (CASHWRAP_ARCHIVE && DATABASE_URL)
    throw new OperatorError(
      'CASHWRAP_ARCHIVE is for the embedded database. With DATABASE_URL, archive with the tools of your PostgreSQL, such as pgBackRest, Barman or WAL-G.',
    )
  if (typeof secretKeys === 'string') throw new OperatorError(`CASHWRAP_SECRET_KEY ${secretKeys}.`)
  if (LOG_LEVEL && !levels.includes(LOG_LEVEL))
    throw new OperatorError(`LOG_LEVEL is ${JSON.stringify(LOG_LEVEL)}; it must be one of ${levels.join(', ')}.`)
  const publicUrl = publicUrlIn(environment.CASHWRAP_PUBLIC_URL || undefined)
  return Object.freeze({
    host,
    port: Number(port),
    workers,
    dataDirectory: resolve(CASHWRAP_DATA || `${checkout}data`),
    ...databaseOf(environment),
    secretKeys,
    passphrase: strongPassphrase('CASHWRAP_PASSPHRASE', environment.CASHWRAP_PASSPHRASE || undefined),
    logLevel: LOG_LEVEL || 'info',
    rateLimit: rateOf(CASHWRAP_RATE_LIMIT || String(DATABASE_URL ? RATE_LIMIT_OWN_DATABASE : RATE_LIMIT_EMBEDDED)),
    // A list of all addresses is refused: every client could then claim any address.
    trustProxy: networksIn(CASHWRAP_TRUST_PROXY, { variable: 'CASHWRAP_TRUST_PROXY', leastBits: 1 }),
    corsOrigins: originsIn(environment.CASHWRAP_CORS_ORIGINS ?? ''),
    webhookAllow: networksIn(CASHWRAP_WEBHOOK_ALLOW, { variable: 'CASHWRAP_WEBHOOK_ALLOW', leastBits: 0 }),
    archive: CASHWRAP_ARCHIVE ? resolve(CASHWRAP_ARCHIVE) : undefined,
    metrics: metricsAddressIn(environment.CASHWRAP_METRICS ?? '', { host, port: Number(port) }),
    traces: tracesOf(environment),
    stripe: stripeOf(environment),
    mail: mailOf(environment, publicUrl),
    openId: openIdOf(environment, publicUrl),
    publicUrl,
    files: objectStoreOf(environment),
  })
}

/** The minimum length of a passphrase: a thief of the file of a company can try any number of them. */
const PASSPHRASE_CHARACTERS = 12

/** A passphrase from `where`. It is not shown. */
export function strongPassphrase(where: string, passphrase: string | undefined): string | undefined {
  if (passphrase === undefined || passphrase.length >= PASSPHRASE_CHARACTERS) return passphrase
  throw new OperatorError(`The passphrase in ${where} must have at least ${PASSPHRASE_CHARACTERS} characters.`)
}

const isHost = (text: string): boolean => isIP(text) !== 0 || /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/i.test(text)

const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Address and port as in `127.0.0.1:9464` or `[::1]:9464`; those of the service are refused. */
function metricsAddressIn(text: string, service: MetricsAddress): MetricsAddress | undefined {
  if (text === '') return undefined
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain ?? ''
  if (!isHost(host) || Number(port) > 65_535)
    throw new OperatorError(
      `CASHWRAP_METRICS is ${JSON.stringify(text)}; it must be an address and a port, such as 127.0.0.1:9464.`,
    )
  const isSameHost = host === service.host || isEveryAddress(host) || isEveryAddress(service.host)
  if (isSameHost && service.port !== 0 && Number(port) === service.port)
    throw new OperatorError(
      `CASHWRAP_METRICS uses the port of the service, ${port}. Set another port there, or change PORT.`,
    )
  return { host, port: Number(port) }
}

function tracesOf(environment: NodeJS.ProcessEnv): Config['traces'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG } = environment
  const ratio = Number(OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(ratio >= 0 && ratio <= 1))
    throw new OperatorError(
      `OTEL_TRACES_SAMPLER_ARG is ${JSON.stringify(OTEL_TRACES_SAMPLER_ARG)}; it must be a number from 0 to 1.`,
    )
  if (!endpoint) return undefined
  // The value is not shown: it may contain a password.
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new OperatorError(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) URL, such as http://127.0.0.1:4318; `/v1/traces` is added to it.',
    )
  return { serviceName: OTEL_SERVICE_NAME || 'cashwrap', ratio }
}

function stripeOf({ CASHWRAP_STRIPE_SECRET_KEY, CASHWRAP_STRIPE_API_BASE }: NodeJS.ProcessEnv): Config['stripe'] {
  const secretKey = CASHWRAP_STRIPE_SECRET_KEY?.trim()
  const apiBase = CASHWRAP_STRIPE_API_BASE || 'https://api.stripe.com'
  // Neither value is shown: it may be the key, set in the wrong place, or contain a password.
  if (!isOrigin(apiBase))
    throw new OperatorError(
      'CASHWRAP_STRIPE_API_BASE must be an http(s) URL with only a host and an optional port, such as https://api.stripe.com.',
    )
  if (!secretKey) return undefined
  if (!/^[sr]k_\w{8,250}$/.test(secretKey))
    throw new OperatorError('CASHWRAP_STRIPE_SECRET_KEY must be a secret or restricted key of Stripe: sk_… or rk_….')
  return { secretKey, apiBase }
}

/** A URL of only scheme, host and port: a path would be lost. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, href } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

/** Where people open the console. */
function publicUrlIn(text: string | undefined): string | undefined {
  if (text === undefined || isOrigin(text)) return text && new URL(text).origin
  throw new OperatorError(
    `CASHWRAP_PUBLIC_URL is ${JSON.stringify(text)}; it must be the address at which people open the console, without a path, such as https://pos.example.com.`,
  )
}

/** What a number of workers must be. */
export const workersExpected = `a whole number from 1 to ${WORKERS_MOST}, or auto`

/**
 * A number of worker processes; `auto` is half of the cores, since PostgreSQL takes about as much of a processor as the
 * workers do. Undefined if it is none.
 */
export function workersIn(text: string): number | undefined {
  if (text === 'auto') return Math.min(WORKERS_MOST, Math.max(1, Math.floor(availableParallelism() / 2)))
  const number = Number(text)
  return /^\d{1,2}$/.test(text) && number >= 1 && number <= WORKERS_MOST ? number : undefined
}

function rateOf(text: string): number {
  const rate = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || rate > RATE_LIMIT_MOST || (rate !== 0 && rate < RATE_LIMIT_LEAST))
    throw new OperatorError(
      `CASHWRAP_RATE_LIMIT is ${JSON.stringify(text)}; it must be a number of requests per second, ` +
        `${RATE_LIMIT_LEAST} to ${RATE_LIMIT_MOST}, or 0 for no limit.`,
    )
  return rate
}

/** Addresses and networks in CIDR notation, separated by commas. */
function networksIn(
  list: string | undefined,
  { variable, leastBits }: { variable: string; leastBits: number },
): string[] {
  const networks = (list ?? '').split(',').flatMap((entry) => entry.trim() || [])
  for (const text of networks) {
    const [address = '', bits, ...more] = text.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const isNetwork =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= leastBits && Number(bits) <= most)
    // An address with a zone is meaningful on one machine only.
    if (isIP(address) === 0 || address.includes('%') || !isNetwork || more.length > 0)
      throw new OperatorError(
        `${variable} holds ${JSON.stringify(text)}; it must be a list of addresses or networks, such as 127.0.0.1,10.0.0.0/8.`,
      )
  }
  return networks
}

/** Origins as browsers send them, separated by commas: of the web, and of apps that show pages, as in `capacitor://localhost`. */
function originsIn(list: string): string[] {
  const origins = list.split(',').flatMap((entry) => entry.trim() || [])
  for (const text of origins)
    if (!isWebOrigin(text) && !/^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(text))
      throw new OperatorError(
        `CASHWRAP_CORS_ORIGINS holds ${JSON.stringify(text)}; it must be a list of origins without paths, such as https://shop.example.com,http://localhost:5173.`,
      )
  return origins
}

/** Exactly as a browser writes it: in lower case, without a default port and without a slash at the end. */
const isWebOrigin = (text: string): boolean =>
  /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** The address for a person on this machine: wildcards cannot be called. */
export function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
