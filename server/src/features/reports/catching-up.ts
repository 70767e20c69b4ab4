// Brings the sums of a report up to date before it is answered, so that it tells of each sale that was answered before.
import { setTimeout as delay } from 'node:timers/promises'
import { share } from '../../concurrency/batcher.ts'
import { type Lane, lane } from '../../concurrency/fair-semaphore.ts'
import { companyPresence } from '../../concurrency/tenant-activity.ts'
import { HELD_LOOK_MOST_MS, HELD_LOOK_MS, LANES, REPORT_PATIENCE_MS } from '../../core/limits.ts'
import { notFound } from '../../core/problem.ts'
import { type Database, isTimeout } from '../../database/connect.ts'
import { nameOf, type Zone, zoneOf } from './local-days.ts'
import { type ReportName, readers } from './readers.ts'
import { begin, lookAt, nextStep, noteAsked, type Standing, settledAt, take } from './steps.ts'

/** How a company counts: in what, and by whose days. */
export interface Company {
  readonly id: string
  readonly currency: string | undefined
  /** Its time zone by name. */
  readonly timezone: string
  readonly zone: Zone
}

/** What is asked for. */
interface Wanted<Range> {
  readonly companyId: string
  readonly reports: readonly ReportName[]
  /** Tells one question from another: those who ask the same at once share the work. */
  readonly question: string
  /** The time that the report is about, and the point at which it begins. */
  readonly rangeOf: (company: Company) => Range
  readonly isGone: () => boolean
}

/** Sums are as up to date as they could be brought. */
export interface CaughtUp<Range> {
  readonly company: Company
  readonly range: Range
  /** Whether they tell of each write that was answered before the question, as far as they go back. */
  readonly isWhole: boolean
}

type CatchUp = <Range extends { readonly since: string }>(wanted: Wanted<Range>) => Promise<CaughtUp<Range>>

/** Makes the function; its statements take turns in `lists`. `goOn` is told of companies whose sums are not whole yet. */
export function catchingUp(database: Database, lists: Lane, goOn: (companyId: string) => void): CatchUp {
  const shared = share<CaughtUp<any>>()
  // Two who ask for other days of the same sums would do the same steps, of which only one counts.
  const oneByOne = lane(LANES.list, companyPresence)

  async function catchUp<Range extends { readonly since: string }>(wanted: Wanted<Range>): Promise<CaughtUp<Range>> {
    const { companyId, reports, rangeOf, isGone } = wanted
    const inTurn = <T>(work: () => Promise<T>) => lists({ line: companyId, isGone }, work)
    const until = performance.now() + REPORT_PATIENCE_MS

    /** Looks, and does what is next: gives the sums when that is nothing, or when it is too late for it. */
    async function round(): Promise<CaughtUp<Range> | 'moved' | 'held'> {
      const look = await inTurn(() => lookAt(database, companyId))
      if (look === undefined) throw notFound('company', companyId)
      const { standings } = look
      const zone = zoneOf(look.timezone)
      const timezone = nameOf(zone, look.timezone)
      const company = { id: companyId, currency: look.currency ?? undefined, timezone, zone }
      const range = rangeOf(company)
      const own = standings.filter(({ report }) => reports.includes(report))
      if (own.length < reports.length) {
        await inTurn(() => begin(database, companyId, reports, zone))
        return 'moved'
      }
      if (own.some(({ isUnasked }) => isUnasked)) await inTurn(() => noteAsked(database, companyId))
      const stepsUpTo = (settled: number) =>
        own.flatMap((standing) => {
          const isOfOtherDays = readers[standing.report].isByDay && standing.timezone !== zone.key
          const step =
            isOfOtherDays && standing.state !== 'clearing'
              ? 'restart'
              : // What is not too long is read beside the sums.
                nextStep(standing, standing.isLong ? settled : 0, reaches(standing, range))
          return step === undefined ? [] : [{ step, standing }]
        })
      // Mostly there is nothing to do, whatever is settled: to ask for that looks at the locks of all writers.
      let settled = Number.POSITIVE_INFINITY
      if (stepsUpTo(settled).length > 0) settled = await inTurn(() => settledAt(database, companyId))
      const steps = stepsUpTo(settled)
      // More than an answer should read, behind what may still come.
      const isHeld = steps.length === 0 && own.some(({ isLong }) => isLong)
      if ((steps.length === 0 && !isHeld) || performance.now() >= until || isGone()) {
        if (steps.length > 0 || isHeld || own.some(({ state }) => state !== 'ready')) goOn(companyId)
        // Of what is held the answer reads as much as a step would, and says itself when there is more.
        return { company, range, isWhole: steps.length === 0 }
      }
      if (steps.length === 0) return 'held'
      const done = steps.map(({ step, standing }) =>
        inTurn(() => take(database, companyId, step, standing, { settled, zone })),
      )
      // One that took too long is tried again with less.
      for (const { reason } of await Promise.allSettled(done).then((all) => all.filter(isRejected)))
        if (!isTimeout(reason)) throw reason
      return 'moved'
    }

    for (let pauseMs = HELD_LOOK_MS; ; ) {
      const after = await oneByOne({ line: companyId, kind: String(reports), isGone }, round)
      if (typeof after === 'object') return after
      if (after === 'moved') continue
      await delay(pauseMs)
      pauseMs = Math.min(pauseMs * 2, HELD_LOOK_MOST_MS)
    }
  }

  return (wanted) =>
    shared(
      JSON.stringify([wanted.companyId, wanted.question]),
      (isGone) => catchUp({ ...wanted, isGone }),
      wanted.isGone,
    )
}

const isRejected = (one: PromiseSettledResult<unknown>): one is PromiseRejectedResult => one.status === 'rejected'

/** Whether all records that a report tells of stand in the sums, from their table or by events. */
const reaches = ({ state, frontierAt }: Standing, { since }: { readonly since: string }): boolean =>
  state === 'ready' || (state === 'building' && frontierAt < since)
