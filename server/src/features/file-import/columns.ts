// The columns of a file by the members that they become, its rows read by member, and those that cannot be imported.

import { withoutApostrophe } from '../../core/formulas.ts'
import { STRING_CHARACTERS } from '../../core/limits.ts'
import type { BrokenRow, CsvFile, CsvRow, RefusedRow } from './csv.ts'
import { type Cell, type Metadatum, Refusal, shorten, textOf } from './values.ts'

/** The members of the rows of a kind of file. */
export interface Layout<Member extends string> {
  /** The possible headings of the column of each member. */
  readonly headings: Partial<Readonly<Record<Member, readonly string[]>>>
  /** What a member becomes in a record, if that is not called the same. */
  readonly as: Partial<Readonly<Record<Member, string>>>
  /** Members that a file needs; of each group one is enough. */
  readonly required: readonly (readonly Member[])[]
}

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

/**
 * The columns of a file by member, and the required members that it lacks, in words. `find` picks a member's column among
 * those that have one of its headings.
 */
export function matchColumns<Member extends string>(
  file: CsvFile,
  layout: Layout<Member>,
  find: (found: readonly { readonly name: string; readonly at: number }[]) => number | undefined,
): { columns: ColumnPositions<Member>; missing: string | undefined } {
  const normal = file.headings.map(normalHeading)
  const positions = Map.groupBy(normal.keys(), (at) => normal[at])
  const at: Partial<Record<Member, number>> = {}
  for (const member of Object.keys(layout.headings) as Member[]) {
    const names = layout.headings[member]?.map(normalHeading) ?? []
    const column = find(names.flatMap((name) => positions.get(name)?.map((at) => ({ name, at })) ?? []))
    if (column !== undefined) at[member] = column
  }
  const members = new Set(Object.values(at))
  const others = file.headings.map((heading, index) => ({ at: index, heading, normal: normal[index] ?? '' }))
  const missing = layout.required.filter((group) => group.every((member) => at[member] === undefined))
  const quoted = missing.map((group) => group.map((member) => `"${layout.headings[member]?.[0]}"`).join(' or '))
  return {
    columns: { at, others: others.filter((column) => !members.has(column.at)) },
    missing: quoted.length > 0 ? `it has no column ${quoted.join(', no column ')}` : undefined,
  }
}

/** The columns of a file with what they become; `other` says it of those that are not members. */
export function mappedColumns<Member extends string>(
  { headings }: CsvFile,
  { as }: Layout<Member>,
  { at, others }: ColumnPositions<Member>,
  other: (column: ColumnPositions<Member>['others'][number]) => string | undefined,
): MappedColumn[] {
  const members = (Object.keys(at) as Member[]).map((member) => [at[member], as[member] ?? member] as const)
  const found = new Map<number | undefined, string | undefined>(members)
  for (const column of others) found.set(column.at, other(column))
  return headings.map((column, index) => {
    const becomes = found.get(index)
    return { column, ...(becomes !== undefined && { as: becomes }) }
  })
}

/** The beginning of a header, for messages. */
export const headerBeginning = ({ headings }: CsvFile): string =>
  `Its header begins: ${headings
    .slice(0, 8)
    .map((heading) => shorten(heading, 40))
    .join(', ')}.`

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

/** Shops put an apostrophe before text that a spreadsheet would take for a formula. */
const plainText = (text: string) => withoutApostrophe(text).trim()

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
