// Where a new record belongs if a shop has only one such place: the outlet of a station, the station of a session.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useScope } from '../api/company.ts'
import { someQuery } from '../api/records.ts'
import { type Resource, referenceOf } from '../api/resources.ts'
import type { Values } from './draft.ts'

/** The id of the only record of a kind; undefined if there is none, or a choice. */
const onlyOf = (page: { readonly data: readonly { readonly id: string }[] } | undefined): string | undefined =>
  page?.data.length === 1 ? page.data[0]?.id : undefined

/** The id of the outlet of a shop that has just one. */
export const useOnlyOutlet = (): string | undefined =>
  onlyOf(useQuery(someQuery(useScope(), 'outlets', { limit: 2 })).data)

/** The id of the station of a shop that has just one. */
export const useOnlyStation = (): string | undefined =>
  onlyOf(useQuery(someQuery(useScope(), 'stations', { limit: 2 })).data)

/** Other records, such as the only order so far, are no reason to refer to them. */
const places = new Set(['outlets', 'stations'])

/** The required places of a new record, where a company has only one; undefined while they are read. */
export function useOnlyPlaces({ members }: Resource): Values | undefined {
  const scope = useScope()
  const asked = members.flatMap(({ name, isRequired, schema }) => {
    const many = schema['x-refers-to'] ?? referenceOf(name)
    return isRequired && many !== undefined && places.has(many) ? [{ name, many }] : []
  })
  const found = useQueries({ queries: asked.map(({ many }) => someQuery(scope, many, { limit: 2 })) })
  if (found.some(({ isLoading }) => isLoading)) return undefined
  return Object.fromEntries(asked.map(({ name }, n) => [name, onlyOf(found[n]?.data)]))
}
