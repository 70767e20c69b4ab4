// What a server does besides answering requests: webhooks, reports, imports, the payment processor, and the removal of what is past.

import type { Logger } from 'pino'
import { type BackgroundLoop, backgroundLoop, firstLookMs } from './concurrency/background-loop.ts'
import { warn } from './core/failure-log.ts'
import type { Seal } from './core/idempotency-claim.ts'
import { compareClocks } from './database/clock.ts'
import type { Connection, Database } from './database/connect.ts'
import { clearKept } from './engine/idempotency-removal.ts'
import { keepSearchIndexes } from './engine/lists/search-index-upkeep.ts'
import { type AlertTimes, keepAlerts } from './features/alerts/keeping.ts'
import { alertMails } from './features/alerts/mails.ts'
import { endFarWaits } from './features/clock/set-back.ts'
import { keepPurging } from './features/custom-tables/purge.ts'
import { keepPartitions } from './features/events/partitions.ts'
import type { WriteNotifications } from './features/events/write-notifications.ts'
import { type ExportTimes, keepExporting } from './features/exports/worker.ts'
import { keepRemovingObjects } from './features/files/abandoned.ts'
import type { ObjectStore } from './features/files/object-store.ts'
import { keepClearingFiles } from './features/files/stored.ts'
import { type ImportTimes, keepImporting, worker } from './features/imports/worker.ts'
import { clearKeyRequests } from './features/keys/request-log.ts'
import { outboxOf } from './features/mail/outbox.ts'
import { keepSending, type MailTimes } from './features/mail/sending.ts'
import type { MailSettings } from './features/mail/settings.ts'
import { type Processor, ProcessorError } from './features/payment-processor/processor.ts'
import { keepRegistering, type RegisteringTimes } from './features/payment-processor/registering.ts'
import { clearPast } from './features/people/expired-rows.ts'
import { peopleMails } from './features/people/mails.ts'
import { clearAbandonedSums, startReportRefresh } from './features/reports/sums/refresh.ts'
import { callUnlessSilent } from './features/restores/restored.ts'
import { keepEndingSessions } from './features/sql-access/sessions.ts'
import { keepRenewingViews } from './features/sql-access/views.ts'
import { sender as senderOf } from './features/webhooks/call.ts'
import { Dispatcher } from './features/webhooks/dispatcher.ts'
import type { RetryDelay } from './features/webhooks/results.ts'
import type { Targets } from './features/webhooks/target.ts'
import { removeFormerSecrets } from './features/webhooks/trigger-secrets.ts'

/** Milliseconds between two removals of expired idempotency keys; the first is within seconds of the start. */
const IDEMPOTENCY_CLEARING_MS = 10 * 60 * 1000

const importProgram = new URL('import-worker.ts', import.meta.url)
const hourMs = 60 * 60 * 1000

/** When background work is done, and which of it this server does. */
export interface BackgroundSettings {
  /** Milliseconds between two clearings of old idempotency keys; default `IDEMPOTENCY_CLEARING_MS`. */
  readonly clearingMs?: number
  /** When the payment processor is called again. */
  readonly registering?: RegisteringTimes
  /** When failed webhooks are retried, instead of decisions §9; and whether this server sends any (the default). */
  readonly webhooks?: { readonly retryDelay?: RetryDelay; readonly isSending?: boolean }
  /** When imports are looked for and taken over, instead of its limits; and whether this server executes any (the default). */
  readonly importing?: ImportTimes & { readonly isWorking?: boolean }
  /** When exports are looked for, taken over and removed, instead of its limits; and whether this server writes any (the default). */
  readonly exporting?: ExportTimes & { readonly isWorking?: boolean }
  /** When mails are looked for, taken over and tried again, instead of its limits. */
  readonly mailing?: MailTimes
  /** When companies are looked at for alerts, instead of its limits; and whether this server does so (the default). */
  readonly alerts?: AlertTimes & { readonly isWatching?: boolean }
}

