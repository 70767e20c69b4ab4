// Values written as records of their own: checked against their table, row and field, and copied to the row's cells.

import type { RowKey } from '../../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import type { Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { isTooLarge, tooLarge } from '../../engine/writing.ts'
import { type CellKey, mergedCells, readCellKeys, writeCells } from './cells.ts'
import { updateCustomers } from './customer-columns.ts'
import {
  cellsIn,
  type HeldRow,
  type HeldTable,
  type LockedRows,
  lockedBatches,
  lockKey,
  lockTables,
  ownerOf,
  type RowPlace,
} from './locks.ts'
import { customTableValue, oidOf, refusedMember } from './resources.ts'
import { type Column, customers, dangling, fromText, isUnset, readColumns, typeMessages } from './table.ts'

const schema = bodySchema(customTableValue)

/** Makes the operations of values. */
export function valueOperations(database: Database, semaphores: OperationSemaphores): Operations {
  const own = operations(customTableValue, database, semaphores)
  const batches = <I extends Item>(places: PlacesOf<I>, run: WriteValues<I>) =>
    lockedBatches(database, semaphores.contended, {
      prepare: (transaction, items: readonly I[]) => valueWrites(transaction, items, places),
      placesOf: rowPlaceOf,
      namedBy: customerNamedBy,
      write: (transaction, some, held) => writeValues(transaction, some, held, run),
      conflict: customTableValue.conflict,
    })
  return {
    ...own,
    create: batches(async (_, items) => items.map(newPlace), own.createMany),
    update: batches(existingPlaces, own.updateMany),
    remove: batches(
      async (transaction, items) => (await existingPlaces(transaction, items)).map(({ place }) => ({ place })),
      own.removeMany,
    ),
  }
}

/** The places that items write, undefined where there is none, and the texts they write. */
type PlacesOf<I> = (
  transaction: Queryable,
  items: readonly I[],
) => Promise<{ place: CellKey | undefined; text?: unknown }[]>

/** Locks the tables of items, and reads the columns that they write. */
async function valueWrites<I extends Item>(
  transaction: Queryable,
  items: readonly I[],
  placesOf: PlacesOf<I>,
): Promise<ValueWrite<I>[]> {
  const found = await placesOf(transaction, items)
  const places = found.flatMap(({ place }) => place ?? [])
  const tables = await lockTables(
    transaction,
    places.map(({ companyId, tableId }) => ({ companyId, id: tableId })),
    'shared',
  )
  const columns = await readColumns(transaction, places)
  return items.map((item, n) => {
    const { place, text } = found[n] as Awaited<ReturnType<PlacesOf<I>>>[number]
    if (place === undefined) return { item, text, place, table: undefined, column: undefined }
    const { companyId, tableId, fieldId } = place
    const table = tables.get(lockKey({ companyId, id: tableId }))
    return { item, text, place, table, column: columns.get(`${companyId} ${tableId} ${fieldId}`) }
  })
}

/** Writes values whose places are known, with their cells; those beyond the size limit get no result. */
async function writeValues<I extends Item>(
  transaction: Queryable,
  writes: readonly ValueWrite<I>[],
  held: LockedRows,
  run: WriteValues<I>,
): Promise<(ItemResult | undefined)[]> {
  const outcomes: (ItemResult | undefined)[] = new Array(writes.length)
  const checked = checkedWrites(writes, held, outcomes)
  await refuseDangling(transaction, checked, outcomes)
  const left = checked.filter(({ index }) => outcomes[index] === undefined)
  const done = await run(
    left.map(({ item }) => item),
    transaction,
  )
  left.forEach(({ index }, n) => {
    outcomes[index] = done[n]
  })
  const changed = changedRows(left, done)
  const cells = changed.map(({ place, row, changed, link }) => ({
    ...place,
    cells: mergedCells(row.cells, changed),
    changed,
    linkedBy: link,
  }))
  if (cells.some(({ cells }) => isTooLarge(cells))) throw tooLarge()
  await writeCells(transaction, cells, new Date().toISOString())
  const scope = writes[0]?.item.scope
  if (scope) await updateCustomers(transaction, scope, changed.flatMap(concerned))
  return outcomes
}

/** The writes that may be run, as many as one statement should carry; the outcomes of refused ones are set. */
function checkedWrites<I extends Item>(
  writes: readonly ValueWrite<I>[],
  { rows, left: noRoom }: LockedRows,
  outcomes: (ItemResult | undefined)[],
): CheckedWrite<I>[] {
  const good: CheckedWrite<I>[] = []
  let characters = 0
  const extending = new Set<string>()
  for (const [index, write] of writes.entries()) {
    const { item, place, text, table, column } = write
    // The engine reports everything else that is wrong.
    if (place === undefined) {
      good.push({ ...write, index, row: undefined })
      continue
    }
    const key = lockKey({ companyId: place.companyId, id: place.rowId })
    if (characters > STATEMENT_CHARACTERS || noRoom.has(key)) continue
    // Each write is also an event of the customer, so the next write of the row goes into the next transaction.
    if (extending.has(key)) continue
    const row = rows.get(key)
    const stored = column && typeof text === 'string' ? fromText(column.type, text) : undefined
    if (table === undefined) outcomes[index] = refusedMember('tableId', 'is not a custom table of the company')
    else if (column === undefined) outcomes[index] = refusedMember('fieldId', 'is not a field of this table')
    else if (row === undefined || row.tableId !== place.tableId)
      outcomes[index] = refusedMember('rowId', 'is not a row of this table, or is deleted')
    else if (text === '' && isUnset(text, column.type, column.reference))
      outcomes[index] = refusedMember('value', 'is required', 'required')
    else if (typeof text === 'string' && stored === undefined)
      outcomes[index] = refusedMember('value', `${typeMessages[column.type]}, as a string`, 'type')
    else {
      const value = stored === undefined ? item.value : { ...(item.value as object), value: stored }
      characters += stored?.length ?? 0
      good.push({ ...write, index, item: { ...item, value }, row })
      if (table.isExtension) extending.add(key)
    }
  }
  return good
}

