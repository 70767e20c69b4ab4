// A list of keys or of members, page by page.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { get } from '../../api/request.ts'
import type { Place } from './place.ts'

interface Page<Row> {
  readonly data: readonly Row[]
  readonly meta: { readonly count: number; readonly nextCursor?: string }
}

export const pagesOf = <Row>({ id, whose, root }: Place, many: 'keys' | 'members', query: Record<string, string>) =>
  infiniteQueryOptions({
    queryKey: [id, 'access', many],
    queryFn: ({ pageParam, signal }) =>
      get<Page<Row>>(whose, `${root}/${many}`, { query: { limit: 100, ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor,
  })
