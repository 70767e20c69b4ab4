// GET /v1/public/published-extensions: the whole list from memory without parameters, else the page that matches them.

import { type FairSemaphore, fairSemaphore, type Waiter } from '../../concurrency/fair-semaphore.ts'
import { PAGE_DEFAULT, STREAMED_BYTES } from '../../core/limits.ts'
import { invalid } from '../../core/problem.ts'
import { divided } from '../../core/worker-share.ts'
import type { Database } from '../../database/connect.ts'
import { links } from '../../engine/links.ts'
import { plainAnswer } from '../../engine/lists/page-answer.ts'
import type { Answer, Call } from '../../http/route.ts'
import { isWhole, ListCache } from './list-cache.ts'
import { ALIAS_CHARACTERS } from './organization.ts'
import { countPublished, readFilteredPage, readPart, versionReader } from './published.ts'
import { pageLimit, sharedParameters } from './search.ts'

/**
 * Requests that wait for a public list, and that are served at once: pages, and separately reads of the whole list.
 * These routes need no key, so most places of lists stay with the companies.
 */
const PUBLIC_LIST = { name: 'public_list', atOnce: 1, waiting: divided(1_000, 250) } as const
/** Minimum characters of a public search: with fewer, the trigram index cannot be used, and any caller could make all texts be read. */
const PUBLIC_SEARCH_CHARACTERS = 3

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
const headersOf = (version: string, total: number) => ({
  etag: `"${version}"`,
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
export function publicList(database: Database, lists: FairSemaphore): (call: Call) => Promise<Answer | Answer<Buffer>> {
  const pages = fairSemaphore(PUBLIC_LIST)
  const wholes = fairSemaphore(PUBLIC_LIST)
  const turn = <T>(own: FairSemaphore, waiter: Waiter, work: () => Promise<T>): Promise<T> =>
    own(waiter, () => lists({ ...waiter, tenant: anybody }, work))
  const readVersion = versionReader(database)
  const cache = new ListCache({
    readVersion,
    readPart: (request) => turn(wholes, { tenant: anybody, isGone: never }, () => readPart(database, request)),
  })

  async function whole(asked: string, { expect, path }: Call): Promise<Answer | Answer<Buffer>> {
    const list = await cache.open(asked)
    const headers = { ...headersOf(list.version, list.total), link: `<${path}>; rel="first"` }
    const [first] = list.chunks
    if (first?.isLast) return { status: 200, body: first.bytes, headers }
    const alone = () => expect(STREAMED_BYTES)
    if (!isWhole(list)) alone()
    return { status: 200, body: '', stream: cache.send(list, alone), headers }
  }

  /** The matching page, and the number of matches, in one turn. */
  function some(version: string, call: Call): Promise<Answer> {
    const { query, network, isGone, expect } = call
    const { skip = 0, limit: asked, ...filters } = query
    const limit = asked || PAGE_DEFAULT
    return turn(pages, { tenant: network(), isGone }, async () => {
      const found = await readFilteredPage(database, { filters, skip, limit, isGone, expect })
      const { length, hasMore } = found
      try {
        const isLast = !hasMore && (length > 0 || skip === 0)
        const total = isLast ? skip + length : await countPublished(database, filters)
        const link = links(call, { skip, limit, hasMore })
        return plainAnswer(found, { ...headersOf(found.version ?? version, total), link })
      } catch (error) {
        await found.chunks?.return?.()
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
    const version = await readVersion()
    if (call.knows(`"${version}"`))
      return { status: 304, body: '', headers: { etag: `"${version}"`, 'cache-control': 'no-cache' } }
    return Object.keys(call.query).length === 0 ? whole(version, call) : some(version, call)
  }
}
