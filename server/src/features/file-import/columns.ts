// The rows of a file read by member, what a cell becomes that is no member, and rows that cannot be imported.

import { withoutApostrophe } from '../../core/formulas.ts'
import { STRING_CHARACTERS } from '../../core/limits.ts'
import type { BrokenRow, CsvFile, CsvRow, RefusedRow } from './csv.ts'
import { type Cell, type Metadatum, Refusal, textOf } from './values.ts'

/** The positions of a layout's members in a file. */
export interface ColumnPositions<Member extends string> {
  /** The position of a member's column; undefined if the file does not have it. */
  at: Partial<Record<Member, number>>
  /** The columns that are not members, in the order of the file. */
  others: { at: number; heading: string; normal: string }[]
}

/** A column of the file; `as` is the member that it becomes, absent if it is ignored. */
export interface MappedColumn {
  readonly column: string
  readonly as?: string
}

/** A heading as it is compared: case and extra spaces do not matter. */
export const normalHeading = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim()

/** A row, read by member. */
export interface RowView<Member extends string> {
  line: number
  cell: (member: Member) => Cell
  /** The cell of a column that is not a member. */
  at: (index: number) => Cell
}

/** Makes the function that reads a row by these columns. */
export const rowViews =
  <Member extends string>(file: CsvFile, columns: ColumnPositions<Member>) =>
  ({ line, cells }: CsvRow): RowView<Member> => {
    const at = (index: number) => ({ heading: file.headings[index] ?? '', text: plainText(cells[index] ?? '') })
    return { line, at, cell: (member) => at(columns.at[member] ?? -1) }
  }

/** Programs put an apostrophe before text that a spreadsheet would take for a formula, and write `="0043"` to keep zeros. */
const plainText = (text: string) => withoutApostrophe(text.replace(/^="([^"]*)"$/, '$1')).trim()

/** A cell as metadata under its heading; nothing if it is empty or has a default value. */
export function cellAsMetadata(cell: Cell, silent: readonly string[] = []): Metadatum[] {
  const value = textOf(cell, STRING_CHARACTERS)
  if (value === undefined || silent.includes(value.toLowerCase())) return []
  return [{ key: noteKey(cell.heading), value }]
}

/** The metadata key of a column's values. */
export const noteKey = (heading: string): string => heading.replace(/^meta:\s*/i, '') || 'Column without a heading'

/** Remembers the line of each record, and refuses the same record on a later line. */
export function refuseRepeated(seen: Map<string, number>, id: string, line: number, column?: string): void {
  const before = seen.get(id)
  if (before !== undefined) throw new Refusal(`${column ?? 'the variant'} "${id}" is already in line ${before}`, column)
  seen.set(id, line)
}

/** A row that cannot be imported, among the other entries of a file. */
export type RefusedEntry = { kind: 'refused' } & RefusedRow

/** The entry for a row that cannot be imported; rethrows any other error. */
export function refusedRow(line: number, cause: unknown): RefusedEntry {
  if (!(cause instanceof Refusal)) throw cause
  return { kind: 'refused', line, reason: cause.message, ...(cause.column && { column: cause.column }) }
}

/** The entry for a line that is not a row of the table. */
export const brokenRow = ({ line, problem }: BrokenRow): RefusedEntry => ({ kind: 'refused', line, reason: problem })

/** One entry for each row of a file: what `read` makes of it, or why it cannot be imported. */
export async function* rowEntries<Member extends string, Entry>(
  file: CsvFile,
  columns: ColumnPositions<Member>,
  read: (row: RowView<Member>) => Entry,
): AsyncGenerator<Entry | RefusedEntry> {
  const view = rowViews(file, columns)
  for await (const raw of file.rows())
    if ('problem' in raw) yield brokenRow(raw)
    else
      try {
        yield read(view(raw))
      } catch (cause) {
        yield refusedRow(raw.line, cause)
      }
}
