// A running service for one test file, with companies to act as, and calls that read like what an integrator types.
import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import { after, before } from 'node:test'
import pino from 'pino'
import { type Permission, permissions } from '../../src/core/scope.ts'
import type { Database, DatabaseMode } from '../../src/database/connect.ts'
import { createKey } from '../../src/features/keys/key-store.ts'
import type { OpenIdSettings } from '../../src/features/openid/settings.ts'
import { createCompany, createOrganization } from '../../src/features/tenants/tenants.ts'
import { type Service, type ServiceSettings, startService } from '../../src/service.ts'
import { copyDatabase, testMode, testsRowSecurity } from './database.ts'
import { afterAllFiles, outsideOfTests } from './shared.ts'

/** A response: status, headers, the text, and its JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any
}

/** Calls with one key. A string or bytes as a body is sent unchanged, anything else as JSON. */
export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export interface Company {
  readonly id: string
  readonly key: string
  readonly organizationId: string
  /** Calls with the company's key; paths of the organization surface, with its organization's. */
  readonly call: Caller
}

export interface TestService {
  readonly url: string
  readonly database: Database
  /** The organization that the companies belong to. */
  readonly organizationId: string
  /** Its key. */
  readonly organizationKey: string
  /** A new company with a key that has all permissions. */
  company(): Promise<Company>
  /** A further key of a company. */
  keyFor(
    companyId: string,
    allowed?: readonly Permission[],
    expiresAt?: string,
  ): Promise<{ id: string; value: string; call: Caller }>
  /** A second server on the same database, started at its first use; then with these settings in place of the first one's. */
  second(others?: Partial<ServiceSettings>): Promise<Service>
  /** A caller with any headers, without a key unless they contain one; optionally at another server. */
  caller(headers?: Record<string, string>, at?: string): Caller
}

/** How services are started in tests: on any port, silent, all with one secret. */
export const testSettings: ServiceSettings = {
  host: '127.0.0.1',
  port: 0,
  log: pino({ level: 'silent' }),
  secretKeys: ['a secret that only tests know of and of 32 characters and more'],
  // No name resolves, so that no test depends on a name server.
  resolveTarget: async () => [],
  // Nothing is sent either, except in tests about that.
  webhooks: { isSending: false },
  // Companies are not checked either, except in tests of alerts.
  alerts: { isWatching: false },
  rowSecurity: testsRowSecurity(),
}

/** An OpenID provider that is down: with it all routes exist, and nothing is asked of it before a sign-in. */
export const awayProvider: OpenIdSettings = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'cashwrap',
  clientSecret: 'x',
  label: 'Acme Login',
  isSecondFactor: false,
  publicOrigin: undefined,
}

/** Milliseconds after which a statement and a request of a service of tests are given up: a loaded machine makes no failures. */
export const patience = { statementMs: 100_000, deadlineMs: 110_000 }

/** How long statements of such a service take at most, and wait for a connection, which on a loaded machine come late. */
export const patientStatements = { statementMs: patience.statementMs, connectMs: 30_000 }

/** A service on a database of its own. */
interface Running {
  readonly service: Service
  /** A second server on the same database, started at its first use. */
  second(others?: Partial<ServiceSettings>): Promise<Service>
  stop(): Promise<void>
}

/** Services and requests may take as long as a test needs on a loaded machine, unless they are not patient: for tests of deadlines. */
type TestSettings = Partial<ServiceSettings> & {
  readonly isPatient?: boolean
  readonly pageCharacters?: number
  readonly mode?: DatabaseMode | undefined
}

async function run({
  isPatient = true,
  mode = testMode(),
  pageCharacters,
  ...settings
}: TestSettings): Promise<Running> {
  const { connection, drop } = await copyDatabase()
  const start = (others: Partial<ServiceSettings> = {}) =>
    startService(
      { ...connection, mode, pageCharacters, ...(isPatient && patientStatements) },
      {
        ...testSettings,
        ...settings,
        ...others,
        ...(isPatient && { bounds: { deadlineMs: patience.deadlineMs, ...settings.bounds } }),
      },
    )
  const service = await start()
  if ((settings.rowSecurity ?? testsRowSecurity()) && mode === undefined) await assertHeld(service.database)
  let second: Promise<Service> | undefined
  return {
    service,
    second(others) {
      second ??= start(others)
      return second
    },
    async stop() {
      await (await second)?.close()
      await service.close()
      await drop()
    },
  }
}

