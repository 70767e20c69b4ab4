// A table that extends customers, and its columns as a member of a customer's record.
import type { Column } from './column.ts'
import type { Table } from './table-schema.ts'

/** A table that extends customers, without the column that refers to them: what a customer shows of it. */
export interface ExtendingTable {
  readonly table: Table
  readonly link: Column
  /** `"loyalty":` */
  readonly key: string
}

/** A table, apart from the column that refers to customers. */
export function extendingTableOf(table: Table): ExtendingTable {
  const link = table.link as Column
  const columns = table.columns.filter(({ id }) => id !== link.id)
  const byName = new Map(columns.map((column) => [column.name, column]))
  return { table: { ...table, columns, byName }, link, key: `${JSON.stringify(table.name)}:` }
}

/** Values by the names of their columns. */
export type Columns = Readonly<Record<string, unknown>>
/** The columns of a table in a record. */
export const columnsOf = (record: Columns, { name }: Table) =>
  (Object.hasOwn(record, name) ? record[name] : {}) as Columns
/** A column may have the name of a property that every object has. */
export const cellOf = (columns: Columns, { name }: Column) => (Object.hasOwn(columns, name) ? columns[name] : undefined)
