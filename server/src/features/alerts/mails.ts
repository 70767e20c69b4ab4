// Mails about alerts. Each person gets one mail about all alerts that are due in a company, and not too often. It is written from what
// the alerts say when it is sent.
import type { Database } from '../../database/connect.ts'
import { localTime, type MailContent, mailTo, nameInMail } from '../mail/message.ts'
import type { Outbox, WantedMail } from '../mail/outbox.ts'
import { type Compose, wakeMail } from '../mail/sending.ts'
import type { AlertDetails, AlertKind, AlertLevel } from './alert.ts'
import { ALERT_COMPANIES } from './check.ts'
import { mailReader, mailReaders } from './readers.ts'

/** Milliseconds between two mails about one company. */
const COMPANY_MAIL_MS = 5 * 60 * 1000
/** Milliseconds after which an alert is too old for a mail. */
const ALERT_MAIL_KEPT_MS = 24 * 60 * 60 * 1000

/** Puts the mails that are due into the outbox. Companies are locked, so each mail is put there once, by one server. */
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
      // Alerts that were due while there was no mail server are too old.
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

/** Alerts that a mail names. */
const ALERTS_MAILED = 20

/** The mails about alerts; links begin with the public address of the service. */
export const alertMails = (database: Database, publicUrl: string): Readonly<Record<string, Compose>> => ({
  alerts: async ({ companyId, userId, alertIds }) => {
    const [to, rows] = await Promise.all([
      mailReader(database, companyId, userId),
      database.query(
        `select details, company.name, coalesce(company.timezone, 'UTC'), iso_time(alert.updated_at)
         from alerts as alert join companies as company on company.id = alert.company_id
         where alert.company_id = $1 and alert.id = any ($2) and alert.state <> 'recovered'
         order by alert.updated_at, alert.id`,
        [companyId, alertIds],
      ),
    ])
    const [first] = rows
    if (to === undefined || first === undefined) return undefined
    const [, company, timeZone] = first as [string, string, string]
    const place = `${publicUrl}/console/c/${companyId}`
    const alerts = rows.map(([details, , , at]) => written(JSON.parse(details), place, localTime(at, timeZone)))
    return mailTo(to, digest(nameInMail(company), place, alerts))
  },
})

/** What a mail says of one alert. */
interface WrittenAlert {
  readonly title: string
  readonly lines: readonly string[]
  readonly action: NonNullable<MailContent['action']>
}

const whySent = (company: string) =>
  `You get this mail because you have access to ${company}. Choose which alerts you get in the console, under Your profile.`

function digest(company: string, place: string, alerts: readonly WrittenAlert[]): MailContent {
  const [only] = alerts
  if (only !== undefined && alerts.length === 1)
    return {
      subject: `${only.title} · ${company}`,
      heading: company,
      paragraphs: [`${only.title}.`],
      items: only.lines,
      action: only.action,
      notes: [whySent(company)],
    }
  const named = alerts.slice(0, ALERTS_MAILED)
  const more = alerts.length - named.length
  return {
    subject: `${alerts.length} alerts · ${company}`,
    heading: company,
    paragraphs: [`There are ${alerts.length} new alerts.`],
    items: [
      ...named.map(({ title, lines }) => [title, ...lines.slice(0, 3)].join(' · ')),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    action: { label: 'Open the console', url: place },
    notes: [whySent(company)],
  }
}

/** Title, lines and link of an alert. Names are what people of the company typed. */
function written(details: AlertDetails, place: string, at: string): WrittenAlert {
  switch (details.kind) {
    case 'webhook': {
      const called = nameInMail(details.name ?? details.host)
      const isOff = details.offReason !== undefined
      return {
        title: isOff ? `Webhook ${called} was switched off` : `Webhook ${called} is failing`,
        lines: [
          isOff
            ? (details.offReason as string)
            : 'All calls have failed for at least ten minutes. They are being retried.',
          `Receiver: ${nameInMail(details.host)}`,
        ],
        action: { label: 'View webhook', url: `${place}/automation/${details.triggerId}` },
      }
    }
    case 'import': {
      const { problem, refused } = details
      const file = nameInMail(details.fileName)
      return {
        title: problem === undefined ? `Import of ${file} is done` : `Import of ${file} failed`,
        lines: [
          ...(problem === undefined ? [] : [nameInMail(problem)]),
          ...(refused > 0 ? [`${refused} ${refused === 1 ? 'row was' : 'rows were'} refused.`] : []),
          `Finished ${at}`,
        ],
        action: { label: 'View import', url: `${place}/imports/${details.importId}` },
      }
    }
    case 'stock': {
      const { count, levels } = details
      const more = count - levels.length
      return {
        title: `Stock is low: ${count} ${count === 1 ? 'variant' : 'variants'}`,
        lines: [...levels.map(levelLine), ...(more > 0 ? [`and ${more} more`] : [])],
        action: { label: 'View stock', url: `${place}/stock` },
      }
    }
    case 'session': {
      const where = [details.outletName, details.stationName].flatMap((name) => (name ? [nameInMail(name)] : []))
      return {
        title: `Session closed with a difference${where.length > 0 ? ` at ${where.join(', ')}` : ''}`,
        lines: [
          ...details.differences.map(
            ({ currency, paymentMethod, difference }) =>
              `${nameInMail(inWords(paymentMethod))}: ${difference.startsWith('-') ? '' : '+'}${difference} ${currency}`,
          ),
          `Closed ${at}`,
        ],
        action: { label: 'View session', url: `${place}/sessions/${details.sessionId}` },
      }
    }
  }
}

function levelLine({ productName, variantName, outletName, stock, variantId }: AlertLevel): string {
  const what = [productName ?? variantId, variantName].flatMap((name) => (name ? [nameInMail(name)] : [])).join(' · ')
  return `${what}: ${stock} left${outletName ? ` at ${nameInMail(outletName)}` : ''}`
}

/** A payment method as people write it: `credit_card` as “Credit card”. */
const inWords = (method: string): string => method.charAt(0).toUpperCase() + method.slice(1).replaceAll('_', ' ')
