// A row as users of the table see it: its columns by name with JSON types, between its id and its times.
import { type Column, shownCell } from './column.ts'
import type { Table } from './table-schema.ts'

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
