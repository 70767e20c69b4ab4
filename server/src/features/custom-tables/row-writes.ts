// Writes rows by columns: a row, its cells, its values, its event and its idempotency keys, of many requests in one transaction.

import type { BatchItem } from '../../concurrency/batch.ts'
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { type Condition, isMet, mismatch } from '../../core/etag.ts'
import { type Claim, inProgress } from '../../core/idempotency-claim.ts'
import { isId, newId } from '../../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { invalid, notFound, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { bisectOnError } from '../../engine/bisect-on-error.ts'
import { claimAlone } from '../../engine/idempotency.ts'
import type { ItemResult } from '../../engine/record.ts'
import { type EventRow, store } from '../../engine/store.ts'
import { isTooLarge, tooLarge, writing } from '../../engine/writing.ts'
import { type Cells, flagValues, writeCells, writeValues } from './cells.ts'
import { updateCustomers } from './customer-events.ts'
import { holdRows, ownerOf } from './customer-link.ts'
import { type HeldRow, type LockedRows, lockRows, lockTables, type Place, placeKey } from './locks.ts'
import { danglingColumns } from './references.ts'
import { customTableRow } from './row.ts'
import { cellsOf, noTable, wrongShape } from './row-body.ts'
import { columnsText, rowText } from './row-text.ts'
import { sizeLimitedBatches } from './size-limited-batches.ts'
import { readTable, type Structures, type Table } from './table-schema.ts'

/** A write of one row, as it was requested. */
export interface RowItem extends BatchItem {
  readonly scope: Scope
  readonly verb: 'created' | 'updated' | 'deleted'
  /** The name of the table. */
  readonly name: string
  /** The row; undefined for a new one. */
  readonly id: string | undefined
  readonly value: unknown
  readonly ifMatch?: Condition | undefined
  readonly claim?: Claim | undefined
}
/** The same, with the table as it was known at that time. */
interface KnownItem extends RowItem {
  readonly table: Table
}

/** A row in progress: as the earlier writes left it, and what has to be written of it. */
interface RowState {
  readonly scope: Scope
  readonly companyId: string
  readonly id: string
  readonly table: Table
  readonly isNew: boolean
  readonly version: number
  /** The customer that it belonged to before. */
  readonly before: readonly Place[]
  record: Record<string, any>
  cellsAt: string
  cells: Record<string, string>
  readonly changed: Cells
  readonly events: EventRow[]
  readonly claims: { claim: Claim; answer: string }[]
}

const { insert, replace } = store(customTableRow)
const { shown } = writing(customTableRow)
const settling = { needsTransaction: true, conflict: customTableRow.conflict } as const

/** The answer of a create and an update. */
const answerOf = (id: string): string => `{"rowId":{"$oid":"${id}"}}`

/** Makes the function that writes one row. The text of its result is the answer. */
export function rowWriter(
  database: Database,
  contended: FairSemaphore,
  structures: Structures,
): (item: RowItem) => Promise<ItemResult> {
  const gathered = tenantBatcher(
    (items: KnownItem[]) =>
      sizeLimitedBatches(database, items, (transaction, some) => holdAndWrite(database, transaction, some)),
    contended,
  )
  return async (item) => {
    const misshapen = item.verb === 'deleted' ? undefined : wrongShape(item.value)
    if (misshapen) return misshapen
    const table = await structures.table(item.scope.companyId, item.name)
    if (table === undefined) return noTable(item.name)
    return gathered({ ...item, table })
  }
}

/**
 * Locks everything before any of it is written: a refused item rolls its writes back, which would release locks taken
 * after the savepoint and take them again after others. Items beyond the size limit get no result.
 */
async function holdAndWrite(
  database: Database,
  transaction: Queryable,
  items: readonly KnownItem[],
): Promise<(ItemResult | undefined)[]> {
  const tables = await currentTables(transaction, items)
  const current = new Map(items.map((item, n) => [item, tables[n]]))
  const places = items.flatMap((item) => placeOf(item, current.get(item)) ?? [])
  const named = items.flatMap((item) => namedBy(item, current.get(item)) ?? [])
  let held: LockedRows | undefined = await holdRows(transaction, places, named)
  return bisectOnError({ ...settling, connection: transaction, database }, items, async (transaction, some) => {
    // Once some items are written, the rows read before are stale.
    const rows =
      held ??
      (await lockRows(
        transaction,
        some.flatMap((item) => placeOf(item, current.get(item)) ?? []),
      ))
    held = undefined
    return write(transaction, some, current, rows)
  })
}

