// Answers a report from one snapshot of the database: clean sums, and the records of what is dirty.
import { setTimeout as delay } from 'node:timers/promises'
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { HELD_LOOK_MOST_MS, HELD_LOOK_MS } from '../../core/limits.ts'
import { notFound } from '../../core/problem.ts'
import { type Database, isTimeout, type Queryable, type Row, type Statement } from '../../database/connect.ts'
import { cover } from './buckets.ts'
import { type Dirty, dirtyOf, lookAt, noteRequest } from './cursor.ts'
import { REPORT_LIVE_CHUNKS, REPORT_PATIENCE_MS } from './limits.ts'
import { beginOfDay, dayOfQuarter, nameOf, type Zone, zoneOf } from './local-days.ts'
import type { Period } from './period.ts'
import { type ReportName, sourceOf } from './sources.ts'
import { refresh } from './steps.ts'

/** What a report is made of, as of one snapshot. */
export interface Snapshot {
  readonly currency: string | undefined
  /** The name of the time zone. */
  readonly timezone: string
  readonly period: Period
  readonly isComplete: boolean
  /** Runs a statement over the entries of a report (`entriesOf`), with further parameters. */
  readonly ask: (report: ReportName, statement: Statement, ...values: readonly unknown[]) => Promise<Row[]>
}

interface Question {
  readonly companyId: string
  readonly reports: readonly ReportName[]
  /** Identifies the question: concurrent identical ones share the answer. */
  readonly name: string
  /** Throws 400 for an invalid period. */
  readonly periodOf: (zone: Zone) => Period
  readonly answer: (snapshot: Snapshot) => Promise<string>
  readonly isGone: () => boolean
}

/** The parameters of `entriesOf`: buckets that are stored, and dirty chunks that are read, each with its day. */
function partsOf(report: ReportName, zone: Zone, { firstDay, lastDay, first, end }: Period, dirty: readonly Dirty[]) {
  const unusable = new Set(dirty.map(({ size, number }) => `${size} ${number}`))
  const bucketsOf = (day: number, from: number, to: number) =>
    cover(from, to, ({ size, number }) => !unusable.has(`${size} ${number}`)).map((bucket) => ({ ...bucket, day }))
  // By days only where days are shown.
  const days = Array.from({ length: lastDay - firstDay + 1 }, (_, n) => firstDay + n)
  const stored =
    report === 'products'
      ? bucketsOf(firstDay, first, end)
      : days.flatMap((day) => bucketsOf(day, beginOfDay(zone, day), beginOfDay(zone, day + 1)))
  const read = dirty.filter(({ size }) => size === 1)
  return [
    ...[stored.map(({ size }) => size), stored.map(({ number }) => number), stored.map(({ day }) => day)],
    ...[read.map(({ number }) => number), read.map(({ chunk }) => chunk)],
    read.map(({ number }) => dayOfQuarter(zone, number)),
  ]
}

/** Of what is dirty in a report, the newest that an answer can read, and all blocks. */
function readable(report: ReportName, dirty: readonly Dirty[]): Dirty[] {
  let left = sourceOf(report).chunk * REPORT_LIVE_CHUNKS
  const newestFirst = dirty.toSorted((a, b) => b.number - a.number)
  return newestFirst.filter(({ size, records }) => {
    if (size > 1 || records === null) return size > 1
    left -= records
    return left >= 0
  })
}

/** Answers in one snapshot, if it has all or `mustAnswer`; otherwise the text is undefined. */
async function tryToAnswer(transaction: Queryable, question: Question, mustAnswer: boolean) {
  const { companyId, reports, periodOf, answer } = question
  await transaction.query('set transaction isolation level repeatable read, read only')
  const look = await lookAt(transaction, companyId)
  if (look === undefined) throw notFound('company', companyId)
  const { currency, cursor, isNoted } = look
  const zone = zoneOf(look.timezone)
  const period = periodOf(zone)
  const { position, listedFrom } = cursor ?? { position: 0, listedFrom: '~' }
  const found =
    cursor === undefined
      ? { dirty: [], isAll: false }
      : await dirtyOf(transaction, position, companyId, reports, period.first, period.end)
  const dirtyIn = (report: ReportName) => found.dirty.filter((one) => one.report === report)
  const isComplete =
    found.isAll &&
    listedFrom <= period.since &&
    reports.every((report) => readable(report, dirtyIn(report)).length === dirtyIn(report).length)
  if (!isComplete && !mustAnswer) return { isNoted, isComplete, text: undefined }
  const ask: Snapshot['ask'] = async (report, statement, ...values) => {
    const parts = partsOf(report, zone, period, readable(report, dirtyIn(report)))
    return cursor === undefined ? [] : transaction.query(statement, [companyId, ...parts, ...values])
  }
  const timezone = nameOf(zone, look.timezone)
  return { isNoted, isComplete, text: await answer({ currency, timezone, period, isComplete, ask }) }
}

/**
 * Makes the function that answers questions; its statements wait in the semaphore `lists`. It refreshes first where an
 * answer lacks something. `goOn` is called with companies whose sums remain incomplete.
 */
export function answering(database: Database, lists: FairSemaphore, goOn: (companyId: string) => void) {
  const shared = singleFlight<string>()

  async function answer(question: Question): Promise<string> {
    const { companyId, reports, isGone } = question
    const inTurn = <T>(work: () => Promise<T>) => lists({ tenant: companyId, isGone }, work)
    const until = performance.now() + REPORT_PATIENCE_MS
    let hasRefreshed = false
    for (let pauseMs = HELD_LOOK_MS; ; hasRefreshed = true) {
      const mustAnswer = performance.now() >= until || isGone()
      const { text, isComplete, isNoted } = await inTurn(() =>
        database.transaction((transaction) => tryToAnswer(transaction, question, mustAnswer)),
      )
      if (!isNoted) await inTurn(() => noteRequest(database, companyId))
      if (text !== undefined) {
        // A refresh for a request leaves the other reports.
        if (!isComplete || hasRefreshed) goOn(companyId)
        return text
      }
      const refreshed = await inTurn(() => refresh(database, companyId, reports)).catch((error) => {
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
