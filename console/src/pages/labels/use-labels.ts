// The variants in the list as they are printed: names, prices in the company's format, and barcodes.
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCompany, useScope } from '../../api/company.ts'
import { recordQuery } from '../../api/records.ts'
import type { Variant } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { variantTitle } from '../../parts/record-title.ts'
import { readEach } from '../../parts/sheet/rows.ts'
import { codeOf } from './codes.ts'
import type { Wanted } from './kept-list.ts'
import type { LabelContent } from './Labels.tsx'

/** What labels show besides the name. */
export type Shown = Readonly<Record<'price' | 'sku' | 'shop' | 'code', boolean>>

export interface LabelRow {
  readonly variant: Variant
  readonly quantity: number
  readonly content: LabelContent
  /** The barcode, or the SKU of a variant without one. */
  readonly value: string | undefined
}

export function useLabels(wanted: readonly Wanted[], show: Shown) {
  const scope = useScope()
  const format = useFormat()
  const { name: shop } = useCompany()
  const ids = wanted.map(({ variantId }) => variantId)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [scope.companyId, 'variants', 'labels', ids],
    queryFn: ({ signal }) => readEach(scope, ids, signal),
    placeholderData: keepPreviousData,
  })
  const products = [...new Set(data?.map(({ productId }) => productId))].filter((id) => /^[0-9a-f]{24}$/.test(id))
  const names = useQueries({
    queries: products.map((id) => ({
      ...recordQuery(scope, 'product', 'products', id),
      staleTime: 60_000,
      retry: false,
    })),
  })
  const nameOf = (productId: string) => names[products.indexOf(productId)]?.data?.record.name
  const rows = wanted.flatMap(({ variantId, quantity }): LabelRow[] => {
    const variant = data?.find(({ id }) => id === variantId)
    if (variant === undefined) return []
    const { sku, barcode, price, salePrice, isOnSale } = variant
    const value = barcode || sku
    const code = value === undefined ? undefined : codeOf(value)
    const options = variantTitle(variant)
    const product = nameOf(variant.productId)
    return [
      {
        variant,
        quantity,
        value,
        content: {
          name: product ?? (options || sku || ''),
          ...(product !== undefined && { options }),
          ...(show.price && { price: format.price(isOnSale === true ? (salePrice ?? price) : price) }),
          ...(show.sku && { sku }),
          ...(show.shop && { shop }),
          ...(show.code && { code }),
        },
      },
    ]
  })
  /** Labels without the names of their products are not printed. */
  const isNamed = names.every(({ isLoading }) => !isLoading)
  return { rows, isNamed, error, isPending, retry: () => void refetch() }
}