/** The place of an existing row that an item changes. */
const placeOf = ({ scope, id = '' }: KnownItem, table: Table | undefined) =>
  isId(id) ? { companyId: scope.companyId, id, isExtension: table?.link !== undefined } : undefined

/** The customer that an item gives its row to. */
function namedBy({ scope, verb, value }: KnownItem, table: Table | undefined): Place | undefined {
  if (table?.link === undefined || verb === 'deleted') return undefined
  const { name, defaultValue } = table.link
  const sent = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined
  const id = sent === undefined && verb === 'created' ? defaultValue : sent
  return typeof id === 'string' ? { companyId: scope.companyId, id } : undefined
}

/** Writes rows, all or none: an item's problem is thrown, and the others are tried without it. */
async function write(
  transaction: Queryable,
  items: readonly KnownItem[],
  tables: ReadonlyMap<KnownItem, Table | undefined>,
  held: LockedRows,
): Promise<(ItemResult | undefined)[]> {
  const now = new Date().toISOString()
  const states = new Map<string, RowState>()
  let characters = 0
  const outcomes = items.map((item): ItemResult | undefined => {
    const table = tables.get(item)
    if (table === undefined) return noTable(item.name)
    const { companyId } = item.scope
    const id = item.id ?? newId()
    const key = placeKey({ companyId, id })
    if (characters > STATEMENT_CHARACTERS || held.left.has(key)) return undefined
    // Each write is also an event of the customer, so the next write of the row goes into the next transaction.
    if (table.link && states.has(key)) return undefined
    const state = states.get(key) ?? stateOf(item, table, id, held.rows.get(key), now)
    if (state === undefined || state.record.isDeleted) return notFound('row', id)
    const reported = state.events.length
    const answer = change(state, item, now)
    if (!(answer instanceof Problem)) states.set(key, state)
    characters += lengthOf(state.events.slice(reported))
    return answer
  })
  const all = [...states.values()]
  const dangling = await danglingColumns(
    transaction,
    all.map(({ companyId, table, changed }) => ({ companyId, columns: table.columns, changed })),
  )
  if (dangling.length > 0) throw invalid(dangling)
  if (all.some(({ cells }) => isTooLarge(JSON.stringify(cells)))) throw tooLarge()
  await writeRows(transaction, all)
  const touched = all.filter(({ changed, record }) => changed.size > 0 && !record.isDeleted)
  const writes = touched.map(({ companyId, id, table, cells, changed }) => ({
    ...{ companyId, rowId: id, tableId: table.id, cells: JSON.stringify(cells), changed },
    linkedBy: table.link && changed.has(table.link.id) ? table.link.id : undefined,
  }))
  await writeCells(transaction, writes, now)
  await writeValues(transaction, writes, now)
  const gone = all.filter(({ record }) => record.isDeleted)
  await flagValues(
    transaction,
    gone.map(({ companyId, id }) => ({ companyId, rowId: id })),
    now,
  )
  const scope = items[0]?.scope
  if (scope) await updateCustomers(transaction, scope, [...touched, ...gone].flatMap(concerned))
  return outcomes
}

const lengthOf = (events: readonly EventRow[]): number =>
  events.reduce((sum, { data = '', previous = '' }) => sum + data.length + previous.length, 0)

/** The customers that show a row, before or now; none for tables that extend no customers. */
function concerned({ companyId, table: { link }, before, cells, record }: RowState): Place[] {
  if (link === undefined) return []
  const customerId = record.isDeleted ? undefined : cells[link.id]
  return customerId === undefined ? [...before] : [...before, { companyId, id: customerId }]
}

