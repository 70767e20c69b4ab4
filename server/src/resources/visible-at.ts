// The filter `visibleAt`: the products and variants that an outlet carries (`outlets`) and catalog visibility does not hide there.

import { REFERENCE_CHARACTERS } from '../core/limits.ts'
import { unseenCompany } from '../database/statement.ts'
import type { OwnFilter } from '../engine/resource.ts'

/** SQL: there are no such rows. */
type None = (rows: string) => string

/**
 * For a count. `is true` keeps PostgreSQL from a join: it expects few of these rows, and would compare each record of the list with each of
 * them. So it collects their values first.
 */
const noneOfAll: None = (rows) => `(not exists (${rows})) is true`

/** For a page. `offset 0` makes PostgreSQL look the rows up for each record that the walk meets: collecting their values reads all products. */
const noneOfEach: None = (rows) => `not exists (${rows} offset 0)`

/** SQL: no visibility record of the outlet hides it. Worded like the index, so that PostgreSQL uses it. */
const hides = (none: None, outlet: string, what: string) =>
  none(`
  select from catalog_visibilities as hidden
  where hidden.company_id = ${unseenCompany} and hidden.outlet_id = ${outlet} and ${what} and hidden.body ->> 'isVisible' = 'false'`)

/**
 * SQL: the product has no list of outlets, or the outlet is on it. For `<= 0`, PostgreSQL expects a third of all products to match, and walks
 * in the order of the list until the page is full; for `= 0`, it expects one in two hundred, and would read and sort all that match.
 */
const isCarried = (product: string, outlet: string) =>
  `(coalesce(jsonb_array_length(${product}.outlets), 0) <= 0 or ${product}.outlets ? ${outlet})`

const filter = (
  what: string,
  reads: readonly string[],
  condition: (none: None, outlet: string) => string,
): OwnFilter => ({
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: REFERENCE_CHARACTERS,
    description: `Id of an outlet. Lists only ${what} that the outlet carries and catalog visibility does not hide there.`,
  },
  condition: (outlet) => condition(noneOfAll, outlet),
  pageCondition: (outlet) => condition(noneOfEach, outlet),
  reads,
})

/** Products that the outlet carries and that no record about the whole product hides there. */
export const visibleProducts = filter(
  'products',
  ['catalog-visibility'],
  (none, outlet) =>
    `${isCarried('stored', outlet)} and ${hides(none, outlet, `hidden.variant_id = '' and hidden.product_id = stored.id`)}`,
)

/**
 * Variants that no record of their own hides, and whose product is visible or does not exist. The more restrictive
 * record wins, so a variant of a hidden product stays hidden even if its own record shows it.
 */
export const visibleVariants = filter(
  'variants',
  ['catalog-visibility', 'product'],
  (none, outlet) => `${hides(none, outlet, 'hidden.variant_id = stored.id')}
    and ${hides(none, outlet, `hidden.variant_id = '' and hidden.product_id = stored.product_id`)}
    and ${none(`
      select from products as product
      where product.company_id = ${unseenCompany} and product.id = stored.product_id and not ${isCarried('product', outlet)}`)}`,
)
