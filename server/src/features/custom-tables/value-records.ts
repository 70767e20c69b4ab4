// Values written as records of their own: held against their table, row and field, and brought to the row's cells.
import type { Database, Queryable } from '../../database/connect.ts'
import { gatherByCompany } from '../../engine/batch.ts'
import { isId } from '../../engine/ids.ts'
import {
  type Item,
  type ItemWithId,
  type OperationLanes,
  type Operations,
  type Outcome,
  operations,
} from '../../engine/operations.ts'
import { bodySchema, type Change } from '../../engine/schema.ts'
import { settle } from '../../engine/settle.ts'
import { isTooLarge, tooLarge } from '../../engine/writing.ts'
import { Problem } from '../../http/problem.ts'
import { mergedCells, writeCells } from './cells.ts'
import { type Column, fromText, wanted } from './column.ts'
import { type HeldRow, lockRows, lockTables, placeKey } from './locks.ts'
import { oidOf, refused } from './member.ts'
import { customers, dangling } from './references.ts'
import { columnOf } from './structure.ts'
import { customTableValue } from './value.ts'

/** Where a value stands. */
interface Spot {
  readonly companyId: string
  readonly tableId: string
  readonly rowId: string
  readonly fieldId: string
}

/** Makes the operations of values. */
export function valueOperations(database: Database, lanes: OperationLanes): Operations {
  const own = operations(customTableValue, database, lanes)
  const schema = bodySchema(customTableValue)
  const settling = { connection: database, database, needsTransaction: true, conflict: customTableValue.conflict }

  /** Writes values whose places are known, with their cells. `text` of an item is what it wants to be the value. */
  async function write<I extends Item>(
    transaction: Queryable,
    items: readonly I[],
    { spots, texts, run }: { spots: readonly (Spot | undefined)[]; texts: readonly unknown[]; run: Run<I> },
  ): Promise<Outcome[]> {
    const known = spots.filter((spot) => spot !== undefined)
    const tables = await lockTables(
      transaction,
      known.map(({ companyId, tableId }) => ({ companyId, id: tableId })),
      'shared',
    )
    const rows = await lockRows(
      transaction,
      known.map(({ companyId, rowId }) => ({ companyId, id: rowId })),
    )
    const columns = await columnsOf(transaction, known)
    const outcomes: Outcome[] = new Array(items.length)
    const good: { index: number; item: I; column: Column | undefined; row: HeldRow | undefined }[] = []
    items.forEach((item, index) => {
      const spot = spots[index]
      // What is wrong otherwise the engine says.
      if (spot === undefined) {
        good.push({ index, item, column: undefined, row: undefined })
        return
      }
      const { companyId, tableId, rowId, fieldId } = spot
      const column = columns.get(`${companyId} ${tableId} ${fieldId}`)
      const row = rows.get(placeKey({ companyId, id: rowId }))
      const text = texts[index]
      const stored = column && typeof text === 'string' ? fromText(column.type, text) : undefined
      if (!tables.has(placeKey({ companyId, id: tableId })))
        outcomes[index] = refused('tableId', 'is no custom table of the company')
      else if (column === undefined) outcomes[index] = refused('fieldId', 'is no field of this table')
      else if (row === undefined || row.tableId !== tableId)
        outcomes[index] = refused('rowId', 'is no row of this table, or a deleted one')
      else if (typeof text === 'string' && stored === undefined)
        outcomes[index] = refused('value', `${wanted[column.type]}, as a string`, 'type')
      else {
        const value = stored === undefined ? item.value : { ...(item.value as object), value: stored }
        good.push({ index, item: { ...item, value }, column, row })
      }
    })
    await refuseDangling(transaction, good, outcomes, spots)
    const left = good.filter(({ index }) => outcomes[index] === undefined)
    const done = await run(
      left.map(({ item }) => item),
      transaction,
    )
    const cells = new Map<string, { spot: Spot; row: HeldRow; changed: Map<string, string | null>; link?: string }>()
    left.forEach(({ index, column, row }, n) => {
      const outcome = done[n] as Outcome
      outcomes[index] = outcome
      const spot = spots[index]
      if (outcome instanceof Problem || spot === undefined || row === undefined || column === undefined) return
      const { value, isDeleted } = outcome.text === '' ? { value: null, isDeleted: true } : JSON.parse(outcome.text)
      const before: string | undefined = JSON.parse(row.cells)[spot.fieldId]
      const after = isDeleted ? null : value
      const key = `${spot.companyId} ${spot.rowId}`
      // A write that changes nothing leaves the row as it was.
      if (after === (cells.get(key)?.changed.get(spot.fieldId) ?? before ?? null)) return
      const of = cells.get(key) ?? { spot, row, changed: new Map<string, string | null>() }
      of.changed.set(spot.fieldId, after)
      if (column.reference?.collection === customers) of.link = spot.fieldId
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
    return outcomes
  }

  /** Values of columns that refer to something have to find it. */
  async function refuseDangling(
    transaction: Queryable,
    good: readonly { index: number; item: Item; column: Column | undefined; row: HeldRow | undefined }[],
    outcomes: Outcome[],
    spots: readonly (Spot | undefined)[],
  ): Promise<void> {
    const references = good.flatMap(({ index, item, column, row }) => {
      const { value } = (item.value ?? {}) as { value?: unknown }
      const companyId = spots[index]?.companyId
      if (column?.reference === undefined || companyId === undefined || typeof value !== 'string') return []
      if (row && JSON.parse(row.cells)[column.id] === value) return []
      return [{ ...column.reference, companyId, value, index }]
    })
    for (const { index, collection, member } of await dangling(transaction, references))
      outcomes[index] = refused('value', `is no ${member} of any of ${collection}`)
  }

  async function createValues(transaction: Queryable, items: readonly Item[]): Promise<Outcome[]> {
    const changes = items.map(({ value }) => schema.create(value))
    const spots = items.map(({ scope }, n): Spot | undefined => {
      const change = changes[n] as Change | Problem
      if (change instanceof Problem) return undefined
      const id = (member: string) => oidOf(change, member)
      return { companyId: scope.companyId, tableId: id('tableId'), rowId: id('rowId'), fieldId: id('fieldId') }
    })
    const texts = changes.map((change) => (change instanceof Problem ? undefined : change.set.value))
    return write(transaction, items, { spots, texts, run: own.createMany })
  }

  async function updateValues(transaction: Queryable, items: readonly ItemWithId[]): Promise<Outcome[]> {
    const spots = await spotsOf(transaction, items)
    const texts = items.map(({ value }) => (value as { value?: unknown } | null)?.value)
    return write(transaction, items, { spots, texts, run: own.updateMany })
  }

  async function removeValues(transaction: Queryable, items: readonly ItemWithId[]): Promise<Outcome[]> {
    const spots = await spotsOf(transaction, items)
    return write(transaction, items, { spots, texts: [], run: own.removeMany })
  }

  return {
    ...own,
    create: gatherByCompany((items: Item[]) => settle(settling, items, createValues), lanes.contended),
    update: gatherByCompany((items: ItemWithId[]) => settle(settling, items, updateValues), lanes.contended),
    remove: gatherByCompany((items: ItemWithId[]) => settle(settling, items, removeValues), lanes.contended),
  }
}

type Run<I> = (items: readonly I[], connection: Queryable) => Promise<Outcome[]>

/** Where live values stand, by their ids; undefined for those that are not there, or deleted. */
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

/** The columns that some values stand in, by company, table and field. */
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
