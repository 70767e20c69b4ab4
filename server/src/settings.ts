// All settings: what help says of each, and their names, so that a misspelt variable causes a warning instead of being ignored silently.
import { distance } from 'fastest-levenshtein'

/** All settings: their names, and what `cashwrap serve --help` says of them, with the default in brackets. */
export const settings: readonly (readonly [name: string, help: string])[] = [
  ['HOST', 'address to listen on (127.0.0.1)'],
  ['PORT', 'port to listen on, 0 for any free one (8080)'],
  ['CASHWRAP_WORKERS', 'processes that serve: 1 to 64, or auto, which is half of the cores (1)'],
  ['CASHWRAP_DATA', 'folder of the embedded PostgreSQL (data in the checkout)'],
  ['DATABASE_URL', 'your own PostgreSQL instead, postgres://user:password@host:5432/database'],
  ['DATABASE_DIRECT_URL', 'the same past a pooler, if DATABASE_URL leads through one (none)'],
  ['DATABASE_READ_URL', 'a replica of it that answers lists and searches (none)'],
  [
    'CASHWRAP_DATABASE_MODE',
    'postgresql, or citus if tables are distributed over the nodes of a cluster (the database is asked)',
  ],
  [
    'CASHWRAP_ARCHIVE',
    'folder to which the embedded PostgreSQL archives its log, for restores to a point in time (none)',
  ],
  [
    'CASHWRAP_ROW_SECURITY',
    'on, required or off: whether PostgreSQL keeps companies apart too (on with DATABASE_URL, else off)',
  ],
  [
    'CASHWRAP_SECRET_KEY',
    'encrypts secrets in the database; required with DATABASE_URL (the file secret in CASHWRAP_DATA)',
  ],
  [
    'CASHWRAP_PASSPHRASE',
    'encrypts secrets in the files of `cashwrap company export` and opens them in `import` (none)',
  ],
  ['CASHWRAP_RATE_LIMIT', 'requests per second for each key, 0 for no limit (0; with DATABASE_URL 1000)'],
  ['CASHWRAP_TRUST_PROXY', 'addresses or networks of trusted reverse proxies, separated by commas (none)'],
  [
    'CASHWRAP_CORS_ORIGINS',
    'origins whose pages may call private endpoints from a browser, separated by commas (none)',
  ],
  ['CASHWRAP_WEBHOOK_ALLOW', 'non-public addresses or networks that webhooks may go to, separated by commas (none)'],
  ['CASHWRAP_METRICS', 'address and port at which Prometheus reads /metrics, such as 127.0.0.1:9464 (none)'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'where traces are sent, such as http://127.0.0.1:4318 (none)'],
  ['OTEL_SERVICE_NAME', 'the name in traces (cashwrap)'],
  ['OTEL_TRACES_SAMPLER_ARG', 'part of the traces that begin here, 0 to 1 (1)'],
  ['CASHWRAP_STRIPE_SECRET_KEY', 'a Stripe key; companies become Stripe customers (companies are only numbered)'],
  ['CASHWRAP_STRIPE_API_BASE', "another base URL of Stripe's API (https://api.stripe.com)"],
  ['CASHWRAP_SMTP_URL', 'mail server, smtp://user:password@host:587 or smtps://…:465 (none: links are shown to copy)'],
  [
    'CASHWRAP_MAIL_FROM',
    'sender of mails, such as pos@example.com; required with CASHWRAP_SMTP_URL, like CASHWRAP_PUBLIC_URL (none)',
  ],
  [
    'CASHWRAP_PUBLIC_URL',
    'where people open the console, such as https://pos.example.com; links begin with it (HOST and PORT)',
  ],
  ['CASHWRAP_OIDC_ISSUER', 'an OpenID provider at which people sign in, by its https URL (none: no single sign-on)'],
  ['CASHWRAP_OIDC_CLIENT_ID, CASHWRAP_OIDC_CLIENT_SECRET', 'this service as its client (required with the issuer)'],
  ['CASHWRAP_OIDC_LABEL', 'what people call it (single sign-on)'],
  ['CASHWRAP_OIDC_IS_SECOND_FACTOR', 'whether it requires a second factor of each person, true or false (false)'],
  [
    'CASHWRAP_FILES',
    'bucket for files of attachments, s3://bucket/prefix?endpoint=https://…&region=… (none: the database)',
  ],
  ['AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY', 'the key to it (required with CASHWRAP_FILES)'],
  ['AWS_SESSION_TOKEN', 'belongs to that key, if it has one (none)'],
  ['AWS_REGION', 'region of the bucket, if CASHWRAP_FILES has none (us-east-1)'],
  ['LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent (info)'],
]

/** The environment variables that config.ts reads. */
export const settingNames: readonly string[] = settings.flatMap(([names]) => names.split(', '))

/** Variables that the program itself, `cashwrap mcp`, images and tests use. */
const own = /^CASHWRAP_(COMMIT|URL|API_KEY|FOLLOWS_PARENT|TEST_.*|FAULT_.*|BENCH_.*)$/

/** A sentence for each variable that looks like a setting but is not, with the closest setting name. */
export function misspeltSettings(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('CASHWRAP_') && !settingNames.includes(name) && !own.test(name))
    .map((name) => {
      const [nearest] = settingNames
        .filter((setting) => setting.startsWith('CASHWRAP_'))
        .map((setting) => ({ setting, typos: distance(setting, name) }))
        .sort((a, b) => a.typos - b.typos)
      const meant = nearest !== undefined && nearest.typos <= 3 ? ` Did you mean ${nearest.setting}?` : ''
      return `${name} is not a setting of Cashwrap and has no effect.${meant}`
    })
}
