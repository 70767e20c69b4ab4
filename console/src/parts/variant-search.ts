// Finds variants by the name of their product, or by SKU or barcode, with the API's search over all resources.
import { type CompanyScope, get } from '../api/request.ts'
import type { SearchResults, Variant, VariantPage } from '../api/schemas.ts'
import { variantTitle } from './record-title.ts'

export interface FoundVariant {
  readonly variant: Variant
  /** The product and the options: “Mug, Blue”. */
  readonly name: string
  readonly product: string
  /** Whether its SKU or barcode is what was sought. */
  readonly isExact: boolean
}

/** Products whose variants are listed, and variants of each. */
const PRODUCTS = 4
const VARIANTS = 25

export async function findVariants(scope: CompanyScope, q: string, signal?: AbortSignal): Promise<FoundVariant[]> {
  const { data } = await get<SearchResults>(scope, '/v1/search', { query: { q, limit: 50 }, signal })
  const products = data.filter(({ resource }) => resource === 'product').slice(0, PRODUCTS)
  const single = data.filter(({ resource }) => resource === 'variant').slice(0, VARIANTS)
  const [ofProducts, byCode] = await Promise.all([
    Promise.all(
      products.map(async ({ id, title }) => {
        const query = { productId: id, limit: VARIANTS, sortBy: 'createdAt', sortOrder: 'asc' }
        const page = await get<VariantPage>(scope, '/v1/variants', { query, signal })
        return page.data.map((variant) => found(variant, title, q))
      }),
    ),
    Promise.all(
      single.map(async ({ id }) => {
        const variant = await get<Variant>(scope, `/v1/variant/${id}`, { signal })
        const product = await productNameOf(scope, variant, signal)
        return found(variant, product, q)
      }),
    ),
  ])
  const all = [...byCode, ...ofProducts.flat()]
  return all.filter(({ variant: { id } }, n) => all.findIndex(({ variant }) => variant.id === id) === n)
}

const found = (variant: Variant, product: string, q: string): FoundVariant => ({
  variant,
  product,
  name: [product, variantTitle(variant)].filter(Boolean).join(', '),
  isExact: variant.barcode === q || variant.sku?.toLowerCase() === q.toLowerCase(),
})

/** Empty where the product is that of another system, or deleted. */
async function productNameOf(scope: CompanyScope, { productId }: Variant, signal?: AbortSignal): Promise<string> {
  if (!/^[0-9a-f]{24}$/.test(productId)) return ''
  const product = await get<{ name?: string }>(scope, `/v1/product/${productId}`, { signal }).catch(() => undefined)
  return product?.name ?? ''
}
