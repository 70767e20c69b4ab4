// The engine's own statements, captured on their way to the database, so that the bare driver always runs what the service runs.

import { fairSemaphore } from '../server/src/concurrency/fair-semaphore.ts'
import { newId } from '../server/src/core/ids.ts'
import { SEMAPHORES } from '../server/src/core/limits.ts'
import { Scope } from '../server/src/core/scope.ts'
import type { Database, Statement } from '../server/src/database/connect.ts'
import { pager } from '../server/src/engine/lists/list.ts'
import { store } from '../server/src/engine/store.ts'
import { customer } from '../server/src/resources/customer.ts'
import { sampleBody } from './sample.ts'

/** A statement with its values; the texts among them still contain their marks. */
export interface Caught {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** Runs `use` on a database that only listens, and returns the first statement it heard. */
async function caught(use: (database: Database) => Promise<unknown>): Promise<Caught> {
  const heard: Caught[] = []
  const deaf: Pick<Database, 'inTransaction' | 'isSharded' | 'owner' | 'query' | 'beginRead'> = {
    inTransaction: false,
    isSharded: false,
    // It is asked for statistics, before the statement.
    owner: { query: async () => [] } as unknown as Database,
    query: async (statement: Statement | string, values: readonly unknown[] = []) => {
      heard.push({ statement: typeof statement === 'string' ? { text: statement } : statement, values })
      return []
    },
    beginRead: async () => deaf,
  }
  await use(deaf as unknown as Database)
  if (heard[0] === undefined) throw new Error('The engine asked the database nothing.')
  return heard[0]
}

const { insert, replace } = store(customer)

const now = new Date().toISOString()

function row(companyId: string, id: string, verb: string) {
  const server = { fromService: true, isDeleted: false, createdAt: now, updatedAt: now, companyId }
  const body = JSON.stringify({ id, ...sampleBody, ...server })
  return { scope: Scope.grant(companyId), id, body, events: [{ id: newId(), type: `customer.${verb}` }], claims: [] }
}

/** The statement that creates the requested number of records. */
export function insertStatement(companyId: string, records: number): Promise<Caught> {
  const rows = Array.from({ length: records }, () => row(companyId, newId(), 'created'))
  return caught((database) => insert(database, rows))
}

/** The minimal statement for a single record and its event, written by hand: without arrays. */
export function plainInsert(companyId: string): Caught {
  const { id, body } = row(companyId, newId(), 'created')
  const text = `
    with written as (insert into customers (company_id, id, body) values ($2, ($3::text[])[1], $4))
    insert into events (company_id, id, type, created_at, resource, record_id, data)
    values ($2, $5, 'customer.created', $1, 'customer', ($3::text[])[1], $4)`
  return { statement: { name: 'plain_insert', text }, values: [now, companyId, [id], body, newId()] }
}

/** The statement that updates the records with these ids. */
export function replaceStatement(companyId: string, ids: readonly string[]): Promise<Caught> {
  const rows = ids.map((id) => {
    const written = row(companyId, id, 'updated')
    const events = written.events.map((event) => ({ ...event, data: written.body, previous: '{"totalSpent":"1.00"}' }))
    return { ...written, events, version: 1 }
  })
  return caught((database) => replace(database, rows, true))
}

/** The statement that fetches a page. */
export function pageStatement(companyId: string, parameters: Record<string, unknown>): Promise<Caught> {
  return caught((database) =>
    pager(
      customer,
      database,
      fairSemaphore(SEMAPHORES.list),
    )(Scope.grant(companyId), { parameters, wantsCount: false }),
  )
}
