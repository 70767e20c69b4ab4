// No secret leaves by what an operator shares: the log, the metrics, a dump of the database, its files, a company's file.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { codeAt, stepAt } from '../src/features/people/second-factor.ts'
import { markOf } from '../src/seal.ts'
import { cashwrap, clusterFolder, dataFolder, type Program, serve, until } from './support/program.ts'
import { type Received, receiver } from './support/receiver.ts'
import { stripeDouble } from './support/stripe-double.ts'

const stripeKey = 'sk_test_Gv8wQ2yL5nR7tX1zB4cD6fH9'
const triggerSecrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'a-second-secret-of-a-trigger-4711']
const passwords = ['four-words-of-my-own-1', 'another-password-of-mine-2', 'a-wrong-password-that-is-almost-right-3']
/** Fits the form of a key, and belongs to no one. */
const unknownKey = 'posk_7Yd2mQ9xKc4VbN8sRt5WzPhJ3gLfUa0XyE6e'

const tokenIn = (link: string) => link.split('#token=')[1] as string

/** Uses a server in every way that has a secret, and returns all secrets by name. */
async function useSecrets({ url, said }: Program, hook: string): Promise<Map<string, string>> {
  const { companyKey, organizationKey, companyId } = said
  const secrets = new Map<string, string>(Object.entries({ companyKey, organizationKey, stripeKey, unknownKey }))
  for (const [n, text] of [...triggerSecrets, ...passwords].entries()) secrets.set(`typed ${n}`, text)
  const call = async (
    expected: number,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.equal(response.status, expected, `${method} ${path}: ${text}`)
    return { cookies: response.headers.getSetCookie(), body: JSON.parse(text) }
  }
  const own = { 'x-api-key': companyKey }
  const keyed = (key: string) => ({ ...own, 'idempotency-key': key })

  // A person, with a sign-in that succeeds and one that does not.
  secrets.set('the first link', tokenIn(said.console))
  const account = { email: 'owner@example.com', name: 'Owner' }
  const linked = { token: tokenIn(said.console), password: passwords[0], ...account }
  await call(200, 'POST', '/v1/console/link/use', {}, linked)
  await call(401, 'POST', '/v1/console/sign-in', {}, { email: account.email, password: passwords[2] })
  await call(400, 'POST', '/v1/console/sign-in', {}, `{"email": "${account.email}", "password": "${passwords[0]}", `)
  const signedIn = await call(200, 'POST', '/v1/console/sign-in', {}, { email: account.email, password: passwords[0] })
  const cookies = signedIn.cookies.map((cookie) => cookie.split(';')[0] as string)
  for (const cookie of cookies) secrets.set(`the cookie ${cookie.split('=')[0]}`, cookie.split('=')[1] as string)
  const { csrfToken } = signedIn.body
  secrets.set('csrfToken', csrfToken)
  const person = { cookie: cookies.join('; '), 'x-csrf-token': csrfToken, 'x-company-id': companyId }
  const member = await call(201, 'POST', '/v1/members', person, { email: 'new@example.com', role: 'admin' })
  secrets.set('the link of an invitation', tokenIn(member.body.link))

  // A second factor: set up with the password, confirmed, and used with a recovery code.
  const factor = '/v1/console/second-factor'
  const begun = await call(201, 'POST', factor, person, { currentPassword: passwords[0] })
  secrets.set('the secret of the second factor', begun.body.secret)
  await call(400, 'POST', `${factor}/confirm`, person, { code: begun.body.secret })
  const code = codeAt(begun.body.secret, stepAt(Date.now()))
  const confirmed = await call(200, 'POST', `${factor}/confirm`, person, { code })
  const [spent, kept] = confirmed.body.recoveryCodes
  for (const one of [spent, kept]) secrets.set(`the recovery code ${one}`, one)
  await call(401, 'POST', '/v1/console/sign-in', {}, { email: account.email, password: passwords[0] })
  await call(200, 'POST', '/v1/console/sign-in', {}, { email: account.email, password: passwords[0], code: spent })

  // Keys: created and rotated by a person, created by an organization, unknown, and where no key belongs.
  const permissions = ['read', 'create']
  const once = { 'idempotency-key': 'a key' }
  const created = await call(201, 'POST', '/v1/keys', { ...person, ...once }, { name: 'Till', permissions })
  const rotated = await call(201, 'POST', `/v1/keys/${created.body.id}/rotate`, person, {})
  const keysOfCompany = `/v1/organization-api/companies/${companyId}/keys`
  const ofOrganization = await call(
    201,
    'POST',
    keysOfCompany,
    { 'x-org-api-key': organizationKey },
    { name: 'Till', permissions },
  )
  for (const [n, { body }] of [created, rotated, ofOrganization].entries()) secrets.set(`key ${n}`, body.apiKey)
  await call(401, 'GET', '/v1/outlets', { 'x-api-key': unknownKey })
  await call(400, 'GET', `/v1/outlets?apiKey=${companyKey}&x-api-key=${companyKey}`, own)
  await call(404, 'GET', `/v1/outlets/${companyKey}`, own)
  await call(400, 'POST', '/v1/customer', own, { firstName: 'Ada', apiKey: companyKey, password: passwords[0] })

  // Triggers: created under a key and repeated, changed, and refused.
  const trigger = { triggerType: '*', triggerUrl: hook, apiKey: triggerSecrets[0] }
  const made = await call(201, 'POST', '/v1/automation-trigger', keyed('a trigger'), trigger)
  await call(201, 'POST', '/v1/automation-trigger', keyed('a trigger'), trigger)
  await call(422, 'POST', '/v1/automation-trigger', keyed('a trigger'), { ...trigger, apiKey: triggerSecrets[1] })
  await call(200, 'PATCH', `/v1/automation-trigger/${made.body.id}`, own, { apiKey: triggerSecrets[1] })
  await call(400, 'POST', '/v1/automation-trigger', own, { ...trigger, triggerUrl: 'ftp://example.com/' })
  await call(201, 'POST', '/v1/customer', keyed('a customer'), { firstName: 'Ada' })
  return secrets
}

