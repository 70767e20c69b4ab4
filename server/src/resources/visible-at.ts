// Which products and variants an outlet shows: the filter `visibleAt`. The products that it carries (`outlets`), less what catalog visibility hides there.
import type { OwnFilter } from '../engine/resource.ts'
import { REFERENCE_CHARACTERS } from '../limits.ts'

/** A visibility record of the outlet that hides something; in the words of the index that finds it. */
const hides = (outlet: string, what: string) => `not exists (
  select from catalog_visibilities as hidden
  where hidden.company_id = $1 and hidden.outlet_id = ${outlet} and ${what} and hidden.body ->> 'isVisible' = 'false')`

/** Whether a product without a list of outlets, or with this one on it. */
const isCarried = (product: string, outlet: string) =>
  `(coalesce(jsonb_array_length(${product}.outlets), 0) = 0 or ${product}.outlets ? ${outlet})`

const filter = (what: string, condition: OwnFilter['condition']): OwnFilter => ({
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: REFERENCE_CHARACTERS,
    description: `Id of an outlet: only ${what} that it carries and shows.`,
  },
  condition,
})

/** Of products: those that the outlet carries, and that no record about the whole product hides there. */
export const visibleProducts = filter(
  'products',
  (outlet) =>
    `${isCarried('stored', outlet)} and ${hides(outlet, `hidden.variant_id = '' and hidden.product_id = stored.id`)}`,
)

/**
 * Of variants: those whose product is visible, as far as it exists, and that no record of their own hides. The narrower
 * record wins, so a variant that is shown by a record of its own stays hidden with its product.
 */
export const visibleVariants = filter(
  'variants',
  (outlet) => `${hides(outlet, 'hidden.variant_id = stored.id')}
    and ${hides(outlet, `hidden.variant_id = '' and hidden.product_id = stored.product_id`)}
    and not exists (
      select from products as product
      where product.company_id = $1 and product.id = stored.product_id and not ${isCarried('product', outlet)})`,
)
