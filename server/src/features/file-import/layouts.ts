// The layout of a kind of file: which headings it has, by which a file is recognized, and what its columns become.

import { OperatorError } from '../../core/operator-error.ts'
import { type ColumnPositions, type MappedColumn, normalHeading } from './columns.ts'
import type { CsvFile } from './csv.ts'
import { type Format, type Loading, shopTitles } from './load.ts'
import { shorten } from './values.ts'

/** A kind of file, and where its members are. */
export interface Layout<Member extends string>
  extends Pick<Format, 'kind' | 'shop' | 'source' | 'what' | 'needs' | 'signs'> {
  /** The possible headings of the column of each member. If a file has several of them, the first counts, unless it has `only`. */
  readonly headings: Partial<Readonly<Record<Member, readonly string[]>>>
  /** What a member becomes in a record, if that is not called the same. */
  readonly as: Partial<Readonly<Record<Member, string>>>
  /** Members that a file needs; of each group one is enough. */
  readonly required: readonly (readonly Member[])[]
  /** A member that a file needs if it has another one. */
  readonly requiredWith?: { readonly has: Member; readonly needs: Member }
  /**
   * Normalized headings of which only this shop's exports have any, and an example. Several headings of a member then mean
   * the same, so a file has one of them.
   */
  readonly only?: { readonly pattern: RegExp; readonly example: string }
  /** What a further column becomes, by its normalized heading: metadata by default; undefined if it is ignored. */
  readonly others?: (normal: string) => string | undefined
}

/** The columns of a file by the members of a layout. Throws an OperatorError if the file is another one, with the reason. */
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

/** Refuses a file in which it is not clear which column is a member. */
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

/** What a file lacks to be of a layout, in words. */
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

/** The columns of a file with what they become. */
function mappedColumns<Member extends string>(file: CsvFile, layout: Layout<Member>): MappedColumn[] {
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

/** The format of the files with a layout. */
export function formatOfLayout<Member extends string>(
  layout: Layout<Member>,
  load: (loading: Loading) => Promise<void>,
): Format {
  const { kind, shop, source, what, needs, signs } = layout
  return {
    kind,
    shop,
    source,
    what,
    signs,
    load,
    ...(needs !== undefined && { needs }),
    check: (file) => void columnsOf(file, layout),
    columnMapping: (file) => mappedColumns(file, layout),
  }
}
