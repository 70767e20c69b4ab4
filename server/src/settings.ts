// The names of all settings, so that a misspelt variable causes a warning instead of being ignored silently.
import { distance } from 'fastest-levenshtein'

/** The environment variables that config.ts reads. */
export const settingNames = [
  ...['HOST', 'PORT', 'LOG_LEVEL', 'DATABASE_URL', 'DATABASE_READ_URL', 'DATABASE_DIRECT_URL'],
  ...['CASHWRAP_DATABASE_MODE', 'CASHWRAP_ROW_SECURITY', 'CASHWRAP_WORKERS'],
  ...[
    'CASHWRAP_DATA',
    'CASHWRAP_ARCHIVE',
    'CASHWRAP_SECRET_KEY',
    'CASHWRAP_PASSPHRASE',
    'CASHWRAP_RATE_LIMIT',
    'CASHWRAP_TRUST_PROXY',
    'CASHWRAP_CORS_ORIGINS',
    'CASHWRAP_WEBHOOK_ALLOW',
  ],
  ...['CASHWRAP_STRIPE_SECRET_KEY', 'CASHWRAP_STRIPE_API_BASE', 'CASHWRAP_METRICS'],
  ...['CASHWRAP_FILES', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  ...['CASHWRAP_SMTP_URL', 'CASHWRAP_MAIL_FROM', 'CASHWRAP_PUBLIC_URL'],
  ...['CASHWRAP_OIDC_ISSUER', 'CASHWRAP_OIDC_CLIENT_ID', 'CASHWRAP_OIDC_CLIENT_SECRET'],
  ...['CASHWRAP_OIDC_LABEL', 'CASHWRAP_OIDC_IS_SECOND_FACTOR'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_SERVICE_NAME', 'OTEL_TRACES_SAMPLER_ARG'],
]

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
