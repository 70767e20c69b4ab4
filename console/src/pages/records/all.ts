// All records of one kind at once, for pages that need them together: a tree, a total.
import { queryOptions } from '@tanstack/react-query'
import { type ListQuery, type Page, type RecordOf, withoutLeaving } from '../../api/records.ts'
import { get } from '../../api/request.ts'

/** Reads page by page, up to `most` records, so that the wait has an end. */
export const allQuery = <Many extends string>(
  { companyId }: { companyId: string },
  many: Many,
  query: ListQuery = {},
  most = 50_000,
) =>
  queryOptions({
    queryKey: [companyId, many, 'all', query],
    queryFn: async ({ signal }): Promise<readonly RecordOf<Many>[]> => {
      const all: RecordOf<Many>[] = []
      let cursor: string | undefined
      do {
        const page = await get<Page<RecordOf<Many>>>({ companyId }, `/v1/${many}`, {
          query: { ...query, limit: 1000, cursor },
          signal,
        })
        all.push(...withoutLeaving(page).data)
        cursor = page.meta.nextCursor
      } while (cursor !== undefined && all.length < most)
      return all
    },
  })
