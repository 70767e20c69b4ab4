// The limits of mail, each with its reason.
import { divided } from '../../core/worker-share.ts'

/** Mails that one server sends at once: mail servers accept few connections from one address. */
export const MAILS_AT_ONCE = divided(4, 1)
/** Milliseconds of one server's lease on a mail: longer than writing it, with the deadline of statements, and sending it together. */
export const MAIL_LEASE_MS = 90_000
/** Milliseconds for a connection and a greeting, and without a byte of the mail server. */
export const MAIL_CONNECT_MS = 10_000
export const MAIL_SILENT_MS = 20_000
/** Milliseconds after which an attempt is given up, so that its result is stored under the lease. */
export const MAIL_SEND_MS = 45_000
/** Milliseconds that a stopping server waits for mails under way. */
export const MAIL_STOP_MS = 3_000
/** Milliseconds between two looks for mails that are due, in case that no notice arrives. */
export const MAIL_LOOK_MS = 2_000
/** Milliseconds before the second attempt, and at most before any. */
export const MAIL_PAUSE_MS = 5_000
export const MAIL_PAUSE_MOST_MS = 60 * 60 * 1000
/** Characters of a name in a mail, and of its subject: what readers of mail show. */
export const MAIL_NAME_CHARACTERS = 120
export const MAIL_SUBJECT_CHARACTERS = 200
/** Characters of the mail server's answer that the log shows. */
export const MAIL_REASON_CHARACTERS = 200