/** Throws unless row-level security is on: a suite that is meant to run with it must not pass without it. */
async function assertHeld(database: Database): Promise<void> {
  const [row] = await database.query(
    `select count(*)::int from pg_roles where starts_with(rolname, 'cashwrap_rows_' || (select oid from pg_database where datname = current_database()))`,
  )
  assert.equal(row?.[0], 1, 'Row security is not on.')
}

/** Starts a service before the tests of the file and stops it after them; its members exist from then on. */
export function testService(settings: TestSettings = {}): TestService {
  let running: Running | undefined
  const members = withOrganization(async () => {
    running = await run(settings)
    return running
  })
  after(async () => {
    await running?.stop()
    running = undefined
  })
  return members
}

let shared: Promise<Running> | undefined

/**
 * The service that files of a process share, each with an organization of its own; starting one takes a third of a second of processor
 * time. For files that use only their own companies, and change nothing of the server or of the whole database.
 */
export function sharedService(): Omit<TestService, 'second'> & { second(): Promise<Service> } {
  return withOrganization(() => {
    if (shared === undefined) {
      // Tests come from several networks, by X-Forwarded-For.
      const starting = outsideOfTests(() => run({ trustProxy: ['127.0.0.1'] }))
      afterAllFiles(async () => (await starting).stop())
      shared = starting
    }
    return shared
  })
}

/** Has a service before the tests of the file, and an organization in it. */
function withOrganization(begin: () => Promise<Running>): TestService {
  let started: TestService | undefined
  before(async () => {
    started = await callsOf(await begin())
  })
  // The modules of test files stay in memory: what they no longer use would be looked at by each collection of garbage.
  after(() => {
    started = undefined
  })
  return new Proxy({} as TestService, {
    get: (_, member) => {
      if (started === undefined) throw new Error('The service has not started yet: use it inside a test.')
      return started[member as keyof TestService]
    },
  })
}

async function callsOf({ service: { url, database }, second }: Running): Promise<TestService> {
  const { organizationId, apiKey: organizationKey } = await createOrganization(database, {
    name: 'Test',
    ownerEmail: 'owner@example.com',
  })
  const caller =
    (own: Record<string, string> = {}, at = url): Caller =>
    (method, path, body, headers) =>
      send(at + path, method, body, { ...own, ...headers })
  return {
    url,
    database,
    organizationId,
    organizationKey,
    caller,
    second,
    async company() {
      const { companyId: id, apiKey: key } = await createCompany(database, {
        name: 'Shop',
        currency: 'EUR',
        organizationId,
      })
      const own = caller({ 'x-api-key': key })
      const ofOrganization = caller({ 'x-org-api-key': organizationKey })
      const call: Caller = (method, path, ...rest) =>
        (/^\/v1\/(api\/)?organization-api\//.test(path) ? ofOrganization : own)(method, path, ...rest)
      return { id, key, organizationId, call }
    },
    async keyFor(companyId, allowed = permissions, expiresAt) {
      const { id, value } = await createKey(database, { companyId }, { name: 'Test', permissions: allowed, expiresAt })
      return { id, value, call: caller({ 'x-api-key': value }) }
    },
  }
}

/** Connections that stay open: a request over one of them takes half the processor time of `fetch`. */
const agent = new Agent({ keepAlive: true })

async function send(url: string, method: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
  const bytes = body === undefined ? undefined : bytesOf(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request(url, {
      method,
      agent,
      headers: {
        accept: '*/*',
        ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...headers,
      },
    })
    sending.once('response', resolve).once('error', reject).end(bytes)
  })
  const type = response.headers['content-type'] ?? ''
  const text = type.startsWith('text/event-stream') ? await firstChunk(response) : await wholeText(response)
  let received: Headers | undefined
  return {
    status: response.statusCode ?? 0,
    // Few tests look at them, and making them takes a tenth of a request's time.
    get headers() {
      received ??= headersOf(response)
      return received
    },
    text,
    body: /[/+]json/.test(type) && text !== '' ? JSON.parse(text) : undefined,
  }
}

/** The text of a response; by events, which takes half the time of reading it as a stream. */
const wholeText = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    response
      .on('data', (chunk) => chunks.push(chunk))
      .once('end', () => resolve(Buffer.concat(chunks).toString()))
      .once('error', reject)
  })

/** A string or bytes as they are, anything else as JSON. */
function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let n = 0; n < rawHeaders.length; n += 2) headers.append(rawHeaders[n] as string, rawHeaders[n + 1] as string)
  return headers
}

/** The first chunk of a stream, which does not end. */
async function firstChunk(response: IncomingMessage): Promise<string> {
  for await (const chunk of response) return String(chunk)
  return ''
}

/** The text of a response; for a stream, which does not end, the first chunk. */
export async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? []).toString()
}
