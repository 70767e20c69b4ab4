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

/** Whether customers are needed, since one of the resources is a custom table, whose rows can belong to customers. */
export const needCustomers = (resources: readonly KeyResource[]): boolean =>
  resources.some((name) => name.startsWith('custom-table'))

/** The same resources, with customers if they are needed. */
export const withCustomers = (resources: readonly KeyResource[]): readonly KeyResource[] =>
  needCustomers(resources) && !resources.includes('customer') ? [...resources, 'customer'] : resources
