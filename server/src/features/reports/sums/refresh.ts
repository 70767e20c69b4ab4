// Refreshes the sums of reports between requests, continues the refresh of a request that ran out of time, and reports what is left to do.
import { backgroundLoop, type Failed, firstLookMs } from '../../../concurrency/background-loop.ts'
import { reachingCompany } from '../../../core/reach.ts'
import type { Database, Queryable } from '../../../database/connect.ts'
import { type Family, readFamily } from '../../../metrics/instruments.ts'
import type { WriteNotifications } from '../../events/write-notifications.ts'
import { SUMS_FORMAT } from './kept-sums.ts'
import { refresh } from './steps.ts'

/** Milliseconds between two looks for writes of companies: the writes in between are added at once. A request looks by itself. */
const REPORT_POLL_MS = 1_000
/** Companies of one such look: the others follow at the next one. */
const REPORT_COMPANIES = 500
/** Milliseconds between two looks for outdated sums, and companies that one of them finds. */
const REPORT_SWEEP_MS = 60_000
const REPORT_SWEEP = 500
/** Milliseconds after which a failed look is retried: the database may be unreachable. */
const REPORT_AFTER_FAILURE_MS = 1_000
/** Milliseconds until a company whose refresh failed is tried again. */
const REPORT_RETRY_MS = 5_000
/** Days after which sums that are not requested are no longer updated, and hours between two looks for them. */
const REPORT_UNASKED_DAYS = 30
const REPORT_UNREAD_HOURS = 24

interface ReportRefresh {
  /** Reports that there is work for a company. */
  scheduleRefresh(companyId: string): void
  /** Resolves when no work is running any more. */
  stop(): Promise<void>
}

/** Companies whose reports are in use and for which a condition is true. */
async function inUse(database: Database, name: string, condition: string, values: unknown[]): Promise<string[]> {
  const isAsked = `asked_at > now() - make_interval(days => ${REPORT_UNASKED_DAYS})`
  const text = `select company_id from sum_cursors where format = ${SUMS_FORMAT} and ${isAsked} and ${condition}`
  return (await database.query({ name, text }, values)).map(([companyId]) => companyId)
}

/**
 * Whether sums are incomplete because their server died, or were not updated for long: the notification of a write may
 * be lost with its server, and events are kept for only 30 days.
 */
const isForgotten = `(has_more or read_at < now() - make_interval(hours => ${REPORT_UNREAD_HOURS})) limit ${REPORT_SWEEP}`

/** Refreshes sums until it is stopped. If several servers work on one company, one does each part. */
export function startReportRefresh(
  database: Database,
  { wakes, failed }: { readonly wakes: WriteNotifications; readonly failed: Failed },
): ReportRefresh {
  const { owner } = database
  const woken = new Set<string>()
  let isStopping = false
  let lastLook = Number.NEGATIVE_INFINITY
  let lastSweep = Number.NEGATIVE_INFINITY

  function scheduleRefresh(companyId: string): void {
    woken.add(companyId)
    looking.schedule(Math.max(0, lastLook + REPORT_POLL_MS - performance.now()))
  }

  /** A company whose refresh fails does not delay the others: it is tried again some seconds later. */
  async function refreshed(companyId: string) {
    try {
      return await reachingCompany(companyId, () => refresh(database, companyId))
    } catch (error) {
      setTimeout(scheduleRefresh, REPORT_RETRY_MS, companyId).unref()
      throw error
    }
  }

  const looking = backgroundLoop(
    async () => {
      lastLook = performance.now()
      if (lastLook - lastSweep >= REPORT_SWEEP_MS) {
        for (const companyId of await inUse(owner, 'reports_forgotten', isForgotten, [])) woken.add(companyId)
        lastSweep = lastLook
      }
      const companies = [...woken].slice(0, REPORT_COMPANIES)
      const asked = await inUse(owner, 'reports_asked', 'company_id = any ($1)', [companies])
      let hasMore = false
      for (const companyId of companies) {
        if (isStopping) break
        woken.delete(companyId)
        if (!asked.includes(companyId) || (await refreshed(companyId)) !== 'more') continue
        hasMore = true
        woken.add(companyId)
      }
      // The refresh pauses for as long as it worked: waiting requests come first.
      if (hasMore) return performance.now() - lastLook
      return woken.size > 0 ? REPORT_POLL_MS : REPORT_SWEEP_MS
    },
    failed,
    REPORT_AFTER_FAILURE_MS,
  )

  const unlisten = wakes.listen((companyId) => {
    if (companyId !== undefined) scheduleRefresh(companyId)
  })
  looking.schedule(firstLookMs())

  return {
    scheduleRefresh,
    async stop() {
      isStopping = true
      unlisten()
      await looking.stop()
    },
  }
}

/**
 * Removes the sums of companies that do not exist, the cursor last: a server of an earlier version does not know all
 * tables of sums when it deletes a company.
 */
export async function clearAbandonedSums(database: Database): Promise<void> {
  const summed = await database.query('select distinct company_id from sum_cursors')
  // Not one statement: where tables are distributed, companies are on another node.
  const gone = await database.query(
    `select summed.company_id from unnest($1::text[]) as summed(company_id)
     where not exists (select from companies where id = summed.company_id)`,
    [summed.map(([companyId]) => companyId)],
  )
  for (const company of gone)
    for (const table of ['sum_buckets', 'sum_cursors'])
      await database.query(`delete from ${table} where company_id = $1`, company)
}

/** How many companies' sums have events or moments left to do, and since when the oldest of them is behind. */
export async function reportFamilies(database: Queryable): Promise<Family[]> {
  const [row] = await database.query(
    `select count(*), coalesce(max(extract(epoch from now() - read_at)), 0)::float8
     from sum_cursors where format = ${SUMS_FORMAT} and has_more and asked_at > now() - make_interval(days => ${REPORT_UNASKED_DAYS})`,
  )
  const [count = 0, seconds = 0] = (row ?? []).map(Number)
  return [
    readFamily(
      { name: 'cashwrap_report_companies_behind', help: 'Companies whose sums of reports are incomplete.' },
      count,
    ),
    readFamily(
      {
        name: 'cashwrap_report_lag_seconds',
        help: 'Since when the sums of the company that is furthest behind have been incomplete; 0 if none are.',
      },
      Math.max(0, seconds),
    ),
  ]
}