/** What background work needs from the rest of the service. */
interface BackgroundParts {
  readonly connection: Connection
  /** With the rights of the owner of the tables. */
  readonly database: Database
  /** The same, where only the rows of companies in reach are read and written. */
  readonly reaching: Database
  readonly importDatabase: Database
  readonly processor: Processor
  readonly seal: Seal
  readonly objects: ObjectStore | undefined
  readonly callable: Targets
  readonly notifications: WriteNotifications
  readonly log: Logger
  readonly mail: MailSettings | undefined
}

/** The work in progress. */
export interface BackgroundWork {
  /** Looks for imports at once. */
  readonly wakeImports: () => void
  /** Looks for exports at once. */
  readonly wakeExports: () => void
  /** Updates the sums of a company's reports at once. */
  readonly refreshReports: ReturnType<typeof startReportRefresh>['scheduleRefresh']
  /** Ends all of it, between two of its steps. */
  stop(): Promise<void>
}

/** Starts the background work; the partitions of events exist once this resolves. */
export async function startBackgroundWork(
  parts: BackgroundParts,
  { webhooks = {}, registering, importing, exporting, mailing, alerts, clearingMs }: BackgroundSettings,
): Promise<BackgroundWork> {
  const { database, reaching, seal, objects, callable, notifications, processor, log } = parts
  const sender = senderOf({ targets: callable })
  const { isSending = true, retryDelay } = webhooks
  const failed = warn(log, 'webhook dispatch failed; retrying')
  const transport = await mailTransport(parts.mail)
  function startCalls() {
    const dispatching = isSending
      ? new Dispatcher(database, { reads: reaching, seal, sender, notifications, failed, retryDelay })
      : undefined
    const registrations = keepRegistering(database, processor, registeredLater(log), registering)
    const sending = transport && startMail(parts, transport, mailing)
    // A copy of the database must not remove what the original has.
    const removing =
      objects && keepRemovingObjects(database, objects, warn(log, 'removing objects of deleted files failed; retrying'))
    return {
      stop: () => Promise.all([dispatching?.stop(), registrations.stop(), sending?.stop(), removing?.stop()]),
    }
  }
  const calling = await callUnlessSilent(database, {
    start: startCalls,
    silent: () =>
      log.warn(
        'webhooks, calls to the payment processor, mail and the removal of objects are paused, since the database was restored or loaded from a dump; `cashwrap resume` resumes them',
      ),
    failed,
  })
  const reports = startReportRefresh(reaching, {
    wakes: notifications,
    failed: warn(log, 'report refresh failed; retrying'),
  })
  const purging = keepPurging(database, warn(log, 'purging deleted tables failed; retrying'))
  const imports = startImports(parts, importing)
  const { isWorking: isExporting = true, ...exportTimes } = exporting ?? {}
  const exports = isExporting
    ? keepExporting({ database: parts.importDatabase, objects }, exportFailures(log), exportTimes)
    : undefined
  const alerting = startAlerts(parts, alerts)
  const files = keepClearingFiles(database, warn(log, 'removing files without an attachment failed; retrying'))
  const keep = async () => {
    await keepPartitions(database).catch(warn(log, 'creating event partitions failed; retrying'))
    await endFarWaits(database).catch(warn(log, 'ending waits beyond the maximum failed; retrying'))
    await compareClocks(database, log).catch(warn(log, 'comparing the clocks failed; retrying'))
  }
  await keep()
  const keeping = setInterval(keep, hourMs)
  const clearing = startClearing(parts, clearingMs)
  const sqlSessions = keepEndingSessions(database, warn(log, 'ending long sessions of SQL access failed; retrying'))
  const sqlViews = keepRenewingViews(database, warn(log, 'making the views of SQL access failed; retrying'))
  const searchIndexes = keepSearchIndexes(database, warn(log, 'moving entries of search indexes failed; retrying'))
  return {
    wakeImports: () => imports?.wake(),
    wakeExports: () => exports?.wake(),
    refreshReports: reports.scheduleRefresh,
    async stop() {
      clearInterval(keeping)
      purging.stop()
      await Promise.all([
        ...[reports.stop(), calling.stop(), imports?.stop(), exports?.stop(), clearing.stop()],
        files.stop(),
        alerting?.stop(),
        searchIndexes.stop(),
        sqlSessions.stop(),
        sqlViews.stop(),
      ])
      sender.close()
    },
  }
}

