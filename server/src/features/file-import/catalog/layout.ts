// The columns of a catalogue file: where its members are, and which of our members it sets.

import { OperatorError } from '../../../core/operator-error.ts'
import { type ColumnPositions, headerBeginning, type Layout, matchColumns, normalHeading, noteKey } from '../columns.ts'
import type { CsvFile } from '../csv.ts'

/** A shop's product export. Several headings of a member mean the same, so a file has one of them. */
export interface CatalogLayout<Member extends string> extends Layout<Member> {
  /** What the shop is called. */
  readonly title: string
  /** Normalized headings unique to this shop's exports: a file with none of them is not from this shop; and an example. */
  readonly only: { readonly pattern: RegExp; readonly example: string }
}

export type CatalogColumns<Member extends string> = ColumnPositions<Member>

/** Matches a file's header with a layout. Throws an OperatorError that names what is missing. */
export function findColumns<Member extends string>(
  file: CsvFile,
  layout: CatalogLayout<Member>,
): CatalogColumns<Member> {
  const { columns, missing } = matchColumns(file, layout, (found) => {
    if (found.length > 1) {
      const inOrder = found.map(({ at }) => at).sort((one, other) => one - other)
      const same = inOrder.map((at) => `"${file.headings[at]}"`).join(' and ')
      throw new OperatorError(`${file.name} has the columns ${same}, which mean the same. Remove one of them.`)
    }
    return found[0]?.at
  })
  const { title, only } = layout
  const isOfShop = file.headings.some((heading) => only.pattern.test(normalHeading(heading)))
  const lacks =
    missing ??
    (isOfShop ? undefined : `it has none of the columns that only ${title} exports, such as "${only.example}"`)
  if (lacks === undefined) return columns
  throw new OperatorError(
    `${file.name} is not an English product export of ${title}: ${lacks}. ${headerBeginning(file)}`,
  )
}

/** The members that a file has columns for; the stored values of all others stay. */
export interface SetMembers {
  readonly product: readonly string[]
  /** For a variant next to its product, and for one elsewhere. */
  readonly variant: readonly string[]
  readonly addedVariant: readonly string[]
  /** Keys of metadata: the headings. */
  readonly metadata: ReadonlySet<string>
}

type ColumnsOf = Record<string, readonly string[]>

export const inEveryFile = (members: readonly string[]): ColumnsOf =>
  Object.fromEntries(members.map((name) => [name, []]))
export const inOwnColumn = (members: readonly string[]): ColumnsOf =>
  Object.fromEntries(members.map((name) => [name, [name]]))

/** The members that need no column, and those with a column in this file. */
export function membersWithColumns(at: Record<string, number | undefined>, columnsOf: ColumnsOf): string[] {
  const set = Object.entries(columnsOf).filter(
    ([, columns]) => columns.length === 0 || columns.some((column) => at[column] !== undefined),
  )
  return set.map(([member]) => member)
}

/** The keys of metadata that the columns of a file set. */
export const metadataKeys = (file: CsvFile): ReadonlySet<string> => new Set(file.headings.map(noteKey))
