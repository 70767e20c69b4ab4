// A row in progress: the writes of one transaction change it in memory, one after the other.

import { type Condition, isMet, versionMismatch } from '../../core/etag.ts'
import type { Claim } from '../../core/idempotency-claim.ts'
import { newId, type RowKey } from '../../core/ids.ts'
import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Item, ItemResult } from '../../engine/record.ts'
import type { EventRow } from '../../engine/store.ts'
import { writing } from '../../engine/writing.ts'
import { type HeldRow, ownerOf } from './locks.ts'
import { customTableRow } from './resources.ts'
import { cellsOf, columnsText, rowText } from './row-format.ts'
import type { Cells, Table } from './table.ts'

/** A write of one row, as it was requested. */
export interface RowItem extends Item {
  readonly verb: 'created' | 'updated' | 'deleted'
  readonly name: string
  /** The row; undefined for a new one. */
  readonly id: string | undefined
  readonly ifMatch?: Condition | undefined
}

/** The same, with the table as it was known at that time. */
export interface KnownItem extends RowItem {
  readonly table: Table
}

/** A row in progress: as the earlier writes left it, and what has to be written of it. */
export interface RowState {
  readonly scope: Scope
  readonly companyId: string
  readonly id: string
  readonly table: Table
  readonly isNew: boolean
  readonly version: number
  /** The customer that it belonged to before. */
  readonly before: readonly RowKey[]
  record: Record<string, any>
  cellsAt: string
  cells: Record<string, string>
  readonly changed: Cells
  readonly events: EventRow[]
  readonly claims: { claim: Claim; answer: string }[]
}

const { shown } = writing(customTableRow)

/** The answer of a create and an update. */
const answerOf = (id: string): string => `{"rowId":{"$oid":"${id}"}}`

export const lengthOf = (events: readonly EventRow[]): number =>
  events.reduce((sum, { data = '', previous = '' }) => sum + data.length + previous.length, 0)

/** The customers that show a row, before or now; none for tables that extend no customers. */
export function concernedCustomers({ companyId, table: { link }, before, cells, record }: RowState): RowKey[] {
  if (link === undefined) return []
  const customerId = record.isDeleted ? undefined : cells[link.id]
  return customerId === undefined ? [...before] : [...before, { companyId, id: customerId }]
}

export function stateOf(
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
export function changeRow(state: RowState, { verb, value, ifMatch, claim }: KnownItem, now: string): ItemResult {
  const { id, table } = state
  if (ifMatch && !isMet(ifMatch, rowTextOf(state))) return versionMismatch(ifMatch)
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

const rowTextOf = ({ table, id, record, cells, cellsAt }: RowState): string => {
  const { createdAt, updatedAt } = record
  return rowText(table, { id, createdAt, updatedAt: updatedAt > cellsAt ? updatedAt : cellsAt, cells })
}
