// Refreshes the sums of a report before it is answered, so that it includes every write answered before.
import { setTimeout as delay } from 'node:timers/promises'
import { type FairSemaphore, fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { companyActivity } from '../../concurrency/tenant-activity.ts'
import { HELD_LOOK_MOST_MS, HELD_LOOK_MS, REPORT_PATIENCE_MS, SEMAPHORES } from '../../core/limits.ts'
import { notFound } from '../../core/problem.ts'
import { type Database, isTimeout } from '../../database/connect.ts'
import { aggregators, type ReportName } from './aggregators.ts'
import { nameOf, type Zone, zoneOf } from './local-days.ts'
import { begin, lookAt, nextStep, noteAsked, type Standing, settledAt, take } from './steps.ts'

/** How a company counts: its currency, and its days. */
export interface Company {
  readonly id: string
  readonly currency: string | undefined
  /** The name of its time zone. */
  readonly timezone: string
  readonly zone: Zone
}

/** The query. */
interface Wanted<Range> {
  readonly companyId: string
  readonly reports: readonly ReportName[]
  /** Identifies a query: concurrent identical queries share the work. */
  readonly question: string
  /** The period of the report, and the time at which it begins. */
  readonly rangeOf: (company: Company) => Range
  readonly isGone: () => boolean
}

/** Sums, as fresh as possible. */
export interface CaughtUp<Range> {
  readonly company: Company
  readonly range: Range
  /** Whether they include every write answered before the query, as far as they go back. */
  readonly isWhole: boolean
}

type CatchUp = <Range extends { readonly since: string }>(wanted: Wanted<Range>) => Promise<CaughtUp<Range>>

/**
 * Makes the function; its statements wait in the semaphore `lists`. `goOn` is called with companies whose sums are
 * incomplete.
 */
export function catchingUp(database: Database, lists: FairSemaphore, goOn: (companyId: string) => void): CatchUp {
  const shared = singleFlight<CaughtUp<any>>()
  // Two queries for different days of the same sums would do the same steps, and only one would count.
  const oneByOne = fairSemaphore(SEMAPHORES.list, companyActivity)

  async function catchUp<Range extends { readonly since: string }>(wanted: Wanted<Range>): Promise<CaughtUp<Range>> {
    const { companyId, reports, rangeOf, isGone } = wanted
    const inTurn = <T>(work: () => Promise<T>) => lists({ tenant: companyId, isGone }, work)
    const until = performance.now() + REPORT_PATIENCE_MS

    /** Looks, and does the next step: returns the sums when there is none, or no time left for it. */
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
          const isOfOtherDays = aggregators[standing.report].isByDay && standing.timezone !== zone.key
          const step =
            isOfOtherDays && standing.state !== 'clearing'
              ? 'restart'
              : // Few remaining events are read beside the sums.
                nextStep(standing, standing.isLong ? settled : 0, reaches(standing, range))
          return step === undefined ? [] : [{ step, standing }]
        })
      // Usually there is nothing to do, whatever the watermark: reading it looks at the locks of all writers.
      let settled = Number.POSITIVE_INFINITY
      if (stepsUpTo(settled).length > 0) settled = await inTurn(() => settledAt(database, companyId))
      const steps = stepsUpTo(settled)
      // More than an answer should read, beyond what may still come.
      const isHeld = steps.length === 0 && own.some(({ isLong }) => isLong)
      if ((steps.length === 0 && !isHeld) || performance.now() >= until || isGone()) {
        if (steps.length > 0 || isHeld || own.some(({ state }) => state !== 'ready')) goOn(companyId)
        // The answer reads as much of the blocked events as a step would, and reports if there is more.
        return { company, range, isWhole: steps.length === 0 }
      }
      if (steps.length === 0) return 'held'
      const done = steps.map(({ step, standing }) =>
        inTurn(() => take(database, companyId, step, standing, { settled, zone })),
      )
      // A step that took too long is retried with less.
      for (const { reason } of await Promise.allSettled(done).then((all) => all.filter(isRejected)))
        if (!isTimeout(reason)) throw reason
      return 'moved'
    }

    for (let pauseMs = HELD_LOOK_MS; ; ) {
      const after = await oneByOne({ tenant: companyId, kind: String(reports), isGone }, round)
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

/** Whether all records of a report are in the sums, from their table or by events. */
const reaches = ({ state, frontierAt }: Standing, { since }: { readonly since: string }): boolean =>
  state === 'ready' || (state === 'building' && frontierAt < since)
