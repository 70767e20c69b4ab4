// The rows of a paged list, and their total number.
import type { InfiniteData } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PageMeta } from '../api/schemas.ts'

interface Page<Row> {
  readonly data: readonly Row[]
  readonly meta: Pick<PageMeta, 'count'>
}

interface List<Row> {
  readonly data: InfiniteData<Page<Row>> | undefined
  readonly isPlaceholderData: boolean
}

/**
 * `rows` stay identical until a page is read; `count` is unknown until the first page is read. While a new search
 * runs, both are those of the previous one, and `isOutdated` is true.
 */
export function useRows<Row>({ data, isPlaceholderData: isOutdated }: List<Row>) {
  const rows = useMemo((): readonly Row[] => data?.pages.flatMap((page) => page.data) ?? [], [data])
  return { rows, count: data?.pages[0]?.meta.count, isOutdated }
}
