// Events before a cursor: the feed is read forwards, so they are looked for in stretches that end there.
import { get } from '../../api/request.ts'
import type { EventPage, FeedEvent } from './triggers.ts'

type Whose = { readonly companyId: string }
type Filters = Readonly<Record<string, string | undefined>>

/** The numbers of one look; more where filters leave most of them out, of which the server looks at many in one request. */
const stretch = 1_000
const filteredStretch = 20_000
const looksAtOnce = 4

/** The cursor of now: nothing was made at that time or later. */
export async function tipOf(whose: Whose, signal: AbortSignal): Promise<string> {
  const query = { since: '2100-01-01T00:00:00Z', limit: 1 }
  return (await get<EventPage>(whose, '/v1/events', { query, signal })).meta.nextCursor
}

interface Earlier {
  /** Oldest first. */
  readonly events: readonly FeedEvent[]
  /** The number from which on all is known now; 0 where there is nothing older. */
  readonly from: number
}

/** Some events up to the number `until`, the nearest ones; none where the last stretches hold none. */
export async function eventsBefore(
  whose: Whose,
  filters: Filters,
  until: number,
  signal: AbortSignal,
): Promise<Earlier> {
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  let from = until
  for (let look = 0; look < looksAtOnce && from > 0; look++) {
    const end = from
    // Numbers are shared by all companies: a quiet one has few of them.
    from = Math.max(0, end - (isFiltered ? filteredStretch : stretch) * 4 ** look)
    const events = await between(whose, filters, from, end, signal)
    if (events.length > 0) return { events, from }
  }
  return { events: [], from }
}

async function between(whose: Whose, filters: Filters, from: number, until: number, signal: AbortSignal) {
  const found: FeedEvent[] = []
  for (let after = String(from); ; ) {
    const query = { ...filters, after, limit: 1_000 }
    const { data, meta } = await get<EventPage>(whose, '/v1/events', { query, signal })
    found.push(...data.filter(({ sequence }) => sequence <= until))
    after = meta.nextCursor
    if (!meta.hasMore || Number(after) >= until) return found
    // What is nearest to the end is wanted; of very many the older ones are let go.
    if (found.length > 5_000) found.splice(0, found.length - 2_000)
  }
}
