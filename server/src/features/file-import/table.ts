// Exports of customers and orders: which file is which, and where their members are.

import { OperatorError } from '../../core/operator-error.ts'
import type { Problem } from '../../core/problem.ts'
import { inOrder } from './catalog/shops.ts'
import { beginning, type ColumnPositions, normalHeading, rowViews } from './columns.ts'
import type { CsvFile, RefusedRow } from './csv.ts'
import type { Format, Load, Loading, MappedColumn, ShopName } from './load.ts'
import { reasonOf } from './records.ts'

/** The names of the shops. */
export const titles: Readonly<Record<ShopName, string>> = {
  woocommerce: 'WooCommerce',
  shopify: 'Shopify',
  square: 'Square',
  plain: 'Cashwrap',
}

/** A table: its members, each with its possible headings; the first that a file has counts. */
export interface FileLayout<Member extends string> {
  readonly kind: 'customers' | 'orders'
  readonly shop: ShopName
  readonly source: string
  /** What the file is, as a noun phrase: `an orders export of Shopify`. */
  readonly what: string
  /** The columns by which a file is recognized, for the message about one that is not. */
  readonly needs?: string
  readonly headings: Partial<Readonly<Record<Member, readonly string[]>>>
  /** What a further column becomes, by its normalized heading; metadata by default. */
  readonly others?: (normal: string) => string | undefined
  /** Members that a file needs; of each group one is enough. */
  readonly required: readonly (readonly Member[])[]
  /** Normalized headings by which it is recognized: this many of them. */
  readonly signs: { readonly atLeast: number; readonly of: readonly string[] }
}

/** A format that is recognized by its header. */
export type Export = Format & Pick<FileLayout<string>, 'what' | 'needs' | 'signs'>

/** Whether a file with these normalized headings is such an export. */
export const isOf = ({ signs }: Pick<Export, 'signs'>, normal: ReadonlySet<string>): boolean =>
  signs.of.filter((heading) => normal.has(heading)).length >= signs.atLeast

/** The columns of a file by the members of a table. Throws an OperatorError that names what is missing. */
export function columnsOf<Member extends string>(file: CsvFile, table: FileLayout<Member>): ColumnPositions<Member> {
  const normal = file.headings.map(normalHeading)
  const at: Partial<Record<Member, number>> = {}
  for (const member of Object.keys(table.headings) as Member[]) {
    const names = table.headings[member] ?? []
    const name = names.map(normalHeading).find((heading) => normal.includes(heading))
    if (name === undefined) continue
    const index = normal.indexOf(name)
    if (normal.lastIndexOf(name) !== index)
      throw new OperatorError(`${file.name} has the column "${file.headings[index]}" twice. Remove one of them.`)
    at[member] = index
  }
  const missing = table.required.filter((group) => group.every((member) => at[member] === undefined))
  if (missing.length > 0) {
    const named = missing.map((group) => group.map((member) => `"${table.headings[member]?.[0]}"`).join(' or '))
    throw new OperatorError(
      `${file.name} is not ${table.what}: it has no column ${named.join(', no column ')}. ${beginning(file)}`,
    )
  }
  const members = new Set(Object.values(at))
  const others = file.headings.map((heading, index) => ({ at: index, heading, normal: normal[index] ?? '' }))
  return { at, others: others.filter((column) => !members.has(column.at)) }
}

/** Why the API refuses what a line says, with the column of the first wrong member. */
export function refusalIn({ file, format }: Pick<Load, 'file' | 'format'>, line: number, problem: Problem): RefusedRow {
  const member = (problem.errors[0]?.pointer ?? '').slice(1).replaceAll('/', '.')
  const column = format.columnMapping(file).find(({ as }) => as === member)?.column
  return { line, reason: reasonOf(problem), ...(column !== undefined && { column }) }
}

/** A file's columns, and its rows by them. */
export function tableRows<Member extends string>(file: CsvFile, table: FileLayout<Member>) {
  const columns = columnsOf(file, table)
  return { columns, view: rowViews(file, columns) }
}

/** The format of a table; `shown` names members that are not called as the API does. */
export function exportOf<Member extends string>(
  table: FileLayout<Member>,
  shown: Partial<Readonly<Record<Member, string>>>,
  load: (loading: Loading) => Promise<void>,
): Export {
  const { kind, shop, source, what, needs, signs, headings, others = () => 'metadata' } = table
  const own = Object.fromEntries(Object.keys(headings).map((member) => [member, member]))
  const members = { ...own, ...shown } as Record<Member, string>
  return {
    ...{ kind, shop, source, what, signs, load },
    ...(needs !== undefined && { needs }),
    check: (file) => void columnsOf(file, table),
    columnMapping: (file): MappedColumn[] =>
      inOrder(file, columnsOf(file, table).at, members, (index) => others(normalHeading(file.headings[index] ?? ''))),
  }
}
