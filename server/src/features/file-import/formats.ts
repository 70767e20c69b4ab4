// The kinds of files that can be imported: which one a file is, by its header, and how each is read and loaded.

import { OperatorError } from '../../core/operator-error.ts'
import { loadCatalog } from './catalog/load.ts'
import { type CatalogShop, shopOf, shops } from './catalog/shops.ts'
import { beginning, normalHeading } from './columns.ts'
import type { CsvFile } from './csv.ts'
import { customerFormats } from './customers/formats.ts'
import type { Format, ImportKind, ShopName } from './load.ts'
import { orderFormats } from './orders/formats.ts'
import { type Export, isOf, titles } from './table.ts'

const catalogFormat = (name: CatalogShop): Format => {
  const shop = shops[name]
  return {
    ...{ kind: 'catalog', shop: name, source: shop.source, columnMapping: shop.columnMapping },
    check: (file) => void shop.membersSet(file),
    load: (loading) => loadCatalog(shop, loading),
  }
}

/** First the files that are recognized by headings of their own; after catalogues, those with common headings. */
const exports: readonly Export[] = [...orderFormats, ...customerFormats]
const formats: readonly Format[] = [catalogFormat('woocommerce'), catalogFormat('shopify'), ...exports]

/** The format of an import. */
export function formatNamed({ kind, shop }: { readonly kind: ImportKind; readonly shop: ShopName }): Format {
  const found = formats.find((format) => format.kind === kind && format.shop === shop)
  if (found === undefined) throw new Error(`There is no format for ${kind} of ${shop}.`)
  return found
}

/** Says what the files of a shop need to be recognized. */
const needsOf = (named: ShopName): string =>
  exports
    .filter(({ shop, needs }) => shop === named && needs !== undefined)
    .map(({ what, needs }) => `${what[0]?.toUpperCase()}${what.slice(1)} needs ${needs}.`)
    .join(' ')

/** What a file is, by its header; `named` is the shop that it is said to come from. Throws an OperatorError if it is nothing that can be imported. */
export function formatOf(file: CsvFile, named?: ShopName): Format {
  const normal = new Set(file.headings.map(normalHeading))
  const known = exports.find((format) => isOf(format, normal))
  if (known !== undefined) {
    if (named !== undefined && named !== known.shop)
      throw new OperatorError(
        `${file.name} looks like ${known.what}, not of ${titles[named]}. ${file.adviceFor(known.shop)}`,
      )
    known.check(file)
    return known
  }
  if (named === 'square' || named === 'plain') {
    const wanted = exports.filter(({ shop }) => shop === named).map(({ what }) => what)
    throw new OperatorError(`${file.name} is not ${wanted.join(' or ')}. ${beginning(file)} ${needsOf(named)}`)
  }
  return formatNamed({ kind: 'catalog', shop: shopOf(file, named, needsOf('plain')) })
}
