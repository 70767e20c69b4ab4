// A file of counted stock: which column is which, and what each line changes in the sheet.
import { withoutApostrophe } from '../../../../server/src/core/formulas.ts'
import type { Variant } from '../../api/schemas.ts'
import { ownStyle } from '../../parts/csv.ts'
import { readNumberedCsv, separatorOf } from '../../parts/read-csv.ts'
import { type Cell, keyOf } from '../../parts/sheet/edits.ts'
import type { Head } from '../../parts/sheet/format.ts'
import { type NumberSigns, ownSigns } from '../../parts/typed-number.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/stock.ts'
import { readQuantity } from './quantity.ts'

/** What the columns are called, in files of other programs too. */
const titles = {
  sku: ['sku', 'article number', 'artikelnummer', 'variant sku'],
  barcode: ['barcode', 'ean', 'gtin', 'upc'],
  outlet: ['outlet', 'outlet id', 'location', 'shop', 'store', 'filiale'],
  stock: ['stock', 'quantity', 'qty', 'count', 'counted', 'on hand', 'available', 'bestand', 'menge'],
} as const
type Column = keyof typeof titles

export interface Counted {
  readonly cell: Cell
  readonly value: number
  /** What the variant is called in the file: SKU or barcode. */
  readonly code: string
  readonly outlet: string
}

export interface ReadFile {
  readonly changes: readonly Counted[]
  readonly unchanged: number
  readonly refused: readonly string[]
}

/**
 * How a file writes numbers. Where commas separate cells, decimals have a point. Semicolons are used for the comma of decimals, or in a
 * language that always uses them, as the exports of such a browser do; elsewhere 1.125 in such a file may be a thousand, so it is refused.
 */
function signsOf(separator: string): NumberSigns {
  if (separator === ',') return { decimal: '.', groups: [] }
  return separator === ';' && ownStyle.separator !== ';' ? { decimal: ',', groups: [] } : ownSigns
}

/** A cell without the apostrophe that the export puts before what a spreadsheet would read as a formula. */
const bare = (cell: string): string => withoutApostrophe(cell.trim())

/** Which cell of a line is which; undefined for a file without a stock, or without anything that names a variant. */
function placesOf(head: readonly string[]): Readonly<Partial<Record<Column, number>>> | undefined {
  const names = head.map((title) => title.trim().toLowerCase())
  const found = Object.entries(titles).map(([column, known]) => [
    column,
    names.findIndex((name) => (known as readonly string[]).includes(name)),
  ])
  const places: Partial<Record<Column, number>> = Object.fromEntries(found.filter(([, at]) => (at as number) >= 0))
  return places.stock === undefined || (places.sku ?? places.barcode) === undefined ? undefined : places
}

/** Variants by a code; null for a code that several have. */
function byCode(variants: readonly Variant[], member: 'sku' | 'barcode'): ReadonlyMap<string, Variant | null> {
  const found = new Map<string, Variant | null>()
  for (const variant of variants) {
    const code = variant[member]
    if (code) found.set(code, found.has(code) ? null : variant)
  }
  return found
}

/** Reads a file; `usual` is the outlet of lines that name none. Throws an error to show if it is no such file. */
export function readStockFile(
  file: string,
  variants: readonly Variant[],
  outlets: readonly Head[],
  usual: Head | undefined,
): ReadFile {
  const [head, ...lines] = readNumberedCsv(file)
  const places = placesOf(head?.cells ?? [])
  if (places === undefined) throw new Error(text.file.noColumns)
  const codes = { sku: byCode(variants, 'sku'), barcode: byCode(variants, 'barcode') }
  const at = (line: readonly string[], column: Column) => bare(line[places[column] ?? -1] ?? '')
  const signs = signsOf(separatorOf(file))

  /** What a line counts, or why it cannot be read; undefined for one that was not counted. */
  function countOf(line: readonly string[]): Counted | string | undefined {
    if (at(line, 'stock') === '') return undefined
    const sku = at(line, 'sku')
    const barcode = at(line, 'barcode')
    const bySku = codes.sku.get(sku)
    if (sku === '' && barcode === '') return text.file.noCode
    const variant = bySku ?? codes.barcode.get(barcode) ?? bySku
    if (variant === undefined) return text.file.noVariant(sku || barcode)
    if (variant === null) return text.file.severalVariants(sku || barcode)
    const named = at(line, 'outlet')
    const outlet = named === '' ? usual : outletOf(outlets, named)
    if (outlet === undefined) return text.file.noOutlet(named)
    if (outlet === null) return text.file.severalOutlets(named)
    const value = readQuantity(at(line, 'stock'), signs)
    if (value instanceof Unreadable) return text.file.noNumber(at(line, 'stock'))
    const saved = variant.inventory.find(({ outletId }) => outletId === outlet.id)?.stock
    const cell = { variantId: variant.id, productId: variant.productId, headId: outlet.id, saved }
    return { cell, value, code: sku || barcode, outlet: outlet.name }
  }

  const counts = new Map<string, Counted & { readonly line: number }>()
  const refused: string[] = []
  for (const { line, cells } of lines) {
    const count = countOf(cells)
    if (count === undefined) continue
    if (typeof count === 'string') {
      refused.push(text.file.line(line, count))
      continue
    }
    const key = keyOf(count.cell)
    const earlier = counts.get(key)
    if (earlier !== undefined && earlier.value !== count.value)
      refused.push(text.file.line(earlier.line, text.file.countedAgain(count.code, line)))
    counts.set(key, { ...count, line })
  }
  const changes = [...counts.values()].filter(({ cell, value }) => cell.saved !== value)
  return { changes, unchanged: counts.size - changes.length, refused }
}

/** An outlet by id or name; null for a name that several have. */
function outletOf(outlets: readonly Head[], named: string): Head | null | undefined {
  const [found, ...others] = outlets.filter(({ name }) => same(name, named))
  return outlets.find(({ id }) => id === named) ?? (others.length > 0 ? null : found)
}

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.toLowerCase()
