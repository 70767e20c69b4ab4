// How the pages of the API's three kinds of lists follow each other.
import { List, type ReadPage } from './list.ts'
import type { AnyOptions, Core, Operation } from './request.ts'

/** The records on a page where the request does not say. */
const PAGE = 100

/** A page as the API returns it. */
interface Wire<T> {
  readonly data: T[]
  readonly meta: { readonly nextCursor?: string; readonly count?: number; readonly hasMore?: boolean }
}

/** The list of an operation: by `cursor`, by `after` (the event feed), or by `skip` (bare arrays). */
export function listOf<T>(
  core: Core,
  operation: Operation,
  paging: 'cursor' | 'after' | 'skip',
  options: object = {},
): List<T> {
  const { [paging]: start, ...others } = options as AnyOptions
  if (paging !== 'skip') {
    const read: ReadPage<T> = async (cursor) => {
      const { skip, ...rest } = others
      const own = cursor === start ? others : rest
      const { data, meta } = await core.call<Wire<T>>(operation, { ...own, [paging]: cursor })
      const isLast = meta.hasMore === false
      return { data, nextCursor: isLast ? undefined : meta.nextCursor, count: meta.count, resumeAt: meta.nextCursor }
    }
    return new List(read, start as string | undefined)
  }
  const limit = Number(others.limit) || PAGE
  const read: ReadPage<T> = async (cursor) => {
    const place = { ...others, limit, skip: cursor }
    const { data, headers } = await core.call<T[]>(operation, place).withResponse()
    const next = data.length < limit ? undefined : String(Number(cursor ?? 0) + limit)
    const total = headers.get('x-total-count')
    return { data, nextCursor: next, count: total === null ? undefined : Number(total) }
  }
  return new List(read, start === undefined ? undefined : String(start))
}