/** The tables after they are locked; undefined for one that was deleted or renamed. */
async function currentTables(transaction: Queryable, items: readonly KnownItem[]): Promise<(Table | undefined)[]> {
  const held = await lockTables(
    transaction,
    items.map(({ table }) => table),
    'shared',
  )
  const read = new Map<string, Table | undefined>()
  const current: (Table | undefined)[] = []
  for (const { table, name } of items) {
    const key = placeKey(table)
    const version = held.get(key)?.version
    if (version !== undefined && version !== table.version && !read.has(key))
      read.set(key, await readTable(transaction, table.companyId, table.id))
    const now = version === table.version ? table : read.get(key)
    current.push(now?.name === name ? now : undefined)
  }
  return current
}

function stateOf(
  { verb, scope }: KnownItem,
  table: Table,
  id: string,
  row: HeldRow | undefined,
  now: string,
): RowState | undefined {
  const { companyId } = scope
  const common = { scope, companyId, id, table, changed: new Map(), events: [], claims: [] }
  if (verb === 'created') {
    const ids = { id, tableId: { $oid: table.id }, companyId: { $oid: companyId } }
    const record = { ...ids, isDeleted: false, createdAt: now, updatedAt: now }
    return { ...common, isNew: true, version: 0, before: [], record, cells: {}, cellsAt: '' }
  }
  if (row === undefined || row.tableId !== table.id) return undefined
  const { version, body, cells, cellsAt } = row
  const before = ownerOf(row)
  return { ...common, isNew: false, version, before, record: JSON.parse(body), cells: JSON.parse(cells), cellsAt }
}

/** Changes a row in memory; returns the answer, or the problem. */
function change(state: RowState, { verb, value, ifMatch, claim }: KnownItem, now: string): ItemResult {
  const { id, table } = state
  if (ifMatch && !isMet(ifMatch, textOf(state))) return mismatch()
  const cells = verb === 'deleted' ? new Map() : cellsOf(table, value as object, { isNew: state.isNew })
  if (cells instanceof Problem) return cells
  const changes = [...cells].filter(([field, stored]) => (state.cells[field] ?? null) !== stored)
  if (verb !== 'updated' || changes.length > 0) {
    const before = columnsText(table, state.cells)
    for (const [field, stored] of changes) {
      if (stored === null) delete state.cells[field]
      else state.cells[field] = stored
      state.changed.set(field, stored)
    }
    const { createdAt, updatedAt } = state.record
    const latest = [now, updatedAt, state.cellsAt].reduce((a, b) => (a > b ? a : b))
    const isDeleted = verb === 'deleted'
    state.record = { ...state.record, isDeleted, createdAt, updatedAt: latest }
    const data = `${shown(state.record).slice(0, -1)},"columns":${columnsText(table, state.cells)}}`
    const previous = isDeleted ? '{"isDeleted":false}' : `{"columns":${before}}`
    const event = { id: newId(), type: `${customTableRow.name.one}.${verb}`, data }
    state.events.push(state.isNew ? event : { ...event, previous })
  }
  const answer = answerOf(id)
  if (claim) state.claims.push({ claim, answer })
  return { id, text: answer }
}

const textOf = ({ table, id, record, cells, cellsAt }: RowState): string => {
  const { createdAt, updatedAt } = record
  return rowText(table, { id, createdAt, updatedAt: updatedAt > cellsAt ? updatedAt : cellsAt, cells })
}

/** Writes the rows with their events and keys. Throws `idempotency_in_progress` if another request has a key. */
async function writeRows(transaction: Queryable, states: readonly RowState[]): Promise<void> {
  const rows = states.map((state) => ({
    scope: state.scope,
    id: state.id,
    version: state.version,
    body: shown(state.record),
    events: state.events,
    claims: state.claims,
    isNew: state.isNew,
  }))
  const made = rows.filter(({ isNew }) => isNew)
  const changed = rows.filter(({ isNew, events }) => !isNew && events.length > 0)
  const unchanged = rows.filter(({ events }) => events.length === 0).flatMap(({ claims }) => claims)
  const fates = [
    ...(made.length > 0 ? await insert(transaction, made) : []),
    ...(changed.length > 0 ? await replace(transaction, changed, true) : []),
  ]
  const had = unchanged.length > 0 ? await claimAlone(transaction, unchanged) : []
  if (fates.some((fate) => fate !== 'written') || had.includes(false)) throw inProgress()
}
