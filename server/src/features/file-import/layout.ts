// The layout of a kind of file: its headings, the signs that identify it, and what its columns become. It also reads rows by
// member, and reports rows that cannot be imported.

import { withoutApostrophe } from '../../core/formulas.ts'
import { STRING_CHARACTERS } from '../../core/limits.ts'
import { OperatorError } from '../../core/operator-error.ts'
import type { BrokenRow, CsvFile, CsvRow, RefusedRow } from './csv.ts'
import { type Cell, type Metadatum, Refusal, shorten, textOf } from './values.ts'

/** What a file contains. */
export const importKinds = ['catalog', 'stock', 'customers', 'orders'] as const
export type ImportKind = (typeof importKinds)[number]

/** The system that exported a file; `plain` is a file with Cashwrap's own columns. */
export const shopNames = ['woocommerce', 'shopify', 'square', 'lightspeed', 'plain'] as const
export type ShopName = (typeof shopNames)[number]
/** Names of the shops in messages. */
export const shopTitles: Readonly<Record<ShopName, string>> = {
  woocommerce: 'WooCommerce',
  shopify: 'Shopify',
  square: 'Square',
  lightspeed: 'Lightspeed',
  plain: 'Cashwrap',
}

/** A kind of file, and the columns of its members. */
export interface Layout<Member extends string> {
  readonly kind: ImportKind
  readonly shop: ShopName
  /** The `source` of its records. */
  readonly source: string
  /** What such a file is, as a noun phrase: `an orders export of Shopify`. */
  readonly what: string
  /** The columns that a file needs, for the message about a file that is not recognized. */
  readonly needs?: string
  /** Normalized headings that identify a file, and how many of them it must have. */
  readonly signs: { readonly atLeast: number; readonly of: readonly string[] }
  /** The possible headings of each member's column. If a file has several, the first counts, unless the layout has `only`. */
  readonly headings: Partial<Readonly<Record<Member, readonly string[]>>>
  /** The record's member for a member of the file, if its name differs. */
  readonly as: Partial<Readonly<Record<Member, string>>>
  /** Members that a file needs: one of each group. */
  readonly required: readonly (readonly Member[])[]
  /** A member that a file needs if it has another one. */
  readonly requiredWith?: { readonly has: Member; readonly needs: Member }
  /**
   * Normalized headings that only this shop's exports have, and an example. Several headings of a member are then synonyms,
   * so a file must have only one of them.
   */
  readonly only?: { readonly pattern: RegExp; readonly example: string }
  /** What any other column becomes, by its normalized heading: metadata by default; undefined if it is ignored. */
  readonly others?: (normal: string) => string | undefined
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

/** Normalizes a heading for comparison: case and extra spaces do not matter. */
export const normalHeading = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim()

/** Finds a layout's columns in a file. Throws an OperatorError with the reason if the file does not have this layout. */
export function columnsOf<Member extends string>(file: CsvFile, layout: Layout<Member>): ColumnPositions<Member> {
  const normal = file.headings.map(normalHeading)
  const positions = Map.groupBy(normal.keys(), (at) => normal[at])
  const at: Partial<Record<Member, number>> = {}
  for (const member of Object.keys(layout.headings) as Member[]) {
    const names = layout.headings[member]?.map(normalHeading) ?? []
    const found = names.flatMap((name) => positions.get(name)?.map((at) => ({ name, at })) ?? [])
    refuseSeveral(file, layout, found)
    if (found[0]) at[member] = found[0].at
  }
  const lacks = lacking(normal, layout, at)
  if (lacks !== undefined)
    throw new OperatorError(`${file.name} is not ${layout.what}: ${lacks}. ${headerBeginning(file)}`)
  const members = new Set(Object.values(at))
  const all = file.headings.map((heading, index) => ({ at: index, heading, normal: normal[index] ?? '' }))
  return { at, others: all.filter((column) => !members.has(column.at)) }
}

/** Refuses a file in which two columns could be the same member. */
function refuseSeveral<Member extends string>(
  { name, headings }: CsvFile,
  { only }: Layout<Member>,
  found: readonly { readonly name: string; readonly at: number }[],
): void {
  const [first, second] = found
  if (first === undefined || second === undefined) return
  if (only !== undefined) {
    const inOrder = found.map(({ at }) => at).sort((one, other) => one - other)
    const same = inOrder.map((at) => `"${headings[at]}"`).join(' and ')
    throw new OperatorError(`${name} has the columns ${same}, which mean the same. Remove one of them.`)
  }
  if (second.name === first.name)
    throw new OperatorError(`${name} has the column "${headings[first.at]}" twice. Remove one of them.`)
}

/** Explains what a file lacks to have a layout; undefined if nothing. */
function lacking<Member extends string>(
  normal: readonly string[],
  { headings, shop, required, requiredWith, only }: Layout<Member>,
  at: Partial<Record<Member, number>>,
): string | undefined {
  const wanted = requiredWith && at[requiredWith.has] !== undefined ? [...required, [requiredWith.needs]] : required
  const missing = wanted.filter((group) => group.every((member) => at[member] === undefined))
  const quoted = missing.map((group) => group.map((member) => `"${headings[member]?.[0]}"`).join(' or '))
  if (quoted.length > 0) return `it has no column ${quoted.join(', no column ')}`
  if (only === undefined || normal.some((heading) => only.pattern.test(heading))) return undefined
  return `it has none of the columns that only ${shopTitles[shop]} exports, such as "${only.example}"`
}

/** The beginning of a header, for messages. */
export const headerBeginning = ({ headings }: CsvFile): string =>
  `Its header begins: ${headings
    .slice(0, 8)
    .map((heading) => shorten(heading, 40))
    .join(', ')}.`

/** The columns of a file, each with the member that it becomes. */
export function mappedColumns<Member extends string>(file: CsvFile, layout: Layout<Member>): MappedColumn[] {
  const { at, others } = columnsOf(file, layout)
  const { as, others: other = () => 'metadata' } = layout
  const members = (Object.keys(at) as Member[]).map((member) => [at[member], as[member] ?? member] as const)
  const found = new Map<number | undefined, string | undefined>(members)
  for (const column of others) found.set(column.at, other(column.normal))
  return file.headings.map((column, index) => {
    const becomes = found.get(index)
    return { column, ...(becomes !== undefined && { as: becomes }) }
  })
}

/** A row, read by member. */
export interface RowView<Member extends string> {
  line: number
  cell: (member: Member) => Cell
  /** The cell of a column that is not a member. */
  at: (index: number) => Cell
}

/** Returns the function that reads a row by these columns. */
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

/** One entry per row of a file: the result of `read`, or why the row cannot be imported. */
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
