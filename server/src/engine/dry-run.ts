// Dry runs: a write's own code in a transaction that is always rolled back, and what it would have changed (decision 44).

import type { FairSemaphore } from '../concurrency/fair-semaphore.ts'
import { eachInSlices, mapInSlices } from '../concurrency/time-slices.ts'
import { Problem } from '../core/problem.ts'
import type { Database, Queryable, Row } from '../database/connect.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import { retriedTransaction } from './bisect-on-error.ts'
import type { JsonObject } from './record.ts'

/** Characters of the events of a dry run: they are in memory at once, and the answer made of them is parsed in one turn, in some 40 ms. */
const DRY_RUN_CHARACTERS = 8 * 1024 * 1024

/** The parameter of routes that can be tried. */
const dryRunParameter = {
  type: 'boolean',
  default: false,
  description:
    'With `true`, the request is carried out and rolled back. The response is the one that the write would get, with the header `Dry-Run: true`. A record that would change has `before` and `after`, with the values of its changed members. For a record that would be deleted, `after` is null. A key without the permission `read` gets `before` and `after` only for records that the response to the write itself would contain. Nothing is stored, no event is raised, and an `Idempotency-Key` is ignored. Ids and numbers are examples.',
}

/** A write as the reference shows it: with the parameter. */
export const documentedDryRun = (route: Route): Route =>
  route.method === 'GET' ? route : { ...route, query: { ...route.query, dryRun: dryRunParameter } }

/** What routes are made over: a database, and a semaphore for work that may wait in it. */
interface DryParts {
  readonly database: Database
  readonly contended: FairSemaphore
}

/**
 * Adds `dryRun` to the writes of `make` that `isDry` allows. A dry run makes the routes again, over one connection, so
 * that it shares neither batches nor transactions with real writes. It waits its turn in `contended`.
 */
export function withDryRuns(
  { database, contended }: DryParts,
  make: (parts: DryParts) => readonly Route[],
  isDry: (route: Route) => boolean = () => true,
): Route[] {
  const real = make({ database, contended })
  return real.map((route, n) =>
    route.method === 'GET' || !isDry(route)
      ? route
      : {
          ...documentedDryRun(route),
          handle: (call) => {
            if (call.query.dryRun !== true) return route.handle(call)
            const run = (dry: Database) => (make({ database: dry, contended: atOnce })[n] as Route).handle(call)
            return contended({ tenant: call.scope.companyId || (call.scope.actorId ?? ''), isGone: call.isGone }, () =>
              triedOut(database, route, call, run as (dry: Database) => Promise<Answer>),
            )
          },
        },
  )
}

/** Work of a dry run has its turn already. */
const atOnce: FairSemaphore = (_, work) => work()

/** Carries the answer out of the transaction; throwing it rolls the transaction back. */
class RolledBack extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super('A dry run is rolled back.')
    this.answer = answer
  }
}

