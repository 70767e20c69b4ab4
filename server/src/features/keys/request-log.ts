// The last requests of each company key: noted in memory, written once a second by one statement, and lost rather than waited for.
// The log is bounded by age, by company and in total.

import type { Logger } from 'pino'
import { warn } from '../../core/failure-log.ts'
import { newId } from '../../core/ids.ts'
import { divided } from '../../core/worker-share.ts'
import type { Database } from '../../database/connect.ts'
import type { KeyRequest } from '../../http/request-note.ts'
import { counter } from '../../metrics/instruments.ts'
import { maskedPath } from './masked-path.ts'

/** Requests that are kept for one key, the newest. */
export const REQUESTS_OF_KEY = 1_000
/** Requests that wait in this process to be written: at most some 30 MB, and as many while a write is under way. Further ones are not kept. */
const WAITING = divided(20_000, 5_000)
/** Milliseconds between two writes. */
const FLUSH_MS = 1_000
/** Rows of one statement: some 30 ms. */
const ROWS_WRITTEN = 5_000
/** Rows of a key that a process writes before it removes those beyond `REQUESTS_OF_KEY`. */
const TRIMMED_AFTER = 500
/** Keys whose rows a process counts; those that it counted first are trimmed early. */
const COUNTED_KEYS = 5_000
/** Days for which a request of a key is kept. */
const KEPT_DAYS = 30
/** Requests kept for one company, whatever the number of its keys. */
const OF_COMPANY = 20_000
/** Requests kept for all companies: some 250 MB. */
const IN_ALL = 1_000_000
/** Rows of one statement: some 50 ms. */
const ROWS_CLEARED = 5_000

const dropped = counter({
  name: 'cashwrap_key_requests_dropped_total',
  help: 'Requests that the log of keys does not show, since too many waited to be written or writing failed.',
}).of()

/** The log of one process. */
export class KeyRequestLog {
  readonly #database: Database
  readonly #log: Logger
  /** By key, each at most `REQUESTS_OF_KEY`, the newest. */
  #waiting = new Map<string, KeyRequest[]>()
  #count = 0
  /** Rows written of each key since its older ones were removed. */
  readonly #untrimmed = new Map<string, { readonly companyId: string; rows: number }>()
  #writing: Promise<void> | undefined
  readonly #timer: NodeJS.Timeout

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Notes a request that has ended. Nothing is awaited, and nothing is written here. */
  readonly note = (entry: KeyRequest): void => {
    const own = this.#waiting.get(entry.keyId) ?? []
    if (own.length === REQUESTS_OF_KEY) own.shift()
    else if (this.#count < WAITING) this.#count++
    else return void dropped.value++
    own.push(entry)
    this.#waiting.set(entry.keyId, own)
  }

  /** Writes the waiting requests; if a write is already running, returns that one. */
  flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
    await this.flush()
  }

  async #write(): Promise<void> {
    if (this.#count === 0) return
    const entries = [...this.#waiting.values()].flat()
    this.#waiting = new Map()
    this.#count = 0
    for (let at = 0; at < entries.length; at += ROWS_WRITTEN) {
      const some = entries.slice(at, at + ROWS_WRITTEN)
      try {
        await this.#insert(some)
      } catch (error) {
        dropped.value += entries.length - at
        warn(this.#log, 'writing the requests of keys failed; these are lost', { requests: entries.length - at })(error)
        return
      }
      this.#countUntrimmed(some)
    }
    await this.#trim().catch(warn(this.#log, 'removing old requests of keys failed; retrying'))
  }

  async #insert(entries: readonly KeyRequest[]): Promise<void> {
    const column = <T>(read: (entry: KeyRequest) => T): T[] => entries.map(read)
    await this.#database.query(
      // A company that is deleted meanwhile gets no row: the lock waits for the delete, and then finds no company.
      `with existing as (select id from companies where id = any ($1::text[]) for key share)
       insert into key_requests (company_id, key_id, id, at, method, path, status, ms, request_id)
       select item.* from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[],
         $7::smallint[], $8::real[], $9::text[]) as item(company_id, key_id, id, at, method, path, status, ms, request_id)
       join existing on existing.id = item.company_id`,
      [
        column(({ companyId }) => companyId),
        column(({ keyId }) => keyId),
        column(() => newId()),
        column(({ at }) => new Date(at).toISOString()),
        column(({ method }) => method),
        column(maskedPath),
        column(({ status }) => status ?? null),
        column(({ ms }) => Math.round(ms * 10) / 10),
        column(({ requestId }) => requestId),
      ],
    )
  }

