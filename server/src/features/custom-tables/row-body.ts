// Checks a body of columns by name against the table: the resulting cells, or an error for each wrong column.

import { unknownMember } from '../../core/json-schema-checker.ts'
import { bodyError, ERRORS_LISTED, invalid, type MemberError, Problem, stepTo } from '../../core/problem.ts'
import type { Cells } from './cells.ts'
import { fromJson, wanted } from './column.ts'
import type { Table } from './table-schema.ts'

/** Members that a row shows besides its columns; ignored when they are sent back. */
const shownBesides: ReadonlySet<string> = new Set(['_id', 'id', 'companyId', 'createdAt', 'updatedAt'])
/** Unknown columns of one body for which a similar name is searched. */
const NAMES_GUESSED = 10

/** Column types for which `""` means unset, as for members of these types (decisions §2). */
const hasNoEmpty: ReadonlySet<string> = new Set(['number', 'date'])

/** The error for a body that is not an object. */
export const wrongShape = (value: unknown): Problem | undefined =>
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
      if (shownBesides.has(name) || errors.length >= ERRORS_LISTED) continue
      errors.push(unknownMember(name, errors.length < NAMES_GUESSED ? [...table.byName.keys()] : [], at))
    } else if (content === null || (content === '' && hasNoEmpty.has(column.type))) {
      if (column.isRequired && !isNew) wrong(name, 'required', 'is required and cannot be cleared')
      cells.set(column.id, null)
    } else {
      const stored = fromJson(column.type, content)
      if (stored === undefined) wrong(name, 'type', wanted[column.type])
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
