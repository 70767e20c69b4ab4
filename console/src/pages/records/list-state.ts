// The search, filters and sort of a list, kept in the address: to bookmark, share, and go back to.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListQuery } from '../../api/records.ts'
import { momentOf, type Resource } from '../../api/resources.ts'
import { dayBound, isDay } from '../../parts/days.ts'
import type { Sort } from '../../parts/SortButton.tsx'
import { type Filtered, kindsOf, memberOf } from './filter-kinds.ts'

export interface ListState {
  /** The text to search for, and the member to search. */
  readonly q?: string
  readonly in?: string
  readonly sort?: string
  readonly deleted?: boolean
  /** Filters by parameter; a range of days is `createdAt[gte]` and `createdAt[lte]`, both included. */
  readonly f?: Readonly<Record<string, string>>
}

/** Filters as lists have them now: the last day of a period was once kept as `[lt]`, in saved views and in addresses. */
export const currentFilters = (filters: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [isDay(value) ? name.replace(/\[lt\]$/, '[lte]') : name, value]),
  )

type Change = (change: Partial<ListState>) => void

/** The state in the address, a function to change parts of it, and one to replace it. Malformed parts are ignored. */
export function useListState(): readonly [ListState, Change, (state: ListState) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = (name: string) =>
    typeof search[name] === 'string' || typeof search[name] === 'number' ? String(search[name]) : undefined
  const filters = Object.entries(typeof search.f === 'object' && search.f !== null ? search.f : {}).map(
    ([name, value]) => [name, String(value)],
  )
  const q = text('q')
  const within = text('in')
  const sort = text('sort')
  const state: ListState = {
    ...(q && { q }),
    ...(within && { in: within }),
    ...(sort && { sort }),
    ...(search.deleted === true && { deleted: true }),
    ...(filters.length > 0 && { f: currentFilters(Object.fromEntries(filters)) }),
  }
  const replace = (next: Partial<ListState>) => {
    const merged = Object.fromEntries(
      Object.entries(next).filter(
        ([, value]) =>
          value !== undefined &&
          value !== '' &&
          value !== false &&
          !(typeof value === 'object' && Object.keys(value).length === 0),
      ),
    )
    void navigate({ to: '.', search: merged as never, replace: true })
  }
  return [state, (next) => replace({ ...state, ...next }), replace]
}

/** The members that are searched: the chosen one, or all that can be. */
export function searchedIn({ list }: Pick<Resource, 'list'>, { in: chosen }: ListState): readonly string[] {
  return chosen !== undefined && list.search.includes(chosen) ? [chosen] : list.search
}

/** The sort in the address: `-createdAt`. Newest first by default, and in place of one that the list does not have. */
export function sortOf({ sort = '' }: ListState, sortable: readonly string[], moment = 'createdAt'): Sort {
  const by = sort.replace(/^-/, '')
  if (!sortable.includes(by)) return { by: moment, isDescending: true }
  return { by, isDescending: sort.startsWith('-') }
}

/** The list's query parameters; days are those of the time zone. A filter that the list does not have, and so does not show, is ignored. */
export function queryOf(resource: Filtered & Pick<Resource, 'remove'>, state: ListState, timeZone: string): ListQuery {
  const members = searchedIn(resource, state)
  const [member = ''] = members
  const parameter = members.length > 1 ? 'search' : `searchBy${member.charAt(0).toUpperCase()}${member.slice(1)}`
  const { by, isDescending } = sortOf(state, resource.list.sort, momentOf(resource))
  const filtered = new Set(kindsOf(resource).map(({ name }) => name))
  const filters = Object.entries(state.f ?? {}).filter(([name]) => filtered.has(memberOf(name)))
  return {
    ...(state.q && members.length > 0 && { [parameter]: state.q }),
    ...Object.fromEntries(filters.map(([name, value]) => dayBound(name, value, timeZone))),
    sortBy: by,
    sortOrder: isDescending ? 'desc' : 'asc',
    ...(state.deleted && resource.remove === 'soft' && { includeDeleted: true }),
  }
}
