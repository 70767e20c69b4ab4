// GET /v1/public/published-extensions: the whole list from memory without parameters, else the page that matches them.

import { type FairSemaphore, fairSemaphore, type Waiter } from '../../concurrency/fair-semaphore.ts'
import {
  ALIAS_CHARACTERS,
  PAGE_DEFAULT,
  PUBLIC_LISTS,
  PUBLIC_SEARCH_CHARACTERS,
  STREAMED_BYTES,
} from '../../core/limits.ts'
import { invalid } from '../../core/problem.ts'
import { links } from '../../engine/links.ts'
import { plainAnswer } from '../../engine/page-answer.ts'
import type { Answer, Call } from '../../http/route.ts'
import type { Part, PartRequest, Published } from './published.ts'
import { pageLimit, sharedParameters } from './search.ts'
import { snapshots } from './snapshots.ts'

/** Parameters by name. */
export const publicListParameters = {
  ...sharedParameters,
  limit: pageLimit,
  search: {
    ...sharedParameters.search,
    minLength: PUBLIC_SEARCH_CHARACTERS,
    description: `${sharedParameters.search?.description} At least ${PUBLIC_SEARCH_CHARACTERS} characters, with a letter or digit after the first one.`,
  },
  organizationAlias: {
    type: 'string',
    minLength: 1,
    maxLength: ALIAS_CHARACTERS,
    description: 'Only extensions of the organization with this `organization_alias`.',
  },
}

/** Headers of each answer: the list's version and count; caches must revalidate it. */
const headersOf = (state: string, total: number) => ({
  etag: `"${state}"`,
  'cache-control': 'no-cache',
  'x-total-count': String(total),
})

/** Among the companies, all callers without a key share one queue. */
const anybody = ''
const never = () => false

/**
 * Whether PostgreSQL extracts a trigram from a text of three characters or more, wherever it occurs: of letters and
 * digits between others, or of three in a row.
 */
const isIndexed = (sought: string): boolean => /.[\p{L}\p{N}]/su.test(sought)

/**
 * Makes the list. Its statements wait in semaphores of their own, those for a page in the queue of the caller's
 * network, and then among those of the companies in `lists`. The shared list never waits for a page.
 */
export function publicList(
  { part, page, count }: Pick<Published, 'part' | 'page' | 'count'>,
  askState: () => Promise<string>,
  lists: FairSemaphore,
  memory?: number,
): (call: Call) => Promise<Answer | Answer<Buffer>> {
  const [pages, wholes] = [fairSemaphore(PUBLIC_LISTS.page), fairSemaphore(PUBLIC_LISTS.whole)]
  const turn = <T>(own: FairSemaphore, waiter: Waiter, work: () => Promise<T>): Promise<T> =>
    own(waiter, () => lists({ ...waiter, tenant: anybody }, work))
  const inTurn = (request: PartRequest): Promise<Part> =>
    turn(wholes, { tenant: anybody, isGone: never }, () => part(request))
  const kept = snapshots((after, limit, wantsTotal) => inTurn({ filters: {}, after, limit, wantsTotal }), memory)

  async function whole(state: string, { expect, path }: Call): Promise<Answer | Answer<Buffer>> {
    const edition = await kept.open(state)
    const headers = { ...headersOf(edition.state, edition.total), link: `<${path}>; rel="first"` }
    const [first] = edition.pieces
    if (first?.isLast) return { status: 200, body: first.bytes, headers }
    const alone = () => expect(STREAMED_BYTES)
    if (edition.isClosed) alone()
    return { status: 200, body: '', stream: kept.sent(edition, alone), headers }
  }

  /** The matching page, and the number of matches, in one turn. */
  function some(state: string, call: Call): Promise<Answer> {
    const { query, network, isGone, expect } = call
    const { skip = 0, limit: asked, ...filters } = query
    const limit = asked || PAGE_DEFAULT
    return turn(pages, { tenant: network(), isGone }, async () => {
      const found = await page({ filters, skip, limit, isGone, expect })
      const { length, hasMore } = found
      try {
        const isLast = !hasMore && (length > 0 || skip === 0)
        const total = isLast ? skip + length : await count(filters)
        const link = links(call, { skip, limit, hasMore })
        return plainAnswer(found, { ...headersOf(found.state ?? state, total), link })
      } catch (error) {
        await found.pieces?.return?.()
        throw error
      }
    })
  }

  return async (call) => {
    const { search } = call.query
    if (search !== undefined && !isIndexed(search))
      throw invalid([
        {
          in: 'query',
          pointer: 'search',
          code: 'search',
          message: 'must contain a letter or digit after its first character',
        },
      ])
    const state = await askState()
    if (call.knows(`"${state}"`))
      return { status: 304, body: '', headers: { etag: `"${state}"`, 'cache-control': 'no-cache' } }
    return Object.keys(call.query).length === 0 ? whole(state, call) : some(state, call)
  }
}
