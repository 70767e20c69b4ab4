// Answers a report from one snapshot of the database: from clean sums, and from the records of dirty chunks.

import { setTimeout as delay } from 'node:timers/promises'
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import type { IsGone } from '../../core/is-gone.ts'
import { HELD_LOOK_MOST_MS, HELD_LOOK_MS } from '../../core/limits.ts'
import { late } from '../../core/problem.ts'
import { type Database, isTimeout, type Queryable } from '../../database/connect.ts'
import { REPORT_LIVE_CHUNKS, REPORT_PATIENCE_MS } from './limits.ts'
import { timeOf, type Zone, zoneOf } from './local-days.ts'
import type { Period, Segment } from './period.ts'
import { cover, type TimeBucket } from './sums/buckets.ts'
import { lookAt, noteRequest, type Unfinished, unfinishedOf } from './sums/cursor.ts'
import { type Entries, inCurrencies, labelled } from './sums/entries.ts'
import { type EntryCache, entryCache, type Parts, readEntries } from './sums/read-entries.ts'
import type { Query } from './sums/records.ts'
import { type Source, type SourceName, sourceOf } from './sums/sources.ts'
import { refresh } from './sums/steps.ts'
import type { Facet, ProductName } from './sums/summing.ts'

/** What a report is made of, as of one snapshot. */
export interface Snapshot {
  readonly companyId: string
  readonly currency: string | undefined
  readonly zone: Zone
  readonly period: Period
  readonly isComplete: boolean
  /**
   * Calls `add` with the entries of a source and facet in parts of the period, each with its label and its currency. Returns
   * the names of products that are not stored yet.
   */
  readonly readEntries: (
    source: Source,
    facet: Facet,
    segments: readonly Segment[],
    add: (entries: Entries) => Promise<void> | void,
  ) => Promise<ProductName[]>
  /** Throws if no client waits any longer for the answer. */
  readonly check: () => void
  /** Runs a statement over the records; its first parameter is the company. */
  readonly query: Query
}

interface Question {
  readonly companyId: string
  /** The sources whose sums it needs; none if it reads only records. */
  readonly sources: readonly SourceName[]
  /** Identifies the question: concurrent identical ones share the answer. */
  readonly name: string
  /** The time zone of its days, in place of the company's. */
  readonly timezone: string | undefined
  /** Throws 400 for an invalid period. */
  readonly periodOf: (zone: Zone) => Period
  readonly answer: (snapshot: Snapshot) => Promise<string>
  readonly isGone: IsGone
}

const keyOf = ({ size, number }: TimeBucket) => `${size} ${number}`

/** Buckets that are stored, and dirty chunks that are read, each with its label. */
function partsOf(segments: readonly Segment[], unfinished: readonly Unfinished[]): Parts {
  const ends = new Map(unfinished.map((one) => [keyOf(one), one.upTo ?? undefined]))
  const endOf = (block: TimeBucket) => {
    const key = keyOf(block)
    return ends.has(key) ? ends.get(key) : (block.number + 1) * block.size
  }
  const stored = segments.flatMap(({ first, end, label }) =>
    cover(first, end, endOf).map((bucket) => ({ ...bucket, label })),
  )
  const dirty = unfinished.flatMap((one) => {
    const within = one.size === 1 && segments.find(({ first, end }) => first <= one.number && one.number < end)
    return within ? [{ ...one, label: within.label }] : []
  })
  return { stored, dirty }
}

/** The newest of a source's unfinished chunks that an answer can read, and all of its unfinished blocks. */
function readable(source: SourceName, unfinished: readonly Unfinished[]): Unfinished[] {
  let left = sourceOf(source).chunk * REPORT_LIVE_CHUNKS
  const own = unfinished.filter((one) => one.source === source).sort((a, b) => b.number - a.number)
  return own.filter(({ size, records }) => {
    if (size > 1 || records === null) return size > 1
    left -= records
    return left >= 0
  })
}

