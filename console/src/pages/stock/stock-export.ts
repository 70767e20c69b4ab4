// The stock of all variants at all outlets as a CSV file, which can be counted in a spreadsheet and read again.
import type { Variant } from '../../api/schemas.ts'
import { csvFile, csvLine } from '../../parts/csv.ts'
import { variantTitle } from '../../parts/record-title.ts'
import type { Head } from '../../parts/sheet/format.ts'
import { text } from '../../texts/stock.ts'
import type { ReferenceNames } from '../records/reference-names.ts'

/** A line for each variant at each outlet, also where it has no stock yet. */
export function stockCsv(variants: readonly Variant[], outlets: readonly Head[], names: ReferenceNames): Blob {
  const lines = variants.flatMap((variant) =>
    outlets.map(({ id, name }) =>
      csvLine([
        names.nameOf('products', variant.productId),
        variantTitle(variant),
        ...[variant.sku, variant.barcode, name],
        variant.inventory.find(({ outletId }) => outletId === id)?.stock,
      ]),
    ),
  )
  return csvFile([csvLine(text.file.columns), ...lines])
}
