// All settings are checked at the start, also those of features that are not in use yet: a wrong one must not wait
// until they are.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { settingNames } from '../src/settings.ts'

const postgres = 'postgres://user:hidden@db.example.com/shop'

/** A wrong value of each setting that has one. */
const wrong: Readonly<Record<string, string>> = {
  HOST: 'a b',
  PORT: '65536',
  LOG_LEVEL: 'loud',
  DATABASE_URL: 'mysql://user:hidden@db.example.com/shop',
  DATABASE_READ_URL: 'db.example.com',
  DATABASE_DIRECT_URL: 'postgres://user:hidden@db.example.com',
  CASHWRAP_DATABASE_MODE: 'sharded',
  CASHWRAP_ROW_SECURITY: 'yes',
  CASHWRAP_WORKERS: '0',
  CASHWRAP_DATA: postgres,
  CASHWRAP_SECRET_KEY: 'hidden',
  CASHWRAP_PASSPHRASE: 'hidden',
  CASHWRAP_RATE_LIMIT: 'none',
  CASHWRAP_TRUST_PROXY: 'proxy',
  CASHWRAP_CORS_ORIGINS: 'shop.example.com',
  CASHWRAP_WEBHOOK_ALLOW: 'localhost',
  CASHWRAP_STRIPE_SECRET_KEY: 'hidden',
  CASHWRAP_STRIPE_API_BASE: 'https://user:hidden@api.example.com',
  CASHWRAP_METRICS: '9464',
  CASHWRAP_FILES: 's3://user:hidden@shop-files',
  AWS_REGION: 'eu central',
  CASHWRAP_SMTP_URL: 'smtp://user:hidden@',
  CASHWRAP_MAIL_FROM: 'nobody',
  CASHWRAP_PUBLIC_URL: 'pos.example.com',
  CASHWRAP_OIDC_ISSUER: 'http://user:hidden@login.example.com',
  CASHWRAP_OIDC_LABEL: 'x'.repeat(41),
  CASHWRAP_OIDC_IS_SECOND_FACTOR: 'yes',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'user:hidden@collector',
  OTEL_TRACES_SAMPLER_ARG: 'all',
}

/** Settings that may have any value. */
const free = [
  ...['CASHWRAP_ARCHIVE', 'OTEL_SERVICE_NAME', 'CASHWRAP_OIDC_CLIENT_ID', 'CASHWRAP_OIDC_CLIENT_SECRET'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
]

test('a wrong value of any setting is refused by its name, also if nothing uses it yet, and secrets are not shown', () => {
  assert.deepEqual([...Object.keys(wrong), ...free].sort(), [...settingNames].sort())
  for (const [name, value] of Object.entries(wrong))
    assert.throws(
      () => readConfig({ [name]: value }),
      ({ name: kind, message }: Error) =>
        kind === 'OperatorError' && message.includes(name) && !message.includes('hidden'),
      `${name}=${value}`,
    )
  for (const name of settingNames) readConfig({ [name]: '' })
})

test('the operations guide explains each setting, and nothing else, in its table', async () => {
  const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## Settings\n(.*?)^##/ms.exec(guide) ?? []
  const explained = [...section.matchAll(/^\| (.*?) \|/gm)].flatMap(
    ([, first = '']) => first.match(/[A-Z_]{4,}/g) ?? [],
  )
  assert.deepEqual([...explained, 'AWS_SESSION_TOKEN'].toSorted(), settingNames.toSorted())
  assert.match(section, /`AWS_SESSION_TOKEN`/)
})

test('what a setting requires is named if it is missing', () => {
  const cases: [NodeJS.ProcessEnv, string][] = [
    [{ CASHWRAP_SMTP_URL: 'smtp://mail.example.com' }, 'CASHWRAP_MAIL_FROM'],
    [{ CASHWRAP_SMTP_URL: 'smtp://mail.example.com', CASHWRAP_MAIL_FROM: 'a@b.example' }, 'CASHWRAP_PUBLIC_URL'],
    [{ CASHWRAP_OIDC_ISSUER: 'https://login.example.com' }, 'CASHWRAP_OIDC_CLIENT_ID'],
    [{ CASHWRAP_FILES: 's3://shop-files' }, 'AWS_ACCESS_KEY_ID'],
    [{ DATABASE_READ_URL: postgres }, 'DATABASE_READ_URL belongs to the database that DATABASE_URL names'],
  ]
  for (const [environment, said] of cases)
    assert.throws(
      () => readConfig(environment),
      ({ message }: Error) => message.startsWith(said),
      said,
    )
})

test('a URL of a database with a password that is not encoded, or with several hosts, is refused with what to change', () => {
  const expected = /DATABASE_URL must be of the form .* with one host, and .* encoded \(%40 for @\)\.$/
  for (const place of ['user:p@ss/word@host', 'user:p#ss@host', 'user:pass@one:5432,other:5432'])
    assert.throws(() => readConfig({ DATABASE_URL: `postgres://${place}/shop` }), expected, place)
})

test('the URL of a database says how TLS is used in a way that the driver understands', () => {
  for (const name of ['DATABASE_URL', 'DATABASE_READ_URL', 'DATABASE_DIRECT_URL'])
    assert.throws(() => readConfig({ DATABASE_URL: postgres, [name]: `${postgres}?sslmode=verify_full` }), {
      message: `${name} has sslmode=verify_full; it must be verify-full for TLS, disable for none, or one of no-verify, prefer, require, verify-ca.`,
    })
  const read = (query: string) => readConfig({ DATABASE_URL: postgres + query }).databaseUrl
  const compatible = '?uselibpqcompat=true&sslmode=require'
  for (const query of ['?sslmode=disable', '?sslmode=no-verify', '?sslmode=verify-full', compatible])
    assert.equal(read(query), postgres + query)
  // The driver checks the certificate for all of these, and warns of each that does not say so.
  for (const mode of ['prefer', 'require', 'verify-ca'])
    assert.equal(
      read(`?application_name=a&sslmode=${mode}&x=require`),
      `${postgres}?application_name=a&sslmode=verify-full&x=require`,
    )
})
