// Puts the mails about alerts into the outbox: for each person one mail about all that is due in a company, and not too often.
import type { Database } from '../../database/connect.ts'
import type { Outbox, WantedMail } from '../mail/outbox.ts'
import { wakeMail } from '../mail/sending.ts'
import type { AlertKind } from './alert.ts'
import { ALERT_COMPANIES } from './check.ts'
import { mailReaders } from './readers.ts'

/** Milliseconds between two mails about one company. */
const COMPANY_MAIL_MS = 5 * 60 * 1000
/** Milliseconds after which a mail that was not written is not written any more. */
const ALERT_MAIL_KEPT_MS = 24 * 60 * 60 * 1000

/** Writes the mails that are due, once on all servers, since the companies are locked. */
export async function mailDue(database: Database, outbox: Outbox, companyMailMs = COMPANY_MAIL_MS): Promise<void> {
  const count = await database.transaction(async (transaction) => {
    // A company that has not written yet may have an import that failed.
    await transaction.query(
      `insert into alert_checks (company_id)
       select distinct company_id from alerts where mail_at <= now() and state <> 'recovered'
         and not exists (select from alert_checks as stored where stored.company_id = alerts.company_id) order by company_id
       on conflict do nothing`,
    )
    const companies = await transaction.query(
      `with waiting as materialized (select distinct company_id from alerts where mail_at <= now() and state <> 'recovered'),
       due as materialized (
         select company_id from alert_checks as stored
         where (mailed_at is null or mailed_at <= now() - make_interval(secs => $2))
           and company_id in (select company_id from waiting)
         limit $1 for update skip locked
       )
       update alert_checks as stored set mailed_at = now() from due where stored.company_id = due.company_id
       returning stored.company_id`,
      [ALERT_COMPANIES, companyMailMs / 1000],
    )
    const mails: WantedMail[] = []
    for (const [companyId] of companies) {
      const alerts = await transaction.query(
        `with due as materialized (select id, mail_at from alerts where company_id = $1 and mail_at <= now())
         update alerts as alert set mail_at = null from due where alert.company_id = $1 and alert.id = due.id
         returning alert.id, alert.kind, due.mail_at > now() - make_interval(secs => $2)`,
        [companyId, ALERT_MAIL_KEPT_MS / 1000],
      )
      // What was due while there was no mail server is old.
      const fresh = alerts.filter(([, , isFresh]) => isFresh)
      const kinds = [...new Set(fresh.map(([, kind]) => kind as AlertKind))]
      for (const { userId, kinds: wanted } of await mailReaders(transaction, companyId, kinds)) {
        const alertIds = fresh.filter(([, kind]) => wanted.includes(kind)).map(([id]) => id)
        mails.push({ kind: 'alerts', content: { companyId, userId, alertIds }, keptMs: ALERT_MAIL_KEPT_MS })
      }
    }
    await outbox.put(transaction, mails)
    return mails.length
  })
  if (count > 0) wakeMail()
}