/** Nodemailer is loaded only where it is used. */
async function mailTransport(settings: MailSettings | undefined) {
  if (settings === undefined) return undefined
  const { smtpTransport } = await import('./features/mail/transport.ts')
  return { settings, transport: smtpTransport(settings) }
}

function startMail(
  { database, seal, log }: BackgroundParts,
  { settings, transport }: NonNullable<Awaited<ReturnType<typeof mailTransport>>>,
  times: MailTimes | undefined,
) {
  const url = settings.publicUrl
  const compose = { ...peopleMails(database, url), ...alertMails(database, url) }
  return keepSending(database, { seal, transport, log, compose }, times)
}

/** Looks at companies for alerts, unless this server should not. */
function startAlerts(
  { database, seal, mail, notifications, log }: BackgroundParts,
  { isWatching = true, ...times }: NonNullable<BackgroundSettings['alerts']> = {},
) {
  const failed = warn(log, 'looking for alerts failed; retrying')
  return isWatching ? keepAlerts(database, { outbox: outboxOf(mail, seal), notifications, failed }, times) : undefined
}

/** A log line names an export only if one has failed. */
const exportFailures = (log: Logger) => ({
  failed: warn(log, 'export failed; retrying'),
  lookFailed: warn(log, 'looking for exports failed; retrying'),
})

/** Executes imports, unless this server should not. */
function startImports(
  { connection, importDatabase, notifications, log }: BackgroundParts,
  { isWorking = true, ...times }: NonNullable<BackgroundSettings['importing']> = {},
) {
  if (!isWorking) return undefined
  const failed = warn(log, 'import failed; retrying unless it is out of attempts')
  const newWorker = () => worker(importProgram, connection, { wrote: notifications.wake, failed })
  const lookFailed = warn(log, 'looking for imports failed; retrying')
  return keepImporting(importDatabase, { worker: newWorker, failed, lookFailed }, times)
}

/** Removes old requests of keys, expired idempotency keys, sign-ins and links, sums of deleted companies, and former secrets of triggers, one after the other, soon and from time to time. */
function startClearing({ database, log }: BackgroundParts, everyMs: number = IDEMPOTENCY_CLEARING_MS): BackgroundLoop {
  const clear = async (isOver: () => boolean) => {
    await clearKeyRequests(database, isOver).catch(warn(log, 'removing old requests of keys failed; retrying'))
    await clearKept(database, isOver).catch(warn(log, 'removing old idempotency keys failed; retrying'))
    await clearPast(database, isOver).catch(warn(log, 'removing ended sign-ins and links failed; retrying'))
    await clearAbandonedSums(database).catch(warn(log, 'removing sums of deleted companies failed; retrying'))
    await removeFormerSecrets(database).catch(warn(log, 'removing former secrets of triggers failed; retrying'))
    return everyMs
  }
  const loop = backgroundLoop(clear, () => {}, everyMs)
  loop.schedule(firstLookMs())
  return loop
}

/** Only the message of the processor's refusals is logged: other parts of such an error may contain a secret. */
const registeredLater = (log: Logger) => (error: unknown, companyId?: string) => {
  const message = 'creating a customer at the payment processor failed; retrying'
  if (error instanceof ProcessorError) log.warn({ companyId, reason: error.message }, message)
  else warn(log, message, { companyId })(error)
}
