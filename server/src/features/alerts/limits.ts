// The limits of alerts, each with its reason.

/**
 * Milliseconds between two checks of a company that keeps writing, between two of all failing triggers, and between two
 * searches for companies that are due.
 */
export const ALERT_CHECK_MS = 30_000
export const ALERT_TRIGGERS_MS = 30_000
export const ALERT_LOOK_MS = 5_000
/** Companies of one look: some statements of some milliseconds. */
export const ALERT_COMPANIES = 100
/** Companies of one look for writes that were not noticed, and milliseconds between two such looks. */
export const ALERT_SWEEP = 200
export const ALERT_SWEEP_MS = 60_000
/** Milliseconds for which all calls of a trigger must have failed: the first retries follow after seconds and minutes. */
export const WEBHOOK_FAILING_MS = 10 * 60 * 1000
/** The lowest levels of stock of a company that an alert stores, and those that it names. */
export const LOW_LEVELS = 1_000
export const LOW_LEVELS_NAMED = 20
/**
 * Milliseconds for which the mail about low stock waits for further levels, and between two mails about one company.
 */
export const STOCK_MAIL_MS = 2 * 60 * 1000
export const COMPANY_MAIL_MS = 5 * 60 * 1000
/** Milliseconds after which a mail that was not written is not written any more. */
export const ALERT_MAIL_KEPT_MS = 24 * 60 * 60 * 1000
/** Companies of an organization up to which its members get mails about them: an owner of thousands uses the bell. */
export const MAILED_COMPANIES = 10
/** Alerts that the bell shows, the newest, and that a mail names. */
export const ALERTS_SHOWN = 50
export const ALERTS_MAILED = 20
/** Milliseconds for which an alert is kept, and a recovered one. */
export const ALERT_KEPT_MS = 30 * 24 * 60 * 60 * 1000
export const RECOVERED_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Alerts that one statement removes, and milliseconds between two removals. */
export const ALERTS_CLEARED = 5_000
export const ALERT_CLEARING_MS = 10 * 60 * 1000
