// Rows as clients send and see them: the JSON of each column type, checked bodies, and the text of a row.

import { canonicalDateTime, isDateTime } from '../../core/date-time.ts'
import { unknownMember } from '../../core/json-schema-checker.ts'
import { bodyError, ERRORS_LISTED, invalid, type MemberError, Problem, stepTo } from '../../core/problem.ts'
import { alwaysIgnored } from '../../engine/schema.ts'
import { isExact } from '../../http/lossy-values.ts'
import type { Cells, Column, ColumnType, Table } from './table.ts'

/** The message for a value of another type. */
export const typeMessages: Readonly<Record<ColumnType, string>> = {
  string: 'must be a string',
  number: 'must be a finite number of at most 17 digits',
  boolean: 'must be true or false',
  date: 'must be a date-time that exists, with offset or Z, such as "2026-11-21T09:30:00Z"',
  'json-string': 'must be a string that holds JSON, or an object or an array',
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** The stored form of a value sent as text, as in custom-table-value; undefined if it is not of the type. */
export function fromText(type: ColumnType, text: string): string | undefined {
  switch (type) {
    case 'string':
      return text
    case 'number':
      return numeral.test(text) && isExact(text) ? JSON.stringify(Number(text)) : undefined
    case 'boolean':
      return text === 'true' || text === 'false' ? text : undefined
    case 'date':
      return isDateTime(text) ? canonicalDateTime(text) : undefined
    case 'json-string':
      return isJson(text) ? text : undefined
  }
}

/** The stored form of a value sent as JSON, as in custom-table-data; undefined if it is not of the type. */
export function fromJson(type: ColumnType, value: unknown): string | undefined {
  switch (type) {
    case 'number':
      return typeof value === 'number' ? JSON.stringify(value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined
    case 'json-string':
      if (typeof value === 'object' && value !== null) return JSON.stringify(value)
      return typeof value === 'string' && isJson(value) ? value : undefined
    default:
      return typeof value === 'string' ? fromText(type, value) : undefined
  }
}

/** JSON text of a stored value. */
export const shownCell = (type: ColumnType, stored: string): string =>
  type === 'number' || type === 'boolean' ? stored : type === 'date' ? `"${stored}"` : JSON.stringify(stored)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Unknown columns of one body for which a similar name is searched. */
const NAMES_GUESSED = 10

/**
 * Whether a sent value leaves its column unset: null does, and so does `""` if the type has no empty value (decisions
 * §2).
 */
export const isUnset = (value: unknown, type: ColumnType, reference: unknown): boolean =>
  value === null || (value === '' && (reference !== undefined || type === 'number' || type === 'date'))

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
export const columnsText = ({ columns }: Table, cells: Readonly<Record<string, string>>): string =>
  `{${columns.flatMap((column: Column) => (cells[column.id] === undefined ? [] : [column.key + shownCell(column.type, cells[column.id] as string)])).join(',')}}`