/** The rows whose cells the results change. */
function changedRows(writes: readonly CheckedWrite<Item>[], done: readonly ItemResult[]): ChangedRow[] {
  const changedByRow = new Map<string, ChangedRow>()
  for (const [n, { place, row, column, table }] of writes.entries()) {
    const outcome = done[n] as ItemResult
    if (outcome instanceof Problem || place === undefined || row === undefined || column === undefined) continue
    const { value, isDeleted } = outcome.text === '' ? { value: null, isDeleted: true } : JSON.parse(outcome.text)
    const before: string | undefined = cellsIn(row)[place.fieldId]
    const after = isDeleted ? null : value
    const key = `${place.companyId} ${place.rowId}`
    const known = changedByRow.get(key)
    // A write that changes nothing leaves the row as it was.
    if (after === (known?.changed.get(place.fieldId) ?? before ?? null)) continue
    const isExtension = table?.isExtension === true
    const changedRow: ChangedRow = known ?? { place, row, isExtension, changed: new Map() }
    changedRow.changed.set(place.fieldId, after)
    if (isLink(column)) changedRow.link = place.fieldId
    changedByRow.set(key, changedRow)
  }
  return [...changedByRow.values()]
}

/** Refuses values of referring columns that match no existing record. */
async function refuseDangling(
  transaction: Queryable,
  writes: readonly CheckedWrite<Item>[],
  outcomes: (ItemResult | undefined)[],
): Promise<void> {
  const references = writes.flatMap(({ index, item, place, column, row }) => {
    const { value } = (item.value ?? {}) as { value?: unknown }
    if (column?.reference === undefined || place === undefined || typeof value !== 'string') return []
    if (row && cellsIn(row)[column.id] === value) return []
    return [{ ...column.reference, companyId: place.companyId, value, index }]
  })
  for (const { index, collection, member } of await dangling(transaction, references))
    outcomes[index] = refusedMember('value', `must be the ${member} of an existing record in ${collection}`)
}

function newPlace({ scope, value }: Item): { place: CellKey | undefined; text?: unknown } {
  const change = schema.create(value)
  if (change instanceof Problem) return { place: undefined }
  const id = (member: string) => oidOf(change, member)
  const { companyId } = scope
  return {
    place: { companyId, tableId: id('tableId'), rowId: id('rowId'), fieldId: id('fieldId') },
    text: change.set.value,
  }
}

/** A value to be written: its place, its column, and its text. */
interface ValueWrite<I> {
  readonly item: I
  readonly place: CellKey | undefined
  readonly table: HeldTable | undefined
  readonly column: Column | undefined
  readonly text: unknown
}

/** A write that may be run; its row, unless the engine refuses the item. */
interface CheckedWrite<I> extends ValueWrite<I> {
  readonly index: number
  readonly row: HeldRow | undefined
}

/** A row whose cells changed. */
interface ChangedRow {
  readonly place: CellKey
  readonly row: HeldRow
  readonly isExtension: boolean
  readonly changed: Map<string, string | null>
  /** The field with its customer, if that changed. */
  link?: string
}

const isLink = (column: Column | undefined): boolean => column?.reference?.collection === customers

const rowPlaceOf = ({ place, table }: ValueWrite<unknown>): RowPlace[] =>
  place ? [{ companyId: place.companyId, id: place.rowId, isExtension: table?.isExtension === true }] : []

/** The customer that a value gives its row to. */
const customerNamedBy = ({ place, column, text }: ValueWrite<unknown>): RowKey[] =>
  place && isLink(column) && typeof text === 'string' ? [{ companyId: place.companyId, id: text }] : []

/** The customers that show a row, before or now; none for tables that extend no customers. */
function concerned({ place: { companyId }, row, isExtension, changed, link = '' }: ChangedRow): RowKey[] {
  if (!isExtension) return []
  const customerId = changed.get(link)
  return typeof customerId === 'string' ? [...ownerOf(row), { companyId, id: customerId }] : ownerOf(row)
}

type WriteValues<I> = (items: readonly I[], connection: Queryable) => Promise<ItemResult[]>

/** The places of live values, and the texts that are sent; no place for missing or deleted values. */
async function existingPlaces(transaction: Queryable, items: readonly ItemWithId[]) {
  const places = await readCellKeys(transaction, items)
  return items.map(({ value }, n) => ({ place: places.get(n), text: (value as { value?: unknown } | null)?.value }))
}