/** The answer of a run whose writes are rolled back, with what they would have changed. */
async function triedOut(
  database: Database,
  route: Route,
  call: Call,
  run: (dry: Database) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await retriedTransaction(database, async (transaction): Promise<Answer> => {
      const [began] = await transaction.query('select event_position()')
      const dry = untilEnd(transaction)
      const answer = await run(onOneConnection(dry, database)).finally(dry.end)
      const changes = await changesAfter(transaction, call.scope.companyId, began?.[0])
      throw new RolledBack({ ...answer, body: await withChanges(answer.body, changes, route, call) })
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.answer
    throw error
  }
}

/** A transaction that accepts no statement after its end, since the connection would carry it out and commit it. */
function untilEnd({ query, isSharded }: Queryable): Queryable & { end(): void } {
  let hasEnded = false
  return {
    inTransaction: true,
    isSharded,
    async query(statement, values) {
      if (hasEnded) throw new Error('The dry run has ended; this statement would be carried out for good.')
      return query(statement, values)
    },
    end() {
      hasEnded = true
    },
  }
}

/** A database whose statements all run in one transaction; its transactions are savepoints. */
function onOneConnection(transaction: Queryable, { reserved, owner, pageCharacters }: Database): Database {
  let savepoints = 0
  const refuse = () => {
    throw new Error('A dry run has one connection.')
  }
  return {
    ...transaction,
    reserved,
    owner,
    beginRead: async () => transaction,
    replicaProblem: refuse,
    async transaction(work) {
      const name = `dry_${savepoints++}`
      await transaction.query(`savepoint ${name}`)
      try {
        const result = await work(transaction)
        await transaction.query(`release savepoint ${name}`)
        return result
      } catch (error) {
        // On a lost connection this fails too; then the first error counts.
        await transaction.query(`rollback to savepoint ${name}; release savepoint ${name}`).catch(() => {})
        throw error
      }
    },
    openCursor: refuse,
    pageCharacters,
    connectAlone: refuse,
    close: refuse,
  }
}

/** What a record was and what it would be: its changed members. */
interface ShownChange {
  readonly before: JsonObject
  readonly after: JsonObject | null
}

/** The changes of a company's records by id, from the events that the transaction wrote after `position`. */
async function changesAfter(transaction: Queryable, companyId: string, position: unknown) {
  // A separate statement: within a statement over events it would be the number of the transaction on their node.
  const [written] = await transaction.query('select pg_current_xact_id_if_assigned()::text')
  const read = (columns: string, order = '') =>
    transaction.query(
      `select ${columns} from events where company_id = $1 and sequence > $2 and written_in = $3::xid8 ${order}`,
      [companyId, position, written?.[0]],
    )
  const [size] = await read('sum(length(data::text) + coalesce(length(previous::text), 0))::float8')
  if (size?.[0] > DRY_RUN_CHARACTERS)
    throw new Problem('payload_too_large', 'The records of this dry run are too long. Try fewer items at once.')
  const changes = new Map<string, ShownChange | 'created'>()
  await eachInSlices(await read('record_id, type, data, previous', 'order by sequence'), companyId, (row) => {
    const [id] = row
    const known = changes.get(id)
    if (known !== 'created') changes.set(id, known === undefined ? changeOf(row, {}) : changeOf(row, known.before))
  })
  return changes
}

/** The change that an event reports, after an earlier one of the same record. */
function changeOf([, type, data, previous]: Row, earlier: JsonObject): ShownChange | 'created' {
  if (type.endsWith('.created')) return 'created'
  const record: JsonObject = JSON.parse(data)
  if (previous === null && type.endsWith('.deleted')) return { before: { ...record, ...earlier }, after: null }
  const before = { ...JSON.parse(previous ?? '{}'), ...earlier }
  return { before, after: Object.fromEntries(Object.keys(before).map((member) => [member, record[member] ?? null])) }
}

/** The text of an answer, in which each changed record has `before` and `after`. */
async function withChanges(
  text: string,
  changes: ReadonlyMap<string, ShownChange | 'created'>,
  { tagged }: Route,
  { scope, params: { id, rowId } }: Call,
): Promise<string> {
  const { companyId } = scope
  // A secret is not shown, since no record with it is stored.
  const masked = (record: JsonObject): JsonObject => (tagged ? JSON.parse(tagged(JSON.stringify(record))) : record)
  const marked = (shown: JsonObject, own = idOf(shown)): JsonObject => {
    const change = changes.get(own ?? '')
    if (change === undefined || change === 'created') return shown
    if (scope.may('read') || isRecord(shown) || isRecord(shown.data)) return { ...shown, ...change }
    return change.after === null ? { ...shown, after: null } : shown
  }
  const answer: JsonObject = JSON.parse(text)
  if (Array.isArray(answer.results)) {
    const result = ({ data, ...item }: JsonObject & { data?: JsonObject }) => {
      if (item.status !== 'success') return item
      return data === undefined ? marked(item) : marked({ ...item, data: masked(data) }, idOf(data))
    }
    const texts = await mapInSlices(answer.results, companyId, (item) => JSON.stringify(result(item)))
    const members = Object.entries(answer).map(([member, value]) =>
      member === 'results' ? `"results":[${texts.join()}]` : `${JSON.stringify(member)}:${JSON.stringify(value)}`,
    )
    return `{${members.join()}}`
  }
  const parts = Object.entries(answer).map(([member, value]) => {
    if (Array.isArray(value)) return [member, value.map((part) => (isObject(part) ? marked(part) : part))]
    return [member, isObject(value) ? marked(value) : value]
  })
  return JSON.stringify(marked(masked(Object.fromEntries(parts)), idOf(answer) ?? rowId ?? id))
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a part of an answer is a record. A part that only names a record, as in a delete, has no time of creation.
 */
const isRecord = (part: unknown): boolean => isObject(part) && part.createdAt !== undefined

/** The id of a record, or of the one that an answer names. */
function idOf({ id, _id, rowId }: JsonObject): string | undefined {
  const own = id ?? _id ?? rowId
  return isObject(own) ? String(own.$oid) : (own as string | undefined)
}
