// What both readers do with a row: look at its cells by member, note what has no member of ours, and refuse what stood before.
import { STRING_CHARACTERS } from '../../limits.ts'
import type { CatalogEntry, Metadatum } from './catalog.ts'
import { type Columns, findColumns, type Layout } from './columns.ts'
import type { BrokenRow, CsvFile, CsvRow } from './csv.ts'
import { type Cell, Refusal, textOf } from './values.ts'

/** A row as its members see it. */
export interface RowView<Member extends string> {
  line: number
  cell: (member: Member) => Cell
  /** The cell of a column that is no member. */
  at: (index: number) => Cell
}

/** Opens the rows of a file by the members of a layout. */
export function memberRows<Member extends string>(file: CsvFile, layout: Layout<Member>) {
  const columns: Columns<Member> = findColumns(file, layout)
  const view = ({ line, cells }: CsvRow): RowView<Member> => {
    const at = (index: number) => ({ heading: file.headings[index] ?? '', text: plainText(cells[index] ?? '') })
    return { line, at, cell: (member) => at(columns.at[member] ?? -1) }
  }
  return { columns, view }
}

// Shops put an apostrophe before what a spreadsheet would take for a formula.
const plainText = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, '').trim()

/** What a cell says, as metadata under its heading; nothing when it is empty or says only what goes without saying. */
export function note(cell: Cell, silent: readonly string[] = []): Metadatum[] {
  const value = textOf(cell, STRING_CHARACTERS)
  if (value === undefined || silent.includes(value.toLowerCase())) return []
  return [{ key: cell.heading.replace(/^meta:\s*/i, '') || 'Column without a heading', value }]
}

/** Remembers which line a record of the shop stood in, and refuses the same record in a further line. */
export function refuseRepeated(seen: Map<string, number>, id: string, line: number, column?: string): void {
  const before = seen.get(id)
  if (before !== undefined)
    throw new Refusal(`${column ?? 'the variant'} "${id}" stands in line ${before} already`, column)
  seen.set(id, line)
}

/** The entry for a row that cannot be kept; any other error is one of ours and goes on. */
export function refused(line: number, cause: unknown): CatalogEntry {
  if (!(cause instanceof Refusal)) throw cause
  return { kind: 'refused', line, reason: cause.message, ...(cause.column && { column: cause.column }) }
}

/** The entry for a row that is no row of the table. */
export const brokenRow = ({ line, problem }: BrokenRow): CatalogEntry => ({ kind: 'refused', line, reason: problem })

/** A list that says something, or nothing. */
export const some = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)
