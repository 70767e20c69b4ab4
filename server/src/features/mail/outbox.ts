// The outbox: mails are written in the transaction of their cause, leased by one server at a time, and deleted once sent.
import type { Seal } from '../../core/idempotency-claim.ts'
import { newId } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { type Reseal, resealColumn } from '../../engine/reseal.ts'
import { type Family, readFamily } from '../../metrics/instruments.ts'
import type { MailSettings } from './settings.ts'

/** What is known of a mail before it is written; `kind` names the function that writes it (`compose` of sending.ts). */
export interface WantedMail {
  readonly kind: string
  /** Stored sealed, since it may hold the token of a link. */
  readonly content: Readonly<Record<string, unknown>>
  /** Milliseconds after which it has expired. */
  readonly keptMs: number
}

/** Where mails are put; without a mail server, nowhere. */
export interface Outbox {
  readonly isOn: boolean
  /** Stores mails in a transaction of the caller. Call `wakeMail` after the commit. */
  put(transaction: Queryable, mails: readonly WantedMail[]): Promise<void>
}

/** The outbox of a service with these settings. */
export function outboxOf(settings: MailSettings | undefined, seal: Seal): Outbox {
  if (settings === undefined) return noOutbox
  return {
    isOn: true,
    async put(transaction, mails) {
      if (mails.length === 0) return
      const rows = mails.map(({ kind, content, keptMs }) => {
        const id = newId()
        return { id, kind, content: seal.close(JSON.stringify(content), contextOf(id)), seconds: keptMs / 1000 }
      })
      await transaction.query(
        `insert into mails (id, kind, content, next_try_at, expires_at, created_at)
         select id, kind, content, now(), now() + make_interval(secs => seconds), now()
         from unnest($1::text[], $2::text[], $3::text[], $4::float8[]) as item(id, kind, content, seconds)`,
        [
          rows.map(({ id }) => id),
          rows.map(({ kind }) => kind),
          rows.map(({ content }) => content),
          rows.map(({ seconds }) => seconds),
        ],
      )
    },
  }
}

/** The outbox of a service without a mail server. */
export const noOutbox: Outbox = { isOn: false, put: async () => {} }

const contextOf = (id: string): string => `mail ${id}`

/** A mail that this server is to send, and no other until the lease has expired. */
export interface LeasedMail {
  readonly id: string
  readonly kind: string
  /** The number of attempts, including this one: with the id it identifies the lease. */
  readonly tries: number
  readonly isExpired: boolean
  /** Undefined if another secret key has sealed it. */
  readonly content: Readonly<Record<string, unknown>> | undefined
}

/** Leases up to `most` mails that are due, longest waiting first; none of `but`, which the caller still handles. */
export async function leaseMails(
  database: Database,
  seal: Seal,
  { most, leaseMs, but }: { most: number; leaseMs: number; but: readonly string[] },
): Promise<LeasedMail[]> {
  const rows = await database.query(
    {
      name: 'mails_lease',
      text: `
      with due as materialized (
        select id from mails where next_try_at <= now() and id <> all ($3::text[])
        order by next_try_at limit $1 for update skip locked
      )
      update mails as mail set next_try_at = now() + make_interval(secs => $2), tries = tries + 1
      from due where mail.id = due.id
      returning mail.id, kind, tries, expires_at <= now(), content`,
    },
    [most, leaseMs / 1000, but],
  )
  return rows.map(([id, kind, tries, isExpired, sealed]) => ({
    id,
    kind,
    tries,
    isExpired,
    content: opened(seal, id, sealed),
  }))
}

function opened(seal: Seal, id: string, sealed: string): LeasedMail['content'] {
  try {
    return JSON.parse(seal.open(sealed, contextOf(id)))
  } catch {
    return undefined
  }
}

/** Deletes a mail that was sent, or that nobody needs any more; also if the lease was lost. */
export async function removeMail(database: Queryable, { id }: Pick<LeasedMail, 'id'>): Promise<void> {
  await database.query('delete from mails where id = $1', [id])
}

/** Stores when the next attempt is made, unless another server has the mail. */
export async function postponeMail(database: Queryable, { id, tries }: LeasedMail, pauseMs: number): Promise<void> {
  await database.query(
    'update mails set next_try_at = now() + make_interval(secs => $3) where id = $1 and tries = $2',
    [id, tries, pauseMs / 1000],
  )
}

/** Releases a lease without an attempt, so that another server sends the mail at once. */
export async function releaseMail(database: Queryable, { id, tries }: LeasedMail): Promise<void> {
  await database.query('update mails set next_try_at = now(), tries = tries - 1 where id = $1 and tries = $2', [
    id,
    tries,
  ])
}

/** Reseals each mail that another key sealed, unless it is sent meanwhile. Returns how many. */
export const resealMails = (database: Database, reseal: Reseal): Promise<number> =>
  resealColumn(database, { table: 'mails', key: 'id', column: 'content', contextOf }, reseal)

/** Removes all mails, which can no longer be opened. Returns how many. */
export async function clearMails(database: Database): Promise<number> {
  return (await database.query('delete from mails returning 1')).length
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
