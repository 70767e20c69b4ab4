// The feed as an integrator reads it: by pages behind a cursor, and as a stream; and writes that are held open, as no HTTP client could.
import assert from 'node:assert/strict'
import pg from 'pg'
import { newId } from '../../src/core/ids.ts'
import { Scope } from '../../src/core/scope.ts'
import type { Connection, Queryable } from '../../src/database/connect.ts'
import { store } from '../../src/engine/store.ts'
import { category } from '../../src/resources/category.ts'
import type { Body } from './contract.ts'
import { testConnection } from './database.ts'
import type { Caller, Company, Reply, TestService } from './service.ts'

/** A page of the feed. Fails if the status is not 200. */
export async function page(
  call: Caller,
  query: string,
): Promise<{ data: Body[]; nextCursor: string; hasMore: boolean }> {
  const { status, text, body } = await call('GET', `/v1/events?${query}`)
  assert.equal(status, 200, text)
  const { data, meta } = body
  assert.deepEqual(Object.keys(meta), ['nextCursor', 'hasMore'])
  return { data, ...meta }
}

/** All events after a cursor, page by page. */
export async function readOn(
  call: Caller,
  after = '0',
  query = 'limit=7',
): Promise<{ events: Body[]; cursor: string }> {
  const events: Body[] = []
  for (let cursor = after; ; ) {
    const { data, nextCursor, hasMore } = await page(call, `after=${cursor}&${query}`)
    events.push(...data)
    cursor = nextCursor
    if (!hasMore) return { events, cursor }
  }
}

/** A short description of events. */
export const names = (events: readonly Body[]): string[] => events.map(({ data }) => data.name)

const { insert } = store(category)

/**
 * Writes categories of each name for each company, by one statement of the service, in a transaction that the test ends;
 * their events have their numbers then.
 */
export async function writeCategories(
  transaction: Queryable,
  companyIds: string | readonly string[],
  ...named: string[]
): Promise<void> {
  const now = new Date().toISOString()
  const rows = named.flatMap((name) =>
    [companyIds].flat().map((companyId) => {
      const id = newId()
      const events = [{ id: newId(), type: 'category.created' }]
      const body = JSON.stringify({ id, name, createdAt: now, updatedAt: now })
      return { scope: Scope.grant(companyId), id, body, events, claims: [] }
    }),
  )
  await insert(transaction, rows)
}

/** The connection of the service's database. */
export async function connectionOf({ database }: Pick<TestService, 'database'>): Promise<Connection> {
  const [row] = await database.query('select current_database()')
  return { ...testConnection(), database: row?.[0] }
}

/** One event of a stream. */
interface Sent {
  readonly id: string
  readonly event: string
  readonly data: Body
}

/** A stream and its reader. */
interface Reading {
  readonly status: number
  readonly events: Sent[]
  /** The last `id`, also of blocks without an event. */
  lastId(): string
  /** Resolves when there are that many events, rejects when it ends before. */
  until(count: number): Promise<void>
  readonly ended: Promise<void>
  cancel(): void
}

/** Opens a stream like a browser's EventSource. */
export async function openStream(
  url: string,
  { key }: Pick<Company, 'key'>,
  query = '',
  lastEventId?: string,
): Promise<Reading> {
  const aborting = new AbortController()
  const response = await fetch(`${url}/v1/events/stream?${query}`, {
    headers: { 'x-api-key': key, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: aborting.signal,
  })
  if (response.status !== 200) throw new Error(`The stream was refused: ${response.status} ${await response.text()}`)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const events: Sent[] = []
  let id = ''
  let isOver = false
  let notify = () => {}
  const begun = Promise.withResolvers<void>()
  const read = async () => {
    let rest = ''
    for await (const bytes of response.body as ReadableStream<Uint8Array>) {
      const blocks = (rest + Buffer.from(bytes).toString()).split('\n\n')
      rest = blocks.pop() as string
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        id = fields.get('id') ?? id
        const data = fields.get('data')
        if (data !== undefined) events.push({ id, event: fields.get('event') as string, data: JSON.parse(data) })
      }
      begun.resolve()
      notify()
    }
  }
  const ended = read()
    .catch(() => {})
    .finally(() => {
      isOver = true
      begun.resolve()
      notify()
    })
  await begun.promise
  return {
    status: response.status,
    events,
    lastId: () => id,
    ended,
    async until(count) {
      while (events.length < count) {
        assert.ok(!isOver, `the stream ended after ${events.length} events of ${count}`)
        await new Promise<void>((resolve) => {
          notify = resolve
        })
      }
    },
    cancel: () => aborting.abort(),
  }
}

/** The body of a success. */
export function bodyOf({ status, text, body }: Reply): Body {
  assert.ok(status < 300, text.slice(0, 300))
  return body
}

/** Creates a category. */
export const newCategory = async (call: Caller, name: string) => bodyOf(await call('POST', '/v1/category', { name }))

type Settle = (...answer: unknown[]) => void

/**
 * Sends requests that wait for events, to any server; each call resolves once the server has looked and found nothing. It listens to the driver,
 * since the feed is read by the role of row-level security where that is on.
 */
export async function waiting<T>(send: () => Promise<T>): Promise<{ answer: Promise<T> }> {
  const looked = Promise.withResolvers<void>()
  const { query } = pg.Client.prototype
  const spied = function (this: pg.Client, sent: { text?: string; callback?: Settle }, settle?: Settle) {
    if (!sent.text?.includes('page as materialized')) return Reflect.apply(query, this, [sent, settle])
    const heard =
      (original: Settle | undefined): Settle =>
      (...answer) => {
        original?.(...answer)
        looked.resolve()
      }
    if (settle === undefined) sent.callback = heard(sent.callback)
    return Reflect.apply(query, this, [sent, settle && heard(settle)])
  }
  Object.assign(pg.Client.prototype, { query: spied })
  const answer = send()
  answer.catch(() => {})
  await looked.promise.finally(() => Object.assign(pg.Client.prototype, { query }))
  return { answer }
}
