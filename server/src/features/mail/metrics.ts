// What mail reports: attempts by result as they are made, and what waits in the outbox, read at a scrape.
import type { Queryable } from '../../database/connect.ts'
import { counter, type Family, readFamily } from '../../metrics/instruments.ts'

const attempts = counter({
  name: 'cashwrap_mail_attempts_total',
  help: 'Attempts to send a mail, by result: sent, retried, and failed (given up).',
  labels: ['result'],
})

/** Counters of attempts by result. */
export const mailAttempts = {
  sent: attempts.of('sent'),
  retried: attempts.of('retried'),
  failed: attempts.of('failed'),
}

/** Mails in the outbox, and for how long the oldest has waited. */
export async function mailFamilies(database: Queryable): Promise<Family[]> {
  const [row] = await database.query(
    'select count(*), coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from mails',
  )
  const [waiting = 0, seconds = 0] = (row ?? []).map(Number)
  return [
    readFamily({ name: 'cashwrap_mail_waiting', help: 'Mails that are not sent yet.' }, waiting),
    readFamily(
      {
        name: 'cashwrap_mail_oldest_waiting_seconds',
        help: 'For how long the mail that has waited longest is not sent; 0 if none waits.',
      },
      Math.max(0, seconds),
    ),
  ]
}
