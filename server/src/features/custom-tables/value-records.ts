// Values written as records of their own: checked against their table, row and field, and copied to the row's cells.

import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { isId } from '../../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { bisectOnError } from '../../engine/bisect-on-error.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import type { Change, Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { isTooLarge, tooLarge } from '../../engine/writing.ts'
import { mergedCells, writeCells } from './cells.ts'
import { type Column, fromText, wanted } from './column.ts'
import { updateCustomers } from './customer-events.ts'
import { holdRows, ownerOf, type RowPlace } from './customer-link.ts'
import {
  cellsIn,
  type HeldRow,
  type HeldTable,
  type LockedRows,
  lockRows,
  lockTables,
  type Place,
  placeKey,
} from './locks.ts'
import { oidOf, refused } from './member.ts'
import { customers, dangling } from './references.ts'
import { sizeLimitedBatches } from './size-limited-batches.ts'
import { columnOf } from './table-schema.ts'
import { customTableValue } from './value.ts'

/** The place of a value. */
interface Spot {
  readonly companyId: string
  readonly tableId: string
  readonly rowId: string
  readonly fieldId: string
}

/** Makes the operations of values. */
export function valueOperations(database: Database, lanes: OperationSemaphores): Operations {
  const own = operations(customTableValue, database, lanes)
  const schema = bodySchema(customTableValue)
  const settling = { connection: database, database, needsTransaction: true, conflict: customTableValue.conflict }

  /**
   * Locks everything before any of it is written: a refused item rolls its writes back, which would release locks taken
   * after the savepoint and take them again after others. Items beyond the size limit get no result.
   */
  async function holdAndWrite<I extends Item>(
    transaction: Queryable,
    items: readonly I[],
    { spots, texts, run }: { spots: readonly (Spot | undefined)[]; texts: readonly unknown[]; run: Run<I> },
  ): Promise<(ItemResult | undefined)[]> {
    const known = spots.filter((spot) => spot !== undefined)
    const tables = await lockTables(
      transaction,
      known.map(({ companyId, tableId }) => ({ companyId, id: tableId })),
      'shared',
    )
    const columns = await columnsOf(transaction, known)
    const all = items.map((item, n): Wanted<I> => {
      const spot = spots[n]
      if (spot === undefined) return { item, text: texts[n], spot, table: undefined, column: undefined }
      const { companyId, tableId, fieldId } = spot
      const table = tables.get(placeKey({ companyId, id: tableId }))
      return { item, text: texts[n], spot, table, column: columns.get(`${companyId} ${tableId} ${fieldId}`) }
    })
    const named = all.flatMap(({ spot, column, text }) =>
      spot && isLink(column) && typeof text === 'string' ? [{ companyId: spot.companyId, id: text }] : [],
    )
    let held: LockedRows | undefined = await holdRows(transaction, all.flatMap(placeOf), named)
    return bisectOnError({ ...settling, connection: transaction }, all, async (transaction, some) => {
      // Once some items are written, the rows read before are stale.
      const rows = held ?? (await lockRows(transaction, some.flatMap(placeOf)))
      held = undefined
      return write(transaction, some, rows, run)
    })
  }

  /** Writes values whose places are known, with their cells. */
  async function write<I extends Item>(
    transaction: Queryable,
    all: readonly Wanted<I>[],
    { rows, left: noRoom }: LockedRows,
    run: Run<I>,
  ): Promise<(ItemResult | undefined)[]> {
    const outcomes: (ItemResult | undefined)[] = new Array(all.length)
    const good: { index: number; item: I; column: Column | undefined; row: HeldRow | undefined }[] = []
    let characters = 0
    const extending = new Set<string>()
    all.forEach(({ item, spot, text, table, column }, index) => {
      // The engine reports everything else that is wrong.
      if (spot === undefined) {
        good.push({ index, item, column: undefined, row: undefined })
        return
      }
      const { companyId, tableId, rowId } = spot
      const key = placeKey({ companyId, id: rowId })
      if (characters > STATEMENT_CHARACTERS || noRoom.has(key)) return
      // Each write is also an event of the customer, so the next write of the row goes into the next transaction.
      if (extending.has(key)) return
      const row = rows.get(key)
      const stored = column && typeof text === 'string' ? fromText(column.type, text) : undefined
      if (table === undefined) outcomes[index] = refused('tableId', 'is not a custom table of the company')
      else if (column === undefined) outcomes[index] = refused('fieldId', 'is not a field of this table')
      else if (row === undefined || row.tableId !== tableId)
        outcomes[index] = refused('rowId', 'is not a row of this table, or is deleted')
      else if (typeof text === 'string' && stored === undefined)
        outcomes[index] = refused('value', `${wanted[column.type]}, as a string`, 'type')
      else {
        const value = stored === undefined ? item.value : { ...(item.value as object), value: stored }
        characters += stored?.length ?? 0
        good.push({ index, item: { ...item, value }, column, row })
        if (table.isExtension) extending.add(key)
      }
    })
    const spots = all.map(({ spot }) => spot)
    await refuseDangling(transaction, good, outcomes, spots)
    const left = good.filter(({ index }) => outcomes[index] === undefined)
    const done = await run(
      left.map(({ item }) => item),
      transaction,
    )
    const cells = new Map<string, Changed>()
    left.forEach(({ index, column, row }, n) => {
      const outcome = done[n] as ItemResult
      outcomes[index] = outcome
      const spot = spots[index]
      if (outcome instanceof Problem || spot === undefined || row === undefined || column === undefined) return
      const { value, isDeleted } = outcome.text === '' ? { value: null, isDeleted: true } : JSON.parse(outcome.text)
      const before: string | undefined = cellsIn(row)[spot.fieldId]
      const after = isDeleted ? null : value
      const key = `${spot.companyId} ${spot.rowId}`
      // A write that changes nothing leaves the row as it was.
      if (after === (cells.get(key)?.changed.get(spot.fieldId) ?? before ?? null)) return
      const of: Changed = cells.get(key) ?? {
        spot,
        row,
        isExtension: all[index]?.table?.isExtension === true,
        changed: new Map(),
      }
      of.changed.set(spot.fieldId, after)
      if (isLink(column)) of.link = spot.fieldId
      cells.set(key, of)
    })
    const now = new Date().toISOString()
    const writes = [...cells.values()].map(({ spot, row, changed, link }) => ({
      ...spot,
      cells: mergedCells(row.cells, changed),
      changed,
      linkedBy: link,
    }))
    if (writes.some(({ cells }) => isTooLarge(cells))) throw tooLarge()
    await writeCells(transaction, writes, now)
    const scope = all[0]?.item.scope
    if (scope) await updateCustomers(transaction, scope, [...cells.values()].flatMap(concerned))
    return outcomes
  }

  /** Values of referring columns must match an existing record. */
  async function refuseDangling(
    transaction: Queryable,
    good: readonly { index: number; item: Item; column: Column | undefined; row: HeldRow | undefined }[],
    outcomes: (ItemResult | undefined)[],
    spots: readonly (Spot | undefined)[],
  ): Promise<void> {
    const references = good.flatMap(({ index, item, column, row }) => {
      const { value } = (item.value ?? {}) as { value?: unknown }
      const companyId = spots[index]?.companyId
      if (column?.reference === undefined || companyId === undefined || typeof value !== 'string') return []
      if (row && cellsIn(row)[column.id] === value) return []
      return [{ ...column.reference, companyId, value, index }]
    })
    for (const { index, collection, member } of await dangling(transaction, references))
      outcomes[index] = refused('value', `must be the ${member} of an existing record in ${collection}`)
  }

  async function createValues(transaction: Queryable, items: readonly Item[]): Promise<(ItemResult | undefined)[]> {
    const changes = items.map(({ value }) => schema.create(value))
    const spots = items.map(({ scope }, n): Spot | undefined => {
      const change = changes[n] as Change | Problem
      if (change instanceof Problem) return undefined
      const id = (member: string) => oidOf(change, member)
      return { companyId: scope.companyId, tableId: id('tableId'), rowId: id('rowId'), fieldId: id('fieldId') }
    })
    const texts = changes.map((change) => (change instanceof Problem ? undefined : change.set.value))
    return holdAndWrite(transaction, items, { spots, texts, run: own.createMany })
  }

  async function updateValues(
    transaction: Queryable,
    items: readonly ItemWithId[],
  ): Promise<(ItemResult | undefined)[]> {
    const spots = await spotsOf(transaction, items)
    const texts = items.map(({ value }) => (value as { value?: unknown } | null)?.value)
    return holdAndWrite(transaction, items, { spots, texts, run: own.updateMany })
  }

  async function removeValues(
    transaction: Queryable,
    items: readonly ItemWithId[],
  ): Promise<(ItemResult | undefined)[]> {
    const spots = await spotsOf(transaction, items)
    return holdAndWrite(transaction, items, { spots, texts: [], run: own.removeMany })
  }

  return {
    ...own,
    create: tenantBatcher((items: Item[]) => sizeLimitedBatches(database, items, createValues), lanes.contended),
    update: tenantBatcher((items: ItemWithId[]) => sizeLimitedBatches(database, items, updateValues), lanes.contended),
    remove: tenantBatcher((items: ItemWithId[]) => sizeLimitedBatches(database, items, removeValues), lanes.contended),
  }
}

/** A value to be written: its place, its column, and its text. */
interface Wanted<I> {
  readonly item: I
  readonly spot: Spot | undefined
  readonly table: HeldTable | undefined
  readonly column: Column | undefined
  readonly text: unknown
}

/** A row whose cells changed. */
interface Changed {
  readonly spot: Spot
  readonly row: HeldRow
  readonly isExtension: boolean
  readonly changed: Map<string, string | null>
  /** The field with its customer, if that changed. */
  link?: string
}

const isLink = (column: Column | undefined): boolean => column?.reference?.collection === customers

/** The place of a value's row. */
const placeOf = ({ spot, table }: Wanted<unknown>): RowPlace[] =>
  spot ? [{ companyId: spot.companyId, id: spot.rowId, isExtension: table?.isExtension === true }] : []

/** The customers that show a row, before or now; none for tables that extend no customers. */
function concerned({ spot: { companyId }, row, isExtension, changed, link = '' }: Changed): Place[] {
  if (!isExtension) return []
  const customerId = changed.get(link)
  return typeof customerId === 'string' ? [...ownerOf(row), { companyId, id: customerId }] : ownerOf(row)
}

type Run<I> = (items: readonly I[], connection: Queryable) => Promise<ItemResult[]>

/** The places of live values, by their ids; undefined for missing or deleted ones. */
async function spotsOf(transaction: Queryable, items: readonly ItemWithId[]): Promise<(Spot | undefined)[]> {
  const rows = await transaction.query(
    {
      name: 'custom_values_spots',
      text: `
      select item.ordinality::int, stored.company_id, stored.table_id, stored.row_id, stored.field_id
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join custom_table_values as stored on stored.company_id = item.company_id and stored.id = item.id
        and not stored.is_deleted and ${customTableValue.isThere}`,
    },
    [items.map(({ scope }) => scope.companyId), items.map(({ id }) => (isId(id) ? id : ''))],
  )
  const spots: (Spot | undefined)[] = new Array(items.length).fill(undefined)
  for (const [ordinal, companyId, tableId, rowId, fieldId] of rows)
    spots[ordinal - 1] = { companyId, tableId, rowId, fieldId }
  return spots
}

/** The columns of some values, by company, table and field. */
async function columnsOf(transaction: Queryable, spots: readonly Spot[]): Promise<Map<string, Column>> {
  if (spots.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'custom_values_columns',
      text: `
      select distinct on (stored.company_id, stored.id) stored.company_id, stored.table_id, stored.id, stored.body::text
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      join custom_table_fields as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    [spots.map(({ companyId }) => companyId), spots.map(({ fieldId }) => fieldId)],
  )
  return new Map(
    rows.map(([companyId, tableId, id, body]) => [`${companyId} ${tableId} ${id}`, columnOf(id, JSON.parse(body))]),
  )
}