  #countUntrimmed(entries: readonly KeyRequest[]): void {
    for (const { keyId, companyId } of entries) {
      const own = this.#untrimmed.get(keyId)
      if (own === undefined) this.#untrimmed.set(keyId, { companyId, rows: 1 })
      else own.rows++
    }
  }

  async #trim(): Promise<void> {
    const surplus = this.#untrimmed.size - COUNTED_KEYS
    const due = [...this.#untrimmed].filter(([, { rows }], n) => n < surplus || rows >= TRIMMED_AFTER)
    if (due.length === 0) return
    await trimKeys(
      this.#database,
      due.map(([keyId, { companyId }]) => [companyId, keyId]),
    )
    for (const [keyId] of due) this.#untrimmed.delete(keyId)
  }
}

/** Removes the requests of keys beyond the newest that are kept. */
async function trimKeys(database: Database, keys: readonly (readonly [string, string])[]): Promise<void> {
  await database.query(
    // The newest request to remove is found once for each key; in one join PostgreSQL might find it for each row.
    `with surplus as materialized (
       select own.company_id, own.key_id, newest.at, newest.id
       from unnest($1::text[], $2::text[]) as own(company_id, key_id)
       cross join lateral (
         select at, id from key_requests
         where company_id = own.company_id and key_id = own.key_id order by at desc, id desc offset $3 limit 1
       ) as newest
     )
     delete from key_requests as stored using surplus
     where stored.company_id = surplus.company_id and stored.key_id = surplus.key_id and (stored.at, stored.id) <= (surplus.at, surplus.id)`,
    [keys.map(([companyId]) => companyId), keys.map(([, keyId]) => keyId), REQUESTS_OF_KEY],
  )
}

/**
 * Removes what is beyond the bounds, the oldest first, in small batches, which several processes share; stops between two
 * batches when `isOver`. The total bound comes first, so that slow steps cannot prevent it.
 */
export async function clearKeyRequests(
  database: Database,
  isOver: () => boolean = () => false,
  { inAll = IN_ALL, ofCompany = OF_COMPANY, rows = ROWS_CLEARED } = {},
): Promise<void> {
  async function remove(which: string, values: unknown[] = []): Promise<void> {
    for (let found = rows; found === rows && !isOver(); ) {
      const [batch] = await database.query(
        `with gone as (
           delete from key_requests where ctid = any (array(
             select ctid from key_requests where ${which} limit $1 for update skip locked)) returning 1
         ) select count(*)::int from gone`,
        [rows, ...values],
      )
      found = batch?.[0]
    }
  }
  const [beyond] = await database.query('select at from key_requests order by at desc offset $1 limit 1', [inAll])
  if (beyond !== undefined) await remove('at <= $2 order by at', beyond)
  await remove(`at < now() - interval '${KEPT_DAYS} days' order by at`)
  if (isOver()) return
  const counts = await database.query(
    `select company_id, key_id, count(*)::int, exists (
       select 1 from api_keys as key where key.id = stored.key_id and key.company_id = stored.company_id
     ) from key_requests as stored group by 1, 2`,
  )
  const companies = new Map<string, number>()
  for (const [companyId, keyId, count, isKnown] of counts)
    if (isKnown) companies.set(companyId, (companies.get(companyId) ?? 0) + count)
    else await remove('company_id = $2 and key_id = $3', [companyId, keyId])
  for (const [companyId, count] of companies)
    if (count > ofCompany && !isOver()) {
      const [oldest] = await database.query(
        'select at from key_requests where company_id = $1 order by at desc offset $2 limit 1',
        [companyId, ofCompany],
      )
      if (oldest !== undefined) await remove('company_id = $2 and at <= $3', [companyId, ...oldest])
    }
}
