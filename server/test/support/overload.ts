// What tests of overload share: a busy company and a quiet one, a table that every statement waits for, and requests that are counted as they arrive or left before the response.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { companyActivity } from '../../src/concurrency/tenant-activity.ts'
import { connect } from '../../src/database/connect.ts'
import { keyChannel } from '../../src/features/keys/key-store.ts'
import { testConnection } from './database.ts'
import { assertProblem } from './problem.ts'
import { until } from './program.ts'
import { type Company, patience, type Reply, type TestService } from './service.ts'

/** The numbers below a count. */
export const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** The refusal at full capacity: at once, and with the statement that nothing was done. */
export function assertBusy(reply: Reply): void {
  const { message } = assertProblem(reply, 503, 'unavailable')
  assert.match(message, /Nothing was done/)
  assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
}

/** Locks a table so that every statement on it waits, in a separate connection. */
export async function hold(t: TestContext, { database: own }: TestService, table = 'customers') {
  const [row] = await own.query('select current_database()')
  const { statementMs } = patience
  const database = connect({ ...testConnection(), database: row?.[0], statementMs }, { size: 2 })
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    await transaction.query(`lock table ${table} in access exclusive mode`)
    held.resolve()
    await released.promise
  })
  const release = async () => {
    released.resolve()
    await holding
  }
  t.after(async () => {
    await release()
    await database.close()
  })
  // A table that cannot be locked fails the test, which would otherwise wait for ever.
  await Promise.race([held.promise, holding])
  const hanging = async () => {
    const [count] = await database.query(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return count?.[0] as number
  }
  return {
    release,
    isHanging: (statements: number) => until(`${statements} hang`, async () => (await hanging()) === statements),
  }
}

/** Counts the requests that have arrived completely: their work has begun or waits by then. */
export function arrivals(t: TestContext) {
  const channel = 'http.server.request.start'
  let count = 0
  let last: Socket | undefined
  const notice = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    last = request.socket
    if (request.method === 'GET') count++
    else request.once('end', () => count++)
  }
  subscribe(channel, notice)
  t.after(() => unsubscribe(channel, notice))
  return {
    come: (wanted: number) => until(`${wanted} requests have come`, () => count >= wanted),
    /** Waits until the server knows that the last caller has disconnected. */
    lastIsGone: () => until('the caller has gone', () => last?.destroyed === true),
  }
}

type Arrivals = ReturnType<typeof arrivals>

/** Requests of one wave. */
const WAVE = 200

/** Sends requests in waves, each once all before it have arrived: on a loaded machine, the headers of thousands at once come too late. */
export async function sendMany<Sent>(
  { come }: Arrivals,
  count: number,
  send: (n: number) => Promise<Sent>,
): Promise<Promise<Sent>[]> {
  const sent: Promise<Sent>[] = []
  while (sent.length < count) {
    for (const end = Math.min(sent.length + WAVE, count); sent.length < end; ) sent.push(send(sent.length))
    await come(sent.length)
  }
  return sent
}

/** Sends the `nth` request to arrive, and disconnects before the response. Resolves when the service knows. */
export async function leave(
  { come, lastIsGone }: Arrivals,
  nth: number,
  url: string,
  { key }: Company,
  { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<void> {
  const sent = request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    agent: false,
  })
  sent.on('error', () => {})
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  await come(nth)
  sent.destroy()
  await lastIsGone()
}

/** What drops the caches of keys and of custom tables. */
const channels = [keyChannel, 'cashwrap_structure']

/** Two companies with cached keys, so that their requests are handled the moment they arrive. */
export async function twoCompanies(service: TestService): Promise<[Company, Company]> {
  // A listening connection holds a lock for each channel that it hears.
  const isListening = async () => {
    const [row] = await service.database.query(
      `select count(distinct channel)::int from pg_locks join unnest($1::text[]) as channel
         on classid = (hashtext(channel)::bigint & 4294967295)::oid
       where locktype = 'advisory' and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())`,
      [channels],
    )
    return row?.[0] === channels.length
  }
  await until('the service hears of deleted keys and of custom tables', isListening)
  const companies: [Company, Company] = [await service.company(), await service.company()]
  // From then on it has cached their keys and their tables.
  for (const { call } of companies) assert.equal((await call('GET', '/v1/customers?limit=1')).status, 200)
  await until('the busy company is alone', () => companyActivity.othersMs(companies[0].id) === 0)
  return companies
}

/** How many customers a company has. */
export const written = async ({ database }: TestService, { id }: Company): Promise<number> => {
  const [row] = await database.query('select count(*)::int from customers where company_id = $1', [id])
  return row?.[0]
}

/** Creates a customer. */
export const create = ({ call }: Company, firstName = 'Ada') => call('POST', '/v1/customer', { firstName })
/** Creates two customers in one request. */
export const bulk = ({ call }: Company, firstName = 'Ada') =>
  call('POST', '/v1/customers', { items: [{ firstName }, { firstName }] })
/** Lists customers; equal lists that wait at the same time are one, so those that must wait each by itself have a limit each. */
export const list = ({ call }: Company, limit = 100) => call('GET', `/v1/customers?limit=${limit}`)
/** The different statuses of responses. */
export const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))]
