// Refreshes the sums of reports between requests, and continues where a request had no time left.

import { backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import {
  REPORT_AFTER_FAILURE_MS,
  REPORT_COMPANIES,
  REPORT_LOOK_MS,
  REPORT_SWEEP,
  REPORT_SWEEP_MS,
  REPORT_UNASKED_DAYS,
  REPORT_UNREAD_HOURS,
} from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'
import type { WriteNotifications } from '../events/write-notifications.ts'
import { zoneOf } from './local-days.ts'
import { lookAt, nextStep, settledAt, take } from './steps.ts'

interface Keeping {
  /** Reports that there is work for a company. */
  goOn(companyId: string): void
  /** Resolves when no work is under way any more. */
  stop(): Promise<void>
}

const isAsked = `asked_at > now() - make_interval(days => ${REPORT_UNASKED_DAYS})`

/** Of some companies, those whose reports are in use. */
async function askedOf(database: Database, companyIds: readonly string[]): Promise<Set<unknown>> {
  const rows = await database.query(
    {
      name: 'reports_asked_of',
      text: `select distinct company_id from report_readers where company_id = any ($1::text[]) and ${isAsked}`,
    },
    [companyIds],
  )
  return new Set(rows.map(([companyId]) => companyId))
}

/**
 * Companies whose sums are incomplete because their server died, and those without news for long: the notification of a
 * write may be lost with its server, and events are kept for 30 days only.
 */
async function findForgotten(database: Database): Promise<string[]> {
  const rows = await database.query(
    {
      name: 'reports_forgotten',
      text: `
      select distinct company_id from report_readers
      where ${isAsked} and (state <> 'ready' or read_at < now() - make_interval(hours => ${REPORT_UNREAD_HOURS}))
      limit ${REPORT_SWEEP}`,
    },
    [],
  )
  return rows.map(([companyId]) => companyId)
}

/** Does so until it is stopped. Of several servers that work on one company, one does each step. */
export function startReportRefresh(
  database: Database,
  { wakes, failed }: { readonly wakes: WriteNotifications; readonly failed: Failed },
): Keeping {
  const woken = new Set<string>()
  let isStopping = false
  let lastLook = Number.NEGATIVE_INFINITY
  let lastSweep = Number.NEGATIVE_INFINITY

  function goOn(companyId: string): void {
    woken.add(companyId)
    looking.schedule(Math.max(0, lastLook + REPORT_LOOK_MS - performance.now()))
  }

  const looking = backgroundLoop(
    async () => {
      lastLook = performance.now()
      if (lastLook - lastSweep >= REPORT_SWEEP_MS) {
        for (const companyId of await findForgotten(database)) woken.add(companyId)
        lastSweep = lastLook
      }
      const companies = [...woken].slice(0, REPORT_COMPANIES)
      const asked = companies.length === 0 ? new Set() : await askedOf(database, companies)
      let hasMore = false
      for (const companyId of companies) {
        if (isStopping) break
        // A company whose refresh fails does not delay the others: a sweep finds it again.
        woken.delete(companyId)
        if (!asked.has(companyId) || !(await stepFor(companyId))) continue
        hasMore = true
        woken.add(companyId)
      }
      // The aggregator pauses for as long as it worked: waiting requests come first.
      if (hasMore) return performance.now() - lastLook
      return woken.size > 0 ? REPORT_LOOK_MS : REPORT_SWEEP_MS
    },
    failed,
    REPORT_AFTER_FAILURE_MS,
  )

  /** One step for each of a company's aggregators; whether there is more to do at once. */
  async function stepFor(companyId: string): Promise<boolean> {
    const look = await lookAt(database, companyId)
    if (look === undefined) return false
    if (look.standings.every((standing) => nextStep(standing, Number.POSITIVE_INFINITY) === undefined)) return false
    const settled = await settledAt(database, companyId)
    let isBehind = false
    for (const standing of look.standings) {
      const step = nextStep(standing, settled)
      if (step === undefined || isStopping) continue
      const hasMore = await take(database, companyId, step, standing, { settled, zone: zoneOf(standing.timezone) })
      isBehind ||= hasMore
    }
    return isBehind
  }

  const deaf = wakes.listen((companyId) => {
    if (companyId !== undefined) goOn(companyId)
  })
  looking.schedule(0)

  return {
    goOn,
    async stop() {
      isStopping = true
      deaf()
      await looking.stop()
    },
  }
}
