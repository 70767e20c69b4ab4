// Finds events before a cursor: the feed is read forwards, so it is read in ranges that end there.
import { type CompanyScope, get } from '../../api/request.ts'
import type { EventPage } from '../../api/schemas.ts'
import type { FeedEvent } from './triggers.ts'

type Filters = Readonly<Record<string, string | undefined>>

/** Sequence numbers per range; larger if filters skip most events, which the server reads in one request. */
const stretch = 1_000
const filteredStretch = 20_000
const looksAtOnce = 4

/** A cursor of the current time: no event was created at this time or later. */
export async function tipOf(scope: CompanyScope, signal: AbortSignal): Promise<string> {
  const query = { since: '2100-01-01T00:00:00Z', limit: 1 }
  return (await get<EventPage>(scope, '/v1/events', { query, signal })).meta.nextCursor
}

interface Earlier {
  /** Oldest first. */
  readonly events: readonly FeedEvent[]
  /** The number from which on all events are known; 0 if there are no older ones. */
  readonly from: number
}

/** Events up to the number `until`, the nearest ones; none if the last ranges were empty. */
export async function eventsBefore(
  scope: CompanyScope,
  filters: Filters,
  until: number,
  signal: AbortSignal,
): Promise<Earlier> {
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  let from = until
  for (let look = 0; look < looksAtOnce && from > 0; look++) {
    const end = from
    // All companies share one sequence: a quiet company has few of its numbers.
    from = Math.max(0, end - (isFiltered ? filteredStretch : stretch) * 4 ** look)
    const events = await between(scope, filters, from, end, signal)
    if (events.length > 0) return { events, from }
  }
  return { events: [], from }
}

async function between(scope: CompanyScope, filters: Filters, from: number, until: number, signal: AbortSignal) {
  const found: FeedEvent[] = []
  for (let after = String(from); ; ) {
    const query = { ...filters, after, limit: 1_000 }
    const { data, meta } = await get<EventPage>(scope, '/v1/events', { query, signal })
    found.push(...data.filter(({ sequence }) => sequence <= until))
    after = meta.nextCursor
    if (!meta.hasMore || Number(after) >= until) return found
    // The events nearest to the end are wanted; of very many, the older ones are dropped.
    if (found.length > 5_000) found.splice(0, found.length - 2_000)
  }
}
