// A list of keys or of members, page by page.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { get } from '../../api/request.ts'
import type { KeyPage, MemberPage } from '../../api/schemas.ts'
import type { Tenant } from './tenant.ts'

interface Pages {
  readonly keys: KeyPage
  readonly members: MemberPage
}

export const pagesOf = <Many extends keyof Pages>(
  { id, scope, root }: Tenant,
  many: Many,
  query: Readonly<Record<string, string>>,
) =>
  infiniteQueryOptions({
    queryKey: [id, 'access', many],
    queryFn: ({ pageParam, signal }) =>
      get<Pages[Many]>(scope, `${root}/${many}`, { query: { limit: 100, ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor,
  })
