// All records of one kind at once, for pages that need them together, such as a tree.
import { queryOptions } from '@tanstack/react-query'
import { type ListQuery, type Page, type RecordOf, withoutLeaving } from '../../api/records.ts'
import { get } from '../../api/request.ts'

/** Beyond these no further page is read, so that the wait has an end. */
const most = 50_000

/** Reads all records, page by page. */
export const allQuery = <Many extends string>(
  { companyId }: { companyId: string },
  many: Many,
  query: ListQuery = {},
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
