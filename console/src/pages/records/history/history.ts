// The events of a record, and the names of those who made them.
import { queryOptions } from '@tanstack/react-query'
import { type CompanyScope, get } from '../../../api/request.ts'
import type { Actors, Event, EventPage } from '../../../api/schemas.ts'
import type { Values } from '../../../parts/draft.ts'

/** An event of a record; its data are members of any record. */
export type RecordEvent = Event & Readonly<{ data: Values; previous?: Values }>

/** Requests for one history: beyond some thousand changes in 30 days, the latest are missing from it, which the page says. */
const mostPages = 10

/** The events of some records, newest first, and whether later ones are missing. */
export const historyQuery = ({ companyId }: CompanyScope, many: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [companyId, many, 'history', ids],
    queryFn: async ({ signal }) => {
      const found: RecordEvent[] = []
      let after: string | undefined
      for (let pages = 0; pages < mostPages; pages++) {
        const query = { recordId: ids.join(','), after, limit: 1_000 }
        const { data, meta } = await get<EventPage>({ companyId }, '/v1/events', { query, signal })
        found.push(...(data as RecordEvent[]))
        after = meta.nextCursor
        if (!meta.hasMore) return { events: found.toReversed(), isCut: false }
      }
      return { events: found.toReversed(), isCut: true }
    },
  })

/** Names by type and id, such as `key 6740…`. */
export const actorsQuery = ({ companyId }: CompanyScope) =>
  queryOptions({
    queryKey: [companyId, 'actors'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { data } = await get<Actors>({ companyId }, '/v1/console/actors', { signal })
      return new Map(data.map(({ type, id, name }) => [`${type} ${id}`, name]))
    },
  })
