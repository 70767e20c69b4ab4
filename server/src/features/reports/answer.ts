// Answers a report from the sums in one snapshot of the database, which it refreshes first if they lack something.
import { setTimeout as delay } from 'node:timers/promises'
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import type { IsGone } from '../../core/is-gone.ts'
import { HELD_LOOK_MOST_MS, HELD_LOOK_MS } from '../../core/limits.ts'
import { timeOf, type Zone, zoneOf } from '../../core/local-days.ts'
import { deadlinePassed, Problem } from '../../core/problem.ts'
import { type Database, isTimeout, type Queryable } from '../../database/connect.ts'
import { snapshotSettings } from '../../database/statement.ts'
import { type Period, periodOf, type ReportQuery, type Segment, timezoneOf } from './period.ts'
import { type Entries, inCurrencies, labelled } from './sums/entries.ts'
import {
  cover,
  dirtyBuckets,
  type EntryCache,
  entryCache,
  noteRequest,
  readEntries,
  readState,
} from './sums/kept-sums.ts'
import type { Query } from './sums/records.ts'
import type { Facet, SourceName } from './sums/sources.ts'
import { refresh } from './sums/steps.ts'

/** Milliseconds for which a request waits until its sums are complete; after that the response says that they are not. */
const REPORT_PATIENCE_MS = 1_000

/** What a report is made of, as of one snapshot. */
export interface Snapshot {
  readonly companyId: string
  readonly currency: string | undefined
  readonly zone: Zone
  readonly period: Period
  readonly isComplete: boolean
  /** Calls `add` with the entries of a source and facet in parts of the period, each with its label and its currency. */
  readonly readEntries: (
    of: readonly [source: SourceName, facet: Facet['name']],
    segments: readonly Segment[],
    add: (entries: Entries) => Promise<void> | void,
  ) => Promise<void>
  /** Throws if no client waits any longer for the answer. */
  readonly check: () => void
  /** Runs a statement over the records; its first parameter is the company. */
  readonly query: Query
}

interface Question {
  readonly companyId: string
  /** The sources whose sums it needs; none if it reads only records. */
  readonly sources: readonly SourceName[]
  /** The path, the query and the dimensions whose names are hidden: concurrent identical questions share the answer. */
  readonly path: string
  readonly query: ReportQuery
  readonly unnamed: readonly string[]
  readonly answer: (snapshot: Snapshot) => Promise<string>
  readonly isGone: IsGone
}

/** Answers in one snapshot if its sums are complete, or if `mustAnswer`; otherwise the text is undefined. */
async function tryToAnswer(
  transaction: Queryable,
  question: Question,
  { isFresh, mustAnswer }: { readonly isFresh: boolean; readonly mustAnswer: boolean },
  cache: EntryCache,
) {
  const { companyId, sources } = question
  await transaction.query(snapshotSettings(transaction, 'read only'))
  const { currency, cursor, ...state } = await readState(transaction, companyId)
  const zone = zoneOf(timezoneOf(question.query) ?? state.timezone, question.query.dayStartHour ?? state.dayStartHour)
  const period = periodOf(question.query, zone)
  const isLive = sources.length === 0
  const since = period.previous?.first ?? period.first
  const dirty = isLive || !cursor ? [] : await dirtyBuckets(transaction, companyId, sources, since, period.end)
  const isSummed =
    cursor !== undefined &&
    cursor.listedFrom <= timeOf(since) &&
    dirty.every(({ size }) => size > 1) &&
    !cursor.hasUnread
  const isComplete = isLive || (isSummed && (isFresh || !cursor.hasEvents))
  const isNoted = state.isNoted || isLive
  if (!isComplete && !mustAnswer) return { isNoted, isComplete, text: undefined }
  const query: Query = (statement, ...values) => transaction.query(statement, [companyId, ...values])
  const check = () => {
    if (question.isGone()) throw deadlinePassed()
  }
  const readAll: Snapshot['readEntries'] = async ([source, facet], segments, add) => {
    if (!cursor) return
    const unusable = new Set(dirty.flatMap((one) => (one.source === source ? [`${one.size} ${one.number}`] : [])))
    const buckets = segments.flatMap(({ first, end, label }) =>
      cover(first, end, ({ size, number }) => !unusable.has(`${size} ${number}`)).map((one) => ({ ...one, label })),
    )
    await readEntries({ cache, companyId, query, check }, [source, facet], buckets, (label, entries) =>
      add(inCurrencies(labelled(entries, label), currency)),
    )
  }
  const common = { companyId, currency, zone, period, isComplete, check, query }
  return { isNoted, isComplete, text: await question.answer({ ...common, readEntries: readAll }) }
}

/** What a refresh is after a statement that took too long, or on a full disk: the answer has the sums that are stored. Throws other errors. */
function unstored(error: unknown): 'busy' {
  if (isTimeout(error) || (error instanceof Problem && error.reason === 'database_full')) return 'busy'
  throw error
}

/**
 * Makes the function that answers questions, and throws 400 for an invalid period; its statements wait in the semaphore `lists`. It refreshes first where an
 * answer lacks something. `scheduleRefresh` is called with companies whose sums remain incomplete.
 */
export function answering(database: Database, lists: FairSemaphore, scheduleRefresh: (companyId: string) => void) {
  const shared = singleFlight<string>()
  const refreshed = singleFlight<Awaited<ReturnType<typeof refresh>>>()
  const cache = entryCache()

  /** A refresh that begins after this call. */
  const refreshNow = (companyId: string, isGone: IsGone) =>
    refreshed(
      companyId,
      (isGone) => lists({ tenant: companyId, isGone }, () => refresh(database, companyId)).catch(unstored),
      isGone,
    )

  async function answer(question: Question): Promise<string> {
    const { companyId, isGone } = question
    const inTurn = <T>(work: () => Promise<T>) => lists({ tenant: companyId, isGone }, work)
    const until = performance.now() + REPORT_PATIENCE_MS
    let isFresh = false
    let hasMore = false
    for (let pauseMs = HELD_LOOK_MS; ; ) {
      const trying = { isFresh, mustAnswer: performance.now() >= until || isGone() }
      const { text, isComplete, isNoted } = await inTurn(() =>
        database.transaction((transaction) => tryToAnswer(transaction, question, trying, cache)),
      )
      if (!isNoted) await inTurn(() => noteRequest(database, companyId)).catch(unstored)
      if (text !== undefined) {
        if (!isComplete || hasMore) scheduleRefresh(companyId)
        return text
      }
      const done = await refreshNow(companyId, isGone)
      hasMore = done === 'more'
      if (hasMore || (done === 'done' && !isFresh)) isFresh = true
      else {
        await delay(pauseMs)
        // Another refresh is done soon; how long a write stays open is unknown.
        if (done === 'done') pauseMs = Math.min(pauseMs * 2, HELD_LOOK_MOST_MS)
      }
    }
  }

  return (question: Question) =>
    shared(
      JSON.stringify([question.companyId, question.path, question.query, question.unnamed]),
      (isGone) => answer({ ...question, isGone }),
      question.isGone,
    )
}