/** Each text of some that has any of the secrets, in plain or in hexadecimal digits. */
function found(texts: Iterable<readonly [string, string | Buffer]>, secrets: ReadonlyMap<string, string>): string[] {
  const wanted = [...secrets].flatMap(([name, secret]) => {
    // Keys are also searched without their kind and their end, which lists show.
    const text = /^pos[ok]k?_/.test(secret) ? secret.slice(9, -4) : secret
    return [text, Buffer.from(text).toString('hex')].map((form) => [name, form] as const)
  })
  return [...texts].flatMap(([where, text]) =>
    wanted.filter(([, form]) => text.includes(form)).map(([name]) => `${name} is in ${where}`),
  )
}

/** All rows of a database as text, by table, as a dump has them. */
async function dumpOf(folder: string): Promise<Map<string, string>> {
  const database = connect({ host: join(folder, 'postgres'), user: 'cashwrap', database: 'cashwrap' }, { size: 1 })
  try {
    const tables = await database.query("select quote_ident(tablename) from pg_tables where schemaname = 'public'")
    const dump = new Map<string, string>()
    for (const [table] of tables)
      dump.set(table, (await database.query(`select one::text from ${table} as one`)).map(([row]) => row).join('\n'))
    return dump
  } finally {
    await database.close()
  }
}

/** The files of a stopped database: tables, indexes, and both of its logs. */
async function filesOf(folder: string): Promise<[string, Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(paths.map(async (path): Promise<[string, Buffer]> => [path, await readFile(path)]))
}

async function started(t: TestContext, calls: Received[]) {
  const stripe = await stripeDouble(t)
  const hooks = await receiver(t, (request, response) => {
    calls.push(request)
    response.end('ok')
  })
  const folder = await clusterFolder(t)
  const environment = {
    CASHWRAP_DATA: folder,
    CASHWRAP_METRICS: '127.0.0.1:0',
    CASHWRAP_STRIPE_SECRET_KEY: stripeKey,
    CASHWRAP_STRIPE_API_BASE: stripe.url,
    CASHWRAP_WEBHOOK_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'trace',
  }
  return { stripe, hooks, folder, environment, server: await serve(t, environment) }
}

test('no key, password, link, cookie or secret is in the log, the metrics, a dump, the database’s files or a company’s file', async (t) => {
  const calls: Received[] = []
  const { stripe, hooks, folder, environment, server } = await started(t, calls)
  const { companyId } = server.said
  const secrets = await useSecrets(server, `${hooks.url}hook`)
  const secretKey = (await readFile(join(folder, 'secret'), 'utf8')).trim()
  secrets.set('the secret key', secretKey)
  for (const [name, secret] of secrets) assert.ok(secret?.length >= 16, name)
  // Secrets were in use: a call was signed, and Stripe was asked.
  await until('a webhook was sent and the company registered', () => calls.length > 0 && stripe.customers.length > 0)
  assert.match(String(calls[0]?.headers['webhook-signature']), /^v1,/)

  const file = join(await dataFolder(t), 'shop.ndjson')
  const exported = await cashwrap(['company', 'export', companyId, file], environment)
  assert.equal(exported.code, 0, exported.stderr)
  const metrics = await (await fetch(server.said.metrics)).text()
  const dump = await dumpOf(folder)
  const { stderr: log } = await server.stop()
  const files = await filesOf(join(folder, 'postgres'))
  const companyFile = await readFile(file, 'utf8')

  // Each place has what it should have, so that the scan would find more.
  assert.match(log, new RegExp(`"route":"/v1/automation-trigger".*"companyId":"${companyId}"`))
  assert.match(metrics, /http_route="\/v1\/console\/sign-in"/)
  for (const table of ['idempotency_keys', 'automation_triggers', 'events', 'api_keys'])
    assert.ok(dump.get(table)?.includes(companyId), table)
  assert.ok(dump.get('agreements')?.includes(markOf(secretKey)))
  assert.match(companyFile, /whsec_•+LaSw/)
  assert.ok(files.some(([path, bytes]) => path.includes('/pg_wal/') && bytes.includes(companyId)))
  assert.ok(files.some(([path]) => path.endsWith('postgres.log')))

  const texts: [string, string | Buffer][] = [
    ['the log', log],
    ['the metrics', metrics],
    ['the file', companyFile],
  ]
  assert.deepEqual(found([...texts, ...dump, ...files], secrets), [])
  // The output of the start has the first keys and the link, and says so.
  assert.deepEqual(found([['the output', server.printed()]], secrets), [
    'companyKey is in the output',
    'organizationKey is in the output',
    'the first link is in the output',
  ])
})
