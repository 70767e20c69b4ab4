// The names that a company's key can have in `resources` (decision 82): first words of the paths that it may call. Requests are
// checked in `http/auth/api-key.ts`, and the feed is filtered in `features/events/filters.ts`.

import { distance } from 'fastest-levenshtein'
import { closing } from '../../resources/closing.ts'
import { resourceCalled, resources } from '../../resources/index.ts'
import { inventoryHistory } from '../../resources/inventory-history.ts'
import { customTableResources } from '../custom-tables/resources.ts'

/** Typing errors up to which a name is suggested: one is likelier than another word for a resource, such as `file`, two are not. */
const TYPOS = { likely: 1, most: 2 }

/** Paths of custom tables, whose columns customers can show. */
const ofCustomTables = [...customTableResources.map(({ name }) => name.one), 'custom-table-data']

/** Paths that are not those of a resource. */
const ofFeatures = ['sale', 'report', 'event', 'company', 'setting']

/** Paths that show or change records of any resource: no limited key has access to them. */
export const unlimitedResources: readonly string[] = ['search', 'automation-trigger', 'import', 'export']

/** All names, in the order of the reference. A test compares them with the routes. */
export const keyResources: readonly string[] = [
  ...[...resources, closing, inventoryHistory].map(({ name }) => name.one),
  ...ofCustomTables,
  ...ofFeatures,
].filter((name) => !unlimitedResources.includes(name))

/** What is wrong with an unknown name, with the one that was probably meant: of `products`, `payment`, `taxtable`. */
export function wrongResource(name: string): string {
  const typed = name.slice(0, 100).toLowerCase()
  const called = resourceCalled(name)?.name.one ?? ''
  const within = (typos: number) =>
    [...keyResources, ...unlimitedResources].find((known) => distance(known, typed) <= typos)
  const meant = within(TYPOS.likely) ?? (called || within(TYPOS.most))
  if (meant === undefined) return `must be one of ${keyResources.join(', ')}`
  if (keyResources.includes(meant)) return `is not a resource; did you mean ${meant}?`
  return `cannot be in the list: ${meant} needs a key for all resources, since it can show or change records of any`
}

/** What is missing from a list of known names: customers, if rows of custom tables can show and change what they have. */
export function lackingCustomers(names: readonly string[]): string | undefined {
  const table = names.find((name) => ofCustomTables.includes(name))
  return table === undefined || names.includes('customer')
    ? undefined
    : `must include customer, since it has ${table} and rows of custom tables can belong to customers`
}