/**
 * One snapshot. Plans do not depend on values, and planning takes longer than running; but Citus needs the company's value to choose
 * the node.
 */
const snapshotSettings = (isSharded: boolean) =>
  `set transaction isolation level repeatable read, read only${isSharded ? '' : '; set local plan_cache_mode = force_generic_plan'}`

/** Answers in one snapshot if that is complete, or if `mustAnswer`; otherwise the text is undefined. */
async function tryToAnswer(transaction: Queryable, question: Question, mustAnswer: boolean, cache: EntryCache) {
  const { companyId, sources } = question
  await transaction.query(snapshotSettings(transaction.isSharded))
  const { currency, cursor, ...look } = await lookAt(transaction, companyId)
  const zone = zoneOf(question.timezone ?? look.timezone)
  const period = question.periodOf(zone)
  const isLive = sources.length === 0
  const since = period.previous?.first ?? period.first
  const { isAll, unfinished } =
    cursor && !isLive
      ? await unfinishedOf(transaction, cursor.position, companyId, sources, since, period.end)
      : { isAll: false, unfinished: [] }
  const read = sources.flatMap((source) => readable(source, unfinished))
  const isListed = cursor !== undefined && cursor.listedFrom <= timeOf(since)
  const isComplete = isLive || (isAll && isListed && read.length === unfinished.length)
  const isNoted = look.isNoted || isLive
  if (!isComplete && !mustAnswer) return { isNoted, isComplete, text: undefined }
  const query: Query = (statement, ...values) => transaction.query(statement, [companyId, ...values])
  const check = () => {
    if (question.isGone()) throw late()
  }
  const readAll: Snapshot['readEntries'] = (source, facet, segments, add) => {
    const own = read.filter((one) => one.source === source.source)
    const parts = cursor ? partsOf(segments, own) : { stored: [], dirty: [] }
    return readEntries({ cache, companyId, query, check }, source, facet, parts, (label, entries) =>
      add(inCurrencies(labelled(entries, label), currency)),
    )
  }
  const common = { companyId, currency, zone, period, isComplete, check, query }
  return { isNoted, isComplete, text: await question.answer({ ...common, readEntries: readAll }) }
}

/**
 * Makes the function that answers questions; its statements wait in the semaphore `lists`. It refreshes first where an
 * answer lacks something. `goOn` is called with companies whose sums remain incomplete.
 */
export function answering(database: Database, lists: FairSemaphore, goOn: (companyId: string) => void) {
  const shared = singleFlight<string>()
  const cache = entryCache()

  async function answer(question: Question): Promise<string> {
    const { companyId, sources, isGone } = question
    const inTurn = <T>(work: () => Promise<T>) => lists({ tenant: companyId, isGone }, work)
    const until = performance.now() + REPORT_PATIENCE_MS
    let hasRefreshed = false
    for (let pauseMs = HELD_LOOK_MS; ; hasRefreshed = true) {
      const mustAnswer = performance.now() >= until || isGone()
      const { text, isComplete, isNoted } = await inTurn(() =>
        database.transaction((transaction) => tryToAnswer(transaction, question, mustAnswer, cache)),
      )
      if (!isNoted) await inTurn(() => noteRequest(database, companyId))
      if (text !== undefined) {
        // A refresh for a request leaves the other sources.
        if (!isComplete || hasRefreshed) goOn(companyId)
        return text
      }
      const refreshed = await inTurn(() => refresh(database, companyId, sources)).catch((error) => {
        if (isTimeout(error)) return 'idle'
        throw error
      })
      if (refreshed === 'more' || refreshed === 'done') continue
      await delay(pauseMs)
      // Another refresh is done soon; how long a write stays open is unknown.
      if (refreshed === 'idle') pauseMs = Math.min(pauseMs * 2, HELD_LOOK_MOST_MS)
    }
  }

  return (question: Question) =>
    shared(
      JSON.stringify([question.companyId, question.name]),
      (isGone) => answer({ ...question, isGone }),
      question.isGone,
    )
}
