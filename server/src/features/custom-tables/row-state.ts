// Rows by the names of their columns: as clients send and see them, and in progress, when the writes of one transaction
// change one in memory, one after the other.

import { type Condition, isMet, versionMismatch } from '../../core/etag.ts'
import type { Claim } from '../../core/idempotency-claim.ts'
import { newId, type RowKey } from '../../core/ids.ts'
import { unknownMember } from '../../core/json-schema-checker.ts'
import { bodyError, ERRORS_LISTED, invalid, type MemberError, Problem, stepTo } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Item, ItemResult } from '../../engine/record.ts'
import { alwaysIgnored } from '../../engine/schema.ts'
import type { EventRow } from '../../engine/store.ts'
import { writing } from '../../engine/writing.ts'
import { type HeldRow, ownerOf } from './locks.ts'
import { customTableRow } from './resources.ts'
import { type Cells, type Column, fromJson, isUnset, shownCell, type Table, typeMessages } from './table.ts'

/** Unknown columns of one body for which a similar name is searched. */
const NAMES_GUESSED = 10

/** The error for a body that is not an object. */
export const notAnObject = (value: unknown): Problem | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : invalid([bodyError('', 'type', 'must be an object')])

/** The cells that a body sets, and clears with null; for a new row also those with a default. */
export function cellsOf(
  table: Table,
  value: object,
  { isNew, at = '' }: { isNew: boolean; at?: string },
): Cells | Problem {
  const errors: MemberError[] = []
  const wrong = (name: string, code: string, message: string) =>
    void errors.push(bodyError(stepTo(name, at), code, message))
  const cells: Cells = new Map()
  for (const [name, content] of Object.entries(value)) {
    const column = table.byName.get(name)
    if (column === undefined) {
      if (alwaysIgnored.has(name) || errors.length >= ERRORS_LISTED) continue
      errors.push(unknownMember(name, errors.length < NAMES_GUESSED ? [...table.byName.keys()] : [], at))
    } else if (isUnset(content, column.type, column.reference)) {
      if (column.isRequired && !isNew) wrong(name, 'required', 'is required and cannot be cleared')
      cells.set(column.id, null)
    } else {
      const stored = fromJson(column.type, content)
      if (stored === undefined) wrong(name, 'type', typeMessages[column.type])
      else cells.set(column.id, stored)
    }
  }
  if (isNew)
    for (const { id, name, defaultValue, isRequired } of table.columns) {
      if (!cells.has(id) && defaultValue !== undefined) cells.set(id, defaultValue)
      if (isRequired && (cells.get(id) ?? null) === null && !(Object.hasOwn(value, name) && !cells.has(id)))
        wrong(name, 'required', 'is required')
    }
  return errors.length > 0 ? invalid(errors) : cells
}

/** A 404: the company has no table of this name. */
export const noTable = (name: string): Problem =>
  new Problem('not_found', `There is no custom table ${JSON.stringify(name.slice(0, 100))}.`)

/** The shown part of a stored row. */
interface StoredCells {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Stored texts by field. */
  readonly cells: Readonly<Record<string, string>>
}

/** `{"_id": …, columns in their order, "createdAt", "updatedAt"}`; empty cells are left out. */
export function rowText({ columns }: Table, { id, createdAt, updatedAt, cells }: StoredCells): string {
  let text = `{"_id":{"$oid":"${id}"},`
  for (const column of columns) {
    const stored = cells[column.id]
    if (stored !== undefined) text += `${column.key}${shownCell(column.type, stored)},`
  }
  return `${text}"createdAt":"${createdAt}","updatedAt":"${updatedAt}"}`
}

/** The columns alone, as one object. */
const columnsText = ({ columns }: Table, cells: Readonly<Record<string, string>>): string =>
  `{${columns.flatMap((column: Column) => (cells[column.id] === undefined ? [] : [column.key + shownCell(column.type, cells[column.id] as string)])).join(',')}}`

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
