// The resources that a key can be limited to, as forms and lists show them.
import type { KeyCreate } from '../../api/schemas.ts'
import { text } from '../../texts/keys.ts'

export type KeyResource = NonNullable<KeyCreate['resources']>[number]

/** The groups of the form, with the names of their resources. */
export const resourceGroups = Object.values(text.groups).map(({ title, names }) => ({
  title,
  names: Object.entries(names) as [KeyResource, string][],
}))

const labels = new Map<string, string>(resourceGroups.flatMap(({ names }) => names))

/** What people call resources; those of a newer server as it names them. */
export const resourcesInWords = (resources: readonly string[]): string =>
  resources.map((name) => labels.get(name) ?? name).join(', ')

/** The same resources, with customers if one is a custom table, whose rows can belong to customers. */
export const withCustomers = (resources: readonly KeyResource[]): readonly KeyResource[] =>
  resources.some((name) => name.startsWith('custom-table')) && !resources.includes('customer')
    ? [...resources, 'customer']
    : resources
