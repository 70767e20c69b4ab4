// Finds the columns of a shop's export by their headings, so that rows are read by member. If a file is refused, says
// why in one sentence, and names the shop that it comes from.

import { STRING_CHARACTERS } from '../../core/limits.ts'
import { OperatorError } from '../../core/operator-error.ts'
import type { BrokenRow, CsvFile, CsvRow, RefusedRow } from './csv.ts'
import type { Metadatum } from './merge.ts'
import { type Cell, Refusal, shorten, textOf } from './values.ts'

/** Normalized headings of an export; some of them are unique to the shop. */
interface Signature {
  /** What the file is, as a noun phrase: `a product export of Vendure`. */
  readonly what: string
  readonly headings: readonly string[]
}

/** How many headings of a signature identify a file. */
const ENOUGH = 3

const signatures: readonly Signature[] = [
  {
    what: 'a product import file of Vendure',
    headings: ['assets', 'facets', 'optiongroups', 'optionvalues', 'stockonhand', 'trackinventory', 'variantassets'],
  },
  {
    what: 'an item library export of Square',
    headings: ['token', 'item name', 'customer-facing name', 'variation name', 'reference handle', 'square online item visibility', 'sellable', 'stockable', 'skip detail screen in pos'], // biome-ignore format: one list
  },
  {
    what: 'a product export of Lightspeed Retail (X-Series)',
    headings: ['composite handle', 'composite sku', 'variant option one name', 'variant option one value', 'supply price', 'retail price', 'loyalty value', 'brand name', 'supplier code', 'track inventory'], // biome-ignore format: one list
  },
  {
    what: 'an item export of Lightspeed Retail (R-Series)',
    headings: ['system id', 'custom sku', 'manufacturer sku', 'default cost', 'msrp', 'qoh', 'upc', 'ean'],
  },
  {
    what: 'an inventory export of Clover',
    headings: ['clover id', 'alternate name', 'price type', 'price unit', 'modifier groups', 'non-revenue item'],
  },
  {
    what: 'an item export of Loyverse',
    headings: ['sold by weight', 'option 1 name', 'option 1 value', 'default price', 'sku of included item', 'quantity of included item', 'track stock'], // biome-ignore format: one list
  },
  {
    what: 'a product export of Magento (Adobe Commerce)',
    headings: ['store view code', 'attribute set code', 'product websites', 'product online', 'tax class name', 'special price', 'url key'], // biome-ignore format: one list
  },
  {
    what: 'a product export of Wix',
    headings: ['handleid', 'fieldtype', 'productimageurl', 'ribbon', 'surcharge', 'discountmode', 'discountvalue'],
  },
  {
    what: 'a product export of Squarespace',
    headings: ['product id [non editable]', 'variant id [non editable]', 'product type [non editable]', 'product page', 'hosted image urls'], // biome-ignore format: one list
  },
  {
    what: 'a product export of BigCommerce',
    headings: ['item type', 'product code/sku', 'product name', 'brand name', 'option set', 'current stock level', 'allow purchases?', 'product visible?'], // biome-ignore format: one list
  },
  {
    what: 'a product export of Ecwid',
    headings: ['product internal id', 'product sku', 'product name', 'product price', 'product is inventory tracked'],
  },
]

/** What a file looks like, as a noun phrase; undefined if its headings (`normal`, normalized) do not show it. */
export function otherExport(normal: readonly string[]): string | undefined {
  const own = new Set(normal)
  const counted = signatures.map(({ what, headings }) => ({
    what,
    count: headings.filter((one) => own.has(one)).length,
  }))
  const [best] = counted.toSorted((one, other) => other.count - one.count)
  return best && best.count >= ENOUGH ? best.what : undefined
}

/** The error for an export that Cashwrap cannot import. */
export const cannotImport = ({ name }: CsvFile, what: string): string =>
  `${name} looks like ${what}. Cashwrap imports product exports of WooCommerce and Shopify, and files of customers and orders.`

/** A shop's export: its members, each with its possible headings. */
export interface Layout<Member extends string> {
  shop: 'WooCommerce' | 'Shopify'
  headings: Record<Member, readonly string[]>
  /** Required members; of each group one is enough. */
  required: readonly (readonly Member[])[]
  /** Normalized headings unique to this shop's exports: a file with none of them is not from this shop. */
  only: RegExp
}

/** The positions of a layout's members in a file. */
export interface ColumnPositions<Member extends string> {
  /** The position of a member's column; undefined if the file does not have it. */
  at: Partial<Record<Member, number>>
  /** The columns that are not members, in the order of the file. */
  others: { at: number; heading: string; normal: string }[]
}

const SIGNS = {
  WooCommerce: ['type', 'sku', 'name', 'regular price', 'published', 'in stock?', 'tax status'],
  Shopify: ['handle', 'url handle', 'title', 'option1 name', 'option1 value', 'variant price', 'vendor'],
}

