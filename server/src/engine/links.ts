// The Link header of a Style A list (RFC 8288): where the first, the previous and the next page are.
import type { Call } from '../http/route.ts'
import type { Page } from './lists/list.ts'

/** Relative references, so that they work behind any proxy; other parameters are kept as they were sent. */
export function links(
  { path, search }: Call,
  { skip, limit, hasMore }: Pick<Page, 'skip' | 'limit' | 'hasMore'>,
): string {
  const kept = new URLSearchParams(search)
  const link = (at: number, relation: string) => {
    kept.set('skip', String(at))
    kept.set('limit', String(limit))
    return `<${path}?${kept}>; rel="${relation}"`
  }
  return [
    link(0, 'first'),
    ...(skip > 0 ? [link(Math.max(0, skip - limit), 'prev')] : []),
    ...(hasMore ? [link(skip + limit, 'next')] : []),
  ].join(', ')
}
