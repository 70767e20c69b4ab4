// The kinds of files that can be imported: which one a file is, by its header.
//
// To add a kind of file:
// 1. If the shop is new, add it to `shopNames` and `shopTitles` in layout.ts, to the check of the column `imports.shop` by a
//    migration, and to commands/import.ts and the console, where the compiler asks for it.
// 2. Write its format: customers as one more layout in customers/layouts.ts; orders as a file like orders/plain.ts; a
//    catalogue as a file like catalog/lightspeed.ts; stock as a layout like that in stock.ts. A layout has the headings, and a reader turns rows into our own terms.
// 3. Name the format in the list below, and describe the file in docs/guides/import.md.

import { OperatorError } from '../../core/operator-error.ts'
import { lightspeedCatalog } from './catalog/lightspeed.ts'
import { shopifyCatalog } from './catalog/shopify.ts'
import { squareCatalog } from './catalog/square.ts'
import { woocommerceCatalog } from './catalog/woocommerce.ts'
import type { CsvFile } from './csv.ts'
import { customerFormats } from './customers/load.ts'
import { columnsOf, headerBeginning, type ImportKind, normalHeading, type ShopName, shopTitles } from './layout.ts'
import type { Format } from './load.ts'
import { plainOrders } from './orders/plain.ts'
import { shopifyOrders } from './orders/shopify.ts'
import { woocommerceOrders } from './orders/woocommerce.ts'
import { shopifyStock } from './stock.ts'

/** Catalogues are recognized after all others, which have more headings of their own. */
const catalogs: readonly Format[] = [woocommerceCatalog, shopifyCatalog, squareCatalog, lightspeedCatalog]
const others: readonly Format[] = [shopifyOrders, woocommerceOrders, plainOrders, ...customerFormats, shopifyStock]

/** The format of an import. */
export function formatNamed({ kind, shop }: { readonly kind: ImportKind; readonly shop: ShopName }): Format {
  const found = [...catalogs, ...others].find((format) => format.kind === kind && format.shop === shop)
  if (found === undefined) throw new Error(`There is no format for ${kind} of ${shop}.`)
  return found
}

/** Says what the files of a shop need to be recognized. */
const needsOf = (named: ShopName): string =>
  others
    .filter(({ shop, needs }) => shop === named && needs !== undefined)
    .map(({ what, needs }) => `${what[0]?.toUpperCase()}${what.slice(1)} needs ${needs}.`)
    .join(' ')

function signsIn(file: CsvFile, { signs }: Format): number {
  const normal = new Set(file.headings.map(normalHeading))
  return signs.of.filter((heading) => normal.has(heading)).length
}

const isLikely = (file: CsvFile, format: Format): boolean => signsIn(file, format) >= format.signs.atLeast

/** What a file is, by its header; `named` is the shop that it is said to come from. Throws an OperatorError if it is nothing that can be imported. */
export function formatOf(file: CsvFile, named?: ShopName): Format {
  const known = others.find((format) => isLikely(file, format))
  if (known !== undefined) {
    if (named !== undefined && named !== known.shop) throw anotherShop(file, known, named)
    columnsOf(file, known)
    return known
  }
  const [likely] = catalogs.toSorted((one, other) => signsIn(file, other) - signsIn(file, one)) as [Format]
  if (named === undefined) return checkedCatalog(file, likely, likely)
  const catalog = catalogs.find(({ shop }) => shop === named)
  if (catalog === undefined) {
    const wanted = others.filter(({ shop }) => shop === named).map(({ what }) => what)
    throw new OperatorError(`${file.name} is not ${wanted.join(' or ')}. ${headerBeginning(file)} ${needsOf(named)}`)
  }
  return checkedCatalog(file, catalog, likely, named)
}

/** The format of a catalogue. Throws an OperatorError if the file is another one, with what it looks like. */
function checkedCatalog(file: CsvFile, format: Format, likely: Format, named?: ShopName): Format {
  try {
    columnsOf(file, format)
    return format
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    if (named !== undefined && isLikely(file, likely) && signsIn(file, likely) > signsIn(file, format))
      throw anotherShop(file, likely, named)
    if (named !== undefined || isLikely(file, format)) throw error
    throw new OperatorError(
      `${file.name} is not an English product export of WooCommerce, Shopify or Lightspeed (X-Series), an item library of Square, or a known file of stock, customers or orders. ${headerBeginning(file)} A file of other products needs the columns SKU, Name and Regular price. ${needsOf('plain')}`,
    )
  }
}

const anotherShop = (file: CsvFile, { what, shop }: Format, named: ShopName): OperatorError =>
  new OperatorError(`${file.name} looks like ${what}, not of ${shopTitles[named]}. Import it as ${shop}.`)
