// The filter `visibleAt`: the products and variants that an outlet carries (`outlets`) and catalog visibility does not hide there.

import { REFERENCE_CHARACTERS } from '../core/limits.ts'
import { unseenCompany } from '../database/statement.ts'
import type { OwnFilter } from '../engine/resource.ts'

/**
 * SQL: there are no such rows. `is true` keeps PostgreSQL from a join: it expects few of these rows, and would compare each record of the list
 * with each of them. So it collects their values first, or looks them up.
 */
const none = (rows: string) => `(not exists (${rows})) is true`

/** SQL: no visibility record of the outlet hides it. Worded like the index, so that PostgreSQL uses it. */
const hides = (outlet: string, what: string) =>
  none(`
  select from catalog_visibilities as hidden
  where hidden.company_id = ${unseenCompany} and hidden.outlet_id = ${outlet} and ${what} and hidden.body ->> 'isVisible' = 'false'`)

/**
 * SQL: the product has no list of outlets, or the outlet is on it. For `<= 0`, PostgreSQL expects a third of all products to match, and walks
 * in the order of the list until the page is full; for `= 0`, it expects one in two hundred, and would read and sort all that match.
 */
const isCarried = (product: string, outlet: string) =>
  `(coalesce(jsonb_array_length(${product}.outlets), 0) <= 0 or ${product}.outlets ? ${outlet})`

const filter = (what: string, condition: OwnFilter['condition']): OwnFilter => ({
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: REFERENCE_CHARACTERS,
    description: `Id of an outlet. Lists only ${what} that the outlet carries and catalog visibility does not hide there.`,
  },
  condition,
})

/** Products that the outlet carries and that no record about the whole product hides there. */
export const visibleProducts = filter(
  'products',
  (outlet) =>
    `${isCarried('stored', outlet)} and ${hides(outlet, `hidden.variant_id = '' and hidden.product_id = stored.id`)}`,
)

/**
 * Variants that no record of their own hides, and whose product is visible or does not exist. The more restrictive
 * record wins, so a variant of a hidden product stays hidden even if its own record shows it.
 */
export const visibleVariants = filter(
  'variants',
  (outlet) => `${hides(outlet, 'hidden.variant_id = stored.id')}
    and ${hides(outlet, `hidden.variant_id = '' and hidden.product_id = stored.product_id`)}
    and ${none(`
      select from products as product
      where product.company_id = ${unseenCompany} and product.id = stored.product_id and not ${isCarried('product', outlet)}`)}`,
)
