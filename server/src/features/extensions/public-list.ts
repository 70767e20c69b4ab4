// GET /v1/public/published-extensions: the whole list from memory where no parameter is given, else what the parameters leave of it.
import { share } from '../../engine/batch.ts'
import { links } from '../../engine/links.ts'
import type { Answer, Call } from '../../http/route.ts'
import { type Lane, lane } from '../../lane.ts'
import { ALIAS_CHARACTERS, PAGE_CHARACTERS, PAGE_DEFAULT, PUBLIC_LISTS, STREAMED_BYTES } from '../../limits.ts'
import { editions } from './editions.ts'
import type { Part, PartRequest, Published } from './published.ts'
import { pageLimit, sharedParameters } from './search.ts'

/** Parameters by name. */
export const publicListParameters = {
  ...sharedParameters,
  limit: pageLimit,
  organizationAlias: {
    type: 'string',
    minLength: 1,
    maxLength: ALIAS_CHARACTERS,
    description: 'Only those of the organization with this `organization_alias`.',
  },
}

/** What each answer says of the list: its state, and how many there are; it may be kept, but not shown without asking. */
const headersOf = (state: string, total: number) => ({
  etag: `"${state}"`,
  'cache-control': 'no-cache',
  'x-total-count': String(total),
})

/** Nobody in particular: all who need no key stand in one line. */
const anybody = ''
const always = () => false

/** Makes the list. Its statements wait in a lane of their own, and then among those of the companies in `lists`. */
export function publicList(
  { part, count }: Pick<Published, 'part' | 'count'>,
  askState: () => Promise<string>,
  lists: Lane,
  memory?: number,
): (call: Call) => Promise<Answer | Answer<Buffer>> {
  const own = lane(PUBLIC_LISTS)
  const shareCount = share<number>()
  const turn = <T>(isGone: () => boolean, work: () => Promise<T>): Promise<T> => {
    const passenger = { line: anybody, isGone }
    return own(passenger, () => lists(passenger, work))
  }
  const inTurn = (request: PartRequest, isGone = always): Promise<Part> => turn(isGone, () => part(request))
  const kept = editions((after, limit, wantsTotal) => inTurn({ filters: {}, after, limit, wantsTotal }), memory)

  async function whole(state: string, { expect, path }: Call): Promise<Answer | Answer<Buffer>> {
    const edition = await kept.open(state)
    const headers = { ...headersOf(edition.state, edition.total), link: `<${path}>; rel="first"` }
    const [first] = edition.pieces
    if (first?.isLast) return { status: 200, body: first.bytes, headers }
    const alone = () => expect(STREAMED_BYTES)
    if (edition.isClosed) alone()
    return { status: 200, body: '', stream: kept.sent(edition, alone), headers }
  }

  /** What the parameters leave: a page of it. */
  async function some(state: string, call: Call): Promise<Answer> {
    const { query, isGone, expect } = call
    const { skip = 0, limit: asked, ...filters } = query
    const limit = asked || PAGE_DEFAULT
    const found = await turn(isGone, () => {
      expect(0)
      return part({ filters, skip, limit, most: PAGE_CHARACTERS })
    })
    const { texts, hasMore } = found
    expect(texts.reduce((characters, { length }) => characters + length, 0))
    const total = !hasMore && (texts.length > 0 || skip === 0) ? skip + texts.length : await counted(filters, isGone)
    const page = { texts, skip, limit, hasMore, count: total, nextCursor: undefined }
    const headers = { ...headersOf(found.state ?? state, total), link: links(call, page) }
    return { status: 200, body: `[${texts.join(',')}]`, headers }
  }

  const counted = (filters: PartRequest['filters'], isGone: () => boolean): Promise<number> =>
    shareCount(JSON.stringify(filters), (allAreGone) => turn(allAreGone, () => count(filters)), isGone)

  return async (call) => {
    const state = await askState()
    if (call.knows(`"${state}"`))
      return { status: 304, body: '', headers: { etag: `"${state}"`, 'cache-control': 'no-cache' } }
    return Object.keys(call.query).length === 0 ? whole(state, call) : some(state, call)
  }
}