/** An example of a heading unique to each shop's exports. */
const ONLY = { WooCommerce: 'Regular price', Shopify: 'Variant Price' }

/** The number of such headings that identifies an export of that shop. */
export const SIGNS_ENOUGH = 3

/** A heading as it is compared: case and extra spaces do not matter. */
export const normalHeading = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim()

/**
 * Matches a file's header with a layout. Throws an OperatorError that names what is missing, or the shop it looks like.
 */
export function findColumns<Member extends string>(file: CsvFile, layout: Layout<Member>): ColumnPositions<Member> {
  const normal = file.headings.map(normalHeading)
  const at: Partial<Record<Member, number>> = {}
  for (const member of Object.keys(layout.headings) as Member[]) {
    const names = layout.headings[member].map(normalHeading)
    const found = normal.flatMap((heading, index) => (names.includes(heading) ? [index] : []))
    if (found.length > 1) {
      const columns = found.map((index) => `"${file.headings[index]}"`).join(' and ')
      throw new OperatorError(`${file.name} has the columns ${columns}, which mean the same. Remove one of them.`)
    }
    if (found[0] !== undefined) at[member] = found[0]
  }
  const missing = layout.required.filter((group) => group.every((member) => at[member] === undefined))
  if (missing.length > 0 || !normal.some((heading) => layout.only.test(heading)))
    throw new OperatorError(explain(file, layout, missing))
  const members = new Set(Object.values(at))
  const others = file.headings.map((heading, index) => ({ at: index, heading, normal: normal[index] ?? '' }))
  return { at, others: others.filter((column) => !members.has(column.at)) }
}

function explain<Member extends string>(
  file: CsvFile,
  { shop, headings }: Layout<Member>,
  missing: readonly (readonly Member[])[],
): string {
  const other = shop === 'Shopify' ? 'WooCommerce' : 'Shopify'
  if (signs(file, other) >= SIGNS_ENOUGH && signs(file, other) > signs(file, shop)) {
    const advice = file.adviceFor(other.toLowerCase())
    return `${file.name} looks like a product export of ${other}, not of ${shop}. ${advice}`
  }
  const foreign = otherExport(file.headings.map(normalHeading))
  if (foreign !== undefined) return cannotImport(file, foreign)
  if (missing.length === 0)
    return `${file.name} is not an English product export of ${shop}: it has none of the columns that only ${shop} exports, such as "${ONLY[shop]}". ${beginning(file)}`
  const names = missing
    .map((group) => group.map((member) => `"${headings[member][0]}"`).join(' or '))
    .join(', no column ')
  return `${file.name} is not an English product export of ${shop}: it has no column ${names}. ${beginning(file)}`
}

/** The beginning of a header, for messages. */
export const beginning = ({ headings }: CsvFile): string =>
  `Its header begins: ${headings
    .slice(0, 8)
    .map((heading) => shorten(heading, 40))
    .join(', ')}.`

/** The number of headings in a file that indicate a shop. */
export const signs = (file: CsvFile, shop: keyof typeof SIGNS) =>
  file.headings.filter((heading) => SIGNS[shop].includes(normalHeading(heading))).length

/** A row, read by member. */
export interface RowView<Member extends string> {
  line: number
  cell: (member: Member) => Cell
  /** The cell of a column that is not a member. */
  at: (index: number) => Cell
}

/** Reads the rows of a file by the members of a layout. */
export function memberRows<Member extends string>(file: CsvFile, layout: Layout<Member>) {
  const columns: ColumnPositions<Member> = findColumns(file, layout)
  return { columns, view: rowViews(file, columns) }
}

/** Makes the function that reads a row by these columns. */
export const rowViews =
  <Member extends string>(file: CsvFile, columns: ColumnPositions<Member>) =>
  ({ line, cells }: CsvRow): RowView<Member> => {
    const at = (index: number) => ({ heading: file.headings[index] ?? '', text: plainText(cells[index] ?? '') })
    return { line, at, cell: (member) => at(columns.at[member] ?? -1) }
  }

// Shops put an apostrophe before text that a spreadsheet would take for a formula.
const plainText = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, '').trim()

/** A cell as metadata under its heading; nothing if it is empty or has a default value. */
export function note(cell: Cell, silent: readonly string[] = []): Metadatum[] {
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
export function refused(line: number, cause: unknown): RefusedEntry {
  if (!(cause instanceof Refusal)) throw cause
  return { kind: 'refused', line, reason: cause.message, ...(cause.column && { column: cause.column }) }
}

/** The entry for a line that is not a row of the table. */
export const brokenRow = ({ line, problem }: BrokenRow): RefusedEntry => ({ kind: 'refused', line, reason: problem })
