// Keeps alerts up to date while a server runs: checks companies that have written or whose triggers fail, writes mails,
// and removes old alerts.
import { backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Database } from '../../database/connect.ts'
import type { WriteNotifications } from '../events/write-notifications.ts'
import type { Outbox } from '../mail/outbox.ts'
import { ALERT_COMPANIES, type CheckTimes, checkDue } from './check.ts'
import { markForgotten, markTriggers, markWritten } from './due.ts'
import { mailDue } from './mails.ts'

/** Milliseconds between two checks of all failing triggers, and between two searches for companies that are due. */
const ALERT_TRIGGERS_MS = 30_000
const ALERT_LOOK_MS = 5_000
/** Milliseconds between two looks for writes that were not noticed. */
const ALERT_SWEEP_MS = 60_000
/** Milliseconds for which an alert is kept, and a recovered one. */
const ALERT_KEPT_MS = 30 * 24 * 60 * 60 * 1000
const RECOVERED_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Alerts that one statement removes, and milliseconds between two removals. */
const ALERTS_CLEARED = 5_000
const ALERT_CLEARING_MS = 10 * 60 * 1000

/** Intervals in milliseconds, instead of the limits. */
export interface AlertTimes extends CheckTimes {
  readonly lookMs?: number
  readonly triggersMs?: number
  readonly companyMailMs?: number
}

interface AlertParts {
  readonly outbox: Outbox
  readonly notifications: WriteNotifications
  /** Called with errors that are retried. */
  readonly failed: Failed
}

/** Keeps alerts until it is stopped. */
export function keepAlerts(
  database: Database,
  { outbox, notifications, failed }: AlertParts,
  { lookMs = ALERT_LOOK_MS, triggersMs = ALERT_TRIGGERS_MS, companyMailMs, ...times }: AlertTimes = {},
): { stop(): Promise<unknown> } {
  let written = new Set<string>()
  let sweptTo = ''

  // If a notification is lost here, with its server or by an error, the sweep finds the company.
  async function look(): Promise<number> {
    const companyIds = [...written]
    written = new Set()
    await markWritten(database, companyIds)
    const checked = await checkDue(database, times)
    if (outbox.isOn) await mailDue(database, outbox, companyMailMs)
    return checked === ALERT_COMPANIES ? 0 : lookMs
  }

  async function watchTriggers(): Promise<number> {
    await markTriggers(database, times.failingMs)
    return triggersMs
  }

  async function sweep(): Promise<number> {
    sweptTo = await markForgotten(database, sweptTo)
    return ALERT_SWEEP_MS
  }

  async function clear(): Promise<number> {
    const rows = await database.query(
      `delete from alerts where (company_id, id) in (
         select company_id, id from alerts
         where updated_at < now() - make_interval(secs => $1) and state <> 'open'
           or recovered_at < now() - make_interval(secs => $2) limit $3 for update skip locked)
       returning 1`,
      [ALERT_KEPT_MS / 1000, RECOVERED_KEPT_MS / 1000, ALERTS_CLEARED],
    )
    return rows.length === ALERTS_CLEARED ? 0 : ALERT_CLEARING_MS
  }

  const unlisten = notifications.listen((companyId) => {
    if (companyId !== undefined) written.add(companyId)
  })
  const loops = [
    backgroundLoop(look, failed, lookMs),
    backgroundLoop(watchTriggers, failed, triggersMs),
    backgroundLoop(sweep, failed, ALERT_SWEEP_MS),
    backgroundLoop(clear, failed, ALERT_CLEARING_MS),
  ]
  for (const loop of loops) loop.schedule(0)
  return {
    stop() {
      unlisten()
      return Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
