// Sends the mails of the outbox: one server at a time each, with retries until the mail is sent or has expired.
import type { Logger } from 'pino'
import { growingPause } from '../../concurrency/growing-pause.ts'
import { jobLoop } from '../../concurrency/job-loop.ts'
import { warn } from '../../core/failure-log.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import { divided } from '../../core/worker-share.ts'
import type { Database } from '../../database/connect.ts'
import { counter } from '../../metrics/instruments.ts'
import type { Mail } from './message.ts'
import { type LeasedMail, leaseMails, postponeMail, releaseMail, removeMail } from './outbox.ts'

/** Mails that one server sends at once: mail servers accept few connections from one address. */
const MAILS_AT_ONCE = divided(4, 1)
/** Milliseconds of one server's lease on a mail: longer than writing it, with the deadline of statements, and sending it together. */
const MAIL_LEASE_MS = 90_000
/** Milliseconds after which an attempt is given up, so that its result is stored under the lease. */
const MAIL_SEND_MS = 45_000
/** Milliseconds that a stopping server waits for mails under way. */
const MAIL_STOP_MS = 3_000
/** Milliseconds between two looks for mails that are due, in case a notification is missed. */
const MAIL_LOOK_MS = 2_000
/** Milliseconds before the second attempt, and at most before any. */
const MAIL_PAUSE_MS = 5_000
const MAIL_PAUSE_MOST_MS = 60 * 60 * 1000

/**
 * A mail that was not accepted; `isFinal` if further attempts would not be either. Its message contains no address and
 * no password.
 */
export class MailError extends Error {
  override name = 'MailError'
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Sends mails. */
export interface MailTransport {
  /** Resolves once the mail server has accepted the mail; `id` makes its Message-ID, by which a repeated one is recognized. */
  send(id: string, mail: Mail, signal: AbortSignal): Promise<void>
}

const attempts = counter({
  name: 'cashwrap_mail_attempts_total',
  help: 'Attempts to send a mail, by result: sent, retried, and failed (given up).',
  labels: ['result'],
})

/** Counters of attempts by result. */
const mailAttempts = {
  sent: attempts.of('sent'),
  retried: attempts.of('retried'),
  failed: attempts.of('failed'),
}

/** Writes a mail from what is stored of it; undefined if nobody needs it any more, such as a withdrawn invitation. */
export type Compose = (content: Readonly<Record<string, any>>) => Promise<Mail | undefined>

/** Intervals in milliseconds, instead of the limits. */
export interface MailTimes {
  readonly pauseMs?: (tries: number) => number
  readonly lookMs?: number
}

/** What sending needs. */
interface SendingParts {
  readonly seal: Seal
  readonly transport: MailTransport
  /** By the kind of a mail. */
  readonly compose: Readonly<Record<string, Compose>>
  readonly log: Logger
}

interface MailSending {
  /** Takes no further mail; resolves when those under way are sent or, after a moment, released. */
  stop(): Promise<void>
}

const loops = new Set<() => void>()

/** Makes the servers of this process look for mails now. Call it after committing some. */
export function wakeMail(): void {
  for (const look of loops) look()
}

/** Sends mails until it is stopped. No transaction is open while a mail is sent; if a server dies, its lease expires. */
export function keepSending(
  database: Database,
  parts: SendingParts,
  { pauseMs = growingPause(MAIL_PAUSE_MS, MAIL_PAUSE_MOST_MS), lookMs = MAIL_LOOK_MS }: MailTimes = {},
): MailSending {
  const { seal, log } = parts
  const stopping = new AbortController()
  const { lookSoon, stopLooking, ended } = jobLoop<LeasedMail>({
    atOnce: MAILS_AT_ONCE,
    lookMs,
    lease: (most, but) => leaseMails(database, seal, { most, leaseMs: MAIL_LEASE_MS, but }),
    keyOf: ({ id }) => id,
    attempt: (mail) => attempt(database, parts, mail, { pauseMs, stopped: stopping.signal }),
    failed: warn(log, 'sending mail failed; retrying'),
  })
  loops.add(lookSoon)
  return {
    async stop() {
      loops.delete(lookSoon)
      await stopLooking()
      const timer = setTimeout(() => stopping.abort(), MAIL_STOP_MS)
      await ended()
      clearTimeout(timer)
    },
  }
}

/** Sends a mail, and stores the result: it is removed, or tried again later. */
async function attempt(
  database: Database,
  { transport, compose, log }: SendingParts,
  leased: LeasedMail,
  { pauseMs, stopped }: { pauseMs: (tries: number) => number; stopped: AbortSignal },
): Promise<void> {
  const { id, kind, tries, content } = leased
  const giveUp = async (reason: string) => {
    mailAttempts.failed.value++
    log.warn({ mailId: id, kind, tries, reason }, 'mail delivery failed; given up')
    await removeMail(database, leased)
  }
  if (leased.isExpired) return giveUp('It has expired.')
  if (content === undefined) return giveUp('CASHWRAP_SECRET_KEY was replaced.')
  try {
    const mail = await compose[kind]?.(content)
    if (mail !== undefined) {
      await transport.send(id, mail, AbortSignal.any([stopped, AbortSignal.timeout(MAIL_SEND_MS)]))
      mailAttempts.sent.value++
    }
    await removeMail(database, leased)
  } catch (error) {
    // The database's own failures are not the mail server's: the lease expires.
    if (!(error instanceof MailError)) throw error
    if (stopped.aborted) return releaseMail(database, leased)
    if (error.isFinal) return giveUp(error.message)
    const pause = pauseMs(tries)
    mailAttempts.retried.value++
    const seconds = Math.ceil(pause / 1000)
    log.warn({ mailId: id, kind, tries, reason: error.message }, `mail delivery failed; retrying in ${seconds} s`)
    await postponeMail(database, leased, pause)
  }
}
