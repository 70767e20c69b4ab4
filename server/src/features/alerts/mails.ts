// Writes the mail about some alerts, from what they say when it is sent.
import type { Database } from '../../database/connect.ts'
import { localTime, type MailContent, mailTo, nameInMail } from '../mail/message.ts'
import type { Compose } from '../mail/sending.ts'
import type { AlertDetails, AlertLevel } from './alert.ts'
import { mailReader } from './readers.ts'

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
